//! Macros inside declarations that a compiler never sees: `class API Store`, `INLINE int open() NOEXCEPT`.
//!
//! A declaration has one type and one name. What else looks like either is taken away before the grammar reads it.

use std::ops::Range;

use super::code::is_macro;
use super::draft::Draft;
use super::statements::{End, Statements, Token, TokenKind};
use super::units::{Unit, UnitKind, units};

const TYPE_WORDS: [&str; 4] = ["class", "struct", "union", "enum"];
/// Words that begin something else than a declaration with a type.
const OTHERS: [&str; 9] = [
    "using",
    "namespace",
    "return",
    "goto",
    "case",
    "static_assert",
    "_Static_assert",
    "requires",
    "concept",
];

/// What the compiler is told about a declaration, wherever it stands.
const ATTRIBUTE: &[u8] = b"__attribute__";
/// What is written over a macro that starts a declaration, so that it still starts there.
const STAND_INS: [&str; 2] = ["inline", "const"];

/// Takes such macros away.
pub(super) fn leave_out(draft: &mut Draft) {
    let (found, starts) = find(draft.code());
    for bytes in found {
        let is_start = starts.binary_search(&bytes.start).is_ok();
        draft.replace(bytes, if is_start { &STAND_INS } else { &[] });
    }
}

/// Where such macros are, and where declarations with a type start, both in order.
fn find(code: &[u8]) -> (Vec<Range<usize>>, Vec<usize>) {
    let statements = Statements::new(code);
    let mut found = statements.calls(ATTRIBUTE);
    let mut starts = Vec::new();
    statements.each(|row, end| {
        let row = statements.without_heads(row);
        let type_word = row.iter().position(|token| statements.is_one_of(token, &TYPE_WORDS));
        match type_word {
            Some(at) if end != End::Semicolon && !statements.is_function(row) => {
                in_type(&statements, row, at, &mut found);
            },
            _ if row.iter().any(|token| statements.is_one_of(token, &OTHERS)) => {},
            _ => {
                starts.extend(row.first().map(|first| first.bytes.start));
                in_declaration(&statements, row, &mut found);
            },
        }
    });
    found.sort_unstable_by_key(|bytes| bytes.start);
    (found, starts)
}

/// `API class EXPORT(1) Store`
fn in_type(
    statements: &Statements<'_>,
    row: &[Token],
    type_word: usize,
    found: &mut Vec<Range<usize>>,
) {
    let is_word = |token: &Token| token.kind == TokenKind::Word;
    let (before, after) = row.split_at(type_word);
    found.extend(
        before
            .iter()
            .filter(|token| is_macro(statements.text(token)))
            .map(|token| token.bytes.clone()),
    );
    let mut after = after.get(1..).unwrap_or_default();
    if after.first().is_some_and(|next| statements.is_one_of(next, &TYPE_WORDS)) {
        after = &after[1..];
    }
    while let [first, rest @ ..] = after
        && is_macro(statements.text(first))
    {
        let arguments = rest.first().filter(|next| next.kind == TokenKind::Group);
        let rest = if arguments.is_some() { &rest[1..] } else { rest };
        let has_name = |next: &Token| is_word(next) && !statements.is_one_of(next, &["final"]);
        if !rest.first().is_some_and(has_name) {
            break;
        }
        found.push(first.bytes.start..arguments.unwrap_or(first).bytes.end);
        after = rest;
    }
}

/// `API int INLINE open(IN int mode) NOEXCEPT`
fn in_declaration(statements: &Statements<'_>, row: &[Token], found: &mut Vec<Range<usize>>) {
    let units = units(statements, row);
    let is_star = |unit: &Unit| matches!(unit.kind, UnitKind::Sign(b'*' | b'&'));
    let is_head =
        |unit: &Unit| is_star(unit) || !matches!(unit.kind, UnitKind::Sign(_) | UnitKind::Group);
    let end = units.iter().position(|unit| !is_head(unit)).unwrap_or(units.len());
    let (head, tail) = units.split_at(end);
    let parameters = tail.first().filter(|unit| unit.kind == UnitKind::Group);
    let Some((name, head)) = head.split_last().filter(|(last, _)| last.kind == UnitKind::Path)
    else {
        too_many(head, false, found);
        return;
    };
    let begins_values = |unit: &Unit| unit.kind == UnitKind::Sign(b':');
    let is_constructor = parameters.is_some()
        && (is_constructor(statements.slice(&name.bytes))
            || tail.get(1..).unwrap_or_default().iter().any(begins_values));
    too_many(head, is_constructor, found);
    if let Some(parameters) = parameters {
        in_parameters(statements, &parameters.bytes, found);
        behind(&tail[1..], found);
    }
}

/// Takes all from the words in front of a name but one type.
fn too_many(head: &[Unit], is_constructor: bool, found: &mut Vec<Range<usize>>) {
    let has_basic = head.iter().any(|unit| unit.kind == UnitKind::Basic);
    let is_candidate = |unit: &&Unit| matches!(unit.kind, UnitKind::Path | UnitKind::Call);
    let candidates = || head.iter().filter(is_candidate);
    let own = candidates().rfind(|unit| !unit.is_macro);
    let kept = match own {
        _ if has_basic => None,
        None if is_constructor => None,
        None => candidates().next(),
        own => own,
    };
    let others = candidates().filter(|unit| kept.is_none_or(|kept| kept.bytes != unit.bytes));
    found.extend(others.map(|unit| unit.bytes.clone()));
}

