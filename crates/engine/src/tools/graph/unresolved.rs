//! Which call sites have a name and are tied to nothing? Told, so that "0 callers" is not read as "nobody".

use gik_base::Result;
use schemars::JsonSchema;
use serde::Serialize;

use super::Opened;
use crate::View;
use crate::symbols::Pattern;
use crate::view::Style;

/// Call sites that could not be tied to a definition.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Unresolved {
    /// How many there are.
    pub total: u64,
    /// The first few.
    pub sites: Vec<Site>,
}

/// A call.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Site {
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// The text of the line.
    pub text: String,
}

const SHOWN: usize = 5;

impl Unresolved {
    pub(super) fn render(&self, view: &mut View) {
        for site in &self.sites {
            let path = view.paint(Style::Name, &site.path);
            let line = view.paint(Style::Number, site.line);
            let text = view.plain(&site.text);
            let word = view.paint(Style::Faint, "unresolved");
            view.line(format!("  {path}:{line}: {word}  {text}"));
        }
    }
}

/// Calls by that name whose receiver is not known.
pub(super) fn unresolved(graph: &mut Opened<'_>, pattern: &Pattern) -> Result<Unresolved> {
    let sites = crate::graph::unresolved(graph.ws, graph.snapshot, &pattern.name)?;
    let mut told = Unresolved { total: sites.len() as u64, sites: Vec::new() };
    for site in sites.into_iter().take(SHOWN) {
        let file = site.from.file;
        let path = graph.catalog.file(file)?.key.as_str().to_owned();
        let Some(line) = graph.catalog.line_of(file, site.start)? else { continue };
        let text = graph.catalog.text(file)?.unwrap_or_default();
        let text = text.lines().nth(line as usize - 1).unwrap_or_default().trim().to_owned();
        told.sites.push(Site { path, line, text });
    }
    Ok(told)
}
