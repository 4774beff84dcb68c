//! Histories made by git itself.

mod hostile;
mod staged;

use std::process::Command;

use super::*;

struct Repo {
    _dir: tempfile::TempDir,
    root: PathBuf,
    clock: std::cell::Cell<u64>,
}

impl Repo {
    fn new() -> Self {
        Self::with("init -q")
    }

    fn with(init: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let repo = Self { _dir: dir, root, clock: std::cell::Cell::new(1_700_000_000) };
        repo.git(init);
        repo
    }

    #[track_caller]
    fn git(&self, arguments: &str) -> String {
        let time = self.clock.get().to_string();
        let output = Command::new("git")
            .current_dir(&self.root)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .env("GIT_AUTHOR_DATE", format!("{time} +0000"))
            .env("GIT_COMMITTER_DATE", format!("{time} +0000"))
            .args(["-c", "user.name=Ann", "-c", "user.email=ann@example.com"])
            .args(["-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always"])
            .args(arguments.split(' '))
            .output()
            .unwrap();
        assert!(output.status.success(), "git {arguments}: {output:?}");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn commit(&self, message: &str) -> String {
        self.clock.set(self.clock.get() + 60);
        self.git("add -A");
        self.git(&format!("commit -q --allow-empty -m {message}"));
        self.git("rev-parse HEAD")
    }

    fn open(&self) -> Repository {
        Repository::open(&self.root).unwrap().unwrap()
    }

    fn commits(&self) -> Vec<Commit> {
        self.open().commits(&|_| false, 1000, &Cancel::default()).unwrap()
    }

    fn trace(&self, path: &str, lines: std::ops::RangeInclusive<u32>) -> Traced {
        let text = std::fs::read(self.root.join(path)).unwrap();
        let key = FileKey::from_text(path);
        self.open().trace(&key, &text, lines, 0, &Cancel::default()).unwrap()
    }

    /// The subject of the commit that each line comes from, as we see it and as `git blame` does.
    fn blamed(&self, path: &str) -> (Vec<String>, Vec<String>) {
        let text = std::fs::read(self.root.join(path)).unwrap();
        let n_lines = u32::try_from(lines::lines(&text).count()).unwrap();
        let traced = self.trace(path, 1..=n_lines);
        let mut ours = vec![String::new(); n_lines as usize];
        for origin in &traced.origins {
            for line in &origin.lines {
                ours[*line as usize - 1] = origin.commit.subject().to_owned();
            }
        }
        let blame = self.git(&format!("blame --line-porcelain HEAD -- {path}"));
        let theirs =
            blame.lines().filter_map(|line| line.strip_prefix("summary ")).map(str::to_owned);
        (ours, theirs.collect())
    }
}

fn subjects(commits: &[Commit]) -> Vec<&str> {
    commits.iter().map(Commit::subject).collect()
}

fn numbered(lines: impl Iterator<Item = u32>) -> String {
    lines.map(|line| format!("line {line}\n")).collect()
}

#[test]
fn without_git_or_without_a_commit_there_is_no_history() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    if git::repository_root(&root).is_none() {
        assert!(Repository::open(&root).unwrap().is_none());
    }
    let repo = Repo::new();
    assert!(Repository::open(&repo.root).unwrap().is_none());
    assert_eq!(head_of(&repo.root).unwrap(), None);
}

#[test]
fn loose_and_packed_objects_of_both_hashes_are_read() {
    for init in ["init -q", "init -q --object-format=sha256"] {
        let repo = Repo::with(init);
        for round in 0..12u32 {
            repo.write(
                "src/a.txt",
                &numbered((0..200).map(|line| if line == round { 1000 + round } else { line })),
            );
            repo.write(&format!("src/b{round}.txt"), "text\n");
            repo.commit(&format!("c{round}"));
        }
        let loose = repo.commits();
        let changes: Vec<Changes> =
            loose.iter().map(|commit| repo.open().changes(commit)).collect();
        repo.git("gc -q --aggressive --prune=now");
        assert!(repo.root.join(".git/objects/pack").read_dir().unwrap().next().is_some());
        assert_eq!(repo.commits(), loose);
        assert_eq!(subjects(&loose)[..2], ["c11", "c10"]);
        assert_eq!(loose.len(), 12);
        let packed: Vec<Changes> = loose.iter().map(|commit| repo.open().changes(commit)).collect();
        assert_eq!(packed, changes);
        let keys: Vec<&str> = packed[0].files.iter().map(|change| change.key.as_str()).collect();
        assert_eq!(keys, ["src/a.txt", "src/b11.txt"]);
        let (ours, theirs) = repo.blamed("src/a.txt");
        assert_eq!(ours, theirs);
    }
}

#[test]
fn commits_are_read_up_to_those_that_are_known() {
    let repo = Repo::new();
    let first = repo.commit("one");
    repo.commit("two");
    repo.commit("three");
    let known = ObjectId::from_hex(&first).unwrap();
    let new = repo.open().commits(&|id| *id == known, 100, &Cancel::default()).unwrap();
    assert_eq!(subjects(&new), ["three", "two"]);
    let few = repo.open().commits(&|_| false, 2, &Cancel::default()).unwrap();
    assert_eq!(subjects(&few), ["three", "two"]);
}

