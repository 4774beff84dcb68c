//! `languages/<id>/fixtures/*` against the `.golden` beside each; `UPDATE_GOLDENS=1` writes them anew.

use std::path::Path;

use gik_base::FileKey;

use super::render;
use crate::{detect_by_name, parse};

#[test]
fn fixtures_are_taken_apart_as_their_goldens_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("languages");
    let mut changed = Vec::new();
    let mut n_fixtures = 0;
    for folder in std::fs::read_dir(&root).unwrap() {
        let fixtures = folder.unwrap().path().join("fixtures");
        let Ok(entries) = std::fs::read_dir(&fixtures) else { continue };
        for entry in entries {
            let file = entry.unwrap().path();
            if file.extension().is_some_and(|extension| extension == "golden") {
                continue;
            }
            n_fixtures += 1;
            let name = file.file_name().unwrap().to_str().unwrap();
            let key = FileKey::from_text(name);
            let text = std::fs::read_to_string(&file).unwrap();
            let found = render(&parse(&key, &text, detect_by_name(&key)), &text);
            let golden = fixtures.join(format!("{name}.golden"));
            if std::env::var_os("UPDATE_GOLDENS").is_some() {
                std::fs::write(&golden, &found).unwrap();
            } else if std::fs::read_to_string(&golden).unwrap_or_default() != found {
                changed.push(format!("{}\n{found}", golden.display()));
            }
        }
    }
    assert!(n_fixtures > 0);
    assert!(changed.is_empty(), "UPDATE_GOLDENS=1 accepts these:\n\n{}", changed.join("\n\n"));
}
