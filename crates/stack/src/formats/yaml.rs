//! YAML as a small tree with a budget: depth and size are limited, and so is what aliases may copy.

use std::collections::BTreeMap;

use saphyr_parser::{Event, Parser};

const MAX_DEPTH: usize = 64;
const MAX_NODES: usize = 100_000;

/// A value; scalars stay texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Yaml {
    Scalar(String),
    List(Vec<Self>),
    Map(Vec<(String, Self)>),
}

impl Yaml {
    /// The value under `key`, looking through merge keys (`<<`) after the mapping's own.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        let Self::Map(entries) = self else { return None };
        let own = entries.iter().find(|(name, _)| name == key).map(|(_, value)| value);
        own.or_else(|| {
            let (_, merged) = entries.iter().find(|(name, _)| name == "<<")?;
            match merged {
                Self::List(maps) => maps.iter().find_map(|map| map.get(key)),
                Self::Map(_) | Self::Scalar(_) => merged.get(key),
            }
        })
    }

    /// The entries of a mapping in order, without merge keys; none for anything else.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&str, &Self)> {
        let entries = if let Self::Map(entries) = self { entries.as_slice() } else { &[] };
        entries.iter().map(|(key, value)| (key.as_str(), value)).filter(|(key, _)| *key != "<<")
    }

    /// The text of a scalar that is not empty or null.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Scalar(text) if !matches!(text.as_str(), "" | "~" | "null") => Some(text),
            Self::Scalar(_) | Self::List(_) | Self::Map(_) => None,
        }
    }

    /// The text under `key`.
    pub(crate) fn text_at(&self, key: &str) -> Option<&str> {
        self.get(key)?.text()
    }
}

/// A collection whose end has not been seen.
struct Open {
    anchor: usize,
    keys: Option<Vec<String>>,
    values: Vec<Yaml>,
    pending_key: bool,
}

/// The first document; an empty mapping when there is none.
pub(crate) fn document(text: &str) -> Result<Yaml, String> {
    let mut parser = Parser::new_from_str(text);
    let mut stack: Vec<Open> = Vec::new();
    let mut anchors: BTreeMap<usize, (Yaml, usize)> = BTreeMap::new();
    let mut nodes = 0;
    while let Some(event) = parser.next_event() {
        let (event, _) = event.map_err(|error| error.to_string())?;
        let (value, anchor) = match event {
            Event::Scalar(text, _, anchor, _) => (Yaml::Scalar(text.into_owned()), anchor),
            Event::Alias(anchor) => {
                let Some((value, size)) = anchors.get(&anchor) else {
                    return Err("an alias names an anchor that is not complete".to_owned());
                };
                nodes += size;
                if nodes > MAX_NODES {
                    return Err(too_many());
                }
                (value.clone(), 0)
            },
            Event::SequenceStart(anchor, _) => {
                open(&mut stack, anchor, None)?;
                continue;
            },
            Event::MappingStart(anchor, _) => {
                open(&mut stack, anchor, Some(Vec::new()))?;
                continue;
            },
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(done) = stack.pop() else { return Err("unbalanced".to_owned()) };
                let anchor = done.anchor;
                (done.finish(), anchor)
            },
            Event::StreamEnd => break,
            Event::Nothing | Event::StreamStart | Event::DocumentStart(_) | Event::DocumentEnd => {
                continue;
            },
        };
        nodes += 1;
        if nodes > MAX_NODES {
            return Err(too_many());
        }
        if anchor > 0 {
            let size = value.size();
            anchors.insert(anchor, (value.clone(), size));
            nodes += size;
        }
        match stack.last_mut() {
            Some(parent) => parent.push(value),
            None => return Ok(value),
        }
    }
    Ok(Yaml::Map(Vec::new()))
}

fn too_many() -> String {
    format!("more than {MAX_NODES} values")
}

fn open(stack: &mut Vec<Open>, anchor: usize, keys: Option<Vec<String>>) -> Result<(), String> {
    if stack.len() >= MAX_DEPTH {
        return Err(format!("nested deeper than {MAX_DEPTH}"));
    }
    let pending_key = keys.is_some();
    stack.push(Open { anchor, keys, values: Vec::new(), pending_key });
    Ok(())
}

impl Open {
    fn push(&mut self, value: Yaml) {
        match &mut self.keys {
            Some(keys) if self.pending_key => {
                // A key that is a collection has no name here; its value is kept under the empty one.
                keys.push(if let Yaml::Scalar(text) = value { text } else { String::new() });
                self.pending_key = false;
            },
            Some(_) => {
                self.values.push(value);
                self.pending_key = true;
            },
            None => self.values.push(value),
        }
    }

    fn finish(self) -> Yaml {
        match self.keys {
            Some(keys) => Yaml::Map(keys.into_iter().zip(self.values).collect()),
            None => Yaml::List(self.values),
        }
    }
}

impl Yaml {
    fn size(&self) -> usize {
        match self {
            Self::Scalar(_) => 1,
            Self::List(items) => 1 + items.iter().map(Self::size).sum::<usize>(),
            Self::Map(entries) => 1 + entries.iter().map(|(_, value)| value.size()).sum::<usize>(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    #[test]
    fn merge_keys_are_looked_through() {
        let yaml = document("x: &x {image: redis}\nservices:\n  a: {<<: *x, build: .}\n").unwrap();
        let service = yaml.get("services").unwrap().get("a").unwrap();
        assert_eq!(service.text_at("image"), Some("redis"));
        assert_eq!(service.entries().map(|(key, _)| key).collect::<Vec<_>>(), ["build"]);
    }

    #[test]
    fn hostile_documents_are_refused_quickly() {
        let mut laughs = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n".to_owned();
        for level in 1..12 {
            let one = format!("*a{}", level - 1);
            writeln!(laughs, "a{level}: &a{level} [{}]", vec![one; 9].join(",")).unwrap();
        }
        assert_eq!(document(&laughs).unwrap_err(), "more than 100000 values");
        assert!(document(&"[".repeat(100_000)).is_err());
        assert!(document(&"- ".repeat(10_000)).is_err());
        assert!(document("a: *b").is_err());
        assert!(document("a: &a [*a]").is_err());
    }

    #[test]
    fn an_empty_document_is_an_empty_mapping() {
        assert_eq!(document("# nothing\n"), Ok(Yaml::Map(Vec::new())));
    }
}
