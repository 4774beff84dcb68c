//! What the walk for references costs next to bare parsing; run by hand:
//! `MEASURE=<folder> cargo test --release -p gik-parse -- --ignored --nocapture walk_is_cheap`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use gik_base::FileKey;

use super::{grammar, reader, references, tree};
use crate::language::Structure;
use crate::line_table::LineTable;
use crate::{detect_by_name, languages, parse};

#[derive(Default, Clone)]
struct Cost {
    bytes: usize,
    references: usize,
    parse: Duration,
    outline: Duration,
    walk: Duration,
    all: Duration,
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.filter_map(Result::ok) {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => files(&path, found),
            Ok(kind) if kind.is_file() => found.push(path),
            _ => {},
        }
    }
}

#[test]
#[ignore = "measures a folder of sources; needs a release build"]
fn the_walk_is_cheap_next_to_parsing() {
    let folder = std::env::var("MEASURE").expect("MEASURE names a folder of sources");
    let mut paths = Vec::new();
    files(Path::new(&folder), &mut paths);
    paths.sort();
    let mut costs = vec![Cost::default(); languages().len()];
    for path in paths {
        let key = FileKey::from_text(&*path.to_string_lossy());
        let Some(language) = detect_by_name(&key) else { continue };
        let Structure::Syntax(description) = language.structure() else { continue };
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let grammar = grammar::compiled(language, description).unwrap();
        let lines = LineTable::new(&text);
        let cost = &mut costs[language.index()];
        let start = Instant::now();
        let Some(tree) = tree::parse(&grammar.language, &text) else { continue };
        cost.parse += start.elapsed();
        let start = Instant::now();
        let mut outline = reader::read(&key, &lines, language, description, grammar, &tree);
        cost.outline += start.elapsed();
        let start = Instant::now();
        references::read(&tree, &text, &grammar.facts, &mut outline);
        cost.walk += start.elapsed();
        cost.references += outline.references.len();
        cost.bytes += text.len();
        let start = Instant::now();
        parse(&key, &text, Some(language));
        cost.all += start.elapsed();
    }
    for (language, cost) in languages().iter().zip(&costs).filter(|(_, cost)| cost.bytes > 50_000) {
        let share = |part: Duration| part.as_secs_f64() / cost.parse.as_secs_f64() * 100.0;
        println!(
            "{}: {} KB, parse {:.0} ms, outline {:.1} %, walk {:.1} %, everything {:.1} %, {:.1} references per KB",
            language.id,
            cost.bytes / 1024,
            cost.parse.as_secs_f64() * 1000.0,
            share(cost.outline),
            share(cost.walk),
            share(cost.all),
            cost.references as f64 * 1024.0 / cost.bytes as f64,
        );
    }
}
