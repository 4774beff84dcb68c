//! Which languages are understood, and how far: the page `docs/languages.md`.

use std::fmt::Write as _;

use gik_parse::Language;

/// The table of all languages with structure, and the names of the others.
pub fn reference_markdown() -> String {
    let (structured, plain): (Vec<&Language>, Vec<&Language>) =
        gik_parse::languages().iter().partition(|language| language.has_structure());
    let mut page = "# Languages\n\n\
        A file is known by its name, its extension, its first line, a modeline or its content. With structure its chunks \
        follow its items or sections and its definitions are symbols; a grammar also gives references (calls, usages, \
        imports, types, writes), visibility and comments. `own reader` is code of ours, where no grammar reads what \
        people write or none is maintained.\n\n\
        | language | id | files | structure | references |\n|---|---|---|---|---|\n"
        .to_owned();
    for language in structured {
        let files: Vec<String> = language
            .extensions
            .iter()
            .map(|extension| format!("`.{extension}`"))
            .chain(language.filenames.iter().map(|name| format!("`{name}`")))
            .collect();
        let structure = if language.has_grammar() { "grammar" } else { "own reader" };
        let references = if language.has_references() { "yes" } else { "" };
        // Writing to a string cannot fail.
        let _ = writeln!(
            page,
            "| {} | `{}` | {} | {structure} | {references} |",
            language.name,
            language.id,
            files.join(" ")
        );
    }
    let names: Vec<&str> = plain.iter().map(|language| language.name).collect();
    let _ = writeln!(
        page,
        "\n{} more are known by name and cut along their paragraphs: {}.",
        names.len(),
        names.join(", ")
    );
    page
}
