//! What a pattern asks of the text of captured nodes.

use std::sync::OnceLock;

use regex::bytes::Regex;

/// A condition on the text of every node with a capture.
#[derive(Debug)]
pub(in crate::syntax) struct Predicate {
    pub(in crate::syntax) capture: u32,
    pub(in crate::syntax) test: Test,
    /// What the test has to say.
    pub(in crate::syntax) expected: bool,
}

/// What is asked about a text.
#[derive(Debug)]
pub(in crate::syntax) enum Test {
    /// One of these.
    Among(Vec<String>),
    /// The text of another capture.
    SameAs(u32),
    /// The regular expression at that place of the list.
    Wording(usize),
}

/// A regular expression, compiled when the first text is held against it: most files need none.
#[derive(Debug)]
pub(in crate::syntax) struct Wording {
    pub(in crate::syntax) expression: String,
    regex: OnceLock<Option<Regex>>,
}

impl Wording {
    pub(in crate::syntax) fn new(expression: String) -> Self {
        Self { expression, regex: OnceLock::new() }
    }

    /// `None` where the expression is not one, which a test rules out for all that ship.
    pub(in crate::syntax) fn regex(&self) -> Option<&Regex> {
        self.regex.get_or_init(|| Regex::new(&self.expression).ok()).as_ref()
    }
}

impl Predicate {
    /// Whether one of the captured texts is as asked, as far as no other has to be known.
    pub(in crate::syntax) fn may_hold(&self, wordings: &[Wording], text: &str) -> bool {
        match &self.test {
            Test::Among(words) => words.iter().any(|word| word == text) == self.expected,
            Test::Wording(idx) => {
                let regex = wordings.get(*idx).and_then(Wording::regex);
                regex.is_some_and(|regex| regex.is_match(text.as_bytes()) == self.expected)
            },
            Test::SameAs(_) => true,
        }
    }

    /// Whether the captured texts are as asked; `texts` gives those of a capture in order.
    pub(in crate::syntax) fn holds<'t, T: Iterator<Item = &'t str>>(
        &self,
        wordings: &[Wording],
        texts: impl Fn(u32) -> T,
    ) -> bool {
        let mut own = texts(self.capture);
        match &self.test {
            Test::Among(_) | Test::Wording(_) => own.all(|text| self.may_hold(wordings, text)),
            Test::SameAs(other) => {
                let mut others = texts(*other);
                loop {
                    match (own.next(), others.next()) {
                        (Some(one), Some(other)) if (one == other) == self.expected => {},
                        (None, None) => return true,
                        _ => return false,
                    }
                }
            },
        }
    }
}
