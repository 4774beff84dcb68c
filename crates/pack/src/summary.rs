//! What is told in outlines to a reader in an editor: what of the file, the folder and the project is not shown.
//!
//! Summaries stand at the end, and a small part of each budget is kept free for them.

use gik_contract::pack::{Budgets, PackSummary};

use crate::allocate::{Shown, chars_of};
use crate::excerpt::last_fitting;
use crate::library::{About, Outline, OutlineLine};
use crate::markdown;

/// One part in so many of a budget is kept free.
const SHARE: u64 = 8;

/// Tokens and characters.
pub(crate) type Size = (u64, u64);

/// What was told, and what it takes.
#[derive(Debug, Default)]
pub(crate) struct Summarized {
    pub(crate) summaries: Vec<PackSummary>,
    pub(crate) size: Size,
    /// Paths of what did not fit at all.
    pub(crate) left_out: Vec<String>,
}

/// What is kept free for outlines: what they take, or their part of the budgets.
pub(crate) fn reserved(
    outlines: &[Outline],
    budgets: &Budgets,
    count: &dyn Fn(&str) -> u64,
) -> Size {
    let sizes = outlines.iter().map(|outline| {
        let lines: Vec<&OutlineLine> = outline.lines.iter().collect();
        size_of(&told(outline, &lines, lines.len()), count)
    });
    let whole = sizes.fold((0, 0), |sum: Size, one| (sum.0 + one.0, sum.1 + one.1));
    (whole.0.min(budgets.max_total_tokens / SHARE), whole.1.min(budgets.max_total_chars / SHARE))
}

/// Tells what is not shown, as far as there is room. What is near has the first say and leaves half to the rest.
pub(crate) fn summarize(
    mut outlines: Vec<Outline>,
    shown: &Shown,
    room: Size,
    count: &dyn Fn(&str) -> u64,
) -> Summarized {
    outlines.sort_by_key(|outline| std::cmp::Reverse(outline.level));
    let mut done = Summarized::default();
    let n = outlines.len();
    for (at, outline) in outlines.iter().enumerate() {
        let lines: Vec<&OutlineLine> =
            outline.lines.iter().filter(|line| !is_shown(&line.about, shown)).collect();
        if lines.is_empty() {
            continue;
        }
        let part = if at + 1 == n { 1 } else { 2 };
        let most = ((room.0 - done.size.0) / part, (room.1 - done.size.1) / part);
        let fits = |n_lines: usize| {
            let size = size_of(&told(outline, &lines, n_lines), count);
            size.0 <= most.0 && size.1 <= most.1
        };
        let counts: Vec<usize> = (1..=lines.len()).collect();
        let Some(n_lines) = last_fitting(&counts, &fits) else {
            done.left_out.push(outline.path.clone());
            continue;
        };
        let summary = told(outline, &lines, n_lines);
        let size = size_of(&summary, count);
        done.size = (done.size.0 + size.0, done.size.1 + size.1);
        done.summaries.push(summary);
    }
    done.summaries.sort_by_key(|summary| summary.level);
    done
}

fn is_shown(about: &About, shown: &Shown) -> bool {
    match about {
        About::Text(file, bytes) => shown.holds(file, bytes),
        About::File(file) => shown.has(file),
        About::All => false,
    }
}

/// An outline with its first lines.
fn told(outline: &Outline, lines: &[&OutlineLine], n_lines: usize) -> PackSummary {
    let mut text = format!("{}\n", outline.heading);
    for line in &lines[..n_lines] {
        text.push_str(&line.text);
        text.push('\n');
    }
    PackSummary {
        level: outline.level,
        path: outline.path.clone(),
        text,
        truncated: n_lines < lines.len(),
    }
}

fn size_of(summary: &PackSummary, count: &dyn Fn(&str) -> u64) -> Size {
    let block = markdown::summary(summary);
    (count(&block), chars_of(&block))
}
