//! Facts to edges: what do the names of a file stand for?
//!
//! [`edges_of`] answers for one file. It looks at other files through [`Tables`], and says by keys what it looked at, so
//! that a caller who keeps edges knows when they have to be found again.

mod expression;
mod flow;
mod languages;
mod layout;
mod lookup;
mod mentions;
mod names;
mod project;
mod rules;
mod table;
mod tests_of;

use std::collections::BTreeSet;
use std::ops::Range;

pub use self::layout::{
    CrateRoot, Layout, Manifests, NodePackage, ScriptPaths, defined_key, file_key, folder_key,
    join_relative, name_keys, package_key,
};
use self::lookup::{Lookup, MEANINGS_MAX, Meaning, Resolver, Target};
use self::project::Project;
pub use self::project::{AllTables, DEFINING_MAX, Definition, Tables};
pub use self::rules::names_packages;
pub use self::table::Table;
use crate::facts::{ReferenceFact, Role, ScopeKind};
use crate::{Edge, EdgeKind, Evidence, Node, Provenance};

/// The edges of one file and what they rest on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileEdges {
    /// Sorted; `Contains` is not among them.
    pub edges: Vec<Edge>,
    /// What was looked at: [`file_key`], [`folder_key`] and the like; sorted.
    pub inputs: Vec<u32>,
}

/// What became of one reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It stands for these; more than one are candidates.
    Known(Vec<(Node, Provenance)>),
    /// It stands for something that is not part of the project.
    External,
    /// What it belongs to is not known.
    Unknown,
}

/// The edges that leave the nodes of a file.
pub fn edges_of(layout: &Layout, tables: &dyn Tables, file: u32) -> FileEdges {
    let resolver = Resolver::new(Project { layout, tables, looked: project::Looked::default() });
    let Some(table) = resolver.project.table(file) else { return FileEdges::default() };
    let mut found = Found { file, edges: Vec::new(), uses: BTreeSet::new(), packages: Vec::new() };
    imports(&resolver, table, &mut found);
    bases(&resolver, table, &mut found);
    let mut called = Vec::new();
    for reference in &table.facts.references {
        if reference.role == Role::Import {
            continue;
        }
        let lookup = of_reference(&resolver, file, table, reference);
        let nodes = nodes(&lookup);
        let kind = if reference.role == Role::Call { EdgeKind::Calls } else { EdgeKind::Uses };
        let from = table.innermost(reference.name.start);
        let from = from.map_or_else(|| Node::file(file), |symbol| Node::symbol(file, symbol));
        found.add(from, kind, &nodes, &reference.name);
        if reference.role == Role::Call
            && let [(Node { file, symbol: Some(symbol) }, how)] = *nodes.as_slice()
        {
            let start = reference.receiver.as_ref().unwrap_or(&reference.name).start;
            let to = Target { file, symbol };
            called.push(flow::Site { name: reference.name.clone(), start, to, how });
        }
    }
    packages(&resolver, &mut found);
    flow::add(&resolver, table, &called, &mut found);
    mentions::add(&resolver, table, &mut found);
    tests_of::add(&resolver, table, &mut found);
    let mut edges = found.edges;
    edges.sort_unstable();
    edges.dedup();
    FileEdges { edges, inputs: resolver.project.looked.take() }
}

/// What one reference of a file stands for.
pub fn outcome(
    layout: &Layout,
    tables: &dyn Tables,
    file: u32,
    reference: &ReferenceFact,
) -> Outcome {
    let found = outcomes(layout, tables, file, std::slice::from_ref(reference));
    found.into_iter().next().unwrap_or(Outcome::Unknown)
}

/// What references of a file stand for, one by one.
pub fn outcomes(
    layout: &Layout,
    tables: &dyn Tables,
    file: u32,
    references: &[ReferenceFact],
) -> Vec<Outcome> {
    let resolver = Resolver::new(Project { layout, tables, looked: project::Looked::default() });
    let Some(table) = resolver.project.table(file) else {
        return vec![Outcome::Unknown; references.len()];
    };
    let outcome = |reference: &ReferenceFact| {
        let lookup = of_reference(&resolver, file, table, reference);
        let nodes = nodes(&lookup);
        if !nodes.is_empty() {
            Outcome::Known(nodes)
        } else if lookup.is_external || reference.receiver.is_none() && !is_member(table, reference)
        {
            Outcome::External
        } else {
            Outcome::Unknown
        }
    };
    references.iter().map(outcome).collect()
}

