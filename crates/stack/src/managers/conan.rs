//! Conan: `conanfile.txt` and `conanfile.py`. References are `name/version@user/channel`.

use gik_base::FileKey;

use crate::formats::tokens::{Comments, Token, bracketed, texts, tokens};
use crate::manager::Manager;
use crate::manifest::Manifest;
use crate::scope::Scope;

const WORDS: &[(&str, Scope)] = &[
    ("requires", Scope::Runtime),
    ("tool_requires", Scope::Build),
    ("build_requires", Scope::Build),
    ("python_requires", Scope::Build),
    ("test_requires", Scope::Test),
];

pub(crate) fn claims(path: &FileKey) -> bool {
    matches!(path.file_name(), "conanfile.txt" | "conanfile.py")
}

pub(crate) fn read(path: &FileKey, source: &str, manifest: &mut Manifest) {
    manifest.manager = Some(Manager::Conan);
    if path.extension() == "py" {
        read_python(source, manifest);
        return;
    }
    let mut scope = None;
    for line in source.lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if let Some(section) = line.strip_prefix('[') {
            scope = scope_of(section.trim_end_matches(']').trim());
        } else if let Some(scope) = scope {
            declare(line, scope, manifest);
        }
    }
}

fn read_python(source: &str, manifest: &mut Manifest) {
    let tokens = tokens(source, Comments::Hash);
    for (at, token) in tokens.iter().enumerate() {
        let Token::Word(word) = token else { continue };
        let Some(scope) = scope_of(word.strip_prefix("self.").unwrap_or(word)) else { continue };
        match tokens.get(at + 1) {
            // `self.requires("zlib/1.3")`: the first text is the reference.
            Some(Token::Mark('(')) => {
                if let Some(reference) = texts(bracketed(&tokens, at + 1)).next() {
                    declare(reference, scope, manifest);
                }
            },
            // `requires = "a/1", "b/2"` or a list or tuple of them.
            Some(Token::Mark('=')) => {
                let value = match tokens.get(at + 2) {
                    Some(Token::Mark('(' | '[')) => bracketed(&tokens, at + 2),
                    _ => {
                        let rest = &tokens[at + 2..];
                        let end = rest.iter().position(|token| *token == Token::Line);
                        &rest[..end.unwrap_or(rest.len())]
                    },
                };
                for reference in texts(value) {
                    declare(reference, scope, manifest);
                }
            },
            _ => {},
        }
    }
}

fn scope_of(word: &str) -> Option<Scope> {
    WORDS.iter().find(|(known, _)| *known == word).map(|(_, scope)| *scope)
}

fn declare(reference: &str, scope: Scope, manifest: &mut Manifest) {
    let Some((name, rest)) = reference.trim().split_once('/') else { return };
    let version = rest.split('@').next().unwrap_or(rest);
    manifest.depend(Manager::Conan, name, version, scope);
}

#[cfg(test)]
mod tests {
    use crate::testing::{assert_lines, dependencies};

    #[test]
    fn the_text_form() {
        let files = [(
            "conanfile.txt",
            r"
[requires]
zlib/1.3.1  # comment
boost/[>=1.80 <2]@user/stable

[tool_requires]
cmake/3.27.0

[generators]
CMakeDeps
",
        )];
        assert_lines(
            &dependencies(&files),
            r"
            conan boost [>=1.80 <2] runtime
            conan cmake 3.27.0 build
            conan zlib 1.3.1 runtime
        ",
        );
    }

    #[test]
    fn the_python_form() {
        let files = [(
            "conanfile.py",
            r#"
from conan import ConanFile

class App(ConanFile):
    requires = "zlib/1.3.1", "fmt/10.2.1"
    tool_requires = ["cmake/3.27.0"]

    def requirements(self):
        self.requires("openssl/3.2.0", transitive_headers=True)
        # self.requires("nothing/1")

    def build_requirements(self):
        self.test_requires("gtest/1.14.0")
"#,
        )];
        assert_lines(
            &dependencies(&files),
            r"
            conan cmake 3.27.0 build
            conan fmt 10.2.1 runtime
            conan gtest 1.14.0 test
            conan openssl 3.2.0 runtime
            conan zlib 1.3.1 runtime
        ",
        );
    }
}
