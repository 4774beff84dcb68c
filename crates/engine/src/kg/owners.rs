//! Who owns which files, as `CODEOWNERS` says it.

use std::collections::BTreeSet;
use std::rc::Rc;

use gik_contract::{Extra, KgEdgeKind, KgNodeKind};
use gik_store::{FileRow, FileState};
use globset::{Glob, GlobBuilder, GlobSetBuilder};

use super::bodies::{Known, NodeBody, NodeProps};
use super::gathered::{Gathered, Key};
use super::ids;

/// Where the file may be; the first that is there counts.
const PLACES: [&str; 4] =
    [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"];

/// The path of the file that says who owns what.
pub(super) fn path(files: &[FileRow]) -> Option<&'static str> {
    let is_there = |path: &&str| {
        let found = files.binary_search_by(|file| file.key.as_str().cmp(path));
        found.is_ok_and(|at| files[at].state == FileState::Indexed)
    };
    PLACES.into_iter().find(is_there)
}

/// A line: files and their owners.
struct Rule {
    files: Vec<Glob>,
    owners: Vec<String>,
    line: u32,
}

/// Adds the owners that a text names, and the files they own: the last line that takes a file counts.
pub(super) fn add<'p>(
    path: &str,
    text: &str,
    files: impl Iterator<Item = &'p str>,
    nodes: &mut Vec<NodeBody<'_>>,
    edges: &mut Gathered<'_>,
) {
    let rules: Vec<Rule> =
        (1..).zip(text.lines()).filter_map(|(at, line)| rule(line, at)).collect();
    let mut globs = GlobSetBuilder::new();
    let mut rule_of = Vec::new();
    for rule in &rules {
        for glob in &rule.files {
            globs.add(glob.clone());
            rule_of.push(rule);
        }
    }
    let Ok(globs) = globs.build() else { return };
    let mut owners = BTreeSet::new();
    for file in files {
        let last = globs.matches(file).into_iter().max();
        let Some(rule) = last.and_then(|at| rule_of.get(at)) else { continue };
        for owner in &rule.owners {
            owners.insert(owner.as_str());
            let key =
                Key { from: ids::file_id(file), to: owner_id(owner), kind: KgEdgeKind::OwnedBy };
            edges.add(key, Known::of_text("syntax", 100, Some(rule.line)));
        }
    }
    nodes.extend(owners.into_iter().map(|owner| {
        let mut props = Extra::new();
        props.insert("definedIn".to_owned(), path.into());
        props.insert("role".to_owned(), "owner".into());
        let (id, label) = (owner_id(owner), owner.to_owned());
        NodeBody { id, kind: KgNodeKind::Concept, label, props: NodeProps::Other(props) }
    }));
}

fn owner_id(owner: &str) -> Rc<str> {
    ["owner:", owner].concat().into()
}

fn rule(line: &str, number: u32) -> Option<Rule> {
    let line = line.split(" #").next().unwrap_or(line).trim();
    // A section of GitLab begins with a bracket.
    if line.is_empty() || line.starts_with(['#', '[', '^']) {
        return None;
    }
    let mut words = line.split_whitespace();
    let files = matching(words.next()?)?;
    let is_owner = |word: &&str| word.contains('@');
    Some(Rule { files, owners: words.filter(is_owner).map(str::to_owned).collect(), line: number })
}

/// The files that a pattern takes, by the rules of git's ignore files.
fn matching(pattern: &str) -> Option<Vec<Glob>> {
    let inner = pattern.trim_start_matches('/');
    let is_folder = inner.ends_with('/');
    let inner = inner.trim_end_matches('/');
    let is_anchored = pattern.starts_with('/') || inner.contains('/');
    let start = if is_anchored { inner.to_owned() } else { format!("**/{inner}") };
    // `docs/*` takes what is in the folder, and not what is deeper.
    let below = (!inner.ends_with("/*")).then(|| format!("{start}/**"));
    let globs = (!is_folder).then_some(start).into_iter().chain(below);
    globs.map(|glob| GlobBuilder::new(&glob).literal_separator(true).build().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_take_what_git_would() {
        let takes = |pattern: &str, path: &str| {
            matching(pattern).unwrap().iter().any(|glob| glob.compile_matcher().is_match(path))
        };
        assert!(takes("*", "a/b.rs"));
        assert!(takes("*.js", "a/b.js"));
        assert!(takes("/build/logs/", "build/logs/a/b.log"));
        assert!(!takes("/build/logs/", "x/build/logs/a.log"));
        assert!(takes("docs/*", "docs/a.md"));
        assert!(!takes("docs/*", "docs/a/b.md"));
        assert!(takes("apps/", "x/apps/a.ts"));
        assert!(takes("/apps/github", "apps/github/a.ts"));
        assert!(takes("**/logs", "a/logs/b"));
        assert!(matching("a[").is_none());
    }

    #[test]
    fn the_last_line_that_takes_a_file_counts() {
        let text = "# who\n* @all\n*.md docs@example.com @writers # both\n/lib/ @lib\n/lib/free.rs\n[Section]\n";
        let files = ["README.md", "lib/a.rs", "lib/free.rs", "main.rs"];
        let (mut nodes, mut edges) = (Vec::new(), Gathered::new("CODEOWNERS"));
        add("CODEOWNERS", text, files.into_iter(), &mut nodes, &mut edges);
        let owners: Vec<&str> = nodes.iter().map(|node| node.label.as_str()).collect();
        assert_eq!(owners, ["@all", "@lib", "@writers", "docs@example.com"]);
        let mut owned: Vec<String> =
            edges.bodies().iter().map(|edge| format!("{} {}", edge.from, edge.to)).collect();
        owned.sort();
        assert_eq!(
            owned,
            [
                "file:README.md owner:@writers",
                "file:README.md owner:docs@example.com",
                "file:lib/a.rs owner:@lib",
                "file:main.rs owner:@all",
            ]
        );
    }
}
