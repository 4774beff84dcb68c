//! How a language is compared with ctags: the table `xtask/symbols.toml`.

use std::collections::BTreeMap;
use std::path::Path;

use gik_parse::SymbolKind;
use regex::Regex;
use toml::Value;

use super::oracle::Tag;
use crate::stop::{Result, Stop};
use crate::workspace;

const TABLE: &str = "xtask/symbols.toml";

/// How one language is compared.
#[derive(Debug)]
pub(super) struct Kinds {
    /// Our id of the language.
    pub(super) language: String,
    /// What ctags calls it.
    pub(super) oracle: String,
    /// Whether ctags does not say which function encloses a definition, so that indentation has to.
    pub(super) indented: bool,
    /// What our names start with and those of ctags do not.
    prefix: String,
    /// Letters that one side writes at the end of a name and the other does not.
    endings: String,
    /// What stands between the parts of a name where ctags writes more than the last one.
    path: Option<String>,
    /// Kinds of ctags that are no definitions inside a function.
    locals: Vec<String>,
    /// Why we have more definitions of a kind of ours than ctags.
    pub(super) extra: BTreeMap<SymbolKind, String>,
    kinds: BTreeMap<String, Vec<SymbolKind>>,
    left_out: Vec<LeftOut>,
}

/// Definitions of ctags that are not asked for: what it takes for one and is none, and what the parser does not claim.
#[derive(Debug)]
struct LeftOut {
    kinds: Vec<String>,
    /// What the line looks like; `NAME` stands for the name that ctags gives.
    line: String,
    /// Whether only what is inside a function is meant.
    is_inside: bool,
    why: String,
}

/// Every row of the table.
pub(super) fn table(root: &Path) -> Result<Vec<Kinds>> {
    let table = workspace::read_toml(&root.join(TABLE))?;
    table
        .iter()
        .map(|(language, row)| {
            Kinds::parse(language, row)
                .ok_or_else(|| Stop::Failed(format!("{TABLE}: `{language}` cannot be understood")))
        })
        .collect()
}

impl Kinds {
    fn parse(language: &str, row: &Value) -> Option<Self> {
        let mut kinds = BTreeMap::new();
        for (kind, ours) in row.get("kinds")?.as_table()? {
            let ours: Option<Vec<SymbolKind>> =
                ours.as_array()?.iter().map(|name| SymbolKind::from_name(name.as_str()?)).collect();
            kinds.insert(kind.clone(), ours?);
        }
        let mut extra = BTreeMap::new();
        for (kind, why) in row.get("extra").and_then(Value::as_table).into_iter().flatten() {
            extra.insert(SymbolKind::from_name(kind)?, why.as_str()?.to_owned());
        }
        let text = |key: &str| row.get(key).and_then(Value::as_str).map(str::to_owned);
        let left_out = row.get("left_out").and_then(Value::as_array).into_iter().flatten();
        Some(Self {
            language: language.to_owned(),
            oracle: text("ctags")?,
            indented: row.get("indented").and_then(Value::as_bool).unwrap_or(false),
            prefix: text("prefix").unwrap_or_default(),
            endings: text("endings").unwrap_or_default(),
            path: text("path"),
            locals: texts(row, "locals")?,
            extra,
            kinds,
            left_out: left_out.map(LeftOut::parse).collect::<Option<_>>()?,
        })
    }

    /// Our kinds for one of ctags; none where it is not compared.
    pub(super) fn ours(&self, kind: &str) -> Option<&[SymbolKind]> {
        self.kinds.get(kind).map(Vec::as_slice)
    }

    /// Whether ctags knows a kind of ours.
    pub(super) fn is_known(&self, kind: SymbolKind) -> bool {
        self.kinds.values().any(|ours| ours.contains(&kind))
    }

    /// Whether a kind of ctags is no definition inside a function.
    pub(super) fn is_local(&self, kind: &str) -> bool {
        self.locals.iter().any(|local| local == kind)
    }

    /// Why a definition of ctags is not asked for.
    pub(super) fn why_left_out(
        &self,
        tag: &Tag,
        line: &str,
        is_inside: impl Fn() -> bool,
    ) -> Option<&str> {
        let found = self.left_out.iter().find(|left_out| {
            left_out.covers(&tag.kind, &tag.name, line) && (!left_out.is_inside || is_inside())
        });
        found.map(|left_out| left_out.why.as_str())
    }

