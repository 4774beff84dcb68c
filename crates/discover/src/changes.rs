//! What changed between an earlier walk and this one? A pure comparison of two sorted lists; it reads no file.

use std::cmp::Ordering;

use gik_base::FileStat;

use crate::walk::Found;

/// What was known of a file when it was last looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known<'a> {
    /// The text of its key.
    pub key: &'a str,
    /// What the system said of it.
    pub stat: FileStat,
}

/// The difference. Suspects may turn out unchanged once their content is hashed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// How many files are certainly as they were.
    pub fresh: usize,
    /// Indexes into the found files whose stat differs, or that may have been written in the moment of the last look.
    pub suspect: Vec<usize>,
    /// Indexes into the found files that were not known.
    pub added: Vec<usize>,
    /// Indexes into the known files that are not there any more.
    pub gone: Vec<usize>,
}

impl Changes {
    /// Whether there is nothing to look into.
    pub fn is_empty(&self) -> bool {
        self.suspect.is_empty() && self.added.is_empty() && self.gone.is_empty()
    }
}

/// Two writes closer together than this may leave the same time on a file.
const CLOCK_GRAIN_NS: i64 = 10_000_000;
/// The same for file systems that keep whole or even seconds only.
const COARSE_CLOCK_GRAIN_NS: i64 = 2_000_000_000;

/// Compares what was known with what was found; both are sorted by key.
///
/// `looked_at_ns` is when the known stats were taken. A file written in the same clock tick could have been written
/// again after that without its stat telling, so a file that was not clearly older counts as suspect, as in git.
pub fn compare(known: &[Known<'_>], found: &[Found], looked_at_ns: i64) -> Changes {
    let mut changes = Changes::default();
    let (mut old, mut new) = (0, 0);
    while old < known.len() && new < found.len() {
        match known[old].key.cmp(found[new].key.as_str()) {
            Ordering::Less => {
                changes.gone.push(old);
                old += 1;
            },
            Ordering::Greater => {
                changes.added.push(new);
                new += 1;
            },
            Ordering::Equal => {
                let stat = found[new].stat;
                if known[old].stat == stat && !is_racy(stat.mtime_ns, looked_at_ns) {
                    changes.fresh += 1;
                } else {
                    changes.suspect.push(new);
                }
                old += 1;
                new += 1;
            },
        }
    }
    changes.gone.extend(old..known.len());
    changes.added.extend(new..found.len());
    changes
}

/// Whether something written at that time could have been written again after a look without its time telling.
pub fn is_racy(mtime_ns: i64, looked_at_ns: i64) -> bool {
    let grain = if mtime_ns % 1_000_000_000 == 0 { COARSE_CLOCK_GRAIN_NS } else { CLOCK_GRAIN_NS };
    mtime_ns > looked_at_ns.saturating_sub(grain)
}

#[cfg(test)]
mod tests {
    use gik_base::FileKey;

    use super::*;

    const LOOKED_AT: i64 = 1_700_000_000_500_000_000;
    const LONG_AGO: i64 = 1_600_000_000_123_456_789;

    fn stat(size: u64, mtime_ns: i64) -> FileStat {
        FileStat { size, mtime_ns, inode: 1 }
    }

    fn found(key: &str, stat: FileStat) -> Found {
        Found { key: FileKey::from_text(key), stat }
    }

    fn suspects(mtime_ns: i64) -> usize {
        let stat = stat(1, mtime_ns);
        compare(&[Known { key: "a", stat }], &[found("a", stat)], LOOKED_AT).suspect.len()
    }

    #[test]
    fn every_file_is_fresh_suspect_added_or_gone() {
        let old = stat(1, LONG_AGO);
        let known = ["a", "b", "d", "e"].map(|key| Known { key, stat: old });
        let now = [
            found("a", old),
            found("b", stat(2, LONG_AGO)),
            found("c", old),
            found("d", FileStat { inode: 2, ..old }),
            found("z", old),
        ];
        let changes = compare(&known, &now, LOOKED_AT);
        assert_eq!(changes.fresh, 1);
        assert_eq!(changes.suspect, [1, 3]);
        assert_eq!(changes.added, [2, 4]);
        assert_eq!(changes.gone, [3]);
        assert!(!changes.is_empty());
    }

    #[test]
    fn a_file_written_in_the_moment_of_the_look_is_suspect() {
        assert_eq!(suspects(LOOKED_AT - 20_000_001), 0);
        assert_eq!(suspects(LOOKED_AT - 5_000_001), 1);
        assert_eq!(suspects(LOOKED_AT + 1), 1);
    }

    #[test]
    fn whole_seconds_may_come_from_a_coarse_clock() {
        assert_eq!(suspects(LOOKED_AT - 500_000_000), 1);
        assert_eq!(suspects(LOOKED_AT - 2_500_000_000), 0);
    }

    #[test]
    fn nothing_known_and_nothing_found_is_no_change() {
        assert!(compare(&[], &[], 0).is_empty());
    }
}
