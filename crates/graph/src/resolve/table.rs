//! The facts of one file, arranged for looking names up.

use std::fmt::Write as _;
use std::ops::Range;

use gik_base::collections::HashMap;
use gik_base::hash::Fast64;

use super::mentions::{self, Mention};
use super::names::Names;
use super::rules::{self, Family, Rules};
use crate::Node;
use crate::facts::{FileFacts, ScopeFact, ScopeKind, SymbolFact, SymbolKind};

/// The owner of symbols whose container is not in their file.
const FOREIGN: u32 = u32::MAX;

/// One file, ready to be asked.
#[derive(Debug)]
pub struct Table {
    pub(crate) facts: FileFacts,
    pub(crate) rules: &'static Rules,
    /// The innermost symbol around each symbol.
    pub(crate) around: Vec<Option<u32>>,
    /// What each symbol is a member of: by place, or by the name of its container.
    pub(crate) owners: Vec<Option<u32>>,
    /// The symbols that are modules or namespaces.
    pub(crate) modules: Vec<u32>,
    /// Places of symbols, sorted by owner and name.
    by_owner: Vec<u32>,
    /// The names of symbols.
    defined: Names,
    /// Facts that bind a name, by scope and name; those of the file have no scope.
    bindings: HashMap<(Option<u32>, String), Vec<u32>>,
    /// The names that are bound in any scope.
    bound: Names,
    /// Facts that bring everything of a module in, or hand it on.
    pub(crate) wildcards: Vec<u32>,
    /// Facts by the name under which they offer something.
    exports: HashMap<String, Vec<u32>>,
    pub(crate) default_export: Option<u32>,
    /// Facts about bases, by type.
    pub(crate) bases: Vec<(u32, u32)>,
    /// Facts about what functions give, by function.
    returns: Vec<(u32, u32)>,
    /// Facts about the values that functions give, by function.
    gives: Vec<(u32, u32)>,
    /// Functions that are called by reading them.
    properties: Vec<u32>,
    /// Attributes that methods give to their own value, by type and name.
    attributes: HashMap<(u32, String), Vec<u32>>,
    /// Containers that the file itself does not define, with their members.
    pub(crate) foreign: HashMap<String, Vec<u32>>,
    /// The package that the file says it is part of.
    pub(crate) package: Option<String>,
    /// What a document may name.
    pub(crate) mentions: Vec<Mention>,
}

impl Table {
    /// Arranges the facts of a file.
    pub fn new(mut facts: FileFacts) -> Self {
        let rules = rules::of(&facts.language);
        if rules.family == Family::Rust {
            super::languages::rust::expand(&mut facts);
        }
        let mentions = mentions::of(&facts.language, &facts.text);
        let around = around(&facts.symbols);
        let (owners, foreign) = owners(&facts.symbols, &around);
        let mut by_owner: Vec<u32> = (0..).take(facts.symbols.len()).collect();
        by_owner.sort_by(|a, b| {
            let key = |at: &u32| (owners[*at as usize], facts.symbols[*at as usize].name.as_str());
            key(a).cmp(&key(b)).then(a.cmp(b))
        });
        let defined = Names::new(facts.symbols.iter().map(|symbol| symbol.name.as_str()));
        let modules = (0..).zip(&facts.symbols);
        let modules = modules.filter(|(_, symbol)| symbol.kind == SymbolKind::Module);
        let modules = modules.map(|(at, _)| at).collect();
        let mut table = Self {
            facts,
            rules,
            modules,
            around,
            owners,
            by_owner,
            defined,
            foreign,
            bindings: HashMap::default(),
            bound: Names::default(),
            wildcards: Vec::new(),
            exports: HashMap::default(),
            default_export: None,
            bases: Vec::new(),
            returns: Vec::new(),
            gives: Vec::new(),
            properties: Vec::new(),
            attributes: HashMap::default(),
            package: None,
            mentions,
        };
        for at in (0..).take(table.facts.scopes.len()) {
            table.note(at);
        }
        // In any order: only which names there are counts.
        table.bound = Names::new(table.bindings.keys().map(|(_, name)| name.as_str()));
        table.bases.sort_unstable();
        table.returns.sort_unstable();
        table.gives.sort_unstable();
        table.properties.sort_unstable();
        table
    }

