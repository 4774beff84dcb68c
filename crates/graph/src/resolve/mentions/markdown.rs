//! Links and code of Markdown.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::Mention;

/// Links and pieces of code in the text, without headings and blocks of code.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "only links, code and headings are of interest here"
)]
pub(super) fn mentions(text: &str) -> Vec<Mention> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_TASKLISTS;
    let body = body(text);
    let mut found = Vec::new();
    let mut in_heading = false;
    for (event, range) in Parser::new_ext(&text[body..], options).into_offset_iter() {
        let number = |at: usize| u32::try_from(at + body).unwrap_or(u32::MAX);
        let place = number(range.start)..number(range.end);
        match event {
            Event::Start(Tag::Heading { .. }) => in_heading = true,
            Event::End(TagEnd::Heading(_)) => in_heading = false,
            Event::Start(Tag::Link { dest_url, .. }) if !in_heading => {
                found.push(Mention { place, text: dest_url.into_string(), is_link: true });
            },
            Event::Code(code) if !in_heading => {
                found.push(Mention { place, text: code.trim().to_owned(), is_link: false });
            },
            _ => {},
        }
    }
    found
}

/// Where the text starts behind its front matter.
fn body(text: &str) -> usize {
    let Some(rest) = text.strip_prefix("---\n") else { return 0 };
    rest.find("\n---\n").map_or(0, |at| text.len() - rest.len() + at + "\n---\n".len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_and_blocks_of_code_mention_nothing() {
        let text = "---\na: `x`\n---\n# The `head`\n\nSee [the `store`](src/store.rs#L3), `open()`.\n\n```\n`no`\n```\n";
        let found: Vec<(String, bool)> =
            mentions(text).into_iter().map(|one| (one.text, one.is_link)).collect();
        let code = |text: &str| (text.to_owned(), false);
        let link = ("src/store.rs#L3".to_owned(), true);
        assert_eq!(found, [link, code("store"), code("open()")]);
        let place = mentions(text)[2].place.clone();
        assert_eq!(&text[place.start as usize..place.end as usize], "`open()`");
    }
}
