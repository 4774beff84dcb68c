//! Where the texts of a pack come from: what the builder has to know of a project, and asks for as late as it can.

use std::ops::Range;

use gik_contract::pack::{Here, SummaryLevel};
use gik_graph::{Evidence, Node};

/// A piece of text and where it stands, without the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The symbol, where it is one.
    pub symbol_id: Option<String>,
    /// The chunk that holds the text.
    pub chunk_uid: String,
    /// Path of the file.
    pub file: String,
    /// In UTF-16 code units of the file.
    pub utf16: Range<u64>,
    /// In bytes of the file.
    pub bytes: Range<usize>,
    /// First and last line, from 1.
    pub lines: (u32, u32),
    /// Language id.
    pub language: String,
    /// What its file is.
    pub nature: Nature,
}

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nature {
    /// Code.
    Code,
    /// A test.
    Test,
    /// A document.
    Doc,
}

/// The text of a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body {
    /// What the file says there, sign by sign.
    pub text: String,
    /// Where an item inside of it ends, in bytes, rising: good places to cut.
    pub breaks: Vec<usize>,
    /// Its declaration ends here.
    pub head: usize,
    /// Its declaration, heading or first line, on one line.
    pub title: String,
}

/// What could be told of a file, a folder or the project in few lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    /// What it is about.
    pub level: SummaryLevel,
    /// The file or the folder, `.` for the project.
    pub path: String,
    /// What it begins with; says nothing alone.
    pub heading: String,
    /// The first ones matter most.
    pub lines: Vec<OutlineLine>,
}

/// A line of an outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineLine {
    /// Without a line break.
    pub text: String,
    /// What it stands for; none is needed where a pack shows that.
    pub about: About,
}

/// What a line of an outline stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum About {
    /// Bytes of a file.
    Text(String, Range<usize>),
    /// A file.
    File(String),
    /// Something that no excerpt shows.
    All,
}

/// What a project says.
pub trait Library {
    /// Why something could not be read.
    type Failure;

    /// Where the definition of a symbol stands, or the beginning of a file; none where that is not indexed.
    fn place(&mut self, node: Node) -> Result<Option<Place>, Self::Failure>;

    /// The id of a symbol, or the path of a file.
    fn name(&mut self, node: Node) -> Result<String, Self::Failure>;

    /// The text of a place; none where the file is not the one that was indexed.
    fn body(&mut self, place: &Place) -> Result<Option<Body>, Self::Failure>;

    /// What stands beside a place in its file, the nearest first.
    fn beside(&mut self, place: &Place) -> Result<Vec<Place>, Self::Failure>;

    /// Path, line and column of evidence; none where the file is not the one that was indexed.
    fn evidence(&mut self, evidence: &Evidence) -> Result<Option<String>, Self::Failure>;

    /// What can be told of where the reader is: the file, its folder, the project.
    fn outlines(&mut self, here: &Here) -> Result<Vec<Outline>, Self::Failure>;
}
