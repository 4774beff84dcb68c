//! Which texts a grammar would take far too long for; its steps alone do not tell.

/// More than this is not written by people, and every level makes all further steps slower.
const DEPTH_MAX: usize = 1000;

/// Whether blocks are nested so deep that a grammar with layout takes time that grows with the square of the text.
pub(crate) fn layout(text: &str) -> bool {
    let mut depth = 0_usize;
    for line in text.lines() {
        for byte in line.bytes() {
            match byte {
                b'{' | b'(' | b'[' => depth += 1,
                b'}' | b')' | b']' => depth = depth.saturating_sub(1),
                _ => {},
            }
            if depth > DEPTH_MAX {
                return true;
            }
        }
        // Each one opens a block inside the one before it.
        if line.len() > DEPTH_MAX && line.matches("do ").count() > DEPTH_MAX {
            return true;
        }
    }
    false
}

/// The parser tries to mend each bracket that closes nothing, with every token the language has and up through all that
/// is open: some hundred of them take seconds.
const STRAY_MAX: usize = 300;

/// Whether more brackets close nothing than any source has. Round ones do not count: they end the patterns of a shell's
/// `case`, and the numbers of lists.
pub(super) fn has_stray_brackets(text: &str) -> bool {
    // Most texts do not have that many brackets. Within a byte, as many can be counted at once as fit into a register.
    let count_closing =
        |part: &[u8]| -> u8 { part.iter().map(|byte| u8::from(matches!(byte, b'}' | b']'))).sum() };
    let parts = text.as_bytes().chunks(usize::from(u8::MAX));
    let n_closing: usize = parts.map(|part| usize::from(count_closing(part))).sum();
    if n_closing <= STRAY_MAX {
        return false;
    }
    let (mut curly, mut square, mut n_stray) = (0_usize, 0_usize, 0_usize);
    for byte in text.bytes() {
        let open = match byte {
            b'{' | b'}' => &mut curly,
            b'[' | b']' => &mut square,
            _ => continue,
        };
        match (byte, *open) {
            (b'{' | b'[', _) => *open += 1,
            (_, 0) => n_stray += 1,
            _ => *open -= 1,
        }
    }
    n_stray > STRAY_MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_writes_is_too_deep() {
        assert!(!layout("main = do\n  print (f [1, 2])\n"));
        assert!(!layout(&"x = do { y }\n".repeat(5000)));
        assert!(layout(&"mod a {\n".repeat(2000)));
        assert!(layout(&"do ".repeat(2000)));
    }

    #[test]
    fn only_brackets_that_close_nothing_are_stray() {
        assert!(!has_stray_brackets(&"fn f() { g([1]) }\n".repeat(5000)));
        assert!(!has_stray_brackets(&"case) [".repeat(5000)));
        assert!(has_stray_brackets(&"-}".repeat(2000)));
        assert!(has_stray_brackets(&"[]]".repeat(2000)));
    }
}
