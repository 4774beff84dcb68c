//! Which symbols of the index may be meant? Names are ranked first, rows are read of the best names.

use std::cmp::Ordering;

use gik_base::{FileKey, Result};
use gik_parse::{SymbolKind, Visibility};
use gik_retrieve::signals::is_noise_file;
use gik_store::{FileRow, Snapshot, SymbolRow};

use super::{FileFilter, Files, MatchClass, Matcher, Pattern, Rank, id_of};

/// What to look for.
#[derive(Debug)]
pub(crate) struct Wanted<'a> {
    pub(crate) pattern: &'a Pattern,
    /// The worst way to fit that still counts.
    pub(crate) worst: MatchClass,
    /// Empty means all.
    pub(crate) kinds: Vec<SymbolKind>,
    pub(crate) files: FileFilter,
    pub(crate) limit: usize,
}

/// A symbol that may be meant.
#[derive(Debug, Clone)]
pub(crate) struct FoundSymbol {
    pub(crate) symbol: SymbolRow,
    pub(crate) file: FileRow,
    pub(crate) class: MatchClass,
    rank: Rank,
    is_noise: bool,
}

impl FoundSymbol {
    /// The better one first: class, own files, public ones, short names, then by place.
    fn order(&self, other: &Self) -> Ordering {
        let key = |found: &Self| {
            (
                found.rank,
                found.is_noise,
                visibility_rank(found.symbol.visibility.as_deref()),
                found.symbol.name.len(),
            )
        };
        key(self)
            .cmp(&key(other))
            .then_with(|| self.file.key.cmp(&other.file.key))
            .then_with(|| self.symbol.start.cmp(&other.symbol.start))
            .then_with(|| self.symbol.bytes.end.cmp(&other.symbol.bytes.end))
    }
}

/// What a lookup found.
#[derive(Debug, Default)]
pub(crate) struct Lookup {
    /// Best first, as many as were wanted.
    pub(crate) found: Vec<FoundSymbol>,
    /// Whether there are more.
    pub(crate) has_more: bool,
}

/// Names whose rows are read in one go. Within a class the files decide about the order before the length of the name
/// does, so more names are looked at than symbols are wanted.
const NAMES_AT_ONCE: usize = 400;

/// The best symbols for what was typed.
pub(crate) fn find(snapshot: &Snapshot<'_>, wanted: &Wanted<'_>) -> Result<Lookup> {
    let mut names = ranked_names(snapshot, wanted)?;
    let mut files = Files::of(snapshot);
    let mut found: Vec<FoundSymbol> = Vec::new();
    let mut rest = names.as_mut_slice();
    while !rest.is_empty() && found.len() <= wanted.limit {
        let n = rest.len().min(NAMES_AT_ONCE);
        if n < rest.len() {
            rest.select_nth_unstable_by(n, name_order);
        }
        let (now, later) = std::mem::take(&mut rest).split_at_mut(n);
        now.sort_unstable_by(name_order);
        for (rank, name) in now {
            for symbol in snapshot.symbols_named(name)? {
                let Some(file) = files.get(symbol.file)? else { continue };
                let container = symbol.container.as_deref();
                if wanted.takes_kind(&symbol.kind)
                    && wanted.files.takes(&file.row)
                    && wanted.pattern.stands_in(container, file.row.key.as_str(), wanted.is_exact())
                {
                    found.push(FoundSymbol {
                        symbol,
                        file: file.row.clone(),
                        class: rank.class,
                        rank: *rank,
                        is_noise: file.is_noise,
                    });
                }
            }
        }
        rest = later;
    }
    found.sort_by(FoundSymbol::order);
    // What merely resembles the name is noise beside what has it.
    if found.first().is_some_and(|best| best.class < MatchClass::Fuzzy) {
        found.retain(|symbol| symbol.class < MatchClass::Fuzzy);
    }
    let has_more = found.len() > wanted.limit;
    found.truncate(wanted.limit);
    Ok(Lookup { found, has_more })
}

impl<'a> Wanted<'a> {
    /// Any kind, in any file.
    fn anywhere(pattern: &'a Pattern, worst: MatchClass, limit: usize) -> Result<Self> {
        let files = FileFilter::new(Vec::new(), &[])?;
        Ok(Self { pattern, worst, kinds: Vec::new(), files, limit })
    }

    fn is_exact(&self) -> bool {
        self.worst == MatchClass::Exact
    }

    fn takes_kind(&self, kind: &str) -> bool {
        self.kinds.is_empty() || self.kinds.iter().any(|wanted| wanted.as_str() == kind)
    }
}

/// All names that fit, in no order.
fn ranked_names(snapshot: &Snapshot<'_>, wanted: &Wanted<'_>) -> Result<Vec<(Rank, Box<str>)>> {
    let typed = &wanted.pattern.name;
    if wanted.is_exact() {
        let rank = Rank { class: MatchClass::Exact, skipped: 0 };
        return Ok(vec![(rank, typed.as_str().into())]);
    }
    let mut matcher = Matcher::new(typed);
    let mut names = Vec::new();
    snapshot.for_each_symbol_name(|name| {
        if let Some(rank) = matcher.rank(name).filter(|rank| rank.class <= wanted.worst) {
            names.push((rank, name.into()));
        }
    })?;
    Ok(names)
}

