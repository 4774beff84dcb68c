//! Opens a workspace; the write path, settings and the tool table.
