//! XML elements by local name; namespaces are of no interest here.

use roxmltree::{Document, Node, ParsingOptions};

/// More nodes than any manifest has.
const MAX_NODES: u32 = 200_000;
/// The parser descends by recursion; deeper documents are refused before it starts.
const MAX_DEPTH: usize = 128;

/// The document, without support for DTDs and therefore without entities to expand.
pub(crate) fn document(text: &str) -> Result<Document<'_>, String> {
    if is_deeper_than(text, MAX_DEPTH) {
        return Err(format!("elements are nested deeper than {MAX_DEPTH}"));
    }
    let options = ParsingOptions { nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|error| error.to_string())
}

/// Counts open elements. A closing tag without its opening one lowers the count wrongly, but there the parser stops.
fn is_deeper_than(text: &str, limit: usize) -> bool {
    let bytes = text.as_bytes();
    let mut depth = 0usize;
    let mut at = 0;
    while let Some(found) = text[at..].find('<') {
        let start = at + found;
        let rest = &text[start..];
        let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")]
            .into_iter()
            .find(|(open, _)| rest.starts_with(open));
        if let Some((_, close)) = skipped {
            let Some(end) = rest.find(close) else { return false };
            at = start + end + close.len();
            continue;
        }
        let Some(end) = tag_end(bytes, start) else { return false };
        if rest.starts_with("</") {
            depth = depth.saturating_sub(1);
        } else if bytes[end - 1] != b'/' {
            depth += 1;
            if depth > limit {
                return true;
            }
        }
        at = end + 1;
    }
    false
}

/// The place of the `>` that ends the tag; one inside quotes does not.
fn tag_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut quote = None;
    for (at, &byte) in bytes.iter().enumerate().skip(start) {
        match (quote, byte) {
            (None, b'>') => return Some(at),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {},
        }
    }
    None
}

/// The elements directly below `node` with that name.
pub(crate) fn children<'a, 'input>(
    node: Node<'a, 'input>,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'input>> {
    node.children().filter(move |child| child.has_tag_name_local(name))
}

/// The elements reached by a path of names.
pub(crate) fn descend<'a, 'input>(
    node: Node<'a, 'input>,
    path: &[&'static str],
) -> Vec<Node<'a, 'input>> {
    path.iter().fold(vec![node], |nodes, name| {
        nodes.into_iter().flat_map(|node| children(node, name)).collect()
    })
}

/// The trimmed text of the first child element with that name; `None` when missing or empty.
pub(crate) fn child_text<'a>(node: Node<'a, '_>, name: &'static str) -> Option<&'a str> {
    children(node, name).next()?.text().map(str::trim).filter(|text| !text.is_empty())
}

/// Matching by local name.
pub(crate) trait LocalName {
    /// Whether this is an element of that local name in any namespace.
    fn has_tag_name_local(&self, name: &str) -> bool;
}

impl LocalName for Node<'_, '_> {
    fn has_tag_name_local(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_documents_are_refused_and_flat_ones_are_not() {
        let deep = format!("{}{}", "<a>".repeat(100_000), "</a>".repeat(100_000));
        assert_eq!(document(&deep).unwrap_err(), "elements are nested deeper than 128");
        let flat = format!("<r>{}</r>", "<a b='>'/><c></c><!-- <x><x> -->".repeat(1000));
        assert!(document(&flat).is_ok());
        assert!(document("<a").is_err());
        assert!(document("<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>").is_err());
    }
}
