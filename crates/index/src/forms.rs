//! Which other words mean the same as a word of a question? `registered` also asks for `register`, `context` for `ctx`.
//!
//! Texts are indexed as they are; forms are made when a question is asked, so they cost no space and can change.
//! A stem is what is left of an English word without its ending. It is no word itself: it only tells which words
//! belong together.

/// What an occurrence of the word itself counts, in the unit of [`Form::quarters`].
pub(crate) const WHOLE: u32 = 4;
/// What another form of it counts.
const SAME_STEM: u32 = 2;
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
        with_stem(stem(other), &mut |term| forms.push(Form { term, quarters: SHORT_FOR }));
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
        stems.extend(short_for(word).map(|other| stem(other).to_owned()));
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

/// The other words of the rows that the word belongs to.
fn short_for(word: &str) -> impl Iterator<Item = &'static str> {
    let root = stem(word);
    let in_row = move |row: &&&[&str]| row.iter().any(|known| stem(known) == root);
    let row = ABBREVIATIONS.iter().find(in_row).copied().unwrap_or_default();
    row.iter().copied().filter(move |known| stem(known) != root)
}

/// Every word that has this stem by one of the endings, and the stem itself where it is a word of its own.
fn with_stem(root: &str, sink: &mut dyn FnMut(String)) {
    let last = root.bytes().next_back().filter(u8::is_ascii_lowercase).map(char::from);
    for ending in [""].iter().chain(ENDINGS) {
        let plain = format!("{root}{ending}");
        if stem(&plain) == root {
            sink(plain);
        }
        let Some(last) = last.filter(|_| ending.starts_with(['e', 'i', 'o'])) else { continue };
        let doubled = format!("{root}{last}{ending}");
        if stem(&doubled) == root {
            sink(doubled);
        }
    }
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
