//! From start to end: one of it, for as long as it is of use.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use gik_testkit::{Ending, eventually};

use super::{calls, configure, is_running, socket, started, status, warm};
use crate::cli::{gik, indexed, project};

#[test]
fn no_command_but_start_starts_one() {
    let tree = indexed();
    warm(&tree).run(&["search", "farewell"]).success();
    assert!(!is_running(&tree));
    warm(&tree).run(&["daemon", "status"]).exit(1);
    let first = warm(&tree).run(&["daemon", "start", "--json"]).success().json();
    assert_eq!(first["running"], true);
    let again = warm(&tree).run(&["daemon", "start", "--json"]).success().json();
    assert_eq!(again["pid"], first["pid"]);
    let told = warm(&tree).run(&["doctor"]).success().stdout;
    assert!(told.contains("warm process     running"), "{told}");
    warm(&tree).run(&["daemon", "stop"]).success();
    assert!(!is_running(&tree) && !socket(&tree).exists());
    warm(&tree).run(&["daemon", "stop"]).success();
}

#[cfg(target_os = "linux")]
#[test]
fn what_a_shell_has_open_stays_with_the_shell() {
    let tree = indexed();
    // As `flock` does, whose lock would be held for as long as the warm process runs.
    let shell = gik_testkit::Gik::new("/bin/sh", &tree).env("GIK_NO_DAEMON", "0");
    let words = "exec 9>lock 8<README.md && exec \"$0\" daemon start --json";
    let told = shell.run(&["-c", words, env!("CARGO_BIN_EXE_gik")]).success().json();
    let open: Vec<_> = fs::read_dir(format!("/proc/{}/fd", told["pid"]))
        .unwrap()
        .filter_map(|entry| fs::read_link(entry.unwrap().path()).ok())
        .filter(|path| path.starts_with(tree.root()))
        .collect();
    assert!(tree.exists("lock") && open.is_empty(), "{open:?}");
    warm(&tree).run(&["daemon", "stop"]).success();
}

#[test]
fn several_starts_at_once_leave_one() {
    let tree = indexed();
    let mut all: Vec<_> = (0..6).map(|_| warm(&tree).spawn(&["daemon", "run"])).collect();
    eventually("one answers", || is_running(&tree));
    eventually("the others have left", || {
        all.iter_mut().map(|it| u32::from(!it.has_ended())).sum::<u32>() == 1
    });
    let winner = status(&tree)["pid"].clone();
    assert!(all.iter_mut().any(|it| !it.has_ended() && winner == it.id()));
    warm(&tree).run(&["search", "farewell"]).success();
    assert_eq!(calls(&tree), 1);
}

#[test]
fn a_killed_one_leaves_a_socket_that_the_next_one_replaces() {
    let tree = indexed();
    let killed = started(&tree).kill();
    assert!(matches!(killed, Ending::Killed(_)));
    assert!(socket(&tree).exists());
    assert!(!is_running(&tree));
    warm(&tree).run(&["search", "farewell"]).success();
    let next = started(&tree);
    warm(&tree).run(&["search", "farewell"]).success();
    assert_eq!(calls(&tree), 1);
    drop(next);
}

#[test]
fn one_that_is_killed_in_the_middle_of_an_answer_takes_no_answer_along() {
    let tree = indexed();
    let running = started(&tree);
    tree.write("src/late.rs", "pub fn brand_new() {}\n");
    // Whoever holds the lock keeps the answer waiting for as long as the test likes.
    let lock = File::options().write(true).open(tree.path(".guided/knowledge/.lock")).unwrap();
    lock.lock().unwrap();
    let asking = warm(&tree).spawn(&["symbols", "brand_new", "--json"]);
    eventually("the warm process works on it", || status(&tree)["working"] == 1);
    running.kill();
    lock.unlock().unwrap();
    let answered = asking.wait().success();
    assert_eq!(answered.json()["symbols"][0]["path"], "src/late.rs");
}

