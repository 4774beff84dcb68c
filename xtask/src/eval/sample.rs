//! Which files of a corpus are compared: source that people wrote, an equal share from every package.

use std::fs;

use gik_base::FileKey;
use gik_parse::{Language, LanguageClass};

use crate::corpus::{self, Fetched};
use crate::stop::{Result, Stop};
use crate::workspace;

/// Larger files are generated.
const MAX_BYTES: u64 = 512 * 1024;
/// A longer line is the work of a minifier or holds data.
const MAX_LINE: usize = 2_000;

/// A file to compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Source {
    /// Where it is, as ctags is told.
    pub(super) path: String,
    /// The package and the path inside it.
    pub(super) shown: String,
}

impl Source {
    pub(super) fn key(&self) -> FileKey {
        FileKey::from_text(self.shown.clone())
    }
}

/// At most so many files of the language, evenly spread over the packages.
pub(super) fn choose(
    packages: &[Fetched],
    language: &'static Language,
    count: usize,
) -> Result<Vec<Source>> {
    let mut groups = Vec::new();
    for package in packages {
        let mut group = Vec::new();
        for file in workspace::all_files(&package.folder)? {
            let key = FileKey::from_text(file.clone());
            // Only the content tells whether a header is C or C++, so the name need not say this language.
            let is_code = gik_parse::detect_by_name(&key)
                .is_some_and(|language| language.class == LanguageClass::Code);
            if !is_code {
                continue;
            }
            let path = package.folder.join(&file);
            let failed = |error| Stop::on_path("read", &path, error);
            if fs::metadata(&path).map_err(failed)?.len() > MAX_BYTES {
                continue;
            }
            let bytes = fs::read(&path).map_err(failed)?;
            if is_written(&bytes) && gik_parse::detect(&key, &bytes) == Some(language) {
                let shown = format!("{}/{file}", package.label);
                group.push(Source { path: path.to_string_lossy().into_owned(), shown });
            }
        }
        groups.push(group);
    }
    Ok(corpus::spread(&groups, count))
}

/// Whether a person may have written it: text with lines of ordinary length.
fn is_written(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| text.lines().all(|line| line.len() <= MAX_LINE))
}

#[cfg(test)]
mod tests {
    use gik_testkit::Tree;

    use super::*;

    #[test]
    fn only_written_files_of_the_language_count() {
        let tree = Tree::new(
            "
            //- a/x.h
            class A {};
            //- a/y.h
            struct a;
            //- a/z.cpp
            int a;
            //- a/README.md
            # A
            ",
        );
        tree.write("a/min.cpp", "x".repeat(MAX_LINE + 1));
        tree.write("a/latin.cpp", b"// \xe9\n");
        let package = Fetched { label: "p@1".to_owned(), folder: tree.path("a") };
        let cpp = gik_parse::language_by_id("cpp").unwrap();
        let chosen = choose(&[package], cpp, 10).unwrap();
        let shown: Vec<&str> = chosen.iter().map(|source| source.shown.as_str()).collect();
        assert_eq!(shown, ["p@1/x.h", "p@1/z.cpp"]);
    }
}
