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
    let whole = whole_size(outlines, count);
    (whole.0.min(budgets.max_total_tokens / SHARE), whole.1.min(budgets.max_total_chars / SHARE))
}

/// Tells what is not shown, as far as there is room. What is near has the first say and leaves to the rest what that
/// needs, up to a half.
pub(crate) fn summarize(
    mut outlines: Vec<Outline>,
    shown: &Shown,
    room: Size,
    count: &dyn Fn(&str) -> u64,
) -> Summarized {
    outlines.sort_by_key(|outline| std::cmp::Reverse(outline.level));
    for outline in &mut outlines {
        outline.lines.retain(|line| !is_shown(&line.about, shown));
    }
    outlines.retain(|outline| !outline.lines.is_empty());
    let mut done = Summarized::default();
    for (at, outline) in outlines.iter().enumerate() {
        let lines: Vec<&OutlineLine> = outline.lines.iter().collect();
        let left = (room.0 - done.size.0, room.1 - done.size.1);
        let rest = whole_size(&outlines[at + 1..], count);
        let most = (left.0 - rest.0.min(left.0 / 2), left.1 - rest.1.min(left.1 / 2));
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

/// What outlines take with all their lines.
fn whole_size(outlines: &[Outline], count: &dyn Fn(&str) -> u64) -> Size {
    let sizes = outlines.iter().map(|outline| {
        let lines: Vec<&OutlineLine> = outline.lines.iter().collect();
        size_of(&told(outline, &lines, lines.len()), count)
    });
    sizes.fold((0, 0), |sum: Size, one| (sum.0 + one.0, sum.1 + one.1))
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
