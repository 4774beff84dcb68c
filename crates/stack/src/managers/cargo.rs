//! Cargo: `Cargo.toml`. Versions inherited from the workspace are filled in from its root manifest.

use gik_base::FileKey;
use toml::{Table, Value};

use crate::declaration::{Key, Namespace, Template, git_version, path_version};
use crate::formats::toml::{entries_at, flag, table, text};
use crate::manager::Manager;
use crate::manifest::{Manifest, Reach};
use crate::scope::Scope;

const SECTIONS: &[(&str, Scope)] = &[
    ("dependencies", Scope::Runtime),
    ("dev-dependencies", Scope::Dev),
    ("dev_dependencies", Scope::Dev),
    ("build-dependencies", Scope::Build),
    ("build_dependencies", Scope::Build),
];

pub(crate) fn claims(path: &FileKey) -> bool {
    path.file_name() == "Cargo.toml"
}

pub(crate) fn read(_: &FileKey, source: &str, manifest: &mut Manifest) -> Result<(), String> {
    manifest.manager = Some(Manager::Cargo);
    manifest.reach = Reach::Below;
    let root = table(source)?;
    for (name, spec) in entries_at(&root, &["workspace", "dependencies"]) {
        manifest.share(Key::new(Namespace::CargoVersion, name), version(spec));
        if let Some(package) = spec.as_table().and_then(|spec| text(spec, "package")) {
            manifest.share(Key::new(Namespace::CargoPackage, name), package);
        }
    }
    let workspace = entries_at(&root, &["package"]).find(|(key, _)| *key == "workspace");
    manifest.parent = workspace
        .and_then(|(_, folder)| folder.as_str())
        .map(|folder| format!("{}/Cargo.toml", folder.trim_end_matches('/')));
    read_sections(&root, manifest);
    for (_, target) in entries_at(&root, &["target"]) {
        if let Some(target) = target.as_table() {
            read_sections(target, manifest);
        }
    }
    Ok(())
}

fn read_sections(table: &Table, manifest: &mut Manifest) {
    for &(section, scope) in SECTIONS {
        for (name, spec) in entries_at(table, &[section]) {
            let fields = spec.as_table();
            let is_optional = fields.is_some_and(|fields| flag(fields, "optional"));
            let scope = if is_optional { Scope::Optional } else { scope };
            if fields.is_some_and(|fields| flag(fields, "workspace")) {
                let package = Template::lookup(Key::new(Namespace::CargoPackage, name), name);
                let version = Template::lookup(Key::new(Namespace::CargoVersion, name), "*");
                manifest.depend(Manager::Cargo, package, version, scope);
            } else {
                let package = fields.and_then(|fields| text(fields, "package")).unwrap_or(name);
                manifest.depend(Manager::Cargo, package, version(spec), scope);
            }
        }
    }
}

fn version(spec: &Value) -> String {
    if let Some(version) = spec.as_str() {
        return version.to_owned();
    }
    let Some(fields) = spec.as_table() else { return "*".to_owned() };
    if let Some(path) = text(fields, "path") {
        path_version(path)
    } else if let Some(url) = text(fields, "git") {
        let reference = ["rev", "tag", "branch"].into_iter().find_map(|key| text(fields, key));
        git_version(url, reference)
    } else {
        text(fields, "version").unwrap_or("*").to_owned()
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{assert_lines, dependencies};

    #[test]
    fn sections_targets_renames_and_places() {
        let files = [(
            "Cargo.toml",
            r#"
[package]
name = "app"

[dependencies]
serde = "1.0"
tokio = { version = "1", features = ["full"], optional = true }
web = { package = "axum", version = "0.8" }
core = { path = "../core", version = "0.1" }
fork = { git = "https://host/fork", branch = "main" }

[dev-dependencies]
insta = "1"

[build-dependencies]
cc = "1.1"

[target.'cfg(unix)'.dependencies]
libc = "0.2"
"#,
        )];
        assert_lines(
            &dependencies(&files),
            r"
            cargo axum 0.8 runtime
            cargo cc 1.1 build
            cargo core path:../core runtime
            cargo fork git:https://host/fork#main runtime
            cargo insta 1 dev
            cargo libc 0.2 runtime
            cargo serde 1.0 runtime
            cargo tokio 1 optional
        ",
        );
    }

    #[test]
    fn inherited_versions_come_from_the_workspace_root() {
        let files = [
            (
                "Cargo.toml",
                r#"
[workspace]
members = ["crates/*"]
[workspace.dependencies]
serde = { version = "1.0.200", features = ["derive"] }
yaml = { package = "serde_yml", version = "0.9" }
unused = "3"
"#,
            ),
            (
                "crates/a/Cargo.toml",
                r#"
[package]
name = "a"
[dependencies]
serde.workspace = true
yaml = { workspace = true, optional = true }
lost.workspace = true
"#,
            ),
            (
                "other/b/Cargo.toml",
                r#"
[package]
name = "b"
workspace = "../../elsewhere"
[dependencies]
serde = { workspace = true }
"#,
            ),
            (
                "elsewhere/Cargo.toml",
                r#"
[workspace]
[workspace.dependencies]
serde = "0.9"
"#,
            ),
        ];
        assert_lines(
            &dependencies(&files),
            r"
            cargo lost * runtime @ crates/a/Cargo.toml
            cargo serde 1.0.200 runtime @ crates/a/Cargo.toml
            cargo serde 0.9 runtime @ other/b/Cargo.toml
            cargo serde_yml 0.9 optional @ crates/a/Cargo.toml
        ",
        );
    }
}
