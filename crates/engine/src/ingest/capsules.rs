//! What is a chunk found by apart from its text? Its declarations are those of symbols, nearly all of them.

use gik_parse::{Chunk, Symbol};
use gik_store::{Capsule, Declaration, SymbolRow};

/// The capsules of all chunks of a file; symbols come in the order of their start.
pub(super) fn of_chunks(chunks: &[Chunk], symbols: &[Symbol]) -> Vec<Capsule> {
    let mut last = 0;
    let mut capsule = |chunk: &Chunk| {
        let first_at = |at: usize| symbols.partition_point(|symbol| symbol.bytes.start < at);
        let inside = first_at(chunk.bytes.start)..first_at(chunk.bytes.end);
        let declaration = |line: &str| {
            // A part of a long item has the declaration that was the last one.
            let mut places = std::iter::once(last).chain(inside.start.max(last)..inside.end);
            let is_it = |place: &usize| symbols.get(*place).is_some_and(|it| it.signature == line);
            let place = places.find(is_it).and_then(|place| u32::try_from(place).ok());
            last = place.map_or(last, |place| place as usize);
            place.map_or_else(|| Declaration::Text(line.to_owned()), Declaration::Symbol)
        };
        Capsule {
            declarations: chunk.signature.lines().map(declaration).collect(),
            container: chunk.container.clone(),
            imports: chunk.imports.join(" "),
        }
    };
    chunks.iter().map(&mut capsule).collect()
}

/// The declarations of a capsule, one per line.
pub(super) fn signature(capsule: &Capsule, symbols: &[SymbolRow], text: &str) -> Option<String> {
    let mut lines = String::new();
    for declaration in &capsule.declarations {
        if !lines.is_empty() {
            lines.push('\n');
        }
        match declaration {
            Declaration::Text(line) => lines.push_str(line),
            Declaration::Symbol(place) => {
                let symbol = symbols.get(*place as usize)?;
                lines.push_str(&symbol.signature.line(text, symbol.bytes.start));
            },
        }
    }
    Some(lines)
}
