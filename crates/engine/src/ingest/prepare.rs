//! Read, parse and analyze one file. Runs on any thread and touches nothing but the file.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

use gik_base::{FileKey, FileStat, fs, hash, line_ends};
use gik_discover::text::{classify, decode};
use gik_discover::{SkipReason, forced_by};
use gik_index::{Analyzed, ChunkNo, Document, Field, FileNo, WordRuns, has_plain_words};
use gik_parse::{Chunk, ChunkKind, Language, Lines, Symbol};
use gik_store::{
    ChunkRow, Facts, FileOrigin, FileRecord, FileRow, FileState, ReferenceRow, ScopeRow, Signature,
    Stage, SymbolRow,
};

use super::capsules;
use super::recent::Said;
use crate::modes::{Mode, Modes};
use crate::projection::chunk_uid;
use crate::{Workspace, bases, modes};

/// A file to look at.
#[derive(Debug)]
pub(crate) struct Job<'a> {
    pub(crate) key: &'a FileKey,
    pub(crate) stat: FileStat,
    /// The base that was asked for; inferred from the content where it is not given.
    pub(crate) base: Option<&'a str>,
    /// What the index knows of it: row, hash, and whether that can be kept when the bytes are the same.
    pub(crate) known: Option<KnownFile>,
    /// Whether it is an archive whose members are sources.
    pub(crate) is_archive: bool,
    /// Whether it is new or may have changed; otherwise its words can be searched already.
    pub(crate) is_new: bool,
}

/// How far a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Its words, in pieces of lines.
    Words,
    /// All that it holds.
    Structure,
}

/// What the index knows of a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KnownFile {
    pub(crate) id: FileNo,
    pub(crate) sha256: hash::Digest,
}

/// A file that is no longer where it was, and its pieces: a new file with the same bytes takes them over.
#[derive(Debug)]
pub(crate) struct Departed {
    pub(crate) language: String,
    pub(crate) chunks: Vec<ChunkRow>,
    pub(crate) symbols: Vec<SymbolRow>,
    pub(crate) facts: Facts,
}

/// What became of a job.
#[derive(Debug)]
pub(crate) enum Prepared {
    /// The bytes are the ones already known: only the times are new.
    Same { id: FileNo, stat: FileStat },
    /// Something to write.
    File(Box<PreparedFile>),
    /// An archive: its members are read one by one when it is written.
    Archive { key: FileKey, stat: FileStat, sha256: hash::Digest },
}

/// A file ready to be written.
#[derive(Debug)]
pub(crate) struct PreparedFile {
    pub(crate) record: FileRecord,
    pub(crate) text: String,
    pub(crate) pieces: Vec<Piece>,
    pub(crate) symbols: Vec<SymbolRow>,
    /// Capsules, comments and references as the store keeps them.
    pub(crate) facts: Vec<u8>,
    /// What edges are found from.
    pub(crate) said: Said,
    /// Whether the pieces were taken over from a file that moved.
    pub(crate) moved: bool,
}

/// One chunk and its words.
#[derive(Debug)]
pub(crate) struct Piece {
    pub(crate) chunk: Chunk,
    pub(crate) words: Analyzed,
}

/// Which files to leave out by their content.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Taste<'a> {
    pub(crate) generated: bool,
    pub(crate) minified: bool,
    pub(crate) modes: Modes,
    /// Where `.gikignore` files may force a file in; `None` for what is not a file of the workspace.
    pub(crate) root: Option<&'a Path>,
}

impl<'a> Taste<'a> {
    pub(crate) fn of(ws: &'a Workspace<'_>, modes: Modes) -> Self {
        Self {
            modes,
            generated: ws.settings.indexing.include_generated,
            minified: ws.settings.indexing.include_minified,
            root: Some(&ws.root),
        }
    }

