//! Which model is meant, and what is said when it is not there.

use gik_base::progress::Silent;
use gik_contract::ModelSourceKind;
use gik_models::library::Origin;
use gik_models::{TextKind, Vectors};
use gik_testkit::{tiny_encoder, tiny_static_model};

use super::*;

fn said(provider: &str, model_id: &str) -> EmbeddingOverride {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    EmbeddingOverride { provider: some(provider), model_id: some(model_id), ..Default::default() }
}

fn named(said: &EmbeddingOverride) -> String {
    let config = EmbeddingConfig::resolved(said).unwrap();
    format!("{}:{}", config.provider.as_str(), config.model_id)
}

#[test]
fn what_nobody_says_is_the_usual() {
    assert_eq!(named(&said("", "")), "static:gik-static-256-v1");
    assert_eq!(named(&said("static", "")), "static:gik-static-256-v1");
    assert_eq!(named(&said("", "gik-static-256-v1")), "static:gik-static-256-v1");
    assert_eq!(named(&said("candle", "")), "candle:sentence-transformers/all-MiniLM-L6-v2");
    assert_eq!(named(&said("", "BAAI/bge-small-en-v1.5")), "candle:BAAI/bge-small-en-v1.5");
    assert_eq!(named(&said("ollama", "nomic")), "ollama:nomic");
    let failure = EmbeddingConfig::resolved(&said("openai", "")).unwrap_err();
    assert_eq!(failure.code(), ErrorCode::ConfigInvalid);
    assert!(EmbeddingConfig::resolved(&said("", "")).unwrap().is_builtin());
}

#[test]
fn a_base_takes_nothing_that_belongs_to_another_model() {
    let all = EmbeddingOverride {
        dimension: Some(384),
        local_path: Some("/models/a".to_owned()),
        endpoint: Some("https://x".to_owned()),
        max_tokens: Some(128),
        ..said("candle", "a/b")
    };
    let own = EmbeddingOverride { max_tokens: Some(64), ..Default::default() };
    assert_eq!(merged(&own, &all), EmbeddingOverride { max_tokens: Some(64), ..all.clone() });
    let other = merged(&said("", "c/d"), &all);
    assert_eq!((other.provider.as_deref(), other.dimension), (Some("candle"), None));
    assert_eq!((other.local_path, other.endpoint.as_deref()), (None, Some("https://x")));
    let other = merged(&said("ollama", "nomic"), &all);
    assert_eq!((other.dimension, other.endpoint), (None, None));
}

fn open(config: &EmbeddingOverride, home: &Path) -> Result<Model> {
    EmbeddingConfig::resolved(config).unwrap().open(Some(home), &Cancel::default())
}

fn embed(model: &Model) -> Vectors {
    model.embed(&["hello world"], TextKind::Passage, &Cancel::default()).unwrap()
}

#[test]
fn a_missing_model_names_the_command_that_gets_it() {
    let home = tempfile::tempdir().unwrap();
    let failure = open(&said("candle", "BAAI/bge-small-en-v1.5"), home.path()).unwrap_err();
    assert_eq!(failure.code(), ErrorCode::EmbeddingProviderUnavailable);
    assert_eq!(failure.hints()[0], "run `gik model pull BAAI/bge-small-en-v1.5`");
    let nowhere =
        EmbeddingOverride { local_path: Some("/no/such".to_owned()), ..said("static", "x") };
    let failure = open(&nowhere, home.path()).unwrap_err();
    assert_eq!(failure.code(), ErrorCode::EmbeddingProviderUnavailable);
    let escape = open(&said("candle", "../../etc"), home.path()).unwrap_err();
    assert_eq!(escape.code(), ErrorCode::ArgumentInvalid);
    let key = EmbeddingOverride {
        api_key_env: Some("GIK_NO_SUCH_VARIABLE".to_owned()),
        ..said("openai", "m")
    };
    let failure = open(&key, home.path()).unwrap_err();
    assert!(failure.message().contains("GIK_NO_SUCH_VARIABLE"), "{failure}");
}

#[test]
fn models_come_from_the_library_a_folder_or_the_place_of_the_contract() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("elsewhere");
    tiny_encoder(&folder);
    let in_folder = EmbeddingOverride {
        local_path: Some(folder.to_str().unwrap().to_owned()),
        ..said("candle", "me/tiny")
    };
    let vectors = embed(&open(&in_folder, home.path()).unwrap());
    let origin = Origin { kind: ModelSourceKind::Folder, location: "elsewhere" };
    let name = ModelName::parse("me/tiny").unwrap();
    let library = Library::at(home.path());
    let installed =
        library.add(&name, origin, |_| Ok(folder.clone()), &Silent, &Cancel::default()).unwrap();
    assert_eq!(embed(&open(&said("candle", "me/tiny"), home.path()).unwrap()), vectors);
    let by_hand = home.path().join("models/embeddings/other");
    tiny_encoder(&by_hand);
    assert_eq!(embed(&open(&said("candle", "you/other"), home.path()).unwrap()), vectors);

    let wrong = EmbeddingOverride { dimension: Some(7), ..said("candle", "me/tiny") };
    let failure = open(&wrong, home.path()).unwrap_err();
    assert!(failure.message().contains("has 4 dimensions, and the config says 7"), "{failure}");
    let failure = open(&said("static", "me/tiny"), home.path()).unwrap_err();
    assert_eq!(failure.hints(), ["set `provider` to `candle` beside its `model_id`"]);
    std::fs::write(installed.folder.join("model.safetensors"), "x").unwrap();
    let failure = open(&said("candle", "me/tiny"), home.path()).unwrap_err();
    assert_eq!(failure.code(), ErrorCode::EmbeddingProviderUnavailable);
    assert_eq!(failure.hints(), ["`gik model add elsewhere --name me/tiny` puts it back"]);
}

#[test]
fn any_table_can_take_the_place_of_the_built_in_one() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("table");
    tiny_static_model(&folder);
    let config = EmbeddingOverride {
        local_path: Some(folder.to_str().unwrap().to_owned()),
        ..said("static", "mine")
    };
    let model = open(&config, home.path()).unwrap();
    assert_eq!((model.dimension(), model.is_builtin()), (4, false));
    assert!(open(&said("", ""), home.path()).unwrap().is_builtin());
}
