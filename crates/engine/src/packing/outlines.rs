//! What can be told of where the reader is in few lines: the file by its declarations and the first sentences of their
//! documentation, its folder by its files, the project by its folders. Made from the index and the texts alone.

use std::collections::BTreeMap;

use gik_base::{FileKey, Result};
use gik_contract::pack::{Here, SummaryLevel};
use gik_pack::{About, Outline, OutlineLine};
use gik_store::{FileRow, FileState, SymbolRow};

use super::said::{first_sentence, of_file as said_of_file};
use super::shelf::{Contents, PARTS_OF_OTHERS, Shelf};
use crate::bases;
use crate::view::{count, shorten};

/// Documentation of larger files is not looked at.
const PARSED_MAX: usize = 256 * 1024;
/// So many files of a folder are told one by one.
const FILES_OF_FOLDER: usize = 40;
/// So many names of a file without documentation.
const NAMES_OF_FILE: usize = 6;
/// So many folders of the project.
const FOLDERS_OF_PROJECT: usize = 24;
/// So many languages of it.
const LANGUAGES: usize = 5;
/// A declaration in an outline is no longer.
const LONGEST_DECLARATION: usize = 120;
/// What stands inside of these is their own affair.
const BODIES: [&str; 4] = ["function", "method", "constructor", "macro"];

/// The file, its folder and the project.
pub(super) fn outlines(shelf: &mut Shelf<'_>, here: &Here) -> Result<Vec<Outline>> {
    let path = here.file_rel_path.as_str();
    let mut outlines = Vec::new();
    outlines.extend(of_file(shelf, path)?);
    outlines.push(of_folder(shelf, path)?);
    outlines.push(of_project(shelf)?);
    Ok(outlines)
}

fn of_file(shelf: &mut Shelf<'_>, path: &str) -> Result<Option<Outline>> {
    let Some(number) = shelf.number(path) else { return Ok(None) };
    let Some(file) = shelf.file(number) else { return Ok(None) };
    let contents = shelf.contents(number)?;
    let facts = shelf.snapshot.facts_of(file.id)?;
    let Some(text) = shelf.text(number)? else { return Ok(None) };
    let said = said_of_file(text, &facts.comments, &file.language);
    let docs = docs_of(&file.key, text);
    let lines = declarations(&contents).into_iter().map(|(depth, symbol)| {
        let declaration = symbol.signature.line(text, symbol.bytes.start);
        let declaration = shorten(&declaration, LONGEST_DECLARATION);
        let (first, last) = (symbol.start.0, symbol.end.0);
        let mut line = format!("{}{first}-{last} {declaration}", "  ".repeat(depth));
        if let Some(doc) = docs.get(&symbol.bytes.start) {
            line.push_str(" — ");
            line.push_str(doc);
        }
        OutlineLine { text: line, about: About::Text(path.to_owned(), symbol.bytes.clone()) }
    });
    let n_lines = count(text.lines().count() as u64, "line", "lines");
    let mut heading = format!("{path}: {n_lines}");
    if let Some(said) = said {
        heading = format!("{heading}; {said}");
    }
    let (level, path) = (SummaryLevel::File, path.to_owned());
    Ok(Some(Outline { level, path, heading, lines: lines.collect() }))
}

/// The first sentences of what documents the symbols of a text, by where these begin.
fn docs_of(key: &FileKey, text: &str) -> BTreeMap<usize, String> {
    if text.len() > PARSED_MAX {
        return BTreeMap::new();
    }
    let language = gik_parse::detect(key, text.as_bytes());
    let symbols = gik_parse::parse(key, text, language).symbols;
    let doc = |symbol: &gik_parse::Symbol| {
        Some((symbol.bytes.start, first_sentence(&symbol.doc).filter(|it| !it.is_empty())?))
    };
    symbols.iter().filter_map(doc).collect()
}

/// What says something alone and is not inside of a body, with how deep it stands.
fn declarations(contents: &Contents) -> Vec<(usize, &SymbolRow)> {
    let mut around: Vec<&SymbolRow> = Vec::new();
    let mut found = Vec::new();
    for symbol in &contents.symbols {
        while around.pop_if(|outer| outer.bytes.end <= symbol.bytes.start).is_some() {}
        let is_inside = around.iter().any(|outer| BODIES.contains(&outer.kind.as_str()));
        if !is_inside && !PARTS_OF_OTHERS.contains(&symbol.kind.as_str()) {
            found.push((around.len(), symbol));
        }
        around.push(symbol);
    }
    found
}

