//! Which elements are open and which of them are to be read.
//!
//! A stack of names stands in for the tree: end tags that are missing are implied, those that match nothing are ignored.

use super::elements::{Element, Traits};
use super::structure::{Closing, Structure, TableUse};
use super::survey::Survey;
use super::tokens::{Tag, Token, Tokens};
use super::{entities, one_line};

/// Elements nested deeper than this are read as if their tags were not there.
const MAX_DEPTH: usize = 256;

/// Which part of a page is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    Main,
    Articles,
    Page,
    /// The page with its navigation, forms and footers, for pages that have nothing else.
    Everything,
}

/// A page as read.
#[derive(Debug, Default)]
pub(super) struct Rendered {
    pub(super) title: Option<String>,
    pub(super) first_heading: Option<String>,
    pub(super) text: String,
}

pub(super) fn render(html: &str, scope: Scope, survey: &Survey) -> Rendered {
    let mut renderer = Renderer {
        scope,
        survey,
        open: Vec::new(),
        open_paragraphs: 0,
        beyond_depth: 0,
        tables: 0,
        structure: Structure::default(),
        title: None,
    };
    let mut content_of = "";
    for token in Tokens::new(html) {
        match token {
            Token::Start(tag) => {
                content_of = tag.name;
                renderer.start(tag);
            },
            Token::End(name) => renderer.end(name),
            Token::Text(text) if renderer.state().is_read() => {
                renderer.structure.text(&entities::decode(text));
            },
            Token::Text(_) => {},
            Token::Content(text) => renderer.content(content_of, text),
        }
    }
    renderer.close_down_to(0);
    let (first_heading, text) = renderer.structure.finish();
    Rendered { title: renderer.title, first_heading, text }
}

/// What holds for everything inside an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct State {
    is_hidden: bool,
    is_in_scope: bool,
    is_in_content: bool,
    is_in_header: bool,
}

impl State {
    fn is_read(self) -> bool {
        self.is_in_scope && !self.is_hidden
    }
}

#[derive(Debug)]
struct Open<'a> {
    name: &'a str,
    element: Element,
    state: State,
    closing: Closing,
}

struct Renderer<'a> {
    scope: Scope,
    survey: &'a Survey,
    open: Vec<Open<'a>>,
    open_paragraphs: usize,
    /// How many elements are open that were too deep for the stack.
    beyond_depth: usize,
    /// How many tables have begun.
    tables: usize,
    structure: Structure,
    title: Option<String>,
}

impl<'a> Renderer<'a> {
    fn state(&self) -> State {
        let outermost = State {
            is_hidden: false,
            is_in_scope: matches!(self.scope, Scope::Page | Scope::Everything),
            is_in_content: false,
            is_in_header: false,
        };
        self.open.last().map_or(outermost, |open| open.state)
    }

    fn content(&mut self, name: &str, text: &str) {
        if name.eq_ignore_ascii_case("title") {
            // The title inside a drawing is not that of the page.
            let is_outermost = self.open.iter().rev().skip(1).all(|open| !open.state.is_hidden);
            if is_outermost && self.title.is_none() {
                self.title = one_line(&entities::decode(text));
            }
        } else if Element::of(name) == Element::Preformatted && self.state().is_read() {
            self.structure.text(text);
        }
    }

    fn start(&mut self, tag: Tag<'a>) {
        let element = Element::of(tag.name);
        let table = self.table_use(element);
        self.close_implied(element);
        let outer = self.state();
        if element.is_void() {
            if outer.is_read() {
                self.structure.void(element, tag);
            }
            return;
        }
        let traits = Traits::of(tag);
        let state = self.inner_state(element, &traits);
        // Elements that change nothing are not kept, except those whose end tag could be taken for that of the hidden
        // element around them.
        let matters = element != Element::Inline
            || state != outer
            || (state.is_hidden && self.hidden_root().is_some_and(|root| is_same(root, tag.name)));
        if tag.is_self_closing || !matters {
            return;
        }
        if self.open.len() >= MAX_DEPTH {
            self.beyond_depth += 1;
            return;
        }
        let closing = match state.is_read() {
            true => self.structure.begin(element, tag, traits, table),
            false => Closing::Nothing,
        };
        self.open_paragraphs += usize::from(element == Element::Paragraph);
        self.open.push(Open { name: tag.name, element, state, closing });
    }

