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
}