    /// A name as both sides would write it: no spaces inside `operator ==`, no quotes around a key, no mark, no path.
    pub(super) fn plain(&self, name: &str) -> String {
        let name = name.trim_matches(['"', '\'', '`']);
        let name = name.strip_prefix(self.prefix.as_str()).unwrap_or(name);
        let last = self.path.as_deref().and_then(|separator| name.rsplit(separator).next());
        let name = last.unwrap_or(name);
        let bare = name.trim_end_matches(|letter| self.endings.contains(letter));
        // An operator may consist of such letters only.
        let name = if bare.is_empty() { name } else { bare };
        name.split_ascii_whitespace().collect()
    }
}

impl LeftOut {
    fn parse(entry: &Value) -> Option<Self> {
        let text = |key: &str| entry.get(key)?.as_str().map(str::to_owned);
        let left_out = Self {
            kinds: texts(entry, "kinds")?,
            line: text("line")?,
            is_inside: entry.get("inside").and_then(Value::as_bool).unwrap_or(false),
            why: text("why")?,
        };
        left_out.pattern("name").map(|_| left_out)
    }

    fn pattern(&self, name: &str) -> Option<Regex> {
        Regex::new(&self.line.replace("NAME", &regex::escape(name))).ok()
    }

    fn covers(&self, kind: &str, name: &str, line: &str) -> bool {
        self.kinds.iter().any(|covered| covered == kind)
            && self.pattern(name).is_some_and(|pattern| pattern.is_match(line))
    }
}

/// The texts below a key; an empty list where the key is missing, nothing where it holds something else.
fn texts(entry: &Value, key: &str) -> Option<Vec<String>> {
    let Some(list) = entry.get(key) else { return Some(Vec::new()) };
    list.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(row: &str) -> Option<Kinds> {
        Kinds::parse("x", &Value::Table(row.parse().unwrap()))
    }

    #[test]
    fn every_row_names_a_language_and_kinds_that_exist() {
        let rows = table(&workspace::root()).unwrap();
        assert!(rows.len() >= 11);
        for row in rows {
            assert!(gik_parse::language_by_id(&row.language).is_some(), "{}", row.language);
            let known = |kind: &String| row.kinds.contains_key(kind);
            assert!(row.locals.iter().all(known), "{}", row.language);
            let covered = row.left_out.iter().flat_map(|left_out| &left_out.kinds);
            assert!(covered.into_iter().all(known), "{}", row.language);
        }
    }

    #[test]
    fn names_are_compared_without_marks() {
        let kinds =
            parse("ctags = \"X\"\nprefix = \"$\"\nendings = \"=?\"\npath = \".\"\n[kinds]\nvariable = [\"var\"]\n")
                .unwrap();
        assert_eq!(kinds.plain("$name"), "name");
        assert_eq!(kinds.plain("operator ()"), "operator()");
        assert_eq!(kinds.plain("'a-b'"), "a-b");
        assert_eq!(kinds.plain("IList.Add"), "Add");
        assert_eq!(kinds.plain("open?"), "open");
        assert_eq!(kinds.plain("=="), "==");
        assert_eq!(kinds.ours("variable"), Some(&[SymbolKind::Var][..]));
        assert_eq!(kinds.ours("local"), None);
        assert!(!kinds.is_known(SymbolKind::Class));
    }

    #[test]
    fn what_is_left_out_is_told_by_kind_name_and_line() {
        let row = "ctags = \"X\"\n[kinds]\nfield = [\"field\"]\n[[left_out]]\nkinds = [\"field\"]\nline = '^where NAME :'\nwhy = \"a bound\"\n";
        let why = |row: &str, kind: &str, name: &str, is_inside: bool| {
            let (kind, name) = (kind.to_owned(), name.to_owned());
            let tag = Tag { name, line: 1, kind, scope: String::new() };
            let kinds = parse(row).unwrap();
            kinds.why_left_out(&tag, "where T : new()", || is_inside).map(str::to_owned)
        };
        assert_eq!(why(row, "field", "T", false).as_deref(), Some("a bound"));
        assert_eq!(why(row, "field", "U", false), None);
        assert_eq!(why(row, "method", "T", false), None);
        let inside = format!("{row}inside = true\n");
        assert_eq!(why(&inside, "field", "T", false), None);
        assert!(why(&inside, "field", "T", true).is_some());
        assert!(parse(&row.replace("NAME", "(")).is_none());
        assert!(parse("ctags = \"X\"\n[kinds]\nfield = [\"no-such-kind\"]\n").is_none());
    }
}
