//! Routes of Rails: `config/routes.rb` with its nested blocks.

use super::route::{http_method, is_route, joined_all};
use super::tokens::{Token, TokenKind};
use super::{Endpoint, Framework};

/// A block that is open, and what it puts in front.
struct Block {
    prefix: String,
    /// What members of a resource have in front of them.
    member: Option<String>,
    /// Whether its prefix stands for the one of the block around it.
    replaces: bool,
}

impl Block {
    fn plain(prefix: String) -> Self {
        Self { prefix, member: None, replaces: false }
    }
}

/// What all open blocks put in front.
fn prefixes(blocks: &[Block]) -> impl Iterator<Item = &str> {
    let is_replaced = |at: usize| blocks.get(at + 1).is_some_and(|inner| inner.replaces);
    let kept = blocks.iter().enumerate().filter(move |(at, _)| !is_replaced(*at));
    kept.map(|(_, block)| block.prefix.as_str())
}

const ALL: &[(&str, &str, &str)] = &[
    ("index", "GET", ""),
    ("create", "POST", ""),
    ("new", "GET", "new"),
    ("show", "GET", ":id"),
    ("edit", "GET", ":id/edit"),
    ("update", "PATCH", ":id"),
    ("destroy", "DELETE", ":id"),
];
const SINGULAR: &[(&str, &str, &str)] = &[
    ("create", "POST", ""),
    ("new", "GET", "new"),
    ("show", "GET", ""),
    ("edit", "GET", "edit"),
    ("update", "PATCH", ""),
    ("destroy", "DELETE", ""),
];

