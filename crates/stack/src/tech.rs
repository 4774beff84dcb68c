//! Which technologies do dependencies, files and containers give away? The knowledge is in `tables`, not here.

use std::collections::{BTreeMap, BTreeSet};

use gik_contract::stack::StackTechEntry;

use crate::inventory::StackFile;
use crate::manager::Ecosystem;
use crate::manifest::{Manifests, is_vendored};
use crate::resolve::Resolved;
use crate::scope::Scope;
use crate::tables::{DEPENDENCIES, FILES, FilePattern, IMAGES, TechKind, TechRow};

/// A dependency of exactly that name.
const EXACT_DEPENDENCY: f64 = 0.9;
/// A dependency of a family of names, such as everything by one vendor.
const DEPENDENCY_FAMILY: f64 = 0.8;
/// An optional or peer dependency: the project works with it, and may well not use it.
const POSSIBLE_DEPENDENCY: f64 = 0.6;
/// A file that only this technology reads.
const OWN_FILE: f64 = 0.95;
/// A file in a place or of a name that is customary for the technology.
const LIKELY_FILE: f64 = 0.7;
/// A service that a compose file declares.
const COMPOSE_SERVICE: f64 = 0.95;
/// The image such a service runs.
const COMPOSE_IMAGE: f64 = 0.9;
/// The image a Dockerfile starts from.
const BASE_IMAGE: f64 = 0.8;

