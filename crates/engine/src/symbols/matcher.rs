//! How well does a name fit what was typed? Exactly, by its start, by its humps, by a part, or nearly.

use schemars::JsonSchema;
use serde::Serialize;

use super::{fuzzy, humps};

/// In which way a name fits, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum MatchClass {
    /// Letter by letter
    Exact,
    /// But for capital letters
    ExactIgnoringCase,
    /// By its start
    Prefix,
    /// By the starts of its parts
    Hump,
    /// By a part of it
    Substring,
    /// But for one slip, or with letters between
    Fuzzy,
}

/// How well a name fits; smaller is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank {
    pub(crate) class: MatchClass,
    /// Within the class: humps or letters that the query passes over.
    pub(crate) skipped: u32,
}

/// Below, nearly every name is one slip away.
const SLIP_MIN: usize = 4;
/// Below, letters in order are in half of all names.
const GAPS_MIN: usize = 3;
/// Longer names are data; they are found by what they start with.
const NAME_MAX: usize = 256;

/// Compares names with what was typed. Keeps its buffers, for there are many names.
#[derive(Debug)]
pub(crate) struct Matcher {
    typed: String,
    folded: Vec<char>,
    letters: u64,
    steps: Vec<(char, bool)>,
    name: Vec<char>,
    name_folded: Vec<char>,
    starts: Vec<bool>,
}

impl Matcher {
    pub(crate) fn new(typed: &str) -> Self {
        let folded = typed.chars().map(fold).collect();
        Self {
            folded,
            letters: letters(typed) & !OTHER,
            steps: humps::steps(typed),
            typed: typed.to_owned(),
            name: Vec::new(),
            name_folded: Vec::new(),
            starts: Vec::new(),
        }
    }

    /// How well the name fits; `None` where it does not.
    pub(crate) fn rank(&mut self, name: &str) -> Option<Rank> {
        if name == self.typed {
            return Some(Rank { class: MatchClass::Exact, skipped: 0 });
        }
        if self.folded.is_empty() {
            return None;
        }
        // Nearly all names are told apart by their letters alone, before anything is copied.
        let missing = (self.letters & !letters(name)).count_ones();
        let is_in_order = missing == 0 && self.is_in_order(name);
        if !is_in_order && (missing > 1 || !self.may_be_a_slip(name)) {
            return None;
        }
        self.name.clear();
        self.name.extend(name.chars().take(NAME_MAX));
        self.name_folded.clear();
        self.name_folded.extend(self.name.iter().copied().map(fold));
        let whole = if is_in_order { self.rank_folded() } else { None };
        whole.or_else(|| self.rank_nearly(is_in_order))
    }

    /// Whether the name has the letters of the query one after the other, whatever is between.
    fn is_in_order(&self, name: &str) -> bool {
        let mut steps = self.steps.iter().map(|(c, _)| *c);
        let Some(mut wanted) = steps.next() else { return true };
        if name.is_ascii() {
            for byte in name.bytes() {
                if char::from(byte.to_ascii_lowercase()) == wanted {
                    match steps.next() {
                        Some(next) => wanted = next,
                        None => return true,
                    }
                }
            }
            return false;
        }
        // Rare, and not worth a second way of folding.
        true
    }

    /// Whether the name is about as long as the query, so that one slip can be all the difference.
    fn may_be_a_slip(&self, name: &str) -> bool {
        let n = self.folded.len();
        let longest = if name.is_ascii() { n + 1 } else { (n + 1) * 4 };
        n >= SLIP_MIN && name.len() <= longest && name.len() + 1 >= n
    }

    fn rank_folded(&mut self) -> Option<Rank> {
        let rank = |class, skipped| Some(Rank { class, skipped });
        if self.name_folded == self.folded {
            return rank(MatchClass::ExactIgnoringCase, 0);
        }
        if self.name_folded.starts_with(&self.folded) {
            return rank(MatchClass::Prefix, 0);
        }
        if self.steps.len() > 1 {
            humps::starts(&self.name, &mut self.starts);
            let query = humps::Query { steps: &self.steps };
            let skipped = humps::skipped(&query, &self.name_folded, &self.starts);
            // Of a whole sentence nobody means a few words far apart.
            if let Some(skipped) = skipped.filter(|n| *n as usize <= self.steps.len()) {
                return rank(MatchClass::Hump, skipped);
            }
        }
        let is_part = self.name_folded.windows(self.folded.len()).any(|part| part == self.folded);
        if is_part { rank(MatchClass::Substring, 0) } else { None }
    }

