//! Whether the files of a branch that cannot be derived again keep their contract. Reads only.

use std::collections::BTreeMap;
use std::path::Path;

use gik_base::collections::{HashMap, HashSet};
use gik_base::{Result, clock, fs};
use gik_contract::{
    AnswerLogEntry, AskLogEntry, MemoryEntry, MemoryScope, PendingSource, Revision,
    RevisionOperation, SourceStatus,
};
use serde::de::DeserializeOwned;

use crate::journal::{self, Found};
use crate::memory;
use crate::root;
use crate::{Branch, Held, Knowledge, Recovery, jsonl, recovery, staging};

/// Something that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The file, relative to the knowledge folder.
    pub file: String,
    /// The line, counted from 1, where it is about one.
    pub line: Option<u64>,
    /// What is wrong; a sentence without a final period.
    pub message: String,
    /// How bad it is.
    pub severity: Severity,
    /// Who can repair it.
    pub repair: Repair,
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The contract is broken.
    Error,
    /// Odd, but nothing is lost or wrong.
    Warning,
}

/// Who can repair a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Repair {
    /// [`Branch::repair`] does.
    Automatic,
    /// A person has to look.
    Manual,
}

impl Branch {
    /// Every invariant of the branch's truth that does not hold, sorted by file and line.
    pub fn verify(&self) -> Result<Vec<Finding>> {
        let folder = self.dir().file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut check = Check { dir: self.dir(), folder: &folder, findings: Vec::new() };
        // HEAD before the timeline, as every reader does.
        let head = self.head()?;
        check.journal(self)?;
        check.timeline(self, head.as_deref())?;
        check.pending(self)?;
        check.memory(self)?;
        check.findings.sort();
        Ok(check.findings)
    }

    /// Recovers the branch and counts anew what is counted wrong.
    pub fn repair(&self, held: &Held) -> Result<Recovery> {
        let mut recovery = self.recover(held)?;
        let pending = self.pending()?;
        let transaction = self.transaction(held);
        if is_miscounted(self, &pending) {
            transaction.set_pending(&pending)?;
            recovery.actions.push(format!("counted `{}` anew", root::SUMMARY));
        }
        let memory = self.memory();
        let entries = memory.entries()?;
        if !entries.is_empty() && memory_count(&memory) != Some(entries.len() as u64) {
            transaction.set_memory(&memory, &entries)?;
            recovery.actions.push("counted the memory entries anew".to_owned());
        }
        transaction.commit()?;
        Ok(recovery)
    }
}

impl Knowledge {
    /// The findings of every branch, of what they share, and of the question log.
    pub fn verify(&self) -> Result<Vec<Finding>> {
        let mut findings = Vec::new();
        let mut owners: BTreeMap<String, String> = BTreeMap::new();
        for name in self.branches()? {
            let branch = self.branch(&name);
            findings.extend(branch.verify()?);
            let path = branch.memory().sources_path();
            let file = relative(self.dir(), &path);
            let bytes = fs::read_if_present(&path)?.unwrap_or_default();
            for line in jsonl::lines(&bytes) {
                let Ok(entry) = line.parse::<MemoryEntry>() else { continue };
                if let Some(owner) = owners.get(&entry.id).filter(|&owner| *owner != name) {
                    let message =
                        format!("memory id `{}` is used on branch `{owner}` too", entry.id);
                    findings.push(Finding {
                        file: file.clone(),
                        line: Some(line.number),
                        message,
                        severity: Severity::Warning,
                        repair: Repair::Manual,
                    });
                }
                owners.entry(entry.id).or_insert_with(|| name.clone());
            }
        }
        let mut check = Check { dir: self.dir(), folder: "", findings };
        check.lines::<AskLogEntry>("asks/ask.log.jsonl")?;
        check.lines::<AnswerLogEntry>("asks/answers.jsonl")?;
        check.findings.sort();
        Ok(check.findings)
    }
}

struct Check<'a> {
    dir: &'a Path,
    folder: &'a str,
    findings: Vec<Finding>,
}

