//! Which lines of one text are those of another? The shortest difference, found from both ends of what differs.
//!
//! Myers' algorithm in linear space (An O(ND) Difference Algorithm and Its Variations, 1986). Lines that only one of
//! the texts has cannot be common and are set aside first. Where much differs still, a stretch is split where the
//! search came furthest, as git does: the difference may then be longer than it had to be, so that a line that was
//! moved far is told to be new. Lines told to be the same are the same always.

use std::ops::Range;

use gik_base::collections::HashMap;

/// So many differences within one stretch are searched for before it is split where the search came furthest.
const MOST_DIFFERENCES: usize = 2000;
/// The same for texts of very many lines.
const FEWEST_DIFFERENCES: usize = 64;
/// So many steps a search may take about: lines times differences.
const MOST_STEPS: usize = 200_000_000;

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
    let is_empty = text.is_empty();
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    text.split(|byte| *byte == b'\n')
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
        .skip(usize::from(is_empty))
}

/// A stretch of lines that was replaced by another; either may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// The lines that are gone, from 0.
    pub old: Range<usize>,
    /// Those in their place.
    pub new: Range<usize>,
}

/// Where two texts differ, in order. Equal lines have equal numbers, which should be small.
pub fn hunks(old: &[u32], new: &[u32]) -> Vec<Hunk> {
    let most = MOST_STEPS / (old.len() + new.len()).max(1);
    hunks_within(old, new, most.clamp(FEWEST_DIFFERENCES, MOST_DIFFERENCES))
}

fn hunks_within(old: &[u32], new: &[u32], most: usize) -> Vec<Hunk> {
    let (old_at, new_at) = (shared(old, new), shared(new, old));
    let of = |text: &[u32], at: &[usize]| -> Vec<u32> { at.iter().map(|at| text[*at]).collect() };
    let different = between(&of(old, &old_at), &of(new, &new_at), most);
    let mut hunks = Vec::new();
    let (mut o, mut n) = (0, 0);
    let mut same = |old_line: usize, new_line: usize| {
        if (o, n) != (old_line, new_line) {
            hunks.push(Hunk { old: o..old_line, new: n..new_line });
        }
        (o, n) = (old_line + 1, new_line + 1);
    };
    let (mut from_old, mut from_new) = (0, 0);
    let end = Hunk { old: old_at.len()..old_at.len(), new: new_at.len()..new_at.len() };
    for hunk in different.into_iter().chain([end]) {
        for (old_line, new_line) in
            old_at[from_old..hunk.old.start].iter().zip(&new_at[from_new..hunk.new.start])
        {
            same(*old_line, *new_line);
        }
        (from_old, from_new) = (hunk.old.end, hunk.new.end);
    }
    same(old.len(), new.len());
    hunks
}

/// The places of the lines of a text that another has as well, somewhere.
fn shared(text: &[u32], other: &[u32]) -> Vec<usize> {
    let mut is_there = vec![false; other.iter().max().map_or(0, |most| *most as usize + 1)];
    for line in other {
        is_there[*line as usize] = true;
    }
    let lines = text.iter().enumerate();
    lines
        .filter(|(_, line)| is_there.get(**line as usize).copied().unwrap_or(false))
        .map(|(at, _)| at)
        .collect()
}

/// Where two texts differ, in order; stretches may touch each other.
fn between(old: &[u32], new: &[u32], most: usize) -> Vec<Hunk> {
    let mut found = Vec::new();
    let mut open = vec![Hunk { old: 0..old.len(), new: 0..new.len() }];
    while let Some(Hunk { old: mut o, new: mut n }) = open.pop() {
        while !o.is_empty() && !n.is_empty() && old[o.start] == new[n.start] {
            (o.start, n.start) = (o.start + 1, n.start + 1);
        }
        while !o.is_empty() && !n.is_empty() && old[o.end - 1] == new[n.end - 1] {
            (o.end, n.end) = (o.end - 1, n.end - 1);
        }
        if o.is_empty() && n.is_empty() {
            continue;
        }
        let is_one_sided = o.is_empty() || n.is_empty();
        let split =
            if is_one_sided { None } else { middle(&old[o.clone()], &new[n.clone()], most) };
        match split {
            Some((x, y)) => {
                let (x, y) = (o.start + x, n.start + y);
                open.push(Hunk { old: x..o.end, new: y..n.end });
                open.push(Hunk { old: o.start..x, new: n.start..y });
            },
            None => found.push(Hunk { old: o, new: n }),
        }
    }
    found
}

/// A point of a shortest path, found from both ends at once, or where they came furthest with `most` differences;
/// `None` where nothing is common.
fn middle(old: &[u32], new: &[u32], most: usize) -> Option<(usize, usize)> {
    let (n, m) = (old.len().cast_signed(), new.len().cast_signed());
    let delta = n - m;
    let most = (old.len() + new.len()).div_ceil(2).min(most).cast_signed();
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
    let furthest = |reached: &[isize]| {
        let points = (-most..=most).step_by(2).map(|k| (reached[at(k)], reached[at(k)] - k));
        let within = points.filter(|(x, y)| (0..=n).contains(x) && (0..=m).contains(y));
        within.max_by_key(|(x, y)| x + y).unwrap_or_default()
    };
    let ((x, y), (from_x, from_y)) = (furthest(&forth), furthest(&back));
    if x + y >= from_x + from_y { inside(x, y, n, m) } else { inside(n - from_x, m - from_y, n, m) }
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
        assert_eq!(of("", "\n"), [Hunk { old: 0..0, new: 0..1 }]);
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

    #[test]
    fn a_line_is_a_line_even_where_it_is_empty() {
        for (text, count) in [("", 0), ("\n", 1), ("a", 1), ("a\n", 1), ("\n\n", 2), ("a\n\nb", 3)]
        {
            assert_eq!(lines(text.as_bytes()).count(), count, "{text:?}");
        }
    }

    #[test]
    fn changes_scattered_over_a_long_text_are_told_apart() {
        let old: Vec<u32> = (0..30_000).collect();
        let new: Vec<u32> =
            old.iter().map(|line| if line % 5 == 0 { line + 30_000 } else { *line }).collect();
        let found = hunks(&old, &new);
        assert_eq!(found.len(), 6000);
        assert!(found.iter().all(|hunk| hunk.new.len() == 1 && hunk.old == hunk.new));
        // The same with lines that both have: every fifth is one of the others now.
        let new: Vec<u32> = old
            .iter()
            .map(|line| if line % 5 == 0 { (line + 15_000) % 30_000 } else { *line })
            .collect();
        let replaced: usize = hunks(&old, &new).iter().map(|hunk| hunk.new.len()).sum();
        assert!(replaced < 7500, "{replaced}");
    }

    proptest! {
        #[test]
        fn outside_of_the_hunks_of_a_short_search_both_texts_are_equal(
            old in prop::collection::vec(0u32..6, 0..60),
            new in prop::collection::vec(0u32..6, 0..60),
            most in 1usize..6,
        ) {
            let (mut o, mut n) = (0, 0);
            for hunk in hunks_within(&old, &new, most) {
                prop_assert_eq!(&old[o..hunk.old.start], &new[n..hunk.new.start]);
                prop_assert!(!hunk.old.is_empty() || !hunk.new.is_empty());
                (o, n) = (hunk.old.end, hunk.new.end);
            }
            prop_assert_eq!(&old[o..], &new[n..]);
        }

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
