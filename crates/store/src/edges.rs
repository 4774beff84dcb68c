//! The edges that leave the nodes of one file, as one blob, made shorter where it is long (`deflate`). What is inside:
//!
//! ```text
//! n · n × (parent + 1)       for every symbol the one it stands in, 0: the file
//! n · n × step               row ids of other files that edges lead to, rising
//! n · n × edge               by where they leave
//!     step                   from the node before: 0 is the file, then its symbols
//!     one byte               four bits for the kind, three for the provenance, one for evidence
//!     source                 only where the four bits are 15: the kind · place among the other files of the one it leaves
//!     confidence             confidence | (candidates - 1) << 7
//!     evidence               distance from the one before · length
//!     file                   0: the same, else place among the other files + 1
//!     symbol + 1             0: the file
//! all numbers are varints, a distance is zigzag
//! ```

use std::collections::BTreeSet;

use gik_index::FileNo;

use crate::deflate::{deflate, inflate};
use crate::facts::reader::{Input, unzigzag};
use crate::facts::writer::{number, zigzag};

/// An edge that leaves a node of a known file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct EdgeRow {
    /// The symbol it leaves; none is the file.
    pub from: Option<u32>,
    /// Where it stands, in bytes of that file: the first, and the one behind the last.
    pub evidence: Option<(u32, u32)>,
    /// What connects, as a number below 15 that means something to the caller.
    pub kind: u8,
    /// How it is known, as a number below 8.
    pub provenance: u8,
    /// In percent.
    pub confidence: u8,
    /// How many nodes may be meant.
    pub candidates: u32,
    /// The file it ends in.
    pub file: FileNo,
    /// The symbol it ends at; none is the file.
    pub symbol: Option<u32>,
    /// The file it leaves, where that is not the known one.
    pub source: Option<FileNo>,
}

/// All that a blob says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileGraph {
    /// For every symbol of the file the one it stands in; none is the file.
    pub parents: Vec<Option<u32>>,
    /// Sorted by where they leave.
    pub edges: Vec<EdgeRow>,
}

const PROVENANCE_BITS: u32 = 4;
const KIND_BITS: u8 = 15;
/// Stands in place of the kind of an edge that leaves another file.
const FROM_ELSEWHERE: u8 = 15;
const HAS_EVIDENCE: u8 = 1 << 7;
const CANDIDATE_BITS: u32 = 7;

impl FileGraph {
    /// The blob of a file.
    pub fn to_bytes(&self, own: FileNo) -> Vec<u8> {
        let mut out = Vec::with_capacity(16 + self.parents.len() * 2 + self.edges.len() * 9);
        let optional = |symbol: Option<u32>| symbol.map_or(0, |symbol| u64::from(symbol) + 1);
        number(&mut out, self.parents.len() as u64);
        self.parents.iter().for_each(|parent| number(&mut out, optional(*parent)));
        let others: BTreeSet<u32> = self
            .edges
            .iter()
            .flat_map(|edge| [Some(edge.file), edge.source])
            .flatten()
            .map(|file| file.0)
            .filter(|file| *file != own.0)
            .collect();
        let others: Vec<u32> = others.into_iter().collect();
        number(&mut out, others.len() as u64);
        let mut last = 0;
        for file in &others {
            number(&mut out, u64::from(file - last));
            last = *file;
        }
        number(&mut out, self.edges.len() as u64);
        let (mut node, mut place) = (0, 0);
        for edge in &self.edges {
            let from = optional(edge.from);
            number(&mut out, from.wrapping_sub(node));
            node = from;
            let evidence = if edge.evidence.is_some() { HAS_EVIDENCE } else { 0 };
            let kind = if edge.source.is_some() { FROM_ELSEWHERE } else { edge.kind };
            out.push((kind & KIND_BITS) | (edge.provenance & 7) << PROVENANCE_BITS | evidence);
            if let Some(source) = edge.source {
                number(&mut out, u64::from(edge.kind));
                number(&mut out, others.binary_search(&source.0).unwrap_or_default() as u64);
            }
            let candidates = u64::from(edge.candidates.saturating_sub(1));
            number(&mut out, candidates << CANDIDATE_BITS | u64::from(edge.confidence & 0x7f));
            if let Some((start, end)) = edge.evidence {
                number(&mut out, zigzag(i64::from(start) - place));
                number(&mut out, u64::from(end.wrapping_sub(start)));
                place = i64::from(start);
            }
            let at = others.binary_search(&edge.file.0);
            number(&mut out, at.map_or(0, |at| at as u64 + 1));
            number(&mut out, optional(edge.symbol));
        }
        deflate(&out)
    }

