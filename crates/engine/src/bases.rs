//! Which base a file belongs to, and the names of the bases there are.

use gik_base::{ErrorCode, Failure, FileKey, Result};
use gik_parse::{Language, LanguageClass};

/// Source code, configuration and data.
pub(crate) const CODE: &str = "code";
/// Prose: documentation, pages, plain text.
pub(crate) const DOCS: &str = "docs";
/// Memory entries; never files.
pub(crate) const MEMORY: &str = "memory";
/// A vault of notes; only by request.
pub(crate) const NOTES: &str = "notes";

/// Bases that hold files.
pub(crate) const FILE_BASES: &[&str] = &[CODE, DOCS, NOTES];
/// Bases that a question can be put to.
pub(crate) const ALL: &[&str] = &[CODE, DOCS, MEMORY, NOTES];
/// Bases that a folder is staged for when none is named: each file goes to the one that fits it.
pub(crate) const INFERRED: &[&str] = &[CODE, DOCS];

/// The base that fits a file of that language and name.
pub(crate) fn inferred(key: &FileKey, language: Option<&Language>) -> &'static str {
    match language.map(|language| language.class) {
        Some(LanguageClass::Prose) => DOCS,
        Some(LanguageClass::Code | LanguageClass::Data | LanguageClass::Config) => CODE,
        // LICENSE, AUTHORS, NOTES: a name without an extension that is no known build file is prose.
        None if key.extension().is_empty() => DOCS,
        None => CODE,
    }
}

/// The base of that name among `allowed`.
pub(crate) fn checked(name: &str, allowed: &'static [&'static str]) -> Result<&'static str> {
    allowed.iter().copied().find(|base| *base == name).ok_or_else(|| {
        if name == MEMORY {
            return Failure::new(ErrorCode::BaseUnknown, "base `memory` does not hold files")
                .hint("`gik memory add` and `gik memory search` are for memory")
                .hint(format!("use one of: {}", allowed.join(", ")));
        }
        Failure::new(ErrorCode::BaseUnknown, format!("there is no base `{name}`"))
            .hint(format!("use one of: {}", allowed.join(", ")))
    })
}

/// The bit that stands for a base in the lexical index.
pub(crate) fn label(base: &str) -> u32 {
    ALL.iter().position(|name| *name == base).map_or(0, |at| 1 << at)
}

/// The ids of languages named by id or by a name people use.
pub(crate) fn languages(names: &[String]) -> Result<Vec<String>> {
    names
        .iter()
        .map(|name| {
            gik_parse::language_by_tag(&name.to_lowercase())
                .map(|language| language.id.to_owned())
                .ok_or_else(|| {
                    Failure::new(
                        ErrorCode::ArgumentInvalid,
                        format!("there is no language `{name}`"),
                    )
                    .hint("`gik stats` lists the languages of this workspace")
                })
        })
        .collect()
}
