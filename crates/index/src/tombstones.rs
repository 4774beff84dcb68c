//! Which documents of a segment are dead? A bit set beside the segment, which itself never changes.

use gik_base::{ErrorCode, Failure, Result};

use crate::bit_set::BitSet;
use crate::segment::DocNo;
use crate::varint::{ByteReader, write_varint};

/// The dead documents of one segment.
#[derive(Debug, Clone, Default)]
pub struct Tombstones {
    dead: BitSet,
    count: u32,
}

impl PartialEq for Tombstones {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Tombstones {}

impl Tombstones {
    /// Marks a document as dead; whether it was alive before.
    pub fn insert(&mut self, doc: DocNo) -> bool {
        let is_new = self.dead.insert(doc.0);
        self.count += u32::from(is_new);
        is_new
    }

    /// Whether a document is dead.
    #[inline]
    pub fn contains(&self, doc: DocNo) -> bool {
        self.dead.contains(doc.0)
    }

    /// How many are dead.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The dead documents, rising.
    pub fn iter(&self) -> impl Iterator<Item = DocNo> + '_ {
        self.dead.iter().map(DocNo)
    }

    /// Whether any document from `first` to `last`, both included, is dead.
    pub(crate) fn any_in(&self, first: u32, last: u32) -> bool {
        self.dead.any_in(first, last)
    }

    /// The bytes for the store: gaps between the dead as varints.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut next = 0;
        for doc in self.iter() {
            write_varint(&mut bytes, u64::from(doc.0 - next));
            next = doc.0 + 1;
        }
        bytes
    }

    /// Reads what [`Tombstones::to_bytes`] wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        // A set takes an eighth of a byte per document; beyond a billion documents this is not a set but damage.
        const MAX_DOC: u64 = 1 << 30;
        let mut tombstones = Self::default();
        let mut reader = ByteReader::new(bytes);
        let mut next = 0u64;
        while !reader.is_done() {
            let doc = next.saturating_add(reader.varint());
            if doc >= MAX_DOC || reader.at() > bytes.len() {
                return Err(Failure::new(
                    ErrorCode::StoreBroken,
                    "a list of dead documents is damaged",
                ));
            }
            tombstones.insert(DocNo(doc as u32));
            next = doc + 1;
        }
        Ok(tombstones)
    }
}

impl FromIterator<DocNo> for Tombstones {
    fn from_iter<I: IntoIterator<Item = DocNo>>(docs: I) -> Self {
        let mut tombstones = Self::default();
        for doc in docs {
            tombstones.insert(doc);
        }
        tombstones
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sets_round_trip_and_know_their_ranges(
            docs in proptest::collection::btree_set(0u32..2000, 0..50), first in 0u32..2100, width in 0u32..300,
        ) {
            let tombstones: Tombstones = docs.iter().copied().map(DocNo).collect();
            prop_assert_eq!(tombstones.count() as usize, docs.len());
            prop_assert!(tombstones.iter().map(|doc| doc.0).eq(docs.iter().copied()));
            let read = Tombstones::from_bytes(&tombstones.to_bytes()).unwrap();
            prop_assert_eq!(&read, &tombstones);
            let last = first + width;
            prop_assert_eq!(tombstones.any_in(first, last), docs.range(first..=last).next().is_some());
        }

        #[test]
        fn any_bytes_are_a_set_or_a_failure(bytes in proptest::collection::vec(any::<u8>(), 0..20)) {
            if let Ok(tombstones) = Tombstones::from_bytes(&bytes) {
                prop_assert_eq!(Tombstones::from_bytes(&tombstones.to_bytes()).unwrap(), tombstones);
            }
        }
    }
}
