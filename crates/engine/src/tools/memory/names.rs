//! How scopes, sources, tags and ids are typed, and how entries are called. Pure.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use gik_base::{ErrorCode, Failure, Result};
use gik_contract::memory::PruneMode;
use gik_contract::{MemoryEntry, MemoryScope, MemorySource};

/// Every id starts with it; it need not be typed.
const ID_PREFIX: &str = "mem-";
/// The shortest start of an id that is looked up, without the prefix.
const SHORTEST_ID: usize = 4;
/// How many candidates a failure lists.
const LISTED: usize = 8;

/// Scopes on the command line.
pub(super) fn scopes() -> impl TypedValueParser<Value = MemoryScope> {
    named(MemoryScope::ALL, MemoryScope::as_str)
}

/// Sources on the command line.
pub(super) fn sources() -> impl TypedValueParser<Value = MemorySource> {
    named(MemorySource::ALL, MemorySource::as_str)
}

/// What happens to pruned entries, on the command line.
pub(super) fn modes() -> impl TypedValueParser<Value = PruneMode> {
    named(&[PruneMode::Archive, PruneMode::Delete], mode_name)
}

pub(super) const fn mode_name(mode: PruneMode) -> &'static str {
    match mode {
        PruneMode::Archive => "archive",
        PruneMode::Delete => "delete",
    }
}

/// A parser that takes the names of the contract and their kebab-case forms. The argument ignores case.
fn named<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let values =
        all.iter().map(|value| PossibleValue::new(name(*value)).alias(kebab(name(*value))));
    PossibleValuesParser::new(values).try_map(move |typed: String| {
        let is_named = |value: &&T| {
            let name = name(**value);
            name.eq_ignore_ascii_case(&typed) || kebab(name).eq_ignore_ascii_case(&typed)
        };
        let unknown = || Failure::new(ErrorCode::ArgumentInvalid, format!("there is no `{typed}`"));
        all.iter().find(is_named).copied().ok_or_else(unknown)
    })
}

fn kebab(camel: &str) -> String {
    let mut kebab = String::with_capacity(camel.len() + 2);
    for c in camel.chars() {
        if c.is_ascii_uppercase() {
            kebab.push('-');
        }
        kebab.push(c.to_ascii_lowercase());
    }
    kebab
}

/// Tags as they were typed: comma-separated, repeated, or both.
pub(super) fn split_tags(typed: &[String]) -> Vec<String> {
    let tags = typed.iter().flat_map(|list| list.split(',')).map(str::trim);
    tags.filter(|tag| !tag.is_empty()).map(str::to_owned).collect()
}

/// The position of the entry whose id starts with what was typed; `None` where none does.
pub(super) fn find_id(entries: &[MemoryEntry], typed: &str) -> Result<Option<usize>> {
    let bare = |id: &str| id.strip_prefix(ID_PREFIX).unwrap_or(id).to_ascii_lowercase();
    let wanted = bare(typed.trim());
    if let Some(at) = entries.iter().position(|entry| bare(&entry.id) == wanted) {
        return Ok(Some(at));
    }
    if wanted.chars().count() < SHORTEST_ID {
        return Err(Failure::new(
            ErrorCode::ArgumentInvalid,
            format!("`{typed}` is too short: give at least {SHORTEST_ID} characters of the id"),
        )
        .hint("`gik memory list` lists the entries"));
    }
    let matching: Vec<usize> =
        (0..entries.len()).filter(|&at| bare(&entries[at].id).starts_with(&wanted)).collect();
    match matching.as_slice() {
        [] => Ok(None),
        [at] => Ok(Some(*at)),
        several => {
            let mut failure = Failure::new(
                ErrorCode::ArgumentInvalid,
                format!("`{typed}` is the start of {} memory ids", several.len()),
            );
            for &at in several.iter().take(LISTED) {
                failure = failure.hint(format!("{} {}", entries[at].id, label(&entries[at])));
            }
            Err(failure)
        },
    }
}

pub(super) fn missing(typed: &str) -> Failure {
    Failure::new(ErrorCode::MemoryMissing, format!("there is no memory entry `{typed}`"))
        .hint("`gik memory list` lists the entries, `gik memory list --archived` the archived ones")
}

/// The title, or the first line of the text.
pub(super) fn label(entry: &MemoryEntry) -> &str {
    entry.title.as_deref().unwrap_or_else(|| entry.text.lines().next().unwrap_or_default())
}

/// The id as people read it: the prefix and eight digits.
pub(super) fn short_id(id: &str) -> &str {
    id.char_indices().nth(ID_PREFIX.len() + 8).map_or(id, |(end, _)| &id[..end])
}

#[cfg(test)]
mod tests {
    use gik_contract::{Extra, Timestamp};

    use super::*;

    fn entry(id: &str) -> MemoryEntry {
        MemoryEntry {
            id: id.to_owned(),
            created_at: Timestamp::UNIX_EPOCH,
            updated_at: Timestamp::UNIX_EPOCH,
            scope: MemoryScope::Project,
            source: MemorySource::ManualNote,
            title: None,
            text: "first line\nsecond".to_owned(),
            tags: Vec::new(),
            branch: None,
            origin_revision: None,
            importance: None,
            extra: Extra::new(),
        }
    }

    #[test]
    fn an_id_is_found_by_its_start_with_or_without_the_prefix() {
        let entries = ["mem-a1b2c3d4e5f6", "mem-a1b2ffffffff", "mem-0000", "other-1"].map(entry);
        let find = |typed: &str| find_id(&entries, typed);
        assert_eq!(find("mem-a1b2c").unwrap(), Some(0));
        assert_eq!(find("A1B2F").unwrap(), Some(1));
        assert_eq!(find("0000").unwrap(), Some(2));
        assert_eq!(find("other-1").unwrap(), Some(3));
        assert_eq!(find("beef").unwrap(), None);
        assert_eq!(find("mem-").unwrap_err().code(), ErrorCode::ArgumentInvalid);
        let ambiguous = find("a1b2").unwrap_err();
        assert_eq!(
            ambiguous.hints(),
            ["mem-a1b2c3d4e5f6 first line", "mem-a1b2ffffffff first line"]
        );
    }

    #[test]
    fn names_are_typed_in_any_case_and_in_kebab_case() {
        let command = || {
            clap::Command::new("x")
                .arg(clap::Arg::new("source").value_parser(sources()).ignore_case(true))
        };
        let parse = |typed: &str| {
            let matches = command().try_get_matches_from(["x", typed]).ok()?;
            matches.get_one::<MemorySource>("source").copied()
        };
        for source in MemorySource::ALL {
            assert_eq!(parse(source.as_str()), Some(*source));
            assert_eq!(parse(&kebab(source.as_str()).to_uppercase()), Some(*source));
        }
        assert_eq!(parse("manualnote"), Some(MemorySource::ManualNote));
        assert_eq!(parse("rumour"), None);
    }

    #[test]
    fn tags_are_split_at_commas() {
        let typed = ["a, b".to_owned(), "c,,".to_owned()];
        assert_eq!(split_tags(&typed), ["a", "b", "c"]);
    }
}
