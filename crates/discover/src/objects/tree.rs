//! The entries of a folder as git keeps them.

use super::ObjectId;

/// A name in a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TreeEntry<'t> {
    pub(crate) name: &'t [u8],
    pub(crate) id: ObjectId,
    pub(crate) kind: EntryKind,
}

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryKind {
    Folder,
    File,
    /// A link, or a repository of its own: nothing whose lines are looked at.
    Other,
}

/// The entries of a tree, in its order; what makes no sense ends it. Names that no folder can have are left out: git
/// never writes them, and with them a path would not grow, or lead elsewhere.
pub(crate) fn entries(tree: &[u8], id_bytes: usize) -> impl Iterator<Item = TreeEntry<'_>> {
    let mut left = tree;
    std::iter::from_fn(move || {
        let space = left.iter().position(|byte| *byte == b' ')?;
        let kind = match &left[..space] {
            b"40000" | b"040000" => EntryKind::Folder,
            mode if mode.starts_with(b"100") => EntryKind::File,
            _ => EntryKind::Other,
        };
        let rest = &left[space + 1..];
        let end = rest.iter().position(|byte| *byte == 0)?;
        let id = ObjectId::from_bytes(rest.get(end + 1..end + 1 + id_bytes)?)?;
        left = &rest[end + 1 + id_bytes..];
        Some(TreeEntry { name: &rest[..end], id, kind })
    })
    .filter(|entry| !matches!(entry.name, b"" | b"." | b"..") && !entry.name.contains(&b'/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_elsewhere_are_left_out() {
        let tree: Vec<u8> = ["", ".", "..", "a/b", "/", "...", "a"]
            .iter()
            .flat_map(|name| [b"40000 ", name.as_bytes(), b"\0", &[7; 20]].concat())
            .collect();
        let names: Vec<&[u8]> = entries(&tree, 20).map(|entry| entry.name).collect();
        assert_eq!(names, [&b"..."[..], b"a"]);
    }

    #[test]
    fn entries_are_read_up_to_the_first_that_is_broken() {
        let id = [7; 20];
        let tree = [
            &b"100644 a b\0"[..],
            &id,
            b"40000 src\0",
            &id,
            b"120000 link\0",
            &id,
            b"100755 cut\0",
            &id[..9],
        ]
        .concat();
        let found: Vec<_> =
            entries(&tree, 20).map(|entry| (entry.name.to_vec(), entry.kind)).collect();
        assert_eq!(
            found,
            [
                (b"a b".to_vec(), EntryKind::File),
                (b"src".to_vec(), EntryKind::Folder),
                (b"link".to_vec(), EntryKind::Other)
            ]
        );
    }
}
