//! Models that come, are looked at, and go.

use gik_base::progress::Silent;
use gik_contract::ModelKind;
use gik_testkit::{tiny_encoder, tiny_static_model};

use super::*;
use crate::testing;

pub(super) struct Setup {
    pub(super) dir: tempfile::TempDir,
    pub(super) library: Library,
}

impl Setup {
    pub(super) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let library = Library::at(&dir.path().join("home"));
        Self { dir, library }
    }

    fn path(&self, name: &str) -> PathBuf {
        let path = self.dir.path().join(name);
        std::fs::create_dir_all(&path).unwrap();
        path
    }

    fn add(&self, name: &str, path: &Path) -> Result<Installed> {
        let origin = Origin { kind: ModelSourceKind::Folder, location: "here" };
        let locate = |_: &Path| Ok(path.to_owned());
        self.library.add(&model(name), origin, locate, &Silent, &Cancel::default())
    }
}

pub(super) fn model(name: &str) -> ModelName {
    ModelName::parse(name).unwrap()
}

#[test]
fn a_folder_becomes_the_active_revision() {
    let setup = Setup::new();
    let folder = setup.path("tiny");
    tiny_static_model(&folder);
    std::fs::write(folder.join("pickle.bin"), "not a part").unwrap();
    let added = setup.add("me/tiny", &folder).unwrap();
    assert_eq!((added.manifest.kind, added.manifest.dimension), (ModelKind::Static, Some(4)));
    assert_eq!(added.manifest.license.as_deref(), Some("mit"));
    assert_eq!(added.manifest.quantization.as_deref(), Some("F32"));
    assert!(added.manifest.revision.starts_with("local-"));
    let names: Vec<&str> = added.manifest.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(names, ["README.md", "config.json", "model.safetensors", "tokenizer.json"]);
    assert_eq!(setup.library.find(&model("me/tiny")).unwrap(), Some(added.clone()));
    assert_eq!(added.verify(&Silent, &Cancel::default()).unwrap(), []);
    // The same files are the same revision.
    let again = setup.add("me/tiny", &folder).unwrap();
    assert_eq!(again.manifest.revision, added.manifest.revision);
    let contents = setup.library.contents().unwrap();
    assert_eq!((contents.installed.len(), contents.unfinished.len()), (1, 0));
}

#[test]
fn the_real_model_is_known_for_what_it_is() {
    let setup = Setup::new();
    let added = setup.add("all-MiniLM-L6-v2", &testing::model_folder()).unwrap();
    assert_eq!((added.manifest.kind, added.manifest.dimension), (ModelKind::Encoder, Some(384)));
    assert_eq!(added.manifest.license.as_deref(), Some("apache-2.0"));
    assert!(added.total_bytes() > 90_000_000);
}

#[test]
fn what_cannot_be_used_leaves_no_trace_and_the_old_one_in_use() {
    let setup = Setup::new();
    let good = setup.path("good");
    tiny_encoder(&good);
    let added = setup.add("m", &good).unwrap();
    let broken = setup.path("broken");
    tiny_encoder(&broken);
    std::fs::write(broken.join("model.safetensors"), b"short").unwrap();
    assert_eq!(setup.add("m", &broken).unwrap_err().code(), ErrorCode::ModelInvalid);
    let empty = setup.path("empty");
    let failure = setup.add("m", &empty).unwrap_err();
    assert!(failure.message().contains("`m` has no `config.json`"), "{failure}");
    assert_eq!(setup.library.find(&model("m")).unwrap(), Some(added));
    assert!(setup.library.contents().unwrap().unfinished.is_empty());
}

#[test]
fn weights_alone_bring_what_is_beside_them() {
    let setup = Setup::new();
    let folder = setup.path("tiny");
    tiny_encoder(&folder);
    std::fs::rename(folder.join("model.safetensors"), folder.join("weights.safetensors")).unwrap();
    let added = setup.add("m", &folder.join("weights.safetensors")).unwrap();
    assert_eq!(added.manifest.kind, ModelKind::Encoder);
    let readme = folder.join("notes.txt");
    std::fs::write(&readme, "x").unwrap();
    let failure = setup.add("m", &readme).unwrap_err();
    assert!(failure.message().ends_with("is no model"), "{failure}");
}

