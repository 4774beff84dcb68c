//! Which files have words in their places that begin like this? Kept for questions about the same files: looking at the
//! name of every file takes longer the more there are.

use gik_store::FileRow;

use crate::paths::{Beginnings, N_KEYS, any_beginning};

/// The places of files in their list, by the beginnings of the words of their names.
#[derive(Debug)]
pub struct Names {
    n_files: usize,
    /// Where the files of each beginning end in `files`.
    ends: Vec<u32>,
    files: Vec<u32>,
    /// Those that need a closer look for any word.
    others: Vec<u32>,
}

impl Names {
    /// Takes in the names of all files.
    pub fn of(files: &[FileRow]) -> Self {
        let (mut entries, mut others) = (Vec::new(), Vec::new());
        for (at, file) in (0u32..).zip(files) {
            let is_other = any_beginning(file.key.as_str(), |key| {
                entries.push((key, at));
                false
            });
            if is_other {
                others.push(at);
            }
        }
        entries.sort_unstable();
        entries.dedup();
        let mut ends = vec![0; N_KEYS];
        for (key, _) in &entries {
            ends[*key] += 1;
        }
        let mut end = 0;
        for count in &mut ends {
            end += *count;
            *count = end;
        }
        let entries = entries.into_iter().map(|(_, at)| at).collect();
        Self { n_files: files.len(), ends, files: entries, others }
    }

    /// Whether these are the names of as many files.
    pub(crate) fn are_of(&self, files: &[FileRow]) -> bool {
        self.n_files == files.len()
    }

    /// The files that may have one of the beginnings, in the order of the list.
    pub(crate) fn with(&self, beginnings: &Beginnings) -> Vec<u32> {
        let mut found = self.others.clone();
        for key in beginnings.keys() {
            let start = key.checked_sub(1).map_or(0, |before| self.ends[before]);
            found.extend(&self.files[start as usize..self.ends[key] as usize]);
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
