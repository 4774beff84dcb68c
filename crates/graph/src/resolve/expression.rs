//! What a short text says: a chain of names, calls and members (`self.store.open()`), or a type (`Optional[Store]`).

use super::rules::{Family, Rules};

/// One step of a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step<'t> {
    /// The first name.
    Name(&'t str),
    /// A member of what comes before.
    Member(&'t str),
    /// What comes before is called.
    Call,
    /// One of the values that what comes before holds.
    Element,
}

/// A type that a text names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named<'t> {
    /// The names in order: `pkg`, `Store`.
    pub(crate) path: Vec<&'t str>,
    /// Whether values are many of them.
    pub(crate) is_many: bool,
}

/// Longer chains say nothing reliable.
const STEPS_MAX: usize = 12;
/// Types inside types are looked at this deep.
const DEPTH_MAX: usize = 8;
/// Types that may stand for one another.
const UNION_MAX: usize = 8;

/// Takes a chain apart; `None` where it is anything else.
pub(crate) fn steps(text: &str) -> Option<Vec<Step<'_>>> {
    let mut rest = text.trim();
    let mut steps = Vec::new();
    let mut is_made = false;
    loop {
        let shorter = ["await ", "&mut ", "&", "*"].iter().find_map(|sign| rest.strip_prefix(sign));
        match shorter {
            Some(shorter) => rest = shorter.trim_start(),
            None => break,
        }
    }
    if let Some(made) = rest.strip_prefix("new ") {
        rest = made.trim_start();
        is_made = true;
    }
    if rest.starts_with('(') {
        let end = closing(rest)?;
        steps = self::steps(&rest[1..end])?;
        rest = &rest[end + 1..];
    } else {
        let (first, after) = name(rest)?;
        steps.push(Step::Name(first));
        rest = after;
    }
    loop {
        rest = rest.trim_start().trim_start_matches('!').trim_start();
        if rest.is_empty() {
            // `new Store` needs no arguments.
            if is_made && !steps.contains(&Step::Call) {
                steps.push(Step::Call);
            }
            return (steps.len() <= STEPS_MAX).then_some(steps);
        }
        if rest.starts_with('(') {
            rest = &rest[closing(rest)? + 1..];
            steps.push(Step::Call);
        } else if rest.starts_with('[') {
            rest = &rest[closing(rest)? + 1..];
            steps.push(Step::Element);
        } else if rest.starts_with('<') && rest.contains('>') {
            // Arguments of a generic: `new Store<Note>()`.
            rest = &rest[closing(rest)? + 1..];
        } else if rest.starts_with('?') && !rest.starts_with("?.") && !rest.starts_with("?->") {
            rest = &rest[1..];
        } else {
            let after = ["?.", "::", "?->", "->", ".", "\\"]
                .iter()
                .find_map(|sign| rest.strip_prefix(sign))?;
            let after = after.trim_start();
            if after.starts_with('<') {
                rest = after;
                continue;
            }
            let (member, after) = name(after)?;
            // What is waited for is what was promised: `store.open().await`.
            if member != "await" {
                steps.push(Step::Member(member));
            }
            rest = after;
        }
    }
}

/// The types that a text names; empty where it names none that could be looked up.
pub(crate) fn types<'t>(text: &'t str, rules: &Rules) -> Vec<Named<'t>> {
    let mut found = Vec::new();
    add_types(text, rules, false, 0, &mut found);
    if found.len() > UNION_MAX {
        found.clear();
    }
    found
}

fn add_types<'t>(
    text: &'t str,
    rules: &Rules,
    is_many: bool,
    depth: usize,
    found: &mut Vec<Named<'t>>,
) {
    if depth > DEPTH_MAX || found.len() > UNION_MAX {
        return;
    }
    for part in top_level(text, &['|', '&']) {
        add_type(part, rules, is_many, depth, found);
    }
}

