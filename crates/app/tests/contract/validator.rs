//! Just enough of JSON Schema to check documents against the schemas that `gik docs schemas` prints.
//!
//! A keyword that is not understood fails the test, so that a schema cannot quietly say more than is checked.

use serde_json::{Map, Value};

/// What is wrong with a document; empty when it is valid.
pub(crate) fn problems(schema: &Value, document: &Value) -> Vec<String> {
    let mut found = Vec::new();
    Validator { root: schema }.check(schema, document, "", &mut found);
    found
}

struct Validator<'s> {
    root: &'s Value,
}

impl Validator<'_> {
    fn check(&self, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
        let Some(schema) = schema.as_object() else {
            if schema == &Value::Bool(false) {
                found.push(format!("{at}: nothing is allowed here"));
            }
            return;
        };
        for (keyword, rule) in schema {
            match keyword.as_str() {
                "$schema" | "$defs" | "title" | "description" | "default" | "format" => {},
                "$ref" => self.check(self.resolve(rule), value, at, found),
                "type" => {
                    if !list(rule).any(|name| has_type(value, name.as_str().unwrap_or_default())) {
                        found.push(format!("{at}: {value} is not of type {rule}"));
                    }
                },
                "enum" if !list(rule).any(|allowed| allowed == value) => {
                    found.push(format!("{at}: {value} is not among {rule}"));
                },
                "const" if rule != value => found.push(format!("{at}: {value} is not {rule}")),
                "minimum" if value.as_f64().is_some_and(|number| Some(number) < rule.as_f64()) => {
                    found.push(format!("{at}: {value} is below {rule}"));
                },
                "maximum" if value.as_f64().is_some_and(|number| Some(number) > rule.as_f64()) => {
                    found.push(format!("{at}: {value} is above {rule}"));
                },
                "required" => {
                    for name in list(rule).filter_map(Value::as_str) {
                        if value.is_object() && value.get(name).is_none() {
                            found.push(format!("{at}: `{name}` is missing"));
                        }
                    }
                },
                "properties" | "additionalProperties" => {},
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(rule, item, &format!("{at}/{index}"), found);
                    }
                },
                "anyOf" | "oneOf" => {
                    let fits = list(rule).any(|one| {
                        let mut problems = Vec::new();
                        self.check(one, value, at, &mut problems);
                        problems.is_empty()
                    });
                    if !fits {
                        found.push(format!("{at}: {value} fits none of the alternatives"));
                    }
                },
                "enum" | "const" | "minimum" | "maximum" => {},
                other => found.push(format!("{at}: the validator does not know `{other}`")),
            }
        }
        self.check_members(schema, value, at, found);
    }

    fn check_members(
        &self,
        schema: &Map<String, Value>,
        value: &Value,
        at: &str,
        found: &mut Vec<String>,
    ) {
        let Some(object) = value.as_object() else { return };
        let properties = schema.get("properties").and_then(Value::as_object);
        for (name, member) in object {
            let rule = properties.and_then(|all| all.get(name));
            if let Some(rule) = rule.or_else(|| schema.get("additionalProperties")) {
                self.check(rule, member, &format!("{at}/{name}"), found);
            }
        }
    }

    fn resolve(&self, reference: &Value) -> &Value {
        let pointer = reference.as_str().and_then(|text| text.strip_prefix('#'));
        pointer
            .and_then(|pointer| self.root.pointer(pointer))
            .expect("the reference leads somewhere")
    }
}

/// The members of a list, or the value itself.
fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice).iter()
}

fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        _ => false,
    }
}

#[test]
fn mistakes_are_found_at_their_place() {
    let schema = serde_json::json!({
        "type": "object",
        "required": ["id"],
        "properties": {"id": {"type": "string"}, "tags": {"type": "array", "items": {"$ref": "#/$defs/tag"}}},
        "$defs": {"tag": {"enum": ["a", "b"]}},
    });
    let document = serde_json::json!({"id": "x", "tags": ["a", "c"], "more": 1});
    assert_eq!(problems(&schema, &document), [r#"/tags/1: "c" is not among ["a","b"]"#]);
    assert_eq!(problems(&schema, &serde_json::json!({"tags": []})), [": `id` is missing"]);
}
