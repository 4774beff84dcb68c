//! Whether the user has agreed to what a workspace's own config file asks for.
//!
//! `<gik home>/trust.json` maps the real path of a workspace to the sha256 of the file that was agreed to, so that a
//! file that changes has to be agreed to again:
//!
//! ```json
//! {"workspaces": {"/home/me/project": {"configSha256": "…", "urls": ["https://example.com/guide"]}}}
//! ```
//!
//! `urls` are the pages that the user added by name: a staging list that came with a clone cannot make GIK fetch any.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gik_base::fs::{self, Durability};
use gik_base::lock::Lock;
use gik_base::{Cancel, Context as _, ErrorCode, Failure, Result, hash};
use serde_json::{Map, Value, json};

use super::document::{Assignment, Document};
use super::key::NeedsTrust;
use super::problem::{Problem, Severity};

const WORKSPACES: &str = "workspaces";
const CONFIG_SHA256: &str = "configSha256";
const URLS: &str = "urls";

/// The hash of the project config that the user trusts, if there is one.
///
/// The hash is compared with the bytes that are read later, so that a file that changes in between is not trusted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trust {
    sha256: Option<String>,
}

/// How a config file stands to what was trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    Trusted,
    /// An earlier version was trusted.
    Changed,
    Untrusted,
}

impl Trust {
    /// What the user trusts of a workspace. Costs next to nothing where the workspace has no config file.
    pub fn of(root: &Path, project_config: &Path, gik_home: Option<&Path>) -> Result<Self> {
        let Some(home) = gik_home else { return Ok(Self::default()) };
        if fs::symlink_metadata_if_present(project_config)?.is_none() {
            return Ok(Self::default());
        }
        let record = read_record(home)?;
        let name = workspace_name(root)?;
        let entry = record.get(WORKSPACES).and_then(|workspaces| workspaces.get(name));
        let sha256 = entry.and_then(|entry| entry.get(CONFIG_SHA256)).and_then(Value::as_str);
        Ok(Self { sha256: sha256.map(str::to_owned) })
    }

    /// How the bytes of the project config stand to what was trusted.
    fn standing(&self, config: &[u8]) -> Standing {
        match &self.sha256 {
            None => Standing::Untrusted,
            Some(sha256) if *sha256 == hash::sha256_hex(config) => Standing::Trusted,
            Some(_) => Standing::Changed,
        }
    }

    /// Whether the project config with these bytes is trusted.
    pub(crate) fn covers(&self, config: &[u8]) -> bool {
        self.standing(config) == Standing::Trusted
    }

    /// Turns the values that need trust and have none into warnings.
    pub(crate) fn withhold(&self, config: &[u8], document: &mut Document) {
        if !document.assignments.iter().any(|set| set.key.needs_trust_for(&set.value)) {
            return;
        }
        let standing = self.standing(config);
        let Document { assignments, problems } = document;
        assignments.retain(|set| {
            let Some((reason, hint)) = objection(set, standing) else { return true };
            problems.push(Problem {
                severity: Severity::Warning,
                at: set.origin.clone(),
                key: Some(set.name.clone()),
                message: format!("`{}` is ignored: {reason}", set.name),
                hint: Some(hint),
            });
            false
        });
    }
}

/// Why a value of a project's file does not hold, and what to do about it.
fn objection(set: &Assignment, standing: Standing) -> Option<(&'static str, String)> {
    if !set.key.needs_trust_for(&set.value) {
        return None;
    }
    if matches!(set.key.needs_trust, NeedsTrust::UserOnly | NeedsTrust::UserFileOnly) {
        let hint = format!("`gik config set --global {} {}` sets it", set.name, set.value);
        return Some(("only your own config may set it", hint));
    }
    let reason = match standing {
        Standing::Trusted => return None,
        Standing::Changed => "the file changed since the workspace was trusted",
        Standing::Untrusted => "the workspace is not trusted",
    };
    Some((reason, "`gik config trust` shows what it asks for and accepts it".to_owned()))
}

