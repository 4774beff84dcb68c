//! Short texts about an item: its signature on one line, the simple name of a type.

/// Longer signatures are cut.
const SIGNATURE_MAX: usize = 300;

/// A declaration on one line, without its body.
pub(super) fn signature(declaration: &str) -> String {
    let mut out = String::with_capacity(declaration.len().min(SIGNATURE_MAX));
    for word in declaration.split_whitespace() {
        if out.len() + word.len() + 1 > SIGNATURE_MAX {
            if out.is_empty() {
                out.push_str(&word[..word.floor_char_boundary(SIGNATURE_MAX)]);
            }
            break;
        }
        if word.starts_with(')') && out.ends_with(',') {
            out.pop();
        }
        // What a line break put apart is joined as one would write it on one line.
        let opens = out.is_empty() || out.ends_with(['(', '[']) || word.starts_with([')', ']']);
        if !opens {
            out.push(' ');
        }
        out.push_str(word);
    }
    let end = out.trim_end_matches(['{', '(', ';', ':', '\\', ' ']);
    let end = end.strip_suffix("=>").or_else(|| end.strip_suffix('=')).unwrap_or(end);
    out.truncate(end.trim_end().len());
    out
}

/// `Store<T>::Entry::open` is `open` in `Store` and `Entry`. A name of signs alone (`<.>`) is a name as a whole,
/// without the brackets around it.
pub(super) fn split_path<'t>(path: &'t str, separator: &str) -> (Vec<&'t str>, &'t str) {
    let mut containers = Vec::new();
    // Nearly every path is one plain word.
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if !path.is_empty() && path.bytes().all(is_plain) {
        return (containers, path);
    }
    let is_sign = |c: char| !c.is_alphanumeric() && !"_'\"`[](){}@$".contains(c);
    let bare =
        path.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(path).trim();
    if bare != "::" && !bare.contains(char::is_whitespace) && bare.chars().all(is_sign) {
        return (containers, bare);
    }
    // A name in quotes is a name as a whole.
    for quote in ['"', '\''] {
        if let Some(inside) = path.strip_prefix(quote) {
            return (containers, inside.strip_suffix(quote).unwrap_or(inside));
        }
    }
    if let Some(inside) = path.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'))
        && !inside.contains('`')
    {
        return (containers, inside);
    }
    let mut rest = path;
    let mut depth = 0_usize;
    let mut at = 0;
    // What follows `operator` is a name, whatever its signs.
    while at < rest.len() && !(at == 0 && rest.starts_with("operator")) {
        let here = &rest[at..];
        if depth == 0 && here.starts_with(separator) {
            let container = rest[..at].split('<').next().unwrap_or_default().trim();
            if !container.is_empty() {
                containers.push(container);
            }
            rest = here[separator.len()..].trim_start();
            at = 0;
            continue;
        }
        let Some(c) = here.chars().next() else { break };
        match c {
            '<' | '[' | '(' => depth += 1,
            '>' | ']' | ')' => depth = depth.saturating_sub(1),
            _ => {},
        }
        at += c.len_utf8();
    }
    // `Base.:+` says the sign itself, not what it does.
    let sign = rest.strip_prefix(':').filter(|_| !containers.is_empty());
    (containers, plain_name(sign.unwrap_or(rest)))
}

/// What a symbol says: `:open` is `open`.
pub(super) fn word<'t>(text: &'t str, kind: &str) -> &'t str {
    let is_symbol = kind.ends_with("symbol") || kind == "atom";
    text.strip_prefix(':').filter(|_| is_symbol).unwrap_or(text)
}

/// A name without arguments: `Store` of `Store<int>`, `operator bool` of `operator bool() const`.
fn plain_name(name: &str) -> &str {
    let end = match name.strip_prefix("operator") {
        Some(operator) if operator.starts_with(' ') => name.find('('),
        Some(_) => None,
        None => name.find('<'),
    };
    match end {
        Some(end) if end > 0 => name[..end].trim_end(),
        _ => name,
    }
}

