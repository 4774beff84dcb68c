//! Files that change all the time, and what stood in them when.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::stop::{Result, Stop};
use crate::workspace;

const FILES: usize = 40;
const PAUSE: Duration = Duration::from_millis(50);

/// The files that change.
#[derive(Debug)]
pub(super) struct Hot {
    project: PathBuf,
    versions: Mutex<BTreeMap<String, Vec<Version>>>,
}

/// A text of a file: it may be seen from `begun` on, and surely is from `done` on.
#[derive(Debug)]
struct Version {
    begun: Instant,
    done: Instant,
    text: String,
}

impl Hot {
    /// Writes the first version of each.
    pub(super) fn write(project: &Path) -> Result<Self> {
        let hot = Self { project: project.to_owned(), versions: Mutex::new(BTreeMap::new()) };
        for number in 0..FILES {
            hot.change(number, 0)?;
        }
        Ok(hot)
    }

    /// A question whose best answer is in one of the files.
    pub(super) fn question(number: usize) -> String {
        format!("quicksilver beacon {}", word(number % FILES))
    }

    /// Changes one file after another until it is over.
    pub(super) fn keep_changing(&self, is_over: &AtomicBool) -> Result<()> {
        let mut round = 1;
        while !is_over.load(Ordering::Relaxed) {
            let after = self.lock().values().map(Vec::len).sum();
            self.change(round % FILES, after)?;
            round += 1;
            std::thread::sleep(PAUSE);
        }
        Ok(())
    }

    /// How often a file was changed.
    pub(super) fn changes(&self) -> usize {
        self.lock().values().map(|versions| versions.len().saturating_sub(1)).sum()
    }

    /// Whether a text stood in a file at some moment between two; `None` for a file that does not change.
    pub(super) fn held(&self, path: &str, part: &str, from: Instant, to: Instant) -> Option<bool> {
        let versions = self.lock();
        let versions = versions.get(path)?;
        let seen = versions.iter().enumerate().filter(|(at, version)| {
            let is_replaced = versions.get(at + 1).is_some_and(|next| next.done < from);
            version.begun <= to && !is_replaced
        });
        let mut seen = seen.map(|(_, version)| version.text.as_str());
        Some(seen.any(|text| part.lines().all(|line| text.contains(line.trim()))))
    }

    pub(super) fn project(&self) -> &Path {
        &self.project
    }

    fn change(&self, number: usize, version: usize) -> Result<()> {
        let name = word(number);
        let path = format!("hot/{name}.rs");
        let text = format!(
            "//! The quicksilver beacon {name}.\n\n/// Tells version {version} of the beacon.\npub fn quicksilver_beacon_{name}() -> u64 {{\n    let version_{version}_of_{name} = {version};\n    version_{version}_of_{name}\n}}\n"
        );
        let target = self.project.join(&path);
        // Beside the project's own folders, so that nobody sees a file that is half written.
        let beside = self.project.join(".git").join(format!("{name}.tmp"));
        workspace::write(&beside, &text)?;
        if let Some(folder) = target.parent() {
            workspace::create_folder(folder)?;
        }
        let begun = Instant::now();
        // It is known before it is seen.
        self.lock().entry(path.clone()).or_default().push(Version {
            begun,
            done: begun + Duration::from_secs(3600),
            text,
        });
        std::fs::rename(&beside, &target)
            .map_err(|error| Stop::on_path("replace", &target, error))?;
        if let Some(last) = self.lock().get_mut(&path).and_then(|versions| versions.last_mut()) {
            last.done = Instant::now();
        }
        Ok(())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Vec<Version>>> {
        self.versions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A word that no other file has.
fn word(number: usize) -> String {
    const PARTS: [&str; 8] = ["zan", "vel", "tor", "mik", "bru", "qua", "lyx", "peo"];
    format!("{}{}{}", PARTS[number % 8], PARTS[number / 8 % 8], "ix")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_right_while_it_stood_there_and_wrong_after() {
        let dir = tempfile::tempdir().unwrap();
        let hot = Hot::write(dir.path()).unwrap();
        let path = format!("hot/{}.rs", word(1));
        let first = Instant::now();
        hot.change(1, 7).unwrap();
        let second = Instant::now();
        let (old, new) = ("version 0 of the", "version 7 of the");
        assert_eq!(hot.held(&path, old, first, first), Some(true));
        assert_eq!(hot.held(&path, new, first, first), Some(false));
        assert_eq!(hot.held(&path, old, first, second), Some(true));
        assert_eq!(hot.held(&path, new, first, second), Some(true));
        assert_eq!(hot.held(&path, old, second, second), Some(false));
        assert_eq!(hot.held("src/other.rs", old, first, second), None);
        assert_eq!(hot.changes(), 1);
        let words: std::collections::BTreeSet<String> = (0..FILES).map(word).collect();
        assert_eq!(words.len(), FILES);
    }
}
