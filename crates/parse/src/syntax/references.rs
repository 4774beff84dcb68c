//! One walk over a syntax tree that notes every name with its role, and every comment.
//!
//! A role comes from the place where a name stands and is carried down the tree: through kinds that pass it on, to the
//! name of a path (`a.b` in `a.b()` calls `b`), and for imports and types to everything below.

use std::ops::Range;

use super::ast::{Node, Tree};
use super::children::Child;
use super::facts::{Facts, Interest, KindFacts, Shape};
use super::names::{Names, Span};
use super::reader::{MAX_DEPTH, Reader};
use crate::facts::FactRole;

/// Adds references and comments, and the symbols inside functions, to what a reader knows.
pub(super) fn read<'tree>(tree: &'tree Tree, reader: &mut Reader<'_, '_, 'tree>) {
    let (text, facts) = (reader.lines.text, &reader.grammar.facts);
    let names = Names::new(text, &facts.words, &reader.outline);
    let mut comments = Vec::new();
    let mut walk = Walk { facts, text, names, reader };
    walk.tree(tree.root_node(), &mut comments);
    let Walk { names, reader, .. } = walk;
    let outline = &mut reader.outline;
    names.finish(outline);
    comments.append(&mut outline.comments);
    comments.sort_unstable_by_key(|comment| (comment.start, std::cmp::Reverse(comment.end)));
    let mut end = 0;
    comments.retain(|comment| {
        let is_apart = comment.start >= end && !comment.is_empty();
        end = end.max(comment.end);
        is_apart
    });
    outline.comments = comments;
}

struct Walk<'a, 'r, 'l, 't, 'tree> {
    facts: &'a Facts,
    text: &'t str,
    names: Names<'a, 't>,
    reader: &'r mut Reader<'l, 't, 'tree>,
}

/// A node that encloses the current one, and what its children take from it.
#[derive(Clone, Copy)]
struct Frame<'a> {
    kind: &'a KindFacts,
    given: Given,
    start: u32,
    /// Where the last name of a chain starts.
    last: u32,
    /// How many children with a name are still to come: after the last of them are signs and keywords only, and asking
    /// for one too many costs more than counting.
    n_left: u32,
    /// The receiver, the source or the names so far, as the shape of the node has it.
    seen: Option<Span>,
    /// Whether the first child was met.
    has_first: bool,
}

/// What a node is given from above.
#[derive(Clone, Copy, Default)]
struct Given {
    role: Option<FactRole>,
    receiver: Option<Span>,
}

