//! Whether a file is a list of records: JSON lines, a table with separators, a log. Told by content, never by name alone.
//!
//! Such files have no structure to follow. They are chunked at line breaks by size, at places that depend on the lines
//! near them, so that appended records leave the chunks above as they are.

use gik_base::FileKey;
use gik_base::collections::HashSet;

use crate::data::json_scan;
use crate::language::Language;

/// So much of a file is looked at.
const HEAD_MAX: usize = 64 * 1024;
const LINES_MAX: usize = 200;
/// Fewer lines than this are no list.
const TABLE_LINES_MIN: usize = 4;
const LOG_LINES_MIN: usize = 4;
const FIELD_MAX: usize = 80;

/// The kinds of record files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordsKind {
    /// A JSON object or array on every line.
    Jsonl,
    /// Fields with commas, tabs, semicolons or bars between them, below a header.
    Csv,
    /// Events with a time or a level.
    Log,
}

/// Whether a file is a list of records.
pub fn is_records(path: &FileKey, language: Option<&Language>, head: &[u8]) -> bool {
    records_kind(path, language, head).is_some()
}

/// What kind of records a file holds, from its first bytes; `None` for everything that is no list of records.
pub fn records_kind(
    path: &FileKey,
    language: Option<&Language>,
    head: &[u8],
) -> Option<RecordsKind> {
    let id = language.map_or("", |language| language.id);
    // Code, settings and prose with markup are what their language says, whatever their lines look like.
    if !matches!(id, "" | "text" | "json" | "csv" | "log") {
        return None;
    }
    let lines = lines(head);
    if is_json_lines(path, &lines) {
        return Some(RecordsKind::Jsonl);
    }
    if id == "json" {
        return None;
    }
    if id != "log" && is_table(&lines, id == "csv") {
        return Some(RecordsKind::Csv);
    }
    (id != "csv" && is_log(&lines, id == "log")).then_some(RecordsKind::Log)
}

/// The first lines that hold something; one that may have been cut is left out.
fn lines(head: &[u8]) -> Vec<&str> {
    let is_cut = head.len() >= HEAD_MAX;
    let head = &head[..head.len().min(HEAD_MAX)];
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default(),
    };
    let text = text.trim_start_matches('\u{feff}');
    let text = match text.rfind('\n') {
        Some(last) if is_cut => &text[..last],
        _ => text,
    };
    let filled = text.lines().filter(|line| !line.trim().is_empty());
    filled.take(LINES_MAX).map(|line| line.trim_end_matches(['\r', ' '])).collect()
}

fn is_json_lines(path: &FileKey, lines: &[&str]) -> bool {
    let name = path.file_name().to_ascii_lowercase();
    let is_named = name.ends_with(".jsonl") || name.ends_with(".ndjson");
    // A whole document on one line looks the same as a single record.
    let n_min = if is_named { 1 } else { 2 };
    lines.len() >= n_min && lines.iter().all(|line| json_scan::is_document(line))
}

fn is_table(lines: &[&str], is_named: bool) -> bool {
    let separators: &[char] = if is_named { &[',', '\t', ';', '|'] } else { &['\t', ',', ';'] };
    lines.len() >= TABLE_LINES_MIN
        && separators.iter().any(|separator| is_table_of(lines, *separator, is_named))
}

fn is_table_of(lines: &[&str], separator: char, is_named: bool) -> bool {
    let Some((header, rows)) = lines.split_first() else { return false };
    let names = fields(header, separator);
    let n_min = if is_named { 2 } else { 3 };
    if names.len() < n_min || !is_header(&names) {
        return false;
    }
    let fits = |row: &&&str| fields(row, separator).len() == names.len();
    let n_fitting = rows.iter().filter(fits).count();
    if is_named {
        // A quoted field may go on over several lines.
        return n_fitting * 10 >= rows.len() * 8;
    }
    n_fitting == rows.len() && rows.iter().all(|row| !is_sentence(row, separator))
}

