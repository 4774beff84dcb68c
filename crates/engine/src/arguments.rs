//! The arguments of a tool as data: a schema that every client understands, and a check against it.
//!
//! Clients of language models refuse or misread unions, references and `null`, so there are none: an optional argument
//! is one that is not required, and an enumeration is a list of words.

use clap::Command;
use gik_base::{ErrorCode, Failure, Result};
use serde_json::{Map, Value, json};

use crate::settings::nearest;

/// The schema of arguments: one object of plain properties, closed against others.
pub(crate) fn plain_schema(schema: Value, command: &Command) -> Map<String, Value> {
    let definitions = schema.get("$defs").cloned().unwrap_or_default();
    // Arguments that several tools share are a reference as a whole.
    let whole = schema.as_object().cloned().unwrap_or_default();
    let whole = referred(whole, &definitions);
    let properties: Map<String, Value> = match whole.get("properties") {
        Some(Value::Object(properties)) => properties
            .iter()
            .map(|(name, property)| (name.clone(), plain(property, &definitions)))
            .collect(),
        _ => Map::new(),
    };
    let required: Vec<&String> = properties
        .keys()
        .filter(|name| {
            command.get_arguments().any(|argument| {
                argument.is_required_set() && is_same_name(argument.get_id().as_str(), name)
            })
        })
        .collect();
    let required = json!(required);
    let mut plain = Map::new();
    plain.insert("type".to_owned(), json!("object"));
    plain.insert("properties".to_owned(), Value::Object(properties));
    plain.insert("required".to_owned(), required);
    plain.insert("additionalProperties".to_owned(), json!(false));
    plain
}

/// Whether `start_line` and `startLine` are meant to be the same.
fn is_same_name(snake: &str, other: &str) -> bool {
    let letters = |text: &str| text.replace('_', "").to_lowercase();
    letters(snake) == letters(other)
}

/// A property without references, unions and `null`.
fn plain(schema: &Value, definitions: &Value) -> Value {
    let Value::Object(given) = schema else { return json!({}) };
    let mut given = referred(given.clone(), definitions);
    for union in ["anyOf", "oneOf"] {
        let Some(Value::Array(variants)) = given.remove(union) else { continue };
        let words: Option<Vec<&Value>> = variants.iter().map(|it| it.get("const")).collect();
        match words {
            Some(words) => {
                given.insert("type".to_owned(), json!("string"));
                given.insert("enum".to_owned(), json!(words));
            },
            None => {
                let is_null = |it: &&Value| it.get("type") == Some(&json!("null"));
                let variant = variants.iter().find(|it| !is_null(it));
                let resolved = variant.map(|it| plain(it, definitions));
                given = merged(resolved.as_ref(), given);
            },
        }
    }
    let mut kept = Map::new();
    for (key, value) in given {
        let value = match (key.as_str(), value) {
            ("type", Value::Array(types)) => {
                types.into_iter().find(|it| it != "null").unwrap_or_default()
            },
            ("items", items) => plain(&items, definitions),
            ("properties", Value::Object(inner)) => inner
                .into_iter()
                .map(|(name, property)| (name, plain(&property, definitions)))
                .collect(),
            ("enum", Value::Array(words)) => {
                words.into_iter().filter(|word| !word.is_null()).collect()
            },
            ("description", Value::String(text)) => json!(one_line(&text)),
            ("format" | "title" | "default" | "$schema", _) => continue,
            (_, value) => value,
        };
        kept.insert(key, value);
    }
    Value::Object(kept)
}

/// A schema with what it refers to in the reference's place.
fn referred(mut given: Map<String, Value>, definitions: &Value) -> Map<String, Value> {
    let Some(Value::String(reference)) = given.remove("$ref") else { return given };
    let name = reference.rsplit('/').next().unwrap_or_default();
    merged(definitions.get(name), given)
}

/// What a reference stands for, under what is said beside it.
fn merged(definition: Option<&Value>, beside: Map<String, Value>) -> Map<String, Value> {
    let mut whole = definition.and_then(Value::as_object).cloned().unwrap_or_default();
    whole.extend(beside);
    whole
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Fails with the name of the argument that does not fit, and how it should be.
pub fn check(schema: &Map<String, Value>, arguments: &Map<String, Value>) -> Result<()> {
    let none = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
    for (name, value) in arguments {
        let Some(property) = properties.get(name) else {
            let known = properties.keys().map(String::as_str);
            let failure = invalid(format!("there is no argument `{name}`"));
            return Err(match nearest(name, known.clone()) {
                Some(near) => failure.hint(format!("did you mean `{near}`?")),
                None if properties.is_empty() => failure.hint("this tool takes no arguments"),
                None => failure.hint(format!(
                    "the arguments are {}",
                    known.map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ")
                )),
            });
        };
        check_value(name, property, value)?;
    }
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    for name in required.filter_map(Value::as_str) {
        if !arguments.contains_key(name) {
            return Err(invalid(format!("the argument `{name}` is missing")));
        }
    }
    Ok(())
}

fn check_value(name: &str, schema: &Value, value: &Value) -> Result<()> {
    let wanted = schema.get("type").and_then(Value::as_str).unwrap_or_default();
    let fits = match wanted {
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => true,
    };
    if !fits {
        let article = if matches!(wanted, "integer" | "array" | "object") { "an" } else { "a" };
        return Err(invalid(format!("`{name}` must be {article} {wanted}")));
    }
    if let Some(words) = schema.get("enum").and_then(Value::as_array)
        && !words.contains(value)
    {
        let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
        return Err(invalid(format!("`{name}` must be one of {}", words.join(", "))));
    }
    let number = value.as_f64();
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    if let (Some(number), Some(least)) = (number, bound("minimum"))
        && number < least
    {
        return Err(invalid(format!("`{name}` must be at least {least}")));
    }
    if let (Some(number), Some(most)) = (number, bound("maximum"))
        && number > most
    {
        return Err(invalid(format!("`{name}` must be at most {most}")));
    }
    if let (Some(text), Some(most)) = (value.as_str(), bound("maxLength"))
        && text.chars().count() as f64 > most
    {
        return Err(invalid(format!("`{name}` has more than {most} characters")));
    }
    if let (Some(object), Some(schema)) = (value.as_object(), schema.as_object())
        && schema.contains_key("properties")
    {
        check(schema, object)?;
    }
    if let (Some(items), Some(schema)) = (value.as_array(), schema.get("items")) {
        for item in items {
            check_value(name, schema, item)?;
        }
    }
    Ok(())
}

fn invalid(message: String) -> Failure {
    Failure::new(ErrorCode::ArgumentInvalid, message)
}
