//! setuptools: `setup.cfg`, and the lists that `setup.py` writes out.

use gik_base::FileKey;

use super::requirement::requirement;
use crate::formats::tokens::{Comments, Token, bracketed, tokens};
use crate::manager::Manager;
use crate::manifest::Manifest;
use crate::scope::Scope;

pub(crate) fn is_setup_cfg(path: &FileKey) -> bool {
    path.file_name() == "setup.cfg"
}

pub(crate) fn read_setup_cfg(_: &FileKey, source: &str, manifest: &mut Manifest) {
    let mut section = "";
    let mut key = "";
    for line in source.lines() {
        let content = line.split(" #").next().unwrap_or(line).trim();
        if content.is_empty() || content.starts_with(['#', ';']) {
            continue;
        }
        let is_continued = line.starts_with([' ', '\t']);
        if let Some(name) = content.strip_prefix('[').filter(|_| !is_continued) {
            section = name.trim_end_matches(']').trim();
            key = "";
            continue;
        }
        let value = if is_continued {
            content
        } else {
            let (name, value) = content.split_once(['=', ':']).unwrap_or((content, ""));
            key = name.trim();
            value
        };
        if let Some(scope) = setup_scope(section, key) {
            manifest.manager = Some(Manager::Pip);
            if let Some((name, version)) = requirement(value) {
                manifest.depend(Manager::Pip, name, version, scope);
            }
        }
    }
}

fn setup_scope(section: &str, key: &str) -> Option<Scope> {
    match (section, key) {
        (_, "") => None,
        ("options", _) => list_scope(key),
        ("options.extras_require", extra) => {
            let named = Scope::from_group(extra).filter(|scope| *scope != Scope::Build);
            Some(named.unwrap_or(Scope::Optional))
        },
        _ => None,
    }
}

fn list_scope(key: &str) -> Option<Scope> {
    match key {
        "install_requires" => Some(Scope::Runtime),
        "setup_requires" => Some(Scope::Build),
        "tests_require" => Some(Scope::Test),
        _ => None,
    }
}

pub(crate) fn is_setup_py(path: &FileKey) -> bool {
    path.file_name() == "setup.py"
}

pub(crate) fn read_setup_py(_: &FileKey, source: &str, manifest: &mut Manifest) {
    manifest.manager = Some(Manager::Pip);
    let tokens = tokens(source, Comments::Hash);
    for at in 0..tokens.len() {
        let [Token::Word(word), Token::Mark('='), Token::Mark('[' | '(' | '{'), ..] = tokens[at..]
        else {
            continue;
        };
        let list = bracketed(&tokens, at + 2);
        if let Some(scope) = list_scope(word) {
            declare_texts(list, scope, manifest);
        } else if word == "extras_require" {
            declare_texts(list, Scope::Optional, manifest);
        }
    }
}

/// Texts that are values; a text before a colon is the name of an extra.
fn declare_texts(list: &[Token<'_>], scope: Scope, manifest: &mut Manifest) {
    for (at, token) in list.iter().enumerate() {
        if let Token::Text(text) = token
            && list.get(at + 1) != Some(&Token::Mark(':'))
            && let Some((name, version)) = requirement(text)
        {
            manifest.depend(Manager::Pip, name, version, scope);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{assert_lines, dependencies};

    #[test]
    fn setup_cfg() {
        let files = [(
            "setup.cfg",
            r#"
[metadata]
name = app

[options]
packages = find:
install_requires =
    requests>=2.31
    # comment
    importlib-metadata; python_version < "3.8"
tests_require = pytest

[options.extras_require]
redis = redis>=5
test =
    hypothesis

[flake8]
max-line-length = 100
"#,
        )];
        assert_lines(
            &dependencies(&files),
            r"
            pip hypothesis * test
            pip importlib-metadata * runtime
            pip pytest * test
            pip redis >=5 optional
            pip requests >=2.31 runtime
        ",
        );
    }

    #[test]
    fn setup_py() {
        let files = [(
            "setup.py",
            r#"
from setuptools import setup

setup(
    name="app",
    install_requires=[
        "requests>=2.31",  # http
        'click',
    ],
    extras_require={"redis": ["redis>=5"]},
    classifiers=["Not :: A dependency"],
)
"#,
        )];
        assert_lines(
            &dependencies(&files),
            r"
            pip click * runtime
            pip redis >=5 optional
            pip requests >=2.31 runtime
        ",
        );
    }
}
