//! Archives: every member becomes a source of its own, named `archive.zip!/member`.

use gik_base::{FileKey, Result, hash};
use gik_discover::archive::{ArchiveLimits, ArchiveReport, kind_of, read_members};
use gik_store::{FileOrigin, FileRecord, FileStat, FileState, Writer};

use super::prepare::{Arrival, Taste, prepare_bytes};
use super::write::write_file;
use crate::{Workspace, bases};

/// The code of the row that stands for the archive itself.
pub(crate) const ARCHIVE_CODE: &str = "archive";

/// What separates the archive from the member.
pub(crate) const MEMBER_MARK: &str = "!/";

/// An archive to be read.
#[derive(Debug)]
pub(crate) struct ArchiveSource<'a> {
    pub(crate) key: &'a FileKey,
    pub(crate) stat: FileStat,
    pub(crate) sha256: String,
    pub(crate) base: Option<&'a str>,
}

/// Reads all members of an archive into the index. What was known of it must have been removed before.
pub(crate) fn write_archive(
    ws: &Workspace<'_>,
    writer: &mut Writer<'_>,
    source: ArchiveSource<'_>,
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
        gik_base::Failure::new(
            gik_base::ErrorCode::ArchiveRefused,
            format!("`{}` is not an archive that can be read", source.key),
        )
        .hint("zip, tar, tar.gz, tar.xz and tar.zst can")
    })?;
    let taste = Taste { root: None, ..Taste::of(ws) };
    let report = read_members(&path, kind, &limits, &ws.ctx.cancel, &mut |member| {
        let key = FileKey::from_text(format!("{}{MEMBER_MARK}{}", source.key, member.path));
        let sha256 = hash::sha256_hex(&member.bytes);
        let arrival = Arrival {
            key: &key,
            base: source.base,
            stat: source.stat,
            origin: FileOrigin::Archive,
            language: None,
        };
        let file = prepare_bytes(&arrival, member.bytes, sha256, taste, None);
        let text = file.text.clone();
        let is_indexed = file.record.state == FileState::Indexed;
        let id = write_file(writer, file)?;
        if is_indexed {
            writer.put_content(id, &text)?;
        }
        Ok(())
    })?;
    writer.put_file(&FileRecord {
        key: source.key.clone(),
        base: source.base.unwrap_or(bases::DOCS).to_owned(),
        language: String::new(),
        stat: source.stat,
        sha256: source.sha256,
        lines: 0,
        origin: FileOrigin::File,
        state: FileState::Skipped {
            code: ARCHIVE_CODE.to_owned(),
            detail: format!(
                "archive with {} members read, {} left out",
                report.members,
                report.skipped.len()
            ),
        },
    })?;
    Ok(report)
}

fn read_head(path: &std::path::Path) -> Result<Vec<u8>> {
    use std::io::Read as _;
    let mut head = Vec::new();
    gik_base::fs::open(path)?
        .take(512)
        .read_to_end(&mut head)
        .map_err(|error| gik_base::fs::failure("read", path, error))?;
    Ok(head)
}
