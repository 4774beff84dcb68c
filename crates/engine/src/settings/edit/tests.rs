//! One value of a file changes and every other character stays.

use super::*;

fn set(text: &str, name: &str, value: Value) -> String {
    set_value(text, name, &value).unwrap()
}

fn threads(text: &str) -> String {
    set(text, "indexing.threads", Value::Integer(4))
}

#[test]
fn a_value_is_replaced_and_everything_around_it_stays() {
    let text =
        "# mine\nindexing:   # about files\n  threads:  2  # for the laptop\n\nask: {top_k: 5}\n";
    assert_eq!(threads(text), text.replace("2  #", "4  #"));
    assert_eq!(set(text, "ask.top_k", Value::Integer(9)), text.replace("{top_k: 5}", "{top_k: 9}"));
    assert_eq!(threads("indexing: {'threads': \"2\"}"), "indexing: {'threads': 4}");
}

#[test]
fn camel_case_and_dotted_keys_are_found() {
    let text = "indexing:\n  maxFileBytes: 2048\nask.topK: 3\n";
    let edited = set(text, "indexing.max_file_bytes", Value::Integer(4096));
    assert_eq!(edited, text.replace("2048", "4096"));
    let edited = set(text, "ask.top_k", Value::Integer(4));
    assert_eq!(edited, text.replace("topK: 3", "topK: 4"));
}

#[test]
fn a_new_key_goes_behind_its_siblings() {
    let text =
        "indexing:\n    fts: true # keep\n    # the end of the group\n\nask:\n    log: false\n";
    assert_eq!(threads(text), text.replace("keep\n", "keep\n    threads: 4\n"));
    let edited = set(text, "sources.urls.max_redirects", Value::Integer(1));
    assert_eq!(edited, format!("{text}sources:\n  urls:\n    max_redirects: 1\n"));
}

#[test]
fn empty_files_and_empty_groups_are_filled() {
    assert_eq!(threads(""), "indexing:\n  threads: 4\n");
    assert_eq!(threads("# only\n"), "# only\nindexing:\n  threads: 4\n");
    assert_eq!(threads("# only"), "# only\nindexing:\n  threads: 4\n");
    let text = "indexing: # none yet\n  # threads: 0\nask:\n  log: true\n";
    assert_eq!(threads(text), text.replace("yet\n", "yet\n  threads: 4\n"));
    assert_eq!(threads("indexing: {}\n"), "indexing: {threads: 4}\n");
    assert_eq!(threads("indexing: ~\n"), "indexing: \n  threads: 4\n");
    assert_eq!(threads("{}"), "{indexing: {threads: 4}}");
    assert_eq!(threads("{ask: {log: true} }"), "{ask: {log: true}, indexing: {threads: 4} }");
    assert_eq!(threads("indexing:\n  threads: # soon\n"), "indexing:\n  threads: 4 # soon\n");
}

#[test]
fn lists_are_written_on_one_line() {
    let text = "sources:\n  urls:\n    allow_private: # hosts\n      - a\n      - b # old\n    max_redirects: 2\n";
    let list = Value::List(vec!["c".to_owned(), "10.0.0.1".to_owned()]);
    let edited = set(text, "sources.urls.allow_private", list.clone());
    assert_eq!(
        edited,
        "sources:\n  urls:\n    allow_private: [c, \"10.0.0.1\"] # hosts\n    max_redirects: 2\n"
    );
    let text = "sources:\n  urls:\n    allow_private: [a]   # hosts\n    max_redirects: 2\n";
    let edited = set(text, "sources.urls.allow_private", list.clone());
    assert_eq!(edited, text.replace("[a]", "[c, \"10.0.0.1\"]"));
    let text = "sources: {urls: {allow_private: [é, b]}}";
    let edited = set(text, "sources.urls.allow_private", list);
    assert_eq!(edited, "sources: {urls: {allow_private: [c, \"10.0.0.1\"]}}");
}

#[test]
fn texts_of_several_lines_become_one() {
    let text =
        "embeddings:\n  default:\n    model_id: |\n      a\n      b\n\n    dimension: 3 # é\n";
    let edited = set(text, "embeddings.default.model_id", Value::Text("x y".to_owned()));
    assert_eq!(edited, "embeddings:\n  default:\n    model_id: \"x y\"\n\n    dimension: 3 # é\n");
}

#[test]
fn line_ends_and_letters_beyond_ascii_are_kept() {
    let text = "# größe\r\nindexing:\r\n  fts: true # ü\r\n";
    assert_eq!(threads(text), "# größe\r\nindexing:\r\n  fts: true # ü\r\n  threads: 4\r\n");
}

#[test]
fn keys_of_a_base_are_named_by_it() {
    let edited = set("", "indexes.bases.code.metric", Value::Text("dot".to_owned()));
    assert_eq!(edited, "indexes:\n  bases:\n    code:\n      metric: dot\n");
}

#[test]
fn files_that_cannot_be_edited_safely_are_left_alone() {
    let refused =
        |text: &str| set_value(text, "indexing.threads", &Value::Integer(4)).unwrap_err().line;
    assert_eq!(refused("indexing:\n  threads: 1\n  threads: 2\n"), 1);
    assert_eq!(refused("ask:\n  log: true\nindexing: fast\n"), 3);
    assert_eq!(refused("ask: [\n"), 2);
    assert_eq!(refused("- a\n"), 1);
}

#[test]
fn mistakes_elsewhere_do_not_stand_in_the_way() {
    let text = "ask:\n  top_k: many\nindexing:\n  threads: lots\n";
    assert_eq!(threads(text), text.replace("lots", "4"));
}
