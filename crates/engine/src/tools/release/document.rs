//! A whole changelog file: making one, and putting a section into one without losing a word. Pure.

use gik_base::{ErrorCode, Failure, Result, hash};

use super::section::UNRELEASED;

const TITLE: &str = "# Changelog\n\n";
const SEAL_START: &str = "<!-- gik release ";
const SEAL_END: &str = " -->\n";

/// A file that holds one section and nothing else. Its last line seals it: as long as the seal fits the text, nobody
/// has written into the file and it may be made anew.
pub(super) fn whole(section: &str) -> String {
    let text = format!("{TITLE}{section}\n");
    let seal = hash::fast128_hex(&[text.as_bytes()]);
    format!("{text}{SEAL_START}{seal}{SEAL_END}")
}

/// Whether the file is as [`whole`] made it.
pub(super) fn is_untouched(existing: &str) -> bool {
    match split_seal(existing) {
        (text, Some(seal)) => hash::fast128_hex(&[text.as_bytes()]) == seal,
        (_, None) => false,
    }
}

/// The file with a section below its title, or below the section of what is not released where there is one. All
/// other text stays as it is; only the seal goes, because from now on the file has a history.
pub(super) fn with_section(existing: &str, section: &str, tag: Option<&str>) -> Result<String> {
    let text = match split_seal(existing) {
        // The empty line before the seal goes with it.
        (text, Some(_)) => text.strip_suffix('\n').unwrap_or(text),
        (text, None) => text,
    };
    require_absent(text, tag)?;
    let headings = headings(text);
    let before = match headings.as_slice() {
        [first, rest @ ..] if first.names(UNRELEASED) => rest.first(),
        [first, ..] => Some(first),
        [] => None,
    };
    let at = before.map_or(text.len(), |heading| heading.start);
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let section = section.replace('\n', line_end);

    let (above, below) = text.split_at(at);
    let mut joined = String::with_capacity(text.len() + section.len() + 16);
    if above.trim_start_matches('\u{feff}').trim().is_empty() && below.is_empty() {
        joined.push_str(above.trim_end());
        joined.push_str(&TITLE.replace('\n', line_end));
    } else {
        joined.push_str(above);
        while !joined.is_empty() && !ends_with_blank_line(&joined) {
            joined.push_str(line_end);
        }
    }
    joined.push_str(&section);
    if !below.is_empty() {
        joined.push_str(line_end);
        joined.push_str(below);
    }
    Ok(joined)
}

/// Fails where the file has a section of that name.
pub(super) fn require_absent(existing: &str, tag: Option<&str>) -> Result<()> {
    let name = tag.unwrap_or(UNRELEASED);
    if !headings(existing).iter().any(|heading| heading.names(name)) {
        return Ok(());
    }
    let failure = Failure::new(
        ErrorCode::ArgumentInvalid,
        format!("the changelog has a section `{name}` already"),
    );
    Err(failure.hint(match tag {
        Some(_) => "choose another `--tag`, or remove that section first",
        None => "`--tag vX.Y.Z` makes a section of its own, or remove that section first",
    }))
}

fn ends_with_blank_line(text: &str) -> bool {
    text.ends_with("\n\n") || text.ends_with("\n\r\n")
}

/// The text before the seal, and the seal.
fn split_seal(existing: &str) -> (&str, Option<&str>) {
    let sealed = existing.strip_suffix(SEAL_END).and_then(|text| {
        let (text, seal) = text.rsplit_once(SEAL_START)?;
        let is_seal = text.ends_with('\n') && seal.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_seal.then_some((text, seal))
    });
    match sealed {
        Some((text, seal)) => (text, Some(seal)),
        None => (existing, None),
    }
}

/// A heading of the second level.
#[derive(Debug)]
struct Heading<'a> {
    start: usize,
    text: &'a str,
}

impl Heading<'_> {
    /// Whether the section is that of a tag: `[v1.0.0] - 2025-11-27`, `1.0.0 (today)` and `V1.0.0` are all `v1.0.0`.
    fn names(&self, tag: &str) -> bool {
        let word = match self.text.strip_prefix('[') {
            Some(rest) => rest.split(']').next(),
            None => self.text.split_whitespace().next(),
        };
        word.is_some_and(|word| bare(word) == bare(tag))
    }
}

/// A tag without the differences that do not count.
fn bare(tag: &str) -> String {
    let lower = tag.trim().trim_end_matches(':').to_lowercase();
    match lower.strip_prefix('v') {
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_digit()) => rest.to_owned(),
        _ => lower,
    }
}

