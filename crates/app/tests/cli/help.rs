//! The whole `--help` tree, so that a change of any flag or sentence is seen.

use gik_testkit::Tree;

use super::{assert_text, gik};

/// The commands named below `Commands:` of a help text.
fn commands(help: &str) -> Vec<String> {
    help.lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

/// Every command as the words to type, groups before their members.
pub(super) fn every_command(tree: &Tree) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    let mut open: Vec<Vec<String>> = vec![Vec::new()];
    while let Some(path) = open.pop() {
        let mut words: Vec<&str> = path.iter().map(String::as_str).collect();
        words.push("--help");
        let help = gik(tree).run(&words).success().stdout;
        for name in commands(&help).into_iter().rev() {
            open.push(path.iter().cloned().chain([name]).collect());
        }
        all.push(path);
    }
    all
}

/// Flags that every command has are listed once, at the top.
fn without_global_flags(help: &str) -> String {
    let mut kept = String::new();
    let mut inside = false;
    for line in help.lines() {
        inside = line == "Everywhere:" || (inside && (line.starts_with(' ') || line.is_empty()));
        if !inside {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

#[test]
fn the_help_of_every_command() {
    let tree = Tree::empty();
    let mut parts = Vec::new();
    for path in every_command(&tree) {
        let mut words: Vec<&str> = path.iter().map(String::as_str).collect();
        words.push("--help");
        let help = gik(&tree).run(&words).success();
        assert_eq!(help.stderr, "");
        let body = if path.is_empty() { help.stdout } else { without_global_flags(&help.stdout) };
        parts.push(format!("$ gik {}\n{}", words.join(" "), body.trim_end()));
    }
    assert_text("help", &parts.join("\n\n"));
}

#[test]
fn help_is_the_same_however_it_is_asked_for() {
    let tree = Tree::empty();
    let gik = gik(&tree);
    let long = gik.run(&["commit", "--help"]).success().stdout;
    assert_eq!(gik.run(&["help", "commit"]).success().stdout, long);
    let version = gik.run(&["--version"]).success().stdout;
    assert_eq!(version, format!("gik {}\n", env!("CARGO_PKG_VERSION")));
}
