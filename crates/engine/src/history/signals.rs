//! What the history says of the files of candidates: which changed lately, and which change with the best ones.

use std::collections::BTreeMap;

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
}

/// How often two files change together, of how often they change: 1 where always, 0 where never or by chance.
fn together(one: &[u32], other: &[u32]) -> f64 {
    let (mut a, mut b, mut both) = (0, 0, 0usize);
    while let (Some(left), Some(right)) = (one.get(a), other.get(b)) {
        both += usize::from(left == right);
        (a, b) = (a + usize::from(left <= right), b + usize::from(right <= left));
    }
    if both < LEAST_TOGETHER {
        return 0.0;
    }
    both as f64 / ((one.len() * other.len()) as f64).sqrt()
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
