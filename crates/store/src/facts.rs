//! What is known of a file beyond its rows: the capsules of its chunks, its comments, its references. One blob per file,
//! because nothing but a look at that very file needs it, and because a row for every reference would be larger than
//! the source.
//!
//! Places are bytes of the decoded text; names are not stored, they are read from the text.
//!
//! A long blob is made shorter (`deflate`): all of them would be a tenth of the text. What is inside:
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
//! n · n × scope             in the order of the caller
//!     one byte               low five bits: the kind; then a bit for each of name, from, alias
//!     each of these          distance from the one before (the start of the text) · length
//! text = length · bytes; all numbers are varints, a step and a distance are zigzag
//! ```

pub(crate) mod reader;
pub(crate) mod writer;

use std::ops::Range;

use crate::deflate::{deflate, inflate};

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

/// Something that a file says about names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScopeRow {
    /// What is said, as a number below 32 that means something to the caller.
    pub kind: u8,
    /// The name it is said of.
    pub name: Option<Range<u32>>,
    /// What the name is tied to.
    pub from: Option<Range<u32>>,
    /// Another name for it.
    pub alias: Option<Range<u32>>,
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
    /// What the file says about names.
    pub scopes: Vec<ScopeRow>,
}

/// A length from here on takes bytes of its own.
const LONG: u32 = 15;
const ROLE_BITS: u32 = 4;
const ROLES: u8 = 7;
const HAS_RECEIVER: u8 = 1 << 7;
/// Neither one nor two signs are between a receiver and the name.
const OTHER: u64 = 2;
const SCOPE_KINDS: u8 = 31;

impl Facts {
    /// The blob.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(64 + self.capsules.len() * 8 + self.references.len() * 4);
        writer::capsules(&mut out, &self.capsules);
        writer::number(&mut out, self.comments.len() as u64);
        let mut last = 0;
        for comment in &self.comments {
            writer::number(&mut out, u64::from(comment.start.wrapping_sub(last)));
            writer::number(&mut out, u64::from(comment.end.wrapping_sub(comment.start)));
            last = comment.start;
        }
        writer::number(&mut out, self.references.len() as u64);
        let mut last = 0;
        for reference in &self.references {
            writer::number(&mut out, u64::from(reference.name.start.wrapping_sub(last)));
            writer::reference(&mut out, reference);
            last = reference.name.start;
        }
        writer::scopes(&mut out, &self.scopes);
        deflate(&out)
    }

    /// Reads a blob; `None` where it is damaged.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let bytes = inflate(bytes)?;
        let mut input = reader::Input(&bytes);
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
        facts.scopes = input.scopes()?;
        input.0.is_empty().then_some(facts)
    }
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
            scopes: vec![
                ScopeRow { kind: 31, name: Some(7..9), from: Some(1..3), alias: None },
                ScopeRow { kind: 0, name: None, from: None, alias: Some(5..u32::MAX) },
                ScopeRow { kind: 3, name: None, from: Some(0..0), alias: Some(2..2) },
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
