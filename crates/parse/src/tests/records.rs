//! What counts as a list of records, and what only looks like one.

use gik_base::FileKey;

use crate::{RecordsKind, detect, is_records, parse, records_kind};

#[track_caller]
fn check(path: &str, text: &str, expected: Option<RecordsKind>) {
    let key = FileKey::from_text(path);
    let found = records_kind(&key, detect(&key, text.as_bytes()), text.as_bytes());
    assert_eq!(found, expected, "{path}: {text}");
    assert_eq!(is_records(&key, detect(&key, text.as_bytes()), text.as_bytes()), found.is_some());
}

#[test]
fn a_json_value_on_every_line_is_a_record_whatever_the_name() {
    let text = "{\"a\": 1}\n{\"a\": {\"b\": [2, \"}\"]}}\n\n[1, 2]\n";
    for path in ["a.jsonl", "a.ndjson", "a.json", "a.log", "events", "a.txt"] {
        check(path, text, Some(RecordsKind::Jsonl));
    }
    check("a.jsonl", "{\"only\": \"one\"}\n", Some(RecordsKind::Jsonl));
}

#[test]
fn json_documents_are_no_records() {
    check("a.json", "{\"only\": \"one\"}\n", None);
    check("a.json", "{\n  \"a\": 1,\n  \"b\": [\n    2\n  ]\n}\n", None);
    check("a.json", "[\n{\"a\": 1},\n{\"a\": 2}\n]\n", None);
    check("a.jsonl", "not json at all\nand more of it\n", None);
    check("a.jsonl", "{\"a\": 1}\n{\"a\": \n", None);
    check("a.jsonl", "", None);
    check("a.txt", "[section one]\n[section two]\n[three]\n[four]\n", None);
}

#[test]
fn rows_below_a_header_are_records() {
    let comma = "id,name,price\n1,mint,2.50\n2,\"thyme, dried\",3\n3,größe,1\n4,🎈,\n";
    check("a.csv", comma, Some(RecordsKind::Csv));
    check("export", comma, Some(RecordsKind::Csv));
    check("export.txt", comma, Some(RecordsKind::Csv));
    let tab = comma.replace(',', "\t").replace("\"thyme\t dried\"", "thyme");
    check("a.tsv", &tab, Some(RecordsKind::Csv));
    check("a.txt", &tab, Some(RecordsKind::Csv));
    check("a.csv", "a;b\n1;2\n3;4\n5;6\n", Some(RecordsKind::Csv));
    check("a.psv", "a|b\n1|2\n3|4\n5|6\n", Some(RecordsKind::Csv));
}

#[test]
fn texts_with_commas_and_bars_are_no_tables() {
    let prose = "Roses, violets, and thyme\nGrow in spring, in summer, and fall\n\
                 They need rain, some sun, and care\nAsk the gardener, the cook, or me\n";
    check("poem.txt", prose, None);
    check("poem", prose, None);
    check("a.md", "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n", None);
    check("table", "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n", None);
    check("requirements.txt", "a>=1,<2,!=1.5\nb>=1,<3,!=2.5\nc>=1,<4,!=1\nd>=2,<3,!=2\n", None);
    check("requirements.txt", "flask==1.0\nrequests\npytest\nblack\nmypy\n", None);
    check("AUTHORS", "Ann, Bob\nCy, Dee\nEve, Fay\nGus, Hal\n", None);
    check("words.txt", "one\ntwo\nthree\nfour\nfive\n", None);
    check("a.csv", "one line, and no more\n", None);
    check("a.csv", "1,2,3\n4,5,6\n7,8,9\n10,11,12\n", None);
    check("a.c", "int a, b, c;\nint d, e, f;\nint g, h, i;\nint j, k, l;\n", None);
}