impl Check<'_> {
    fn error(&mut self, file: &str, line: Option<u64>, message: impl Into<String>) {
        self.add(file, line, message, Severity::Error, Repair::Manual);
    }

    fn warning(&mut self, file: &str, line: Option<u64>, message: impl Into<String>) {
        self.add(file, line, message, Severity::Warning, Repair::Manual);
    }

    fn repairable(&mut self, file: &str, message: impl Into<String>, severity: Severity) {
        self.add(file, None, message, severity, Repair::Automatic);
    }

    fn add(
        &mut self,
        file: &str,
        line: Option<u64>,
        message: impl Into<String>,
        severity: Severity,
        repair: Repair,
    ) {
        let file = if self.folder.is_empty() {
            file.to_owned()
        } else {
            format!("{}/{file}", self.folder)
        };
        self.findings.push(Finding { file, line, message: message.into(), severity, repair });
    }

    /// The records of a file with their lines; what is no record becomes a finding.
    fn lines<T: DeserializeOwned>(&mut self, file: &str) -> Result<Vec<(u64, T)>> {
        let bytes = fs::read_if_present(&self.dir.join(file))?.unwrap_or_default();
        let mut records = Vec::new();
        for line in jsonl::lines(&bytes) {
            match line.parse() {
                Ok(record) => {
                    if !line.ended {
                        let message = "the last line has no line end";
                        self.repairable(file, message, Severity::Warning);
                    }
                    records.push((line.number, record));
                },
                Err(_) if line.is_torn() => {
                    self.repairable(file, "the last line is torn", Severity::Error);
                },
                Err(problem) => self.error(file, Some(line.number), problem),
            }
        }
        Ok(records)
    }

    fn json<T: DeserializeOwned>(&mut self, path: &Path) -> Option<T> {
        match jsonl::read_json(path) {
            Ok(record) => record,
            Err(failure) => {
                let file = relative(self.dir, path);
                self.error(&file, None, failure.to_string());
                None
            },
        }
    }

    fn unique<'b>(&mut self, file: &str, ids: impl Iterator<Item = (u64, &'b str)>) {
        let mut first: HashMap<&str, u64> = HashMap::default();
        for (line, id) in ids {
            if let Some(earlier) = first.insert(id, line) {
                let message = format!("id `{id}` is on line {earlier} too");
                self.error(file, Some(line), message);
            }
        }
    }

    fn journal(&mut self, branch: &Branch) -> Result<()> {
        match journal::find(branch.root())? {
            Found::Nothing => {},
            Found::Unfinished(_) => {
                let message = "a change is not finished; the next writer finishes it";
                self.repairable(root::JOURNAL, message, Severity::Warning);
            },
            Found::Damaged(problem) => {
                let message = format!("the journal is damaged: {problem}");
                self.repairable(root::JOURNAL, message, Severity::Error);
            },
        }
        for path in recovery::stray_files(branch.dir())? {
            let file = relative(self.dir, &path);
            let message = "a temporary file of a running or stopped process";
            self.repairable(&file, message, Severity::Warning);
        }
        Ok(())
    }

    fn timeline(&mut self, branch: &Branch, head: Option<&str>) -> Result<()> {
        let revisions = self.lines::<Revision>(root::TIMELINE)?;
        self.unique(root::TIMELINE, revisions.iter().map(|(line, rev)| (*line, rev.id.as_str())));

        let mut earlier: HashSet<&str> = HashSet::default();
        for (line, revision) in &revisions {
            match &revision.parent_id {
                None if !earlier.is_empty() => {
                    self.error(
                        root::TIMELINE,
                        Some(*line),
                        "only the first revision has no parent",
                    );
                },
                Some(parent) if !earlier.contains(parent.as_str()) => {
                    let message = format!("parent `{parent}` is not an earlier revision");
                    self.error(root::TIMELINE, Some(*line), message);
                },
                None | Some(_) => {},
            }
            earlier.insert(&revision.id);
        }

        // A branch made from another one starts with that one's revisions.
        let own = revisions.iter().rposition(|(_, revision)| is_branching(revision)).unwrap_or(0);
        for (line, revision) in &revisions[own.min(revisions.len())..] {
            if revision.branch != branch.name() {
                let message = format!("the revision was made on branch `{}`", revision.branch);
                self.warning(root::TIMELINE, Some(*line), message);
            }
        }

        match head {
            Some(head) if earlier.contains(head) => {},
            Some(head) if revisions.is_empty() => {
                self.error(root::HEAD, None, format!("`{head}` is in no timeline: there is none"));
            },
            Some(head) => {
                let message = format!("`{head}` is not in the timeline");
                self.repairable(root::HEAD, message, Severity::Error);
            },
            None if revisions.is_empty() => {},
            None => self.repairable(root::HEAD, "HEAD is missing", Severity::Error),
        }
        Ok(())
    }

    fn pending(&mut self, branch: &Branch) -> Result<()> {
        let entries = self.lines::<PendingSource>(root::PENDING)?;
        self.unique(root::PENDING, entries.iter().map(|(line, entry)| (*line, entry.id.as_str())));
        for (line, entry) in &entries {
            if entry.branch != branch.name() {
                let message = format!("the source belongs to branch `{}`", entry.branch);
                self.error(root::PENDING, Some(*line), message);
            }
            if entry.status == SourceStatus::Failed && entry.last_error.is_none() {
                let message = "the source failed but `lastError` is missing";
                self.warning(root::PENDING, Some(*line), message);
            }
            if entry.status == SourceStatus::Processing {
                let message = "the source is `processing`: a commit runs or was stopped";
                self.warning(root::PENDING, Some(*line), message);
            }
        }
        let entries: Vec<PendingSource> = entries.into_iter().map(|(_, entry)| entry).collect();
        if is_miscounted(branch, &entries) {
            let message = format!("the counts differ from `{}`", root::PENDING);
            self.repairable(root::SUMMARY, message, Severity::Error);
        }
        Ok(())
    }

    fn memory(&mut self, branch: &Branch) -> Result<()> {
        let memory = branch.memory();
        let sources = relative(self.dir, &memory.sources_path());
        let archive = relative(self.dir, &memory.archive_path());
        let entries = self.lines::<MemoryEntry>(&sources)?;
        let archived = self.lines::<MemoryEntry>(&archive)?;
        self.unique(&sources, entries.iter().map(|(line, entry)| (*line, entry.id.as_str())));
        self.unique(&archive, archived.iter().map(|(line, entry)| (*line, entry.id.as_str())));
        for (line, entry) in &entries {
            for problem in memory::problems(entry) {
                self.error(&sources, Some(*line), problem);
            }
            if entry.scope == MemoryScope::Branch
                && let Some(other) = entry.branch.as_deref().filter(|&name| name != branch.name())
            {
                let message = format!("the entry belongs to branch `{other}`");
                self.error(&sources, Some(*line), message);
            }
        }
        let active: HashSet<&str> = entries.iter().map(|(_, entry)| entry.id.as_str()).collect();
        for (line, entry) in &archived {
            if active.contains(entry.id.as_str()) {
                let message = format!("entry `{}` is archived and active", entry.id);
                self.warning(&archive, Some(*line), message);
            }
        }
        self.json::<gik_contract::MemoryConfig>(&memory.config_path());
        if !entries.is_empty() && memory_count(&memory) != Some(entries.len() as u64) {
            let file = relative(self.dir, &memory.stats_path());
            let message = format!("the counts differ from `{sources}`");
            self.repairable(&file, message, Severity::Warning);
        }
        Ok(())
    }
}

fn is_branching(revision: &Revision) -> bool {
    revision.operations.iter().any(
        |operation| matches!(operation, RevisionOperation::Custom { name, .. } if name == "branch"),
    )
}

/// Whether `summary.json` is there and wrong; a missing one is counted anew by every reader.
fn is_miscounted(branch: &Branch, pending: &[PendingSource]) -> bool {
    if !fs::exists(&branch.summary_path()) {
        return false;
    }
    let Ok(mut written) = branch.summary() else { return true };
    let counted = staging::summarize(pending, clock::now());
    written.last_updated_at = counted.last_updated_at;
    written != counted
}

/// The number of entries that `stats.json` says; `None` where it says nothing.
fn memory_count(memory: &crate::MemoryBase) -> Option<u64> {
    memory.stats().ok().flatten().map(|stats| stats.chunk_count)
}

fn relative(dir: &Path, path: &Path) -> String {
    let path = path.strip_prefix(dir).unwrap_or(path);
    gik_base::FileKey::from_relative(path).unwrap_or_default().as_str().to_owned()
}
