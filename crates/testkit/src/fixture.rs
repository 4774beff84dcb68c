//! The mini-language that describes a folder in one string.
//!
//! ```text
//! //- src/main.rs
//! fn main() {}
//! //- empty.txt
//! //- folder/
//! //- link.txt -> src/main.rs
//! ```
//!
//! A line that starts with `//- ` opens a file; the lines up to the next one are its text. A path that ends with `/` is
//! an empty folder, `a -> b` a symbolic link. Indentation common to all lines is removed, so that fixtures can be
//! indented like the test around them. Text that is not UTF-8 or has no final newline is written with `Tree::write`.

/// One thing a fixture describes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    File { path: String, text: String },
    Folder { path: String },
    Link { path: String, target: String },
}

/// The entries of a fixture in the order written.
pub(crate) fn parse(fixture: &str) -> Vec<Entry> {
    let fixture = dedent(fixture);
    let mut entries = Vec::new();
    let mut open = false;
    for line in fixture.split_inclusive('\n') {
        if let Some(header) = line.strip_prefix("//- ") {
            let entry = header_entry(header.trim_end());
            open = matches!(entry, Entry::File { .. });
            entries.push(entry);
        } else if let (true, Some(Entry::File { text, .. })) = (open, entries.last_mut()) {
            text.push_str(line);
        } else {
            assert!(line.trim().is_empty(), "fixture text outside a file: {line:?}");
        }
    }
    // What stands before the closing quote is layout of the test, not text of the last file.
    if let (true, Some(Entry::File { text, .. })) = (open, entries.last_mut()) {
        let line_start = text.rfind('\n').map_or(0, |newline| newline + 1);
        if text[line_start..].trim().is_empty() {
            text.truncate(line_start);
        } else {
            text.push('\n');
        }
    }
    entries
}

fn header_entry(header: &str) -> Entry {
    assert!(!header.is_empty(), "a fixture path is empty");
    if let Some((path, target)) = header.split_once(" -> ") {
        Entry::Link { path: path.to_owned(), target: target.to_owned() }
    } else if header.ends_with('/') {
        Entry::Folder { path: header.to_owned() }
    } else {
        Entry::File { path: header.to_owned(), text: String::new() }
    }
}

fn dedent(fixture: &str) -> String {
    let indent = fixture
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start_matches(' ').len())
        .min()
        .unwrap_or(0);
    fixture
        .split_inclusive('\n')
        .map(|line| match line.trim().is_empty() {
            true => line.trim_start_matches(' '),
            false => &line[indent..],
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> Entry {
        Entry::File { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn files_folders_and_links_are_told_apart() {
        let entries = parse("//- a b/ü.rs\nfn a() {}\n//- empty\n//- dir/\n//- link -> a b/ü.rs\n");
        assert_eq!(
            entries,
            [
                file("a b/ü.rs", "fn a() {}\n"),
                file("empty", ""),
                Entry::Folder { path: "dir/".to_owned() },
                Entry::Link { path: "link".to_owned(), target: "a b/ü.rs".to_owned() },
            ]
        );
    }

    #[test]
    fn common_indentation_and_the_layout_of_the_literal_do_not_count() {
        let entries = parse(
            "
            //- a.py
            def f():

                return 1
            //- b.txt
            last line
            ",
        );
        assert_eq!(
            entries,
            [file("a.py", "def f():\n\n    return 1\n"), file("b.txt", "last line\n")]
        );
    }

    #[test]
    fn a_last_line_without_newline_gets_one() {
        assert_eq!(parse("//- a\nx"), [file("a", "x\n")]);
    }

    #[test]
    fn text_before_the_first_file_is_a_mistake() {
        let parsed = std::panic::catch_unwind(|| parse("hello\n//- a\n"));
        assert!(parsed.is_err());
    }
}
