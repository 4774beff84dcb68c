//! The one table of error codes: what scripts match on, and the exit status each gives.
//!
//! Not for messages: those are written where the failure happens, beside the facts they name.

/// Declares the enum, its kebab-case names, the names the data contract uses and the exit statuses in one place.
macro_rules! error_codes {
    ($($variant:ident = $code:literal, $exit:literal, $meaning:literal;)*) => {
        /// Why a command could not do what was asked.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum ErrorCode {
            $(#[doc = $meaning] $variant,)*
        }

        impl ErrorCode {
            /// Every code, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The stable kebab-case name, as printed and as found in `--json`.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $code,)* }
            }

            /// The name the data contract gives this error (`GikError::<name>`).
            pub const fn contract_name(self) -> &'static str {
                match self { $(Self::$variant => stringify!($variant),)* }
            }

            /// The process exit status: 1 for a handled failure, 2 for wrong usage, 130 when interrupted.
            pub const fn exit_status(self) -> u8 {
                match self { $(Self::$variant => $exit,)* }
            }

            /// One sentence for the reference page.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning,)* }
            }
        }
    };
}

error_codes! {
    AlreadyInitialized = "workspace-already-initialized", 0, "The branch has a HEAD already; nothing was changed.";
    NotInitialized = "workspace-not-initialized", 1, "The branch has no HEAD yet.";
    WorkspaceRefused = "workspace-root-refused", 2, "The folder is too wide to index (`/` or the home folder).";
    WorkspaceMissing = "workspace-not-found", 2, "The folder does not exist or is not a folder.";
    WorkspaceReadOnly = "workspace-read-only", 1, "The workspace cannot be written to.";
    PathOutside = "path-outside-workspace", 2, "A path leaves the workspace.";
    PathMissing = "path-not-found", 1, "A named file or folder does not exist.";
    PathRefused = "path-refused", 1, "The file may hold secrets, or is not for reading.";
    TooLarge = "too-large", 1, "There is more than may be handed out.";
    BranchMissing = "branch-not-found", 1, "No knowledge branch has that name.";
    BranchExists = "branch-already-exists", 1, "A knowledge branch of that name exists.";
    BranchInUse = "branch-in-use", 1, "The branch is the one checked out.";
    RevisionMissing = "revision-not-found", 1, "No revision matches the given name.";
    RevisionAmbiguous = "revision-ambiguous", 1, "An id prefix matches several revisions.";
    NothingToCommit = "commit-nothing-pending", 1, "There is nothing to commit.";
    NodeMissing = "node-not-found", 1, "No file or symbol of the index has that name.";
    NothingFound = "search-nothing-found", 1, "Nothing matches.";
    NoIndexedBase = "ask-no-indexed-base", 1, "No base of the branch has been indexed.";
    BaseUnknown = "base-unknown", 2, "There is no base of that name.";
    MemoryMissing = "memory-not-found", 1, "No memory entry matches the given id.";
    MemoryInvalid = "memory-entry-invalid", 2, "A memory entry breaks the contract.";
    SourceInvalid = "source-invalid", 2, "A source is neither a path, an archive nor a url that may be read.";
    SourceFailed = "source-failed", 1, "None of the sources that were waiting could be indexed.";
    SourceNotTracked = "source-not-tracked", 1, "The source is not part of the knowledge repository.";
    UrlRefused = "url-refused", 1, "The url points where it must not.";
    UrlFailed = "url-fetch-failed", 1, "The url could not be read.";
    ArchiveRefused = "archive-refused", 1, "The archive is broken, escapes its folder or unpacks to too much.";
    HistoryMissing = "history-not-found", 1, "The workspace is in no git repository, or nothing was committed there.";
    QueryInvalid = "query-invalid", 2, "The query cannot be understood.";
    ArgumentInvalid = "argument-invalid", 2, "An argument has a wrong value.";
    ConfigInvalid = "config-invalid", 2, "A configuration value is wrong.";
    ConfigUntrusted = "config-untrusted", 1, "The workspace is not trusted to set this.";
    ContractInvalid = "contract-file-invalid", 1, "A file of the knowledge repository breaks its contract.";
    ModelInvalid = "model-invalid", 1, "The files of a model are broken or of a kind that is not supported.";
    VectorInvalid = "vector-invalid", 1, "A vector has the wrong length or a number that is not finite.";
    ModelMissing = "model-not-found", 1, "No model has that name.";
    ModelDownloadFailed = "model-download-failed", 1, "The files of a model could not be fetched; what came is kept for the next try.";
    EmbeddingProviderUnavailable = "embedding-provider-unavailable", 1, "The configured model is not there or does not answer.";
    PackMissing = "pack-not-found", 1, "No stored pack has that id.";
    PackOutdated = "pack-outdated", 1, "The stored pack is of another state of the index.";
    PackVersion = "pack-version-unknown", 1, "The stored pack was written by another version.";
    ChangeMissing = "change-not-found", 1, "No proposed change has that id.";
    ChangeOutdated = "change-outdated", 1, "A file is no longer what the proposed change was made for.";
    ConfirmationRequired = "confirmation-required", 1, "Nothing is changed before a person confirmed it.";
    BudgetExceeded = "budget-exceeded", 2, "A budget is above its cap, or so small that nothing fits.";
    NotSupported = "not-supported", 2, "What was asked for exists, and not here.";
    Offline = "offline", 1, "The command needs the network, and it was told to stay offline.";
    StoreBusy = "store-busy", 1, "Another process holds the lock.";
    StoreBroken = "store-broken", 1, "The derived index is damaged.";
    StoreNewer = "store-schema-newer", 1, "The index was written by a newer version.";
    DiskFull = "disk-full", 1, "The disk is full.";
    Io = "io-failed", 1, "Reading or writing failed.";
    VerifyFailed = "verify-failed", 1, "An invariant of the on-disk state does not hold.";
    Interrupted = "interrupted", 130, "The command was stopped; what was finished is kept.";
    Internal = "internal-error", 1, "A bug in GIK.";
}

