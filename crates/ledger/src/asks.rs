//! Which questions were asked (`asks/ask.log.jsonl`) and how long other answers were (`asks/answers.jsonl`), a line each,
//! shared by all branches.
//!
//! Not part of any transaction: a question is logged while another process may be committing, so the logs have a lock
//! of their own, held for one append.

use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gik_base::fs::{self, Durability};
use gik_base::lock::Lock;
use gik_base::{Cancel, Result};
use gik_contract::{AnswerLogEntry, AskLogEntry};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::tail::{self, Offset};
use crate::{held, jsonl};

/// How long an append waits for another one; each takes well under a millisecond.
const PATIENCE: Duration = Duration::from_secs(2);

/// The log of questions of a workspace.
pub type AskLog = Log<AskLogEntry>;
/// The lengths of other answers.
pub type AnswerLog = Log<AnswerLogEntry>;

/// About ten thousand answers: a week of an agent that asks all day.
const MOST_ANSWER_BYTES: u64 = 1 << 20;

/// A log of a workspace. Need not exist.
#[derive(Debug, Clone)]
pub struct Log<T> {
    path: PathBuf,
    /// A longer file loses the older half of its lines.
    most_bytes: u64,
    entry: PhantomData<fn(T)>,
}

impl AskLog {
    pub(crate) fn at(knowledge: &Path) -> Self {
        let path = knowledge.join("asks").join("ask.log.jsonl");
        Self { path, most_bytes: u64::MAX, entry: PhantomData }
    }
}

impl AnswerLog {
    pub(crate) fn of_answers(knowledge: &Path) -> Self {
        let path = knowledge.join("asks").join("answers.jsonl");
        Self { path, most_bytes: MOST_ANSWER_BYTES, entry: PhantomData }
    }
}

impl<T: Serialize + DeserializeOwned> Log<T> {
    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a line in one write, after setting aside the torn end that a kill may have left.
    pub fn append(&self, entry: &T) -> Result<()> {
        let lock_path = self.path.with_file_name(held::LOCK);
        let _lock = Lock::acquire(&lock_path, PATIENCE, &Cancel::default())?;
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        tail::repair(&self.path, &name)?;
        self.forget_the_oldest()?;
        fs::append(&self.path, &jsonl::to_lines([entry])?, Durability::Cached)
    }

    fn forget_the_oldest(&self) -> Result<()> {
        let length = fs::metadata(&self.path).map_or(0, |metadata| metadata.len());
        if length <= self.most_bytes {
            return Ok(());
        }
        let bytes = fs::read(&self.path)?;
        let newer = &bytes[bytes.len() / 2..];
        let start = newer.iter().position(|&byte| byte == b'\n').map_or(newer.len(), |at| at + 1);
        fs::write_atomic(&self.path, &newer[start..], Durability::Cached)
    }