/// The fields of a row; separators in quotes are part of a field.
fn fields(row: &str, separator: char) -> Vec<&str> {
    let mut fields = Vec::new();
    let mut start = 0;
    let mut is_quoted = false;
    for (at, c) in row.char_indices() {
        if c == '"' {
            is_quoted = !is_quoted;
        } else if c == separator && !is_quoted {
            fields.push(row[start..at].trim());
            start = at + c.len_utf8();
        }
    }
    fields.push(row[start..].trim());
    fields
}

/// Different, short names.
fn is_header(names: &[&str]) -> bool {
    let mut seen = HashSet::default();
    names.iter().all(|name| {
        let name = name.trim_matches('"').trim();
        let is_name = !name.is_empty()
            && name.len() <= FIELD_MAX
            && name.split_whitespace().count() <= 5
            && name.chars().any(char::is_alphabetic)
            && !name.contains(['=', '<', '>', '{', '}', '(', ')', ';', '`'])
            && !name.ends_with(['.', ':', '!', '?']);
        is_name && seen.insert(name)
    })
}

/// Whether a row reads like a line of prose.
fn is_sentence(row: &str, separator: char) -> bool {
    let after_comma = separator == ',' && !row.contains('"') && row.contains(", ");
    let has_number = row.chars().any(|c| c.is_ascii_digit());
    let long = fields(row, separator).iter().any(|field| field.split_whitespace().count() > 8);
    (after_comma && !has_number)
        || (long && !row.contains('"'))
        || row.trim_end().ends_with(['.', '{', '}'])
}

fn is_log(lines: &[&str], is_named: bool) -> bool {
    // What is indented belongs to the event above: a stack trace, a message of several lines.
    let events = lines.iter().filter(|line| !line.starts_with([' ', '\t']));
    let (mut n_events, mut n_marked) = (0, 0);
    for event in events {
        n_events += 1;
        n_marked += usize::from(is_event(event));
    }
    let share = if is_named { 5 } else { 7 };
    n_events >= LOG_LINES_MIN && n_marked * 10 >= n_events * share
}

/// Whether a line starts as an event does: with a time of day, a level, or as servers write them.
fn is_event(line: &str) -> bool {
    starts_with_level(line) || starts_with_uptime(line) || has_time(line)
}

/// `INFO `, `[error]`, `WARN:`
fn starts_with_level(line: &str) -> bool {
    const LEVELS: [&str; 11] = [
        "TRACE", "DEBUG", "INFO", "NOTICE", "WARN", "WARNING", "ERROR", "FATAL", "CRITICAL",
        "SEVERE", "PANIC",
    ];
    let bracketed = line.strip_prefix(['[', '<', '(']);
    let word = bracketed.unwrap_or(line);
    let end = word.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(word.len());
    let is_level = LEVELS.iter().any(|level| match bracketed {
        Some(_) => level.eq_ignore_ascii_case(&word[..end]),
        None => *level == &word[..end],
    });
    is_level && word[end..].starts_with([' ', ':', ']', '>', ')', '[', '\t', '|'])
}

/// `[   12.345678] `
fn starts_with_uptime(line: &str) -> bool {
    let inside = line.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    inside.is_some_and(|(number, _)| {
        let number = number.trim();
        number.contains('.') && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    })
}

/// A time of day with seconds among the first words: `2024-01-02T03:04:05`, `Jan  2 03:04:05`,
/// `[02/Jan/2024:03:04:05 +0000]`.
fn has_time(line: &str) -> bool {
    let head = &line.as_bytes()[..line.len().min(120)];
    let is_time = |at: usize| {
        let digit = |offset: usize| head.get(at + offset).is_some_and(u8::is_ascii_digit);
        let colon = |offset: usize| head.get(at + offset) == Some(&b':');
        digit(0) && digit(1) && colon(2) && digit(3) && digit(4) && colon(5) && digit(6) && digit(7)
    };
    let Some(at) = (0..head.len()).find(|at| is_time(*at)) else { return false };
    // A sentence may mention a time; an event starts with it, after a date, an address or a host at most.
    let before = line.get(..at).unwrap_or_default();
    before.is_empty()
        || before.bytes().any(|byte| byte.is_ascii_digit() || byte == b'[')
            && before.split_whitespace().count() <= 6
}
