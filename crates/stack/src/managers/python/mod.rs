//! Python: requirements files, `pyproject.toml`, `Pipfile`, `setup.cfg` and `setup.py`.

mod pyproject;
mod requirement;
mod requirements_txt;
mod setup;

pub(crate) use pyproject::{is_pipfile, is_pyproject, read_pipfile, read_pyproject};
pub(crate) use requirements_txt::{is_requirements, read_requirements};
pub(crate) use setup::{is_setup_cfg, is_setup_py, read_setup_cfg, read_setup_py};
