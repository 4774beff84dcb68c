//! Parts of pages as nodes of `kg/`: style sheets, templates, components, headings.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use gik_base::Result;
use gik_base::collections::HashMap;
use gik_contract::{KgEdgeKind, KgNodeKind};
use gik_graph::web::{
    PartKind, angular, class_uses, component_kind, has_components, style_names, template_parts,
};
use gik_store::FileState;

use super::bodies::{Defined, Known, NodeBody, NodeProps};
use super::gathered::{Gathered, Key};
use super::records::Records;
use super::{Catalog, ids};

/// What is known of pages all over the project; found when it is first asked for.
#[derive(Debug, Default)]
pub(crate) struct Pages {
    /// Style sheets that define a class, by its name.
    classes: Option<BTreeMap<String, Vec<u32>>>,
    /// Which symbols of a file are components.
    components: HashMap<u32, BTreeSet<u32>>,
}

/// Whether files of a language define classes for pages.
pub(crate) fn is_style(language: &str) -> bool {
    matches!(language, "css" | "scss" | "less" | "sass")
}

/// Whether files of a language name classes of style sheets.
pub(crate) fn is_markup(language: &str) -> bool {
    is_template(language) || has_components(language)
}

fn is_template(language: &str) -> bool {
    matches!(
        language,
        "html" | "vue" | "svelte" | "astro" | "handlebars" | "jinja" | "erb" | "twig"
    )
}

fn is_prose(language: &str) -> bool {
    matches!(language, "markdown" | "restructuredtext" | "asciidoc" | "org")
}

fn kind_of(part: PartKind) -> KgNodeKind {
    match part {
        PartKind::StyleClass => KgNodeKind::StyleClass,
        PartKind::StyleId => KgNodeKind::StyleId,
        PartKind::CssVariable => KgNodeKind::CssVariable,
        PartKind::TailwindDirective => KgNodeKind::TailwindDirective,
        PartKind::HtmlTemplate => KgNodeKind::HtmlTemplate,
        PartKind::HtmlSection => KgNodeKind::HtmlSection,
        PartKind::HtmlAnchor => KgNodeKind::HtmlAnchor,
        PartKind::ReactComponent => KgNodeKind::ReactComponent,
        PartKind::UiComponent => KgNodeKind::UiComponent,
        PartKind::NgComponent => KgNodeKind::NgComponent,
        PartKind::NgModule => KgNodeKind::NgModule,
        PartKind::NgService => KgNodeKind::NgService,
        PartKind::NgRoute => KgNodeKind::NgRoute,
    }
}

/// Adds what a file is as part of pages. Says which of its symbols are components, by their places.
pub(super) fn of_page<'a>(
    catalog: &mut Catalog<'a>,
    pages: &mut Pages,
    place: u32,
    text: &str,
    records: &mut Records<'a>,
    edges: &mut Gathered<'a>,
) -> Result<BTreeMap<usize, (KgNodeKind, &'static str)>> {
    let file = catalog.file(place)?;
    let (path, language) = (file.key.as_str(), &*file.language);
    let mut named: Vec<(KgNodeKind, String, usize)> = Vec::new();
    if is_style(language) {
        named.extend(style_names(text).into_iter().map(|it| (kind_of(it.kind), it.name, it.at)));
    }
    if is_template(language) {
        let parts = template_parts(stem(path), text).into_iter();
        named.extend(parts.map(|part| (kind_of(part.kind), part.name, part.at)));
        if matches!(language, "vue" | "svelte" | "astro") {
            named.push((KgNodeKind::UiComponent, stem(path).to_owned(), 0));
        }
    }
    if is_prose(language) {
        named.extend(headings(catalog, place)?);
    }
    let mut parts = components_of(catalog, place, text)?;
    let mut declared: Vec<(Rc<str>, String)> = Vec::new();
    if language == "typescript" {
        for part in angular(text) {
            let kind = kind_of(part.kind);
            if part.kind == PartKind::NgRoute {
                named.push((kind, part.name, part.at));
                continue;
            }
            let known = catalog.symbols(place)?;
            let Some(at) = known.rows.iter().position(|row| row.name == part.name) else {
                continue;
            };
            parts.insert(at, (kind, "angular"));
            declared.extend(part.names.into_iter().map(|name| (known.ids[at].clone(), name)));
        }
    }
    for (kind, name, at) in named {
        let id = ids::named_id(language, path, kind, &name);
        let line = catalog.line_of(place, u32::try_from(at).unwrap_or(u32::MAX))?;
        let props = NodeProps::Defined(Defined {
            language,
            defined_in: path,
            symbol_kind: None,
            line,
            visibility: None,
            framework: None,
        });
        let key = Key { from: ids::file_id(path), to: id.clone(), kind: KgEdgeKind::Defines };
        edges.add(key, Known::of_text("syntax", 100, line));
        records.nodes.push(NodeBody { id, kind, label: name, props });
    }
    belongs_to_module(catalog, place, &declared, edges)?;
    if is_markup(language) {
        uses_classes(catalog, pages, place, text, edges)?;
    }
    Ok(parts)
}