#[test]
fn one_that_stands_still_holds_nobody_up() {
    let tree = indexed();
    let running = started(&tree);
    let stopped = Command::new("kill").args(["-STOP", &running.id().to_string()]).status().unwrap();
    assert!(stopped.success());
    warm(&tree).run(&["search", "farewell"]).success();
    assert!(!is_running(&tree));
}

#[test]
fn one_that_nobody_asks_ends() {
    let tree = indexed();
    configure(&tree, "daemon:\n  idle_seconds: 1\n");
    let mut running = started(&tree);
    eventually("it has ended", || running.has_ended());
    assert!(!socket(&tree).exists());
    running.wait().success();
}

#[test]
fn one_whose_socket_is_removed_or_replaced_ends() {
    let tree = indexed();
    let mut removed = started(&tree);
    fs::remove_file(socket(&tree)).unwrap();
    eventually("it has ended", || removed.has_ended());
    let mut replaced = started(&tree);
    let path = socket(&tree);
    fs::write(path.with_extension("new"), "").unwrap();
    fs::rename(path.with_extension("new"), &path).unwrap();
    eventually("it has ended", || replaced.has_ended());
    assert!(path.exists(), "what is not its own stays");
    drop(started(&tree));
}

#[test]
fn a_folder_that_others_can_enter_is_refused() {
    let tree = indexed();
    let folder = tree.home().join(".gik/run");
    fs::create_dir_all(&folder).unwrap();
    fs::set_permissions(&folder, Permissions::from_mode(0o755)).unwrap();
    for words in [["daemon", "start"], ["daemon", "run"], ["daemon", "status"]] {
        let refused = warm(&tree).run(&words).exit(1);
        assert!(refused.stderr.contains("can be entered by others"), "{}", refused.snapshot());
        assert!(refused.stderr.contains("chmod 700"), "{}", refused.snapshot());
    }
    let answered = warm(&tree).run(&["search", "farewell"]).success();
    assert_eq!(answered.stderr, "");
    let told = warm(&tree).run(&["doctor"]).success();
    assert!(told.stdout.contains("not used: "), "{}", told.snapshot());
    fs::set_permissions(&folder, Permissions::from_mode(0o700)).unwrap();
    drop(started(&tree));
    // One that runs leaves when its folder is opened.
    let mut running = started(&tree);
    fs::set_permissions(&folder, Permissions::from_mode(0o750)).unwrap();
    eventually("it has ended", || running.has_ended());
}

#[test]
fn another_home_has_another_one() {
    let (tree, other) = (indexed(), project());
    let _running = started(&tree);
    let home = other.home().join(".gik");
    let stranger = warm(&tree).env("GIK_HOME", home.to_str().unwrap());
    assert_eq!(stranger.run(&["daemon", "status", "--json"]).exit(1).json()["running"], false);
    stranger.run(&["search", "farewell"]).success();
    assert_eq!(calls(&tree), 0);
    // The folder for sockets may be the same, the socket is not.
    let runtime = tree.outside().join("runtime");
    fs::create_dir_all(&runtime).unwrap();
    let shared = |gik: gik_testkit::Gik<'_>| {
        let socket = gik.env("XDG_RUNTIME_DIR", runtime.to_str().unwrap());
        socket.run(&["daemon", "status", "--json"]).json()["socket"].clone()
    };
    let (one, two) = (shared(warm(&tree)), shared(warm(&other)));
    assert!(one.as_str().unwrap().starts_with(runtime.join("gik").to_str().unwrap()), "{one}");
    assert_ne!(one, two);
}

#[test]
fn a_path_that_is_too_long_for_a_socket_is_said() {
    let tree = indexed();
    let long = tree.outside().join("x".repeat(120));
    let told = warm(&tree).env("XDG_RUNTIME_DIR", long.to_str().unwrap());
    let refused = told.run(&["daemon", "status"]).exit(2);
    assert!(refused.stderr.contains("too long for the path of a socket"), "{}", refused.snapshot());
    told.run(&["search", "farewell"]).success();
    gik(&tree).run(&["doctor"]).success();
}
