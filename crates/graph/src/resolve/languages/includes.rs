//! Languages that include files: C and C++ by path, Ruby by path or by name below a `lib` folder.

use super::super::lookup::{Meaning, Resolver};
use super::super::project::{folder_of, join, join_relative};

/// The header that an include names.
pub(super) fn c(resolver: &Resolver<'_>, file: u32, name: &str) -> Option<Meaning> {
    let own = folder_of(resolver.project.layout.path(file));
    let is_system = name.starts_with('<');
    let name = name.trim_matches(['<', '>', '"']);
    let beside = (!is_system).then(|| join_relative(own, name)).flatten();
    if let Some(found) = beside.and_then(|path| resolver.project.file(&path)) {
        return Some(Meaning::File(found));
    }
    for folder in &resolver.project.layout.manifests.includes {
        let path = join_relative(folder, name);
        if let Some(found) = path.and_then(|path| resolver.project.file(&path)) {
            return Some(Meaning::File(found));
        }
    }
    let mut folder = own;
    loop {
        for inside in ["include", "src", ""] {
            let start = if inside.is_empty() { folder.to_owned() } else { join(folder, inside) };
            let path = join_relative(&start, name);
            if let Some(found) = path.and_then(|path| resolver.project.file(&path)) {
                return Some(Meaning::File(found));
            }
        }
        if folder.is_empty() {
            return None;
        }
        folder = folder_of(folder);
    }
}

/// The file that a `require` of Ruby names.
pub(super) fn ruby(resolver: &Resolver<'_>, file: u32, name: &str) -> Option<Meaning> {
    let with_ending = if name.ends_with(".rb") { name.to_owned() } else { format!("{name}.rb") };
    let mut folder = folder_of(resolver.project.layout.path(file));
    let beside = join_relative(folder, &with_ending);
    if let Some(found) = beside.and_then(|path| resolver.project.file(&path)) {
        return Some(Meaning::File(found));
    }
    loop {
        let path = join_relative(&join(folder, "lib"), &with_ending);
        if let Some(found) = path.and_then(|path| resolver.project.file(&path)) {
            return Some(Meaning::File(found));
        }
        if folder.is_empty() {
            return None;
        }
        folder = folder_of(folder);
    }
}
