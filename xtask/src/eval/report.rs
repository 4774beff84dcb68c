//! Where the comparison is written down: a line for the terminal, the committed table, and lists to look through.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use gik_parse::SymbolKind;

use super::compare::{Comparison, Found, Miss, Place};
use super::ours::Why;
use super::{BAR, Outcome};
use crate::corpus;
use crate::stop::Result;
use crate::workspace;

/// How many definitions of a group are shown.
const SAMPLE: usize = 20;

/// One language in one line.
pub(super) fn line(outcome: &Outcome) -> String {
    let total = outcome.comparison.total();
    format!(
        "{:<11} {:>5} files {:>7} definitions {:>7} found  recall {:.4}  {:>6} extra",
        outcome.language,
        outcome.files,
        total.compared,
        total.found,
        total.recall(),
        outcome.comparison.extra()
    )
}

/// The table for `bench/`.
pub(super) fn document(oracle: &str, outcomes: &[Outcome]) -> String {
    let mut text = format!(
        "# Symbols against {oracle}\n\n\
         Written by `cargo xtask eval symbols --update`. Every definition that ctags reports of a kind both know\n\
         (`xtask/symbols.toml`) is looked for with the same name at the same line; {BAR} of them must be found.\n\
         Extra are definitions of such kinds that ctags does not report. Variables inside functions are not compared\n\
         (local), and neither is what ctags takes for a definition and is none or the parser does not claim (left out,\n\
         for the reasons below).\n\n\
         | language | files | definitions | found | recall | extra | local | left out |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|\n"
    );
    for outcome in outcomes {
        let total = outcome.comparison.total();
        push(
            &mut text,
            format_args!(
                "| {} | {} | {} | {} | {:.4} | {} | {} | {} |\n",
                outcome.language,
                outcome.files,
                total.compared,
                total.found,
                total.recall(),
                outcome.comparison.extra(),
                outcome.comparison.locals,
                outcome.comparison.not_asked_for()
            ),
        );
    }
    text.push_str("\n## Kinds\n\nFound of compared, by the kind that ctags gives.\n\n");
    push_list(&mut text, outcomes, |outcome| {
        let kinds = outcome.comparison.kinds.iter();
        kinds.map(|(kind, count)| format!("{kind} {}/{}", count.found, count.compared)).collect()
    });
    text.push_str("\n## Extra definitions\n\nBy our kind.\n\n");
    push_list(&mut text, outcomes, |outcome| {
        let explained = |(kind, extras): (&SymbolKind, &Vec<Found>)| {
            let why = outcome.reasons.get(kind).map_or_else(String::new, |why| format!(" ({why})"));
            format!("{} {}{why}", kind.as_str(), extras.len())
        };
        outcome.comparison.extras.iter().map(explained).collect()
    });
    text.push_str("\n## Left out\n\nDefinitions of ctags that are not asked for.\n\n");
    push_list(&mut text, outcomes, |outcome| {
        let left_out = outcome.comparison.left_out.iter();
        left_out.map(|(why, left_out)| format!("{why} {}", left_out.len())).collect()
    });
    text.push_str("\n## Packages\n\n");
    push_list(&mut text, outcomes, |outcome| outcome.packages.clone());
    text
}

/// One line for each language that has something to list.
fn push_list(text: &mut String, outcomes: &[Outcome], items: impl Fn(&Outcome) -> Vec<String>) {
    for outcome in outcomes {
        let items = items(outcome);
        if !items.is_empty() {
            push(text, format_args!("- {}: {}\n", outcome.language, items.join(", ")));
        }
    }
}

/// Every miss and a sample of what is extra or left out, for reading.
pub(super) fn write_details(folder: &Path, outcome: &Outcome) -> Result<()> {
    let file = |what: &str| folder.join(format!("{}.{what}", outcome.language));
    let Comparison { extras, left_out, .. } = &outcome.comparison;
    workspace::write(&file("misses"), &misses(&outcome.comparison))?;
    let extras = extras.iter().map(|(kind, extras)| (kind.as_str(), extras));
    workspace::write(&file("extra"), &samples(extras))?;
    let left_out = left_out.iter().map(|(why, left_out)| (why.as_str(), left_out));
    workspace::write(&file("left-out"), &samples(left_out))
}

