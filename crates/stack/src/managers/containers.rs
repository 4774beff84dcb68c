//! Containers: services and images of compose files, base images of Dockerfiles. They are technologies, not packages.

use gik_base::FileKey;

use crate::formats::yaml::{self, Yaml};
use crate::manifest::{Manifest, Service};

pub(crate) fn is_compose(path: &FileKey) -> bool {
    let name = path.file_name();
    matches!(path.extension().as_ref(), "yml" | "yaml")
        && ["compose.", "docker-compose.", "docker-compose-", "podman-compose."]
            .iter()
            .any(|start| name.starts_with(start))
}

pub(crate) fn read_compose(
    _: &FileKey,
    source: &str,
    manifest: &mut Manifest,
) -> Result<(), String> {
    let root = yaml::document(source)?;
    for (name, service) in root.get("services").into_iter().flat_map(Yaml::entries) {
        let image = service.text_at("image").and_then(image_name);
        manifest.services.push(Service { name: name.to_owned(), image });
    }
    Ok(())
}

pub(crate) fn is_dockerfile(path: &FileKey) -> bool {
    let name = path.file_name();
    matches!(name, "Dockerfile" | "Containerfile")
        || ["Dockerfile.", "Containerfile."].iter().any(|start| name.starts_with(start))
        || path.extension() == "dockerfile"
}

pub(crate) fn read_dockerfile(_: &FileKey, source: &str, manifest: &mut Manifest) {
    let mut stages: Vec<&str> = Vec::new();
    for line in source.lines() {
        let mut words = line.split_whitespace().filter(|word| !word.starts_with("--"));
        if !words.next().is_some_and(|word| word.eq_ignore_ascii_case("from")) {
            continue;
        }
        let Some(image) = words.next() else { continue };
        if !stages.contains(&image) {
            manifest.images.extend(image_name(image));
        }
        if words.next().is_some_and(|word| word.eq_ignore_ascii_case("as")) {
            stages.extend(words.next());
        }
    }
    manifest.images.sort();
    manifest.images.dedup();
}

/// The image without registry, tag and digest: `docker.io/library/postgres:16` is `postgres`, and
/// `${IMAGE:-bitnami/redis:7}` is `bitnami/redis`.
fn image_name(image: &str) -> Option<String> {
    let image = match image.strip_prefix("${") {
        Some(variable) => variable.trim_end_matches('}').split_once(":-")?.1,
        None => image,
    };
    let image = image.split('@').next().unwrap_or(image);
    let image = match image.rsplit_once(':') {
        // A colon before a slash is the port of the registry.
        Some((name, tag)) if !tag.contains('/') => name,
        _ => image,
    };
    let mut parts: Vec<&str> = image.split('/').collect();
    if parts.len() > 1 && parts.first().is_some_and(|host| host.contains(['.', ':'])) {
        parts.remove(0);
    }
    if parts.first() == Some(&"library") {
        parts.remove(0);
    }
    let name = parts.join("/").to_ascii_lowercase();
    (!name.is_empty() && !name.contains('$') && name != "scratch").then_some(name)
}
