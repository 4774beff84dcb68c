//! The one table of config keys. Checking, defaults, `gik config show`, `gik config set`, the template and the
//! reference page all come from it.

use super::key::{Key, Kind, NeedsTrust};

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;

const PROVIDER: Kind =
    Kind::Choice { names: &["static", "candle", "ollama", "openai"], prefix: None };
const REMOTE_PROVIDERS: NeedsTrust = NeedsTrust::For(&["ollama", "openai"]);
const BACKEND: Kind = Kind::Choice {
    names: &["simple_file", "mmap", "sqlite_vec", "lancedb"],
    prefix: Some("other:"),
};
const METRIC: Kind = Kind::Choice { names: &["cosine", "dot", "l2"], prefix: None };
const DIMENSION: Kind = Kind::Integer { least: 1, most: 65_536 };
/// Weights are hundredths: what a person can set apart by measuring is coarser.
const WEIGHT: Kind = Kind::Integer { least: 0, most: 1000 };
const TOKENS: Kind = Kind::Integer { least: 1, most: 1 << 20 };

/// Every key, group by group.
pub(crate) const KEYS: &[Key] = &[
    Key::integer(
        "indexing.max_file_bytes",
        KIB..=GIB,
        4 * MIB,
        "Files larger than this are not indexed.",
    ),
    Key::bool(
        "indexing.include_generated",
        false,
        "Whether files marked as generated are indexed.",
    ),
    Key::bool("indexing.include_minified", false, "Whether minified files are indexed."),
    Key::integer("indexing.threads", 0..=256, 0, "Number of threads; 0 means one for every core."),
    Key::integer(
        "indexing.max_rss_bytes",
        0..=1024 * GIB,
        0,
        "Memory that indexing may take; 0 means no limit.",
    ),
    Key::bool(
        "indexing.fts",
        false,
        "Whether `index.sqlite` keeps the full-text table `fts_chunks` for people who query it with SQL.",
    ),
    Key::integer(
        "indexing.projection_text_bytes",
        0..=64 * GIB,
        8 * MIB,
        "Above this total size `sources.jsonl` leaves out the optional `text` and `extra` of each source.",
    ),
    Key::list(
        "sources.urls.allow_private",
        "Private hosts that urls may be read from, as `host` or `host:port`; `\"*\"` means all.",
    )
    .trust(NeedsTrust::Always),
    Key::integer("sources.urls.max_bytes", KIB..=GIB, 16 * MIB, "Longest answer read from a url."),
    Key::integer(
        "sources.urls.timeout_seconds",
        1..=600,
        30,
        "How long reading one url may take, in seconds.",
    ),
    Key::integer("sources.urls.max_redirects", 0..=20, 5, "How many redirects a url may follow."),
    Key::integer(
        "sources.archives.max_members",
        1..=10_000_000,
        100_000,
        "Archives with more members are refused.",
    ),
    Key::integer(
        "sources.archives.max_member_bytes",
        KIB..=GIB,
        16 * MIB,
        "Members that unpack to more are skipped.",
    ),
    Key::integer(
        "sources.archives.max_total_bytes",
        KIB..=1024 * GIB,
        GIB,
        "Archives that unpack to more are refused.",
    ),
    Key::integer("ask.top_k", 1..=100, 8, "How many results an answer has."),
    Key::bool("ask.log", true, "Whether questions are written to `asks/ask.log.jsonl`, and the lengths of answers to `asks/answers.jsonl`."),
    Key::integer("ask.max_snippet_lines", 1..=1000, 40, "Longest snippet of a result, in lines."),
    Key::optional(
        "ranking.reranker.model_id",
        Kind::Text,
        "Reranker or encoder of `gik model list` that ranks the best candidates anew; none where it is not set.",
    ),
    Key::integer(
        "ranking.reranker.candidates",
        1..=200,
        24,
        "How many of the best candidates the reranker looks at.",
    ),
    Key::integer(
        "ranking.reranker.budget_ms",
        1..=600_000,
        1500,
        "How long the reranker may take for a question, in milliseconds; what it does not reach keeps its place.",
    ),
    Key::optional(
        "ranking.weights.opening",
        WEIGHT,
        "What a chunk gains whose comments begin with every word of the question; 30 where it is not set.",
    ),
    Key::optional(
        "ranking.weights.meaning",
        WEIGHT,
        "What the chunk nearest in meaning gains, in hundredths of what the best by its words does; 50 where it is not set.",
    ),
    Key::optional(
        "ranking.weights.reranker",
        WEIGHT,
        "What the best chunk gains by the reranker, where one is set; 50 where it is not set.",
    ),
    Key::optional(
        "ranking.weights.path",
        WEIGHT,
        "What a file gains that is named after every word of the question; 80 where it is not set.",
    ),
    Key::optional(
        "ranking.weights.path_of_name",
        WEIGHT,
        "The same for a question of one word; 50 where it is not set.",
    ),
    Key::optional(
        "ranking.weights.named",
        WEIGHT,
        "What a place gains that the question names; 100 where it is not set.",
    ),
    Key::optional(
        "ranking.weights.locality",
        WEIGHT,
        "What the chunk gains in which the reader is (`--current`); 40 where it is not set.",
    ),
    Key::optional(
        "ranking.weights.recent",
        WEIGHT,
        "What a file gains that the newest commit changed; 0 where it is not set.",
    ),
    Key::optional(
        "ranking.weights.together",
        WEIGHT,
        "What a file gains that always changes with one of the best; 0 where it is not set.",
    ),
    Key::optional(
        "ranking.weights.definition",
        WEIGHT,
        "How much a chunk counts that defines the asked name, in hundredths; 175 where it is not set.",
    ),
    Key::optional(
        "ranking.weights.noise",
        WEIGHT,
        "How much tests, examples and vendored files count; 50 where it is not set.",
    ),
    Key::optional(
        "ranking.weights.docs",
        WEIGHT,
        "How much documents count; 80 where it is not set.",
    ),
    Key::optional(
        "ranking.weights.file",
        WEIGHT,
        "What the best chunk gains of the file of which most was found; 30 where it is not set.",
    ),
    Key::optional(
        "ranking.weights.again",
        WEIGHT,
        "How much each further chunk of a file counts; 50 where it is not set.",
    ),
    Key::bool(
        "changes.autonomous",
        false,
        "Whether `apply_unified_diff` and `apply_text_edits` write without a person's word. Leave it off where anything that an agent reads may come from others.",
    )
    .trust(NeedsTrust::UserFileOnly),
    Key::bool(
        "daemon.use",
        true,
        "Whether commands and servers use the warm process where one runs, and `gik mcp` starts one.",
    )
    .trust(NeedsTrust::UserFileOnly),
    Key::integer(
        "daemon.idle_seconds",
        1..=86_400,
        600,
        "How long the warm process waits for the next question before it ends, in seconds.",
    )
    .trust(NeedsTrust::UserFileOnly),
    Key::integer(
        "lock.patience_seconds",
        0..=3600,
        30,
        "How long to wait for another process to release the workspace, in seconds.",
    ),
    Key::optional(
        "embeddings.default.provider",
        PROVIDER,
        "What computes embeddings; the built-in table where nothing is set.",
    )
    .trust(REMOTE_PROVIDERS),
    Key::optional(
        "embeddings.default.model_id",
        Kind::Text,
        "Model that computes embeddings; `gik model list` lists those there are.",
    ),
    Key::optional("embeddings.default.dimension", DIMENSION, "Length of an embedding."),
    Key::optional(
        "embeddings.default.max_tokens",
        TOKENS,
        "Longest input of the model; what is behind it is not looked at.",
    ),
    Key::optional(
        "embeddings.default.local_path",
        Kind::Text,
        "Folder of the model's files, instead of the one of `gik model`.",
    )
    .trust(NeedsTrust::Always),
    Key::optional(
        "embeddings.default.endpoint",
        Kind::Text,
        "Server of `ollama` and `openai`, instead of the usual one.",
    )
    .trust(NeedsTrust::Always),
    Key::optional(
        "embeddings.default.api_key_env",
        Kind::Text,
        "Environment variable that holds the key for the server.",
    )
    .trust(NeedsTrust::UserOnly),
    Key::integer(
        "embeddings.cache.max_bytes",
        0..=(1 << 50),
        2 << 30,
        "Vectors of slow models that are kept in `~/.gik/cache`, so that none is made twice; 0 keeps none.",
    )
    .trust(NeedsTrust::UserOnly),
    Key::optional("embeddings.bases.*.provider", PROVIDER, "The same for one base.")
        .trust(REMOTE_PROVIDERS),
    Key::optional("embeddings.bases.*.model_id", Kind::Text, "The same for one base."),
    Key::optional("embeddings.bases.*.dimension", DIMENSION, "The same for one base."),
    Key::optional("embeddings.bases.*.max_tokens", TOKENS, "The same for one base."),
    Key::optional("embeddings.bases.*.local_path", Kind::Text, "The same for one base.")
        .trust(NeedsTrust::Always),
    Key::optional("embeddings.bases.*.endpoint", Kind::Text, "The same for one base.")
        .trust(NeedsTrust::Always),
    Key::optional("embeddings.bases.*.api_key_env", Kind::Text, "The same for one base.")
        .trust(NeedsTrust::UserOnly),
    Key::optional(
        "indexes.default.backend",
        BACKEND,
        "How vectors are stored: `mmap` where it is not said. Another one converts them at the next `gik index`.",
    ),
    Key::reserved("indexes.default.metric", METRIC, "How vectors are compared."),
    Key::optional("indexes.bases.*.backend", BACKEND, "The same for one base."),
    Key::reserved("indexes.bases.*.metric", METRIC, "The same for one base."),
    Key::optional(
        "indexes.lancedb.location",
        Kind::Text,
        "Where tables of `lancedb` are kept, instead of `.guided`: `s3://bucket/prefix` or an absolute path.",
    )
    .trust(NeedsTrust::Always),
    Key::optional(
        "indexes.lancedb.endpoint",
        Kind::Text,
        "Server of that bucket, instead of Amazon's.",
    )
    .trust(NeedsTrust::Always),
    Key::optional("indexes.lancedb.region", Kind::Text, "Region of that bucket.")
        .trust(NeedsTrust::Always),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::settings::key::{Status, variable};
    use crate::settings::value::Value;

    #[test]
    fn every_weight_of_the_ranking_has_a_key_that_tells_its_default() {
        let mut weights = gik_retrieve::signals::Weights::default();
        for name in gik_retrieve::signals::Weights::FIELDS {
            let full = format!("ranking.weights.{name}");
            let key = KEYS.iter().find(|key| key.name == full).expect("a key");
            let hundredths = (*weights.field(name).expect("a weight") * 100.0).round();
            assert!(key.doc.ends_with(&format!("; {hundredths} where it is not set.")), "{name}");
        }
    }

    #[test]
    fn names_and_their_variables_are_unique_and_snake_case() {
        let mut names = BTreeSet::new();
        let mut variables = BTreeSet::new();
        for key in KEYS {
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "._*".contains(c);
            assert!(key.name.chars().all(plain), "{}", key.name);
            assert!(names.insert(key.name), "{} twice", key.name);
            assert!(variables.insert(variable(key.name)), "{} clashes as a variable", key.name);
            assert!(key.doc.ends_with('.'), "{}", key.name);
        }
    }

    #[test]
    fn defaults_are_within_their_range_and_only_those_of_models_and_ranking_are_unset() {
        for key in KEYS {
            match (key.kind, key.default_value()) {
                (Kind::Integer { least, most }, Some(Value::Integer(value))) => {
                    assert!((least..=most).contains(&value), "{}", key.name);
                },
                (_, None) => assert!(
                    key.status == Status::Reserved
                        || key.name.starts_with("embeddings.")
                        || key.name.starts_with("indexes.")
                        || key.name.starts_with("ranking."),
                    "{}",
                    key.name
                ),
                _ => {},
            }
        }
    }
}