/// Groups of misses that are alike, the largest first, then every one of them.
fn misses(comparison: &Comparison) -> String {
    let mut groups: BTreeMap<String, Vec<&Miss>> = BTreeMap::new();
    for miss in &comparison.misses {
        groups.entry(group(miss)).or_default().push(miss);
    }
    let mut groups: Vec<(String, Vec<&Miss>)> = groups.into_iter().collect();
    groups.sort_by(|(name, one), (other_name, other)| {
        other.len().cmp(&one.len()).then_with(|| name.cmp(other_name))
    });
    let mut text = String::new();
    for (name, misses) in &groups {
        push(&mut text, format_args!("{:>7}  {name}\n", misses.len()));
    }
    for (name, misses) in &groups {
        push(&mut text, format_args!("\n== {} {name}\n", misses.len()));
        for miss in misses {
            push_place(&mut text, &miss.tag.name, &miss.place);
        }
    }
    text
}

fn group(miss: &Miss) -> String {
    let why = match miss.why {
        Why::Kind(kind) => format!("is a {}", kind.as_str()),
        Why::Line => "other line".to_owned(),
        Why::Absent => "absent".to_owned(),
    };
    let scope = if miss.tag.scope.is_empty() { "file" } else { &miss.tag.scope };
    let trouble = if miss.in_trouble { ", in a file with syntax errors" } else { "" };
    format!("{} in {scope}: {why}{trouble}", miss.tag.kind)
}

/// The size of every group and some of it.
fn samples<'a>(groups: impl Iterator<Item = (&'a str, &'a Vec<Found>)>) -> String {
    let mut text = String::new();
    for (name, group) in groups {
        push(&mut text, format_args!("== {} {name}\n", group.len()));
        let numbers: Vec<usize> = (0..group.len()).collect();
        for number in corpus::spread(&[numbers], SAMPLE) {
            push_place(&mut text, &group[number].name, &group[number].place);
        }
        text.push('\n');
    }
    text
}

fn push_place(text: &mut String, name: &str, place: &Place) {
    push(text, format_args!("{}:{}: {name} | {}\n", place.file, place.line, place.text));
}

fn push(text: &mut String, args: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = text.write_fmt(args);
}

#[cfg(test)]
mod tests {
    use gik_testkit::Tree;

    use super::super::compare::Count;
    use super::super::oracle::Tag;
    use super::*;

    fn place(line: u32) -> Place {
        Place { file: "p/a.go".to_owned(), line, text: "type T int".to_owned() }
    }

    fn outcome() -> Outcome {
        let mut comparison = Comparison::default();
        comparison.kinds.insert("type".to_owned(), Count { compared: 4, found: 3 });
        let tag = |scope: &str| Tag {
            name: "T".to_owned(),
            line: 3,
            kind: "type".to_owned(),
            scope: scope.to_owned(),
        };
        for scope in ["func", "", "func"] {
            let (tag, in_trouble) = (tag(scope), scope.is_empty());
            comparison.misses.push(Miss { why: Why::Absent, in_trouble, tag, place: place(3) });
        }
        let found = |line: u32| Found { name: "e".to_owned(), place: place(line) };
        comparison.extras.insert(SymbolKind::Const, (1..=30).map(found).collect());
        comparison.locals = 5;
        comparison.left_out.insert("a label".to_owned(), (1..=2).map(found).collect());
        let packages = vec!["p@1".to_owned()];
        let reasons = BTreeMap::from([(SymbolKind::Const, "not known".to_owned())]);
        Outcome { language: "go".to_owned(), packages, files: 7, comparison, reasons }
    }

    #[test]
    fn the_table_has_counts_kinds_and_packages() {
        let text = document("Universal Ctags 5.9.0", &[outcome()]);
        assert!(text.contains("| go | 7 | 4 | 3 | 0.7500 | 30 | 5 | 2 |"), "{text}");
        assert!(text.contains("- go: a label 2\n"));
        assert!(text.contains("- go: type 3/4\n"));
        assert!(text.contains("- go: const 30 (not known)\n"));
        assert!(text.contains("- go: p@1\n"));
        assert!(line(&outcome()).contains("recall 0.7500"));
    }

    #[test]
    fn misses_are_grouped_and_extras_sampled() {
        let tree = Tree::empty();
        write_details(tree.root(), &outcome()).unwrap();
        let misses = tree.read("go.misses");
        assert!(misses.starts_with(
            "      2  type in func: absent\n      1  type in file: absent, in a file with syntax errors\n\n== 2 type in func"
        ));
        assert!(misses.contains("p/a.go:3: T | type T int"));
        let extras = tree.read("go.extra");
        assert_eq!(extras.lines().filter(|line| line.starts_with("p/a.go")).count(), SAMPLE);
        assert!(tree.read("go.left-out").starts_with("== 2 a label\np/a.go:1: e | "));
    }
}
