//! The table of a run, for the terminal and for `bench/runs`; runs are never overwritten.

use std::fmt::Write as _;
use std::path::Path;

use super::bars::Verdict;
use super::host::Host;
use super::program::Rounds;
use super::series::{Results, Series, Step};
use crate::stop::Result;
use crate::workspace;

/// What a report says besides numbers.
#[derive(Debug)]
pub(super) struct Page<'a> {
    pub(super) title: &'a str,
    pub(super) host: &'a Host,
    pub(super) rounds: Rounds,
    /// What every time is divided by, with the words of the column.
    pub(super) columns: &'a [(&'a str, Step)],
    /// Sentences of their own below the tables.
    pub(super) notes: &'a [String],
}

/// The whole run as Markdown.
pub(super) fn summary(page: &Page<'_>, all: &[Results], verdicts: &[Verdict]) -> String {
    let Page { title, host, rounds, columns, notes } = page;
    let mut text = format!(
        "# {title}, {}\n\n{}, {} cores; commit {}; release build. Medians of {} fresh and {} steady rounds, warm page cache.\n",
        host.date, host.cpu, host.cores, host.commit, rounds.fresh, rounds.steady
    );
    for results in all {
        push_table(&mut text, results, columns);
    }
    push_end(&mut text, notes, verdicts);
    text
}

/// Notes and bars, which every report ends with.
pub(super) fn push_end(text: &mut String, notes: &[String], verdicts: &[Verdict]) {
    if !notes.is_empty() {
        text.push_str("\n## Notes\n\n");
    }
    for note in notes {
        push(text, format_args!("- {note}\n"));
    }
    text.push_str("\n## Bars\n\n| bar | measured | |\n|---|---|---|\n");
    for verdict in verdicts {
        let measured = verdict.measured.as_ref().map_or("–", |measured| measured.text.as_str());
        push(text, format_args!("| {} | {measured} | {} |\n", verdict.bar, verdict.word()));
    }
}

fn push_table(text: &mut String, results: &Results, columns: &[(&str, Step)]) {
    let subject = &results.subject;
    let chunks = results.chunks.map_or_else(|| "?".to_owned(), |chunks| chunks.to_string());
    push(
        text,
        format_args!(
            "\n## {}\n\n{} files, {}; {chunks} chunks; index on disk {}, documents beside it {}\n\n",
            subject.label,
            subject.files,
            megabytes(subject.bytes),
            megabytes(results.index_bytes),
            megabytes(results.document_bytes)
        ),
    );
    let titles: String = columns.iter().map(|(title, _)| format!(" × {title} |")).collect();
    let rules = "---|".repeat(columns.len() + 3);
    push(text, format_args!("| step | median ms |{titles} peak MB |\n|{rules}\n"));
    for step in Step::ALL {
        let Some(series) = results.steps.get(step) else { continue };
        let Some(median) = series.median() else { continue };
        let ratio = |(_, to): &(&str, Step)| match results.median(*to) {
            Some(bound) if step.is_about_tree() => format!(" {:.2} |", median / bound),
            _ => " – |".to_owned(),
        };
        let ratios: String = columns.iter().map(ratio).collect();
        let peak = series.peak().map_or_else(|| "–".to_owned(), megabytes);
        push(text, format_args!("| {} | {median:.2} |{ratios} {peak} |\n", step.label()));
    }
}

fn megabytes(bytes: u64) -> String {
    let tenths = bytes * 10 / (1 << 20);
    format!("{}.{} MB", tenths / 10, tenths % 10)
}

/// Every single run, for those who want to count differently.
pub(super) fn csv(all: &[Results]) -> String {
    let mut text = "tree,step,round,millis,peak_bytes\n".to_owned();
    for results in all {
        let label = &results.subject.label;
        for (step, series) in &results.steps {
            push_rows(&mut text, label, step.label(), series);
        }
        for (step, series) in &results.ask_steps {
            push_rows(&mut text, label, &format!("ask: {step}"), series);
        }
    }
    text
}

fn push_rows(text: &mut String, tree: &str, step: &str, series: &Series) {
    let peak = series.peak().map_or_else(String::new, |peak| peak.to_string());
    for (round, millis) in series.runs().iter().enumerate() {
        push(text, format_args!("{tree},\"{step}\",{round},{millis:.4},{peak}\n"));
    }
}

fn push(text: &mut String, args: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = text.write_fmt(args);
}

/// Writes both files to a new folder and gives its path below the root.
pub(super) fn write(root: &Path, name: &str, summary: &str, csv: &str) -> Result<String> {
    let stem = format!("bench/runs/{}-{name}", super::host::today());
    let numbered = (2..).map(|number| format!("{stem}-{number}"));
    let folder = std::iter::once(stem.clone())
        .chain(numbered)
        .find(|folder| !root.join(folder).exists())
        .unwrap_or(stem);
    workspace::write(&root.join(&folder).join("summary.md"), summary)?;
    workspace::write(&root.join(&folder).join("raw.csv"), csv)?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use gik_testkit::Tree;

    use super::*;
    use crate::bench::bars;
    use crate::bench::series::Subject;

    fn results() -> Results {
        let subject = Subject {
            label: "10 generated files".to_owned(),
            generated: Some(10),
            files: 10,
            bytes: 3 << 20,
        };
        let mut results = Results::new(subject);
        for (step, millis) in [(Step::WalkStat, 10), (Step::WalkCommand, 10), (Step::Status, 15)] {
            results.steps.entry(step).or_default().add(Duration::from_millis(millis), None);
        }
        results
    }

    #[test]
    fn the_summary_has_ratios_and_verdicts() {
        let host = Host {
            cpu: "A CPU".to_owned(),
            cores: 2,
            commit: "abc".to_owned(),
            date: "2026-01-02".to_owned(),
        };
        let all = [results()];
        let page = Page {
            title: "Lifecycle",
            host: &host,
            rounds: Rounds { fresh: 1, steady: 3 },
            columns: &[("walk + stat", Step::WalkStat), ("walk + read", Step::WalkRead)],
            notes: &["A peer is not installed.".to_owned()],
        };
        let text = summary(&page, &all, &bars::judge(&all));
        assert!(text.starts_with("# Lifecycle, 2026-01-02\n"));
        assert!(text.contains("## Notes\n\n- A peer is not installed.\n\n## Bars"));
        assert!(text.contains("| gik status, nothing changed | 15.00 | 1.50 | – | – |"), "{text}");
        assert!(text.contains(
            "| status unchanged ≤ 2× walk + stat as a command (10 generated files) | 1.50× | ok |"
        ));
        assert!(text.contains("10 files, 3.0 MB; ? chunks"));
    }

    #[test]
    fn a_second_run_of_the_day_has_a_folder_of_its_own() {
        let tree = Tree::empty();
        let first = write(tree.root(), "x", "a\n", &csv(&[results()])).unwrap();
        let second = write(tree.root(), "x", "b\n", "").unwrap();
        assert_eq!(second, format!("{first}-2"));
        assert_eq!(tree.read(&format!("{first}/summary.md")), "a\n");
        assert!(tree.read(&format!("{first}/raw.csv")).contains("\"bare walk + stat\",0,10.0000,"));
    }
}
