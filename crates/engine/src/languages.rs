//! Which languages are understood, and how far: the page `docs/languages.md`.

use std::fmt::Write as _;

use gik_parse::Language;

/// How many of the definitions that another program finds are found here; `cargo xtask eval symbols --update` writes it.
const SYMBOLS: &str = include_str!("../../../bench/symbols.md");

/// The table of all languages with structure, and the names of the others.
pub fn reference_markdown() -> String {
    let (structured, plain): (Vec<&Language>, Vec<&Language>) =
        gik_parse::languages().iter().partition(|language| language.has_structure());
    let mut page = "# Languages\n\n\
        A file is known by its name, its extension, its first line, a modeline or its content. With structure its chunks \
        follow its items or sections and its definitions are symbols; a grammar also gives references (calls, usages, \
        imports, types, writes), visibility and comments. `own reader` is code of ours, where no grammar reads what \
        people write or none is maintained. Recall is the share of the definitions Universal Ctags reports in real \
        packages that are found, where that was measured: see [bench/symbols.md](../bench/symbols.md).\n\n\
        | language | id | files | structure | references | recall |\n|---|---|---|---|---|--:|\n"
        .to_owned();
    for language in structured {
        let files: Vec<String> = language
            .extensions
            .iter()
            .map(|extension| format!("`.{extension}`"))
            .chain(language.filenames.iter().map(|name| format!("`{name}`")))
            .collect();
        let structure = language.grammar().unwrap_or("own reader");
        let references = if language.has_references() { "yes" } else { "" };
        // Writing to a string cannot fail.
        let _ = writeln!(
            page,
            "| {} | `{}` | {} | {structure} | {references} | {} |",
            language.name,
            language.id,
            files.join(" "),
            recall(SYMBOLS, language.id).unwrap_or_default()
        );
    }
    let names: Vec<&str> = plain.iter().map(|language| language.name).collect();
    let _ = writeln!(
        page,
        "\n{} more are known by name and read as text, cut along their paragraphs: they have no items to tell apart, no \
         grammar of theirs is maintained on crates.io, or the one there is has not earned its share of the build yet. \
         They are {}.",
        names.len(),
        names.join(", ")
    );
    page
}

/// The recall of a language in the table of the comparison.
fn recall<'t>(table: &'t str, id: &str) -> Option<&'t str> {
    let rows = || table.lines().map(|line| line.split('|').map(str::trim));
    let mut heads = rows().find(|row| row.clone().nth(1) == Some("language"))?;
    let column = heads.position(|head| head == "recall")?;
    rows().find(|row| row.clone().nth(1) == Some(id))?.nth(column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_what_reads_it() {
        let page = reference_markdown();
        let row = |id: &str| page.lines().find(|row| row.contains(&format!("| `{id}` |"))).unwrap();
        assert!(row("rust").contains("| tree-sitter-rust 0."), "{}", row("rust"));
        assert!(row("ocaml-interface").contains("| tree-sitter-ocaml 0."));
        assert!(row("json").contains("| own reader |"));
        assert!(row("zig").ends_with("| yes |  |"), "not measured");
    }

    #[test]
    fn recall_is_that_of_the_comparison() {
        let table = "| language | files | recall |\n|---|--:|--:|\n| c | 300 | 0.9565 |\n| go | 3 | 1.0000 |\n";
        assert_eq!(recall(table, "go"), Some("1.0000"));
        assert_eq!(recall(table, "rust"), None);
        for id in ["c", "go", "typescript"] {
            let share: f64 = recall(SYMBOLS, id).unwrap().parse().unwrap();
            assert!(share > 0.5 && share <= 1.0, "{id}");
        }
    }
}
