//! Indexes that compilers make: what does a SCIP file say about definitions and the names that mean them?
//!
//! A reader of our own for the few fields that are needed; unknown fields are passed over, as protobuf asks.
//! The schema is that of <https://github.com/sourcegraph/scip> (`scip.proto`).

mod wire;

use gik_base::collections::HashMap;

pub use wire::Broken;
use wire::{Fields, Value, packed};

/// A whole index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Index {
    /// Who made it: `rust-analyzer 1.2.3`.
    pub tool: String,
    /// Symbols by number.
    pub symbols: Vec<String>,
    /// Its files.
    pub documents: Vec<Document>,
}

/// A file of an index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Document {
    /// Relative to the root of the project, with `/`.
    pub path: String,
    /// What columns count.
    pub encoding: Encoding,
    /// Places where symbols stand, in the order of the file.
    pub occurrences: Vec<Occurrence>,
    /// Which symbol fulfils which: `(the one, the interface)`.
    pub implements: Vec<(u32, u32)>,
}

/// What columns count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Bytes; also where the index does not say.
    #[default]
    Utf8,
    /// UTF-16 code units.
    Utf16,
    /// Characters.
    Utf32,
}

/// A place where a symbol stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occurrence {
    /// Line and column, from 0.
    pub start: (u32, u32),
    /// Behind the end.
    pub end: (u32, u32),
    /// A place in [`Index::symbols`].
    pub symbol: u32,
    /// Whether it is defined here.
    pub is_definition: bool,
    /// Whether it is imported here.
    pub is_import: bool,
}

/// Reads an index.
pub fn read(bytes: &[u8]) -> Result<Index, Broken> {
    let mut index = Index::default();
    let mut numbers: HashMap<String, u32> = HashMap::default();
    let mut fields = Fields::new(bytes, 0);
    while let Some((number, value)) = fields.next()? {
        match (number, value) {
            (1, Value::Bytes(bytes, at)) => index.tool = tool(bytes, at)?,
            (2, Value::Bytes(bytes, at)) => {
                let document = document(bytes, at, &mut numbers, &mut index.symbols)?;
                index.documents.push(document);
            },
            _ => {},
        }
    }
    Ok(index)
}

/// The name and version in the metadata.
fn tool(bytes: &[u8], at: usize) -> Result<String, Broken> {
    let (mut name, mut version) = (String::new(), String::new());
    let mut fields = Fields::new(bytes, at);
    while let Some((number, value)) = fields.next()? {
        let (2, Value::Bytes(bytes, at)) = (number, value) else { continue };
        let mut inner = Fields::new(bytes, at);
        while let Some((number, value)) = inner.next()? {
            match (number, value) {
                (1, Value::Bytes(bytes, _)) => name = text(bytes),
                (2, Value::Bytes(bytes, _)) => version = text(bytes),
                _ => {},
            }
        }
    }
    Ok(format!("{name} {version}").trim().to_owned())
}

fn document(
    bytes: &[u8],
    at: usize,
    numbers: &mut HashMap<String, u32>,
    symbols: &mut Vec<String>,
) -> Result<Document, Broken> {
    let mut found = Document::default();
    let mut fields = Fields::new(bytes, at);
    while let Some((number, value)) = fields.next()? {
        match (number, value) {
            (1, Value::Bytes(bytes, _)) => found.path = text(bytes).replace('\\', "/"),
            (2, Value::Bytes(bytes, at)) => {
                found.occurrences.extend(occurrence(bytes, at, numbers, symbols)?);
            },
            (3, Value::Bytes(bytes, at)) => {
                relationships(bytes, at, numbers, symbols, &mut found.implements)?;
            },
            (6, Value::Number(2)) => found.encoding = Encoding::Utf16,
            (6, Value::Number(3)) => found.encoding = Encoding::Utf32,
            _ => {},
        }
    }
    found.occurrences.sort_by_key(|it| (it.start, it.end, it.symbol));
    Ok(found)
}

fn number_of(name: String, numbers: &mut HashMap<String, u32>, symbols: &mut Vec<String>) -> u32 {
    if let Some(&known) = numbers.get(&name) {
        return known;
    }
    let number = u32::try_from(symbols.len()).unwrap_or(u32::MAX);
    symbols.push(name.clone());
    numbers.insert(name, number);
    number
}

