//! Ruby: files are required by path, or by name below a `lib` folder; loaders name them by their constants.

use super::super::layout::{folder_of, join, join_relative};
use super::super::lookup::{Lookup, Meaning, Resolver};
use super::packages::declared;

/// The file that a `require` of Ruby names.
pub(super) fn required(resolver: &Resolver<'_>, file: u32, name: &str) -> Option<Meaning> {
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

/// What a constant stands for that a loader finds: from the innermost namespace of the file outwards.
pub(super) fn constant(resolver: &Resolver<'_>, file: u32, name: &str) -> Lookup {
    let roots = &resolver.project.layout.manifests.autoloaded;
    if roots.is_empty() || !name.starts_with(|c: char| c.is_ascii_uppercase()) {
        return Lookup::default();
    }
    let path = resolver.project.layout.path(file);
    let root = roots.iter().rev().find(|root| is_below(path, root));
    let inside = root.map_or("", |root| &folder_of(path)[root.len()..]).trim_start_matches('/');
    let mut space = inside;
    loop {
        let mut found = Lookup::default();
        for root in roots {
            found.extend(in_loaded(resolver, &join(root, space), name));
        }
        if !found.is_empty() || space.is_empty() {
            return found;
        }
        space = folder_of(space);
    }
}

/// What a folder of a loader holds under the name of a constant.
pub(super) fn in_folder(resolver: &Resolver<'_>, folder: &str, name: &str) -> Lookup {
    let roots = &resolver.project.layout.manifests.autoloaded;
    let is_loaded = roots.iter().any(|root| is_below(folder, root));
    if is_loaded { in_loaded(resolver, folder, name) } else { Lookup::default() }
}

fn in_loaded(resolver: &Resolver<'_>, folder: &str, name: &str) -> Lookup {
    let folder = folder.trim_end_matches('/');
    let stem = file_name_of(name);
    let path = join(folder, &format!("{stem}.rb"));
    let file = resolver.project.file(&path);
    let mut found = Lookup::default();
    if let Some(file) = file
        && let Some(table) = resolver.project.table(file)
    {
        found = declared(table, file, name);
    }
    let inside = join(folder, &stem);
    if found.is_empty() && !resolver.project.files_in(&inside).is_empty() {
        found.add(Meaning::Folder(inside), crate::Provenance::Import);
    }
    found
}

fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// The name of the file of a constant: `HTTPServer` is in `http_server`.
fn file_name_of(constant: &str) -> String {
    let letters: Vec<char> = constant.chars().collect();
    let mut name = String::with_capacity(constant.len() + 4);
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| letters.get(at));
        let is_next_small = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        let starts_word = letter.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase()
                    || before.is_ascii_digit()
                    || before.is_uppercase() && is_next_small
            });
        if starts_word {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_by_their_constants() {
        for (constant, file) in [
            ("User", "user"),
            ("UsersController", "users_controller"),
            ("HTTPServer", "http_server"),
            ("Base64Reader", "base64_reader"),
        ] {
            assert_eq!(file_name_of(constant), file);
        }
    }
}
