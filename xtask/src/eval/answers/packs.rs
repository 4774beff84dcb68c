//! `cargo xtask eval packs`: how often is a file that answers inside a pack of so many tokens, and how often when whole
//! files are read in the order of a plain word search?
//!
//! Both are looked at with the same tokenizer. A file counts as soon as a part of it is there.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use gik_models::StaticModel;
use serde_json::Value;

use super::set::Set;
use super::{OURS, Place, folder, prepare};
use crate::process;
use crate::stop::{Result, Stop};
use crate::workspace;

/// The budgets that are compared, in tokens.
const BUDGETS: [u64; 2] = [2000, 8000];
/// The committed figures.
const TABLE: &str = "bench/packs.md";

/// How many questions have a target inside, for each budget.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    questions: u32,
    packs: [u32; BUDGETS.len()],
    files: [u32; BUDGETS.len()],
}

/// A question and the files that answer it.
struct Label {
    query: String,
    relevant: BTreeSet<String>,
}

/// Asks every question of a set.
pub(crate) fn packs(args: &[&str]) -> Result<()> {
    let root = workspace::root();
    let update = args.contains(&"--update");
    let named: Vec<&&str> = args.iter().filter(|arg| !arg.starts_with("--")).collect();
    let path = match named.as_slice() {
        [] => root.join(OURS),
        [path] => Path::new(path).to_owned(),
        _ => return Err(Stop::Usage("eval packs [SET.jsonl] [--update]".to_owned())),
    };
    // No time is measured, so the quickest build will do.
    let gik = process::build_gik(&root, "dev")?;
    let indexed = folder()?;
    let mut rows: Vec<(String, Tally)> = Vec::new();
    for place in prepare(&root, &Set::read(&path)?, indexed.path())? {
        let tally = asked(&gik, &place)?;
        eprintln!("{}", row(&place.corpus, &tally));
        rows.push((place.corpus, tally));
    }
    rows.push(("all".to_owned(), sum(rows.iter().map(|(_, tally)| *tally))));
    if let Some((name, tally)) = rows.last() {
        eprintln!("{}", row(name, tally));
    }
    if update {
        workspace::write(&root.join(TABLE), &document(&rows))?;
    }
    Ok(())
}

fn asked(gik: &Path, place: &Place) -> Result<Tally> {
    let model = StaticModel::builtin()
        .map_err(|failure| Stop::Failed(format!("the tokenizer: {failure}")))?;
    let mut texts = Vec::new();
    for file in workspace::all_files(&place.folder)? {
        // What is no text is not read by a word search either.
        if let Ok(text) = workspace::read(&place.folder.join(&file)) {
            texts.push((file, text));
        }
    }
    run(gik, place, &["index", "--quiet"])?;
    let mut tally = Tally::default();
    for label in labels(&place.questions)? {
        tally.questions += 1;
        let order = by_words(&label.query, &texts);
        for (at, budget) in BUDGETS.into_iter().enumerate() {
            let tokens = budget.to_string();
            let query = format!("--query={}", label.query);
            let arguments = ["pack", "--json", "--budget-tokens", &tokens, &query];
            let pack = run(gik, place, &arguments)?;
            tally.packs[at] += u32::from(is_inside(&pack, &label));
            let read = read_files(&order, budget, |text| model.tokenizer().count(text));
            tally.files[at] += u32::from(read.iter().any(|file| label.relevant.contains(*file)));
        }
    }
    Ok(tally)
}

/// What the program prints.
fn run(gik: &Path, place: &Place, arguments: &[&str]) -> Result<Value> {
    let mut command = Command::new(gik);
    process::clean_environment(&mut command);
    command.env("GIK_HOME", place.folder.with_extension("home"));
    command.arg("-C").arg(&place.folder).args(arguments);
    let output = command
        .output()
        .map_err(|error| Stop::Failed(format!("{}: {error}", process::display(&command))))?;
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    // Nothing found is an answer with status 1, a failure is none.
    if !output.status.success() && answer["schema"] != "ContextPack" {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Stop::Failed(format!("{}: {answer} {said}", process::display(&command))));
    }
    Ok(answer)
}

fn labels(path: &Path) -> Result<Vec<Label>> {
    let text = workspace::read(path)?;
    let label = |line: &str| -> Option<Label> {
        let fields: Value = serde_json::from_str(line).ok()?;
        let paths = fields["relevant"].as_array()?.iter();
        Some(Label {
            query: fields["query"].as_str()?.to_owned(),
            relevant: paths.filter_map(|path| Some(path.as_str()?.to_owned())).collect(),
        })
    };
    let broken = || Stop::Failed(format!("{} has a line that is no question", path.display()));
    text.lines().map(|line| label(line).ok_or_else(broken)).collect()
}

