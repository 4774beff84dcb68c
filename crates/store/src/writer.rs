//! Changing the index: from one generation to the next, in one transaction or in several.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use gik_base::collections::HashSet;
use gik_base::fs::{self, Durability};
use gik_base::hash::Digest;
use gik_base::{ErrorCode, Failure, FileKey, FileStat, Result};
use gik_index::{Analyzed, ChunkNo, FileNo, SegmentWriter, Tombstones, merge, plan_merge};
use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::failure::sql;
use crate::file_list::{self, Encoded, Named};
use crate::lexical::{self, SegmentRow};
use crate::packed::{CHUNK_KINDS, Packed, before_name, number, start_and_length, unless};
use crate::vectors::{Bases, Later};
use crate::{
    ChunkRecord, FileRecord, FileRow, FileState, RemoteState, Stage, Store, SymbolRow, fts, graph,
    snapshot, symbols,
};

/// Memory a segment may take while it is being built; beyond it, it is written out and a new one begun.
const SEGMENT_BUDGET_BYTES: usize = 112 << 20;

/// The words of the schema; there is something to do only after [`Writer::order_names_later`].
pub(crate) const ORDER_OF_NAMES: &str =
    "CREATE INDEX IF NOT EXISTS idx_symbols_name ON symbol_rows(name, file_id)";

/// A segment in the making.
#[derive(Debug, Default)]
struct Building {
    words: SegmentWriter,
    /// Files that have words in it.
    files: BTreeSet<u32>,
}

