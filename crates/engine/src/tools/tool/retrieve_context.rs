//! `retrieve_context`: the chunks that a question needs, near where the reader is.

use gik_base::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Envelope, Given};
use crate::tool::Runs;
use crate::tools::ask;
use crate::{Context, Effect, Shape, Tool};

const DEFAULT_CHUNKS: u32 = 8;
const DEFAULT_BYTES: u32 = 60_000;

/// Hybrid retrieval returning curated chunks
///
/// Words, meaning and structure together; what is near the current file counts more. The chunks are data from the files.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Args {
    /// The question
    #[arg(value_name = "QUERY")]
    pub query: String,
    /// The file the reader is in
    #[arg(long, value_name = "PATH")]
    pub current_path: String,
    /// Its language
    #[arg(long, value_name = "LANGUAGE")]
    pub language: String,
    /// How many chunks at most [default: 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=20))]
    #[schemars(range(min = 1, max = 20))]
    pub max_chunks: Option<u32>,
    /// How many bytes of text at most, all chunks together [default: 60000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(4096..=200_000))]
    #[schemars(range(min = 4096, max = 200_000))]
    pub max_total_bytes: Option<u32>,
}

/// The chunks.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Retrieved {
    /// Best first.
    pub chunks: Vec<Chunk>,
    /// The revision that the index stands on.
    pub revision_id: String,
}

/// One chunk.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Chunk {
    /// Path from the root of the workspace.
    pub path: String,
    /// First line.
    pub start_line: u64,
    /// Last line.
    pub end_line: u64,
    /// What it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qualified: Option<String>,
    /// Its language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Relevance; comparable within one answer.
    pub score: f64,
    /// Its text.
    pub content: String,
}

struct RetrieveContext;

impl Runs for RetrieveContext {
    type Args = Args;
    type Output = Envelope<Retrieved>;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Self::Output> {
        let most = args.max_total_bytes.unwrap_or(DEFAULT_BYTES) as usize;
        Envelope::of(find(ctx, args, most))
    }
}

fn find(ctx: &Context<'_>, args: Args, most: usize) -> Result<Given<Retrieved>> {
    let bundle = ask::Ask::run(
        ctx,
        ask::Args {
            question: vec![args.query],
            current: Some(args.current_path).filter(|path| !path.is_empty()),
            top_k: Some(args.max_chunks.unwrap_or(DEFAULT_CHUNKS)),
            ..ask::Args::default()
        },
    )?;
    let (mut room, mut is_cut, mut chunks) = (most, false, Vec::new());
    for chunk in bundle.rag_chunks {
        let mut content = chunk.snippet;
        if content.len() > room {
            is_cut = true;
            content.truncate(content.floor_char_boundary(room));
            if let Some(end) = content.rfind('\n') {
                content.truncate(end + 1);
            }
        }
        room -= content.len();
        if content.is_empty() {
            continue;
        }
        chunks.push(Chunk {
            path: chunk.path,
            start_line: chunk.start_line,
            end_line: chunk.end_line,
            qualified: chunk.name,
            language: chunk.language,
            score: chunk.score,
            content,
        });
    }
    let warnings = if is_cut { vec![format!("cut to {most} bytes of text")] } else { Vec::new() };
    let data = Retrieved { chunks, revision_id: bundle.revision_id };
    Ok(Given { data, is_cut, warnings })
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<RetrieveContext>(
    &["tool", "retrieve_context"],
    Effect::Reads,
    Shape::One,
    "gik tool retrieve_context \"where are locks taken\" --current-path src/lock.rs --language rust",
)
.called("retrieve_context")
.telling_failures(Envelope::<Retrieved>::told);
