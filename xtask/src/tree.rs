//! Generated source trees for benchmarks: the same count gives the same bytes on every machine.
//!
//! The text is made up but shaped like a real project: Rust, Markdown, Python and JavaScript files of 1 to 8 KB in
//! nested folders, names put together from common words, a few of them used everywhere and most of them rarely.

mod render;

use std::fs;
use std::path::Path;

use gik_testkit::Rng;

use crate::stop::{Result, Stop};

const SEED: u64 = 0x0067_696b;
/// Distinct names in the tree; real projects of this size have about as many.
const NAMES: usize = 16_384;
const SIZES: std::ops::Range<usize> = 1_024..8_192;

/// What a generated tree holds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Extent {
    pub(crate) files: usize,
    pub(crate) bytes: u64,
}

/// Writes a tree of so many files below a folder.
pub(crate) fn generate(root: &Path, files: usize) -> Result<Extent> {
    let mut rng = Rng::new(SEED);
    let vocabulary = Vocabulary::new(&mut rng);
    let mut bytes = 0;
    let mut folder = String::new();
    let mut left_in_folder = 0;
    for number in 0..files {
        if left_in_folder == 0 {
            folder = folder_name(&mut rng, &vocabulary, number);
            let path = root.join(&folder);
            fs::create_dir_all(&path).map_err(|error| Stop::on_path("create", &path, error))?;
            left_in_folder = rng.within(4..40);
        }
        left_in_folder -= 1;
        let language = Language::draw(&mut rng);
        let size = rng.within(SIZES);
        let text = render::file(language, size, &mut rng, &vocabulary);
        let stem = vocabulary.name(&mut rng).join("_");
        let path = root.join(format!("{folder}/{stem}_{number}.{}", language.ending()));
        fs::write(&path, &text).map_err(|error| Stop::on_path("write", &path, error))?;
        bytes += text.len() as u64;
    }
    Ok(Extent { files, bytes })
}

fn folder_name(rng: &mut Rng, vocabulary: &Vocabulary, number: usize) -> String {
    let depth = rng.within(1..5);
    let parts: Vec<&str> = (0..depth).map(|_| vocabulary.word(rng)).collect();
    format!("{}/{number}", parts.join("/"))
}

/// The languages of a tree and how often each turns up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    Rust,
    Markdown,
    Python,
    JavaScript,
}

impl Language {
    fn draw(rng: &mut Rng) -> Self {
        match rng.below(100) {
            0..55 => Self::Rust,
            55..75 => Self::Markdown,
            75..88 => Self::Python,
            _ => Self::JavaScript,
        }
    }

    fn ending(self) -> &'static str {
        match self {
            Self::Rust => "rs",
            Self::Markdown => "md",
            Self::Python => "py",
            Self::JavaScript => "js",
        }
    }
}

/// Names of one to three words, the first ones of the list far more common than the last ones.
#[derive(Debug)]
pub(crate) struct Vocabulary(Vec<Vec<&'static str>>);

impl Vocabulary {
    fn new(rng: &mut Rng) -> Self {
        let words: Vec<&'static str> = WORDS.split_whitespace().collect();
        let names = (0..NAMES)
            .map(|_| (0..rng.within(1..4)).map(|_| *rng.pick(&words)).collect())
            .collect();
        Self(names)
    }

    /// The words of a name.
    pub(crate) fn name(&self, rng: &mut Rng) -> &[&'static str] {
        &self.0[rng.zipf(self.0.len())]
    }

    /// One word.
    pub(crate) fn word(&self, rng: &mut Rng) -> &'static str {
        self.name(rng)[0]
    }
}

/// No keyword of any of the languages is among them: the files must parse.
const WORDS: &str = "
    account action adapter agent alias anchor answer archive array asset atom attribute audit author
    backup balance batch binary block body branch bridge broker buffer builder bundle byte cache call cancel
    capture chain change channel check child chunk client clock cluster code collect color column command
    commit compare compile config connect consumer content context copy core count crash create credit cursor
    data date decode delta depth detail device diff digest disk dispatch document domain draft
    driver edge edit element email empty encode engine entry error event example execute expand factory
    field file filter flag flush folder format frame future gate graph group guard handle hash header health
    hint history hook host image index info input insert item iterate job journal key kind label language
    layer layout lease length level limit line link list load local lock log map mark memory merge
    message meta method metric mirror mode model module monitor mount name network node note notify number
    object offset open option order origin output owner pack page panel parent parse part patch path pattern
    payload peer permission pipe plan pointer policy pool port prefix price print process profile project proof
    protocol proxy publish query queue quota range rank rate read record recover reference refresh region
    register release remote remove render repair replay report request reserve reset resolve resource response
    restore result retry review revision role root route row rule sample scan schedule schema scope score search
    secret section segment select sequence server service session setting shape shard share signal size slice
    snapshot socket sort source span split stack stage start state status step storage store stream string
    summary symbol sync system table tag target task template tenant text theme thread ticket tile time
    token tool topic total trace track transfer tree trigger trust union unit update upload user value
    vector verify version view visit volume wait walk watch weight widget window word worker write zone";

#[cfg(test)]
mod tests {
    use gik_testkit::Tree;

    use super::*;

    #[test]
    fn the_same_count_gives_the_same_tree() {
        let (one, two) = (Tree::empty(), Tree::empty());
        let extent = generate(one.root(), 200).unwrap();
        generate(two.root(), 200).unwrap();
        assert_eq!(one.list().len(), 200);
        assert_eq!(one.list(), two.list());
        let total: usize = one.list().iter().map(|path| one.read_bytes(path).len()).sum();
        assert_eq!(extent.bytes, total as u64);
        assert!(one.list().iter().all(|path| one.read(path) == two.read(path)));
    }

    #[test]
    fn sizes_and_languages_are_spread() {
        let tree = Tree::empty();
        generate(tree.root(), 300).unwrap();
        for ending in [".rs", ".md", ".py", ".js"] {
            assert!(tree.list().iter().filter(|path| path.ends_with(ending)).count() > 10);
        }
        let sizes: Vec<usize> = tree.list().iter().map(|path| tree.read(path).len()).collect();
        assert!(sizes.iter().all(|size| (1_000..9_000).contains(size)), "{sizes:?}");
    }
}
