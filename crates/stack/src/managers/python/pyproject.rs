//! `pyproject.toml` (PEP 621, PEP 735, poetry, uv, pdm, hatch) and `Pipfile`.

use gik_base::FileKey;
use toml::{Table, Value};

use super::requirement::requirement;
use crate::declaration::{git_version, path_version};
use crate::formats::toml::{entries_at, flag, strings, table, table_at, text};
use crate::manager::Manager;
use crate::manifest::Manifest;
use crate::scope::Scope;

pub(crate) fn is_pyproject(path: &FileKey) -> bool {
    path.file_name() == "pyproject.toml"
}

pub(crate) fn read_pyproject(
    _: &FileKey,
    source: &str,
    manifest: &mut Manifest,
) -> Result<(), String> {
    // Without a table of its own the manager is told from the lock files around; see `resolve`.
    manifest.manager = Some(Manager::Pip);
    let root = table(source)?;
    let tools = [("poetry", Manager::Poetry), ("uv", Manager::Uv), ("pdm", Manager::Pdm)];
    manifest.package_manager = tools
        .into_iter()
        .find(|(tool, _)| table_at(&root, &["tool", tool]).is_some())
        .map(|(_, manager)| manager);
    let manager = manifest.package_manager.unwrap_or(Manager::Pip);
    let mut reader = Reader { manager, manifest };
    reader.project(&root);
    reader.poetry(&root);
    Ok(())
}

pub(crate) fn is_pipfile(path: &FileKey) -> bool {
    path.file_name() == "Pipfile"
}

pub(crate) fn read_pipfile(
    _: &FileKey,
    source: &str,
    manifest: &mut Manifest,
) -> Result<(), String> {
    manifest.manager = Some(Manager::Pipenv);
    let root = table(source)?;
    let mut reader = Reader { manager: Manager::Pipenv, manifest };
    reader.table(&root, &["packages"], Scope::Runtime);
    reader.table(&root, &["dev-packages"], Scope::Dev);
    Ok(())
}

struct Reader<'a> {
    manager: Manager,
    manifest: &'a mut Manifest,
}

impl Reader<'_> {
    /// The standard tables, and tables of tools that hold standard requirements.
    fn project(&mut self, root: &Table) {
        if let Some(project) = table_at(root, &["project"]) {
            self.list(project.get("dependencies"), Scope::Runtime);
        }
        for (extra, list) in entries_at(root, &["project", "optional-dependencies"]) {
            let named = Scope::from_group(extra).filter(|scope| *scope != Scope::Build);
            self.list(Some(list), named.unwrap_or(Scope::Optional));
        }
        for groups in [&["dependency-groups"][..], &["tool", "pdm", "dev-dependencies"]] {
            for (group, list) in entries_at(root, groups) {
                self.list(Some(list), group_scope(group));
            }
        }
        if let Some(build) = table_at(root, &["build-system"]) {
            self.list(build.get("requires"), Scope::Build);
        }
        if let Some(uv) = table_at(root, &["tool", "uv"]) {
            self.list(uv.get("dev-dependencies"), Scope::Dev);
        }
        for (name, environment) in entries_at(root, &["tool", "hatch", "envs"]) {
            self.list(environment.get("dependencies"), group_scope(name));
        }
    }

    fn poetry(&mut self, root: &Table) {
        self.table(root, &["tool", "poetry", "dependencies"], Scope::Runtime);
        self.table(root, &["tool", "poetry", "dev-dependencies"], Scope::Dev);
        for (group, _) in entries_at(root, &["tool", "poetry", "group"]) {
            let scope = match group {
                "main" => Scope::Runtime,
                _ => group_scope(group),
            };
            self.table(root, &["tool", "poetry", "group", group, "dependencies"], scope);
        }
    }

    fn list(&mut self, list: Option<&Value>, scope: Scope) {
        for (name, version) in strings(list).filter_map(requirement) {
            self.manifest.depend(self.manager, name, version, scope);
        }
    }

    /// A table of name to version, as poetry and pipenv write it. The interpreter is no package.
    fn table(&mut self, root: &Table, path: &[&str], scope: Scope) {
        for (name, spec) in entries_at(root, path).filter(|(name, _)| *name != "python") {
            let is_optional = spec.as_table().is_some_and(|fields| flag(fields, "optional"));
            let scope = if is_optional { Scope::Optional } else { scope };
            self.manifest.depend(self.manager, name, version(spec), scope);
        }
    }
}

