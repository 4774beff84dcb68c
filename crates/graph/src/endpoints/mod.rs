//! Which routes of a web service does a file define?
//!
//! A framework counts only where the file imports it, or the project depends on it and the file speaks its usual words:
//! `.get("…")` alone is no endpoint. Only literal routes are told; what is put together from parts of a file (the prefix
//! of a class, a group or a router) is joined, what comes from another file is not.

mod annotations;
mod calls;
mod files;
mod frameworks;
mod rails;
mod route;
mod routers;
mod tokens;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

pub use frameworks::Framework;

use frameworks::{FRAMEWORKS, family};

/// A route that a file defines.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Endpoint {
    /// `/api/users/:id`, as the framework writes parameters.
    pub route: String,
    /// `GET`, …; `ANY` where the text does not say.
    pub method: String,
    /// Whose route it is.
    pub framework: Framework,
    /// Where it is written: first byte, and behind the last.
    pub at: (usize, usize),
}

/// A file that may define routes.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// Workspace-relative.
    pub path: &'a str,
    /// Language id.
    pub language: &'a str,
    /// What it says.
    pub text: &'a str,
    /// Packages that the project depends on.
    pub packages: &'a BTreeSet<String>,
}

/// Whether a file could define routes at all, by its language.
pub fn may_have_endpoints(language: &str) -> bool {
    family(language).is_some()
}

/// The routes of a file, in the order of the text.
pub fn endpoints(source: &Source<'_>) -> Vec<Endpoint> {
    let Some(family) = family(source.language) else { return Vec::new() };
    let mut found: Vec<Endpoint> = Vec::new();
    let mut tokens = None;
    for row in FRAMEWORKS.iter().filter(|row| row.languages.contains(&source.language)) {
        let is_imported = row.imports.iter().any(|word| source.text.contains(word));
        let is_there = row.packages.iter().any(|package| source.packages.contains(*package));
        if !is_imported && !is_there {
            continue;
        }
        let tokens = tokens.get_or_insert_with(|| tokens::tokens(source.text, family));
        let mut routes = match row.framework {
            Framework::NextJs => files::next_js(source, is_there),
            Framework::Rails => rails::routes(tokens),
            Framework::Flask | Framework::FastApi => {
                annotations::python(tokens, row.framework, is_imported)
            },
            Framework::NestJs | Framework::Spring | Framework::AspNet => {
                let mut routes = annotations::classes(tokens, row.framework);
                routes.extend(calls::routes(tokens, row.framework, is_imported));
                routes
            },
            Framework::Rocket | Framework::Actix => {
                let mut routes = annotations::attributes(tokens, row.framework);
                routes.extend(calls::routes(tokens, row.framework, is_imported));
                routes
            },
            Framework::Express
            | Framework::Fastify
            | Framework::Django
            | Framework::Laravel
            | Framework::Gin
            | Framework::Echo
            | Framework::Chi
            | Framework::Axum => calls::routes(tokens, row.framework, is_imported),
        };
        found.append(&mut routes);
    }
    found.sort_by(|a, b| a.at.cmp(&b.at).then_with(|| a.cmp(b)));
    // Two frameworks with the same words in one file: the one that comes first in the table.
    found.dedup_by(|b, a| a.at == b.at && a.route == b.route && a.method == b.method);
    found
}
