//! Whether a file is an archive that can be read: its name says so and its first bytes agree.

/// The archives that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArchiveKind {
    /// `.zip`, and its uses `.jar` and `.whl`.
    Zip,
    /// `.tar`.
    Tar,
    /// `.tar.gz`, `.tgz`.
    TarGz,
    /// `.tar.xz`, `.txz`.
    TarXz,
    /// `.tar.zst`, `.tzst`.
    TarZst,
}

/// How many bytes of a file [`kind_of`] wants to see: one block of a tar file.
pub const HEAD_BYTES: usize = 512;

const BY_SUFFIX: [(&str, ArchiveKind); 10] = [
    (".zip", ArchiveKind::Zip),
    (".whl", ArchiveKind::Zip),
    (".jar", ArchiveKind::Zip),
    (".tar", ArchiveKind::Tar),
    (".tgz", ArchiveKind::TarGz),
    (".tar.gz", ArchiveKind::TarGz),
    (".txz", ArchiveKind::TarXz),
    (".tar.xz", ArchiveKind::TarXz),
    (".tzst", ArchiveKind::TarZst),
    (".tar.zst", ArchiveKind::TarZst),
];

/// The kind of archive, from the file's name and its first [`HEAD_BYTES`] bytes.
pub fn kind_of(name: &str, head: &[u8]) -> Option<ArchiveKind> {
    let (_, kind) = BY_SUFFIX.iter().find(|(suffix, _)| ends_with_ignoring_case(name, suffix))?;
    starts_like(*kind, head).then_some(*kind)
}

fn ends_with_ignoring_case(name: &str, suffix: &str) -> bool {
    let (name, suffix) = (name.as_bytes(), suffix.as_bytes());
    name.len() > suffix.len() && name[name.len() - suffix.len()..].eq_ignore_ascii_case(suffix)
}

fn starts_like(kind: ArchiveKind, head: &[u8]) -> bool {
    match kind {
        // The second is an archive without members.
        ArchiveKind::Zip => head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06"),
        ArchiveKind::Tar => is_tar_block(head),
        ArchiveKind::TarGz => head.starts_with(b"\x1f\x8b"),
        ArchiveKind::TarXz => head.starts_with(b"\xfd7zXZ\0"),
        // A frame, or one of the sixteen kinds of skippable frame that may come before it.
        ArchiveKind::TarZst => {
            head.starts_with(b"\x28\xb5\x2f\xfd")
                || (head.len() >= 4 && head[0] & 0xf0 == 0x50 && head[1..4] == *b"\x2a\x4d\x18")
        },
    }
}

/// Old tar files have no magic bytes, so the checksum of the first header decides.
fn is_tar_block(head: &[u8]) -> bool {
    let Some(block) = head.get(..HEAD_BYTES) else { return false };
    if block[257..262] == *b"ustar" || block.iter().all(|&byte| byte == 0) {
        return true;
    }
    let sum: u32 = block
        .iter()
        .enumerate()
        .map(|(at, &byte)| u32::from(if (148..156).contains(&at) { b' ' } else { byte }))
        .sum();
    let stored = block[148..156].iter().filter(|byte| byte.is_ascii_digit());
    let stored = stored.fold(0_u32, |value, &digit| (value << 3) | u32::from(digit - b'0'));
    block[0] != 0 && sum == stored
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_and_first_bytes_must_agree() {
        assert_eq!(kind_of("a.zip", b"PK\x03\x04rest"), Some(ArchiveKind::Zip));
        assert_eq!(kind_of("dir/A.JAR", b"PK\x05\x06"), Some(ArchiveKind::Zip));
        assert_eq!(kind_of("a.tar.GZ", b"\x1f\x8b\x08"), Some(ArchiveKind::TarGz));
        assert_eq!(kind_of("a.txz", b"\xfd7zXZ\0"), Some(ArchiveKind::TarXz));
        assert_eq!(kind_of("a.tzst", b"\x28\xb5\x2f\xfd"), Some(ArchiveKind::TarZst));
        assert_eq!(kind_of("a.zip", b"\x1f\x8b\x08"), None);
        assert_eq!(kind_of("a.zip", b""), None);
        assert_eq!(kind_of("a.docx", b"PK\x03\x04"), None);
        assert_eq!(kind_of("a.gz", b"\x1f\x8b\x08"), None);
        assert_eq!(kind_of(".zip", b"PK\x03\x04"), None);
        assert_eq!(kind_of("é", b"PK\x03\x04"), None);
    }

    #[test]
    fn an_old_tar_without_magic_bytes_is_known_by_its_checksum() {
        let mut header = tar::Header::new_old();
        header.set_path("a.txt").unwrap();
        header.set_size(3);
        header.set_mode(0o644);
        header.set_cksum();
        assert_eq!(kind_of("a.tar", header.as_bytes()), Some(ArchiveKind::Tar));
        let mut broken = *header.as_bytes();
        broken[0] = b'b';
        assert_eq!(kind_of("a.tar", &broken), None);
        assert_eq!(kind_of("a.tar", &header.as_bytes()[..100]), None);
    }
}
