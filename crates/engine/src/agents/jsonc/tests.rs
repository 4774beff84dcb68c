//! Members are put in and taken out, and nothing else changes.

use gik_testkit::Rng;
use serde_json::json;

use super::*;

fn entry() -> Value {
    json!({"command": "gik", "args": ["mcp"]})
}

fn put(text: &str, keys: &[&str]) -> (String, Insertion) {
    let insertion = insertion(text, keys, "gik", &entry()).unwrap();
    let mut after = text.to_owned();
    after.insert_str(insertion.at, &insertion.text);
    (after, insertion)
}

#[test]
fn a_member_stands_before_the_others_in_their_layout() {
    let text = "{\n\t// servers\n\t\"mcpServers\": { // mine\n\t\t// b\n\t\t\"b\": {\"command\": \"b\"},\n\t},\n}\n";
    let (after, _) = put(text, &["mcpServers"]);
    assert_eq!(
        after,
        "{\n\t// servers\n\t\"mcpServers\": { // mine\n\t\t\"gik\": {\n\t\t\t\"command\": \"gik\",\n\t\t\t\"args\": [\n\t\t\t\t\"mcp\"\n\t\t\t]\n\t\t},\n\t\t// b\n\t\t\"b\": {\"command\": \"b\"},\n\t},\n}\n"
    );
}

#[test]
fn one_line_stays_one_line_and_an_empty_object_opens() {
    let (after, _) = put("{\"mcp\":{\"b\":1}}", &["mcp"]);
    assert_eq!(after, "{\"mcp\":{\"gik\": {\"command\":\"gik\",\"args\":[\"mcp\"]}, \"b\":1}}");
    let (after, _) = put("{\n    \"mcp\": {}\n}\n", &["mcp"]);
    assert!(
        after.starts_with("{\n    \"mcp\": {\n        \"gik\": {\n            \"command\""),
        "{after}"
    );
    assert!(after.ends_with("\n        }\n    }\n}\n"), "{after}");
    let (after, _) = put("", &["mcp", "servers"]);
    assert_eq!(value(&after).unwrap(), json!({"mcp": {"servers": {"gik": entry()}}}));
}

#[test]
fn lines_end_as_they_did() {
    let (after, _) = put("{\r\n  \"mcp\": {\r\n    \"b\": 1\r\n  }\r\n}\r\n", &["mcp"]);
    assert_eq!(after.matches('\n').count(), after.matches("\r\n").count());
}

#[test]
fn what_is_no_object_or_stands_twice_is_refused() {
    for text in ["[]", "{\"mcp\": 1}", "{\"mcp\": {}, \"mcp\": {}}", "{\"mcp\": {\"a\" 1}}"] {
        assert!(insertion(text, &["mcp"], "gik", &entry()).is_err(), "{text}");
    }
    assert!(removed("{\"mcp\": {\"gik\": 1, \"gik\": 2}}", &["mcp"], "gik", 0).is_ok());
    assert!(removed("{\"mcp\": {\"gik\": 1}, \"mcp\": 2}", &["mcp"], "gik", 0).is_err());
}

#[test]
fn a_member_is_taken_out_wherever_it_stands() {
    for (text, after) in [
        ("{\"gik\": 1}", "{}"),
        ("{\"gik\": 1, \"b\": 2}", "{\"b\": 2}"),
        ("{\"a\": 1, \"gik\": 1}", "{\"a\": 1 }"),
        ("{\"a\": 1, \"gik\": 1, \"b\": 2}", "{\"a\": 1, \"b\": 2}"),
        ("{\n  \"a\": 1, // a\n  \"gik\": 1\n}", "{\n  \"a\": 1 // a\n}"),
        ("{\n  \"a\": 1, // a\n  \"gik\": 1}", "{\n  \"a\": 1 // a\n  }"),
        ("{ // x\n  \"gik\": 1, // y\n  \"b\": 2\n}", "{ // x\n  // y\n  \"b\": 2\n}"),
        ("{ // x\n  \"gik\": 1, \"b\": 2\n}", "{ // x\n  \"b\": 2\n}"),
        ("{\n  // x\n  \"gik\": 1\n}", "{\n  // x\n}"),
        ("{\n  \"a\": 1,\n  \"gik\": 1,\n}", "{\n  \"a\": 1,\n}"),
    ] {
        let found = removed(text, &[], "gik", 0).unwrap().unwrap();
        assert_eq!(found, after, "{text}");
        value(&found).unwrap();
    }
    assert_eq!(removed("{\"a\": 1}", &[], "gik", 0).unwrap(), None);
    assert_eq!(removed("// only\n", &[], "gik", 0).unwrap(), None);
}

