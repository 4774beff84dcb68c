//! The settings as the rest of the product uses them: typed, complete, resolved once.

use std::collections::BTreeMap;

use gik_base::{ErrorCode, Failure, Result, parallel};
use gik_discover::walk::{Explain, WalkOptions};

use gik_retrieve::signals::Weights;

use super::load::Valued;
use super::value::Value;

/// Every setting that has an effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// What is indexed and how.
    pub indexing: Indexing,
    /// Sources that are not files of the workspace.
    pub sources: Sources,
    /// Answers to questions.
    pub ask: Ask,
    /// How results are ranked.
    pub ranking: RankingSettings,
    /// Whether tools change files without a person's word.
    pub autonomous_changes: bool,
    /// The warm process.
    pub daemon: DaemonSettings,
    /// Waiting for other processes.
    pub lock: LockSettings,
    /// Models that compute embeddings.
    pub embeddings: EmbeddingSettings,
    /// How vectors are stored.
    pub indexes: IndexSettings,
}

/// The warm process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DaemonSettings {
    /// Whether it is used and started.
    pub is_used: bool,
    /// How long it waits for the next question.
    pub idle_seconds: u64,
}

/// How vectors are stored, as far as anyone said so.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexSettings {
    /// The backend of all bases.
    pub backend: Option<String>,
    /// That of one base each, by its name.
    pub bases: BTreeMap<String, String>,
    /// Where tables of `lancedb` are kept, instead of the folders of the bases.
    pub table_location: Option<String>,
    /// The server of that place.
    pub table_endpoint: Option<String>,
    /// The region of that place.
    pub table_region: Option<String>,
}

/// Which models compute embeddings, as far as anyone said so.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EmbeddingSettings {
    /// For all bases.
    pub default: EmbeddingOverride,
    /// For one base each, by its name.
    pub bases: BTreeMap<String, EmbeddingOverride>,
    /// Bytes of vectors that are kept for all workspaces.
    pub cache_bytes: u64,
}

/// What is said of a model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EmbeddingOverride {
    /// `static`, `candle`, `ollama` or `openai`.
    pub provider: Option<String>,
    /// Its name.
    pub model_id: Option<String>,
    /// The numbers of a vector.
    pub dimension: Option<usize>,
    /// Tokens of a text that are looked at.
    pub max_tokens: Option<usize>,
    /// The folder of its files.
    pub local_path: Option<String>,
    /// Its server.
    pub endpoint: Option<String>,
    /// The variable that holds the key for the server.
    pub api_key_env: Option<String>,
}

/// What is indexed and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Indexing {
    /// Files larger than this are not indexed.
    pub max_file_bytes: u64,
    /// Whether files marked as generated are indexed.
    pub include_generated: bool,
    /// Whether minified files are indexed.
    pub include_minified: bool,
    /// Number of threads; 0 means one for every core.
    pub threads: usize,
    /// Memory that indexing may take; 0 means no limit.
    pub max_rss_bytes: u64,
    /// Whether the full-text table `fts_chunks` is kept.
    pub fts: bool,
    /// Above this total size `sources.jsonl` leaves out what is optional.
    pub projection_text_bytes: u64,
}

impl Indexing {
    /// Threads to use.
    pub fn threads(&self) -> usize {
        if self.threads == 0 { parallel::available() } else { self.threads }
    }

    /// How to walk a workspace.
    pub fn walk_options(&self, explain: Explain) -> WalkOptions {
        WalkOptions { max_file_bytes: self.max_file_bytes, threads: self.threads(), explain }
    }
}

/// Sources that are not files of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sources {
    /// Urls.
    pub urls: UrlSettings,
    /// Archives.
    pub archives: ArchiveSettings,
}

/// How urls are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UrlSettings {
    /// Private hosts that may be read from, as `host` or `host:port`; `*` means all.
    pub allow_private: Vec<String>,
    /// Longest answer.
    pub max_bytes: u64,
    /// How long reading one url may take.
    pub timeout_seconds: u64,
    /// How many redirects may be followed.
    pub max_redirects: u32,
}

