//! pub packages.

use crate::tables::TechKind::{Cloud, Database, Framework, Library, Orm, Testing};
use crate::tables::TechRow as Row;

pub(super) const ROWS: &[Row] = &[
    Row("flutter", Framework, "Flutter"),
    Row("flutter_bloc", Library, "Bloc"),
    Row("provider", Library, "Provider"),
    Row("flutter_riverpod", Library, "Riverpod"),
    Row("riverpod", Library, "Riverpod"),
    Row("dio", Library, "Dio"),
    Row("firebase_*", Cloud, "Firebase"),
    Row("sqflite", Database, "SQLite"),
    Row("drift", Orm, "Drift"),
    Row("flutter_test", Testing, "Flutter test"),
    Row("test", Testing, "Dart test"),
    Row("shelf", Framework, "Shelf"),
];
