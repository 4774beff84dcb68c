//! What a pack is about: a symbol, a file, a chunk, or the place where the reader is.

use gik_base::{ErrorCode, Failure, Result};
use gik_contract::pack::{Focus, Here};
use gik_graph::Node;
use gik_pack::{Place, Points, Rule, Seed};
use gik_store::{FileState, Snapshot};

use super::shelf::Shelf;
use crate::Workspace;
use crate::likeness::place;
use crate::symbols::{definitions, id_of, near_names, typed as quoted};

/// What was named, found.
#[derive(Debug, Default)]
pub(crate) struct Focused {
    pub(crate) focus: Focus,
    pub(crate) seeds: Vec<Seed>,
    /// Words to look for where there is no question.
    pub(crate) words: String,
    /// What the reader should know.
    pub(crate) note: Option<String>,
}

/// So many chunks of a file that was named are seeds.
const CHUNKS_OF_FILE: usize = 12;
/// So many symbols of it are followed.
const SYMBOLS_OF_FILE: u32 = 64;
/// So many lines before and after the line of the reader.
const WINDOW: u32 = 200;
/// So many chunks of them.
const CHUNKS_IN_WINDOW: usize = 8;

/// What `symbol:…`, `file:…`, `chunk:…` or a bare name means.
pub(crate) fn focus(
    ws: &Workspace<'_>,
    snapshot: &Snapshot<'_>,
    shelf: &mut Shelf<'_>,
    typed: &str,
) -> Result<Focused> {
    let typed = typed.trim();
    if let Some(id) = typed.strip_prefix("chunk:") {
        return of_chunk(shelf, id, typed);
    }
    if let Some(path) = typed.strip_prefix("file:") {
        return of_file(ws, shelf, path)?.ok_or_else(|| not_indexed(path));
    }
    if let Some(name) = typed.strip_prefix("symbol:") {
        return of_symbol(snapshot, shelf, name)?.ok_or_else(|| missing(snapshot, name));
    }
    if typed.starts_with("ck:") {
        return of_chunk(shelf, typed, typed);
    }
    if let Some(found) = of_file(ws, shelf, typed)? {
        return Ok(found);
    }
    if let Some(found) = of_line(ws, shelf, typed)? {
        return Ok(found);
    }
    of_symbol(snapshot, shelf, typed)?.ok_or_else(|| missing(snapshot, typed))
}

fn missing(snapshot: &Snapshot<'_>, name: &str) -> Failure {
    let message = format!("no symbol, file or chunk is called `{name}`");
    let failure = Failure::new(ErrorCode::NothingFound, message);
    let near = crate::symbols::Pattern::parse(name)
        .and_then(|pattern| near_names(snapshot, &pattern))
        .unwrap_or_default();
    if near.is_empty() {
        return failure.hint(format!("`gik search {}` finds it in the text", quoted(name)));
    }
    failure.hint(format!("there is `{}`", near.join("`, `")))
}

fn not_indexed(path: &str) -> Failure {
    Failure::new(ErrorCode::PathMissing, format!("`{path}` is not indexed"))
        .hint(format!("`gik ls-files {}` tells why", quoted(path)))
}

fn of_symbol(
    snapshot: &Snapshot<'_>,
    shelf: &mut Shelf<'_>,
    name: &str,
) -> Result<Option<Focused>> {
    use gik_pack::Library as _;
    let (_, found) = definitions(snapshot, name)?;
    let Some(first) = found.first() else { return Ok(None) };
    let id = id_of(&first.symbol, &first.file);
    let Some(number) = shelf.number(first.file.key.as_str()) else { return Ok(None) };
    let contents = shelf.contents(number)?;
    let at = contents
        .symbols
        .iter()
        .position(|symbol| symbol.bytes == first.symbol.bytes && symbol.name == first.symbol.name);
    let Some(node) = at.and_then(|at| Some(Node::symbol(number, u32::try_from(at).ok()?))) else {
        return Ok(None);
    };
    let Some(mut place) = shelf.place(node)? else { return Ok(None) };
    // A chunk that stands for what the symbol is a part of is not what was named.
    place.symbol_id = Some(id.clone());
    let note = (found.len() > 1).then(|| {
        let n = found.len();
        format!("`{name}` has {n} definitions: this is about the first, `{id}`")
    });
    Ok(Some(Focused {
        focus: Focus { symbol_id: Some(id), ..Focus::default() },
        seeds: vec![Seed {
            place,
            nodes: vec![node],
            rule: Rule::Focus,
            score: Points::ALL,
            lexical: None,
            dense: None,
        }],
        words: first.symbol.name.clone(),
        note,
    }))
}

fn of_file(ws: &Workspace<'_>, shelf: &mut Shelf<'_>, path: &str) -> Result<Option<Focused>> {
    let Ok(key) = ws.key_typed(path) else { return Ok(None) };
    let Some(number) = shelf.number(key.as_str()) else { return Ok(None) };
    if shelf.file(number).is_none() {
        return Ok(None);
    }
    let contents = shelf.contents(number)?;
    let symbols = 0..u32::try_from(contents.symbols.len()).unwrap_or(0).min(SYMBOLS_OF_FILE);
    let mut nodes = vec![Node::file(number)];
    nodes.extend(symbols.map(|symbol| Node::symbol(number, symbol)));
    let mut seeds = Vec::new();
    for chunk in contents.chunks.iter().take(CHUNKS_OF_FILE) {
        let Some(place) = shelf.place_of_chunk(number, chunk)? else { continue };
        seeds.push(Seed {
            place,
            nodes: std::mem::take(&mut nodes),
            rule: Rule::Focus,
            score: Points::ALL,
            lexical: None,
            dense: None,
        });
    }
    let n = contents.chunks.len();
    let note = (n > CHUNKS_OF_FILE)
        .then(|| format!("`{key}` has {n} chunks: the first {CHUNKS_OF_FILE} of them are seeds"));
    let name = key.as_str().rsplit('/').next().unwrap_or_default();
    let words = name.split('.').next().unwrap_or_default().to_owned();
    let focus = Focus { file_rel_path: Some(key.as_str().to_owned()), ..Focus::default() };
    Ok(Some(Focused { focus, seeds, words, note }))
}