    fn note(&mut self, at: u32) {
        let fact = &self.facts.scopes[at as usize];
        let text = |place: &Option<Range<u32>>| {
            place.as_ref().map_or("", |place| self.facts.str(place)).to_owned()
        };
        let (name, alias) = (text(&fact.name), text(&fact.alias));
        let start =
            [&fact.name, &fact.from, &fact.alias].into_iter().flatten().map(|at| at.start).min();
        let start = start.unwrap_or(0);
        match fact.kind {
            ScopeKind::Import | ScopeKind::ImportDefault => {
                let local = if !alias.is_empty() && alias != "self" {
                    alias
                } else if !name.is_empty() {
                    last_part(&name).to_owned()
                } else {
                    let from = text(&fact.from);
                    match self.rules.family {
                        Family::Python => first_part(&from).to_owned(),
                        Family::Go | Family::Jvm | Family::Rust | Family::Php | Family::CSharp => {
                            last_part(&from).to_owned()
                        },
                        Family::JavaScript | Family::C | Family::Ruby | Family::Other => {
                            String::new()
                        },
                    }
                };
                if !local.is_empty() {
                    let scope = self.scope_at(start, None);
                    self.bindings.entry((scope, local)).or_default().push(at);
                }
            },
            ScopeKind::ImportAll => self.wildcards.push(at),
            ScopeKind::Reexport | ScopeKind::Export => {
                let offered = if !alias.is_empty() && alias != "self" {
                    alias
                } else if !name.is_empty() {
                    last_part(&name).to_owned()
                } else {
                    last_part(&text(&fact.from)).to_owned()
                };
                if offered == "default" {
                    self.default_export = Some(at);
                }
                if self.rules.family == Family::Rust {
                    let scope = self.scope_at(start, None);
                    self.bindings.entry((scope, offered)).or_default().push(at);
                } else {
                    self.exports.entry(offered).or_default().push(at);
                }
            },
            ScopeKind::ReexportAll => self.wildcards.push(at),
            ScopeKind::ExportDefault => self.default_export = Some(at),
            ScopeKind::Extends | ScopeKind::Implements => {
                let owner = match &fact.from {
                    Some(of) => self.type_named(self.facts.str(of)),
                    None => self.type_at(start),
                };
                if let Some(owner) = owner {
                    self.bases.push((owner, at));
                }
            },
            ScopeKind::Called | ScopeKind::Valued if fact.name.is_none() => {
                if let Some(function) = self.innermost(start) {
                    self.gives.push((function, at));
                }
            },
            ScopeKind::Typed
            | ScopeKind::Called
            | ScopeKind::Valued
            | ScopeKind::Element
            | ScopeKind::Local => {
                self.note_binding(at, start, &name, !alias.is_empty());
            },
            ScopeKind::Returns => {
                if let Some(function) = self.innermost(start) {
                    self.returns.push((function, at));
                }
            },
            ScopeKind::Package => {
                if self.package.is_none() {
                    self.package = Some(name);
                }
            },
            ScopeKind::Property => {
                let symbols = &self.facts.symbols;
                let found = symbols.iter().position(|symbol| symbol.name_start == start);
                self.properties.extend(found.and_then(|at| u32::try_from(at).ok()));
            },
            ScopeKind::Module => {},
        }
    }

    fn note_binding(&mut self, at: u32, start: u32, name: &str, is_field: bool) {
        let own = self.rules.own_words.iter().find_map(|word| {
            let rest = name.strip_prefix(word)?;
            rest.strip_prefix('.').or_else(|| rest.strip_prefix("->"))
        });
        let attribute = own.or(is_field.then_some(name));
        if let Some(attribute) = attribute
            && let Some(owner) = self.type_at(start)
        {
            self.attributes.entry((owner, attribute.to_owned())).or_default().push(at);
        }
        if own.is_none() {
            let scope = self.scope_at(start, Some(start));
            self.bindings.entry((scope, name.to_owned())).or_default().push(at);
        }
    }

