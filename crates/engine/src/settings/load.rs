//! Puts the layers together: defaults, the user's file, the project's file, the environment, flags. Later ones win.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gik_base::{Result, env};

use super::Origin;
use super::document::{
    Assignment, Document, Layer, read_bytes, read_document, unknown_key, wrong_value,
};
use super::key::{Named, NeedsTrust, Status, find, find_variable, suggest_variable};
use super::keys::KEYS;
use super::problem::{Problem, Severity, Warning, failure_of};
use super::resolved::Settings;
use super::trust::Trust;
use super::value::Value;

/// The two files that hold configuration. Neither has to exist.
#[derive(Debug, Clone)]
pub struct LayerPaths {
    /// The user's own file; `None` where there is no home folder.
    pub global: Option<PathBuf>,
    /// The file of the workspace.
    pub project: PathBuf,
}

/// The configuration with the origin of every value.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The typed settings.
    pub settings: Settings,
    /// Every value that is set or has a default, by its key in snake_case.
    pub values: BTreeMap<String, Valued>,
    /// What was left out, and why.
    pub warnings: Vec<Warning>,
}

/// A value and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Valued {
    /// The value that holds.
    pub value: Value,
    /// Where it was set.
    pub origin: Origin,
    /// The values it wins over, the strongest first.
    pub shadowed: Vec<(Origin, Value)>,
}

/// Loads the configuration.
///
/// `environment` holds the variables that start with [`env::GIK_CONFIG_PREFIX`], the prefix taken off. `flags` are the
/// `--set key=value` pairs; later ones win.
pub fn load(
    paths: &LayerPaths,
    trusted: Trust,
    environment: &[(String, String)],
    flags: &[(String, String)],
) -> Result<Loaded> {
    let global = paths.global.as_deref().map(|global| read_file(global, Layer::Global, None));
    let mut layers = [
        global.transpose()?.unwrap_or_default(),
        read_file(&paths.project, Layer::Project, Some(&trusted))?,
        read_environment(environment),
        read_flags(flags),
    ];
    for layer in &mut layers[2..] {
        withhold_from_callers(layer);
    }

    let problems: Vec<Problem> =
        layers.iter_mut().flat_map(|layer| std::mem::take(&mut layer.problems)).collect();
    if let Some(failure) = failure_of(&problems) {
        return Err(failure);
    }
    let mut values = defaults();
    for assignment in layers.into_iter().flat_map(|layer| layer.assignments) {
        assign(&mut values, assignment);
    }
    Ok(Loaded {
        settings: Settings::from_values(&values)?,
        values,
        warnings: problems.into_iter().map(Problem::into_warning).collect(),
    })
}

/// What one file says. Where `trust` is given, values that need it and have none are warnings instead.
pub(crate) fn read_file(path: &Path, layer: Layer, trust: Option<&Trust>) -> Result<Document> {
    let Some(bytes) = read_bytes(path)? else { return Ok(Document::default()) };
    let mut document = read_document(&bytes, path, layer);
    if let Some(trust) = trust {
        trust.withhold(&bytes, &mut document);
    }
    Ok(document)
}

/// What the environment says.
pub(crate) fn read_environment(variables: &[(String, String)]) -> Document {
    let mut document = Document::default();
    for (name, text) in variables.iter().filter(|(_, text)| !text.is_empty()) {
        let prefix = env::GIK_CONFIG_PREFIX;
        let at = Origin::Environment { variable: format!("{prefix}{name}") };
        match find_variable(name) {
            Some((key, name)) => match key.kind.read_text(text) {
                Ok(value) => {
                    document.assignments.push(Assignment { key, name, value, origin: at });
                },
                Err(complaint) => document.problems.push(Problem {
                    severity: Severity::Error,
                    at,
                    message: wrong_value(&name, &complaint),
                    key: Some(name),
                    hint: complaint.hint,
                }),
            },
            None => document.problems.push(Problem {
                severity: Severity::Warning,
                at,
                key: None,
                message: "the variable names no known key".to_owned(),
                hint: suggest_variable(name).map(|name| format!("did you mean `{prefix}{name}`?")),
            }),
        }
    }
    document
}

/// What `--set` says. An unknown key is an error here: whoever typed it is there to correct it.
fn read_flags(flags: &[(String, String)]) -> Document {
    let mut document = Document::default();
    for (written, text) in flags {
        let (key, message, hint) = match find(written) {
            Named::Key(key, name) => match key.kind.read_text(text) {
                Ok(value) => {
                    document.assignments.push(Assignment {
                        key,
                        name,
                        value,
                        origin: Origin::Flag,
                    });
                    continue;
                },
                Err(complaint) => {
                    let message = wrong_value(&name, &complaint);
                    (Some(name), message, complaint.hint)
                },
            },
            Named::Group(group) => {
                let message = format!("`{group}` is a group of keys");
                let hint = format!("`gik config show {group}` lists them");
                (Some(group), message, Some(hint))
            },
            Named::Unknown => {
                let (message, hint) = unknown_key(written);
                (None, message, hint)
            },
        };
        let severity = Severity::Error;
        document.problems.push(Problem { severity, at: Origin::Flag, key, message, hint });
    }
    document
}

/// What only the user's own file may set, the environment and flags cannot.
fn withhold_from_callers(document: &mut Document) {
    let Document { assignments, problems } = document;
    assignments.retain(|set| {
        if !matches!(set.key.needs_trust, NeedsTrust::UserFileOnly) {
            return true;
        }
        problems.push(Problem {
            severity: Severity::Error,
            at: set.origin.clone(),
            key: Some(set.name.clone()),
            message: format!("`{}` can only be set in your own config file", set.name),
            hint: Some(format!("`gik config set --global {} {}` sets it", set.name, set.value)),
        });
        false
    });
}

fn defaults() -> BTreeMap<String, Valued> {
    KEYS.iter()
        .filter(|key| key.status == Status::InUse)
        .filter_map(|key| {
            let value = key.default_value()?;
            let valued = Valued { value, origin: Origin::Default, shadowed: Vec::new() };
            Some((key.name.to_owned(), valued))
        })
        .collect()
}

fn assign(values: &mut BTreeMap<String, Valued>, assignment: Assignment) {
    let Assignment { name, value, origin, .. } = assignment;
    let mut shadowed = Vec::new();
    if let Some(weaker) = values.remove(&name) {
        // Of several flags for one key the last counts and the others say nothing.
        if weaker.origin != Origin::Flag {
            shadowed.push((weaker.origin, weaker.value));
        }
        shadowed.extend(weaker.shadowed);
    }
    values.insert(name, Valued { value, origin, shadowed });
}
