//! How each registry hands out a package: the tool it is fetched with and what has to be unpacked.
//!
//! Everything happens in a hidden folder beside the packages; a finished one is moved to its name, so that an
//! interrupted run leaves nothing half done under it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::Package;
use crate::process;
use crate::stop::{Result, Stop};
use crate::workspace;

/// Where packages come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Registry {
    Cargo,
    Npm,
    Pip,
    Apt,
}

impl Registry {
    pub(super) const ALL: &[Self] = &[Self::Cargo, Self::Npm, Self::Pip, Self::Apt];

    /// The key of the table.
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Cargo => "cargo",
            Self::Npm => "npm",
            Self::Pip => "pip",
            Self::Apt => "apt",
        }
    }

    /// By its key, or as its site is called.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let key = match name {
            "crates.io" => "cargo",
            "pypi" => "pip",
            "debian" => "apt",
            key => key,
        };
        Self::ALL.iter().copied().find(|registry| registry.key() == key)
    }

    /// Whether a package can be asked for without its version.
    pub(super) fn chooses_versions(self) -> bool {
        self == Self::Apt
    }

    /// Fetches packages to a folder of their own below `folder`.
    pub(super) fn fetch(
        self,
        packages: &[&Package],
        folder: &Path,
        archives: &[String],
    ) -> Result<()> {
        let fetch_one = match self {
            Self::Cargo => return fetch_crates(packages, folder),
            Self::Npm => npm,
            Self::Pip => pip,
            Self::Apt => apt,
        };
        for package in packages {
            let part = clean_folder(folder, ".part")?;
            let download = clean_folder(folder, ".download")?;
            let found = fetch_one(package, &download, &part)?;
            unpack_archives(&part, archives)?;
            remove(&download)?;
            finish(&part, &folder.join(package.label(&found)))?;
        }
        Ok(())
    }
}

