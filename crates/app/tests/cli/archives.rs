//! Archives: members are sources, and nothing escapes.

use std::io::{Cursor, Write as _};

use flate2::Compression;
use flate2::write::GzEncoder;
use gik_testkit::Tree;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::{asked, assert_transcript, gik, listed};

pub(crate) fn zip_of(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Writes names as they are, which the builder's own functions refuse to do.
fn tar_gz_of(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for (name, content) in entries {
        let mut header = tar::Header::new_ustar();
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(tar::EntryType::Regular);
        header.set_mode(0o644);
        header.set_size(content.len() as u64);
        header.set_cksum();
        builder.append(&header, *content).unwrap();
    }
    builder.into_inner().unwrap().finish().unwrap()
}

fn added(name: &str, bytes: Vec<u8>) -> Tree {
    let tree = Tree::new("//- README.md\n# Readme\n");
    tree.write(name, bytes);
    let gik = gik(&tree);
    gik.run(&["init"]).success();
    gik.run(&["add", name]).success();
    tree
}

#[test]
fn members_answer_questions_under_their_own_name() {
    for (name, bytes) in [
        ("lib.zip", zip_of(&[("docs/a.md", b"# Quokka\n"), ("src/b.rs", b"fn wombat() {}\n")])),
        (
            "lib.tar.gz",
            tar_gz_of(&[("docs/a.md", b"# Quokka\n"), ("src/b.rs", b"fn wombat() {}\n")]),
        ),
    ] {
        let tree = added(name, bytes);
        gik(&tree).run(&["commit"]).success();
        assert_eq!(asked(&tree, "quokka"), [format!("{name}!/docs/a.md")]);
        assert_eq!(asked(&tree, "wombat"), [format!("{name}!/src/b.rs")]);
        let bundle = gik(&tree).run(&["ask", "wombat", "--json"]).json();
        assert_eq!(bundle["ragChunks"][0]["base"], "code");
        gik(&tree).run(&["verify"]).success();
    }
}

#[test]
fn hostile_members_are_left_out_and_told() {
    let tree = added(
        "bad.tar.gz",
        tar_gz_of(&[
            ("../escape.md", b"# Quokka\n"),
            ("/etc/absolute.md", b"# Quokka\n"),
            ("fine/a.md", b"# Wombat\n"),
            ("logo.bin", b"\x00\x01\x02"),
        ]),
    );
    let commit = gik(&tree).run(&["commit"]).success();
    assert_eq!(asked(&tree, "quokka"), Vec::<String>::new());
    assert_eq!(asked(&tree, "wombat"), ["bad.tar.gz!/fine/a.md"]);
    assert!(!tree.outside().join("escape.md").exists());
    assert_transcript(
        "archive",
        &[
            commit,
            gik(&tree).run(&["ls-files"]).success(),
            gik(&tree).run(&["ls-files", "--skipped"]).success(),
            gik(&tree).run(&["ls-files", "bad.tar.gz"]).success(),
            gik(&tree).run(&["ls-files", "bad.tar.gz!/fine/a.md"]).success(),
            gik(&tree).run(&["ask", "wombat"]).success(),
        ],
    );
}

#[test]
fn a_changed_archive_is_read_again_and_a_removed_one_is_forgotten() {
    let tree = added("lib.zip", zip_of(&[("a.md", b"# Quokka\n"), ("b.md", b"# Numbat\n")]));
    gik(&tree).run(&["commit"]).success();
    tree.write("lib.zip", zip_of(&[("a.md", b"# Wombat\n")]));
    assert_eq!(asked(&tree, "quokka numbat"), Vec::<String>::new());
    assert_eq!(asked(&tree, "wombat"), ["lib.zip!/a.md"]);
    tree.remove("lib.zip");
    assert_eq!(listed(&tree), Vec::<String>::new());
}

#[test]
fn an_archive_can_be_taken_out() {
    let tree = added("lib.zip", zip_of(&[("a.md", b"# Quokka\n")]));
    gik(&tree).run(&["commit"]).success();
    gik(&tree).run(&["rm", "lib.zip"]).success();
    gik(&tree).run(&["commit"]).success();
    assert_eq!(asked(&tree, "quokka"), Vec::<String>::new());
    gik(&tree).run(&["verify"]).success();
}

#[test]
fn a_bomb_and_a_broken_archive_fail_with_their_reason() {
    let bomb = zip_of(&[("zeros.txt", &vec![b'0'; 4 << 20])]);
    let tree = added("bomb.zip", bomb);
    let commit = ["commit", "--set", "sources.archives.max_total_bytes=1048576"];
    gik(&tree).run(&commit).exit(1);
    let pending = tree.read(".guided/knowledge/main/staging/pending.jsonl");
    assert!(pending.contains(r#""status":"failed","lastError":"#), "{pending}");

    let whole = zip_of(&[("a.md", b"# Quokka\n")]);
    let tree = added("broken.zip", whole[..whole.len() / 2].to_vec());
    let run = gik(&tree).run(&["commit"]).exit(1);
    assert!(run.stderr.contains("broken.zip"), "{}", run.stderr);
    gik(&tree).run(&["verify"]).success();
}

#[test]
fn archives_inside_a_tracked_folder_are_not_opened_unasked() {
    let tree = Tree::empty();
    tree.write("docs/lib.zip", zip_of(&[("a.md", b"# Quokka\n")]));
    tree.write("docs/b.md", "# Wombat\n");
    gik(&tree).run(&["index"]).success();
    assert_eq!(listed(&tree), ["docs/b.md"]);
}

#[test]
fn an_archive_that_was_walked_over_is_opened_when_it_is_added_by_name() {
    let tree = Tree::empty();
    tree.write("docs/lib.zip", zip_of(&[("a.md", b"# Quokka\n")]));
    gik(&tree).run(&["index"]).success();
    gik(&tree).run(&["add", "docs/lib.zip"]).success();
    gik(&tree).run(&["commit"]).success();
    assert_eq!(asked(&tree, "quokka"), ["docs/lib.zip!/a.md"]);
}

#[test]
fn of_an_archive_that_breaks_no_member_is_kept() {
    let tree = added("lib.tar.gz", tar_gz_of(&[("a.md", b"# Quokka\n")]));
    gik(&tree).run(&["commit"]).success();
    let noise: Vec<u8> =
        (0..60_000_u32).map(|n| b'a' + (n.wrapping_mul(2_654_435_761) >> 24) as u8 % 26).collect();
    let whole = tar_gz_of(&[("b.md", b"# Wombat\n"), ("c.txt", &noise)]);
    tree.write("lib.tar.gz", &whole[..whole.len() / 2]);
    assert_eq!(asked(&tree, "quokka wombat"), Vec::<String>::new());
    let skipped = gik(&tree).run(&["ls-files", "--skipped", "--json"]).success().json();
    assert_eq!(skipped["files"][0]["code"], "archive-refused", "{skipped}");
    // Nothing is read again until the file changes.
    let again = gik(&tree).run(&["ask", "quokka", "--json"]).json();
    assert_eq!(again["freshness"]["refreshedFiles"], 0);
    tree.write("lib.tar.gz", whole);
    assert_eq!(asked(&tree, "wombat"), ["lib.tar.gz!/b.md"]);
}

#[test]
fn the_mark_of_members_may_be_part_of_a_folder_name() {
    let tree = Tree::empty();
    tree.write("odd!/a.zip", zip_of(&[("m.md", b"# The bilby\n")]));
    gik(&tree).run(&["index", "odd!/a.zip"]).success();
    assert_eq!(asked(&tree, "bilby"), ["odd!/a.zip!/m.md"]);
    assert_eq!(asked(&tree, "bilby"), ["odd!/a.zip!/m.md"]);
}
