//! Configuration in layers, each value with its origin.
//!
//! Start with `keys.rs`, the one table of keys, then [`load`], which puts the layers together: defaults, the user's
//! file, the project's file, the environment, flags; later ones win. A project file comes with the project, so what it
//! may not decide alone is left out until the user trusts it ([`Trust`]).
//!
//! An unknown key is a warning with a suggestion. A value that its key cannot hold is a failure that names the file,
//! the line, what stands there and what may stand there.

mod check;
pub(crate) mod document;
pub(crate) mod edit;
pub(crate) mod key;
mod keys;
mod load;
mod origin;
mod problem;
mod reference;
mod resolved;
mod suggest;
pub(crate) mod template;
#[cfg(test)]
mod tests;
mod trust;
mod value;
mod yaml;

pub use load::{LayerPaths, Loaded, Valued, load};
pub use origin::Origin;
pub use problem::{Severity, Warning};
pub use reference::reference_markdown;
pub use resolved::{
    ArchiveSettings, Ask, DaemonSettings, EmbeddingOverride, EmbeddingSettings, IndexSettings,
    Indexing, LockSettings, Settings, Sources, UrlSettings,
};
pub use trust::Trust;
pub use value::Value;

pub(crate) use load::{read_environment, read_file};
pub(crate) use origin::short_path;
pub(crate) use problem::{Problem, failure_of};
pub(crate) use suggest::nearest;
pub(crate) use trust::{asked_urls, record_trust, record_urls, revoke_trust};
