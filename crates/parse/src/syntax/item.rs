//! One item: the lines it takes, the symbol it is, and what it holds.

use super::cuts;
use super::found::Found;
use super::grammar::Role;
use super::head::Head;
use super::leading::Leading;
use super::reader::{MAX_DEPTH, Reader};
use super::scope::Scope;
use crate::chunk::ChunkKind;
use crate::chunking::TARGET_MAX;
use crate::outline::Item;
use crate::symbol::{Symbol, SymbolKind};

/// An object with more keys is a table: they are its data.
const MAX_KEYS: usize = 1024;

impl<'tree> Reader<'_, '_, 'tree> {
    /// Notes an item and what it holds; returns its inside, if it has one and is no part of something.
    pub(super) fn item(
        &mut self,
        found: &Found<'tree>,
        scope: &Scope,
        mut leading: Leading,
        depth: usize,
    ) -> Option<Scope> {
        let node = found.node;
        leading.drop_if_apart(node.start_byte(), self.lines);
        let named = self.named_scope(found, scope);
        let scope = named.as_ref().unwrap_or(scope);
        let head = self.head(found, scope, &leading);
        let doc = self.doc(found, &leading);
        let mut symbol = None;
        if let Role::Definition(kind) = found.role {
            let kind = scope.kind_inside(kind);
            let is_known = found.is_once && self.ids.has(&scope.descriptors, &head.name, kind);
            if !head.name.is_empty() && scope.can_hold(kind) && !is_known {
                symbol = Some(self.outline.symbols.len());
                let visibility = self.visibility(found, kind, &head, scope);
                self.symbol(found, kind, &head, scope);
                if let Some(symbol) = self.outline.symbols.last_mut() {
                    symbol.visibility = visibility;
                    symbol.add_doc(&doc);
                }
            }
            if kind.is_part() && found.members.is_none() {
                if symbol.is_some() && found.parts.is_some() {
                    let inner = self.inside(found, &head, scope, symbol);
                    self.parts(found, &inner, depth);
                }
                return None;
            }
        }

        let start = leading.start().unwrap_or(node.start_byte());
        let touched = self.lines.lines_of(&(start..node.end_byte()));
        let lines = touched.start.max(self.line)..touched.end.max(self.line);
        let idx = self.outline.items.len();
        let members = found.members.or((found.role == Role::Inside).then_some(node));
        let has_inside = members.is_some() || found.parts.is_some() || found.holds_rest;
        let mut inner = has_inside.then(|| self.inside(found, &head, scope, symbol));
        // An item on the line of another one shares that one's lines; its symbol is noted all the same.
        let has_lines = !lines.is_empty() && !self.keeps_whole;
        if has_lines {
            if let Some(inner) = &mut inner {
                inner.item = Some(idx);
            }
            self.outline.items.push(Item {
                lines: lines.clone(),
                end: idx + 1,
                kind: chunk_kind(found.role),
                name: head.name.to_string(),
                qualified: head.qualified,
                container: scope.words(),
                signature: head.signature,
                doc,
                zone: head.zone,
            });
            self.line = self.line.max(lines.start);
        } else if let Some(last) = self.outline.items.last_mut()
            && !self.keeps_whole
        {
            last.name = [last.name.as_str(), &head.name].join(" ").trim().to_owned();
        }
        if let (Some(members), Some(inner)) = (members, &inner)
            && depth < MAX_DEPTH
        {
            let section = self.section;
            if found.role != Role::Inside {
                self.section = None;
            }
            self.container(members, inner, Leading::default(), depth + 1);
            self.section = section;
        }
        if let Some(inner) = &inner {
            self.parts(found, inner, depth);
        }
        self.line = self.line.max(lines.end);
        let end = self.outline.items.len();
        if has_lines {
            self.outline.items[idx].end = end;
        }
        let has_inner_items = end > idx + 1;
        if has_lines && !has_inner_items && self.lines.size(&lines) > TARGET_MAX {
            cuts::collect(node, self.lines, &mut self.outline.cuts);
        }
        inner
    }

    /// The scope of what an item holds.
    fn inside(
        &self,
        found: &Found<'_>,
        head: &Head<'_, '_>,
        scope: &Scope,
        symbol: Option<usize>,
    ) -> Scope {
        let mut inner = scope.inner(found.role, &head.name, self.purpose(found));
        inner.qualified.clone_from(&head.qualified);
        inner.zone = head.zone;
        let held = found.members.or(found.parts).map_or(0, |node| node.named_child_count());
        inner.is_table = !inner.is_type() && held > MAX_KEYS;
        inner.symbol = symbol;
        inner.visibility = symbol.and_then(|idx| self.outline.symbols[idx].visibility);
        inner
    }

    /// Reads what an item holds without noting items.
    fn parts(&mut self, found: &Found<'tree>, inner: &Scope, depth: usize) {
        if let Some(parts) = found.parts
            && depth < MAX_DEPTH
        {
            let kept = std::mem::replace(&mut self.keeps_whole, true);
            self.container(parts, inner, Leading::default(), depth + 1);
            self.keeps_whole = kept;
        }
    }

    fn symbol(&mut self, found: &Found<'_>, kind: SymbolKind, head: &Head<'_, '_>, scope: &Scope) {
        let node = found.node;
        // Of several names each is where it is written, if not on the first line; what holds members is all of it.
        let own_line = found.name.filter(|name| {
            found.is_one_of_many
                && found.members.is_none()
                && self.lines.line_at(name.start_byte())
                    > self.lines.line_at(head.declared.start_byte())
        });
        let start = own_line.unwrap_or(head.declared);
        self.outline.symbols.push(Symbol {
            name: head.name.to_string(),
            qualified: head.qualified.clone(),
            kind,
            container: (!scope.qualified.is_empty()).then(|| scope.qualified.clone()),
            signature: head.signature.clone(),
            symbol_id: self.ids.make(&scope.descriptors, &head.name, kind),
            bytes: start.start_byte()..node.end_byte(),
            start: self.lines.position(start.start_byte()),
            end: self.lines.position(node.end_byte()),
            utf16: 0..0,
            name_bytes: head.name_bytes.clone(),
            visibility: None,
            doc: String::new(),
        });
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
        Role::Item
        | Role::Inside
        | Role::Wrapper
        | Role::Through
        | Role::Leading
        | Role::Trailing
        | Role::Doc
        | Role::Import
        | Role::Recover => ChunkKind::Block,
    }
}
