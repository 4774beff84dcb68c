//! `kg/`: the knowledge graph as other programs read it, and the parts of it that an answer brings.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Extra, Timestamp};

/// The version that `kg/stats.json` names.
pub const KG_VERSION: &str = "kg-v1";

/// One line of `kg/nodes.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KgNode {
    /// Unique: `file:<path>`, `sym:<language>:<path>:<kind>:<name>[#<n>]`, `endpoint:<route>`, …
    pub id: String,
    /// What it is.
    pub kind: KgNodeKind,
    /// What people read.
    pub label: String,
    /// What else is known.
    #[serde(default)]
    pub props: Extra,
    /// The branch, where the node is of one branch alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// When a revision first had it.
    pub created_at: Timestamp,
    /// When a revision last changed it.
    pub updated_at: Timestamp,
}

/// What a [`KgNode`] is.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum KgNodeKind {
    File,
    Module,
    Function,
    Class,
    Struct,
    Trait,
    Concept,
    Dependency,
    Service,
    Endpoint,
    ReactComponent,
    UiComponent,
    NgComponent,
    NgModule,
    NgService,
    NgRoute,
    StyleClass,
    StyleId,
    CssVariable,
    TailwindDirective,
    HtmlTemplate,
    HtmlSection,
    HtmlAnchor,
}

impl KgNodeKind {
    /// The name in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Module => "module",
            Self::Function => "function",
            Self::Class => "class",
            Self::Struct => "struct",
            Self::Trait => "trait",
            Self::Concept => "concept",
            Self::Dependency => "dependency",
            Self::Service => "service",
            Self::Endpoint => "endpoint",
            Self::ReactComponent => "reactComponent",
            Self::UiComponent => "uiComponent",
            Self::NgComponent => "ngComponent",
            Self::NgModule => "ngModule",
            Self::NgService => "ngService",
            Self::NgRoute => "ngRoute",
            Self::StyleClass => "styleClass",
            Self::StyleId => "styleId",
            Self::CssVariable => "cssVariable",
            Self::TailwindDirective => "tailwindDirective",
            Self::HtmlTemplate => "htmlTemplate",
            Self::HtmlSection => "htmlSection",
            Self::HtmlAnchor => "htmlAnchor",
        }
    }
}

/// One line of `kg/edges.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KgEdge {
    /// Unique: `edge:<hash>:<kind>`.
    pub id: String,
    /// Id of the node that names the other one.
    pub from: String,
    /// Id of the node that is named.
    pub to: String,
    /// What connects them.
    pub kind: KgEdgeKind,
    /// How it is known: `confidence`, `provenance`, `candidates`, `count`, `evidence`.
    #[serde(default)]
    pub props: Extra,
    /// The branch, where the edge is of one branch alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// When a revision first had it.
    pub created_at: Timestamp,
    /// When a revision last changed it.
    pub updated_at: Timestamp,
}

/// What a [`KgEdge`] says.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum KgEdgeKind {
    DependsOn,
    Calls,
    Contains,
    Imports,
    Extends,
    Implements,
    Uses,
    OwnedBy,
    RelatedTo,
    DefinesEndpoint,
    Defines,
    UsesClass,
    UsesUiComponent,
    BelongsToModule,
}

impl KgEdgeKind {
    /// The name in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::DependsOn => "dependsOn",
            Self::Calls => "calls",
            Self::Contains => "contains",
            Self::Imports => "imports",
            Self::Extends => "extends",
            Self::Implements => "implements",
            Self::Uses => "uses",
            Self::OwnedBy => "ownedBy",
            Self::RelatedTo => "relatedTo",
            Self::DefinesEndpoint => "definesEndpoint",
            Self::Defines => "defines",
            Self::UsesClass => "usesClass",
            Self::UsesUiComponent => "usesUiComponent",
            Self::BelongsToModule => "belongsToModule",
        }
    }
}

/// `kg/stats.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KgStats {
    /// Lines of `nodes.jsonl`.
    pub node_count: u64,
    /// Lines of `edges.jsonl`.
    pub edge_count: u64,
    /// The time of the revision that last changed one of them.
    pub last_updated: Timestamp,
    /// The version of the format.
    pub version: String,
}

/// A part of the knowledge graph in an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AskKgResult {
    /// Why it is there: `matched RAG chunk: src/api/client.rs`.
    pub reason: String,
    /// The nodes it was made around.
    pub root_node_ids: Vec<String>,
    /// These and what is near them.
    pub nodes: Vec<KgNode>,
    /// What connects them.
    pub edges: Vec<KgEdge>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_are_written() {
        for kind in [KgNodeKind::File, KgNodeKind::NgModule, KgNodeKind::TailwindDirective] {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
        }
        for kind in [KgEdgeKind::DependsOn, KgEdgeKind::UsesUiComponent, KgEdgeKind::Calls] {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
        }
    }
}
