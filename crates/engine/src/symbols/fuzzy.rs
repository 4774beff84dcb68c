//! Names that are nearly what was typed: one slip of the finger, or the letters in order with others between.

/// Whether two names differ by one letter too many, too few or wrong, or by two neighbours changed over.
pub(super) fn is_one_slip(one: &[char], other: &[char]) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let head = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    let (short, long) = (&short[head..], &long[head..]);
    match (short, long) {
        ([], []) => false,
        ([a, rest @ ..], [b, long_rest @ ..]) if short.len() == long.len() => {
            let swapped = matches!(
                (rest, long_rest),
                ([c, tail @ ..], [d, long_tail @ ..]) if a == d && b == c && tail == long_tail
            );
            swapped || rest == long_rest
        },
        (_, [_, long_rest @ ..]) => short == long_rest,
        (_, []) => false,
    }
}

/// How many letters stand between those of the query in the tightest place of the name; `None` where the query is not
/// in it, or so scattered that nobody means it.
pub(super) fn gaps(query: &[char], name: &[char]) -> Option<u32> {
    let (first, rest) = query.split_first()?;
    let mut best: Option<usize> = None;
    for start in (0..name.len()).filter(|at| name[*at] == *first) {
        let mut at = start + 1;
        let is_in = rest.iter().all(|wanted| {
            match name.get(at..).and_then(|tail| tail.iter().position(|c| c == wanted)) {
                Some(distance) => {
                    at += distance + 1;
                    true
                },
                None => false,
            }
        });
        if !is_in {
            break;
        }
        let gaps = at - start - query.len();
        best = Some(best.map_or(gaps, |known| known.min(gaps)));
    }
    best.filter(|gaps| *gaps <= query.len()).and_then(|gaps| u32::try_from(gaps).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chars(text: &str) -> Vec<char> {
        text.chars().collect()
    }

    #[test]
    fn one_slip_is_forgiven_and_two_are_not() {
        for (one, other, expected) in [
            ("config", "confgi", true),
            ("config", "confg", true),
            ("config", "conffig", true),
            ("config", "konfig", true),
            ("config", "confix", true),
            ("config", "configs", true),
            ("config", "ocnfig", true),
            ("config", "config", false),
            ("config", "konfic", false),
            ("config", "con", false),
            ("config", "fconig", false),
            ("", "a", true),
        ] {
            assert_eq!(is_one_slip(&chars(one), &chars(other)), expected, "{one} {other}");
            assert_eq!(is_one_slip(&chars(other), &chars(one)), expected, "{other} {one}");
        }
    }

    #[test]
    fn letters_in_order_are_found_at_their_tightest() {
        let gaps = |query: &str, name: &str| gaps(&chars(query), &chars(name));
        assert_eq!(gaps("abc", "abc"), Some(0));
        assert_eq!(gaps("abc", "a_abxc"), Some(1));
        assert_eq!(gaps("abc", "axbxc"), Some(2));
        assert_eq!(gaps("abc", "cba"), None);
        assert_eq!(gaps("abc", "axxxbxxxc"), None);
        assert_eq!(gaps("", "abc"), None);
    }
}
