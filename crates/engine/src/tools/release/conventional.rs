//! Whether a message is a Conventional Commit, and what it says: `type(scope)!: subject`, a body, footers. Pure.

/// The parts of a message that a changelog needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Conventional {
    /// Lower-case: `feat`.
    pub(super) kind: String,
    /// What it is about: `api`.
    pub(super) scope: Option<String>,
    /// The rest of the first line.
    pub(super) subject: String,
    /// What breaks, a text for each `BREAKING CHANGE` footer; the subject where only `!` says so.
    pub(super) breaking: Vec<String>,
}

impl Conventional {
    /// The parts of a message; `None` where its first line has another form.
    pub(super) fn parse(message: &str) -> Option<Self> {
        let mut lines = message.trim_start().lines();
        let header = lines.next()?.trim_end();
        let (prefix, rest) = header.split_once(':')?;
        let subject = one_line(rest);
        if subject.is_empty() || !rest.starts_with(char::is_whitespace) {
            return None;
        }
        let (prefix, is_marked) = match prefix.strip_suffix('!') {
            Some(prefix) => (prefix, true),
            None => (prefix, false),
        };
        let (kind, scope) = match prefix.split_once('(') {
            Some((kind, scope)) => (kind, Some(scope.strip_suffix(')')?)),
            None => (prefix, None),
        };
        if !is_word(kind) || scope.is_some_and(|scope| !is_scope(scope)) {
            return None;
        }
        let mut breaking = breaking_footers(lines);
        if is_marked && breaking.is_empty() {
            breaking.push(subject.clone());
        }
        Some(Self {
            kind: kind.to_ascii_lowercase(),
            scope: scope.map(one_line),
            subject,
            breaking,
        })
    }
}

/// Text on one line without control characters, so that it cannot end a list item or a heading.
pub(super) fn one_line(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

fn is_scope(text: &str) -> bool {
    !text.trim().is_empty() && !text.contains(['(', ')'])
}

/// The texts of the footers that tell what breaks. A footer goes on until the next one begins.
fn breaking_footers<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    let mut is_inside = false;
    for line in lines {
        let text =
            ["BREAKING CHANGE:", "BREAKING-CHANGE:", "BREAKING CHANGE #", "BREAKING-CHANGE #"]
                .iter()
                .find_map(|token| line.strip_prefix(token));
        match (text, notes.last_mut()) {
            (Some(text), _) => {
                is_inside = true;
                notes.push(text.to_owned());
            },
            (None, Some(note)) if is_inside && !is_footer(line) => {
                note.push(' ');
                note.push_str(line);
            },
            (None, _) => is_inside = false,
        }
    }
    notes.iter().map(|note| one_line(note)).filter(|note| !note.is_empty()).collect()
}

/// `Reviewed-by: Z` or `Refs #133`.
fn is_footer(line: &str) -> bool {
    [": ", " #"].iter().any(|separator| {
        line.split_once(separator).is_some_and(|(token, value)| is_word(token) && !value.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(message: &str, kind: &str, scope: Option<&str>, subject: &str, breaking: &[&str]) {
        let expected = Conventional {
            kind: kind.to_owned(),
            scope: scope.map(str::to_owned),
            subject: subject.to_owned(),
            breaking: breaking.iter().map(|note| (*note).to_owned()).collect(),
        };
        assert_eq!(Conventional::parse(message), Some(expected), "{message}");
    }

    #[test]
    fn the_first_line_has_type_scope_mark_and_subject() {
        check("feat: add a thing", "feat", None, "add a thing", &[]);
        check("Fix(api): keep  order", "fix", Some("api"), "keep order", &[]);
        check("feat!: drop v1", "feat", None, "drop v1", &["drop v1"]);
        check("refactor(a b/c)!: move", "refactor", Some("a b/c"), "move", &["move"]);
        check("\n  docs: see: here\r\n\r\nbody", "docs", None, "see: here", &[]);
        check("revert: feat: x", "revert", None, "feat: x", &[]);
        check("feat: ring the \u{7} bell", "feat", None, "ring the bell", &[]);
    }

    #[test]
    fn footers_tell_what_breaks() {
        check(
            "feat(api): new names\n\nWhy and how.\n\nBREAKING CHANGE: `id` is a string\n  now, not a number\n\
             Reviewed-by: Z\nBREAKING-CHANGE: `name` is gone\nRefs #133",
            "feat",
            Some("api"),
            "new names",
            &["`id` is a string now, not a number", "`name` is gone"],
        );
        check("fix!: a\n\nBREAKING CHANGE: b", "fix", None, "a", &["b"]);
        // The words are a footer at the start of a line and in capitals only.
        check("fix: a\n\nno BREAKING CHANGE: b\nbreaking change: c", "fix", None, "a", &[]);
        check("fix!: a\n\nBREAKING CHANGE: ", "fix", None, "a", &["a"]);
    }

    #[test]
    fn other_messages_are_not_conventional() {
        let others = [
            "",
            "Index src/",
            "feat:",
            "feat: ",
            "feat:no space",
            "feat() : x",
            "feat(): x",
            "feat(a: x",
            "feat(a)b: x",
            "feat (a): x",
            "two words: x",
            "https://example.com: x",
            "Merge branch 'a'",
            "subject\n\nfeat: x",
        ];
        for message in others {
            assert_eq!(Conventional::parse(message), None, "{message}");
        }
    }
}
