//! What a page is made of: names in style sheets, parts of a template, components of React and Angular.
//!
//! Read from the text of one file; what a name of another file means is left to who sees all files.

mod angular;
mod components;
mod html;
mod styles;

pub use angular::{AngularPart, angular};
pub use components::{component_kind, has_components};
pub use html::{class_uses, template_parts};
pub use styles::style_names;

/// What a part of a page is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum PartKind {
    StyleClass,
    StyleId,
    CssVariable,
    TailwindDirective,
    HtmlTemplate,
    HtmlSection,
    HtmlAnchor,
    ReactComponent,
    UiComponent,
    NgComponent,
    NgModule,
    NgService,
    NgRoute,
}

/// A named part of a page.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    /// What it is.
    pub kind: PartKind,
    /// Its name, without the mark in front of it.
    pub name: String,
    /// The first byte of where it is first named.
    pub at: usize,
}

/// Each part once, where it is first named; sorted by kind and name.
fn once(mut parts: Vec<Part>) -> Vec<Part> {
    parts.sort();
    parts.dedup_by(|b, a| a.kind == b.kind && a.name == b.name);
    parts
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_')
}
