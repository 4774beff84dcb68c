//! How much of a text is shown? Cuts are between characters, and where that leaves enough at the end of an item or line.

use crate::library::Body;

/// How many bytes of a text are kept where so many may be.
pub(crate) fn cut(body: &Body, most: usize) -> usize {
    let text = body.text.as_str();
    if text.len() <= most {
        return text.len();
    }
    let end = between_characters(text, most);
    let item = body.breaks.iter().copied().rfind(|at| *at <= end && text.is_char_boundary(*at));
    if let Some(item) = item.filter(|item| *item >= end / 2) {
        return item;
    }
    let line = text[..end].rfind('\n').map_or(0, |at| at + 1);
    if line >= end / 4 && line > 0 { line } else { end }
}

/// The last place at or before `at` that is between two characters, line ends of two signs being one.
fn between_characters(text: &str, at: usize) -> usize {
    let end = text.floor_char_boundary(at);
    if text[end..].starts_with('\n') && text[..end].ends_with('\r') { end - 1 } else { end }
}

/// The longest beginning that fits, at most `most` bytes: whole lines, or a part of the first one where that is long.
/// None where nothing useful fits.
pub(crate) fn fitting(text: &str, most: usize, fits: impl Fn(usize) -> bool) -> Option<usize> {
    /// Less of a line says nothing.
    const LEAST_BYTES: usize = 80;
    let text = &text[..most.min(text.len())];
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
    let lines = last_fitting(&ends, &fits);
    if lines.is_some() {
        return lines;
    }
    let first = ends.first().copied().unwrap_or(text.len());
    let characters: Vec<usize> = text[..first]
        .char_indices()
        .map(|(at, _)| at)
        .filter(|at| *at >= LEAST_BYTES && between_characters(text, *at) == *at)
        .collect();
    last_fitting(&characters, &fits)
}

/// The last of rising places that fits.
pub(crate) fn last_fitting(places: &[usize], fits: &impl Fn(usize) -> bool) -> Option<usize> {
    let mut at = places.partition_point(|place| fits(*place));
    // A counter may give fewer for more; what is taken is looked at itself.
    while at > 0 {
        at -= 1;
        if fits(places[at]) {
            return Some(places[at]);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(text: &str, breaks: &[usize]) -> Body {
        Body { text: text.to_owned(), breaks: breaks.to_vec(), head: 0, title: String::new() }
    }

    fn kept<'t>(text: &'t str, breaks: &[usize], most: usize) -> &'t str {
        &text[..cut(&body(text, breaks), most)]
    }

    #[test]
    fn what_fits_is_whole() {
        assert_eq!(kept("abc\n", &[], 4), "abc\n");
        assert_eq!(kept("abc\n", &[], 0), "");
        assert_eq!(kept("", &[], 0), "");
    }

    #[test]
    fn cuts_are_at_items_then_lines_then_characters() {
        let text = "fn a() {}\nfn b() {\n  1\n}\n";
        assert_eq!(kept(text, &[9, 24], 20), "fn a() {}\nfn b() {\n", "the item leaves too little");
        assert_eq!(kept(text, &[9, 24], 17), "fn a() {}");
        assert_eq!(kept(text, &[], 17), "fn a() {}\n");
        assert_eq!(kept("short\nlonglonglonglonglonglonglong", &[], 30).len(), 30);
    }

    #[test]
    fn no_character_and_no_line_end_is_cut_in_two() {
        assert_eq!(kept("é🦀ß", &[], 1), "");
        assert_eq!(kept("é🦀ß", &[], 2), "é");
        assert_eq!(kept("é🦀ß", &[], 5), "é");
        assert_eq!(kept("é🦀ß", &[], 6), "é🦀");
        assert_eq!(kept("a\r\nb", &[], 2), "a");
        assert_eq!(kept("a\r\nb", &[], 3), "a\r\n");
    }

    #[test]
    fn lines_are_taken_as_long_as_they_fit() {
        let text = "one\ntwo\nthree\n";
        assert_eq!(fitting(text, 100, |bytes| bytes <= 9), Some(8));
        assert_eq!(fitting(text, 100, |bytes| bytes <= 3), None);
        let long = "é".repeat(100);
        assert_eq!(fitting(&long, 300, |bytes| bytes <= 101), Some(100));
    }
}