/// A place; none for names that only their own function sees, and for places that make no sense.
fn occurrence(
    bytes: &[u8],
    at: usize,
    numbers: &mut HashMap<String, u32>,
    symbols: &mut Vec<String>,
) -> Result<Option<Occurrence>, Broken> {
    const DEFINITION: u64 = 1;
    const IMPORT: u64 = 2;
    let (mut range, mut name, mut roles) = (Vec::new(), String::new(), 0);
    let mut fields = Fields::new(bytes, at);
    while let Some((number, value)) = fields.next()? {
        match (number, value) {
            (1, Value::Bytes(bytes, at)) => range = packed(bytes, at)?,
            (1, Value::Number(one)) => range.push(one),
            (2, Value::Bytes(bytes, _)) => name = text(bytes),
            (3, Value::Number(number)) => roles = number,
            _ => {},
        }
    }
    let range: Option<Vec<u32>> = range.into_iter().map(|it| u32::try_from(it).ok()).collect();
    let (start, end) = match range.as_deref() {
        Some([line, from, to]) => ((*line, *from), (*line, *to)),
        Some([line, from, last, to]) => ((*line, *from), (*last, *to)),
        _ => return Ok(None),
    };
    if name.is_empty() || name.starts_with("local ") {
        return Ok(None);
    }
    Ok(Some(Occurrence {
        start,
        end,
        symbol: number_of(name, numbers, symbols),
        is_definition: roles & DEFINITION != 0,
        is_import: roles & IMPORT != 0,
    }))
}

fn relationships(
    bytes: &[u8],
    at: usize,
    numbers: &mut HashMap<String, u32>,
    symbols: &mut Vec<String>,
    implements: &mut Vec<(u32, u32)>,
) -> Result<(), Broken> {
    let (mut own, mut others) = (String::new(), Vec::new());
    let mut fields = Fields::new(bytes, at);
    while let Some((number, value)) = fields.next()? {
        match (number, value) {
            (1, Value::Bytes(bytes, _)) => own = text(bytes),
            (4, Value::Bytes(bytes, at)) => {
                let (mut other, mut is_implementation) = (String::new(), false);
                let mut inner = Fields::new(bytes, at);
                while let Some((number, value)) = inner.next()? {
                    match (number, value) {
                        (1, Value::Bytes(bytes, _)) => other = text(bytes),
                        (3, Value::Number(number)) => is_implementation = number != 0,
                        _ => {},
                    }
                }
                if is_implementation {
                    others.push(other);
                }
            },
            _ => {},
        }
    }
    let own = number_of(own, numbers, symbols);
    for other in others {
        implements.push((own, number_of(other, numbers, symbols)));
    }
    Ok(())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
        let mut field = vec![number << 3 | 2, u8::try_from(bytes.len()).unwrap()];
        field.extend_from_slice(bytes);
        field
    }

    fn sample() -> Vec<u8> {
        let tool = [field(1, b"scip-test"), field(2, b"1.0")].concat();
        let definition = [field(1, &[0, 3, 7]), field(2, b"x . . . open()."), vec![3 << 3, 1]];
        let call = [field(1, &[4, 0, 5, 2]), field(2, b"x . . . open().")].concat();
        let local = [field(1, &[4, 0, 2]), field(2, b"local 1")].concat();
        let relation = [field(1, b"x . . . Open#"), vec![3 << 3, 1]].concat();
        let symbol = [field(1, b"x . . . open()."), field(4, &relation)].concat();
        let document = [
            field(1, b"src/a.rs"),
            field(2, &definition.concat()),
            field(2, &call),
            field(2, &local),
            field(3, &symbol),
            vec![6 << 3, 2],
            field(5, b"the text"),
        ]
        .concat();
        [field(1, &field(2, &tool)), field(2, &document)].concat()
    }

    #[test]
    fn definitions_names_and_relations_are_read() {
        let index = read(&sample()).unwrap();
        assert_eq!(index.tool, "scip-test 1.0");
        let document = &index.documents[0];
        assert_eq!((document.path.as_str(), document.encoding), ("src/a.rs", Encoding::Utf16));
        let places: Vec<_> =
            document.occurrences.iter().map(|it| (it.start, it.end, it.is_definition)).collect();
        assert_eq!(places, [((0, 3), (0, 7), true), ((4, 0), (5, 2), false)]);
        assert_eq!(index.symbols, ["x . . . open().", "x . . . Open#"]);
        assert_eq!(document.implements, [(0, 1)]);
    }

    #[test]
    fn a_cut_file_is_told_and_any_bytes_end() {
        let whole = sample();
        for cut in 1..whole.len() {
            drop(read(&whole[..cut]));
        }
        assert!(read(&whole[..whole.len() - 1]).is_err());
        assert_eq!(read(b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"), Err(Broken { at: 10 }));
        let mut rng = gik_testkit::Rng::new(3);
        for _ in 0..2000 {
            let mut bytes = whole.clone();
            let at = rng.within(0..bytes.len());
            bytes[at] = u8::try_from(rng.below(256)).unwrap();
            drop(read(&bytes));
        }
        assert_eq!(read(b"").unwrap(), Index::default());
    }
}
