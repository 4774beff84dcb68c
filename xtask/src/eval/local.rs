//! Whether a definition that ctags reports is inside a function, where variables are nobody's business.

use super::kinds::Kinds;
use super::oracle::Tag;

/// What ctags calls the functions that enclose something.
const FUNCTIONS: &[&str] =
    &["func", "function", "generator", "getter", "member", "method", "setter", "singletonMethod"];

/// Whether a tag is a variable or the like inside a function.
pub(super) fn is_local(tag: &Tag, lines: &[&str], kinds: &Kinds) -> bool {
    kinds.is_local(&tag.kind) && is_inside(tag, lines, kinds)
}

/// Whether a tag is inside a function.
pub(super) fn is_inside(tag: &Tag, lines: &[&str], kinds: &Kinds) -> bool {
    FUNCTIONS.contains(&tag.scope.as_str()) || kinds.indented && is_below_function(lines, tag.line)
}

/// Whether a line with less indentation above, or one around that, opens a function.
///
/// Good enough for formatted code of the languages with braces; a block counts as a function, its variables are local too.
fn is_below_function(lines: &[&str], line: u32) -> bool {
    let Some(own) = usize::try_from(line).ok().and_then(|line| line.checked_sub(1)) else {
        return false;
    };
    let Some(text) = lines.get(own) else { return false };
    let mut depth = indentation(text);
    for above in lines[..own].iter().rev() {
        if depth == 0 {
            break;
        }
        let words = above.trim();
        let is_comment = ["*", "/*", "//", "#"].iter().any(|mark| words.starts_with(mark));
        if words.is_empty() || is_comment || indentation(above) >= depth {
            continue;
        }
        depth = indentation(above);
        // The line above in a list of declarations is less indented and encloses nothing.
        if !words.ends_with(',') && opens_function(words) {
            return true;
        }
    }
    false
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn opens_function(words: &str) -> bool {
    words.contains("=>")
        || words.contains("function")
        || words.ends_with('{') && words.contains(')')
        || ["try {", "do {", "} else {", "} finally {"].contains(&words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[u32]) {
        let lines: Vec<&str> = text.lines().collect();
        let count = u32::try_from(lines.len()).unwrap();
        let found: Vec<u32> = (1..=count).filter(|line| is_below_function(&lines, *line)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn what_a_function_or_a_block_encloses_is_local() {
        check("const a = 1,\n  b = 2;\nconst f = () => {\n  const c = 1;\n};\n", &[4]);
        check("namespace A {\n  const a = 1;\n  // note\n  const b = {\n    c: 1,\n  };\n}\n", &[]);
        check("describe('x', function () {\n  if (a)\n    b();\n\n  let c;\n});\n", &[2, 3, 5]);
        check("export default {\n  meta: {\n    url: 1,\n  },\n};\n", &[]);
    }
}
