//! What a web page says, as Markdown-like text: headings, paragraphs, lists, code, tables.
//!
//! Menus, scripts, forms and everything hidden are left out; where a page marks its content (`main`, `article`) only
//! that is read. Links keep their words and lose their targets. Not for showing a page as its author meant it to look.

mod elements;
mod entities;
mod render;
mod structure;
mod survey;
mod tokens;
mod writer;

#[cfg(test)]
mod tests;

use render::{Rendered, Scope, render};
use survey::Survey;
use tokens::{Token, Tokens};

/// The readable part of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HtmlText {
    /// The title of the page, or its first main heading.
    pub title: Option<String>,
    /// The text, in Markdown.
    pub text: String,
}

/// Articles with less than this part of the words on a page are teasers or comments.
const ARTICLE_SHARE: usize = 4;

/// The title and the readable text of a page. Every input has one; it may be empty.
pub fn to_text(html: &str) -> HtmlText {
    let survey = Survey::of(html);
    let rendered = best_part(html, &survey);
    HtmlText { title: rendered.title.or(rendered.first_heading), text: rendered.text }
}

fn best_part(html: &str, survey: &Survey) -> Rendered {
    if survey.has_main {
        let main = render(html, Scope::Main, survey);
        if !main.text.is_empty() {
            return main;
        }
    }
    let page = render(html, Scope::Page, survey);
    if survey.has_article {
        let articles = render(html, Scope::Articles, survey);
        if !articles.text.is_empty() && articles.text.len() >= page.text.len() / ARTICLE_SHARE {
            return articles;
        }
    }
    if page.text.is_empty() {
        return render(html, Scope::Everything, survey);
    }
    page
}

/// The character set that a page names in its `meta` tags.
pub(crate) fn declared_charset(start_of_page: &str) -> Option<String> {
    Tokens::new(start_of_page).find_map(|token| {
        let Token::Start(tag) = token else { return None };
        if !tag.name.eq_ignore_ascii_case("meta") {
            return None;
        }
        if let Some(charset) = tag.attribute("charset") {
            return Some(charset.into_owned());
        }
        let content = tag.attribute("content")?.to_ascii_lowercase();
        let (_, charset) = content.split_once("charset=")?;
        let end = charset.find([';', ' ']).unwrap_or(charset.len());
        Some(charset[..end].trim_matches(['"', '\'']).to_owned())
    })
}

/// Words with one space between them; `None` where there are none.
fn one_line(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}
