//! How tests look at an inventory: files in, a readable listing out.

use std::fmt::Write as _;

use gik_base::FileKey;

use crate::{Inventory, Manifests, StackFile, inventory, refresh};

/// The inventory of files given as path and text; languages are told from extensions.
pub(crate) fn inventory_of(files: &[(&str, &str)]) -> Inventory {
    let keys: Vec<FileKey> = files.iter().map(|(path, _)| FileKey::from_text(*path)).collect();
    let listed: Vec<StackFile<'_>> =
        keys.iter().map(|path| StackFile { path, language: language(path) }).collect();
    let mut manifests = Manifests::new();
    refresh(&mut manifests, &listed, &|key| {
        let (_, text) = files.iter().find(|(path, _)| *path == key.as_str())?;
        // Fixtures start on the line after the opening quote.
        Some(text.strip_prefix('\n').unwrap_or(text).as_bytes().to_vec())
    });
    inventory(&listed, &manifests)
}

fn language(path: &FileKey) -> Option<&'static str> {
    match path.extension().as_ref() {
        "rs" => Some("rust"),
        "ts" => Some("typescript"),
        "py" => Some("python"),
        _ => None,
    }
}

/// One line per dependency, `manager name version scope`, and one per problem. The manifest is named where there are
/// several.
pub(crate) fn dependencies(files: &[(&str, &str)]) -> String {
    let inventory = inventory_of(files);
    let mut listing = String::new();
    for entry in &inventory.dependencies {
        let place =
            if files.len() > 1 { format!(" @ {}", entry.manifest_path) } else { String::new() };
        let _ = writeln!(
            listing,
            "{} {} {} {}{place}",
            entry.manager, entry.name, entry.version, entry.scope
        );
    }
    for problem in &inventory.problems {
        let _ = writeln!(listing, "! {}: {}", problem.path, problem.message);
    }
    listing
}

/// One line per technology, `kind name source confidence`.
pub(crate) fn technologies(files: &[(&str, &str)]) -> String {
    let mut listing = String::new();
    for entry in inventory_of(files).tech {
        let _ = writeln!(
            listing,
            "{} {} {} {}",
            entry.kind, entry.name, entry.source, entry.confidence
        );
    }
    listing
}

/// Compares a listing with the expected one, whose lines may be indented.
#[track_caller]
pub(crate) fn assert_lines(actual: &str, expected: &str) {
    let expected: Vec<&str> =
        expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let actual: Vec<&str> = actual.lines().collect();
    assert_eq!(actual, expected, "\n{}\n", actual.join("\n"));
}
