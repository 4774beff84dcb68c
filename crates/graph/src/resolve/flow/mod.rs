//! Where do values flow? From what a call gives, or from a parameter, into the arguments of calls and into returns.
//!
//! Only what the text says plainly counts: `g(f())`, `x = f()` with `g(x)`, a parameter that is handed on, `return f()`.
//! A name counts where it is given a value once and only read from then on; anything else is left out.

mod names;
mod text;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use self::text::Arguments;
use super::Found;
use super::expression::{self, Step};
use super::lookup::{Resolver, Target};
use super::rules::Family;
use super::table::Table;
use crate::facts::ScopeKind;
use crate::{Edge, EdgeKind, Evidence, Node, Provenance};

/// A call whose meaning is known.
pub(super) struct Site {
    pub(super) name: Range<u32>,
    /// Where the text starts that says what is called.
    pub(super) start: u32,
    pub(super) to: Target,
    pub(super) how: Provenance,
}

/// Adds the flows of a file; `sites` are its calls, by place.
pub(super) fn add(resolver: &Resolver<'_>, table: &Table, sites: &[Site], found: &mut Found) {
    let sites: Vec<Called<'_>> = sites
        .iter()
        .filter(|site| takes_values(resolver, site.to))
        .map(|site| Called {
            site,
            arguments: text::arguments(&table.facts.text, site.name.end as usize),
        })
        .collect();
    let mut flows = Flows {
        table,
        file: found.file,
        sites: &sites,
        reads: RefCell::default(),
        seen: BTreeSet::new(),
        edges: Vec::new(),
    };
    for called in &sites {
        flows.arguments(called);
    }
    flows.returns();
    found.edges.append(&mut flows.edges);
}

/// Whether what is called takes arguments and gives a value.
fn takes_values(resolver: &Resolver<'_>, target: Target) -> bool {
    let table = resolver.project.table(target.file);
    let symbol = table.and_then(|table| table.symbol(target.symbol));
    symbol.is_some_and(|symbol| symbol.kind.is_callable() || symbol.kind.is_type())
}

struct Called<'s> {
    site: &'s Site,
    /// None where there are no brackets that could be read.
    arguments: Option<Arguments>,
}

/// Where a value comes from.
#[derive(Clone, Copy)]
struct Source {
    node: Node,
    how: Provenance,
}

struct Flows<'f> {
    table: &'f Table,
    file: u32,
    sites: &'f [Called<'f>],
    /// Whether a name is only read in a function, as far as that was asked.
    reads: RefCell<BTreeMap<(u32, String), bool>>,
    seen: BTreeSet<(Node, Node)>,
    edges: Vec<Edge>,
}