fn of_reference(
    resolver: &Resolver<'_>,
    file: u32,
    table: &Table,
    reference: &ReferenceFact,
) -> Lookup {
    let found = named_by(resolver, file, table, reference);
    if reference.role == Role::Call { languages::defined(resolver, table, found) } else { found }
}

fn named_by(
    resolver: &Resolver<'_>,
    file: u32,
    table: &Table,
    reference: &ReferenceFact,
) -> Lookup {
    resolver.refuel();
    let name = table.facts.str(&reference.name);
    let place = reference.name.start;
    let Some(receiver) = &reference.receiver else {
        // The text of a long receiver is not kept.
        if is_member(table, reference) {
            return Lookup::default();
        }
        return resolver.bare(file, place, name, false, 0);
    };
    let text = table.facts.str(receiver);
    let Some(mut steps) = expression::steps(text) else { return Lookup::default() };
    steps.push(expression::Step::Member(name));
    resolver.chain(file, place, &steps, 0)
}

/// Whether a name belongs to something that stands before it.
fn is_member(table: &Table, reference: &ReferenceFact) -> bool {
    use rules::Family;
    let before = table.facts.text.get(..reference.name.start as usize).unwrap_or_default();
    let before = before.trim_end();
    match table.rules.family {
        // A dot may join texts or functions.
        Family::Php | Family::Other => false,
        Family::Python
        | Family::JavaScript
        | Family::Rust
        | Family::Go
        | Family::Jvm
        | Family::CSharp
        | Family::C
        | Family::Ruby => {
            before.ends_with("->") && table.rules.family == Family::C
                || before.ends_with('.') && !before.ends_with("..")
        },
    }
}

/// The nodes that a lookup leads to; none where they are too many to mean anything.
fn nodes(lookup: &Lookup) -> Vec<(Node, Provenance)> {
    let node = |(meaning, how): &(Meaning, Provenance)| match meaning {
        Meaning::Symbol(Target { file, symbol }) => Some((Node::symbol(*file, *symbol), *how)),
        Meaning::File(file) => Some((Node::file(*file), *how)),
        Meaning::Folder(_) | Meaning::Package(_) | Meaning::Value(_) | Meaning::Many(_) => None,
    };
    let mut nodes: Vec<(Node, Provenance)> = lookup.meanings.iter().filter_map(node).collect();
    nodes.sort_unstable();
    nodes.dedup_by_key(|(node, _)| *node);
    if nodes.len() > MEANINGS_MAX {
        nodes.clear();
    }
    nodes
}

/// Edges on their way.
struct Found {
    file: u32,
    edges: Vec<Edge>,
    /// Pairs that one use is noted of already: more would say nothing new.
    uses: BTreeSet<(Node, Node)>,
    /// Packages of several files that are imported, and where.
    packages: Vec<(Meaning, Range<u32>)>,
}

impl Found {
    fn add(
        &mut self,
        from: Node,
        kind: EdgeKind,
        nodes: &[(Node, Provenance)],
        evidence: &Range<u32>,
    ) {
        let candidates = u32::try_from(nodes.len()).unwrap_or(u32::MAX);
        for &(to, how) in nodes {
            if to == from && kind != EdgeKind::Calls {
                continue;
            }
            if kind == EdgeKind::Uses && !self.uses.insert((from, to)) {
                continue;
            }
            let (provenance, confidence) = if candidates > 1 {
                (Provenance::Heuristic, u8::try_from(80 / candidates).unwrap_or(1).max(1))
            } else {
                (how, confidence(how))
            };
            self.edges.push(Edge {
                from,
                to,
                kind,
                provenance,
                confidence,
                candidates,
                evidence: Some(Evidence {
                    file: self.file,
                    start: evidence.start,
                    end: evidence.end,
                }),
            });
        }
    }
}

/// How sure an edge with one meaning is, by how it is known.
fn confidence(how: Provenance) -> u8 {
    match how {
        Provenance::Syntax | Provenance::Scip | Provenance::Lsp => 100,
        Provenance::Import => 95,
        Provenance::Type => 90,
        Provenance::Heuristic => 50,
    }
}

