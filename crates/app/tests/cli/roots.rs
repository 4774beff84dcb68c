//! Which folder is the workspace, and which are refused.

use super::{asked, assert_transcript, gik, indexed, project};

#[test]
fn the_root_and_the_home_folder_are_refused() {
    let tree = project();
    let gik = gik(&tree);
    let home = tree.home().to_str().unwrap();
    assert_transcript(
        "roots",
        &[
            gik.run(&["--workspace", "/", "index"]).exit(2),
            gik.run(&["--workspace", home, "ask", "anything"]).exit(2),
            gik.run(&["--workspace", "..", "status", "--json"]).exit(2),
            gik.clone().within("../home").run(&["init"]).exit(2),
            gik.clone().within("../home").run(&["init", "--force-root"]).success(),
        ],
    );
}

#[test]
fn any_folder_below_works() {
    let tree = indexed();
    let below = gik(&tree).within("src");
    assert_eq!(
        below.run(&["ask", "farewell", "--json"]).json()["ragChunks"][0]["path"],
        "src/text.rs"
    );
    tree.write("src/extra/more.md", "# More quokkas\n");
    below.run(&["rm", "text.rs"]).success();
    below.run(&["add", "extra"]).success();
    below.run(&["commit"]).success();
    assert_eq!(asked(&tree, "farewell"), Vec::<String>::new());
    assert_eq!(asked(&tree, "quokkas"), ["src/extra/more.md"]);
    let run = below.run(&["ls-files", "../README.md", "main.rs", "--json"]).success().json();
    assert_eq!(super::paths(&run["files"]), ["README.md", "src/main.rs"]);
    assert!(!tree.exists("src/.guided"));
}

#[test]
fn the_workspace_can_be_named_by_flag_and_by_variable() {
    let tree = indexed();
    let elsewhere = gik(&tree).within("../home");
    let root = tree.root().to_str().unwrap();
    elsewhere.run(&["-C", root, "ask", "farewell"]).success();
    elsewhere.clone().env("GIK_WORKSPACE", root).run(&["ask", "farewell"]).success();
    assert!(!tree.home().join(".guided").exists());
}
