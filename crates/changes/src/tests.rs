//! Every step of applying is made the last one: afterwards all files are old or all are new.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gik_base::{Cancel, ErrorCode};
use gik_ledger::{Held, Knowledge};
use gik_testkit::Tree;
use gik_testkit::stop::{self, Manner};

use crate::{Proposed, Shelf, Site, apply, is_unfinished, recover};

const DIFF: &str = "\
--- a/one.txt
+++ b/one.txt
@@ -1 +1 @@
-old one
+new one
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-to be gone
diff --git a/from.txt b/deep/er/to.txt
rename from from.txt
rename to deep/er/to.txt
--- /dev/null
+++ b/fresh/file.txt
@@ -0,0 +1 @@
+made
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
";

struct World {
    tree: Tree,
    site: Site,
    dir: PathBuf,
    held: Held,
}

fn world() -> World {
    let tree = Tree::new(
        "//- one.txt\nold one\n//- gone.txt\nto be gone\n//- from.txt\nmoved\n//- run.sh\ntrue\n//- other.txt\nstays\n",
    );
    let knowledge = Knowledge::at(tree.root());
    let held = knowledge.lock(Duration::from_secs(5), &Cancel::default()).unwrap();
    let site = Site::new(tree.root(), None).unwrap();
    World { site, dir: knowledge.changes_dir(), tree, held }
}

impl World {
    fn propose(&self) -> crate::Proposal {
        let proposed = Proposed::from_diff(&self.site, "test", DIFF, 100).unwrap();
        assert!(proposed.notes.is_empty());
        Shelf::new(&self.dir, &self.site).put(&self.held, &proposed.proposal).unwrap();
        proposed.proposal
    }

    /// Every file and folder outside `.guided`, with whether it may be run.
    fn files(&self) -> BTreeMap<String, (String, bool)> {
        let mut found = BTreeMap::new();
        let mut open = vec![self.tree.root().to_owned()];
        while let Some(dir) = open.pop() {
            for entry in std::fs::read_dir(dir).unwrap() {
                let path = entry.unwrap().path();
                let name =
                    path.strip_prefix(self.tree.root()).unwrap().to_str().unwrap().to_owned();
                if name == ".guided" {
                    continue;
                }
                if path.is_dir() {
                    found.insert(format!("{name}/"), (String::new(), false));
                    open.push(path);
                } else {
                    let metadata = std::fs::metadata(&path).unwrap();
                    let text = std::fs::read_to_string(&path).unwrap();
                    found.insert(name, (text, gik_base::fs::is_executable(&metadata)));
                }
            }
        }
        found
    }

    fn recover(&self) -> Vec<String> {
        let told = recover(&self.site, &self.dir, &self.held).unwrap();
        assert!(!is_unfinished(&self.dir).unwrap());
        told
    }
}

fn is_new(files: &BTreeMap<String, (String, bool)>) -> bool {
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    names
        == [
            "deep/",
            "deep/er/",
            "deep/er/to.txt",
            "fresh/",
            "fresh/file.txt",
            "one.txt",
            "other.txt",
            "run.sh",
        ]
        && files["one.txt"].0 == "new one\n"
        && files["deep/er/to.txt"].0 == "moved\n"
        && files["fresh/file.txt"].0 == "made\n"
        && files["run.sh"] == ("true\n".to_owned(), cfg!(unix))
}

#[test]
fn all_files_change_together() {
    let world = world();
    let proposal = world.propose();
    apply(&world.site, &world.dir, &world.held, &proposal).unwrap();
    assert!(is_new(&world.files()), "{:?}", world.files());
    let again = apply(&world.site, &world.dir, &world.held, &proposal).unwrap_err();
    assert_eq!(again.code(), ErrorCode::ChangeOutdated);
}

#[test]
fn stopped_at_any_step_all_is_old_or_all_is_new() {
    let mut outcomes = BTreeMap::new();
    for manner in [Manner::Killed, Manner::Failed] {
        for step in 0.. {
            let world = world();
            let proposal = world.propose();
            let old = world.files();
            let (applied, taken) =
                stop::at(step, manner, || apply(&world.site, &world.dir, &world.held, &proposal));
            if taken <= step {
                assert!(applied.is_ok());
                break;
            }
            world.recover();
            let files = world.files();
            assert!(files == old || is_new(&files), "{manner:?} {step}: {files:?}");
            assert_eq!(applied.is_ok(), is_new(&files), "{manner:?} {step}");
            *outcomes.entry((manner == Manner::Killed, files == old)).or_insert(0) += 1;
        }
    }
    assert_eq!(outcomes.len(), 4, "{outcomes:?}");
}

#[test]
fn recovery_may_be_stopped_at_any_step_too() {
    for step in (6..40).step_by(8) {
        for again in 0..30 {
            let world = world();
            let proposal = world.propose();
            let old = world.files();
            let (_, taken) = stop::at(step, Manner::Killed, || {
                apply(&world.site, &world.dir, &world.held, &proposal)
            });
            if taken <= step {
                return;
            }
            let (_, taken) =
                stop::at(again, Manner::Killed, || recover(&world.site, &world.dir, &world.held));
            world.recover();
            let files = world.files();
            assert!(files == old || is_new(&files), "{step} {again}: {files:?}");
            if taken <= again {
                break;
            }
        }
    }
}