fn in_parameters(statements: &Statements<'_>, group: &Range<usize>, found: &mut Vec<Range<usize>>) {
    let row = statements.row(group.start + 1..group.end - 1);
    for units in units(statements, &row).split(|unit| unit.kind == UnitKind::Sign(b',')) {
        let is_end =
            |unit: &Unit| matches!(unit.kind, UnitKind::Sign(b'=' | b'[') | UnitKind::Group);
        let end = units.iter().position(is_end).unwrap_or(units.len());
        let head = &units[..end];
        let n_paths = head.iter().filter(|unit| unit.kind == UnitKind::Path).count();
        let has_basic = head.iter().any(|unit| unit.kind == UnitKind::Basic);
        match head.split_last() {
            Some((last, head)) if last.kind == UnitKind::Path && (n_paths > 2 || has_basic) => {
                too_many(head, false, found);
            },
            // Without a name, as in `IN Store *`.
            Some((last, _)) if last.kind != UnitKind::Path => too_many(head, false, found),
            _ => {},
        }
    }
}

/// What follows the parameters, up to values or a type.
fn behind(tail: &[Unit], found: &mut Vec<Range<usize>>) {
    let mut tail = tail.iter().peekable();
    while let Some(unit) = tail.next() {
        match unit.kind {
            UnitKind::Sign(b'&') | UnitKind::Specifier | UnitKind::Group => {},
            UnitKind::Path | UnitKind::Call if unit.is_macro => {
                let arguments = tail.next_if(|next| next.kind == UnitKind::Group);
                found.push(unit.bytes.start..arguments.unwrap_or(unit).bytes.end);
            },
            UnitKind::Path => {},
            UnitKind::Basic | UnitKind::Call | UnitKind::Sign(_) => return,
        }
    }
}

/// Whether a path ends in the same name twice: `Store<T>::Store`, or in `~Store`.
fn is_constructor(name: &[u8]) -> bool {
    let name = String::from_utf8_lossy(name);
    let mut parts = name.rsplit("::");
    let (Some(last), outer) = (parts.next(), parts.next()) else { return false };
    let plain = |part: &str| part.split('<').next().unwrap_or_default().trim().to_owned();
    last.trim_start().starts_with('~') || outer.is_some_and(|outer| plain(outer) == plain(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut draft = Draft::new(text);
        leave_out(&mut draft);
        let plain = draft.changed().unwrap_or_else(|| text.to_owned());
        assert_eq!(plain.len(), text.len());
        let words: Vec<_> = plain.split_whitespace().collect();
        assert_eq!(words.join(" "), expected, "{text}");
    }

    #[test]
    fn a_type_keeps_its_name() {
        check("class FOO_API Store : Base {", "class Store : Base {");
        check("struct ALIGNED(16) PACKED Store {", "struct Store {");
        check("MY_API enum class NODISCARD Mode : int {", "enum class Mode : int {");
        check("class STORE final {", "class STORE final {");
        check("struct FOO_API Store;", "struct FOO_API Store;");
    }

    #[test]
    fn a_function_keeps_a_type_and_its_name() {
        check("FORCE_INLINE static int open(int a) {", "inline static int open(int a) {");
        check("local ptr_table table[3];", "const ptr_table table[3];");
        check("BOOL WINAPI open(HANDLE h);", "BOOL open(HANDLE h);");
        check("MY_API std::string Store::open() {", "inline std::string Store::open() {");
        check("ATTRIBUTE(a, b) void *open(void);", "inline void *open(void);");
        check("T *MUTABLE open = 0;", "T * open = 0;");
        check("DWORD open(DWORD a);", "DWORD open(DWORD a);");
    }

    #[test]
    fn attributes_go_wherever_they_are() {
        check("void f() { int a __attribute__((unused)) = 1; }", "void f() { int a = 1; }");
        check("typedef __attribute__((aligned(1))) T t;", "typedef T t;");
    }

    #[test]
    fn a_constructor_has_no_type() {
        check("MY_API Store<T>::Store(int a) {", "inline Store<T>::Store(int a) {");
        check("MY_CONSTEXPR Store(int a) : a_(a) {", "inline Store(int a) : a_(a) {");
        check("MY_API Store::~Store() {", "inline Store::~Store() {");
    }

    #[test]
    fn what_follows_the_parameters_and_what_leads_them_goes() {
        check("void open() const LOCKS(a) NOEXCEPT override {", "void open() const override {");
        check(
            "void open(NOESCAPE const void *a, NOESCAPE Store *b, int c);",
            "void open( const void *a, Store *b, int c);",
        );
        check(
            "template <class T> void open() LOCKS() { FOO BAR baz; }",
            "template <class T> void open() { FOO BAR baz; }",
        );
    }

    #[test]
    fn what_has_nothing_too_many_stays() {
        for text in [
            "using A = B;",
            "std::vector<int> a = f(b, c);",
            "unsigned long long a;",
            "bool operator<(const A& a, const A& b);",
            "typedef struct a *b;",
            "extern \"_\" int f(void);",
            "int (*handler)(int, void *);",
            "void f(const std::map<int, B, C>& a);",
            "auto f(int a) -> std::vector<int>;",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn time_grows_with_the_text_only() {
        for part in ["a<", "a(", "template<", "class A ", "operator ", "[", "A B, ", "{", "#if\n"] {
            let text = part.repeat(50_000);
            leave_out(&mut Draft::new(&text));
        }
    }
}
