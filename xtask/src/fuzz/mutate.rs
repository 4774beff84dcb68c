//! Inputs that are almost right: fixtures of a language with something torn out, repeated, or put where it does not belong.
//!
//! Mutations work on bytes; what is no UTF-8 afterwards is replaced, as parsing only ever gets text.

use std::ops::Range;

use gik_testkit::Rng;

/// No input is larger.
pub(super) const MAX_BYTES: usize = 256 * 1024;
const MOST_MUTATIONS: usize = 8;
const LONGEST_PART: usize = 512;
const MOST_LINES: usize = 60;
const DEEPEST: usize = 10_000;

type Mutation = fn(&mut Vec<u8>, &Pool<'_>, &mut Rng);

/// How often each is used; what makes inputs large is rare.
const MUTATIONS: &[(u64, Mutation)] = &[
    (4, delete),
    (2, duplicate),
    (4, move_part),
    (6, insert_sign),
    (2, add_noise),
    (4, splice),
    (2, indent),
    (2, cut_off),
    (1, change_line_ends),
    (1, join_lines),
    (1, nest),
    (1, lengthen),
];

/// Where inputs come from.
#[derive(Debug)]
pub(super) struct Pool<'a> {
    /// Texts in the language.
    pub(super) own: &'a [Vec<u8>],
    /// Texts in any language.
    pub(super) all: &'a [Vec<u8>],
}

/// What ends, opens or tears something apart in one language or another.
const SIGNS: &str = "( ) [ ] { } < > \" ' ` \"\"\" ''' ``` /* */ // /// # -- <!-- --> {- -} (* *) \\ ${ #{ {{ }} <% %> \
    <?php ?> <<EOF EOF r#\" #if #else #endif begin end <script> </script> <style> --- === - > | => -> :: : ; , @ =";

/// Ends of lines, odd spaces, marks, characters beyond 16 bits, and bytes that are no text.
const BYTES: &[&[u8]] = &[
    b"\n",
    b"\n\n",
    b"\r\n",
    b"\r",
    b"\\\n",
    b"\t",
    b"\x0b",
    b"\x0c",
    b"\0",
    b"\xef\xbb\xbf",
    b"\xc2\x85",
    b"\xe2\x80\xa8",
    b"\xcc\x81",
    b"\xe2\x80\xae",
    b"\xf0\x9f\x8e\x88",
    b"\xf4\x8f\xbf\xbf",
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    b"\xe2\x82",
];

/// What goes inside itself, and what closes it.
const NESTS: &[(&str, &str)] = &[
    ("(", ")"),
    ("[", "]"),
    ("{", "}"),
    ("{\n", "}\n"),
    ("<a>", "</a>"),
    ("<div>\n", "</div>\n"),
    ("if x {", "}"),
    ("if (x) ", ""),
    ("do ", " end"),
    ("begin\n", "end\n"),
    ("a(", ")"),
    ("{\"a\":", "}"),
    ("[[", "]]"),
    ("- ", ""),
    ("> ", ""),
    ("* ", ""),
    ("a.", ""),
    ("a::", ""),
    ("!", ""),
    ("-", ""),
    ("/*", "*/"),
    ("#{\"", "\"}"),
    ("${", "}"),
    ("#if a\n", "#endif\n"),
    ("\\begin{a}\n", "\\end{a}\n"),
    ("a<", ">"),
    ("fn a() {\n", "}\n"),
    ("class A {\n", "}\n"),
    ("let x = ", ";"),
];

impl Pool<'_> {
    /// A text made of one of the language: a part of it or the whole, changed in a few places.
    pub(super) fn input(&self, rng: &mut Rng) -> String {
        let mut text = match rng.below(20) {
            0 => Vec::new(),
            1..10 => {
                let whole = rng.pick(self.own);
                whole[lines(whole, rng, MOST_LINES)].to_vec()
            },
            _ => rng.pick(self.own).clone(),
        };
        for _ in 0..=rng.zipf(MOST_MUTATIONS) {
            mutation(rng)(&mut text, self, rng);
            text.truncate(MAX_BYTES);
        }
        let mut text = String::from_utf8_lossy(&text).into_owned();
        text.truncate(text.floor_char_boundary(MAX_BYTES));
        text
    }

    /// A part of any text, of the language itself more often than not.
    fn piece(&self, rng: &mut Rng) -> &[u8] {
        let texts = if rng.one_in(4) { self.all } else { self.own };
        let text = rng.pick(texts);
        &text[part(text, rng)]
    }
}

fn mutation(rng: &mut Rng) -> Mutation {
    let total = MUTATIONS.iter().map(|(weight, _)| weight).sum();
    let mut at = rng.below(total);
    for (weight, mutation) in MUTATIONS {
        match at.checked_sub(*weight) {
            Some(rest) => at = rest,
            None => return *mutation,
        }
    }
    delete
}

fn sign(rng: &mut Rng) -> &'static [u8] {
    if rng.one_in(3) {
        return rng.pick::<&'static [u8]>(BYTES);
    }
    let signs: Vec<&str> = SIGNS.split(' ').filter(|sign| !sign.is_empty()).collect();
    rng.pick(&signs).as_bytes()
}

/// A few bytes or a few whole lines.
fn part(text: &[u8], rng: &mut Rng) -> Range<usize> {
    if rng.one_in(2) {
        return lines(text, rng, MOST_LINES / 4);
    }
    let start = place(text, rng);
    let end = start + rng.zipf(LONGEST_PART);
    start..end.min(text.len())
}

