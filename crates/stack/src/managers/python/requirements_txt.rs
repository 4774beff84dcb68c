//! pip: `requirements*.txt`. What the file is for is told from its name.

use gik_base::FileKey;

use super::requirement::{requirement, url_version};
use crate::manager::Manager;
use crate::manifest::Manifest;
use crate::scope::Scope;

pub(crate) fn is_requirements(path: &FileKey) -> bool {
    let Some((stem, "txt" | "in")) = path.file_name().rsplit_once('.') else { return false };
    let folder = path.as_str().rsplit('/').nth(1);
    let stem = stem.to_ascii_lowercase();
    stem.starts_with("requirements")
        || stem.ends_with("requirements")
        || folder == Some("requirements")
}

pub(crate) fn read_requirements(path: &FileKey, source: &str, manifest: &mut Manifest) {
    manifest.manager = Some(Manager::Pip);
    let stem = path.file_name().rsplit_once('.').map_or(path.file_name(), |(stem, _)| stem);
    let scope = Scope::from_group(stem).unwrap_or(Scope::Runtime);
    let joined = source.replace("\\\r\n", " ").replace("\\\n", " ");
    for line in joined.lines() {
        let line = without_comment(line).trim();
        let (line, is_editable) =
            match line.strip_prefix("-e ").or(line.strip_prefix("--editable ")) {
                Some(rest) => (rest.trim(), true),
                None => (line, false),
            };
        // Options: `-r other.txt`, `--index-url`, and `--hash` after a requirement.
        if line.starts_with('-') {
            continue;
        }
        let line = line.split(" --").next().unwrap_or(line);
        if let Some((name, version)) = requirement(line).filter(|_| !is_editable) {
            manifest.depend(Manager::Pip, name, version, scope);
        } else if let Some((_, name)) = line.split_once("#egg=") {
            let name = name.split(['&', '[']).next().unwrap_or(name);
            manifest.depend(Manager::Pip, name, url_version(line), scope);
        }
    }
}

/// A `#` starts a comment at the beginning of a line or after a space; elsewhere it belongs to a url.
fn without_comment(line: &str) -> &str {
    if line.trim_start().starts_with('#') {
        return "";
    }
    line.split(" #").next().unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use crate::testing::{assert_lines, dependencies};

    #[test]
    fn names_say_what_the_file_is_for() {
        let files = [
            (
                "requirements.txt",
                r"
# web
Django>=5.0,<6  # comment
uvicorn[standard]==0.30.1 --hash=sha256:abc \
    --hash=sha256:def
-r base.txt
--index-url https://host/simple
-e git+https://host/a/editable.git@v2#egg=editable
-e .
pkg @ git+https://host/a/pkg.git
./local/wheel.whl
",
            ),
            (
                "requirements-dev.txt",
                r"
black
",
            ),
            (
                "requirements/test.txt",
                r"
pytest~=8.0
",
            ),
        ];
        assert_lines(
            &dependencies(&files),
            r"
            pip Django >=5.0,<6 runtime @ requirements.txt
            pip black * dev @ requirements-dev.txt
            pip editable git:https://host/a/editable.git#v2 runtime @ requirements.txt
            pip pkg git:https://host/a/pkg.git runtime @ requirements.txt
            pip pytest ~=8.0 test @ requirements/test.txt
            pip uvicorn ==0.30.1 runtime @ requirements.txt
        ",
        );
    }
}