fn is_inside(pack: &Value, label: &Label) -> bool {
    let sections = pack["sections"].as_array().into_iter().flatten();
    let mut items = sections.flat_map(|section| section["items"].as_array().into_iter().flatten());
    items.any(|item| item["fileRelPath"].as_str().is_some_and(|path| label.relevant.contains(path)))
}

/// Files in which words of the question stand: those with most of them first, then those with most places.
fn by_words<'t>(query: &str, texts: &'t [(String, String)]) -> Vec<(&'t str, &'t str)> {
    let words: BTreeSet<String> = query
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| word.chars().count() > 2)
        .map(str::to_lowercase)
        .collect();
    let mut found: Vec<(usize, usize, &str, &str)> = Vec::new();
    for (file, text) in texts {
        let lower = text.to_lowercase();
        let places: Vec<usize> =
            words.iter().map(|word| lower.matches(word.as_str()).count()).collect();
        let different = places.iter().filter(|n| **n > 0).count();
        if different > 0 {
            found.push((different, places.iter().sum(), file, text));
        }
    }
    found.sort_by(|one, other| (other.0, other.1, one.2).cmp(&(one.0, one.1, other.2)));
    found.into_iter().map(|(_, _, file, text)| (file, text)).collect()
}

/// The files that are begun before the budget is spent.
fn read_files<'t>(
    order: &[(&'t str, &'t str)],
    budget: u64,
    count: impl Fn(&str) -> u64,
) -> Vec<&'t str> {
    let mut spent = 0;
    let mut read = Vec::new();
    for (file, text) in order {
        if spent >= budget {
            break;
        }
        spent += count(text);
        read.push(*file);
    }
    read
}

fn sum(tallies: impl Iterator<Item = Tally>) -> Tally {
    let mut all = Tally::default();
    for tally in tallies {
        all.questions += tally.questions;
        for at in 0..BUDGETS.len() {
            all.packs[at] += tally.packs[at];
            all.files[at] += tally.files[at];
        }
    }
    all
}

fn row(name: &str, tally: &Tally) -> String {
    let share = |n: u32| format!("{:.3}", f64::from(n) / f64::from(tally.questions.max(1)));
    let mut row = format!("| {name} | {} |", tally.questions);
    for at in 0..BUDGETS.len() {
        // Writing to a string cannot fail.
        let _ = write!(row, " {} | {} |", share(tally.packs[at]), share(tally.files[at]));
    }
    row
}

fn document(rows: &[(String, Tally)]) -> String {
    let mut text = String::from(
        "# What is inside a pack\n\n\
         Written by `cargo xtask eval packs --update`: the share of the questions of `eval/answers.jsonl` of which a\n\
         relevant file is inside a pack (`gik pack QUERY --budget-tokens N`), and inside what is read when whole files are\n\
         read in the order of a plain word search until as many tokens are spent. Tokens are those of the tokenizer that\n\
         packs name. A file counts as soon as a part of it is there; the last file that is read may be larger than what\n\
         is left.\n\n\
         | package | questions | pack, 2,000 tokens | files, 2,000 | pack, 8,000 tokens | files, 8,000 |\n\
         |---|--:|--:|--:|--:|--:|\n",
    );
    for (name, tally) in rows {
        text.push_str(&row(name, tally));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_in_the_order_of_their_words_until_the_budget_is_spent() {
        let texts: Vec<(String, String)> =
            [("a", "open open open"), ("b", "open door"), ("c", "no")]
                .map(|(file, text)| (file.to_owned(), text.to_owned()))
                .to_vec();
        let order = by_words("how to open the Door?", &texts);
        assert_eq!(order.iter().map(|(file, _)| *file).collect::<Vec<_>>(), ["b", "a"]);
        let words = |text: &str| text.split(' ').count() as u64;
        assert_eq!(read_files(&order, 2, words), ["b"]);
        assert_eq!(read_files(&order, 3, words), ["b", "a"]);
    }

    #[test]
    fn a_row_has_a_share_for_each_budget() {
        let tally = Tally { questions: 4, packs: [2, 4], files: [0, 1] };
        let twice = sum([tally, tally].into_iter());
        assert_eq!(row("x", &twice), "| x | 8 | 0.500 | 0.000 | 1.000 | 0.250 |");
    }
}
