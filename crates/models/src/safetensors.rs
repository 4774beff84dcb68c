//! Which tensors does a `safetensors` file have? Eight bytes of length, a JSON header, then the numbers.
//!
//! The file stays mapped; numbers are turned into `f32` when they are asked for.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use gik_base::mmap::Bytes;
use gik_base::{Context as _, ErrorCode, Failure, Result};
use serde_json::Value;

/// How numbers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    F32,
    F16,
    Bf16,
    I8,
}

/// Where a tensor is and what shape it has.
#[derive(Debug, Clone)]
struct Entry {
    kind: Kind,
    shape: Vec<usize>,
    range: Range<usize>,
}

/// A file of tensors.
#[derive(Debug)]
pub(crate) struct Tensors {
    bytes: Bytes,
    entries: BTreeMap<String, Entry>,
    /// Names of tensors whose kind is not read here.
    others: Vec<String>,
}

/// A tensor with two dimensions, of which rows are read one by one.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    entry: Entry,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
}

impl Tensors {
    /// Maps a file that is never changed in place.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let broken = |what: &str| broken(path, what);
        let bytes = Bytes::map(path)?;
        let header = header(&bytes).ok_or_else(|| broken("is no safetensors file"))?;
        let (start, length) = (header.end, bytes.len() - header.end);
        let json: Value = serde_json::from_slice(&bytes[header])
            .context(ErrorCode::ModelInvalid, || format!("the header of `{}`", path.display()))?;
        let object = json.as_object().ok_or_else(|| broken("has no header"))?;
        let (mut entries, mut others) = (BTreeMap::new(), Vec::new());
        for (name, value) in object.iter().filter(|(name, _)| *name != "__metadata__") {
            let Some(kind) = kind(&value["dtype"]) else {
                others.push(name.clone());
                continue;
            };
            let entry = entry(kind, value, start, length)
                .ok_or_else(|| broken(&format!("has a wrong entry `{name}`")))?;
            entries.insert(name.clone(), entry);
        }
        Ok(Self { bytes, entries, others })
    }

    /// Whether there is a tensor of that name that can be read.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.entries.contains_key(name)
    }

    /// Whether there is a tensor of that name, of whatever kind.
    pub(crate) fn declares(&self, name: &str) -> bool {
        self.has(name) || self.others.iter().any(|other| other == name)
    }

    /// All numbers of a tensor of that shape.
    pub(crate) fn values(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        let entry = self.entry(name)?;
        if entry.shape != shape {
            let message =
                format!("tensor `{name}` has shape {:?} instead of {shape:?}", entry.shape);
            return Err(Failure::new(ErrorCode::ModelInvalid, message));
        }
        let mut values = vec![0.0; shape.iter().product()];
        read(&self.bytes[entry.range.clone()], entry.kind, &mut values);
        Ok(values)
    }

    /// A tensor with two dimensions.
    pub(crate) fn table(&self, name: &str) -> Result<Table> {
        let entry = self.entry(name)?.clone();
        let [rows, columns] = entry.shape[..] else {
            let message = format!("tensor `{name}` has shape {:?} and is no table", entry.shape);
            return Err(Failure::new(ErrorCode::ModelInvalid, message));
        };
        Ok(Table { entry, rows, columns })
    }

    /// Reads a row of a table of this file; a row that it does not have is zero.
    pub(crate) fn row(&self, table: &Table, row: usize, out: &mut [f32]) {
        let size = table.columns * width(table.entry.kind);
        let start = table.entry.range.start + row.min(table.rows) * size;
        let end = (start + size).min(table.entry.range.end);
        out.fill(0.0);
        read(&self.bytes[start..end], table.entry.kind, out);
    }

    /// The kind that most bytes are of.
    pub(crate) fn commonest_kind(&self) -> Option<&'static str> {
        let kinds =
            [(Kind::F32, "F32"), (Kind::F16, "F16"), (Kind::Bf16, "BF16"), (Kind::I8, "I8")];
        let bytes = |kind: Kind| -> usize {
            let of_kind = self.entries.values().filter(|entry| entry.kind == kind);
            of_kind.map(|entry| entry.range.len()).sum()
        };
        kinds.into_iter().max_by_key(|(kind, _)| bytes(*kind)).map(|(_, name)| name)
    }

    fn entry(&self, name: &str) -> Result<&Entry> {
        let missing =
            || Failure::new(ErrorCode::ModelInvalid, format!("there is no tensor `{name}`"));
        self.entries.get(name).ok_or_else(missing)
    }
}

fn broken(path: &Path, what: &str) -> Failure {
    Failure::new(ErrorCode::ModelInvalid, format!("`{}` {what}", path.display()))
        .hint("get the model again")
}

/// Where the header is.
fn header(bytes: &[u8]) -> Option<Range<usize>> {
    let length = u64::from_le_bytes(*bytes.first_chunk()?);
    let end = usize::try_from(length).ok()?.checked_add(8)?;
    (end <= bytes.len()).then_some(8..end)
}

fn kind(dtype: &Value) -> Option<Kind> {
    match dtype.as_str()? {
        "F32" => Some(Kind::F32),
        "F16" => Some(Kind::F16),
        "BF16" => Some(Kind::Bf16),
        "I8" => Some(Kind::I8),
        _ => None,
    }
}

