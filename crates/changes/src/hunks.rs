//! The hunks of a patch put into the text of a file: only where every line is there exactly as the hunk has it.
//!
//! A hunk that is not at its line is looked for elsewhere, and taken where it fits in one place only; that is said.
//! New lines end as those of the file do.

use gik_base::{ErrorCode, Failure, Result};

use crate::diff::{Hunk, HunkLine, Sign};
use crate::lines::{Line, common_end, lines, without_mark};

/// The new text of a file, and what there is to say about it.
pub(crate) fn put(path: &str, text: &str, hunks: &[Hunk<'_>]) -> Result<(String, Vec<String>)> {
    let (mark, text) = without_mark(text);
    let old = lines(text);
    let file = File { path, common: common_end(&old), old };
    let mut new: Vec<(&str, &str)> = Vec::new();
    let mut notes = Vec::new();
    let mut unended = None;
    let mut done = 0;
    for (at, hunk) in hunks.iter().enumerate() {
        let n_old = hunk.lines.iter().filter(|line| line.sign != Sign::Added).count();
        let place = file.place(at + 1, hunk, n_old, done)?;
        let said = hunk.old_start.saturating_sub(usize::from(n_old > 0));
        if place != said {
            let (number, place, said) = (at + 1, place + 1, said + 1);
            notes.push(format!("hunk {number} of `{path}` fits at line {place}, not at {said}"));
        }
        new.extend(file.old[done..place].iter().map(|line| (line.body, line.end)));
        done = place;
        for line in &hunk.lines {
            match line.sign {
                Sign::Same => {
                    let own = file.old[done];
                    new.push((own.body, own.end));
                    done += 1;
                },
                Sign::Removed => done += 1,
                Sign::Added => {
                    let end = if line.is_unended { "" } else { file.end_near(done) };
                    let body = if end == "\n" { line.body } else { bare(line.body) };
                    new.push((body, end));
                    if line.is_unended {
                        unended = Some((at + 1, new.len()));
                    }
                },
            }
        }
    }
    new.extend(file.old[done..].iter().map(|line| (line.body, line.end)));
    if let Some((hunk, _)) = unended.filter(|(_, place)| *place != new.len()) {
        return Err(Failure::new(
            ErrorCode::ArgumentInvalid,
            format!("hunk {hunk} of `{path}` ends the file before its end"),
        ));
    }
    let mut text = mark.to_owned();
    let n_lines = new.len();
    for (at, (body, end)) in new.into_iter().enumerate() {
        text.push_str(body);
        // What was the last line and is no longer needs an end.
        let is_last = at + 1 == n_lines;
        text.push_str(if end.is_empty() && !is_last { file.common.unwrap_or("\n") } else { end });
    }
    Ok((text, notes))
}

fn bare(body: &str) -> &str {
    body.strip_suffix('\r').unwrap_or(body)
}

struct File<'t> {
    path: &'t str,
    old: Vec<Line<'t>>,
    common: Option<&'static str>,
}

