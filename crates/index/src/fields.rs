//! Which parts of a chunk are searched, and how much a word counts in each: the one table.

/// A searchable part of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Field {
    /// The name of what the chunk defines, or its heading.
    Name,
    /// The signature: parameters, types, bounds.
    Signature,
    /// The capsule: path words, module, enclosing types.
    Path,
    /// The doc comment.
    Doc,
    /// The text of the chunk itself.
    Body,
}

impl Field {
    /// Number of fields.
    pub const COUNT: usize = 5;

    /// Every field in the order of [`crate::Document::fields`].
    pub const ALL: [Self; Self::COUNT] =
        [Self::Name, Self::Signature, Self::Path, Self::Doc, Self::Body];

    /// How many occurrences in the body one occurrence in this field is worth.
    ///
    /// | field | weight | why |
    /// |---|---|---|
    /// | name | 8 | a chunk that *is* the asked thing beats every chunk that uses it |
    /// | signature | 4 | types and parameters say what a thing is for |
    /// | path | 3 | folders and modules name topics, but all chunks of a file share them |
    /// | doc | 2 | prose written to be found |
    /// | body | 1 | the unit |
    pub const fn weight(self) -> u32 {
        match self {
            Self::Name => 8,
            Self::Signature => 4,
            Self::Path => 3,
            Self::Doc => 2,
            Self::Body => 1,
        }
    }

    /// The place of the field in arrays by field.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// How often one term occurs in each field of one document.
pub(crate) type Frequencies = [u32; Field::COUNT];

/// The frequencies folded into one number by the weights.
pub(crate) fn weighted(frequencies: &Frequencies) -> u32 {
    Field::ALL.iter().fold(0u32, |sum, &field| {
        sum.saturating_add(frequencies[field.index()].saturating_mul(field.weight()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_fold_frequencies_and_saturate() {
        assert_eq!(weighted(&[1, 1, 1, 1, 1]), 18);
        assert_eq!(weighted(&[u32::MAX, 0, 0, 0, 1]), u32::MAX);
    }
}
