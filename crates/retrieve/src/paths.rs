//! How much of a question does the place of a file speak of? `config.py` is about configuration.
//!
//! The name of the file counts whole, the folder it is in less. A file that stands for its folder (`mod.rs`,
//! `index.ts`, `__init__.py`) has the folder's name.

use gik_index::{FileNo, Likeness, analyze};
use gik_store::FileRow;

use crate::names::Names;
use crate::signals::FOLDER;

/// Files that stand for the folder they are in.
const FOLDER_STEMS: &[&str] = &["mod", "index", "__init__"];

/// The files whose place speaks of the words, each with the share of them, up to one. Names of these very files tell faster
/// which of them may.
pub(crate) fn shares(
    words: &[String],
    files: &[FileRow],
    names: Option<&Names>,
) -> Vec<(FileNo, f64)> {
    let words: Vec<Likeness> = words.iter().map(|word| Likeness::new(word)).collect();
    let beginnings = Beginnings::of(&words);
    let share = |file: &FileRow| (file.id, share(&words, place(file.key.as_str())));
    let speaks = |(_, share): &(FileNo, f64)| *share > 0.0;
    match names {
        Some(names) => {
            let named = names.with(&beginnings).into_iter();
            named.filter_map(|at| files.get(at as usize)).map(share).filter(speaks).collect()
        },
        None => {
            let named = files.iter().filter(|file| beginnings.may_be_in(file.key.as_str()));
            named.map(share).filter(speaks).collect()
        },
    }
}

/// The last folder and the name: what counts of a path.
fn place(path: &str) -> &str {
    let Some(last) = path.rfind('/') else { return path };
    path[..last].rfind('/').map_or(path, |at| &path[at + 1..])
}

fn share(words: &[Likeness], place: &str) -> f64 {
    let (folder, name) = place.rsplit_once('/').unwrap_or(("", place));
    let stem = name.trim_start_matches('.').split('.').next().unwrap_or_default();
    let stem = if FOLDER_STEMS.contains(&stem) && !folder.is_empty() { folder } else { stem };
    let mut worth = vec![0.0; words.len()];
    for (text, value) in [(folder, FOLDER), (stem, 1.0)] {
        analyze(text, &mut |term, _| {
            let alike = words.iter().zip(&mut worth).filter(|(word, _)| word.takes(term));
            alike.for_each(|(_, worth)| *worth = value);
        });
    }
    worth.iter().sum::<f64>() / worth.len().max(1) as f64
}

/// The first letters of everything that may be like one of the words: tells most files apart without a closer look.
pub(crate) struct Beginnings([u64; N_KEYS / 64]);

impl Beginnings {
    fn of(words: &[Likeness]) -> Self {
        let mut set = Self([0; N_KEYS / 64]);
        for beginning in words.iter().flat_map(Likeness::beginnings) {
            let bytes = beginning.as_bytes();
            let at = |at: usize| bytes.get(at).copied().unwrap_or_default();
            // Where a part ends cannot always be seen from its third letter.
            for key in [key(at(0), at(1), at(2)), key(at(0), at(1), 0)] {
                set.0[key / 64] |= 1 << (key % 64);
            }
        }
        set
    }

    fn has(&self, key: usize) -> bool {
        self.0[key / 64] & (1 << (key % 64)) != 0
    }

    /// All of them, as keys.
    pub(crate) fn keys(&self) -> impl Iterator<Item = usize> {
        let words = self.0.iter().enumerate().filter(|(_, word)| **word != 0);
        words.flat_map(|(at, _)| at * 64..(at + 1) * 64).filter(|key| self.has(*key))
    }

    fn may_be_in(&self, path: &str) -> bool {
        any_beginning(path, |key| self.has(key))
    }
}

/// Keys of beginnings are smaller.
pub(crate) const N_KEYS: usize = 1 << 15;

/// Whether the place of a path has a word whose beginning is taken, by its key. One that is not ASCII needs a closer look,
/// and counts as if it had one.
#[inline]
pub(crate) fn any_beginning(path: &str, mut takes: impl FnMut(usize) -> bool) -> bool {
    // From the end, as that is where the place is: the letter at hand, which may begin a word if the one before it allows
    // it, and the two behind it.
    let (mut first, mut second, mut third) = (0, 0, 0u8);
    let mut class = NONE;
    let mut n_folders = 0;
    let mut begins = |first: u8, second: u8, third: u8| {
        takes(key(first, second, if third.is_ascii_lowercase() { third } else { 0 }))
    };
    for byte in path.bytes().rev() {
        let before = CLASSES[usize::from(byte)];
        if STARTS[usize::from(class)] & (1 << before) != 0 && begins(first, second, third) {
            return true;
        }
        if before >= SLASH {
            n_folders += 1;
            if before == OTHER || n_folders == 2 {
                return before == OTHER;
            }
        }
        (first, second, third) = (byte, first, second);
        class = before;
    }
    STARTS[usize::from(class)] & (1 << SLASH) != 0 && begins(first, second, third)
}

