//! What the item patterns find at a node, and what a wrapper encloses.

use super::ast::Node;
use super::grammar::{Capture, Role, Start};
use super::matching;
use super::reader::{MAX_DEPTH, Reader};
use crate::symbol::SymbolKind;

/// One match of an item pattern. The node may enclose the definition (a decorator, an export).
#[derive(Clone)]
pub(super) struct Found<'tree> {
    pub(super) node: Node<'tree>,
    pub(super) role: Role,
    pub(super) name: Option<Node<'tree>>,
    /// Where the name is written in several places, those after the first.
    pub(super) name_parts: Vec<Node<'tree>>,
    pub(super) members: Option<Node<'tree>>,
    /// Holds definitions that make no chunks.
    pub(super) parts: Option<Node<'tree>>,
    pub(super) body: Option<Node<'tree>>,
    pub(super) purpose: Option<Node<'tree>>,
    /// From the outermost in.
    pub(super) containers: [Option<Node<'tree>>; 2],
    pub(super) doc: Option<Node<'tree>>,
    /// Whether what follows in the same container belongs to it.
    pub(super) holds_rest: bool,
    /// Whether it is one with the definitions of the same name around it.
    pub(super) is_joined: bool,
    /// Whether it counts only where its scope does not have it already.
    pub(super) is_once: bool,
    /// Whether the node defines other names as well.
    pub(super) is_one_of_many: bool,
}

impl<'tree> Found<'tree> {
    pub(super) fn new(node: Node<'tree>, role: Role) -> Self {
        Self {
            node,
            role,
            name: None,
            name_parts: Vec::new(),
            members: None,
            parts: None,
            body: None,
            purpose: None,
            containers: [None; 2],
            doc: None,
            holds_rest: false,
            is_joined: false,
            is_once: false,
            is_one_of_many: false,
        }
    }
}

/// What a declarator of the C family declares: `*names[3]`, `(*handler)(int)`, `&Store::open(int)`.
struct Declared<'tree> {
    name: Node<'tree>,
    is_function: bool,
}

impl<'tree> Declared<'tree> {
    /// Follows the declarators to the name in the middle.
    fn inside(mut node: Node<'tree>) -> Option<Self> {
        let mut is_function = false;
        loop {
            let kind = node.kind();
            if kind == "operator_cast" {
                return Some(Self { name: node, is_function: true });
            }
            let inner = node.child_by_field_name("declarator").or_else(|| {
                let last = node.named_child_count().checked_sub(1)?;
                kind.ends_with("_declarator").then(|| node.named_child(last)).flatten()
            });
            let Some(inner) = inner else { break };
            if kind != "parenthesized_declarator" {
                is_function = kind == "function_declarator";
            }
            node = inner;
        }
        let kind = node.kind();
        let is_name = kind.ends_with("identifier") || kind.ends_with("_name");
        (is_name || kind == "template_function").then_some(Self { name: node, is_function })
    }

    /// A variable may turn out to be a function, and what looks like a constructor a destructor.
    fn refine(&self, role: Role, text: &str) -> Role {
        let name = text.get(self.name.byte_range()).unwrap_or_default();
        match role.kind() {
            Some(SymbolKind::Var | SymbolKind::Field) if self.is_function => {
                Role::Definition(SymbolKind::Function)
            },
            Some(SymbolKind::Constructor) if name.contains('~') || name.contains("operator") => {
                Role::Definition(SymbolKind::Method)
            },
            _ => role,
        }
    }
}

impl<'tree> Reader<'_, '_, 'tree> {
    /// What a wrapper encloses, with the wrapper as its node; a wrapper around no definition is an item.
    pub(super) fn unwrap(&mut self, wrapper: Node<'tree>, found: &mut Vec<Found<'tree>>) {
        let mut around = Some(wrapper);
        for _ in 0..MAX_DEPTH {
            let Some(node) = around.take() else { break };
            self.read.insert(node.id());
            for child in node.named_children() {
                match self.role(child) {
                    Start::Patterns => self.matches(child, found),
                    Start::Role(role) => {
                        found.clear();
                        found.push(Found::new(child, role));
                    },
                    Start::Nothing => continue,
                }
                match found.first().map(|first| first.role) {
                    Some(Role::Definition(_) | Role::Scope) => {
                        for one in found.iter_mut() {
                            one.node = wrapper;
                        }
                        return;
                    },
                    Some(Role::Import) => {
                        found.clear();
                        found.push(Found::new(wrapper, Role::Import));
                        return;
                    },
                    Some(Role::Wrapper) => around = Some(child),
                    _ => {},
                }
            }
        }
        found.clear();
        found.push(Found::new(wrapper, Role::Item));
    }

    /// Matches the item patterns at a node; the first pattern's match comes first.
    ///
    /// A pattern that captures documentation and no item says where the documentation of the others is.
    pub(super) fn matches(&mut self, node: Node<'tree>, found: &mut Vec<Found<'tree>>) {
        self.matches_of(node, self.grammar.items.about(node.kind_id()), found);
    }

    /// Matches some of the item patterns at a node.
    pub(super) fn matches_of(
        &mut self,
        node: Node<'tree>,
        some: &[usize],
        found: &mut Vec<Found<'tree>>,
    ) {
        found.clear();
        let mut patterns: Vec<usize> = Vec::new();
        let mut documentation = None;
        let items = &self.grammar.items;
        let matches = matching::at(node, items, some, self.lines.text, &mut self.search);
        for matched in matches.iter() {
            let mut main = None;
            let mut declarator = None;
            let mut one = Found::new(node, Role::Item);
            for capture in matched.captures {
                match self.grammar.captures[capture.index as usize] {
                    Capture::Main(role) => main = Some((capture.node, role)),
                    Capture::Name if one.name.is_some() => one.name_parts.push(capture.node),
                    Capture::Name => one.name = Some(capture.node),
                    Capture::Declarator => declarator = Some(capture.node),
                    Capture::Members => one.members = Some(capture.node),
                    Capture::Parts => one.parts = Some(capture.node),
                    Capture::Body => one.body = Some(capture.node),
                    Capture::Trait => one.purpose = Some(capture.node),
                    Capture::Container => {
                        let idx = usize::from(one.containers[0].is_some());
                        one.containers[idx] = Some(capture.node);
                    },
                    Capture::Doc => {
                        one.doc = Some(capture.node);
                        self.outline.comments.push(capture.node.byte_range());
                    },
                    Capture::Rest => one.holds_rest = true,
                    Capture::Joined => one.is_joined = true,
                    Capture::Once => one.is_once = true,
                    Capture::Anywhere | Capture::Helper => {},
                }
            }
            if let (Some((_, role)), Some(declarator)) = (&mut main, declarator) {
                let Some(declared) = Declared::inside(declarator) else { continue };
                *role = declared.refine(*role, self.lines.text);
                one.name = Some(declared.name);
            }
            if let Some((node, role)) = main {
                let pattern = matched.pattern_index;
                let at = patterns.partition_point(|other| *other <= pattern);
                patterns.insert(at, pattern);
                found.insert(at, Found { node, role, ..one });
            } else {
                documentation = documentation.or(one.doc);
            }
        }
        let Some(first) = found.first_mut() else { return };
        first.doc = first.doc.or(documentation);
        let name = first.name;
        let is_other = |one: &Found<'_>| one.role.kind().is_some() && one.name != name;
        if found.iter().any(is_other) {
            found.iter_mut().for_each(|one| one.is_one_of_many = true);
        }
    }
}