    fn rejects(self, reason: &SkipReason) -> bool {
        match reason {
            SkipReason::Generated { .. } => !self.generated,
            SkipReason::Minified => !self.minified,
            SkipReason::Ignored { .. }
            | SkipReason::Builtin { .. }
            | SkipReason::TooLarge { .. }
            | SkipReason::Binary
            | SkipReason::SymbolicLink
            | SkipReason::NotAFile
            | SkipReason::Mode { .. }
            | SkipReason::Unreadable(_) => true,
        }
    }
}

/// Finds a departed file by the hash of its bytes.
pub(crate) type FindDeparted<'a> = &'a (dyn Fn(&hash::Digest) -> Option<&'a Departed> + Sync);

/// Reads a file and prepares what has to be written about it.
pub(crate) fn prepare(
    root: &Path,
    job: &Job<'_>,
    depth: Depth,
    taste: Taste<'_>,
    departed: FindDeparted<'_>,
) -> Prepared {
    let bytes = match fs::read(&job.key.to_path(root)) {
        Ok(bytes) => bytes,
        Err(failure) => {
            let reason = SkipReason::Unreadable(failure.causes().join(": "));
            return Prepared::File(Box::new(left_out(
                job.key,
                job.base,
                job.stat,
                hash::Digest::default(),
                &reason,
            )));
        },
    };
    let sha256 = hash::sha256(&bytes);
    if let Some(known) = job.known
        && known.sha256 == sha256
    {
        return Prepared::Same { id: known.id, stat: job.stat };
    }
    if job.is_archive {
        return Prepared::Archive { key: job.key.clone(), stat: job.stat, sha256 };
    }
    let arrival = Arrival {
        key: job.key,
        base: job.base,
        stat: job.stat,
        origin: FileOrigin::File,
        language: None,
    };
    let moved_from = departed(&sha256);
    Prepared::File(Box::new(prepare_bytes(&arrival, bytes, sha256, depth, taste, moved_from)))
}

/// Where bytes come from, apart from the bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arrival<'a> {
    pub(crate) key: &'a FileKey,
    pub(crate) base: Option<&'a str>,
    pub(crate) stat: FileStat,
    pub(crate) origin: FileOrigin,
    /// The language, where it is known without looking.
    pub(crate) language: Option<&'static Language>,
}

/// Prepares bytes that are not known yet.
pub(crate) fn prepare_bytes(
    arrival: &Arrival<'_>,
    bytes: Vec<u8>,
    sha256: hash::Digest,
    depth: Depth,
    taste: Taste<'_>,
    moved_from: Option<&Departed>,
) -> PreparedFile {
    let Arrival { key, base, stat, origin, language } = *arrival;
    let text = match decode(bytes) {
        Ok((text, _encoding)) => text,
        Err(reason) => return left_out_from(arrival, sha256, &reason),
    };
    let is_forced =
        || taste.root.is_some_and(|root| forced_by(root, key).is_ok_and(|rule| rule.is_some()));
    if let Some(reason) =
        classify(key, &text).filter(|reason| taste.rejects(reason) && !is_forced())
    {
        return left_out_from(arrival, sha256, &reason);
    }
    let language = language.or_else(|| gik_parse::detect(key, text.as_bytes()));
    let mode = modes::of_file(key, language, &text);
    if !taste.modes.has_files_of(mode) {
        return left_out_from(arrival, sha256, &SkipReason::Mode { mode });
    }
    let language_id = language.map_or("", |language| language.id);
    let base = base.map_or_else(|| bases::inferred(key, language).to_owned(), str::to_owned);
    let taken_over = moved_from
        .filter(|from| from.language == language_id)
        .and_then(|from| take_over(from, key, &text));
    let moved = taken_over.is_some();
    // What has no structure is whole as soon as it has words.
    let has_structure = language.is_some_and(Language::has_structure);
    let is_whole = moved || depth == Depth::Structure || !has_structure;
    let Understood { chunks, symbols, facts } = taken_over.unwrap_or_else(|| {
        if is_whole { understand(key, &text, language) } else { only_words(key, &text) }
    });
    let labels = bases::label(&base) | modes::label(mode);
    let fields = Fields::of(mode, taste.modes);
    let comments = &facts.comments;
    let language = language.filter(|_| is_whole);
    let source = Source { key, language, text: &text, labels, comments, fields };
    let pieces = pieces(&source, chunks, is_whole);
    let record = FileRecord {
        key: key.clone(),
        base,
        language: language_id.to_owned(),
        stat,
        sha256,
        lines: count_lines(&text),
        n_chunks: u32::try_from(pieces.len()).unwrap_or(u32::MAX),
        n_symbols: u32::try_from(symbols.len()).unwrap_or(u32::MAX),
        origin,
        mode,
        stage: if is_whole { Stage::Structure } else { Stage::Words },
        state: FileState::Indexed,
    };
    let stored = facts.to_bytes();
    let said = Said { references: facts.references, scopes: facts.scopes };
    PreparedFile { record, text, pieces, symbols, facts: stored, said, moved }
}

