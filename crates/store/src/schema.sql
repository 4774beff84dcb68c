-- The derived index. Tables, views and columns of the on-device schema keep their names and types; what GIK adds is
-- marked. Times are nanoseconds since 1970 unless named otherwise.

CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

CREATE TABLE workspace (
  id INTEGER PRIMARY KEY,
  root_path TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);

CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  lang TEXT NOT NULL,
  mtime INTEGER NOT NULL,
  size INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  is_binary INTEGER NOT NULL DEFAULT 0,
  -- added
  base TEXT NOT NULL,
  inode INTEGER NOT NULL,
  origin TEXT NOT NULL,        -- file | archive | url
  lines INTEGER NOT NULL,
  n_chunks INTEGER NOT NULL,
  n_symbols INTEGER NOT NULL,
  mode TEXT NOT NULL,          -- code | prose | records
  stage INTEGER NOT NULL,      -- 1 while its words are all that is known, 2 when it has been taken apart
  skip_code TEXT,              -- why the file has no chunks; NULL when it is indexed
  skip_detail TEXT,
  first_chunk INTEGER NOT NULL,  -- row of the first of its n_chunks
  first_symbol INTEGER NOT NULL  -- row of the first of its n_symbols
);
CREATE INDEX idx_files_lang ON files(lang);
CREATE INDEX idx_files_mtime ON files(mtime);

-- Symbols and chunks are kept in few bytes; the views `symbols` and `chunks` show them with the columns of the
-- on-device schema. The rows of a file follow one another, from `files.first_symbol` and `files.first_chunk` on.
-- Words that come again and again are numbers: those of the views. A word without a number stands for itself.

CREATE TABLE symbol_rows (
  id INTEGER PRIMARY KEY,
  file_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  kind NOT NULL,
  visibility,
  scope INTEGER,               -- how many rows back the scope has its number; NULL outside of everything
  descriptor NOT NULL,         -- what follows the name in the last part of the symbol id, or all of that part
  signature,                   -- so many bytes of the file from byte_start say it, or the text of it
  start_line INTEGER NOT NULL,
  start_col INTEGER NOT NULL,
  n_lines INTEGER NOT NULL,    -- beyond the first
  end_col INTEGER,             -- NULL where it is on the first line, as many bytes on as the symbol has
  byte_start INTEGER NOT NULL,
  n_bytes INTEGER NOT NULL,
  name_at INTEGER NOT NULL,    -- in bytes from byte_start
  utf16_start INTEGER,         -- NULL where it is that in bytes
  utf16_end INTEGER,
  qualified TEXT               -- where it is not the container and the name, put together as the language does
);
-- With the file, so that who defines a name is told by the index alone.
CREATE INDEX idx_symbols_name ON symbol_rows(name, file_id);

-- What symbols of a file stand in; the number is that of the first symbol which stands in it.
CREATE TABLE symbol_scopes (
  id INTEGER PRIMARY KEY,
  container TEXT,
  descriptors TEXT NOT NULL    -- the part of the symbol id between the path and the last part
);

CREATE TABLE chunk_rows (
  id INTEGER PRIMARY KEY,
  file_id INTEGER NOT NULL,
  chunk_type NOT NULL,
  start_line INTEGER NOT NULL,
  n_lines INTEGER NOT NULL,    -- beyond the first
  byte_start INTEGER NOT NULL,
  n_bytes INTEGER NOT NULL,
  content_sha256 BLOB NOT NULL,
  ordinal INTEGER NOT NULL,
  name TEXT NOT NULL,
  qualified NOT NULL,          -- the text of it, or a blob: what stands before the first of the names
  utf16_start INTEGER,         -- NULL where it is that in bytes
  utf16_end INTEGER
);

CREATE VIEW symbols AS
SELECT
  s.id AS id,
  s.file_id AS file_id,
  s.name AS name,
  CASE s.kind
    WHEN 0 THEN 'method' WHEN 1 THEN 'function' WHEN 2 THEN 'field' WHEN 3 THEN 'property' WHEN 4 THEN 'const'
    WHEN 5 THEN 'var' WHEN 6 THEN 'class' WHEN 7 THEN 'struct' WHEN 8 THEN 'enum' WHEN 9 THEN 'variant'
    WHEN 10 THEN 'interface' WHEN 11 THEN 'trait' WHEN 12 THEN 'typealias' WHEN 13 THEN 'module'
    WHEN 14 THEN 'macro' WHEN 15 THEN 'constructor' WHEN 16 THEN 'union' WHEN 17 THEN 'protocol'
    ELSE s.kind END AS kind,
  c.container AS container,
  -- NULL where the file itself says it, from byte_start on
  CASE typeof(s.signature) WHEN 'text' THEN s.signature END AS signature,
  s.start_line AS start_line,
  s.start_col AS start_col,
  s.start_line + s.n_lines AS end_line,
  coalesce(s.end_col, s.start_col + s.n_bytes) AS end_col,
  -- added
  s.qualified AS qualified,    -- where it is not the container and the name, put together as the language does
  coalesce(c.descriptors, '') || CASE typeof(s.descriptor) WHEN 'text' THEN s.descriptor ELSE
    s.name || CASE WHEN s.descriptor < 8 THEN '' ELSE '(+' || (s.descriptor >> 3) || ')' END ||
    CASE s.descriptor & 7 WHEN 0 THEN '().' WHEN 1 THEN '.' WHEN 2 THEN '#' WHEN 3 THEN '/' ELSE '!' END
    END AS descriptors, -- the symbol id after language and path
  CASE s.visibility
    WHEN 0 THEN 'public' WHEN 1 THEN 'private' WHEN 2 THEN 'protected' WHEN 3 THEN 'internal'
    ELSE s.visibility END AS visibility,
  s.byte_start AS byte_start,
  s.byte_start + s.n_bytes AS byte_end,
  coalesce(s.utf16_start, s.byte_start) AS utf16_start,
  coalesce(s.utf16_end, s.byte_start + s.n_bytes) AS utf16_end,
  s.byte_start + s.name_at AS name_start
