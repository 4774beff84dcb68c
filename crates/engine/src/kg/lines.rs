//! Lines of `kg/`: written with their times, found again by the file they belong to.

use std::collections::BTreeMap;

use gik_base::{ErrorCode, Failure, Result};
use gik_contract::{KgEdge, KgNode, Timestamp};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::records::{EdgeBody, NodeBody};

/// What a line is made of: a record with an id and times, that belongs to a file or to none.
pub(super) trait Line: Serialize + DeserializeOwned + PartialEq {
    type Body;

    fn new(body: Self::Body, time: Timestamp) -> Self;
    fn id(&self) -> &str;
    /// The file it belongs to.
    fn owner(&self) -> Option<&str>;
    /// Takes the times of an older line. One that says the same was not updated.
    fn age(&mut self, older: &Self);
}

impl Line for KgNode {
    type Body = NodeBody;

    fn new(body: NodeBody, time: Timestamp) -> Self {
        let NodeBody { id, kind, label, props } = body;
        Self { id, kind, label, props, branch: None, created_at: time, updated_at: time }
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn owner(&self) -> Option<&str> {
        let path = self.props.get("definedIn").and_then(|path| path.as_str());
        self.id.strip_prefix("file:").or(path)
    }

    fn age(&mut self, older: &Self) {
        self.created_at = older.created_at;
        let same =
            (self.kind, &self.label, &self.props) == (older.kind, &older.label, &older.props);
        if same {
            self.updated_at = older.updated_at;
        }
    }
}

impl Line for KgEdge {
    type Body = EdgeBody;

    fn new(body: EdgeBody, time: Timestamp) -> Self {
        let id = body.id();
        let EdgeBody { from, to, kind, props } = body;
        Self { id, from, to, kind, props, branch: None, created_at: time, updated_at: time }
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn owner(&self) -> Option<&str> {
        self.props.get("evidence").and_then(|evidence| evidence.get("path"))?.as_str()
    }

    fn age(&mut self, older: &Self) {
        self.created_at = older.created_at;
        if self.props == older.props {
            self.updated_at = older.updated_at;
        }
    }
}

/// What lines hold, by id; what cannot be read is as if it were not there.
pub(super) fn by_id<L: Line>(lines: &[u8]) -> BTreeMap<String, L> {
    let lines = lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let read = lines.filter_map(|line| serde_json::from_slice::<L>(line).ok());
    read.map(|line| (line.id().to_owned(), line)).collect()
}

/// Lines of bodies, with the times of those that are there already.
pub(super) fn written<L: Line>(
    bodies: Vec<L::Body>,
    known: &BTreeMap<String, L>,
    time: Timestamp,
) -> Result<String> {
    let mut text = Vec::new();
    for body in bodies {
        let mut line = L::new(body, time);
        if let Some(older) = known.get(line.id()) {
            line.age(older);
        }
        serde_json::to_writer(&mut text, &line).map_err(|error| {
            Failure::new(ErrorCode::Internal, "a line of the graph cannot be written")
                .caused_by(error)
        })?;
        text.push(b'\n');
    }
    String::from_utf8(text).map_err(|error| {
        Failure::new(ErrorCode::Internal, "a line of the graph is not a text").caused_by(error)
    })
}

/// Whether a line belongs behind all of a file; lines of no file are last.
pub(super) fn is_behind<L: Line>(line: &[u8], is_behind_path: impl Fn(&str) -> bool) -> bool {
    let line: Option<L> = serde_json::from_slice(line.trim_ascii_end()).ok();
    match line.as_ref().and_then(Line::owner) {
        Some(owner) => is_behind_path(owner),
        None => true,
    }
}
