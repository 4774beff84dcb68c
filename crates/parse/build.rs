//! Turns `languages/*/language.toml` and `facts.toml` into the static language table, so that start-up reads nothing.
//!
//! A file name, extension, interpreter or alias that two languages claim fails the build.

#[path = "build/facts.rs"]
mod facts;
#[path = "build/packed.rs"]
mod packed;

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use packed::Packed;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    id: String,
    name: String,
    class: Class,
    #[serde(default)]
    extensions: Vec<String>,
    #[serde(default)]
    filenames: Vec<String>,
    #[serde(default)]
    prefixes: Vec<String>,
    #[serde(default)]
    interpreters: Vec<String>,
    #[serde(default)]
    aliases: Vec<String>,
    #[serde(default)]
    line_comments: Vec<String>,
    #[serde(default)]
    block_comments: Vec<(String, String)>,
    #[serde(default)]
    structure: Structure,
    syntax: Option<Syntax>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Class {
    Code,
    Prose,
    Data,
    Config,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Structure {
    #[default]
    None,
    Markdown,
    Restructuredtext,
    Asciidoc,
    Latex,
    Html,
    Xml,
    Stylesheet,
    Json,
    Yaml,
    Toml,
    Notebook,
    Syntax,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Syntax {
    grammar: String,
    /// The folder of the package that has the grammar, where its table is compressed.
    packed: Option<String>,
    /// The language whose queries are used; its own where none is named.
    queries: Option<String>,
    /// Files of patterns that go with `tags.scm`, after its own, from the root of all languages.
    #[serde(default)]
    more_tags: Vec<String>,
    /// A function of `syntax::guard`.
    guard: Option<String>,
    /// A function of `syntax::mask`, or of another module that is named with it.
    mask: Option<String>,
    separator: String,
    /// Between a type and what it holds, where that is written differently.
    member_separator: Option<String>,
    /// Each of these characters ends a name within the text that holds it: `(` of `open(path)`.
    #[serde(default)]
    name_end: String,
    /// Whether the grammar is shown letters in place of what is not ASCII.
    #[serde(default)]
    ascii_only: bool,
    /// A sign after which the grammar looks for the end of the line, and does so for ever where there is none.
    line_end_after: Option<char>,
    #[serde(default)]
    silent_names: Vec<String>,
    #[serde(default)]
    doc_markers: Vec<String>,
    #[serde(default)]
    inner_doc_markers: Vec<String>,
    #[serde(default)]
    test_markers: Vec<String>,
}

#[derive(Deserialize)]
struct Lock {
    package: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
}

/// What makes the grammar of a language that is packed, by id.
type Grammars<'l> = BTreeMap<&'l str, String>;

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?).join("languages");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut folders: Vec<PathBuf> = std::fs::read_dir(&root)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    folders.sort();

    let mut languages = Vec::new();
    for folder in folders {
        let file = folder.join("language.toml");
        let text = std::fs::read_to_string(&file)
            .map_err(|error| format!("{}: {error}", file.display()))?;
        let language: Description =
            toml::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
        if folder.file_name().and_then(|name| name.to_str()) != Some(&language.id) {
            return Err(format!("{}: the id must be the folder's name", file.display()).into());
        }
        languages.push((folder, language));
    }

    let versions = locked_versions(&root)?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let (packed, grammars) = pack(&languages, &versions, &out)?;
    std::fs::write(out.join("packed.rs"), packed)?;
    std::fs::write(out.join("languages.rs"), table(&languages, &versions, &grammars)?)?;
    Ok(())
}

