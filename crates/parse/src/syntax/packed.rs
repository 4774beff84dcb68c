//! Grammars of languages that few projects have: their largest tables are compressed in the program, and laid out when
//! the language is first met. Eight of them would be a quarter of it. `build/packed.rs` takes them out.

#![expect(unsafe_code, reason = "grammars are C; these are entered here only")]

use std::io::{BufReader, Read as _};
use std::sync::Once;

use flate2::read::DeflateDecoder;
use tree_sitter_language::LanguageFn;

/// A grammar, and the table that it looks for in `room`.
pub(crate) struct Packed {
    grammar: unsafe extern "C" fn() -> *const (),
    room: unsafe extern "C" fn() -> *mut u16,
    cells: usize,
    compressed: &'static [u8],
    laid_out: Once,
}

impl Packed {
    /// The grammar, ready to use.
    pub(crate) fn language(&self) -> tree_sitter::Language {
        self.laid_out.call_once(|| self.lay_out());
        // SAFETY: it is such a function, of the version that its package has.
        unsafe { LanguageFn::from_raw(self.grammar) }.into()
    }

    fn lay_out(&self) {
        // SAFETY: it only tells an address.
        let room = unsafe { (self.room)() };
        // SAFETY: there are so many cells, and nobody reads them before this is done.
        let table = unsafe { std::slice::from_raw_parts_mut(room, self.cells) };
        let mut packed = BufReader::new(DeflateDecoder::new(self.compressed));
        let mut bytes = [0; 2];
        for cell in table {
            packed.read_exact(&mut bytes).expect("the build wrote every cell");
            *cell = u16::from_le_bytes(bytes);
        }
    }
}

include!(concat!(env!("OUT_DIR"), "/packed.rs"));

#[cfg(test)]
mod tests {
    use crate::language::{Structure, languages};

    #[test]
    fn a_packed_grammar_reads_as_the_one_of_its_package() {
        for (id, package) in super::of_packages() {
            let language = languages().iter().find(|language| language.id == id).unwrap();
            let Structure::Syntax(description) = language.structure() else { panic!("{id}") };
            let folder = format!("{}/languages/{id}/fixtures", env!("CARGO_MANIFEST_DIR"));
            for file in std::fs::read_dir(folder).unwrap() {
                let text = std::fs::read(file.unwrap().path()).unwrap();
                let tree = |grammar: &tree_sitter::Language| {
                    let mut parser = tree_sitter::Parser::new();
                    parser.set_language(grammar).unwrap();
                    parser.parse(&text, None).unwrap().root_node().to_sexp()
                };
                assert_eq!(tree(&(description.grammar)()), tree(&package), "{id}");
            }
        }
    }
}
