//! Puts a member into a config of somebody else, and takes it out, without touching the rest of the text.
//!
//! No crate of good standing does this for comments, trailing commas and odd layouts at once; what is needed is small:
//! find the bytes of an object ([`scan`]), put text behind its brace, cut a member out.

mod scan;

use std::ops::Range;

use serde::Serialize as _;
use serde_json::Value;

pub(crate) use self::scan::{Fault, Member, Node, scan};

/// A text to put in at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Insertion {
    pub(crate) at: usize,
    pub(crate) text: String,
    /// How many of the objects on the way had to be made.
    pub(crate) parents: usize,
}

/// What a document says.
pub(crate) fn value(text: &str) -> Result<Value, Fault> {
    Ok(scan(text)?.map_or(Value::Object(serde_json::Map::new()), |node| node.value()))
}

/// How to put `name: entry` into the object that `keys` lead to.
pub(crate) fn insertion(
    text: &str,
    keys: &[&str],
    name: &str,
    entry: &Value,
) -> Result<Insertion, Fault> {
    let Some(root) = scan(text)? else {
        let newline = newline_of(text);
        let document = pretty(&nested(keys, name, entry), "  ", newline);
        let is_apart = text.is_empty() || text.ends_with(['\n', '\u{feff}']);
        let before = if is_apart { "" } else { newline };
        let text_of = format!("{before}{document}{newline}");
        return Ok(Insertion { at: text.len(), text: text_of, parents: keys.len() });
    };
    let mut object = &root;
    for (depth, key) in keys.iter().enumerate() {
        match member_of(object, key)? {
            Some(member) => object = &member.value,
            None => {
                let value = nested(&keys[depth + 1..], name, entry);
                let parents = keys.len() - depth;
                return Ok(Insertion { parents, ..into_object(text, object, key, &value)? });
            },
        }
    }
    into_object(text, object, name, entry)
}

/// The text without the member of that name, and without as many objects around it as were made for it, where nothing
/// else is in them. `None` where there is no such member.
pub(crate) fn removed(
    text: &str,
    keys: &[&str],
    name: &str,
    parents: usize,
) -> Result<Option<String>, Fault> {
    let Some(root) = scan(text)? else { return Ok(None) };
    let mut objects = vec![&root];
    for key in keys {
        let last = objects.last().copied().unwrap_or(&root);
        let Some(member) = member_of(last, key)? else { return Ok(None) };
        objects.push(&member.value);
    }
    let mut victim = name;
    let mut depth = keys.len();
    let mut may_go = parents.min(keys.len());
    while may_go > 0 && holds_only(text, objects[depth], victim) {
        depth -= 1;
        may_go -= 1;
        victim = keys[depth];
    }
    let object = objects[depth];
    let members = object.members().unwrap_or_default();
    let Some(index) = members.iter().position(|member| member.name == victim) else {
        return Ok(None);
    };
    let mut result = text.to_owned();
    for cut in cuts(text, object, members, index) {
        result.replace_range(cut, "");
    }
    Ok(Some(result))
}

fn nested(keys: &[&str], name: &str, entry: &Value) -> Value {
    let mut value = serde_json::json!({ name: entry });
    for key in keys.iter().rev() {
        value = serde_json::json!({ *key: value });
    }
    value
}

/// The member of that name. Two of them are refused: which one counts is for the owner to say.
pub(crate) fn member_of<'n>(object: &'n Node, name: &str) -> Result<Option<&'n Member>, Fault> {
    let Some(members) = object.members() else {
        return Err(Fault::new(object.bytes.start, "an object is expected"));
    };
    let mut found = members.iter().filter(|member| member.name == name);
    let first = found.next();
    match found.next() {
        Some(second) => Err(Fault::new(second.start, format!("`{name}` stands here twice"))),
        None => Ok(first),
    }
}