#[test]
fn events_with_times_or_levels_are_records() {
    let formats = [
        "2024-01-02T03:04:05.678Z INFO started {n}\n",
        "2024-01-02 03:04:05,678 [main] DEBUG store - row {n}\n",
        "2024/01/02 03:04:05 listening on {n}\n",
        "Jan  2 03:04:05 host sshd[123]: session {n} opened\n",
        "10.0.0.1 - - [02/Jan/2024:03:04:05 +0000] \"GET /a/{n} HTTP/1.1\" 200 12\n",
        "[Tue Jan 02 03:04:05 2024] [error] client {n}\n",
        "[ 12.345678] usb {n}: new device\n",
        "INFO row {n}\n",
        "[WARN] row {n}\n",
        "01-02 03:04:05.678  123  456 D Tag: row {n}\n",
        "I0102 03:04:05.678901 1 server.go:{n}] ready\n",
    ];
    for format in formats {
        let text: String = (0..8).map(|n| format.replace("{n}", &n.to_string())).collect();
        check("server.log", &text, Some(RecordsKind::Log));
        check("output.txt", &text, Some(RecordsKind::Log));
        let traced = text.replacen('\n', "\n    at store.open(store.js:1)\n\tat main\n", 3);
        check("server", &traced, Some(RecordsKind::Log));
    }
}

#[test]
fn texts_with_dates_are_no_logs() {
    let changes = "2024-01-02 Version 1.1\n  * Faster.\n2023-12-01 Version 1.0\n  * First.\n\
                   2023-11-01 Version 0.9\n  * Trial.\n2023-10-01 Version 0.8\n  * Idea.\n";
    check("CHANGELOG", changes, None);
    check("HISTORY", changes, None);
    let prose = "The train leaves at 03:04:05 today.\nWe meet at 04:05:06 there.\n\
                 Then at 05:06:07 we eat.\nAt 06:07:08 it is over.\n";
    check("plan.txt", prose, None);
    check("a.ini", "[INFO]\na = 03:04:05\n[ERROR]\nb = 04:05:06\n", None);
    check("a.sql", "-- 2024-01-02 03:04:05\nINSERT INTO a VALUES (1, 2, 3);\n", None);
    check("a.log", "just\nsome\nlines\nof text\nwithout times\n", None);
    check("README", "WARNING: hot.\n\nThis is a text.\nIt goes on.\nAnd on.\nAnd ends.\n", None);
    check("Cargo.lock", "[[package]]\nname = \"a\"\nversion = \"1\"\n", None);
    check("a.py", "print('2024-01-02 03:04:05 INFO a')\n", None);
}

#[test]
fn the_head_may_be_cut_anywhere() {
    let line = "{\"name\": \"größe\", \"n\": 1}\n";
    let text = line.repeat(64 * 1024 / line.len() + 10);
    for cut in [65_536, 65_537, 65_538, 65_550] {
        let key = FileKey::from_text("a.jsonl");
        let head = &text.as_bytes()[..cut];
        assert_eq!(records_kind(&key, None, head), Some(RecordsKind::Jsonl), "{cut}");
    }
    check("a.bin", "\u{0}\u{1}", None);
    assert!(!is_records(&FileKey::from_text("a"), None, &[0xff, 0xfe, 0x00]));
}

#[test]
fn records_are_cut_between_lines_and_an_appended_one_changes_the_last_chunk_only() {
    let rows: String = (0..3000).map(|n| format!("{{\"id\": {n}, \"x\": {}}}\n", n * 31)).collect();
    let key = FileKey::from_text("a.jsonl");
    let language = detect(&key, rows.as_bytes());
    let before = parse(&key, &rows, language);
    assert!(before.symbols.is_empty());
    assert!(before.chunks.len() > 10);
    for chunk in &before.chunks {
        let content = &rows[chunk.bytes.clone()];
        assert!(content.starts_with('{') && content.ends_with('}'), "{content}");
    }
    let after = parse(&key, &(rows + "{\"id\": 9999}\n"), language);
    let same = before.chunks.iter().zip(&after.chunks).filter(|(one, two)| one.uid == two.uid);
    assert!(same.count() + 1 >= before.chunks.len());
}
