//! Names on their way to references: which symbol is around them, and which of them are only local.

use std::ops::Range;

use gik_base::collections::HashSet;

use super::facts::Words;
use crate::facts::FactRole;
use crate::outline::Outline;
use crate::reference::{Reference, ReferenceRole};
use crate::symbol::{SymbolKind, Visibility};

/// Longer receivers say little about what a name belongs to.
const RECEIVER_MAX: u32 = 80;

/// A range of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) end: u32,
}

/// Collects names in the order of the text.
pub(super) struct Names<'a, 't> {
    text: &'t str,
    words: &'a Words,
    /// Where the name of a function ended that imports what its argument names.
    import_call: Option<u32>,
    symbols: Vec<Around>,
    /// The first symbol that does not start before the current place.
    next_symbol: usize,
    /// Where the names of definitions stand, in order.
    definitions: Vec<u32>,
    next_definition: usize,
    scopes: Vec<Scope>,
    found: Vec<Found>,
    /// Local names of the open scopes.
    bound: Vec<Bound>,
    exported: Vec<Span>,
    values: HashSet<&'t str>,
    types: HashSet<&'t str>,
}

/// What counts of a symbol here.
struct Around {
    bytes: Span,
    holds_definitions: bool,
}

/// A symbol around the current place, or a statement of the file that is no symbol.
#[derive(Clone, Copy)]
struct Scope {
    end: u32,
    /// The symbol, or the one around the statement.
    symbol: Option<u32>,
    /// Whether variables inside are local to it; types and modules hold definitions instead.
    holds_locals: bool,
    first_found: usize,
    first_bound: usize,
}

struct Found {
    reference: Reference,
    /// Whether it could name something local.
    is_bare: bool,
}

#[derive(Clone, Copy)]
struct Bound {
    name: Span,
    is_type: bool,
    is_value: bool,
}

impl<'a, 't> Names<'a, 't> {
    pub(super) fn new(text: &'t str, words: &'a Words, outline: &Outline) -> Self {
        let symbols = outline.symbols.iter().map(|symbol| Around {
            bytes: span(&symbol.bytes),
            holds_definitions: symbol.kind.is_type() || symbol.kind == SymbolKind::Module,
        });
        let mut definitions: Vec<u32> =
            outline.symbols.iter().map(|symbol| span(&symbol.name_bytes).start).collect();
        definitions.extend(outline.more_names.iter().map(|at| span(&(*at..*at)).start));
        definitions.sort_unstable();
        Self {
            text,
            words,
            import_call: None,
            symbols: symbols.collect(),
            next_symbol: 0,
            definitions,
            next_definition: 0,
            scopes: Vec::new(),
            found: Vec::with_capacity(text.len() / 32),
            bound: Vec::new(),
            exported: Vec::new(),
            values: HashSet::default(),
            types: HashSet::default(),
        }
    }

    /// Begins a statement of the file itself. What it binds without defining it is local to it.
    pub(super) fn open_statement(&mut self, bytes: Span) {
        self.go_to(bytes.start, false);
        self.open(bytes.end, None, true);
    }

    /// Notes a name unless it is the name of a definition.
    pub(super) fn add(
        &mut self,
        name: Span,
        role: FactRole,
        is_type: bool,
        receiver: Option<Span>,
    ) {
        if self.is_definition(&name) || name.start >= name.end {
            return;
        }
        // What is put together from values is no name.
        if self.str(name).starts_with("${") || self.str(name).starts_with("$(") {
            return;
        }
        self.go_to(name.start, true);
        let is_capital = || self.str(name).starts_with(char::is_uppercase);
        let role = match role {
            FactRole::Call => ReferenceRole::Call,
            FactRole::Component if receiver.is_some() || is_capital() => ReferenceRole::Call,
            FactRole::Component | FactRole::None => return,
            FactRole::Usage => ReferenceRole::Usage,
            FactRole::Pattern if receiver.is_some() || is_capital() => ReferenceRole::Usage,
            FactRole::Export => {
                self.exported.push(name);
                ReferenceRole::Usage
            },
            FactRole::Import => ReferenceRole::Import,
            FactRole::Type => ReferenceRole::Type,
            FactRole::Write => ReferenceRole::Write,
            FactRole::Bind if receiver.is_some() => ReferenceRole::Write,
            FactRole::Bind | FactRole::Pattern => return self.bind(name, is_type),
        };
        let words = if receiver.is_none() { &self.words.ignored } else { &self.words.keywords };
        if !words.is_empty() && words.contains(self.str(name)) {
            return;
        }
        if role == ReferenceRole::Call
            && receiver.is_none()
            && self.words.imports.contains(self.str(name))
        {
            self.import_call = Some(name.end);
            return;
        }
        // Some grammars count the sign behind a qualifier to it.
        let receiver = receiver.map(|Span { start, end }| {
            let before = self.str(Span { start, end }).strip_suffix('.');
            let is_dotted = before.is_some_and(|text| text.ends_with(char::is_alphanumeric));
            Span { start, end: end - u32::from(is_dotted) }
        });
        self.found.push(Found {
            reference: Reference {
                name: name.start..name.end,
                role,
                receiver: receiver.filter(|span| self.is_short(*span)).map(|at| at.start..at.end),
                enclosing: self.scopes.last().and_then(|scope| scope.symbol),
            },
            is_bare: receiver.is_none() && role != ReferenceRole::Import,
        });
    }

