//! What must be in a text for a pattern to match? Stretches of letters, all of them or one of several.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind};

/// A shorter stretch is in too many words.
const SHORTEST: usize = 3;

/// What every text has in which a pattern matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Needs {
    /// Nothing that could be told.
    Nothing,
    /// These letters, digits and `_` next to each other, in whatever case.
    Letters(String),
    /// Each of these.
    All(Vec<Self>),
    /// One of these.
    Any(Vec<Self>),
}

impl Needs {
    /// What a pattern needs that is matched by lines: `^` and `$` stand at their ends.
    pub fn of_pattern(pattern: &str) -> Self {
        match ParserBuilder::new().multi_line(true).build().parse(pattern) {
            Ok(hir) => of(&hir),
            Err(_) => Self::Nothing,
        }
    }

    /// What is needed where each of some patterns must match.
    pub fn of_all<'p>(patterns: impl IntoIterator<Item = &'p str>) -> Self {
        Self::all(patterns.into_iter().map(Self::of_pattern).collect())
    }

    fn all(mut needs: Vec<Self>) -> Self {
        needs.retain(|needs| *needs != Self::Nothing);
        match needs.len() {
            0 => Self::Nothing,
            1 => needs.remove(0),
            _ => Self::All(needs),
        }
    }

    fn any(needs: Vec<Self>) -> Self {
        if needs.contains(&Self::Nothing) { Self::Nothing } else { Self::Any(needs) }
    }
}

fn of(hir: &Hir) -> Needs {
    let mut walk = Walk::default();
    walk.through(hir);
    walk.end();
    Needs::all(walk.needs)
}

/// Puts letters together that stand next to each other in every match.
#[derive(Default)]
struct Walk {
    letters: String,
    needs: Vec<Needs>,
}

impl Walk {
    fn through(&mut self, hir: &Hir) {
        match hir.kind() {
            // These take no room between two letters.
            HirKind::Empty | HirKind::Look(_) => {},
            HirKind::Literal(literal) => match std::str::from_utf8(&literal.0) {
                Ok(text) => text.chars().for_each(|c| self.next(folded(c))),
                Err(_) => self.end(),
            },
            HirKind::Class(class) => self.next(of_class(class)),
            HirKind::Capture(capture) => self.through(&capture.sub),
            HirKind::Concat(parts) => parts.iter().for_each(|part| self.through(part)),
            HirKind::Repetition(repetition) => {
                // The first time follows what is before it; after that it may follow itself.
                if repetition.min > 0 {
                    self.through(&repetition.sub);
                }
                self.end();
            },
            HirKind::Alternation(branches) => {
                self.end();
                self.needs.push(Needs::any(branches.iter().map(of).collect()));
            },
        }
    }

    fn next(&mut self, letter: Option<char>) {
        match letter {
            Some(letter) => self.letters.push(letter),
            None => self.end(),
        }
    }

    /// Terms have no joiners at their ends.
    fn end(&mut self) {
        let letters = std::mem::take(&mut self.letters);
        let letters = letters.trim_matches('_');
        if letters.len() >= SHORTEST {
            self.needs.push(Needs::Letters(letters.to_owned()));
        }
    }
}

/// The letter of a word that a character is, whatever its case; `None` for those beyond ASCII and those of no word. Two
/// characters beyond ASCII are other cases of letters in it; texts that have them are not plain.
fn folded(c: char) -> Option<char> {
    match c {
        'ſ' => Some('s'),
        '\u{212a}' => Some('k'),
        _ => (c.is_ascii_alphanumeric() || c == '_').then(|| c.to_ascii_lowercase()),
    }
}

/// The one letter that all members of a class are.
fn of_class(class: &Class) -> Option<char> {
    const MOST: usize = 4;
    let members: Vec<char> = match class {
        Class::Unicode(class) => {
            class.iter().flat_map(|range| range.start()..=range.end()).take(MOST).collect()
        },
        Class::Bytes(class) => {
            let bytes = class.iter().flat_map(|range| range.start()..=range.end());
            // A byte beyond ASCII is no character.
            bytes.take(MOST).map(|byte| if byte.is_ascii() { byte.into() } else { ' ' }).collect()
        },
    };
    let first = folded(*members.first()?)?;
    let is_one = members.len() < MOST && members.iter().all(|c| folded(*c) == Some(first));
    is_one.then_some(first)
}
