//! Composer: `composer.json`. Platform requirements (`php`, `ext-json`) are no packages.

use gik_base::FileKey;

use crate::formats::json;
use crate::manager::Manager;
use crate::manifest::Manifest;
use crate::scope::Scope;

pub(crate) fn claims(path: &FileKey) -> bool {
    path.file_name() == "composer.json"
}

pub(crate) fn read(_: &FileKey, source: &str, manifest: &mut Manifest) -> Result<(), String> {
    manifest.manager = Some(Manager::Composer);
    let root = json::object(source)?;
    for (section, scope) in [("require", Scope::Runtime), ("require-dev", Scope::Dev)] {
        // Packages have a vendor; everything without one is the platform.
        let packages = json::string_map(&root, section).filter(|(name, _)| name.contains('/'));
        for (name, version) in packages {
            manifest.depend(Manager::Composer, name, version, scope);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::testing::{assert_lines, dependencies};

    #[test]
    fn packages_without_the_platform() {
        let files = [(
            "composer.json",
            r#"
{
  "require": { "php": "^8.2", "ext-json": "*", "laravel/framework": "^11.0" },
  "require-dev": { "phpunit/phpunit": "^11" }
}
"#,
        )];
        assert_lines(
            &dependencies(&files),
            r"
            composer laravel/framework ^11.0 runtime
            composer phpunit/phpunit ^11 dev
        ",
        );
    }
}
