//! Which of the best candidates answer best? A model that the user chose reads question and candidates together, or
//! embeds the candidates that a question has found.
//!
//! Off unless `ranking.reranker.model_id` names a model of the library. A cross-encoder scores pairs; an encoder embeds
//! candidates on demand, through the cache of the user, so that its quality does not wait for all chunks to be embedded.
//! Both stop at a count and at a time: what was not reached keeps its place behind what was.

use std::sync::Arc;
use std::time::{Duration, Instant};

use gik_base::{Cancel, ErrorCode, Failure, FileKey, Result, env};
use gik_contract::ModelKind;
use gik_index::Query;
use gik_models::{
    COSINE_SPAN, CrossEncoder, Embedder as _, Library, Model, ModelName, Options, Provider,
    Reranker, TextKind, cosine,
};
use gik_retrieve::{Candidates, is_name};

use crate::answer::{Question, Texts};
use crate::embedding::EmbeddingConfig;
use crate::embedding::cache::Cached;
use crate::finding::Reading;
use crate::settings::Settings;

/// So many tokens of a pair, and of a candidate, are looked at: about ten milliseconds each on two cores with six layers.
const MOST_TOKENS: usize = 160;
/// So many are scored between two looks at the clock.
const AT_ONCE: usize = 8;

/// The model that puts candidates into their last order; `None` where none is wanted.
enum Chosen {
    Pairs(Arc<CrossEncoder>),
    Single(Box<Model>, EmbeddingConfig),
}

impl Chosen {
    /// What the model reads of a chunk. What an encoder makes of it is kept, and must not hang on a name.
    fn passage(&self, key: &FileKey, text: &str) -> String {
        match self {
            Self::Pairs(_) => EmbeddingConfig::builtin().passage(key, text),
            Self::Single(_, config) => config.passage(key, text),
        }
    }
}

/// Ranks the best candidates by the model that the user chose. Gives its name where there is one.
pub(crate) fn rerank(
    reading: &Reading<'_>,
    question: &Question,
    query: &Query,
    candidates: &mut Candidates,
    texts: &mut Texts,
) -> Result<Option<String>> {
    let Reading { ws, snapshot, .. } = *reading;
    let settings = &ws.settings.ranking.reranker;
    let Some(model_id) = &settings.model_id else { return Ok(None) };
    let meant = question.meant.as_deref().unwrap_or_else(|| query.text());
    // Names are found by their letters.
    if is_name(meant) || question.weights.reranker <= 0.0 {
        return Ok(None);
    }
    if candidates.found().next().is_none() {
        return Ok(None);
    }
    let started = Instant::now();
    let chosen = open(model_id)?;
    let mut passages = Vec::new();
    for found in candidates.found().take(settings.candidates) {
        let text = texts.of(ws, snapshot, found)?;
        passages.push(text.map(|text| chosen.passage(&found.file.key, text)));
    }
    let cached;
    let model: &dyn Reranker = match &chosen {
        Chosen::Pairs(model) => &**model,
        Chosen::Single(model, config) => {
            cached = Closer::new(&ws.settings, model, config)?;
            &cached
        },
    };
    let budget = Duration::from_millis(settings.budget_ms);
    let scores = scores(model, meant, &passages, (started, budget), &ws.ctx.cancel)?;
    let reached = scores.iter().flatten().count();
    let readable = passages.iter().flatten().count();
    if reached < readable {
        reading.notes.inform(&format!(
            "`{model_id}` had time for {reached} of {readable} candidates: `ranking.reranker.budget_ms` gives more"
        ));
    }
    candidates.weigh_again(&scores, model.span(), started.elapsed().as_secs_f64() * 1e3);
    Ok(Some(model.name().to_owned()))
}

/// A score for each passage that can be read and that there is time for.
fn scores(
    model: &dyn Reranker,
    question: &str,
    passages: &[Option<String>],
    (started, budget): (Instant, Duration),
    cancel: &Cancel,
) -> Result<Vec<Option<f64>>> {
    let mut scores = vec![None; passages.len()];
    let readable: Vec<(usize, &str)> = (passages.iter().enumerate())
        .filter_map(|(at, passage)| Some((at, passage.as_deref()?)))
        .collect();
    for part in readable.chunks(AT_ONCE) {
        if started.elapsed() >= budget {
            break;
        }
        let texts: Vec<&str> = part.iter().map(|(_, text)| *text).collect();
        for ((at, _), score) in part.iter().zip(model.score(question, &texts, cancel)?) {
            scores[*at] = Some(score);
        }
    }
    Ok(scores)
}

