//! Hex packages.

use crate::tables::TechKind::{
    Cache, Database, Framework, Library, Orm, Queue, Service, Testing, Tool,
};
use crate::tables::TechRow as Row;

pub(super) const ROWS: &[Row] = &[
    Row("phoenix", Framework, "Phoenix"),
    Row("phoenix_live_view", Framework, "Phoenix LiveView"),
    Row("nerves", Framework, "Nerves"),
    Row("plug_cowboy", Library, "Plug"),
    Row("ecto*", Orm, "Ecto"),
    Row("postgrex", Database, "PostgreSQL"),
    Row("myxql", Database, "MySQL"),
    Row("redix", Cache, "Redis"),
    Row("oban", Queue, "Oban"),
    Row("broadway*", Queue, "Broadway"),
    Row("opentelemetry*", Library, "OpenTelemetry"),
    Row("sentry", Service, "Sentry"),
    Row("absinthe", Tool, "GraphQL"),
    Row("credo", Tool, "Credo"),
    Row("dialyxir", Tool, "Dialyzer"),
    Row("ex_unit*", Testing, "ExUnit"),
];
