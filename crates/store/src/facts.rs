//! What is known of a file beyond its rows: the capsules of its chunks, its comments, its references. One blob per file,
//! because nothing but a look at that very file needs it, and because a row for every reference would be larger than
//! the source.
//!
//! Places are bytes of the decoded text; names are not stored, they are read from the text.
//!
//! ```text
//! n · n × (text signature · text container · text imports)          a capsule for every chunk, in order
//! n · n × (gap · length)                                            comments, rising
//! n · n × (gap · length · role | has receiver << 3 [· distance · length])    references, rising
//! text = length · bytes; all numbers are varints, a distance is zigzag
//! ```

use std::ops::Range;

/// What a chunk is found by apart from its text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Capsule {
    /// Signatures of the items inside, one per line.
    pub signature: String,
    /// Enclosing types and modules.
    pub container: String,
    /// Imported names it uses, space-separated.
    pub imports: String,
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

const HAS_RECEIVER: u8 = 1 << 3;

impl Facts {
    /// The blob.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(64 + self.references.len() * 5);
        put(&mut out, self.capsules.len() as u64);
        for capsule in &self.capsules {
            for text in [&capsule.signature, &capsule.container, &capsule.imports] {
                put(&mut out, text.len() as u64);
                out.extend(text.as_bytes());
            }
        }
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
            let start = reference.name.start;
            put(&mut out, u64::from(start.wrapping_sub(last)));
            put(&mut out, u64::from(reference.name.end.wrapping_sub(start)));
            let role = reference.role & (HAS_RECEIVER - 1);
            match &reference.receiver {
                None => out.push(role),
                Some(receiver) => {
                    out.push(role | HAS_RECEIVER);
                    let distance = i64::from(start) - i64::from(receiver.start);
                    put(&mut out, ((distance << 1) ^ (distance >> 63)).cast_unsigned());
                    put(&mut out, u64::from(receiver.end.wrapping_sub(receiver.start)));
                },
            }
            last = start;
        }
        out
    }

    /// Reads a blob; `None` where it is damaged.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut input = Input(bytes);
        let mut facts = Self::default();
        for _ in 0..input.number()? {
            facts.capsules.push(Capsule {
                signature: input.text()?,
                container: input.text()?,
                imports: input.text()?,
            });
        }
        let mut last = 0;
        for _ in 0..input.number()? {
            let comment = input.range(last)?;
            last = comment.start;
            facts.comments.push(comment);
        }
        let mut last = 0;
        for _ in 0..input.number()? {
            let name = input.range(last)?;
            last = name.start;
            let marks = u8::try_from(input.number()?).ok()?;
            let receiver = if marks & HAS_RECEIVER == 0 {
                None
            } else {
                let zigzag = input.number()?;
                let distance = (zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed();
                let start = u32::try_from(i64::from(name.start).checked_sub(distance)?).ok()?;
                Some(start..start.checked_add(u32::try_from(input.number()?).ok()?)?)
            };
            let role = marks & (HAS_RECEIVER - 1);
            facts.references.push(ReferenceRow { name, role, receiver });
        }
        input.0.is_empty().then_some(facts)
    }
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

impl Input<'_> {
    fn number(&mut self) -> Option<u64> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn text(&mut self) -> Option<String> {
        let length = usize::try_from(self.number()?).ok()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(std::str::from_utf8(text).ok()?.to_owned())
    }

    /// A place that starts at or after `last`.
    fn range(&mut self, last: u32) -> Option<Range<u32>> {
        let start = last.checked_add(u32::try_from(self.number()?).ok()?)?;
        Some(start..start.checked_add(u32::try_from(self.number()?).ok()?)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Facts {
        Facts {
            capsules: vec![
                Capsule {
                    signature: "fn größe()".into(),
                    container: "Store".into(),
                    imports: "HashMap Path".into(),
                },
                Capsule::default(),
            ],
            comments: vec![0..12, 300..70_000],
            references: vec![
                ReferenceRow { name: 3..9, role: 0, receiver: None },
                ReferenceRow { name: 500..510, role: 4, receiver: Some(490..499) },
                ReferenceRow { name: 500..501, role: 2, receiver: Some(600..u32::MAX) },
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
