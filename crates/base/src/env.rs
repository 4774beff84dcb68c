//! Every environment variable GIK reads, in one place.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Replaces `~/.gik`: global config, global memory, locks.
pub const GIK_HOME: &str = "GIK_HOME";
/// Names the workspace folder, as `--workspace` does.
pub const GIK_WORKSPACE: &str = "GIK_WORKSPACE";
/// The token that `gik serve` asks its clients for.
pub const GIK_TOKEN: &str = "GIK_TOKEN";
/// Names the knowledge branch, as `--branch` does.
pub const GIK_BRANCH: &str = "GIK_BRANCH";
/// `auto`, `always` or `never`, as `--color` does.
pub const GIK_COLOR: &str = "GIK_COLOR";
/// Number of threads, as `--threads` does.
pub const GIK_THREADS: &str = "GIK_THREADS";
/// Prefix of variables that set a config value: `GIK_CONFIG_INDEXING_MAX_FILE_BYTES=…`.
pub const GIK_CONFIG_PREFIX: &str = "GIK_CONFIG_";
/// Any value but `0` keeps every command off the network.
pub const GIK_OFFLINE: &str = "GIK_OFFLINE";
/// Any value but `0` answers every question in the process that was asked.
pub const GIK_NO_DAEMON: &str = "GIK_NO_DAEMON";
/// Where models are fetched from, instead of `https://huggingface.co`.
pub const HF_ENDPOINT: &str = "HF_ENDPOINT";
/// The key for object storage, where tables of vectors are kept there.
pub const AWS_ACCESS_KEY_ID: &str = "AWS_ACCESS_KEY_ID";
/// Its secret part.
pub const AWS_SECRET_ACCESS_KEY: &str = "AWS_SECRET_ACCESS_KEY";
/// What belongs to a key that holds for a while.
pub const AWS_SESSION_TOKEN: &str = "AWS_SESSION_TOKEN";
/// Any value but the empty one turns colours off.
pub const NO_COLOR: &str = "NO_COLOR";
/// Any value but `0` turns colours on, also into a pipe.
pub const CLICOLOR_FORCE: &str = "CLICOLOR_FORCE";

/// `0` writes no links to the terminal, anything else writes them also where it is not known to follow them.
pub const FORCE_HYPERLINK: &str = "FORCE_HYPERLINK";
/// The kind of the terminal.
pub const TERM: &str = "TERM";
/// The name of the terminal, where it tells.
pub const TERM_PROGRAM: &str = "TERM_PROGRAM";
/// The version of the widget of GNOME's terminals.
pub const VTE_VERSION: &str = "VTE_VERSION";
/// Set by Windows Terminal.
pub const WT_SESSION: &str = "WT_SESSION";
/// Set by Konsole.
pub const KONSOLE_VERSION: &str = "KONSOLE_VERSION";

/// The width that text is laid out for.
pub const COLUMNS: &str = "COLUMNS";

/// Where programs keep the user's config, instead of `~/.config`.
pub const XDG_CONFIG_HOME: &str = "XDG_CONFIG_HOME";
/// Where sockets of the user belong, for as long as the user is logged in.
pub const XDG_RUNTIME_DIR: &str = "XDG_RUNTIME_DIR";
/// Where Windows programs keep the user's config.
pub const APPDATA: &str = "APPDATA";
/// Where Claude Code keeps its config, instead of `~/.claude`.
pub const CLAUDE_CONFIG_DIR: &str = "CLAUDE_CONFIG_DIR";
/// Where Codex keeps its config, instead of `~/.codex`.
pub const CODEX_HOME: &str = "CODEX_HOME";
/// The folders that programs are looked for in.
pub const PATH: &str = "PATH";

/// Name and meaning of every variable, for the reference page.
pub const ALL: &[(&str, &str)] = &[
    (GIK_HOME, "Folder of the global config, memory and models instead of `~/.gik`."),
    (GIK_WORKSPACE, "Workspace folder, as `--workspace`."),
    (GIK_TOKEN, "Token that clients of `gik serve` must show."),
    (GIK_BRANCH, "Knowledge branch, as `--branch`."),
    (GIK_COLOR, "`auto`, `always` or `never`, as `--color`."),
    (GIK_THREADS, "Number of threads, as `--threads`."),
    (GIK_CONFIG_PREFIX, "Prefix: `GIK_CONFIG_<KEY>` sets a config value, `_` for the dots."),
    (GIK_OFFLINE, "Any value but `0` keeps every command off the network."),
    (GIK_NO_DAEMON, "Any value but `0` neither uses nor starts the warm process."),
    (HF_ENDPOINT, "Where `gik model pull` fetches from, instead of `https://huggingface.co`."),
    (AWS_ACCESS_KEY_ID, "Key for the object storage that `indexes.lancedb.location` names."),
    (AWS_SECRET_ACCESS_KEY, "Secret part of that key."),
    (AWS_SESSION_TOKEN, "Token of a key that holds for a while."),
    (NO_COLOR, "Turns colours off."),
    (CLICOLOR_FORCE, "Turns colours on, also into a pipe."),
    (FORCE_HYPERLINK, "`0` writes no links to the terminal, anything else always does."),
    (
        XDG_CONFIG_HOME,
        "Where git's global excludes and the config of coding agents are looked for, instead of `~/.config`.",
    ),
    (XDG_RUNTIME_DIR, "Folder for the socket of the warm process, instead of `run` in `GIK_HOME`."),
    (CLAUDE_CONFIG_DIR, "Folder of Claude Code, for `gik agents`, instead of `~/.claude`."),
    (CODEX_HOME, "Folder of Codex, for `gik agents`, instead of `~/.codex`."),
    (COLUMNS, "Width that text is laid out for, instead of the terminal's."),
];

