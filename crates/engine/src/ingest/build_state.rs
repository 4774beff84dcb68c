//! `index_state.json` and `build_state.json`: what readers may rely on, and where the index comes from.
//!
//! They are written beside the index whenever a generation is made, without waiting for the disk: what counts is in the
//! database, and a state that was lost is written again by the next change.

use std::collections::BTreeMap;

use gik_base::fs::Durability;
use gik_base::{Progress, Result, clock, fs, hash};
use gik_contract::Timestamp;
use gik_contract::build::{
    BuildState, IndexState, Readiness, RepoHead, RepoState, StageState, ToolVersion,
};
use gik_discover::{Provider, Scm};
use gik_ledger::{Branch, jsonl};
use gik_store::Access;

use super::difference::Difference;
use super::prepare::Depth;
use crate::Workspace;
use crate::modes::Modes;

/// The stage of structure.
const STRUCTURE: &str = "stage2";
/// The stage of vectors.
const VECTORS: &str = "stage3";
const SCHEMA_VERSION: &str = "1.0.0";
/// Counts up when the same files and rules may give another index for reasons that the rules do not name.
const SIGNATURE_VERSION: u32 = 1;

/// A build and how far it is.
#[derive(Debug)]
pub(super) struct Build<'a> {
    branch: &'a Branch,
    scm: &'a Scm,
    id: String,
    modes: Modes,
    began: Timestamp,
    /// Files that the index will hold.
    total: u64,
    /// Files whose words are not there yet.
    without_words: u64,
    /// Files that are not taken apart yet.
    without_structure: u64,
    has_fts: bool,
    /// Files without vectors, where any base has vectors.
    without_vectors: Option<u64>,
}

impl<'a> Build<'a> {
    pub(super) fn new(ws: &'a Workspace<'_>, difference: &Difference, has_fts: bool) -> Self {
        Self {
            without_vectors: None,
            branch: &ws.branch,
            scm: &ws.scm,
            id: build_id(&ws.scm, &difference.rules),
            modes: difference.modes,
            began: clock::now(),
            total: difference.found.len() as u64,
            without_words: 0,
            without_structure: 0,
            has_fts,
        }
    }

    /// Says how many files each stage still has to pass.
    pub(super) fn plan(&mut self, without_words: u64, without_structure: u64) {
        self.without_words = without_words;
        self.without_structure = without_structure;
    }

    /// Notes that one file has been read so far.
    pub(super) fn advance(&mut self, depth: Depth, is_whole: bool) {
        let left = match depth {
            Depth::Words => &mut self.without_words,
            Depth::Structure => &mut self.without_structure,
        };
        *left = left.saturating_sub(1);
        if depth == Depth::Words && is_whole {
            self.without_structure = self.without_structure.saturating_sub(1);
        }
    }

    /// Says how many files are without vectors, where any base has vectors.
    pub(super) fn lack_vectors(&mut self, files: Option<u64>) {
        self.without_vectors = files;
    }

    /// Writes both files. The generation they tell of is made, so failing to tell does not undo it.
    pub(super) fn tell(&self, progress: &dyn Progress) {
        if let Err(failure) = self.write() {
            progress.warn(&format!("the state of the index could not be written: {failure}"));
        }
    }

    fn write(&self) -> Result<()> {
        let now = clock::now();
        let stages = self.stages();
        let build = BuildState {
            schema_version: SCHEMA_VERSION.to_owned(),
            signature_version: SIGNATURE_VERSION,
            build_id: self.id.clone(),
            created_at: self.began,
            updated_at: now,
            stage: stage_of(&stages),
            tool: ToolVersion { version: env!("CARGO_PKG_VERSION").to_owned() },
            repo: repo(self.scm),
            progress: stages.clone(),
        };
        let index = IndexState {
            schema_version: SCHEMA_VERSION.to_owned(),
            generated_at: now,
            build_id: self.id.clone(),
            modes: self.modes.names().into_iter().map(str::to_owned).collect(),
            stages,
        };
        let build = jsonl::to_json(&build)?;
        fs::write_atomic(&self.branch.build_state_path(), &build, Durability::Cached)?;
        let index = jsonl::to_json(&index)?;
        fs::write_atomic(&self.branch.index_state_path(), &index, Durability::Cached)
    }

