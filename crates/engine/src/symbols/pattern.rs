//! What did somebody mean who typed the name of a symbol? Its name, and what it should stand in.

use gik_base::{ErrorCode, Failure, Result};

/// What stands between the parts of a qualified name, in any language.
const SEPARATORS: &[&str] = &["::", "->", " > ", ".", "#", "/", "\\"];

/// A name as it was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern {
    /// The last part: the name itself.
    pub(crate) name: String,
    /// The parts before it, outermost first.
    pub(crate) containers: Vec<String>,
}

impl Pattern {
    /// Reads `open`, `Store::open`, `Store.open()` or `pkg/Store#open`.
    pub(crate) fn parse(typed: &str) -> Result<Self> {
        let bare = typed.trim().trim_end_matches("()").trim_end_matches('!');
        let mut parts = parts(bare);
        let name = parts.pop().ok_or_else(|| {
            Failure::new(ErrorCode::ArgumentInvalid, format!("`{typed}` is no name of a symbol"))
                .hint("name it alone or with what it stands in: `open`, `Store::open`")
        })?;
        Ok(Self { name, containers: parts })
    }

    /// Whether a symbol in that container, of a file at that path, stands in what was asked for.
    ///
    /// The end of the container counts. Where that is used up, the file and its folders go on, for languages in which
    /// they are modules; these only with the same capital letters, as `Store::open` is not meant to find `store.rs`.
    pub(crate) fn stands_in(&self, container: Option<&str>, path: &str, exact: bool) -> bool {
        if self.containers.is_empty() {
            return true;
        }
        let inner = container.map(parts).unwrap_or_default();
        let n_inner = self.containers.len().min(inner.len());
        let (outer_asked, inner_asked) = self.containers.split_at(self.containers.len() - n_inner);
        let same = |asked: &String, part: &String| {
            asked == part || (!exact && asked.to_lowercase() == part.to_lowercase())
        };
        let inner_fits = inner_asked
            .iter()
            .zip(&inner[inner.len() - n_inner..])
            .all(|(asked, part)| same(asked, part));
        inner_fits && (outer_asked.is_empty() || is_module(outer_asked, path))
    }
}

/// Whether the asked parts are the end of the path, with or without the name of the file.
fn is_module(asked: &[String], path: &str) -> bool {
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.trim_start_matches('.').split('.').next().unwrap_or_default();
    // Parts before the source folder are not written: `crate::store::open` is that of `src/store.rs`.
    let asked = match asked.split_first() {
        Some((first, rest)) if matches!(first.as_str(), "crate" | "self" | "super") => rest,
        _ => asked,
    };
    let folders: Vec<&str> = folders.split('/').filter(|part| !part.is_empty()).collect();
    let with_file: Vec<&str> = folders.iter().copied().chain([stem]).collect();
    [folders, with_file].iter().any(|chain| {
        chain.len() >= asked.len()
            && chain[chain.len() - asked.len()..]
                .iter()
                .zip(asked)
                .all(|(part, asked)| part == asked)
    })
}

/// The parts of a qualified name, without what is between angle brackets.
pub(super) fn parts(qualified: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut rest = qualified;
    let mut depth = 0usize;
    while let Some(c) = rest.chars().next() {
        if depth == 0
            && let Some(separator) = SEPARATORS.iter().find(|mark| rest.starts_with(**mark))
        {
            parts.push(String::new());
            rest = &rest[separator.len()..];
            continue;
        }
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {},
            _ => {
                if let Some(last) = parts.last_mut() {
                    last.push(c);
                }
            },
        }
        rest = &rest[c.len_utf8()..];
    }
    parts.retain_mut(|part| {
        *part = part.trim().to_owned();
        !part.is_empty()
    });
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(typed: &str) -> Pattern {
        Pattern::parse(typed).unwrap()
    }

    #[test]
    fn the_last_part_is_the_name() {
        for (typed, name, containers) in [
            ("open", "open", &[][..]),
            ("Store::open", "open", &["Store"]),
            ("Store.open()", "open", &["Store"]),
            ("pkg/Store#open", "open", &["pkg", "Store"]),
            ("Store<T>::open", "open", &["Store"]),
            ("App\\Models\\User", "User", &["App", "Models"]),
            ("println!", "println", &[]),
            ("Guide > Install", "Install", &["Guide"]),
            ("größe", "größe", &[]),
        ] {
            let read = pattern(typed);
            assert_eq!(read.name, name, "{typed}");
            assert_eq!(read.containers, containers, "{typed}");
        }
        assert_eq!(Pattern::parse(" :: ").unwrap_err().code(), ErrorCode::ArgumentInvalid);
    }

    #[test]
    fn what_was_typed_before_the_name_is_the_end_of_the_container() {
        for (typed, container, path, expected) in [
            ("open", None, "a.rs", true),
            ("Store::open", Some("Store"), "a.rs", true),
            ("store.open", Some("Store"), "a.rs", true),
            ("Store::open", Some("inner::Store"), "a.rs", true),
            ("inner.Store.open", Some("inner::Store"), "a.rs", true),
            ("Store::open", Some("Store<'a, T>"), "a.rs", true),
            ("Store::open", Some("Restore"), "a.rs", false),
            ("Store::open", Some("Store::inner"), "a.rs", false),
            ("Store::open", None, "a.rs", false),
            ("store::open", None, "src/store.rs", true),
            ("store.Open", None, "pkg/store/reader.go", true),
            ("Store::open", None, "src/store.rs", false),
            ("store::Store::open", Some("Store"), "src/store.rs", true),
            ("crate::store::open", None, "src/store.rs", true),
            ("other::Store::open", Some("Store"), "src/store.rs", false),
        ] {
            let found = pattern(typed).stands_in(container, path, false);
            assert_eq!(found, expected, "{typed} {container:?} {path}");
        }
        assert!(!pattern("store.open").stands_in(Some("Store"), "a.rs", true));
    }
}
