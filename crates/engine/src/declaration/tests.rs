//! Are declarations such that every client takes them?

use gik_base::ErrorCode;
use serde_json::{Map, Value, json};

use super::{Profile, declarations};
use crate::arguments::check;
use crate::tools::FEW;

#[test]
fn every_name_of_the_short_list_is_a_tool() {
    let names: Vec<String> = declarations(Profile::Few).into_iter().map(|it| it.name).collect();
    assert_eq!(names, FEW);
}

#[test]
fn names_are_such_as_every_client_takes() {
    let mut seen = std::collections::BTreeSet::new();
    for tool in declarations(Profile::Full) {
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        assert!(tool.name.chars().all(is_plain) && tool.name.len() <= 64, "{}", tool.name);
        assert!(!tool.title.is_empty() && !tool.title.ends_with('.'), "{}", tool.name);
        assert!(seen.insert(tool.name.clone()), "{} twice", tool.name);
    }
}

#[test]
fn arguments_have_neither_unions_nor_references() {
    fn walk(name: &str, value: &Value) {
        match value {
            Value::Object(object) => {
                for (key, inner) in object {
                    assert!(
                        !["anyOf", "oneOf", "allOf", "$ref", "$defs"].contains(&key.as_str()),
                        "{name}: {key}"
                    );
                    assert!(
                        key != "type" || inner.is_string() || inner.is_object(),
                        "{name}: {inner}"
                    );
                    walk(name, inner);
                }
            },
            Value::Array(items) => items.iter().for_each(|item| walk(name, item)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {},
        }
    }
    for tool in declarations(Profile::Full) {
        assert_eq!(tool.input["additionalProperties"], json!(false), "{}", tool.name);
        let properties = tool.input["properties"].as_object().unwrap();
        let letters = |name: &str| name.replace('_', "").to_lowercase();
        for positional in tool.tool.command().get_positionals() {
            let id = positional.get_id().as_str();
            let is_there = properties.keys().any(|name| letters(name) == letters(id));
            assert!(is_there, "{}: {id} is lost", tool.name);
        }
        for (property, schema) in properties {
            assert!(schema["type"].is_string(), "{}: {property} {schema}", tool.name);
            assert!(schema["description"].is_string(), "{}: {property}", tool.name);
            walk(&tool.name, schema);
        }
    }
}

#[test]
fn what_does_not_fit_is_named_with_what_would() {
    let search = declarations(Profile::Few).into_iter().find(|it| it.name == "search").unwrap();
    let refused = |arguments: Value| {
        let Value::Object(arguments) = arguments else { unreachable!() };
        let failure = check(&search.input, &arguments).unwrap_err();
        assert_eq!(failure.code(), ErrorCode::ArgumentInvalid);
        format!("{failure} {}", failure.hints().join(" "))
    };
    assert_eq!(
        refused(json!({"query": "x", "limt": 1})),
        "there is no argument `limt` did you mean `limit`?"
    );
    assert_eq!(refused(json!({"query": 1})), "`query` must be a string ");
    assert_eq!(refused(json!({"query": "x", "limit": 0})), "`limit` must be at least 1 ");
    assert_eq!(refused(json!({"query": "x", "limit": 2000})), "`limit` must be at most 1000 ");
    assert_eq!(
        refused(json!({"query": "x", "mode": "all of it"})),
        "`mode` must be one of code, prose, extracted-prose, records, all "
    );
    assert_eq!(refused(json!({"query": "x", "bases": ["code", 1]})), "`bases` must be a string ");
    assert!(check(&search.input, &Map::new()).is_ok(), "conditions alone are a query");
}
