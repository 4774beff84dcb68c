//! The files are as the data contract writes them down.

use gik_base::ErrorCode;
use gik_contract::{PendingSource, RevisionOperation, SourceKind, SourceStatus};
use serde_json::{Value, json};

use super::{Workspace, ids, read, source};
use crate::Durability;

fn folders(workspace: &Workspace) -> Vec<String> {
    let mut open = vec![workspace.main().dir().to_owned()];
    let mut found = Vec::new();
    while let Some(dir) = open.pop() {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(workspace.main().dir()).unwrap().to_str().unwrap();
            found.push(name.to_owned());
            if path.is_dir() {
                open.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn init_makes_exactly_the_layout_of_the_contract() {
    let workspace = Workspace::new();
    let branch = workspace.main();
    assert!(!branch.is_initialized());
    let revision =
        branch.init(&workspace.lock(), "Init GIK", Some("abc123".to_owned()), None).unwrap();
    assert_eq!(
        folders(&workspace),
        [
            "HEAD",
            "bases",
            "bases/code",
            "bases/docs",
            "bases/memory",
            "stack",
            "staging",
            "timeline.jsonl",
        ]
    );
    assert_eq!(read(&branch.head_path()), format!("{}\n", revision.id));
    assert_eq!(
        read(&branch.timeline_path()),
        format!(
            "{{\"id\":\"{}\",\"parentId\":null,\"branch\":\"main\",\"gitCommit\":\"abc123\",\
             \"timestamp\":\"{}\",\"message\":\"Init GIK\",\"operations\":[{{\"type\":\"Init\"}}]}}\n",
            revision.id, revision.timestamp
        )
    );
    assert_eq!(revision.id.len(), 36);
    assert_eq!(workspace.knowledge.branches().unwrap(), ["main"]);
    assert_eq!(branch.verify().unwrap(), []);
}

#[test]
fn a_second_init_changes_nothing() {
    let workspace = Workspace::initialized();
    let before = workspace.files();
    let failure = workspace.main().init(&workspace.lock(), "again", None, None).unwrap_err();
    assert_eq!(failure.code(), ErrorCode::AlreadyInitialized);
    assert_eq!(workspace.files(), before);
}

#[test]
fn a_revision_is_one_line_on_top_of_head() {
    let workspace = Workspace::initialized();
    let (branch, held) = (workspace.main(), workspace.lock());
    let first = branch.head().unwrap().unwrap();
    let mut transaction = branch.transaction(&held);
    let id = transaction.revision(
        "Index src/",
        None,
        vec![RevisionOperation::Commit { bases: vec!["code".to_owned()], source_count: 42 }],
    );
    let revision = transaction.commit().unwrap().unwrap();
    assert_eq!(revision.id, id);
    assert_eq!(branch.head().unwrap(), Some(id.clone()));
    let line = read(&branch.timeline_path()).lines().nth(1).unwrap().to_owned();
    assert_eq!(
        serde_json::from_str::<Value>(&line).unwrap(),
        json!({
            "id": id,
            "parentId": first,
            "branch": "main",
            "gitCommit": null,
            "timestamp": revision.timestamp.to_string(),
            "message": "Index src/",
            "operations": [{"type": "Commit", "bases": ["code"], "sourceCount": 42}]
        })
    );
    assert_eq!(branch.resolve("HEAD~1").unwrap().id, first);
}

#[test]
fn sources_and_their_summary_are_written_together_without_a_revision() {
    let workspace = Workspace::initialized();
    let (branch, held) = (workspace.main(), workspace.lock());
    let pending = [
        source(SourceKind::FilePath, "code", "src/main.rs", SourceStatus::Pending),
        source(SourceKind::Url, "docs", "https://docs.example.com/api", SourceStatus::Failed),
    ];
    let transaction = branch.transaction(&held);
    transaction.set_pending(&pending).unwrap();
    assert!(transaction.commit().unwrap().is_none());
    assert_eq!(
        read(&branch.pending_path()),
        "{\"id\":\"id-src/main.rs\",\"branch\":\"main\",\"base\":\"code\",\"kind\":\"filePath\",\
         \"uri\":\"src/main.rs\",\"addedAt\":\"2025-11-27T18:00:00Z\",\"status\":\"pending\"}\n\
         {\"id\":\"id-https://docs.example.com/api\",\"branch\":\"main\",\"base\":\"docs\",\
         \"kind\":\"url\",\"uri\":\"https://docs.example.com/api\",\
         \"addedAt\":\"2025-11-27T18:00:00Z\",\"status\":\"failed\"}\n"
    );
    let summary: Value = serde_json::from_str(&read(&branch.summary_path())).unwrap();
    assert_eq!(
        summary,
        json!({
            "pendingCount": 1,
            "indexedCount": 0,
            "failedCount": 1,
            "byBase": {"code": 1},
            "lastUpdatedAt": summary["lastUpdatedAt"]
        })
    );
    assert_eq!(branch.pending().unwrap(), pending);
    assert_eq!(branch.timeline().unwrap().len(), 1);

    std::fs::remove_file(branch.summary_path()).unwrap();
    assert_eq!(branch.summary().unwrap().pending_count, 1);
    assert!(!branch.summary_path().exists(), "reading never writes");
}

#[test]
fn what_this_version_does_not_know_survives_a_rewrite() {
    let workspace = Workspace::initialized();
    let (branch, held) = (workspace.main(), workspace.lock());
    let line = "{\"id\":\"1\",\"branch\":\"main\",\"base\":\"code\",\"kind\":\"filePath\",\"uri\":\"a\",\
                \"addedAt\":\"2025-11-27T18:00:00Z\",\"status\":\"indexed\",\"future\":{\"z\":1,\"a\":[]}}\n";
    std::fs::write(branch.pending_path(), line).unwrap();
    let transaction = branch.transaction(&held);
    transaction.set_pending(&branch.pending().unwrap()).unwrap();
    transaction.commit().unwrap();
    assert_eq!(read(&branch.pending_path()), line);
}

#[test]
fn a_branch_made_from_a_branch_has_its_revisions_and_indexed_sources() {
    let workspace = Workspace::initialized();
    let (main, held) = (workspace.main(), workspace.lock());
    let mut removal = source(SourceKind::Directory, "auto", "src/gen", SourceStatus::Indexed);
    removal.metadata = Some(PendingSource::removal_metadata());
    let mut failed = source(SourceKind::FilePath, "code", "d", SourceStatus::Failed);
    failed.last_error = Some("unreadable".to_owned());
    let mut transaction = main.transaction(&held);
    transaction
        .set_pending(&[
            source(SourceKind::Directory, "auto", "src", SourceStatus::Indexed),
            source(SourceKind::FilePath, "code", "b", SourceStatus::Pending),
            removal,
            failed,
        ])
        .unwrap();
    transaction.revision("Index src/", None, Vec::new());
    let base = transaction.commit().unwrap().unwrap();

    let branch = workspace.knowledge.branch("feature/x");
    let revision = branch.init(&held, "Branch", None, Some(&main)).unwrap();
    assert!(branch.dir().ends_with("feature%2Fx"));
    assert_eq!(revision.parent_id, Some(base.id.clone()));
    assert_eq!(revision.branch, "feature/x");
    assert_eq!(
        serde_json::to_value(&revision.operations).unwrap(),
        json!([{"type": "Custom", "name": "branch", "data": {"from": "main", "revision": base.id}}])
    );
    let mut expected = read(&main.timeline_path());
    expected.push_str(&serde_json::to_string(&revision).unwrap());
    expected.push('\n');
    assert_eq!(read(&branch.timeline_path()), expected);
    let sources = branch.pending().unwrap();
    assert_eq!(
        sources.iter().map(|entry| entry.uri.as_str()).collect::<Vec<_>>(),
        ["src", "src/gen"]
    );
    assert!(sources.iter().all(|entry| entry.branch == "feature/x"));
    assert_eq!(workspace.knowledge.branches().unwrap(), ["feature/x", "main"]);
    assert_eq!(workspace.knowledge.verify().unwrap(), []);
    assert_eq!(branch.resolve("HEAD^").unwrap().id, base.id);

    let missing = workspace.knowledge.branch("none");
    let failure = workspace
        .knowledge
        .branch("other")
        .init(&held, "Branch", None, Some(&missing))
        .unwrap_err();
    assert_eq!(failure.code(), ErrorCode::NotInitialized);
}

#[test]
fn over_long_branch_names_are_listed_in_full() {
    let workspace = Workspace::initialized();
    let name = "feature/".repeat(60);
    workspace.knowledge.branch(&name).init(&workspace.lock(), "x", None, None).unwrap();
    assert_eq!(workspace.knowledge.branches().unwrap(), [name.as_str(), "main"]);
    assert_eq!(workspace.knowledge.verify().unwrap(), []);
}

#[test]
fn files_beside_the_branches_are_no_branches() {
    let workspace = Workspace::initialized();
    let dir = workspace.knowledge.dir();
    std::fs::create_dir_all(dir.join("asks")).unwrap();
    std::fs::create_dir_all(dir.join("empty")).unwrap();
    std::fs::create_dir_all(dir.join("not ours")).unwrap();
    std::fs::write(dir.join("not ours/HEAD"), "x").unwrap();
    std::fs::write(workspace.knowledge.config_path(), "").unwrap();
    assert_eq!(workspace.knowledge.branches().unwrap(), ["main"]);
    assert_eq!(Workspace::new().knowledge.branches().unwrap(), Vec::<String>::new());
}

#[test]
fn an_own_gitignore_is_left_alone() {
    let workspace = Workspace::new();
    workspace.knowledge.ensure_layout().unwrap();
    let path = workspace.knowledge.guided_dir().join(".gitignore");
    assert!(read(&path).contains("!/knowledge/*/timeline.jsonl\n"));
    std::fs::write(&path, "*\n").unwrap();
    workspace.knowledge.ensure_layout().unwrap();
    assert_eq!(read(&path), "*\n");
}

#[test]
fn version_control_sees_what_may_be_shared_and_nothing_else() {
    let workspace = Workspace::initialized();
    workspace.knowledge.ensure_layout().unwrap();
    let root = workspace.dir.path();
    let branch = workspace.main();
    let shared = [
        "config.yaml",
        "main/HEAD",
        "main/bases/memory/archive.jsonl",
        "main/bases/memory/config.json",
        "main/bases/memory/sources.jsonl",
        "main/staging/pending.jsonl",
        "main/timeline.jsonl",
    ];
    let ignored = [
        "asks/answers.jsonl",
        "asks/ask.log.jsonl",
        "main/bases/code/sources.jsonl",
        "main/bases/memory/index/meta.json",
        "main/bases/memory/stats.json",
        "main/index.sqlite",
        "main/journal.json",
        "main/lexical/segment",
        "main/stack/stats.json",
        "main/staging/pending.jsonl.1.gik-tmp",
        "main/staging/summary.json",
        "main/timeline.jsonl.torn",
    ];
    for file in shared.iter().chain(&ignored) {
        let path = workspace.knowledge.dir().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        if !path.exists() {
            std::fs::write(path, "").unwrap();
        }
    }
    let git = |arguments: &[&str]| {
        let output = std::process::Command::new("git")
            .args(arguments)
            .current_dir(root)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output();
        output.ok().filter(|output| output.status.success()).map(|output| output.stdout)
    };
    // Without git there is nothing to ask.
    if git(&["init", "-q"]).is_none() {
        return;
    }
    let listed = git(&["ls-files", "-o", "--exclude-standard", ".guided/knowledge"]).unwrap();
    let listed = String::from_utf8(listed).unwrap();
    let listed: Vec<&str> =
        listed.lines().map(|path| path.strip_prefix(".guided/knowledge/").unwrap()).collect();
    assert_eq!(listed, shared);
    assert!(branch.is_initialized());
}

#[test]
fn a_transaction_replaces_only_what_is_its_own() {
    let workspace = Workspace::initialized();
    let (branch, held) = (workspace.main(), workspace.lock());
    let before = workspace.files();
    for path in ["HEAD", "timeline.jsonl", "journal.json", "../other/x", "/etc/x", "", "a/../HEAD"]
    {
        let transaction = branch.transaction(&held);
        transaction.replace(path, b"x".to_vec(), Durability::Cached);
        transaction.replace("stack/stats.json", b"x".to_vec(), Durability::Cached);
        assert_eq!(transaction.commit().unwrap_err().code(), ErrorCode::Internal, "{path}");
    }
    assert_eq!(workspace.files(), before);

    let other = Workspace::initialized();
    let foreign = other.lock();
    let mut transaction = branch.transaction(&foreign);
    transaction.revision("x", None, Vec::new());
    assert_eq!(transaction.commit().unwrap_err().code(), ErrorCode::Internal);
    assert_eq!(workspace.files(), before);
}

#[test]
fn the_last_replacement_of_a_file_counts_and_a_dropped_transaction_leaves_nothing() {
    let workspace = Workspace::initialized();
    let (branch, held) = (workspace.main(), workspace.lock());
    let before = workspace.files();
    let stream =
        |text: &'static str| move |out: &mut dyn std::io::Write| out.write_all(text.as_bytes());
    let transaction = branch.transaction(&held);
    transaction.replace_with("stack/a", Durability::Synced, stream("1")).unwrap();
    transaction.replace("stack/a", b"2".to_vec(), Durability::Synced);
    assert_eq!(branch.recover(&held).unwrap().actions, Vec::<String>::new());
    drop(transaction);
    assert_eq!(workspace.files(), before);

    let transaction = branch.transaction(&held);
    transaction.replace("stack/a", b"2".to_vec(), Durability::Cached);
    transaction.replace_with("stack/a", Durability::Cached, stream("three")).unwrap();
    let failed = transaction.replace_with("stack/b", Durability::Cached, |_| {
        let failure = gik_base::Failure::new(ErrorCode::StoreBroken, "no rows");
        Err(std::io::Error::other(failure))
    });
    assert_eq!(failed.unwrap_err().code(), ErrorCode::StoreBroken);
    // A transaction that is still being collected keeps its temporary files.
    assert_eq!(branch.recover(&held).unwrap().actions, Vec::<String>::new());
    transaction.commit().unwrap();
    let mut expected = before;
    expected.insert(".guided/knowledge/main/stack/a".to_owned(), b"three".to_vec());
    assert_eq!(workspace.files(), expected);
    assert_eq!(ids(&branch.timeline().unwrap()).len(), 1);
}
