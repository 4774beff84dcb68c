//! vcpkg: `vcpkg.json`.

use std::collections::BTreeMap;

use gik_base::FileKey;
use serde_json::Value;

use crate::formats::json;
use crate::manager::Manager;
use crate::manifest::Manifest;
use crate::scope::Scope;

pub(crate) fn claims(path: &FileKey) -> bool {
    path.file_name() == "vcpkg.json"
}

pub(crate) fn read(_: &FileKey, source: &str, manifest: &mut Manifest) -> Result<(), String> {
    manifest.manager = Some(Manager::Vcpkg);
    let root = json::object(source)?;
    let overrides = list(root.get("overrides"))
        .filter_map(|entry| Some((text(entry, "name")?, any_version(entry)?)))
        .collect();
    declare(root.get("dependencies"), Scope::Runtime, &overrides, manifest);
    for feature in root.get("features").and_then(Value::as_object).into_iter().flatten() {
        declare(feature.1.get("dependencies"), Scope::Optional, &overrides, manifest);
    }
    Ok(())
}

fn declare(
    dependencies: Option<&Value>,
    scope: Scope,
    overrides: &BTreeMap<&str, &str>,
    manifest: &mut Manifest,
) {
    for entry in list(dependencies) {
        let Some(name) = entry.as_str().or_else(|| text(entry, "name")) else { continue };
        let is_host = entry.get("host").and_then(Value::as_bool) == Some(true);
        let scope = if is_host { Scope::Build } else { scope };
        let version = match (overrides.get(name), text(entry, "version>=")) {
            (Some(version), _) => (*version).to_owned(),
            (None, Some(least)) => format!(">={least}"),
            (None, None) => "*".to_owned(),
        };
        manifest.depend(Manager::Vcpkg, name, version, scope);
    }
}

fn any_version(entry: &Value) -> Option<&str> {
    ["version", "version-semver", "version-date", "version-string"]
        .into_iter()
        .find_map(|key| text(entry, key))
}

fn list(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.and_then(Value::as_array).into_iter().flatten()
}

fn text<'a>(entry: &'a Value, key: &str) -> Option<&'a str> {
    entry.get(key)?.as_str()
}

#[cfg(test)]
mod tests {
    use crate::testing::{assert_lines, dependencies};

    #[test]
    fn plain_host_feature_and_overridden_dependencies() {
        let files = [(
            "vcpkg.json",
            r#"
{
  "name": "app",
  "dependencies": [
    "fmt",
    { "name": "boost-asio", "version>=": "1.83.0" },
    { "name": "protobuf", "host": true },
    { "features": [] }
  ],
  "features": { "tls": { "description": "TLS", "dependencies": ["openssl"] } },
  "overrides": [{ "name": "fmt", "version": "10.1.1" }]
}
"#,
        )];
        assert_lines(
            &dependencies(&files),
            r"
            vcpkg boost-asio >=1.83.0 runtime
            vcpkg fmt 10.1.1 runtime
            vcpkg openssl * optional
            vcpkg protobuf * build
        ",
        );
    }
}