/// The chunk at `FILE:LINE`.
fn of_line(ws: &Workspace<'_>, shelf: &mut Shelf<'_>, typed: &str) -> Result<Option<Focused>> {
    let Ok((path, line)) = place(typed) else { return Ok(None) };
    let Ok(key) = ws.key_typed(path) else { return Ok(None) };
    let Some(number) = shelf.number(key.as_str()) else { return Ok(None) };
    let contents = shelf.contents(number)?;
    let chunk = contents.chunks.iter().position(|chunk| chunk.lines.1 >= line);
    match chunk {
        Some(at) => of_chunk_at(shelf, number, at).map(Some),
        None => Ok(None),
    }
}

/// The chunk with an id.
fn of_chunk(shelf: &mut Shelf<'_>, id: &str, typed: &str) -> Result<Focused> {
    if let Some((number, at)) = shelf.find_chunk(id)? {
        return of_chunk_at(shelf, number, at);
    }
    let message = format!("no chunk is called `{typed}`");
    Err(Failure::new(ErrorCode::NothingFound, message)
        .hint("a chunk gets another id when its text changes; name its file and line instead"))
}

fn of_chunk_at(shelf: &mut Shelf<'_>, number: u32, at: usize) -> Result<Focused> {
    let contents = shelf.contents(number)?;
    let chunk = &contents.chunks[at];
    let nodes = shelf.nodes_of(number, chunk)?;
    let place = shelf.place_of_chunk(number, chunk)?;
    let seeds = place.into_iter().map(|place| Seed {
        place,
        nodes: nodes.clone(),
        rule: Rule::Focus,
        score: Points::ALL,
        lexical: None,
        dense: None,
    });
    let seeds: Vec<Seed> = seeds.collect();
    let chunk_uid = seeds.first().map(|seed| seed.place.chunk_uid.clone());
    let name = chunk.name.split(' ').next().unwrap_or_default().to_owned();
    Ok(Focused { focus: Focus { chunk_uid, ..Focus::default() }, seeds, words: name, note: None })
}

/// What stands around the reader, the nearest first; the graph is followed from where the line is.
pub(crate) fn here(
    ws: &Workspace<'_>,
    shelf: &mut Shelf<'_>,
    typed: &str,
    most_bytes: u64,
) -> Result<(Here, Vec<Seed>)> {
    let (path, line) = place(typed)?;
    let key = ws.key_typed(path)?;
    let file = shelf
        .number(key.as_str())
        .filter(|number| shelf.file(*number).is_some_and(|file| file.state == FileState::Indexed));
    let Some(number) = file else { return Err(not_indexed(path)) };
    let contents = shelf.contents(number)?;
    let away = |lines: (u32, u32)| {
        if lines.0 > line { lines.0 - line } else { line.saturating_sub(lines.1) }
    };
    let mut near: Vec<usize> = (0..contents.chunks.len())
        .filter(|at| away(contents.chunks[*at].lines) <= WINDOW)
        .collect();
    near.sort_by_key(|at| (away(contents.chunks[*at].lines), *at));
    near.truncate(CHUNKS_IN_WINDOW);
    if near.is_empty() {
        let last = contents.chunks.iter().map(|chunk| chunk.lines.1).max().unwrap_or(0);
        let message = format!("`{path}` has no text near line {line}: its last line is {last}");
        return Err(Failure::new(ErrorCode::ArgumentInvalid, message));
    }
    let mut seeds = Vec::new();
    for (rank, at) in near.into_iter().enumerate() {
        let chunk = &contents.chunks[at];
        let nodes = if rank == 0 { shelf.nodes_of(number, chunk)? } else { Vec::new() };
        let Some(mut place) = shelf.place_of_chunk(number, chunk)? else { continue };
        if let Some(text) = shelf.text(number)?.filter(|_| rank == 0) {
            begin_near(&mut place, text, line, most_bytes);
        }
        let score = Points::ALL.divided(u32::try_from(rank).unwrap_or(0) + 1);
        seeds.push(Seed { place, nodes, rule: Rule::Here, score, lexical: None, dense: None });
    }
    Ok((Here { file_rel_path: key.as_str().to_owned(), line }, seeds))
}

/// Lets a place that is longer than what may be shown of it begin so that a line is in the first half of that.
fn begin_near(place: &mut Place, text: &str, line: u32, most_bytes: u64) {
    let most = usize::try_from(most_bytes).unwrap_or(usize::MAX);
    let Some(whole) = text.get(place.bytes.clone()) else { return };
    let skipped = line.saturating_sub(place.lines.0) as usize;
    let starts: Vec<usize> =
        std::iter::once(0).chain(whole.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let Some(&at) = starts.get(skipped).filter(|at| whole.len() > most && **at > most / 2) else {
        return;
    };
    let first = starts[..=skipped].partition_point(|start| at - start > most / 2);
    let before = &whole[..starts[first]];
    place.bytes.start += before.len();
    place.utf16.start += before.encode_utf16().count() as u64;
    place.lines.0 += u32::try_from(first).unwrap_or(0);
    // What begins inside of a definition is no longer all of it.
    place.symbol_id = None;
}
