//! Our matches against those of tree-sitter's own queries, which also tell patterns that can never match.

use std::path::Path;

use gik_base::FileKey;
use tree_sitter::{Query, QueryCursor, StreamingIterator as _};

use super::ast::Node;
use super::matches::Matches;
use super::matching::Search;
use super::pattern::Patterns;
use super::{lr, matching, tree};
use crate::language::{Structure, SyntaxDescription, languages};
use crate::{detect_by_name, language_by_id};

/// A pattern with its captures: name, kind, bytes.
type Seen = (usize, Vec<(String, u16, std::ops::Range<usize>)>);

/// The same patterns for both.
struct Both {
    language: tree_sitter::Language,
    ours: Patterns,
    theirs: Query,
}

impl Both {
    #[track_caller]
    fn new(
        id: &str,
        language: tree_sitter::Language,
        files: &[(&'static str, &'static str)],
    ) -> Self {
        let ours = Patterns::read(&language, files).map_err(|error| format!("{id}: {error}"));
        let source: Vec<&str> = files.iter().map(|(_, text)| *text).collect();
        let theirs = Query::new(&language, &source.join("\n"));
        let theirs = theirs.map_err(|error| format!("{id}: {error}"));
        Self { ours: ours.unwrap(), theirs: theirs.unwrap(), language }
    }

    fn of(id: &str, description: &SyntaxDescription) -> (Self, Self) {
        let items = [("tags.scm", description.tags), ("chunks.scm", description.chunks)];
        let imports = [("imports.scm", description.imports)];
        let language = description.grammar;
        (Self::new(id, language(), &items), Self::new(id, language(), &imports))
    }

    /// Compares at every node, or what is found anywhere.
    fn differences(&self, text: &str, is_within: bool) -> Vec<String> {
        let whole = lr::Tables::of(&self.language)
            .and_then(|tables| lr::parse(&tables, &self.language, text).ok());
        let tree = whole.unwrap_or_else(|| tree::parse(&self.language, text).unwrap());
        let their_tree = tree::parse_by_tree_sitter(&self.language, text).unwrap();
        let mut cursor = QueryCursor::new();
        if is_within {
            let mut search = Search::default();
            let ours = matching::within(tree.root_node(), &self.ours, text, &mut search);
            let ours = self.ours(ours);
            let theirs = self.theirs(&mut cursor, their_tree.root_node(), text);
            let difference = difference(tree.root_node(), sorted(ours), sorted(theirs));
            return difference.into_iter().collect();
        }
        cursor.set_max_start_depth(Some(0));
        let mut differences = Vec::new();
        let mut nodes = vec![(tree.root_node(), their_tree.root_node())];
        while let Some((node, theirs)) = nodes.pop() {
            let some = self.ours.about(node.kind_id());
            let mut search = Search::default();
            let ours = matching::at(node, &self.ours, some, text, &mut search);
            let ours = self.ours(ours);
            let children = theirs.children(&mut theirs.walk()).collect::<Vec<_>>();
            let mut theirs = self.theirs(&mut cursor, theirs, text);
            theirs.sort_by_key(|(pattern, _)| *pattern);
            differences.extend(difference(node, ours, theirs));
            assert_eq!(node.child_count(), children.len());
            nodes.extend(node.children().zip(children));
        }
        differences
    }

    fn ours(&self, found: &Matches<'_>) -> Vec<Seen> {
        let names = self.ours.capture_names();
        let seen = found.iter().map(|found| {
            let captures = found.captures.iter();
            let captures = captures.map(|one| {
                let name = names[one.index as usize].to_owned();
                (name, one.node.kind_id(), one.node.byte_range())
            });
            (found.pattern_index, captures.collect())
        });
        seen.collect()
    }

    fn theirs(
        &self,
        cursor: &mut QueryCursor,
        node: tree_sitter::Node<'_>,
        text: &str,
    ) -> Vec<Seen> {
        let names = self.theirs.capture_names();
        let mut all = Vec::new();
        let mut matches = cursor.matches(&self.theirs, node, text.as_bytes());
        while let Some(found) = matches.next() {
            let captures = found.captures().iter();
            let captures = captures.map(|one| {
                let name = names[one.index as usize].to_owned();
                (name, one.node.kind_id(), one.node.byte_range())
            });
            all.push((found.pattern_index, captures.collect()));
        }
        all
    }
}

fn sorted(mut seen: Vec<Seen>) -> Vec<Seen> {
    seen.sort_by(|a, b| format!("{a:?}").cmp(&format!("{b:?}")));
    seen
}

fn difference(node: Node<'_>, ours: Vec<Seen>, theirs: Vec<Seen>) -> Option<String> {
    let at = node.start_byte();
    (ours != theirs)
        .then(|| format!("byte {at} {}\n  ours   {ours:?}\n  theirs {theirs:?}", node.kind()))
}