/// How archives are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchiveSettings {
    /// Most members.
    pub max_members: usize,
    /// Most bytes of one member, unpacked.
    pub max_member_bytes: u64,
    /// Most bytes of all members together, unpacked.
    pub max_total_bytes: u64,
}

/// How questions are answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// How many results an answer has.
    pub top_k: usize,
    /// Whether questions are logged.
    pub log: bool,
    /// Longest snippet in lines.
    pub max_snippet_lines: usize,
}

/// How results are ranked, as far as anyone said so.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RankingSettings {
    /// Weights in hundredths, by their names.
    pub weights: BTreeMap<String, u64>,
    /// The model that ranks the best candidates anew.
    pub reranker: RerankerSettings,
}

/// The model that ranks the best candidates anew.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RerankerSettings {
    /// Its name; none is used where nobody said so.
    pub model_id: Option<String>,
    /// How many candidates it looks at.
    pub candidates: usize,
    /// How long it may take, in milliseconds.
    pub budget_ms: u64,
}

impl RankingSettings {
    /// The weights, those of the product where nobody said anything.
    pub fn weights(&self) -> Weights {
        let mut weights = Weights::default();
        for (name, hundredths) in &self.weights {
            if let (Some(weight), Ok(hundredths)) =
                (weights.field(name), u32::try_from(*hundredths))
            {
                *weight = f64::from(hundredths) / 100.0;
            }
        }
        weights
    }
}

/// How long to wait for other processes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockSettings {
    /// Seconds to wait before giving up.
    pub patience_seconds: u64,
}

impl Settings {
    pub(crate) fn from_values(values: &BTreeMap<String, Valued>) -> Result<Self> {
        let values = Values(values);
        Ok(Self {
            indexing: Indexing {
                max_file_bytes: values.integer("indexing.max_file_bytes")?,
                include_generated: values.bool("indexing.include_generated")?,
                include_minified: values.bool("indexing.include_minified")?,
                threads: values.integer("indexing.threads")?,
                max_rss_bytes: values.integer("indexing.max_rss_bytes")?,
                fts: values.bool("indexing.fts")?,
                projection_text_bytes: values.integer("indexing.projection_text_bytes")?,
            },
            sources: Sources {
                urls: UrlSettings {
                    allow_private: values.list("sources.urls.allow_private")?,
                    max_bytes: values.integer("sources.urls.max_bytes")?,
                    timeout_seconds: values.integer("sources.urls.timeout_seconds")?,
                    max_redirects: values.integer("sources.urls.max_redirects")?,
                },
                archives: ArchiveSettings {
                    max_members: values.integer("sources.archives.max_members")?,
                    max_member_bytes: values.integer("sources.archives.max_member_bytes")?,
                    max_total_bytes: values.integer("sources.archives.max_total_bytes")?,
                },
            },
            ask: Ask {
                top_k: values.integer("ask.top_k")?,
                log: values.bool("ask.log")?,
                max_snippet_lines: values.integer("ask.max_snippet_lines")?,
            },
            ranking: values.ranking()?,
            autonomous_changes: values.bool("changes.autonomous")?,
            daemon: DaemonSettings {
                is_used: values.bool("daemon.use")?,
                idle_seconds: values.integer("daemon.idle_seconds")?,
            },
            lock: LockSettings { patience_seconds: values.integer("lock.patience_seconds")? },
            embeddings: values.embeddings()?,
            indexes: values.indexes(),
        })
    }
}

/// Reads values by name. The table of keys gives each its kind and default, so that a miss is a bug.
struct Values<'a>(&'a BTreeMap<String, Valued>);

