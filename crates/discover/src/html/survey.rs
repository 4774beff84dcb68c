//! What has to be known of a whole page before its first word is written.

use super::elements::Element;
use super::structure::TableUse;
use super::tokens::{Token, Tokens};

/// What has to be known of a page before it is read.
#[derive(Debug, Default)]
pub(super) struct Survey {
    pub(super) has_main: bool,
    pub(super) has_article: bool,
    /// What each table is for, in the order of their start tags.
    pub(super) tables: Vec<TableUse>,
}

impl Survey {
    pub(super) fn of(html: &str) -> Self {
        let mut survey = Self::default();
        let mut open_tables: Vec<usize> = Vec::new();
        for token in Tokens::new(html) {
            match token {
                Token::Start(tag) => {
                    let element = Element::of(tag.name);
                    let role = tag.attribute("role").unwrap_or_default();
                    survey.has_main |=
                        element == Element::Main || role.eq_ignore_ascii_case("main");
                    survey.has_article |= element == Element::Article;
                    let is_rich = matches!(
                        element,
                        Element::Table | Element::Heading(_) | Element::Preformatted
                    );
                    if is_rich && let Some(&outer) = open_tables.last() {
                        survey.tables[outer] = TableUse::Layout;
                    }
                    if element == Element::Table {
                        open_tables.push(survey.tables.len());
                        let is_layout = matches!(&*role, "presentation" | "none");
                        survey.tables.push(if is_layout {
                            TableUse::Layout
                        } else {
                            TableUse::Data
                        });
                    }
                },
                Token::End(name) if Element::of(name) == Element::Table => {
                    open_tables.pop();
                },
                Token::End(_) | Token::Text(_) | Token::Content(_) => {},
            }
        }
        survey
    }
}