#[test]
fn fixtures_match_as_with_queries() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("languages");
    for language in languages() {
        let Structure::Syntax(description) = language.structure() else { continue };
        let (items, imports) = Both::of(language.id, description);
        let Ok(entries) = std::fs::read_dir(root.join(language.id).join("fixtures")) else {
            continue;
        };
        for entry in entries {
            let file = entry.unwrap().path();
            let key = FileKey::from_text(file.to_str().unwrap());
            if detect_by_name(&key).is_none_or(|detected| detected.id != language.id) {
                continue;
            }
            let text = std::fs::read_to_string(&file).unwrap();
            let mut differences = items.differences(&text, false);
            differences.extend(imports.differences(&text, true));
            assert!(differences.is_empty(), "{}\n{}", file.display(), differences.join("\n"));
        }
    }
}

#[test]
fn every_form_of_pattern_matches_as_with_queries() {
    const TEXT: &str = "f(a, b, /* c */ 1, 'x', [1, 2, 3], function () {}, d);\n\
                        f(1, a, 2);\nf();\nf(a);\ng(a, 'x', 'y', b);\n\
                        let x = 1, y, z = [[1], [2, a]];\n[1, , 2, /* */ 3, 'a'];\n[a];\n\
                        ({ a, b: 1, c() {}, ...d });\nf(\n";
    let patterns = [
        "(arguments (identifier) @a)",
        "(arguments (identifier) @a (number) @b)",
        "(arguments (identifier) @a (identifier) @b (_) @c)",
        "(arguments (identifier) (number) @b)",
        "(arguments (array (number)) (identifier) @b)",
        "(arguments . (identifier) @a)",
        "(arguments (identifier) @a . (identifier) @b)",
        "(arguments (identifier) @a . (number) @b)",
        "(arguments (comment) . (number) @b)",
        "(arguments (_) @a .)",
        "(arguments . (_) @a .)",
        "(arguments (string) @a . \",\" . (string) @b)",
        "(arguments \"(\" @a . \",\" @b)",
        "(arguments _ @a . _ @b)",
        "(arguments _ @a . (string) @b)",
        "(arguments (_) @a . (_) @b .)",
        "(arguments (identifier)? @a (number) @b)",
        "(arguments (number) @a (identifier)? @b)",
        "(arguments . (identifier)? @a (number) @b)",
        "(arguments . (identifier)? @a . (string) @b)",
        "(arguments (identifier) @a . (number)? @b . (string) @c)",
        "(arguments (identifier)* @a)",
        "(arguments (identifier)+ @a)",
        "(arguments (identifier)+ @a (string) @b)",
        "(arguments (_)* @a)",
        "(arguments (_)+ @a .)",
        "(arguments _+ @a)",
        "(arguments . _* @a . \")\" @b)",
        "(array (number)+ @a (string)? @b)",
        "(arguments (array (number) @a) @b (function_expression) @c)",
        "(arguments (array (number) @a (number) @b) (_) @c)",
        "(arguments [(identifier) (number)] @a)",
        "(arguments [(identifier) @a (number) @b] (string) @c)",
        "(arguments [(identifier) @a (_) @a])",
        "(arguments . [\"(\" (identifier)] @a . [(string) (number)] @b)",
        "(arguments ((identifier) @a . (number) @b))",
        "[(array) (arguments)] @a",
        "[(array (number) @b) (arguments (string) @b)] @a",
        "((arguments) @a (#match? @a \"1\"))",
        "(lexical_declaration kind: _ @a (variable_declarator !value name: (_) @b))",
        "(lexical_declaration (variable_declarator name: (_) @a value: (_)? @b))",
        "(variable_declarator name: (identifier) @a value: [(number) @b (array (array (number) @b))])",
        "(variable_declarator [name: (_) value: (number)] @a)",
        "(object [(pair key: (_) @a) (method_definition name: (_) @a) (_) @b])",
        "(call_expression function: (identifier) @a arguments: (arguments (identifier) @b) (#eq? @a @b))",
        "(call_expression function: (identifier) @a arguments: (arguments (identifier) @b) (#not-eq? @b \"a\"))",
        "(call_expression function: (identifier) @a (#any-of? @a \"g\" \"h\"))",
        "(call_expression function: (identifier) @a (#not-any-of? @a \"g\" \"h\"))",
        "(call_expression function: (identifier) @a (#not-match? @a \"^[a-f]$\"))",
        "(program (ERROR (identifier) @a))",
        "(program (ERROR) @a)",
        "(array (expression) @a)",
    ];
    let Structure::Syntax(description) = language_by_id("javascript").unwrap().structure() else {
        panic!("JavaScript has a grammar");
    };
    let mut differences = Vec::new();
    for pattern in patterns {
        let both = Both::new(pattern, (description.grammar)(), &[("", pattern)]);
        differences
            .extend(both.differences(TEXT, false).iter().map(|one| format!("{pattern}\n{one}")));
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