impl ErrorCode {
    /// The name by which programs that follow the contract of context packs know this error, and the older spelling of
    /// it; none where that contract does not name it.
    pub const fn stable_names(self) -> Option<[&'static str; 2]> {
        if matches!(self, Self::NotInitialized | Self::NoIndexedBase) {
            Some(["GIK_E_INDEX_MISSING", "POC_E_INDEX_MISSING"])
        } else if matches!(self, Self::PackVersion | Self::StoreNewer) {
            Some(["GIK_E_CONTRACT_VERSION", "POC_E_CONTRACT_VERSION"])
        } else if matches!(self, Self::BudgetExceeded) {
            Some(["GIK_E_BUDGET_EXCEEDED", "POC_E_BUDGET_EXCEEDED"])
        } else if matches!(self, Self::NotSupported) {
            Some(["GIK_E_NOT_SUPPORTED", "POC_E_NOT_SUPPORTED"])
        } else {
            None
        }
    }
}

impl std::fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::ErrorCode;

    #[test]
    fn codes_are_kebab_case_and_unique() {
        let mut seen = std::collections::BTreeSet::new();
        for code in ErrorCode::ALL {
            let name = code.as_str();
            assert!(name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{name}");
            assert!(seen.insert(name), "{name} twice");
            assert!(code.meaning().ends_with('.'), "{name}");
        }
    }

    #[test]
    fn every_name_of_the_contract_of_packs_is_there() {
        for name in ["INDEX_MISSING", "CONTRACT_VERSION", "BUDGET_EXCEEDED", "NOT_SUPPORTED"] {
            let wanted = [format!("GIK_E_{name}"), format!("POC_E_{name}")];
            let has = |code: &ErrorCode| {
                code.stable_names()
                    .is_some_and(|names| names == wanted.each_ref().map(String::as_str))
            };
            assert!(ErrorCode::ALL.iter().any(has), "{name}");
        }
    }
}
