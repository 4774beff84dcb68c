//! Walks the containers of a syntax tree and notes items, symbols and imports.

use std::ops::Range;

use gik_base::FileKey;
use tree_sitter::{Node, QueryCursor, StreamingIterator as _, Tree};

use super::grammar::{Grammar, Role, Start};
use super::{cuts, wording};
use crate::chunk::ChunkKind;
use crate::chunking::TARGET_MAX;
use crate::comment;
use crate::language::{Language, SyntaxDescription};
use crate::line_table::LineTable;
use crate::outline::{Item, Outline, Zone};
use crate::symbol::{Position, Symbol, SymbolIds, SymbolKind, descriptor, identifier};

/// Items nested deeper are part of the item around them.
const MAX_DEPTH: usize = 32;

/// Reads items, symbols and imports from a tree.
pub(super) fn read(
    path: &FileKey,
    lines: &LineTable<'_>,
    language: &'static Language,
    description: &'static SyntaxDescription,
    grammar: &'static Grammar,
    tree: &Tree,
) -> Outline {
    let mut cursor = QueryCursor::new();
    // Patterns start at the node they are asked about, never inside it.
    cursor.set_max_start_depth(Some(0));
    let mut reader = Reader {
        lines,
        language,
        description,
        grammar,
        cursor,
        import_cursor: QueryCursor::new(),
        ids: SymbolIds::new(language.id, path),
        outline: Outline::default(),
        line: 0,
    };
    reader.container(tree.root_node(), &Scope::file(), 0);
    reader.outline.symbols.sort_by_key(|symbol| symbol.bytes.start);
    reader.outline
}

/// What encloses the items being read.
struct Scope {
    item: Option<usize>,
    qualified: String,
    /// The same as SCIP descriptors.
    descriptors: String,
    /// What an implementation block is for.
    purpose: String,
    is_type: bool,
    zone: Zone,
}

impl Scope {
    fn file() -> Self {
        Self {
            item: None,
            qualified: String::new(),
            descriptors: String::new(),
            purpose: String::new(),
            is_type: false,
            zone: Zone::Product,
        }
    }
}

/// One match of the item query. The node may enclose the definition (a decorator, an export).
struct Found<'tree> {
    node: Node<'tree>,
    role: Role,
    name: Option<Node<'tree>>,
    members: Option<Node<'tree>>,
    body: Option<Node<'tree>>,
    purpose: Option<Node<'tree>>,
}

/// Comments and attributes that wait for their item.
#[derive(Default)]
struct Leading {
    bytes: Option<Range<usize>>,
    docs: Vec<Range<usize>>,
    attributes: Vec<Range<usize>>,
    /// Whether the last of them belongs to the next item even across a blank line.
    is_bound: bool,
}

struct Reader<'a, 't> {
    lines: &'a LineTable<'t>,
    language: &'static Language,
    description: &'static SyntaxDescription,
    grammar: &'static Grammar,
    cursor: QueryCursor,
    import_cursor: QueryCursor,
    ids: SymbolIds,
    outline: Outline,
    /// The first line that no item covers yet.
    line: usize,
}

