//! What elements look like as text: how each begins, and what its end then needs.

use super::elements::{Element, Traits};
use super::one_line;
use super::tokens::Tag;
use super::writer::{Gap, Writer};

/// What a table is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TableUse {
    /// Rows of cells.
    Data,
    /// Only places things on the page.
    Layout,
}

/// What has to be done when an element ends.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) enum Closing {
    #[default]
    Nothing,
    Gap(Gap),
    Heading(u8),
    List,
    Container(Gap),
    InlineCode,
    CodeBlock {
        language: String,
    },
    Table,
    Row,
    Cell,
}

#[derive(Debug, Default)]
pub(super) struct Structure {
    writer: Writer,
    /// The number of the next item, for each open list; `None` where items have bullets.
    lists: Vec<Option<u32>>,
    tables: Vec<TableUse>,
    /// The language that an element around the next code block names.
    language_hint: Option<String>,
    first_heading: Option<String>,
}

impl Structure {
    /// The first main heading, and the text.
    pub(super) fn finish(self) -> (Option<String>, String) {
        (self.first_heading, self.writer.finish())
    }

    pub(super) fn text(&mut self, text: &str) {
        if self.writer.is_flow() && !text.trim_ascii().is_empty() {
            self.language_hint = None;
        }
        self.writer.text(text);
    }

    pub(super) fn void(&mut self, element: Element, tag: Tag<'_>) {
        if element == Element::LineBreak {
            self.writer.line_break();
        } else if element == Element::Rule {
            self.writer.gap(Gap::Blank);
        } else if element == Element::Image
            && !Traits::of(tag).is_hidden
            && let Some(alternative) = tag.attribute("alt")
        {
            self.writer.text(&alternative);
        }
    }

    pub(super) fn begin(
        &mut self,
        element: Element,
        tag: Tag<'_>,
        traits: Traits,
        table: TableUse,
    ) -> Closing {
        if element == Element::Code {
            if self.writer.is_code() {
                self.language_hint = traits.language.or(self.language_hint.take());
            }
            self.writer.begin_code();
            return Closing::InlineCode;
        }
        if !element.is_block() {
            return Closing::Nothing;
        }
        if !self.writer.is_flow() {
            return self.begin_plain(Gap::Line);
        }
        match element {
            Element::Heading(level) => {
                self.writer.gap(Gap::Blank);
                self.writer.begin_line();
                Closing::Heading(level)
            },
            Element::Preformatted => {
                self.writer.begin_block();
                let language = traits.language.or(self.language_hint.take());
                Closing::CodeBlock { language: language.unwrap_or_default() }
            },
            Element::List { is_ordered } => {
                self.gap_around_list();
                let start = tag.attribute("start").and_then(|start| start.parse().ok());
                self.lists.push(is_ordered.then(|| start.unwrap_or(1)));
                Closing::List
            },
            Element::Item => self.begin_item(),
            Element::Definition => self.begin_container(Gap::Line, ": ", "  "),
            Element::Quote => self.begin_container(Gap::Blank, "> ", "> "),
            Element::Table => {
                self.writer.begin_table();
                self.tables.push(table);
                Closing::Table
            },
            Element::Row if self.tables.last() == Some(&TableUse::Data) => {
                self.writer.begin_row();
                Closing::Row
            },
            Element::Cell if self.tables.last() == Some(&TableUse::Data) => {
                self.writer.begin_line();
                Closing::Cell
            },
            Element::Paragraph | Element::DefinitionList => self.begin_plain(Gap::Blank),
            Element::Row
            | Element::Cell
            | Element::Term
            | Element::Block
            | Element::Main
            | Element::Article
            | Element::Header
            | Element::Chrome
            | Element::Rule
            | Element::LineBreak
            | Element::Image
            | Element::Void
            | Element::Dropped
            | Element::Code
            | Element::Inline => {
                self.language_hint = traits.language.or(self.language_hint.take());
                self.begin_plain(Gap::Line)
            },
        }
    }

    fn begin_plain(&mut self, gap: Gap) -> Closing {
        self.writer.gap(gap);
        Closing::Gap(gap)
    }

    fn begin_item(&mut self) -> Closing {
        let marker = match self.lists.last_mut() {
            Some(Some(number)) => {
                let marker = format!("{number}. ");
                *number = number.saturating_add(1);
                marker
            },
            Some(None) | None => "- ".to_owned(),
        };
        let indent = " ".repeat(marker.len());
        self.begin_container(Gap::Line, &marker, &indent)
    }

    fn begin_container(&mut self, gap: Gap, marker: &str, indent: &str) -> Closing {
        self.writer.gap(gap);
        match self.writer.open_container(marker, indent) {
            true => Closing::Container(gap),
            false => Closing::Gap(gap),
        }
    }

    fn gap_around_list(&mut self) {
        self.writer.gap(if self.lists.is_empty() { Gap::Blank } else { Gap::Line });
    }

    pub(super) fn close(&mut self, closing: Closing) {
        match closing {
            Closing::Nothing => {},
            Closing::Gap(gap) => self.writer.gap(gap),
            Closing::Heading(level) => {
                let text = self.writer.end_line();
                if level == 1 && self.first_heading.is_none() {
                    self.first_heading = one_line(&text);
                }
                self.writer.heading(level, &text);
            },
            Closing::List => {
                self.lists.pop();
                self.gap_around_list();
            },
            Closing::Container(gap) => {
                self.writer.gap(gap);
                self.writer.close_container();
            },
            Closing::InlineCode => self.writer.end_code(),
            Closing::CodeBlock { language } => {
                let hint = self.language_hint.take().unwrap_or_default();
                self.writer.end_block(if language.is_empty() { &hint } else { &language });
            },
            Closing::Table => {
                self.tables.pop();
                self.writer.gap(Gap::Blank);
            },
            Closing::Row => self.writer.end_row(),
            Closing::Cell => self.writer.end_cell(),
        }
    }
}
