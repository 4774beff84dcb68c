//! Fetches a model from an endpoint that speaks the Hugging Face API.
//!
//! `hub` asks which files there are, `download` gets each of them and goes on where an earlier try stopped. Whoever
//! pulls a model by name agrees to talk to that endpoint, and to the encrypted hosts it hands its files out from.

mod download;
mod hub;
#[cfg(test)]
mod tests;

use std::time::Duration;

use gik_base::{Cancel, ErrorCode, Failure, Progress, Result, env};
use gik_contract::{ModelFile, ModelSource, ModelSourceKind};

use super::inspect::{WEIGHTS, check_config};
use super::name::ModelName;
use super::{Installed, Library};
use crate::http::Patience;

use download::Download;
pub use hub::Hub;

/// The endpoint where none is named.
pub const ENDPOINT: &str = "https://huggingface.co";

/// How hard a download is tried.
#[derive(Debug, Clone, Copy)]
pub struct Tries {
    /// How often in a row without a single new byte.
    pub most: u32,
    /// The pause before the second one; it doubles each time.
    pub pause: Duration,
    /// How long a server may be silent.
    pub silence: Duration,
}

impl Default for Tries {
    fn default() -> Self {
        Self { most: 5, pause: Duration::from_millis(500), silence: Duration::from_secs(30) }
    }
}

impl Tries {
    fn patience(self) -> Patience {
        Patience { connect: self.silence, answer: self.silence, silence: self.silence }
    }
}

/// What to fetch.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// A branch, tag or commit; `main` where none is given.
    pub revision: Option<String>,
    /// One GGUF file of the repository, instead of an embedder.
    pub file: Option<String>,
}

/// What became of a pull.
#[derive(Debug)]
pub struct Pulled {
    /// The model.
    pub installed: Installed,
    /// The bytes that came over the network; 0 where all was there.
    pub fetched_bytes: u64,
    /// The bytes that an earlier try had fetched.
    pub resumed_bytes: u64,
}

impl Library {
    /// Fetches a model and makes it the active revision. What was fetched before is not fetched again.
    pub fn pull(
        &self,
        hub: &Hub,
        name: &ModelName,
        wanted: &Wanted,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Pulled> {
        let listing = hub.listing(name, wanted, cancel)?;
        let filling = self.fill(name, &listing.revision, progress, cancel)?;
        if let Some(installed) = self.intact(name, &listing, progress, cancel)? {
            self.activate(name, &listing.revision)?;
            gik_base::fs::remove_dir_all_if_present(filling.folder())?;
            let installed = Installed { active: true, ..installed };
            return Ok(Pulled { installed, fetched_bytes: 0, resumed_bytes: 0 });
        }
        let (mut files, mut fetched_bytes, mut resumed_bytes) = (Vec::new(), 0, 0);
        for entry in &listing.files {
            if entry.path == WEIGHTS {
                check_config(filling.folder())?;
            }
            let place = filling.place(&entry.path)?;
            let download = Download::new(hub, listing.url_of(hub, entry)?, entry, &place);
            let done = download.run(&place, progress, cancel)?;
            fetched_bytes += done.fetched;
            resumed_bytes += done.resumed;
            files.push(ModelFile {
                path: entry.path.clone(),
                size: done.size,
                sha256: done.sha256,
            });
        }
        let location = hub.location(name);
        let source = ModelSource { kind: ModelSourceKind::Hub, location };
        let installed = filling.finish(files, Some(&listing.revision), source)?;
        Ok(Pulled { installed, fetched_bytes, resumed_bytes })
    }

    /// The revision, where it is there with all files and their bytes are right.
    fn intact(
        &self,
        name: &ModelName,
        listing: &hub::Listing,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Option<Installed>> {
        let Some(installed) = self.find_revision(name, &listing.revision)? else { return Ok(None) };
        let has = |path: &str| installed.manifest.files.iter().any(|file| file.path == path);
        let is_whole = listing.files.iter().all(|entry| has(&entry.path))
            && installed.verify(progress, cancel)?.is_empty();
        Ok(is_whole.then_some(installed))
    }
}

/// Refuses to use the network where the user said so.
pub fn refuse_offline(what: &str) -> Result<()> {
    if !env::is_offline() {
        return Ok(());
    }
    Err(offline(what).hint(format!("unset `{}` to allow it", env::GIK_OFFLINE)))
}

/// The failure of something that needs the network.
pub fn offline(what: &str) -> Failure {
    Failure::new(
        ErrorCode::Offline,
        format!("{what} needs the network, and gik is to stay offline"),
    )
}
