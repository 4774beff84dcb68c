//! A clone may bring a `.guided` that someone else prepared: it must not lead out of the workspace.

use super::{asked, gik, indexed};

const BRANCH: &str = ".guided/knowledge/main";

#[test]
#[cfg(unix)]
fn a_link_inside_the_knowledge_is_refused_and_what_it_points_to_stays() {
    for name in ["main/lexical", "main/index.sqlite", "main/timeline.jsonl", "asks/ask.log.jsonl"] {
        let tree = indexed();
        asked(&tree, "greeting");
        let target = tree.outside().join("target");
        if name.ends_with("lexical") {
            std::fs::create_dir_all(&target).unwrap();
            std::fs::write(target.join("diary.txt"), "dear diary").unwrap();
        } else {
            std::fs::write(&target, "precious").unwrap();
        }
        let place = format!(".guided/knowledge/{name}");
        tree.remove(&place);
        tree.link(&place, target.to_str().unwrap());
        for command in
            [&["ask", "greeting"][..], &["commit"], &["reindex"], &["memory", "add", "x"]]
        {
            let run = gik(&tree).run(command).exit(2);
            assert!(run.stderr.contains("symbolic link"), "{name}: {}", run.stderr);
        }
        if name.ends_with("lexical") {
            assert_eq!(std::fs::read_to_string(target.join("diary.txt")).unwrap(), "dear diary");
        } else {
            assert_eq!(std::fs::read_to_string(&target).unwrap(), "precious");
        }
    }
}

#[test]
fn a_source_outside_the_workspace_is_not_read() {
    let tree = indexed();
    std::fs::write(tree.outside().join("secret.md"), "# The platypus\n").unwrap();
    let pending = format!("{BRANCH}/staging/pending.jsonl");
    let list = tree.read(&pending);
    for uri in [
        "../secret.md".to_owned(),
        "%raw%/../secret.md".to_owned(),
        tree.outside().join("secret.md").to_str().unwrap().to_owned(),
    ] {
        let hostile = list
            .replace("\"uri\":\".\"", &format!("\"uri\":\"{uri}\""))
            .replace("\"directory\"", "\"filePath\"");
        assert!(hostile.contains(&uri));
        tree.write(&pending, &hostile);
        assert_eq!(asked(&tree, "platypus"), Vec::<String>::new(), "{uri}");
        tree.write(&pending, hostile.replace("\"indexed\"", "\"pending\""));
        gik(&tree).run(&["commit"]);
        assert_eq!(asked(&tree, "platypus"), Vec::<String>::new(), "{uri}");
    }
}

#[test]
fn folders_outside_the_workspace_are_not_walked() {
    let tree = indexed();
    let pending = format!("{BRANCH}/staging/pending.jsonl");
    let list = tree.read(&pending);
    for uri in ["..", "../..", "%raw%/..", "/", "/etc"] {
        tree.write(&pending, list.replace("\"uri\":\".\"", &format!("\"uri\":\"{uri}\"")));
        // Nothing usable is on the list, so the workspace itself may be indexed instead.
        for path in asked(&tree, "root greeting") {
            assert!(
                ["Cargo.toml", "README.md", "src/main.rs", "src/text.rs"].contains(&path.as_str()),
                "{path}"
            );
        }
    }
}