fn lines(text: &[u8], rng: &mut Rng, most: usize) -> Range<usize> {
    let at = place(text, rng);
    let start = text[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    let count = rng.within(1..most + 1);
    let ends = text[at..].iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    let end = ends.map(|(newline, _)| at + newline + 1).nth(count - 1);
    start..end.unwrap_or(text.len())
}

fn place(text: &[u8], rng: &mut Rng) -> usize {
    rng.within(0..text.len() + 1)
}

fn insert(text: &mut Vec<u8>, at: usize, bytes: impl IntoIterator<Item = u8>) {
    text.splice(at..at, bytes);
}

fn delete(text: &mut Vec<u8>, _: &Pool<'_>, rng: &mut Rng) {
    text.drain(part(text, rng));
}

fn duplicate(text: &mut Vec<u8>, _: &Pool<'_>, rng: &mut Rng) {
    let copied = part(text, rng);
    let bytes = text[copied.clone()].to_vec();
    insert(text, copied.end, bytes);
}

fn move_part(text: &mut Vec<u8>, _: &Pool<'_>, rng: &mut Rng) {
    let bytes: Vec<u8> = text.drain(part(text, rng)).collect();
    insert(text, place(text, rng), bytes);
}

fn insert_sign(text: &mut Vec<u8>, _: &Pool<'_>, rng: &mut Rng) {
    let at = place(text, rng);
    insert(text, at, sign(rng).iter().copied());
}

fn add_noise(text: &mut Vec<u8>, _: &Pool<'_>, rng: &mut Rng) {
    let noise: Vec<u8> = (0..rng.within(1..17)).map(|_| rng.next_u64().to_le_bytes()[0]).collect();
    text.splice(part(text, rng), noise);
}

fn splice(text: &mut Vec<u8>, pool: &Pool<'_>, rng: &mut Rng) {
    let piece = pool.piece(rng).to_vec();
    insert(text, place(text, rng), piece);
}

fn indent(text: &mut Vec<u8>, _: &Pool<'_>, rng: &mut Rng) {
    let range = lines(text, rng, MOST_LINES / 4);
    let space = rng.pick(&["", " ", "    ", "\t"]).as_bytes();
    let mut indented = Vec::new();
    for line in text[range.clone()].split_inclusive(|byte| *byte == b'\n') {
        indented.extend_from_slice(space);
        indented.extend_from_slice(if space.is_empty() { line.trim_ascii_start() } else { line });
    }
    text.splice(range, indented);
}

fn cut_off(text: &mut Vec<u8>, _: &Pool<'_>, rng: &mut Rng) {
    if rng.one_in(2) {
        text.truncate(place(text, rng));
    } else {
        text.drain(..place(text, rng));
    }
}

fn change_line_ends(text: &mut Vec<u8>, _: &Pool<'_>, rng: &mut Rng) {
    let end = rng.pick(&["\r\n", "\r", "\n\n", "\n\r"]).as_bytes();
    *text = text.split(|byte| *byte == b'\n').collect::<Vec<_>>().join(end);
}

fn join_lines(text: &mut Vec<u8>, _: &Pool<'_>, rng: &mut Rng) {
    let range = lines(text, rng, 10 * MOST_LINES);
    let joined = text[range.clone()].split(|byte| *byte == b'\n').collect::<Vec<_>>().join(&b' ');
    text.splice(range, joined);
}

/// Opens something many times over, and closes it about as often.
fn nest(text: &mut Vec<u8>, pool: &Pool<'_>, rng: &mut Rng) {
    let (open, close) = rng.pick(NESTS);
    let depth = rng.zipf(DEEPEST) + 1;
    let mut nested = open.repeat(depth).into_bytes();
    nested.extend_from_slice(pool.piece(rng));
    nested.extend_from_slice(close.repeat((depth + rng.within(0..3)).saturating_sub(1)).as_bytes());
    if rng.one_in(3) {
        nested.truncate(open.len() * depth);
    }
    insert(text, place(text, rng), nested);
}

/// Makes a long line or many lines of a short piece.
fn lengthen(text: &mut Vec<u8>, pool: &Pool<'_>, rng: &mut Rng) {
    let piece = if rng.one_in(2) { sign(rng) } else { pool.piece(rng) };
    let piece = piece[..piece.len().min(64)].to_vec();
    let times = rng.zipf(DEEPEST) + 1;
    insert(text, place(text, rng), piece.repeat(times));
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = "fn a() {\n    b(1);\n}\n\nfn c() -> d {\n    \"e\"\n}\n";

    fn inputs(seed: u64) -> Vec<String> {
        let own = [OWN.as_bytes().to_vec()];
        let all = [OWN.as_bytes().to_vec(), b"def f():\n    pass\n".to_vec(), Vec::new()];
        let pool = Pool { own: &own, all: &all };
        let mut rng = Rng::new(seed);
        (0..2000).map(|_| pool.input(&mut rng)).collect()
    }

    #[test]
    fn one_seed_gives_one_sequence() {
        assert_eq!(inputs(1), inputs(1));
        assert_ne!(inputs(1), inputs(2));
    }

    #[test]
    fn inputs_are_near_the_fixtures_and_far_from_them() {
        let inputs = inputs(3);
        assert!(inputs.iter().all(|input| input.len() <= MAX_BYTES));
        let count = |is: &dyn Fn(&str) -> bool| inputs.iter().filter(|input| is(input)).count();
        assert!(count(&|input| input.contains("fn a() {\n")) > 500);
        assert!(count(&|input| input.contains("def f")) > 10);
        for hostile in ["\0", "\u{feff}", "\u{fffd}", "🎈", "\r", &"(".repeat(1000)] {
            assert!(count(&|input| input.contains(hostile)) > 0, "{hostile:?}");
        }
        assert!(count(&|input| input.lines().any(|line| line.len() > 10_000)) > 10);
        assert!(count(&|input| input == OWN) < 100);
    }
}
