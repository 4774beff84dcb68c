//! How many tokens has a text? Counted by the tokenizer of the built-in model, which every copy of the program has.

use gik_base::Result;
use gik_models::{BUILTIN_NAME, StaticModel};

/// What counts tokens.
pub(crate) struct Tokens {
    model: StaticModel,
    name: String,
}

impl Tokens {
    pub(crate) fn new() -> Result<Self> {
        Ok(Self { model: StaticModel::builtin()?, name: format!("wordpiece:{BUILTIN_NAME}") })
    }

    /// Its name in packs.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Words do not go beyond a line, so that the lines of a text have as many as the text.
    pub(crate) fn count(&self, text: &str) -> u64 {
        self.model.tokenizer().count(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_a_text_have_as_many_tokens_as_the_text() {
        let tokens = Tokens::new().unwrap();
        let text = "src/größe.rs:\n    1  pub fn open_store(path: &Path) -> Result<Store>\n";
        let lines: u64 = text.split_inclusive('\n').map(|line| tokens.count(line)).sum();
        assert!(lines > 10);
        assert_eq!(tokens.count(text), lines);
    }
}
