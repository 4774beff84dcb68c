//! The real model for tests: all-MiniLM-L6-v2, which `cargo xtask test` fetches once.

use std::path::{Path, PathBuf};

/// The folder of the model; it must be there.
pub(crate) fn model_folder() -> PathBuf {
    let target = || {
        let own = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target");
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(own, PathBuf::from).join("models")
    };
    let models = std::env::var_os("GIK_TEST_MODELS").map_or_else(target, PathBuf::from);
    let folder = models.join("all-MiniLM-L6-v2");
    assert!(
        folder.join("model.safetensors").is_file(),
        "there is no model in `{}`; fetch it with `cargo xtask models`",
        folder.display()
    );
    folder
}

/// The bytes of one of its files.
pub(crate) fn model_file(name: &str) -> Vec<u8> {
    std::fs::read(model_folder().join(name)).unwrap()
}