    /// What each symbol stands in; none where it is the file.
    pub fn parents(&self) -> Vec<Option<u32>> {
        let here = self.owners.iter().zip(&self.around);
        here.map(|(owner, around)| owner.filter(|at| self.symbol(*at).is_some()).or(*around))
            .collect()
    }

    /// The innermost symbol around a place of the file, as a node; the file itself where there is none.
    pub fn node_at(&self, file: u32, place: u32) -> Node {
        Node { file, symbol: self.innermost(place) }
    }

    /// The names of all that the file defines.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.facts.symbols.iter().map(|symbol| symbol.name.as_str())
    }

    /// Whether a symbol only says that there is a function somewhere: a prototype of C.
    pub(crate) fn is_declaration(&self, symbol: u32) -> bool {
        self.rules.family == Family::C
            && self.symbol(symbol).is_some_and(|symbol| {
                symbol.kind.is_callable()
                    && symbol.kind != SymbolKind::Macro
                    && !self.facts.str(&symbol.bytes).trim_end().ends_with('}')
            })
    }

    /// The package that the file says it is part of.
    pub fn package(&self) -> Option<&str> {
        self.package.as_deref()
    }

    /// The facts.
    pub fn facts(&self) -> &FileFacts {
        &self.facts
    }

    pub(crate) fn symbol(&self, at: u32) -> Option<&SymbolFact> {
        self.facts.symbols.get(at as usize)
    }

    pub(crate) fn is_import(&self, at: u32) -> bool {
        matches!(
            self.fact(at).kind,
            ScopeKind::Import | ScopeKind::ImportDefault | ScopeKind::Reexport
        )
    }

    pub(crate) fn fact(&self, at: u32) -> &ScopeFact {
        &self.facts.scopes[at as usize]
    }

    /// The innermost symbol around a place.
    pub(crate) fn innermost(&self, place: u32) -> Option<u32> {
        let symbols = &self.facts.symbols;
        let mut at = symbols.partition_point(|symbol| symbol.bytes.start <= place);
        let mut found = None;
        // The last one that starts before the place, or one around it.
        if at > 0 {
            at -= 1;
            let mut here = u32::try_from(at).ok();
            while let Some(candidate) = here {
                if symbols[candidate as usize].bytes.end > place {
                    found = Some(candidate);
                    break;
                }
                here = self.around[candidate as usize];
            }
        }
        found
    }

    /// The scope that a place is in: the innermost symbol around it that is not the one whose name stands at `own`.
    pub(crate) fn scope_at(&self, place: u32, own: Option<u32>) -> Option<u32> {
        let mut here = self.innermost(place);
        while let Some(at) = here {
            let symbol = &self.facts.symbols[at as usize];
            let is_own = own == Some(symbol.name_start);
            // A variable holds no names; what is said in its declaration is said around it.
            let is_scope = symbol.kind != SymbolKind::Value && !is_own;
            if is_scope {
                return Some(at);
            }
            here = self.around[at as usize];
        }
        None
    }

    /// The innermost type around a place.
    pub(crate) fn type_at(&self, place: u32) -> Option<u32> {
        let mut here = self.innermost(place);
        while let Some(at) = here {
            if self.facts.symbols[at as usize].kind.is_type() {
                return Some(at);
            }
            // A method may stand outside of its type.
            if let Some(owner) = self.owners[at as usize]
                && self.symbol(owner).is_some_and(|owner| owner.kind.is_type())
            {
                return Some(owner);
            }
            here = self.around[at as usize];
        }
        None
    }

    /// The type of that name, outside of everything.
    pub(crate) fn type_named(&self, name: &str) -> Option<u32> {
        let name = name.split(['<', '[', '(']).next().unwrap_or(name).trim();
        let is_type = |at: &u32| self.facts.symbols[*at as usize].kind.is_type();
        self.members(None, last_part(name)).iter().copied().find(is_type)
    }

    /// Whether anything of that name may be defined here; no where it is not.
    pub(crate) fn may_define(&self, name: &str) -> bool {
        self.defined.may_have(name)
    }

    /// The members of a symbol, or of the file, with that name, by place.
    pub(crate) fn members(&self, owner: Option<u32>, name: &str) -> &[u32] {
        if !self.may_define(name) {
            return &[];
        }
        let key =
            |at: &u32| (self.owners[*at as usize], self.facts.symbols[*at as usize].name.as_str());
        let start = self.by_owner.partition_point(|at| key(at) < (owner, name));
        let rest = &self.by_owner[start..];
        &rest[..rest.partition_point(|at| key(at) == (owner, name))]
    }

    /// The facts that bind a name in a scope.
    pub(crate) fn bindings(&self, scope: Option<u32>, name: &str) -> &[u32] {
        if !self.bound.may_have(name) {
            return &[];
        }
        // Names are short; a key of borrowed text would need a map of another kind.
        self.bindings.get(&(scope, name.to_owned())).map_or(&[], Vec::as_slice)
    }

    /// The facts that offer a name to other files.
    pub(crate) fn exports(&self, name: &str) -> &[u32] {
        self.exports.get(name).map_or(&[], Vec::as_slice)
    }

    /// The facts that say what an attribute of a type is.
    pub(crate) fn attributes(&self, owner: u32, name: &str) -> &[u32] {
        self.attributes.get(&(owner, name.to_owned())).map_or(&[], Vec::as_slice)
    }

    /// The facts about what a type derives from.
    pub(crate) fn bases_of(&self, owner: u32) -> impl Iterator<Item = u32> {
        let start = self.bases.partition_point(|(of, _)| *of < owner);
        self.bases[start..].iter().take_while(move |(of, _)| *of == owner).map(|(_, fact)| *fact)
    }

    /// What a function says that it gives.
    pub(crate) fn return_type(&self, function: u32) -> Option<&str> {
        let at = self.returns.partition_point(|(of, _)| *of < function);
        let (of, fact) = self.returns.get(at)?;
        let place = self.fact(*fact).from.as_ref()?;
        (*of == function).then(|| self.facts.str(place))
    }

    /// The facts about values that functions give, by function.
    pub(crate) fn gives(&self) -> impl Iterator<Item = (u32, u32)> {
        self.gives.iter().copied()
    }

    /// The facts about values that a function gives.
    pub(crate) fn given_by(&self, function: u32) -> impl Iterator<Item = u32> {
        let start = self.gives.partition_point(|(of, _)| *of < function);
        self.gives[start..].iter().take_while(move |(of, _)| *of == function).map(|(_, at)| *at)
    }

    /// Whether reading the member calls it.
    pub(crate) fn is_property(&self, function: u32) -> bool {
        self.properties.binary_search(&function).is_ok()
    }

    /// What other files can see of this one: as long as it is the same, their edges are.
    pub fn surface(&self) -> u64 {
        let mut hash = Fast64::default();
        let mut add = |text: &str| {
            hash.update(text.as_bytes());
            hash.update(&[0xff]);
        };
        let mut said = String::new();
        add(&self.facts.language);
        for (symbol, owner) in self.facts.symbols.iter().zip(&self.owners) {
            add(&symbol.name);
            add(symbol.container.as_deref().unwrap_or_default());
            let owner = owner.map_or(0, |owner| owner.wrapping_add(1));
            said.clear();
            // Writing to a text cannot fail.
            let _ = write!(said, "{:?} {} {owner}", symbol.kind, symbol.is_public);
            add(&said);
        }
        for fact in self.facts.scopes.iter().filter(|fact| self.is_seen(fact)) {
            said.clear();
            let _ = write!(said, "{:?}", fact.kind);
            add(&said);
            for place in [&fact.name, &fact.from, &fact.alias] {
                add(place.as_ref().map_or("", |place| self.facts.str(place)));
            }
        }
        hash.finish()
    }
}