    fn rank_nearly(&self, is_in_order: bool) -> Option<Rank> {
        let rank = |skipped| Some(Rank { class: MatchClass::Fuzzy, skipped });
        if self.folded.len() >= SLIP_MIN
            && self.name_folded.len().abs_diff(self.folded.len()) <= 1
            && fuzzy::is_one_slip(&self.folded, &self.name_folded)
        {
            return rank(0);
        }
        if is_in_order && self.folded.len() >= GAPS_MIN {
            return rank(1 + fuzzy::gaps(&self.folded, &self.name_folded)?);
        }
        None
    }
}

/// A character without regard to case; one stays one, so that places are kept.
fn fold(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(single), None) => single,
        _ => c,
    }
}

/// The bit for all that is no ASCII letter or digit.
const OTHER: u64 = 1 << 63;

/// The bit of each byte.
const BITS: [u64; 256] = {
    let mut bits = [OTHER; 256];
    let mut nth = 0;
    while nth < 26 {
        bits[b'a' as usize + nth] = 1 << nth;
        bits[b'A' as usize + nth] = 1 << nth;
        nth += 1;
    }
    while nth < 36 {
        bits[b'0' as usize + nth - 26] = 1 << nth;
        nth += 1;
    }
    bits
};

/// Which letters and digits a text has, a bit each.
fn letters(text: &str) -> u64 {
    text.bytes().fold(0, |bits, byte| bits | BITS[usize::from(byte)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(typed: &str, name: &str) -> Option<MatchClass> {
        Matcher::new(typed).rank(name).map(|rank| rank.class)
    }

    #[test]
    fn every_way_to_fit_has_its_class() {
        use MatchClass::{Exact, ExactIgnoringCase, Fuzzy, Hump, Prefix, Substring};
        for (typed, name, expected) in [
            ("Store", "Store", Some(Exact)),
            ("store", "Store", Some(ExactIgnoringCase)),
            ("größe", "GRÖßE", Some(ExactIgnoringCase)),
            ("sto", "Store", Some(Prefix)),
            ("phc", "parseHttpConfig", Some(Hump)),
            ("pHC", "parse_http_config", Some(Hump)),
            ("parse_http_config", "parseHttpConfig", Some(Hump)),
            ("http", "parseHttpConfig", Some(Hump)),
            ("ab", "a_name_that_is_a_sentence_beyond_all", None),
            ("ttpC", "parseHttpConfig", Some(Substring)),
            ("tor", "Store", Some(Substring)),
            ("stroe", "Store", Some(Fuzzy)),
            ("stor3", "Store", Some(Fuzzy)),
            ("sxore", "Store", Some(Fuzzy)),
            ("cnfg", "config", Some(Fuzzy)),
            ("xy", "Store", None),
            ("se", "Store", None),
            ("o", "Store", Some(Substring)),
            ("open", "close", None),
            ("==", "operator==", Some(Substring)),
            ("", "Store", None),
        ] {
            assert_eq!(class(typed, name), expected, "{typed} {name}");
        }
    }

    #[test]
    fn fewer_passed_over_is_better() {
        let mut matcher = Matcher::new("phc");
        let (near, far) = (matcher.rank("parseHttpConfig"), matcher.rank("parseHttpServerConfig"));
        assert!(near.is_some() && near < far, "{near:?} {far:?}");
        let mut matcher = Matcher::new("confg");
        let (near, far) = (matcher.rank("config"), matcher.rank("conflating"));
        assert!(near.is_some() && near < far, "{near:?} {far:?}");
    }

    #[test]
    fn very_long_names_are_looked_at_by_their_start() {
        let long = "x".repeat(100_000) + "Store";
        assert_eq!(class("store", &long), None);
        assert_eq!(class("xxx", &long), Some(MatchClass::Prefix));
    }
}