/// What a file imports and hands on.
fn imports(resolver: &Resolver<'_>, table: &Table, found: &mut Found) {
    let file = found.file;
    for (at, fact) in (0..).zip(&table.facts.scopes) {
        let (kind, is_all) = match fact.kind {
            ScopeKind::Import | ScopeKind::ImportDefault => (EdgeKind::Imports, false),
            ScopeKind::ImportAll => (EdgeKind::Imports, true),
            ScopeKind::Reexport => (EdgeKind::Exports, false),
            ScopeKind::ReexportAll => (EdgeKind::Exports, true),
            ScopeKind::Export
            | ScopeKind::ExportDefault
            | ScopeKind::Extends
            | ScopeKind::Implements
            | ScopeKind::Typed
            | ScopeKind::Called
            | ScopeKind::Valued
            | ScopeKind::Element
            | ScopeKind::Returns
            | ScopeKind::Package
            | ScopeKind::Property
            | ScopeKind::Module
            | ScopeKind::Local => continue,
        };
        let Some(from) = &fact.from else { continue };
        let evidence = fact.name.as_ref().or(fact.alias.as_ref()).unwrap_or(from);
        let place = evidence.start;
        resolver.refuel();
        let module = languages::module(resolver, file, table, table.facts.str(from), place);
        let whole = match &module {
            Some(Meaning::File(other)) => vec![(Node::file(*other), Provenance::Import)],
            Some(Meaning::Symbol(target)) => {
                vec![(Node::symbol(target.file, target.symbol), Provenance::Import)]
            },
            Some(package @ (Meaning::Folder(_) | Meaning::Package(_))) => {
                found.packages.push((package.clone(), from.clone()));
                Vec::new()
            },
            _ => Vec::new(),
        };
        // What a tree of uses says of a module has no place of its own.
        let is_written = table.rules.family != rules::Family::Rust;
        found.add(Node::file(file), kind, &whole, if is_written { from } else { evidence });
        let named = fact
            .name
            .as_ref()
            .or(fact.alias.as_ref().filter(|_| fact.kind == ScopeKind::ImportDefault));
        if let Some(name) = named.filter(|_| !is_all) {
            let mut nodes = nodes(&resolver.imported(file, at, 0));
            nodes.retain(|node| !whole.contains(node));
            found.add(Node::file(file), kind, &nodes, name);
        }
    }
}

/// Of a package of several files those are imported that something is used of.
fn packages(resolver: &Resolver<'_>, found: &mut Found) {
    let project = &resolver.project;
    for (package, evidence) in std::mem::take(&mut found.packages) {
        let is_of = |file: &u32| match &package {
            Meaning::Folder(folder) => layout::folder_of(project.layout.path(*file)) == folder,
            Meaning::Package(name) => {
                project.table(*file).is_some_and(|table| table.package.as_ref() == Some(name))
            },
            Meaning::Symbol(_) | Meaning::File(_) | Meaning::Value(_) | Meaning::Many(_) => false,
        };
        let used =
            found.edges.iter().filter(|edge| edge.candidates == 1 && edge.to.file != found.file);
        let files: BTreeSet<u32> = used.map(|edge| edge.to.file).collect();
        for file in files.into_iter().filter(is_of) {
            let nodes = [(Node::file(file), Provenance::Import)];
            found.add(Node::file(found.file), EdgeKind::Imports, &nodes, &evidence);
        }
    }
}

/// What types derive from.
fn bases(resolver: &Resolver<'_>, table: &Table, found: &mut Found) {
    let file = found.file;
    for &(symbol, at) in &table.bases {
        let fact = table.fact(at);
        let Some(name) = &fact.name else { continue };
        resolver.refuel();
        let lookup = resolver.base(Target { file, symbol }, at, 0);
        let types: Vec<(Node, Provenance)> = nodes(&lookup)
            .into_iter()
            .filter(|(node, _)| {
                node.symbol
                    .is_some_and(|symbol| resolver.is_type(Target { file: node.file, symbol }))
            })
            .collect();
        let is_fulfilled = fact.kind == ScopeKind::Implements;
        let kind = if is_fulfilled { EdgeKind::Implements } else { EdgeKind::Extends };
        found.add(Node::symbol(file, symbol), kind, &types, name);
    }
}
