//! pub (Dart and Flutter): `pubspec.yaml`.

use gik_base::FileKey;

use crate::declaration::{git_version, path_version};
use crate::formats::yaml::{self, Yaml};
use crate::manager::Manager;
use crate::manifest::Manifest;
use crate::scope::Scope;

pub(crate) fn claims(path: &FileKey) -> bool {
    matches!(path.file_name(), "pubspec.yaml" | "pubspec.yml")
}

pub(crate) fn read(_: &FileKey, source: &str, manifest: &mut Manifest) -> Result<(), String> {
    manifest.manager = Some(Manager::Pub);
    let root = yaml::document(source)?;
    for (section, scope) in [("dependencies", Scope::Runtime), ("dev_dependencies", Scope::Dev)] {
        for (name, spec) in root.get(section).into_iter().flat_map(Yaml::entries) {
            manifest.depend(Manager::Pub, name, version(spec), scope);
        }
    }
    Ok(())
}

fn version(spec: &Yaml) -> String {
    if let Some(git) = spec.get("git") {
        let url = git.text().or_else(|| git.text_at("url")).unwrap_or_default();
        git_version(url, git.text_at("ref"))
    } else if let Some(path) = spec.text_at("path") {
        path_version(path)
    } else if let Some(sdk) = spec.text_at("sdk") {
        format!("sdk:{sdk}")
    } else {
        spec.text().or_else(|| spec.text_at("version")).unwrap_or("*").to_owned()
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{assert_lines, dependencies};

    #[test]
    fn all_places_a_package_can_come_from() {
        let files = [(
            "pubspec.yaml",
            r"
name: app
environment:
  sdk: ^3.4.0
dependencies:
  flutter:
    sdk: flutter
  http: ^1.2.0
  any_version:
  local: { path: ../local }
  forked:
    git:
      url: https://host/forked.git
      ref: main
  hosted:
    hosted: https://registry.example
    version: ^2.0.0
dev_dependencies:
  flutter_lints: ^4.0.0
",
        )];
        assert_lines(
            &dependencies(&files),
            r"
            pub any_version * runtime
            pub flutter sdk:flutter runtime
            pub flutter_lints ^4.0.0 dev
            pub forked git:https://host/forked.git#main runtime
            pub hosted ^2.0.0 runtime
            pub http ^1.2.0 runtime
            pub local path:../local runtime
        ",
        );
    }
}
