//! What a file of an agent becomes: the new text is worked out in memory, read again, and compared with what it should
//! say, before anybody thinks of writing it.

use std::path::Path;

use gik_base::{ErrorCode, Failure, Result};
use serde_json::Value;

use super::entry::{NAME, is_ours};
use super::jsonc::{self, Fault, Insertion, newline_of};
use super::record::Kept;
use super::{block, toml_table};

/// What a file is to hold.
#[derive(Debug, Clone)]
pub(crate) enum Wanted {
    /// An entry in a list of servers.
    Server { keys: &'static [&'static str], entry: Value },
    /// The block of instructions.
    Instructions,
}

/// How a file stands to what it is to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Nothing of ours.
    Absent,
    /// As it would be written now.
    Current,
    /// Ours, as another version or another path wrote it.
    Older,
    /// Somebody else's, under our name.
    Foreign,
}

/// A new text of a file.
#[derive(Debug)]
pub(crate) struct Edited {
    pub(crate) text: String,
    /// What was put in, for taking it out again; nothing when something was taken out.
    pub(crate) inserted: String,
    pub(crate) parents: usize,
}

/// How the text of a file stands to what is wanted.
pub(crate) fn standing(file: &Path, text: &str, wanted: &Wanted) -> Result<Standing> {
    match wanted {
        Wanted::Server { keys, entry } => {
            let document = value(file, text)?;
            let mut place = Some(&document);
            for key in *keys {
                place = place.and_then(|value| value.get(key));
            }
            Ok(match place.and_then(|servers| servers.get(NAME)) {
                None => Standing::Absent,
                Some(found) if found == entry => Standing::Current,
                Some(found) if is_ours(found) => Standing::Older,
                Some(_) => Standing::Foreign,
            })
        },
        Wanted::Instructions => {
            let found = block::find(text).map_err(|fault| failure(file, text, &fault))?;
            Ok(match found {
                None => Standing::Absent,
                Some(at) if text[at.clone()] == block::block(newline_of(text)) => Standing::Current,
                Some(_) => Standing::Older,
            })
        },
    }
}

/// The text with what is wanted in it; there must be nothing of ours in it yet.
pub(crate) fn with(file: &Path, text: &str, wanted: &Wanted) -> Result<Edited> {
    let Insertion { at, text: inserted, parents } = match wanted {
        Wanted::Server { keys, entry } if is_toml(file) => {
            toml_table::insertion(text, keys, NAME, entry)
        },
        Wanted::Server { keys, entry } => jsonc::insertion(text, keys, NAME, entry),
        Wanted::Instructions => {
            Ok(Insertion { at: text.len(), text: block::addition(text), parents: 0 })
        },
    }
    .map_err(|fault| failure(file, text, &fault))?;
    let mut after = text.to_owned();
    after.insert_str(at, &inserted);
    if let Wanted::Server { keys, entry } = wanted {
        let mut expected = value(file, text)?;
        put(&mut expected, keys, entry.clone());
        ensure(file, &after, &expected)?;
    }
    Ok(Edited { text: after, inserted, parents })
}