impl Table {
    /// Whether a fact may matter to other files: what is said inside of a function does not, unless it is about an
    /// attribute or about what the function gives.
    fn is_seen(&self, fact: &ScopeFact) -> bool {
        let places = [&fact.name, &fact.from, &fact.alias];
        let start = places.into_iter().flatten().map(|at| at.start).min().unwrap_or(0);
        let is_attribute = || {
            let name = fact.name.as_ref().map_or("", |name| self.facts.str(name));
            fact.alias.is_some() || name.contains(['.', '>'])
        };
        match fact.kind {
            ScopeKind::Called | ScopeKind::Valued if fact.name.is_none() => true,
            ScopeKind::Local => false,
            ScopeKind::Typed | ScopeKind::Called | ScopeKind::Valued | ScopeKind::Element => {
                let scope = self.scope_at(start, Some(start)).and_then(|scope| self.symbol(scope));
                scope.is_none_or(|scope| !scope.kind.is_callable()) || is_attribute()
            },
            ScopeKind::Import | ScopeKind::ImportDefault | ScopeKind::ImportAll => {
                let scope = self.scope_at(start, None).and_then(|scope| self.symbol(scope));
                scope.is_none_or(|scope| !scope.kind.is_callable())
            },
            ScopeKind::Reexport
            | ScopeKind::ReexportAll
            | ScopeKind::Export
            | ScopeKind::ExportDefault
            | ScopeKind::Extends
            | ScopeKind::Implements
            | ScopeKind::Returns
            | ScopeKind::Package
            | ScopeKind::Property
            | ScopeKind::Module => true,
        }
    }
}

