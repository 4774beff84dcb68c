//! npm, pnpm, yarn and bun: `package.json`, and the catalogs of `pnpm-workspace.yaml`.
//!
//! Which of the four it is comes from the `packageManager` field or the lock files around; see `resolve`.

use gik_base::FileKey;
use serde_json::Value;

use crate::declaration::{Key, Namespace, Template, git_version, path_version};
use crate::formats::{json, yaml};
use crate::manager::Manager;
use crate::manifest::{Manifest, Reach};
use crate::scope::Scope;

const SECTIONS: &[(&str, Scope)] = &[
    ("dependencies", Scope::Runtime),
    ("devDependencies", Scope::Dev),
    ("peerDependencies", Scope::Peer),
    ("optionalDependencies", Scope::Optional),
];

pub(crate) fn is_package(path: &FileKey) -> bool {
    path.file_name() == "package.json"
}

pub(crate) fn read_package(
    _: &FileKey,
    source: &str,
    manifest: &mut Manifest,
) -> Result<(), String> {
    manifest.manager = Some(Manager::Npm);
    let root = json::object(source)?;
    let engine = root.get("devEngines").and_then(|engines| engines.get("packageManager"));
    let named = root
        .get("packageManager")
        .or_else(|| engine.and_then(|engine| engine.get("name")))
        .and_then(Value::as_str);
    manifest.package_manager =
        named.and_then(|named| Manager::of_node(named.split('@').next().unwrap_or(named)));
    for &(section, scope) in SECTIONS {
        if root.get(section).is_some_and(|value| !value.is_object()) {
            return Err(format!("`{section}` is not an object"));
        }
        for (name, wanted) in json::string_map(&root, section) {
            manifest.depend(Manager::Npm, name, version(name, wanted), scope);
        }
    }
    Ok(())
}

fn version(name: &str, wanted: &str) -> Template {
    if let Some(catalog) = wanted.strip_prefix("catalog:") {
        return Template::lookup(catalog_key(catalog, name), wanted);
    }
    for prefix in ["file:", "link:", "portal:"] {
        if let Some(path) = wanted.strip_prefix(prefix) {
            return path_version(path).into();
        }
    }
    let is_hosted = ["github:", "gitlab:", "bitbucket:", "git://", "git@", "git+"]
        .iter()
        .any(|prefix| wanted.starts_with(prefix));
    // `user/repository` without a scheme means GitHub.
    let is_short = !wanted.contains(':') && !wanted.starts_with('.') && wanted.contains('/');
    if is_hosted || is_short || (wanted.starts_with("http") && wanted.contains(".git")) {
        let (url, reference) = match wanted.split_once('#') {
            Some((url, reference)) => (url, Some(reference)),
            None => (wanted, None),
        };
        return git_version(url.strip_prefix("git+").unwrap_or(url), reference).into();
    }
    wanted.into()
}

fn catalog_key(catalog: &str, package: &str) -> Key {
    let catalog = if catalog.trim().is_empty() { "default" } else { catalog.trim() };
    Key::new(Namespace::PnpmCatalog, format!("{catalog}/{package}"))
}

pub(crate) fn is_pnpm_workspace(path: &FileKey) -> bool {
    path.file_name() == "pnpm-workspace.yaml"
}

pub(crate) fn read_pnpm_workspace(
    _: &FileKey,
    source: &str,
    manifest: &mut Manifest,
) -> Result<(), String> {
    manifest.reach = Reach::Below;
    let root = yaml::document(source)?;
    let default = root.get("catalog").into_iter().map(|catalog| ("default", catalog));
    let named = root.get("catalogs").into_iter().flat_map(yaml::Yaml::entries);
    for (catalog, packages) in default.chain(named) {
        for (package, version) in packages.entries() {
            if let Some(version) = version.text() {
                manifest.share(catalog_key(catalog, package), version);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::testing::{assert_lines, dependencies};

    #[test]
    fn sections_and_places() {
        let files = [(
            "package.json",
            r#"
{
  "name": "web",
  "dependencies": {
    "next": "^15.0.0",
    "ui": "workspace:*",
    "shared": "file:../shared",
    "fork": "github:user/fork#v2",
    "short": "user/short",
    "alias": "npm:real@^1",
    "broken": 7
  },
  "devDependencies": { "typescript": "~5.6" },
  "peerDependencies": { "react": ">=18" },
  "optionalDependencies": { "fsevents": "*" }
}
"#,
        )];
        assert_lines(
            &dependencies(&files),
            r"
            npm alias npm:real@^1 runtime
            npm broken * runtime
            npm fork git:github:user/fork#v2 runtime
            npm fsevents * optional
            npm next ^15.0.0 runtime
            npm react >=18 peer
            npm shared path:../shared runtime
            npm short git:user/short runtime
            npm typescript ~5.6 dev
            npm ui workspace:* runtime
        ",
        );
    }

    #[test]
    fn the_manager_is_told_by_field_or_by_the_nearest_lock_file() {
        let files = [
            (
                "package.json",
                r#"
{ "packageManager": "pnpm@9.1.0", "dependencies": { "a": "1" } }
"#,
            ),
            (
                "package-lock.json",
                r"
{}
",
            ),
            (
                "packages/x/package.json",
                r#"
{ "dependencies": { "b": "1" } }
"#,
            ),
            (
                "tools/yarn.lock",
                r"

",
            ),
            (
                "tools/y/package.json",
                r#"
{ "dependencies": { "c": "1" } }
"#,
            ),
            (
                "z/bun.lock",
                r"

",
            ),
            (
                "z/package.json",
                r#"
{ "dependencies": { "d": "1" } }
"#,
            ),
        ];
        assert_lines(
            &dependencies(&files),
            r"
            bun d 1 runtime @ z/package.json
            pnpm a 1 runtime @ package.json
            pnpm b 1 runtime @ packages/x/package.json
            yarn c 1 runtime @ tools/y/package.json
        ",
        );
    }

    #[test]
    fn pnpm_catalogs_are_resolved() {
        let files = [
            (
                "pnpm-workspace.yaml",
                r"
packages: [packages/*]
catalog:
  react: ^18.3.0
catalogs:
  legacy:
    react: ^16
",
            ),
            (
                "packages/a/package.json",
                r#"
{ "dependencies": { "react": "catalog:", "none": "catalog:" } }
"#,
            ),
            (
                "packages/b/package.json",
                r#"
{ "dependencies": { "react": "catalog:legacy" } }
"#,
            ),
        ];
        assert_lines(
            &dependencies(&files),
            r"
            pnpm none catalog: runtime @ packages/a/package.json
            pnpm react ^18.3.0 runtime @ packages/a/package.json
            pnpm react ^16 runtime @ packages/b/package.json
        ",
        );
    }

    #[test]
    fn comments_and_wrong_shapes_are_problems() {
        let files = [
            (
                "a/package.json",
                r#"
{
  // no
  "dependencies": {}
}
"#,
            ),
            (
                "b/package.json",
                r"
[]
",
            ),
            (
                "c/package.json",
                r#"
{ "dependencies": ["x"] }
"#,
            ),
        ];
        assert_lines(
            &dependencies(&files),
            r"
            ! a/package.json: key must be a string at line 2 column 3
            ! b/package.json: the top level is not an object
            ! c/package.json: `dependencies` is not an object
        ",
        );
    }
}
