//! `list_files`: files of the workspace by a pattern.

use gik_base::{FileKey, Result};
use gik_discover::walk::{Explain, walk};
use gik_retrieve::FileFilter;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Envelope, Given};
use crate::tool::Runs;
use crate::{Context, Effect, Shape, Tool};

const DEFAULT_LIMIT: u32 = 200;

/// List files in the workspace
///
/// Use a glob to narrow; never ask for the whole repository at once. Ignored files are left out.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Args {
    /// Which, as **/*.rs
    #[arg(value_name = "GLOB")]
    pub glob: Option<String>,
    /// How many at most [default: 200]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=500))]
    #[schemars(range(min = 1, max = 500))]
    pub limit: Option<u32>,
    /// With those whose name or folder begins with a dot
    #[arg(long)]
    pub include_hidden: bool,
}

/// The files.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Files {
    /// Sorted by path.
    pub files: Vec<File>,
    /// How many match.
    pub total: u64,
}

/// One file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct File {
    /// Path from the root of the workspace.
    pub path: String,
    /// Its length.
    pub bytes: u64,
}

struct ListFiles;

impl Runs for ListFiles {
    type Args = Args;
    type Output = Envelope<Files>;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Self::Output> {
        Envelope::of(list(ctx, &args))
    }
}

fn list(ctx: &Context<'_>, args: &Args) -> Result<Given<Files>> {
    let ws = ctx.open()?;
    let globs: Vec<String> = args.glob.iter().cloned().collect();
    let filter = FileFilter::new(Vec::new(), &globs)?;
    let options = ws.walk_options(Explain::Quiet);
    let walked = walk(&ws.root, &[FileKey::default()], &options, &ctx.cancel)?;
    let is_hidden = |key: &FileKey| key.as_str().split('/').any(|part| part.starts_with('.'));
    let mut found: Vec<_> = walked
        .files
        .into_iter()
        .filter(|file| args.include_hidden || !is_hidden(&file.key))
        .filter(|file| filter.takes_path(file.key.as_str()))
        .collect();
    found.sort_by(|a, b| a.key.cmp(&b.key));
    let total = found.len() as u64;
    let limit = args.limit.unwrap_or(DEFAULT_LIMIT) as usize;
    let files: Vec<File> = found
        .into_iter()
        .take(limit)
        .map(|file| File { path: file.key.as_str().to_owned(), bytes: file.stat.size })
        .collect();
    let is_cut = (files.len() as u64) < total;
    let warnings = if is_cut { vec![format!("{} of {total} files", files.len())] } else { vec![] };
    Ok(Given { data: Files { files, total }, is_cut, warnings })
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<ListFiles>(
    &["tool", "list_files"],
    Effect::Reads,
    Shape::One,
    "gik tool list_files '**/*.rs'",
)
.called("list_files")
.telling_failures(Envelope::<Files>::told);