/// Records that the user trusts the config file with these bytes. Gives its hash.
pub(crate) fn record_trust(
    home: &Path,
    root: &Path,
    config: &[u8],
    cancel: &Cancel,
) -> Result<String> {
    let sha256 = hash::sha256_hex(config);
    change_record(home, root, cancel, |workspaces, name| {
        let entry = workspaces.entry(name).or_insert_with(|| json!({}));
        if !entry.is_object() {
            *entry = json!({});
        }
        entry[CONFIG_SHA256] = json!(sha256);
        true
    })?;
    Ok(sha256)
}

/// Forgets that the user trusts the workspace. Gives whether it was trusted.
pub(crate) fn revoke_trust(home: &Path, root: &Path, cancel: &Cancel) -> Result<bool> {
    if fs::symlink_metadata_if_present(&record_path(home))?.is_none() {
        return Ok(false);
    }
    change_record(home, root, cancel, |workspaces, name| {
        let Some(entry) = workspaces.get_mut(&name).and_then(Value::as_object_mut) else {
            return false;
        };
        let was_trusted = entry.shift_remove(CONFIG_SHA256).is_some();
        if entry.is_empty() {
            workspaces.shift_remove(&name);
        }
        was_trusted
    })
}

/// Records that the user asked for these pages by name.
pub(crate) fn record_urls(home: &Path, root: &Path, urls: &[&str], cancel: &Cancel) -> Result<()> {
    let known = asked_urls(home, root)?;
    if urls.iter().all(|url| known.contains(*url)) {
        return Ok(());
    }
    change_record(home, root, cancel, |workspaces, name| {
        let entry = workspaces.entry(name).or_insert_with(|| json!({}));
        if !entry.is_object() {
            *entry = json!({});
        }
        let mut all = known;
        all.extend(urls.iter().map(|url| (*url).to_owned()));
        entry[URLS] = json!(all);
        true
    })?;
    Ok(())
}

/// The pages that the user asked for by name in a workspace.
pub(crate) fn asked_urls(home: &Path, root: &Path) -> Result<BTreeSet<String>> {
    let record = read_record(home)?;
    let name = workspace_name(root)?;
    let urls =
        record.get(WORKSPACES).and_then(|workspaces| workspaces.get(name)?.get(URLS)?.as_array());
    Ok(urls.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect())
}

/// Changes the record under its lock and writes it back where `change` says so.
fn change_record(
    home: &Path,
    root: &Path,
    cancel: &Cancel,
    change: impl FnOnce(&mut Map<String, Value>, String) -> bool,
) -> Result<bool> {
    let name = workspace_name(root)?;
    let _lock = Lock::acquire(&home.join("locks/trust.lock"), Duration::from_secs(10), cancel)?;
    let mut record = read_record(home)?;
    let workspaces = record.entry(WORKSPACES).or_insert_with(|| json!({}));
    let Some(workspaces) = workspaces.as_object_mut() else {
        return Err(broken(home));
    };
    if !change(workspaces, name) {
        return Ok(false);
    }
    let mut bytes = serde_json::to_vec_pretty(&record)
        .context(ErrorCode::Internal, || "cannot write the trust record".to_owned())?;
    bytes.push(b'\n');
    fs::write_atomic(&record_path(home), &bytes, Durability::Synced)?;
    Ok(true)
}

fn record_path(home: &Path) -> PathBuf {
    home.join("trust.json")
}

fn read_record(home: &Path) -> Result<Map<String, Value>> {
    let Some(bytes) = fs::read_if_present(&record_path(home))? else { return Ok(Map::new()) };
    match serde_json::from_slice(&bytes) {
        Ok(Value::Object(record)) => Ok(record),
        Ok(_) | Err(_) => Err(broken(home)),
    }
}

fn broken(home: &Path) -> Failure {
    let path = record_path(home);
    Failure::new(ErrorCode::ConfigInvalid, format!("`{}` is damaged", path.display()))
        .hint("remove it and trust the workspaces again with `gik config trust`")
}

/// The name of a workspace in the record: its real path.
fn workspace_name(root: &Path) -> Result<String> {
    let real = fs::canonicalize(root)?;
    // Paths that are not UTF-8 get an escaped form that no other path has.
    Ok(real.to_str().map_or_else(|| format!("{real:?}"), str::to_owned))
}