#[test]
fn a_gguf_file_is_kept_but_makes_no_vectors() {
    let setup = Setup::new();
    let file = setup.path("x").join("granite.gguf");
    std::fs::write(&file, gguf::tests::file()).unwrap();
    let added = setup.add("granite", &file).unwrap();
    assert_eq!((added.manifest.kind, added.manifest.dimension), (ModelKind::Gguf, None));
    assert_eq!(added.manifest.quantization.as_deref(), Some("Q4_K_M"));
    std::fs::write(&file, b"GGML....").unwrap();
    assert_eq!(setup.add("granite", &file).unwrap_err().code(), ErrorCode::ModelInvalid);
}

#[test]
fn damage_is_found_and_named() {
    let setup = Setup::new();
    let folder = setup.path("tiny");
    tiny_static_model(&folder);
    let added = setup.add("m", &folder).unwrap();
    let weights = added.folder.join("model.safetensors");
    let mut bytes = std::fs::read(&weights).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&weights, bytes).unwrap();
    std::fs::write(added.folder.join("README.md"), "").unwrap();
    std::fs::remove_file(added.folder.join("config.json")).unwrap();
    let damaged = |path: &str, damage| DamagedFile { path: path.to_owned(), damage };
    let found = added.verify(&Silent, &Cancel::default()).unwrap();
    let short = damaged("README.md", Damage::Size);
    let missing = damaged("config.json", Damage::Missing);
    assert_eq!(
        found,
        [short.clone(), missing.clone(), damaged("model.safetensors", Damage::Content)]
    );
    assert_eq!(added.look().unwrap(), [short, missing]);
    assert!(setup.add("m", &folder).unwrap().look().unwrap().is_empty());
}

#[test]
fn garbage_is_what_no_name_leads_to() {
    let setup = Setup::new();
    let folder = setup.path("tiny");
    tiny_static_model(&folder);
    let first = setup.add("m", &folder).unwrap();
    tiny_encoder(&folder);
    let second = setup.add("m", &folder).unwrap();
    let own = setup.library.folder().join("m");
    std::fs::create_dir(own.join(".filling-abc")).unwrap();
    std::fs::write(own.join(".filling-abc/model.safetensors.part"), [0; 100]).unwrap();
    // What somebody keeps here on their own is left alone.
    std::fs::write(setup.library.folder().join("notes"), "mine").unwrap();
    let other = setup.library.folder().join("embeddings/mine");
    std::fs::create_dir_all(&other).unwrap();
    let revisions = |removed: Vec<Removed>| -> Vec<(String, bool)> {
        removed.into_iter().map(|removed| (removed.revision, removed.unfinished)).collect()
    };
    let expected = [("abc".to_owned(), true), (first.manifest.revision.clone(), false)];
    assert_eq!(revisions(setup.library.collect_garbage(false).unwrap()), expected);
    {
        let _busy = Lock::try_acquire(&setup.library.lock_path(&model("m"))).unwrap().unwrap();
        assert_eq!(setup.library.collect_garbage(true).unwrap(), []);
    }
    assert_eq!(revisions(setup.library.collect_garbage(true).unwrap()), expected);
    assert!(!first.folder.exists() && second.folder.exists() && other.exists());
    assert_eq!(setup.library.collect_garbage(true).unwrap(), []);

    let removed = setup.library.remove(&model("m"), &Silent, &Cancel::default()).unwrap();
    assert_eq!(removed.len(), 1);
    assert_eq!(setup.library.find(&model("m")).unwrap(), None);
    assert!(!own.exists() && other.exists());
    assert!(setup.library.contents().unwrap().installed.is_empty());
    let failure = setup.library.get(&model("m"), None).unwrap_err();
    assert_eq!(failure.code(), ErrorCode::ModelMissing);
}

#[test]
fn manifests_of_others_are_not_trusted() {
    let setup = Setup::new();
    let folder = setup.path("tiny");
    tiny_static_model(&folder);
    let added = setup.add("m", &folder).unwrap();
    let path = added.folder.join(MANIFEST);
    let text = std::fs::read_to_string(&path).unwrap();
    for (from, to) in [("config.json", "../../x"), ("\"0.1.0\"", "\"99.0.0\""), ("{", "[")] {
        std::fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let failure = setup.library.find(&model("m")).unwrap_err();
        assert_eq!(failure.code(), ErrorCode::ModelInvalid, "{to}");
        assert_eq!(setup.library.contents().unwrap().broken.len(), 1);
    }
    assert!(is_newer("0.10.0", "0.9.9") && !is_newer("0.1.0", "0.1.0"));
}
