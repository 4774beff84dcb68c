//! `read_file`: a slice of a text file, exactly as it is now.

use gik_base::{ErrorCode, Failure, FileKey, Result, fs};
use gik_discover::decode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Envelope, Given};
use crate::sandbox::readable;
use crate::tool::Runs;
use crate::{Context, Effect, Shape, Tool, Workspace};

/// Longer files are not looked into.
const MOST_FILE_BYTES: u64 = 64 << 20;
const DEFAULT_BYTES: u32 = 50_000;

/// Read a slice of a text file
///
/// Use this to fetch exact code instead of guessing. Lines are counted from 1; `end_line` may be beyond the end. Keys and
/// other secrets are not read.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Args {
    /// Path of the file, from the root of the workspace
    #[arg(value_name = "PATH")]
    pub path: String,
    /// First line
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    #[schemars(range(min = 1, max = 4_294_967_295u32))]
    pub start_line: u32,
    /// Last line
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    #[schemars(range(min = 1, max = 4_294_967_295u32))]
    pub end_line: u32,
    /// How many bytes of text at most [default: 50000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1024..=200_000))]
    #[schemars(range(min = 1024, max = 200_000))]
    pub max_bytes: Option<u32>,
}

/// The slice.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Slice {
    /// Path from the root of the workspace.
    pub path: String,
    /// The first line that is here.
    pub start_line: u32,
    /// The last line that is here, `start_line - 1` where there is none.
    pub end_line: u32,
    /// How many lines the file has.
    pub total_lines: u32,
    /// The lines.
    pub content: String,
}

pub(crate) struct ReadFile;

impl Runs for ReadFile {
    type Args = Args;
    type Output = Envelope<Slice>;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Self::Output> {
        Envelope::of(read(ctx, &args))
    }
}

fn read(ctx: &Context<'_>, args: &Args) -> Result<Given<Slice>> {
    if args.end_line < args.start_line {
        return Err(Failure::new(ErrorCode::ArgumentInvalid, "`end_line` is before `start_line`"));
    }
    let ws = ctx.open()?;
    let key = readable(&ws, &args.path)?;
    let text = text_at(&ws, &key)?;
    let most = args.max_bytes.unwrap_or(DEFAULT_BYTES) as usize;
    Ok(slice(key.as_str(), &text, args, most))
}

fn text_at(ws: &Workspace<'_>, key: &FileKey) -> Result<String> {
    let path = key.to_path(&ws.root);
    let metadata = fs::metadata(&path)?;
    if !metadata.is_file() {
        return Err(Failure::new(ErrorCode::ArgumentInvalid, format!("`{key}` is not a file")));
    }
    if metadata.len() > MOST_FILE_BYTES {
        return Err(Failure::new(
            ErrorCode::TooLarge,
            format!("`{key}` has {} bytes", metadata.len()),
        ));
    }
    let bytes = fs::read(&path)?;
    decode(bytes).map(|(text, _)| text).map_err(|_| {
        Failure::new(ErrorCode::ArgumentInvalid, format!("`{key}` is not a text file"))
    })
}

fn slice(path: &str, text: &str, args: &Args, most: usize) -> Given<Slice> {
    let (mut content, mut end, mut total, mut is_cut) = (String::new(), 0, 0, false);
    for line in text.split_inclusive('\n') {
        total += 1;
        if total < args.start_line || total > args.end_line || is_cut {
            continue;
        }
        if content.len() + line.len() <= most {
            content.push_str(line);
            end = total;
        } else {
            is_cut = true;
            // One long line is better shown in part than not at all.
            if content.is_empty() {
                content.push_str(&line[..line.floor_char_boundary(most)]);
                end = total;
            }
        }
    }
    let slice = Slice {
        path: path.to_owned(),
        start_line: args.start_line,
        end_line: end.max(args.start_line - 1),
        total_lines: total,
        content,
    };
    let mut warnings = Vec::new();
    if args.start_line > total {
        warnings.push(format!("the file has {total} lines"));
    }
    if is_cut {
        warnings.push(format!("cut after line {end}: more than {most} bytes"));
    }
    Given { data: slice, is_cut, warnings }
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<ReadFile>(
    &["tool", "read_file"],
    Effect::Reads,
    Shape::One,
    "gik tool read_file src/main.rs --start-line 1 --end-line 40",
)
.called("read_file")
.telling_failures(Envelope::<Slice>::told);
