//! The same as [`super::jsonc`] for TOML: a table is put at the end of the text and taken out again.

use serde_json::Value;

use super::jsonc::{Fault, Insertion, newline_of};

/// What a document says.
pub(crate) fn value(text: &str) -> Result<Value, Fault> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    toml::from_str(text).map_err(|error: toml::de::Error| {
        Fault::new(error.span().map_or(0, |span| span.start), error.message())
    })
}

/// How to put the table `[keys.name]` at the end.
pub(crate) fn insertion(
    text: &str,
    keys: &[&str],
    name: &str,
    entry: &Value,
) -> Result<Insertion, Fault> {
    let before = value(text)?;
    let at = text.len();
    let newline = newline_of(text);
    let mut lines = vec![format!("[{}.{name}]", keys.join("."))];
    for (key, value) in entry.as_object().into_iter().flatten() {
        // Texts and lists of texts are written alike in JSON and TOML.
        lines.push(format!("{key} = {value}"));
    }
    let table = lines.join(newline);
    let text = if text.trim_start_matches('\u{feff}').is_empty() {
        format!("{table}{newline}")
    } else if text.ends_with('\n') {
        format!("{newline}{table}{newline}")
    } else {
        format!("{newline}{newline}{table}")
    };
    let parents = usize::from(keys.first().is_some_and(|key| before.get(*key).is_none()));
    Ok(Insertion { at, text, parents })
}

/// The text without the table; `None` where no line begins it.
pub(crate) fn removed(text: &str, keys: &[&str], name: &str) -> Option<String> {
    let path: Vec<&str> = keys.iter().copied().chain([name]).collect();
    let mut at = 0;
    let mut start = None;
    let mut end = text.len();
    for line in text.split_inclusive('\n') {
        let is_header = line.trim_start().starts_with('[');
        match start {
            None if is_header && names_of(line) == path => start = Some(at),
            Some(_) if is_header => {
                end = at;
                break;
            },
            _ => {},
        }
        at += line.len();
    }
    let start = start?;
    let mut body = text[start..end].trim_end();
    // Comments between tables are about the one that follows.
    while let Some((rest, last)) = body.rsplit_once('\n').filter(|_| end < text.len()) {
        if !last.trim_start().starts_with('#') {
            break;
        }
        body = rest.trim_end();
    }
    let mut behind = start + body.len();
    let head = text[..start].trim_end_matches(['\n', '\r']);
    let tail = &text[behind..];
    // One end of a line goes with the table, and the blank line before it.
    behind += tail.len() - tail.strip_prefix('\r').unwrap_or(tail).len();
    behind += usize::from(text[behind..].starts_with('\n'));
    let newline = newline_of(text);
    let kept = if head.is_empty() || text[behind..].trim().is_empty() && !text.ends_with('\n') {
        head.to_owned()
    } else {
        format!("{head}{newline}")
    };
    Some(format!("{kept}{}", &text[behind..]))
}

/// The names in the header of a table; quotes are only taken off, as no name of ours needs them.
fn names_of(line: &str) -> Vec<&str> {
    let inside = line.trim().strip_prefix('[').and_then(|rest| rest.split(']').next());
    let names = inside.unwrap_or_default().split('.');
    names.map(|name| name.trim().trim_matches(['"', '\''])).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const KEYS: &[&str] = &["mcp_servers"];

    fn put(text: &str) -> String {
        let entry = json!({"command": "C:\\bin\\gik", "args": ["mcp"]});
        format!("{text}{}", insertion(text, KEYS, "gik", &entry).unwrap().text)
    }

    #[test]
    fn in_and_out_again_is_the_same_text() {
        for text in [
            "",
            "model = \"o\"\n",
            "model = \"o\"",
            "# mine\r\nmodel = \"o\"\r\n\r\n[mcp_servers.b]\r\ncommand = \"b\"\r\n",
            "[a]\nb = [\n  1, # one\n]\n\n# the end\n",
        ] {
            let after = put(text);
            let said = value(&after).unwrap();
            assert_eq!(said["mcp_servers"]["gik"]["command"], "C:\\bin\\gik");
            assert_eq!(removed(&after, KEYS, "gik").unwrap(), text, "{after}");
        }
    }

    #[test]
    fn what_was_written_behind_it_stays() {
        let after = put("a = 1\n") + "\n# about b\n[b]\nc = 2\n";
        assert_eq!(removed(&after, KEYS, "gik").unwrap(), "a = 1\n\n# about b\n[b]\nc = 2\n");
        let odd = "[ mcp_servers . \"gik\" ] # x\ncommand = \"gik\"\n[b]\nc = 2\n";
        assert_eq!(removed(odd, KEYS, "gik").unwrap(), "[b]\nc = 2\n");
        assert_eq!(removed("[mcp_servers.b]\n", KEYS, "gik"), None);
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        assert!(insertion("a = ", KEYS, "gik", &json!({})).is_err());
        assert!(value("[a]\nb = 1\n[a]\n").is_err());
    }
}
