//! Damage from outside: what recovery mends, what it leaves to people, and how it is told.

use gik_base::ErrorCode;
use gik_contract::{SourceKind, SourceStatus};

use super::{Workspace, memory, read, source};
use crate::{Finding, Repair, Severity};

fn three_revisions() -> Workspace {
    let workspace = Workspace::initialized();
    let (branch, held) = (workspace.main(), workspace.lock());
    for message in ["two", "three"] {
        let mut transaction = branch.transaction(&held);
        transaction.revision(message, None, Vec::new());
        transaction.commit().unwrap();
    }
    workspace
}

#[test]
fn a_timeline_torn_at_every_byte_of_its_last_line_keeps_a_head_and_goes_on() {
    let template = three_revisions();
    let whole = read(&template.main().timeline_path());
    let start = whole.trim_end().rfind('\n').unwrap() + 1;
    for cut in start..whole.len() {
        let workspace = template.copy();
        let branch = workspace.main();
        std::fs::write(branch.timeline_path(), &whole[..cut]).unwrap();
        let complete = cut == whole.len() - 1;
        assert_eq!(branch.timeline().unwrap().len(), if complete { 3 } else { 2 });

        // No recovery was asked for: a commit looks for itself.
        let held = workspace.lock();
        let mut transaction = branch.transaction(&held);
        transaction.revision("four", None, Vec::new());
        transaction.commit().unwrap();
        let timeline = branch.timeline().unwrap();
        assert_eq!(timeline.len(), if complete { 4 } else { 3 });
        assert_eq!(branch.verify().unwrap(), [], "cut at {cut}");
        let torn = std::fs::read_to_string(branch.dir().join("timeline.jsonl.torn")).ok();
        let expected = (cut > start && !complete).then(|| format!("{}\n", &whole[start..cut]));
        assert_eq!(torn, expected, "cut at {cut}");
    }
}

#[test]
fn recovery_says_what_it_did() {
    let workspace = three_revisions();
    let branch = workspace.main();
    let newest = branch.head().unwrap().unwrap();
    let held = workspace.lock();
    assert_eq!(branch.recover(&held).unwrap().actions, Vec::<String>::new());

    std::fs::remove_file(branch.head_path()).unwrap();
    std::fs::write(branch.dir().join("stack/x.1-2.gik-tmp"), "x").unwrap();
    std::fs::write(branch.pending_path(), "{\"id\":").unwrap();
    assert_eq!(
        branch.recover(&held).unwrap().actions,
        [
            "removed 1 temporary file(s) of a stopped process".to_owned(),
            "moved the torn last line of `staging/pending.jsonl` to `staging/pending.jsonl.torn`"
                .to_owned(),
            format!("HEAD was missing: set it to the newest revision {newest}"),
        ]
    );

    std::fs::write(branch.head_path(), "nonsense\n").unwrap();
    assert_eq!(
        branch.recover(&held).unwrap().actions,
        [format!("HEAD named no revision: set it to the newest revision {newest}")]
    );
    assert_eq!(branch.recover(&held).unwrap().actions, Vec::<String>::new());

    // A HEAD on an older revision is a HEAD.
    let older = branch.resolve("HEAD~1").unwrap().id;
    std::fs::write(branch.head_path(), &older).unwrap();
    assert_eq!(branch.recover(&held).unwrap().actions, Vec::<String>::new());
    assert_eq!(branch.head().unwrap(), Some(older));
}

#[test]
fn a_timeline_without_head_is_not_begun_again() {
    let workspace = three_revisions();
    let branch = workspace.main();
    std::fs::remove_file(branch.head_path()).unwrap();
    let failure = branch.init(&workspace.lock(), "again", None, None).unwrap_err();
    assert_eq!(failure.code(), ErrorCode::AlreadyInitialized);
    assert_eq!(branch.timeline().unwrap().len(), 3);
    assert!(branch.is_initialized());
}