/// One entry per kind and name with the best confidence, of equals the smallest source; sorted.
pub(crate) fn technologies(
    files: &[StackFile<'_>],
    manifests: &Manifests,
    dependencies: &BTreeSet<Resolved>,
) -> Vec<StackTechEntry> {
    let mut found = Found::default();
    for dependency in dependencies {
        found.add_dependency(dependency);
    }
    for file in files.iter().filter(|file| !is_vendored(file.path)) {
        found.add_file(file.path.as_str());
        let Some(manifest) = manifests.get(file.path) else { continue };
        for service in &manifest.services {
            let source = format!("compose:{}", service.name);
            found.add(TechKind::Service, &service.name, &source, COMPOSE_SERVICE);
            if let Some(image) = &service.image {
                found.add_image(image, &source, COMPOSE_IMAGE);
            }
        }
        for image in &manifest.images {
            found.add_image(image, &format!("file:{}", file.path), BASE_IMAGE);
        }
    }
    found.0.into_iter().map(|((kind, name), best)| best.entry(kind, name)).collect()
}

#[derive(Default)]
struct Found(BTreeMap<(&'static str, String), Best>);

struct Best {
    confidence: f64,
    source: String,
}

impl Best {
    fn entry(self, kind: &str, name: String) -> StackTechEntry {
        let Self { confidence, source } = self;
        StackTechEntry { kind: kind.to_owned(), name, source, confidence }
    }
}

impl Found {
    fn add(&mut self, kind: TechKind, name: &str, source: &str, confidence: f64) {
        let key = (kind.as_str(), name.to_owned());
        let is_better = self.0.get(&key).is_none_or(|best| {
            confidence
                .total_cmp(&best.confidence)
                .then_with(|| best.source.as_str().cmp(source))
                .is_gt()
        });
        if is_better {
            self.0.insert(key, Best { confidence, source: source.to_owned() });
        }
    }

    fn add_dependency(&mut self, dependency: &Resolved) {
        let ecosystem = dependency.manager.ecosystem();
        let name = comparable(&dependency.name, ecosystem);
        let rows =
            DEPENDENCIES.iter().filter(|(of, _)| *of == ecosystem).flat_map(|(_, rows)| *rows);
        for TechRow(pattern, kind, tech) in rows {
            let confidence = match pattern.strip_suffix('*') {
                Some(prefix) if name.starts_with(prefix) => DEPENDENCY_FAMILY,
                None if name == *pattern => EXACT_DEPENDENCY,
                Some(_) | None => continue,
            };
            let confidence = match dependency.scope {
                Scope::Optional | Scope::Peer => POSSIBLE_DEPENDENCY,
                Scope::Runtime | Scope::Dev | Scope::Build | Scope::Test => confidence,
            };
            self.add(*kind, tech, &format!("dependency:{}", dependency.name), confidence);
        }
    }

    fn add_file(&mut self, path: &str) {
        let name = path.rsplit('/').next().unwrap_or(path);
        for (pattern, kind, tech) in FILES {
            let confidence = match *pattern {
                FilePattern::Name(own) if name == own => OWN_FILE,
                FilePattern::Start(start) if name.starts_with(start) => OWN_FILE,
                FilePattern::End(end) if name.ends_with(end) && name != end => OWN_FILE,
                FilePattern::Within(folder, end) if name.ends_with(end) && is_in(path, folder) => {
                    OWN_FILE
                },
                FilePattern::LikelyWithin(folder, end)
                    if name.ends_with(end) && is_in(path, folder) =>
                {
                    LIKELY_FILE
                },
                FilePattern::Name(_)
                | FilePattern::Start(_)
                | FilePattern::End(_)
                | FilePattern::Within(..)
                | FilePattern::LikelyWithin(..) => continue,
            };
            self.add(*kind, tech, &format!("file:{path}"), confidence);
        }
    }

    /// An image by its whole name or by its last part, so that `bitnami/redis` counts as `redis`.
    fn add_image(&mut self, image: &str, source: &str, confidence: f64) {
        let last = image.rsplit('/').next().unwrap_or(image);
        for TechRow(pattern, kind, tech) in IMAGES {
            let is_match = match pattern.strip_suffix('*') {
                Some(prefix) => image.starts_with(prefix) || last.starts_with(prefix),
                None => image == *pattern || last == *pattern,
            };
            if is_match {
                self.add(*kind, tech, source, confidence);
            }
        }
    }
}

/// Names as registries compare them.
fn comparable(name: &str, ecosystem: Ecosystem) -> String {
    let lower = name.to_ascii_lowercase();
    match ecosystem {
        Ecosystem::Python => lower.replace(['_', '.'], "-"),
        Ecosystem::Rust => lower.replace('_', "-"),
        Ecosystem::Cpp
        | Ecosystem::Dart
        | Ecosystem::DotNet
        | Ecosystem::Elixir
        | Ecosystem::Go
        | Ecosystem::Js
        | Ecosystem::Jvm
        | Ecosystem::Php
        | Ecosystem::Ruby
        | Ecosystem::Swift => lower,
    }
}

/// Whether the file lies in a folder of that name (or path of names), at any depth.
fn is_in(path: &str, folder: &str) -> bool {
    path.match_indices(folder).any(|(at, _)| {
        let starts = at == 0 || path.as_bytes()[at - 1] == b'/';
        starts && path.as_bytes().get(at + folder.len()) == Some(&b'/')
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::{assert_lines, technologies};

    #[test]
    fn the_example_of_the_contract() {
        let files = [("package.json", r#"{ "dependencies": { "next": "^15" } }"#)];
        assert_lines(&technologies(&files), "framework Next.js dependency:next 0.9");
    }

    #[test]
    fn compose_services_and_their_images() {
        let files = [(
            "deploy/docker-compose.prod.yml",
            "
x-base: &base
  restart: always
services:
  web:
    <<: *base
    build: .
  api: { image: 'registry.example:5000/team/api:1.2' }
  db:
    image: docker.io/library/postgres:16-alpine@sha256:abc
  jobs: { image: '${QUEUE:-bitnami/redis:7}' }
",
        )];
        assert_lines(
            &technologies(&files),
            "
            cache Redis compose:jobs 0.9
            database PostgreSQL compose:db 0.9
            platform Docker Compose file:deploy/docker-compose.prod.yml 0.95
            service api compose:api 0.95
            service db compose:db 0.95
            service jobs compose:jobs 0.95
            service web compose:web 0.95
            ",
        );
    }

    #[test]
    fn dockerfiles_name_their_base_images_and_not_their_stages() {
        let files = [(
            "Dockerfile",
            "
ARG V=20
FROM --platform=linux/amd64 node:20 AS build
RUN npm ci
from build as checked
FROM nginx:alpine
FROM scratch
FROM $UNKNOWN
",
        )];
        assert_lines(
            &technologies(&files),
            "
            platform Docker file:Dockerfile 0.95
            platform Node.js file:Dockerfile 0.8
            platform nginx file:Dockerfile 0.8
            ",
        );
    }

    #[test]
    fn files_and_places() {
        let files = [
            (".github/workflows/ci.yml", ""),
            ("infra/main.tf", ""),
            ("k8s/web.yaml", ""),
            ("not.github/workflows/ci.yml", ""),
            ("src/tailwind.config.ts", ""),
            ("web/node_modules/x/Dockerfile", ""),
        ];
        assert_lines(
            &technologies(&files),
            "
            ci GitHub Actions file:.github/workflows/ci.yml 0.95
            framework Tailwind CSS file:src/tailwind.config.ts 0.95
            platform Kubernetes file:k8s/web.yaml 0.7
            tool Terraform file:infra/main.tf 0.95
            ",
        );
    }

    #[test]
    fn the_best_evidence_wins_and_of_equals_the_smallest_source() {
        let files = [
            ("a/requirements.txt", "psycopg2\nasyncpg\nDjango\nopentelemetry_api\n"),
            ("a/manage.py", ""),
            ("b/package.json", r#"{ "peerDependencies": { "react": "*", "vue": "*" } }"#),
            ("c/package.json", r#"{ "dependencies": { "react": "*" } }"#),
        ];
        assert_lines(
            &technologies(&files),
            "
            database PostgreSQL dependency:asyncpg 0.9
            framework Django file:a/manage.py 0.95
            framework React dependency:react 0.9
            framework Vue dependency:vue 0.6
            library OpenTelemetry dependency:opentelemetry_api 0.8
            ",
        );
    }

    #[test]
    fn the_same_name_means_different_things_to_different_managers() {
        let files = [("Cargo.toml", "[dependencies]\nexpress = \"1\"\nredis = \"1\"\n")];
        assert_lines(&technologies(&files), "cache Redis dependency:redis 0.9");
    }
}