/// Packs the tables of the grammars that ask for it. Gives the code that names them, and what makes each one.
fn pack<'l>(
    languages: &'l [(PathBuf, Description)],
    versions: &BTreeMap<String, String>,
    out: &Path,
) -> Result<(String, Grammars<'l>), Box<dyn Error>> {
    let (mut code, mut of_packages) = (String::new(), String::new());
    let mut grammars = Grammars::new();
    for (_, language) in languages {
        let Some(syntax) = &language.syntax else { continue };
        let Some(folder) = &syntax.packed else { continue };
        let (package, version) = package(&syntax.grammar, versions)?;
        let Some(source) = packed::source_of(&package, version) else {
            println!("cargo::warning=the source of {package} was not found; its table stays large");
            continue;
        };
        // The source of a version does not change, and this script runs for every change of a fixture.
        let mark = out.join(format!("{}-{version}-{:016x}.packed", language.id, packed::script()));
        let packed = match Packed::earlier(&mark, out) {
            Some(packed) => packed,
            None => packed::pack(&source.join(folder), out)
                .and_then(|packed| Ok(packed.note(&mark).map(|()| packed)?))
                .map_err(|error| format!("{}: {package}: {error}", language.id))?,
        };
        let function = &packed.function;
        let name = function.to_uppercase();
        writeln!(
            code,
            "unsafe extern \"C\" {{ fn gik_{function}() -> *const (); fn gik_{function}_table() -> *mut u16; }}\n\
             use {} as _;\n\
             pub(crate) static {name}: Packed = Packed {{ grammar: gik_{function}, room: gik_{function}_table, cells: {}, \
             compressed: include_bytes!({:?}), laid_out: Once::new() }};",
            package.replace('-', "_"),
            packed.cells,
            packed.compressed,
        )?;
        write!(of_packages, "({:?}, {}.into()), ", language.id, syntax.grammar)?;
        grammars.insert(&language.id, format!("crate::syntax::packed::{name}.language()"));
    }
    writeln!(
        code,
        "#[cfg(test)]\nfn of_packages() -> Vec<(&'static str, tree_sitter::Language)> {{ vec![{of_packages}] }}"
    )?;
    Ok((code, grammars))
}

/// Which version of each package is compiled in, as the nearest `Cargo.lock` says.
fn locked_versions(folder: &Path) -> Result<BTreeMap<String, String>, Box<dyn Error>> {
    let file =
        folder.ancestors().map(|folder| folder.join("Cargo.lock")).find(|file| file.exists());
    let file = file.ok_or("no folder above has a Cargo.lock")?;
    println!("cargo::rerun-if-changed={}", file.display());
    let lock: Lock = toml::from_str(&std::fs::read_to_string(&file)?)
        .map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(lock.package.into_iter().map(|package| (package.name, package.version)).collect())
}

fn table(
    languages: &[(PathBuf, Description)],
    versions: &BTreeMap<String, String>,
    grammars: &Grammars<'_>,
) -> Result<String, Box<dyn Error>> {
    let mut code = format!("static LANGUAGES: [Language; {}] = [\n", languages.len());
    for (idx, (folder, language)) in languages.iter().enumerate() {
        writeln!(
            code,
            "    Language {{ id: {:?}, name: {:?}, class: LanguageClass::{:?}, extensions: &{:?}, filenames: &{:?}, \
             line_comments: &{:?}, block_comments: &{:?}, structure: {}, index: {idx} }},",
            language.id,
            language.name,
            language.class,
            language.extensions,
            language.filenames,
            language.line_comments,
            language.block_comments,
            structure(folder, language, versions, grammars)?,
        )?;
    }
    code.push_str("];\n");

    lookup(&mut code, "BY_EXTENSION", languages, |language| language.extensions.clone())?;
    lookup(&mut code, "BY_FILENAME", languages, |language| language.filenames.clone())?;
    lookup(&mut code, "BY_PREFIX", languages, |language| language.prefixes.clone())?;
    lookup(&mut code, "BY_INTERPRETER", languages, |language| language.interpreters.clone())?;
    lookup(&mut code, "BY_TAG", languages, |language| {
        let mut tags = language.aliases.clone();
        tags.push(language.id.clone());
        tags
    })?;
    Ok(code)
}

/// A function of the crate that a language names.
fn hook(module: &str, name: Option<&str>) -> String {
    let path = |name: &str| {
        if name.contains("::") { name.to_owned() } else { format!("{module}::{name}") }
    };
    name.map_or("None".to_owned(), |name| format!("Some(crate::syntax::{})", path(name)))
}

