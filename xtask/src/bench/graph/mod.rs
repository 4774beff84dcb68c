//! What do edges cost? Those of all files and those of one that changed, beside the syntax trees of the same files; and
//! how long questions take that follow them.
//!
//! `gik pack --timings` tells how long it looked for edges before it used them, so nothing has to be subtracted. `asked`
//! puts questions to a server, `bars` says what the numbers must reach.

mod asked;
pub(super) mod bars;

use std::path::Path;

use gik_store::{Access, Store};
use serde_json::Value;

use super::child::Finished;
use super::program::{KNOWLEDGE, Program, change, note_sizes, some_source_file};
use super::series::{Results, Step, Subject};
use super::walk::{self, Depth};
use crate::stop::{Result, Stop};

/// What edges are compared with.
const BOUNDS: &[(Step, Depth)] = &[(Step::WalkStat, Depth::Stat), (Step::Parse, Depth::Parse)];

/// Measures every step on the tree below `root`.
pub(super) fn run(program: &Program, root: &Path, subject: Subject) -> Result<Results> {
    let mut results = Results::new(subject);
    find(program, root, &mut results)?;
    asked::run(program, root, &mut results)?;
    Ok(results)
}

/// Has edges found: all of them, then those of a file that changed.
fn find(program: &Program, root: &Path, results: &mut Results) -> Result<()> {
    // The first look fills the page cache and is not counted.
    let seen = walk::walk(root, Depth::Read);
    results.subject.bytes = seen.bytes;
    eprintln!("bench:   {} files, {} bytes", seen.files, seen.bytes);

    let indexed = program.gik(root, &["index", "--no-embed"])?;
    results.add(Step::Index, indexed.wall, indexed.peak);
    let changed = some_source_file(root)?;
    let about = changed.to_string_lossy().into_owned();
    for _ in 0..program.rounds.fresh {
        // One of each per round, so that a slow moment of the machine hits both sides of the ratio.
        walk::bare(results, root, BOUNDS);
        forget_edges(root)?;
        edges(program, root, &about, results, Step::EdgesFresh)?;
    }
    note_sizes(results, root)?;
    let hub = hub(program, root)?;
    for round in 0..program.rounds.steady {
        let updates = [(Step::EdgesUpdate, Some(&changed)), (Step::EdgesHub, hub.as_ref())];
        for (step, file) in updates {
            let Some(file) = file else { continue };
            change(file, round)?;
            edges(program, root, &about, results, step)?;
        }
    }
    Ok(())
}

/// Takes the edges out of the index, so that all of them have to be found.
fn forget_edges(root: &Path) -> Result<()> {
    let branch = root.join(KNOWLEDGE).join("knowledge/main");
    let forget = || {
        let (database, words) = (branch.join("index.sqlite"), branch.join("lexical"));
        let mut store = Store::open(&database, &words, Access::ReadWrite)?;
        let mut writer = store.writer()?;
        writer.clear_graph()?;
        writer.commit()
    };
    forget().map_err(|failure| Stop::Failed(failure.to_string())).map(drop)
}

/// Makes a pack and notes how long its step `edges` took.
fn edges(
    program: &Program,
    root: &Path,
    about: &str,
    results: &mut Results,
    step: Step,
) -> Result<()> {
    let pack = program.gik(root, &["pack", "--json", "--timings", "--focus", about])?;
    let millis = read(&pack)?["timings"]["edges"].as_f64();
    let millis = millis.ok_or_else(|| {
        Stop::Failed("`gik pack --timings` does not say how long edges took".to_owned())
    })?;
    results.add(step, std::time::Duration::from_secs_f64(millis / 1e3), pack.peak);
    Ok(())
}

fn read(finished: &Finished) -> Result<Value> {
    serde_json::from_str(&finished.stdout)
        .map_err(|error| Stop::Failed(format!("the program printed no JSON: {error}")))
}

/// The Rust file that most others name; none where there is no such.
fn hub(program: &Program, root: &Path) -> Result<Option<std::path::PathBuf>> {
    let hubs = program.gik(root, &["graph", "hubs", "--files", "--json", "-n", "1000"])?;
    let hubs = read(&hubs)?;
    let paths =
        hubs["hubs"].as_array().into_iter().flatten().filter_map(|hub| hub["path"].as_str());
    Ok(paths.into_iter().find(|path| path.ends_with(".rs")).map(|path| root.join(path)))
}

#[cfg(all(test, unix))]
mod tests {
    use gik_testkit::Tree;

    use super::super::program::pretend;
    use super::*;

    #[test]
    fn edges_are_found_anew_each_fresh_round_and_after_each_change() {
        let tree = Tree::new("//- src/lib.rs\nfn a() {}\n//- src/hub.rs\nfn b() {}\n");
        let script = "mkdir -p \"$2/.guided/knowledge/main\" && echo \"$3\" >> \"$2/.guided/log\"
echo '{\"hubs\": [{\"path\": \"a.py\"}, {\"path\": \"src/lib.rs\"}], \"timings\": {\"edges\": 2.5}}'
";
        let program = pretend(&tree, script);
        let subject = Subject { label: "x".to_owned(), generated: None, files: 2, bytes: 20 };
        let mut results = Results::new(subject);
        find(&program, tree.root(), &mut results).unwrap();

        assert_eq!(tree.read(".guided/log"), "index\npack\npack\ngraph\npack\npack\npack\npack\n");
        assert_eq!(results.median(Step::EdgesFresh), Some(2.5));
        for (step, runs) in [(Step::Parse, 2), (Step::EdgesUpdate, 2), (Step::EdgesHub, 2)] {
            assert_eq!(results.steps[&step].runs().len(), runs, "{step:?}");
        }
        for file in ["src/lib.rs", "src/hub.rs"] {
            assert!(tree.read(file).contains("added_in_round_1"), "{file}");
        }
    }
}
