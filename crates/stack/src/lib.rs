//! File list and manifests to languages, dependencies and technologies.