impl Flows<'_> {
    fn add(&mut self, source: Source, to: Node, how: Provenance, evidence: &Range<usize>) {
        if source.node == to || !self.seen.insert((source.node, to)) {
            return;
        }
        let (Ok(start), Ok(end)) = (u32::try_from(evidence.start), u32::try_from(evidence.end))
        else {
            return;
        };
        let provenance = source.how.max(how);
        self.edges.push(Edge {
            from: source.node,
            to,
            kind: EdgeKind::Dataflow,
            provenance,
            confidence: super::confidence(provenance),
            candidates: 1,
            evidence: Some(Evidence { file: self.file, start, end }),
        });
    }

    /// What flows into the arguments of a call.
    fn arguments(&mut self, called: &Called<'_>) {
        let Some(arguments) = &called.arguments else { return };
        let to = node(called.site.to);
        for argument in &arguments.list {
            let text = &self.table.facts.text;
            let Some(plain) = text::plain(text, argument.clone(), self.table.rules.family) else {
                continue;
            };
            if let Some(source) = self.source(&plain, called.site.name.start) {
                self.add(source, to, called.site.how, &plain);
            }
        }
    }

    /// What flows out of the functions of the file.
    fn returns(&mut self) {
        let table = self.table;
        let mut given: Vec<(u32, Range<usize>)> = Vec::new();
        for (function, fact) in table.gives() {
            let Some(from) = &table.fact(fact).from else { continue };
            let from = from.start as usize..from.end as usize;
            // Of a call the fact has what is called.
            if table.fact(fact).kind == ScopeKind::Called {
                let called =
                    self.named_until(table.fact(fact).from.as_ref().map_or(0, |at| at.end));
                let close = called.and_then(|one| one.arguments.as_ref()).map(|one| one.close);
                given.extend(close.map(|close| (function, from.start..close + 1)));
            } else {
                given.push((function, from));
            }
        }
        for called in self.sites {
            given.extend(self.returned(called));
        }
        for (function, value) in given {
            let is_function = table.symbol(function).is_some_and(|one| one.kind.is_callable());
            let place = u32::try_from(value.start).unwrap_or(u32::MAX);
            if is_function
                && let Some(source) = self.source(&value, place)
                && source.node != Node::symbol(self.file, function)
            {
                let to = Node::symbol(self.file, function);
                self.add(source, to, Provenance::Syntax, &value);
            }
        }
    }

    /// The function that gives what a call gives: `return f();`.
    fn returned(&self, called: &Called<'_>) -> Option<(u32, Range<usize>)> {
        let close = called.arguments.as_ref()?.close;
        let text = &self.table.facts.text;
        let start = called.site.start as usize;
        let before = text.get(..start)?.trim_end_matches([' ', '\t']);
        let function = self.table.innermost(called.site.start)?;
        let symbol = self.table.symbol(function)?;
        let body = text.get(symbol.bytes.start as usize..symbol.bytes.end as usize)?;
        if !symbol.kind.is_callable() || text::may_hold_functions(body, self.table.rules.family) {
            return None;
        }
        let ends = text::ends_statement(text, close + 1, self.table.rules.family);
        (ends && text::ends_with_word(before, "return")).then_some((function, start..close + 1))
    }

    /// Where the value of an expression comes from.
    fn source(&self, value: &Range<usize>, place: u32) -> Option<Source> {
        let text = self.table.facts.text.get(value.clone())?;
        if text::is_name(text) {
            return self.named(text, place);
        }
        let steps = expression::steps(text)?;
        if steps.last() != Some(&Step::Call) {
            return None;
        }
        let ends_here = |called: &&Called<'_>| {
            let site = called.site;
            site.start as usize == value.start
                && called.arguments.as_ref().is_some_and(|one| {
                    text::is_end_of_call(text.get(one.close + 1 - value.start..))
                })
        };
        let inside = self.from(value.start);
        let called = inside
            .take_while(|called| (called.site.name.start as usize) < value.end)
            .find(ends_here)?;
        Some(Source { node: node(called.site.to), how: called.site.how })
    }

    /// Where the value of a local name comes from.
    fn named(&self, name: &str, place: u32) -> Option<Source> {
        let table = self.table;
        let scope = table.scope_at(place, None)?;
        let function = table.symbol(scope).filter(|symbol| symbol.kind.is_callable())?;
        let facts = table.bindings(scope.into(), name);
        let header = names::parameters(table, scope);
        let is_parameter = header.as_ref().is_some_and(|header| header.names.contains(name));
        let source = if is_parameter {
            let end = header.as_ref().map_or(0, |header| header.end);
            let is_bound_again = facts.iter().any(|at| {
                table.fact(*at).name.as_ref().is_some_and(|name| name.start as usize > end)
            });
            if is_bound_again || !self.is_only_read(scope, name, end, None) {
                return None;
            }
            Source { node: Node::symbol(self.file, scope), how: Provenance::Syntax }
        } else {
            let (first, rest) = facts.split_first()?;
            let bound = table.fact(*first).name.as_ref().filter(|bound| bound.end <= place)?;
            let is_same = |at: &u32| table.fact(*at).name.as_ref() == Some(bound);
            if !rest.iter().all(is_same) {
                return None;
            }
            let called = facts.iter().find_map(|at| self.given_to(*at))?;
            let start = function.bytes.start as usize;
            if !self.is_only_read(scope, name, start, Some(bound)) {
                return None;
            }
            Source { node: node(called.site.to), how: called.site.how }
        };
        Some(source)
    }

    /// The call whose value a fact gives to a name.
    fn given_to(&self, at: u32) -> Option<&Called<'_>> {
        let fact = self.table.fact(at);
        let text = &self.table.facts.text;
        if fact.kind == ScopeKind::Called {
            let from = fact.from.as_ref()?;
            return self.named_until(from.end);
        }
        let family = self.table.rules.family;
        if fact.kind != ScopeKind::Typed
            || !matches!(family, Family::Jvm | Family::CSharp | Family::C)
        {
            return None;
        }
        // `Store s = open();`
        let name = fact.name.as_ref()?;
        let rest = text.get(name.end as usize..)?.trim_start();
        let value = rest.strip_prefix('=').filter(|value| !value.starts_with('='))?.trim_start();
        let start = text.len() - value.len();
        let is_it = |called: &&Called<'_>| {
            called.site.start as usize == start
                && called
                    .arguments
                    .as_ref()
                    .is_some_and(|one| text::ends_statement(text, one.close + 1, family))
        };
        self.from(start).take_while(|called| called.site.start as usize <= start).find(is_it)
    }

    /// The calls whose names stand behind a place.
    fn from(&self, place: usize) -> impl Iterator<Item = &Called<'_>> {
        let at = self.sites.partition_point(|called| (called.site.name.start as usize) < place);
        self.sites[at..].iter()
    }

    /// The call of a name that ends at a place.
    fn named_until(&self, end: u32) -> Option<&Called<'_>> {
        let at = self.sites.partition_point(|called| called.site.name.end < end);
        self.sites.get(at).filter(|called| called.site.name.end == end)
    }

    /// Whether a name of a function is read and nothing else, behind a place and apart from where it is bound.
    fn is_only_read(
        &self,
        scope: u32,
        name: &str,
        from: usize,
        bound: Option<&Range<u32>>,
    ) -> bool {
        let key = (scope, name.to_owned());
        if let Some(&known) = self.reads.borrow().get(&key) {
            return known;
        }
        let end = self.table.symbol(scope).map_or(0, |symbol| symbol.bytes.end as usize);
        let bound = bound.map(|bound| bound.start as usize);
        let family = self.table.rules.family;
        let known = names::is_only_read(&self.table.facts.text, from..end, name, bound, family);
        self.reads.borrow_mut().insert(key, known);
        known
    }
}

fn node(target: Target) -> Node {
    Node::symbol(target.file, target.symbol)
}
