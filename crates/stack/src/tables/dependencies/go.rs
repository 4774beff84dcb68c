//! Go modules.

use crate::tables::TechKind::{
    Cache, Cloud, Database, Framework, Library, Orm, Platform, Queue, Service, Testing, Tool,
};
use crate::tables::TechRow as Row;

pub(super) const ROWS: &[Row] = &[
    Row("github.com/gin-gonic/gin", Framework, "Gin"),
    Row("github.com/labstack/echo*", Framework, "Echo"),
    Row("github.com/gofiber/fiber*", Framework, "Fiber"),
    Row("github.com/go-chi/chi*", Framework, "chi"),
    Row("github.com/gorilla/mux", Framework, "Gorilla"),
    Row("github.com/spf13/cobra", Library, "Cobra"),
    Row("github.com/spf13/viper", Library, "Viper"),
    Row("go.uber.org/zap", Library, "zap"),
    Row("google.golang.org/grpc", Library, "gRPC"),
    Row("google.golang.org/protobuf", Tool, "Protocol Buffers"),
    Row("github.com/99designs/gqlgen", Tool, "GraphQL"),
    Row("go.opentelemetry.io/*", Library, "OpenTelemetry"),
    Row("github.com/prometheus/client_golang", Library, "Prometheus"),
    Row("gorm.io/gorm", Orm, "GORM"),
    Row("entgo.io/ent", Orm, "Ent"),
    Row("github.com/jackc/pgx*", Database, "PostgreSQL"),
    Row("github.com/lib/pq", Database, "PostgreSQL"),
    Row("github.com/go-sql-driver/mysql", Database, "MySQL"),
    Row("go.mongodb.org/mongo-driver*", Database, "MongoDB"),
    Row("github.com/mattn/go-sqlite3", Database, "SQLite"),
    Row("modernc.org/sqlite", Database, "SQLite"),
    Row("github.com/redis/go-redis*", Cache, "Redis"),
    Row("github.com/go-redis/redis*", Cache, "Redis"),
    Row("github.com/segmentio/kafka-go", Queue, "Apache Kafka"),
    Row("github.com/ibm/sarama", Queue, "Apache Kafka"),
    Row("github.com/nats-io/nats.go", Queue, "NATS"),
    Row("github.com/rabbitmq/amqp091-go", Queue, "RabbitMQ"),
    Row("github.com/aws/aws-sdk-go*", Cloud, "AWS"),
    Row("cloud.google.com/go*", Cloud, "Google Cloud"),
    Row("github.com/azure/azure-sdk-for-go*", Cloud, "Azure"),
    Row("k8s.io/*", Platform, "Kubernetes"),
    Row("sigs.k8s.io/*", Platform, "Kubernetes"),
    Row("github.com/stretchr/testify", Testing, "Testify"),
    Row("github.com/onsi/ginkgo*", Testing, "Ginkgo"),
    Row("github.com/getsentry/sentry-go", Service, "Sentry"),
];
