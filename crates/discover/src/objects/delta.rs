//! One object as the difference from another: what git writes into packs.

/// The object that a difference makes of its base; `None` where it makes no sense or more than `most` bytes.
pub(super) fn apply(base: &[u8], mut delta: &[u8], most: usize) -> Option<Vec<u8>> {
    if size(&mut delta)? != base.len() {
        return None;
    }
    let length = size(&mut delta)?;
    if length > most {
        return None;
    }
    let mut made = Vec::with_capacity(length);
    while let Some((&first, rest)) = delta.split_first() {
        delta = rest;
        if first & 0x80 != 0 {
            let (from, count) = copy(first, &mut delta)?;
            made.extend_from_slice(base.get(from..from.checked_add(count)?)?);
        } else {
            // Zero is kept for later versions of the format.
            let new = delta.get(..usize::from(first)).filter(|new| !new.is_empty())?;
            made.extend_from_slice(new);
            delta = &delta[new.len()..];
        }
        if made.len() > length {
            return None;
        }
    }
    (made.len() == length).then_some(made)
}

/// Where to copy from and how much: of both only the bytes that are not zero are written.
fn copy(first: u8, delta: &mut &[u8]) -> Option<(usize, usize)> {
    let mut number = |bits: std::ops::Range<u32>| {
        let mut value = 0usize;
        for (place, bit) in bits.enumerate() {
            if first & 1 << bit != 0 {
                let (&byte, rest) = delta.split_first()?;
                *delta = rest;
                value |= usize::from(byte) << (8 * place);
            }
        }
        Some(value)
    };
    let from = number(0..4)?;
    let count = number(4..7)?;
    Some((from, if count == 0 { 0x1_0000 } else { count }))
}

fn size(delta: &mut &[u8]) -> Option<usize> {
    let (mut value, mut shift) = (0usize, 0);
    loop {
        let (&byte, rest) = delta.split_first()?;
        *delta = rest;
        if shift > 56 {
            return None;
        }
        value |= usize::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_and_insertions_make_the_object() {
        let delta = [&[10, 8, 0x91, 2, 4, 3][..], b"new", &[0x90, 1]].concat();
        assert_eq!(apply(b"0123456789", &delta, 100).unwrap(), b"2345new0");
    }

    #[test]
    fn what_makes_no_sense_makes_nothing() {
        let base = b"0123456789";
        for delta in [
            &[][..],
            &[9, 1, 1, b'x'],
            &[10, 2, 1, b'x'],
            &[10, 1, 0],
            &[10, 4, 0x91, 8, 4],
            &[10, 1, 5, b'x'],
            &[0xff; 20],
        ] {
            assert_eq!(apply(base, delta, 100), None, "{delta:?}");
        }
        let delta = [10, 4, 0x91, 2, 4];
        assert_eq!(apply(base, &delta, 3), None);
        assert!(apply(base, &delta, 4).is_some());
    }
}
