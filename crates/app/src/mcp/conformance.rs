//! What the official conformance suite expects a server to have: fixed tools, resources and prompts of its own names.
//! Offered only with a hidden flag; the content is in `conformance.json`.

use std::sync::Arc;
use std::time::Duration;

use rmcp::ErrorData;
use rmcp::RoleServer;
use rmcp::model::{
    CallToolResult, GetPromptResult, ProgressNotificationParam, ProgressToken, Prompt,
    PromptArgument, ReadResourceResult, Resource, ResourceContents, ResourceTemplate, Tool,
};
use rmcp::service::Peer;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// What the suite expects.
#[derive(Debug, Clone)]
pub(crate) struct Fixture(Arc<Value>);

impl Fixture {
    /// Reads it.
    pub(crate) fn new() -> Option<Self> {
        let content = serde_json::from_str(include_str!("conformance.json")).ok()?;
        Some(Self(Arc::new(content)))
    }

    fn names(&self, kind: &str) -> Vec<&String> {
        self.0[kind].as_object().map(|all| all.keys().collect()).unwrap_or_default()
    }

    pub(super) fn tools(&self) -> Vec<Tool> {
        let open = || json!({"type": "object", "properties": {}});
        let described = |name: &&String| {
            let schema = self.0["schemas"].get(name.as_str()).cloned().unwrap_or_else(open);
            let schema = schema.as_object().cloned().unwrap_or_default();
            Tool::new((*name).clone(), "For the conformance suite", schema)
        };
        self.names("tools").iter().map(described).collect()
    }

    /// The result of one of its tools.
    pub(super) async fn call(
        &self,
        name: &str,
        token: Option<ProgressToken>,
        peer: &Peer<RoleServer>,
    ) -> Option<CallToolResult> {
        let result = self.0["tools"].get(name)?;
        if let Some(token) = token.filter(|_| name == "test_tool_with_progress") {
            for done in [0.0, 50.0, 100.0] {
                let told = ProgressNotificationParam::new(token.clone(), done).with_total(100.0);
                drop(peer.notify_progress(told).await);
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
        read(result)
    }

    pub(super) fn resources(&self) -> Vec<Resource> {
        let named = |uri: &&String| Resource::new((*uri).clone(), (*uri).clone());
        self.names("resources").iter().map(named).collect()
    }

    pub(super) fn templates() -> Vec<ResourceTemplate> {
        vec![ResourceTemplate::new("test://template/{id}/data", "template")]
    }

    pub(super) fn read(&self, uri: &str) -> Option<ReadResourceResult> {
        if let Some(content) = self.0["resources"].get(uri) {
            return Some(ReadResourceResult::new(vec![read(content)?]));
        }
        let id = uri.strip_prefix("test://template/")?.strip_suffix("/data")?;
        let text = json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")});
        let content = ResourceContents::text(text.to_string(), uri);
        Some(ReadResourceResult::new(vec![content.with_mime_type("application/json")]))
    }

    pub(super) fn prompts(&self) -> Vec<Prompt> {
        let described = |name: &&String| {
            let arguments: Vec<String> =
                read(&self.0["arguments"][name.as_str()]).unwrap_or_default();
            let arguments =
                arguments.into_iter().map(|it| PromptArgument::new(it).with_required(true));
            Prompt::new(name.as_str(), Some("For the conformance suite"), Some(arguments.collect()))
        };
        self.names("prompts").iter().map(described).collect()
    }

    pub(super) fn prompt(
        &self,
        name: &str,
        arguments: &Map<String, Value>,
    ) -> Option<Result<GetPromptResult, ErrorData>> {
        let mut text = self.0["prompts"].get(name)?.to_string();
        for (argument, value) in arguments {
            let value = value.as_str().unwrap_or_default().replace(['"', '\\'], "");
            text = text.replace(&format!("{{{argument}}}"), &value);
        }
        let prompt = serde_json::from_str(&text);
        Some(prompt.map_err(|error| ErrorData::internal_error(error.to_string(), None)))
    }
}

fn read<T: DeserializeOwned>(value: &Value) -> Option<T> {
    serde_json::from_value(value.clone()).ok()
}
