//! The humps of a name, and names asked for by them: `phc` and `pHC` are `parseHttpConfig` and `parse_http_config`.

/// Where the parts of a name start: at its beginning, after what is no letter or digit, and where the case or the kind
/// of character says so. `HTTPConfig` has two, `utf8` has two.
pub(super) fn starts(name: &[char], starts: &mut Vec<bool>) {
    starts.clear();
    for (at, &c) in name.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| name[at]);
        let next_is_lower = name.get(at + 1).is_some_and(|next| next.is_lowercase());
        starts.push(
            c.is_alphanumeric() && before.is_none_or(|before| begins(before, c, next_is_lower)),
        );
    }
}

fn begins(before: char, c: char, next_is_lower: bool) -> bool {
    if !before.is_alphanumeric() {
        return true;
    }
    if before.is_numeric() != c.is_numeric() {
        return true;
    }
    c.is_uppercase() && (!before.is_uppercase() || next_is_lower)
}

/// How many humps a name has beyond those that the query names; `None` where the query does not go along the humps.
///
/// Each character of the query stands right after the one before it or at the start of a later hump. One in upper case,
/// in a query that has both cases, and one after a separator stands at the start of a hump.
pub(super) fn skipped(query: &Query<'_>, folded: &[char], starts: &[bool]) -> Option<u32> {
    const NEVER: i64 = i64::MAX / 2;
    let mut hump_of = Vec::with_capacity(folded.len());
    let mut n_humps = 0i64;
    for &start in starts {
        n_humps += i64::from(start);
        hump_of.push(n_humps);
    }
    // The fewest humps passed over so far, by the place of the last matched character.
    let mut costs: Vec<i64> = Vec::new();
    for (nth, &(wanted, at_start)) in query.steps.iter().enumerate() {
        let mut next = vec![NEVER; folded.len()];
        // The least `cost - hump` among the places before.
        let mut least = if nth == 0 { 0 } else { NEVER };
        for at in 0..folded.len() {
            if folded[at] == wanted {
                let jumped =
                    if starts[at] && least < NEVER { least + hump_of[at] - 1 } else { NEVER };
                let follows = match at.checked_sub(1) {
                    Some(before) if nth > 0 && !at_start => costs[before],
                    _ => NEVER,
                };
                next[at] = jumped.min(follows);
            }
            if nth > 0 && costs[at] < NEVER {
                least = least.min(costs[at] - hump_of[at]);
            }
        }
        costs = next;
    }
    let places = costs.iter().enumerate().filter(|(_, cost)| **cost < NEVER);
    let best = places.map(|(at, cost)| cost + n_humps - hump_of[at]).min()?;
    u32::try_from(best).ok()
}

/// A query as the humps see it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Query<'a> {
    /// Characters in lower case, and whether each must stand at the start of a hump.
    pub(super) steps: &'a [(char, bool)],
}

/// The steps of a query.
pub(super) fn steps(query: &str) -> Vec<(char, bool)> {
    let mixed = query.chars().any(char::is_uppercase) && query.chars().any(char::is_lowercase);
    let mut after_separator = false;
    let mut steps = Vec::new();
    for c in query.chars() {
        if !c.is_alphanumeric() {
            after_separator = true;
            continue;
        }
        let at_start = after_separator || (mixed && c.is_uppercase());
        for lower in c.to_lowercase() {
            steps.push((lower, at_start && lower.is_alphanumeric()));
        }
        after_separator = false;
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn humps(name: &str) -> String {
        let chars: Vec<char> = name.chars().collect();
        let mut marks = Vec::new();
        starts(&chars, &mut marks);
        chars.iter().zip(&marks).filter(|(_, start)| **start).map(|(c, _)| *c).collect()
    }

    fn skips(query: &str, name: &str) -> Option<u32> {
        let chars: Vec<char> = name.chars().collect();
        let folded: Vec<char> = name.to_lowercase().chars().collect();
        let mut marks = Vec::new();
        starts(&chars, &mut marks);
        skipped(&Query { steps: &steps(query) }, &folded, &marks)
    }

    #[test]
    fn humps_start_where_people_see_them() {
        assert_eq!(humps("parseHttpConfig"), "pHC");
        assert_eq!(humps("parse_http_config"), "phc");
        assert_eq!(humps("HTTPConfig"), "HC");
        assert_eq!(humps("MAX_LINES"), "ML");
        assert_eq!(humps("utf8_text"), "u8t");
        assert_eq!(humps("__init__"), "i");
        assert_eq!(humps("größeÄndern"), "gÄ");
    }

    #[test]
    fn a_query_goes_along_the_humps() {
        for name in ["parseHttpConfig", "parse_http_config", "ParseHTTPConfig"] {
            for query in ["phc", "pHC", "parHC", "parsehttpconf", "parse_http_config", "pahtco"] {
                assert_eq!(skips(query, name), Some(0), "{query} {name}");
            }
            assert_eq!(skips("pc", name), Some(1), "{name}");
            assert_eq!(skips("hc", name), Some(1), "{name}");
            assert_eq!(skips("arse", name), None, "{name}");
            assert_eq!(skips("pcH", name), None, "{name}");
        }
        assert_eq!(skips("paRse", "parseHttp"), None);
    }

    #[test]
    fn the_way_with_the_fewest_skips_counts() {
        // The second `c` may be that of `Cache` or of `Config`.
        assert_eq!(skips("cc", "clearCacheConfig"), Some(1));
        assert_eq!(skips("ccc", "clearCacheConfig"), Some(0));
    }
}
