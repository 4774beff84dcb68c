//! Where the warm process of the user is found, and whether the user wants one.
//!
//! One process per user and `GIK_HOME` keeps open what is slow to open and answers for others, over a socket in a folder
//! that only the user can enter. Nothing in a workspace has a say in where that is.

use std::path::PathBuf;

use gik_base::{ErrorCode, Failure, Result, env, fs, hash, process};

use crate::settings::{DaemonSettings, LayerPaths, Trust, load};

/// The shortest limit that a system sets for the path of a socket, its end included.
const MOST_PATH_BYTES: usize = 104;

/// Where the warm process is found.
#[derive(Debug, Clone)]
pub struct Place {
    folder: PathBuf,
    /// The socket it listens on.
    pub socket: PathBuf,
    /// Held by the one process that may listen on it.
    pub lock: PathBuf,
}

impl Place {
    /// The place of this user and this `GIK_HOME`. Nothing is looked at.
    pub fn of_user() -> Result<Self> {
        let home = env::gik_home().filter(|home| home.is_absolute()).ok_or_else(|| {
            Failure::new(ErrorCode::ConfigInvalid, "there is no home folder with a whole path")
                .hint(format!("set `{}` to a folder of yours", env::GIK_HOME))
        })?;
        let folder = match env::runtime_dir() {
            Some(runtime) => runtime.join("gik"),
            None => home.join("run"),
        };
        let name = format!("{:016x}", hash::fast64(home.as_os_str().as_encoded_bytes()));
        let socket = folder.join(format!("{name}.sock"));
        if socket.as_os_str().len() >= MOST_PATH_BYTES {
            let message = format!("`{}` is too long for the path of a socket", socket.display());
            return Err(Failure::new(ErrorCode::NotSupported, message)
                .hint(format!("set `{}` to a shorter folder of yours", env::XDG_RUNTIME_DIR)));
        }
        Ok(Self { lock: folder.join(format!("{name}.lock")), folder, socket })
    }

    /// Whether there is a socket; fails where anyone else could have put it there.
    pub fn has_socket(&self) -> Result<bool> {
        Ok(fs::is_private_dir(&self.folder)?
            && fs::symlink_metadata_if_present(&self.socket)?.is_some())
    }

    /// Makes the folder where it is missing; fails where anyone else can enter it.
    pub fn prepare(&self) -> Result<()> {
        if !fs::is_private_dir(&self.folder)? {
            fs::create_private_dir_all(&self.folder)?;
            fs::is_private_dir(&self.folder)?;
        }
        Ok(())
    }

    /// Whether a process listens there.
    pub fn is_listened_to(&self) -> Result<bool> {
        Ok(self.has_socket()? && process::connect_to_own(&self.socket).is_ok())
    }
}

/// What the user's own config file says of the warm process; no other file has a say.
pub fn settings() -> Result<DaemonSettings> {
    let global = env::gik_home().map(|home| home.join("config.yaml"));
    let paths = LayerPaths { global, project: PathBuf::new() };
    Ok(load(&paths, Trust::default(), &[], &[])?.settings.daemon)
}
