//! A text without its long repetitions: where a few bytes come again and again, nothing is defined, and a parser that
//! cannot read them mends each of them with every token the language has, up through all that the ones before left open.
//!
//! Everything stays at its byte and on its line, so that a tree of the shorter text is one of the text.

use std::borrow::Cow;
use std::ops::Range;

/// Longer pieces are lines of a table, and too few fit into a file to matter.
const PERIOD_MAX: usize = 64;
/// Shorter repetitions are rulers, rows of zeros and the like, which cost nothing.
const RUN_MIN: usize = 512;
/// Every so many bytes it is looked whether a repetition goes through here.
const STEP: usize = 128;
/// This much must come again at once.
const PROBE: usize = 128;

/// The text with spaces in place of its long repetitions.
pub(super) fn left_out(text: &str) -> Cow<'_, str> {
    let runs = runs(text.as_bytes());
    if runs.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut end = 0;
    for run in runs {
        let run = text.ceil_char_boundary(run.start)..text.floor_char_boundary(run.end);
        out.push_str(&text[end..run.start]);
        let keep = |byte: u8| if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { ' ' };
        out.extend(text[run.clone()].bytes().map(keep));
        end = run.end;
    }
    out.push_str(&text[end..]);
    Cow::Owned(out)
}

/// Where a piece repeats itself; the first time stays, so that what it opens or closes is seen once.
fn runs(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at + PERIOD_MAX + PROBE <= bytes.len() {
        let probe = &bytes[at..at + PROBE];
        let first = first_word(probe);
        let comes_again = |period: &usize| {
            let after = &bytes[at + period..at + period + PROBE];
            first_word(after) == first && after == probe
        };
        let Some(period) = (1..=PERIOD_MAX).find(comes_again) else {
            at += STEP;
            continue;
        };
        let after = at + period;
        let same = bytes[after..].iter().zip(&bytes[at..]).take_while(|(one, other)| one == other);
        let end = after + same.count();
        let floor = runs.last().map_or(0, |run| run.end);
        let before = bytes[floor..at].iter().rev().zip(bytes[floor..after].iter().rev());
        let start = at - before.take_while(|(one, other)| one == other).count() + period;
        let is_space = probe.iter().all(u8::is_ascii_whitespace);
        if end.saturating_sub(start) >= RUN_MIN && !is_space {
            runs.push(start..end);
        }
        at = end.max(at + STEP);
    }
    runs
}

/// Eight bytes at once: nearly everywhere they tell two places apart.
fn first_word(bytes: &[u8]) -> Option<u64> {
    bytes.first_chunk().map(|word| u64::from_ne_bytes(*word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_repetitions_are_left_out_and_all_else_stays_in_its_place() {
        for ordinary in ["", "fn a() {}\n", &"=".repeat(500), &" \n".repeat(4000)] {
            assert_eq!(left_out(ordinary), ordinary);
        }
        let numbered: String = (0..2000).map(|n| format!("x{n} = {n};\n")).collect();
        assert_eq!(left_out(&numbered), numbered);
        let (before, after) = ("fn before() {}\n", "\nfn after() {}\n");
        for piece in ["-}", "->", "\\begin{a}\n", "ä🎈 = \"x\", ", "(", "if x {\n"] {
            let text = [before, &piece.repeat(2000), after].concat();
            let shown = left_out(&text);
            assert_eq!(shown.len(), text.len(), "{piece}");
            assert!(shown.starts_with(before) && shown.ends_with(after), "{piece}");
            assert_eq!(shown.matches('\n').count(), text.matches('\n').count(), "{piece}");
            assert!(shown.trim().matches(piece.trim()).count() < 40, "{piece}");
        }
    }

    #[test]
    fn several_repetitions_are_found() {
        let text = format!("a{}b\nc{}d", "(".repeat(3000), "])".repeat(3000));
        let shown = left_out(&text);
        assert_eq!(shown.split_whitespace().collect::<Vec<_>>(), ["a(", "b", "c])", "d"]);
    }
}
