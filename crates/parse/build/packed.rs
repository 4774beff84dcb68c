//! Takes the largest table out of the source of a grammar, and compresses it.
//!
//! The table says for most states of a parser what each symbol leads to, mostly nothing: megabytes that become a
//! twentieth of it. The rest of the source is compiled with empty room for the table, which `syntax::packed` fills when
//! the language is first met. What else the grammar needs, its scanner, comes from its package.

use std::collections::BTreeMap;
use std::error::Error;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::Write as _;
use std::path::{Path, PathBuf};

const TABLE: &str = "static const uint16_t ts_parse_table[LARGE_STATE_COUNT][SYMBOL_COUNT] = {\n";
const TABLE_END: &str = "\n};\n";

/// Tells what this script made from what an older one did.
pub(crate) fn script() -> u64 {
    let mut hasher = DefaultHasher::new();
    include_str!("packed.rs").hash(&mut hasher);
    hasher.finish()
}

/// A grammar without its table.
pub(crate) struct Packed {
    /// What the grammar is called in C.
    pub(crate) function: String,
    pub(crate) cells: usize,
    pub(crate) compressed: PathBuf,
}

impl Packed {
    /// What an earlier run of this very script made of the same source, which is linked again.
    pub(crate) fn earlier(mark: &Path, out: &Path) -> Option<Self> {
        let text = std::fs::read_to_string(mark).ok()?;
        let (function, cells) = text.split_once(' ')?;
        let compressed = out.join(format!("{function}.table"));
        let cells = cells.parse().ok().filter(|_| compressed.exists())?;
        println!("cargo::rustc-link-lib=static=gik_{function}");
        println!("cargo::rustc-link-search=native={}", out.display());
        Some(Self { function: function.to_owned(), cells, compressed })
    }

    /// Notes what was made, for the next run.
    pub(crate) fn note(&self, mark: &Path) -> std::io::Result<()> {
        std::fs::write(mark, format!("{} {}", self.function, self.cells))
    }
}

/// Where cargo keeps the source of a package; `None` where it is not a file of its registry.
pub(crate) fn source_of(package: &str, version: &str) -> Option<PathBuf> {
    println!("cargo::rerun-if-env-changed=CARGO_HOME");
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))?;
    let registries = std::fs::read_dir(home.join("registry/src")).ok()?;
    registries
        .filter_map(|registry| Some(registry.ok()?.path().join(format!("{package}-{version}"))))
        .find(|folder| folder.is_dir())
}

/// Compiles the grammar in a folder without its table and writes the table to `out`.
pub(crate) fn pack(folder: &Path, out: &Path) -> Result<Packed, Box<dyn Error>> {
    let file = folder.join("parser.c");
    let source = std::fs::read_to_string(&file)?;
    let (before, rest) = source.split_once(TABLE).ok_or("no table of states")?;
    let (rows, after) = rest.split_once(TABLE_END).ok_or("no end of the table")?;
    let function = between(after, "const TSLanguage *", "(void)").ok_or("no function")?.to_owned();
    let width = defined(before, "SYMBOL_COUNT")?;
    let table = table(rows, &symbols(before), width, defined(before, "LARGE_STATE_COUNT")?)?;

    let compressed = out.join(format!("{function}.table"));
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    for cell in &table {
        encoder.write_all(&cell.to_le_bytes())?;
    }
    std::fs::write(&compressed, encoder.finish()?)?;

    let room = format!(
        "static uint16_t ts_parse_table[LARGE_STATE_COUNT][SYMBOL_COUNT];\n\
         uint16_t *gik_{function}_table(void) {{ return &ts_parse_table[0][0]; }}\n"
    );
    let without = out.join(format!("{function}.c"));
    std::fs::write(&without, [before, &room, after].concat())?;
    let mut compiler = cc::Build::new();
    // The package has the same function, with the table.
    compiler.file(&without).include(folder).std("c11").warnings(false);
    compiler.define(&function, format!("gik_{function}").as_str());
    if std::env::var("OPT_LEVEL")? != "0" {
        compiler.opt_level_str("s");
    }
    compiler.flag_if_supported("-utf-8").try_compile(&format!("gik_{function}"))?;
    Ok(Packed { function, cells: table.len(), compressed })
}

fn between<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    Some(text.split_once(before)?.1.split_once(after)?.0)
}

fn defined(source: &str, name: &str) -> Result<usize, Box<dyn Error>> {
    let value = between(source, &format!("#define {name} "), "\n");
    Ok(value.ok_or_else(|| format!("no {name}"))?.trim().parse()?)
}

/// The number of each symbol.
fn symbols(source: &str) -> BTreeMap<&str, usize> {
    let named = between(source, "enum ts_symbol_identifiers {", "};");
    let list = named.or_else(|| between(source, "enum {", "};")).unwrap_or_default();
    let numbered = list.lines().filter_map(|line| {
        let (name, number) = line.trim().trim_end_matches(',').split_once(" = ")?;
        Some((name, number.parse().ok()?))
    });
    numbered.chain([("ts_builtin_sym_end", 0)]).collect()
}

/// The cells of the table, row by row.
fn table(
    rows: &str,
    symbols: &BTreeMap<&str, usize>,
    width: usize,
    height: usize,
) -> Result<Vec<u16>, Box<dyn Error>> {
    let number = |text: &str| -> Option<usize> {
        let text = text.strip_prefix("STATE(").or_else(|| text.strip_prefix("ACTIONS("));
        text?.strip_suffix(')')?.parse().ok()
    };
    let mut table = vec![0; width * height];
    let mut row = None;
    for line in rows.lines() {
        let line = line.trim().trim_end_matches(',');
        let cell = line.strip_prefix('[').and_then(|line| line.split_once("] = "));
        match cell {
            Some((state, "{")) => row = state.parse().ok().or_else(|| number(state)),
            Some((symbol, value)) => {
                let place = row.zip(symbols.get(symbol)).map(|(row, symbol)| row * width + symbol);
                let cell = place.and_then(|place| table.get_mut(place));
                let value = number(value).and_then(|value| u16::try_from(value).ok());
                let (Some(cell), Some(value)) = (cell, value) else {
                    return Err(format!("`{line}` is no cell of the table").into());
                };
                *cell = value;
            },
            None if line == "}" => row = None,
            None => return Err(format!("`{line}` is no part of the table").into()),
        }
    }
    Ok(table)
}