/// The components of React among the symbols of a file.
fn components_of(
    catalog: &mut Catalog<'_>,
    place: u32,
    text: &str,
) -> Result<BTreeMap<usize, (KgNodeKind, &'static str)>> {
    let file = catalog.file(place)?;
    let (path, language) = (file.key.as_str(), &*file.language);
    let mut parts = BTreeMap::new();
    if !has_components(language) {
        return Ok(parts);
    }
    for (at, row) in catalog.symbols(place)?.rows.iter().enumerate() {
        let body = text.get(row.bytes.clone()).unwrap_or_default();
        let kind = component_kind(path, language, &row.name, body);
        if let Some(kind) = kind.filter(|_| ids::node_kind(&row.kind).is_some()) {
            parts.insert(at, (kind_of(kind), "react"));
        }
    }
    Ok(parts)
}

impl Pages {
    /// Whether a symbol is a component.
    pub(super) fn is_component(
        &mut self,
        catalog: &mut Catalog<'_>,
        file: u32,
        symbol: u32,
    ) -> Result<bool> {
        if !has_components(&catalog.file(file)?.language) {
            return Ok(false);
        }
        let known = match self.components.entry(file) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unread) => {
                let text = catalog.own_text(file)?.unwrap_or_default();
                let parts = components_of(catalog, file, &text)?;
                unread.insert(parts.into_keys().filter_map(|at| u32::try_from(at).ok()).collect())
            },
        };
        Ok(known.contains(&symbol))
    }

    fn classes(&mut self, catalog: &mut Catalog<'_>) -> Result<&BTreeMap<String, Vec<u32>>> {
        if self.classes.is_none() {
            let mut classes: BTreeMap<String, Vec<u32>> = BTreeMap::new();
            for (place, file) in (0..).zip(catalog.files()) {
                if file.state != FileState::Indexed || !is_style(&file.language) {
                    continue;
                }
                let Some(text) = catalog.text(place)? else { continue };
                for part in style_names(text) {
                    if part.kind == PartKind::StyleClass {
                        classes.entry(part.name).or_default().push(place);
                    }
                }
            }
            self.classes = Some(classes);
        }
        Ok(self.classes.get_or_insert_default())
    }
}

/// Edges to the classes that a page names; where several style sheets have one, each is a candidate.
fn uses_classes(
    catalog: &mut Catalog<'_>,
    pages: &mut Pages,
    place: u32,
    text: &str,
    edges: &mut Gathered<'_>,
) -> Result<()> {
    let uses = class_uses(text);
    if uses.is_empty() {
        return Ok(());
    }
    let from = ids::file_id(catalog.file(place)?.key.as_str());
    let classes = pages.classes(catalog)?.clone();
    for (name, at) in uses {
        let Some(sheets) = classes.get(&name) else { continue };
        let line = catalog.line_of(place, u32::try_from(at).unwrap_or(u32::MAX))?;
        for &sheet in sheets {
            let sheet = catalog.file(sheet)?;
            let kind = KgNodeKind::StyleClass;
            let to = ids::named_id(&sheet.language, sheet.key.as_str(), kind, &name);
            let key = Key { from: from.clone(), to, kind: KgEdgeKind::UsesClass };
            let confidence = if sheets.len() == 1 { 80 } else { 50 };
            let known = Known::of_text("heuristic", confidence, line).one_of(sheets.len());
            edges.add(key, known);
        }
    }
    Ok(())
}

/// Edges from components to the module that declares them, where only one component has the name.
fn belongs_to_module(
    catalog: &mut Catalog<'_>,
    place: u32,
    declared: &[(Rc<str>, String)],
    edges: &mut Gathered<'_>,
) -> Result<()> {
    for (module, name) in declared {
        let mut found = Vec::new();
        for node in catalog.named(name)? {
            let Some(at) = node.symbol.map(|at| at as usize) else { continue };
            let is_typescript = &*catalog.file(node.file)?.language == "typescript";
            let known = catalog.symbols(node.file)?;
            let is_class = known.rows.get(at).is_some_and(|row| row.kind == "class");
            if is_typescript && is_class {
                found.push((node.file, known.ids[at].clone()));
            }
        }
        let candidates = found.len();
        for (other, id) in found {
            let is_own = other == place;
            let confidence = if candidates == 1 || is_own { 90 } else { 50 };
            let known = Known::of_text("heuristic", confidence, None).one_of(candidates);
            let kind = KgEdgeKind::BelongsToModule;
            edges.add(Key { from: id, to: module.clone(), kind }, known);
        }
    }
    Ok(())
}

/// Headings of a document, with what they stand below.
fn headings(catalog: &Catalog<'_>, place: u32) -> Result<Vec<(KgNodeKind, String, usize)>> {
    let mut headings: BTreeMap<String, usize> = BTreeMap::new();
    for chunk in catalog.chunks(place)? {
        if !chunk.qualified.is_empty() {
            headings.entry(chunk.qualified).or_insert(chunk.bytes.start);
        }
    }
    Ok(headings.into_iter().map(|(name, at)| (KgNodeKind::Concept, name, at)).collect())
}

fn stem(path: &str) -> &str {
    let file = path.rsplit_once('/').map_or(path, |(_, file)| file);
    file.split_once('.').map_or(file, |(stem, _)| stem)
}