/// A change in the making. Dropping it without [`Writer::commit`] leaves the last generation that was made.
#[derive(Debug)]
pub struct Writer<'a> {
    pub(crate) connection: &'a Connection,
    /// What was done since the last generation; `None` only after a failed commit.
    transaction: Option<Transaction<'a>>,
    lexical_dir: &'a Path,
    generation: u64,
    segments: Vec<SegmentRow>,
    /// Segments whose tombstones changed, by position.
    touched: Vec<usize>,
    forgotten: Vec<String>,
    building: Building,
    /// Words of files that are soon taken apart, for segments of their own: these die as a whole, while a segment that
    /// keeps a few of its documents has to be written again.
    drafts: Building,
    /// An empty segment with the memory of one that was written out.
    spare: Option<SegmentWriter>,
    segment_budget: usize,
    /// How many threads may write words out.
    threads: usize,
    n_written: u32,
    orders_names: bool,
    with_fts: bool,
    /// Whether the files that are put in again are noted for the graph.
    pub(crate) follows_graph: bool,
    file_list: &'a Path,
    /// Files that are not as they were when this writer began.
    changed: BTreeSet<u32>,
    /// Files that this writer put in.
    put: HashSet<u32>,
    /// Row id of the next chunk.
    next_chunk: i64,
    /// Row id of the next symbol.
    next_symbol: i64,
    pub(crate) bases: &'a Bases,
    /// Places of vectors whose chunks have gone, by base.
    pub(crate) dead_vectors: BTreeMap<String, Vec<u32>>,
    /// Files of vectors that are of no use once this change is made.
    pub(crate) obsolete_vectors: Vec<PathBuf>,
    /// What else is to be done then, by base.
    pub(crate) later_for_vectors: BTreeMap<String, Later>,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(store: &'a Store) -> Result<Self> {
        // SQLite would begin and fail at the first row, when segments may have been written.
        if store.connection.is_readonly(rusqlite::MAIN_DB).map_err(sql)? {
            return Err(Failure::new(
                ErrorCode::WorkspaceReadOnly,
                "the index is open for reading only",
            ));
        }
        let transaction = begin(&store.connection)?;
        let generation: u64 = crate::store::meta(&transaction, "generation")?
            .and_then(|text| text.parse().ok())
            .unwrap_or(0);
        let segments = match lexical::load(&transaction, &store.lexical_dir) {
            // Only writers remove segments, and this is the only one.
            Err(failure) if failure.code() == ErrorCode::PathMissing => {
                return Err(lexical::missing().caused_by(failure));
            },
            other => other?,
        };
        let with_fts = fts::exists(&transaction)?;
        let follows_graph = graph::is_followed(&transaction)?;
        let next = |table: &str| {
            transaction
                .query_row(&format!("SELECT coalesce(max(id), 0) + 1 FROM {table}"), [], |row| {
                    row.get(0)
                })
                .map_err(sql)
        };
        let (next_chunk, next_symbol) = (next("chunk_rows")?, next("symbol_rows")?);
        fs::create_dir_all(&store.lexical_dir)?;
        Ok(Self {
            connection: &store.connection,
            transaction: Some(transaction),
            lexical_dir: &store.lexical_dir,
            generation: generation + 1,
            segments,
            touched: Vec::new(),
            forgotten: Vec::new(),
            building: Building::default(),
            drafts: Building::default(),
            spare: None,
            segment_budget: SEGMENT_BUDGET_BYTES,
            threads: 1,
            n_written: 0,
            orders_names: true,
            with_fts,
            follows_graph,
            file_list: &store.file_list,
            changed: BTreeSet::new(),
            put: HashSet::default(),
            next_chunk,
            next_symbol,
            bases: &store.bases,
            dead_vectors: BTreeMap::new(),
            obsolete_vectors: Vec::new(),
            later_for_vectors: BTreeMap::new(),
        })
    }

    /// The generation this change makes.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Lets words take up only so much memory before they are written out.
    pub fn limit_memory(&mut self, bytes: usize) {
        self.segment_budget = bytes.min(SEGMENT_BUDGET_BYTES);
    }

    /// Lets so many threads write words out; what they write does not depend on it.
    pub fn use_threads(&mut self, threads: usize) {
        self.threads = threads;
    }

    /// Memory that the words in the making take up.
    pub fn memory_bytes(&self) -> usize {
        self.building.words.memory_bytes() + self.drafts.words.memory_bytes()
    }

    /// Whether words are about to be written out. A generation that is made now has one segment; one that is made soon
    /// after has a small one besides.
    pub fn is_full(&self) -> bool {
        self.memory_bytes() > self.segment_budget / 8 * 7
    }

    /// Makes what was done so far a generation that readers see, and goes on from there.
    pub fn commit_part(&mut self) -> Result<()> {
        self.write_segments()?;
        self.write_tombstones()?;
        self.bury_vectors()?;
        self.set_meta(snapshot::FILE_LIST, "")?;
        self.set_meta("generation", &self.generation.to_string())?;
        self.end_transaction()?;
        self.remove_obsolete_vectors();
        self.transaction = Some(begin(self.connection)?);
        self.generation += 1;
        self.n_written = 0;
        Ok(())
    }

    /// Makes the order of symbols by name only at the end: keeping it up while many come takes longer the more there
    /// are. Until then a name is found by looking at all of them.
    pub fn order_names_later(&self) -> Result<()> {
        self.run("DROP INDEX IF EXISTS idx_symbols_name", [])
    }

    /// Leaves that to the caller even at the end, who calls [`Store::order_names`] and has something to do beside it.
    pub fn leave_order_of_names(&mut self) {
        self.orders_names = false;
    }

    /// Notes that all files have to be taken apart again. What is known of them can be searched until then.
    pub fn restage_all(&mut self) -> Result<()> {
        self.run("UPDATE files SET stage = 1", [])?;
        self.unfollow_graph()?;
        // Nothing of a list from before holds any more.
        let ids: Vec<u32> = self
            .connection
            .prepare("SELECT id FROM files")
            .and_then(|mut statement| statement.query_map([], |row| row.get(0))?.collect())
            .map_err(sql)?;
        self.changed.extend(ids);
        Ok(())
    }

    /// Puts a file in, replacing what was known of it. Returns its row id; add its chunks and symbols next, as many as
    /// the record says.
    pub fn put_file(&mut self, file: &FileRecord) -> Result<FileNo> {
        let known = self.file_id(&file.key)?;
        if let Some(known) = known {
            self.clear_file(known)?;
        }
        // What was put in by this writer before is marked already.
        if known.is_none_or(|known| !self.put.contains(&known.0)) {
            self.mark(&file.key, &file.base, known.is_none())?;
        }
        let (skip_code, skip_detail) = match &file.state {
            FileState::Indexed => (None, None),
            FileState::Skipped { code, detail } => (Some(code), Some(detail)),
        };
        let is_unread = file.sha256 == Digest::default();
        let sha256 = if is_unread { String::new() } else { file.sha256.to_string() };
        let is_binary = skip_code.is_some_and(|code| code == "binary");
        let id: u32 = self
            .connection
            .prepare_cached(
                "INSERT INTO files(path, lang, mtime, size, sha256, is_binary, base, inode, origin, lines,
                                   skip_code, skip_detail, n_chunks, n_symbols, mode, stage, first_chunk,
                                   first_symbol)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)
                 ON CONFLICT(path) DO UPDATE SET lang = ?2, mtime = ?3, size = ?4, sha256 = ?5, is_binary = ?6,
                   base = ?7, inode = ?8, origin = ?9, lines = ?10, skip_code = ?11, skip_detail = ?12,
                   n_chunks = ?13, n_symbols = ?14, mode = ?15, stage = ?16, first_chunk = ?17, first_symbol = ?18
                 RETURNING id",
            )
            .and_then(|mut statement| {
                statement.query_row(
                    rusqlite::params![
                        file.key.as_str(),
                        file.language,
                        file.stat.mtime_ns,
                        file.stat.size.cast_signed(),
                        sha256,
                        is_binary,
                        file.base,
                        file.stat.inode.cast_signed(),
                        file.origin.as_str(),
                        file.lines.cast_signed(),
                        skip_code,
                        skip_detail,
                        file.n_chunks,
                        file.n_symbols,
                        file.mode,
                        file.stage as u8,
                        self.next_chunk,
                        self.next_symbol,
                    ],
                    |row| row.get(0),
                )
            })
            .map_err(sql)?;
        self.changed.insert(id);
        self.put.insert(id);
        if known.is_none() {
            self.unfollow_graph()?;
        } else {
            self.note_for_graph(FileNo(id))?;
        }
        Ok(FileNo(id))
    }

    /// Adds a chunk of a file that was just put in and returns its row id, which its words need.
    pub fn put_chunk(
        &mut self,
        file: FileNo,
        path: &FileKey,
        chunk: &ChunkRecord<'_>,
    ) -> Result<ChunkNo> {
        let row = self.next_chunk;
        let (byte_start, n_bytes) = start_and_length(&chunk.bytes);
        self.run(
            "INSERT INTO chunk_rows(id, file_id, chunk_type, start_line, n_lines, byte_start, n_bytes, content_sha256,
                                    ordinal, name, qualified, utf16_start, utf16_end)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
            rusqlite::params![
                row,
                file.0,
                Packed::word(chunk.kind, &CHUNK_KINDS),
                chunk.lines.0,
                chunk.lines.1.saturating_sub(chunk.lines.0),
                byte_start,
                n_bytes,
                chunk.content_sha256.0,
                chunk.ordinal,
                chunk.name,
                before_name(chunk.qualified, chunk.name),
                unless(chunk.utf16.start, chunk.bytes.start),
                unless(chunk.utf16.end, chunk.bytes.end),
            ],
        )?;
        self.next_chunk += 1;
        if self.with_fts {
            fts::insert(self.connection, row, path.as_str(), chunk.text)?;
        }
        // Numbers go up as long as later rows live; an index made anew starts from one.
        let row = u32::try_from(row).map_err(|_| {
            Failure::new(ErrorCode::StoreBroken, "the index has no numbers left for chunks")
        })?;
        Ok(ChunkNo(row))
    }

    /// Adds the words of a chunk; `stage` is that of its file.
    pub fn put_words(&mut self, words: &Analyzed, stage: Stage) -> Result<()> {
        let building = match stage {
            Stage::Words => &mut self.drafts,
            Stage::Structure => &mut self.building,
        };
        if building.words.n_docs() == 0
            && let Some(spare) = self.spare.take()
        {
            building.words = spare;
        }
        building.words.add(words);
        building.files.insert(words.file().0);
        if self.memory_bytes() > self.segment_budget {
            self.write_segments()?;
        }
        Ok(())
    }

    /// Adds the symbols of a file that was just put in.
    pub fn put_symbols(&mut self, file: FileNo, symbols: &[SymbolRow]) -> Result<()> {
        symbols::insert(self.connection, file, self.next_symbol, symbols)?;
        self.next_symbol += number(symbols.len());
        Ok(())
    }

    /// Keeps what is known of a file beyond its rows.
    pub fn put_facts(&self, file: FileNo, facts: &[u8]) -> Result<()> {
        self.run("INSERT OR REPLACE INTO facts(file_id, bytes) VALUES (?1, ?2)", (file.0, facts))
    }

    /// Keeps the text of a source that is not a file of the workspace.
    pub fn put_content(&self, file: FileNo, text: &str) -> Result<()> {
        self.run("INSERT OR REPLACE INTO contents(file_id, text) VALUES (?1, ?2)", (file.0, text))
    }

    /// Keeps what a server said about a page.
    pub fn put_remote(&self, file: FileNo, remote: &RemoteState) -> Result<()> {
        self.run(
            "INSERT OR REPLACE INTO remotes(file_id, etag, last_modified) VALUES (?1, ?2, ?3)",
            (file.0, &remote.etag, &remote.last_modified),
        )
    }

    /// Notes new times of a file whose bytes did not change.
    pub fn touch_file(&mut self, file: FileNo, stat: &FileStat) -> Result<()> {
        self.changed.insert(file.0);
        self.run(
            "UPDATE files SET mtime = ?2, size = ?3, inode = ?4 WHERE id = ?1",
            (file.0, stat.mtime_ns, stat.size.cast_signed(), stat.inode.cast_signed()),
        )
    }

    /// Forgets a file and all that belongs to it.
    pub fn remove_file(&mut self, file: FileNo) -> Result<()> {
        self.run(
            "INSERT INTO unprojected(path, base, is_listed) SELECT path, base, 1 FROM files WHERE id = ?1
             ON CONFLICT(path) DO UPDATE SET is_listed = 1",
            [file.0],
        )?;
        self.clear_file(file)?;
        self.unfollow_graph()?;
        self.changed.insert(file.0);
        self.run("DELETE FROM files WHERE id = ?1", [file.0])
    }

    /// Sets a value of the `meta` table.
    pub fn set_meta(&self, key: &str, value: &str) -> Result<()> {
        self.run(
            "INSERT INTO meta(key, value) VALUES (?1, ?2) ON CONFLICT(key) DO UPDATE SET value = ?2",
            (key, value),
        )
    }

    /// Notes which workspace this is.
    pub fn set_workspace(&self, root: &str, now_seconds: i64) -> Result<()> {
        self.run(
            "INSERT INTO workspace(id, root_path, created_at, updated_at) VALUES (1, ?1, ?2, ?2)
             ON CONFLICT(id) DO UPDATE SET root_path = ?1, updated_at = ?2",
            (root, now_seconds),
        )
    }

    /// Starts the FTS5 table. Chunks put in from now on are in it, so call it before putting everything in again.
    pub fn create_fts(&mut self) -> Result<()> {
        fts::remove(self.connection)?;
        fts::create(self.connection)?;
        self.with_fts = true;
        Ok(())
    }

    /// Removes the FTS5 table.
    pub fn remove_fts(&mut self) -> Result<()> {
        self.with_fts = false;
        fts::remove(self.connection)
    }

    /// Makes the change true. On failure the last generation that was made stays.
    pub fn commit(mut self) -> Result<u64> {
        let generation = self.generation;
        if self.changed.is_empty() {
            // The list of files stays true.
            self.bury_vectors()?;
            self.set_meta("generation", &generation.to_string())?;
            self.end_transaction()?;
            self.remove_obsolete_vectors();
            return Ok(generation);
        }
        let known = snapshot::listed_files(self.connection, self.file_list)?;
        self.commit_from(known)?;
        Ok(generation)
    }

    /// As [`Writer::commit`], for a caller that knows the files as they were when this writer began. Gives the files as
    /// they are now, sorted by name.
    pub fn commit_from(mut self, known: Option<Vec<FileRow>>) -> Result<Vec<FileRow>> {
        self.write_segments()?;
        self.spare = None;
        self.write_tombstones()?;
        self.bury_vectors()?;
        self.merge_segments()?;
        if self.orders_names {
            self.run(ORDER_OF_NAMES, [])?;
        }
        let files = self.files(known)?;
        let named = crate::store::meta(self.connection, snapshot::FILE_LIST)?;
        let named = named.and_then(|text| Named::parse(&text)?.with(&self.changed, self.file_list));
        let list = named.is_none().then(|| file_list::encode(&files));
        let name = list.as_ref().map(Encoded::name).or(named.map(|named| named.text(&files)));
        self.set_meta(snapshot::FILE_LIST, &name.unwrap_or_default())?;
        self.set_meta("generation", &self.generation.to_string())?;
        self.end_transaction()?;
        self.remove_obsolete_vectors();
        // The list only saves time; without it the files are read from the database.
        drop(list.map(|list| list.write(self.file_list)));
        for name in &self.forgotten {
            // The change is made. What cannot be removed now, such as a file that is in use, is swept later.
            drop(
                lexical::path_of(self.lexical_dir, name)
                    .map(|path| fs::remove_file_if_present(&path)),
            );
        }
        Ok(files)
    }

    fn end_transaction(&mut self) -> Result<()> {
        match self.transaction.take() {
            Some(transaction) => transaction.commit().map_err(sql),
            None => Err(Failure::new(ErrorCode::Internal, "a commit without a transaction")),
        }
    }

    /// All files of the generation in the making, sorted by name.
    fn files(&self, known: Option<Vec<FileRow>>) -> Result<Vec<FileRow>> {
        match known.filter(|files| self.changed.len() <= files.len() / 8) {
            Some(files) => snapshot::with_stored(self.connection, files, &self.changed),
            None => snapshot::stored_files(self.connection),
        }
    }

    /// Notes that the contract files of a base are behind for a file.
    fn mark(&self, key: &FileKey, base: &str, is_listed: bool) -> Result<()> {
        // A file that came stays one that came, whatever happens to it before the next commit.
        self.run(
            "INSERT INTO unprojected(path, base, is_listed) VALUES (?1, ?2, ?3)
             ON CONFLICT(path) DO UPDATE SET is_listed = max(is_listed, ?3)",
            (key.as_str(), base, is_listed),
        )
    }

    fn file_id(&self, key: &FileKey) -> Result<Option<FileNo>> {
        use rusqlite::OptionalExtension as _;
        self.connection
            .prepare_cached("SELECT id FROM files WHERE path = ?1")
            .and_then(|mut statement| {
                statement.query_row([key.as_str()], |row| Ok(FileNo(row.get(0)?))).optional()
            })
            .map_err(sql)
    }

    /// Removes chunks, symbols, words, text and remote state of a file, not the file itself.
    fn clear_file(&mut self, file: FileNo) -> Result<()> {
        if [&self.building, &self.drafts].iter().any(|building| building.files.contains(&file.0)) {
            // Words can be declared dead only in a finished segment.
            self.write_segments()?;
        }
        for (position, row) in self.segments.iter_mut().enumerate() {
            for doc in row.segment.docs_of_file(file) {
                if row.tombstones.insert(doc) && !self.touched.contains(&position) {
                    self.touched.push(position);
                }
            }
        }
        if self.with_fts {
            fts::remove_file(self.connection, file.0)?;
        }
        self.forget_vectors_of(file)?;
        for text in [
            "DELETE FROM chunk_rows WHERE file_id = ?1
               AND id >= (SELECT first_chunk FROM files WHERE id = ?1)
               AND id < (SELECT first_chunk + n_chunks FROM files WHERE id = ?1)",
            "DELETE FROM symbol_scopes
             WHERE id >= (SELECT first_symbol FROM files WHERE id = ?1)
               AND id < (SELECT first_symbol + n_symbols FROM files WHERE id = ?1)",
            "DELETE FROM symbol_rows WHERE file_id = ?1
               AND id >= (SELECT first_symbol FROM files WHERE id = ?1)
               AND id < (SELECT first_symbol + n_symbols FROM files WHERE id = ?1)",
            "DELETE FROM facts WHERE file_id = ?1",
            "DELETE FROM contents WHERE file_id = ?1",
            "DELETE FROM remotes WHERE file_id = ?1",
        ] {
            self.run(text, [file.0])?;
        }
        Ok(())
    }

    fn write_segments(&mut self) -> Result<()> {
        let building = [std::mem::take(&mut self.building), std::mem::take(&mut self.drafts)];
        for Building { mut words, .. } in building {
            if words.n_docs() == 0 {
                continue;
            }
            self.add_segment(words.finish(self.threads))?;
            // Where memory is short it is given back.
            if self.segment_budget == SEGMENT_BUDGET_BYTES {
                words.clear();
                self.spare = Some(words);
            }
        }
        Ok(())
    }

    fn add_segment(&mut self, bytes: Vec<u8>) -> Result<()> {
        let name = format!("{:012}-{:04}{}", self.generation, self.n_written, lexical::SUFFIX);
        self.n_written += 1;
        let path = lexical::path_of(self.lexical_dir, &name)?;
        fs::write_atomic(&path, &bytes, Durability::Cached)?;
        let segment = gik_index::Segment::open(gik_base::mmap::Bytes::map(&path)?)?;
        let tombstones = Tombstones::default();
        self.run(
            "INSERT INTO segments(name, docs, dead, bytes, tombstones) VALUES (?1, ?2, 0, ?3, ?4)",
            (&name, segment.n_docs(), (bytes.len() as u64).cast_signed(), tombstones.to_bytes()),
        )?;
        self.segments.push(SegmentRow { name, bytes: bytes.len() as u64, segment, tombstones });
        Ok(())
    }

    fn write_tombstones(&mut self) -> Result<()> {
        for position in std::mem::take(&mut self.touched) {
            let row = &self.segments[position];
            self.run(
                "UPDATE segments SET tombstones = ?2, dead = ?3 WHERE name = ?1",
                (&row.name, row.tombstones.to_bytes(), row.tombstones.count()),
            )?;
        }
        Ok(())
    }

    fn merge_segments(&mut self) -> Result<()> {
        loop {
            let sizes: Vec<_> = self
                .segments
                .iter()
                .map(|row| gik_index::SegmentSize {
                    docs: row.segment.n_docs(),
                    dead: row.tombstones.count(),
                    bytes: row.bytes,
                })
                .collect();
            let Some(mut chosen) = plan_merge(&sizes) else { return Ok(()) };
            chosen.sort_unstable();
            let parts: Vec<_> = chosen
                .iter()
                .map(|&at| (&self.segments[at].segment, &self.segments[at].tombstones))
                .collect();
            let live = chosen.iter().any(|&at| sizes[at].docs > sizes[at].dead);
            let merged = live.then(|| merge(&parts));
            for &at in chosen.iter().rev() {
                let row = self.segments.remove(at);
                self.run("DELETE FROM segments WHERE name = ?1", [&row.name])?;
                self.forgotten.push(row.name);
            }
            if let Some(bytes) = merged {
                self.add_segment(bytes)?;
            }
        }
    }

    pub(crate) fn run(&self, text: &str, parameters: impl rusqlite::Params) -> Result<()> {
        self.connection
            .prepare_cached(text)
            .and_then(|mut statement| statement.execute(parameters))
            .map_err(sql)?;
        Ok(())
    }
}

fn begin(connection: &Connection) -> Result<Transaction<'_>> {
    Transaction::new_unchecked(connection, TransactionBehavior::Immediate).map_err(sql)
}
