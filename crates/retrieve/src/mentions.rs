//! Which files does a question name? `src/lock.rs:42`, a frame of a stack trace, a file name in a sentence.
//!
//! Traces come from other machines and installed copies, so a path is compared from its end: it means a file if one of
//! both is the end of the other.

use gik_base::collections::HashMap;
use gik_index::FileNo;
use gik_store::FileRow;

/// A path that means more files than this means none of them.
const MOST_FILES: usize = 5;
/// So many paths of a question are looked at.
const MOST_MENTIONS: usize = 64;

/// A file that a question names.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Mention {
    /// Folders and name.
    parts: Vec<String>,
    line: Option<u32>,
}

/// The files that the text names, each with the lines that it names.
pub(crate) fn of(text: &str, files: &[FileRow]) -> HashMap<FileNo, Vec<u32>> {
    let mut named: HashMap<FileNo, Vec<u32>> = HashMap::default();
    let mentions = mentions(text);
    if mentions.is_empty() {
        return named;
    }
    let mut by_name: HashMap<&str, Vec<&FileRow>> = HashMap::default();
    for file in files {
        let name = file.key.as_str().rsplit('/').next().unwrap_or_default();
        by_name.entry(name).or_default().push(file);
    }
    let with_files = mentions.iter().filter_map(|mention| {
        let files = by_name.get(mention.parts.last()?.as_str())?;
        Some((mention, files))
    });
    for (Mention { parts, line }, candidates) in with_files.take(MOST_MENTIONS) {
        let shared = |file: &FileRow| {
            let ours = file.key.as_str().rsplit('/');
            let n_ours = ours.clone().count();
            let n_shared = ours.zip(parts.iter().rev()).take_while(|(a, b)| a == b).count();
            (n_shared == n_ours.min(parts.len())).then_some(n_shared)
        };
        let matching: Vec<(usize, FileNo)> =
            (candidates.iter()).filter_map(|file| Some((shared(file)?, file.id))).collect();
        let most = matching.iter().map(|(n_shared, _)| *n_shared).max().unwrap_or_default();
        let meant: Vec<FileNo> =
            matching.iter().filter(|(n, _)| *n == most).map(|(_, file)| *file).collect();
        for file in meant.iter().filter(|_| meant.len() <= MOST_FILES) {
            named.entry(*file).or_default().extend(line);
        }
    }
    named
}

fn mentions(text: &str) -> Vec<Mention> {
    let is_part = |c: char| c.is_alphanumeric() || "_-./\\@+~$".contains(c);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find(is_part).map(|offset| at + offset) {
        let end = text[start..].find(|c| !is_part(c)).map_or(text.len(), |offset| start + offset);
        let path = text[start..end].replace('\\', "/");
        if let Some(parts) = parts(&path) {
            found.push(Mention { parts, line: line(&text[end..]) });
        }
        at = end;
    }
    found
}

/// The folders and the name of a path; `None` for what is none: a name has an ending of letters.
fn parts(path: &str) -> Option<Vec<String>> {
    let path = path.trim_end_matches('.');
    let parts: Vec<String> = path
        .split('/')
        .filter(|part| !matches!(*part, "" | "." | ".."))
        .map(str::to_owned)
        .collect();
    let (stem, ending) = parts.last()?.rsplit_once('.')?;
    let is_ending = (1..=10).contains(&ending.len())
        && ending.starts_with(|c: char| c.is_ascii_alphabetic())
        && ending.chars().all(|c| c.is_ascii_alphanumeric());
    (is_ending && !stem.is_empty()).then_some(parts)
}

/// The line that follows a path: `:12`, `(12)`, `", line 12`, ` on line 12`, `:line 12`.
fn line(rest: &str) -> Option<u32> {
    let before_word = rest.trim_start_matches(['"', '\'', ',', ':', ' ']);
    let before_word = before_word.strip_prefix("on ").unwrap_or(before_word);
    let number = match before_word.strip_prefix("line ") {
        Some(number) => number,
        None => rest.strip_prefix([':', '('])?,
    };
    let end = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
    number[..end].parse().ok().filter(|line| *line > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_lines_are_found_in_what_people_paste() {
        for (text, path, line) in [
            ("panicked at src/common/time.rs:84:32:", "src/common/time.rs", Some(84)),
            (
                "File \"/usr/lib/rich/markup.py\", line 167, in render",
                "usr/lib/rich/markup.py",
                Some(167),
            ),
            (
                "at x (/app/node_modules/eslint/lib/a.js:12:5)",
                "app/node_modules/eslint/lib/a.js",
                Some(12),
            ),
            ("at Foo.Bar () in C:\\src\\App\\Foo.cs:line 42", "src/App/Foo.cs", Some(42)),
            ("lib/jekyll/site.rb:12:in `read'", "lib/jekyll/site.rb", Some(12)),
            ("#0 /srv/Twig/Environment.php(360): load()", "srv/Twig/Environment.php", Some(360)),
            ("PHP error in ./a/b.php on line 7", "a/b.php", Some(7)),
            ("what does store/open.rs do", "store/open.rs", None),
            ("see journal.rs.", "journal.rs", None),
        ] {
            let found = mentions(text);
            let expected = Mention { parts: path.split('/').map(str::to_owned).collect(), line };
            assert!(found.contains(&expected), "{text}: {found:?}");
        }
        for text in
            ["version 1.12.0 of it", "wait ... what", "how is it done?", "a/b/c", ".gitignore"]
        {
            assert_eq!(mentions(text), [], "{text}");
        }
    }
}
