//! Turns `languages/*/facts.toml` into the rules that say what names refer to and who may see a definition.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;

use serde::Deserialize;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Facts {
    visibility: Option<VisibilityFacts>,
    #[serde(default)]
    references: References,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VisibilityFacts {
    /// What a definition without a mark is.
    default: Visibility,
    /// The same inside a type.
    members: Option<Visibility>,
    /// The same inside a class, where classes differ from other types.
    class_members: Option<Visibility>,
    /// The same inside a trait, interface or protocol.
    interface_members: Option<Visibility>,
    by_name: Option<ByName>,
    /// Kinds around a definition that make it public.
    #[serde(default)]
    exported_by: Vec<String>,
    /// Kinds between definitions whose word counts for all that follow: `private:`.
    #[serde(default)]
    sections: Vec<String>,
    /// Words in front of the name.
    #[serde(default)]
    words: BTreeMap<String, Visibility>,
    /// The same, outside of types only.
    #[serde(default)]
    module_words: BTreeMap<String, Visibility>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Visibility {
    Public,
    Protected,
    Internal,
    Private,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ByName {
    /// A capital letter makes it public, anything else private.
    Uppercase,
    /// A leading `_` makes it private.
    Underscore,
    /// A leading `#` makes it private.
    Hash,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct References {
    /// Kinds of leaves that are names, with the role they have by default.
    #[serde(default)]
    names: BTreeMap<String, Role>,
    /// Names that, by themselves, never refer to anything: `Self`.
    #[serde(default)]
    ignore: Vec<String>,
    /// Words of the language that its grammar takes for names, wherever they stand: `class` of `Store::class`.
    #[serde(default)]
    keywords: Vec<String>,
    /// Functions that import what their first argument, a string, names: `require`.
    #[serde(default)]
    import_calls: Vec<String>,
    /// Kinds through which a role reaches the names inside.
    #[serde(default)]
    pass: Vec<String>,
    /// Kinds never looked into.
    #[serde(default)]
    skip: Vec<String>,
    /// Kinds that hold bare tokens, in which the signs around a name tell what it is.
    #[serde(default)]
    tokens: Vec<String>,
    /// `kind.field` or `kind` to the role of the name that stands there.
    #[serde(default)]
    roles: BTreeMap<String, Role>,
    #[serde(default)]
    paths: BTreeMap<String, PathFields>,
    /// Kinds of imports to the field that says where the names come from.
    #[serde(default)]
    sources: BTreeMap<String, String>,
}

/// How a kind says a name together with what it belongs to. Without fields, every name belongs to what stands before it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PathFields {
    receiver: Option<String>,
    name: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Role {
    Call,
    Component,
    Usage,
    Export,
    Import,
    Type,
    Write,
    Bind,
    Pattern,
    None,
}

/// The code of a `FactsDescription`; a folder without `facts.toml` has an empty one.
pub(crate) fn code(folder: &Path) -> Result<String, Box<dyn Error>> {
    let file = folder.join("facts.toml");
    let facts: Facts = if file.exists() {
        let text = std::fs::read_to_string(&file)?;
        toml::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?
    } else {
        Facts::default()
    };
    let References {
        names,
        ignore,
        keywords,
        import_calls,
        pass,
        skip,
        tokens,
        roles,
        paths,
        sources,
    } = facts.references;
    let mut code = String::from("FactsDescription { names: &[");
    for (kind, role) in names {
        write!(code, "({kind:?}, FactRole::{role:?}), ")?;
    }
    write!(
        code,
        "], ignore: &{ignore:?}, keywords: &{keywords:?}, import_calls: &{import_calls:?}, pass: &{pass:?}, skip: &{skip:?}, \
         tokens: &{tokens:?}, roles: &["
    )?;
    for (place, role) in roles {
        let (kind, field) = place.split_once('.').unwrap_or((&place, ""));
        write!(code, "({kind:?}, {field:?}, FactRole::{role:?}), ")?;
    }
    code.push_str("], paths: &[");
    for (kind, PathFields { receiver, name }) in paths {
        let (receiver, name) = (receiver.unwrap_or_default(), name.unwrap_or_default());
        write!(code, "({kind:?}, {receiver:?}, {name:?}), ")?;
    }
    code.push_str("], sources: &[");
    for (kind, field) in sources {
        write!(code, "({kind:?}, {field:?}), ")?;
    }
    write!(code, "], visibility: {} }}", visibility(facts.visibility))?;
    Ok(code)
}

fn visibility(facts: Option<VisibilityFacts>) -> String {
    let Some(facts) = facts else { return "None".to_owned() };
    let choice = |visibility: Option<Visibility>| match visibility {
        Some(visibility) => format!("Some(Visibility::{visibility:?})"),
        None => "None".to_owned(),
    };
    let by_name = facts.by_name.map_or("None".to_owned(), |by| format!("Some(ByName::{by:?})"));
    format!(
        "Some(VisibilityRules {{ default: Visibility::{:?}, members: {}, class_members: {}, \
         interface_members: {}, by_name: {by_name}, exported_by: &{:?}, sections: &{:?}, words: &[{}], module_words: &[{}] }})",
        facts.default,
        choice(facts.members),
        choice(facts.class_members),
        choice(facts.interface_members),
        facts.exported_by,
        facts.sections,
        words(facts.words),
        words(facts.module_words),
    )
}

/// The longest first, so that `pub(crate)` is looked for before `pub`.
fn words(words: BTreeMap<String, Visibility>) -> String {
    let mut words: Vec<(String, Visibility)> = words.into_iter().collect();
    words.sort_by_key(|(word, _)| std::cmp::Reverse(word.len()));
    let pairs = words.iter().map(|(word, said)| format!("({word:?}, Visibility::{said:?})"));
    pairs.collect::<Vec<_>>().join(", ")
}
