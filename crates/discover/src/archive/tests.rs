//! Archives made in memory, honest and hostile.

use std::io::{Cursor, Write as _};

use flate2::Compression;
use flate2::write::GzEncoder;
use gik_base::{ErrorCode, Failure};
use proptest::prelude::*;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use tar::EntryType;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::*;

/// A tar with `docs/a.md` and `b.txt`, packed by `xz -6`.
const TAR_XZ: &[u8] =
    b"\xfd7zXZ\x00\x00\x04\xe6\xd6\xb4F\x02\x00!\x01\x16\x00\x00\x00t/\xe5\xa3\xe0'\xff\x00s]\
\x002\x1b\xc8\x8et\xd3\x82\xc9\xdb\xd0)_\xeb\xb5\xd6V\xde\x83H\x86FI\xe8)\xdc\xda\xce;\xd0\
\xe3\xd8#}\xb9\xb01N\xe3\x9b\x05*,\x88;\x1cA\xf1\x11=\x03\xe81ZV\xa5_-\xa29\xab\xca\x08t\
\xa3\xcb+-5\xb3\x94\xc3\xcf\x9bi12!w=\xaa\xfe\x04TH\x1f\xf4\xd7\x12A\x10\xea\xbc@`=J\xd4\
\x11\xaaI\x07.b\xc2v\x0d\x85\xe8\x0d\xa1\x8a\xa6%\x9e\x00\x00\x001[or\x12\x94S\xb5\x00\x01\
\x8f\x01\x80P\x00\x00\xeb\xc36\x90\xb1\xc4g\xfb\x02\x00\x00\x00\x00\x04YZ";

struct Outcome {
    members: Vec<(String, String)>,
    result: Result<ArchiveReport>,
}

impl Outcome {
    fn report(&self) -> &ArchiveReport {
        self.result.as_ref().unwrap()
    }

    fn failure(&self) -> &Failure {
        self.result.as_ref().unwrap_err()
    }

    fn skipped(&self) -> Vec<(&str, &str)> {
        let skipped = &self.report().skipped;
        skipped.iter().map(|member| (member.path.as_str(), member.reason.as_str())).collect()
    }
}

fn read_with(bytes: &[u8], kind: ArchiveKind, limits: &ArchiveLimits, cancel: &Cancel) -> Outcome {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    let mut members = Vec::new();
    let result = read_members(file.path(), kind, limits, cancel, &mut |member| {
        members.push((member.path, String::from_utf8_lossy(&member.bytes).into_owned()));
        Ok(())
    });
    Outcome { members, result }
}

fn read(bytes: &[u8], kind: ArchiveKind) -> Outcome {
    read_with(bytes, kind, &ArchiveLimits::default(), &Cancel::default())
}

fn members(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())).collect()
}

