//! A segment as it is asked: documents by number, terms by text.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use gik_base::mmap::Bytes;
use gik_base::{Result, hash};

use crate::bit_set::BitSet;
use crate::document::{ChunkNo, FileNo};
use crate::narrowing::FileSet;
use crate::query::Query;
use crate::score::Collection;
use crate::spelling::Meant;
use crate::tombstones::Tombstones;
use crate::varint::{u32_at, u64_at};

use super::dictionary::{Dictionary, TermInfo, Terms};
use super::header::{Header, Section, broken};
use super::postings::PostingList;

/// The number of a document inside its segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocNo(pub u32);

/// What a segment knows of a document besides its terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DocEntry {
    /// Its number in the segment.
    pub doc: DocNo,
    /// Which chunk it is.
    pub chunk: ChunkNo,
    /// The file of the chunk.
    pub file: FileNo,
    /// The caller's bits.
    pub labels: u32,
    /// The content-derived tie break.
    pub tie: u64,
    /// Number of terms in all fields.
    pub length: u32,
}

/// An immutable part of the index. Clones share the bytes.
#[derive(Debug, Clone)]
pub struct Segment {
    bytes: Arc<Bytes>,
    header: Header,
    /// Whether documents stand in the order of their files, once that was asked.
    is_by_file: OnceLock<bool>,
}

impl Segment {
    /// Opens a segment after checking its header; a damaged one is `store-broken`.
    pub fn open(bytes: Bytes) -> Result<Self> {
        let header = Header::read(&bytes)?;
        Ok(Self { bytes: Arc::new(bytes), header, is_by_file: OnceLock::new() })
    }

    /// Number of documents, dead ones included.
    pub fn n_docs(&self) -> u32 {
        self.header.n_docs
    }

    /// Number of distinct terms.
    pub fn n_terms(&self) -> u32 {
        self.header.n_terms
    }

    /// Size in bytes.
    pub fn n_bytes(&self) -> usize {
        self.bytes.len()
    }

    /// A document; all zero for a number that does not exist.
    pub fn doc(&self, doc: DocNo) -> DocEntry {
        let columns = self.section(Section::Documents);
        let (n, at) = (self.header.n_docs as usize, doc.0 as usize);
        let column = |idx: usize| u32_at(columns, (idx * n + at) * 4);
        if at >= n {
            return DocEntry {
                doc,
                chunk: ChunkNo(0),
                file: FileNo(0),
                labels: 0,
                tie: 0,
                length: 0,
            };
        }
        DocEntry {
            doc,
            chunk: ChunkNo(column(0)),
            file: FileNo(column(1)),
            labels: column(2),
            tie: u64_at(columns, n * 16 + at * 8),
            length: column(3),
        }
    }

    /// The documents of a file, in order.
    pub fn docs_of_file(&self, file: FileNo) -> Vec<DocNo> {
        let (files, _) = self.column(1).as_chunks::<4>();
        let number = |entry: &[u8; 4]| u32::from_le_bytes(*entry);
        // They nearly always do: a look at each for every file of a project would take longer the larger it is.
        let is_by_file = self.is_by_file.get_or_init(|| files.is_sorted_by_key(number));
        let (start, files) = if *is_by_file {
            let start = files.partition_point(|entry| number(entry) < file.0);
            let rest = &files[start..];
            (start, &rest[..rest.partition_point(|entry| number(entry) == file.0)])
        } else {
            (0, files)
        };
        (u32::try_from(start).unwrap_or(u32::MAX)..)
            .zip(files)
            .filter(|(_, entry)| number(entry) == file.0)
            .map(|(doc, _)| DocNo(doc))
            .collect()
    }

    /// The documents of some files.
    pub(crate) fn docs_of(&self, files: &FileSet) -> BitSet {
        let is_wanted = |file: &[u8; 4]| files.contains(FileNo(u32::from_le_bytes(*file)));
        BitSet::of_flags(self.column(1).as_chunks::<4>().0.iter().map(is_wanted))
    }