/// As many as [`str::lines`] gives.
fn count_lines(text: &str) -> u64 {
    let ends = line_ends(text.as_bytes()).count() as u64;
    ends + u64::from(!text.is_empty() && !text.ends_with('\n'))
}

/// What a file holds, as it is written.
struct Understood {
    chunks: Vec<Chunk>,
    symbols: Vec<SymbolRow>,
    facts: Facts,
}

/// Few and large chunks: they only have to be found until the file is taken apart.
fn only_words(key: &FileKey, text: &str) -> Understood {
    let chunks = gik_parse::runs_of_lines(key, text);
    let facts = Facts { capsules: capsules::of_chunks(&chunks, &[]), ..Facts::default() };
    Understood { chunks, symbols: Vec::new(), facts }
}

/// Takes a file apart.
fn understand(key: &FileKey, text: &str, language: Option<&'static Language>) -> Understood {
    let parsed = gik_parse::parse(key, text, language);
    let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let mut symbols = parsed.symbols;
    // The order in which they are read again, by which capsules name them.
    symbols.sort_by_key(|symbol| symbol.bytes.start);
    let facts = Facts {
        capsules: capsules::of_chunks(&parsed.chunks, &symbols),
        comments: parsed
            .comments
            .iter()
            .map(|range| place(range.start)..place(range.end))
            .collect(),
        references: parsed
            .references
            .into_iter()
            .map(|reference| ReferenceRow {
                name: reference.name,
                role: reference.role.number(),
                receiver: reference.receiver,
            })
            .collect(),
        scopes: parsed
            .scope_facts
            .into_iter()
            .map(|fact| ScopeRow {
                kind: fact.kind.number(),
                name: fact.name,
                from: fact.from,
                alias: fact.alias,
            })
            .collect(),
    };
    let symbols =
        symbols.into_iter().map(|symbol| symbol_row(key, text, language, symbol)).collect();
    Understood { chunks: parsed.chunks, symbols, facts }
}

fn symbol_row(
    key: &FileKey,
    text: &str,
    language: Option<&'static Language>,
    symbol: Symbol,
) -> SymbolRow {
    let usual =
        language.map(|language| language.qualify(symbol.container.as_deref(), &symbol.name));
    let is_usual = usual.is_some_and(|usual| usual == symbol.qualified);
    SymbolRow {
        file: FileNo(0),
        kind: symbol.kind.as_str().to_owned(),
        qualified: (!is_usual).then_some(symbol.qualified),
        descriptors: gik_parse::descriptors_of(&symbol.symbol_id, language, key).to_owned(),
        visibility: symbol.visibility.map(|visibility| visibility.as_str().to_owned()),
        start: (symbol.start.line, symbol.start.col),
        end: (symbol.end.line, symbol.end.col),
        utf16: symbol.utf16,
        name_start: symbol.name_bytes.start,
        name: symbol.name,
        container: symbol.container,
        signature: Signature::new(text, symbol.bytes.start, symbol.signature),
        bytes: symbol.bytes,
    }
}

