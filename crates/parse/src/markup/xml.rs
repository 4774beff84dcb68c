//! XML to an outline: the elements below the root, and those inside what is too large for one chunk.

use std::ops::Range;

use gik_base::FileKey;

use super::elements::{Dialect, Element, elements};
use crate::builder::Builder;
use crate::chunk::ChunkKind;
use crate::chunking::TARGET_MAX;
use crate::data::MAX_BYTES;
use crate::language::Language;
use crate::line_table::LineTable;
use crate::outline::Outline;

/// Between the elements of a path.
const PATH_SEPARATOR: &str = "/";
/// Attributes and elements that name the element they are in.
const NAMING: [&str; 5] = ["id", "name", "key", "Include", "x:Name"];

/// Reads the structure of an XML text.
pub(crate) fn read(path: &FileKey, lines: &LineTable<'_>, language: &'static Language) -> Outline {
    let mut builder = Builder::new(path, lines, language, PATH_SEPARATOR);
    // The shapes of a drawing are no parts that anybody looks for.
    if lines.text.len() <= MAX_BYTES && !path.file_name().ends_with(".svg") {
        let elements = elements(lines.text, Dialect::Xml);
        let mut idx = 0;
        while let Some(root) = elements.get(idx) {
            add(&mut builder, &elements, idx + 1..root.end);
            idx = root.end.max(idx + 1);
        }
    }
    builder.finish()
}

fn add(builder: &mut Builder<'_, '_>, elements: &[Element<'_>], range: Range<usize>) {
    let lines = builder.lines;
    let mut idx = range.start;
    while idx < range.end {
        let element = &elements[idx];
        let next = element.end.max(idx + 1);
        let touched = lines.lines_of(&element.bytes);
        builder.open(touched.start, ChunkKind::Other, &name(element));
        if element.bytes.len() > TARGET_MAX {
            add(builder, elements, idx + 1..next);
        }
        builder.close(touched.end);
        idx = next;
    }
}

/// `bean dataSource` for `<bean id="dataSource">`.
fn name(element: &Element<'_>) -> String {
    let naming = NAMING.iter().find_map(|name| element.attribute(name));
    match naming.map(str::trim) {
        Some(naming) if !naming.is_empty() => format!("{} {naming}", element.name),
        _ => element.name.to_owned(),
    }
}
