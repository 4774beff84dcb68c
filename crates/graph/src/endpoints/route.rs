//! Parts of a route put together.

/// A prefix and what follows, with one slash between and one in front.
pub(super) fn joined(prefix: &str, rest: &str) -> String {
    let parts = [prefix, rest].map(|part| part.trim_matches('/'));
    let joined: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    format!("/{}", joined.join("/"))
}

/// All prefixes and what follows.
pub(super) fn joined_all<'a>(prefixes: impl Iterator<Item = &'a str>, rest: &str) -> String {
    let prefix = prefixes.fold(String::new(), |all, part| joined(&all, part));
    joined(&prefix, rest)
}

/// Whether a literal can be a route: no spaces, no scheme, no file name pattern.
pub(super) fn is_route(text: &str) -> bool {
    text.len() <= 300
        && !text.contains("://")
        && !text.contains(char::is_whitespace)
        && !text.chars().any(char::is_control)
}

/// Names of methods as frameworks write them.
pub(super) fn http_method(word: &str) -> Option<&'static str> {
    Some(match word.to_ascii_lowercase().as_str() {
        "get" => "GET",
        "post" => "POST",
        "put" => "PUT",
        "patch" => "PATCH",
        "delete" | "del" => "DELETE",
        "head" => "HEAD",
        "options" => "OPTIONS",
        "all" | "any" => "ANY",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_joined_with_one_slash() {
        for (prefix, rest, expected) in [
            ("", "", "/"),
            ("/", "/", "/"),
            ("api", "users", "/api/users"),
            ("/api/", "/users/", "/api/users"),
            ("/api", "", "/api"),
            ("", ":id", "/:id"),
        ] {
            assert_eq!(joined(prefix, rest), expected);
        }
        assert_eq!(joined_all(["a", "/b"].into_iter(), "c"), "/a/b/c");
    }
}
