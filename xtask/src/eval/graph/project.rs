//! A package as we see it: its files, its names, and what we say they stand for.

use std::path::Path;

use gik_base::FileKey;
use gik_graph::resolve::{
    AllTables, CrateRoot, Layout, Manifests, Outcome, Table, Tables as _, edges_of, outcomes,
};
use gik_graph::{
    EdgeKind, FileFacts, Node, ReferenceFact, Role, ScopeFact, ScopeKind, SymbolFact, SymbolKind,
};
use gik_parse::{Parsed, ReferenceRole};

use crate::stop::Result;
use crate::workspace;

/// All files of a package, taken apart.
pub(super) struct Project {
    pub(super) paths: Vec<String>,
    tables: AllTables,
    /// The lines of all symbols, by file.
    lines: Vec<Vec<u32>>,
    layout: Layout,
}

/// A name that is called or imported.
#[derive(Debug, Clone)]
pub(super) struct Site {
    pub(super) file: u32,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) is_import: bool,
    /// What we say it stands for: file and line, 0 for the file itself. Several are candidates.
    pub(super) ours: Vec<(u32, u32)>,
}

impl Project {
    /// Reads all sources of a language below a folder; `name` is what others import it by.
    pub(super) fn read(folder: &Path, language: &str, name: &str) -> Result<Self> {
        let endings: &[&str] = match language {
            "python" => &[".py"],
            "rust" => &[".rs"],
            "go" => &[".go"],
            "c" => &[".c", ".h"],
            _ => &[".ts", ".tsx"],
        };
        let mut paths: Vec<String> = workspace::all_files(folder)?
            .into_iter()
            .filter(|path| endings.iter().any(|ending| path.ends_with(ending)))
            .collect();
        paths.sort();
        let mut tables = Vec::with_capacity(paths.len());
        for path in &paths {
            let text = workspace::read(&folder.join(path))?;
            let key = FileKey::from_text(path.as_str());
            let language = gik_parse::detect_by_name(&key);
            let parsed = gik_parse::parse(&key, &text, language);
            let id = language.map_or("", |language| language.id);
            tables.push(Some(Table::new(facts(path, id, text, parsed))));
        }
        let mut manifests = Manifests::default();
        match language {
            "go" => drop(manifests.go.insert(name.to_owned(), String::new())),
            "rust" => {
                let root = CrateRoot { folder: String::new(), file: "src/lib.rs".to_owned() };
                manifests.crates.insert(name.to_owned(), root);
            },
            _ => {},
        }
        let layout = Layout::of(paths.clone()).with_manifests(manifests);
        let lines = tables.iter().map(|table| table.as_ref().map_or_else(Vec::new, lines));
        let lines = lines.collect();
        Ok(Self { paths, tables: AllTables::new(tables), lines, layout })
    }

    pub(super) fn text(&self, file: u32) -> &str {
        let table = self.tables.table(file);
        table.map_or("", |table| table.facts().text.as_str())
    }

    /// The line of a node, 0 for a file.
    fn place(&self, node: Node) -> (u32, u32) {
        let line =
            node.symbol.and_then(|symbol| self.lines[node.file as usize].get(symbol as usize));
        (node.file, line.copied().unwrap_or(0))
    }

    /// The line of the first definition of the same name in the same place: declarations of one function are one.
    pub(super) fn first_line(&self, file: &str, line: u32) -> u32 {
        let Ok(at) = self.paths.binary_search_by(|path| path.as_str().cmp(file)) else {
            return line;
        };
        let Some(table) = &self.tables.all()[at] else { return line };
        let symbols = || table.facts().symbols.iter().zip(&self.lines[at]);
        let Some((named, _)) = symbols().find(|(_, at)| **at == line) else { return line };
        let same = |(symbol, _): &(&SymbolFact, &u32)| {
            (&named.name, &named.container) == (&symbol.name, &symbol.container)
        };
        symbols().find(same).map_or(line, |(_, first)| *first)
    }

    /// Whether a file is the module of Rust that a name says. Whoever uses something of a module also
    /// imports the module; that edge has no place of its own in the text and is no answer to what the name stands for.
    fn is_module(&self, file: u32, name: Option<&str>) -> bool {
        let path = self.paths[file as usize].trim_end_matches(".rs");
        let path = path.strip_suffix("/mod").unwrap_or(path);
        let module = path.rsplit('/').next();
        module == name || matches!(name, Some("crate" | "self" | "super"))
    }