impl Values<'_> {
    fn bool(&self, name: &str) -> Result<bool> {
        match self.get(name)? {
            Value::Bool(value) => Ok(*value),
            Value::Integer(_) | Value::Text(_) | Value::List(_) => Err(mismatch(name)),
        }
    }

    fn integer<T: TryFrom<u64>>(&self, name: &str) -> Result<T> {
        match self.get(name)? {
            Value::Integer(value) => T::try_from(*value).map_err(|_| mismatch(name)),
            Value::Bool(_) | Value::Text(_) | Value::List(_) => Err(mismatch(name)),
        }
    }

    fn list(&self, name: &str) -> Result<Vec<String>> {
        match self.get(name)? {
            Value::List(items) => Ok(items.clone()),
            Value::Bool(_) | Value::Integer(_) | Value::Text(_) => Err(mismatch(name)),
        }
    }

    fn embeddings(&self) -> Result<EmbeddingSettings> {
        const BASES: &str = "embeddings.bases.";
        let names = self.0.keys().filter_map(|name| name.strip_prefix(BASES)?.split_once('.'));
        let mut bases = BTreeMap::new();
        for (base, _) in names {
            bases
                .entry(base.to_owned())
                .or_insert_with(|| self.embedding(&format!("{BASES}{base}")));
        }
        let cache_bytes = self.integer("embeddings.cache.max_bytes")?;
        let default = self.embedding("embeddings.default");
        Ok(EmbeddingSettings { default, bases, cache_bytes })
    }

    fn embedding(&self, group: &str) -> EmbeddingOverride {
        let value = |name: &str| self.0.get(&format!("{group}.{name}")).map(|valued| &valued.value);
        let text = |name: &str| match value(name) {
            Some(Value::Text(text)) => Some(text.clone()),
            _ => None,
        };
        let number = |name: &str| match value(name) {
            Some(Value::Integer(number)) => usize::try_from(*number).ok(),
            _ => None,
        };
        EmbeddingOverride {
            provider: text("provider"),
            model_id: text("model_id"),
            dimension: number("dimension"),
            max_tokens: number("max_tokens"),
            local_path: text("local_path"),
            endpoint: text("endpoint"),
            api_key_env: text("api_key_env"),
        }
    }

    fn ranking(&self) -> Result<RankingSettings> {
        let of_weight = |(name, valued): (&String, &Valued)| match &valued.value {
            Value::Integer(hundredths) => {
                Some((name.strip_prefix("ranking.weights.")?.to_owned(), *hundredths))
            },
            Value::Bool(_) | Value::Text(_) | Value::List(_) => None,
        };
        let model_id = self.0.get("ranking.reranker.model_id");
        let reranker = RerankerSettings {
            model_id: model_id.map(|valued| valued.value.to_string()),
            candidates: self.integer("ranking.reranker.candidates")?,
            budget_ms: self.integer("ranking.reranker.budget_ms")?,
        };
        Ok(RankingSettings { weights: self.0.iter().filter_map(of_weight).collect(), reranker })
    }

    fn indexes(&self) -> IndexSettings {
        let text = |valued: &Valued| match &valued.value {
            Value::Text(text) => Some(text.clone()),
            Value::Bool(_) | Value::Integer(_) | Value::List(_) => None,
        };
        let of_all = |name: &str| self.0.get(name).and_then(text);
        let of_base = |(name, valued): (&String, &Valued)| {
            let base = name.strip_prefix("indexes.bases.")?.strip_suffix(".backend")?;
            Some((base.to_owned(), text(valued)?))
        };
        IndexSettings {
            backend: of_all("indexes.default.backend"),
            bases: self.0.iter().filter_map(of_base).collect(),
            table_location: of_all("indexes.lancedb.location"),
            table_endpoint: of_all("indexes.lancedb.endpoint"),
            table_region: of_all("indexes.lancedb.region"),
        }
    }

    fn get(&self, name: &str) -> Result<&Value> {
        self.0.get(name).map(|valued| &valued.value).ok_or_else(|| mismatch(name))
    }
}

fn mismatch(name: &str) -> Failure {
    Failure::new(ErrorCode::Internal, format!("`{name}` does not fit the table of config keys"))
}
