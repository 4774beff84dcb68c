//! A tool as programs see it: a name, words about it, schemas, hints. MCP, HTTP and the local model are told this.

use std::sync::Arc;

use gik_base::Result;
use serde_json::{Map, Value};

use crate::arguments::check;
use crate::tools::{FEW, TOOLS};
use crate::{Answer, Audience, Context, Effect, Tool};

/// How many tools are offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// The few that do most of the work: every tool that is offered costs its reader tokens.
    Few,
    /// All that are for programs.
    Full,
}

impl Profile {
    /// The words for the profiles.
    pub const NAMES: [&'static str; 2] = ["few", "full"];

    /// The profile of that name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "few" => Some(Self::Few),
            "full" => Some(Self::Full),
            _ => None,
        }
    }
}

/// A tool as programs see it.
#[derive(Debug, Clone)]
pub struct Declaration {
    /// The row of the table.
    pub tool: &'static Tool,
    /// The name by which it is called.
    pub name: String,
    /// One line about it.
    pub title: String,
    /// All there is to know before it is used.
    pub description: String,
    /// The schema of its arguments.
    pub input: Arc<Map<String, Value>>,
    /// The schema of its answer.
    pub output: Arc<Map<String, Value>>,
}

impl Declaration {
    fn of(tool: &'static Tool) -> Self {
        let command = tool.command();
        let text = |styled: Option<&clap::builder::StyledStr>| {
            styled.map(ToString::to_string).unwrap_or_default()
        };
        let title = text(command.get_about());
        let long = text(command.get_long_about());
        let description = if long.is_empty() { format!("{title}.") } else { long };
        let mut output = tool.output_schema().to_value();
        forget_widths(&mut output);
        let output = output.as_object().cloned().unwrap_or_default();
        Self {
            tool,
            name: tool.wire_name(),
            title,
            description: description.split_whitespace().collect::<Vec<_>>().join(" "),
            input: Arc::new(tool.input_schema()),
            output: Arc::new(output),
        }
    }

    /// Whether it changes nothing but the derived index.
    pub fn is_read_only(&self) -> bool {
        self.tool.effect == Effect::Reads
    }

    /// Whether it makes an index where there is none, and so should not be waited for.
    pub fn makes_index(&self) -> bool {
        let properties = self.input.get("properties");
        properties.is_some_and(|it| it.get("noInit").is_some())
    }

    /// Runs the tool with arguments that fit its schema.
    pub fn call(
        &self,
        ctx: &Context<'_>,
        arguments: Map<String, Value>,
    ) -> Result<Box<dyn Answer>> {
        check(&self.input, &arguments)?;
        self.tool.run_json(ctx, Value::Object(arguments))
    }
}

/// Takes away how many bits a number has: clients warn of formats that they do not know.
fn forget_widths(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            let is_number = object.get("format").and_then(Value::as_str).is_some_and(|format| {
                ["int", "uint", "float", "double"].iter().any(|known| format.starts_with(known))
            });
            if is_number {
                object.remove("format");
            }
            object.values_mut().for_each(forget_widths);
        },
        Value::Array(items) => items.iter_mut().for_each(forget_widths),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {},
    }
}

/// The tools of a profile: the few in the order of their list, then the others in the order of the table.
pub fn declarations(profile: Profile) -> Vec<Declaration> {
    let mut tools: Vec<&'static Tool> = FEW
        .iter()
        .filter_map(|name| TOOLS.iter().copied().find(|tool| tool.wire_name() == *name))
        .collect();
    if profile == Profile::Full {
        let others = TOOLS.iter().copied().filter(|tool| tool.audience == Audience::Everyone);
        let others: Vec<_> =
            others.filter(|tool| !FEW.contains(&tool.wire_name().as_str())).collect();
        tools.extend(others);
    }
    tools.into_iter().map(Declaration::of).collect()
}

#[cfg(test)]
mod tests;
