//! `HEAD` and `timeline.jsonl`: what happened to a branch, one revision a line.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::{Extra, Timestamp};

/// One line of `timeline.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Revision {
    /// Unique id; `HEAD` holds the newest one.
    pub id: String,
    /// The revision before this one; null for the first.
    pub parent_id: Option<String>,
    /// The knowledge branch it was made on.
    pub branch: String,
    /// The commit of the working tree, where there is version control.
    #[serde(default)]
    pub git_commit: Option<String>,
    /// When, UTC.
    pub timestamp: Timestamp,
    /// Why, in the user's words.
    pub message: String,
    /// What was done.
    pub operations: Vec<RevisionOperation>,
    /// Fields of later versions.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What a revision did; the `type` field tells which.
#[derive(Debug, Clone, PartialEq)]
pub enum RevisionOperation {
    /// The branch was made.
    Init,
    /// Sources were indexed.
    Commit {
        /// The bases that changed.
        bases: Vec<String>,
        /// How many sources were processed.
        source_count: u64,
    },
    /// Memory entries were added.
    MemoryIngest {
        /// How many.
        count: u64,
    },
    /// Memory entries were pruned.
    MemoryPrune {
        /// How many in all.
        count: u64,
        /// Moved to the archive.
        archived_count: u64,
        /// Removed for good.
        deleted_count: u64,
    },
    /// A base was indexed anew.
    Reindex {
        /// The base.
        base: String,
        /// The model before; `lexical` where there was none.
        from_model_id: String,
        /// The model after.
        to_model_id: String,
    },
    /// Reserved: a release that changes the timeline.
    Release {
        /// The tag.
        tag: Option<String>,
    },
    /// Anything with a name of its own.
    Custom {
        /// The operation's name.
        name: String,
        /// Its data.
        data: Option<Value>,
    },
    /// An operation of a later version: kept, written back, otherwise ignored.
    Unknown(Extra),
}

/// The known operations in the shape of the file. Kept apart so that what does not fit stays whole in `Unknown`.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all_fields = "camelCase", deny_unknown_fields)]
#[schemars(rename = "RevisionOperation")]
enum Known {
    Init {},
    Commit {
        bases: Vec<String>,
        source_count: u64,
    },
    MemoryIngest {
        count: u64,
    },
    MemoryPrune {
        count: u64,
        archived_count: u64,
        deleted_count: u64,
    },
    Reindex {
        base: String,
        from_model_id: String,
        to_model_id: String,
    },
    Release {
        #[serde(default)]
        tag: Option<String>,
    },
    Custom {
        name: String,
        #[serde(default)]
        data: Option<Value>,
    },
}

impl RevisionOperation {
    /// The value of the `type` field.
    pub fn kind(&self) -> &str {
        match self {
            Self::Init => "Init",
            Self::Commit { .. } => "Commit",
            Self::MemoryIngest { .. } => "MemoryIngest",
            Self::MemoryPrune { .. } => "MemoryPrune",
            Self::Reindex { .. } => "Reindex",
            Self::Release { .. } => "Release",
            Self::Custom { .. } => "Custom",
            Self::Unknown(fields) => fields.get("type").and_then(Value::as_str).unwrap_or("?"),
        }
    }
}

impl From<Known> for RevisionOperation {
    fn from(known: Known) -> Self {
        match known {
            Known::Init {} => Self::Init,
            Known::Commit { bases, source_count } => Self::Commit { bases, source_count },
            Known::MemoryIngest { count } => Self::MemoryIngest { count },
            Known::MemoryPrune { count, archived_count, deleted_count } => {
                Self::MemoryPrune { count, archived_count, deleted_count }
            },
            Known::Reindex { base, from_model_id, to_model_id } => {
                Self::Reindex { base, from_model_id, to_model_id }
            },
            Known::Release { tag } => Self::Release { tag },
            Known::Custom { name, data } => Self::Custom { name, data },
        }
    }
}

impl Serialize for RevisionOperation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let known = match self.clone() {
            Self::Init => Known::Init {},
            Self::Commit { bases, source_count } => Known::Commit { bases, source_count },
            Self::MemoryIngest { count } => Known::MemoryIngest { count },
            Self::MemoryPrune { count, archived_count, deleted_count } => {
                Known::MemoryPrune { count, archived_count, deleted_count }
            },
            Self::Reindex { base, from_model_id, to_model_id } => {
                Known::Reindex { base, from_model_id, to_model_id }
            },
            Self::Release { tag } => Known::Release { tag },
            Self::Custom { name, data } => Known::Custom { name, data },
            Self::Unknown(fields) => return fields.serialize(serializer),
        };
        known.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RevisionOperation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let fields = Extra::deserialize(deserializer)?;
        // A known type with a new field, or without an old one, is kept whole as well: nothing is lost.
        Ok(match Known::deserialize(Value::Object(fields.clone())) {
            Ok(known) => known.into(),
            Err(_) => Self::Unknown(fields),
        })
    }
}

impl JsonSchema for RevisionOperation {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "RevisionOperation".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let known = Known::json_schema(generator);
        schemars::json_schema!({
            "description": "What a revision did. Readers ignore operations whose `type` they do not know.",
            "anyOf": [known, { "type": "object", "properties": { "type": { "type": "string" } } }]
        })
    }
}
