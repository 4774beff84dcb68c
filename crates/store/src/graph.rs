//! The graph in the database: what the edges of each file are, what they were found from, and who looked at what.

use std::collections::BTreeSet;

use gik_base::hash::fast64;
use gik_base::{ErrorCode, Failure, Result};
use gik_index::FileNo;
use rusqlite::{Connection, OptionalExtension as _};

use crate::edges::FileGraph;
use crate::failure::sql;
use crate::{Looked, Snapshot, Writer, looked};

/// What a file was when its edges were found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphFile {
    /// Its row.
    pub file: FileNo,
    /// A hash of its path: rows may be used again.
    pub path_key: u32,
    /// From its content.
    pub content: u64,
    /// Of what other files can see of it.
    pub surface: u64,
    /// The package that it says it is part of.
    pub package: Option<String>,
}

fn graph_file(row: &rusqlite::Row<'_>) -> rusqlite::Result<GraphFile> {
    let number = |at| row.get::<_, i64>(at).map(i64::cast_unsigned);
    Ok(GraphFile {
        file: FileNo(row.get(0)?),
        path_key: row.get(1)?,
        content: number(2)?,
        surface: number(3)?,
        package: row.get(4)?,
    })
}

impl Snapshot<'_> {
    /// The files whose edges are known, by row.
    pub fn graph_files(&self) -> Result<Vec<GraphFile>> {
        self.query(
            "SELECT file_id, path_key, content, surface, package FROM graph_files ORDER BY file_id",
            [],
            graph_file,
        )
    }

    /// What a file was when its edges were found; none where they are not known.
    pub fn graph_file(&self, file: FileNo) -> Result<Option<GraphFile>> {
        let found = self.query(
            "SELECT file_id, path_key, content, surface, package FROM graph_files WHERE file_id = ?1",
            [file.0],
            graph_file,
        )?;
        Ok(found.into_iter().next())
    }

    /// The names that a file defined when its edges were found, as hashes; sorted.
    pub fn graph_names(&self, file: FileNo) -> Result<Vec<u32>> {
        let found: Vec<Vec<u8>> =
            self.query("SELECT names FROM graph_files WHERE file_id = ?1", [file.0], |row| {
                row.get(0)
            })?;
        Ok(found.iter().flat_map(|bytes| keys(bytes)).collect())
    }

    /// The edges that leave the nodes of a file; none where they are not known.
    pub fn graph_of(&self, file: FileNo) -> Result<Option<FileGraph>> {
        let found: Vec<Vec<u8>> =
            self.query("SELECT bytes FROM graph_edges WHERE file_id = ?1", [file.0], |row| {
                row.get(0)
            })?;
        found.first().map(|bytes| read(bytes, file)).transpose()
    }

    /// Calls `each` with the edges of every file, by row.
    pub fn for_each_graph(&self, mut each: impl FnMut(FileNo, FileGraph)) -> Result<()> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT file_id, bytes FROM graph_edges ORDER BY file_id")
            .map_err(sql)?;
        let mut rows = statement.query([]).map_err(sql)?;
        while let Some(row) = rows.next().map_err(sql)? {
            let file = FileNo(row.get(0).map_err(sql)?);
            let bytes = row.get_ref(1).map_err(sql)?;
            let bytes = bytes.as_blob().map_err(|error| sql(error.into()))?;
            each(file, read(bytes, file)?);
        }
        Ok(())
    }

    /// The files that say edges which end in a file, by row; some may have said them before.
    pub fn graph_sources(&self, file: FileNo) -> Result<Vec<FileNo>> {
        self.graph_said(file, false)
    }

    /// The other files that say edges which leave a file, by row; some may have said them before.
    pub fn graph_flows_from(&self, file: FileNo) -> Result<Vec<FileNo>> {
        self.graph_said(file, true)
    }

    fn graph_said(&self, file: FileNo, is_start: bool) -> Result<Vec<FileNo>> {
        self.query(
            "SELECT said_by FROM graph_ends WHERE file_id = ?1 AND is_start = ?2 ORDER BY said_by",
            (file.0, is_start),
            |row| Ok(FileNo(row.get(0)?)),
        )
    }

    /// The files whose edges rest on one of these, by row; some may have rested on it before.
    pub fn graph_resting_on(&self, inputs: &BTreeSet<u32>) -> Result<Vec<FileNo>> {
        looked::at(self.connection, inputs)
    }

    /// The packages that files said they are part of when their edges were found, by row.
    pub fn graph_packages(&self) -> Result<Vec<(FileNo, String)>> {
        self.query(
            "SELECT file_id, package FROM graph_files WHERE package IS NOT NULL ORDER BY file_id",
            [],
            |row| Ok((FileNo(row.get(0)?), row.get(1)?)),
        )
    }

    /// The files that were put in again since the edges of all files were found, by row; none where files came or went
    /// as well, or where that is not known.
    pub fn graph_changed(&self) -> Result<Option<Vec<FileNo>>> {
        if !is_followed(self.connection)? {
            return Ok(None);
        }
        self.query("SELECT file_id FROM graph_changed ORDER BY file_id", [], |row| {
            Ok(FileNo(row.get(0)?))
        })
        .map(Some)
    }
}

