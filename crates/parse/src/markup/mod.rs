//! Pages, components and XML documents to an outline.

mod elements;
pub(crate) mod html;
pub(crate) mod xml;
