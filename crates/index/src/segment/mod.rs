//! An immutable piece of the index: which documents contain this term, how often, where?
//!
//! Useful for: exact lookup of a term, walking its documents in order, skipping those that cannot matter.
//! Not useful for: the text of a chunk, or searching inside words. Those are the store's.
//!
//! `writer` collects analysed documents in memory, `encoder` lays them out, `reader` answers from the bytes,
//! `merge` makes one segment of several. A merge gives byte for byte what the writer would have given for the
//! living documents in the same order.
//!
//! # Format, version 2
//!
//! All numbers are little-endian. `varint` is LEB128, `exp-Golomb` and the bit streams are told in `bits.rs`. Nothing
//! is aligned.
//!
//! ```text
//! header     magic             8 bytes   "GIKLEXIX"
//!            format version    u32       2
//!            analyzer version  u32       terms of another version are not comparable
//!            documents         u32       n
//!            terms             u32
//!            total length      u64       sum of the lengths of all documents
//!            sections          5 × { offset u64, length u64, xxh3 u64 }, one after the other, no gaps:
//!                              documents, dictionary index, dictionary, postings, positions
//!            xxh3 of the header up to here   u64
//!
//! documents  columns:          chunk u32 × n, file u32 × n, labels u32 × n, length u32 × n, tie u64 × n
//!
//! dictionary terms in byte order, in blocks of 32; the first of a block shares nothing with its predecessor:
//!            lengths           u8        high half: bytes shared with the term before (at most 15)
//!                                        low half: bytes of the rest (at most 15; 0: the next byte tells)
//!            rest              bytes
//!            sizes             u8        1 | postings bytes << 1 | positions bytes << 4: in one document, both below 8.
//!                                        Most terms are like that
//!            or documents      varint    df << 1, at least 2
//!            postings bytes    varint
//!            positions bytes   varint    only for terms without `_`; the others have no positions
//! index      per block         { offset in the dictionary u32, in the postings u64, in the positions u64 }
//!
//! postings   per term: blocks of 128 postings, the last may be shorter. More than one block: a table first.
//!   table    per block         last document varint (minus the last one of the block before, minus 1; the first as
//!                              it is), bytes of the block varint, bytes of its positions varint, peaks
//!   peaks    count             u8        1 to 8
//!            pairs             varint weighted frequency, varint length; from the second on both as the decrease
//!                              from the pair before. No posting of the block has a higher frequency *and* a shorter
//!                              document than every pair; so the best pair bounds the score of the block, whatever
//!                              the idf and the average length are on the day of the query.
//!   block    a bit stream, lowest bit first, filled to whole bytes: 5 bits, the order k; then per posting
//!            document          exp-Golomb(k): gap to the smallest number still possible; the first of a block counts
//!                              from the last of the block before
//!            frequencies       0: once in the body, nowhere else
//!                              1 0 exp-Golomb(0): only in the body, so often, minus 2
//!                              1 1, five bits for the fields, the name first; per set bit exp-Golomb(0): so often,
//!                              minus 1
//!
//! positions  per term and block of postings a bit stream, filled to whole bytes: per posting and field its rising
//!            positions, all below the length of the document, by binary interpolative coding (see `bits.rs`)
//! ```
//!
//! Opening checks the header and that the sections lie where they must. Every later read is bounded by the bytes that
//! are there and by the number of documents, so damage inside a section can give wrong hits but no panic;
//! [`Segment::verify`] finds it.

pub(crate) mod cursor;
mod dictionary;
mod encoder;
mod header;
pub(crate) mod merge;
mod peaks;
pub(crate) mod postings;
pub(crate) mod reader;
pub(crate) mod writer;

pub use merge::merge;
pub use reader::{DocEntry, DocNo, Segment};
pub use writer::SegmentWriter;

/// Bits that tell the order of the gaps of a block.
pub(crate) const ORDER_BITS: u32 = 5;
/// Postings per block.
pub(crate) const BLOCK: usize = 128;

#[cfg(test)]
mod tests;
