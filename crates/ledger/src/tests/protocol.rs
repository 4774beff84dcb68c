//! The commit protocol, stopped at every single step.

use std::collections::BTreeMap;

use gik_base::Result;
use gik_contract::{MemoryEntry, Revision, SourceKind, SourceStatus};
use gik_testkit::stop::{self, Manner};

use super::{Workspace, memory, source};
use crate::{Branch, Durability, Held, jsonl};

fn note(id: &str) -> MemoryEntry {
    memory(id, "2025-01-01T00:00:00Z", "text", &[])
}

/// A branch with one revision after the first, a source, a memory entry and a derived file.
fn prepared() -> Workspace {
    let workspace = Workspace::initialized();
    let (branch, held) = (workspace.main(), workspace.lock());
    let mut transaction = branch.transaction(&held);
    let pending = [source(SourceKind::FilePath, "code", "a", SourceStatus::Pending)];
    transaction.set_pending(&pending).unwrap();
    transaction.set_memory(&branch.memory(), &[note("mem-1")]).unwrap();
    transaction.replace("bases/code/sources.jsonl", b"old\n".to_vec(), Durability::Cached);
    transaction.replace("bases/docs/sources.jsonl", b"1\nold\n3\n".to_vec(), Durability::Cached);
    transaction.revision("first", None, Vec::new());
    transaction.commit().unwrap();
    workspace
}

fn change(branch: &Branch, held: &Held) -> Result<Option<Revision>> {
    let mut transaction = branch.transaction(held);
    transaction.set_pending(&[
        source(SourceKind::FilePath, "code", "a", SourceStatus::Indexed),
        source(SourceKind::FilePath, "code", "b", SourceStatus::Pending),
    ])?;
    transaction.set_memory(&branch.memory(), &[note("mem-1"), note("mem-2")])?;
    transaction.replace_with("bases/code/sources.jsonl", Durability::Cached, |out| {
        out.write_all(b"new\n")
    })?;
    transaction.patch("bases/docs/sources.jsonl", 2, "new\n".to_owned(), 8);
    transaction.replace_with("kg/deep/nodes.jsonl", Durability::Synced, |out| {
        jsonl::write_lines(out, &[1, 2])
    })?;
    transaction.revision("second", None, Vec::new());
    transaction.commit()
}

/// What a reader sees, in one value.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    messages: Vec<String>,
    head: Option<String>,
    sources: Vec<(String, &'static str)>,
    waiting: u64,
    memory: Vec<String>,
    derived: String,
    patched: String,
    nodes: Option<String>,
}

fn look(branch: &Branch) -> Seen {
    let head = branch.head().unwrap();
    let timeline = branch.timeline().unwrap();
    let head = timeline.iter().find(|revision| Some(&revision.id) == head.as_ref());
    Seen {
        head: head.map(|revision| revision.message.clone()),
        messages: timeline.iter().map(|revision| revision.message.clone()).collect(),
        sources: branch
            .pending()
            .unwrap()
            .into_iter()
            .map(|entry| (entry.uri, entry.status.as_str()))
            .collect(),
        waiting: branch.summary().unwrap().pending_count,
        memory: branch.memory().entries().unwrap().into_iter().map(|entry| entry.id).collect(),
        derived: super::read(&branch.base_sources_path("code")),
        patched: super::read(&branch.base_sources_path("docs")),
        nodes: std::fs::read_to_string(branch.kg_dir().join("deep/nodes.jsonl")).ok(),
    }
}

fn assert_clean(workspace: &Workspace) {
    assert_eq!(workspace.knowledge.verify().unwrap(), []);
    for file in workspace.files().keys() {
        assert!(!file.contains("gik-tmp") && !file.contains("journal"), "{file} is left");
    }
}

/// Calls `body` with 0, 1, 2, … until it says that there were fewer steps than that.
fn for_every_step(mut body: impl FnMut(usize) -> usize) -> usize {
    let mut step = 0;
    while body(step) > step {
        step += 1;
    }
    step
}

