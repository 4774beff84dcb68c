//! What a jj working copy says of itself: its workspace name and the operation it was last updated to.

use std::path::Path;

use gik_base::{Result, fs};

/// The state of a jj working copy.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Checkout {
    /// The operation id in hexadecimal.
    pub(crate) operation: Option<String>,
    /// The name of the jj workspace.
    pub(crate) workspace: Option<String>,
}

/// What changes with every checkout, below the root of the working copy.
pub(crate) const CHECKOUT_FILE: &str = ".jj/working_copy/checkout";

/// Reads what the working copy at `root` has checked out.
pub(crate) fn checkout(root: &Path) -> Result<Checkout> {
    let bytes = fs::read_if_present(&root.join(CHECKOUT_FILE))?;
    Ok(parse(&bytes.unwrap_or_default()))
}

/// The file is one protobuf message: field 2 holds the operation id, field 3 the workspace name.
fn parse(bytes: &[u8]) -> Checkout {
    let mut checkout = Checkout::default();
    let mut rest = bytes;
    while let Some((number, value)) = next_field(&mut rest) {
        match (number, value) {
            (2, Some(id)) if !id.is_empty() => {
                checkout.operation = Some(id.iter().map(|byte| format!("{byte:02x}")).collect());
            },
            (3, Some(name)) if !name.is_empty() => {
                checkout.workspace = String::from_utf8(name.to_vec()).ok();
            },
            _ => {},
        }
    }
    checkout
}

/// The number of the next field and its bytes, where it has any; `None` at the end or where the bytes make no sense.
fn next_field<'a>(rest: &mut &'a [u8]) -> Option<(u64, Option<&'a [u8]>)> {
    let tag = varint(rest)?;
    let value = match tag & 7 {
        0 => {
            varint(rest)?;
            None
        },
        1 => {
            *rest = rest.get(8..)?;
            None
        },
        2 => {
            let length = usize::try_from(varint(rest)?).ok()?;
            let (value, after) = rest.split_at_checked(length)?;
            *rest = after;
            Some(value)
        },
        5 => {
            *rest = rest.get(4..)?;
            None
        },
        _ => return None,
    };
    Some((tag >> 3, value))
}

fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let (&byte, after) = rest.split_first()?;
        *rest = after;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_fields_are_found_among_others() {
        let mut bytes = vec![0x08, 0x96, 0x01, 0x12, 2, 0xab, 0x0c, 0x1a, 5];
        bytes.extend(b"write");
        bytes.extend([0x25, 1, 2, 3, 4]);
        let expected = Checkout { operation: Some("ab0c".into()), workspace: Some("write".into()) };
        assert_eq!(parse(&bytes), expected);
    }

    #[test]
    fn broken_bytes_give_what_was_readable() {
        assert_eq!(parse(&[]), Checkout::default());
        assert_eq!(parse(&[0x12, 0xff, 0xff, 0xff]), Checkout::default());
        assert_eq!(parse(&[0xff; 32]), Checkout::default());
    }
}
