//! Names on their way to references: which symbol is around them, and which of them are only local.

use std::cmp::Reverse;
use std::ops::Range;

use gik_base::collections::HashSet;

use super::facts::Words;
use crate::facts::FactRole;
use crate::outline::Outline;
use crate::reference::{RECEIVER_MAX, Reference, ReferenceRole};
use crate::scope_fact::{ScopeFact, ScopeFactKind};
use crate::symbol::{Symbol, SymbolKind, Visibility};

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
    /// The symbols that do not start before the current place, the next one last.
    symbols: Vec<Around>,
    /// The symbol that was met last.
    last_symbol: Option<Span>,
    /// How many symbols were known before the walk.
    n_outer: usize,
    /// Where the names of definitions stand, the next one last.
    definitions: Vec<u32>,
    scopes: Vec<Scope>,
    found: Vec<Found>,
    /// Local names of the open scopes.
    bound: Vec<Bound>,
    /// All local names of values, once for each scope.
    locals: Vec<Span>,
    exported: Vec<Span>,
    values: HashSet<&'t str>,
    types: HashSet<&'t str>,
}

/// What counts of a symbol here.
struct Around {
    bytes: Span,
    /// Its place among the symbols, while they are collected.
    number: u32,
    holds_definitions: bool,
}

impl Around {
    fn new(symbol: &Symbol, number: usize) -> Self {
        Self {
            bytes: span(&symbol.bytes),
            number: u32::try_from(number).unwrap_or(u32::MAX),
            holds_definitions: symbol.kind.is_type() || symbol.kind == SymbolKind::Module,
        }
    }
}

/// A symbol around the current place, or a statement of the file that is no symbol.
#[derive(Clone, Copy)]
struct Scope {
    end: u32,
    /// The symbol, or the one around the statement, and its end: a torn statement may go on behind it.
    symbol: Option<(u32, u32)>,
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
        let mut symbols: Vec<Around> =
            outline.symbols.iter().enumerate().map(|(at, one)| Around::new(one, at)).collect();
        symbols.reverse();
        let mut definitions: Vec<u32> =
            outline.symbols.iter().map(|symbol| span(&symbol.name_bytes).start).collect();
        definitions.extend(outline.more_names.iter().map(|at| span(&(*at..*at)).start));
        definitions.sort_unstable_by_key(|at| Reverse(*at));
        Self {
            text,
            words,
            import_call: None,
            n_outer: symbols.len(),
            symbols,
            last_symbol: None,
            definitions,
            scopes: Vec::new(),
            found: Vec::with_capacity(text.len() / 32),
            bound: Vec::new(),
            locals: Vec::new(),
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

    /// Adds symbols that start at the current place or later, all of them before those that are known.
    pub(super) fn add_symbols(&mut self, all: &[Symbol], places: Range<usize>) {
        let first = places.start;
        let added = all.get(places).unwrap_or_default();
        let mut order: Vec<usize> = (0..added.len()).collect();
        order.sort_by_key(|at| added[*at].order());
        let around = order.iter().rev().map(|at| Around::new(&added[*at], first + at));
        self.symbols.extend(around);
        let n_known = self.definitions.len();
        self.definitions.extend(added.iter().map(|symbol| span(&symbol.name_bytes).start));
        self.definitions[n_known..].sort_unstable_by_key(|at| Reverse(*at));
    }

    /// The place of the innermost symbol around the current place.
    pub(super) fn around(&self) -> Option<usize> {
        let (at, _) = self.scopes.last()?.symbol?;
        usize::try_from(at).ok()
    }

    /// How many symbols and statements are around the current place.
    pub(super) fn depth(&self) -> usize {
        self.scopes.len()
    }

    /// Notes a name unless it is the name of a definition.
    pub(super) fn add(
        &mut self,
        name: Span,
        role: FactRole,
        is_type: bool,
        receiver: Option<Span>,
    ) {
        // A grammar's own scanner may end a name inside of a character.
        if self.is_definition(&name) || self.str(name).is_empty() {
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
                enclosing: self
                    .scopes
                    .last()
                    .and_then(|scope| scope.symbol)
                    .filter(|(_, end)| name.end <= *end)
                    .map(|(symbol, _)| symbol),
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
            for symbol in outline.symbols.iter_mut().take(self.n_outer) {
                if symbol.container.is_none() && exported.contains(symbol.name.as_str()) {
                    symbol.visibility = symbol.visibility.and(Some(Visibility::Public));
                }
            }
        }
        hiding(self.text, &self.locals, outline);
        outline.references = self.found.into_iter().map(|found| found.reference).collect();
        if outline.symbols.len() > self.n_outer {
            outline.sort_symbols();
        }
    }

    /// Whether a definition's name stands there, in quotes or at the end of a path as well.
    fn is_definition(&mut self, name: &Span) -> bool {
        while self.definitions.pop_if(|at| *at < name.start).is_some() {}
        self.definitions.last().is_some_and(|at| *at < name.end)
    }

    /// Closes the scopes that end before a place and opens those of the symbols that start before or at it.
    pub(super) fn go_to(&mut self, place: u32, is_inside: bool) {
        let is_before = |start: u32| start < place || (start == place && is_inside);
        while let Some(symbol) = self.symbols.pop_if(|symbol| is_before(symbol.bytes.start)) {
            self.close_until(symbol.bytes.start);
            // Of several symbols in one declaration the first one counts.
            let is_twin = self.last_symbol.replace(symbol.bytes) == Some(symbol.bytes);
            if !is_twin {
                self.open(symbol.bytes.end, Some(symbol.number), !symbol.holds_definitions);
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
        let symbol = symbol
            .map(|symbol| (symbol, end))
            .or_else(|| self.scopes.last().and_then(|scope| scope.symbol));
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
            if bound.is_value && self.values.insert(name) {
                self.locals.push(bound.name);
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

/// Notes which local names hide what the file defines or imports.
fn hiding(text: &str, locals: &[Span], outline: &mut Outline) {
    let symbols = outline.symbols.iter().map(|symbol| symbol.name.as_str());
    let known: HashSet<&str> = symbols.chain(outline.imported.iter().map(String::as_str)).collect();
    let facts = outline.scope_facts.iter();
    let told: HashSet<u32> = facts
        .flat_map(|fact| [&fact.name, &fact.alias].into_iter().flatten())
        .map(|place| place.start)
        .collect();
    let hiding = locals.iter().filter(|span| known.contains(slice(text, **span)));
    let hiding = hiding.filter(|span| !told.contains(&span.start)).map(|span| ScopeFact {
        kind: ScopeFactKind::Local,
        name: Some(span.start..span.end),
        from: None,
        alias: None,
    });
    outline.scope_facts.extend(hiding.collect::<Vec<_>>());
}

fn slice(text: &str, span: Span) -> &str {
    text.get(span.start as usize..span.end as usize).unwrap_or_default()
}

fn span(bytes: &Range<usize>) -> Span {
    let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span { start: number(bytes.start), end: number(bytes.end) }
}
