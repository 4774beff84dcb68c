//! Which lines of one text are those of another? The shortest difference, found from both ends of what differs.
//!
//! Myers' algorithm in linear space (An O(ND) Difference Algorithm and Its Variations, 1986). Beyond a bound of
//! differences what is left counts as replaced: the answer is then coarser and never wrong.

use std::ops::Range;

use gik_base::collections::HashMap;

/// More differences than this within one stretch are not told apart.
const MOST_DIFFERENCES: usize = 2000;

/// Lines of a text as numbers: equal lines have equal numbers. The end of a line does not count.
#[derive(Debug, Default)]
pub(crate) struct LineNumbers<'t>(HashMap<&'t [u8], u32>);

impl<'t> LineNumbers<'t> {
    pub(crate) fn of(&mut self, text: &'t [u8]) -> Vec<u32> {
        lines(text)
            .map(|line| {
                let next = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
                *self.0.entry(line).or_insert(next)
            })
            .collect()
    }
}

/// The lines of a text without their ends.
pub(crate) fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let is_empty = text.is_empty();
    text.split(|byte| *byte == b'\n')
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
        .skip(usize::from(is_empty))
}

/// A stretch of lines that was replaced by another; either may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hunk {
    pub(crate) old: Range<usize>,
    pub(crate) new: Range<usize>,
}

/// Where two texts differ, in order.
pub(crate) fn hunks(old: &[u32], new: &[u32]) -> Vec<Hunk> {
    let mut found = Vec::new();
    between(old, new, 0..old.len(), 0..new.len(), &mut found);
    let mut joined: Vec<Hunk> = Vec::new();
    for hunk in found {
        match joined.last_mut() {
            Some(last) if last.old.end == hunk.old.start && last.new.end == hunk.new.start => {
                (last.old.end, last.new.end) = (hunk.old.end, hunk.new.end);
            },
            _ => joined.push(hunk),
        }
    }
    joined
}

fn between(
    old: &[u32],
    new: &[u32],
    mut o: Range<usize>,
    mut n: Range<usize>,
    out: &mut Vec<Hunk>,
) {
    while !o.is_empty() && !n.is_empty() && old[o.start] == new[n.start] {
        (o.start, n.start) = (o.start + 1, n.start + 1);
    }
    while !o.is_empty() && !n.is_empty() && old[o.end - 1] == new[n.end - 1] {
        (o.end, n.end) = (o.end - 1, n.end - 1);
    }
    if o.is_empty() && n.is_empty() {
        return;
    }
    let split =
        if o.is_empty() || n.is_empty() { None } else { middle(&old[o.clone()], &new[n.clone()]) };
    match split {
        Some((x, y)) => {
            between(old, new, o.start..o.start + x, n.start..n.start + y, out);
            between(old, new, o.start + x..o.end, n.start + y..n.end, out);
        },
        None => out.push(Hunk { old: o, new: n }),
    }
}

/// A point of a shortest path, found from both ends at once; `None` where nothing is common or too much differs.
fn middle(old: &[u32], new: &[u32]) -> Option<(usize, usize)> {
    let (n, m) = (old.len().cast_signed(), new.len().cast_signed());
    let delta = n - m;
    let most = (old.len() + new.len()).div_ceil(2).min(MOST_DIFFERENCES).cast_signed();
    let width = usize::try_from(2 * most + 3).ok()?;
    let at = |k: isize| (k + most + 1).cast_unsigned();
    let (mut forth, mut back) = (vec![0isize; width], vec![0isize; width]);
    let same = |x: isize, y: isize| old[x.cast_unsigned()] == new[y.cast_unsigned()];
    for d in 0..=most {
        for k in (-d..=d).step_by(2) {
            let mut x = if k == -d || (k != d && forth[at(k - 1)] < forth[at(k + 1)]) {
                forth[at(k + 1)]
            } else {
                forth[at(k - 1)] + 1
            };
            while x < n && x - k < m && x - k >= 0 && same(x, x - k) {
                x += 1;
            }
            forth[at(k)] = x;
            let opposite = delta - k;
            let meets = delta % 2 != 0 && opposite.abs() < d && x + back[at(opposite)] >= n;
            if meets {
                return inside(x, x - k, n, m);
            }
        }
        for k in (-d..=d).step_by(2) {
            let mut x = if k == -d || (k != d && back[at(k - 1)] < back[at(k + 1)]) {
                back[at(k + 1)]
            } else {
                back[at(k - 1)] + 1
            };
            while x < n && x - k < m && x - k >= 0 && same(n - 1 - x, m - 1 - (x - k)) {
                x += 1;
            }
            back[at(k)] = x;
            let opposite = delta - k;
            let meets = delta % 2 == 0 && opposite.abs() <= d && x + forth[at(opposite)] >= n;
            if meets {
                return inside(n - x, m - (x - k), n, m);
            }
        }
    }
    None
}

