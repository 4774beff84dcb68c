//! What the history says of the files of candidates: which changed lately, and which change with the best ones.

use std::collections::{BTreeMap, BTreeSet};

use gik_retrieve::{Candidates, FilePast};

use super::Past;

/// Half as recent after so many seconds.
const HALF_LIFE: f64 = 30.0 * 86_400.0;
/// So many of the best files are those that others change with.
const BEST_FILES: usize = 3;
/// Files that changed together less often did so by chance.
const LEAST_TOGETHER: usize = 2;

impl Past {
    /// Tells the candidates what is known of their files.
    pub(crate) fn weigh(&self, candidates: &mut Candidates) {
        let Some(newest) = self.kept.committed(0) else { return };
        let mut commits: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        let mut best: Vec<String> = Vec::new();
        for found in candidates.found() {
            let key = found.file.key.as_str();
            if !commits.contains_key(key) {
                commits.insert(key.to_owned(), self.kept.commits_of(key));
                if best.len() < BEST_FILES {
                    best.push(key.to_owned());
                }
            }
        }
        let past_of = |key: &str| {
            let own = commits.get(key).filter(|own| !own.is_empty())?;
            let last = self.kept.committed(*own.first()? as usize)?;
            let age = newest.saturating_sub(last).max(0) as f64;
            let others =
                best.iter().filter(|other| *other != key).filter_map(|other| commits.get(other));
            let together = others.map(|other| together(own, other)).fold(0.0, f64::max);
            Some(FilePast { recent: libm::exp2(-age / HALF_LIFE), together })
        };
        let pasts: BTreeMap<&str, FilePast> =
            commits.keys().filter_map(|key| Some((key.as_str(), past_of(key)?))).collect();
        candidates.remember(&|file| pasts.get(file.key.as_str()).copied());
    }

    /// The files that change with a file, and how often of the changes of either, in percent.
    pub(crate) fn changing_with(&self, key: &str) -> Vec<(String, u8)> {
        let own = self.kept.commits_of(key);
        let commits = own.iter().filter_map(|number| self.kept.commit(*number as usize));
        let mut others: BTreeSet<String> = commits.flat_map(|commit| commit.files).collect();
        others.remove(key);
        let in_percent = |other: String| {
            let theirs = self.kept.commits_of(&other);
            let both = common(&own, &theirs)?;
            let percent = (both * both * 10_000 / (own.len() * theirs.len())).isqrt();
            Some((other, u8::try_from(percent).ok()?.max(1)))
        };
        others.into_iter().filter_map(in_percent).collect()
    }
}

/// How often two files change together, of how often they change: 1 where always, 0 where never or by chance.
fn together(one: &[u32], other: &[u32]) -> f64 {
    let both = common(one, other).unwrap_or(0);
    both as f64 / ((one.len() * other.len()).max(1) as f64).sqrt()
}

/// How many commits are of both; none where that may be chance.
fn common(one: &[u32], other: &[u32]) -> Option<usize> {
    let (mut a, mut b, mut both) = (0, 0, 0);
    while let (Some(left), Some(right)) = (one.get(a), other.get(b)) {
        both += usize::from(left == right);
        (a, b) = (a + usize::from(left <= right), b + usize::from(right <= left));
    }
    (both >= LEAST_TOGETHER).then_some(both)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_change_together_as_often_as_their_commits_are_the_same() {
        assert!((together(&[1, 2, 3], &[1, 2, 3]) - 1.0).abs() < 1e-12);
        assert!((together(&[1, 2, 3, 4], &[2, 4, 6, 8]) - 0.5).abs() < 1e-12);
        assert!(together(&[1, 2], &[2, 3]).abs() < 1e-12);
        assert!(together(&[], &[]).abs() < 1e-12);
    }
}
