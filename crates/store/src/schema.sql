-- The derived index. Tables and columns of the on-device schema come first and keep their names and types;
-- what GIK adds is marked. Times are nanoseconds since 1970 unless named otherwise.

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
  skip_detail TEXT
);
CREATE INDEX idx_files_lang ON files(lang);
CREATE INDEX idx_files_mtime ON files(mtime);

CREATE TABLE symbols (
  id INTEGER PRIMARY KEY,
  file_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  container TEXT,
  signature TEXT,
  start_line INTEGER NOT NULL,
  start_col INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  end_col INTEGER NOT NULL,
  -- added
  qualified TEXT,              -- where it is not the container and the name, put together as the language does
  descriptors TEXT NOT NULL,   -- the symbol id after language and path
  visibility TEXT,             -- public | protected | internal | private
  byte_start INTEGER NOT NULL,
  byte_end INTEGER NOT NULL,
  utf16_start INTEGER,         -- NULL where it is that in bytes
  utf16_end INTEGER,
  name_start INTEGER NOT NULL, -- in bytes
  FOREIGN KEY(file_id) REFERENCES files(id) ON DELETE CASCADE
);
CREATE INDEX idx_symbols_name ON symbols(name);
CREATE INDEX idx_symbols_file ON symbols(file_id);

CREATE TABLE chunks (
  id INTEGER PRIMARY KEY,
  file_id INTEGER NOT NULL,
  chunk_type TEXT NOT NULL,    -- function|class|struct|block|doc|other
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  byte_start INTEGER NOT NULL,
  byte_end INTEGER NOT NULL,
  content_sha256 TEXT NOT NULL,
  summary_small TEXT,
  summary_large TEXT,
  -- added: identity
  uid TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  name TEXT NOT NULL,
  qualified TEXT NOT NULL,
  utf16_start INTEGER,         -- NULL where it is that in bytes
  utf16_end INTEGER,
  FOREIGN KEY(file_id) REFERENCES files(id) ON DELETE CASCADE
);
CREATE INDEX idx_chunks_file ON chunks(file_id);

-- added: capsules, comments and references of a file; the format is in facts.rs
CREATE TABLE facts (
  file_id INTEGER PRIMARY KEY,
  bytes BLOB NOT NULL,
  FOREIGN KEY(file_id) REFERENCES files(id) ON DELETE CASCADE
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
);

-- added: the lexical segments of this generation
CREATE TABLE segments (
  name TEXT PRIMARY KEY,
  docs INTEGER NOT NULL,
  dead INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  tombstones BLOB NOT NULL
);

INSERT INTO meta(key, value) VALUES ('schema_version', '3'), ('generation', '0');
