//! Thousands of calls with whatever arguments: no answer is longer than it may be, and none breaks anything.

use gik_testkit::Rng;
use serde_json::{Map, Value, json};

use super::Mcp;
use crate::cli::{gik, project};

/// `GIK_TEST_CALLS` asks for more of them than the tests have time for.
fn calls() -> usize {
    std::env::var("GIK_TEST_CALLS").ok().and_then(|calls| calls.parse().ok()).unwrap_or(2_000)
}

const WORDS: &[&str] = &[
    "greeting",
    "farewell",
    "marmalade",
    "+hello",
    "\"of day\"",
    "-note",
    "path:src",
    "re:/f.*l/",
    "src/text.rs",
    "src/main.rs:3",
    "**/*.rs",
    "*",
    "",
    "é😀",
    "function",
    "rust",
    "..",
    "HEAD",
    "code",
    "kind:function tag:x",
    "\u{0}",
    "a b c d e f g",
];

#[test]
fn no_answer_is_longer_than_its_limit() {
    let tree = project();
    for n in 0..40 {
        let text = format!("# Note {n}\n\n{}\n", "The marmalade of day and night. ".repeat(n * 5));
        tree.write(&format!("notes/n{n:02}.md"), text);
    }
    gik(&tree).run(&["index"]).success();
    let seed = 7;
    let mut rng = Rng::new(seed);
    let mut mcp = Mcp::start(&tree, &["--profile", "full", "--read-only"]);
    let tools = mcp.request("tools/list", json!({}))["result"]["tools"].clone();
    // They look at everything there is, every time.
    let slow = ["verify", "doctor", "model_verify"];
    let tools: Vec<Value> = tools
        .as_array()
        .unwrap()
        .iter()
        .filter(|it| !slow.contains(&it["name"].as_str().unwrap()))
        .cloned()
        .collect();
    let (mut answered, mut failed) = (0, 0);
    let calls = calls();
    for n in 0..calls {
        let tool = rng.pick(&tools).clone();
        let (arguments, most) = arguments(&tool["inputSchema"], &mut rng);
        let name = tool["name"].as_str().unwrap();
        let result = mcp.call(name, Value::Object(arguments.clone()));
        let said = format!("seed {seed}, call {n}: {name} {}", json!(arguments));
        let data = result["structuredContent"].to_string().len();
        assert!(data <= most, "{said}: {data} bytes of data, {most} allowed");
        // Notes and the way to the rest come on top.
        let text = result["content"][0]["text"].as_str().unwrap().len();
        assert!(text <= most + 2_000, "{said}: {text} bytes of text");
        assert_ne!(
            result["structuredContent"]["error"]["code"], "internal-error",
            "{said}: {result}"
        );
        assert_ne!(result["structuredContent"]["error"], "internal_error", "{said}: {result}");
        if result["isError"] == true { failed += 1 } else { answered += 1 }
    }
    assert!(answered > calls / 5 && failed > calls / 50, "{answered} answered, {failed} failed");
}

/// Arguments that fit the schema, mostly, and how many bytes they allow.
fn arguments(schema: &Value, rng: &mut Rng) -> (Map<String, Value>, usize) {
    let mut given = Map::new();
    let mut most = 8_000 * 4;
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    for (name, property) in schema["properties"].as_object().unwrap() {
        let is_required = required.contains(&json!(name));
        if (is_required && !rng.one_in(30)) || rng.one_in(4) {
            let value = value(property, rng);
            if name == "maxTokens"
                && let Some(tokens) = value.as_u64()
            {
                most = usize::try_from(tokens).unwrap() * 4;
            }
            given.insert(name.clone(), value);
        }
    }
    // A call that is refused has the usual limit.
    (given, most.max(2_000))
}

fn value(property: &Value, rng: &mut Rng) -> Value {
    if rng.one_in(40) {
        return rng
            .pick(&[json!(null), json!(-1), json!("x"), json!([]), json!({}), json!(1.5)])
            .clone();
    }
    if let Some(words) = property["enum"].as_array() {
        return rng.pick(words).clone();
    }
    match property["type"].as_str().unwrap() {
        "boolean" => json!(rng.one_in(2)),
        "integer" => {
            let least = property["minimum"].as_u64().unwrap_or(0);
            let most = property["maximum"].as_u64().unwrap_or(1000).min(60_000);
            json!(least + rng.below(most - least + 1))
        },
        "number" => json!(0.5),
        "array" => (0..rng.below(3)).map(|_| value(&property["items"], rng)).collect(),
        _ => json!(*rng.pick(WORDS)),
    }
}
