//! What a text is, and which part of it a question is put to: code, prose, comments, records.
//!
//! One index holds all modes. A chunk carries the mode of its file as a label; comments are a field of their own, so
//! that code can be searched without them and they without the code.

use std::fmt;

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

/// The bit of files of which the lexical index has every stretch of letters, in some word.
pub(crate) const PLAIN: u32 = 1 << 16;

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

/// The modes that an index holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Modes(u8);

/// The modes by name, each with its bit.
const NAMED: [(Mode, &str); 4] = [
    (Mode::Code, CODE),
    (Mode::Prose, PROSE),
    (Mode::ExtractedProse, "extracted-prose"),
    (Mode::Records, RECORDS),
];

impl Modes {
    pub(crate) const ALL: Self = Self((1 << NAMED.len()) - 1);
    /// The name in the table of values.
    pub(crate) const META: &'static str = "modes";

    /// Those that were asked for; `None` where none were.
    pub(crate) fn asked(modes: &[Mode]) -> Option<Self> {
        let all = modes.iter().fold(0, |all, mode| all | Self::of(*mode).0);
        (all != 0).then_some(Self(all))
    }

    /// Those of these names; all where none of them is known.
    pub(crate) fn of_names<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let bit = |name: &str| NAMED.iter().position(|(_, known)| *known == name).map(|at| 1 << at);
        let all = names.filter_map(bit).fold(0, |all, bit: u8| all | bit);
        if all == 0 { Self::ALL } else { Self(all) }
    }

    fn of(mode: Mode) -> Self {
        NAMED.iter().position(|(named, _)| *named == mode).map_or(Self::ALL, |at| Self(1 << at))
    }

    pub(crate) fn has(self, mode: Mode) -> bool {
        self.0 & Self::of(mode).0 != 0
    }

    /// Whether anything of a file in this mode is indexed.
    pub(crate) fn has_files_of(self, mode: &str) -> bool {
        match mode {
            CODE => self.has(Mode::Code) || self.has(Mode::ExtractedProse),
            PROSE => self.has(Mode::Prose),
            _ => self.has(Mode::Records),
        }
    }

    /// The names, sorted.
    pub(crate) fn names(self) -> Vec<&'static str> {
        let mut names: Vec<_> =
            NAMED.iter().filter(|(mode, _)| self.has(*mode)).map(|(_, name)| *name).collect();
        names.sort_unstable();
        names
    }
}

impl fmt::Display for Modes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names().join(","))
    }
}
