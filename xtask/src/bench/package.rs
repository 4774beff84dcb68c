//! One real package: the largest source folder among the direct dependencies of the workspace, as cargo has unpacked it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::series::Subject;
use crate::process;
use crate::stop::{Result, Stop};
use crate::workspace;

/// Copies the package with the most Rust source to a folder and describes it.
pub(super) fn copy_largest(root: &Path, folder: &Path) -> Result<Subject> {
    let mut command = process::cargo(root);
    command.args(["metadata", "--format-version", "1"]);
    // Packages of other platforms need not be on this machine.
    command.args(["--filter-platform", &host_triple()?]);
    let metadata = process::output(&mut command)?;
    let packages = direct_dependencies(&metadata)?;
    let mut largest: Option<(u64, Package)> = None;
    for package in packages {
        let size = rust_bytes(&package.folder)?;
        if largest.as_ref().is_none_or(|(most, _)| size > *most) {
            largest = Some((size, package));
        }
    }
    let (_, package) =
        largest.ok_or_else(|| Stop::Failed("the workspace has no dependency".to_owned()))?;
    copy(&package, folder)
}

#[derive(Debug, PartialEq, Eq)]
struct Package {
    label: String,
    folder: PathBuf,
}

/// The platform as rustc names it.
fn host_triple() -> Result<String> {
    let printed = process::output(Command::new("rustc").arg("-vV"))?;
    let host = printed.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned)
        .ok_or_else(|| Stop::Failed("`rustc -vV` names no host platform".to_owned()))
}

/// The packages that members name in their manifests.
fn direct_dependencies(metadata: &str) -> Result<Vec<Package>> {
    let metadata: Value = serde_json::from_str(metadata)
        .map_err(|error| Stop::Failed(format!("cargo metadata: {error}")))?;
    let packages = metadata["packages"].as_array().map_or(&[][..], Vec::as_slice);
    let is_member = |package: &&Value| package["source"].is_null();
    let wanted: BTreeSet<&str> = packages
        .iter()
        .filter(is_member)
        .filter_map(|member| member["dependencies"].as_array())
        .flatten()
        .filter_map(|dependency| dependency["name"].as_str())
        .collect();
    Ok(packages
        .iter()
        .filter(|package| !is_member(package))
        .filter_map(|package| {
            let name = package["name"].as_str().filter(|name| wanted.contains(name))?;
            let manifest = Path::new(package["manifest_path"].as_str()?);
            let label = format!("{name} {}", package["version"].as_str()?);
            Some(Package { label, folder: manifest.parent()?.to_owned() })
        })
        .collect())
}

fn rust_bytes(folder: &Path) -> Result<u64> {
    let mut total = 0;
    for file in workspace::files(folder)? {
        if file.ends_with(".rs") {
            let path = folder.join(file);
            let metadata =
                fs::metadata(&path).map_err(|error| Stop::on_path("look at", &path, error))?;
            total += metadata.len();
        }
    }
    Ok(total)
}

fn copy(package: &Package, folder: &Path) -> Result<Subject> {
    let files = workspace::files(&package.folder)?;
    let bytes = workspace::copy_files(&package.folder, &files, folder)?;
    Ok(Subject { label: package.label.clone(), generated: None, files: files.len(), bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_member_names_itself_counts() {
        let metadata = r#"{"packages": [
            {"name": "gik", "version": "0.1.0", "source": null, "manifest_path": "/w/Cargo.toml",
             "dependencies": [{"name": "libc"}, {"name": "gik"}]},
            {"name": "libc", "version": "0.2.1", "source": "registry+x", "manifest_path": "/r/libc/Cargo.toml",
             "dependencies": [{"name": "deep"}]},
            {"name": "deep", "version": "1.0.0", "source": "registry+x", "manifest_path": "/r/deep/Cargo.toml"}
        ]}"#;
        let expected = Package { label: "libc 0.2.1".to_owned(), folder: PathBuf::from("/r/libc") };
        assert_eq!(direct_dependencies(metadata).unwrap(), [expected]);
    }
}
