//! When words can be searched while the rest of the index is still being made: the program writes down how far it is.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::super::program::KNOWLEDGE;
use crate::stop::Result;

/// Between two looks; small beside the shortest index and cheap beside its work.
const PAUSE: Duration = Duration::from_millis(2);

/// Runs something and tells after which time the first stage was ready, where that was seen.
pub(super) fn watched<T>(
    root: &Path,
    run: impl FnOnce() -> Result<T>,
) -> Result<(T, Option<Duration>)> {
    let ended = AtomicBool::new(false);
    let started = Instant::now();
    std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            loop {
                // Asked before looking, so that there is one look after the end.
                let is_last = ended.load(Ordering::Acquire);
                if is_searchable(root) {
                    return Some(started.elapsed());
                }
                if is_last {
                    return None;
                }
                std::thread::sleep(PAUSE);
            }
        });
        let outcome = run();
        ended.store(true, Ordering::Release);
        let seen = watcher.join().unwrap_or_default();
        Ok((outcome?, seen))
    })
}

/// Whether the first stage of any branch is ready.
fn is_searchable(root: &Path) -> bool {
    let branches = std::fs::read_dir(root.join(KNOWLEDGE).join("knowledge"));
    branches.into_iter().flatten().flatten().any(|branch| {
        let text = std::fs::read_to_string(branch.path().join("index_state.json"));
        text.is_ok_and(|text| first_stage_is_ready(&text))
    })
}

fn first_stage_is_ready(text: &str) -> bool {
    let state: Value = serde_json::from_str(text).unwrap_or_default();
    state["stages"]["stage1"]["state"] == "ready"
}

#[cfg(test)]
mod tests {
    use gik_testkit::Tree;

    use super::*;

    #[test]
    fn the_moment_is_seen_also_when_it_is_the_last() {
        let tree = Tree::empty();
        let nothing = watched(tree.root(), || Ok(1)).unwrap();
        assert_eq!(nothing, (1, None));
        let state = r#"{"stages": {"stage1": {"state": "ready"}}}"#;
        let path = ".guided/knowledge/main/index_state.json";
        let (_, seen) = watched(tree.root(), || {
            tree.write(path, state);
            Ok(())
        })
        .unwrap();
        assert!(seen.is_some());
    }

    #[test]
    fn a_stage_that_is_not_ready_is_not_searchable() {
        assert!(!first_stage_is_ready(r#"{"stages": {"stage1": {"state": "running"}}}"#));
        assert!(!first_stage_is_ready(r#"{"stages": "#));
        assert!(!first_stage_is_ready("{}"));
    }
}
