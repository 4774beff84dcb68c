//! Which names may models, revisions and files have, so that none of them leads out of the library?

use std::fmt;

use gik_base::{ErrorCode, Failure, Result};

/// The longest part of a name, as on the Hugging Face hub.
const LONGEST_PART: usize = 96;
/// The longest path of a file.
const LONGEST_PATH: usize = 512;
/// Names that are devices on Windows, whatever follows a dot.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// The checked name of a model: `name` or `owner/name`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModelName(String);

impl ModelName {
    /// Checks a name.
    pub fn parse(text: &str) -> Result<Self> {
        let parts: Vec<&str> = text.split('/').collect();
        if parts.len() <= 2 && parts.iter().all(|part| is_plain(part)) {
            return Ok(Self(text.to_owned()));
        }
        let shown: String = text.chars().take(LONGEST_PART).collect();
        let message = format!("`{shown}` cannot be the name of a model");
        Err(Failure::new(ErrorCode::ArgumentInvalid, message)
            .hint("names look like `BAAI/bge-small-en-v1.5`: letters, digits, `-`, `_` and `.`"))
    }

    /// A name made of any text, such as the name of a file.
    pub fn from_words(text: &str) -> Option<Self> {
        let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
        let mut name: String = text.chars().map(plain).take(LONGEST_PART).collect();
        for twice in ["--", ".."] {
            while name.contains(twice) {
                name = name.replace(twice, &twice[1..]);
            }
        }
        Self::parse(name.trim_matches(['-', '_', '.'])).ok()
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The part behind the owner.
    pub fn last_part(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }

    /// The name of its folder; parts have no `--` of their own, so it leads back to one name only.
    pub(super) fn folder(&self) -> String {
        self.0.replace('/', "--")
    }

    pub(super) fn of_folder(folder: &str) -> Option<Self> {
        Self::parse(&folder.replacen("--", "/", 1)).ok()
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether a text may be the name of a revision's folder.
pub(super) fn is_revision(text: &str) -> bool {
    is_plain(text)
}

fn is_plain(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or_default().to_ascii_lowercase();
    (1..=LONGEST_PART).contains(&part.len())
        && part.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
        && part.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
        && !part.ends_with(['-', '.'])
        && !part.contains("--")
        && !part.contains("..")
        && !DEVICES.contains(&stem.as_str())
}

/// Whether a path may be that of a model's file: relative, plain parts, no step upward.
pub(super) fn is_file_path(path: &str) -> bool {
    let is_part = |part: &str| {
        !matches!(part, "" | "." | "..")
            && part.chars().all(|c| c.is_ascii_alphanumeric() || "-_.+ ".contains(c))
    };
    path.len() <= LONGEST_PATH && path.split('/').all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_hub_are_names() {
        for name in ["sentence-transformers/all-MiniLM-L6-v2", "bert-base-uncased", "a/b.c_d", "x"]
        {
            let parsed = ModelName::parse(name).unwrap();
            assert_eq!(ModelName::of_folder(&parsed.folder()), Some(parsed));
        }
    }

    #[test]
    fn names_that_lead_elsewhere_are_refused() {
        let long = "a".repeat(97);
        let wrong = [
            "",
            "/",
            "a/",
            "/a",
            "a/b/c",
            "..",
            "../a",
            "a/..",
            ".a",
            "a\\b",
            "a b",
            "a--b",
            "nul",
            "a/CON.txt",
            "ä",
            "a\n",
            "~",
            "C:",
            "-a",
            &long,
        ];
        for name in wrong {
            let failure = ModelName::parse(name).unwrap_err();
            assert_eq!(failure.code(), ErrorCode::ArgumentInvalid, "{name}");
        }
    }

    #[test]
    fn any_words_make_a_name_where_something_is_left() {
        let name = |text: &str| ModelName::from_words(text).map(|name| name.to_string());
        assert_eq!(name("My model (v2)").as_deref(), Some("My-model-v2"));
        assert_eq!(name("../x--y").as_deref(), Some("x-y"));
        assert_eq!(name("…"), None);
    }

    #[test]
    fn paths_of_files_stay_inside() {
        assert!(is_file_path("1_Pooling/config.json") && is_file_path("model.safetensors"));
        for path in ["", "/a", "a/../b", "../a", "a//b", "a\\b", "./a", "C:/a", "a\0"] {
            assert!(!is_file_path(path), "{path}");
        }
    }
}
