//! The lines of a chunk that are shown: whole lines, those with the words of the question first.

/// Lines cut from a chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet {
    /// The lines, without the last line end.
    pub text: String,
    /// Number of the first line, given that of the chunk.
    pub start_line: u64,
    /// Number of the last line.
    pub end_line: u64,
    /// Whether lines of the chunk were left out.
    pub truncated: bool,
}

/// Lines of context above the first matching line of a window.
const LEAD: usize = 2;

/// The best window of at most `max_lines` lines: the one with most different words of the question, then most lines
/// that have any, then the first. A chunk that fits is shown whole.
pub fn snippet(text: &str, first_line: u64, terms: &[String], max_lines: usize) -> Snippet {
    snippet_of_items(text, first_line, terms, max_lines, &[])
}

/// The same, moved so that the item of the best line is whole where it fits. Items are given by their first and last
/// lines.
pub fn snippet_of_items(
    text: &str,
    first_line: u64,
    terms: &[String],
    max_lines: usize,
    items: &[(u64, u64)],
) -> Snippet {
    let lines: Vec<&str> = text.lines().collect();
    let max_lines = max_lines.max(1);
    let start = if lines.len() <= max_lines {
        0
    } else {
        let (start, focus) = best_start(&lines, terms, max_lines);
        let focus = first_line + focus as u64;
        let item = (items.iter())
            .filter(|(first, last)| (*first..=*last).contains(&focus) && *first >= first_line)
            .filter(|(first, last)| last - first < max_lines as u64)
            .max_by_key(|(first, last)| last - first);
        item.map_or(start, |(first, last)| {
            let place = |line: u64| usize::try_from(line - first_line).unwrap_or(usize::MAX);
            let (first, end) = (place(*first), place(*last).saturating_add(1));
            // Up to where its end is in, and back to where its beginning is.
            start.max(end.saturating_sub(max_lines)).min(first).min(lines.len() - max_lines)
        })
    };
    let end = (start + max_lines).min(lines.len());
    Snippet {
        text: lines[start..end].join("\n"),
        start_line: first_line + start as u64,
        end_line: first_line + (end.max(start + 1) - 1) as u64,
        truncated: end - start < lines.len(),
    }
}

/// Where the best window starts, and its best line.
fn best_start(lines: &[&str], terms: &[String], max_lines: usize) -> (usize, usize) {
    let matches: Vec<u64> = lines.iter().map(|line| matching_terms(line, terms)).collect();
    let last_start = lines.len() - max_lines;
    let starts = std::iter::once(0).chain(
        matches
            .iter()
            .enumerate()
            .filter(|(_, bits)| **bits != 0)
            .map(|(at, _)| at.saturating_sub(LEAD).min(last_start)),
    );
    let value = |start: usize| {
        let window = &matches[start..start + max_lines];
        let distinct = window.iter().fold(0, |all, bits| all | bits).count_ones();
        (distinct, window.iter().filter(|bits| **bits != 0).count())
    };
    let mut best = (0, value(0));
    for start in starts {
        let candidate = value(start);
        if candidate > best.1 {
            best = (start, candidate);
        }
    }
    let window = matches[best.0..best.0 + max_lines].iter().enumerate();
    let focus = window.max_by_key(|(at, bits)| (bits.count_ones(), std::cmp::Reverse(*at)));
    (best.0, best.0 + focus.map_or(0, |(at, _)| at))
}

fn matching_terms(line: &str, terms: &[String]) -> u64 {
    let mut bits = 0;
    gik_index::analyze(line, &mut |term, _| {
        if let Some(at) = terms.iter().take(64).position(|wanted| wanted == term) {
            bits |= 1 << at;
        }
    });
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn a_short_chunk_is_shown_whole() {
        let shown = snippet("a\nb\n", 10, &terms(&["x"]), 5);
        assert_eq!(
            (shown.text.as_str(), shown.start_line, shown.end_line, shown.truncated),
            ("a\nb", 10, 11, false)
        );
    }

    #[test]
    fn the_window_with_most_words_is_chosen() {
        let mut lines: Vec<String> = (0..50).map(|n| format!("line {n}")).collect();
        lines[5] = "crash".to_owned();
        lines[30] = "commit survives".to_owned();
        lines[31] = "a crash".to_owned();
        let shown = snippet(&lines.join("\n"), 1, &terms(&["commit", "crash"]), 6);
        assert_eq!((shown.start_line, shown.end_line, shown.truncated), (29, 34, true));
        assert!(shown.text.contains("commit survives\na crash"));
    }

    #[test]
    fn the_item_of_the_best_line_is_whole_where_it_fits() {
        let mut lines: Vec<String> = (0..50).map(|n| format!("line {n}")).collect();
        lines[30] = "commit survives a crash".to_owned();
        let text = lines.join("\n");
        let shown = |items: &[(u64, u64)]| {
            let shown = snippet_of_items(&text, 101, &terms(&["commit"]), 6, items);
            (shown.start_line, shown.end_line)
        };
        assert_eq!(shown(&[]), (129, 134));
        assert_eq!(shown(&[(127, 132)]), (127, 132), "it begins before the window");
        assert_eq!(shown(&[(131, 136)]), (131, 136), "it ends after the window");
        assert_eq!(shown(&[(130, 132), (128, 133)]), (128, 133), "the larger one");
        assert_eq!(shown(&[(120, 140), (1, 2)]), (129, 134), "it does not fit");
    }

    #[test]
    fn an_empty_chunk_has_one_empty_line() {
        let shown = snippet("", 3, &[], 5);
        assert_eq!((shown.start_line, shown.end_line, shown.truncated), (3, 3, false));
    }
}
