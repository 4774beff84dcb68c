//! What the first lines of an item say: its name, its signature, where it belongs, its documentation.

use std::borrow::Cow;
use std::ops::Range;

use super::ast::Node;
use super::found::Found;
use super::grammar::{Role, Start};
use super::leading::Leading;
use super::reader::Reader;
use super::scope::Scope;
use super::wording;
use crate::comment;
use crate::outline::Zone;
use crate::symbol::SymbolKind;

/// No comment is looked for behind more parts of a declaration. One that names thousands would be walked as often.
const PARTS_AT_MOST: usize = 1000;

/// What the first lines of an item say.
pub(super) struct Head<'t, 'tree> {
    /// Where the definition starts, after its attributes.
    pub(super) declared: Node<'tree>,
    pub(super) name: Cow<'t, str>,
    pub(super) name_bytes: Range<usize>,
    pub(super) qualified: String,
    pub(super) signature: String,
    pub(super) zone: Zone,
}

impl<'t, 'tree> Reader<'_, 't, 'tree> {
    pub(super) fn head(
        &mut self,
        found: &Found<'tree>,
        scope: &Scope,
        leading: &Leading,
    ) -> Head<'t, 'tree> {
        let node = found.node;
        let name = match self.full_name(found) {
            Cow::Borrowed(full) => Cow::Borrowed(self.simple_name(full, found.role)),
            Cow::Owned(full) => Cow::Owned(self.simple_name(&full, found.role).to_owned()),
        };
        let declared = self.declared(node);
        let declaration_end = match found.body.or(found.members).or(found.parts) {
            // A class without braces around its members is declared on its first line.
            Some(members) if members == node => {
                let rest = self.text(declared.start_byte()..node.end_byte());
                declared.start_byte() + rest.find('\n').unwrap_or(rest.len())
            },
            Some(body) if !is_behind_members(found) => body.start_byte(),
            Some(_) | None => node.end_byte(),
        };
        let signature = if matches!(found.role, Role::Item | Role::Inside) {
            String::new()
        } else {
            let end =
                self.comment_after(node, found.name, declaration_end).unwrap_or(declaration_end);
            wording::signature(self.text(declared.start_byte()..end))
        };
        let before_name = found.name.map_or(node.start_byte(), |name| name.start_byte());
        let before_name = self.text(node.start_byte()..before_name);
        let markers = self.description.test_markers;
        // A module that is in another file is no test: only its name is here.
        let is_elsewhere = found.role == Role::Definition(SymbolKind::Module)
            && found.body.or(found.members).or(found.parts).is_none();
        let is_test = !is_elsewhere
            && (leading.has_attribute(self.lines.text, markers)
                || markers.iter().any(|marker| before_name.contains(marker)));
        Head {
            declared,
            name_bytes: self.place(&name, found),
            qualified: scope.qualify(self.description, &name),
            name,
            signature,
            zone: if is_test { Zone::Test } else { scope.zone },
        }
    }

    /// Where a name stands, or the first of its parts where other words lie between them.
    fn place(&self, name: &str, found: &Found<'_>) -> Range<usize> {
        if let (Some(first), Some(last)) = (found.name, found.name_parts.last()) {
            let whole = first.start_byte()..last.end_byte();
            return if self.text(whole.clone()) == name { whole } else { first.byte_range() };
        }
        let whole = found
            .name
            .map_or(found.node.start_byte()..found.node.start_byte(), |node| node.byte_range());
        let text = self.text(whole.clone());
        // Arguments that follow the name may say it again.
        let is_first = !self.description.name_end.is_empty();
        let at = if is_first { text.find(name) } else { text.rfind(name) };
        let start = whole.start + at.unwrap_or_default();
        start..start + name.len()
    }

    /// The scope that a definition names itself, in its name or beside it.
    pub(super) fn named_scope(&self, found: &Found<'_>, scope: &Scope) -> Option<Scope> {
        let Role::Definition(kind) = found.role else { return None };
        let separator = self.description.separator;
        let mut path = Vec::new();
        for container in found.containers.iter().flatten() {
            let container = self.name_text(*container);
            // `class Store; def Store.open` says once more where it already is.
            if !scope.is_called(container) {
                let (outer, name) = wording::split_path(container, separator);
                path.extend(outer);
                path.push(name);
            }
        }
        let full_name = self.full_name(found);
        path.extend(wording::split_path(&full_name, separator).0);
        path.retain(|part| !self.description.silent_names.contains(part));
        // `class ::Reader` is outside of everything, wherever it is written.
        let root = full_name.starts_with(separator).then(|| scope.root());
        let scope = root.as_ref().unwrap_or(scope);
        let is_module = kind == SymbolKind::Module;
        let kind = if is_module { SymbolKind::Module } else { SymbolKind::Class };
        let inner = path.into_iter().fold(None, |inner: Option<Scope>, container| {
            Some(inner.as_ref().unwrap_or(scope).named(self.description, container, kind))
        });
        inner.or(root)
    }

    /// The text of a name, up to what ends it.
    fn name_text(&self, name: Node<'_>) -> &'t str {
        let text = wording::word(self.text(name.byte_range()), name.kind());
        let ends = self.description.name_end;
        let end = text.char_indices().skip(1).find(|(_, c)| ends.contains(*c));
        end.and_then(|(end, _)| text.get(..end)).unwrap_or(text)
    }

    /// The name as it is written, from all of its parts.
    fn full_name(&self, found: &Found<'_>) -> Cow<'t, str> {
        let Some(first) = found.name else { return Cow::Borrowed("") };
        let mut name = Cow::Borrowed(self.name_text(first).trim());
        let mut end = first.end_byte();
        for part in &found.name_parts {
            let name = name.to_mut();
            let gap = self.text(end..part.start_byte());
            if !gap.is_empty() && gap.trim().is_empty() {
                name.push(' ');
            }
            name.push_str(self.text(part.byte_range()));
            end = part.end_byte();
        }
        name
    }

    fn simple_name<'n>(&self, full: &'n str, role: Role) -> &'n str {
        if role == Role::Scope {
            wording::type_name(full)
        } else {
            wording::split_path(full, self.description.separator).1
        }
    }

    /// The first node of a definition after the attributes and comments inside it.
    fn declared(&self, node: Node<'tree>) -> Node<'tree> {
        let is_leading = |node: Node<'_>| self.role(node) == Start::Role(Role::Leading);
        let mut first = node;
        while let Some(child) = first.child(0) {
            if is_leading(child) {
                return self.declared_after(node);
            }
            first = child;
        }
        first
    }

    /// The same, where it is known that there are some.
    fn declared_after(&self, node: Node<'tree>) -> Node<'tree> {
        let mut cursor = node.walk();
        while cursor.goto_first_child() {
            while self.role(cursor.node()) == Start::Role(Role::Leading) {
                while !cursor.goto_next_sibling() {
                    if !cursor.goto_parent() {
                        return node;
                    }
                }
            }
        }
        cursor.node()
    }

    /// Where a comment behind the name ends the declaration: `def open(path) # :nodoc:`.
    fn comment_after(
        &mut self,
        node: Node<'tree>,
        name: Option<Node<'tree>>,
        end: usize,
    ) -> Option<usize> {
        let after = name.map_or(node.start_byte(), |name| name.end_byte());
        let levels = &mut self.search.levels;
        let mut depth = self.search.depth;
        let mut at = 0;
        levels.open(depth, node);
        for _ in 0..PARTS_AT_MOST {
            let child = levels.child(depth, at)?.node;
            let start = child.start_byte();
            if start >= end {
                break;
            }
            // A part that could not be read counts as extra too.
            if start >= after && child.is_extra() && !child.is_error() {
                return Some(start);
            }
            at += 1;
            if start < after && child.end_byte() > after {
                depth += 1;
                at = 0;
                levels.open(depth, child);
            }
        }
        None
    }

    /// The comments above an item and the documentation inside it.
    pub(super) fn doc(&self, found: &Found<'_>, leading: &Leading) -> String {
        let mut doc = leading.doc(self.lines.text, self.language);
        let inside = found.doc.map(|node| comment::dedent(unquoted(self.text(node.byte_range()))));
        if let Some(inside) = inside.filter(|inside| !inside.is_empty()) {
            if !doc.is_empty() {
                doc.push('\n');
            }
            doc.push_str(&inside);
        }
        doc
    }

    pub(super) fn purpose(&self, found: &Found<'_>) -> &'t str {
        found
            .purpose
            .map(|node| wording::type_name(self.text(node.byte_range())))
            .unwrap_or_default()
    }
}

/// Whether it is a variable whose name stands behind the members of its type: `struct { int x; } origin;`.
fn is_behind_members(found: &Found<'_>) -> bool {
    let is_variable = matches!(found.role.kind(), Some(SymbolKind::Var | SymbolKind::Field));
    let name = found.name.map_or(0, |name| name.start_byte());
    is_variable && found.members.is_some_and(|members| members.end_byte() <= name)
}

/// A string without its quotes.
fn unquoted(text: &str) -> &str {
    let stripped = |quote: &str| text.strip_prefix(quote)?.strip_suffix(quote);
    stripped("\"\"\"").or_else(|| stripped("\"")).unwrap_or(text)
}