const NONE: u8 = 0;
const DIGIT: u8 = 1;
const LETTER: u8 = 2;
const CAPITAL: u8 = 3;
const SLASH: u8 = 4;
const OTHER: u8 = 5;
/// What each byte is. All files are looked at for every question, so this is a table.
const CLASSES: [u8; 256] = {
    let mut classes = [OTHER; 256];
    let mut byte = 0u8;
    while byte < 128 {
        classes[byte as usize] = match byte {
            b'0'..=b'9' => DIGIT,
            b'a'..=b'z' => LETTER,
            b'A'..=b'Z' => CAPITAL,
            b'/' => SLASH,
            _ => NONE,
        };
        byte += 1;
    }
    classes
};
/// Behind what each kind of byte may begin a word, as bits. Every capital may: where acronyms end is the analyzer's to know.
const STARTS: [u8; 6] = {
    let behind = 1 << NONE | 1 << DIGIT | 1 << SLASH | 1 << OTHER;
    let mut starts = [0; 6];
    starts[DIGIT as usize] = behind;
    starts[LETTER as usize] = behind;
    starts[CAPITAL as usize] = u8::MAX;
    starts
};

/// Of three letters, whatever their case.
fn key(first: u8, second: u8, third: u8) -> usize {
    [first, second, third].iter().fold(0, |key, byte| key << 5 | usize::from(byte & 31))
}

#[cfg(test)]
mod tests {
    use gik_base::hash::Digest;
    use gik_base::{FileKey, FileStat};
    use gik_store::{FileOrigin, FileState, Stage};
    use gik_testkit::Rng;

    use super::*;

    fn of(words: &[&str], path: &str) -> f64 {
        let words: Vec<Likeness> = words.iter().map(|word| Likeness::new(word)).collect();
        let place = place(path);
        let share = share(&words, place);
        assert!(share == 0.0 || Beginnings::of(&words).may_be_in(path), "{path}");
        share
    }

    #[test]
    fn names_that_are_known_tell_the_same() {
        let mut rng = Rng::new(3);
        let parts = [
            "read", "Reader", "HTTP", "config", "cfg", "größe", "x86", "_", "-", ".", "2", "init",
            "mod", "A", "src", "é",
        ];
        let mut name = || -> String {
            let n = rng.within(1..5);
            (0..n).map(|_| *rng.pick(&parts)).collect()
        };
        let files: Vec<FileRow> = (0..400)
            .map(|number| file(number, &format!("{}/{}/{}.rs", name(), name(), name())))
            .chain([file(400, ""), file(401, "read"), file(402, "/")])
            .collect();
        let names = Names::of(&files);
        for words in [&["reader", "http"][..], &["größe"], &["configuration"], &["one"], &[]] {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!(shares(&words, &files, Some(&names)), shares(&words, &files, None));
        }
        assert!(names.are_of(&files) && !names.are_of(&files[1..]));
    }

    fn file(number: u32, path: &str) -> FileRow {
        FileRow {
            id: FileNo(number),
            key: FileKey::from_text(path),
            base: "code".into(),
            language: "".into(),
            stat: FileStat::default(),
            sha256: Digest::default(),
            n_chunks: 0,
            n_symbols: 0,
            origin: FileOrigin::File,
            stage: Stage::Structure,
            state: FileState::Indexed,
        }
    }

    #[test]
    fn the_name_of_a_file_counts_more_than_its_folder() {
        for (words, path, expected) in [
            (&["session", "management"][..], "src/flask/sessions.py", 0.5),
            (&["template", "rendering"], "src/templating.py", 0.5),
            (&["configuration"], "src/parseCFG.rs", 1.0),
            (&["configuration"], "a/b/HTTPConfig.java", 1.0),
            (&["database"], "DBPool.go", 1.0),
            (&["routing"], "src/routing/table.rs", FOLDER),
            (&["routing"], "routing/src/table.rs", 0.0),
            (&["extract"], "src/extract/mod.rs", 1.0),
            (&["mod"], "mod.rs", 1.0),
            (&["größe"], "src/größe.rs", 1.0),
            (&["init"], "src/.initrc", 1.0),
            (&["one"], "", 0.0),
            (&[], "src/a.rs", 0.0),
        ] {
            assert!(
                (of(words, path) - expected).abs() < 1e-12,
                "{words:?} {path}: {}",
                of(words, path)
            );
        }
    }
}
