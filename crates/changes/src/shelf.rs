//! Where proposals wait: one file each in `.guided/changes/`, which no version control takes up.

use std::path::{Path, PathBuf};

use gik_base::fs::{self, Durability};
use gik_base::{Context as _, ErrorCode, Failure, Result};
use gik_ledger::Held;

use crate::content::Proposal;
use crate::place::Site;

/// Older proposals are dropped.
const MOST_SECONDS: i64 = 7 * 24 * 3600;
/// Of more proposals the oldest are dropped.
const MOST_PROPOSALS: usize = 50;
/// What a longer file holds is not a proposal.
const MOST_FILE_BYTES: u64 = 128 << 20;

/// The proposals of a workspace.
#[derive(Debug)]
pub struct Shelf {
    dir: PathBuf,
    workspace: String,
}

impl Shelf {
    /// The proposals in a folder, which need not exist.
    pub fn new(dir: &Path, site: &Site) -> Self {
        Self { dir: dir.to_owned(), workspace: site.name() }
    }

    /// Keeps a proposal; one with the same id is the same and takes its place. Drops what is old.
    pub fn put(&self, _held: &Held, proposal: &Proposal) -> Result<()> {
        fs::create_dir_all(&self.dir)?;
        let ignore = self.dir.join(".gitignore");
        if fs::symlink_metadata_if_present(&ignore)?.is_none() {
            fs::write_atomic(&ignore, b"*\n", Durability::Cached)?;
        }
        self.prune(proposal)?;
        let mut bytes = serde_json::to_vec(proposal)
            .context(ErrorCode::Internal, || "cannot write the proposal".to_owned())?;
        bytes.push(b'\n');
        fs::write_atomic(&self.path(&proposal.id), &bytes, Durability::Synced)
    }

    /// All proposals, oldest first, and the ids of those that cannot be read.
    pub fn list(&self) -> Result<(Vec<Proposal>, Vec<String>)> {
        let (mut proposals, mut damaged) = (Vec::new(), Vec::new());
        for id in self.ids()? {
            match self.read(&id) {
                Ok(proposal) => proposals.extend(proposal),
                Err(failure) if failure.code() == ErrorCode::ContractInvalid => damaged.push(id),
                Err(failure) => return Err(failure),
            }
        }
        proposals
            .sort_by(|one, other| (one.created_at, &one.id).cmp(&(other.created_at, &other.id)));
        Ok((proposals, damaged))
    }

    /// The id that begins so.
    pub fn resolve(&self, begin: &str) -> Result<String> {
        let ids = self.ids()?;
        let mut found = ids.iter().filter(|id| !begin.is_empty() && id.starts_with(begin));
        match (found.next(), found.next()) {
            (Some(id), None) => Ok(id.clone()),
            (Some(_), Some(_)) => {
                let message = format!("several proposed changes begin with `{begin}`");
                Err(Failure::new(ErrorCode::ArgumentInvalid, message)
                    .hint("write more of the id; `gik changes list` shows them"))
            },
            (None, _) => Err(missing(begin)),
        }
    }

    /// The proposal whose id begins so.
    pub fn find(&self, begin: &str) -> Result<Proposal> {
        let id = self.resolve(begin)?;
        self.read(&id)?.ok_or_else(|| missing(begin))
    }

    /// Forgets a proposal. Says whether there was one.
    pub fn remove(&self, _held: &Held, id: &str) -> Result<bool> {
        fs::take_file(&self.path(id))
    }

    fn path(&self, id: &str) -> PathBuf {
        self.dir.join(format!("{id}.json"))
    }

    fn ids(&self) -> Result<Vec<String>> {
        let is_id = |name: &str| {
            name.len() == 16
                && name.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
        };
        let names = fs::list_dir(&self.dir)?.into_iter().filter_map(|path| {
            let name = path.file_name()?.to_str()?.strip_suffix(".json")?;
            is_id(name).then(|| name.to_owned())
        });
        Ok(names.collect())
    }

    fn read(&self, id: &str) -> Result<Option<Proposal>> {
        let path = self.path(id);
        let Some(metadata) = fs::symlink_metadata_if_present(&path)? else { return Ok(None) };
        let damaged = || {
            let message = format!("the proposed change `{id}` cannot be read");
            Failure::new(ErrorCode::ContractInvalid, message)
                .hint(format!("`gik changes discard {id}` removes it"))
        };
        if !metadata.is_file() || metadata.len() > MOST_FILE_BYTES {
            return Err(damaged());
        }
        let Some(bytes) = fs::read_if_present(&path)? else { return Ok(None) };
        let proposal: Proposal = serde_json::from_slice(&bytes).map_err(|_| damaged())?;
        proposal.check(&self.workspace)?;
        if proposal.id != id {
            return Err(damaged());
        }
        Ok(Some(proposal))
    }

    /// Drops what is old, to make room for one more.
    fn prune(&self, coming: &Proposal) -> Result<()> {
        let (proposals, damaged) = self.list()?;
        let others: Vec<_> = proposals.iter().filter(|it| it.id != coming.id).collect();
        let too_many = (others.len() + 1).saturating_sub(MOST_PROPOSALS);
        let is_old = |it: &Proposal| coming.created_at - it.created_at > MOST_SECONDS;
        for (at, proposal) in others.into_iter().enumerate() {
            if at < too_many || is_old(proposal) {
                fs::remove_file_if_present(&self.path(&proposal.id))?;
            }
        }
        for id in damaged {
            fs::remove_file_if_present(&self.path(&id))?;
        }
        Ok(())
    }
}

fn missing(begin: &str) -> Failure {
    let begin: String = begin.chars().take(64).collect();
    Failure::new(ErrorCode::ChangeMissing, format!("there is no proposed change `{begin}`"))
        .hint("`gik changes list` shows those there are; what was applied is gone from it")
}