/// A variable that is set, not empty and valid Unicode.
pub fn var(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// What tools that read look at, besides the variables with [`GIK_CONFIG_PREFIX`] and the names in [`secret`]: two
/// processes in which all of these are the same give the same answers. Those of the last two lines are for the
/// libraries that speak to servers.
const SEEN_BY_TOOLS: &[&str] = &[
    "HOME",
    GIK_HOME,
    GIK_BRANCH,
    GIK_OFFLINE,
    HF_ENDPOINT,
    XDG_CONFIG_HOME,
    XDG_RUNTIME_DIR,
    "ALL_PROXY",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "NO_PROXY",
    "all_proxy",
    "https_proxy",
    "http_proxy",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
];

/// All variables that tools that read look at, apart from secrets, sorted by name.
pub fn seen_by_tools() -> Vec<(OsString, OsString)> {
    let is_seen = |name: &str| SEEN_BY_TOOLS.contains(&name) || name.starts_with(GIK_CONFIG_PREFIX);
    let mut seen: Vec<_> =
        std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(is_seen)).collect();
    seen.sort();
    seen
}

static SECRETS_ASKED_FOR: AtomicU64 = AtomicU64::new(0);

/// The variable of that name, which the config says holds a key. That it was asked for is counted: another process of
/// the same user may have another one.
pub fn secret(name: &str) -> Option<String> {
    SECRETS_ASKED_FOR.fetch_add(1, Ordering::Relaxed);
    var(name)
}

/// How often a secret was asked for so far.
pub fn secrets_asked_for() -> u64 {
    SECRETS_ASKED_FOR.load(Ordering::Relaxed)
}

/// A variable that may hold a path.
pub fn var_os(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// All variables whose name starts with the prefix, sorted, prefix removed.
pub fn vars_with_prefix(prefix: &str) -> Vec<(String, String)> {
    let mut found: Vec<_> = std::env::vars_os()
        .filter_map(|(name, value)| {
            let name = name.into_string().ok()?;
            Some((name.strip_prefix(prefix)?.to_owned(), value.into_string().ok()?))
        })
        .collect();
    found.sort();
    found
}

/// The user's home folder.
pub fn home_dir() -> Option<PathBuf> {
    std::env::home_dir().filter(|home| !home.as_os_str().is_empty())
}

/// `~/.gik`, or what `GIK_HOME` says.
pub fn gik_home() -> Option<PathBuf> {
    var_os(GIK_HOME).map(PathBuf::from).or_else(|| home_dir().map(|home| home.join(".gik")))
}

/// Whether the user wants every process to answer by itself.
pub fn is_without_daemon() -> bool {
    var(GIK_NO_DAEMON).is_some_and(|value| value != "0")
}

/// Whether the user wants nothing to use the network.
pub fn is_offline() -> bool {
    var(GIK_OFFLINE).is_some_and(|value| value != "0")
}

/// The folder the command was started in.
pub fn current_dir() -> std::io::Result<PathBuf> {
    std::env::current_dir()
}

/// The user's folder for the config of programs.
pub fn config_dir() -> Option<PathBuf> {
    var_os(XDG_CONFIG_HOME)
        .map(PathBuf::from)
        .filter(|folder| folder.is_absolute())
        .or_else(|| home_dir().map(|home| home.join(".config")))
}

/// The user's folder for sockets, where the system has one.
pub fn runtime_dir() -> Option<PathBuf> {
    var_os(XDG_RUNTIME_DIR).map(PathBuf::from).filter(|folder| folder.is_absolute())
}

/// The file that this program was started from.
pub fn current_exe() -> std::io::Result<PathBuf> {
    std::env::current_exe()
}

/// The first file of that name in the folders of `PATH` that can be run. Relative folders are passed over: what they
/// mean changes with the folder one is in.
pub fn find_program(name: &str) -> Option<PathBuf> {
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let folders = var_os(PATH)?;
    std::env::split_paths(&folders)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(&name))
        .find(|file| is_program(file))
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    let metadata = std::fs::metadata(file);
    metadata.is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file()
}

/// The words of the command line, the program's name first.
pub fn arguments() -> Vec<OsString> {
    std::env::args_os().collect()
}
