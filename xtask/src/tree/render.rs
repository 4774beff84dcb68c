//! The text of one generated file: items of its language until the size is reached.

use std::fmt::Write as _;

use gik_testkit::Rng;

use super::{Language, Vocabulary};

/// A file of about the given size, never more than one item beyond it.
pub(super) fn file(
    language: Language,
    size: usize,
    rng: &mut Rng,
    vocabulary: &Vocabulary,
) -> String {
    let mut writer = Writer { text: String::with_capacity(size + 512), rng, vocabulary };
    writer.opening(language);
    while writer.text.len() < size {
        match language {
            Language::Rust => writer.rust_item(),
            Language::Markdown => writer.markdown_section(),
            Language::Python => writer.python_function(),
            Language::JavaScript => writer.javascript_function(),
        }
    }
    writer.text
}

struct Writer<'a> {
    text: String,
    rng: &'a mut Rng,
    vocabulary: &'a Vocabulary,
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn snake(&mut self) -> String {
        self.vocabulary.name(self.rng).join("_")
    }

    fn pascal(&mut self) -> String {
        self.vocabulary.name(self.rng).iter().map(|word| capitalised(word)).collect()
    }

    fn camel(&mut self) -> String {
        let words = self.vocabulary.name(self.rng);
        words[1..].iter().fold(words[0].to_owned(), |name, word| name + &capitalised(word))
    }

    fn sentence(&mut self) -> String {
        const JOINTS: &[&str] = &["the", "of", "when", "and", "for each", "until", "with", "a"];
        let length = self.rng.within(5..14);
        let mut words: Vec<String> = Vec::with_capacity(length);
        for position in 0..length {
            if position % 3 == 1 {
                words.push((*self.rng.pick(JOINTS)).to_owned());
            } else if self.rng.one_in(8) {
                let name = self.snake();
                words.push(format!("`{name}`"));
            } else {
                words.push(self.vocabulary.word(self.rng).to_owned());
            }
        }
        capitalised(&words.join(" ")) + "."
    }

    fn opening(&mut self, language: Language) {
        let sentence = self.sentence();
        match language {
            Language::Rust => {
                self.line(&format!("//! {sentence}\n"));
                for _ in 0..self.rng.within(1..4) {
                    let (module, name) = (self.snake(), self.pascal());
                    self.line(&format!("use crate::{module}::{name};"));
                }
            },
            Language::Markdown => {
                let title = self.pascal();
                self.line(&format!("# {title}\n\n{sentence}"));
            },
            Language::Python => {
                let (module, name) = (self.snake(), self.pascal());
                self.line(&format!("\"\"\"{sentence}\"\"\"\n\nfrom {module} import {name}"));
            },
            Language::JavaScript => {
                let (module, name) = (self.snake(), self.camel());
                self.line(&format!("// {sentence}\nimport {{ {name} }} from './{module}.js';"));
            },
        }
    }

    fn rust_item(&mut self) {
        let sentence = self.sentence();
        self.line(&format!("\n/// {sentence}"));
        if self.rng.one_in(4) {
            let name = self.pascal();
            self.line("#[derive(Debug, Clone)]");
            self.line(&format!("pub struct {name} {{"));
            for _ in 0..self.rng.within(2..6) {
                let (field, kind) = (self.snake(), self.pascal());
                self.line(&format!("    pub {field}: {kind},"));
            }
            self.line("}");
            return;
        }
        let (name, argument, kind, result) =
            (self.snake(), self.snake(), self.pascal(), self.pascal());
        self.line(&format!("pub fn {name}({argument}: &{kind}) -> Option<{result}> {{"));
        for _ in 0..self.rng.within(3..9) {
            let (local, call, field) = (self.snake(), self.snake(), self.snake());
            match self.rng.below(4) {
                0 => self.line(&format!("    let {local} = {argument}.{call}({field})?;")),
                1 => self.line(&format!("    if {argument}.{field} > {local}.len() {{\n        return {call}({local});\n    }}")),
                2 => self.line(&format!("    for {local} in {call}(&{field}) {{\n        {argument}.push({local});\n    }}")),
                _ => {
                    let why = self.sentence();
                    self.line(&format!("    // {why}\n    {call}(\"{field}\", {local});"));
                },
            }
        }
        self.line(&format!("    Some({result}::new({argument}))\n}}"));
    }

    fn markdown_section(&mut self) {
        let level = self.rng.within(2..4);
        let heading = self.pascal();
        self.line(&format!("\n{} {heading}\n", "#".repeat(level)));
        for _ in 0..self.rng.within(1..4) {
            let sentences: Vec<String> =
                (0..self.rng.within(2..6)).map(|_| self.sentence()).collect();
            self.line(&sentences.join(" "));
            self.line("");
        }
        if self.rng.one_in(3) {
            for _ in 0..self.rng.within(2..6) {
                let sentence = self.sentence();
                self.line(&format!("- {sentence}"));
            }
        }
        if self.rng.one_in(5) {
            let (call, argument) = (self.snake(), self.snake());
            self.line(&format!("\n```rust\nlet value = {call}({argument});\n```"));
        }
    }

    fn python_function(&mut self) {
        let (name, argument, sentence) = (self.snake(), self.snake(), self.sentence());
        self.line(&format!("\n\ndef {name}({argument}):\n    \"\"\"{sentence}\"\"\""));
        for _ in 0..self.rng.within(3..9) {
            let (local, call, field) = (self.snake(), self.snake(), self.snake());
            if self.rng.one_in(3) {
                self.line(&format!(
                    "    for {local} in {call}({argument}):\n        {field}.append({local})"
                ));
            } else {
                self.line(&format!("    {local} = {call}({argument}.{field})"));
            }
        }
        self.line(&format!("    return {argument}"));
    }

    fn javascript_function(&mut self) {
        let (name, argument, sentence) = (self.camel(), self.camel(), self.sentence());
        self.line(&format!("\n/** {sentence} */\nexport function {name}({argument}) {{"));
        for _ in 0..self.rng.within(3..9) {
            let (local, call, field) = (self.camel(), self.camel(), self.camel());
            // Writing to a string cannot fail.
            let _ = if self.rng.one_in(3) {
                writeln!(self.text, "  if (!{argument}.{field}) throw new Error('{local}');")
            } else {
                writeln!(self.text, "  const {local} = await {call}({argument}.{field});")
            };
        }
        self.line(&format!("  return {argument};\n}}"));
    }
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