/// Writes names as they are, which the builder's own functions refuse to do.
fn tar_of(entries: &[(EntryType, &str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for &(kind, name, content) in entries {
        let mut header = tar::Header::new_ustar();
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(kind);
        header.set_mode(0o644);
        header.set_size(u64::try_from(content.len()).unwrap());
        header.set_cksum();
        builder.append(&header, content).unwrap();
    }
    builder.into_inner().unwrap()
}

fn small_tar() -> Vec<u8> {
    tar_of(&[
        (EntryType::Directory, "docs/", b""),
        (EntryType::Regular, "docs/a.md", b"# A\n"),
        (EntryType::Regular, "b.txt", b"bee\n"),
    ])
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(Cursor::new(bytes), CompressionLevel::Fastest)
}

fn zip_of(entries: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(method);
    for (name, content) in entries {
        writer.start_file(*name, options).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Bytes that do not pack.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[0]
    };
    (0..length).map(|_| next()).collect()
}

fn small_zip() -> Vec<u8> {
    zip_of(&[("docs/a.md", b"# A\n"), ("b.txt", b"bee\n")], CompressionMethod::Deflated)
}

/// Replaces every occurrence, in local headers and in the directory alike.
fn patched(mut bytes: Vec<u8>, from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut at = 0;
    while at + from.len() <= bytes.len() {
        if bytes[at..].starts_with(from) {
            bytes[at..at + from.len()].copy_from_slice(to);
        }
        at += 1;
    }
    bytes
}

#[test]
fn every_kind_gives_the_same_members_in_stored_order() {
    let tar = small_tar();
    let two_frames = {
        let (first, second) = tar.split_at(700);
        let skippable = b"\x50\x2a\x4d\x18\x03\x00\x00\x00abc";
        [zstd(first), skippable.to_vec(), zstd(second)].concat()
    };
    let two_gzips = [gzip(&tar[..900]), gzip(&tar[900..])].concat();
    let archives = [
        (ArchiveKind::Zip, "a.zip", small_zip()),
        (ArchiveKind::TarGz, "a.tgz", gzip(&tar)),
        (ArchiveKind::TarGz, "a.tar.gz", two_gzips),
        (ArchiveKind::TarXz, "a.tar.xz", TAR_XZ.to_vec()),
        (ArchiveKind::TarZst, "a.tar.zst", zstd(&tar)),
        (ArchiveKind::TarZst, "a.tzst", two_frames),
        (ArchiveKind::Tar, "a.tar", tar),
    ];
    for (kind, name, bytes) in archives {
        assert_eq!(kind_of(name, &bytes), Some(kind));
        let outcome = read(&bytes, kind);
        assert_eq!(
            outcome.members,
            members(&[("docs/a.md", "# A\n"), ("b.txt", "bee\n")]),
            "{name}"
        );
        assert_eq!(outcome.report().members, 2);
        assert_eq!(outcome.skipped(), [], "{name}");
    }
}

#[test]
fn tar_members_that_are_no_plain_files_inside_are_skipped_with_the_reason() {
    let outcome = read(
        &tar_of(&[
            (EntryType::Regular, "../up", b"x"),
            (EntryType::Regular, "/etc/passwd", b"x"),
            (EntryType::Regular, "..\\win", b"x"),
            (EntryType::Regular, "C:/win", b"x"),
            (EntryType::Symlink, "soft", b""),
            (EntryType::Link, "hard", b""),
            (EntryType::Char, "tty", b""),
            (EntryType::Fifo, "pipe", b""),
            (EntryType::GNUSparse, "holes", b""),
            (EntryType::Regular, "ok", b"fine"),
            (EntryType::Regular, "./ok", b"other"),
        ]),
        ArchiveKind::Tar,
    );
    assert_eq!(outcome.members, members(&[("ok", "fine")]));
    assert_eq!(
        outcome.skipped(),
        [
            ("../up", "has a path that leaves the archive"),
            ("/etc/passwd", "has an absolute path"),
            ("..\\win", "has a path that leaves the archive"),
            ("C:/win", "has an absolute path"),
            ("soft", "is a symbolic link"),
            ("hard", "is a hard link"),
            ("tty", "is not a regular file"),
            ("pipe", "is not a regular file"),
            ("holes", "is a sparse file"),
            ("./ok", "has the path of an earlier member"),
        ]
    );
}

#[test]
fn zip_members_that_are_no_plain_files_inside_are_skipped_with_the_reason() {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    writer.add_directory("dir", options).unwrap();
    for name in ["xx/up", "x1.txt", "x2.txt", "Xetc", "xx\\win"] {
        writer.start_file(name, options).unwrap();
        writer.write_all(name.as_bytes()).unwrap();
    }
    writer.add_symlink("soft", "/etc/passwd", options).unwrap();
    let mut bytes = writer.finish().unwrap().into_inner();
    for (from, to) in
        [("xx/up", "../up"), ("x2.txt", "x1.txt"), ("Xetc", "/etc"), ("xx\\win", "..\\win")]
    {
        bytes = patched(bytes, from.as_bytes(), to.as_bytes());
    }
    // The contents were patched along with the names, so their checksums are wrong now.
    let outcome = read(&bytes, ArchiveKind::Zip);
    assert_eq!(outcome.members, members(&[("x1.txt", "x1.txt")]));
    assert_eq!(
        outcome.skipped(),
        [
            ("../up", "has a path that leaves the archive"),
            ("x1.txt", "has the path of an earlier member"),
            ("/etc", "has an absolute path"),
            ("..\\win", "has a path that leaves the archive"),
            ("soft", "is a symbolic link"),
        ]
    );
}

#[test]
fn encrypted_and_unknown_zip_members_are_skipped() {
    let bytes = zip_of(&[("a", b"one"), ("b", b"two")], CompressionMethod::Stored);
    let directory = bytes.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    let second =
        bytes[directory + 4..].windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    let mut bytes = bytes;
    bytes[directory + 8] |= 1;
    bytes[directory + 4 + second + 10] = 12;
    let outcome = read(&bytes, ArchiveKind::Zip);
    assert_eq!(outcome.members, []);
    assert_eq!(
        outcome.skipped(),
        [("a", "is encrypted"), ("b", "is packed with a method that is not supported")]
    );
}

#[test]
fn members_over_the_limit_are_skipped_and_the_rest_is_read() {
    let limits = ArchiveLimits { max_member_bytes: 4, ..ArchiveLimits::default() };
    let entries: [(&str, &[u8]); 3] = [("a", b"1234"), ("b", b"12345"), ("c", b"1")];
    let tar = tar_of(&entries.map(|(name, content)| (EntryType::Regular, name, content)));
    let zip = zip_of(&entries, CompressionMethod::Deflated);
    for (kind, bytes) in
        [(ArchiveKind::Tar, tar.clone()), (ArchiveKind::TarGz, gzip(&tar)), (ArchiveKind::Zip, zip)]
    {
        let outcome = read_with(&bytes, kind, &limits, &Cancel::default());
        assert_eq!(outcome.members, members(&[("a", "1234"), ("c", "1")]), "{kind:?}");
        assert_eq!(outcome.skipped(), [("b", "is larger than 4 bytes")], "{kind:?}");
    }
}

#[test]
fn bombs_are_refused() {
    let zeros = vec![0_u8; 3 << 20];
    let tar = tar_of(&[(EntryType::Regular, "zeros", &zeros)]);
    let zip = zip_of(&[("zeros", &zeros)], CompressionMethod::Deflated);
    for (kind, bytes) in [
        (ArchiveKind::TarGz, gzip(&tar)),
        (ArchiveKind::TarZst, zstd(&tar)),
        (ArchiveKind::Zip, zip),
    ] {
        let outcome = read(&bytes, kind);
        assert_eq!(outcome.failure().code(), ErrorCode::ArchiveRefused, "{kind:?}");
        assert!(outcome.failure().message().contains("unpacks to more than"), "{kind:?}");
        assert_eq!(outcome.members, []);
    }
}

#[test]
fn a_bomb_in_a_skipped_member_or_behind_the_end_is_refused_too() {
    let zeros = vec![0_u8; 3 << 20];
    let limits = ArchiveLimits { max_member_bytes: 1 << 20, ..ArchiveLimits::default() };
    let skipped = gzip(&tar_of(&[(EntryType::Regular, "zeros", &zeros)]));
    let behind = gzip(&[small_tar(), zeros].concat());
    for bytes in [skipped, behind] {
        let outcome = read_with(&bytes, ArchiveKind::TarGz, &limits, &Cancel::default());
        assert!(outcome.failure().message().contains("unpacks to more than"));
    }
}

#[test]
fn members_that_share_their_bytes_are_counted_each_time() {
    // Entries of the directory that all point at one local header: small file, much output.
    let content = vec![b'a'; 100 << 10];
    let bytes = zip_of(&[("a000", &content)], CompressionMethod::Deflated);
    let directory = bytes.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    let end = bytes.windows(4).position(|window| window == b"PK\x05\x06").unwrap();
    let mut bomb = bytes[..directory].to_vec();
    for number in 0..999 {
        let name = format!("a{number:03}");
        bomb.extend(patched(bytes[directory..end].to_vec(), b"a000", name.as_bytes()));
    }
    let directory_bytes = u32::try_from(bomb.len() - directory).unwrap();
    let mut tail = bytes[end..].to_vec();
    tail[8..10].copy_from_slice(&999_u16.to_le_bytes());
    tail[10..12].copy_from_slice(&999_u16.to_le_bytes());
    tail[12..16].copy_from_slice(&directory_bytes.to_le_bytes());
    bomb.extend(tail);
    let outcome = read(&bomb, ArchiveKind::Zip);
    assert!(
        outcome.failure().message().contains("unpacks to more than"),
        "{:?}",
        outcome.failure()
    );
}

#[test]
fn too_many_entries_and_too_many_bytes_are_refused() {
    let few = ArchiveLimits { max_members: 2, ..ArchiveLimits::default() };
    let small = ArchiveLimits { max_total_bytes: 7, ..ArchiveLimits::default() };
    let zip = zip_of(&[("a", b"1"), ("b", b"2"), ("c", b"3")], CompressionMethod::Stored);
    for (kind, bytes, limits) in [
        (ArchiveKind::Tar, small_tar(), &few),
        (ArchiveKind::Zip, zip, &few),
        (ArchiveKind::Tar, small_tar(), &small),
        (ArchiveKind::Zip, small_zip(), &small),
    ] {
        let outcome = read_with(&bytes, kind, limits, &Cancel::default());
        assert_eq!(outcome.failure().code(), ErrorCode::ArchiveRefused, "{kind:?}");
    }
}

#[test]
fn a_member_that_lies_about_its_size_is_refused() {
    let bytes = zip_of(&[("a", b"1234567")], CompressionMethod::Stored);
    let directory = bytes.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    for claimed in [3_u8, 200] {
        let mut bytes = bytes.clone();
        bytes[directory + 24] = claimed;
        assert_eq!(read(&bytes, ArchiveKind::Zip).failure().code(), ErrorCode::ArchiveRefused);
    }
}

#[test]
fn truncated_archives_are_refused() {
    let noise = noise(4000);
    let tar = tar_of(&[(EntryType::Regular, "noise", &noise)]);
    let archives = [
        (ArchiveKind::Tar, tar.clone(), 3000),
        (ArchiveKind::TarGz, gzip(&tar), 2000),
        (ArchiveKind::TarZst, zstd(&tar), 2000),
        (ArchiveKind::TarXz, TAR_XZ.to_vec(), 100),
        (ArchiveKind::Zip, zip_of(&[("noise", &noise)], CompressionMethod::Deflated), 2000),
    ];
    for (kind, bytes, length) in archives {
        let outcome = read(&bytes[..length], kind);
        assert_eq!(outcome.failure().code(), ErrorCode::ArchiveRefused, "{kind:?}");
    }
    // The last bytes of a gzip stream are its checksum.
    let mut gz = gzip(&tar);
    let last = gz.len() - 6;
    gz[last] ^= 0xff;
    assert_eq!(read(&gz, ArchiveKind::TarGz).failure().code(), ErrorCode::ArchiveRefused);
}

#[test]
fn long_names_are_read_from_both_kinds_of_extension() {
    let long = format!("{}/file.txt", "folder".repeat(40));
    let mut builder = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(3);
    builder.append_data(&mut header, &long, &b"gnu"[..]).unwrap();
    builder.append_pax_extensions([("comment", &b"a\nb"[..]), ("path", b"p\xc3\xa4x/y")]).unwrap();
    let mut header = tar::Header::new_ustar();
    header.set_path("ignored").unwrap();
    header.set_size(3);
    header.set_cksum();
    builder.append(&header, &b"pax"[..]).unwrap();
    let outcome = read(&builder.into_inner().unwrap(), ArchiveKind::Tar);
    assert_eq!(outcome.members, members(&[(&long, "gnu"), ("päx/y", "pax")]));
}

#[test]
fn an_endless_name_is_refused_before_it_fills_the_memory() {
    let name = vec![b'a'; 2 << 20];
    let bytes =
        tar_of(&[(EntryType::GNULongName, "././@LongLink", &name), (EntryType::Regular, "x", b"")]);
    let outcome = read(&bytes, ArchiveKind::Tar);
    assert!(outcome.failure().message().contains("too long"));
}

#[test]
fn headers_that_contradict_each_other_are_refused() {
    let mut builder = tar::Builder::new(Vec::new());
    builder.append_pax_extensions([("size", &b"1024"[..])]).unwrap();
    let mut header = tar::Header::new_ustar();
    header.set_path("a").unwrap();
    header.set_size(3);
    header.set_cksum();
    builder.append(&header, &b"abc"[..]).unwrap();
    let outcome = read(&builder.into_inner().unwrap(), ArchiveKind::Tar);
    assert_eq!(outcome.failure().code(), ErrorCode::ArchiveRefused);
}

#[test]
fn cancelling_stops_between_members_and_inside_them() {
    let cancel = Cancel::default();
    cancel.cancel();
    for (kind, bytes) in [(ArchiveKind::Zip, small_zip()), (ArchiveKind::TarGz, gzip(&small_tar()))]
    {
        let outcome = read_with(&bytes, kind, &ArchiveLimits::default(), &cancel);
        assert_eq!(outcome.failure().code(), ErrorCode::Interrupted);
    }
}

#[test]
fn a_failure_of_the_receiver_stops_the_reading() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&small_zip()).unwrap();
    let mut calls = 0;
    let result = read_members(
        file.path(),
        ArchiveKind::Zip,
        &ArchiveLimits::default(),
        &Cancel::default(),
        &mut |_| {
            calls += 1;
            Err(Failure::new(ErrorCode::DiskFull, "full"))
        },
    );
    assert_eq!((result.unwrap_err().code(), calls), (ErrorCode::DiskFull, 1));
}

fn any_kind() -> impl Strategy<Value = ArchiveKind> {
    prop::sample::select(vec![
        ArchiveKind::Zip,
        ArchiveKind::Tar,
        ArchiveKind::TarGz,
        ArchiveKind::TarXz,
        ArchiveKind::TarZst,
    ])
}

fn honest(kind: ArchiveKind) -> Vec<u8> {
    match kind {
        ArchiveKind::Zip => small_zip(),
        ArchiveKind::Tar => small_tar(),
        ArchiveKind::TarGz => gzip(&small_tar()),
        ArchiveKind::TarXz => TAR_XZ.to_vec(),
        ArchiveKind::TarZst => zstd(&small_tar()),
    }
}

proptest! {
    #[test]
    fn random_bytes_never_panic(kind in any_kind(), bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        let outcome = read(&bytes, kind);
        prop_assert!(outcome.members.len() <= 4);
    }

    #[test]
    fn damaged_archives_never_panic(
        kind in any_kind(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = honest(kind);
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(cut.index(bytes.len()).max(bytes.len() / 2));
        let outcome = read(&bytes, kind);
        prop_assert!(outcome.members.len() <= 4);
    }
}
