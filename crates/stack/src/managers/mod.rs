//! Which reader takes which file? One row per ecosystem; to add one, write its file and its row.

mod bundler;
mod cargo;
mod cmake;
mod composer;
mod conan;
mod containers;
mod go;
mod gradle;
mod gradle_catalog;
mod maven;
mod mix;
mod npm;
mod nuget;
mod pub_dart;
mod python;
mod swiftpm;
mod vcpkg;

use gik_base::FileKey;

use crate::manifest::Manifest;

/// How a file is read. Both add what it says to the manifest.
#[derive(Clone, Copy)]
pub(crate) enum Reader {
    /// A format with a grammar: text that breaks it is an error of one line.
    Strict(fn(&FileKey, &str, &mut Manifest) -> Result<(), String>),
    /// A program or a list: what is written the usual way is found, the rest passed over.
    Lenient(fn(&FileKey, &str, &mut Manifest)),
}

struct Row {
    claims: fn(&FileKey) -> bool,
    reader: Reader,
}

const fn strict(
    claims: fn(&FileKey) -> bool,
    read: fn(&FileKey, &str, &mut Manifest) -> Result<(), String>,
) -> Row {
    Row { claims, reader: Reader::Strict(read) }
}

const fn lenient(claims: fn(&FileKey) -> bool, read: fn(&FileKey, &str, &mut Manifest)) -> Row {
    Row { claims, reader: Reader::Lenient(read) }
}

/// The first row that claims a file reads it.
const ROWS: &[Row] = &[
    lenient(bundler::claims, bundler::read),
    strict(cargo::claims, cargo::read),
    lenient(cmake::claims, cmake::read),
    strict(composer::claims, composer::read),
    lenient(conan::claims, conan::read),
    strict(containers::is_compose, containers::read_compose),
    lenient(containers::is_dockerfile, containers::read_dockerfile),
    strict(go::claims, go::read),
    lenient(gradle::claims, gradle::read),
    strict(gradle_catalog::claims, gradle_catalog::read),
    strict(maven::claims, maven::read),
    lenient(mix::claims, mix::read),
    strict(npm::is_package, npm::read_package),
    strict(npm::is_pnpm_workspace, npm::read_pnpm_workspace),
    strict(nuget::claims, nuget::read),
    strict(pub_dart::claims, pub_dart::read),
    strict(python::is_pipfile, python::read_pipfile),
    strict(python::is_pyproject, python::read_pyproject),
    lenient(python::is_requirements, python::read_requirements),
    lenient(python::is_setup_cfg, python::read_setup_cfg),
    lenient(python::is_setup_py, python::read_setup_py),
    lenient(swiftpm::claims, swiftpm::read),
    strict(vcpkg::claims, vcpkg::read),
];

/// The reader of a file, told from its path alone.
pub(crate) fn reader_of(path: &FileKey) -> Option<Reader> {
    ROWS.iter().find(|row| (row.claims)(path)).map(|row| row.reader)
}