impl<'t> Reader<'_, 't> {
    /// Reads the direct children of a node.
    fn container(&mut self, node: Node<'_>, scope: &Scope, depth: usize) {
        let mut leading = Leading::default();
        let mut found = Vec::new();
        let mut cursor = node.walk();
        let mut has_child = cursor.goto_first_child();
        while has_child {
            let child = cursor.node();
            match self.role(child) {
                Start::Nothing if child.is_named() => leading = Leading::default(),
                Start::Nothing => {},
                Start::Role(Role::Leading) => self.lead(child, &mut leading),
                Start::Role(role) => {
                    let leading = std::mem::take(&mut leading);
                    self.simple(child, role, scope, leading, depth);
                },
                Start::Patterns => {
                    self.matches(child, &mut found);
                    let leading = std::mem::take(&mut leading);
                    self.definitions(&found, scope, leading, depth);
                },
            }
            has_child = cursor.goto_next_sibling();
        }
    }

    /// What a node may be, by its kind alone.
    fn role(&self, node: Node<'_>) -> Start {
        if node.is_error() {
            return Start::Role(Role::Recover);
        }
        if !node.is_named() {
            return Start::Nothing;
        }
        if node.is_extra() {
            let text = self.text(node.byte_range());
            let is_doc = starts_with_any(text, self.description.inner_doc_markers);
            return Start::Role(if is_doc { Role::Doc } else { Role::Leading });
        }
        self.grammar.start(node.kind_id())
    }

    /// A node whose role needs no query.
    fn simple(&mut self, node: Node<'_>, role: Role, scope: &Scope, leading: Leading, depth: usize) {
        match role {
            Role::Doc => self.describe_scope(node, scope),
            Role::Import => self.import(node),
            Role::Recover => {
                if depth < MAX_DEPTH {
                    self.container(node, scope, depth + 1);
                }
            },
            Role::Definition(_) | Role::Scope | Role::Item => {
                let found =
                    Found { node, role, name: None, members: None, body: None, purpose: None };
                self.item(&found, scope, leading, depth);
            },
            Role::Leading
            | Role::Name
            | Role::Members
            | Role::Body
            | Role::Trait
            | Role::Helper => {},
        }
    }

    /// The matches of one node: the first is the item, further names are symbols of the same item.
    fn definitions(&mut self, found: &[Found<'_>], scope: &Scope, leading: Leading, depth: usize) {
        let Some((first, rest)) = found.split_first() else { return };
        let simple_roles = matches!(first.role, Role::Import | Role::Doc | Role::Recover);
        if simple_roles {
            return self.simple(first.node, first.role, scope, leading, depth);
        }
        self.item(first, scope, leading, depth);
        let mut names = vec![first.name];
        for other in rest {
            if !names.contains(&other.name) && matches!(other.role, Role::Definition(_)) {
                names.push(other.name);
                self.item(other, scope, Leading::default(), depth);
            }
        }
    }

    /// Runs the item query on a node; the first pattern's match comes first.
    fn matches<'tree>(&mut self, node: Node<'tree>, found: &mut Vec<Found<'tree>>) {
        found.clear();
        let mut patterns: Vec<usize> = Vec::new();
        let text = self.lines.text.as_bytes();
        let mut matches = self.cursor.matches(&self.grammar.items, node, text);
        while let Some(matched) = matches.next() {
            let mut main = None;
            let (mut name, mut members, mut body, mut purpose) = (None, None, None, None);
            for capture in matched.captures() {
                let role = self.grammar.roles[capture.index as usize];
                match role {
                    Role::Name => name = Some(capture.node),
                    Role::Members => members = Some(capture.node),
                    Role::Body => body = Some(capture.node),
                    Role::Trait => purpose = Some(capture.node),
                    Role::Helper => {},
                    Role::Definition(_)
                    | Role::Scope
                    | Role::Item
                    | Role::Leading
                    | Role::Doc
                    | Role::Import
                    | Role::Recover => main = Some((capture.node, role)),
                }
            }
            if let Some((node, role)) = main {
                let pattern = matched.pattern_index;
                let at = patterns.partition_point(|other| *other <= pattern);
                patterns.insert(at, pattern);
                found.insert(at, Found { node, role, name, members, body, purpose });
            }
        }
    }

    fn text(&self, bytes: Range<usize>) -> &'t str {
        self.lines.text.get(bytes).unwrap_or_default()
    }

    /// Notes a comment or attribute that may belong to the next item.
    fn lead(&self, node: Node<'_>, leading: &mut Leading) {
        let bytes = node.byte_range();
        // A comment behind code, on its line, is about that code.
        if leading.bytes.is_none() && node.is_extra() && !self.lines.is_line_start(bytes.start) {
            return;
        }
        if let Some(before) = &leading.bytes
            && !leading.is_bound
            && self.has_blank_line(before.end..bytes.start)
        {
            *leading = Leading::default();
        }
        let text = self.text(bytes.clone());
        let is_doc = starts_with_any(text, self.description.doc_markers);
        let is_comment = is_doc || node.is_extra();
        leading.is_bound = is_doc || !is_comment;
        let list = if is_comment { &mut leading.docs } else { &mut leading.attributes };
        list.push(bytes.clone());
        let start = leading.bytes.as_ref().map_or(bytes.start, |before| before.start);
        leading.bytes = Some(start..bytes.end);
    }

    fn has_blank_line(&self, gap: Range<usize>) -> bool {
        // The line break that ends the line before may or may not be part of the gap.
        let breaks = self.text(gap.clone()).bytes().filter(|byte| *byte == b'\n').count();
        let starts_line = gap.start > 0 && self.lines.text.as_bytes().get(gap.start - 1) == Some(&b'\n');
        breaks + usize::from(starts_line) > 1
    }

    fn describe_scope(&mut self, node: Node<'_>, scope: &Scope) {
        if let Some(idx) = scope.item {
            let text = comment::text(self.text(node.byte_range()), self.language);
            let doc = &mut self.outline.items[idx].doc;
            if !doc.is_empty() {
                doc.push('\n');
            }
            doc.push_str(&text);
        }
    }

    fn import(&mut self, node: Node<'_>) {
        let text = self.lines.text.as_bytes();
        let mut matches = self.import_cursor.matches(&self.grammar.imports, node, text);
        while let Some(found) = matches.next() {
            for capture in found.captures() {
                let name = self.lines.text.get(capture.node.byte_range()).unwrap_or_default();
                if name != "_" && !name.is_empty() {
                    self.outline.imported.push(name.to_owned());
                }
            }
        }
        self.outline.import_bytes.push(node.byte_range());
    }

    fn item(&mut self, found: &Found<'_>, scope: &Scope, leading: Leading, depth: usize) {
        let node = found.node;
        let leading = match &leading.bytes {
            Some(bytes) if !leading.is_bound && self.has_blank_line(bytes.end..node.start_byte()) => {
                Leading::default()
            },
            _ => leading,
        };
        let name = found.name.map(|name| self.text(name.byte_range())).unwrap_or_default();
        let name = if found.role == Role::Scope { wording::type_name(name) } else { name };
        let inside_of = found.body.or(found.members);
        let declaration_end = inside_of.map_or(node.end_byte(), |inside| inside.start_byte());
        let signature = match found.role {
            Role::Item => String::new(),
            _ => wording::signature(self.text(node.start_byte()..declaration_end)),
        };
        let qualified = self.qualify(&scope.qualified, name);
        let zone = if self.is_test(found, &leading) { Zone::Test } else { scope.zone };
        let kind = match found.role {
            Role::Definition(kind) => Some(method_in(scope, kind)),
            _ => None,
        };
        if let Some(kind) = kind {
            self.symbol(node, name, kind, &qualified, &signature, scope);
        }
        if kind.is_some_and(SymbolKind::is_part) {
            return;
        }

        let start = leading.bytes.map_or(node.start_byte(), |bytes| bytes.start);
        let touched = self.lines.lines_of(&(start..node.end_byte()));
        let lines = touched.start.max(self.line)..touched.end.max(self.line);
        let item_idx = self.outline.items.len();
        // An item on the line of another one belongs to that one's lines; its symbol is noted all the same.
        let has_lines = !lines.is_empty();
        if has_lines {
            let doc = self.doc_text(&leading.docs);
            self.outline.items.push(Item {
                lines: lines.clone(),
                end: item_idx + 1,
                kind: chunk_kind(found.role),
                name: name.to_owned(),
                qualified: qualified.clone(),
                container: container_words(scope),
                signature,
                doc,
                zone,
            });
            self.line = self.line.max(lines.start);
        } else if let Some(last) = self.outline.items.last_mut() {
            last.name = [last.name.as_str(), name].join(" ").trim().to_owned();
        }
        if let Some(members) = found.members
            && depth < MAX_DEPTH
        {
            let inner = self.inner_scope(found, scope, name, qualified, zone, has_lines.then_some(item_idx));
            self.container(members, &inner, depth + 1);
        }
        self.line = self.line.max(lines.end);
        let end = self.outline.items.len();
        if has_lines {
            self.outline.items[item_idx].end = end;
        }
        if end <= item_idx + 1 && self.lines.size(&lines) > TARGET_MAX {
            cuts::collect(node, self.lines, &mut self.outline.cuts);
        }
    }

    fn inner_scope(
        &self,
        found: &Found<'_>,
        scope: &Scope,
        name: &str,
        qualified: String,
        zone: Zone,
        item: Option<usize>,
    ) -> Scope {
        let purpose = found.purpose.map(|node| wording::type_name(self.text(node.byte_range())));
        let own = match (found.role, purpose) {
            (Role::Definition(kind), _) => descriptor(name, kind, 0),
            _ if name.is_empty() => String::new(),
            (_, None) => format!("{}#", identifier(name)),
            (_, Some(purpose)) => format!("{}#[{}]", identifier(name), identifier(purpose)),
        };
        Scope {
            item: item.or(scope.item),
            qualified,
            descriptors: format!("{}{own}", scope.descriptors),
            purpose: purpose.unwrap_or_default().to_owned(),
            is_type: match found.role {
                Role::Definition(kind) => kind.is_type(),
                _ => !name.is_empty(),
            },
            zone,
        }
    }

    fn symbol(
        &mut self,
        node: Node<'_>,
        name: &str,
        kind: SymbolKind,
        qualified: &str,
        signature: &str,
        scope: &Scope,
    ) {
        let position = |point: tree_sitter::Point| Position {
            line: u32::try_from(point.row + 1).unwrap_or(u32::MAX),
            col: u32::try_from(point.column).unwrap_or(u32::MAX),
        };
        self.outline.symbols.push(Symbol {
            name: name.to_owned(),
            qualified: qualified.to_owned(),
            kind,
            container: (!scope.qualified.is_empty()).then(|| scope.qualified.clone()),
            signature: signature.to_owned(),
            symbol_id: self.ids.make(&scope.descriptors, name, kind),
            bytes: node.byte_range(),
            start: position(node.start_position()),
            end: position(node.end_position()),
        });
    }

    fn qualify(&self, container: &str, name: &str) -> String {
        match (container, name) {
            ("", name) => name.to_owned(),
            (container, "") => container.to_owned(),
            (container, name) => [container, self.description.separator, name].concat(),
        }
    }

    fn is_test(&self, found: &Found<'_>, leading: &Leading) -> bool {
        let has_marker = |bytes: Range<usize>| {
            let text = self.text(bytes);
            self.description.test_markers.iter().any(|marker| text.contains(marker))
        };
        let before_name = found.name.map_or(found.node.start_byte(), |name| name.start_byte());
        leading.attributes.iter().cloned().any(has_marker)
            || has_marker(found.node.start_byte()..before_name)
    }

    fn doc_text(&self, comments: &[Range<usize>]) -> String {
        let mut doc = String::new();
        for bytes in comments {
            let text = comment::text(self.text(bytes.clone()), self.language);
            if !doc.is_empty() {
                doc.push('\n');
            }
            doc.push_str(&text);
        }
        doc
    }
}