#[test]
fn moved_files_and_files_outside_of_the_workspace_are_told_apart() {
    let repo = Repo::new();
    repo.write("app/old.txt", "some text\n");
    repo.write("other.txt", "other\n");
    repo.commit("one");
    std::fs::rename(repo.root.join("app/old.txt"), repo.root.join("app/new.txt")).unwrap();
    repo.write("other.txt", "changed\n");
    repo.commit("two");
    let workspace = repo.root.join("app");
    let inside = Repository::open(&workspace).unwrap().unwrap();
    let head = inside.commit(&inside.head()).unwrap();
    let moved = Change { key: "new.txt".to_owned(), from: Some("old.txt".to_owned()) };
    assert_eq!(inside.changes(&head).files, [moved]);
    assert_eq!(repo.open().changes(&head).files.len(), 2);
}

#[test]
fn lines_come_from_the_commits_that_git_blames() {
    let repo = Repo::new();
    repo.write("a.txt", &numbered(1..=30));
    repo.commit("one");
    repo.write(
        "a.txt",
        &numbered((1..=30).map(|line| if line % 7 == 0 { line + 100 } else { line })),
    );
    repo.commit("two");
    repo.git("switch -q -c side");
    repo.write(
        "a.txt",
        &numbered((0..=30).map(|line| if line % 7 == 0 { line + 100 } else { line })),
    );
    repo.commit("side");
    repo.git("switch -q main");
    repo.write(
        "a.txt",
        &numbered((1..=34).map(|line| if line % 7 == 0 { line + 100 } else { line })),
    );
    repo.commit("main");
    repo.clock.set(repo.clock.get() + 60);
    repo.git("merge -q --no-edit side");
    let (ours, theirs) = repo.blamed("a.txt");
    assert_eq!(ours, theirs);
    assert!(ours.contains(&"side".to_owned()) && ours.contains(&"main".to_owned()));
}