#[test]
fn what_somebody_changed_meanwhile_is_not_touched() {
    let world = world();
    let proposal = world.propose();
    world.tree.write("one.txt", "edited\n");
    let old = world.files();
    let failure = apply(&world.site, &world.dir, &world.held, &proposal).unwrap_err();
    assert_eq!(failure.code(), ErrorCode::ChangeOutdated);
    assert_eq!(world.files(), old);
    // Killed after the files were changed, and one of them is edited before the next command.
    let world = self::world();
    let proposal = world.propose();
    for step in 0.. {
        drop(stop::at(step, Manner::Killed, || {
            apply(&world.site, &world.dir, &world.held, &proposal)
        }));
        if world.tree.read("one.txt") == "new one\n" {
            break;
        }
        world.recover();
    }
    world.tree.write("one.txt", "mine\n");
    let told = world.recover();
    assert!(told.iter().any(|it| it.contains("`one.txt` changed meanwhile")), "{told:?}");
    assert_eq!(world.tree.read("one.txt"), "mine\n");
    assert_eq!(world.tree.read("gone.txt"), "to be gone\n");
}

#[cfg(unix)]
#[test]
fn permissions_stay_as_they_are() {
    use std::os::unix::fs::PermissionsExt as _;
    let world = world();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let set = |name: &str, mode| {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(world.tree.path(name), permissions).unwrap();
    };
    set("one.txt", 0o640);
    set("from.txt", 0o600);
    set("run.sh", 0o640);
    let proposal = world.propose();
    apply(&world.site, &world.dir, &world.held, &proposal).unwrap();
    assert_eq!(mode(&world.tree.path("one.txt")), 0o640);
    assert_eq!(mode(&world.tree.path("deep/er/to.txt")), 0o600);
    assert_eq!(mode(&world.tree.path("run.sh")), 0o750);
}

#[cfg(unix)]
#[test]
fn a_folder_that_became_a_link_is_not_followed() {
    let world = world();
    let diff = "--- /dev/null\n+++ b/sub/new.txt\n@@ -0,0 +1 @@\n+x\n";
    let proposal = Proposed::from_diff(&world.site, "test", diff, 1).unwrap().proposal;
    Shelf::new(&world.dir, &world.site).put(&world.held, &proposal).unwrap();
    world.tree.link("sub", world.tree.outside().to_str().unwrap());
    let failure = apply(&world.site, &world.dir, &world.held, &proposal).unwrap_err();
    assert_eq!(failure.code(), ErrorCode::PathRefused);
    assert!(!world.tree.outside().join("new.txt").exists());
}

#[test]
fn a_journal_from_someone_else_leads_nowhere() {
    let world = world();
    std::fs::create_dir_all(&world.dir).unwrap();
    for path in ["../outside", "/etc/passwd", ".git/config", ".env"] {
        let journal = format!(
            "{{\"version\":1,\"id\":\"0123456789abcdef\",\"state\":\"applying\",\"files\":[{{\"path\":\"{path}\",\"before\":null,\"after\":\"00\"}}],\"folders\":[]}}"
        );
        std::fs::write(world.dir.join("journal.json"), journal).unwrap();
        let failure = recover(&world.site, &world.dir, &world.held).unwrap_err();
        assert_eq!(failure.code(), ErrorCode::ContractInvalid, "{path}");
    }
}

#[test]
fn a_proposal_that_was_tampered_with_is_not_used() {
    let world = world();
    let proposal = world.propose();
    let shelf = Shelf::new(&world.dir, &world.site);
    let path = world.dir.join(format!("{}.json", proposal.id));
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("made", "evil")).unwrap();
    assert_eq!(shelf.find(&proposal.id).unwrap_err().code(), ErrorCode::ContractInvalid);
    let (listed, damaged) = shelf.list().unwrap();
    assert!(listed.is_empty() && damaged == [proposal.id.clone()]);
    let mut forged = proposal.clone();
    forged.changes[0].after = None;
    assert!(apply(&world.site, &world.dir, &world.held, &forged).is_err());
}

#[test]
fn old_proposals_make_room_for_new_ones() {
    let world = world();
    let shelf = Shelf::new(&world.dir, &world.site);
    for n in 0..60 {
        let diff = format!("--- a/one.txt\n+++ b/one.txt\n@@ -1 +1 @@\n-old one\n+new {n}\n");
        let proposed = Proposed::from_diff(&world.site, "test", &diff, n).unwrap();
        shelf.put(&world.held, &proposed.proposal).unwrap();
    }
    let (listed, _) = shelf.list().unwrap();
    assert_eq!(listed.len(), 50);
    assert_eq!(listed[0].created_at, 10);
    let later = Proposed::from_diff(&world.site, "test", DIFF, 8 * 24 * 3600).unwrap();
    shelf.put(&world.held, &later.proposal).unwrap();
    assert_eq!(shelf.list().unwrap().0.len(), 1);
}
