//! Conditional lines that tear a declaration apart, and a text without them that can be read.
//!
//! A grammar reads `#if` around whole declarations and statements. Around a base class, one of many parameters or half of
//! an expression it cannot, and may lose the type around as well.

use std::ops::Range;

use super::draft::Draft;
use super::macros;

/// What a declaration or statement goes on with, so that a branch which starts with it is no whole one.
const CONTINUATIONS: [&str; 3] = ["else", "catch", "finally"];

/// Conditions nested deeper are left as they are: each is looked at as a whole.
const DEPTH_MAX: usize = 32;

/// One `#if` to its `#endif`.
struct Group {
    /// Where the lines of its directives are.
    directives: Vec<Range<usize>>,
    /// The text of its branches, each up to the next directive.
    branches: Vec<Range<usize>>,
    /// The last character of code before it.
    before: Option<char>,
    /// Whether its first branch is never taken.
    is_never: bool,
}

/// Reduces every group that is not about whole declarations to one branch, or to all of them where they are parts of one
/// list.
pub(super) fn leave_out_torn(draft: &mut Draft) {
    let code = String::from_utf8_lossy(draft.code()).into_owned();
    for group in groups(&code).into_iter().filter(|group| group.is_torn(&code)) {
        let is_list = group.is_list(&code);
        let taken = usize::from(group.is_never);
        let others = group.branches.into_iter().enumerate().filter(|(idx, _)| *idx != taken);
        let others = others.filter(|_| !is_list).map(|(_, branch)| branch);
        for range in group.directives.into_iter().chain(others) {
            draft.blank(range);
        }
    }
}

impl Group {
    fn is_torn(&self, code: &str) -> bool {
        let is_after_whole =
            self.before.is_none_or(|last| matches!(last, ';' | '{' | '}' | ']' | ':'));
        !is_after_whole || self.texts(code).any(is_fragment)
    }

    /// Whether all branches are parts of one list: parameters, enumerators, values.
    fn is_list(&self, code: &str) -> bool {
        self.texts(code).all(|branch| {
            let mut lines = lines(branch);
            let first = lines.next();
            let last = lines.next_back().or(first);
            is_balanced(branch)
                && (first.is_none_or(|first| first.starts_with(','))
                    || last.is_some_and(|last| last.ends_with(',')))
        })
    }

    fn texts<'c>(&self, code: &'c str) -> impl Iterator<Item = &'c str> {
        self.branches.iter().map(|branch| code.get(branch.clone()).unwrap_or_default())
    }

    /// The condition goes on up to there, and the branch starts behind it.
    fn extend_directive(&mut self, end: usize) {
        if let (Some(directive), Some(branch)) =
            (self.directives.last_mut(), self.branches.last_mut())
        {
            directive.end = end;
            *branch = end..end;
        }
    }

    fn close_branch(&mut self, end: usize) {
        if let Some(branch) = self.branches.last_mut() {
            branch.end = end;
        }
    }
}

/// Whether a branch is not a row of whole declarations or statements, as far as its ends and brackets tell.
fn is_fragment(branch: &str) -> bool {
    let mut code = lines(branch);
    let Some(first) = code.next() else { return false };
    let last = code.next_back().unwrap_or(first);
    let starts_inside = !first.starts_with(|c: char| {
        c.is_alphanumeric() || matches!(c, '_' | '[' | '@' | '~' | '*' | '(' | '-' | '+')
    });
    let goes_on = CONTINUATIONS.iter().any(|word| first.starts_with(word));
    starts_inside || goes_on || !last.ends_with([';', '}', ']', ':']) || !is_balanced(branch)
}

/// Whether every bracket of a branch is closed in it; what a macro is defined as does not count.
fn is_balanced(branch: &str) -> bool {
    let mut depth = 0_usize;
    let mut is_directive = false;
    for line in branch.lines() {
        let is_skipped = is_directive || line.trim_start().starts_with('#');
        is_directive = is_skipped && line.ends_with('\\');
        for byte in line.bytes().filter(|_| !is_skipped) {
            match byte {
                b'(' | b'{' => depth += 1,
                b')' | b'}' if depth == 0 => return false,
                b')' | b'}' => depth -= 1,
                _ => {},
            }
        }
    }
    depth == 0
}

