//! Everything that a parser has put together so far: tokens, and rules with what they are made of.

use std::cmp::Ordering;
use std::ops::Range;

use super::costs::Costs;
use super::lexer::{Kept, Token};
use super::tables::Rule;

/// The room for so many parts is kept for the next text.
const ROOM_KEPT: usize = 1 << 18;

/// The number of a part.
pub(super) type PartNo = u32;

/// A token or a rule that ended.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub(super) symbol: u16,
    /// Which form of the rule it was, or the state in which the token was read.
    form: u16,
    pub(super) is_extra: bool,
    pub(super) is_keyword: bool,
    /// Whether the scanner of the grammar found the token.
    is_scanned: bool,
    /// Whether the token is not in the text, and should be.
    pub(super) is_missing: bool,
    is_token: bool,
    /// Where the part before it ends.
    pub(super) begin: u32,
    pub(super) start: u32,
    pub(super) end: u32,
    /// Where the children of a rule are, or what the scanner kept after a token.
    place: u32,
    n_children: u32,
    pub(super) precedence: i32,
}

impl Part {
    /// Which form of the rule it was.
    pub(super) fn production(&self) -> u16 {
        if self.n_children == 0 { 0 } else { self.form }
    }

    pub(super) fn is_token(&self) -> bool {
        self.is_token
    }

    pub(super) fn has_children(&self) -> bool {
        self.n_children > 0
    }

    /// The state in which the token was read.
    pub(super) fn state(&self) -> u16 {
        self.form
    }

    /// What the scanner kept after the token, if it found it.
    pub(super) fn kept(&self) -> Option<Kept> {
        self.is_scanned.then_some(self.place)
    }

    /// Whether two parts that end at the same place cannot be told apart from outside.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.symbol == other.symbol
            && self.start - self.begin == other.start - other.begin
            && self.end - self.start == other.end - other.start
            && self.n_children == other.n_children
            && self.is_extra == other.is_extra
            && self.kept().unwrap_or_default() == other.kept().unwrap_or_default()
    }
}

/// All parts of a text.
#[derive(Debug, Default)]
pub(super) struct Forest {
    parts: Vec<Part>,
    children: Vec<PartNo>,
    /// Whether any rule is preferred to others.
    has_precedence: bool,
}

impl Forest {
    /// Most texts have fewer parts than this for a byte of theirs.
    pub(super) fn with_room_for(&mut self, text: &str) -> &mut Self {
        // One that panicked left its parts behind.
        self.clear();
        self.parts.reserve(text.len() / 2);
        self.children.reserve(text.len() / 2);
        self
    }

    /// Forgets all parts. Keeps their room, unless it is that of a large text.
    pub(super) fn clear(&mut self) {
        self.parts.clear();
        self.children.clear();
        self.parts.shrink_to(ROOM_KEPT);
        self.children.shrink_to(ROOM_KEPT);
        self.has_precedence = false;
    }

    /// So many parts there are.
    pub(super) fn len(&self) -> usize {
        self.parts.len()
    }

    pub(super) fn part(&self, no: PartNo) -> &Part {
        &self.parts[no as usize]
    }

    pub(super) fn part_mut(&mut self, no: PartNo) -> &mut Part {
        &mut self.parts[no as usize]
    }

    pub(super) fn children(&self, no: PartNo) -> &[PartNo] {
        let part = self.part(no);
        let start = if part.n_children == 0 { 0 } else { part.place as usize };
        &self.children[start..][..part.n_children as usize]
    }

    /// Where the children of a part are among all children.
    pub(super) fn places(&self, no: PartNo) -> Range<u32> {
        let part = self.part(no);
        part.place..part.place + part.n_children
    }

    /// The child at one of these places.
    pub(super) fn child_at(&self, place: u32) -> PartNo {
        self.children[place as usize]
    }

    pub(super) fn add_token(&mut self, token: &Token, state: u16, begin: u32) -> PartNo {
        self.add(Part {
            symbol: token.symbol,
            form: state,
            is_extra: token.symbol == super::tables::END,
            is_keyword: token.is_keyword,
            is_scanned: token.kept.is_some(),
            is_missing: false,
            is_token: true,
            begin,
            start: token.start,
            end: token.end,
            place: token.kept.unwrap_or_default(),
            n_children: 0,
            precedence: 0,
        })
    }

    /// The same part once more, to be changed.
    pub(super) fn add_copy(&mut self, no: PartNo) -> PartNo {
        self.add(*self.part(no))
    }

    /// A rule made of these parts; where there are none, it is empty and stands at `at`.
    pub(super) fn add_rule(
        &mut self,
        rule: Rule,
        children: impl IntoIterator<Item = PartNo>,
        at: u32,
    ) -> PartNo {
        let place = self.children.len();
        self.children.extend(children);
        let of_rule = &self.children[place..];
        let (mut begin, mut start, mut end, mut precedence) = (at, at, at, 0);
        if let [first, .., last] | [first @ last] = of_rule {
            (begin, start) = (self.part(*first).begin, self.part(*first).start);
            end = self.part(*last).end;
            if self.has_precedence {
                precedence = of_rule.iter().map(|child| self.part(*child).precedence).sum();
            }
        }
        let n_children = number(of_rule.len());
        self.add(Part {
            symbol: rule.symbol,
            form: rule.production,
            is_extra: false,
            is_keyword: false,
            is_scanned: false,
            is_missing: false,
            is_token: false,
            begin,
            start,
            end,
            place: number(place),
            n_children,
            precedence,
        })
    }

    /// What a rule adds to the preference of what it is made of.
    pub(super) fn prefer(&mut self, no: PartNo, precedence: i16) {
        if precedence != 0 {
            self.has_precedence = true;
            self.part_mut(no).precedence += i32::from(precedence);
        }
    }

    fn add(&mut self, part: Part) -> PartNo {
        self.parts.push(part);
        number(self.parts.len() - 1)
    }

    /// Whether another way to read the same text is to be taken instead of this one.
    pub(super) fn is_better(&self, other: PartNo, one: PartNo, costs: &Costs) -> bool {
        let (left, right) = (self.part(one), self.part(other));
        let n_errors = costs.of(one).errors;
        let by_errors = n_errors.cmp(&costs.of(other).errors);
        match by_errors.then(right.precedence.cmp(&left.precedence)) {
            Ordering::Greater => true,
            Ordering::Less => false,
            Ordering::Equal => n_errors > 0 || self.order(one, other) == Ordering::Greater,
        }
    }

    /// Which of two ways to read a text comes first: by symbols and numbers of children, from outside to inside.
    fn order(&self, one: PartNo, other: PartNo) -> Ordering {
        let mut pairs = vec![(one, other)];
        while let Some((one, other)) = pairs.pop() {
            if one == other {
                continue;
            }
            let key = |no: PartNo| (self.part(no).symbol, self.part(no).n_children);
            let order = key(one).cmp(&key(other));
            if order != Ordering::Equal {
                return order;
            }
            let children = self.children(one).iter().zip(self.children(other));
            pairs.extend(children.map(|(one, other)| (*one, *other)).rev());
        }
        Ordering::Equal
    }
}

/// Texts are far smaller than 4 GiB.
fn number(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