fn add_type<'t>(
    part: &'t str,
    rules: &Rules,
    mut is_many: bool,
    depth: usize,
    found: &mut Vec<Named<'t>>,
) {
    let mut rest = part.trim();
    loop {
        let before = rest;
        // The name of a lifetime.
        if rules.family == Family::Rust && rest.starts_with('\'') {
            rest = rest.split_once(' ').map_or(rest, |(_, rest)| rest.trim_start());
        }
        for word in [
            "readonly ",
            "const ",
            "mut ",
            "dyn ",
            "impl ",
            "struct ",
            "class ",
            "enum ",
            "final ",
            "?",
            "*",
            "'",
        ] {
            rest = rest.strip_prefix(word).unwrap_or(rest).trim_start();
        }
        for sign in ['"', '\'', '?', '*'] {
            rest = rest.strip_suffix(sign).unwrap_or(rest).trim_end();
        }
        rest = rest.strip_prefix('"').unwrap_or(rest);
        if let Some(inner) = rest.strip_suffix("[]").or_else(|| rest.strip_prefix("[]")) {
            rest = inner.trim();
            is_many = true;
        }
        if rest.starts_with('(') && closing(rest) == Some(rest.len() - 1) {
            rest = rest[1..rest.len() - 1].trim();
            // Of several values the first one counts where a function gives them one by one.
            let first = top_level(rest, &[',']).next().unwrap_or(rest);
            if first == rest || rules.family == Family::Go {
                return add_types(first, rules, is_many, depth + 1, found);
            }
            return;
        }
        if rest == before {
            break;
        }
    }
    if top_level(rest, &['|', '&']).count() > 1 {
        return add_types(rest, rules, is_many, depth + 1, found);
    }
    let mut path = Vec::new();
    while let Some((name, after)) = name(rest) {
        path.push(name);
        let next = ["::", ".", "\\"].iter().find_map(|sign| after.strip_prefix(sign));
        match next {
            Some(next) => rest = next,
            None => {
                rest = after;
                break;
            },
        }
    }
    let Some(last) = path.last() else { return };
    let rest = rest.trim_start();
    let arguments = if rest.starts_with(['[', '<']) {
        closing(rest).map(|end| &rest[1..end])
    } else if rest.is_empty() {
        None
    } else {
        // Something that is no plain type.
        return;
    };
    match arguments {
        Some(arguments) if rules.transparent.contains(last) => {
            let only_first = !matches!(*last, "Union" | "Optional");
            let n_taken = if only_first { 1 } else { usize::MAX };
            for argument in top_level(arguments, &[',']).take(n_taken) {
                add_types(argument, rules, is_many, depth + 1, found);
            }
        },
        Some(arguments) if rules.collections.contains(last) => {
            if let Some(argument) = top_level(arguments, &[',']).next() {
                add_types(argument, rules, true, depth + 1, found);
            }
        },
        _ => found.push(Named { path, is_many }),
    }
}

/// The parts between signs that stand in no bracket.
fn top_level<'t>(text: &'t str, signs: &'static [char]) -> impl Iterator<Item = &'t str> {
    let mut depth = 0_i32;
    let mut before = ' ';
    text.split(move |c: char| {
        let is_arrow = c == '>' && before == '=';
        before = c;
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '>' if !is_arrow => depth -= 1,
            _ => {},
        }
        depth == 0 && signs.contains(&c)
    })
}

/// Where the bracket that a text starts with is closed.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_i32;
    let mut quote = None;
    let is_angle = text.starts_with('<');
    for (at, c) in text.char_indices() {
        if let Some(open) = quote {
            if c == open {
                quote = None;
            }
            continue;
        }
        match c {
            '"' | '\'' | '`' => quote = Some(c),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '<' if is_angle => depth += 1,
            '>' if is_angle => depth -= 1,
            _ => {},
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// A name and what follows it.
fn name(text: &str) -> Option<(&str, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '@' | '#');
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let starts_well = !name.starts_with(|c: char| c.is_ascii_digit());
    (!name.is_empty() && starts_well).then_some((name, rest))
}

#[cfg(test)]
mod tests {
    use super::super::rules;
    use super::*;

    #[test]
    fn chains_are_taken_apart() {
        use Step::{Call, Element, Member, Name};
        assert_eq!(
            steps("self.store(a, \")\").items[0]?.open"),
            Some(vec![
                Name("self"),
                Member("store"),
                Call,
                Member("items"),
                Element,
                Member("open")
            ])
        );
        assert_eq!(
            steps("new Store<Note>(x)!.all"),
            Some(vec![Name("Store"), Call, Member("all")])
        );
        assert_eq!(steps("(await load()).next"), Some(vec![Name("load"), Call, Member("next")]));
        assert_eq!(steps("open().await"), Some(vec![Name("open"), Call]));
        assert_eq!(steps("a + b"), None);
        assert_eq!(steps("\"text\""), None);
        assert_eq!(steps(""), None);
    }

    #[test]
    fn types_are_found_inside_what_wraps_them() {
        let python = rules::of("python");
        let plain = |text| {
            let found = types(text, python);
            found.iter().map(|named| (named.path.join("."), named.is_many)).collect::<Vec<_>>()
        };
        let one = |name: &str| vec![(name.to_owned(), false)];
        assert_eq!(plain("Optional['pkg.Store']"), one("pkg.Store"));
        assert_eq!(plain("Store[int]"), one("Store"));
        assert_eq!(plain("List[Store]"), [("Store".to_owned(), true)]);
        assert_eq!(plain("\"Store | Other\""), [one("Store"), one("Other")].concat());
        assert_eq!(plain("Callable[[int], Store]"), one("Callable"));
        let script = rules::of("typescript");
        let found = types("Promise<Array<ns.Store> | null>", script);
        assert_eq!(found[0], Named { path: vec!["ns", "Store"], is_many: true });
        assert_eq!(types("(a: Store) => void", script), []);
        assert_eq!(types("{ a: Store }", script), []);
        assert_eq!(types("Store[]", script)[0], Named { path: vec!["Store"], is_many: true });
    }
}