    /// Reads a blob; `None` where it is damaged.
    pub fn from_bytes(bytes: &[u8], own: FileNo) -> Option<Self> {
        let bytes = inflate(bytes)?;
        let mut input = Input(&bytes);
        let mut graph = Self::default();
        let optional = |number: u64| u32::try_from(number).ok().map(|number| number.checked_sub(1));
        for _ in 0..input.number()? {
            graph.parents.push(optional(input.number()?)?);
        }
        let mut others = Vec::new();
        let mut last = 0_u32;
        for _ in 0..input.number()? {
            last = last.checked_add(u32::try_from(input.number()?).ok()?)?;
            others.push(FileNo(last));
        }
        let (mut node, mut place) = (0_u64, 0_u32);
        for _ in 0..input.number()? {
            node = node.checked_add(input.number()?)?;
            let marks = input.byte()?;
            let (mut kind, mut source) = (marks & KIND_BITS, None);
            if kind == FROM_ELSEWHERE {
                kind = u8::try_from(input.number()?).ok()?;
                source = Some(*others.get(usize::try_from(input.number()?).ok()?)?);
            }
            let sure = input.number()?;
            let evidence = if marks & HAS_EVIDENCE == 0 {
                None
            } else {
                let start = i64::from(place).checked_add(unzigzag(input.number()?))?;
                place = u32::try_from(start).ok()?;
                Some((place, place.checked_add(u32::try_from(input.number()?).ok()?)?))
            };
            let file = match input.number()?.checked_sub(1) {
                None => own,
                Some(at) => *others.get(usize::try_from(at).ok()?)?,
            };
            graph.edges.push(EdgeRow {
                from: optional(node)?,
                evidence,
                kind,
                provenance: marks >> PROVENANCE_BITS & 7,
                confidence: (sure & 0x7f) as u8,
                candidates: u32::try_from(sure >> CANDIDATE_BITS).ok()?.checked_add(1)?,
                file,
                symbol: optional(input.number()?)?,
                source,
            });
        }
        input.0.is_empty().then_some(graph)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> FileGraph {
        let edge = EdgeRow {
            from: None,
            evidence: None,
            kind: 9,
            provenance: 5,
            confidence: 100,
            candidates: 1,
            file: FileNo(7),
            symbol: None,
            source: None,
        };
        FileGraph {
            parents: vec![None, Some(0), Some(u32::MAX - 2)],
            edges: vec![
                edge.clone(),
                EdgeRow { evidence: Some((90, 99)), file: FileNo(900), ..edge.clone() },
                EdgeRow { evidence: Some((3, u32::MAX)), candidates: 8, ..edge.clone() },
                EdgeRow {
                    from: Some(4),
                    symbol: Some(12),
                    file: FileNo(8),
                    confidence: 0,
                    ..edge.clone()
                },
                EdgeRow { from: Some(5), source: Some(FileNo(11)), ..edge },
            ],
        }
    }

    #[test]
    fn edges_are_read_as_they_were_written() {
        let bytes = sample().to_bytes(FileNo(7));
        assert_eq!(FileGraph::from_bytes(&bytes, FileNo(7)), Some(sample()));
        let empty = FileGraph::default();
        assert_eq!(FileGraph::from_bytes(&empty.to_bytes(FileNo(1)), FileNo(1)), Some(empty));
    }

    #[test]
    fn damaged_edges_are_told_and_never_panic() {
        let good = sample().to_bytes(FileNo(7));
        for at in 0..good.len() {
            assert_eq!(FileGraph::from_bytes(&good[..at], FileNo(7)), None, "cut at {at}");
            let mut bad = good.clone();
            bad[at] ^= 0xff;
            drop(FileGraph::from_bytes(&bad, FileNo(7)));
        }
    }
}
