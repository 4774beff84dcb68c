//! How an agent is told to start `gik mcp`, and how such an entry is known again.

use std::path::Path;

use gik_base::{ErrorCode, Failure, Result, env, fs};
use serde_json::{Value, json};

/// The name of the entry.
pub(crate) const NAME: &str = "gik";

/// The shapes that agents want an entry in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// A command and its arguments.
    Plain,
    /// The same with `"type": "stdio"`.
    Stdio,
    /// The same with `"type": "local"` and all tools allowed.
    Local,
    /// The same with `"source": "custom"`.
    Custom,
    /// One list of words.
    Words,
    /// The command inside of a `transport`.
    Transport,
}

impl Form {
    const ALL: [Self; 6] =
        [Self::Plain, Self::Stdio, Self::Local, Self::Custom, Self::Words, Self::Transport];

    /// The entry that starts the server.
    pub(crate) fn entry(self, command: &str) -> Value {
        match self {
            Self::Plain => json!({"command": command, "args": ["mcp"]}),
            Self::Stdio => json!({"type": "stdio", "command": command, "args": ["mcp"]}),
            Self::Local => {
                json!({"type": "local", "command": command, "args": ["mcp"], "tools": ["*"]})
            },
            Self::Custom => json!({"source": "custom", "command": command, "args": ["mcp"]}),
            Self::Words => json!({"type": "local", "command": [command, "mcp"], "enabled": true}),
            Self::Transport => {
                json!({"transport": {"type": "stdio", "command": command, "args": ["mcp"]}})
            },
        }
    }
}

/// Whether an entry is one of ours, whatever the path of the program and the form were when it was written.
pub(crate) fn is_ours(entry: &Value) -> bool {
    let places = ["/command", "/command/0", "/transport/command"];
    let command = places.iter().find_map(|place| entry.pointer(place)?.as_str());
    command.is_some_and(|command| {
        Path::new(command).file_stem().is_some_and(|stem| stem == NAME)
            && Form::ALL.iter().any(|form| form.entry(command) == *entry)
    })
}

/// What a user's own agents start: a path that does not depend on the `PATH` of whatever starts them, and that stays
/// when the program is replaced by a newer one.
pub(crate) fn program_for_user() -> Result<String> {
    let running = env::current_exe().map_err(|error| {
        Failure::new(ErrorCode::Io, "the path of the running program is not known").caused_by(error)
    })?;
    let real = fs::canonicalize(&running)?;
    let found = env::find_program(NAME)
        .filter(|found| fs::canonicalize(found).is_ok_and(|found| found == real));
    let path = found.unwrap_or(real);
    path.to_str().map(str::to_owned).ok_or_else(|| {
        let message = format!("the path of the program is not Unicode: `{}`", path.display());
        Failure::new(ErrorCode::ConfigInvalid, message)
    })
}

/// What the file of a project starts: it is shared, and a path of this machine means nothing on another.
pub(crate) fn program_for_project() -> String {
    NAME.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_known_again_unless_somebody_changed_it() {
        for form in Form::ALL {
            for command in ["gik", "/opt/gik/bin/gik", "/home/me/.cargo/bin/gik.exe"] {
                let entry = form.entry(command);
                assert!(is_ours(&entry), "{entry}");
                let mut other = entry;
                other["env"] = json!({"X": "1"});
                assert!(!is_ours(&other), "{other}");
            }
            assert!(!is_ours(&form.entry("/usr/bin/other")));
        }
        assert!(!is_ours(&json!("gik")));
        assert!(!is_ours(&json!({"command": "gik", "args": ["mcp", "--profile", "full"]})));
    }
}
