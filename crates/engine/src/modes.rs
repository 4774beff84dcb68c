//! What a text is, and which part of it a question is put to: code, prose, comments, records.
//!
//! One index holds all modes. A chunk carries the mode of its file as a label; comments are a field of their own, so
//! that code can be searched without them and they without the code.

use gik_base::FileKey;
use gik_index::{Field, FieldSet};
use gik_parse::{Language, LanguageClass};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What to search or to index.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Deserialize,
    Serialize,
    JsonSchema,
    clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Code without its comments
    Code,
    /// Documentation and other text for people
    Prose,
    /// Comments and documentation inside code and configuration
    ExtractedProse,
    /// Logs, tables and other records
    Records,
    /// All of them
    All,
}

/// The mode of a file as the index keeps it.
pub(crate) const CODE: &str = "code";
pub(crate) const PROSE: &str = "prose";
pub(crate) const RECORDS: &str = "records";
const FILE_MODES: [&str; 3] = [CODE, PROSE, RECORDS];

/// Bits below are those of the bases.
const FIRST_LABEL: u32 = 1 << 8;

/// The bit that stands for the mode of a file in the lexical index.
pub(crate) fn label(mode: &str) -> u32 {
    FILE_MODES.iter().position(|name| *name == mode).map_or(0, |at| FIRST_LABEL << at)
}

/// The mode of a file by its name, language and first bytes.
pub(crate) fn of_file(
    key: &FileKey,
    language: Option<&'static Language>,
    text: &str,
) -> &'static str {
    const HEAD: usize = 64 * 1024;
    let head = &text.as_bytes()[..text.len().min(HEAD)];
    if gik_parse::is_records(key, language, head) {
        return RECORDS;
    }
    match language.map(|language| language.class) {
        Some(LanguageClass::Prose) => PROSE,
        Some(LanguageClass::Code | LanguageClass::Data | LanguageClass::Config) => CODE,
        None if key.extension().is_empty() => PROSE,
        None => CODE,
    }
}

impl Mode {
    /// The labels of the files that a question in this mode is put to. Without a mode it is put to everything but
    /// records: they are many, alike, and asked for by name.
    pub(crate) fn labels(mode: Option<Self>) -> u32 {
        match mode {
            None => label(CODE) | label(PROSE),
            Some(Self::Code | Self::ExtractedProse) => label(CODE),
            Some(Self::Prose) => label(PROSE),
            Some(Self::Records) => label(RECORDS),
            Some(Self::All) => label(CODE) | label(PROSE) | label(RECORDS),
        }
    }

    /// The mode of the files that hold it; `None` for all.
    pub(crate) fn of_files(self) -> Option<&'static str> {
        match self {
            Self::Code | Self::ExtractedProse => Some(CODE),
            Self::Prose => Some(PROSE),
            Self::Records => Some(RECORDS),
            Self::All => None,
        }
    }

    /// The fields that count.
    pub(crate) fn fields(mode: Option<Self>) -> FieldSet {
        match mode {
            Some(Self::Code) => FieldSet::ALL.without(Field::Doc),
            Some(Self::ExtractedProse) => FieldSet::only(Field::Doc),
            None | Some(Self::Prose | Self::Records | Self::All) => FieldSet::ALL,
        }
    }
}
