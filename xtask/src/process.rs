//! Running cargo and the built binary.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use serde_json::Value;

use crate::stop::{Result, Stop};

/// The cargo that started us.
pub(crate) fn cargo(root: &Path) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.current_dir(root);
    // What it said of us is not meant for the next: build scripts that look at it would run again, and all that rests
    // on them would be compiled again, each time.
    for (name, _) in std::env::vars_os() {
        if is_of_package(&name.to_string_lossy()) {
            command.env_remove(name);
        }
    }
    command
}

fn is_of_package(name: &str) -> bool {
    name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
}

/// Takes away what a developer has set for the product, for colours or for git; tests must not see it.
pub(crate) fn clean_environment(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if is_personal(&name.to_string_lossy()) {
            command.env_remove(name);
        }
    }
}

fn is_personal(name: &str) -> bool {
    const COLOURS: &[&str] =
        &["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "FORCE_COLOR", "COLORTERM", "COLUMNS", "LINES"];
    name.starts_with("GIK_") || name.starts_with("GIT_") || COLOURS.contains(&name)
}

/// Runs to the end on our terminal; the program's exit code is passed on when it fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().map_err(|error| cannot_start(command, &error))?;
    if status.success() { Ok(()) } else { Err(Stop::Child(exit_code(status))) }
}

/// Runs to the end and gives standard output; standard error stays on our terminal.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    captured(command.stderr(Stdio::inherit()))
}

/// The same, but standard error is shown only when the program fails.
pub(crate) fn quiet_output(command: &mut Command) -> Result<String> {
    captured(command.stderr(Stdio::piped()))
}

fn captured(command: &mut Command) -> Result<String> {
    let output = command.output().map_err(|error| cannot_start(command, &error))?;
    if !output.status.success() {
        let (line, said) = (display(command), String::from_utf8_lossy(&output.stderr));
        let message = format!("`{line}` failed with {}\n{said}", output.status);
        return Err(Stop::Failed(message.trim_end().to_owned()));
    }
    String::from_utf8(output.stdout).map_err(|_| {
        Stop::Failed(format!("`{}` printed something that is no text", display(command)))
    })
}

/// Whether a program can be started and succeeds, without showing what it prints.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// Whether a program can be started and succeeds; what it prints is shown.
pub(crate) fn succeeds_loudly(command: &mut Command) -> bool {
    command.stdin(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Builds the binary `gik` in the named profile and gives its path.
pub(crate) fn build_gik(root: &Path, profile: &str) -> Result<PathBuf> {
    build(root, "gik", "gik", profile)
}

/// Builds a program of a package and gives its path.
pub(crate) fn build(root: &Path, package: &str, name: &str, profile: &str) -> Result<PathBuf> {
    let mut command = cargo(root);
    command.args(["build", "--package", package, "--bin", name, "--profile", profile]);
    command.args(["--message-format", "json-render-diagnostics"]);
    let messages = output(&mut command)?;
    executable(&messages, name)
        .ok_or_else(|| Stop::Failed(format!("cargo built `{name}` but did not say where")))
}

/// The path of the executable in cargo's messages, one JSON value per line.
fn executable(messages: &str, name: &str) -> Option<PathBuf> {
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["target"]["name"] == name)
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
}

/// The command as typed, for messages.
pub(crate) fn display(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str()).to_string_lossy();
    command.get_args().fold(name.into_owned(), |line, arg| line + " " + &arg.to_string_lossy())
}

fn exit_code(status: ExitStatus) -> u8 {
    status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

fn cannot_start(command: &Command, error: &std::io::Error) -> Stop {
    Stop::Failed(format!("cannot start `{}`: {error}", display(command)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_developer_sets_for_the_product_is_personal() {
        for name in ["GIK_HOME", "GIK_CONFIG_X", "NO_COLOR", "GIT_DIR"] {
            assert!(is_personal(name), "{name}");
        }
        for name in ["PATH", "HOME", "CARGO_HOME", "RUSTFLAGS"] {
            assert!(!is_personal(name), "{name}");
        }
    }

    #[test]
    fn the_executable_is_found_among_the_messages() {
        let messages = r#"{"reason":"compiler-artifact","target":{"name":"build-script"},"executable":"/x"}
{"reason":"compiler-artifact","target":{"name":"gik"},"executable":"/t/gik"}
{"reason":"build-finished","success":true}"#;
        assert_eq!(executable(messages, "gik"), Some(PathBuf::from("/t/gik")));
    }
}
