//! How are the file formats of manifests read safely? One file per format; every error is one line of text.

pub(crate) mod json;
pub(crate) mod tokens;
pub(crate) mod toml;
pub(crate) mod xml;
pub(crate) mod yaml;
