//! What was asked already: the answers to questions of one file, kept while its edges are found.
//!
//! Names lead to names: a header includes headers that include it, a type derives from types whose names are looked up
//! again. A question that comes up while it is being answered adds nothing to its own answer. An answer that was found
//! without it is whole only for the one who asked first, so it is kept no longer than that question.

use std::cell::{Cell, RefCell};

use gik_base::collections::HashMap;

use super::{Lookup, Target};

/// What can be asked.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Question {
    /// What a name stands for inside of a symbol of a file.
    Bare { file: u32, inside: Option<u32>, name: String, is_receiver: bool },
    /// What a name stands for outside of everything in a file.
    InFile(u32, String),
    /// What a file offers under a name.
    Offered(u32, String),
    /// What a type derives from.
    Bases(Target),
    /// The module that a fact of a file names.
    Module(u32, u32),
}

/// No question that is open was met.
const NONE: usize = usize::MAX;
/// A limit was met: the answer is not whole for anyone.
const LIMIT: usize = 0;

#[derive(Debug)]
pub(super) struct Memo {
    whole: RefCell<HashMap<Question, Lookup>>,
    /// Answers with the outermost open question that they are without, counted from one.
    partial: RefCell<HashMap<Question, (Lookup, usize)>>,
    open: RefCell<Vec<Question>>,
    /// The outermost open question that was met.
    met: Cell<usize>,
}

impl Memo {
    pub(super) fn new() -> Self {
        Self {
            whole: RefCell::default(),
            partial: RefCell::default(),
            open: RefCell::default(),
            met: Cell::new(NONE),
        }
    }

    /// Forgets what is not whole.
    pub(super) fn begin(&self) {
        self.partial.borrow_mut().clear();
        self.met.set(NONE);
    }

    /// Notes that a limit was met.
    pub(super) fn limit(&self) {
        self.met.set(LIMIT);
    }

    /// The answer to a question: one that is known, or the one that is found now.
    pub(super) fn answer(&self, question: Question, find: impl FnOnce() -> Lookup) -> Lookup {
        if let Some(known) = self.whole.borrow().get(&question) {
            return known.clone();
        }
        if let Some((known, met)) = self.partial.borrow().get(&question) {
            self.met.set(self.met.get().min(*met));
            return known.clone();
        }
        if let Some(at) = self.open.borrow().iter().position(|open| *open == question) {
            self.met.set(self.met.get().min(at + 1));
            return Lookup::default();
        }
        self.open.borrow_mut().push(question.clone());
        let own = self.open.borrow().len();
        let before = self.met.replace(NONE);
        let found = find();
        self.open.borrow_mut().pop();
        let met = self.met.get();
        if met >= own {
            self.whole.borrow_mut().insert(question, found.clone());
            self.met.set(before);
        } else {
            self.partial.borrow_mut().insert(question, (found.clone(), met));
            self.met.set(before.min(met));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Provenance;
    use crate::resolve::lookup::Meaning;

    fn found(file: u32) -> Lookup {
        let mut found = Lookup::default();
        found.add(Meaning::File(file), Provenance::Import);
        found
    }

    /// Files that include each other: 1 and 2 both ways, 2 also 3. Each is what it offers itself.
    fn offered(memo: &Memo, file: u32, asked: &Cell<u32>) -> Lookup {
        memo.answer(Question::Offered(file, "x".to_owned()), || {
            asked.set(asked.get() + 1);
            let mut all = found(file);
            let included: &[u32] = match file {
                1 => &[2],
                2 => &[1, 3],
                _ => &[],
            };
            for other in included {
                all.extend(offered(memo, *other, asked));
            }
            all
        })
    }

    #[test]
    fn circles_end_and_nobody_is_told_less_for_them() {
        let (memo, asked) = (Memo::new(), Cell::new(0));
        assert_eq!(offered(&memo, 1, &asked).meanings.len(), 3);
        assert_eq!(asked.get(), 3);
        memo.begin();
        // 1 and 3 are known as a whole; 2 was answered without 1, and is asked again.
        assert_eq!(offered(&memo, 2, &asked).meanings.len(), 3);
        assert_eq!(asked.get(), 4);
        memo.begin();
        assert_eq!(offered(&memo, 2, &asked).meanings.len(), 3);
        assert_eq!(asked.get(), 4);
    }

    #[test]
    fn what_a_limit_cut_off_is_not_kept() {
        let memo = Memo::new();
        let question = || Question::InFile(1, "x".to_owned());
        let cut = memo.answer(question(), || {
            memo.limit();
            Lookup::default()
        });
        assert!(cut.is_empty());
        memo.begin();
        assert_eq!(memo.answer(question(), || found(7)), found(7));
    }
}
