//! What is left out though no ignore file says so: one table of names that always mean derived files.
//!
//! Not for a user's wishes: a `!` line in `.gikignore` overrides this table, except for [`NEVER_WALKED`].

use std::path::{Path, PathBuf};

use gik_base::fs;

/// Folders (or files, in a worktree) that belong to version control or to this product. Nothing overrides them.
pub const NEVER_WALKED: &[&str] = &[".git/", ".jj/", ".hg/", ".svn/", ".guided/"];

/// A name that means derived content.
#[derive(Debug, Clone, Copy)]
pub struct BuiltinRule {
    /// `name/` is a folder of that name, `*.suffix` the end of a file name, anything else a whole file name.
    pub pattern: &'static str,
    /// A folder counts only if it holds this file; for names that people also give to their own folders.
    pub marker: Option<&'static str>,
}

const fn rule(pattern: &'static str) -> BuiltinRule {
    BuiltinRule { pattern, marker: None }
}

const fn with_marker(pattern: &'static str, marker: &'static str) -> BuiltinRule {
    BuiltinRule { pattern, marker: Some(marker) }
}

/// Every rule, folders first.
pub const BUILTIN_RULES: &[BuiltinRule] = &[
    // Installed dependencies.
    rule("node_modules/"),
    rule("bower_components/"),
    rule("jspm_packages/"),
    rule(".pnpm-store/"),
    rule(".venv/"),
    with_marker("venv/", "pyvenv.cfg"),
    with_marker("env/", "pyvenv.cfg"),
    rule(".eggs/"),
    rule("elm-stuff/"),
    // Build output and caches of tools.
    with_marker("target/", "CACHEDIR.TAG"),
    rule("__pycache__/"),
    rule(".tox/"),
    rule(".nox/"),
    rule(".mypy_cache/"),
    rule(".pytest_cache/"),
    rule(".ruff_cache/"),
    rule(".hypothesis/"),
    rule(".ipynb_checkpoints/"),
    rule(".gradle/"),
    rule(".next/"),
    rule(".nuxt/"),
    rule(".svelte-kit/"),
    rule(".turbo/"),
    rule(".angular/"),
    rule(".parcel-cache/"),
    rule(".nyc_output/"),
    rule(".dart_tool/"),
    rule(".stack-work/"),
    rule(".direnv/"),
    rule(".terraform/"),
    rule(".serverless/"),
    rule("DerivedData/"),
    // State of editors.
    rule(".idea/"),
    rule(".vs/"),
    // Squeezed copies of sources that exist elsewhere, and the maps back to them.
    rule("*.min.js"),
    rule("*.min.mjs"),
    rule("*.min.cjs"),
    rule("*.min.css"),
    rule("*.min.map"),
    rule("*.js.map"),
    rule("*.mjs.map"),
    rule("*.cjs.map"),
    rule("*.css.map"),
    rule("*.d.ts.map"),
    // Lock files: long, written by tools, and the manifest beside them says what matters.
    rule("package-lock.json"),
    rule("npm-shrinkwrap.json"),
    rule("yarn.lock"),
    rule("pnpm-lock.yaml"),
    rule("bun.lock"),
    rule("bun.lockb"),
    rule("deno.lock"),
    rule("Cargo.lock"),
    rule("poetry.lock"),
    rule("uv.lock"),
    rule("pdm.lock"),
    rule("pixi.lock"),
    rule("Pipfile.lock"),
    rule("go.sum"),
    rule("go.work.sum"),
    rule("composer.lock"),
    rule("Gemfile.lock"),
    rule("mix.lock"),
    rule("pubspec.lock"),
    rule("Podfile.lock"),
    rule("Package.resolved"),
    rule("packages.lock.json"),
    rule("gradle.lockfile"),
    rule("conan.lock"),
    rule("flake.lock"),
    rule(".terraform.lock.hcl"),
    // Our own half-written files.
    rule("*.gik-tmp"),
    // Secrets: what is not indexed is in no answer.
    rule(".ssh/"),
    rule(".gnupg/"),
    rule(".aws/"),
    rule(".env"),
    rule(".env.local"),
    rule(".env.development"),
    rule(".env.development.local"),
    rule(".env.test"),
    rule(".env.test.local"),
    rule(".env.staging"),
    rule(".env.production"),
    rule(".env.production.local"),
    rule(".envrc"),
    rule(".netrc"),
    rule(".pgpass"),
    rule(".pypirc"),
    rule(".htpasswd"),
    rule(".git-credentials"),
    rule("id_rsa"),
    rule("id_dsa"),
    rule("id_ecdsa"),
    rule("id_ed25519"),
    rule("*.pem"),
    rule("*.key"),
    rule("*.p12"),
    rule("*.pfx"),
    rule("*.jks"),
    rule("*.keystore"),
    rule("*.kdbx"),
];