/// A point that splits both into smaller ones.
fn inside(x: isize, y: isize, n: isize, m: isize) -> Option<(usize, usize)> {
    let is_inside = (0..=n).contains(&x) && (0..=m).contains(&y);
    let splits = (x, y) != (0, 0) && (x, y) != (n, m);
    (is_inside && splits).then(|| (x.cast_unsigned(), y.cast_unsigned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(old: &str, new: &str) -> Vec<Hunk> {
        let mut numbers = LineNumbers::default();
        let (old, new) = (numbers.of(old.as_bytes()), numbers.of(new.as_bytes()));
        hunks(&old, &new)
    }

    #[test]
    fn replaced_added_and_removed_lines_are_told() {
        assert_eq!(of("a\nb\nc\n", "a\nx\nc\n"), [Hunk { old: 1..2, new: 1..2 }]);
        assert_eq!(of("a\nc\n", "a\nb\nc\n"), [Hunk { old: 1..1, new: 1..2 }]);
        assert_eq!(of("a\nb\nc", "c\n"), [Hunk { old: 0..2, new: 0..0 }]);
        assert_eq!(of("", "a\n"), [Hunk { old: 0..0, new: 0..1 }]);
        assert_eq!(of("a\r\nb\r\n", "a\nb"), []);
        assert_eq!(
            of("1\n2\n3\n4\n5\n6\n", "0\n1\n3\n4\n9\n6\n7\n"),
            [
                Hunk { old: 0..0, new: 0..1 },
                Hunk { old: 1..2, new: 2..2 },
                Hunk { old: 4..5, new: 4..5 },
                Hunk { old: 6..6, new: 6..7 }
            ]
        );
    }

    proptest! {
        #[test]
        fn outside_of_the_hunks_both_texts_are_equal(
            old in prop::collection::vec(0u32..6, 0..60),
            new in prop::collection::vec(0u32..6, 0..60),
        ) {
            let (mut o, mut n) = (0, 0);
            for hunk in hunks(&old, &new) {
                prop_assert_eq!(&old[o..hunk.old.start], &new[n..hunk.new.start]);
                prop_assert!(!hunk.old.is_empty() || !hunk.new.is_empty());
                (o, n) = (hunk.old.end, hunk.new.end);
            }
            prop_assert_eq!(&old[o..], &new[n..]);
        }

        #[test]
        fn the_difference_is_the_shortest(
            old in prop::collection::vec(0u32..4, 0..24),
            new in prop::collection::vec(0u32..4, 0..24),
        ) {
            let mut common = vec![vec![0usize; new.len() + 1]; old.len() + 1];
            for (i, a) in old.iter().enumerate() {
                for (j, b) in new.iter().enumerate() {
                    common[i + 1][j + 1] = if a == b { common[i][j] + 1 } else { common[i][j + 1].max(common[i + 1][j]) };
                }
            }
            let differing: usize = hunks(&old, &new).iter().map(|hunk| hunk.old.len() + hunk.new.len()).sum();
            prop_assert_eq!(differing, old.len() + new.len() - 2 * common[old.len()][new.len()]);
        }
    }
}