fn starts_with_any(text: &str, markers: &[&str]) -> bool {
    markers.iter().any(|marker| text.starts_with(marker))
}

fn method_in(scope: &Scope, kind: SymbolKind) -> SymbolKind {
    if scope.is_type && kind == SymbolKind::Function { SymbolKind::Method } else { kind }
}

fn container_words(scope: &Scope) -> String {
    match (scope.qualified.as_str(), scope.purpose.as_str()) {
        (qualified, "") => qualified.to_owned(),
        (qualified, purpose) => format!("{qualified} {purpose}"),
    }
}

fn chunk_kind(role: Role) -> ChunkKind {
    match role {
        Role::Scope => ChunkKind::Class,
        Role::Definition(kind) => match kind {
            SymbolKind::Function
            | SymbolKind::Method
            | SymbolKind::Constructor
            | SymbolKind::Macro => ChunkKind::Function,
            SymbolKind::Class
            | SymbolKind::Trait
            | SymbolKind::Interface
            | SymbolKind::Protocol => ChunkKind::Class,
            SymbolKind::Struct | SymbolKind::Enum | SymbolKind::Union => ChunkKind::Struct,
            SymbolKind::Variant
            | SymbolKind::TypeAlias
            | SymbolKind::Const
            | SymbolKind::Var
            | SymbolKind::Field
            | SymbolKind::Property
            | SymbolKind::Module => ChunkKind::Block,
        },
        _ => ChunkKind::Block,
    }
}
