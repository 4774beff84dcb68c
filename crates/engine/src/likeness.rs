//! What is the chunk at a line like? Its place, its words, and its neighbours by their vectors.

use std::collections::BTreeSet;

use gik_base::{ErrorCode, Failure, Result};
use gik_index::vectors::Metric;
use gik_index::{ChunkNo, Hit, Query, Searcher};
use gik_retrieve::signals::NEAR;
use gik_store::{ChunkRow, FileRow, FileState, Question, RowMeta, Snapshot};

use crate::answer::rounded;
use crate::embedding::{BaseModel, EmbeddingConfig};
use crate::projection::text_of;
use crate::symbols::typed;
use crate::{Workspace, bases};

/// A chunk that others are compared with.
#[derive(Debug)]
pub(crate) struct Example {
    pub(crate) chunk: ChunkRow,
    pub(crate) file: FileRow,
    text: String,
}

impl Example {
    /// The chunk at `FILE:LINE`.
    pub(crate) fn at(ws: &Workspace<'_>, snapshot: &Snapshot<'_>, typed: &str) -> Result<Self> {
        let (path, line) = place(typed)?;
        let (chunk, file) = chunk_at(ws, snapshot, path, line)?;
        let text = text_of(ws, snapshot, &file)?;
        let text = text.as_deref().and_then(|text| text.get(chunk.bytes.clone()));
        let text = text.ok_or_else(|| {
            Failure::new(ErrorCode::Io, format!("`{path}` changed while it was looked at"))
                .hint("run the command again")
        })?;
        Ok(Self { text: text.to_owned(), chunk, file })
    }

    /// The words that count most for it.
    pub(crate) fn telling_words(&self, searcher: &Searcher<'_>) -> Result<Vec<String>> {
        telling_words(searcher, self.chunk.id, &self.text)
    }

    /// What a model sees of it.
    pub(crate) fn passage(&self, ws: &Workspace<'_>) -> Result<String> {
        let config = EmbeddingConfig::of(&ws.settings, &self.file.base)?;
        Ok(config.passage(&self.file.key, &self.text))
    }

    /// The chunks nearest to it by their vectors, with the cosines; `None` where it has no vector that can be used.
    pub(crate) fn nearest(
        &self,
        ws: &Workspace<'_>,
        snapshot: &Snapshot<'_>,
        limit: usize,
        takes: &dyn Fn(ChunkNo, u32) -> bool,
    ) -> Result<Option<Vec<(ChunkNo, f64)>>> {
        let usable = |base: &str| -> Result<_> {
            if snapshot.vector_model(base)?.is_none() {
                return Ok(None);
            }
            let found = BaseModel::of(ws, snapshot, base)?;
            Ok(if found.warning().is_none() { found.model } else { None })
        };
        let Some(model) = usable(&self.file.base)? else { return Ok(None) };
        let own = snapshot.vectors(&self.file.base, &model, &[self.chunk.id])?.pop().flatten();
        let Some(own) = own else { return Ok(None) };
        let filter = |row: RowMeta| takes(row.chunk, row.labels);
        let question = Question { vector: &own, k: limit, metric: Metric::Cosine, filter: &filter };
        let mut near: Vec<(ChunkNo, f32)> = Vec::new();
        for base in bases::FILE_BASES {
            // Vectors of other models cannot be compared.
            if usable(base)?.is_some_and(|other| other == model) {
                near.extend(snapshot.nearest(base, &model, &question)?);
            }
        }
        near.retain(|(_, cosine)| f64::from(*cosine) >= NEAR);
        near.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        near.truncate(limit);
        let rounded =
            |(chunk, cosine): (ChunkNo, f32)| (chunk, rounded(f64::from(cosine).min(1.0)));
        Ok(Some(near.into_iter().map(rounded).collect()))
    }
}

/// The file and the line of `FILE:LINE`.
pub(crate) fn place(text: &str) -> Result<(&str, u32)> {
    text.rsplit_once(':')
        .and_then(|(path, line)| Some((path, line.parse().ok().filter(|line| *line > 0)?)))
        .filter(|(path, _)| !path.is_empty())
        .ok_or_else(|| {
            Failure::new(
                ErrorCode::ArgumentInvalid,
                format!("`{text}` does not name a file and a line"),
            )
            .hint("write it as `src/main.rs:12`")
        })
}

/// The chunk with that line, or the next one where the line is blank.
fn chunk_at(
    ws: &Workspace<'_>,
    snapshot: &Snapshot<'_>,
    path: &str,
    line: u32,
) -> Result<(ChunkRow, FileRow)> {
    let key = ws.key_typed(path)?;
    let file = snapshot.file_by_key(&key)?.filter(|file| file.state == FileState::Indexed);
    let Some(file) = file else {
        let word = typed(path);
        return Err(Failure::new(ErrorCode::PathMissing, format!("`{path}` is not indexed"))
            .hint(format!("`gik ls-files {word}` tells why")));
    };
    let chunks = snapshot.chunks_of(file.id)?;
    let last = chunks.iter().map(|chunk| chunk.lines.1).max().unwrap_or(0);
    let chunk = chunks.into_iter().find(|chunk| chunk.lines.1 >= line).ok_or_else(|| {
        let message = format!("`{path}` has no text at line {line}: its last line is {last}");
        Failure::new(ErrorCode::ArgumentInvalid, message)
    })?;
    Ok((chunk, file))
}

/// More words bring in what is common, fewer miss what is said with others.
const TELLING: usize = 25;

/// The words that count most for a chunk: what each adds to its score, by the scorer itself.
fn telling_words(searcher: &Searcher<'_>, chunk: ChunkNo, text: &str) -> Result<Vec<String>> {
    let mut terms = BTreeSet::new();
    gik_index::analyze(text, &mut |term, _| {
        // What does not start with a letter cannot be demanded, and numbers say little.
        if term.starts_with(char::is_alphabetic) && term.chars().nth(1).is_some() {
            terms.insert(term.to_owned());
        }
    });
    let mut scored = Vec::with_capacity(terms.len());
    for term in terms {
        let query = Query::parse(&format!("+{term}"))?;
        if let Some(hit) = own_hit(searcher, &query, chunk) {
            scored.push((hit.score, term));
        }
    }
    scored.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    scored.truncate(TELLING);
    Ok(scored.into_iter().map(|(_, term)| term).collect())
}

/// What a query finds of one chunk.
pub(crate) fn own_hit(searcher: &Searcher<'_>, query: &Query, chunk: ChunkNo) -> Option<Hit> {
    searcher.search(query, 1, &|doc| doc.chunk == chunk).pop()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_file_and_a_line() {
        assert_eq!(place("src/a.rs:12").unwrap(), ("src/a.rs", 12));
        assert_eq!(place("https://example.com/x:7").unwrap(), ("https://example.com/x", 7));
        for wrong in ["src/a.rs", "src/a.rs:0", "src/a.rs:x", ":3", ""] {
            assert_eq!(place(wrong).unwrap_err().code(), ErrorCode::ArgumentInvalid, "{wrong}");
        }
    }
}
