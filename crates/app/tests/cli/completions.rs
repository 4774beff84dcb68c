//! `gik completions`: every shell hears of every command.

use gik_testkit::Tree;

use super::gik;
use super::help::every_command;

#[test]
fn every_shell_knows_every_command() {
    let tree = Tree::empty();
    let names: Vec<String> =
        every_command(&tree).into_iter().filter_map(|path| path.last().cloned()).collect();
    assert!(names.len() > 20, "{names:?}");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = gik(&tree).run(&["completions", shell]).success();
        for name in &names {
            assert!(run.stdout.contains(name.as_str()), "{shell} does not know `{name}`");
        }
        assert_eq!(run.stderr, "");
    }
}

#[test]
fn an_unknown_shell_is_told_the_known_ones() {
    let tree = Tree::empty();
    let run = gik(&tree).run(&["completions", "tcsh"]).exit(2);
    assert!(run.stderr.contains("powershell"), "{}", run.stderr);
}

#[test]
fn bash_accepts_the_script() {
    let tree = Tree::empty();
    let script = gik(&tree).run(&["completions", "bash"]).success().stdout;
    let bash = gik_testkit::Gik::new("bash", &tree);
    bash.run_with_input(&["-n"], &script).success();
}
