//! Walks the containers of a syntax tree and notes items, symbols and imports.

use std::ops::Range;

use gik_base::FileKey;
use gik_base::collections::HashSet;

use super::ast::{Node, Tree};
use super::found::Found;
use super::grammar::{Grammar, Role, Start};
use super::leading::Leading;
use super::matching::{self, Search};
use super::pattern::ERROR;
use super::run::Run;
use super::scope::Scope;
use super::wording;
use crate::comment;
use crate::language::{Language, SyntaxDescription};
use crate::line_table::LineTable;
use crate::outline::Outline;
use crate::symbol::{Symbol, SymbolIds, SymbolKind, Visibility};

/// Items nested deeper are part of the item around them.
pub(super) const MAX_DEPTH: usize = 32;

/// Reads items, symbols and imports from a tree; what is inside functions is left for [`Reader::inner`].
pub(super) fn read<'a, 't, 'tree>(
    path: &FileKey,
    lines: &'a LineTable<'t>,
    language: &'static Language,
    description: &'static SyntaxDescription,
    grammar: &'static Grammar,
    tree: &'tree Tree,
) -> Reader<'a, 't, 'tree> {
    let mut reader = Reader {
        lines,
        language,
        description,
        grammar,
        ids: SymbolIds::new(language.id, path),
        outline: Outline::default(),
        line: 0,
        section: None,
        read: HashSet::default(),
        keeps_whole: false,
        search: Search::default(),
    };
    reader.container(tree.root_node(), &Scope::file(), Leading::default(), 0);
    if grammar.has_macros {
        reader.defines();
    }
    reader.outline.symbols.sort_by_key(Symbol::order);
    reader
}

pub(super) struct Reader<'a, 't, 'tree> {
    pub(super) lines: &'a LineTable<'t>,
    pub(super) language: &'static Language,
    pub(super) description: &'static SyntaxDescription,
    pub(super) grammar: &'static Grammar,
    pub(super) ids: SymbolIds,
    pub(super) outline: Outline,
    /// The first line that no item covers yet.
    pub(super) line: usize,
    /// What a section says about the visibility of the items that follow it: `private:`.
    pub(super) section: Option<Visibility>,
    /// The nodes whose children were looked at for definitions.
    pub(super) read: HashSet<usize>,
    /// Whether no items are noted, because what is being read stays in one piece: the body of a function.
    pub(super) keeps_whole: bool,
    pub(super) search: Search<'tree>,
}

