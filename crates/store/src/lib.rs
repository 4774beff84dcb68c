//! The only crate with SQL: schema, migrations, snapshots, the lexical segments on disk.