/// The package that a path like `tree_sitter_rust::LANGUAGE` leads to, with its version.
fn package<'v>(
    grammar: &str,
    versions: &'v BTreeMap<String, String>,
) -> Result<(String, &'v str), Box<dyn Error>> {
    let name = grammar.split("::").next().unwrap_or_default().replace('_', "-");
    let version = versions.get(&name).ok_or_else(|| format!("Cargo.lock has no `{name}`"))?;
    Ok((name, version))
}

fn structure(
    folder: &Path,
    language: &Description,
    versions: &BTreeMap<String, String>,
    grammars: &Grammars<'_>,
) -> Result<String, Box<dyn Error>> {
    match (&language.structure, &language.syntax) {
        (Structure::Syntax, Some(syntax)) => {
            let queries = syntax.queries.as_ref().map(|other| folder.with_file_name(other));
            let queries = queries.as_deref().unwrap_or(folder);
            let query = |name: &str| format!("include_str!({:?})", queries.join(name));
            let mut tags = query("tags.scm");
            for more in &syntax.more_tags {
                write!(tags, ", \"\\n\", include_str!({:?})", folder.with_file_name(more))?;
            }
            let packed = grammars.get(language.id.as_str()).cloned();
            let (package, version) = package(&syntax.grammar, versions)?;
            Ok(format!(
                "Structure::Syntax(&SyntaxDescription {{ grammar: || {}, package: {:?}, tags: concat!({}), chunks: {}, imports: {}, scopes: {}, \
                 guard: {}, mask: {}, separator: {:?}, member_separator: {:?}, name_end: {:?}, ascii_only: {:?}, line_end_after: {:?}, silent_names: &{:?}, doc_markers: &{:?}, inner_doc_markers: &{:?}, test_markers: &{:?}, facts: {}, #[cfg(test)] facts_of: {:?} }})",
                packed.unwrap_or_else(|| format!("{}.into()", syntax.grammar)),
                format!("{package} {version}"),
                tags,
                query("chunks.scm"),
                query("imports.scm"),
                if queries.join("scopes.scm").exists() {
                    query("scopes.scm")
                } else {
                    "\"\"".to_owned()
                },
                hook("guard", syntax.guard.as_deref()),
                hook("mask", syntax.mask.as_deref()),
                syntax.separator,
                syntax.member_separator.as_ref().unwrap_or(&syntax.separator),
                syntax.name_end,
                syntax.ascii_only,
                syntax.line_end_after,
                syntax.silent_names,
                syntax.doc_markers,
                syntax.inner_doc_markers,
                syntax.test_markers,
                facts::code(queries)?,
                syntax.queries.as_ref().unwrap_or(&language.id),
            ))
        },
        (Structure::Syntax, None) | (_, Some(_)) => {
            Err(format!("{}: `[syntax]` goes with `structure = \"syntax\"`", language.id).into())
        },
        (other, None) => Ok(format!("Structure::{other:?}")),
    }
}

/// Writes a sorted table from names to places in the language table.
fn lookup(
    code: &mut String,
    name: &str,
    languages: &[(PathBuf, Description)],
    keys: impl Fn(&Description) -> Vec<String>,
) -> Result<(), Box<dyn Error>> {
    let mut claimed: BTreeMap<String, usize> = BTreeMap::new();
    for (idx, (_, language)) in languages.iter().enumerate() {
        for key in keys(language) {
            if let Some(other) = claimed.insert(key.clone(), idx) {
                return Err(format!(
                    "`{key}` is claimed by both {} and {} ({name})",
                    languages[other].1.id, language.id
                )
                .into());
            }
        }
    }
    writeln!(code, "static {name}: [(&str, u16); {}] = [", claimed.len())?;
    for (key, idx) in claimed {
        writeln!(code, "    ({key:?}, {idx}),")?;
    }
    code.push_str("];\n");
    Ok(())
}
