//! Swift packages.

use crate::tables::TechKind::{Cloud, Database, Framework, Library, Orm, Testing};
use crate::tables::TechRow as Row;

pub(super) const ROWS: &[Row] = &[
    Row("vapor", Framework, "Vapor"),
    Row("hummingbird", Framework, "Hummingbird"),
    Row("swift-composable-architecture", Framework, "Composable Architecture"),
    Row("alamofire", Library, "Alamofire"),
    Row("swift-nio*", Library, "SwiftNIO"),
    Row("swift-argument-parser", Library, "Swift Argument Parser"),
    Row("rxswift", Library, "RxSwift"),
    Row("snapkit", Library, "SnapKit"),
    Row("fluent", Orm, "Fluent"),
    Row("fluent-postgres-driver", Database, "PostgreSQL"),
    Row("grdb.swift", Database, "SQLite"),
    Row("firebase-ios-sdk", Cloud, "Firebase"),
    Row("mlx-swift", Library, "MLX"),
    Row("quick", Testing, "Quick"),
    Row("nimble", Testing, "Nimble"),
];
