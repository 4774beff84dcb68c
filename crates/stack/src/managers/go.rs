//! Go: `go.mod`. Only what is required directly; what is marked `// indirect` belongs to others, unless a `tool` line
//! asks for it.

use std::collections::{BTreeMap, BTreeSet};

use gik_base::FileKey;

use crate::declaration::path_version;
use crate::manager::Manager;
use crate::manifest::Manifest;
use crate::scope::Scope;

pub(crate) fn claims(path: &FileKey) -> bool {
    path.file_name() == "go.mod"
}

#[derive(Default)]
struct Module<'a> {
    required: BTreeMap<&'a str, Required<'a>>,
    replaced: BTreeMap<&'a str, String>,
    tools: BTreeSet<&'a str>,
}

struct Required<'a> {
    version: &'a str,
    is_indirect: bool,
}

pub(crate) fn read(_: &FileKey, source: &str, manifest: &mut Manifest) -> Result<(), String> {
    manifest.manager = Some(Manager::Go);
    let mut module = Module::default();
    let mut block = None;
    let mut problem = None;
    for (number, line) in source.lines().enumerate() {
        let (code, comment) = line.split_once("//").unwrap_or((line, ""));
        let words: Vec<&str> = code.split_whitespace().collect();
        let (directive, arguments) = match (block, words.as_slice()) {
            (_, []) => continue,
            (Some(_), [")"]) => {
                block = None;
                continue;
            },
            (None, [directive, "("]) => {
                block = Some(*directive);
                continue;
            },
            (Some(directive), arguments) => (directive, arguments),
            (None, [directive, arguments @ ..]) => (*directive, arguments),
        };
        if !module.add(directive, arguments, comment) {
            problem.get_or_insert(number + 1);
        }
    }
    module.declare(manifest);
    match problem {
        Some(line) => Err(format!("cannot understand line {line}")),
        None => Ok(()),
    }
}

impl<'a> Module<'a> {
    /// Whether the line could be understood; directives without interest always can.
    fn add(&mut self, directive: &str, arguments: &[&'a str], comment: &str) -> bool {
        match (directive, arguments) {
            ("require", [path, version]) => {
                let is_indirect = comment.trim().starts_with("indirect");
                self.required.insert(unquote(path), Required { version, is_indirect });
            },
            ("replace", [path, rest @ ..]) => {
                let Some(arrow) = rest.iter().position(|word| *word == "=>") else { return false };
                let target = match &rest[arrow + 1..] {
                    [folder] => path_version(unquote(folder)),
                    [fork, version] => format!("{}@{version}", unquote(fork)),
                    _ => return false,
                };
                self.replaced.insert(unquote(path), target);
            },
            ("tool", [package]) => {
                self.tools.insert(unquote(package));
            },
            ("require" | "replace" | "tool", _) => return false,
            _ => {},
        }
        true
    }

    fn declare(self, manifest: &mut Manifest) {
        // A tool is a package; the module that holds it is the longest required path above it.
        let tool_modules: BTreeSet<&str> = self
            .tools
            .iter()
            .filter_map(|tool| {
                let mut prefix = *tool;
                loop {
                    if self.required.contains_key(prefix) {
                        return Some(prefix);
                    }
                    prefix = prefix.rsplit_once('/')?.0;
                }
            })
            .collect();
        for (path, required) in &self.required {
            let is_tool = tool_modules.contains(path);
            if required.is_indirect && !is_tool {
                continue;
            }
            let replaced = self.replaced.get(path).map(String::as_str);
            let scope = if is_tool { Scope::Dev } else { Scope::Runtime };
            manifest.depend(Manager::Go, *path, replaced.unwrap_or(required.version), scope);
        }
    }
}

fn unquote(word: &str) -> &str {
    word.trim_matches(['"', '`'])
}

#[cfg(test)]
mod tests {
    use crate::testing::{assert_lines, dependencies};

    #[test]
    fn direct_requirements_tools_and_replacements() {
        let files = [(
            "go.mod",
            r"
module example.com/app

go 1.24

toolchain go1.24.1

require github.com/spf13/cobra v1.8.0

require (
	github.com/gin-gonic/gin v1.10.0
	github.com/jackc/pgx/v5 v5.6.0 // pinned
	golang.org/x/sys v0.20.0 // indirect
	golang.org/x/tools v0.30.0 // indirect
	example.com/local v0.0.0
	example.com/forked v1.0.0
)

replace example.com/local => ../local
replace example.com/forked v1.0.0 => example.com/fork v1.0.1

tool golang.org/x/tools/cmd/stringer
",
        )];
        assert_lines(
            &dependencies(&files),
            r"
            go example.com/forked example.com/fork@v1.0.1 runtime
            go example.com/local path:../local runtime
            go github.com/gin-gonic/gin v1.10.0 runtime
            go github.com/jackc/pgx/v5 v5.6.0 runtime
            go github.com/spf13/cobra v1.8.0 runtime
            go golang.org/x/tools v0.30.0 dev
        ",
        );
    }

    #[test]
    fn lines_that_make_no_sense_are_problems() {
        let files = [(
            "go.mod",
            r"
module m
require a
require b v1
",
        )];
        assert_lines(
            &dependencies(&files),
            r"
            go b v1 runtime
            ! go.mod: cannot understand line 2
        ",
        );
    }
}