#[test]
fn killed_at_any_step_the_old_or_the_new_state_is_whole_after_recovery() {
    let template = prepared();
    let old = look(&template.main());
    let new = {
        let workspace = template.copy();
        change(&workspace.main(), &workspace.lock()).unwrap();
        look(&workspace.main())
    };
    assert_eq!(new.messages, ["Init GIK", "first", "second"]);
    assert_eq!(new.head.as_deref(), Some("second"));
    assert_eq!(new.patched, "1\nnew\n3\n");

    let (mut saw_old, mut saw_new) = (0, 0);
    let steps = for_every_step(|step| {
        let workspace = template.copy();
        let branch = workspace.main();
        let held = workspace.lock();
        let (result, taken) = stop::at(step, Manner::Killed, || change(&branch, &held));
        drop(held);
        // Readers do not wait for the recovery.
        assert!(look(&branch).head.is_some(), "step {step}: HEAD is not in the timeline");

        // The recovery is killed at every step as well, and then runs to its end.
        for_every_step(|second| {
            let workspace = workspace.copy();
            let branch = workspace.main();
            let (_, taken) = stop::at(second, Manner::Killed, || {
                workspace.knowledge.lock(std::time::Duration::ZERO, &gik_base::Cancel::default())
            });
            assert!(look(&branch).head.is_some(), "steps {step}, {second}");
            branch.recover(&workspace.lock()).unwrap();
            let seen = look(&branch);
            assert!(seen == old || seen == new, "steps {step}, {second}: {seen:?}");
            if result.is_ok() {
                assert_eq!(seen, new, "steps {step}, {second}: a finished commit was lost");
            }
            assert_clean(&workspace);
            taken
        });

        let held = workspace.lock();
        branch.recover(&held).unwrap();
        if look(&branch) == old {
            saw_old += 1;
            // The old state is whole: the same change can be made now.
            change(&branch, &held).unwrap();
        } else {
            saw_new += 1;
        }
        drop(held);
        assert_eq!(look(&branch), new, "step {step}");
        taken
    });
    assert!(steps > 25 && saw_old > 10 && saw_new > 10, "{steps} {saw_old} {saw_new}");
}

#[test]
fn a_failure_at_any_step_leaves_the_old_state_or_a_change_that_the_next_writer_finishes() {
    let template = prepared();
    let old_files = template.files();
    for_every_step(|step| {
        let workspace = template.copy();
        let branch = workspace.main();
        let held = workspace.lock();
        let (result, taken) = stop::at(step, Manner::Failed, || change(&branch, &held));
        let recorded = branch.dir().join("journal.json").exists();
        match result {
            Ok(revision) => assert_eq!(branch.head().unwrap(), revision.map(|rev| rev.id)),
            Err(failure) if recorded => {
                assert!(
                    failure.hints().iter().any(|hint| hint.contains("recorded")),
                    "{failure:?}"
                );
                // What was read before may be out of date, so this lock writes no more.
                let refused = change(&branch, &held).unwrap_err();
                assert!(refused.message().contains("not finished"), "{refused:?}");
                drop(held);
                let held = workspace.lock();
                assert!(held.recovered()[0].contains("finished the interrupted revision"));
                assert_eq!(look(&branch).head.as_deref(), Some("second"));
            },
            Err(_) => {
                // A temporary file whose removal failed may be left; the next recovery removes it.
                branch.recover(&held).unwrap();
                assert_eq!(workspace.files(), old_files, "step {step}");
                change(&branch, &held).unwrap();
            },
        }
        assert_clean(&workspace);
        taken
    });
}

#[test]
fn an_init_killed_at_any_step_is_finished_or_can_be_repeated() {
    let template = prepared();
    for from_main in [false, true] {
        for_every_step(|step| {
            let workspace = template.copy();
            let branch = workspace.knowledge.branch("new/one");
            let main = workspace.main();
            let from = from_main.then_some(&main);
            let held = workspace.lock();
            let (result, taken) =
                stop::at(step, Manner::Killed, || branch.init(&held, "new", None, from));
            drop(held);
            let held = workspace.lock();
            assert!(result.is_err() || branch.is_initialized());
            if !branch.is_initialized() {
                branch.init(&held, "new", None, from).unwrap();
            }
            branch.recover(&held).unwrap();
            let expected: &[&str] =
                if from_main { &["Init GIK", "first", "new"] } else { &["new"] };
            let timeline = branch.timeline().unwrap();
            let messages: Vec<&str> =
                timeline.iter().map(|revision| revision.message.as_str()).collect();
            assert_eq!(messages, expected, "step {step}");
            assert_eq!(branch.head().unwrap().as_ref(), timeline.last().map(|rev| &rev.id));
            assert_clean(&workspace);
            taken
        });
    }
}

/// The state in which a process was killed right after the commit point.
fn killed_after_the_journal() -> Workspace {
    let template = prepared();
    let mut found = None;
    for_every_step(|step| {
        let workspace = template.copy();
        let held = workspace.lock();
        let (_, taken) =
            stop::at(step, Manner::Killed, || change(&workspace.main(), &held).map(drop));
        drop(held);
        if found.is_none() && workspace.main().dir().join("journal.json").exists() {
            found = Some(workspace);
        }
        taken
    });
    found.unwrap()
}

#[test]
fn the_line_of_an_unfinished_revision_torn_at_every_byte_is_completed() {
    let template = killed_after_the_journal();
    let journal: serde_json::Value =
        serde_json::from_str(&super::read(&template.main().dir().join("journal.json"))).unwrap();
    let line = format!("{}\n", journal["revision"]["line"].as_str().unwrap());
    let before = super::read(&template.main().timeline_path());
    assert_eq!(journal["revision"]["timelineLength"], before.len());
    for cut in 0..=line.len() {
        let workspace = template.copy();
        let path = workspace.main().timeline_path();
        std::fs::write(&path, format!("{before}{}", &line[..cut])).unwrap();
        drop(workspace.lock());
        assert_eq!(super::read(&path), format!("{before}{line}"), "cut at {cut}");
        assert_clean(&workspace);
    }
}

