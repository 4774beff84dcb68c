//! Conditional lines that tear a declaration apart, and a text without them that can be read.
//!
//! A grammar reads `#if` around whole declarations and statements. Around a base class, one of many parameters or half of
//! an expression it cannot, and may lose the type around as well.

use std::ops::Range;

/// What a declaration or statement goes on with, so that a branch which starts with it is no whole one.
const CONTINUATIONS: [&str; 3] = ["else", "catch", "finally"];

/// One `#if` to its `#endif`.
struct Group {
    /// Where the lines of its directives are.
    directives: Vec<Range<usize>>,
    /// The text of its branches, each up to the next directive.
    branches: Vec<Range<usize>>,
    /// The last character of code before it.
    before: Option<char>,
}

/// The text with every group that is not about whole declarations reduced to its first branch; what is left out becomes
/// spaces, so that all places stay the same. `None` where there is no such group.
pub(super) fn without_torn(text: &str) -> Option<String> {
    let torn: Vec<Group> = groups(text).into_iter().filter(|group| group.is_torn(text)).collect();
    if torn.is_empty() {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    for group in torn {
        for range in group.directives.into_iter().chain(group.branches.into_iter().skip(1)) {
            for byte in bytes.get_mut(range).unwrap_or_default() {
                if !matches!(byte, b'\n' | b'\r') {
                    *byte = b' ';
                }
            }
        }
    }
    String::from_utf8(bytes).ok()
}

impl Group {
    fn is_torn(&self, text: &str) -> bool {
        let is_after_whole =
            self.before.is_none_or(|last| matches!(last, ';' | '{' | '}' | ']' | ':'));
        !is_after_whole
            || self
                .branches
                .iter()
                .any(|branch| is_fragment(text.get(branch.clone()).unwrap_or_default()))
    }
}

/// Whether a branch is not a row of whole declarations or statements, as far as its ends tell.
fn is_fragment(branch: &str) -> bool {
    let mut code = branch.lines().map(code_of).filter(|line| !line.is_empty());
    let Some(first) = code.next() else { return false };
    let last = code.next_back().unwrap_or(first);
    let starts_inside = !first.starts_with(|c: char| {
        c.is_alphanumeric() || matches!(c, '_' | '[' | '@' | '~' | '*' | '(' | '-' | '+')
    });
    let goes_on = CONTINUATIONS.iter().any(|word| first.starts_with(word));
    starts_inside || goes_on || !last.ends_with([';', '}', ']', ':'])
}

/// A line without its comment and without what is a directive.
fn code_of(line: &str) -> &str {
    let line = line.trim();
    if line.starts_with(['#', '*']) || line.starts_with("/*") || line.starts_with("//") {
        return "";
    }
    line.split(" //").next().unwrap_or(line).trim_end()
}

/// Every group of the text, inner ones before those around them.
fn groups(text: &str) -> Vec<Group> {
    let mut open: Vec<Group> = Vec::new();
    let mut done = Vec::new();
    let mut before = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let range = start..start + line.len();
        start = range.end;
        match directive(line) {
            Some("if" | "ifdef" | "ifndef") => {
                let mut group = Group { directives: Vec::new(), branches: Vec::new(), before };
                group.branches.push(range.end..range.end);
                group.directives.push(range);
                open.push(group);
            },
            Some("elif" | "elifdef" | "elifndef" | "else") => {
                if let Some(group) = open.last_mut() {
                    group.close_branch(range.start);
                    group.branches.push(range.end..range.end);
                    group.directives.push(range);
                }
            },
            Some("endif") => {
                if let Some(mut group) = open.pop() {
                    group.close_branch(range.start);
                    group.directives.push(range);
                    done.push(group);
                }
            },
            _ => before = code_of(line).chars().next_back().or(before),
        }
    }
    done
}

impl Group {
    fn close_branch(&mut self, end: usize) {
        if let Some(branch) = self.branches.last_mut() {
            branch.end = end;
        }
    }
}

/// The word of a directive.
fn directive(line: &str) -> Option<&str> {
    let word = line.trim_start().strip_prefix('#')?.trim_start();
    word.split(|c: char| !c.is_ascii_alphabetic()).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_around_whole_declarations_are_left_alone() {
        let text = "class A {\n#if X\n    int a;\n#else\n    void b() {\n    }\n#endif\n}\n";
        assert_eq!(without_torn(text), None);
        assert_eq!(without_torn("#if X\nusing A;\n#endif\n"), None);
        assert_eq!(without_torn("#endif\n#else\n#if"), None);
    }

    #[test]
    fn a_torn_declaration_keeps_its_first_branch_and_all_places() {
        let text = "class Ä\n#if X\n    : B\n#else\n    : C\n#endif\n{}\n";
        let whole = without_torn(text).unwrap();
        assert_eq!(whole, "class Ä\n     \n    : B\n     \n       \n      \n{}\n");
        assert_eq!(whole.len(), text.len());
    }

    #[test]
    fn only_the_torn_group_is_reduced() {
        let text = "#if A\nint a;\n#else\nint f(int b\n#if B\n, int c\n#endif\n);\n#endif\n";
        let whole = without_torn(text).unwrap();
        assert!(whole.starts_with("#if A\nint a;\n#else\n"), "{whole}");
        assert!(!whole.contains("#if B"), "{whole}");
        assert!(without_torn("if (a) {\n}\n#if X\nelse {\n}\n#endif\n").is_some());
    }
}