impl<'a, 'tree> Walk<'a, '_, '_, '_, 'tree> {
    fn tree(&mut self, root: Node<'tree>, comments: &mut Vec<Range<usize>>) {
        let kind = self.facts.kind(root.kind_id());
        let mut frames = Vec::new();
        self.enter(root, kind, Given::default(), &mut frames);
        while let Some(parent) = frames.last_mut() {
            let depth = self.reader.search.depth - 1;
            let next = if parent.n_left > 0 { self.reader.search.levels.take(depth) } else { None };
            let Some(child) = next else {
                frames.pop();
                self.reader.search.depth = depth;
                continue;
            };
            let kind = self.facts.kind(child.kind);
            if !kind.is_named {
                continue;
            }
            parent.n_left -= 1;
            if depth == 0 && matches!(kind.interest, Interest::Inside) {
                self.names.open_statement(span(child.node));
            }
            if kind.has_scopes {
                let Reader { grammar, outline, search, .. } = &mut *self.reader;
                grammar.scopes.read(child.node, self.text, search, &mut outline.scope_facts);
            }
            match kind.interest {
                Interest::Nothing => {},
                Interest::Comment => {
                    // In broken text a grammar may end a comment inside of a character.
                    let Range { start, end } = child.node.byte_range();
                    let start = self.text.floor_char_boundary(start);
                    comments.push(start..self.text.ceil_char_boundary(end));
                },
                Interest::Name => {
                    let given = self.given(child, parent);
                    self.name(child.node, kind, given);
                },
                Interest::Inside | Interest::Text => {
                    if kind.may_define {
                        self.define(child.node, depth);
                    }
                    let given = self.given(child, parent);
                    if kind.interest == Interest::Inside || self.has_code(child.node, given) {
                        self.enter(child.node, kind, given, &mut frames);
                    }
                },
            }
        }
    }

    /// Goes on with the children of a node, unless none of them has a name.
    fn enter(
        &mut self,
        node: Node<'tree>,
        kind: &'a KindFacts,
        given: Given,
        frames: &mut Vec<Frame<'a>>,
    ) {
        if let Some(frame) = self.frame(node, kind, given) {
            let search = &mut self.reader.search;
            search.levels.enter(search.depth, node);
            search.depth += 1;
            frames.push(frame);
        }
    }

    /// Notes what a node inside a function defines.
    fn define(&mut self, node: Node<'tree>, depth: usize) {
        let found = self.reader.inner_matches(node, depth);
        if found.is_empty() {
            return;
        }
        self.names.go_to(span(node).start, true);
        if self.names.depth() < MAX_DEPTH {
            let around = self.names.around();
            let places = self.reader.inner(&found, depth, around);
            self.names.add_symbols(&self.reader.outline.symbols, places);
        }
    }

    /// Whether a string has something to look for inside: values between the words, or what it imports.
    fn has_code(&self, node: Node<'_>, given: Given) -> bool {
        let span = span(node);
        let text = self.text.get(span.start as usize..span.end as usize).unwrap_or_default();
        let mut before = 0;
        let has_sign = text.bytes().any(|byte| {
            let is_sign = matches!(byte, b'{' | b'$') || (byte == b'(' && before == b'\\');
            before = byte;
            is_sign
        });
        has_sign || given.role == Some(FactRole::Import) || self.names.is_import_argument(span)
    }

    /// What children of a node take from it; nothing for a node without any that has a name.
    fn frame(&self, node: Node<'_>, kind: &'a KindFacts, given: Given) -> Option<Frame<'a>> {
        let n_left = u32::try_from(node.named_child_count()).unwrap_or(u32::MAX);
        if n_left == 0 {
            return None;
        }
        let source = kind.source.and_then(|field| node.child_by_field_id(field.get()));
        let seen = source.map(|source| self.unquoted(span(source)));
        let (mut start, mut last) = (0, 0);
        if kind.shape == Shape::Chain {
            start = span(node).start;
            let child = node.named_children().last();
            last = child.map_or(start, |child| span(child).start);
        }
        Some(Frame { kind, given, start, last, n_left, seen, has_first: false })
    }

    /// What a child takes from its parent.
    fn given(&self, child: Child<'_>, parent: &mut Frame<'a>) -> Given {
        if parent.is_plain() {
            return Given::default();
        }
        let kind = parent.kind;
        let (child, field) = (child.node, child.field.filter(|_| kind.has_places));
        let mut given = Given::default();
        match kind.shape {
            Shape::Plain => {},
            Shape::Pass => given = parent.given,
            Shape::Path { receiver, name } => {
                if field.is_some() && field == name {
                    given.role = parent.given.role;
                    given.receiver = self.joined(parent.given.receiver, parent.seen);
                } else if field.is_some() && field == receiver {
                    let span = span(child);
                    parent.seen = Some(span);
                    given.receiver =
                        parent.given.receiver.filter(|outer| self.is_joined(*outer, span));
                }
            },
            Shape::Chain => {
                // `a.b()` calls `b`; of `a` it says nothing.
                let is_last = span(child).start >= parent.last;
                given.role = parent.given.role.filter(|role| is_last || role.is_deep());
                given.receiver = parent.seen.or(parent.given.receiver);
                parent.seen = Some(Span { start: parent.start, end: span(child).end });
            },
            Shape::Tokens => {
                let (role, receiver) = self.token(child, parent);
                given = Given { role, receiver };
            },
        }
        let is_named_by_path = !matches!(kind.shape, Shape::Plain | Shape::Pass)
            && given.role.is_some_and(|role| !role.is_deep());
        let is_first = !std::mem::replace(&mut parent.has_first, true);
        let first = kind.first.filter(|_| is_first);
        let role = first.or_else(|| self.facts.role(kind, field));
        if let Some(role) = role.filter(|_| !is_named_by_path) {
            given.role = Some(role);
            if kind.source.is_some() && field != kind.source {
                given.receiver = given.receiver.or(parent.seen);
            }
        }
        if given.role.is_none()
            && let Some(role) = parent.given.role.filter(|role| role.is_deep())
        {
            given = Given { role: Some(role), receiver: parent.given.receiver };
        }
        given
    }

    /// A receiver with the receiver before it: `a::b` where a path has `a` and, in its name, a path that has `b`.
    fn joined(&self, outer: Option<Span>, inner: Option<Span>) -> Option<Span> {
        let (Some(outer), Some(inner)) = (outer, inner) else { return inner.or(outer) };
        let start = if self.is_joined(outer, inner) { outer.start } else { inner.start };
        Some(Span { start, end: inner.end })
    }

    fn is_joined(&self, outer: Span, inner: Span) -> bool {
        self.text.get(outer.end as usize..inner.start as usize) == Some("::")
    }

    /// A name among bare tokens: the signs next to it tell whether it is called and what it belongs to.
    fn token(&self, child: Node<'_>, parent: &mut Frame<'a>) -> (Option<FactRole>, Option<Span>) {
        let span = span(child);
        let before = parent.seen.and_then(|seen| {
            let between = self.text.get(seen.end as usize..span.start as usize)?;
            let is_arguments = between.is_empty() && child.child_count() > 0;
            (is_arguments || between == "." || between == "::").then_some(seen)
        });
        let start = before.map_or(span.start, |before| before.start);
        parent.seen = Some(Span { start, end: span.end });
        let after = self.text.get(span.end as usize..).unwrap_or_default();
        let after = after.strip_prefix('!').unwrap_or(after);
        (after.starts_with('(').then_some(FactRole::Call), before)
    }

    fn name(&mut self, node: Node<'_>, kind: &KindFacts, given: Given) {
        let default = kind.name.unwrap_or(FactRole::None);
        if default == FactRole::None {
            // Only an import is said by the text of a string.
            let span = self.unquoted(span(node));
            if given.role == Some(FactRole::Import) || self.names.is_import_argument(span) {
                self.names.add(span, FactRole::Import, false, given.receiver);
            }
            return;
        }
        let role = given.role.unwrap_or(default);
        if role != FactRole::None {
            self.names.add(span(node), role, default == FactRole::Type, given.receiver);
        }
    }

    /// A string without its quotes.
    fn unquoted(&self, span: Span) -> Span {
        let text = self.text.get(span.start as usize..span.end as usize).unwrap_or_default();
        let is_quote = |c| matches!(c, '"' | '\'' | '`' | '<' | '>');
        let is_quoted = text.len() >= 2 && text.starts_with(is_quote) && text.ends_with(is_quote);
        if is_quoted { Span { start: span.start + 1, end: span.end - 1 } } else { span }
    }
}

impl Frame<'_> {
    /// Whether children take nothing from it.
    fn is_plain(&self) -> bool {
        self.kind.is_plain() && !self.given.role.is_some_and(FactRole::is_deep)
    }
}

/// Sources are far smaller than 4 GiB.
fn span(node: Node<'_>) -> Span {
    let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span { start: number(node.start_byte()), end: number(node.end_byte()) }
}
