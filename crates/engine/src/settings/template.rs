//! The config file that `gik config init` writes: every key as a comment with its default.

use super::document::Layer;
use super::key::{Key, NeedsTrust, Status};
use super::keys::KEYS;
use crate::bases;

/// A config file in which everything is a comment.
pub(crate) fn template(layer: Layer) -> String {
    let of = match layer {
        Layer::Global => "for all your projects",
        Layer::Project => "for this project",
    };
    let mut text = format!(
        "# Configuration of GIK {of}.\n\
         # Every line shows a default. To change one, remove the `# ` before it and before its group.\n\
         # `gik config check` finds mistakes; `gik config show --origin` shows what holds and why.\n"
    );
    let mut open: Vec<&str> = Vec::new();
    for key in KEYS.iter().filter(|key| key.status == Status::InUse) {
        let mut groups: Vec<&str> = key.name.split('.').collect();
        let Some(name) = groups.pop() else { continue };
        let shared = groups.iter().zip(&open).take_while(|(a, b)| a == b).count();
        if shared == 0 {
            text.push('\n');
        }
        for (depth, group) in groups.iter().enumerate().skip(shared) {
            // A base stands for all of them.
            let group = if *group == "*" { bases::DOCS } else { group };
            push_line(&mut text, depth, &format!("{group}:"));
        }
        let depth = groups.len();
        push_line(&mut text, depth, &format!("# {}", sentence(key, layer)));
        match key.default_value() {
            Some(value) => push_line(&mut text, depth, &format!("{name}: {}", value.to_yaml())),
            // There is no default to show.
            None => push_line(&mut text, depth, &format!("# {name}:")),
        }
        open = groups;
    }
    text
}

fn sentence(key: &Key, layer: Layer) -> String {
    let doc = key.doc;
    let trusted = match key.needs_trust {
        NeedsTrust::Always if layer == Layer::Project => " Needs `gik config trust`.",
        NeedsTrust::UserOnly | NeedsTrust::UserFileOnly if layer == Layer::Project => {
            " Only your own file may set it."
        },
        NeedsTrust::Always
        | NeedsTrust::Never
        | NeedsTrust::For(_)
        | NeedsTrust::UserOnly
        | NeedsTrust::UserFileOnly => "",
    };
    let kind = key.kind.allowed();
    format!("{doc} Value: {kind}.{trusted}")
}

fn push_line(text: &mut String, depth: usize, line: &str) {
    text.push_str("# ");
    text.push_str(&"  ".repeat(depth));
    text.push_str(line);
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::settings::document::read_document;

    #[test]
    fn the_template_sets_nothing() {
        let document =
            read_document(template(Layer::Project).as_bytes(), Path::new("x"), Layer::Project);
        assert!(document.assignments.is_empty() && document.problems.is_empty());
    }

    #[test]
    fn without_its_comment_signs_it_sets_every_default() {
        let template = template(Layer::Global);
        let body: Vec<&str> =
            template.lines().skip(3).map(|line| line.strip_prefix("# ").unwrap_or(line)).collect();
        let document = read_document(body.join("\n").as_bytes(), Path::new("x"), Layer::Global);
        assert_eq!(document.problems, []);
        let is_shown = |key: &&Key| key.status == Status::InUse && key.default_value().is_some();
        let keys: Vec<&Key> = KEYS.iter().filter(is_shown).collect();
        assert_eq!(document.assignments.len(), keys.len());
        for (set, key) in document.assignments.iter().zip(keys) {
            assert_eq!(set.name, key.name);
            assert_eq!(Some(&set.value), key.default_value().as_ref());
        }
    }
}
