//! A text without the parts that its grammar cannot read but that hold no definitions.
//!
//! Everything stays at its byte and on its line, so that a tree of the masked text is one of the text.

/// What stands for a byte that need not be read.
const FILL: u8 = b'x';

/// A text with plain letters in place of all that is not ASCII.
pub(super) fn other_letters(text: &str) -> String {
    let shown = |byte: u8| if byte.is_ascii() { byte } else { FILL };
    text.bytes().map(|byte| char::from(shown(byte))).collect()
}

/// A text without a sign in a last line that nothing ends.
pub(super) fn unended(text: &str, sign: char) -> Option<String> {
    let start = text.rfind('\n').map_or(0, |newline| newline + 1);
    let (lines, last) = text.split_at(start);
    let fill = " ".repeat(sign.len_utf8());
    last.contains(sign).then(|| [lines, &last.replace(sign, &fill)].concat())
}

/// A makefile without the insides of values, commands and expansions, where anything may stand.
pub(crate) fn makefile(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut is_define = false;
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(first) = lines.next() {
        let word = first.trim_start().split([' ', '\t', '\n', '\r']).next().unwrap_or_default();
        let mut is_continued = continues(first);
        if is_define || word == "define" {
            is_define = word != "endef";
            out.extend_from_slice(first.as_bytes());
            continue;
        }
        let mut rest = Rest::of(first);
        rest.mask(first, &mut out);
        while is_continued && let Some(line) = lines.next() {
            is_continued = continues(line);
            rest.mask(line, &mut out);
        }
    }
    // Only whole characters were replaced, by as many signs as they have bytes.
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

fn continues(line: &str) -> bool {
    line.trim_end_matches(['\n', '\r']).ends_with('\\')
}

/// How a line and those that continue it are masked.
enum Rest {
    /// Not at all.
    Kept,
    /// Commands below a rule, up to the line break.
    Command,
    /// An expansion that stands alone does something and is read as a comment.
    Comment,
    /// Expansions only, until the value of a variable begins; then all. Counts the open brackets.
    Statement { is_value: bool, depth: usize },
}

impl Rest {
    fn of(line: &str) -> Self {
        let code = line.trim_start_matches(' ');
        if code.starts_with('\t') {
            return Self::Command;
        }
        let word = code.split([' ', '\t', '(', '\n', '\r']).next().unwrap_or_default();
        match word {
            "ifeq" | "ifneq" | "ifdef" | "ifndef" | "else" | "endif" | "include" | "-include" => {
                Self::Kept
            },
            _ if code.starts_with('#') => Self::Kept,
            _ if is_lone_expansion(code) => Self::Comment,
            _ => Self::Statement { is_value: false, depth: 0 },
        }
    }

    fn mask(&mut self, line: &str, out: &mut Vec<u8>) {
        let content = line.trim_end_matches(['\n', '\r']);
        let end = &line[content.len()..];
        let content = content.strip_suffix('\\').unwrap_or(content);
        let tail = &line[content.len()..line.len() - end.len()];
        match self {
            Self::Kept => out.extend_from_slice(content.as_bytes()),
            Self::Comment => {
                out.push(b'#');
                let len = (content.len() + tail.len()).saturating_sub(1);
                out.extend(std::iter::repeat_n(FILL, len));
                out.extend_from_slice(end.as_bytes());
                return;
            },
            Self::Command => fill(content, out),
            Self::Statement { is_value, depth } => statement(content, is_value, depth, out),
        }
        out.extend_from_slice(tail.as_bytes());
        out.extend_from_slice(end.as_bytes());
    }
}

/// Replaces everything but blanks at the start.
fn fill(text: &str, out: &mut Vec<u8>) {
    let code = text.trim_start_matches([' ', '\t']);
    out.extend_from_slice(&text.as_bytes()[..text.len() - code.len()]);
    out.extend(std::iter::repeat_n(FILL, code.len()));
}

/// Replaces expansions and the value of a variable.
fn statement(text: &str, is_value: &mut bool, depth: &mut usize, out: &mut Vec<u8>) {
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if *is_value && *depth == 0 {
            return fill(rest, out);
        }
        let Some(c) = rest.chars().next() else { return };
        let opens = rest.starts_with("$(") || rest.starts_with("${");
        if opens || (*depth > 0 && matches!(c, '(' | '{')) {
            *depth += 1;
        }
        let is_masked = *depth > 0;
        if *depth > 0 && matches!(c, ')' | '}') {
            *depth -= 1;
        }
        let len = if opens { 2 } else { c.len_utf8() };
        if is_masked && c != ' ' && c != '\t' {
            out.extend(std::iter::repeat_n(FILL, len));
        } else {
            // A blank inside an expansion would make two words of it.
            let blank = is_masked.then_some(FILL);
            out.extend(rest[..len].bytes().map(|byte| blank.unwrap_or(byte)));
        }
        if !is_masked {
            if c == '#' {
                out.extend_from_slice(&rest.as_bytes()[len..]);
                return;
            }
            *is_value = c == '=';
        }
        at += len;
    }
}

/// Whether a line is an expansion and nothing else, as far as it goes.
fn is_lone_expansion(code: &str) -> bool {
    if !(code.starts_with("$(") || code.starts_with("${")) {
        return false;
    }
    let mut depth = 0_usize;
    for (at, c) in code.char_indices() {
        match c {
            '(' | '{' => depth += 1,
            ')' | '}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return code[at + 1..].trim().is_empty();
                }
            },
            _ => {},
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_commands_and_expansions_are_masked_and_nothing_moves() {
        let text =
            "A := $(if $(B),c,)\n$(O:.c=.o): d $(E) # f\n\t$(G) h\\\n  i\n$(error j \\\nk)\n";
        let masked = makefile(text);
        assert_eq!(
            masked,
            "A := xxxxxxxxxxxxx\nxxxxxxxxxx: d xxxx # f\n\txxxxxx\\\n  x\n#xxxxxxxxxx\n#x\n"
        );
        assert_eq!(masked.len(), text.len());
    }

    #[test]
    fn definitions_of_several_lines_and_conditions_stay() {
        for text in ["define A\n$(B) = c\nendef\n", "ifeq ($(A),b)\nendif\n", "# $(C)\n"] {
            assert_eq!(makefile(text), text);
        }
    }

    #[test]
    fn any_text_keeps_its_length_and_its_lines() {
        for text in ["ä = ö\\", "$(", "}", "\t\\\r\nü", "a$(ö\\\nß)=\u{2028}\n", "$(é)"] {
            let masked = makefile(text);
            assert_eq!(masked.len(), text.len(), "{text:?}");
            assert_eq!(masked.matches('\n').count(), text.matches('\n').count());
        }
    }
}
