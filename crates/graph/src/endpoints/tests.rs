//! Small applications of every framework, and the routes that they have.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use super::*;

fn files(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
    found.sort();
}

fn language(path: &str) -> Option<&'static str> {
    Some(match path.rsplit_once('.')?.1 {
        "js" => "javascript",
        "ts" => "typescript",
        "py" => "python",
        "java" => "java",
        "kt" => "kotlin",
        "cs" => "csharp",
        "rb" => "ruby",
        "php" => "php",
        "go" => "go",
        "rs" => "rust",
        _ => return None,
    })
}

fn read(folder: &Path) -> String {
    let packages = std::fs::read_to_string(folder.join("packages.txt")).unwrap_or_default();
    let packages: BTreeSet<String> = packages.lines().map(str::to_owned).collect();
    let mut paths = Vec::new();
    files(folder, &mut paths);
    let mut lines = String::new();
    for path in paths {
        let name = path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
        let Some(language) = language(&name) else { continue };
        let text = std::fs::read_to_string(&path).unwrap();
        let source = Source { path: &name, language, text: &text, packages: &packages };
        for endpoint in endpoints(&source) {
            assert!(text.get(endpoint.at.0..endpoint.at.1).is_some(), "{endpoint:?}");
            writeln!(lines, "{name} {} {}", endpoint.method, endpoint.route).unwrap();
        }
    }
    lines
}

#[test]
fn every_framework_tells_its_routes() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/endpoints"));
    let (mut found, mut expected) = (BTreeMap::new(), BTreeMap::new());
    for entry in std::fs::read_dir(root).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_owned();
        let lines = std::fs::read_to_string(folder.join("expected.txt")).unwrap();
        expected.insert(name.clone(), lines);
        found.insert(name, read(&folder));
    }
    assert_eq!(format!("{found:#?}"), format!("{expected:#?}"));
    assert_eq!(found.len(), FRAMEWORKS.len() + 1, "one application each, and one without any");
}

#[test]
fn broken_texts_of_every_framework_end() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/endpoints"));
    let mut paths = Vec::new();
    files(root, &mut paths);
    let packages = BTreeSet::from(["express".to_owned(), "next".to_owned()]);
    let mut rng = gik_testkit::Rng::new(11);
    for path in paths {
        let name = path.to_str().unwrap();
        let Some(language) = language(name) else { continue };
        let text = std::fs::read_to_string(&path).unwrap();
        for _ in 0..20 {
            let cut = text.floor_char_boundary(rng.within(0..text.len()));
            let from = text.floor_char_boundary(rng.within(0..text.len()));
            let broken = format!("{}{}", &text[..cut], &text[from..]);
            let source = Source { path: name, language, text: &broken, packages: &packages };
            for endpoint in endpoints(&source) {
                assert!(broken.get(endpoint.at.0..endpoint.at.1).is_some(), "{endpoint:?}");
            }
        }
    }
}
