//! `cargo xtask eval formats`: how many tokens do answers have as JSON, and how many with `--format compact`?

use std::fmt::Write as _;
use std::process::Command;

use gik_models::StaticModel;

use crate::process;
use crate::stop::{Result, Stop};
use crate::workspace;

/// The committed figures.
const TABLE: &str = "bench/formats.md";
/// Commands that agents use, asked of this very project.
const COMMANDS: &[&[&str]] = &[
    &["ask", "how are files replaced atomically"],
    &["search", "lock patience"],
    &["symbols", "Store"],
    &["outline", "crates/base/src/fs.rs"],
    &["refs", "write_atomic"],
    &["def", "write_atomic"],
    &["graph", "callers", "write_atomic"],
    &["graph", "imports", "crates/engine/src/answer.rs"],
    &["impact", "write_atomic"],
    &["pack", "how are files replaced atomically"],
    &["status"],
    &["stack"],
    &["stats"],
];

/// Runs every command in both formats.
pub(crate) fn formats(args: &[&str]) -> Result<()> {
    let update = match args {
        [] => false,
        ["--update"] => true,
        _ => return Err(Stop::Usage("eval formats [--update]".to_owned())),
    };
    let root = workspace::root();
    // No time is measured, so the quickest build will do.
    let gik = process::build_gik(&root, "dev")?;
    let folder = tempfile::tempdir()
        .map_err(|error| Stop::Failed(format!("cannot make a folder: {error}")))?;
    let project = folder.path().join("project");
    workspace::copy_files(&root, &workspace::files(&root)?, &project)?;
    let run = |words: &[&str], more: &[&str]| {
        let mut command = Command::new(&gik);
        process::clean_environment(&mut command);
        command.current_dir(&project).env("GIK_HOME", folder.path().join("home"));
        process::quiet_output(command.args(["-q"]).args(words).args(more))
    };
    run(&["index"], &[])?;
    let model = StaticModel::builtin()
        .map_err(|failure| Stop::Failed(format!("the tokenizer: {failure}")))?;
    let count = |text: String| model.tokenizer().count(&text);
    let mut lines = String::new();
    let mut all = [0; 2];
    for words in COMMANDS {
        let json = count(run(words, &["--json"])?);
        let compact = count(run(words, &["--format", "compact"])?);
        all = [all[0] + json, all[1] + compact];
        let typed = words.iter().map(|word| {
            if word.contains(' ') { format!("\"{word}\"") } else { (*word).to_owned() }
        });
        let typed: Vec<String> = typed.collect();
        row(&mut lines, &format!("`gik {}`", typed.join(" ")), json, compact);
    }
    row(&mut lines, "all", all[0], all[1]);
    let table = format!("| command | JSON | compact | part |\n|---|--:|--:|--:|\n{lines}");
    println!("{table}");
    if update {
        let document = format!(
            "# Tokens of answers\n\nWritten by `cargo xtask eval formats --update`: answers about this project as JSON (`--json`) and in few words \
             (`--format compact`, [docs/agents.md](../docs/agents.md)), in tokens of the tokenizer that packs name, which does not count blanks.\n\n{table}"
        );
        workspace::write(&root.join(TABLE), &document)?;
        eprintln!("eval: written to {TABLE}");
    }
    Ok(())
}

fn row(lines: &mut String, name: &str, json: u64, compact: u64) {
    let part = compact as f64 / json.max(1) as f64;
    // Writing to a string cannot fail.
    let _ = writeln!(lines, "| {name} | {json} | {compact} | {part:.2} |");
}
