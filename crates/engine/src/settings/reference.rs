//! The reference page of the configuration, made from the table of keys.

use gik_base::env;

use super::key::{Key, NeedsTrust, Status, variable};
use super::keys::KEYS;

/// The text of `docs/config.md`.
pub fn reference_markdown() -> String {
    let prefix = env::GIK_CONFIG_PREFIX;
    let mut page = format!(
        "# Configuration

GIK works without any configuration. Values come from five layers; a later one wins:

1. the defaults below,
2. `~/.gik/config.yaml`, for all your projects,
3. `.guided/knowledge/config.yaml`, for one project,
4. the environment: `{prefix}` and the key in capitals, with `_` for every dot (`{prefix}{}`),
5. `--set key=value` on the command line.

Both files are YAML. Keys may be written in snake_case or camelCase. An unknown key is a warning; a wrong value is an
error that names the file, the line and what is allowed. Aliases, tags and several documents in one file are not read.
In variables and flags a list is written `[a, b]` or `a,b`.

`gik config init` writes a file with every key as a comment, `gik config set` changes one value and keeps your comments,
`gik config check` finds every mistake, and `gik config show --origin` shows each value and where it comes from.

## Keys
",
        variable("indexing.max_file_bytes"),
    );
    let mut group = "";
    for key in KEYS.iter().filter(|key| key.status == Status::InUse) {
        let (own_group, _) = key.name.rsplit_once('.').unwrap_or_default();
        if own_group != group {
            group = own_group;
            page.extend(["\n### `", group, "`\n\n"]);
            page.push_str("| key | default | allowed | meaning |\n|---|---|---|---|\n");
        }
        page.push_str(&row(key));
    }
    page.push_str(
        "
`*` stands for the name of a base. What is said of one base holds for it instead of the default; a base with a `provider` or
`model_id` of its own takes nothing of the default that belongs to another model. [Models](models.md) tells more.

The keys `metric` of `indexes` are reserved: they are checked and have no effect in this version, which compares vectors by
their cosine.

## Trust

A project's file comes with the project, so some of its values are ignored, with a warning, until you have seen and
accepted them with `gik config trust`:

",
    );
    for key in KEYS.iter().filter(|key| key.status == Status::InUse) {
        match key.needs_trust {
            NeedsTrust::Always => page.extend(["- `", key.name, "`\n"]),
            NeedsTrust::For(names) => {
                let names = names.join("`, `");
                page.extend(["- `", key.name, "`, where it is `", &names, "`\n"]);
            },
            NeedsTrust::Never | NeedsTrust::UserOnly | NeedsTrust::UserFileOnly => {},
        }
    }
    page.push_str(
        "
Trust is kept in `~/.gik/trust.json` and holds for the file as it was: once the file changes, it has to be trusted again.
`gik config trust --revoke` takes it back. Your own file, the environment and flags need no trust.
A project's file can never set `api_key_env` or `changes.autonomous`, trusted or not; the latter is read from your own file alone.
",
    );
    page
}

fn row(key: &Key) -> String {
    let default = key.default_value().map_or_else(String::new, |value| format!("`{value}`"));
    format!("| `{}` | {default} | {} | {} |\n", key.name, key.kind.allowed(), key.doc)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_in_use_has_a_row_and_reserved_ones_have_none() {
        let page = reference_markdown();
        for key in KEYS {
            let rows = page.lines().filter(|line| line.starts_with(&format!("| `{}` |", key.name)));
            assert_eq!(rows.count(), usize::from(key.status == Status::InUse), "{}", key.name);
        }
    }
}
