//! The text of a unified diff to patches of files, as `diff -u` and git write them.
//!
//! Strict where a guess could change the wrong thing: a hunk has as many lines as its header says, a file is named by
//! one name unless it is moved, and what is no text, no file or a link is refused. Words before a file's header are
//! passed over.

use gik_base::{ErrorCode, Failure, Result};

use crate::quoted;

/// What a diff does to one file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Patch<'t> {
    /// The name before; `None` for a new file.
    pub(crate) old: Option<String>,
    /// The name after; `None` for a file that goes.
    pub(crate) new: Option<String>,
    /// Whether the file may be run afterwards, where the diff says.
    pub(crate) executable: Option<bool>,
    pub(crate) hunks: Vec<Hunk<'t>>,
}

/// A stretch of lines that is replaced by another.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Hunk<'t> {
    /// The first line of the old file, from 1; with no old lines, the line before.
    pub(crate) old_start: usize,
    pub(crate) lines: Vec<HunkLine<'t>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    Same,
    Removed,
    Added,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HunkLine<'t> {
    pub(crate) sign: Sign,
    pub(crate) body: &'t str,
    /// Whether the text ends here without the end of a line.
    pub(crate) is_unended: bool,
}

/// The patches of a diff, in order.
pub(crate) fn parse(text: &str) -> Result<Vec<Patch<'_>>> {
    let mut lines: Vec<&str> = text.split('\n').collect();
    // A diff that came with CRLF has it in its headers, too; otherwise a `\r` belongs to the line of a file.
    let is_header = |line: &&&str| line.starts_with("--- ") || line.starts_with("@@ ");
    if lines.iter().filter(is_header).all(|line| line.ends_with('\r')) {
        for line in &mut lines {
            *line = line.strip_suffix('\r').unwrap_or(line);
        }
    }
    let mut reader = Reader { lines, at: 0, patches: Vec::new(), open: None };
    while reader.at < reader.lines.len() {
        reader.step()?;
    }
    reader.close()?;
    if reader.patches.is_empty() {
        return Err(invalid("the diff names no file".to_owned()).hint(
            "write `--- a/PATH`, `+++ b/PATH` and hunks that begin with `@@ -LINE,COUNT +LINE,COUNT @@`",
        ));
    }
    Ok(reader.patches)
}

struct Reader<'t> {
    lines: Vec<&'t str>,
    at: usize,
    patches: Vec<Patch<'t>>,
    open: Option<Open<'t>>,
}

/// The file that is being read.
#[derive(Default)]
struct Open<'t> {
    patch: Patch<'t>,
    /// The name in `diff --git`, for files without lines.
    git_name: Option<String>,
    moved_from: Option<String>,
    moved_to: Option<String>,
    is_new: bool,
    is_gone: bool,
    has_names: bool,
}

impl Open<'_> {
    /// Whether these names belong to the file that `diff --git` began.
    fn expects(&self, old: Option<&str>, new: Option<&str>) -> bool {
        let known = |moved: &Option<String>, name: Option<&str>| match (moved, &self.git_name) {
            (Some(known), _) | (None, Some(known)) => name.is_none_or(|name| name == known),
            (None, None) => true,
        };
        !self.has_names && known(&self.moved_from, old) && known(&self.moved_to, new)
    }
}

impl<'t> Reader<'t> {
    fn step(&mut self) -> Result<()> {
        let line = self.lines[self.at];
        let next = self.lines.get(self.at + 1).copied().unwrap_or_default();
        if let Some(names) = line.strip_prefix("diff --git ") {
            self.close()?;
            self.open = Some(Open { git_name: git_name(names), ..Open::default() });
        } else if line.starts_with("--- ") && next.starts_with("+++ ") {
            self.names(&line[4..], &next[4..])?;
            self.at += 1;
        } else if line.starts_with("@@ ") {
            return self.hunk(line);
        } else if line.starts_with("GIT binary patch") || line.starts_with("Binary files ") {
            return Err(self.wrong("binary files cannot be changed by a diff"));
        } else if !self.header(line)? {
            let has_hunks = self.open.as_ref().is_some_and(|open| !open.patch.hunks.is_empty());
            let is_signature = line.trim_end() == "--";
            if has_hunks && line.starts_with(['+', '-', ' ', '\\']) && !is_signature {
                return Err(self.wrong("a hunk has more lines than its header says"));
            }
            if line.starts_with("--- ") {
                return Err(self.wrong("`---` is not followed by `+++`"));
            }
        }
        self.at += 1;
        Ok(())
    }