/// All routes of the file.
pub(super) fn routes(tokens: &[Token<'_>]) -> Vec<Endpoint> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut found = Vec::new();
    let mut next: Option<Block> = None;
    for (at, token) in tokens.iter().enumerate() {
        let is_mark = matches!(token.text, "do" | "end");
        if token.kind != TokenKind::Word || !(is_mark || is_first_of_line(tokens, at)) {
            continue;
        }
        let mut add = |method: &str, rest: &str, end: usize| {
            found.push(endpoint(&blocks, token, method, rest, end));
        };
        let line = statement(&tokens[at..]);
        match token.text {
            "do" => blocks.push(next.take().unwrap_or_else(|| Block::plain(String::new()))),
            "end" => drop(blocks.pop()),
            "if" | "unless" | "case" | "begin" | "def" | "class" | "module" if token.is_first => {
                blocks.push(Block::plain(String::new()));
            },
            "root" => add("GET", "", token.end),
            "resources" | "resource" => {
                let rows = if token.text == "resources" { ALL } else { SINGULAR };
                for name in names(line) {
                    let path = literal_of(line, "path").unwrap_or(name.text);
                    for (action, method, rest) in rows {
                        if takes_action(line, action) {
                            add(method, &super::route::joined(path, rest), name.end);
                        }
                    }
                    let prefix = if token.text == "resources" {
                        format!("{path}/:{}_id", singular(name.text))
                    } else {
                        path.to_owned()
                    };
                    next = Some(Block { prefix, member: Some(path.to_owned()), replaces: false });
                }
            },
            "namespace" | "scope" => {
                let name = names(line).first().map(|name| name.text);
                let prefix = literal_of(line, "path").or(name);
                next = Some(Block::plain(prefix.unwrap_or_default().to_owned()));
            },
            "member" | "collection" => {
                // Inside a resource these stand for its path with and without an id.
                let around = blocks.last().and_then(|block| block.member.clone());
                next = around.map(|name| within(name, token.text == "member"));
            },
            word => {
                let methods = methods_of(word, line);
                let literals = if methods.is_empty() { Vec::new() } else { names(line) };
                // `on: :member` is the same as a block of that name.
                let around = blocks.last().and_then(|block| block.member.clone());
                let on = option(line, "on").and_then(|value| value.get(1)).map(|name| name.text);
                let on =
                    around.filter(|_| on.is_some()).map(|name| within(name, on == Some("member")));
                let is_inside = on.is_some();
                blocks.extend(on);
                for literal in literals.into_iter().filter(|literal| is_route(literal.text)) {
                    for method in &methods {
                        found.push(endpoint(&blocks, token, method, literal.text, literal.end));
                    }
                }
                if is_inside {
                    blocks.pop();
                }
            },
        }
    }
    found
}

fn endpoint(blocks: &[Block], word: &Token<'_>, method: &str, rest: &str, end: usize) -> Endpoint {
    Endpoint {
        route: joined_all(prefixes(blocks), rest),
        method: method.to_owned(),
        framework: Framework::Rails,
        at: (word.at, end),
    }
}

/// What stands for a resource inside of it: its path with an id, or without.
fn within(name: String, is_member: bool) -> Block {
    let prefix = if is_member { format!("{name}/:id") } else { name };
    Block { prefix, member: None, replaces: true }
}

/// The methods of a statement that is a route: its word, or what `match` is told to take.
fn methods_of(word: &str, line: &[Token<'_>]) -> Vec<&'static str> {
    if word != "match" {
        return http_method(word).filter(|method| *method != "ANY").into_iter().collect();
    }
    let named = option(line, "via").map(words).unwrap_or_default();
    named.into_iter().filter_map(http_method).collect()
}

/// `category` of `categories`, as far as that is plain.
fn singular(name: &str) -> String {
    if let Some(stem) = name.strip_suffix("ies") {
        return format!("{stem}y");
    }
    let long = ["sses", "uses", "xes", "ches", "shes"].iter().any(|ending| name.ends_with(ending));
    let cut = if long { "es" } else { "s" };
    name.strip_suffix(cut).filter(|it| !it.ends_with('s') || long).unwrap_or(name).to_owned()
}

/// The tokens of a statement: up to its block, or to the next word that begins one.
fn statement<'a, 't>(tokens: &'a [Token<'t>]) -> &'a [Token<'t>] {
    const LONGEST: usize = 400;
    let tokens = &tokens[..tokens.len().min(LONGEST)];
    const BEGINS: [&str; 14] = [
        "resources",
        "resource",
        "get",
        "post",
        "put",
        "patch",
        "delete",
        "match",
        "namespace",
        "scope",
        "root",
        "member",
        "collection",
        "end",
    ];
    let rest = tokens.iter().skip(1);
    let end = rest.clone().zip(tokens).position(|(token, before)| {
        let begins = BEGINS.contains(&token.text) && !before.is(":") && !before.is(",");
        token.is_word("do") || (token.kind == TokenKind::Word && begins)
    });
    &tokens[..end.map_or(tokens.len(), |end| end + 1)]
}

/// Whether a word begins a statement: what is in front of it cannot go on.
fn is_first_of_line(tokens: &[Token<'_>], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|before| &tokens[before]) else { return true };
    !(before.is(".")
        || before.is(",")
        || before.is(":")
        || before.is("(")
        || before.is("=>")
        || before.is("="))
}

/// The names at the beginning of a statement: `:users, :posts` or `"users"`.
fn names<'a, 't>(line: &'a [Token<'t>]) -> Vec<&'a Token<'t>> {
    let mut names = Vec::new();
    let mut at = 1;
    if line.get(at).is_some_and(|token| token.is("(")) {
        at += 1;
    }
    while let Some(token) = line.get(at).filter(|_| !is_option(&line[at..])) {
        if token.kind == TokenKind::Literal {
            names.push(token);
            at += 1;
        } else if token.is(":") {
            let Some(name) = line.get(at + 1) else { break };
            names.push(name);
            at += 2;
        } else {
            break;
        }
        if !line.get(at).is_some_and(|token| token.is(",")) {
            break;
        }
        at += 1;
    }
    names
}

/// Whether an option begins here: `only: …` or `:only => …`.
fn is_option(tokens: &[Token<'_>]) -> bool {
    match tokens {
        [word, colon, ..] if word.kind == TokenKind::Word => colon.is(":"),
        [colon, _, arrow, ..] if colon.is(":") => arrow.is("=>"),
        _ => false,
    }
}

/// What follows the name of an option.
fn option<'a, 't>(line: &'a [Token<'t>], name: &str) -> Option<&'a [Token<'t>]> {
    let at = (1..line.len()).find(|at| {
        let rest = &line[*at..];
        let word = if rest[0].is(":") { rest.get(1) } else { rest.first() };
        is_option(rest) && word.is_some_and(|word| word.is_word(name))
    })?;
    let key = if line[at].is(":") { 3 } else { 2 };
    line.get(at + key..)
}

/// The literal that an option has.
fn literal_of<'t>(line: &[Token<'t>], name: &str) -> Option<&'t str> {
    let value = option(line, name)?.first()?;
    (value.kind == TokenKind::Literal).then_some(value.text)
}

/// The words of a value: `[:a, :b]`, `%i[a b]` or `:a`.
fn words<'t>(value: &[Token<'t>]) -> Vec<&'t str> {
    let is_list = value.first().is_some_and(|token| token.is("[") || token.is("%"));
    let taken = value.iter().take_while(|token| !token.is("]"));
    taken.take(if is_list { usize::MAX } else { 2 }).map(|token| token.text).collect()
}

/// What `only:` and `except:` leave.
fn takes_action(line: &[Token<'_>], action: &str) -> bool {
    let list = |name: &str| option(line, name).map(words);
    list("only").is_none_or(|only| only.contains(&action))
        && list("except").is_none_or(|except| !except.contains(&action))
}
