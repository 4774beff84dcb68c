//! The files of a tar stream.
//!
//! Entries are read raw: the `tar` crate would read a long name of any length into memory.

use std::io::{self, Read};

use gik_base::Result;
use tar::{Archive, Entry};

use super::sink::Sink;

/// More than any real long name or set of extended attributes.
const MAX_EXTENSION_BYTES: u64 = 1 << 20;

/// What extension entries say about the file entry that follows them.
#[derive(Debug, Default)]
struct Extension {
    name: Option<Vec<u8>>,
    size: Option<u64>,
    is_sparse: bool,
}

pub(super) fn read<R: Read>(stream: R, sink: &mut Sink<'_>) -> Result<()> {
    let mut archive = Archive::new(stream);
    let mut extension = Extension::default();
    let entries = archive.entries().map_err(|error| sink.broken(error))?;
    for entry in entries.raw(true) {
        let mut entry = entry.map_err(|error| sink.broken(error))?;
        sink.count_entry()?;
        let kind = entry.header().entry_type();
        if kind.is_gnu_longname() {
            let mut name = read_extension(&mut entry, sink)?;
            name.truncate(name.iter().position(|&byte| byte == 0).unwrap_or(name.len()));
            extension.name = Some(name);
        } else if kind.is_pax_local_extensions() {
            let records = read_extension(&mut entry, sink)?;
            apply_pax(&records, &mut extension);
        } else if !kind.is_gnu_longlink() && !kind.is_pax_global_extensions() {
            read_entry(entry, std::mem::take(&mut extension), sink)?;
        }
    }
    // The checksum of a compressed stream is at its end, behind the padding of the tar inside.
    io::copy(&mut archive.into_inner(), &mut io::sink()).map_err(|error| sink.broken(error))?;
    Ok(())
}

fn read_entry<R: Read>(
    entry: Entry<'_, R>,
    extension: Extension,
    sink: &mut Sink<'_>,
) -> Result<()> {
    let kind = entry.header().entry_type();
    let size = entry.header().entry_size().map_err(|error| sink.broken(error))?;
    let name = extension.name.unwrap_or_else(|| entry.path_bytes().into_owned());
    if extension.size.is_some_and(|promised| promised != size) {
        return Err(sink.refused("its extended headers contradict its headers"));
    }
    // Before there were types, a folder was a name with a slash at its end.
    if kind.is_dir() || (kind.is_file() && name.ends_with(b"/")) {
        return Ok(());
    }
    if kind.is_symlink() {
        sink.skip(&name, "is a symbolic link");
    } else if kind.is_hard_link() {
        sink.skip(&name, "is a hard link");
    } else if kind.is_gnu_sparse() || extension.is_sparse {
        sink.skip(&name, "is a sparse file");
    } else if !kind.is_file() && !kind.is_contiguous() {
        sink.skip(&name, "is not a regular file");
    } else if let Some(path) = sink.accept(&name, size) {
        sink.hand_out(path, size, entry)?;
    }
    Ok(())
}

fn read_extension<R: Read>(entry: &mut Entry<'_, R>, sink: &Sink<'_>) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    entry
        .take(MAX_EXTENSION_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| sink.broken(error))?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > MAX_EXTENSION_BYTES {
        return Err(sink.refused("it has an extended header that is too long"));
    }
    Ok(bytes)
}

/// Records are `<length> <key>=<value>\n`, the length counting all of it; a broken one ends the list.
fn apply_pax(mut records: &[u8], extension: &mut Extension) {
    while let Some((key, value, rest)) = split_record(records) {
        match key {
            b"path" => extension.name = Some(value.to_vec()),
            b"size" => {
                let text = std::str::from_utf8(value).ok();
                extension.size = text.and_then(|text| text.parse().ok());
            },
            _ if key.starts_with(b"GNU.sparse.") => extension.is_sparse = true,
            _ => {},
        }
        records = rest;
    }
}

fn split_record(records: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let space = records.iter().take(20).position(|&byte| byte == b' ')?;
    let length: usize = std::str::from_utf8(&records[..space]).ok()?.parse().ok()?;
    let record = records.get(space + 1..length)?.strip_suffix(b"\n")?;
    let equals = record.iter().position(|&byte| byte == b'=')?;
    Some((&record[..equals], &record[equals + 1..], &records[length..]))
}