    /// The lines with which git says more than names. Says whether this is one.
    fn header(&mut self, line: &'t str) -> Result<bool> {
        let Some(open) = self.open.as_mut().filter(|open| !open.has_names) else {
            return Ok(false);
        };
        let mut mode = None;
        if let Some(name) = line.strip_prefix("rename from ") {
            open.moved_from = quoted::name(name);
        } else if let Some(name) = line.strip_prefix("rename to ") {
            open.moved_to = quoted::name(name);
        } else if let Some(of_new) = line.strip_prefix("new file mode ") {
            open.is_new = true;
            mode = Some(of_new);
        } else if line.starts_with("deleted file mode ") {
            open.is_gone = true;
        } else if let Some(of_new) = line.strip_prefix("new mode ") {
            mode = Some(of_new);
        } else if line.starts_with("copy from ") || line.starts_with("copy to ") {
            return Err(self.wrong("copies are written as new files"));
        } else {
            return Ok(false);
        }
        match mode.map(str::trim_end) {
            None => {},
            Some("100644") => open.patch.executable = Some(false),
            Some("100755") => open.patch.executable = Some(true),
            Some(other) => {
                let message = format!("files of mode `{other}`, as links, are not made");
                return Err(Failure::new(ErrorCode::PathRefused, message));
            },
        }
        Ok(true)
    }

    fn names(&mut self, old: &str, new: &str) -> Result<()> {
        let (Some(old), Some(new)) = (quoted::name(old), quoted::name(new)) else {
            return Err(self.wrong("the name of a file cannot be read"));
        };
        const NOTHING: &str = "/dev/null";
        let is_prefixed = (old == NOTHING || old.starts_with("a/"))
            && (new == NOTHING || new.starts_with("b/"))
            && (old != NOTHING || new != NOTHING);
        let plain = |name: String| {
            let name = if is_prefixed { name[2..].to_owned() } else { name };
            name.strip_prefix("./").map_or(name.clone(), str::to_owned)
        };
        let old = (old != NOTHING).then(|| plain(old));
        let new = (new != NOTHING).then(|| plain(new));
        if !self.open.as_ref().is_some_and(|open| open.expects(old.as_deref(), new.as_deref())) {
            self.close()?;
            self.open = Some(Open::default());
        }
        if let Some(open) = &mut self.open {
            open.has_names = true;
            (open.patch.old, open.patch.new) = (old, new);
        }
        Ok(())
    }

    /// Reads a hunk, as many lines as its header says.
    fn hunk(&mut self, header: &str) -> Result<()> {
        let [(old_start, mut n_old), (_, mut n_new)] = ranges(header)
            .ok_or_else(|| self.wrong("a line with `@@` is not `@@ -LINE,COUNT +LINE,COUNT @@`"))?;
        if !self.open.as_ref().is_some_and(|open| open.has_names) {
            return Err(self.wrong("a hunk comes before `---` and `+++`"));
        }
        let short = "a hunk has fewer lines than its header says";
        let mut hunk = Hunk { old_start, lines: Vec::new() };
        self.at += 1;
        while n_old > 0 || n_new > 0 || self.is_unended_mark() {
            let line = self.lines.get(self.at).copied().ok_or_else(|| self.wrong(short))?;
            self.at += 1;
            if line.starts_with('\\') {
                let last = hunk.lines.last_mut().ok_or_else(|| self.wrong(short))?;
                last.is_unended = true;
                continue;
            }
            let (sign, body) = match line.split_at_checked(1) {
                Some((" ", body)) => (Sign::Same, body),
                Some(("-", body)) => (Sign::Removed, body),
                Some(("+", body)) => (Sign::Added, body),
                // Mail programs take blanks away at the ends of lines.
                None if self.at < self.lines.len() => (Sign::Same, ""),
                _ => return Err(self.wrong(short)),
            };
            let (takes_old, takes_new) = (sign != Sign::Added, sign != Sign::Removed);
            if takes_old && n_old == 0 || takes_new && n_new == 0 {
                return Err(self.wrong("the lines of a hunk are not those that its header counts"));
            }
            n_old -= usize::from(takes_old);
            n_new -= usize::from(takes_new);
            hunk.lines.push(HunkLine { sign, body, is_unended: false });
        }
        if hunk.lines.is_empty() {
            return Err(self.wrong("a hunk has no lines"));
        }
        if let Some(open) = &mut self.open {
            open.patch.hunks.push(hunk);
        }
        Ok(())
    }

    fn is_unended_mark(&self) -> bool {
        self.lines.get(self.at).is_some_and(|line| line.starts_with('\\'))
    }

    /// Ends the file that is being read.
    fn close(&mut self) -> Result<()> {
        let Some(open) = self.open.take() else { return Ok(()) };
        let mut patch = open.patch;
        if !open.has_names {
            let name = open.git_name;
            patch.old = open.moved_from.clone().or_else(|| name.clone()).filter(|_| !open.is_new);
            patch.new = open.moved_to.clone().or(name).filter(|_| !open.is_gone);
            let is_about_something = open.is_new
                || open.is_gone
                || patch.executable.is_some()
                || (open.moved_from.is_some() && open.moved_to.is_some());
            if !is_about_something || (patch.old.is_none() && patch.new.is_none()) {
                return Err(self.wrong("a file has neither hunks nor anything else to change"));
            }
        } else if patch.hunks.is_empty() && open.moved_from.is_none() {
            return Err(self.wrong("a file has no hunks"));
        }
        let is_moved = open.moved_from.is_some() && open.moved_to.is_some();
        let is_torn = open.moved_from.is_some() != open.moved_to.is_some()
            || (is_moved && (patch.old != open.moved_from || patch.new != open.moved_to))
            || (open.is_new && patch.old.is_some())
            || (open.is_gone && patch.new.is_some());
        if is_torn {
            return Err(self.wrong("the headers of a file contradict each other"));
        }
        if !is_moved && patch.old.is_some() && patch.new.is_some() && patch.old != patch.new {
            return Err(self
                .wrong("the two names of a file differ")
                .hint("a file is moved by `rename from` and `rename to` after `diff --git`"));
        }
        self.patches.push(patch);
        Ok(())
    }

