//! A symbol as it leaves the process.

use gik_parse::{language_by_id, symbol_id_of};
use gik_store::{FileRow, SymbolRow};
use schemars::JsonSchema;
use serde::Serialize;

/// A symbol and where it is defined.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Described {
    /// The simple name.
    pub name: String,
    /// The name with what it stands in.
    pub qualified: String,
    /// `function`, `struct`, …
    pub kind: String,
    /// Workspace-relative path, `archive.zip!/member`, or url.
    pub path: String,
    /// First line, from 1.
    pub start_line: u32,
    /// Column of its start, from 0, in bytes.
    pub start_column: u32,
    /// Last line.
    pub end_line: u32,
    /// Column of its end, exclusive, in bytes.
    pub end_column: u32,
    /// Language id.
    pub language: String,
    /// `public`, `protected`, `internal` or `private`, in languages that say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visibility: Option<String>,
    /// The declaration without its body.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub signature: String,
    /// The id that `gik def` and `gik refs` take as well.
    pub symbol_id: String,
}

impl Described {
    /// Puts a row and its file together. What the declaration says is in the text of the file.
    pub(crate) fn new(symbol: &SymbolRow, file: &FileRow, text: &str) -> Self {
        Self {
            name: symbol.name.clone(),
            qualified: qualified(symbol, &file.language),
            kind: symbol.kind.clone(),
            path: file.key.as_str().to_owned(),
            start_line: symbol.start.0,
            start_column: symbol.start.1,
            end_line: symbol.end.0,
            end_column: symbol.end.1,
            language: file.language.to_string(),
            visibility: symbol.visibility.clone(),
            signature: symbol.signature.line(text, symbol.bytes.start),
            symbol_id: id_of(symbol, file),
        }
    }
}

/// The name with what it stands in, as people of the language write it.
pub(crate) fn qualified(symbol: &SymbolRow, language_id: &str) -> String {
    if let Some(unusual) = &symbol.qualified {
        return unusual.clone();
    }
    language_by_id(language_id).map_or_else(
        || symbol.name.clone(),
        |language| language.qualify(symbol.container.as_deref(), &symbol.name),
    )
}

/// The stable id.
pub(crate) fn id_of(symbol: &SymbolRow, file: &FileRow) -> String {
    symbol_id_of(&symbol.descriptors, &file.language, &file.key)
}