fn width(kind: Kind) -> usize {
    match kind {
        Kind::F32 => 4,
        Kind::F16 | Kind::Bf16 => 2,
        Kind::I8 => 1,
    }
}

/// None where shape and place do not fit each other or the file.
fn entry(kind: Kind, value: &Value, start: usize, length: usize) -> Option<Entry> {
    let numbers = |value: &Value| -> Option<Vec<usize>> {
        value.as_array()?.iter().map(|number| usize::try_from(number.as_u64()?).ok()).collect()
    };
    let shape = numbers(&value["shape"])?;
    let [from, to] = numbers(&value["data_offsets"])?[..] else { return None };
    let size = shape.iter().try_fold(width(kind), |size, side| size.checked_mul(*side))?;
    let fits = to <= length && to.checked_sub(from)? == size;
    fits.then_some(Entry { kind, shape, range: start + from..start + to })
}

fn read(bytes: &[u8], kind: Kind, out: &mut [f32]) {
    match kind {
        Kind::F32 => fill(bytes, out, f32::from_le_bytes),
        Kind::F16 => fill(bytes, out, |two| half(u16::from_le_bytes(two))),
        Kind::Bf16 => {
            fill(bytes, out, |two| f32::from_bits(u32::from(u16::from_le_bytes(two)) << 16));
        },
        Kind::I8 => fill(bytes, out, |one| f32::from(i8::from_le_bytes(one))),
    }
}

fn fill<const N: usize>(bytes: &[u8], out: &mut [f32], value: impl Fn([u8; N]) -> f32) {
    for (out, bytes) in out.iter_mut().zip(bytes.as_chunks::<N>().0) {
        *out = value(*bytes);
    }
}

/// The value of a half-precision number.
fn half(bits: u16) -> f32 {
    let sign = u32::from(bits & 0x8000) << 16;
    let (exponent, fraction) = (u32::from(bits >> 10 & 0x1f), u32::from(bits & 0x3ff));
    match exponent {
        0 => f32::from_bits(sign | (fraction as f32 / 16_777_216.0).to_bits()),
        31 => f32::from_bits(sign | 0x7f80_0000 | fraction << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | fraction << 13),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A file with these tensors: name, kind, shape, bytes.
    pub(crate) fn file(tensors: &[(&str, &str, &[usize], Vec<u8>)]) -> Vec<u8> {
        let (mut header, mut data) = (serde_json::Map::new(), Vec::new());
        for (name, kind, shape, bytes) in tensors {
            let offsets = [data.len(), data.len() + bytes.len()];
            let entry = serde_json::json!({"dtype": kind, "shape": shape, "data_offsets": offsets});
            header.insert((*name).to_owned(), entry);
            data.extend_from_slice(bytes);
        }
        let header = Value::Object(header).to_string();
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend_from_slice(header.as_bytes());
        file.extend(data);
        file
    }

    fn open(bytes: &[u8]) -> Result<Tensors> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.safetensors");
        std::fs::write(&path, bytes).unwrap();
        Tensors::open(&path)
    }

    #[test]
    fn numbers_of_every_kind_are_read() {
        let floats = [1.5f32, -2.0].map(f32::to_le_bytes).concat();
        // 1, -2, the smallest number, infinity
        let halves = [0x3c00u16, 0xc000, 0x0001, 0x7c00].map(u16::to_le_bytes).concat();
        let tensors = open(&file(&[
            ("a", "F32", &[2], floats.clone()),
            ("b", "F16", &[2, 2], halves),
            ("c", "BF16", &[1], vec![0xc0, 0x3f]),
            ("d", "I8", &[2], vec![0xff, 7]),
            ("e", "I64", &[1], vec![0; 8]),
        ]))
        .unwrap();
        assert_eq!(tensors.values("a", &[2]).unwrap(), [1.5, -2.0]);
        assert_eq!(
            tensors.values("b", &[2, 2]).unwrap(),
            [1.0, -2.0, 5.960_464_5e-8, f32::INFINITY]
        );
        assert_eq!(tensors.values("c", &[1]).unwrap(), [1.5]);
        assert_eq!(tensors.values("d", &[2]).unwrap(), [-1.0, 7.0]);
        assert!(!tensors.has("e") && tensors.declares("e"));
        let table = tensors.table("b").unwrap();
        let mut row = [9.0; 2];
        tensors.row(&table, 1, &mut row);
        assert_eq!(row.to_vec(), [5.960_464_5e-8, f32::INFINITY]);
        tensors.row(&table, 2, &mut row);
        assert_eq!(row.to_vec(), [0.0; 2]);
        assert!(tensors.values("a", &[1]).unwrap_err().message().contains("[2] instead of [1]"));
        assert!(tensors.table("a").is_err());
    }

    #[test]
    fn broken_files_are_refused() {
        let whole = file(&[("a", "F32", &[2], vec![0; 8])]);
        assert!(open(&whole).is_ok());
        for bytes in [&b""[..], b"1234567", &whole[..whole.len() - 1], &[0xff; 16]] {
            assert_eq!(open(bytes).unwrap_err().code(), ErrorCode::ModelInvalid);
        }
        let lies = [
            file(&[("a", "F32", &[3], vec![0; 8])]),
            file(&[("a", "F32", &[usize::MAX, 8], vec![0; 8])]),
        ];
        for bytes in lies {
            assert!(open(&bytes).unwrap_err().message().contains("wrong entry `a`"));
        }
    }
}
