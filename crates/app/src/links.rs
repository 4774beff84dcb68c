//! Does the terminal follow links (OSC 8)? Others would show their addresses as noise.

use gik_base::env;

/// Programs that say their name.
const PROGRAMS: [&str; 6] = ["iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "Tabby"];
/// Terminals that are known by their kind.
const KINDS: [&str; 4] = ["xterm-kitty", "xterm-ghostty", "alacritty", "foot"];
/// The first version of the widget of GNOME's terminals that follows links.
const FIRST_VTE: u32 = 5000;

/// Whether links may be written to standard output.
pub(crate) fn are_followed(is_terminal: bool) -> bool {
    if let Some(forced) = env::var(env::FORCE_HYPERLINK) {
        return forced != "0";
    }
    let is = |name: &str, known: &[&str]| {
        env::var(name).is_some_and(|value| known.iter().any(|known| value.starts_with(known)))
    };
    let vte = env::var(env::VTE_VERSION).and_then(|version| version.parse::<u32>().ok());
    is_terminal
        && (is(env::TERM_PROGRAM, &PROGRAMS)
            || is(env::TERM, &KINDS)
            || env::var(env::WT_SESSION).is_some()
            || env::var(env::KONSOLE_VERSION).is_some()
            || vte.is_some_and(|version| version >= FIRST_VTE))
}