fn name_order(one: &(Rank, Box<str>), other: &(Rank, Box<str>)) -> Ordering {
    let key = |(rank, name): &(Rank, Box<str>)| (*rank, name.len());
    key(one).cmp(&key(other)).then_with(|| one.1.cmp(&other.1))
}

/// All definitions of a symbol that is named by its id, its name or its qualified name; where no case fits, any does.
pub(crate) fn definitions(
    snapshot: &Snapshot<'_>,
    typed: &str,
) -> Result<(Pattern, Vec<FoundSymbol>)> {
    if typed.starts_with("scip:") {
        let found = by_id(snapshot, typed)?;
        // Where there is no such id, its name may still be somewhere else.
        let name = found.as_ref().map_or_else(|| name_in_id(typed), |(row, _)| row.name.clone());
        let containers = found.as_ref().and_then(|(row, _)| row.container.as_deref());
        let containers = containers.map(super::pattern::parts).unwrap_or_default();
        let rank = Rank { class: MatchClass::Exact, skipped: 0 };
        let found = found.map(|(symbol, file)| FoundSymbol {
            is_noise: is_noise_file(&file),
            symbol,
            file,
            class: rank.class,
            rank,
        });
        return Ok((Pattern { name, containers }, found.into_iter().collect()));
    }
    let pattern = Pattern::parse(typed)?;
    for worst in [MatchClass::Exact, MatchClass::ExactIgnoringCase] {
        let found = find(snapshot, &Wanted::anywhere(&pattern, worst, usize::MAX)?)?.found;
        if !found.is_empty() {
            return Ok((pattern, found));
        }
    }
    Ok((pattern, Vec::new()))
}

/// A few qualified names that are like what was typed, for whoever mistyped it.
pub(crate) fn near_names(snapshot: &Snapshot<'_>, pattern: &Pattern) -> Result<Vec<String>> {
    const SHOWN: usize = 3;
    // What it stands in may be what is wrong.
    let alone = Pattern { name: pattern.name.clone(), containers: Vec::new() };
    let wanted = Wanted::anywhere(&alone, MatchClass::Fuzzy, SHOWN * 4)?;
    let lookup = find(snapshot, &wanted)?;
    let mut names: Vec<String> = Vec::new();
    for found in lookup.found {
        let name = super::qualified(&found.symbol, &found.file.language);
        if names.len() < SHOWN && !names.contains(&name) {
            names.push(name);
        }
    }
    Ok(names)
}

/// The symbol with that id. A path may hold what looks like the end of it, so every end is tried.
fn by_id(snapshot: &Snapshot<'_>, id: &str) -> Result<Option<(SymbolRow, FileRow)>> {
    let Some((_, place)) = id.split_once(" . ") else { return Ok(None) };
    for (slash, _) in place.match_indices('/') {
        let path = &place[..slash];
        let unquoted = path.strip_prefix('`').and_then(|path| path.strip_suffix('`'));
        let path = unquoted.map_or_else(|| path.to_owned(), |path| path.replace("``", "`"));
        let Some(file) = snapshot.file_by_key(&FileKey::from_text(path))? else { continue };
        let symbols = snapshot.symbols_of(file.id)?;
        if let Some(symbol) = symbols.into_iter().find(|symbol| id_of(symbol, &file) == id) {
            return Ok(Some((symbol, file)));
        }
    }
    Ok(None)
}

/// The last name in an id.
fn name_in_id(id: &str) -> String {
    let bare = id.trim_end_matches(['.', '#', '/', '!', ')']);
    let bare = bare.rsplit_once('(').filter(|_| id.ends_with(").")).map_or(bare, |(name, _)| name);
    let name = bare.rsplit(['.', '#', '/', '!', ' ']).next().unwrap_or_default();
    name.trim_matches('`').to_owned()
}

fn visibility_rank(name: Option<&str>) -> u8 {
    match name.and_then(Visibility::from_name) {
        Some(Visibility::Public) | None => 0,
        Some(Visibility::Protected) => 1,
        Some(Visibility::Internal) => 2,
        Some(Visibility::Private) => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_in_an_id_is_its_last_part() {
        assert_eq!(name_in_id("scip:gik rust . src/store.rs/Store#open()."), "open");
        assert_eq!(name_in_id("scip:gik rust . src/store.rs/Store#open(+1)."), "open");
        assert_eq!(name_in_id("scip:gik rust . src/store.rs/Store#"), "Store");
        assert_eq!(name_in_id("scip:gik rust . `a b.rs`/`größe`."), "größe");
    }

    #[test]
    fn what_everyone_may_use_comes_first() {
        assert!(visibility_rank(Some("public")) < visibility_rank(Some("internal")));
        assert_eq!(visibility_rank(None), 0);
    }
}
