//! The definitions of one file as ctags and the parser see them, side by side.

use std::collections::BTreeMap;

use gik_parse::{Parsed, ProblemKind, SymbolKind};

use super::kinds::Kinds;
use super::local;
use super::oracle::Tag;
use super::ours::{Ours, Why, is_part_of_module, why_missed};

/// What came out, for one file or many.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    /// By ctags' kind.
    pub(super) kinds: BTreeMap<String, Count>,
    /// Definitions of ctags that the parser does not have, in the order of files.
    pub(super) misses: Vec<Miss>,
    /// Definitions of kinds that ctags knows and has not, by our kind, in the order of files.
    pub(super) extras: BTreeMap<SymbolKind, Vec<Found>>,
    /// Variables inside functions, which are not compared.
    pub(super) locals: usize,
    /// What the table leaves out, by the reason, in the order of files.
    pub(super) left_out: BTreeMap<String, Vec<Found>>,
}

/// How many definitions there are and how many of them were found.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) compared: usize,
    pub(super) found: usize,
}

impl Count {
    /// The share found; of nothing, all is found.
    pub(super) fn recall(self) -> f64 {
        if self.compared == 0 { 1.0 } else { self.found as f64 / self.compared as f64 }
    }
}

/// A definition that the parser does not have.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Miss {
    pub(super) why: Why,
    /// Whether the grammar could not make sense of a part of the file.
    pub(super) in_trouble: bool,
    pub(super) tag: Tag,
    pub(super) place: Place,
}

/// A definition that only one side has and that is no miss.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) name: String,
    pub(super) place: Place,
}

/// Where something is and what is written there.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) text: String,
}

impl Comparison {
    /// Adds what another file gave.
    pub(super) fn add(&mut self, other: Self) {
        for (kind, count) in other.kinds {
            let sum = self.kinds.entry(kind).or_default();
            sum.compared += count.compared;
            sum.found += count.found;
        }
        self.misses.extend(other.misses);
        for (kind, extras) in other.extras {
            self.extras.entry(kind).or_default().extend(extras);
        }
        self.locals += other.locals;
        for (why, left_out) in other.left_out {
            self.left_out.entry(why).or_default().extend(left_out);
        }
    }

    /// All kinds together.
    pub(super) fn total(&self) -> Count {
        self.kinds.values().fold(Count::default(), |sum, count| Count {
            compared: sum.compared + count.compared,
            found: sum.found + count.found,
        })
    }

    /// The share of ctags' definitions that the parser has.
    pub(super) fn recall(&self) -> f64 {
        self.total().recall()
    }

    /// How many definitions only the parser has.
    pub(super) fn extra(&self) -> usize {
        self.extras.values().map(Vec::len).sum()
    }

    /// How many definitions of ctags are not asked for.
    pub(super) fn not_asked_for(&self) -> usize {
        self.left_out.values().map(Vec::len).sum()
    }
}

/// Compares one file.
pub(super) fn compare(
    file: &str,
    text: &str,
    tags: &[Tag],
    parsed: &Parsed,
    kinds: &Kinds,
) -> Comparison {
    let lines: Vec<&str> = text.lines().collect();
    let symbols = parsed.symbols.iter();
    let ours: Vec<Ours> = symbols.map(|symbol| Ours::new(symbol, text, kinds)).collect();
    let in_trouble = parsed.problems.iter().any(|problem| problem.kind == ProblemKind::Syntax);
    let mut by_name: BTreeMap<&str, Vec<&Ours>> = BTreeMap::new();
    for one in &ours {
        by_name.entry(&one.name).or_default().push(one);
    }
    let place = |line: u32| {
        let written = line_at(&lines, line).unwrap_or_default().trim();
        Place { file: file.to_owned(), line, text: written.to_owned() }
    };

    let mut result = Comparison::default();
    let mut theirs = BTreeMap::new();
    for tag in tags {
        let name = kinds.plain(&tag.name);
        let same_name = by_name.get(name.as_str()).map_or(&[][..], Vec::as_slice);
        theirs.entry(name).or_insert_with(Vec::new).push(tag.line);
        let Some(wanted) = kinds.ours(&tag.kind) else { continue };
        if is_include_guard(&lines, tag) {
            continue;
        }
        let why = why_missed(same_name, wanted, tag.line)
            .filter(|_| !is_part_of_module(&ours, wanted, tag, kinds));
        if why.is_some() {
            if local::is_local(tag, &lines, kinds) {
                result.locals += 1;
                continue;
            }
            let written = line_at(&lines, tag.line).unwrap_or_default();
            let is_inside = || local::is_inside(tag, &lines, kinds);
            if let Some(reason) = kinds.why_left_out(tag, written, is_inside) {
                let left_out = Found { name: tag.name.clone(), place: place(tag.line) };
                result.left_out.entry(reason.to_owned()).or_default().push(left_out);
                continue;
            }
        }
        let count = result.kinds.entry(tag.kind.clone()).or_default();
        count.compared += 1;
        match why {
            None => count.found += 1,
            Some(why) => {
                let (tag, place) = (tag.clone(), place(tag.line));
                result.misses.push(Miss { why, in_trouble, tag, place });
            },
        }
    }
    for one in ours.iter().filter(|one| kinds.is_known(one.kind)) {
        let has = |lines: &Vec<u32>| lines.iter().any(|line| one.is_at(*line));
        if !theirs.get(&one.name).is_some_and(has) {
            let extra = Found { name: one.name.clone(), place: place(one.name_line) };
            result.extras.entry(one.kind).or_default().push(extra);
        }
    }
    result
}