    fn stages(&self) -> BTreeMap<String, StageState> {
        let mut stages = BTreeMap::from([
            ("stage1".to_owned(), self.stage(self.without_words)),
            (STRUCTURE.to_owned(), self.stage(self.without_structure)),
        ]);
        if let Some(left) = self.without_vectors {
            stages.insert(VECTORS.to_owned(), self.stage(left.max(self.without_words)));
        }
        if self.has_fts {
            stages.insert("stage4".to_owned(), self.stage(self.without_structure));
        }
        stages
    }

    fn stage(&self, left: u64) -> StageState {
        stage(left, self.total)
    }
}

fn stage(left: u64, total: u64) -> StageState {
    let left = left.min(total);
    let state = match left {
        0 => Readiness::Ready,
        left if left == total => Readiness::Pending,
        _ => Readiness::Running,
    };
    StageState { state, files: total - left, total }
}

/// Writes how far the vectors are, after a generation that changed nothing else.
pub(super) fn tell_vectors(ws: &Workspace<'_>) {
    let write = || -> Result<()> {
        let index_path = ws.branch.index_state_path();
        let Some(mut index) = jsonl::read_json::<IndexState>(&index_path)? else { return Ok(()) };
        let Some(left) = ws.store(Access::ReadOnly)?.files_without_vectors()? else {
            return Ok(());
        };
        let total = index.stages.get(STRUCTURE).map_or(left, |stage| stage.total);
        let vectors = stage(left, total);
        index.stages.insert(VECTORS.to_owned(), vectors.clone());
        index.generated_at = clock::now();
        let build_path = ws.branch.build_state_path();
        if let Some(mut build) = jsonl::read_json::<BuildState>(&build_path)? {
            build.updated_at = index.generated_at;
            build.progress.insert(VECTORS.to_owned(), vectors);
            build.stage = stage_of(&build.progress);
            fs::write_atomic(&build_path, &jsonl::to_json(&build)?, Durability::Cached)?;
        }
        fs::write_atomic(&index_path, &jsonl::to_json(&index)?, Durability::Cached)
    };
    if let Err(failure) = write() {
        ws.ctx.progress.warn(&format!("the state of the index could not be written: {failure}"));
    }
}

/// The stage that is being built, or the last one when all are.
fn stage_of(stages: &BTreeMap<String, StageState>) -> String {
    let unready = stages.iter().find(|(_, stage)| stage.state != Readiness::Ready);
    let last = stages.last_key_value();
    unready.or(last).map_or_else(String::new, |(name, _)| name.clone())
}

/// The modes of the last build.
pub(super) fn modes(ws: &Workspace<'_>) -> Modes {
    let state: Option<IndexState> = jsonl::read_json(&ws.branch.index_state_path()).ok().flatten();
    let names = state.map(|state| state.modes).unwrap_or_default();
    Modes::of_names(names.iter().map(String::as_str))
}

/// How far a build is that has not come to its end, as far as the state that it left can be understood.
pub(super) fn unfinished(ws: &Workspace<'_>) -> Option<String> {
    let state: IndexState = jsonl::read_json(&ws.branch.index_state_path()).ok().flatten()?;
    let told = |name: &str, what: &str| {
        let stage = state.stages.get(name).filter(|stage| stage.state != Readiness::Ready)?;
        Some(format!("the {what} of {} of {} files", stage.files, stage.total))
    };
    told("stage1", "words").or_else(|| told("stage2", "structure"))
}

/// The commit and what decides over the content: the same on every machine, with `noscm` where there is no commit.
fn build_id(scm: &Scm, rules: &str) -> String {
    const SHOWN: usize = 12;
    let head = match (&scm.head, scm.provider) {
        (Some(head), Provider::Git | Provider::Jj) => head.get(..SHOWN).unwrap_or(head),
        _ => "noscm",
    };
    let mut signature = hash::Fast64::default();
    signature.update(rules.as_bytes());
    format!("{head}-{:08x}", signature.finish() >> 32)
}

fn repo(scm: &Scm) -> RepoState {
    let branch = Some(scm.branch.clone());
    let head = match scm.provider {
        Provider::Git => {
            Some(RepoHead { commit_id: scm.head.clone(), branch, ..RepoHead::default() })
        },
        Provider::Jj => {
            Some(RepoHead { operation_id: scm.head.clone(), branch, ..RepoHead::default() })
        },
        Provider::None => None,
    };
    RepoState { provider: scm.provider.as_str().to_owned(), head }
}