fn of_folder(shelf: &mut Shelf<'_>, path: &str) -> Result<Outline> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let inside = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    let mut folders: BTreeMap<&str, u64> = BTreeMap::new();
    let mut own: Vec<(u32, &FileRow)> = Vec::new();
    for (number, file) in (0..).zip(shelf.files) {
        let Some(rest) = file.key.as_str().strip_prefix(&inside) else { continue };
        if file.state != FileState::Indexed {
            continue;
        }
        match rest.split_once('/') {
            Some((below, _)) => *folders.entry(below).or_default() += 1,
            None => own.push((number, file)),
        }
    }
    let n_files = count(own.len() as u64, "file", "files");
    let shown = if folder.is_empty() { "." } else { folder };
    let mut lines = Vec::new();
    for (number, file) in own.into_iter().filter(|(_, file)| file.key.as_str() != path) {
        if lines.len() == FILES_OF_FOLDER {
            break;
        }
        let about = About::File(file.key.as_str().to_owned());
        let name = file.key.as_str().strip_prefix(&inside).unwrap_or_default().to_owned();
        let text = match description(shelf, number, file)? {
            Some(said) => format!("{name}: {said}"),
            None => name,
        };
        lines.push(OutlineLine { text, about });
    }
    // The folders of the root are told with the project.
    for (below, n) in folders.into_iter().filter(|_| !folder.is_empty()) {
        let text = format!("{below}/: {}", count(n, "file", "files"));
        lines.push(OutlineLine { text, about: About::All });
    }
    let heading = format!("{shown}: {n_files}");
    Ok(Outline { level: SummaryLevel::Folder, path: shown.to_owned(), heading, lines })
}

/// What a file is for, as it says itself; else what it declares.
fn description(shelf: &mut Shelf<'_>, number: u32, file: &FileRow) -> Result<Option<String>> {
    let contents = shelf.contents(number)?;
    if *file.base != *bases::CODE {
        let heading = contents.chunks.first().map(|chunk| chunk.qualified.clone());
        return Ok(heading.filter(|heading| !heading.is_empty()));
    }
    let facts = shelf.snapshot.facts_of(file.id)?;
    let text = shelf.text(number)?.unwrap_or_default();
    if let Some(said) = said_of_file(text, &facts.comments, &file.language) {
        return Ok(Some(said));
    }
    let outer = declarations(&contents).into_iter().filter(|(depth, _)| *depth == 0);
    let names: Vec<&str> =
        outer.map(|(_, symbol)| symbol.name.as_str()).take(NAMES_OF_FILE).collect();
    Ok(Some(names.join(", ")).filter(|names| !names.is_empty()))
}

fn of_project(shelf: &mut Shelf<'_>) -> Result<Outline> {
    let files = || shelf.files.iter().filter(|file| file.state == FileState::Indexed);
    let mut languages: BTreeMap<&str, u64> = BTreeMap::new();
    let mut folders: BTreeMap<&str, u64> = BTreeMap::new();
    for file in files() {
        *languages.entry(&file.language).or_default() += 1;
        if let Some((folder, _)) = file.key.as_str().split_once('/') {
            *folders.entry(folder).or_default() += 1;
        }
    }
    let most = |counts: BTreeMap<&str, u64>, n: usize| {
        let mut counts: Vec<(String, u64)> =
            counts.into_iter().map(|(name, n)| (name.to_owned(), n)).collect();
        counts.retain(|(name, _)| !name.is_empty());
        counts.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        counts.truncate(n);
        counts
    };
    let languages = most(languages, LANGUAGES).into_iter().map(|(name, n)| format!("{name} {n}"));
    let languages: Vec<String> = languages.collect();
    let heading =
        format!("{}: {}", count(files().count() as u64, "file", "files"), languages.join(", "));
    let is_readme = |file: &FileRow| {
        let name = file.key.as_str();
        !name.contains('/') && name.to_lowercase().starts_with("readme")
    };
    let readme = (0..).zip(shelf.files).find(|(_, file)| is_readme(file));
    let mut lines = Vec::new();
    if let Some((number, file)) = readme
        && let Some(said) = shelf.text(number)?.and_then(opening)
    {
        let text = format!("{}: {said}", file.key);
        lines.push(OutlineLine { text, about: About::All });
    }
    for (folder, n) in most(folders, FOLDERS_OF_PROJECT) {
        let text = format!("{folder}/: {}", count(n, "file", "files"));
        lines.push(OutlineLine { text, about: About::All });
    }
    Ok(Outline { level: SummaryLevel::Project, path: ".".to_owned(), heading, lines })
}

/// The first sentence of a document that is neither a heading nor a picture.
fn opening(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let begins = |line: &str| line.starts_with(|c: char| c.is_alphabetic() || c == '*' || c == '`');
    // A heading of reStructuredText has a line of marks below it.
    let is_ruled = |at: usize| {
        lines.get(at + 1).is_some_and(|below| {
            below.len() > 2 && below.chars().all(|mark| matches!(mark, '=' | '-' | '~' | '*' | '^'))
        })
    };
    let start = (0..lines.len()).find(|at| begins(lines[*at]) && !is_ruled(*at))?;
    first_sentence(&lines[start..].join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_begins_behind_headings_and_pictures() {
        let said = |text: &str| opening(text).unwrap_or_default();
        assert_eq!(said("# Parcels\n\n[![x](y)](z)\n\nSends them. Fast.\n"), "Sends them");
        assert_eq!(
            said("Flask\n=====\n\nFlask is a framework\nfor the web.\n"),
            "Flask is a framework for the web"
        );
        assert_eq!(opening("# Only\n"), None);
    }
}
