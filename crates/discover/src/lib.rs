//! Which files exist and are ours, what changed since the last look, word of changes as they happen, and readers for
//! urls and archives.
//!
//! Start with [`walk()`]: the files of a workspace with what the system knows of them. [`compare`] tells what changed
//! since an earlier walk, [`text`] turns the bytes of a file into text or says why it is none, [`detect_scm`] names
//! the branch, [`history`] its commits and [`find_workspace`] the root. Only [`Watcher`] keeps state: everywhere else callers bring what they
//! knew and get what is true now.

pub mod archive;
mod builtin;
pub mod changes;
mod explain;
pub mod fetch;
mod git;
pub mod history;
pub mod html;
mod ignore_file;
mod jj;
mod objects;
mod origin;
mod reftable;
mod rules;
pub mod scm;
mod skip;
pub mod text;
mod traverse;
pub mod walk;
pub mod watch;
pub mod workspace;

pub use builtin::{BUILTIN_RULES, BuiltinRule, NEVER_WALKED, may_hold_secrets};
pub use changes::{Changes, Known, compare, is_racy};
pub use explain::{Verdict, explain_path, forced_by};
pub use origin::origin;
pub use scm::{Provider, Scm, detect_scm};
pub use skip::{Rule, SkipReason, Skipped};
pub use text::{Content, Encoding, classify, content, decode, decode_again};
pub use walk::{Explain, Found, Seen, WalkOptions, Walked, walk, walk_again};
pub use watch::{Following, Watcher};
pub use workspace::{Force, RootChoice, find_workspace, key_of, resolve_workspace, same_name};
