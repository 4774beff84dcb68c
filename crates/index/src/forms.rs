//! Which other words mean the same as a word of a question? `registered` also asks for `register`, `context` for `ctx`.
//!
//! Texts are indexed as they are; forms are made when a question is asked, so they cost no space and can change.
//! A stem is what is left of an English word without its ending. It is no word itself: it only tells which words
//! belong together.

use std::sync::LazyLock;

use gik_base::collections::HashMap;

/// What an occurrence of the word itself counts, in the unit of [`Form::quarters`].
pub(crate) const WHOLE: u32 = 4;
/// What another form of it counts.
pub(crate) const SAME_STEM: u32 = 2;
/// What an abbreviation, or the word it stands for, counts.
const SHORT_FOR: u32 = 1;

/// The fewest letters of a stem.
const MIN_STEM: usize = 3;

/// Endings, the longer of two that fit first.
const ENDINGS: &[&str] = &[
    "izations", "isations", "ization", "isation", "itions", "ations", "ements", "ering", "erers",
    "ating", "izing", "ising", "ition", "ation", "ators", "izers", "ement", "ments", "ered",
    "erer", "ates", "ated", "ator", "izes", "ized", "izer", "ises", "ised", "ings", "ions", "ives",
    "ment", "ate", "ize", "ise", "ing", "ion", "ive", "ers", "ors", "ies", "ied", "er", "or", "ed",
    "es", "ly", "al", "s", "e", "y",
];

/// Endings of the words that a stem is looked up with: those that are common in code and comments.
const COMMON_ENDINGS: &[&str] = &[
    "", "ization", "ations", "ation", "ition", "ering", "ating", "izing", "ement", "ments", "ered",
    "erer", "ates", "ated", "ator", "ized", "izer", "ings", "ions", "ment", "ate", "ize", "ing",
    "ion", "ive", "ers", "ors", "ies", "ied", "er", "or", "ed", "es", "ly", "al", "s", "e", "y",
];
/// Those before which a last letter is doubled: `run`, `running`.
const AFTER_DOUBLES: &[&str] = &["ing", "er", "ers", "ed"];

/// Words that programmers write short, each with what it is short for.
const ABBREVIATIONS: &[&[&str]] = &[
    &["addr", "address"],
    &["app", "application"],
    &["arg", "argument"],
    &["async", "asynchronous"],
    &["attr", "attribute"],
    &["auth", "authenticate", "authorize"],
    &["buf", "buffer"],
    &["calc", "calculate"],
    &["cert", "certificate"],
    &["cfg", "conf", "config", "configure"],
    &["cmd", "command"],
    &["conn", "connect"],
    &["ctx", "context"],
    &["db", "database"],
    &["del", "delete"],
    &["dep", "dependency"],
    &["desc", "description"],
    &["dest", "destination"],
    &["diff", "difference"],
    &["dir", "directory"],
    &["doc", "document"],
    &["elem", "element"],
    &["env", "environment"],
    &["err", "error"],
    &["exec", "execute", "execution"],
    &["expr", "expression"],
    &["ext", "extension"],
    &["fmt", "format"],
    &["fn", "func", "function"],
    &["gen", "generate"],
    &["idx", "index"],
    &["impl", "implement"],
    &["info", "information"],
    &["init", "initialize", "initialise"],
    &["iter", "iterate"],
    &["lang", "language"],
    &["len", "length"],
    &["lib", "library"],
    &["max", "maximum"],
    &["mem", "memory"],
    &["mgr", "manager"],
    &["min", "minimum"],
    &["msg", "message"],
    &["ns", "namespace"],
    &["num", "number"],
    &["obj", "object"],
    &["op", "operation"],
    &["opt", "option"],
    &["param", "parameter"],
    &["perm", "permission"],
    &["pkg", "package"],
    &["pos", "position"],
    &["prev", "previous"],
    &["proc", "process"],
    &["prop", "property"],
    &["ref", "reference"],
    &["regex", "regexp"],
    &["repo", "repository"],
    &["req", "request"],
    &["res", "resp", "response"],
    &["seq", "sequence"],
    &["sig", "signature"],
    &["spec", "specification"],
    &["src", "source"],
    &["stmt", "statement"],
    &["str", "string"],
    &["sync", "synchronize", "synchronous"],
    &["sys", "system"],
    &["tmp", "temp", "temporary"],
    &["tok", "token"],
    &["tx", "txn", "transaction"],
    &["util", "utility"],
    &["val", "value"],
    &["var", "variable"],
    &["vec", "vector"],
    &["ver", "version"],
    &["ws", "websocket"],
];

/// Another word for a word of a question.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Form {
    pub(crate) term: String,
    /// What an occurrence counts, in quarters of one of the word itself.
    pub(crate) quarters: u32,
}

/// What is left of a word without its ending.
pub(crate) fn stem(word: &str) -> &str {
    if !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word;
    }
    let fits = |ending: &&&str| {
        word.len() >= MIN_STEM + ending.len()
            && word.ends_with(**ending)
            && !(**ending == "s" && word.ends_with("ss"))
    };
    let Some(ending) = ENDINGS.iter().find(fits) else { return word };
    let rest = &word[..word.len() - ending.len()];
    // `running` and `runner` belong to `run`, `passing` to `pass`.
    match rest.as_bytes() {
        [.., before, last] if before == last && rest.len() > MIN_STEM && !b"sl".contains(last) => {
            &rest[..rest.len() - 1]
        },
        _ => rest,
    }
}