    /// Every call and imported name, or as many as asked for, evenly over the package.
    pub(super) fn sites(&self, limit: usize) -> Vec<Site> {
        let mut sites = Vec::new();
        for (file, table) in (0..).zip(self.tables.all()) {
            let Some(table) = table else { continue };
            let facts = table.facts();
            let outcomes = outcomes(&self.layout, &self.tables, file, &facts.references);
            let references = facts.references.iter().zip(outcomes);
            for (reference, outcome) in references.filter(|(one, _)| one.role == Role::Call) {
                let ours = match outcome {
                    Outcome::Known(nodes) => {
                        nodes.iter().map(|(node, _)| self.place(*node)).collect()
                    },
                    Outcome::External | Outcome::Unknown => Vec::new(),
                };
                let (start, end) = (reference.name.start, reference.name.end);
                sites.push(Site { file, start, end, is_import: false, ours });
            }
            let edges = edges_of(&self.layout, &self.tables, file).edges;
            for fact in &facts.scopes {
                let is_import = matches!(fact.kind, ScopeKind::Import | ScopeKind::ImportDefault);
                let named = fact.name.as_ref().or(fact.alias.as_ref());
                let Some(name) = named.filter(|_| is_import && fact.from.is_some()) else {
                    continue;
                };
                let at = |edge: &&gik_graph::Edge| {
                    edge.kind == EdgeKind::Imports
                        && edge.evidence.as_ref().is_some_and(|one| one.start == name.start)
                };
                let of_name = |edge: &&gik_graph::Edge| {
                    let name = facts.text.get(name.start as usize..name.end as usize);
                    facts.language != "rust"
                        || edge.to.symbol.is_some()
                        || self.is_module(edge.to.file, name)
                };
                let ours = edges.iter().filter(at).filter(of_name);
                let ours = ours.map(|edge| self.place(edge.to)).collect();
                sites.push(Site { file, start: name.start, end: name.end, is_import: true, ours });
            }
        }
        let step = sites.len().div_ceil(limit.max(1)).max(1);
        sites.into_iter().step_by(step).collect()
    }
}

/// The lines of the symbols of a file.
fn lines(table: &Table) -> Vec<u32> {
    let facts = table.facts();
    let ends = facts.text.bytes().zip(0_u32..).filter(|(byte, _)| *byte == b'\n');
    let ends: Vec<u32> = ends.map(|(_, at)| at).collect();
    let line = |symbol: &SymbolFact| ends.partition_point(|end| *end < symbol.name_start) + 1;
    facts.symbols.iter().map(|symbol| u32::try_from(line(symbol)).unwrap_or(u32::MAX)).collect()
}

/// The 1-based line of a byte.
pub(super) fn line_of(text: &str, at: u32) -> u32 {
    let before = text.as_bytes().get(..at as usize).unwrap_or_default();
    u32::try_from(before.iter().filter(|byte| **byte == b'\n').count() + 1).unwrap_or(u32::MAX)
}

fn facts(path: &str, language: &str, text: String, parsed: Parsed) -> FileFacts {
    let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let mut symbols = parsed.symbols;
    symbols.sort_by_key(|symbol| symbol.bytes.start);
    FileFacts {
        path: path.to_owned(),
        language: language.to_owned(),
        symbols: symbols
            .into_iter()
            .map(|symbol| SymbolFact {
                kind: SymbolKind::from_word(symbol.kind.as_str()),
                bytes: place(symbol.bytes.start)..place(symbol.bytes.end),
                name_start: place(symbol.name_bytes.start),
                is_public: symbol.visibility != Some(gik_parse::Visibility::Private),
                name: symbol.name,
                container: symbol.container,
            })
            .collect(),
        references: parsed
            .references
            .into_iter()
            .map(|reference| ReferenceFact {
                name: reference.name,
                role: match reference.role {
                    ReferenceRole::Call => Role::Call,
                    ReferenceRole::Usage => Role::Usage,
                    ReferenceRole::Import => Role::Import,
                    ReferenceRole::Type => Role::Type,
                    ReferenceRole::Write => Role::Write,
                },
                receiver: reference.receiver,
            })
            .collect(),
        scopes: parsed
            .scope_facts
            .into_iter()
            .filter_map(|fact| {
                let kind = ScopeKind::from_number(fact.kind.number())?;
                Some(ScopeFact { kind, name: fact.name, from: fact.from, alias: fact.alias })
            })
            .collect(),
        text,
    }
}

#[cfg(test)]
mod tests {
    use gik_testkit::Tree;

    use super::*;

    #[test]
    fn a_module_of_rust_is_no_answer_to_what_a_name_in_it_stands_for() {
        let tree = Tree::new(
            "//- src/lib.rs
mod made;
mod user;
//- src/made.rs
pub struct Known;
make!(Unknown);
//- src/user.rs
use crate::made::{self, Known, Unknown};
",
        );
        let project = Project::read(tree.root(), "rust", "x").unwrap();
        let sites = project.sites(100);
        let text = |site: &Site| &project.text(site.file)[site.start as usize..site.end as usize];
        let said: Vec<(&str, &[(u32, u32)])> = sites
            .iter()
            .filter(|site| site.is_import)
            .map(|site| (text(site), site.ours.as_slice()))
            .collect();
        assert_eq!(said, [("self", &[(1, 0)][..]), ("Known", &[(1, 1)]), ("Unknown", &[])]);
    }
}
