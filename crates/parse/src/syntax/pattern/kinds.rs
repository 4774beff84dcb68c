//! Names of nodes to the ids that the nodes of a tree have.

use gik_base::collections::HashMap;

use super::scanner::Read;
use super::{ERROR, Kind};

/// The kinds of a grammar that were asked for. Looking one up is a walk through all of them.
pub(super) struct Kinds<'l> {
    language: &'l tree_sitter::Language,
    named: HashMap<&'static str, u16>,
}

impl<'l> Kinds<'l> {
    pub(super) fn new(language: &'l tree_sitter::Language) -> Self {
        Self { language, named: HashMap::default() }
    }

    /// What `(name)` means.
    pub(super) fn named(&mut self, name: &'static str) -> Read<Kind> {
        match name {
            "_" => return Ok(Kind::Named),
            "ERROR" => return Ok(Kind::Is(ERROR)),
            "MISSING" => return Err("what is missing cannot be asked for".to_owned()),
            _ => {},
        }
        let language = self.language;
        let find = || language.id_for_node_kind(name, true);
        let id = *self.named.entry(name).or_insert_with(find);
        if id == 0 || id == ERROR {
            return Err(format!("the grammar has no node `{name}`"));
        }
        if !language.node_kind_is_supertype(id) {
            return Ok(Kind::Is(id));
        }
        let ids = subtypes(language, id);
        if ids.is_empty() {
            return Err(format!("the grammar does not tell what `{name}` stands for"));
        }
        Ok(Kind::OneOf(ids))
    }

    /// What `"text"` means.
    pub(super) fn literal(&self, text: &str) -> Read<Kind> {
        match self.language.id_for_node_kind(text, false) {
            0 => Err(format!("the grammar has no \"{text}\"")),
            id => Ok(Kind::Is(id)),
        }
    }
}

/// The kinds that an abstract one stands for, sorted; those which are abstract themselves are followed.
fn subtypes(language: &tree_sitter::Language, supertype: u16) -> Vec<u16> {
    let mut seen = vec![supertype];
    let mut at = 0;
    while let Some(id) = seen.get(at).copied() {
        at += 1;
        for subtype in language.subtypes_for_supertype(id) {
            if !seen.contains(subtype) {
                seen.push(*subtype);
            }
        }
    }
    let mut ids: Vec<u16> = seen
        .into_iter()
        .filter(|id| !language.node_kind_is_supertype(*id))
        .filter_map(|id| {
            let is_named = language.node_kind_is_named(id);
            language.node_kind_for_id(id).map(|name| language.id_for_node_kind(name, is_named))
        })
        .filter(|id| *id != 0)
        .collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}
