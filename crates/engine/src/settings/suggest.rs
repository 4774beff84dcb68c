//! "Did you mean …?": the known word nearest to an unknown one.

/// The candidate with the fewest edits to `word`, when it is near enough to be what was meant.
/// The first of equally near ones wins.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    // No key is longer; distances to long texts cost time and mean nothing.
    const LONGEST: usize = 96;
    let length = word.chars().count();
    if length == 0 || length > LONGEST {
        return None;
    }
    let allowed = match length {
        1..=3 => 1,
        4..=6 => 2,
        _ => length / 3,
    };
    let word = word.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (distance(&word, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Insertions, deletions, replacements and swaps of neighbours that turn one text into the other.
fn distance(from: &str, to: &str) -> usize {
    let from: Vec<char> = from.chars().collect();
    let to: Vec<char> = to.chars().collect();
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=to.len()).collect();
    for (row, &a) in from.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, &b) in to.iter().enumerate() {
            let replaced = last[column] + usize::from(a != b);
            let mut best = replaced.min(last[column + 1] + 1).min(current[column] + 1);
            if row > 0 && column > 0 && a == to[column - 1] && from[row - 1] == b {
                best = best.min(before_last[column - 1] + 1);
            }
            current.push(best);
        }
        before_last = std::mem::replace(&mut last, current);
    }
    last[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("theads", "threads"), 1);
        assert_eq!(distance("trheads", "threads"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn far_words_are_not_suggested() {
        let known = ["threads", "fts", "include_generated"];
        assert_eq!(nearest("thread", known), Some("threads"));
        assert_eq!(nearest("FTS", known), Some("fts"));
        assert_eq!(nearest("colour", known), None);
        assert_eq!(nearest(&"x".repeat(100_000), known), None);
    }
}
