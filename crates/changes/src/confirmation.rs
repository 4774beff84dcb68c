//! Tokens by which a person lets a program apply one change: good once, for a minute, for exactly that change of exactly
//! those files.
//!
//! They are made by a command that no program is served. `<gik home>/confirmations/` holds one file per token, named
//! after its hash and readable by the user alone, so that neither the workspace nor a copy of that folder gives one away.

use std::path::{Path, PathBuf};

use gik_base::{Context as _, ErrorCode, Failure, Result, fs, hash, ids};
use serde::{Deserialize, Serialize};

/// As long as a token is good.
pub const LIFETIME_SECONDS: i64 = 60;
const PREFIX: &str = "gik-";
const DIGITS: usize = 64;

/// The tokens that are good.
#[derive(Debug)]
pub struct Confirmations {
    dir: PathBuf,
}

/// A new token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Minted {
    /// What the program has to show.
    pub token: String,
    /// Until when it is good, in seconds since 1970.
    pub expires_at: i64,
}

/// What is kept of a token.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Kept {
    workspace: String,
    digest: String,
    minted_at: i64,
    expires_at: i64,
}

impl Confirmations {
    /// The tokens of a user.
    pub fn of(home: &Path) -> Self {
        Self { dir: home.join("confirmations") }
    }

    /// Makes a token for a change of a workspace.
    pub fn mint(&self, workspace: &str, digest: &str, now: i64) -> Result<Minted> {
        fs::create_private_dir_all(&self.dir)?;
        self.sweep(now)?;
        let random = format!("{}{}", ids::new_uuid(), ids::new_uuid());
        let token = format!("{PREFIX}{}", hash::sha256_hex(random.as_bytes()));
        let expires_at = now.saturating_add(LIFETIME_SECONDS);
        let kept = Kept {
            workspace: workspace.to_owned(),
            digest: digest.to_owned(),
            minted_at: now,
            expires_at,
        };
        let bytes = serde_json::to_vec(&kept)
            .context(ErrorCode::Internal, || "cannot write the confirmation".to_owned())?;
        fs::write_private_new(&self.path(&token), &bytes)?;
        Ok(Minted { token, expires_at })
    }

    /// Takes a token for a change, so that nobody can take it again. A token for another change is left as it is.
    pub fn take(&self, token: &str, workspace: &str, digest: &str, now: i64) -> Result<()> {
        let is_token = token.strip_prefix(PREFIX).is_some_and(|rest| {
            rest.len() == DIGITS && rest.bytes().all(|byte| byte.is_ascii_hexdigit())
        });
        let path = self.path(token);
        let kept = if is_token { fs::read_if_present(&path)? } else { None };
        let Some(kept) = kept else { return Err(refused("is not known, or was used before")) };
        let kept: Kept =
            serde_json::from_slice(&kept).map_err(|_| refused("is kept in a damaged file"))?;
        if kept.workspace != workspace {
            return Err(refused("is for another workspace"));
        }
        if kept.digest != digest {
            return Err(refused("is for another change, or a file changed since it was made"));
        }
        let is_there = fs::take_file(&path)?;
        if now < kept.minted_at || now >= kept.expires_at {
            return Err(refused("is no longer good"));
        }
        if is_there { Ok(()) } else { Err(refused("was used before")) }
    }

    fn path(&self, token: &str) -> PathBuf {
        self.dir.join(format!("{}.json", hash::sha256_hex(token.as_bytes())))
    }

    /// Removes what is no longer good.
    fn sweep(&self, now: i64) -> Result<()> {
        for path in fs::list_dir(&self.dir)? {
            let kept = fs::read_if_present(&path)?;
            let kept: Option<Kept> = kept.and_then(|bytes| serde_json::from_slice(&bytes).ok());
            if kept.is_none_or(|kept| now < kept.minted_at || now >= kept.expires_at) {
                fs::remove_file_if_present(&path)?;
            }
        }
        Ok(())
    }
}

fn refused(why: &str) -> Failure {
    Failure::new(ErrorCode::ConfirmationRequired, format!("the confirmation token {why}"))
        .hint("nothing was written; `gik changes confirm ID`, typed by a person, makes a token")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(result: Result<()>) -> Option<ErrorCode> {
        result.err().map(|failure| failure.code())
    }

    #[test]
    fn a_token_is_good_once() {
        let home = tempfile::tempdir().unwrap();
        let tokens = Confirmations::of(home.path());
        let minted = tokens.mint("/w", "d", 1000).unwrap();
        assert_eq!(minted.expires_at, 1060);
        assert_eq!(code(tokens.take(&minted.token, "/w", "d", 1059)), None);
        let again = tokens.take(&minted.token, "/w", "d", 1059);
        assert_eq!(code(again), Some(ErrorCode::ConfirmationRequired));
    }

    #[test]
    fn a_token_is_good_for_a_minute_and_for_what_it_was_made_for() {
        let home = tempfile::tempdir().unwrap();
        let tokens = Confirmations::of(home.path());
        let refused = Some(ErrorCode::ConfirmationRequired);
        let minted = tokens.mint("/w", "d", 1000).unwrap();
        assert_eq!(code(tokens.take(&minted.token, "/other", "d", 1001)), refused);
        assert_eq!(code(tokens.take(&minted.token, "/w", "other", 1001)), refused);
        assert_eq!(code(tokens.take(&minted.token, "/w", "d", 1001)), None);
        for late in [1060, 999, 5000] {
            let minted = tokens.mint("/w", "d", 1000).unwrap();
            assert_eq!(code(tokens.take(&minted.token, "/w", "d", late)), refused, "{late}");
            // A clock that is set back does not bring it back.
            assert_eq!(code(tokens.take(&minted.token, "/w", "d", 1001)), refused);
        }
    }

    #[test]
    fn what_is_no_token_opens_nothing() {
        let home = tempfile::tempdir().unwrap();
        let tokens = Confirmations::of(home.path());
        let minted = tokens.mint("/w", "d", 0).unwrap();
        let longer = format!("{}0", minted.token);
        for token in
            ["", "gik-", "../../x", &longer, &minted.token[..67], &minted.token.to_uppercase()]
        {
            assert!(tokens.take(token, "/w", "d", 1).is_err(), "{token}");
        }
        assert!(tokens.take(&minted.token, "/w", "d", 1).is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn only_the_hash_is_kept_and_only_for_the_user() {
        use std::os::unix::fs::PermissionsExt as _;
        let home = tempfile::tempdir().unwrap();
        let tokens = Confirmations::of(home.path());
        let old = tokens.mint("/w", "d", 0).unwrap();
        let minted = tokens.mint("/w", "d", 1000).unwrap();
        assert!(tokens.take(&old.token, "/w", "d", 1).is_err(), "it was swept");
        let dir = home.path().join("confirmations");
        assert_eq!(std::fs::metadata(&dir).unwrap().permissions().mode() & 0o777, 0o700);
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let name = path.to_string_lossy().into_owned();
            assert!(!text.contains(&minted.token[4..]) && !name.contains(&minted.token[4..]));
            assert_eq!(std::fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }
}