#[test]
fn objects_made_for_it_go_with_it_unless_they_are_used() {
    let text = "{\"z\": 1, \"mcp\": {\"servers\": {\"gik\": 1}}}";
    let keys = ["mcp", "servers"];
    assert_eq!(removed(text, &keys, "gik", 2).unwrap().unwrap(), "{\"z\": 1 }");
    assert_eq!(removed(text, &keys, "gik", 1).unwrap().unwrap(), "{\"z\": 1, \"mcp\": {}}");
    let used = "{\"mcp\": {\"servers\": {\"gik\": 1, \"b\": 2}}}";
    assert_eq!(
        removed(used, &keys, "gik", 2).unwrap().unwrap(),
        "{\"mcp\": {\"servers\": {\"b\": 2}}}"
    );
}

/// A document with comments, blanks, trailing commas and layouts at random.
struct Writer<'r> {
    rng: &'r mut Rng,
    newline: &'static str,
}

impl Writer<'_> {
    fn gap(&mut self, text: &mut String) {
        for _ in 0..self.rng.below(3) {
            match self.rng.below(7) {
                0 => text.push_str("/* c, } */"),
                1 => {
                    text.push_str("// \"x\": {");
                    text.push_str(self.newline);
                },
                2 => text.push('\t'),
                3 => {
                    text.push_str("/* a");
                    text.push_str(self.newline);
                    text.push_str(" b */");
                },
                4 => {
                    text.push_str(self.newline);
                    text.push_str("    ");
                },
                _ => text.push(' '),
            }
        }
    }

    fn node(&mut self, text: &mut String, depth: u64) {
        match self.rng.below(if depth > 3 { 3 } else { 6 }) {
            0 => text.push_str("null"),
            1 => text.push_str("-1.5e3"),
            2 => text.push_str("\"a \\\" // } é\""),
            3 => {
                text.push('[');
                self.gap(text);
                for _ in 0..self.rng.below(3) {
                    self.node(text, depth + 1);
                    self.gap(text);
                    text.push(',');
                    self.gap(text);
                }
                text.push(']');
            },
            _ => self.object(text, depth, &[]),
        }
    }

    fn object(&mut self, text: &mut String, depth: u64, keys: &[&str]) {
        text.push('{');
        self.gap(text);
        let mut names: Vec<String> = (0..self.rng.below(4)).map(|n| format!("n{n}")).collect();
        if let Some(key) = keys.first().filter(|_| self.rng.below(3) > 0) {
            let at = usize::try_from(self.rng.below(names.len() as u64 + 1)).unwrap();
            names.insert(at, (*key).to_owned());
        }
        for (index, name) in names.iter().enumerate() {
            text.extend(["\"", name, "\""]);
            self.gap(text);
            text.push(':');
            self.gap(text);
            if keys.first() == Some(&name.as_str()) {
                self.object(text, depth + 1, &keys[1..]);
            } else {
                self.node(text, depth + 1);
            }
            self.gap(text);
            if index + 1 < names.len() || self.rng.below(3) == 0 {
                text.push(',');
                self.gap(text);
            }
        }
        text.push('}');
    }
}

#[test]
fn in_and_out_again_is_the_same_text_whatever_the_layout() {
    let mut rng = Rng::new(7);
    for round in 0..20_000 {
        let mut text = String::new();
        let newline = if rng.below(2) == 0 { "\n" } else { "\r\n" };
        let mut writer = Writer { rng: &mut rng, newline };
        writer.gap(&mut text);
        // A comment that runs to the end of the line would swallow what follows.
        text.push_str(newline);
        if round % 20 > 0 {
            writer.object(&mut text, 0, &["mcp", "servers"]);
            writer.gap(&mut text);
        }
        let keys: &[&str] = if round % 2 == 0 { &["mcp"] } else { &["mcp", "servers"] };
        let before = value(&text).unwrap();
        let (after, insertion) = put(&text, keys);
        let mut wanted = before.clone();
        let mut place = &mut wanted;
        for key in keys {
            place = &mut place[*key];
        }
        place["gik"] = entry();
        assert_eq!(value(&after).unwrap_or_else(|it| panic!("{it:?}\n{text}\n{after}")), wanted);
        let mut cut = after.clone();
        cut.replace_range(insertion.at..insertion.at + insertion.text.len(), "");
        assert_eq!(cut, text);
        // Without knowing what was put in: the bytes may differ in blanks, what is said does not.
        let removed = removed(&after, keys, "gik", insertion.parents).unwrap().unwrap();
        let said = value(&removed).unwrap_or_else(|it| panic!("{it:?}\n{after}\n{removed}"));
        assert_eq!(said, before, "{after}\n{removed}");
        let comments = |text: &str| text.matches("/*").count() + text.matches("//").count();
        assert_eq!(comments(&removed), comments(&text));
    }
}