    fn inner_state(&self, element: Element, traits: &Traits) -> State {
        let outer = self.state();
        let is_main = element == Element::Main || traits.is_main;
        let is_in_content = outer.is_in_content || is_main || element == Element::Article;
        let is_in_header = outer.is_in_header || element == Element::Header;
        let is_banner = (element == Element::Header || traits.is_banner) && !is_in_content;
        let is_chrome = (element == Element::Chrome || traits.is_chrome || is_banner) && !is_main;
        // The header of the content holds its title; the lists there are languages and share buttons.
        let is_menu = is_in_header && matches!(element, Element::List { .. });
        let is_left_out = (is_chrome || is_menu) && self.scope != Scope::Everything;
        let opens_scope = match self.scope {
            Scope::Main => is_main,
            Scope::Articles => element == Element::Article,
            Scope::Page | Scope::Everything => true,
        };
        let is_hidden = traits.is_hidden || element == Element::Dropped || is_left_out;
        State {
            is_hidden: outer.is_hidden || is_hidden,
            is_in_scope: outer.is_in_scope || opens_scope,
            is_in_content,
            is_in_header,
        }
    }

    fn hidden_root(&self) -> Option<&'a str> {
        self.open.iter().find(|open| open.state.is_hidden).map(|open| open.name)
    }

    fn table_use(&mut self, element: Element) -> TableUse {
        if element != Element::Table {
            return TableUse::Layout;
        }
        self.tables += 1;
        self.survey.tables.get(self.tables - 1).copied().unwrap_or(TableUse::Layout)
    }

    fn end(&mut self, name: &str) {
        let element = Element::of(name);
        if self.beyond_depth > 0 && element != Element::Inline && !element.is_void() {
            self.beyond_depth -= 1;
            return;
        }
        // The end of a block inside a cell cannot be that of a block around the table.
        let crosses_cells = matches!(
            element,
            Element::Table | Element::Row | Element::Cell | Element::Main | Element::Article
        );
        for at in (0..self.open.len()).rev() {
            if is_same(self.open[at].name, name) {
                self.close_down_to(at);
                return;
            }
            let is_border = matches!(self.open[at].element, Element::Cell | Element::Table);
            if is_border && !crosses_cells {
                return;
            }
        }
    }

    /// Closes what the start of `element` ends without an end tag.
    fn close_implied(&mut self, element: Element) {
        use Element as E;
        let (closed, borders): (&[Element], &[Element]) = if element == E::Item {
            (&[E::Item], &[E::List { is_ordered: true }, E::List { is_ordered: false }, E::Cell])
        } else if matches!(element, E::Term | E::Definition) {
            (&[E::Term, E::Definition], &[E::DefinitionList, E::Cell])
        } else if element == E::Row {
            (&[E::Row], &[E::Table])
        } else if element == E::Cell {
            (&[E::Cell], &[E::Row, E::Table])
        } else if element.is_block() && self.open_paragraphs > 0 {
            (&[E::Paragraph], &[E::Cell, E::Table])
        } else {
            return;
        };
        let is_found =
            |open: &Open<'_>| closed.contains(&open.element) || borders.contains(&open.element);
        if let Some(at) = self.open.iter().rposition(is_found)
            && closed.contains(&self.open[at].element)
        {
            self.close_down_to(at);
        }
    }

    fn close_down_to(&mut self, length: usize) {
        while self.open.len() > length
            && let Some(open) = self.open.pop()
        {
            self.open_paragraphs -= usize::from(open.element == Element::Paragraph);
            self.structure.close(open.closing);
        }
    }
}

fn is_same(left: &str, right: &str) -> bool {
    left.eq_ignore_ascii_case(right)
}
