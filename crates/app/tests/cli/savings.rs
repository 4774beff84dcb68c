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
