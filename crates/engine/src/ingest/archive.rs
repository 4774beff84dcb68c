//! Archives: every member becomes a source of its own, named `archive.zip!/member`.

use std::collections::BTreeMap;

use gik_base::{ErrorCode, Failure, FileKey, FileStat, Result, hash};
use gik_discover::archive::{ArchiveLimits, ArchiveReport, kind_of, read_members};
use gik_index::FileNo;
use gik_store::{FileOrigin, FileRecord, FileState, Stage, Writer};

use super::passes::with_hints;
use super::prepare::{Arrival, Depth, Taste, prepare_bytes};
use super::write::write_file;
use crate::modes::Modes;
use crate::staging::read_head;
use crate::view::count;
use crate::{Workspace, bases, modes};

/// The code of the row that stands for the archive itself.
pub(crate) const ARCHIVE_CODE: &str = "archive";
/// The code of an archive that is broken or hostile.
pub(crate) const REFUSED_CODE: &str = "archive-refused";
/// The reason for members that have no row, because their names cannot be used.
const MEMBER_CODE: &str = "archive-member";

/// What separates the archive from the member.
pub(crate) const MEMBER_MARK: &str = "!/";

/// An archive to be read.
#[derive(Debug)]
pub(crate) struct ArchiveSource<'a> {
    pub(crate) key: &'a FileKey,
    pub(crate) stat: FileStat,
    pub(crate) sha256: hash::Digest,
    pub(crate) base: Option<&'a str>,
    pub(crate) modes: Modes,
}

/// What became of the members of an archive.
#[derive(Debug, Default)]
pub(crate) struct Members {
    pub(crate) indexed: u64,
    /// Members left out, per reason.
    pub(crate) skipped: BTreeMap<String, u64>,
}

/// Reads all members of an archive into the index. What was known of it must have been removed before. Of an archive
/// that is refused no member is kept.
pub(crate) fn write_archive(
    ws: &Workspace<'_>,
    writer: &mut Writer<'_>,
    source: ArchiveSource<'_>,
) -> Result<Members> {
    let mut members = Members::default();
    let mut written = Vec::new();
    let (code, detail, result) = match read(ws, writer, &source, &mut members, &mut written) {
        Ok(report) => {
            if !report.skipped.is_empty() {
                members.skipped.insert(MEMBER_CODE.to_owned(), report.skipped.len() as u64);
            }
            (ARCHIVE_CODE, summary(&report), Ok(members))
        },
        Err(failure) if failure.code() == ErrorCode::ArchiveRefused => {
            for id in written {
                writer.remove_file(id)?;
            }
            (REFUSED_CODE, with_hints(&failure), Err(failure))
        },
        Err(failure) => return Err(failure),
    };
    writer.put_file(&FileRecord {
        key: source.key.clone(),
        base: source.base.unwrap_or(bases::DOCS).to_owned(),
        language: String::new(),
        stat: source.stat,
        sha256: source.sha256,
        lines: 0,
        n_chunks: 0,
        n_symbols: 0,
        origin: FileOrigin::File,
        mode: modes::RECORDS,
        stage: Stage::Structure,
        state: FileState::Skipped { code: code.to_owned(), detail },
    })?;
    result
}

fn read(
    ws: &Workspace<'_>,
    writer: &mut Writer<'_>,
    source: &ArchiveSource<'_>,
    members: &mut Members,
    written: &mut Vec<FileNo>,
) -> Result<ArchiveReport> {
    let path = source.key.to_path(&ws.root);
    let head = read_head(&path)?;
    let limits = &ws.settings.sources.archives;
    let limits = ArchiveLimits {
        max_members: limits.max_members,
        max_member_bytes: limits.max_member_bytes,
        max_total_bytes: limits.max_total_bytes,
        ..ArchiveLimits::default()
    };
    let kind = kind_of(source.key.file_name(), &head).ok_or_else(|| {
        Failure::new(
            ErrorCode::ArchiveRefused,
            format!("`{}` is not an archive that can be read", source.key),
        )
        .hint("zip, tar, tar.gz, tar.xz and tar.zst can")
    })?;
    let taste = Taste { root: None, ..Taste::of(ws, source.modes) };
    read_members(&path, kind, &limits, &ws.ctx.cancel, &mut |member| {
        let key = FileKey::from_text(format!("{}{MEMBER_MARK}{}", source.key, member.path));
        let sha256 = hash::sha256(&member.bytes);
        let arrival = Arrival {
            key: &key,
            base: source.base,
            stat: source.stat,
            origin: FileOrigin::Archive,
            language: None,
        };
        let mut file = prepare_bytes(&arrival, member.bytes, sha256, Depth::Structure, taste, None);
        let id = write_file(writer, &mut file)?;
        written.push(id);
        match file.record.state {
            FileState::Indexed => {
                members.indexed += 1;
                writer.put_content(id, &file.text)
            },
            FileState::Skipped { code, .. } => {
                *members.skipped.entry(code).or_default() += 1;
                Ok(())
            },
        }
    })
}

/// What was found, and the first members that were left out.
fn summary(report: &ArchiveReport) -> String {
    const TOLD: usize = 5;
    let read = format!("archive, {} read", count(report.members as u64, "member", "members"));
    if report.skipped.is_empty() {
        return read;
    }
    let told: Vec<String> = report
        .skipped
        .iter()
        .take(TOLD)
        .map(|member| format!("`{}` {}", member.path, member.reason))
        .collect();
    let more = if report.skipped.len() > TOLD { ", …" } else { "" };
    format!("{read}, {} left out: {}{more}", report.skipped.len(), told.join(", "))
}