    /// The last `limit` entries, newest last. Lines that cannot be understood are left out: a history with a gap is
    /// better than none.
    pub fn read(&self, limit: usize) -> Result<Vec<T>> {
        let mut window: u64 = 1 << 16;
        loop {
            let Some((length, end)) = tail::read_from(&self.path, Offset::BeforeEnd(window))?
            else {
                return Ok(Vec::new());
            };
            let is_all = window >= length;
            // The window may begin inside a line.
            let start = match end.iter().position(|&byte| byte == b'\n') {
                _ if is_all => 0,
                Some(at) => at + 1,
                None => end.len(),
            };
            let mut entries: Vec<T> =
                jsonl::lines(&end[start..]).filter_map(|line| line.parse().ok()).collect();
            if is_all || entries.len() >= limit {
                entries.drain(..entries.len().saturating_sub(limit));
                return Ok(entries);
            }
            window = window.saturating_mul(4);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Knowledge;

    fn entry(question: &str) -> AskLogEntry {
        AskLogEntry {
            timestamp: "2024-01-15T10:30:00Z".parse().unwrap(),
            branch: "main".to_owned(),
            question: question.to_owned(),
            bases: vec!["code".to_owned(), "docs".to_owned()],
            total_hits: 8,
            bundle_path: None,
            answer_bytes: None,
            files_bytes: None,
            files: None,
            extra: gik_contract::Extra::new(),
        }
    }

    fn questions(log: &AskLog, limit: usize) -> Vec<String> {
        log.read(limit).unwrap().into_iter().map(|entry| entry.question).collect()
    }

    #[test]
    fn a_question_is_one_line_with_the_fields_of_the_contract() {
        let dir = tempfile::tempdir().unwrap();
        let log = Knowledge::at(dir.path()).ask_log();
        assert!(log.read(10).unwrap().is_empty());
        log.append(&entry("How does the API work?")).unwrap();
        assert_eq!(
            std::fs::read_to_string(dir.path().join(".guided/knowledge/asks/ask.log.jsonl"))
                .unwrap(),
            "{\"timestamp\":\"2024-01-15T10:30:00Z\",\"branch\":\"main\",\
             \"question\":\"How does the API work?\",\"bases\":[\"code\",\"docs\"],\"totalHits\":8}\n"
        );
    }

    #[test]
    fn the_newest_come_last_and_the_limit_holds_over_many_windows() {
        let dir = tempfile::tempdir().unwrap();
        let log = Knowledge::at(dir.path()).ask_log();
        let names: Vec<String> = (0..50).map(|at| format!("{at} {}", "x".repeat(9000))).collect();
        for name in &names {
            log.append(&entry(name)).unwrap();
        }
        assert_eq!(questions(&log, 0), Vec::<String>::new());
        assert_eq!(questions(&log, 3), names[47..]);
        assert_eq!(questions(&log, 40), names[10..]);
        assert_eq!(questions(&log, 100), names);
    }

    #[test]
    fn a_torn_end_is_set_aside_by_the_next_question() {
        let dir = tempfile::tempdir().unwrap();
        let log = Knowledge::at(dir.path()).ask_log();
        log.append(&entry("one")).unwrap();
        fs::append(log.path(), b"{\"timestamp\":", Durability::Cached).unwrap();
        assert_eq!(questions(&log, 9), ["one"]);
        log.append(&entry("two")).unwrap();
        assert_eq!(questions(&log, 9), ["one", "two"]);
        assert_eq!(fs::read(&tail::aside(log.path())).unwrap(), b"{\"timestamp\":\n");
    }

    #[test]
    fn lengths_of_answers_are_bounded_and_the_newest_stay() {
        let dir = tempfile::tempdir().unwrap();
        let log = AnswerLog { most_bytes: 2_000, ..Knowledge::at(dir.path()).answer_log() };
        for number in 0..200 {
            let entry = AnswerLogEntry {
                timestamp: "2024-01-15T10:30:00Z".parse().unwrap(),
                tool: "search".to_owned(),
                answer_bytes: number,
                instead_bytes: 0,
                files: 1,
                extra: gik_contract::Extra::new(),
            };
            log.append(&entry).unwrap();
            assert!(fs::metadata(log.path()).unwrap().len() < 2_200);
        }
        let kept: Vec<u64> =
            log.read(usize::MAX).unwrap().iter().map(|entry| entry.answer_bytes).collect();
        assert!(kept.len() > 5, "{kept:?}");
        assert_eq!(kept, (200 - kept.len() as u64..200).collect::<Vec<_>>());
    }

    #[test]
    fn questions_of_many_threads_are_all_kept() {
        let dir = tempfile::tempdir().unwrap();
        let log = Knowledge::at(dir.path()).ask_log();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let log = &log;
                scope.spawn(move || {
                    for at in 0..25 {
                        log.append(&entry(&format!("{thread}-{at}"))).unwrap();
                    }
                });
            }
        });
        assert_eq!(log.read(1000).unwrap().len(), 100);
    }
}