#[test]
fn a_broken_line_in_the_middle_is_told_by_its_number_and_never_cut() {
    let workspace = three_revisions();
    let branch = workspace.main();
    let broken =
        read(&branch.timeline_path()).replacen("\"message\":\"two\"", "\"message\":two", 1);
    std::fs::write(branch.timeline_path(), &broken).unwrap();
    let failure = branch.timeline().unwrap_err();
    assert_eq!(failure.code(), ErrorCode::ContractInvalid);
    assert!(failure.message().contains("line 2 of"), "{failure}");
    branch.recover(&workspace.lock()).unwrap();
    assert_eq!(read(&branch.timeline_path()), broken);
    let findings = branch.verify().unwrap();
    assert_eq!((findings[0].file.as_str(), findings[0].line), ("main/timeline.jsonl", Some(2)));
}

fn told(findings: &[Finding]) -> Vec<String> {
    findings
        .iter()
        .map(|finding| {
            let Finding { file, line, message, severity, repair } = finding;
            let line = line.map_or_else(String::new, |line| format!(":{line}"));
            let severity = match severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            let repair = match repair {
                Repair::Automatic => " (repairable)",
                Repair::Manual => "",
            };
            format!("{file}{line} {severity}: {message}{repair}")
        })
        .collect()
}

#[test]
fn verify_finds_every_broken_invariant() {
    let workspace = Workspace::initialized();
    let (branch, held) = (workspace.main(), workspace.lock());
    let mut failed = source(SourceKind::Url, "docs", "https://x", SourceStatus::Failed);
    failed.branch = "other".to_owned();
    let transaction = branch.transaction(&held);
    let again = source(SourceKind::FilePath, "code", "a", SourceStatus::Processing);
    transaction
        .set_pending(&[
            source(SourceKind::FilePath, "code", "a", SourceStatus::Pending),
            again,
            failed,
        ])
        .unwrap();
    let mut bad = memory("mem-1", "2025-01-01T00:00:00Z", " ", &[]);
    bad.title = Some("x".repeat(101));
    bad.importance = Some(2.0);
    bad.branch = Some("main".to_owned());
    let mut foreign = memory("mem-2", "2025-01-01T00:00:00Z", "x", &[]);
    foreign.scope = gik_contract::MemoryScope::Branch;
    foreign.branch = Some("other".to_owned());
    let good = memory("mem-1", "2025-01-01T00:00:00Z", "x", &[]);
    transaction.set_memory(&branch.memory(), &[good.clone(), bad, foreign]).unwrap();
    transaction.set_memory_archive(&branch.memory(), &[good]).unwrap();
    transaction.commit().unwrap();

    let first = branch.head().unwrap().unwrap();
    let line = read(&branch.timeline_path());
    let orphan = line.replace(&first, "r2").replace("\"parentId\":null", "\"parentId\":\"gone\"");
    let second_root = line.replace(&first, "r3").replace("\"branch\":\"main\"", "\"branch\":\"x\"");
    std::fs::write(branch.timeline_path(), format!("{line}{orphan}{line}{second_root}{{\"id"))
        .unwrap();
    std::fs::write(branch.head_path(), "gone\n").unwrap();
    std::fs::write(branch.summary_path(), "{}").unwrap();
    std::fs::write(branch.memory().config_path(), "{\"pruningPolicy\":7}").unwrap();
    std::fs::write(branch.memory().stats_path(), "").unwrap();
    std::fs::write(branch.dir().join("journal.json"), "{\"version\":1,\"replacements\":[]}")
        .unwrap();

    let findings = told(&branch.verify().unwrap());
    let expected = [
        "main/HEAD error: `gone` is not in the timeline (repairable)".to_owned(),
        "main/bases/memory/archive.jsonl:1 warning: entry `mem-1` is archived and active".to_owned(),
        "main/bases/memory/config.json error: cannot understand `…`: invalid type: integer `7`, \
         expected struct MemoryPruningPolicy at line 1 column 18"
            .to_owned(),
        "main/bases/memory/sources.jsonl:2 error: id `mem-1` is on line 1 too".to_owned(),
        "main/bases/memory/sources.jsonl:2 error: the importance is 2, not between 0 and 1"
            .to_owned(),
        "main/bases/memory/sources.jsonl:2 error: the scope is `project` but branch `main` is named"
            .to_owned(),
        "main/bases/memory/sources.jsonl:2 error: the text is empty".to_owned(),
        "main/bases/memory/sources.jsonl:2 error: the title has 101 characters, at most 100 are \
         allowed"
            .to_owned(),
        "main/bases/memory/sources.jsonl:3 error: the entry belongs to branch `other`".to_owned(),
        "main/bases/memory/stats.json warning: the counts differ from \
         `bases/memory/sources.jsonl` (repairable)"
            .to_owned(),
        "main/journal.json warning: a change is not finished; the next writer finishes it \
         (repairable)"
            .to_owned(),
        "main/staging/pending.jsonl:2 error: id `id-a` is on line 1 too".to_owned(),
        "main/staging/pending.jsonl:2 warning: the source is `processing`: a commit runs or was \
         stopped"
            .to_owned(),
        "main/staging/pending.jsonl:3 error: the source belongs to branch `other`".to_owned(),
        "main/staging/pending.jsonl:3 warning: the source failed but `lastError` is missing"
            .to_owned(),
        "main/staging/summary.json error: the counts differ from `staging/pending.jsonl` \
         (repairable)"
            .to_owned(),
        "main/timeline.jsonl error: the last line is torn (repairable)".to_owned(),
        "main/timeline.jsonl:2 error: parent `gone` is not an earlier revision".to_owned(),
        format!("main/timeline.jsonl:3 error: id `{first}` is on line 1 too"),
        "main/timeline.jsonl:3 error: only the first revision has no parent".to_owned(),
        "main/timeline.jsonl:4 error: only the first revision has no parent".to_owned(),
        "main/timeline.jsonl:4 warning: the revision was made on branch `x`".to_owned(),
    ];
    let config = branch.memory().config_path().display().to_string();
    let findings: Vec<String> =
        findings.into_iter().map(|finding| finding.replace(&config, "…")).collect();
    assert_eq!(findings, expected);

    drop(held);
    branch.repair(&workspace.lock()).unwrap();
    let left = branch.verify().unwrap();
    assert!(left.iter().all(|finding| finding.repair == Repair::Manual), "{left:#?}");
    assert_eq!(left.len(), expected.len() - 5);
}