/// Where the rules for secrets begin.
const FIRST_SECRET: &str = ".ssh/";

/// Whether a path leads to what may hold secrets: by its own name, or by a folder on the way, in whatever case.
pub fn may_hold_secrets(path: &str) -> bool {
    let mut parts: Vec<String> = path.split('/').map(str::to_lowercase).collect();
    let name = parts.pop().unwrap_or_default();
    let secrets = BUILTIN_RULES.iter().skip_while(|rule| rule.pattern != FIRST_SECRET);
    secrets.map(|rule| rule.pattern).any(|pattern| match pattern.strip_suffix('/') {
        Some(folder) => parts.iter().any(|part| part == folder),
        None => matches_name(pattern, &name),
    })
}

/// The rule that no ignore file can override, if the name falls under one.
pub(crate) fn never_walked(name: &str) -> Option<&'static str> {
    // All of them are hidden, and nearly no other name is.
    if !name.starts_with('.') {
        return None;
    }
    NEVER_WALKED.iter().copied().find(|pattern| pattern.strip_suffix('/') == Some(name))
}

/// The rule of the table that covers a file of that name.
pub(crate) fn derived_file(name: &str) -> Option<&'static str> {
    BUILTIN_RULES.iter().map(|rule| rule.pattern).find(|pattern| matches_name(pattern, name))
}

fn matches_name(pattern: &str, name: &str) -> bool {
    match pattern.strip_prefix('*') {
        Some(suffix) => name.len() > suffix.len() && name.ends_with(suffix),
        None => pattern == name,
    }
}

/// The rule of the table that covers the folder at `path`; `note` hears of a marker that was looked for.
pub(crate) fn derived_folder(
    name: &str,
    path: &Path,
    note: impl FnOnce(PathBuf, bool),
) -> Option<&'static str> {
    let rule = BUILTIN_RULES.iter().find(|rule| rule.pattern.strip_suffix('/') == Some(name))?;
    let Some(marker) = rule.marker else { return Some(rule.pattern) };
    let marker = path.join(marker);
    let is_there = fs::exists(&marker);
    note(marker, is_there);
    is_there.then_some(rule.pattern)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_match_whole_or_by_their_end() {
        assert_eq!(derived_file("Cargo.lock"), Some("Cargo.lock"));
        assert_eq!(derived_file("jquery.min.js"), Some("*.min.js"));
        assert_eq!(derived_file("MyCargo.lock"), None);
        assert_eq!(derived_file(".min.js"), None);
        assert_eq!(derived_file("node_modules"), None);
    }

    #[test]
    fn secrets_are_told_by_name_and_folder() {
        for secret in
            [".env", "build/.ENV", "a/b/server.pem", ".aws/credentials", ".ssh/x/config", "Id_RSA"]
        {
            assert!(may_hold_secrets(secret), "{secret}");
        }
        for plain in [".env.example", "src/env.rs", "keys/readme.md", "Cargo.lock", ".pem", "pem"] {
            assert!(!may_hold_secrets(plain), "{plain}");
        }
    }

    #[test]
    fn an_ambiguous_folder_name_needs_its_marker() {
        let dir = tempfile::tempdir().unwrap();
        let venv = dir.path().join("venv");
        std::fs::create_dir(&venv).unwrap();
        assert_eq!(derived_folder("venv", &venv, |_, _| {}), None);
        std::fs::write(venv.join("pyvenv.cfg"), "").unwrap();
        assert_eq!(derived_folder("venv", &venv, |_, _| {}), Some("venv/"));
        assert_eq!(derived_folder("node_modules", dir.path(), |_, _| {}), Some("node_modules/"));
    }

    #[test]
    fn no_pattern_is_listed_twice() {
        let mut patterns: Vec<_> = BUILTIN_RULES.iter().map(|rule| rule.pattern).collect();
        let count = patterns.len();
        patterns.sort_unstable();
        patterns.dedup();
        assert_eq!(patterns.len(), count);
    }
}