/// The other words that a word of a question stands for, in order. None for what is no plain word.
pub(crate) fn forms(word: &str) -> Vec<Form> {
    let root = stem(word);
    let mut forms = Vec::new();
    if word.len() >= MIN_STEM && word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        with_stem(root, &mut |term| forms.push(Form { term, quarters: SAME_STEM }));
    }
    for other in short_for(word) {
        with_stem(other, &mut |term| forms.push(Form { term, quarters: SHORT_FOR }));
    }
    // The better of two reasons for the same word.
    forms.sort_by(|a, b| a.term.cmp(&b.term).then(b.quarters.cmp(&a.quarters)));
    forms.dedup_by(|later, kept| later.term == kept.term);
    forms.retain(|form| form.term != word);
    forms
}

/// Tells which words mean the same as one: its forms, its beginning or what begins with it, its short form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Likeness {
    word: String,
    /// Its own, then those of the words it is short for.
    stems: Vec<String>,
}

impl Likeness {
    /// Of a lower-case word.
    pub fn new(word: &str) -> Self {
        let mut stems = vec![stem(word).to_owned()];
        stems.extend(short_for(word).map(str::to_owned));
        Self { word: word.to_owned(), stems }
    }

    /// What words begin with that may mean the same.
    pub fn beginnings(&self) -> impl Iterator<Item = &str> {
        self.stems.iter().map(String::as_str)
    }

    /// Whether another lower-case word means the same.
    pub fn takes(&self, other: &str) -> bool {
        let begins = |long: &str, short: &str| short.len() >= MIN_STEM && long.starts_with(short);
        other == self.word
            || begins(other, &self.word)
            || begins(&self.word, other)
            || self.stems.iter().any(|root| other.starts_with(root) && stem(other) == root)
    }
}

/// The stems of the words that a word is short for, or that are short for it.
fn short_for(word: &str) -> impl Iterator<Item = &'static str> {
    type Rows = HashMap<&'static str, Vec<&'static str>>;
    static BY_STEM: LazyLock<Rows> = LazyLock::new(|| {
        let stems = |row: &'static [&str]| row.iter().copied().map(stem);
        let mut rows = Rows::default();
        for row in ABBREVIATIONS {
            for root in stems(row) {
                let others = rows.entry(root).or_default();
                others.extend(stems(row).filter(|other| *other != root));
                others.sort_unstable();
                others.dedup();
            }
        }
        rows
    });
    BY_STEM.get(stem(word)).into_iter().flatten().copied()
}

/// The words that have this stem by a common ending, and the stem itself where it is a word of its own.
fn with_stem(root: &str, sink: &mut dyn FnMut(String)) {
    let last = root.get(root.len().saturating_sub(1)..).unwrap_or_default();
    let plain = COMMON_ENDINGS.iter().map(|ending| format!("{root}{ending}"));
    let doubled = AFTER_DOUBLES.iter().map(|ending| format!("{root}{last}{ending}"));
    plain.chain(doubled).filter(|word| stem(word) == root).for_each(sink);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(word: &str) -> Vec<String> {
        forms(word).into_iter().map(|form| form.term).collect()
    }

    #[test]
    fn words_of_one_family_have_one_stem() {
        for family in [
            &["register", "registers", "registered", "registering"][..],
            &["handle", "handler", "handlers", "handled", "handling"],
            &["create", "creates", "created", "creation", "creator", "creating"],
            &["serialize", "serializer", "serialization", "serializing"],
            &["query", "queries", "queried"],
            &["run", "runs", "runner", "running"],
            &["render", "renders", "renderer", "rendered", "rendering"],
            &["compose", "composed", "composition", "composing"],
            &["manage", "manager", "management"],
            &["file", "files"],
            &["class", "classes"],
        ] {
            let roots: Vec<&str> = family.iter().map(|word| stem(word)).collect();
            assert!(roots.iter().all(|root| *root == roots[0]), "{family:?}: {roots:?}");
            for (word, other) in family.iter().zip(family.iter().skip(1)) {
                assert!(terms(word).iter().any(|term| term == other), "{word} {other}");
                assert!(Likeness::new(word).takes(other), "{word} {other}");
            }
        }
        assert_ne!(stem("process"), stem("proces"));
        assert_ne!(stem("parse"), stem("part"));
    }

    #[test]
    fn short_words_stand_for_long_ones_and_count_less() {
        let quarters = |word, term: &str| {
            forms(word).iter().find(|form| form.term == term).map(|it| it.quarters)
        };
        assert_eq!(quarters("context", "ctx"), Some(SHORT_FOR));
        assert_eq!(quarters("cfg", "configuration"), Some(SHORT_FOR));
        assert_eq!(quarters("requests", "req"), Some(SHORT_FOR));
        assert_eq!(quarters("errors", "error"), Some(SAME_STEM));
        for (word, other, expected) in [
            ("configuration", "cfg", true),
            ("db", "database", true),
            ("app", "apps", true),
            ("authorization", "auth", true),
            ("in", "index", false),
            ("context", "content", false),
            ("", "x", false),
        ] {
            assert_eq!(Likeness::new(word).takes(other), expected, "{word} {other}");
            assert_eq!(Likeness::new(other).takes(word), expected, "{other} {word}");
        }
    }

    #[test]
    fn what_is_no_plain_word_has_no_other_forms() {
        for word in ["", "a", "it", "read_file", "utf8", "größe", "日本"] {
            assert_eq!(terms(word), [""; 0], "{word}");
        }
    }

    #[test]
    fn forms_are_sorted_without_the_word_itself_and_each_once() {
        for row in ABBREVIATIONS {
            for word in *row {
                let terms = terms(word);
                assert!(terms.is_sorted_by(|a, b| a < b), "{word} {terms:?}");
                assert!(!terms.iter().any(|term| term == word));
            }
        }
        assert!(ABBREVIATIONS.is_sorted_by_key(|row| row[0]));
    }
}
