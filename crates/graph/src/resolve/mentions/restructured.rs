//! Literals, roles and links of reStructuredText.

use super::Mention;

/// Roles whose text names something of the project.
const ROLES: [&str; 14] = [
    "func",
    "class",
    "meth",
    "mod",
    "attr",
    "exc",
    "data",
    "obj",
    "file",
    "doc",
    "download",
    "c:func",
    "cpp:func",
    "cpp:class",
];
/// Directives that bring a file in.
const FILES: [&str; 2] = [".. literalinclude::", ".. include::"];

/// What the text names, without titles.
pub(super) fn mentions(text: &str) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let is_title = lines.peek().is_some_and(|next| is_underline(next.trim_end()))
            && !line.trim().is_empty();
        if !is_title {
            of_line(line, start, &mut found);
        }
        start += line.len();
    }
    found
}

fn is_underline(line: &str) -> bool {
    let mut signs = line.chars();
    let first = signs.next();
    line.len() > 2
        && first.is_some_and(|first| first.is_ascii_punctuation())
        && signs.all(|sign| Some(sign) == first)
}

fn of_line(line: &str, start: usize, found: &mut Vec<Mention>) {
    let mut add = |inner: &str, is_link: bool| {
        let at = start + (inner.as_ptr() as usize - line.as_ptr() as usize);
        let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let place = number(at)..number(at + inner.len());
        found.push(Mention { place, text: inner.to_owned(), is_link });
    };
    if let Some(path) = FILES.iter().find_map(|word| line.trim_start().strip_prefix(word)) {
        return add(path.trim(), true);
    }
    let mut rest = line;
    while let Some(at) = rest.find('`') {
        let before = &rest[..at];
        let is_literal = rest[at..].starts_with("``");
        let sign = if is_literal { "``" } else { "`" };
        let inside = &rest[at + sign.len()..];
        let Some(end) = inside.find(sign) else { return };
        let (inner, after) = (&inside[..end], &inside[end + sign.len()..]);
        let angled = inner.split_once('<').and_then(|(_, rest)| rest.strip_suffix('>'));
        if is_literal {
            add(inner.trim(), false);
        } else if let Some(role) = role(before) {
            if ROLES.contains(&role) {
                add(angled.unwrap_or(inner).trim_start_matches(['~', '!']), false);
            }
        } else if let Some(target) = angled.filter(|_| after.starts_with('_')) {
            add(target, true);
        }
        rest = after;
    }
}

/// The role that a text before a backquote names, without the domain of Python.
fn role(before: &str) -> Option<&str> {
    let name = before.strip_suffix(':')?;
    let start = name.rfind(|c: char| c.is_whitespace() || matches!(c, '(' | '['));
    let name = &name[start.map_or(0, |at| at + 1)..];
    let name = name.strip_prefix(':')?;
    Some(name.strip_prefix("py:").unwrap_or(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_roles_and_links_are_found() {
        let text = "The ``title``\n=============\n\nUse ``open_store()`` or :py:meth:`~pkg.Store.open`, see\n`the code <src/a.py>`_ and :ref:`x`, *`y`*.\n\n.. literalinclude:: ../a.py\n";
        let found: Vec<(String, bool)> =
            mentions(text).into_iter().map(|one| (one.text, one.is_link)).collect();
        let expected = [
            ("open_store()", false),
            ("pkg.Store.open", false),
            ("src/a.py", true),
            ("../a.py", true),
        ];
        assert_eq!(found, expected.map(|(text, is_link)| (text.to_owned(), is_link)));
    }
}