/// The macro that keeps a header from being included twice; the parser leaves it out on purpose.
fn is_include_guard(lines: &[&str], tag: &Tag) -> bool {
    let words = |line: u32| {
        let line = line_at(lines, line)?.trim().strip_prefix('#')?.trim_start();
        let (directive, rest) = line.split_once(|letter: char| letter.is_ascii_whitespace())?;
        Some((directive, rest.split("/*").next().unwrap_or(rest).trim()))
    };
    let is_bare = words(tag.line) == Some(("define", tag.name.as_str()));
    let asked_above = tag.line.checked_sub(1).and_then(words).is_some_and(|(directive, rest)| {
        directive == "ifndef" && rest == tag.name
            || directive == "if" && rest.trim_start_matches(['!', ' ']).starts_with("defined")
    });
    tag.kind == "macro" && is_bare && asked_above
}

fn line_at<'text>(lines: &[&'text str], line: u32) -> Option<&'text str> {
    let idx = usize::try_from(line).ok()?.checked_sub(1)?;
    lines.get(idx).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace;

    fn tag(name: &str, line: u32, kind: &str) -> Tag {
        Tag { name: name.to_owned(), line, kind: kind.to_owned(), scope: String::new() }
    }

    fn check(language: &str, text: &str, tags: &[Tag]) -> Comparison {
        let rows = super::super::kinds::table(&workspace::root()).unwrap();
        let kinds = rows.into_iter().find(|kinds| kinds.language == language).unwrap();
        let key = gik_base::FileKey::from_text("p/file");
        let parsed = gik_parse::parse(&key, text, gik_parse::language_by_id(language));
        compare("p/file", text, tags, &parsed, &kinds)
    }

    #[test]
    fn what_both_have_is_found_and_the_rest_is_explained() {
        let text = "pub fn a() {}\npub struct B {\n    c: u8,\n}\n";
        let tags = [
            tag("a", 1, "function"),
            tag("B", 2, "enum"),
            tag("c", 4, "field"),
            tag("d", 4, "field"),
            tag("B", 2, "implementation"),
        ];
        let result = check("rust", text, &tags);
        assert_eq!(result.total(), Count { compared: 4, found: 1 });
        let whys: Vec<Why> = result.misses.iter().map(|miss| miss.why).collect();
        assert_eq!(whys, [Why::Kind(SymbolKind::Struct), Why::Line, Why::Absent]);
        assert_eq!(result.misses[0].place.text, "pub struct B {");
        assert_eq!(result.extra(), 1);
        assert_eq!(result.extras[&SymbolKind::Field][0].name, "c");
    }

    #[test]
    fn a_name_below_its_start_counts_at_both_lines() {
        let text = "static int\nfirst(void)\n{\n}\n";
        for line in [1, 2] {
            let result = check("c", text, &[tag("first", line, "function")]);
            assert_eq!(result.total(), Count { compared: 1, found: 1 });
        }
    }

    #[test]
    fn an_include_guard_is_not_asked_for() {
        let text = "#ifndef A_H\n# define A_H /* once */\n#define B_H\n#endif\n";
        let result = check("c", text, &[tag("A_H", 2, "macro"), tag("B", 3, "macro")]);
        assert_eq!(result.total(), Count { compared: 1, found: 0 });
    }

    #[test]
    fn the_parts_of_a_nested_namespace_are_one_definition() {
        let tags = [tag("a", 1, "namespace"), tag("b", 1, "namespace"), tag("c", 1, "namespace")];
        let result = check("cpp", "namespace a::b {\nint x;\n}\n", &tags);
        assert_eq!(result.total(), Count { compared: 3, found: 2 });
    }

    #[test]
    fn local_variables_and_what_is_left_out_are_counted_apart() {
        let text = "function a() {\n  const b = 1;\n}\nconst c = require('c');\n";
        let local = Tag { scope: "function".to_owned(), ..tag("b", 2, "constant") };
        let result = check("javascript", text, &[local, tag("c", 4, "constant")]);
        assert_eq!((result.total().compared, result.locals), (0, 1));
        assert_eq!(result.left_out.len(), 1);
    }

    #[test]
    fn sums_are_those_of_the_files() {
        let text = "fn a() {}\n";
        let mut sum = check("rust", text, &[tag("a", 1, "function")]);
        sum.add(check("rust", text, &[tag("b", 1, "function")]));
        assert_eq!(sum.total(), Count { compared: 2, found: 1 });
        assert_eq!((sum.misses.len(), sum.extra()), (1, 1));
    }
}