fn open(model_id: &str) -> Result<Chosen> {
    let name = ModelName::parse(model_id)?;
    let missing = || {
        let message = format!("model `{name}` is not on this machine");
        Failure::new(ErrorCode::EmbeddingProviderUnavailable, message)
            .hint(format!("run `gik model pull {name}` or `gik model add FOLDER --name {name}`"))
            .hint("`gik config show ranking.reranker --origin` shows where it is asked for")
    };
    let home = env::gik_home().ok_or_else(missing)?;
    let installed = Library::at(&home).find(&name)?.ok_or_else(missing)?;
    if let Some(damaged) = installed.look()?.first() {
        let message =
            format!("file `{}` of model `{name}` {}", damaged.path, damaged.damage.as_str());
        return Err(Failure::new(ErrorCode::EmbeddingProviderUnavailable, message)
            .hint(installed.how_to_get()));
    }
    let options = Options { most_tokens: Some(MOST_TOKENS), ..Options::default() };
    match installed.manifest.kind {
        ModelKind::Reranker => {
            Ok(Chosen::Pairs(CrossEncoder::shared(&installed.folder, model_id, options)?))
        },
        ModelKind::Encoder => {
            let config = EmbeddingConfig {
                provider: Provider::Candle,
                model_id: model_id.to_owned(),
                max_tokens: Some(MOST_TOKENS),
                ..EmbeddingConfig::builtin()
            };
            let model = Model::open(&installed.folder, model_id, options)?;
            Ok(Chosen::Single(Box::new(model), config))
        },
        ModelKind::Static | ModelKind::Gguf => {
            let kind = installed.manifest.kind.as_str();
            let message = format!("model `{name}` is of kind `{kind}` and ranks no candidates");
            Err(Failure::new(ErrorCode::ConfigInvalid, message)
                .hint("`ranking.reranker.model_id` takes a reranker or an encoder"))
        },
    }
}

/// An encoder whose vectors are kept.
struct Closer<'a> {
    model: &'a Model,
    cached: Cached<'a>,
}

impl<'a> Closer<'a> {
    fn new(settings: &Settings, model: &'a Model, config: &EmbeddingConfig) -> Result<Self> {
        let identity = config.identity_of(env::gik_home().as_deref(), model)?;
        Ok(Self { model, cached: Cached::new(settings, model, &identity) })
    }
}

impl Reranker for Closer<'_> {
    fn name(&self) -> &str {
        &self.model.id().name
    }

    fn span(&self) -> f64 {
        COSINE_SPAN
    }

    fn score(&self, question: &str, passages: &[&str], cancel: &Cancel) -> Result<Vec<f64>> {
        let asked = self.model.embed(&[question], TextKind::Query, cancel)?;
        let vectors = self.cached.embed(passages, cancel)?;
        Ok(vectors.rows().map(|row| cosine(asked.row(0), row)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Says how long a text is, and how often it was asked.
    struct Length(std::cell::Cell<usize>);

    impl Reranker for Length {
        fn name(&self) -> &str {
            "length"
        }

        fn span(&self) -> f64 {
            1.0
        }

        fn score(&self, _: &str, passages: &[&str], _: &Cancel) -> Result<Vec<f64>> {
            self.0.set(self.0.get() + 1);
            Ok(passages.iter().map(|passage| passage.len() as f64).collect())
        }
    }

    #[test]
    fn what_cannot_be_read_has_no_score_and_time_ends_the_work() {
        let passages: Vec<Option<String>> =
            (0..20).map(|n| (n % 3 != 0).then(|| "x".repeat(n))).collect();
        let model = Length(std::cell::Cell::new(0));
        let started = Instant::now();
        let all =
            scores(&model, "", &passages, (started, Duration::from_secs(3600)), &Cancel::default());
        let all = all.unwrap();
        assert_eq!((all[0], all[1], all[19], model.0.get()), (None, Some(1.0), Some(19.0), 2));
        let none =
            scores(&model, "", &passages, (started, Duration::ZERO), &Cancel::default()).unwrap();
        assert!(none.iter().all(Option::is_none));
        assert_eq!(model.0.get(), 2);
    }
}
