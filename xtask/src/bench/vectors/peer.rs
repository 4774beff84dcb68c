//! usearch and sqlite-vec from PyPI, in an environment of their own below the target folder.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::Row;
use super::data::Data;
use crate::bench::python;
use crate::process;
use crate::stop::{Result, Stop};

const SCRIPT: &str = "xtask/src/bench/vectors/peer.py";
const PACKAGES: &[&str] = &["numpy", "pysqlite3-binary", "sqlite-vec", "usearch"];

/// An environment with both.
#[derive(Debug)]
pub(super) struct Peer {
    python: PathBuf,
    script: PathBuf,
    work: PathBuf,
}

impl Peer {
    /// Installs them where they are missing.
    pub(super) fn prepare(root: &Path) -> Result<Self> {
        let work = root.join("target/vectors");
        let python = python::with_packages(&work, PACKAGES)?;
        Ok(Self { python, script: root.join(SCRIPT), work })
    }

    /// Builds, asks and changes an index of the engine.
    pub(super) fn run(&self, engine: &str, data: &Data, nearest: &[Vec<u32>]) -> Result<Row> {
        self.write("vectors.f32", &data.vectors, |number| number.to_le_bytes())?;
        self.write("questions.f32", &data.questions, |number| number.to_le_bytes())?;
        self.write("nearest.u32", &nearest.concat(), |id| id.to_le_bytes())?;
        let mut command = Command::new(&self.python);
        command.arg(&self.script).args([engine, &data.dimension.to_string()]).arg(&self.work);
        let output = process::quiet_output(&mut command)?;
        let json: Value = serde_json::from_str(output.trim())
            .map_err(|error| Stop::Failed(format!("{SCRIPT}: {error}")))?;
        let number = |name: &str| {
            json[name].as_f64().ok_or_else(|| Stop::Failed(format!("{SCRIPT} printed no {name}")))
        };
        Ok(Row {
            rows: data.len(),
            vectors: data.label,
            engine: json["engine"].as_str().unwrap_or(engine).to_owned(),
            build_s: number("build_s")?,
            bytes: json["bytes"].as_u64().unwrap_or_default(),
            p50_ms: number("p50_ms")?,
            p95_ms: number("p95_ms")?,
            recall: number("recall")?,
            update_ms: Some(number("update_ms")?),
            beyond_sync_ms: None,
            open_ms: Some(number("open_ms")?),
            first_ms: Some(number("first_ms")?),
        })
    }

    fn write<T: Copy>(&self, name: &str, values: &[T], bytes: fn(T) -> [u8; 4]) -> Result<()> {
        let path = self.work.join(name);
        let bytes: Vec<u8> = values.iter().flat_map(|value| bytes(*value)).collect();
        std::fs::write(&path, bytes).map_err(|error| Stop::on_path("write", &path, error))
    }
}
