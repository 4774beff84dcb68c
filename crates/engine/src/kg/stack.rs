//! Dependencies and services of the stack inventory, as nodes of `kg/`.

use std::collections::{BTreeMap, BTreeSet};

use gik_contract::{Extra, KgEdgeKind, KgNodeKind, StackDependencyEntry, StackTechEntry};
use gik_ledger::jsonl;
use gik_stack::Inventory;

use super::bodies::{Known, NodeBody, NodeProps};
use super::gathered::{Gathered, Key};
use super::ids;
use crate::Workspace;

/// What the inventory says.
#[derive(Debug, Default)]
pub(crate) struct Stack {
    dependencies: Vec<StackDependencyEntry>,
    tech: Vec<StackTechEntry>,
}

impl Stack {
    /// From an inventory that was just made.
    pub(crate) fn of(inventory: &Inventory) -> Self {
        Self { dependencies: inventory.dependencies.clone(), tech: inventory.tech.clone() }
    }

    /// From the files of the branch; what cannot be read is not there.
    pub(crate) fn read(ws: &Workspace<'_>) -> Self {
        let dir = ws.branch.stack_dir();
        Self {
            dependencies: jsonl::read_lines(&dir.join("dependencies.jsonl")).unwrap_or_default(),
            tech: jsonl::read_lines(&dir.join("tech.jsonl")).unwrap_or_default(),
        }
    }

    /// Names of all packages that the project depends on.
    pub(crate) fn packages(&self) -> BTreeSet<String> {
        self.dependencies.iter().map(|dependency| dependency.name.clone()).collect()
    }

    /// What a manifest depends on.
    pub(crate) fn of_manifest(&self, path: &str, edges: &mut Gathered<'_>) {
        for dependency in self.dependencies.iter().filter(|it| it.manifest_path == path) {
            let key = Key {
                from: ids::file_id(path),
                to: dependency_id(dependency).into(),
                kind: KgEdgeKind::DependsOn,
            };
            edges.add(key, Known::of_text("syntax", 100, None));
        }
    }

    /// All dependencies and services, sorted by id.
    pub(crate) fn nodes(&self) -> Vec<NodeBody<'static>> {
        let mut nodes: BTreeMap<String, (KgNodeKind, &str, Extra)> = BTreeMap::new();
        for dependency in &self.dependencies {
            let node = nodes.entry(dependency_id(dependency)).or_insert_with(|| {
                let mut props = Extra::new();
                props.insert("manager".to_owned(), dependency.manager.as_str().into());
                props.insert("version".to_owned(), dependency.version.as_str().into());
                props.insert("scope".to_owned(), dependency.scope.as_str().into());
                (KgNodeKind::Dependency, &dependency.name, props)
            });
            // One that is needed to run is more than one that is needed to build.
            if dependency.scope == "runtime" {
                node.2.insert("scope".to_owned(), "runtime".into());
            }
        }
        for tech in self.tech.iter().filter(|tech| tech.kind == "service") {
            let id = format!("service:{}", tech.name);
            let mut props = Extra::new();
            props.insert("source".to_owned(), tech.source.as_str().into());
            props.insert("confidence".to_owned(), tech.confidence.into());
            nodes.insert(id, (KgNodeKind::Service, &tech.name, props));
        }
        let body = |(id, (kind, label, props)): (String, (KgNodeKind, &str, Extra))| NodeBody {
            id: id.into(),
            kind,
            label: label.to_owned(),
            props: NodeProps::Other(props),
        };
        nodes.into_iter().map(body).collect()
    }
}

fn dependency_id(dependency: &StackDependencyEntry) -> String {
    format!("dependency:{}:{}", dependency.manager, dependency.name)
}