FROM symbol_rows AS s LEFT JOIN symbol_scopes AS c ON c.id = s.id - s.scope;

CREATE VIEW chunks AS
SELECT
  id,
  file_id,
  CASE chunk_type
    WHEN 0 THEN 'function' WHEN 1 THEN 'block' WHEN 2 THEN 'class' WHEN 3 THEN 'struct' WHEN 4 THEN 'doc'
    WHEN 5 THEN 'other' ELSE chunk_type END AS chunk_type,
  start_line,
  start_line + n_lines AS end_line,
  byte_start,
  byte_start + n_bytes AS byte_end,
  lower(hex(content_sha256)) AS content_sha256,
  NULL AS summary_small,
  NULL AS summary_large,
  -- added: with these and the path, a chunk has its id
  ordinal,
  name,
  CASE typeof(qualified) WHEN 'text' THEN qualified ELSE
    CAST(qualified AS TEXT) || substr(name, 1, instr(name || ' ', ' ') - 1) END AS qualified,
  coalesce(utf16_start, byte_start) AS utf16_start,
  coalesce(utf16_end, byte_start + n_bytes) AS utf16_end
FROM chunk_rows;

-- added: capsules, comments and references of a file; the format is in facts.rs
CREATE TABLE facts (
  file_id INTEGER PRIMARY KEY,
  bytes BLOB NOT NULL,
  FOREIGN KEY(file_id) REFERENCES files(id) ON DELETE CASCADE
);

-- added: the graph, made when it is first asked for. What each file was when its edges were found.
CREATE TABLE graph_files (
  file_id INTEGER PRIMARY KEY,
  path_key INTEGER NOT NULL,
  content INTEGER NOT NULL,    -- from its sha256
  surface INTEGER NOT NULL,    -- a hash of what other files can see of it
  package TEXT,                -- the package that it says it is part of
  names BLOB NOT NULL          -- of what it defines, as hashes of 32 bits
);

-- added: the edges that leave the nodes of a file; the format is in edges.rs
CREATE TABLE graph_edges (
  file_id INTEGER PRIMARY KEY,
  looked INTEGER NOT NULL,     -- a hash of all that was looked at to find them
  bytes BLOB NOT NULL
);

-- added: which files say edges that end in a file, or that leave another file than the one that says them; some may
-- have said them before
CREATE TABLE graph_ends (
  file_id INTEGER NOT NULL,
  is_start INTEGER NOT NULL,
  said_by INTEGER NOT NULL,
  PRIMARY KEY (file_id, is_start, said_by)
) WITHOUT ROWID;

-- added: which files looked at something to find their edges, by hashes of what was looked at; what is no longer looked
-- at may stay. A row holds the hashes that begin alike: the format is in looked.rs
CREATE TABLE graph_looked (
  keys INTEGER PRIMARY KEY,
  files BLOB NOT NULL
);

-- added: the files that were put in again since the edges of all files were found, as long as none came or went
CREATE TABLE graph_changed (
  file_id INTEGER PRIMARY KEY
);

-- added: text of sources that are not files of the workspace
CREATE TABLE contents (
  file_id INTEGER PRIMARY KEY,
  text TEXT NOT NULL,
  FOREIGN KEY(file_id) REFERENCES files(id) ON DELETE CASCADE
);

-- added: what a server said about a page, for asking again cheaply
CREATE TABLE remotes (
  file_id INTEGER PRIMARY KEY,
  etag TEXT,
  last_modified TEXT,
  FOREIGN KEY(file_id) REFERENCES files(id) ON DELETE CASCADE
);

-- added: files that changed since the contract files were last written
CREATE TABLE unprojected (
  path TEXT PRIMARY KEY,
  base TEXT NOT NULL,
  is_listed INTEGER NOT NULL   -- 1 when the file came or went, 0 when only its content changed
) WITHOUT ROWID;

-- added: the lexical segments of this generation
CREATE TABLE segments (
  name TEXT PRIMARY KEY,
  docs INTEGER NOT NULL,
  dead INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  tombstones BLOB NOT NULL
);

-- Models that made vectors; a name stands for everything that a vector depends on.
CREATE TABLE embedding_models (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  dim INTEGER NOT NULL,
  created_at INTEGER NOT NULL  -- seconds since 1970
);

-- Which place of the vector files of its base a chunk has: `offset_bytes` is that of embeddings.dat. Rows go with
-- those of their chunks, in the same transaction; `chunks` is a view, so no key says so.
CREATE TABLE embeddings (
  chunk_id INTEGER PRIMARY KEY,
  model_id INTEGER NOT NULL,
  offset_bytes INTEGER NOT NULL,
  length_bytes INTEGER NOT NULL,
  norm REAL NOT NULL,
  FOREIGN KEY(model_id) REFERENCES embedding_models(id) ON DELETE RESTRICT
);
CREATE INDEX idx_embeddings_model ON embeddings(model_id);

-- added: what of the vector files of a base counts
CREATE TABLE vector_indexes (
  base TEXT PRIMARY KEY,
  backend TEXT NOT NULL,       -- as in meta.json
  model_id INTEGER NOT NULL,
  n_vectors INTEGER NOT NULL,  -- how many rows of `embeddings` are those of this base
  state TEXT NOT NULL,         -- in the words of the backend
  dead BLOB NOT NULL           -- places that no longer count
);

INSERT INTO meta(key, value) VALUES ('schema_version', '10'), ('generation', '0');