/// The value of `meta` that says whether `graph_changed` names all that changed since edges were found.
const FOLLOWED: &str = "graph_followed";

/// Whether `graph_changed` names all that changed since edges were found.
pub(crate) fn is_followed(connection: &Connection) -> Result<bool> {
    Ok(crate::store::meta(connection, FOLLOWED)?.as_deref() == Some("1"))
}

impl Writer<'_> {
    /// Notes what a file is whose edges are found, and the names that it defines.
    pub fn put_graph_file(&self, file: &GraphFile, names: &BTreeSet<u32>) -> Result<()> {
        self.run(
            "INSERT OR REPLACE INTO graph_files(file_id, path_key, content, surface, package, names)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            (
                file.file.0,
                file.path_key,
                file.content.cast_signed(),
                file.surface.cast_signed(),
                &file.package,
                bytes(names),
            ),
        )?;
        Ok(())
    }

    /// Puts the edges of a file in, in place of those that were known; what they rest on is added to `looked`, unless it
    /// is what it was.
    pub fn put_graph(
        &self,
        file: FileNo,
        edges: &FileGraph,
        inputs: &[u32],
        looked: &mut Looked,
    ) -> Result<()> {
        let hash = fast64(&bytes(inputs)).cast_signed();
        if self.looked_of(file)? != Some(hash) {
            looked.add(file, inputs);
        }
        self.run(
            "INSERT OR REPLACE INTO graph_edges(file_id, looked, bytes) VALUES (?1, ?2, ?3)",
            (file.0, hash, edges.to_bytes(file)),
        )?;
        let said = edges.edges.iter();
        let ends: BTreeSet<(u32, bool)> = said
            .flat_map(|edge| {
                let start = edge.source.map(|source| (source.0, true));
                start.into_iter().chain([(edge.file.0, false)])
            })
            .collect();
        for (end, is_start) in ends {
            self.run(
                "INSERT OR IGNORE INTO graph_ends(file_id, is_start, said_by) VALUES (?1, ?2, ?3)",
                (end, is_start, file.0),
            )?;
        }
        Ok(())
    }

    /// What [`Snapshot::identity`] will say of the generation in the making.
    pub fn identity(&self) -> Result<String> {
        let index = crate::store::meta(self.connection, "index_id")?.unwrap_or_default();
        Ok(format!("{index}:{}", self.generation()))
    }

    /// What the edges of a file rested on, as a hash.
    fn looked_of(&self, file: FileNo) -> Result<Option<i64>> {
        self.connection
            .prepare_cached("SELECT looked FROM graph_edges WHERE file_id = ?1")
            .and_then(|mut statement| statement.query_row([file.0], |row| row.get(0)).optional())
            .map_err(sql)
    }

    /// Notes that the edges of all files are found but of some, and of those that rest on these; what is put in from here
    /// on is what changed.
    pub fn follow_graph(&mut self, but: &[FileNo]) -> Result<()> {
        self.run("DELETE FROM graph_changed", [])?;
        self.follows_graph = true;
        for file in but {
            // It counts as changed, whatever it is next time, and so does what others see of it.
            self.run(
                "UPDATE graph_files SET content = 0, surface = 0 WHERE file_id = ?1",
                [file.0],
            )?;
            self.note_for_graph(*file)?;
        }
        self.set_meta(FOLLOWED, "1")
    }

    /// Notes that a file was put in again.
    pub(crate) fn note_for_graph(&self, file: FileNo) -> Result<()> {
        if !self.follows_graph {
            return Ok(());
        }
        self.run("INSERT OR IGNORE INTO graph_changed(file_id) VALUES (?1)", [file.0])
    }

    /// Notes that anything may have changed since edges were found.
    pub(crate) fn unfollow_graph(&mut self) -> Result<()> {
        if !self.follows_graph {
            return Ok(());
        }
        self.follows_graph = false;
        self.set_meta(FOLLOWED, "")
    }

    /// Forgets the edges of a file.
    pub fn remove_graph(&self, file: FileNo) -> Result<()> {
        for text in [
            "DELETE FROM graph_files WHERE file_id = ?1",
            "DELETE FROM graph_edges WHERE file_id = ?1",
        ] {
            self.run(text, [file.0])?;
        }
        Ok(())
    }

    /// Forgets all edges.
    pub fn clear_graph(&mut self) -> Result<()> {
        self.unfollow_graph()?;
        for text in [
            "DELETE FROM graph_looked",
            "DELETE FROM graph_ends",
            "DELETE FROM graph_files",
            "DELETE FROM graph_edges",
        ] {
            self.run(text, [])?;
        }
        Ok(())
    }
}

fn bytes<'k>(keys: impl IntoIterator<Item = &'k u32>) -> Vec<u8> {
    keys.into_iter().flat_map(|key| key.to_le_bytes()).collect()
}

fn keys(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.as_chunks().0.iter().map(|key| u32::from_le_bytes(*key))
}

fn read(bytes: &[u8], file: FileNo) -> Result<FileGraph> {
    FileGraph::from_bytes(bytes, file).ok_or_else(|| {
        Failure::new(ErrorCode::StoreBroken, format!("the edges of file {} are damaged", file.0))
    })
}
