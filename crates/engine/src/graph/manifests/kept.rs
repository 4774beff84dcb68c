//! What manifests say, as the index keeps it beside the edges that rest on it: as long as no manifest changes, none has
//! to be read for the edges of a file that did.

use std::collections::{BTreeMap, BTreeSet};

use gik_base::{ErrorCode, Failure, Result};
use gik_graph::resolve::{CrateRoot, Manifests, NodePackage, ScriptPaths};

/// Names, each with others.
type Lists = Vec<(String, Vec<String>)>;

/// The fields of [`Manifests`], in their order.
type Kept = (
    BTreeMap<String, (String, Lists)>,
    BTreeMap<String, (Option<String>, Lists)>,
    BTreeMap<String, String>,
    BTreeMap<String, (String, String)>,
    BTreeMap<String, Vec<String>>,
    BTreeMap<String, Lists>,
    BTreeMap<String, Vec<String>>,
    BTreeSet<String>,
    Vec<String>,
);

/// As a text to keep.
pub(in crate::graph) fn to_text(manifests: &Manifests) -> Result<String> {
    let Manifests { node, scripts, go, crates, php, subpaths, built, autoloaded, includes } =
        manifests.clone();
    let node = node.into_iter().map(|(name, it)| (name, (it.folder, it.exports)));
    let scripts = scripts.into_iter().map(|(folder, it)| (folder, (it.base, it.paths)));
    let crates = crates.into_iter().map(|(name, it)| (name, (it.folder, it.file)));
    let kept: Kept = (
        node.collect(),
        scripts.collect(),
        go,
        crates.collect(),
        php,
        subpaths,
        built,
        autoloaded,
        includes,
    );
    serde_json::to_string(&kept).map_err(|error| {
        Failure::new(ErrorCode::Internal, "what manifests say cannot be kept").caused_by(error)
    })
}

/// From a text that was kept; none where it is not one.
pub(in crate::graph) fn from_text(text: &str) -> Option<Manifests> {
    let (node, scripts, go, crates, php, subpaths, built, autoloaded, includes): Kept =
        serde_json::from_str(text).ok()?;
    let node = node.into_iter();
    let scripts = scripts.into_iter();
    let crates = crates.into_iter();
    Some(Manifests {
        node: node
            .map(|(name, (folder, exports))| (name, NodePackage { folder, exports }))
            .collect(),
        scripts: scripts
            .map(|(folder, (base, paths))| (folder, ScriptPaths { base, paths }))
            .collect(),
        go,
        crates: crates.map(|(name, (folder, file))| (name, CrateRoot { folder, file })).collect(),
        php,
        subpaths,
        built,
        autoloaded,
        includes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_manifests_say_is_read_as_it_was_kept() {
        let text = |text: &str| text.to_owned();
        let lists = vec![(text("./*"), vec![text("src/*.ts"), text("lib/*.js")])];
        let manifests = Manifests {
            node: [(text("@a/b"), NodePackage { folder: text("b"), exports: lists.clone() })]
                .into(),
            scripts: [
                (text(""), ScriptPaths { base: None, paths: lists.clone() }),
                (text("x"), ScriptPaths { base: Some(text("x/src")), paths: Vec::new() }),
            ]
            .into(),
            go: [(text("example.com/a"), text("go"))].into(),
            crates: [(text("c"), CrateRoot { folder: text("c"), file: text("c/src/lib.rs") })]
                .into(),
            php: [(text("App"), vec![text("src")])].into(),
            subpaths: [(text(""), lists)].into(),
            built: [(text("dist"), vec![text("src")])].into(),
            autoloaded: [text("lib")].into(),
            includes: vec![text("include")],
        };
        assert_eq!(from_text(&to_text(&manifests).unwrap()), Some(manifests));
        let nothing = Manifests::default();
        assert_eq!(from_text(&to_text(&nothing).unwrap()), Some(nothing));
        assert_eq!(from_text("[]"), None);
    }
}