/// The pieces of a file that moved, under its new name: same text, same boundaries, no parsing.
fn take_over(from: &Departed, key: &FileKey, text: &str) -> Option<Understood> {
    if from.facts.capsules.len() != from.chunks.len() {
        return None;
    }
    let mut chunks = Vec::with_capacity(from.chunks.len());
    for (row, capsule) in from.chunks.iter().zip(&from.facts.capsules) {
        let kind = ChunkKind::from_name(&row.kind)?;
        text.get(row.bytes.clone())?;
        chunks.push(Chunk {
            kind,
            bytes: row.bytes.clone(),
            lines: Lines { start: row.lines.0, end: row.lines.1 },
            utf16: row.utf16.clone(),
            name: row.name.clone(),
            qualified: row.qualified.clone(),
            ordinal: row.ordinal,
            uid: chunk_uid(row, key),
            content_sha256: row.content_sha256.to_string(),
            signature: capsules::signature(capsule, &from.symbols, text)?,
            container: capsule.container.clone(),
            // What documents is among the comments.
            doc: String::new(),
            imports: capsule.imports.split_whitespace().map(str::to_owned).collect(),
        });
    }
    Some(Understood { chunks, symbols: from.symbols.clone(), facts: from.facts.clone() })
}

/// What all chunks of a file share.
struct Source<'a> {
    key: &'a FileKey,
    language: Option<&'static Language>,
    text: &'a str,
    labels: u32,
    comments: &'a [Range<u32>],
    fields: Fields,
}

/// Which parts of a file can be searched.
#[derive(Debug, Clone, Copy)]
struct Fields {
    code: bool,
    comments: bool,
}

impl Fields {
    /// Those of a file in that mode, given the modes that are indexed.
    fn of(mode: &str, modes: Modes) -> Self {
        Self {
            code: mode != modes::CODE || modes.has(Mode::Code),
            comments: mode != modes::CODE || modes.has(Mode::ExtractedProse),
        }
    }
}

/// The chunks with their words. All are labelled where each stretch of letters in the text is part of one of these; what
/// is soon taken apart is not looked at for that.
fn pieces(source: &Source<'_>, chunks: Vec<Chunk>, mut is_whole: bool) -> Vec<Piece> {
    let (mut runs, mut end) = (WordRuns::default(), 0);
    let mut piece = |chunk: Chunk| {
        let searchable = gik_parse::searchable(source.language, &chunk, source.text);
        is_whole &= chunk.bytes.start >= end && matches!(searchable, Cow::Borrowed(_));
        end = chunk.bytes.end;
        let words = with_document(source, &chunk, |document| {
            for field in [Field::Doc, Field::Body].into_iter().filter(|_| is_whole) {
                runs += WordRuns::of(document.fields[field.index()]);
            }
            document.analyze()
        });
        Piece { chunk, words }
    };
    let mut pieces: Vec<Piece> = chunks.into_iter().map(&mut piece).collect();
    if is_whole && runs == WordRuns::of(source.text) && has_plain_words(source.text) {
        pieces.iter_mut().for_each(|piece| piece.words.add_labels(modes::PLAIN));
    }
    pieces
}