#[test]
fn a_journal_that_reappears_after_a_power_cut_changes_nothing() {
    let workspace = killed_after_the_journal();
    let branch = workspace.main();
    let journal = super::read(&branch.dir().join("journal.json"));
    drop(workspace.lock());
    let after = workspace.files();
    std::fs::write(branch.dir().join("journal.json"), journal).unwrap();
    drop(workspace.lock());
    assert_eq!(workspace.files(), after);
}

#[test]
fn new_content_that_a_power_cut_shortened_never_takes_the_place_of_the_old() {
    let workspace = killed_after_the_journal();
    let branch = workspace.main();
    for path in crate::recovery::stray_files(branch.dir()).unwrap() {
        let name = path.file_name().unwrap().to_str().unwrap();
        let derived = path.to_str().unwrap().contains("bases/code");
        if derived || name.starts_with("pending") {
            std::fs::write(&path, "").unwrap();
        }
    }
    let held = workspace.lock();
    let seen = look(&branch);
    assert_eq!((seen.derived.as_str(), seen.head.as_deref()), ("old\n", Some("second")));
    assert_eq!(seen.sources, [("a".to_owned(), "pending")]);
    let said = held.recovered().join("; ");
    assert!(said.contains("dropped an incomplete new `bases/code/sources.jsonl`"), "{said}");
    assert!(said.contains("moved a damaged new `staging/pending.jsonl`"), "{said}");
    // The summary counted the sources that were lost; a repair counts those that are there.
    branch.repair(&held).unwrap();
    assert_eq!(branch.verify().unwrap(), []);
}

#[test]
fn a_damaged_journal_and_what_it_may_have_named_are_set_aside() {
    let workspace = killed_after_the_journal();
    let branch = workspace.main();
    let old = look(&branch);
    std::fs::write(branch.dir().join("journal.json"), "{\"version\":1,").unwrap();
    let strays = crate::recovery::stray_files(branch.dir()).unwrap();
    assert!(strays.len() > 3);
    let kept: BTreeMap<String, Vec<u8>> = workspace
        .files()
        .into_iter()
        .filter(|(name, _)| name.contains("gik-tmp"))
        .map(|(name, bytes)| (format!("{name}.torn"), bytes))
        .collect();
    drop(workspace.lock());
    assert_eq!(look(&branch), old);
    let files = workspace.files();
    assert!(kept.iter().all(|(name, bytes)| files.get(name) == Some(bytes)));
    assert!(files.contains_key(".guided/knowledge/main/journal.json.torn"));
    assert_eq!(branch.verify().unwrap(), []);
}

#[test]
fn a_journal_of_a_newer_version_stops_every_writer() {
    let workspace = prepared();
    let path = workspace.main().dir().join("journal.json");
    std::fs::write(&path, "{\"version\":3,\"moves\":[]}").unwrap();
    let failure = workspace
        .knowledge
        .lock(std::time::Duration::ZERO, &gik_base::Cancel::default())
        .unwrap_err();
    assert_eq!(failure.code(), gik_base::ErrorCode::StoreNewer);
    assert!(path.exists());
}

#[test]
fn a_journal_from_someone_else_cannot_lead_out_of_its_folder() {
    let workspace = prepared();
    let branch = workspace.main();
    let outside = workspace.dir.path().join("outside");
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(branch.dir().join("x.gik-tmp"), "bad").unwrap();
    let mut targets =
        vec!["../../../outside/x".to_owned(), outside.join("x").display().to_string()];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&outside, branch.dir().join("link")).unwrap();
        targets.push("link/x".to_owned());
    }
    for to in targets {
        let journal = serde_json::json!({
            "version": 1,
            "replacements": [{"from": "x.gik-tmp", "to": to, "bytes": 3, "synced": true}]
        });
        std::fs::write(branch.dir().join("journal.json"), journal.to_string()).unwrap();
        drop(workspace.lock());
        assert!(!outside.join("x").exists(), "{to}");
        assert!(!branch.dir().join("journal.json").exists());
    }
}

#[test]
fn a_file_that_a_patch_does_not_fit_is_left_to_be_derived_again() {
    let workspace = prepared();
    let (branch, held) = (workspace.main(), workspace.lock());
    for (at, length) in [(2, 9), (6, 8), (u64::MAX, 8)] {
        let path = branch.base_sources_path("docs");
        std::fs::write(&path, "1\nold\n3\n").unwrap();
        let transaction = branch.transaction(&held);
        transaction.patch("bases/docs/sources.jsonl", at, "new\n".to_owned(), length);
        transaction.commit().unwrap();
        assert!(!path.exists(), "{at} of {length}");
    }
    let transaction = branch.transaction(&held);
    transaction.patch("../elsewhere", 0, "new\n".to_owned(), 8);
    assert!(transaction.commit().is_err());
}