    /// Reads every byte and compares the checksums.
    pub fn verify(&self) -> Result<()> {
        for section in Section::ALL {
            if hash::fast64(self.section(section)) != self.header.checksum(section) {
                return Err(broken(&format!(
                    "the section {section:?} of a lexical segment is damaged"
                )));
            }
        }
        Ok(())
    }

    /// The lengths of all documents.
    pub(crate) fn lengths(&self) -> Lengths<'_> {
        Lengths { column: self.column(3).as_chunks::<4>().0, total: self.header.total_length }
    }

    /// Number and total length of the living documents.
    pub(crate) fn live(&self, tombstones: &Tombstones) -> Collection {
        let mut live = Collection {
            n_docs: self.header.n_docs.into(),
            total_length: self.header.total_length,
        };
        let lengths = self.lengths();
        for doc in tombstones.iter().take_while(|doc| doc.0 < self.header.n_docs) {
            live.n_docs -= 1;
            live.total_length = live.total_length.saturating_sub(lengths.of(doc.0).into());
        }
        live
    }

    /// The postings of a term.
    pub(crate) fn find(&self, term: &[u8]) -> Option<PostingList<'_>> {
        self.dictionary().find(term).map(|info| self.list(&info))
    }

    /// The postings of the forms of a query, in their order.
    pub(crate) fn find_forms(&self, query: &Query) -> Vec<Option<PostingList<'_>>> {
        let mut lookup = self.dictionary().lookup();
        let list = |info: TermInfo| self.list(&info).within(query.fields);
        query.forms.iter().map(|form| lookup.find(form.term.as_bytes()).map(list)).collect()
    }

    /// Offers every term with the right first letter that a living document has.
    pub(crate) fn offer_to(&self, meant: &mut Meant<'_>, tombstones: &Tombstones) {
        let first = [meant.first()];
        let mut terms = self.dictionary().terms_from(&first);
        while let Some(info) = terms.next() {
            match terms.term().first().cmp(&first.first()) {
                Ordering::Less => {},
                Ordering::Equal => {
                    meant.offer(terms.term(), || self.list(&info).live_df(tombstones).into());
                },
                Ordering::Greater => break,
            }
        }
    }

    /// All terms in order.
    pub(crate) fn terms(&self) -> Terms<'_> {
        self.dictionary().terms()
    }

    /// The postings of a term that was looked up.
    pub(crate) fn list(&self, info: &TermInfo) -> PostingList<'_> {
        let part = |section: Section, range: &Range<usize>| {
            self.section(section).get(range.clone()).unwrap_or_default()
        };
        PostingList::new(
            part(Section::Postings, &info.postings),
            info.positions.as_ref().map(|range| part(Section::Positions, range)),
            info.df,
            self.header.n_docs,
        )
    }

    fn dictionary(&self) -> Dictionary<'_> {
        Dictionary {
            index: self.section(Section::DictionaryIndex),
            blocks: self.section(Section::Dictionary),
        }
    }

    fn section(&self, section: Section) -> &[u8] {
        // The header was checked against the length of these very bytes.
        self.bytes.get(self.header.section(section)).unwrap_or_default()
    }

    fn column(&self, idx: usize) -> &[u8] {
        let width = self.header.n_docs as usize * 4;
        self.section(Section::Documents).get(idx * width..(idx + 1) * width).unwrap_or_default()
    }
}

/// The lengths of the documents of one segment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lengths<'a> {
    column: &'a [[u8; 4]],
    /// Their sum, from the checked header.
    pub(crate) total: u64,
}

impl Lengths<'_> {
    #[inline]
    pub(crate) fn of(self, doc: u32) -> u32 {
        self.column.get(doc as usize).map_or(0, |bytes| u32::from_le_bytes(*bytes))
    }
}