/// The text without what is ours: exactly what was put in, where that is still there, or the entry as it stands.
pub(crate) fn without(
    file: &Path,
    text: &str,
    wanted: &Wanted,
    kept: Option<&Kept>,
) -> Result<Edited> {
    let said = |text: &str| match wanted {
        Wanted::Server { .. } => value(file, text).map(Some),
        Wanted::Instructions => Ok(None),
    };
    let mut expected = said(text)?;
    if let (Some(document), Wanted::Server { keys, .. }) = (&mut expected, wanted) {
        take(document, keys, kept.map_or(0, |kept| kept.parents));
    }
    let edited = |text: String| Edited { text, inserted: String::new(), parents: 0 };
    let exact = kept.and_then(|kept| cut_once(text, &kept.inserted));
    if let Some(after) = exact {
        let is_right = match wanted {
            Wanted::Server { .. } => said(&after).is_ok_and(|said| said == expected),
            Wanted::Instructions => block::find(&after).is_ok_and(|found| found.is_none()),
        };
        if is_right {
            return Ok(edited(after));
        }
    }
    let told = |fault: Fault| failure(file, text, &fault);
    let parents = kept.map_or(0, |kept| kept.parents);
    let after = match wanted {
        Wanted::Server { keys, .. } if is_toml(file) => toml_table::removed(text, keys, NAME),
        Wanted::Server { keys, .. } => jsonc::removed(text, keys, NAME, parents).map_err(told)?,
        Wanted::Instructions => {
            block::find(text).map_err(told)?.map(|found| block::removed(text, found))
        },
    };
    let Some(after) = after else { return Err(by_hand(file)) };
    if let Some(mut expected) = expected {
        // An object that held nothing else may have to stay because of the comments in it.
        let found = value(file, &after)?;
        if found != expected {
            expected = value(file, text)?;
            if let Wanted::Server { keys, .. } = wanted {
                take(&mut expected, keys, 0);
            }
            ensure(file, &after, &expected)?;
        }
    }
    Ok(edited(after))
}

/// Whether a text holds nothing, so that a file that was made for us can go.
pub(crate) fn is_empty(file: &Path, text: &str, wanted: &Wanted) -> bool {
    let is_bare = |value: &Value| value.as_object().is_some_and(serde_json::Map::is_empty);
    match wanted {
        Wanted::Instructions => text.trim().is_empty(),
        Wanted::Server { .. } => {
            let has_comment = text.contains("//") || text.contains("/*") || text.contains('#');
            !has_comment && value(file, text).is_ok_and(|value| is_bare(&value))
        },
    }
}

fn cut_once(text: &str, part: &str) -> Option<String> {
    let at = text.find(part).filter(|_| !part.is_empty())?;
    let rest = &text[at + part.len()..];
    (!rest.contains(part)).then(|| format!("{}{rest}", &text[..at]))
}

fn put(document: &mut Value, keys: &[&str], entry: Value) {
    let mut place = document;
    for key in keys {
        place = &mut place[*key];
    }
    place[NAME] = entry;
}

/// Takes the entry out, and as many empty objects around it as were made for it.
fn take(document: &mut Value, keys: &[&str], parents: usize) {
    let mut last = NAME;
    for depth in (0..=keys.len()).rev() {
        let mut place = &mut *document;
        for key in &keys[..depth] {
            place = &mut place[*key];
        }
        let Some(object) = place.as_object_mut() else { return };
        object.remove(last);
        let may_go = depth > 0 && keys.len() - depth < parents && object.is_empty();
        if !may_go {
            return;
        }
        last = keys[depth - 1];
    }
}

fn value(file: &Path, text: &str) -> Result<Value> {
    let value = if is_toml(file) { toml_table::value(text) } else { jsonc::value(text) };
    value.map_err(|fault| failure(file, text, &fault))
}

fn ensure(file: &Path, text: &str, expected: &Value) -> Result<()> {
    let found = if is_toml(file) { toml_table::value(text) } else { jsonc::value(text) };
    if found.is_ok_and(|found| found == *expected) { Ok(()) } else { Err(by_hand(file)) }
}

fn is_toml(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "toml")
}

fn by_hand(file: &Path) -> Failure {
    let message = format!("`{}` is written in a way that cannot be changed safely", file.display());
    Failure::new(ErrorCode::ConfigInvalid, message)
        .hint(format!("change the entry `{NAME}` in it by hand, or leave this agent out"))
}

fn failure(file: &Path, text: &str, fault: &Fault) -> Failure {
    let before = text.get(..fault.at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let message = format!("`{}`, line {line}: {}", file.display(), fault.what);
    Failure::new(ErrorCode::ConfigInvalid, message)
        .hint("nothing was changed; correct the file, or leave this agent out with `--agent`")
}