fn into_object(text: &str, object: &Node, name: &str, value: &Value) -> Result<Insertion, Fault> {
    let Some(members) = object.members() else {
        return Err(Fault::new(object.bytes.start, "an object is expected"));
    };
    let name = Value::from(name);
    let open = object.bytes.start + 1;
    let comma = if members.is_empty() { "" } else { "," };
    let newline = newline_of(text);
    let unit = unit_of(text);
    let outer = indentation(text, object.bytes.start);
    let own_line = members.first().filter(|member| is_first_on_line(text, member.start));
    let indent = own_line.map_or_else(
        || format!("{outer}{unit}"),
        |member| indentation(text, member.start).to_owned(),
    );
    let lines = || {
        let value = pretty(value, unit, newline).replace('\n', &format!("\n{indent}"));
        format!("{newline}{indent}{name}: {value}")
    };
    let (at, text) = if let Some(end) = rest_of_line(text, open) {
        (end, format!("{}{comma}", lines()))
    } else if text[open..object.bytes.end - 1].trim().is_empty() {
        (open, format!("{}{newline}{outer}", lines()))
    } else {
        let blanks = text[open..].len() - text[open..].trim_start_matches([' ', '\t']).len();
        (open + blanks, format!("{name}: {value}{comma} "))
    };
    Ok(Insertion { at, text, parents: 0 })
}

/// The parts to cut for a member, last first.
fn cuts(text: &str, object: &Node, members: &[Member], index: usize) -> Vec<Range<usize>> {
    let member = &members[index];
    let inside = object.bytes.start + 1..object.bytes.end - 1;
    let end = member.comma.map_or(member.value.bytes.end, |comma| comma + 1);
    let is_alone = members.len() == 1
        && text[inside.start..member.start].trim().is_empty()
        && text[end..inside.end].trim().is_empty();
    if is_alone {
        return vec![inside];
    }
    let mut cut = member.start..end;
    let blanks_behind = || text[end..].len() - text[end..].trim_start_matches([' ', '\t']).len();
    let behind = text[end + blanks_behind()..].trim_start_matches('\r');
    if is_first_on_line(text, member.start) && (behind.is_empty() || behind.starts_with('\n')) {
        // With the break of the line before: what stands at its end stays there.
        let before = text[..member.start].trim_end_matches([' ', '\t']);
        let before = before.strip_suffix('\n').unwrap_or(before);
        cut.start = before.strip_suffix('\r').unwrap_or(before).len();
    } else if member.comma.is_some() {
        cut.end += blanks_behind();
    }
    let mut found = vec![cut];
    // The last one takes the comma before it along, as it came with it.
    let needless = (member.comma.is_none() && index > 0).then(|| members[index - 1].comma);
    found.extend(needless.flatten().map(|comma| comma..comma + 1));
    found
}

/// Whether the only member of an object is this, and nothing else is in it.
fn holds_only(text: &str, object: &Node, name: &str) -> bool {
    let [member] = object.members().unwrap_or_default() else { return false };
    let end = member.comma.map_or(member.value.bytes.end, |comma| comma + 1);
    member.name == name
        && text[object.bytes.start + 1..member.start].trim().is_empty()
        && text[end..object.bytes.end - 1].trim().is_empty()
}

/// Where the line ends, when nothing but blanks and comments is left of it.
fn rest_of_line(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let rest = &text[at..];
        if rest.starts_with('\n') || rest.starts_with("\r\n") {
            return Some(at);
        } else if rest.starts_with([' ', '\t']) {
            at += 1;
        } else if rest.starts_with("//") {
            let end = rest.find('\n')?;
            return Some(at + rest[..end].trim_end_matches('\r').len());
        } else if rest.starts_with("/*") {
            let end = rest.find("*/")? + 2;
            if rest[..end].contains('\n') {
                return None;
            }
            at += end;
        } else {
            return None;
        }
    }
}

fn is_first_on_line(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches([' ', '\t']);
    before.ends_with('\n')
}

/// The blanks that the line of a place begins with.
fn indentation(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let line = &text[start..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// How the document indents: as its first indented line does.
fn unit_of(text: &str) -> &str {
    let indented = text
        .lines()
        .find(|line| line.starts_with([' ', '\t']) && !line.trim_start().starts_with(['*', '/']));
    let unit = indented.map_or("  ", |line| &line[..line.len() - line.trim_start().len()]);
    if unit.starts_with('\t') { "\t" } else { unit }
}

/// How the document ends its lines.
pub(crate) fn newline_of(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

fn pretty(value: &Value, unit: &str, newline: &str) -> String {
    let formatter = serde_json::ser::PrettyFormatter::with_indent(unit.as_bytes());
    let mut bytes = Vec::new();
    let mut writer = serde_json::Serializer::with_formatter(&mut bytes, formatter);
    // Writing a value to memory cannot fail.
    drop(value.serialize(&mut writer));
    String::from_utf8_lossy(&bytes).replace('\n', newline)
}

#[cfg(test)]
mod tests;