    fn wrong(&self, message: &str) -> Failure {
        let line = (self.at + 1).min(self.lines.len());
        invalid(format!("{message} (line {line} of the diff)"))
    }
}

/// The ranges of `@@ -1,2 +3,4 @@`.
fn ranges(header: &str) -> Option<[(usize, usize); 2]> {
    let inner = header.strip_prefix("@@ ")?.split_once(" @@")?.0;
    let (old, new) = inner.split_once(' ')?;
    let range = |text: &str| {
        let (start, count) = text.split_once(',').unwrap_or((text, "1"));
        let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        (plain(start) && plain(count)).then_some(())?;
        Some((start.parse().ok()?, count.parse().ok()?))
    };
    Some([range(old.strip_prefix('-')?)?, range(new.strip_prefix('+')?)?])
}

/// The name in `a/NAME b/NAME`, where both are the same.
fn git_name(names: &str) -> Option<String> {
    let half = names.len().checked_sub(1)? / 2;
    let (old, new) = (names.get(..half)?, names.get(half..)?);
    let name = old.strip_prefix("a/")?;
    (new.strip_prefix(" b/") == Some(name)).then(|| name.to_owned())
}

fn invalid(message: String) -> Failure {
    Failure::new(ErrorCode::ArgumentInvalid, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(diff: &str) -> String {
        parse(diff).unwrap_err().to_string()
    }

    #[test]
    fn headers_of_git_are_understood() {
        let diff = "A few words.\n\ndiff --git a/old name.rs b/new.rs\nsimilarity index 90%\nrename from old name.rs\nrename to new.rs\n\
            --- a/old name.rs\n+++ b/new.rs\n@@ -1 +1 @@ fn x()\n-a\n+b\n\\ No newline at end of file\n\
            diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n\
            diff --git a/empty b/empty\nnew file mode 100644\nindex 0000000..e69de29\n-- \n2.39\n";
        let patches = parse(diff).unwrap();
        assert_eq!(patches.len(), 3);
        assert_eq!(patches[0].old.as_deref(), Some("old name.rs"));
        assert_eq!(patches[0].hunks[0].lines.len(), 2);
        assert!(patches[0].hunks[0].lines[1].is_unended);
        assert_eq!((patches[1].executable, &patches[1].new), (Some(true), &Some("run.sh".into())));
        assert_eq!((&patches[2].old, &patches[2].new), (&None, &Some("empty".into())));
    }

    #[test]
    fn a_file_without_hunks_does_not_take_the_names_of_the_next() {
        let diff = "diff --git a/x b/y\nrename from x\nrename to y\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+a\n";
        let names: Vec<_> = parse(diff).unwrap().into_iter().map(|it| (it.old, it.new)).collect();
        let name = |text: &str| Some(text.to_owned());
        assert_eq!(names, [(name("x"), name("y")), (None, name("new"))]);
    }

    #[test]
    fn lines_that_look_like_headers_belong_to_their_hunk() {
        let patches =
            parse("--- x.sql\n+++ x.sql\n@@ -1,2 +1,2 @@\n--- a comment\n+++ b\n c\n").unwrap();
        assert_eq!(patches[0].hunks[0].lines[0].body, "-- a comment");
    }

    #[test]
    fn what_is_not_clear_is_refused() {
        assert!(refused("nothing here").contains("names no file"));
        assert!(refused("@@ -1 +1 @@\n-a\n+b\n").contains("before `---`"));
        assert!(refused("--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n-a\n+b\n").contains("fewer lines"));
        assert!(refused("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n+c\n").contains("more lines"));
        assert!(refused("--- a/x\n+++ b/x\n@@ -1 +1 @@\n+b\n+c\n").contains("counts"));
        assert!(refused("--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n").contains("differ"));
        assert!(refused("--- a/x\n+++ b/x\n").contains("no hunks"));
        assert!(refused("--- a/x\n+++ b/x\n@@ -a +1 @@\n").contains("`@@`"));
        assert!(refused("diff --git a/x b/x\nnew file mode 120000\n").contains("links"));
        assert!(
            refused("diff --git a/x b/x\nBinary files a/x and b/x differ\n").contains("binary")
        );
    }

    #[test]
    fn a_diff_sent_with_crlf_is_the_same_diff() {
        let diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
        let sent = diff.replace('\n', "\r\n");
        assert_eq!(parse(diff).unwrap(), parse(&sent).unwrap());
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "([-+@ \\\\a1,/\n]|--- |\\+\\+\\+ |@@ -1,1 \\+1,1 @@|diff --git |\\PC){0,80}") {
            drop(parse(&text));
        }
    }
}
