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
    /// Comments and documentation.
    Doc,
    /// The text of the chunk itself, without what is in [`Field::Doc`].
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

/// Which fields a question is put to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldSet(u8);

impl FieldSet {
    /// Every field.
    pub const ALL: Self = Self((1 << Field::COUNT) - 1);

    /// One field.
    pub const fn only(field: Field) -> Self {
        Self(1 << field.index())
    }

    /// The same fields but for one.
    #[must_use]
    pub const fn without(self, field: Field) -> Self {
        Self(self.0 & !(1 << field.index()))
    }

    /// Whether a field is among them.
    pub const fn has(self, field: Field) -> bool {
        self.has_index(field.index())
    }

    pub(crate) const fn has_index(self, index: usize) -> bool {
        self.0 & (1 << index) != 0
    }

    /// The frequencies in these fields.
    pub(crate) fn of(self, mut frequencies: Frequencies) -> Frequencies {
        for (index, frequency) in frequencies.iter_mut().enumerate() {
            if !self.has_index(index) {
                *frequency = 0;
            }
        }
        frequencies
    }
}

impl Default for FieldSet {
    fn default() -> Self {
        Self::ALL
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
