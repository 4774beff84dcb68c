//! Routes that are files: those of Next.js.

use super::route::joined;
use super::{Endpoint, Framework, Source};

/// `app/**/route.ts` with its exported methods, and `pages/api/**`.
pub(super) fn next_js(source: &Source<'_>, is_there: bool) -> Vec<Endpoint> {
    if !is_there && !source.text.contains("next/server") {
        return Vec::new();
    }
    let Some((folders, file)) = source.path.rsplit_once('/') else { return Vec::new() };
    let stem = file.split('.').next().unwrap_or_default();
    let folders: Vec<&str> = folders.split('/').collect();
    if stem == "route"
        && let Some(app) = folders.iter().rposition(|folder| *folder == "app")
    {
        let route = route_of(&folders[app + 1..], "");
        return exported_methods(source.text)
            .into_iter()
            .map(|(method, at)| Endpoint {
                route: route.clone(),
                method: method.to_owned(),
                framework: Framework::NextJs,
                at,
            })
            .collect();
    }
    let api = folders.windows(2).position(|pair| pair == ["pages", "api"]);
    let Some(pages) = api else { return Vec::new() };
    let Some(at) = source.text.find("export default") else { return Vec::new() };
    let stem = if stem == "index" { "" } else { stem };
    vec![Endpoint {
        route: route_of(&folders[pages + 1..], stem),
        method: "ANY".to_owned(),
        framework: Framework::NextJs,
        at: (at, at + "export default".len()),
    }]
}

/// The route of folders: groups in brackets have no part in it.
fn route_of(folders: &[&str], last: &str) -> String {
    let is_part = |folder: &&&str| !folder.starts_with('(') && !folder.starts_with('@');
    let path: Vec<&str> = folders.iter().filter(is_part).copied().collect();
    joined(&path.join("/"), last)
}

/// `export async function GET`, `export const POST`.
fn exported_methods(text: &str) -> Vec<(&'static str, (usize, usize))> {
    const METHODS: [&str; 7] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
    let mut found = Vec::new();
    for (at, _) in text.match_indices("export ") {
        let is_line_start =
            text[..at].trim_end_matches([' ', '\t']).ends_with(['\n', ';']) || at == 0;
        let mut words = text[at..].split_whitespace().skip(1);
        let mut word = words.next().unwrap_or_default();
        if word == "async" {
            word = words.next().unwrap_or_default();
        }
        if !is_line_start || !matches!(word, "function" | "const") {
            continue;
        }
        let name = words.next().unwrap_or_default();
        let name = name.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        if let Some(method) = METHODS.into_iter().find(|method| *method == name) {
            let end = text[at..].find(name).map_or(at, |found| at + found + name.len());
            found.push((method, (at, end)));
        }
    }
    found
}
