//! What the errors in a part cost, and how much of it can be seen: by these tree-sitter chooses how to mend a text.

use super::forest::{Forest, PartNo};
use super::tables::{END, ERROR, ERROR_REPEAT, Tables};

/// An error begins.
pub(super) const PER_RECOVERY: u32 = 500;
/// A token is put in.
const PER_MISSING: u32 = 110;
/// A part is left out.
pub(super) const PER_PART: u32 = 100;
/// A line is left out.
const PER_LINE: u32 = 30;

/// What is reckoned of a part.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cost {
    /// What its errors cost.
    pub(super) errors: u32,
    /// How many nodes can be seen inside.
    pub(super) n_visible: u32,
    /// How many of these are children.
    n_children: u32,
}

/// The costs of all parts so far, and the ends of the lines.
#[derive(Debug, Default)]
pub(super) struct Costs {
    known: Vec<Cost>,
    line_ends: Vec<u32>,
}

impl Costs {
    pub(super) fn new(text: &str) -> Self {
        let line_ends = gik_base::line_ends(text.as_bytes());
        let line_ends = line_ends.map(|at| u32::try_from(at).unwrap_or(u32::MAX)).collect();
        Self { known: Vec::new(), line_ends }
    }

    /// Nothing, for parts that were not reckoned.
    pub(super) fn of(&self, no: PartNo) -> Cost {
        self.known.get(no as usize).copied().unwrap_or_default()
    }

    /// What leaving out a piece of the text costs, apart from its parts.
    pub(super) fn of_extent(&self, start: u32, end: u32) -> u32 {
        let line = |at: u32| self.line_ends.partition_point(|line_end| *line_end < at);
        let n_lines = u32::try_from(line(end) - line(start)).unwrap_or_default();
        (end - start) + PER_LINE * n_lines
    }

    /// Reckons all parts that there are.
    pub(super) fn reckon(&mut self, tables: &Tables, forest: &Forest) {
        for no in self.known.len()..forest.len() {
            let cost = self.reckoned(tables, forest, PartNo::try_from(no).unwrap_or_default());
            self.known.push(cost);
        }
    }

    /// Children come before what is made of them.
    fn reckoned(&self, tables: &Tables, forest: &Forest, no: PartNo) -> Cost {
        let part = forest.part(no);
        let mut cost = Cost::default();
        if part.is_missing {
            cost.errors = PER_MISSING + PER_RECOVERY;
            return cost;
        }
        let is_error = matches!(part.symbol, ERROR | ERROR_REPEAT);
        let aliases = tables.aliases(part.production());
        let mut n_structural = 0;
        for &of_child in forest.children(no) {
            let (child, inner) = (forest.part(of_child), self.of(of_child));
            let is_visible = tables.metadata(child.symbol).is_visible;
            cost.errors += inner.errors;
            if child.symbol == ERROR_REPEAT {
                // Charged below for all of it.
                cost.errors -= PER_RECOVERY + self.of_extent(child.start, child.end);
            } else if is_error && !child.is_extra && (child.symbol != ERROR || child.has_children())
            {
                let n_skipped = if is_visible { 1 } else { inner.n_children };
                cost.errors += PER_PART * n_skipped;
            }
            cost.n_visible += inner.n_visible;
            let has_alias = !child.is_extra
                && child.symbol != END
                && aliases.get(n_structural).is_some_and(|alias| *alias != 0);
            if has_alias || is_visible {
                cost.n_visible += 1;
                cost.n_children += 1;
            } else {
                cost.n_children += inner.n_children;
            }
            n_structural += usize::from(!child.is_extra);
        }
        let is_token = part.symbol == ERROR && part.is_token();
        if is_error && !is_token {
            cost.errors += PER_RECOVERY + self.of_extent(part.start, part.end);
        }
        cost
    }
}