/// The headings of the second level that are not inside a code fence or a comment.
fn headings(text: &str) -> Vec<Heading<'_>> {
    let mut found = Vec::new();
    let mut fence: Option<&str> = None;
    let mut in_comment = false;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim();
        if in_comment {
            in_comment = !content.contains("-->");
        } else if let Some(mark) = fence {
            if content.starts_with(mark) {
                fence = None;
            }
        } else if let Some(mark) = ["```", "~~~"].into_iter().find(|mark| content.starts_with(mark))
        {
            fence = Some(mark);
        } else if content.starts_with("<!--") {
            in_comment = !content.contains("-->");
        } else if let Some(heading) = line.strip_prefix("## ") {
            found.push(Heading { start, text: heading.trim() });
        }
        start += line.len();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECTION: &str = "## [v2.0.0] - 2025-11-27\n\n### Features\n\n- new (1)\n";

    fn with(existing: &str) -> String {
        with_section(existing, SECTION, Some("v2.0.0")).unwrap()
    }

    #[test]
    fn a_file_is_untouched_until_someone_writes_into_it() {
        let file = whole(SECTION);
        assert!(file.starts_with("# Changelog\n\n## [v2.0.0]"));
        assert!(is_untouched(&file));
        assert!(!is_untouched(&file.replace("new", "newer")));
        assert!(!is_untouched(&format!("{file}more\n")));
        assert!(!is_untouched("# Changelog\n"));
        assert!(!is_untouched(""));
    }

    #[test]
    fn a_section_goes_below_the_title_and_the_rest_stays() {
        let old = "# Changelog\n\nAll of it.\n\n## [v1.0.0] - 2025-01-01\n\n- old\n";
        let (above, below) = old.split_at(old.find("## ").unwrap());
        assert_eq!(with(old), format!("{above}{SECTION}\n{below}"));
    }

    #[test]
    fn a_section_goes_below_what_is_not_released() {
        let old = "# Changelog\n\n## [Unreleased]\n\n- soon\n\n## 1.0.0\n\n- old\n";
        let (above, below) = old.split_at(old.find("## 1").unwrap());
        assert_eq!(with(old), format!("{above}{SECTION}\n{below}"));
        let alone = "# Changelog\n\n## Unreleased\n\n- soon\n";
        assert_eq!(with(alone), format!("{alone}\n{SECTION}"));
    }

    #[test]
    fn a_file_without_sections_gets_one_at_its_end() {
        assert_eq!(with(""), format!("# Changelog\n\n{SECTION}"));
        assert_eq!(with("# Log"), format!("# Log\n\n{SECTION}"));
        assert_eq!(with("text\n\n"), format!("text\n\n{SECTION}"));
    }

    #[test]
    fn headings_in_fences_and_comments_are_text() {
        let old = "# Log\n\n```\n## [v2.0.0]\n```\n<!--\n## [v2.0.0]\n-->\n\n## 1.0.0\n";
        let (above, below) = old.split_at(old.find("## 1").unwrap());
        assert_eq!(with(old), format!("{above}{SECTION}\n{below}"));
    }

    #[test]
    fn line_ends_and_byte_order_marks_are_kept() {
        let new = with("\u{feff}# Log\r\n\r\n## 1.0.0\r\n");
        assert!(new.starts_with("\u{feff}# Log\r\n\r\n## [v2.0.0]"));
        assert!(new.ends_with("\r\n\r\n## 1.0.0\r\n"));
        assert!(!new.replace("\r\n", "").contains('\n'));
    }

    #[test]
    fn the_same_tag_is_refused_however_it_is_written() {
        for heading in
            ["## [v2.0.0] - 2025-11-27", "## 2.0.0", "## V2.0.0: big", "## [2.0.0](https://x)"]
        {
            let failure = with_section(heading, SECTION, Some("v2.0.0")).unwrap_err();
            assert_eq!(failure.code(), ErrorCode::ArgumentInvalid, "{heading}");
            assert!(!failure.hints().is_empty());
        }
        assert!(with_section("## v2.0.0-rc.1\n", SECTION, Some("v2.0.0")).is_ok());
        assert!(with_section("## [Unreleased]\n", SECTION, None).is_err());
    }

    #[test]
    fn a_file_that_grows_is_no_longer_sealed() {
        let first = whole("## [v1.0.0] - 2025-01-01\n\n- old\n");
        let grown = with(&first);
        assert!(!grown.contains(SEAL_START) && !is_untouched(&grown));
        assert_eq!(grown, format!("# Changelog\n\n{SECTION}\n## [v1.0.0] - 2025-01-01\n\n- old\n"));
    }
}
