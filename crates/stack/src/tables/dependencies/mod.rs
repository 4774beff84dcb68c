//! Packages that give a technology away, by the ecosystem their name belongs to.

mod cpp;
mod dart;
mod dot_net;
mod elixir;
mod go;
mod js;
mod jvm;
mod php;
mod python;
mod ruby;
mod rust;
mod swift;

use super::TechRow;
use crate::manager::Ecosystem;

/// Rows per ecosystem.
pub(crate) const DEPENDENCIES: &[(Ecosystem, &[TechRow])] = &[
    (Ecosystem::Cpp, cpp::ROWS),
    (Ecosystem::Dart, dart::ROWS),
    (Ecosystem::DotNet, dot_net::ROWS),
    (Ecosystem::Elixir, elixir::ROWS),
    (Ecosystem::Go, go::ROWS),
    (Ecosystem::Js, js::ROWS),
    (Ecosystem::Jvm, jvm::ROWS),
    (Ecosystem::Php, php::ROWS),
    (Ecosystem::Python, python::ROWS),
    (Ecosystem::Ruby, ruby::ROWS),
    (Ecosystem::Rust, rust::ROWS),
    (Ecosystem::Swift, swift::ROWS),
];