/// The innermost symbol around each.
fn around(symbols: &[SymbolFact]) -> Vec<Option<u32>> {
    let mut open: Vec<u32> = Vec::new();
    let mut around = Vec::with_capacity(symbols.len());
    for (at, symbol) in (0..).zip(symbols) {
        while let Some(last) = open.last() {
            let bytes = &symbols[*last as usize].bytes;
            // Two names of one declaration have the same bytes and stand beside each other.
            if bytes.end >= symbol.bytes.end && *bytes != symbol.bytes {
                break;
            }
            open.pop();
        }
        around.push(open.last().copied());
        open.push(at);
    }
    around
}

/// What each symbol is a member of, and the members of containers that are not in the file.
fn owners(
    symbols: &[SymbolFact],
    around: &[Option<u32>],
) -> (Vec<Option<u32>>, HashMap<String, Vec<u32>>) {
    let mut tops: HashMap<&str, u32> = HashMap::default();
    for (at, symbol) in (0..).zip(symbols).filter(|(_, symbol)| symbol.container.is_none()) {
        let is_type = symbol.kind.is_type();
        let known = tops.entry(symbol.name.as_str()).or_insert(at);
        if is_type && !symbols[*known as usize].kind.is_type() {
            *known = at;
        }
    }
    // A namespace of several parts is known by all of them.
    let mut spaces: HashMap<String, u32> = HashMap::default();
    for (at, symbol) in (0..).zip(symbols).filter(|(_, one)| one.kind == SymbolKind::Module) {
        for separator in ["\\", ".", "::"].iter().filter(|_| symbol.container.is_some()) {
            let container = symbol.container.as_deref().unwrap_or_default();
            spaces.entry([container, separator, &symbol.name].concat()).or_insert(at);
        }
    }
    let mut foreign: HashMap<String, Vec<u32>> = HashMap::default();
    let mut owners = Vec::with_capacity(symbols.len());
    for (at, symbol) in (0..).zip(symbols) {
        let owner = symbol.container.as_deref().and_then(|container| {
            let simple = last_part(container);
            let mut here = around[at as usize];
            while let Some(outer) = here {
                let name = symbols[outer as usize].name.as_str();
                if name == simple || name == container {
                    return Some(outer);
                }
                here = around[outer as usize];
            }
            let space = spaces.get(container).or_else(|| tops.get(container));
            let top = space.or_else(|| tops.get(simple));
            top.copied().filter(|top| *top != at)
        });
        if owner.is_none()
            && let Some(container) = &symbol.container
        {
            foreign.entry(last_part(container).to_owned()).or_default().push(at);
        }
        owners.push(owner.or_else(|| symbol.container.as_ref().map(|_| FOREIGN)));
    }
    (owners, foreign)
}

/// What stands behind the last separator.
pub(crate) fn last_part(path: &str) -> &str {
    path.rsplit(['.', ':', '/', '\\', '#']).next().unwrap_or(path)
}

/// What stands before the first dot.
pub(crate) fn first_part(path: &str) -> &str {
    path.split('.').next().unwrap_or(path)
}
