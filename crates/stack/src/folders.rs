//! Which folders are there, and which languages are below each?

use std::collections::BTreeSet;

use gik_contract::stack::{StackFileEntry, StackFileKind};

use crate::inventory::StackFile;

/// A folder whose files are being counted.
struct Open<'a> {
    path: &'a str,
    languages: BTreeSet<&'a str>,
    files: u64,
}

/// One entry per file and per folder above one, sorted by path. `files` are sorted by path and without doubles.
pub(crate) fn entries(files: &[StackFile<'_>]) -> Vec<StackFileEntry> {
    let mut entries = Vec::with_capacity(files.len() * 5 / 4);
    // The folders from the root to the current file. All files of a folder follow one another in the list.
    let mut open: Vec<Open<'_>> = Vec::new();
    for file in files {
        let path = file.path.as_str();
        while open.last().is_some_and(|folder| !is_below(path, folder.path)) {
            close(&mut open, &mut entries);
        }
        let known = open.last().map_or(0, |folder| folder.path.len() + 1);
        for (at, _) in path[known..].match_indices('/') {
            let path = &path[..known + at];
            open.push(Open { path, languages: BTreeSet::new(), files: 0 });
        }
        if let Some(folder) = open.last_mut() {
            folder.files += 1;
            folder.languages.extend(file.language);
        }
        entries.push(StackFileEntry {
            path: path.to_owned(),
            kind: StackFileKind::File,
            languages: file.language.map(str::to_owned).into_iter().collect(),
            file_count: None,
        });
    }
    while !open.is_empty() {
        close(&mut open, &mut entries);
    }
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    entries
}

fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

fn close<'a>(open: &mut Vec<Open<'a>>, entries: &mut Vec<StackFileEntry>) {
    let Some(done) = open.pop() else { return };
    if let Some(parent) = open.last_mut() {
        parent.files += done.files;
        parent.languages.extend(&done.languages);
    }
    entries.push(StackFileEntry {
        path: done.path.to_owned(),
        kind: StackFileKind::Dir,
        languages: done.languages.into_iter().map(str::to_owned).collect(),
        file_count: Some(done.files),
    });
}

#[cfg(test)]
mod tests {
    use gik_base::FileKey;

    use super::*;

    #[test]
    fn folders_count_everything_below_and_paths_are_sorted() {
        let keys: Vec<(FileKey, Option<&str>)> = [
            ("a-b/x.py", Some("python")),
            ("a/b/deep.rs", Some("rust")),
            ("a/b/notes", None),
            ("a/z.ts", Some("typescript")),
            ("top.rs", Some("rust")),
        ]
        .map(|(path, language)| (FileKey::from_text(path), language))
        .into();
        let files: Vec<_> =
            keys.iter().map(|(path, language)| StackFile { path, language: *language }).collect();
        let listing: Vec<String> = entries(&files)
            .iter()
            .map(|entry| {
                let count = entry.file_count.map_or(String::new(), |count| format!(" {count}"));
                format!("{:?} {}{count} {}", entry.kind, entry.path, entry.languages.join("+"))
            })
            .collect();
        assert_eq!(
            listing,
            [
                "Dir a 3 rust+typescript",
                "Dir a-b 1 python",
                "File a-b/x.py python",
                "Dir a/b 2 rust",
                "File a/b/deep.rs rust",
                "File a/b/notes ",
                "File a/z.ts typescript",
                "File top.rs rust",
            ]
        );
    }
}
