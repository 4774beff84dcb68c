//! What rust-analyzer says, by the SCIP index that it makes.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use gik_graph::scip::{self, Encoding};

use super::oracle::Answer;
use super::project::{Project, Site, line_of};
use super::real;
use crate::process;
use crate::stop::{Result, Stop};
use crate::workspace;

/// Asks rust-analyzer, which `rustup component add rust-analyzer` brings.
pub(super) fn rust_analyzer(
    root: &Path,
    folder: &Path,
    label: &str,
    project: &Project,
    sites: &[Site],
) -> Result<Vec<Vec<Answer>>> {
    // A copy is a workspace of its own, not a part of ours.
    let copy = root.join("target/eval/rust-analyzer").join(label);
    workspace::copy_files(folder, &workspace::all_files(folder)?, &copy)?;
    let manifest = copy.join("Cargo.toml");
    let text = workspace::read(&manifest)?;
    workspace::write(&manifest, &format!("{text}\n[workspace]\n"))?;
    let output = copy.join("index.scip");
    let mut command = Command::new("rust-analyzer");
    command.arg("scip").arg(real(&copy)?).arg("--output").arg(&output);
    process::run(&mut command)?;
    let bytes = std::fs::read(&output).map_err(|error| Stop::on_path("read", &output, error))?;
    let index = scip::read(&bytes)
        .map_err(|error| Stop::Failed(format!("the index is not readable: {error:?}")))?;
    Ok(answers(&index, project, sites))
}

fn answers(index: &scip::Index, project: &Project, sites: &[Site]) -> Vec<Vec<Answer>> {
    let mut definitions: BTreeMap<u32, Vec<Answer>> = BTreeMap::new();
    let mut symbols: BTreeMap<(&str, u32, u32), Vec<u32>> = BTreeMap::new();
    for document in &index.documents {
        for occurrence in &document.occurrences {
            let (line, column) = occurrence.start;
            if occurrence.is_definition {
                let symbol = &index.symbols[occurrence.symbol as usize];
                let kind = if symbol.starts_with("local ") { "local var" } else { "definition" };
                definitions.entry(occurrence.symbol).or_default().push(Answer {
                    file: Some(document.path.clone()),
                    // A file that is a module begins with its definition.
                    line: if symbol.ends_with('/') && column == 0 { 0 } else { line + 1 },
                    kind: kind.to_owned(),
                });
            } else {
                debug_assert_ne!(document.encoding, Encoding::Utf16);
                let place = (document.path.as_str(), line, column);
                symbols.entry(place).or_default().push(occurrence.symbol);
            }
        }
    }
    let answer = |site: &Site| {
        let text = project.text(site.file);
        let before = text.get(..site.start as usize).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let column = u32::try_from(before.len() - start).unwrap_or(u32::MAX);
        let path = project.paths[site.file as usize].as_str();
        let line = line_of(text, site.start) - 1;
        let found = symbols.get(&(path, line, column)).into_iter().flatten();
        let outside = || vec![Answer { file: None, line: 0, kind: "definition".to_owned() }];
        found.flat_map(|symbol| definitions.get(symbol).cloned().unwrap_or_else(outside)).collect()
    };
    sites.iter().map(answer).collect()
}
