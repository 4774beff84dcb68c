//! `gik savings`.

use super::{assert_transcript, gik, project};

#[test]
fn answers_are_compared_with_the_files_they_came_from() {
    let tree = project();
    let gik = gik(&tree);
    let empty = gik.run(&["savings"]).exit(1);
    let text = format!("# Greeting\n\nHow to greet.\n{}", "Some more words.\n".repeat(4000));
    tree.write("long.md", text.as_str());
    let answer = gik.run(&["ask", "how to greet", "--json"]).success();
    let compact: serde_json::Value = serde_json::from_str(&answer.stdout).unwrap();
    let paths: std::collections::BTreeSet<&str> = compact["ragChunks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["path"].as_str().unwrap())
        .collect();
    let bytes: u64 = paths.iter().map(|path| tree.read_bytes(path).len() as u64).sum();
    let savings = gik.run(&["savings", "--json"]).success().json();
    let all = &savings["spans"][2];
    assert_eq!(all["files"], paths.len());
    assert_eq!(all["fileTokens"], bytes.div_ceil(4));
    let length = compact.to_string().len() as u64;
    assert_eq!(all["answerTokens"], length.div_ceil(4));
    // Lines of other versions have no lengths and are not guessed.
    let log = ".guided/knowledge/asks/ask.log.jsonl";
    let old = "{\"timestamp\":\"2024-01-15T10:30:00Z\",\"branch\":\"main\",\"question\":\"q\",\"bases\":[],\"totalHits\":3}\n";
    tree.write(log, format!("{old}{}", tree.read(log)));
    let savings = gik.run(&["savings", "--json"]).success().json();
    assert_eq!(
        (&savings["spans"][2]["questions"], &savings["spans"][2]["compared"]),
        (&2.into(), &1.into())
    );
    tree.write(log, old);
    assert_transcript("savings", &[empty, gik.run(&["savings"]).exit(1)]);
}

#[test]
fn every_tool_with_evidence_counts_and_places_stand_for_their_lines() {
    let tree = project();
    let gik = gik(&tree);
    gik.run(&["index"]).success();
    let log = ".guided/knowledge/asks/answers.jsonl";
    let off = ["search", "greeting", "--set", "ask.log=false"];
    gik.run(&off).success();
    assert!(!tree.exists(log), "nothing is noted where the log is off");

    let calls: [&[&str]; 6] = [
        &["search", "greeting", "--json"],
        &["symbols", "greeting", "--json"],
        &["refs", "greeting", "--json"],
        &["def", "greeting", "--json"],
        &["outline", "src/main.rs", "--json"],
        &["pack", "how are people greeted", "--json"],
    ];
    for call in calls {
        let printed: serde_json::Value =
            serde_json::from_str(&gik.run(call).success().stdout).unwrap();
        let noted: serde_json::Value =
            serde_json::from_str(tree.read(log).lines().last().unwrap()).unwrap();
        assert_eq!(noted["tool"], call[0]);
        assert_eq!(noted["answerBytes"], printed.to_string().len(), "{call:?}");
        let places = match call[0] {
            "search" => places(&printed["results"], "line", "text"),
            "symbols" => places(&printed["symbols"], "startLine", "signature"),
            "refs" => places(&printed["matches"], "line", "text"),
            _ => continue,
        };
        let lines: String =
            places.iter().map(|(place, text)| format!("{place}:{text}\n")).collect();
        assert_eq!(noted["insteadBytes"], lines.len(), "{call:?}");
    }
    let noted = tree.read(log);
    let outline = noted.lines().find(|line| line.contains("\"outline\"")).unwrap();
    let outline: serde_json::Value = serde_json::from_str(outline).unwrap();
    assert_eq!(outline["insteadBytes"], tree.read_bytes("src/main.rs").len());

    // What only asks elsewhere is not counted a second time, nor is what found nothing.
    gik.run(&["tool", "search_text", "greeting"]).success();
    gik.run(&["search", "zebra"]).exit(1);
    assert_eq!(tree.read(log).lines().count(), calls.len() + 1);

    let savings = gik.run(&["savings", "--json"]).success().json();
    let tools: Vec<&str> = savings["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    assert_eq!(tools, ["def", "outline", "pack", "refs", "search", "symbols"]);
    assert_eq!(savings["spans"][0]["compared"], calls.len() + 1);
}

/// Places of an answer as `grep -n` begins its lines, with the first line of their text.
fn places(list: &serde_json::Value, line: &str, text: &str) -> Vec<(String, String)> {
    let place = |it: &serde_json::Value| {
        let text = it[text].as_str().unwrap_or_default().lines().next().unwrap_or_default();
        (format!("{}:{}", it["path"].as_str().unwrap(), it[line]), text.to_owned())
    };
    list.as_array().unwrap().iter().map(place).collect()
}