impl File<'_> {
    /// How a line ends that comes before the old line of that number.
    fn end_near(&self, at: usize) -> &'static str {
        let near = [at.checked_sub(1), Some(at)].into_iter().flatten();
        let own = || near.filter_map(|at| self.old.get(at)).find(|line| !line.end.is_empty());
        self.common.or_else(|| own().map(|line| line.end)).unwrap_or("\n")
    }

    /// The line, from 0, at which a hunk begins.
    fn place(&self, number: usize, hunk: &Hunk<'_>, n_old: usize, from: usize) -> Result<usize> {
        let wrong = |why: String| {
            let message = format!("hunk {number} of `{}` {why}", self.path);
            Failure::new(ErrorCode::ArgumentInvalid, message)
                .hint("read the file again and make the diff from what it says now")
        };
        if n_old == 0 {
            // Nothing says where it belongs but its number.
            let place = hunk.old_start;
            return if (from..=self.old.len()).contains(&place) {
                Ok(place)
            } else {
                Err(wrong(format!("begins at line {place}, which it cannot")))
            };
        }
        let said = hunk.old_start.saturating_sub(1);
        let wanted: Vec<&HunkLine<'_>> =
            hunk.lines.iter().filter(|line| line.sign != Sign::Added).collect();
        let fits = |place: usize| self.differing(&wanted, place).is_none();
        if said >= from && fits(said) {
            return Ok(said);
        }
        let last = self.old.len().saturating_sub(n_old);
        let mut places = (from..=last).filter(|place| fits(*place));
        match (places.next(), places.next()) {
            (Some(place), None) => Ok(place),
            (Some(_), Some(_)) => {
                Err(wrong(format!("is not at line {} and fits in several places", said + 1)))
            },
            (None, _) => {
                let at = self.differing(&wanted, said).unwrap_or(0);
                let shown = |text: &str| text.trim_end_matches('\r').chars().take(120).collect();
                let wants: String = wanted.get(at).map(|it| shown(it.body)).unwrap_or_default();
                Err(wrong(match self.old.get(said + at) {
                    Some(line) => {
                        let has: String = shown(line.body);
                        format!("does not fit: line {} is `{has}`, not `{wants}`", said + at + 1)
                    },
                    None => format!("does not fit: the file has {} lines", self.old.len()),
                }))
            },
        }
    }

    /// The first line of a hunk that is not the line of the file.
    fn differing(&self, wanted: &[&HunkLine<'_>], place: usize) -> Option<usize> {
        wanted.iter().enumerate().position(|(at, wanted)| {
            let Some(line) = self.old.get(place + at) else { return true };
            let is_same =
                line.body == wanted.body || (line.end == "\r\n" && line.body == bare(wanted.body));
            !is_same || (wanted.is_unended && !line.end.is_empty())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::parse;

    fn check(text: &str, hunks: &str, expected: &str) -> Vec<String> {
        let diff = format!("--- a/x\n+++ b/x\n{hunks}");
        let (new, notes) = put("x", text, &parse(&diff).unwrap()[0].hunks).unwrap();
        assert_eq!(new, expected);
        notes
    }

    fn refused(text: &str, hunks: &str) -> String {
        let diff = format!("--- a/x\n+++ b/x\n{hunks}");
        put("x", text, &parse(&diff).unwrap()[0].hunks).unwrap_err().to_string()
    }

    #[test]
    fn hunks_go_where_they_say() {
        let hunks = "@@ -1,2 +1,2 @@\n-a\n+A\n b\n@@ -4 +4,2 @@\n d\n+e\n";
        assert!(check("a\nb\nc\nd\n", hunks, "A\nb\nc\nd\ne\n").is_empty());
        assert!(check("", "@@ -0,0 +1,2 @@\n+a\n+b\n", "a\nb\n").is_empty());
        assert!(check("a\nb\n", "@@ -1,0 +2 @@\n+x\n", "a\nx\nb\n").is_empty());
    }

    #[test]
    fn ends_of_lines_and_the_byte_order_mark_stay() {
        let hunks = "@@ -1,2 +1,3 @@\n a\n-b\n+B\n+C\n";
        check("\u{feff}a\r\nb\r\n", hunks, "\u{feff}a\r\nB\r\nC\r\n");
        check("a\r\nb\r\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+B\r\n", "a\r\nB\r\n");
        check("a\r\nb\nc\n", "@@ -1,2 +1,3 @@\n a\n+x\n b\n", "a\r\nx\r\nb\nc\n");
    }

    #[test]
    fn the_last_line_keeps_or_loses_its_end_as_the_diff_says() {
        let mark = "\\ No newline at end of file\n";
        check("a", &format!("@@ -1 +1 @@\n-a\n{mark}+b\n{mark}"), "b");
        check("a", &format!("@@ -1 +1 @@\n-a\n{mark}+b\n"), "b\n");
        check("a\n", &format!("@@ -1 +1 @@\n-a\n+b\n{mark}"), "b");
        check("a", "@@ -1 +1,2 @@\n a\n+b\n", "a\nb\n");
        let early = format!("@@ -1,2 +1,2 @@\n-a\n+x\n{mark} b\n");
        assert!(refused("a\nb\n", &early).contains("before its end"));
        let wrong = format!("@@ -1 +1 @@\n-a\n{mark}+b\n");
        assert!(refused("a\n", &wrong).contains("does not fit"));
    }

    #[test]
    fn a_hunk_elsewhere_is_taken_only_where_it_is_the_one() {
        let notes = check("x\na\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+B\n", "x\na\nB\n");
        assert_eq!(notes, ["hunk 1 of `x` fits at line 2, not at 1"]);
        let twice = refused("x\na\nx\na\n", "@@ -1 +1 @@\n-a\n+b\n");
        assert!(twice.contains("hunk 1 of `x`") && twice.contains("several places"), "{twice}");
        let none = refused("a\nb\n", "@@ -1,2 +1,2 @@\n a\n-c\n+d\n");
        assert!(none.contains("line 2 is `b`, not `c`"), "{none}");
        let space = refused("a \n", "@@ -1 +1 @@\n-a\n+b\n");
        assert!(space.contains("does not fit"), "{space}");
        let beyond = refused("a\n", "@@ -7,0 +8 @@\n+b\n");
        assert!(beyond.contains("line 7"), "{beyond}");
    }

    #[test]
    fn hunks_do_not_overlap() {
        let twice = refused("a\nb\n", "@@ -1 +1 @@\n-a\n+x\n@@ -1 +1 @@\n-a\n+y\n");
        assert!(twice.contains("hunk 2"), "{twice}");
    }
}
