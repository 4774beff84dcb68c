//! The files of a zip archive, in the order of its directory.
//!
//! The directory is walked entry by entry: a table by name would hide a member whose name occurs twice.

use std::io::{Read, Seek};

use gik_base::Result;
use zip::CompressionMethod;
use zip::read::{Config, ZipFileEntry};
use zip::unstable::read::ZipIterable;

use super::sink::Sink;

const FILE_TYPE: u32 = 0o170_000;
const REGULAR: u32 = 0o100_000;
const SYMBOLIC_LINK: u32 = 0o120_000;

pub(super) fn read<R: Read + Seek>(file: R, sink: &mut Sink<'_>) -> Result<()> {
    let mut archive =
        ZipIterable::try_new(file, Config::default()).map_err(|error| sink.broken(error))?;
    sink.check_entries(archive.len())?;
    let entries = archive.files().map_err(|error| sink.broken(error))?;
    while let Some(entry) = entries.next() {
        let entry = entry.map_err(|error| sink.broken(error))?;
        sink.count_entry()?;
        if entry.is_dir() {
            continue;
        }
        let name = match entry.name() {
            Ok(name) => name.into_owned().into_bytes(),
            Err(_) => entry.name_raw().to_vec(),
        };
        if let Some(reason) = obstacle(&entry) {
            sink.skip(&name, reason);
            continue;
        }
        let size = entry.size();
        if let Some(path) = sink.accept(&name, size) {
            let content = entry
                .with_reader(entries.reader_mut(), zip::ZipReadOptions::new())
                .map_err(|error| sink.broken(error))?;
            let content = sink.metered(content);
            sink.hand_out(path, size, content)?;
        }
    }
    Ok(())
}

fn obstacle(entry: &ZipFileEntry<'_>) -> Option<&'static str> {
    let file_type = entry.unix_mode().unwrap_or_default() & FILE_TYPE;
    if file_type == SYMBOLIC_LINK {
        Some("is a symbolic link")
    } else if file_type != 0 && file_type != REGULAR {
        Some("is not a regular file")
    } else if entry.encrypted() {
        Some("is encrypted")
    } else if !matches!(
        entry.compression(),
        CompressionMethod::Stored | CompressionMethod::Deflated
    ) {
        Some("is packed with a method that is not supported")
    } else {
        None
    }
}
