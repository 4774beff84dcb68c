//! Which definitions are components of a user interface?

use super::PartKind;

/// Whether files of a language may define components.
pub fn has_components(language: &str) -> bool {
    matches!(language, "jsx" | "tsx" | "javascript")
}

/// What a definition with that name and text is, where it is a component: its name begins with a capital letter and it
/// writes elements. Those below a folder `ui` are building blocks.
pub fn component_kind(path: &str, language: &str, name: &str, body: &str) -> Option<PartKind> {
    let is_named_so = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().any(|c| c.is_ascii_lowercase());
    if !has_components(language) || !is_named_so || !writes_elements(body) {
        return None;
    }
    let is_block = path.split('/').rev().skip(1).any(|folder| folder == "ui");
    Some(if is_block { PartKind::UiComponent } else { PartKind::ReactComponent })
}

/// Whether a text has an element that is closed: `<b/>`, `</b>` or `<></>`.
fn writes_elements(body: &str) -> bool {
    body.match_indices('<').any(|(at, _)| {
        let rest = &body[at + 1..];
        let is_closing = rest
            .strip_prefix('/')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '>'));
        let is_element = rest.starts_with(|c: char| c.is_ascii_alphabetic());
        let ends = rest.find('>').filter(|end| rest[..*end].ends_with('/'));
        is_closing || (is_element && ends.is_some())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_component_has_a_capital_letter_and_elements() {
        let kind = |path: &str, name: &str, body: &str| component_kind(path, "tsx", name, body);
        let body = "function Button() { return <b className=\"x\">ok</b>; }";
        assert_eq!(kind("src/Button.tsx", "Button", body), Some(PartKind::ReactComponent));
        assert_eq!(kind("src/ui/button.tsx", "Button", body), Some(PartKind::UiComponent));
        assert_eq!(kind("a.tsx", "button", body), None);
        assert_eq!(kind("a.tsx", "SIZE", body), None);
        assert_eq!(kind("a.tsx", "Store", "class Store { a<T>(b: T) { return b < 2; } }"), None);
        assert_eq!(kind("a.tsx", "Icon", "() => <Svg size={2} />"), Some(PartKind::ReactComponent));
        assert_eq!(component_kind("a.rs", "rust", "Button", body), None);
    }
}
