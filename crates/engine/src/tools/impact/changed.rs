//! What changed: what was named, or what differs from the last commit.

use std::collections::BTreeSet;
use std::ops::Range;

use gik_base::{ErrorCode, Failure, FileKey, Result};
use gik_discover::NEVER_WALKED;
use gik_discover::history::{Against, Repository, Uncommitted};
use gik_discover::text::decode;
use gik_graph::Node;
use gik_parse::{descriptors_of, detect, parse};

use crate::tools::graph::Opened;

/// What changed.
#[derive(Debug, Default)]
pub(super) struct Changed {
    /// Symbols, and files where no symbol is around the change.
    pub(super) nodes: BTreeSet<Node>,
    /// What was removed: its qualified name and its file.
    pub(super) removed: Vec<(String, String)>,
    /// Files that differ and are not in the index.
    pub(super) unknown: Vec<String>,
}

/// What was named. A file stands for all that is in it.
pub(super) fn named(graph: &mut Opened<'_>, targets: &[String]) -> Result<Changed> {
    let mut changed = Changed::default();
    for target in targets {
        for node in graph.catalog.meant(target)?.nodes {
            changed.nodes.insert(node);
            let contents = match node.symbol {
                None => all_of(graph, node.file)?,
                Some(symbol) => inside(graph, node.file, symbol)?,
            };
            changed.nodes.extend(contents);
        }
    }
    Ok(changed)
}

/// What differs from the last commit.
pub(super) fn uncommitted(graph: &mut Opened<'_>, against: Against) -> Result<Changed> {
    let repository = Repository::open(&graph.ws.root)?.ok_or_else(|| {
        Failure::new(
            ErrorCode::HistoryMissing,
            format!("`{}` is in no git repository with a commit", graph.ws.root.display()),
        )
        .hint("name files or symbols instead: `gik impact FILE`")
    })?;
    let mut changed = Changed::default();
    for file in repository.uncommitted(against)? {
        graph.ws.ctx.cancel.check()?;
        // Our own folder may be committed; nothing of the project rests on it.
        if NEVER_WALKED.iter().any(|folder| file.key.starts_with(folder)) {
            continue;
        }
        add(graph, &file, &mut changed)?;
    }
    Ok(changed)
}

fn add(graph: &mut Opened<'_>, file: &Uncommitted, changed: &mut Changed) -> Result<()> {
    let key = FileKey::from_text(file.key.as_str());
    let old_lines: Vec<Range<usize>> = file.hunks.iter().map(|(old, _)| old.clone()).collect();
    let new_lines: Vec<Range<usize>> = file.hunks.iter().map(|(_, new)| new.clone()).collect();
    let before = touched(&key, file.old.as_deref(), &old_lines);
    let after = touched(&key, file.new.as_deref(), &new_lines);
    let Some(place) = graph.catalog.file_at(&key) else {
        let removed = before.symbols.into_iter().map(|(_, name)| (name, file.key.clone()));
        changed.removed.extend(removed);
        if file.new.is_some() {
            changed.unknown.push(file.key.clone());
        }
        return Ok(());
    };
    let rows = &graph.catalog.symbols(place)?.rows;
    let mut is_any = false;
    for (at, row) in (0..).zip(rows.iter()) {
        let is_touched = |touched: &Touched| {
            touched.symbols.iter().any(|(descriptors, _)| *descriptors == row.descriptors)
        };
        if is_touched(&after) || is_touched(&before) {
            changed.nodes.insert(Node::symbol(place, at));
            is_any = true;
        }
    }
    for (descriptors, name) in &before.symbols {
        if !rows.iter().any(|row| row.descriptors == *descriptors) {
            changed.removed.push((name.clone(), file.key.clone()));
        }
    }
    // Lines outside of every symbol are those of the file: its imports, what it runs when it is loaded.
    if after.has_others || before.has_others || !is_any {
        changed.nodes.insert(Node::file(place));
    }
    Ok(())
}

/// What changed lines of a text belong to.
#[derive(Debug, Default)]
struct Touched {
    /// Descriptors and qualified names of the innermost symbols.
    symbols: BTreeSet<(String, String)>,
    /// Whether a line belongs to none.
    has_others: bool,
}

fn touched(key: &FileKey, bytes: Option<&[u8]>, lines: &[Range<usize>]) -> Touched {
    let mut touched = Touched::default();
    let Some(Ok((text, _))) = bytes.map(|bytes| decode(bytes.to_vec())) else { return touched };
    let language = detect(key, text.as_bytes());
    let parsed = parse(key, &text, language);
    let texts: Vec<&str> = text.lines().collect();
    for line in lines.iter().flat_map(|lines| lines.clone()) {
        if texts.get(line).is_none_or(|text| text.trim().is_empty()) {
            continue;
        }
        let number = u32::try_from(line + 1).unwrap_or(u32::MAX);
        let around = parsed
            .symbols
            .iter()
            .filter(|symbol| symbol.start.line <= number && number <= symbol.end.line);
        match around.min_by_key(|symbol| symbol.bytes.len()) {
            Some(symbol) => {
                let descriptors = descriptors_of(&symbol.symbol_id, language, key).to_owned();
                touched.symbols.insert((descriptors, symbol.qualified.clone()));
            },
            None => touched.has_others = true,
        }
    }
    touched
}

fn all_of(graph: &mut Opened<'_>, file: u32) -> Result<Vec<Node>> {
    let symbols = graph.catalog.symbols(file)?.rows.len();
    Ok((0..).take(symbols).map(|at| Node::symbol(file, at)).collect())
}

/// What is inside a symbol: a change of a class may be one of any method.
fn inside(graph: &mut Opened<'_>, file: u32, symbol: u32) -> Result<Vec<Node>> {
    let rows = &graph.catalog.symbols(file)?.rows;
    let Some(outer) = rows.get(symbol as usize) else { return Ok(Vec::new()) };
    let within = (0..).zip(rows.iter()).filter(|(_, row)| {
        outer.bytes.start <= row.bytes.start && row.bytes.end <= outer.bytes.end
    });
    Ok(within.map(|(at, _)| Node::symbol(file, at)).collect())
}