#[test]
fn lines_are_followed_through_other_names_and_to_what_stood_there() {
    let repo = Repo::new();
    repo.write("old.txt", &numbered(1..=20));
    repo.commit("born");
    repo.write("old.txt", &numbered((1..=20).map(|line| if line == 5 { 500 } else { line })));
    repo.commit("changed");
    std::fs::rename(repo.root.join("old.txt"), repo.root.join("new.txt")).unwrap();
    repo.write("new.txt", &numbered((1..=20).map(|line| if line == 5 { 501 } else { line })));
    repo.commit("moved");
    let text = std::fs::read(repo.root.join("new.txt")).unwrap();
    let key = FileKey::from_text("new.txt");
    let traced = repo.open().trace(&key, &text, 4..=5, 10, &Cancel::default()).unwrap();
    let told: Vec<_> = (traced.origins.iter())
        .map(|origin| {
            (
                origin.commit.subject(),
                origin.key.as_deref(),
                &origin.lines[..],
                &origin.replaced[..],
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("moved", Some("new.txt"), &[5][..], &[][..]),
            ("changed", Some("old.txt"), &[], &[5]),
            ("born", Some("old.txt"), &[4], &[5])
        ]
    );
}

#[test]
fn lines_that_were_not_committed_are_told() {
    let repo = Repo::new();
    repo.write("a.txt", "one\ntwo\nthree\n");
    repo.commit("first");
    repo.write("a.txt", "zero\none\r\ntwo changed\nthree\n");
    repo.write("b.txt", "new\n");
    let traced = repo.trace("a.txt", 1..=4);
    assert_eq!((traced.uncommitted, traced.is_known), (vec![1, 3], true));
    assert_eq!(traced.origins[0].lines, [2, 4]);
    let traced = repo.trace("b.txt", 1..=1);
    assert_eq!((traced.uncommitted, traced.is_known), (vec![1], false));
}

#[test]
fn a_shallow_clone_ends_where_it_was_cut() {
    let repo = Repo::new();
    for round in 0..5u32 {
        repo.write("a.txt", &numbered(0..=round));
        repo.commit(&format!("c{round}"));
    }
    let url = format!("file://{}", repo.root.display());
    repo.git(&format!("clone -q --depth 2 {url} clone"));
    let clone = Repository::open(&repo.root.join("clone")).unwrap().unwrap();
    assert!(clone.is_shallow());
    let commits = clone.commits(&|_| false, 100, &Cancel::default()).unwrap();
    assert_eq!(subjects(&commits), ["c4", "c3"]);
    let text = std::fs::read(repo.root.join("a.txt")).unwrap();
    let traced =
        clone.trace(&FileKey::from_text("a.txt"), &text, 1..=5, 0, &Cancel::default()).unwrap();
    let told: Vec<_> =
        traced.origins.iter().map(|origin| (origin.commit.subject(), origin.lines.len())).collect();
    assert_eq!(told, [("c4", 1), ("c3", 4)]);
    assert!(clone.changes(&commits[1]).is_bulk);
    let root = repo.root.join("clone");
    let mark = clone.shallow_mark();
    assert_eq!((shallow_mark_of(&root).unwrap(), mark != 0), (mark, true));
    repo.git("-C clone fetch -q --unshallow");
    assert_eq!(shallow_mark_of(&root).unwrap(), 0);
}

#[test]
fn objects_that_another_repository_lends_and_linked_worktrees_are_read() {
    let repo = Repo::new();
    repo.write("a.txt", "one\n");
    repo.commit("first");
    repo.git(&format!("clone -q --shared {} lent", repo.root.display()));
    repo.git("worktree add -q linked -b linked");
    for name in ["lent", "linked"] {
        let opened = Repository::open(&repo.root.join(name)).unwrap().unwrap();
        let commits = opened.commits(&|_| false, 10, &Cancel::default()).unwrap();
        assert_eq!(subjects(&commits), ["first"], "{name}");
    }
}

#[test]
fn damaged_objects_are_missing_and_nothing_else() {
    let repo = Repo::new();
    for round in 0..8u32 {
        repo.write("a.txt", &numbered(0..200 + round));
        repo.commit(&format!("c{round}"));
    }
    repo.git("gc -q --prune=now");
    let packs = repo.root.join(".git/objects/pack");
    let files: Vec<PathBuf> =
        packs.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    for file in files {
        let whole = std::fs::read(&file).unwrap();
        for at in (0..whole.len()).step_by(7) {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x55;
            replace(&file, &damaged);
            if let Some(opened) = Repository::open(&repo.root).unwrap() {
                let commits = opened.commits(&|_| false, 100, &Cancel::default()).unwrap();
                for commit in &commits {
                    opened.changes(commit);
                }
                let key = FileKey::from_text("a.txt");
                opened.trace(&key, b"line 1\nline 2\n", 1..=2, 3, &Cancel::default()).unwrap();
            }
        }
        replace(&file, &whole[..whole.len() / 2]);
        Repository::open(&repo.root).unwrap().unwrap().commit(&repo.open().head());
        replace(&file, &whole);
    }
}

fn replace(path: &Path, bytes: &[u8]) {
    std::fs::remove_file(path).unwrap();
    std::fs::write(path, bytes).unwrap();
}

fn kept_of(repo: &Repo, kept: Vec<PastCommit>, most: usize) -> (Vec<PastCommit>, bool) {
    let opened = repo.open();
    let known: BTreeSet<ObjectId> = kept.iter().map(|commit| commit.id).collect();
    let new = opened.commits(&|id| known.contains(id), most, &Cancel::default()).unwrap();
    let new = new.into_iter().map(|commit| (commit.clone(), opened.changes(&commit))).collect();
    Kept::joined(kept, new, opened.head(), most)
}

#[test]
fn what_is_kept_grows_by_what_is_new_and_follows_names_and_branches() {
    let repo = Repo::new();
    repo.write("a.txt", "one\n");
    repo.write("b.txt", "two\n");
    repo.commit("first");
    let (early, _) = kept_of(&repo, Vec::new(), 100);
    repo.git("switch -q -c side");
    repo.commit("side");
    let (side, _) = kept_of(&repo, early.clone(), 100);
    repo.git("switch -q main");
    std::fs::rename(repo.root.join("a.txt"), repo.root.join("c.txt")).unwrap();
    repo.commit("moved");
    let (fresh, is_cut) = kept_of(&repo, Vec::new(), 100);
    assert!(!is_cut);
    assert_eq!(kept_of(&repo, side, 100).0, fresh);
    assert_eq!(kept_of(&repo, early, 100).0, fresh);
    assert_eq!(fresh[1].files, ["b.txt", "c.txt"]);
    let (bounded, is_cut) = kept_of(&repo, Vec::new(), 1);
    assert_eq!((bounded.len(), is_cut), (1, true));

    let path = repo.root.join("kept");
    Kept::write(&path, &repo.open(), &fresh, false).unwrap();
    let kept = Kept::open(&path).unwrap();
    assert_eq!((kept.head(), kept.n_commits(), kept.is_cut()), (repo.open().head(), 2, false));
    assert_eq!(kept.commits().unwrap(), fresh);
    assert_eq!(kept.commits_of("c.txt"), [0, 1]);
    assert_eq!(kept.commits_of("b.txt"), [1]);
    assert_eq!(kept.commits_of("a.txt"), [0; 0]);
    for (number, commit) in fresh.iter().enumerate() {
        assert_eq!(kept.number_of(commit.id.short()), Some(number));
        assert_eq!(kept.committed(number), Some(commit.committed));
    }
    let whole = std::fs::read(&path).unwrap();
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 0xff;
        replace(&path, &damaged);
        if let Some(kept) = Kept::open(&path) {
            assert_eq!(kept.commits(), None, "{at}");
            kept.commit(0);
            kept.commits_of("c.txt");
            kept.number_of(fresh[0].id.short());
        }
    }
    replace(&path, &whole[..whole.len() - 1]);
    assert!(Kept::open(&path).is_none());
}
