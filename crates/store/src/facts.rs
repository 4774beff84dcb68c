//! What is known of a file beyond its rows: the capsules of its chunks, its comments, its references. One blob per file,
//! because nothing but a look at that very file needs it, and because a row for every reference would be larger than
//! the source.
//!
//! Places are bytes of the decoded text; names are not stored, they are read from the text.
//!
//! ```text
//! n · n × capsule            one for every chunk, in order
//!     declarations           n · n × (step + 1 from the symbol after the last one | 0 · text)
//!     container              0 when it is that of the chunk before | length + 1 · bytes
//!     imports                n · n × (place among the words so far + 1 | 0 · text)
//! n · n × (gap · length)     comments, rising
//! n · n × reference          rising
//!     gap                    from the start of the one before
//!     one byte               low half: the length, 15: so much and the number that follows; then three bits for
//!                            the role and one for a receiver
//!     receiver               length << 2 | one sign apart: 0, two signs: 1, otherwise 2 · distance
//! text = length · bytes; all numbers are varints, a step and a distance are zigzag
//! ```

use std::ops::Range;

use gik_base::collections::HashMap;

/// What a chunk is found by apart from its text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Capsule {
    /// Of the items inside, in order.
    pub declarations: Vec<Declaration>,
    /// Enclosing types and modules.
    pub container: String,
    /// Imported names it uses, space-separated.
    pub imports: String,
}

/// A declaration on one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Declaration {
    /// That of the symbol with this place among those of the file.
    Symbol(u32),
    /// That of something else.
    Text(String),
}

/// A name in the text that stands for something defined elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReferenceRow {
    /// Where the name stands.
    pub name: Range<u32>,
    /// What it is used for, as a number below eight that means something to the caller.
    pub role: u8,
    /// Where what it belongs to stands.
    pub receiver: Option<Range<u32>>,
}

/// All of it for one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// In the order of the chunks.
    pub capsules: Vec<Capsule>,
    /// Comments and strings that document, rising.
    pub comments: Vec<Range<u32>>,
    /// Rising.
    pub references: Vec<ReferenceRow>,
}

/// A length from here on takes bytes of its own.
const LONG: u32 = 15;
const ROLE_BITS: u32 = 4;
const ROLES: u8 = 7;
const HAS_RECEIVER: u8 = 1 << 7;
/// Neither one nor two signs are between a receiver and the name.
const OTHER: u64 = 2;

impl Facts {
    /// The blob.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(64 + self.capsules.len() * 8 + self.references.len() * 4);
        self.put_capsules(&mut out);
        put(&mut out, self.comments.len() as u64);
        let mut last = 0;
        for comment in &self.comments {
            put(&mut out, u64::from(comment.start.wrapping_sub(last)));
            put(&mut out, u64::from(comment.end.wrapping_sub(comment.start)));
            last = comment.start;
        }
        put(&mut out, self.references.len() as u64);
        let mut last = 0;
        for reference in &self.references {
            put(&mut out, u64::from(reference.name.start.wrapping_sub(last)));
            put_reference(&mut out, reference);
            last = reference.name.start;
        }
        out
    }

    fn put_capsules(&self, out: &mut Vec<u8>) {
        put(out, self.capsules.len() as u64);
        let mut next_symbol = 0;
        let mut container = "";
        let mut words: HashMap<&str, u64> = HashMap::default();
        for capsule in &self.capsules {
            put(out, capsule.declarations.len() as u64);
            for declaration in &capsule.declarations {
                match declaration {
                    Declaration::Symbol(place) => {
                        put(out, zigzag(i64::from(*place) - next_symbol) + 1);
                        next_symbol = i64::from(*place) + 1;
                    },
                    Declaration::Text(text) => {
                        put(out, 0);
                        put_text(out, text);
                    },
                }
            }
            if capsule.container == container {
                put(out, 0);
            } else {
                container = &capsule.container;
                put(out, container.len() as u64 + 1);
                out.extend(container.as_bytes());
            }
            let imports = capsule.imports.split(' ').filter(|_| !capsule.imports.is_empty());
            put(out, imports.clone().count() as u64);
            for import in imports {
                let fresh = words.len() as u64 + 1;
                match *words.entry(import).or_insert(fresh) {
                    place if place == fresh => {
                        put(out, 0);
                        put_text(out, import);
                    },
                    place => put(out, place),
                }
            }
        }
    }

    /// Reads a blob; `None` where it is damaged.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut input = Input(bytes);
        let mut facts = Self { capsules: input.capsules()?, ..Self::default() };
        let mut last = 0;
        for _ in 0..input.number()? {
            let comment = input.range(last)?;
            last = comment.start;
            facts.comments.push(comment);
        }
        let mut last = 0;
        for _ in 0..input.number()? {
            let reference = input.reference(last)?;
            last = reference.name.start;
            facts.references.push(reference);
        }
        input.0.is_empty().then_some(facts)
    }
}

fn put_reference(out: &mut Vec<u8>, reference: &ReferenceRow) {
    let Range { start, end } = reference.name;
    let length = end.wrapping_sub(start);
    let marks = (reference.role & ROLES) << ROLE_BITS
        | if reference.receiver.is_some() { HAS_RECEIVER } else { 0 };
    out.push(marks | length.min(LONG) as u8);
    if length >= LONG {
        put(out, u64::from(length - LONG));
    }
    if let Some(receiver) = &reference.receiver {
        let length = u64::from(receiver.end.wrapping_sub(receiver.start));
        let distance = i64::from(start) - i64::from(receiver.start);
        let apart = distance.cast_unsigned().wrapping_sub(length).wrapping_sub(1).min(OTHER);
        put(out, length << 2 | apart);
        if apart == OTHER {
            put(out, zigzag(distance));
        }
    }
}

fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)).cast_unsigned()
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    put(out, text.len() as u64);
    out.extend(text.as_bytes());
}

fn put(out: &mut Vec<u8>, mut number: u64) {
    loop {
        let byte = (number & 0x7f) as u8;
        number >>= 7;
        if number == 0 {
            return out.push(byte);
        }
        out.push(byte | 0x80);
    }
}

/// The bytes that were not read yet.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(byte)
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn small(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }

    fn take(&mut self, length: u64) -> Option<&'a str> {
        let (text, rest) = self.0.split_at_checked(usize::try_from(length).ok()?)?;
        self.0 = rest;
        std::str::from_utf8(text).ok()
    }

    fn text(&mut self) -> Option<&'a str> {
        let length = self.number()?;
        self.take(length)
    }

    fn capsules(&mut self) -> Option<Vec<Capsule>> {
        let mut capsules = Vec::new();
        let mut next_symbol = 0i64;
        let mut container = "";
        let mut words: Vec<&str> = Vec::new();
        for _ in 0..self.number()? {
            let mut capsule = Capsule::default();
            for _ in 0..self.number()? {
                capsule.declarations.push(match self.number()?.checked_sub(1) {
                    None => Declaration::Text(self.text()?.to_owned()),
                    Some(step) => {
                        let place = next_symbol.checked_add(unzigzag(step))?;
                        next_symbol = place.checked_add(1)?;
                        Declaration::Symbol(u32::try_from(place).ok()?)
                    },
                });
            }
            if let Some(length) = self.number()?.checked_sub(1) {
                container = self.take(length)?;
            }
            container.clone_into(&mut capsule.container);
            for nth in 0..self.number()? {
                let word = match self.number()?.checked_sub(1) {
                    None => {
                        let word = self.text()?;
                        words.push(word);
                        word
                    },
                    Some(place) => words.get(usize::try_from(place).ok()?)?,
                };
                if nth > 0 {
                    capsule.imports.push(' ');
                }
                capsule.imports.push_str(word);
            }
            capsules.push(capsule);
        }
        Some(capsules)
    }

    /// A place that starts at or after `last`.
    fn range(&mut self, last: u32) -> Option<Range<u32>> {
        let start = last.checked_add(self.small()?)?;
        Some(start..start.checked_add(self.small()?)?)
    }

    /// A reference that starts at or after `last`.
    fn reference(&mut self, last: u32) -> Option<ReferenceRow> {
        let start = last.checked_add(self.small()?)?;
        let marks = self.byte()?;
        let mut length = u32::from(marks) & LONG;
        if length == LONG {
            length = length.checked_add(self.small()?)?;
        }
        let receiver = if marks & HAS_RECEIVER == 0 {
            None
        } else {
            let number = self.number()?;
            let length = u32::try_from(number >> 2).ok()?;
            let distance = match number & 3 {
                OTHER => unzigzag(self.number()?),
                apart => i64::from(length) + 1 + apart.cast_signed(),
            };
            let start = u32::try_from(i64::from(start).checked_sub(distance)?).ok()?;
            Some(start..start.checked_add(length)?)
        };
        let role = marks >> ROLE_BITS & ROLES;
        Some(ReferenceRow { name: start..start.checked_add(length)?, role, receiver })
    }
}

fn unzigzag(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Facts {
        let text = |text: &str| Declaration::Text(text.into());
        Facts {
            capsules: vec![
                Capsule {
                    declarations: vec![Declaration::Symbol(0), text("fn größe()")],
                    container: "Store".into(),
                    imports: "HashMap Path".into(),
                },
                Capsule {
                    declarations: vec![Declaration::Symbol(7), Declaration::Symbol(7), text("")],
                    container: "Store".into(),
                    imports: "Path HashMap  Arc".into(),
                },
                Capsule { imports: "Path".into(), ..Capsule::default() },
                Capsule::default(),
            ],
            comments: vec![0..12, 300..70_000],
            references: vec![
                ReferenceRow { name: 3..9, role: 0, receiver: None },
                ReferenceRow { name: 500..514, role: 4, receiver: Some(490..499) },
                ReferenceRow { name: 500..515, role: 7, receiver: Some(490..498) },
                ReferenceRow { name: 500..516, role: 4, receiver: Some(490..497) },
                ReferenceRow { name: 500..501, role: 2, receiver: Some(600..u32::MAX) },
                ReferenceRow { name: 600..u32::MAX, role: 2, receiver: Some(600..600) },
            ],
        }
    }

    #[test]
    fn facts_are_read_as_they_were_written() {
        assert_eq!(Facts::from_bytes(&sample().to_bytes()), Some(sample()));
        assert_eq!(Facts::from_bytes(&Facts::default().to_bytes()), Some(Facts::default()));
    }

    #[test]
    fn damaged_facts_are_told_and_never_panic() {
        let good = sample().to_bytes();
        for at in 0..good.len() {
            assert_eq!(Facts::from_bytes(&good[..at]), None, "cut at {at}");
            let mut bad = good.clone();
            bad[at] ^= 0xff;
            drop(Facts::from_bytes(&bad));
        }
    }
}