/// Hands out what of a chunk can be searched: the text without comments, the comments, and the capsule that says where
/// it stands.
fn with_document<R>(
    source: &Source<'_>,
    chunk: &Chunk,
    take: impl FnOnce(&Document<'_>) -> R,
) -> R {
    let place = format!("{} {} {}", source.key.as_str(), chunk.container, chunk.imports.join(" "));
    let name = format!("{} {}", chunk.name, chunk.qualified);
    let (body, doc) = match gik_parse::searchable(source.language, chunk, source.text) {
        Cow::Borrowed(whole) if whole.len() == chunk.bytes.len() => {
            without_comments(source.text, &chunk.bytes, source.comments)
        },
        words @ (Cow::Borrowed(_) | Cow::Owned(_)) => (words, String::new()),
    };
    take(&Document {
        chunk: ChunkNo(0),
        file: FileNo(0),
        labels: source.labels,
        tie: hash::fast64(chunk.uid.as_bytes()),
        fields: [
            if source.fields.code { &name } else { "" },
            if source.fields.code { &chunk.signature } else { "" },
            &place,
            if source.fields.comments { &doc } else { "" },
            if source.fields.code { &body } else { "" },
        ],
    })
}

/// What of a file can be searched, made from its text once more: each chunk by its place, with its document.
pub(super) fn documents_of(
    file: &FileRow,
    text: &str,
    modes: Modes,
    mut take: impl FnMut(&Chunk, &Document<'_>),
) {
    let language = gik_parse::language_by_id(&file.language);
    let mode = modes::of_file(&file.key, language, text);
    let is_whole = file.stage == Stage::Structure;
    let Understood { chunks, facts, .. } =
        if is_whole { understand(&file.key, text, language) } else { only_words(&file.key, text) };
    let source = Source {
        key: &file.key,
        language: language.filter(|_| is_whole),
        text,
        labels: bases::label(&file.base) | modes::label(mode),
        comments: &facts.comments,
        fields: Fields::of(mode, modes),
    };
    for chunk in &chunks {
        with_document(&source, chunk, |document| take(chunk, document));
    }
}

/// The text of a chunk without its comments, and its comments.
fn without_comments<'t>(
    text: &'t str,
    chunk: &Range<usize>,
    comments: &[Range<u32>],
) -> (Cow<'t, str>, String) {
    let first = comments.partition_point(|comment| comment.end as usize <= chunk.start);
    let inside =
        comments[first..].iter().take_while(|comment| (comment.start as usize) < chunk.end);
    let (mut body, mut doc, mut at) = (String::new(), String::new(), chunk.start);
    for comment in inside {
        let start = (comment.start as usize).max(at);
        let end = (comment.end as usize).min(chunk.end).max(start);
        body.push_str(text.get(at..start).unwrap_or_default());
        body.push('\n');
        doc.push_str(text.get(start..end).unwrap_or_default());
        doc.push('\n');
        at = end;
    }
    let rest = text.get(at..chunk.end).unwrap_or_default();
    if at == chunk.start {
        return (Cow::Borrowed(rest), doc);
    }
    body.push_str(rest);
    (Cow::Owned(body), doc)
}

fn left_out_from(arrival: &Arrival<'_>, sha256: hash::Digest, reason: &SkipReason) -> PreparedFile {
    let mut file = left_out(arrival.key, arrival.base, arrival.stat, sha256, reason);
    file.record.origin = arrival.origin;
    file
}

/// A file without chunks, remembered with its reason so that it is not read again until it changes.
pub(crate) fn left_out(
    key: &FileKey,
    base: Option<&str>,
    stat: FileStat,
    sha256: hash::Digest,
    reason: &SkipReason,
) -> PreparedFile {
    let language = gik_parse::detect_by_name(key);
    let record = FileRecord {
        key: key.clone(),
        base: base.map_or_else(|| bases::inferred(key, language).to_owned(), str::to_owned),
        language: language.map_or("", |language| language.id).to_owned(),
        stat,
        sha256,
        lines: 0,
        n_chunks: 0,
        n_symbols: 0,
        origin: FileOrigin::File,
        mode: modes::of_file(key, language, ""),
        stage: Stage::Structure,
        state: FileState::Skipped { code: reason.code().to_owned(), detail: reason.to_string() },
    };
    PreparedFile {
        record,
        text: String::new(),
        pieces: Vec::new(),
        symbols: Vec::new(),
        facts: Vec::new(),
        said: Said::default(),
        moved: false,
    }
}

#[cfg(test)]
mod tests;
