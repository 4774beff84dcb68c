//! Ctrl-C in the middle of indexing: the command stops soon and says so, and the next one finishes.

use std::time::{Duration, Instant};

use gik_testkit::Tree;

use super::project::{gik, knowledge, say, verify};
use super::truth::Truth;

const FILES: usize = 300;

fn large_project() -> Tree {
    let tree = Tree::empty();
    for at in 0..FILES {
        let functions: String = (0..30)
            .map(|n| format!("/// Sorts parcels.\npub fn sort_{at}_{n}(parcels: &mut [u32]) {{\n    parcels.sort();\n}}\n\n"))
            .collect();
        tree.write(&format!("src/part_{}/file_{at}.rs", at % 10), functions);
    }
    tree
}

fn index_from_nothing(tree: &Tree) -> Duration {
    if tree.exists(".guided") {
        tree.remove(".guided");
    }
    let started = Instant::now();
    gik(tree).run(&["index"]).success();
    started.elapsed()
}

#[test]
fn ctrl_c_stops_indexing_and_the_next_run_finishes() {
    let tree = large_project();
    let whole = (0..2).map(|_| index_from_nothing(&tree)).min().expect("there were two runs");

    let mut stopped = 0;
    for part in 1..=8_u32 {
        tree.remove(".guided");
        let running = gik(&tree).spawn(&["index"]);
        std::thread::sleep(whole * part / 10);
        running.interrupt();
        let asked = Instant::now();
        let run = running.wait();
        match run.code {
            // A fast machine may be done already.
            Some(0) => {},
            Some(130) => {
                stopped += 1;
                assert!(run.stderr.contains("interrupted"), "{run:?}");
                assert!(
                    asked.elapsed() < whole.max(Duration::from_secs(2)),
                    "it did not stop soon"
                );
            },
            _ => unexpected(&format!("{run:?}")),
        }
        if tree.exists(&knowledge("HEAD")) {
            verify(&tree);
            Truth::of(&tree);
        }
        let answer = gik(&tree).run(&["index", "--json"]).success().json();
        assert_eq!(answer["files"], FILES);
        verify(&tree);
    }
    say(&format!("{stopped} of 8 runs were interrupted"));
    assert!(stopped >= 2, "only {stopped} of 8 interrupts came in time");
}

#[expect(clippy::panic, reason = "the whole run belongs in the message")]
fn unexpected(run: &str) -> ! {
    panic!("neither done nor interrupted: {run}")
}