/// Groups are for those who work on the project, whatever else their name says.
fn group_scope(group: &str) -> Scope {
    Scope::from_group(group).filter(|scope| *scope == Scope::Test).unwrap_or(Scope::Dev)
}

fn version(spec: &Value) -> String {
    match spec {
        Value::String(version) => version.clone(),
        Value::Table(fields) => {
            if let Some(path) = text(fields, "path") {
                path_version(path)
            } else if let Some(url) = text(fields, "git") {
                let keys = ["rev", "ref", "tag", "branch"];
                git_version(url, keys.into_iter().find_map(|key| text(fields, key)))
            } else if let Some(url) = text(fields, "url") {
                format!("url:{url}")
            } else {
                text(fields, "version").unwrap_or("*").to_owned()
            }
        },
        // Poetry allows one constraint per platform.
        Value::Array(several) => several
            .iter()
            .filter(|one| one.is_table())
            .map(version)
            .collect::<Vec<_>>()
            .join(" || "),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) => {
            "*".to_owned()
        },
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{assert_lines, dependencies};

    #[test]
    fn standard_tables_with_uv() {
        let files = [(
            "pyproject.toml",
            r#"
[build-system]
requires = ["hatchling>=1.24"]

[project]
name = "app"
dependencies = ["fastapi>=0.111", "httpx[http2] ; python_version > '3.8'"]

[project.optional-dependencies]
postgres = ["asyncpg"]
dev = ["ruff"]

[dependency-groups]
test = ["pytest>=8", { include-group = "lint" }]
lint = ["mypy"]
extra-tools = ["rich"]

[tool.uv]
dev-dependencies = ["ipython"]
"#,
        )];
        assert_lines(
            &dependencies(&files),
            r"
            uv asyncpg * optional
            uv fastapi >=0.111 runtime
            uv hatchling >=1.24 build
            uv httpx * runtime
            uv ipython * dev
            uv mypy * dev
            uv pytest >=8 test
            uv rich * dev
            uv ruff * dev
        ",
        );
    }

    #[test]
    fn poetry() {
        let files = [(
            "pyproject.toml",
            r#"
[tool.poetry]
name = "app"

[tool.poetry.dependencies]
python = "^3.11"
django = "^5.0"
psycopg = { version = "^3.1", extras = ["binary"], optional = true }
fork = { git = "https://host/fork.git", tag = "v1" }
local = { path = "../local", develop = true }
numpy = [{ version = "<2", python = "<3.12" }, { version = ">=2", python = ">=3.12" }]

[tool.poetry.group.test.dependencies]
pytest = "^8.0"

[tool.poetry.group.tools.dependencies]
black = "*"

[tool.poetry.dev-dependencies]
old = "1"
"#,
        )];
        assert_lines(
            &dependencies(&files),
            r"
            poetry black * dev
            poetry django ^5.0 runtime
            poetry fork git:https://host/fork.git#v1 runtime
            poetry local path:../local runtime
            poetry numpy <2 || >=2 runtime
            poetry old 1 dev
            poetry psycopg ^3.1 optional
            poetry pytest ^8.0 test
        ",
        );
    }

    #[test]
    fn a_lock_file_tells_the_manager_where_the_project_does_not() {
        let files = [
            (
                "a/pyproject.toml",
                r#"
[project]
name = "a"
dependencies = ["x"]
"#,
            ),
            (
                "b/pdm.lock",
                r"

",
            ),
            (
                "b/c/pyproject.toml",
                r#"
[project]
name = "b"
dependencies = ["y"]
"#,
            ),
            (
                "b/requirements.txt",
                r"
z
",
            ),
        ];
        assert_lines(
            &dependencies(&files),
            r"
            pdm y * runtime @ b/c/pyproject.toml
            pip x * runtime @ a/pyproject.toml
            pip z * runtime @ b/requirements.txt
        ",
        );
    }

    #[test]
    fn pipfiles() {
        let files = [(
            "Pipfile",
            r#"
[packages]
flask = "*"
requests = { version = ">=2.31", extras = ["socks"] }
[dev-packages]
pytest = ">=8"
[requires]
python_version = "3.12"
"#,
        )];
        assert_lines(
            &dependencies(&files),
            r"
            pipenv flask * runtime
            pipenv pytest >=8 dev
            pipenv requests >=2.31 runtime
        ",
        );
    }
}
