//! NuGet packages and project SDKs.

use crate::tables::TechKind::{
    Cache, Cloud, Database, Framework, Library, Orm, Queue, Testing, Tool,
};
use crate::tables::TechRow as Row;

pub(super) const ROWS: &[Row] = &[
    Row("microsoft.aspnetcore*", Framework, "ASP.NET Core"),
    Row("microsoft.net.sdk.web", Framework, "ASP.NET Core"),
    Row("microsoft.net.sdk.blazorwebassembly", Framework, "Blazor"),
    Row("microsoft.maui*", Framework, ".NET MAUI"),
    Row("avalonia*", Framework, "Avalonia"),
    Row("microsoft.entityframeworkcore*", Orm, "Entity Framework Core"),
    Row("dapper", Orm, "Dapper"),
    Row("npgsql*", Database, "PostgreSQL"),
    Row("mysqlconnector", Database, "MySQL"),
    Row("microsoft.data.sqlclient", Database, "SQL Server"),
    Row("microsoft.data.sqlite*", Database, "SQLite"),
    Row("mongodb.driver", Database, "MongoDB"),
    Row("stackexchange.redis", Cache, "Redis"),
    Row("masstransit*", Queue, "MassTransit"),
    Row("confluent.kafka", Queue, "Apache Kafka"),
    Row("rabbitmq.client", Queue, "RabbitMQ"),
    Row("grpc.*", Library, "gRPC"),
    Row("mediatr", Library, "MediatR"),
    Row("serilog*", Library, "Serilog"),
    Row("newtonsoft.json", Library, "Json.NET"),
    Row("automapper", Library, "AutoMapper"),
    Row("opentelemetry*", Library, "OpenTelemetry"),
    Row("azure.*", Cloud, "Azure"),
    Row("awssdk.*", Cloud, "AWS"),
    Row("google.cloud.*", Cloud, "Google Cloud"),
    Row("xunit*", Testing, "xUnit"),
    Row("nunit*", Testing, "NUnit"),
    Row("mstest*", Testing, "MSTest"),
    Row("moq", Testing, "Moq"),
    Row("swashbuckle.aspnetcore*", Tool, "OpenAPI"),
];
