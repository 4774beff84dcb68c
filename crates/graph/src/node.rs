//! What is at the end of an edge?

/// A file, or a symbol in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node {
    /// The place of the file among all of the project, sorted by path: the same in every build of the same tree.
    pub file: u32,
    /// The place of the symbol among those of the file; none is the file itself. Files sort before their symbols.
    pub symbol: Option<u32>,
}

impl Node {
    /// The file as a whole.
    pub fn file(file: u32) -> Self {
        Self { file, symbol: None }
    }

    /// A symbol of a file.
    pub fn symbol(file: u32, symbol: u32) -> Self {
        Self { file, symbol: Some(symbol) }
    }
}
