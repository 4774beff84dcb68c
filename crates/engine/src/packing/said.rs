//! What a comment says in one sentence.

use std::ops::Range;

use crate::view::shorten;

/// A sentence in an outline is no longer.
const LONGEST: usize = 140;
/// Comments with these say who owns a file, not what it is for.
const LEGAL: [&str; 4] = ["copyright", "spdx-license", "licensed under", "all rights reserved"];

/// The first sentence of a text, on one line, without its period.
pub(super) fn first_sentence(text: &str) -> Option<String> {
    let lines = text.lines().map(str::trim);
    let paragraph: Vec<&str> =
        lines.skip_while(|line| line.is_empty()).take_while(|line| !line.is_empty()).collect();
    let paragraph = paragraph.join(" ");
    let is_end = |at: usize| {
        let rest = paragraph[at + 1..].trim_start();
        rest.is_empty() || rest.starts_with(|c: char| !c.is_lowercase())
    };
    let end = paragraph.match_indices(". ").map(|(at, _)| at).find(|at| is_end(*at));
    let sentence = end.map_or(paragraph.as_str(), |end| &paragraph[..end]);
    let sentence = shorten(sentence.trim_end_matches(['.', ':']), LONGEST);
    Some(sentence).filter(|sentence| !sentence.is_empty())
}

/// What a file says of itself in the comment at its beginning.
pub(super) fn of_file(text: &str, comments: &[Range<u32>], language: &str) -> Option<String> {
    let language = gik_parse::language_by_id(language)?;
    let first = comments.first()?;
    let before = text.get(..first.start as usize)?;
    let is_opening = before.lines().all(|line| line.trim().is_empty() || line.starts_with("#!"));
    if !is_opening {
        return None;
    }
    let mut end = first.end as usize;
    for next in &comments[1..] {
        let between = text.get(end..next.start as usize)?;
        if !between.trim().is_empty() || between.matches('\n').count() > 1 {
            break;
        }
        end = next.end as usize;
    }
    let comment = text.get(first.start as usize..end)?;
    // A comment that stands right above an item speaks of that item.
    let is_of_file = comment.starts_with("//!")
        || comment.starts_with("/*!")
        || comment.starts_with(['"', '\''])
        || text[end..].trim_start_matches([' ', '\t', '\r']).strip_prefix('\n').is_none_or(
            |rest| {
                rest.trim_start_matches([' ', '\t', '\r']).starts_with('\n')
                    || rest.trim().is_empty()
            },
        );
    let said = gik_parse::comment_text(comment, language);
    let small = said.to_lowercase();
    let is_legal = LEGAL.iter().any(|sign| small.contains(sign));
    first_sentence(&said).filter(|_| is_of_file && !is_legal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_ends_before_the_next_one_begins() {
        let said = |text: &str| first_sentence(text).unwrap_or_default();
        assert_eq!(said("\nOpens a store. Fails where it is missing.\n"), "Opens a store");
        assert_eq!(
            said("Opens it, e.g. for reading,\n  and keeps it."),
            "Opens it, e.g. for reading, and keeps it"
        );
        assert_eq!(said("One.\n\nTwo."), "One");
        assert_eq!(first_sentence(" \n"), None);
        assert!(said(&"long ".repeat(100)).chars().count() <= LONGEST);
    }

    #[test]
    fn a_file_speaks_of_itself_at_its_beginning() {
        fn said(text: &str, language: &str) -> Option<String> {
            let language = gik_parse::language_by_id(language).unwrap();
            let key = gik_base::FileKey::from_text("x");
            let parsed = gik_parse::parse(&key, text, Some(language));
            let comments: Vec<Range<u32>> = parsed
                .comments
                .iter()
                .map(|it| u32::try_from(it.start).unwrap()..u32::try_from(it.end).unwrap())
                .collect();
            of_file(text, &comments, language.id)
        }
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(said("//! What is it?\n//! More.\nuse x;\n", "rust"), some("What is it? More"));
    }
}
