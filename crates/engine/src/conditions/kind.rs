//! `kind:function`, `kind:type`, `kind:doc`: what is a chunk, or what does it define?

use gik_base::{ErrorCode, Failure, Result};
use gik_parse::{ChunkKind, SymbolKind};
use gik_store::{ChunkRow, SymbolRow};

/// What `kind:` names.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    /// The chunk is such a piece.
    Chunk(ChunkKind),
    /// Such a symbol begins in the chunk.
    Symbols(Vec<SymbolKind>),
}

/// Names that people use for several kinds, or for one by another name.
const ALSO: &[(&str, &[SymbolKind])] = &[
    ("function", &[SymbolKind::Function, SymbolKind::Method, SymbolKind::Constructor]),
    ("fn", &[SymbolKind::Function, SymbolKind::Method, SymbolKind::Constructor]),
    ("func", &[SymbolKind::Function, SymbolKind::Method, SymbolKind::Constructor]),
    (
        "type",
        &[
            SymbolKind::Class,
            SymbolKind::Struct,
            SymbolKind::Enum,
            SymbolKind::Union,
            SymbolKind::Trait,
            SymbolKind::Interface,
            SymbolKind::Protocol,
            SymbolKind::TypeAlias,
        ],
    ),
    ("constant", &[SymbolKind::Const]),
    ("variable", &[SymbolKind::Var]),
];

/// Chunks that are no definitions.
const PIECES: [ChunkKind; 3] = [ChunkKind::Doc, ChunkKind::Block, ChunkKind::Other];

impl Kind {
    /// The kind of that name.
    pub(super) fn named(name: &str) -> Result<Self> {
        let lower = name.to_lowercase();
        let also = ALSO.iter().find(|(known, _)| *known == lower);
        let piece = PIECES.into_iter().find(|kind| kind.as_str() == lower);
        (also.map(|(_, kinds)| Self::Symbols(kinds.to_vec())))
            .or_else(|| piece.map(Self::Chunk))
            .or_else(|| Some(Self::Symbols(vec![SymbolKind::from_name(&lower)?])))
            .ok_or_else(|| {
                let pieces = PIECES.iter().map(|kind| kind.as_str());
                let symbols = SymbolKind::ALL.iter().map(|kind| kind.as_str());
                let known: Vec<&str> = ["type"].into_iter().chain(symbols).chain(pieces).collect();
                Failure::new(ErrorCode::ArgumentInvalid, format!("there is no kind `{name}`"))
                    .hint(format!("use one of: {}", known.join(", ")))
            })
    }

    /// Whether a chunk is of this kind, given the symbols of its file.
    pub(super) fn is(&self, chunk: &ChunkRow, symbols: &[SymbolRow]) -> bool {
        match self {
            Self::Chunk(kind) => chunk.kind == kind.as_str(),
            Self::Symbols(kinds) => symbols.iter().any(|symbol| {
                chunk.bytes.contains(&symbol.bytes.start)
                    && kinds.iter().any(|kind| kind.as_str() == symbol.kind)
            }),
        }
    }
}
