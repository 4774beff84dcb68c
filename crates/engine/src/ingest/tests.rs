//! Whatever happened to the files, the index is the one that they give when they are read for the first time.

use std::time::{Duration, SystemTime};

use gik_base::Cancel;
use gik_base::progress::Silent;
use gik_index::{ChunkNo, FileNo};
use gik_store::Access;
use gik_testkit::{Rng, Tree};

use super::refresh;
use crate::tools::index;
use crate::{Context, Options};

const EDITS: usize = 500;
/// So many edits are seen at once.
const STEP: usize = 4;

const ENDINGS: [&str; 6] = ["rs", "py", "md", "ts", "toml", "txt"];

fn context<'a>(tree: &Tree, threads: &str) -> Context<'a> {
    Context {
        options: Options {
            workspace: Some(tree.root().to_owned()),
            set: vec![("indexing.threads".to_owned(), threads.to_owned())],
            ..Options::default()
        },
        cwd: tree.root().to_owned(),
        progress: &Silent,
        cancel: Cancel::default(),
    }
}

/// A definition or a paragraph, by the ending of the file.
fn piece(path: &str, n: u64) -> String {
    match path.rsplit('.').next() {
        Some("rs") => format!(
            "/// Weighs {n}.\npub fn weigh_{n}(x: u32) -> u32 {{\n    call_{}(x)\n}}\n\n",
            n % 7
        ),
        Some("py") => format!(
            "class Depot{n}:\n    \"\"\"Number {n}.\"\"\"\n\n    def weigh(self):\n        return {n}\n\n"
        ),
        Some("ts") => format!("export interface Parcel{n} {{\n  mass: number;\n}}\n\n"),
        Some("toml") => format!("[part_{n}]\nmass = {n}\n\n"),
        _ => format!("## Parcel {n}\n\nIt weighs {n} and is sent to depot {}.\n\n", n % 5),
    }
}

/// One change as people and tools make them.
fn edit(tree: &Tree, rng: &mut Rng) {
    let files: Vec<String> =
        tree.list().into_iter().filter(|file| !file.starts_with('.')).collect();
    let n = rng.below(1000);
    let new = format!("part_{}/file_{n}.{}", n % 6, rng.pick(&ENDINGS));
    if files.len() < 8 {
        return tree.write(&new, piece(&new, n));
    }
    let file = rng.pick(&files).as_str();
    match rng.below(8) {
        0 => tree.write(&new, piece(&new, n).repeat(rng.within(1..5))),
        1 => tree.remove(file),
        2 if !tree.exists(&new) => tree.rename(file, &new),
        3 => {
            let other = rng.pick(&files).as_str();
            tree.write(file, tree.read_bytes(other));
        },
        // The same bytes at another time.
        4 => tree.write(file, tree.read_bytes(file)),
        5 => {
            let text = tree.read(file);
            let cut = text.char_indices().nth(rng.within(0..text.chars().count().max(1)));
            tree.write(file, &text[..cut.map_or(0, |(at, _)| at)]);
        },
        6 => tree.write(file, format!("{}{}", piece(file, n), tree.read(file))),
        _ => tree.append(file, piece(file, n)),
    }
}

/// Every row of the index, without row ids and times.
fn rows(ctx: &Context<'_>) -> Vec<String> {
    let ws = ctx.open().unwrap();
    let store = ws.store(Access::ReadOnly).unwrap();
    let snapshot = store.snapshot().unwrap();
    let mut rows = Vec::new();
    for file in snapshot.files().unwrap() {
        let (key, base, language) = (&file.key, &file.base, &file.language);
        rows.push(format!(
            "{key} {base} {language} {:?} {:?} {:?}",
            file.sha256, file.stage, file.state
        ));
        for mut chunk in snapshot.chunks_of(file.id).unwrap() {
            (chunk.id, chunk.file) = (ChunkNo(0), FileNo(0));
            rows.push(format!("{chunk:?}"));
        }
        for mut symbol in snapshot.symbols_of(file.id).unwrap() {
            symbol.file = FileNo(0);
            rows.push(format!("{symbol:?}"));
        }
        rows.push(format!("{:?}", snapshot.facts_of(file.id).unwrap()));
    }
    rows
}

fn indexed(ctx: &Context<'_>) {
    index::index(&ctx.open().unwrap(), &[], None, None, None).unwrap();
}

#[test]
fn five_hundred_edits_give_the_rows_of_a_fresh_index() {
    let tree = Tree::empty();
    let mut rng = Rng::new(0x0ed1_7500);
    for _ in 0..40 {
        edit(&tree, &mut rng);
    }
    let ctx = context(&tree, "3");
    indexed(&ctx);
    for turn in 0..EDITS / STEP {
        for _ in 0..STEP {
            edit(&tree, &mut rng);
        }
        refresh(&ctx.open().unwrap()).unwrap();
        if turn % 25 == 0 {
            indexed(&ctx);
        }
    }
    indexed(&ctx);
    assert_eq!(ctx.open().unwrap().store(Access::ReadOnly).unwrap().verify().unwrap(), [""; 0]);

    let fresh = Tree::empty();
    for file in tree.list().iter().filter(|file| !file.starts_with('.')) {
        fresh.write(file, tree.read_bytes(file));
    }
    let fresh = context(&fresh, "1");
    indexed(&fresh);
    let (edited, fresh) = (rows(&ctx), rows(&fresh));
    assert!(edited.len() > 100, "{} rows", edited.len());
    assert_eq!(edited, fresh);
}

#[test]
fn a_file_too_young_to_be_trusted_is_read_again_and_noted_only_if_it_changed() {
    let tree = Tree::new("//- a.rs\nfn a() {}\n//- b.rs\nfn b() {}\n");
    let soon = SystemTime::now() + Duration::from_secs(3600);
    let write = |text: &str| {
        tree.write("a.rs", text);
        std::fs::File::open(tree.path("a.rs")).unwrap().set_modified(soon).unwrap();
    };
    write("fn a() {}\n");
    let ctx = context(&tree, "2");
    indexed(&ctx);
    let identity = || {
        let ws = ctx.open().unwrap();
        refresh(&ws).unwrap();
        let store = ws.store(Access::ReadOnly).unwrap();
        store.snapshot().unwrap().identity().unwrap()
    };
    let before = identity();
    assert_eq!(identity(), before);
    write("fn z() {}\n");
    assert_ne!(identity(), before);
    assert!(rows(&ctx).iter().any(|row| row.contains("name: \"z\"")));
}