#[test]
fn memory_ids_are_unique_in_the_workspace() {
    let workspace = Workspace::initialized();
    let held = workspace.lock();
    let other = workspace.knowledge.branch("other");
    other.init(&held, "x", None, None).unwrap();
    for branch in [&workspace.main(), &other] {
        let transaction = branch.transaction(&held);
        let entry = memory("mem-1", "2025-01-01T00:00:00Z", "x", &[]);
        transaction.set_memory(&branch.memory(), &[entry]).unwrap();
        transaction.commit().unwrap();
        assert_eq!(branch.verify().unwrap(), []);
    }
    assert_eq!(
        told(&workspace.knowledge.verify().unwrap()),
        [
            "other/bases/memory/sources.jsonl:1 warning: memory id `mem-1` is used on branch `main` too"
        ]
    );
}

#[test]
fn counts_that_are_missing_or_behind_are_written_by_the_next_writer() {
    let workspace = Workspace::initialized();
    let (branch, held) = (workspace.main(), workspace.lock());
    let transaction = branch.transaction(&held);
    let sources =
        ["a", "b"].map(|uri| source(SourceKind::FilePath, "code", uri, SourceStatus::Pending));
    transaction.set_pending(&sources).unwrap();
    transaction.commit().unwrap();

    std::fs::remove_file(branch.summary_path()).unwrap();
    branch.recover(&held).unwrap();
    assert!(branch.summary_path().exists());
    assert_eq!(branch.summary().unwrap().pending_count, 2);

    // Another program takes a line away. Times of files are coarse, so the change is dated clearly later.
    let lines = read(&branch.pending_path());
    std::fs::write(branch.pending_path(), lines.split_inclusive('\n').next().unwrap()).unwrap();
    let file = std::fs::OpenOptions::new().append(true).open(branch.pending_path()).unwrap();
    file.set_modified(std::time::SystemTime::now() + std::time::Duration::from_secs(2)).unwrap();
    branch.recover(&held).unwrap();
    assert_eq!(branch.summary().unwrap().pending_count, 1);
    assert_eq!(branch.verify().unwrap(), []);
}
