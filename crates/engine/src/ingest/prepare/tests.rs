//! Files of every language: which of them are plain, and that these are found by all their letters.

use std::collections::BTreeSet;

use gik_base::mmap::Bytes;
use gik_index::{DocNo, Needs, Segment, SegmentWriter, Tombstones};
use gik_testkit::Rng;

use super::*;

fn prepared(path: &str, bytes: Vec<u8>, modes: Modes) -> PreparedFile {
    let taste = Taste { generated: true, minified: true, modes, root: None };
    let key = FileKey::from_text(path);
    let stat = FileStat { size: bytes.len() as u64, mtime_ns: 0, inode: 0 };
    let (origin, sha256) = (FileOrigin::File, hash::sha256(&bytes));
    let arrival = Arrival { key: &key, base: None, stat, origin, language: None };
    prepare_bytes(&arrival, bytes, sha256, Depth::Structure, taste, None)
}

/// The words of a file, and so many empty documents of another one that none of them is common.
fn segment_of(file: &PreparedFile) -> Segment {
    let mut writer = SegmentWriter::new();
    file.pieces.iter().for_each(|piece| writer.add(&piece.words));
    let (chunk, file) = (ChunkNo(0), FileNo(1));
    let empty = Document { chunk, file, labels: modes::PLAIN, tie: 0, fields: [""; Field::COUNT] };
    (0..1000).for_each(|_| writer.add(&empty.analyze()));
    Segment::open(Bytes::Owned(writer.finish(1))).unwrap()
}

fn is_plain(segment: &Segment) -> bool {
    let first = segment.doc(DocNo(0));
    first.file == FileNo(0) && first.labels & modes::PLAIN != 0
}

/// Fixtures of every language, and what is left of them when something is cut out in the middle.
fn texts(rng: &mut Rng) -> Vec<(String, String)> {
    let languages = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("parse/languages");
    let mut texts = Vec::new();
    for language in fs::list_dir(&languages).unwrap() {
        for path in fs::list_dir(&language.join("fixtures")).unwrap_or_default() {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let Ok(text) = String::from_utf8(fs::read(&path).unwrap()) else { continue };
            if name.ends_with(".golden") || text.len() > 50_000 {
                continue;
            }
            let mut cut = text.clone();
            let start = cut.floor_char_boundary(rng.within(0..text.len().max(1)));
            let end = cut.floor_char_boundary((start + rng.within(0..40)).min(text.len()));
            cut.replace_range(start..end.max(start), "");
            texts.extend([(name.clone(), text), (name, cut)]);
        }
    }
    texts
}

#[test]
fn a_plain_file_is_found_by_every_stretch_of_letters_in_it() {
    let (mut n_plain, mut n_files, mut n_words) = (0, 0, 0);
    let nobody = Tombstones::default();
    for (name, text) in texts(&mut Rng::new(11)) {
        let file = prepared(&name, text.clone().into_bytes(), Modes::ALL);
        let segment = segment_of(&file);
        n_files += usize::from(!file.pieces.is_empty());
        if !is_plain(&segment) {
            continue;
        }
        n_plain += 1;
        let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let words = text.split(|c| !is_letter(c)).filter(|word| word.len() > 2);
        for word in words.collect::<BTreeSet<&str>>() {
            let inner = &word[usize::from(word.len() > 4)..];
            if let Some(files) = Needs::of_pattern(inner).files([(&segment, &nobody)], modes::PLAIN)
            {
                n_words += 1;
                assert!(files.contains(FileNo(0)) && !files.contains(FileNo(1)), "{name}: {word}");
            }
        }
    }
    assert!(n_plain * 10 > n_files * 8, "{n_plain} of {n_files} files are plain");
    assert!(n_words > 10_000, "{n_words}");
}

#[test]
fn a_file_that_is_searched_in_part_is_not_plain() {
    let text = "// what it does\nfn lock() {}\n".repeat(3);
    let plain = |path: &str, text: &str, modes: Modes| {
        is_plain(&segment_of(&prepared(path, text.as_bytes().to_vec(), modes)))
    };
    assert!(plain("a.rs", &text, Modes::ALL));
    assert!(!plain("a.rs", &text, Modes::of_names(["code"].into_iter())));
    assert!(!plain("a.rs", &format!("{text}// {}\n", "word".repeat(40)), Modes::ALL));
    let notebook = r##"{"cells": [{"cell_type": "code", "metadata": {}, "source": ["lock()"]}], "nbformat": 4}"##;
    assert!(!plain("a.ipynb", notebook, Modes::ALL));
}