/// The lines of code, without directives and what continues them, and without macros that stand alone.
fn lines(branch: &str) -> impl DoubleEndedIterator<Item = &str> {
    let mut is_directive = false;
    let code: Vec<&str> = branch
        .lines()
        .map(str::trim)
        .filter(|line| {
            let is_skipped = is_directive || line.starts_with('#');
            is_directive = is_skipped && line.ends_with('\\');
            !is_skipped && !line.is_empty() && !macros::is_lone_use(line)
        })
        .collect();
    code.into_iter()
}

/// Every group of the text, inner ones before those around them.
fn groups(code: &str) -> Vec<Group> {
    let mut open: Vec<Group> = Vec::new();
    let mut done = Vec::new();
    let mut before = None;
    let mut start = 0;
    let mut is_continued = false;
    let mut is_condition = false;
    for line in code.split_inclusive('\n') {
        let range = start..start + line.len();
        start = range.end;
        let continues = || line.trim_end().ends_with('\\');
        if is_continued {
            is_continued = continues();
            if let Some(group) = open.last_mut().filter(|_| is_condition) {
                group.extend_directive(range.end);
            }
            continue;
        }
        let word = directive(line);
        is_continued = word.is_some() && continues();
        is_condition = word.is_some_and(|word| word.contains("if"));
        match word {
            Some("if" | "ifdef" | "ifndef") => {
                let is_never = line.trim_end().ends_with("if 0");
                let mut group =
                    Group { directives: Vec::new(), branches: Vec::new(), before, is_never };
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
                    if open.len() < DEPTH_MAX {
                        done.push(group);
                    }
                }
            },
            Some(_) => {},
            None if macros::is_lone_use(line) => {},
            None => before = macros::last_sign(line).or(before),
        }
    }
    done
}

/// The word of a directive.
fn directive(line: &str) -> Option<&str> {
    let word = line.trim_start().strip_prefix('#')?.trim_start();
    word.split(|c: char| !c.is_ascii_alphabetic()).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without_torn(text: &str) -> Option<String> {
        let mut draft = Draft::new(text);
        leave_out_torn(&mut draft);
        draft.changed()
    }

    #[test]
    fn conditions_around_whole_declarations_are_left_alone() {
        let text = "class A {\n#if X\n    int a;\n#else\n    void b() {\n    }\n#endif\n}\n";
        assert_eq!(without_torn(text), None);
        assert_eq!(without_torn("#if X\nusing A;\n#endif\n"), None);
        assert_eq!(without_torn("#endif\n#else\n#if"), None);
        assert_eq!(without_torn("#if X\n#define A (\\\n  b {\n#endif\n"), None);
        assert_eq!(
            without_torn("#if X \\\n  && Y\nint a;\n#elif Z \\\n  && W\nint b;\n#endif\n"),
            None
        );
        assert_eq!(without_torn("MY_BEGIN\n#if X\nMY_USE(a)\n#endif\n"), None);
    }

    #[test]
    fn a_torn_declaration_keeps_its_first_branch_and_all_places() {
        let text = "class Ä\n#if X\n    : B\n#else\n    : C // c\n#endif\n{}\n";
        let whole = without_torn(text).unwrap();
        assert_eq!(whole, "class Ä\n     \n    : B\n     \n        // c\n      \n{}\n");
        assert_eq!(whole.len(), text.len());
    }

    #[test]
    fn only_the_torn_group_is_reduced() {
        let text = "#if A\nint a;\n#else\nint f(int b\n#if B\n= 1\n#endif\n);\n#endif\n";
        let whole = without_torn(text).unwrap();
        assert!(whole.starts_with("#if A\nint a;\n#else\n"), "{whole}");
        assert!(!whole.contains("#if B"), "{whole}");
        assert!(without_torn("if (a) {\n}\n#if X\nelse {\n}\n#endif\n").is_some());
    }

    #[test]
    fn a_branch_that_is_never_taken_goes() {
        let whole = without_torn("int f()\n#if 0\n{ a\n#else\n{ b\n#endif\n}\n").unwrap();
        assert!(whole.contains("{ b") && !whole.contains("{ a"), "{whole}");
    }

    #[test]
    fn parts_of_a_list_stay() {
        let whole = without_torn("enum {\nA,\n#if X\nB,\n#else\nC,\n#endif\nD };\n").unwrap();
        let words: Vec<_> = whole.split_whitespace().collect();
        assert_eq!(words.join(" "), "enum { A, B, C, D };");
    }
}
