//! What an element means for readable text, from its name and attributes.

use super::tokens::Tag;

/// The part an element plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    LineBreak,
    Rule,
    Image,
    /// Other elements without content.
    Void,
    /// Never readable: scripts, drawings, controls.
    Dropped,
    /// What surrounds the content of every page: navigation, footers, forms.
    Chrome,
    /// Chrome, except inside the content, where it holds the title.
    Header,
    Main,
    Article,
    Heading(u8),
    Paragraph,
    Block,
    List {
        is_ordered: bool,
    },
    Item,
    DefinitionList,
    Term,
    Definition,
    Quote,
    Preformatted,
    Code,
    Table,
    Row,
    Cell,
    /// Anything else; its text flows on.
    Inline,
}

impl Element {
    pub(super) fn of(name: &str) -> Self {
        let mut buffer = [0; 12];
        let Some(lower) = buffer.get_mut(..name.len()) else { return Self::Inline };
        lower.copy_from_slice(name.as_bytes());
        lower.make_ascii_lowercase();
        match &*lower {
            b"br" => Self::LineBreak,
            b"hr" => Self::Rule,
            b"img" => Self::Image,
            b"area" | b"base" | b"col" | b"embed" | b"input" | b"link" | b"meta" | b"param"
            | b"source" | b"track" | b"wbr" => Self::Void,
            b"script" | b"style" | b"template" | b"noscript" | b"svg" | b"iframe" | b"object"
            | b"canvas" | b"audio" | b"video" | b"map" | b"button" | b"select" | b"datalist"
            | b"textarea" | b"noembed" | b"noframes" | b"title" | b"annotation" => Self::Dropped,
            b"nav" | b"aside" | b"footer" | b"form" | b"search" => Self::Chrome,
            b"header" => Self::Header,
            b"main" => Self::Main,
            b"article" => Self::Article,
            b"h1" => Self::Heading(1),
            b"h2" => Self::Heading(2),
            b"h3" => Self::Heading(3),
            b"h4" => Self::Heading(4),
            b"h5" => Self::Heading(5),
            b"h6" => Self::Heading(6),
            b"p" => Self::Paragraph,
            b"address" | b"body" | b"caption" | b"center" | b"details" | b"dialog" | b"div"
            | b"fieldset" | b"figcaption" | b"figure" | b"hgroup" | b"legend" | b"section"
            | b"summary" => Self::Block,
            b"ul" | b"menu" | b"dir" => Self::List { is_ordered: false },
            b"ol" => Self::List { is_ordered: true },
            b"li" => Self::Item,
            b"dl" => Self::DefinitionList,
            b"dt" => Self::Term,
            b"dd" => Self::Definition,
            b"blockquote" => Self::Quote,
            b"pre" | b"xmp" | b"listing" | b"plaintext" => Self::Preformatted,
            b"code" | b"kbd" | b"samp" | b"tt" => Self::Code,
            b"table" => Self::Table,
            b"tr" => Self::Row,
            b"td" | b"th" => Self::Cell,
            _ => Self::Inline,
        }
    }

    pub(super) fn is_void(self) -> bool {
        matches!(self, Self::LineBreak | Self::Rule | Self::Image | Self::Void)
    }

    /// Whether the element starts on a line of its own.
    pub(super) fn is_block(self) -> bool {
        !matches!(
            self,
            Self::LineBreak | Self::Image | Self::Void | Self::Dropped | Self::Code | Self::Inline
        )
    }
}

/// What the attributes of a tag say.
#[derive(Debug, Default)]
pub(super) struct Traits {
    pub(super) is_hidden: bool,
    pub(super) is_chrome: bool,
    pub(super) is_banner: bool,
    pub(super) is_main: bool,
    pub(super) language: Option<String>,
}

impl Traits {
    pub(super) fn of(tag: Tag<'_>) -> Self {
        let mut traits = Self::default();
        let mut is_open = false;
        for (name, value) in tag.attributes() {
            match name.to_ascii_lowercase().as_str() {
                "hidden" => traits.is_hidden |= !value.eq_ignore_ascii_case("until-found"),
                "aria-hidden" => traits.is_hidden |= value.eq_ignore_ascii_case("true"),
                "open" => is_open = true,
                "style" => traits.is_hidden |= hides(&value),
                "role" => traits.apply_role(&value),
                "class" => traits.apply_classes(tag.name, &value),
                "data-lang" | "data-language" => traits.language = language(&value),
                _ => {},
            }
        }
        traits.is_hidden |= tag.name.eq_ignore_ascii_case("dialog") && !is_open;
        traits
    }

    fn apply_role(&mut self, role: &str) {
        match role.trim().to_ascii_lowercase().as_str() {
            "main" => self.is_main = true,
            "banner" => self.is_banner = true,
            "navigation" | "search" | "contentinfo" | "complementary" | "menu" | "menubar"
            | "toolbar" | "dialog" | "alertdialog" => self.is_chrome = true,
            _ => {},
        }
    }

    fn apply_classes(&mut self, tag_name: &str, classes: &str) {
        for class in classes.split_ascii_whitespace() {
            match class {
                // Line numbers beside code.
                "gutter" | "linenos" | "lineno" | "linenodiv" | "rouge-gutter" | "lnt" => {
                    self.is_hidden = true;
                },
                // The sign beside a heading that links to it.
                "headerlink" | "anchor" | "anchor-link" | "doc-anchor" | "hash-link"
                | "heading-anchor"
                    if tag_name.eq_ignore_ascii_case("a") =>
                {
                    self.is_hidden = true;
                },
                _ => {},
            }
            let prefixes = ["language-", "lang-", "highlight-source-", "highlight-", "brush:"];
            let named = prefixes.iter().find_map(|prefix| class.strip_prefix(prefix));
            if self.language.is_none() {
                self.language = named.and_then(language);
            }
        }
    }
}

fn hides(style: &str) -> bool {
    let compact: String = style.chars().filter(|character| !character.is_whitespace()).collect();
    let compact = compact.to_ascii_lowercase();
    compact.contains("display:none") || compact.contains("visibility:hidden")
}

/// The name of a programming language, if it can be one.
fn language(name: &str) -> Option<String> {
    let name = name.trim().to_ascii_lowercase();
    let is_name =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'#' | b'.' | b'-');
    let fits = (1..=24).contains(&name.len()) && name.bytes().all(is_name);
    let says_nothing = matches!(name.as_str(), "default" | "none" | "plain" | "plaintext" | "text");
    (fits && !says_nothing).then_some(name)
}
