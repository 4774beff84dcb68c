//! The lines that a change takes away and adds. The lines around them are not shown: configs hold secrets.

/// The changed lines with their place, as `diff -U0` writes them. There is one place, as every change is one.
pub(crate) fn difference(before: &str, after: &str) -> Vec<String> {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let new: Vec<&str> = after.split_inclusive('\n').collect();
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[same..], &new[same..]);
    let ends = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let gone = &old_rest[..old_rest.len() - ends];
    let come = &new_rest[..new_rest.len() - ends];
    if gone.is_empty() && come.is_empty() {
        return Vec::new();
    }
    let place = |lines: &[&str]| {
        let first = same + usize::from(!lines.is_empty());
        format!("{first},{}", lines.len())
    };
    let mut found = vec![format!("@@ -{} +{} @@", place(gone), place(come))];
    found.extend(shown('-', gone, come));
    found.extend(shown('+', come, gone));
    found
}

/// What a line has in common with the one it takes the place of is shown up to this length.
const SHARED: usize = 40;

/// Lines with their sign. A config of one line is one changed line, so what both sides share of it is left out.
fn shown(sign: char, lines: &[&str], others: &[&str]) -> Vec<String> {
    let bare = |line: &str| line.trim_end_matches(['\n', '\r']).to_owned();
    let mut texts: Vec<String> = lines.iter().map(|line| bare(line)).collect();
    if let (Some(text), Some(other)) = (texts.last_mut(), others.last().map(|line| bare(line))) {
        let same = text.chars().rev().zip(other.chars().rev()).take_while(|(a, b)| a == b).count();
        if same > SHARED {
            let kept = text.chars().count() - same;
            *text = text.chars().take(kept).chain(['…']).collect();
        }
    }
    if let (Some(text), Some(other)) = (texts.first_mut(), others.first().map(|line| bare(line))) {
        let same = text.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
        if same > SHARED {
            *text = ['…'].into_iter().chain(text.chars().skip(same)).collect();
        }
    }
    texts.into_iter().map(|text| format!("{sign}{text}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changes_is_shown() {
        assert_eq!(
            difference("a\nsecret\nb\n", "a\nsecret\nnew\nb\n"),
            ["@@ -2,0 +3,1 @@", "+new"]
        );
        assert_eq!(difference("a", "a\nb\n"), ["@@ -1,1 +1,2 @@", "-a", "+a", "+b"]);
        assert_eq!(difference("a\n", ""), ["@@ -1,1 +0,0 @@", "-a"]);
        assert!(difference("a\n", "a\n").is_empty());
    }

    #[test]
    fn the_rest_of_a_long_line_is_not_shown() {
        let long = "secret".repeat(20);
        let before = format!("{{\"a\":\"{long}\",\"s\":{{}},\"b\":\"{long}\"}}");
        let after = before.replace("{}", "{\"gik\":1}");
        let told = difference(&before, &after).join("\n");
        assert_eq!(told, "@@ -1,1 +1,1 @@\n-……\n+…\"gik\":1…");
    }
}