impl<'t, 'tree> Reader<'_, 't, 'tree> {
    /// Reads the direct children of a node; takes what leads to the first and returns what follows the last.
    pub(super) fn container(
        &mut self,
        node: Node<'tree>,
        scope: &Scope,
        mut leading: Leading,
        depth: usize,
    ) -> Leading {
        self.read.insert(node.id());
        let mut found = Vec::new();
        // What a definition without braces has opened; the next such one closes it.
        let mut opened: Option<Scope> = None;
        let mut run = Run::default();
        let mut before = self.mark();
        for child in node.children() {
            let here = opened.as_ref().unwrap_or(scope);
            let role = self.role(child);
            if role == Start::Role(Role::Trailing) {
                self.trail(child, before);
                continue;
            }
            before = self.mark();
            // A sign or a keyword is nothing.
            let is_named = role != Start::Nothing || child.is_named();
            if is_named && !matches!(role, Start::Patterns | Start::Role(Role::Leading)) {
                run.end();
            }
            match role {
                Start::Nothing if is_named => {
                    self.begin_section(child);
                    leading = Leading::default();
                },
                Start::Nothing => {},
                Start::Role(Role::Leading) => self.lead(child, &mut leading),
                Start::Role(Role::Through) => leading = self.through(child, here, leading, depth),
                Start::Role(Role::Wrapper) => {
                    self.unwrap(child, &mut found);
                    self.definitions(&found, here, std::mem::take(&mut leading), depth);
                },
                Start::Role(role) => {
                    let leading = std::mem::take(&mut leading);
                    self.simple(child, role, here, leading, depth);
                },
                Start::Patterns => {
                    self.matches(child, &mut found);
                    if found.first().is_some_and(|first| first.role == Role::Wrapper) {
                        self.unwrap(child, &mut found);
                    }
                    let role = found.first().map(|first| first.role);
                    if role == Some(Role::Leading) {
                        self.lead(child, &mut leading);
                    } else if role == Some(Role::Through) {
                        run.end();
                        leading = self.through(child, here, leading, depth);
                    } else if found.first().is_some_and(|first| first.holds_rest) {
                        let leading = std::mem::take(&mut leading);
                        opened = self.definitions(&found, scope, leading, depth);
                    } else if self.go_on(&found, &leading, &mut run) {
                        leading = Leading::default();
                    } else {
                        let mark = self.mark();
                        self.definitions(&found, here, std::mem::take(&mut leading), depth);
                        self.note(&found, mark, here.is_type(), &mut run);
                    }
                },
            }
        }
        leading
    }

    /// Reads the children of a node as if they stood beside it.
    fn through(
        &mut self,
        node: Node<'tree>,
        scope: &Scope,
        leading: Leading,
        depth: usize,
    ) -> Leading {
        if depth < MAX_DEPTH {
            self.container(node, scope, leading, depth + 1)
        } else {
            Leading::default()
        }
    }

    pub(super) fn lead(&self, node: Node<'_>, leading: &mut Leading) {
        let is_attribute = self.grammar.start(node.kind_id()) == Start::Role(Role::Leading);
        let is_comment = node.kind().ends_with("comment") || (node.is_extra() && !is_attribute);
        leading.add(node, is_comment, self.lines, self.description);
    }

    /// What a node may be, by its kind alone.
    pub(super) fn role(&self, node: Node<'_>) -> Start {
        let kind = node.kind_id();
        if kind == ERROR {
            return Start::Role(Role::Recover);
        }
        if !self.grammar.items.is_named(kind) {
            return Start::Nothing;
        }
        let start = self.grammar.start(kind);
        // Not all that may stand anywhere is a comment: directives have patterns.
        if start != Start::Nothing || !node.is_extra() {
            return start;
        }
        let text = self.text(node.byte_range());
        let is_doc = starts_with_any(text, self.description.inner_doc_markers);
        Start::Role(if is_doc { Role::Doc } else { Role::Leading })
    }

    /// A node whose role needs no pattern.
    fn simple(
        &mut self,
        node: Node<'tree>,
        role: Role,
        scope: &Scope,
        leading: Leading,
        depth: usize,
    ) {
        match role {
            Role::Doc => self.describe_scope(node, scope),
            Role::Import => self.import(node),
            Role::Recover => {
                if depth < MAX_DEPTH {
                    self.container(node, scope, Leading::default(), depth + 1);
                }
            },
            Role::Definition(_) | Role::Scope | Role::Item | Role::Inside => {
                self.item(&Found::new(node, role), scope, leading, depth);
            },
            Role::Leading | Role::Trailing | Role::Wrapper | Role::Through => {},
        }
    }

    /// The matches of one node: the first is the item, further names are symbols of the same item.
    ///
    /// Returns the inside of the first.
    pub(super) fn definitions(
        &mut self,
        found: &[Found<'tree>],
        scope: &Scope,
        leading: Leading,
        depth: usize,
    ) -> Option<Scope> {
        // A variable that holds a required module is an import, though a pattern of variables is about it as well.
        if found.iter().any(|one| one.role == Role::Import) {
            let others = self.without_imports(found);
            return self.definitions(&others, scope, leading, depth);
        }
        let (first, rest) = found.split_first()?;
        // A part that stands outside of its whole is a statement as well: `Store.prototype.size = 0`.
        let is_part = first.role.kind().is_some_and(SymbolKind::is_part) && first.members.is_none();
        if let Some(item) = rest.iter().find(|one| is_part && one.role == Role::Item) {
            self.item(item, scope, leading.clone(), depth);
        }
        let inside = self.item(first, scope, leading, depth);
        let mut names = vec![first.name];
        for other in rest {
            // `typedef struct store { … } store` is one definition, and `bool` in `operator bool` none.
            let is_part = other.name.is_some_and(|name| first.name_parts.contains(&name));
            let is_same = is_part || self.is_called_alike(first, other);
            if !is_same && !names.contains(&other.name) && matches!(other.role, Role::Definition(_))
            {
                names.push(other.name);
                self.item(other, scope, Leading::default(), depth);
            }
        }
        inside
    }

    fn is_called_alike(&self, one: &Found<'_>, other: &Found<'_>) -> bool {
        let name = |found: &Found<'_>| found.name.map(|name| self.text(name.byte_range()));
        one.role == other.role && name(one) == name(other)
    }

    /// Notes the imports among the matches of one node; returns what the node defines beside them.
    fn without_imports(&mut self, found: &[Found<'tree>]) -> Vec<Found<'tree>> {
        let imports: Vec<Node<'tree>> = found
            .iter()
            .filter(|one| one.role == Role::Import)
            .map(|one| one.name.and_then(|name| name.parent()).unwrap_or(one.node))
            .collect();
        let is_imported = |name: Node<'tree>| {
            let holds = |import: &Node<'tree>| {
                import.start_byte() <= name.start_byte() && name.end_byte() <= import.end_byte()
            };
            imports.iter().any(holds)
        };
        let others = found.iter().filter(|one| {
            one.role.kind().is_some() && one.name.is_some_and(|name| !is_imported(name))
        });
        let others: Vec<Found<'tree>> = others.cloned().collect();
        match found.first() {
            Some(first) if others.is_empty() => self.import(first.node),
            _ => imports.into_iter().for_each(|import| self.import(import)),
        }
        others
    }

    pub(super) fn text(&self, bytes: Range<usize>) -> &'t str {
        self.lines.text.get(bytes).unwrap_or_default()
    }

    fn describe_scope(&mut self, node: Node<'_>, scope: &Scope) {
        if let Some(idx) = scope.item {
            let text = comment::text(self.text(node.byte_range()), self.language);
            let doc = &mut self.outline.items[idx].doc;
            if !doc.is_empty() {
                doc.push('\n');
            }
            doc.push_str(&text);
            if let Some(symbol) = scope.symbol.and_then(|idx| self.outline.symbols.get_mut(idx)) {
                symbol.add_doc(&text);
            }
        }
    }

    fn import(&mut self, node: Node<'tree>) {
        let patterns = &self.grammar.imports;
        for found in matching::within(node, patterns, self.lines.text, &mut self.search).iter() {
            for capture in found.captures.iter().filter(|one| !patterns.is_helper(one.index)) {
                let name = self.lines.text.get(capture.node.byte_range()).unwrap_or_default();
                let name = match patterns.capture_names()[capture.index as usize] {
                    "last" => wording::split_path(name, self.description.separator).1,
                    _ => wording::imported_name(wording::word(name, capture.node.kind())),
                };
                if name != "_" && !name.is_empty() {
                    self.outline.imported.push(name.to_owned());
                }
            }
        }
        self.outline.import_bytes.push(node.byte_range());
    }
}

fn starts_with_any(text: &str, markers: &[&str]) -> bool {
    markers.iter().any(|marker| text.starts_with(marker))
}