    /// Whether a string is the argument of a call that imports: `require('fs')`, `require "json"`.
    pub(super) fn is_import_argument(&self, string: Span) -> bool {
        self.import_call.is_some_and(|end| string.start >= end && string.start - end <= 3)
    }

    /// Hands over what was found.
    pub(super) fn finish(mut self, outline: &mut Outline) {
        self.go_to(u32::MAX, true);
        while let Some(scope) = self.scopes.pop() {
            self.close(scope);
        }
        if !self.exported.is_empty() {
            let text = self.text;
            let exported: HashSet<&str> =
                self.exported.iter().map(|span| slice(text, *span)).collect();
            for symbol in &mut outline.symbols {
                if symbol.container.is_none() && exported.contains(symbol.name.as_str()) {
                    symbol.visibility = symbol.visibility.and(Some(Visibility::Public));
                }
            }
        }
        outline.references = self.found.into_iter().map(|found| found.reference).collect();
    }

    /// Whether a definition's name stands there, in quotes or at the end of a path as well.
    fn is_definition(&mut self, name: &Span) -> bool {
        while self.definitions.get(self.next_definition).is_some_and(|at| *at < name.start) {
            self.next_definition += 1;
        }
        self.definitions.get(self.next_definition).is_some_and(|at| *at < name.end)
    }

    /// Closes the scopes that end before a place and opens those of the symbols that start before or at it.
    fn go_to(&mut self, place: u32, is_inside: bool) {
        while let Some(symbol) = self.symbols.get(self.next_symbol) {
            let Span { start, end } = symbol.bytes;
            let holds_locals = !symbol.holds_definitions;
            if start > place || (start == place && !is_inside) {
                break;
            }
            self.close_until(start);
            let number = u32::try_from(self.next_symbol).ok();
            self.next_symbol += 1;
            // Of several symbols in one declaration the first one counts.
            let is_twin = self.next_symbol >= 2
                && self.symbols[self.next_symbol - 2].bytes == (Span { start, end });
            if !is_twin {
                self.open(end, number, holds_locals);
            }
        }
        self.close_until(place);
    }

    fn close_until(&mut self, place: u32) {
        while let Some(scope) = self.scopes.pop_if(|scope| scope.end <= place) {
            self.close(scope);
        }
    }

    fn open(&mut self, end: u32, symbol: Option<u32>, holds_locals: bool) {
        let symbol = symbol.or_else(|| self.scopes.last().and_then(|scope| scope.symbol));
        self.scopes.push(Scope {
            end,
            symbol,
            holds_locals,
            first_found: self.found.len(),
            first_bound: self.bound.len(),
        });
    }

    fn bind(&mut self, name: Span, is_type: bool) {
        let Some(scope) = self.scopes.last() else { return };
        let is_value = !is_type && scope.holds_locals;
        // A type may be bound by a name that looks like that of a value: a local class, a type parameter.
        let is_type = is_type || self.str(name).starts_with(char::is_uppercase);
        if is_value || is_type {
            self.bound.push(Bound { name, is_type, is_value });
        }
    }

    /// Drops the uses of what turned out to be local, also those before it was bound.
    fn close(&mut self, scope: Scope) {
        if self.bound.len() == scope.first_bound {
            return;
        }
        self.values.clear();
        self.types.clear();
        for bound in self.bound.drain(scope.first_bound..) {
            let name = slice(self.text, bound.name);
            if bound.is_type {
                self.types.insert(name);
            }
            if bound.is_value {
                self.values.insert(name);
            }
        }
        let mut kept = scope.first_found;
        for idx in scope.first_found..self.found.len() {
            let Found { reference, is_bare } = &self.found[idx];
            let locals =
                if reference.role == ReferenceRole::Type { &self.types } else { &self.values };
            if !(*is_bare && locals.contains(reference.name_in(self.text))) {
                self.found.swap(kept, idx);
                kept += 1;
            }
        }
        self.found.truncate(kept);
    }

    fn is_short(&self, span: Span) -> bool {
        let text = self.str(span);
        span.end - span.start <= RECEIVER_MAX && !text.is_empty() && !text.contains('\n')
    }

    fn str(&self, span: Span) -> &'t str {
        slice(self.text, span)
    }
}

fn slice(text: &str, span: Span) -> &str {
    text.get(span.start as usize..span.end as usize).unwrap_or_default()
}

fn span(bytes: &Range<usize>) -> Span {
    let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span { start: number(bytes.start), end: number(bytes.end) }
}
