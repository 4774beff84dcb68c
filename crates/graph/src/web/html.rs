//! Parts of a page and the classes that its elements name.

use super::{Part, PartKind, is_name, once};

const SECTIONS: [&str; 10] =
    ["section", "main", "header", "footer", "nav", "article", "aside", "div", "form", "dialog"];

/// The template itself, its sections with an id, and its anchors.
pub fn template_parts(stem: &str, text: &str) -> Vec<Part> {
    let mut parts = vec![Part { kind: PartKind::HtmlTemplate, name: stem.to_owned(), at: 0 }];
    for (at, tag, attributes) in tags(text) {
        let id = attribute(attributes, "id");
        let name = if tag == "a" { id.or_else(|| attribute(attributes, "name")) } else { id };
        let kind = if tag == "a" {
            PartKind::HtmlAnchor
        } else if SECTIONS.contains(&tag) {
            PartKind::HtmlSection
        } else {
            continue;
        };
        if let Some(name) = name.filter(|name| !name.is_empty() && name.chars().all(is_name)) {
            parts.push(Part { kind, name: name.to_owned(), at });
        }
    }
    once(parts)
}

/// Names of classes in `class="…"` and `className="…"`, each once with its first place, sorted.
pub fn class_uses(text: &str) -> Vec<(String, usize)> {
    let mut uses = Vec::new();
    for mark in ["class=", "className="] {
        for (at, _) in text.match_indices(mark) {
            let is_whole = !text[..at].ends_with(|c: char| is_name(c) || c == ':' || c == '.');
            let rest = &text[at + mark.len()..];
            let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) else {
                continue;
            };
            let Some(end) = rest[1..].find([quote, '\n']).filter(|_| is_whole) else { continue };
            for name in rest[1..=end].split_whitespace() {
                if name.chars().all(is_name) {
                    uses.push((name.to_owned(), at));
                }
            }
        }
    }
    uses.sort();
    uses.dedup_by(|b, a| a.0 == b.0);
    uses
}

/// Opening tags: place, name in small letters as written, and what follows up to `>`.
fn tags(text: &str) -> impl Iterator<Item = (usize, &str, &str)> {
    text.match_indices('<').filter_map(|(at, _)| {
        let rest = &text[at + 1..];
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let tag = &rest[..length];
        let inside = &rest[length..rest.find('>').unwrap_or(rest.len()).max(length)];
        (!tag.is_empty()).then_some((at, tag, inside))
    })
}

fn attribute<'t>(attributes: &'t str, name: &str) -> Option<&'t str> {
    let mark = format!("{name}=");
    for (at, _) in attributes.match_indices(&mark) {
        if !attributes[..at].ends_with(char::is_whitespace) {
            continue;
        }
        let rest = &attributes[at + mark.len()..];
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        return rest[1..].split(quote).next();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_has_sections_and_anchors_by_their_ids() {
        let text =
            "<main id=\"top\"><a name='more'>x</a><p id=\"no\"></p><div data-id=\"no\"></main>";
        let told: Vec<(PartKind, String)> =
            template_parts("index", text).into_iter().map(|it| (it.kind, it.name)).collect();
        assert_eq!(
            told,
            [
                (PartKind::HtmlTemplate, "index".to_owned()),
                (PartKind::HtmlSection, "top".to_owned()),
                (PartKind::HtmlAnchor, "more".to_owned()),
            ]
        );
    }

    #[test]
    fn classes_of_elements_are_told_once() {
        let text = "<p class=\"a b\"><b className='c b'><i :class=\"no\" class=\"{{x}} d\">";
        let names: Vec<String> = class_uses(text).into_iter().map(|it| it.0).collect();
        assert_eq!(names, ["a", "b", "c", "d"]);
        for text in ["class=", "class=\"", "class='é", "<", "<é", "<a id="] {
            drop((class_uses(text), template_parts("x", text)));
        }
    }
}
