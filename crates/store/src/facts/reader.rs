//! Gets facts from bytes that may be damaged.

use std::ops::Range;

use super::{
    Capsule, Declaration, HAS_RECEIVER, LONG, OTHER, ROLE_BITS, ROLES, ReferenceRow, SCOPE_KINDS,
    ScopeRow,
};

/// The bytes that were not read yet.
pub(crate) struct Input<'a>(pub(crate) &'a [u8]);

impl<'a> Input<'a> {
    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(byte)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (array, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*array)
    }

    pub(crate) fn number(&mut self) -> Option<u64> {
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

    pub(crate) fn small(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }

    fn take(&mut self, length: u64) -> Option<&'a str> {
        let (text, rest) = self.0.split_at_checked(usize::try_from(length).ok()?)?;
        self.0 = rest;
        std::str::from_utf8(text).ok()
    }

    pub(crate) fn text(&mut self) -> Option<&'a str> {
        let length = self.number()?;
        self.take(length)
    }

    pub(super) fn capsules(&mut self) -> Option<Vec<Capsule>> {
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
    pub(super) fn range(&mut self, last: u32) -> Option<Range<u32>> {
        let start = last.checked_add(self.small()?)?;
        Some(start..start.checked_add(self.small()?)?)
    }

    /// A reference that starts at or after `last`.
    pub(super) fn reference(&mut self, last: u32) -> Option<ReferenceRow> {
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

impl Input<'_> {
    pub(super) fn scopes(&mut self) -> Option<Vec<ScopeRow>> {
        let mut scopes = Vec::new();
        let mut last = 0;
        for _ in 0..self.number()? {
            let marks = self.byte()?;
            let mut place = |bit: u8| {
                if marks >> bit & 1 == 0 {
                    return Some(None);
                }
                let start = i64::from(last).checked_add(unzigzag(self.number()?))?;
                last = u32::try_from(start).ok()?;
                Some(Some(last..last.checked_add(self.small()?)?))
            };
            let (name, from, alias) = (place(5)?, place(6)?, place(7)?);
            scopes.push(ScopeRow { kind: marks & SCOPE_KINDS, name, from, alias });
        }
        Some(scopes)
    }
}

pub(crate) fn unzigzag(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}
