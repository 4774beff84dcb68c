//! Which files have the letters that a pattern needs?

use crate::bit_set::BitSet;
use crate::document::FileNo;
use crate::segment::{DocNo, Segment};
use crate::tombstones::Tombstones;

use super::Needs;

/// Letters that are in words of more documents than one in so many tell too little for what it costs to read them.
const COMMON_PART: u64 = 2;

/// Files by their numbers.
#[derive(Debug, Clone, Default)]
pub struct FileSet(BitSet);

impl FileSet {
    /// Whether a file is one of them.
    #[inline]
    pub fn contains(&self, file: FileNo) -> bool {
        self.0.contains(file.0)
    }

    fn insert(&mut self, file: FileNo) {
        self.0.insert(file.0);
    }

    fn keep_those_in(&mut self, other: &Self) {
        self.0.keep_those_in(&other.0);
    }

    fn add_those_in(&mut self, other: &Self) {
        self.0.add_those_in(&other.0);
    }
}

impl FromIterator<FileNo> for FileSet {
    fn from_iter<I: IntoIterator<Item = FileNo>>(files: I) -> Self {
        Self(files.into_iter().map(|file| file.0).collect())
    }
}

impl Needs {
    /// The files that may have what is needed; `None` where all may. Only files whose documents have the label `plain`
    /// are told from their words.
    pub fn files<'s>(
        &self,
        parts: impl IntoIterator<Item = (&'s Segment, &'s Tombstones)>,
        plain: u32,
    ) -> Option<FileSet> {
        let mut all_letters = Vec::new();
        self.collect(&mut all_letters);
        all_letters.sort_unstable();
        all_letters.dedup();
        if all_letters.is_empty() {
            return None;
        }
        let parts: Vec<(&Segment, &Tombstones)> = parts.into_iter().collect();
        let having: Vec<(&str, Option<FileSet>)> =
            all_letters.iter().copied().zip(files_with(&parts, &all_letters)).collect();
        let mut files = self.files_among(&having)?;
        for (segment, tombstones) in &parts {
            let docs = (0..segment.n_docs()).map(DocNo).filter(|doc| !tombstones.contains(*doc));
            for entry in docs.map(|doc| segment.doc(doc)).filter(|doc| doc.labels & plain == 0) {
                files.insert(entry.file);
            }
        }
        Some(files)
    }

    fn collect<'n>(&'n self, all: &mut Vec<&'n str>) {
        match self {
            Self::Nothing => {},
            Self::Letters(letters) => all.push(letters),
            Self::All(needs) | Self::Any(needs) => needs.iter().for_each(|one| one.collect(all)),
        }
    }

    fn files_among(&self, having: &[(&str, Option<FileSet>)]) -> Option<FileSet> {
        match self {
            Self::Nothing => None,
            Self::Letters(letters) => {
                let at = having.binary_search_by_key(&letters.as_str(), |(known, _)| known).ok()?;
                having[at].1.clone()
            },
            Self::All(needs) => needs.iter().filter_map(|one| one.files_among(having)).reduce(
                |mut files, others| {
                    files.keep_those_in(&others);
                    files
                },
            ),
            Self::Any(needs) => needs.iter().try_fold(FileSet::default(), |mut files, one| {
                files.add_those_in(&one.files_among(having)?);
                Some(files)
            }),
        }
    }
}

/// For each of some letters the files with a word that holds them; `None` where these are too many.
fn files_with(parts: &[(&Segment, &Tombstones)], all_letters: &[&str]) -> Vec<Option<FileSet>> {
    let n_docs: u64 = parts.iter().map(|(segment, _)| u64::from(segment.n_docs())).sum();
    let most = n_docs / COMMON_PART;
    let mut words = vec![(Vec::new(), 0u64); all_letters.len()];
    for (part, (segment, _)) in parts.iter().enumerate() {
        let mut terms = segment.terms();
        while let Some(info) = terms.next() {
            for (letters, (words, n_found)) in all_letters.iter().zip(&mut words) {
                if *n_found <= most && holds(terms.term(), letters.as_bytes()) {
                    *n_found += u64::from(info.df);
                    words.push((part, info.clone()));
                }
            }
        }
    }
    let files_of = |(words, n_found): (Vec<(usize, _)>, u64)| {
        (n_found <= most).then(|| {
            let mut files = FileSet::default();
            for (part, info) in words {
                let (segment, tombstones) = parts[part];
                segment.list(&info).for_each(|doc, _| {
                    if !tombstones.contains(DocNo(doc)) {
                        files.insert(segment.doc(DocNo(doc)).file);
                    }
                });
            }
            files
        })
    };
    words.into_iter().map(files_of).collect()
}

fn holds(term: &[u8], letters: &[u8]) -> bool {
    term.windows(letters.len()).any(|window| window == letters)
}