/// One made-up package that depends on all of them makes cargo fetch and unpack them; then they are copied.
fn fetch_crates(packages: &[&Package], folder: &Path) -> Result<()> {
    let download = clean_folder(folder, ".download")?;
    workspace::write(&download.join("src/lib.rs"), "")?;
    workspace::write(&download.join("Cargo.toml"), &manifest(packages))?;
    let mut command = process::cargo(&download);
    let metadata = process::quiet_output(command.args(["metadata", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_str(&metadata)
        .map_err(|error| Stop::Failed(format!("cargo metadata: {error}")))?;
    for package in packages {
        let source = source_of(&metadata, package)
            .ok_or_else(|| Stop::Failed(format!("cargo has not fetched `{}`", package.name)))?;
        let part = clean_folder(folder, ".part")?;
        workspace::copy_files(&source, &workspace::all_files(&source)?, &part)?;
        finish(&part, &folder.join(package.label(version(package)?)))?;
    }
    remove(&download)
}

fn manifest(packages: &[&Package]) -> String {
    let opening = "[package]\nname = \"corpus\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n";
    packages.iter().fold(opening.to_owned(), |text, package| {
        let version = package.version.as_deref().unwrap_or_default();
        let line = format!("{{ version = \"={version}\", default-features = false }}");
        text + &package.name + " = " + &line + "\n"
    })
}

/// The folder where cargo has unpacked a package.
fn source_of(metadata: &Value, package: &Package) -> Option<PathBuf> {
    let wanted = package.version.as_deref()?;
    let found = metadata["packages"].as_array()?.iter().find(|candidate| {
        // What follows a plus is not part of what was asked for: `0.4.91+curl-8.22.0`.
        let version = candidate["version"].as_str().and_then(|text| text.split('+').next());
        candidate["name"] == package.name.as_str() && version == Some(wanted)
    })?;
    Some(Path::new(found["manifest_path"].as_str()?).parent()?.to_owned())
}

fn npm(package: &Package, download: &Path, part: &Path) -> Result<String> {
    let version = version(package)?;
    let mut command = Command::new("npm");
    command.args(["pack", "--silent", &format!("{}@{version}", package.name)]);
    process::quiet_output(command.current_dir(download))?;
    let tarball = only_file(download)?;
    let mut command = Command::new("tar");
    command.args(["--strip-components=1", "--no-same-owner", "-xzf"]).arg(tarball);
    process::run(command.arg("-C").arg(part))?;
    Ok(version.to_owned())
}

fn pip(package: &Package, _download: &Path, part: &Path) -> Result<String> {
    let version = version(package)?;
    let mut command = Command::new("pip");
    // A wheel is installed by unpacking it; nothing of the package is run.
    command.args(["install", "--quiet", "--no-deps", "--no-compile", "--only-binary", ":all:"]);
    command.args(["--disable-pip-version-check", "--root-user-action", "ignore", "--target"]);
    process::run(command.arg(part).arg(format!("{}=={version}", package.name)))?;
    Ok(version.to_owned())
}

fn apt(package: &Package, download: &Path, part: &Path) -> Result<String> {
    let wanted = match &package.version {
        Some(version) => format!("{}={version}", package.name),
        None => package.name.clone(),
    };
    let mut command = Command::new("apt-get");
    process::quiet_output(command.args(["download", "-qq", &wanted]).current_dir(download))?;
    let file = only_file(download)?;
    process::run(Command::new("dpkg-deb").arg("-x").arg(&file).arg(part))?;
    let mut command = Command::new("dpkg-deb");
    let found = process::output(command.arg("-f").arg(&file).arg("Version"))?;
    Ok(found.trim().to_owned())
}

/// Unpacks the named files where they are and removes them.
fn unpack_archives(part: &Path, archives: &[String]) -> Result<()> {
    for file in workspace::all_files(part)? {
        let name = file.rsplit('/').next().unwrap_or(&file);
        if archives.iter().any(|archive| archive == name) {
            let path = part.join(&file);
            let mut command = Command::new("unzip");
            command.args(["-q", "-o"]).arg(&path).arg("-d");
            process::run(command.arg(path.with_extension("")))?;
            remove(&path)?;
        }
    }
    Ok(())
}

fn version(package: &Package) -> Result<&str> {
    let version = package.version.as_deref();
    version.ok_or_else(|| Stop::Failed(format!("`{}` needs a version", package.name)))
}

fn only_file(folder: &Path) -> Result<PathBuf> {
    match workspace::all_files(folder)?.as_slice() {
        [file] => Ok(folder.join(file)),
        files => Err(Stop::on_path("use", folder, format!("{} files instead of one", files.len()))),
    }
}

fn clean_folder(folder: &Path, name: &str) -> Result<PathBuf> {
    let path = folder.join(name);
    remove(&path)?;
    workspace::create_folder(&path)?;
    Ok(path)
}

fn remove(path: &Path) -> Result<()> {
    let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match removed {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Stop::on_path("remove", path, error))
        },
        _ => Ok(()),
    }
}

fn finish(part: &Path, to: &Path) -> Result<()> {
    fs::rename(part, to).map_err(|error| Stop::on_path("create", to, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, version: &str) -> Package {
        Package {
            registry: Registry::Cargo,
            name: name.to_owned(),
            version: Some(version.to_owned()),
        }
    }

    #[test]
    fn the_made_up_manifest_pins_every_package() {
        let text = manifest(&[&package("a", "1.2.3")]);
        let table: toml::Table = text.parse().unwrap();
        assert_eq!(table["dependencies"]["a"]["version"].as_str(), Some("=1.2.3"));
        assert!(table.contains_key("workspace"));
    }

    #[test]
    fn a_version_is_found_also_with_build_metadata() {
        let metadata = serde_json::json!({"packages": [
            {"name": "a", "version": "1.0.0", "manifest_path": "/r/a-1.0.0/Cargo.toml"},
            {"name": "a", "version": "2.0.0+x", "manifest_path": "/r/a-2.0.0/Cargo.toml"},
        ]});
        let found = source_of(&metadata, &package("a", "2.0.0"));
        assert_eq!(found, Some(PathBuf::from("/r/a-2.0.0")));
        assert_eq!(source_of(&metadata, &package("a", "3.0.0")), None);
    }
}