/// What an import is called in the code: a path by its last part that is no version.
pub(super) fn imported_name(text: &str) -> &str {
    let is_version = |part: &str| {
        part.strip_prefix('v').is_some_and(|number| number.bytes().all(|b| b.is_ascii_digit()))
    };
    if !text.contains('/') {
        return text;
    }
    let part = text.rsplit('/').find(|part| !is_version(part)).unwrap_or(text);
    part.split('.').next().unwrap_or(part)
}

/// `&'a mut path::Store<T>` is known as `Store`.
pub(super) fn type_name(text: &str) -> &str {
    let mut name = text.trim();
    loop {
        let rest = name.trim_start_matches(['&', '*']).trim_start();
        let rest = ["mut ", "dyn ", "const ", "impl "]
            .iter()
            .find_map(|word| rest.strip_prefix(word))
            .unwrap_or(rest);
        let rest = match rest.strip_prefix('\'').and_then(|lifetime| lifetime.split_once(' ')) {
            Some((_, rest)) => rest,
            None => rest,
        };
        if rest == name {
            break;
        }
        name = rest;
    }
    if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return name;
    }
    let name = name.split('<').next().unwrap_or(name);
    let simple = name.rsplit("::").next().unwrap_or(name).trim();
    if simple.is_empty() { text } else { simple }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_fit_on_one_line() {
        let text = "pub fn open(\n    path: &Path,\n    mode: Mode,\n) -> Result<Store>\nwhere\n    T: Copy,\n{";
        assert_eq!(
            signature(text),
            "pub fn open(path: &Path, mode: Mode) -> Result<Store> where T: Copy,"
        );
        assert_eq!(signature("struct A;"), "struct A");
        assert!(signature(&"ä ".repeat(1000)).len() <= SIGNATURE_MAX);
        assert!(signature(&"ä".repeat(1000)).len() <= SIGNATURE_MAX);
    }

    #[test]
    fn signatures_end_before_the_value() {
        assert_eq!(signature("const open = async (path) => {"), "const open = async (path)");
        assert_eq!(signature("const routes = {"), "const routes");
        assert_eq!(signature("def open(path) -> Store:"), "def open(path) -> Store");
    }

    #[test]
    fn paths_are_split_outside_of_type_arguments() {
        assert_eq!(split_path("open", "::"), (vec![], "open"));
        assert_eq!(split_path("a::Store<b::T>::open", "::"), (vec!["a", "Store"], "open"));
        assert_eq!(split_path("Store::operator<", "::"), (vec!["Store"], "operator<"));
        assert_eq!(split_path("::", "::"), (vec![], ""));
        assert_eq!(split_path("Store::operator bool() const", "::").1, "operator bool");
        assert_eq!(split_path("Store<int>", "::"), (vec![], "Store"));
        assert_eq!(split_path("[Symbol.iterator]", "."), (vec![], "[Symbol.iterator]"));
        assert_eq!(split_path("'a.b'", "."), (vec![], "a.b"));
        assert_eq!(split_path("Base.:+", "."), (vec!["Base"], "+"));
        assert_eq!(split_path("`a b.c`", "."), (vec![], "a b.c"));
        assert_eq!(split_path("`a`.`b`", ".").1, "`b`");
        assert_eq!(split_path("<.>", "."), (vec![], "<.>"));
        assert_eq!(split_path(".", "."), (vec![], "."));
        assert_eq!(split_path("( <> )", "."), (vec![], "<>"));
        assert_eq!(split_path("`plus`", "."), (vec![], "plus"));
    }

    #[test]
    fn imports_are_known_by_the_end_of_their_path() {
        assert_eq!(imported_name("HashMap"), "HashMap");
        assert_eq!(imported_name("math/rand/v2"), "rand");
        assert_eq!(imported_name("gopkg.in/yaml.v3"), "yaml");
    }

    #[test]
    fn type_names_are_simple() {
        assert_eq!(type_name("Store"), "Store");
        assert_eq!(type_name("&'a mut crate::store::Store<T>"), "Store");
        assert_eq!(type_name("dyn Read"), "Read");
        assert_eq!(type_name("(A, B)"), "(A, B)");
        assert_eq!(type_name("&[Store<T>]"), "[Store<T>]");
        assert_eq!(type_name("<T as X>::Y"), "<T as X>::Y");
    }
}
