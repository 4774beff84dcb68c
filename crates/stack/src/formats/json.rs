//! JSON objects. Strict: the package managers that read these files refuse comments too.

use serde_json::{Map, Value};

/// The top-level object. Nesting is limited by the parser.
pub(crate) fn object(text: &str) -> Result<Map<String, Value>, String> {
    match serde_json::from_str(text) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(_) => Err("the top level is not an object".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// The texts of an object under `key`; values that are not texts become `*`.
pub(crate) fn string_map<'a>(
    object: &'a Map<String, Value>,
    key: &str,
) -> impl Iterator<Item = (&'a str, &'a str)> {
    object
        .get(key)
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .map(|(name, value)| (name.as_str(), value.as_str().unwrap_or("*")))
}
