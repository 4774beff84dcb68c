//! What a reference is: a place where a name is used, and for what.

use std::ops::Range;

/// Longer receivers, in bytes, say little about what a name belongs to.
pub(crate) const RECEIVER_MAX: u32 = 80;

/// A name in the text that stands for something defined elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// Where the name stands, in bytes.
    pub name: Range<u32>,
    /// What the name is used for.
    pub role: ReferenceRole,
    /// Where the text stands that the name belongs to: `store` of `store.open()`. Only short ones on one line.
    pub receiver: Option<Range<u32>>,
    /// The innermost symbol around the name: its place in [`Parsed::symbols`](crate::Parsed::symbols).
    pub enclosing: Option<u32>,
}

impl Reference {
    /// The name, out of the text that was parsed.
    pub fn name_in<'t>(&self, text: &'t str) -> &'t str {
        slice(text, &self.name)
    }

    /// The receiver, out of the text that was parsed.
    pub fn receiver_in<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.receiver.as_ref().map(|receiver| slice(text, receiver))
    }
}

fn slice<'t>(text: &'t str, range: &Range<u32>) -> &'t str {
    text.get(range.start as usize..range.end as usize).unwrap_or_default()
}

/// The kinds of [`Reference`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReferenceRole {
    /// A function, method, macro or constructor is called.
    Call,
    /// A value is read or handed on.
    Usage,
    /// A name is brought in from elsewhere.
    Import,
    /// A type is named.
    Type,
    /// A value is assigned.
    Write,
}

impl ReferenceRole {
    /// Every role.
    pub const ALL: [Self; 5] = [Self::Call, Self::Usage, Self::Import, Self::Type, Self::Write];

    /// The name in contracts.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Usage => "usage",
            Self::Import => "import",
            Self::Type => "type",
            Self::Write => "write",
        }
    }

    /// Its place in [`ReferenceRole::ALL`].
    pub fn number(self) -> u8 {
        self as u8
    }

    /// The role at that place.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// The role with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_role_has_one_name() {
        for role in ReferenceRole::ALL {
            assert_eq!(ReferenceRole::from_name(role.as_str()), Some(role));
        }
    }
}
