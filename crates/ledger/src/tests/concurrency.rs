//! Several writers and readers at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use gik_base::{Cancel, ErrorCode};
use gik_contract::{SourceKind, SourceStatus};

use super::{Workspace, ids, source};

#[test]
fn writers_wait_for_each_other_and_readers_always_find_head_in_the_timeline() {
    let workspace = Workspace::initialized();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..2)
            .map(|writer| {
                let workspace = &workspace;
                scope.spawn(move || {
                    let branch = workspace.main();
                    for round in 0..25 {
                        let held =
                            branch.lock(Duration::from_secs(60), &Cancel::default()).unwrap();
                        assert_eq!(held.recovered(), Vec::<String>::new());
                        let mut pending = branch.pending().unwrap();
                        let uri = format!("{writer}-{round}");
                        pending.push(source(
                            SourceKind::FilePath,
                            "code",
                            &uri,
                            SourceStatus::Pending,
                        ));
                        let mut transaction = branch.transaction(&held);
                        transaction.set_pending(&pending).unwrap();
                        transaction.revision(uri, None, Vec::new());
                        transaction.commit().unwrap();
                    }
                })
            })
            .collect();
        scope.spawn(|| {
            let branch = workspace.main();
            while !done.load(Ordering::Relaxed) {
                assert_eq!(branch.resolve("HEAD").unwrap().branch, "main");
                branch.pending().unwrap();
            }
        });
        for writer in writers {
            writer.join().unwrap();
        }
        done.store(true, Ordering::Relaxed);
    });
    let branch = workspace.main();
    let timeline = branch.timeline().unwrap();
    assert_eq!(timeline.len(), 51);
    for (parent, child) in ids(&timeline).iter().zip(&timeline[1..]) {
        assert_eq!(child.parent_id.as_deref(), Some(*parent));
    }
    assert_eq!(branch.pending().unwrap().len(), 50);
    assert_eq!(branch.verify().unwrap(), []);
}

#[test]
fn a_second_writer_gives_up_after_its_patience() {
    let workspace = Workspace::initialized();
    let _held = workspace.lock();
    let failure =
        workspace.knowledge.lock(Duration::from_millis(2), &Cancel::default()).unwrap_err();
    assert_eq!(failure.code(), ErrorCode::StoreBusy);
}
