//! Gems.

use crate::tables::TechKind::{
    Cache, Cloud, Database, Framework, Library, Orm, Platform, Queue, Service, Testing, Tool,
};
use crate::tables::TechRow as Row;

pub(super) const ROWS: &[Row] = &[
    Row("rails", Framework, "Ruby on Rails"),
    Row("sinatra", Framework, "Sinatra"),
    Row("hanami", Framework, "Hanami"),
    Row("jekyll", Framework, "Jekyll"),
    Row("puma", Platform, "Puma"),
    Row("activerecord", Orm, "Active Record"),
    Row("sequel", Orm, "Sequel"),
    Row("pg", Database, "PostgreSQL"),
    Row("mysql2", Database, "MySQL"),
    Row("sqlite3", Database, "SQLite"),
    Row("mongoid", Database, "MongoDB"),
    Row("redis", Cache, "Redis"),
    Row("sidekiq", Queue, "Sidekiq"),
    Row("devise", Library, "Devise"),
    Row("nokogiri", Library, "Nokogiri"),
    Row("opentelemetry-*", Library, "OpenTelemetry"),
    Row("graphql", Tool, "GraphQL"),
    Row("aws-sdk*", Cloud, "AWS"),
    Row("stripe", Service, "Stripe"),
    Row("sentry-*", Service, "Sentry"),
    Row("rspec*", Testing, "RSpec"),
    Row("minitest", Testing, "Minitest"),
    Row("capybara", Testing, "Capybara"),
    Row("rubocop*", Tool, "RuboCop"),
    Row("fastlane", Tool, "fastlane"),
    Row("cocoapods", Tool, "CocoaPods"),
];
