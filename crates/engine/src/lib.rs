//! Opens a workspace, keeps its index true to the files, and offers every capability as a row of one table.
//!
//! Reading order: [`Context`] is what a surface passes in, [`Workspace`] is what a tool works on, [`ingest`] is the
//! write path, [`tools`] are the capabilities. Nothing here knows terminals, HTTP or any other protocol: tools return
//! data, and [`View`] turns it into text of a given width.

mod agents;
mod answer;
mod arguments;
mod bases;
pub mod bound;
mod branching;
mod commit;
mod conditions;
mod context;
mod declaration;
mod detail;
pub mod embedding;
mod finding;
pub mod graph;
mod heal;
mod history;
pub mod ingest;
pub mod kg;
pub mod languages;
mod likeness;
mod meaning;
mod modes;
mod moment;
mod packing;
mod projection;
mod proposals;
mod proven;
mod reranking;
mod room;
mod sandbox;
pub mod settings;
mod signature;
mod spared;
mod stack_scan;
mod staging;
mod symbols;
mod tokens;
mod tool;
pub mod tool_calls;
pub mod tools;
pub mod view;
#[cfg(unix)]
pub mod warm;
mod why_not;
mod workspace;
mod written;

pub use answer::lacks_index;
pub use arguments::check;
pub use context::{Context, Options, stay_warm};
pub use declaration::{Declaration, Profile, declarations};
pub use detail::tokens;
pub use room::at_work;
pub use tool::{Answer, Audience, Effect, Hear, Report, Shape, Tool};
pub use view::View;
pub use workspace::Workspace;
pub use written::{Written, in_few_words};
