//! What a chunk is: one piece of a file that is indexed, found and shown as a whole.

use std::ops::Range;

use gik_base::{FileKey, hash};

/// A piece of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// What the piece is.
    pub kind: ChunkKind,
    /// Where it is: whole lines without the last line break, or a part of a very long line.
    pub bytes: Range<usize>,
    /// `bytes` counted in UTF-16 code units.
    pub utf16: Range<usize>,
    /// The lines it touches.
    pub lines: Lines,
    /// Simple names of the items inside, separated by spaces, or the heading.
    pub name: String,
    /// Qualified name of the first item (`Store::open`) or heading path (`Guide > Install`); may be empty.
    pub qualified: String,
    /// How many earlier chunks of the file have the same kind, qualified name and content.
    ///
    /// Content counts as well, so that nothing but an equal twin above can change the `uid`.
    pub ordinal: u32,
    /// `ck:` and a hash of path, kind, qualified name, ordinal and content.
    pub uid: String,
    /// sha256 of the text in `bytes`.
    pub content_sha256: String,
    /// Signatures of the items inside, one per line.
    pub signature: String,
    /// Enclosing modules and types, followed by the trait an `impl` block is for; or the parent headings.
    pub container: String,
    /// Documentation comments of the items inside, without comment markers.
    pub doc: String,
    /// Imported names that the chunk uses, in order of their first use.
    pub imports: Vec<String>,
}

impl Chunk {
    /// The id of a chunk: the same content at the same place has the same one in every build, on every machine.
    pub fn uid_of(
        path: &FileKey,
        kind: ChunkKind,
        qualified: &str,
        ordinal: u32,
        content_sha256: &str,
    ) -> String {
        let hash = hash::fast128_hex(&[
            path.as_str().as_bytes(),
            kind.as_str().as_bytes(),
            qualified.as_bytes(),
            &ordinal.to_le_bytes(),
            content_sha256.as_bytes(),
        ]);
        format!("ck:{hash}")
    }
}

/// 1-based lines, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lines {
    /// The first line.
    pub start: u32,
    /// The last line.
    pub end: u32,
}

/// The kinds of [`Chunk`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChunkKind {
    /// A function, method or macro.
    Function,
    /// A class, trait, interface or implementation block.
    Class,
    /// A struct, enum or union.
    Struct,
    /// Constants, type aliases, modules, mixed items, and code of unknown structure.
    Block,
    /// Prose: sections, paragraphs, comments.
    Doc,
    /// Anything else: imports, settings, records.
    Other,
}

impl ChunkKind {
    /// Every kind.
    pub const ALL: [Self; 6] =
        [Self::Function, Self::Class, Self::Struct, Self::Block, Self::Doc, Self::Other];

    /// The kind with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// The name in contracts.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Class => "class",
            Self::Struct => "struct",
            Self::Block => "block",
            Self::Doc => "doc",
            Self::Other => "other",
        }
    }
}
