//! The fixed front of a segment: what it is, how much is in it, where the sections lie.

use std::ops::Range;

use gik_base::{ErrorCode, Failure, Result, hash};

use crate::ANALYZER_VERSION;
use crate::varint::{u32_at, u64_at};

pub(super) const MAGIC: &[u8; 8] = b"GIKLEXIX";
pub(super) const FORMAT_VERSION: u32 = 2;
pub(super) const N_SECTIONS: usize = 5;
const SECTIONS_AT: usize = 32;
const CHECKSUM_AT: usize = SECTIONS_AT + N_SECTIONS * 24;
pub(super) const HEADER_BYTES: usize = CHECKSUM_AT + 8;
/// Bytes of one document in the documents section.
pub(super) const DOC_BYTES: usize = 24;
/// Bytes of one block in the dictionary index.
pub(super) const INDEX_ENTRY_BYTES: usize = 20;

/// The sections in the order of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    Documents,
    DictionaryIndex,
    Dictionary,
    Postings,
    Positions,
}

impl Section {
    pub(super) const ALL: [Self; N_SECTIONS] =
        [Self::Documents, Self::DictionaryIndex, Self::Dictionary, Self::Postings, Self::Positions];
}

#[derive(Debug, Clone)]
pub(super) struct Header {
    pub(super) n_docs: u32,
    pub(super) n_terms: u32,
    pub(super) total_length: u64,
    sections: [(Range<usize>, u64); N_SECTIONS],
}

impl Header {
    /// Where a section lies; always inside the file.
    pub(super) fn section(&self, section: Section) -> Range<usize> {
        self.sections[section as usize].0.clone()
    }

    /// The checksum a section must have.
    pub(super) fn checksum(&self, section: Section) -> u64 {
        self.sections[section as usize].1
    }

    /// Writes the header and the sections as one file.
    pub(super) fn write(
        n_docs: u32,
        n_terms: u32,
        total_length: u64,
        sections: [&[u8]; N_SECTIONS],
    ) -> Vec<u8> {
        let n_bytes = sections.iter().map(|section| section.len()).sum::<usize>();
        let mut out = Vec::with_capacity(HEADER_BYTES + n_bytes);
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&FORMAT_VERSION.to_le_bytes());
        out.extend_from_slice(&ANALYZER_VERSION.to_le_bytes());
        out.extend_from_slice(&n_docs.to_le_bytes());
        out.extend_from_slice(&n_terms.to_le_bytes());
        out.extend_from_slice(&total_length.to_le_bytes());
        let mut offset = HEADER_BYTES;
        for section in sections {
            out.extend_from_slice(&(offset as u64).to_le_bytes());
            out.extend_from_slice(&(section.len() as u64).to_le_bytes());
            out.extend_from_slice(&hash::fast64(section).to_le_bytes());
            offset += section.len();
        }
        let checksum = hash::fast64(&out);
        out.extend_from_slice(&checksum.to_le_bytes());
        for section in sections {
            out.extend_from_slice(section);
        }
        out
    }

    /// Reads and checks the header of a whole file.
    pub(super) fn read(bytes: &[u8]) -> Result<Self> {
        if bytes.len() < HEADER_BYTES || !bytes.starts_with(MAGIC) {
            return Err(broken("this is no lexical segment"));
        }
        let versions = (u32_at(bytes, 8), u32_at(bytes, 12));
        if versions != (FORMAT_VERSION, ANALYZER_VERSION) {
            return Err(broken(&format!(
                "the lexical segment has format {} and analyzer {}; this program reads {FORMAT_VERSION} and \
                 {ANALYZER_VERSION}",
                versions.0, versions.1
            )));
        }
        if hash::fast64(&bytes[..CHECKSUM_AT]) != u64_at(bytes, CHECKSUM_AT) {
            return Err(broken("the header of a lexical segment is damaged"));
        }
        let mut expected = HEADER_BYTES;
        let mut sections = Section::ALL.map(|_| (0..0, 0));
        for (idx, section) in sections.iter_mut().enumerate() {
            let at = SECTIONS_AT + idx * 24;
            let offset = usize::try_from(u64_at(bytes, at)).unwrap_or(usize::MAX);
            let length = usize::try_from(u64_at(bytes, at + 8)).unwrap_or(usize::MAX);
            let end =
                offset.checked_add(length).filter(|&end| offset == expected && end <= bytes.len());
            let Some(end) = end else { return Err(broken("a lexical segment is cut short")) };
            *section = (offset..end, u64_at(bytes, at + 16));
            expected = end;
        }
        let header = Self {
            n_docs: u32_at(bytes, 16),
            n_terms: u32_at(bytes, 20),
            total_length: u64_at(bytes, 24),
            sections,
        };
        let documents = header.section(Section::Documents).len();
        let index = header.section(Section::DictionaryIndex).len();
        if expected != bytes.len()
            || documents as u64 != u64::from(header.n_docs) * DOC_BYTES as u64
            || !index.is_multiple_of(INDEX_ENTRY_BYTES)
        {
            return Err(broken("the sections of a lexical segment do not fit its header"));
        }
        Ok(header)
    }
}

pub(super) fn broken(message: &str) -> Failure {
    Failure::new(ErrorCode::StoreBroken, message)
}
