//! Prompts that a person picks in the client. Their words are in `prompts/`.

use rmcp::ErrorData;
use rmcp::model::{GetPromptResult, Prompt, PromptArgument, PromptMessage, Role};
use serde_json::{Map, Value};

/// One prompt.
struct Words {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    /// Name, meaning, and whether it must be given.
    arguments: &'static [(&'static str, &'static str, bool)],
    text: &'static str,
}

const PROMPTS: &[Words] = &[
    Words {
        name: "onboard",
        title: "Get to know this project",
        description: "What it is, how it is built, where to begin",
        arguments: &[("focus", "What to look at more closely", false)],
        text: include_str!("prompts/onboard.md"),
    },
    Words {
        name: "review",
        title: "Review a change",
        description: "What a change touches, what it may break, what is missing",
        arguments: &[("change", "What changed: a diff, files, or words about it", true)],
        text: include_str!("prompts/review.md"),
    },
    Words {
        name: "explain",
        title: "Explain something",
        description: "How it works, with places in the files",
        arguments: &[("subject", "A symbol, a file or a question", true)],
        text: include_str!("prompts/explain.md"),
    },
    Words {
        name: "fix",
        title: "Fix a problem",
        description: "From a message or symptom to the smallest change",
        arguments: &[("problem", "The message, the failing test or the symptom", true)],
        text: include_str!("prompts/fix.md"),
    },
];

/// No argument of a prompt is longer.
const LONGEST: usize = 100_000;

/// All of them.
pub(super) fn all() -> Vec<Prompt> {
    let described = |words: &Words| {
        let arguments = words.arguments.iter().map(|(name, meaning, required)| {
            PromptArgument::new(*name).with_description(*meaning).with_required(*required)
        });
        Prompt::new(words.name, Some(words.description), Some(arguments.collect()))
            .with_title(words.title)
    };
    PROMPTS.iter().map(described).collect()
}

/// One of them, with what was given.
pub(super) fn get(
    name: &str,
    arguments: &Map<String, Value>,
) -> Result<GetPromptResult, ErrorData> {
    let words = PROMPTS.iter().find(|words| words.name == name).ok_or_else(|| {
        let name: String = name.chars().take(64).collect();
        ErrorData::invalid_params(format!("there is no prompt `{name}`"), None)
    })?;
    let mut text = words.text.to_owned();
    for (argument, _, required) in words.arguments {
        let given = arguments.get(*argument).and_then(Value::as_str).unwrap_or_default();
        if *required && given.trim().is_empty() {
            return Err(ErrorData::invalid_params(format!("`{argument}` is missing"), None));
        }
        if given.len() > LONGEST {
            return Err(ErrorData::invalid_params(format!("`{argument}` is too long"), None));
        }
        let given = if given.trim().is_empty() { "(nothing in particular)" } else { given };
        text = text.replace(&format!("{{{argument}}}"), given);
    }
    let mut result = GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]);
    result.description = Some(words.description.to_owned());
    Ok(result)
}
