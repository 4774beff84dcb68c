//! Passages become vectors, each only once per user: slow models go through a cache.

use std::path::Path;

use gik_base::{Cancel, Result, clock, env, parallel};
use gik_models::{Embedder as _, Model, TextKind, Vectors};
use gik_store::{EmbeddingModel, VectorCache};

use crate::settings::Settings;

/// Below the folder of the user.
const FILE: &str = "cache/embeddings.sqlite";
const SECONDS_PER_DAY: i64 = 86_400;

/// A model with the vectors that it has made before.
#[derive(Debug)]
pub(crate) struct Cached<'a> {
    model: &'a Model,
    name: String,
    cache: Option<VectorCache>,
    most_bytes: u64,
    threads: usize,
}

/// Fewer passages are embedded before a thread has started.
const WORTH_A_THREAD: usize = 12;

impl<'a> Cached<'a> {
    /// A table is faster than a look-up, so it goes without. Everyone does where the cache cannot be opened: it is a
    /// convenience.
    pub(crate) fn new(settings: &Settings, model: &'a Model, identity: &EmbeddingModel) -> Self {
        let most_bytes = settings.embeddings.cache_bytes;
        let is_worth_it = !matches!(model, Model::Static(_)) && most_bytes > 0;
        let home = env::gik_home().filter(|_| is_worth_it);
        let cache = home.and_then(|home| open(&home).ok());
        let threads = settings.indexing.threads();
        Self { model, name: identity.name(), cache, most_bytes, threads }
    }

    /// The model, if it is a table of tokens.
    pub(crate) fn table(&self) -> Option<&'a Model> {
        matches!(self.model, Model::Static(_)).then_some(self.model)
    }

    /// Whether what is made is kept.
    pub(crate) fn keeps(&self) -> bool {
        self.cache.is_some()
    }

    /// A vector for each passage, in order.
    pub(crate) fn embed(&self, texts: &[&str], cancel: &Cancel) -> Result<Vectors> {
        let Some(cache) = &self.cache else {
            return self.embed_in_parts(texts, cancel);
        };
        let (dimension, today) = (self.model.dimension(), today());
        let mut known = cache.get_many(&self.name, texts, today).unwrap_or_default();
        known.resize(texts.len(), None);
        let is_missing = |vector: &Option<Vec<f32>>| {
            vector.as_ref().is_none_or(|vector| vector.len() != dimension)
        };
        let missing: Vec<usize> = (0..texts.len()).filter(|&at| is_missing(&known[at])).collect();
        let wanted: Vec<&str> = missing.iter().map(|&at| texts[at]).collect();
        let made = self.model.embed(&wanted, TextKind::Passage, cancel)?;
        // Failing to keep them costs making them again.
        drop(cache.put_many(&self.name, wanted.iter().copied().zip(made.rows()), today));
        for (&at, vector) in missing.iter().zip(made.rows()) {
            known[at] = Some(vector.to_vec());
        }
        Ok(Vectors::of(dimension, known.into_iter().flatten().flatten().collect()))
    }

    /// The vectors of a table, on as many threads as pay; other models have threads of their own.
    fn embed_in_parts(&self, texts: &[&str], cancel: &Cancel) -> Result<Vectors> {
        let embed = |texts: &[&str]| self.model.embed(texts, TextKind::Passage, cancel);
        let threads = match self.table() {
            Some(_) => self.threads.min(texts.len() / WORTH_A_THREAD),
            None => 1,
        };
        if threads <= 1 {
            return embed(texts);
        }
        let vectors: Result<Vec<Vectors>> =
            parallel::in_parts(texts, threads, |part| vec![embed(part)]).into_iter().collect();
        let values = vectors?.iter().flat_map(Vectors::rows).flatten().copied().collect();
        Ok(Vectors::of(self.model.dimension(), values))
    }

    /// Removes what has not been asked for longest, where there is too much.
    pub(crate) fn trim(&self) {
        if let Some(cache) = &self.cache {
            drop(cache.gc(self.most_bytes));
        }
    }
}

/// The cache of a user.
pub(crate) fn open(home: &Path) -> Result<VectorCache> {
    VectorCache::open(&home.join(FILE))
}

/// Where the cache of a user is.
pub(crate) fn exists(home: &Path) -> bool {
    gik_base::fs::exists(&home.join(FILE))
}

fn today() -> i64 {
    clock::now().as_second() / SECONDS_PER_DAY
}
