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
        if token.kind != TokenKind::Word {
            continue;
        }
        let mut add = |method: &str, rest: &str, end: usize| {
            found.push(Endpoint {
                route: joined_all(prefixes(&blocks), rest),
                method: method.to_owned(),
                framework: Framework::Rails,
                at: (token.at, end),
            });
        };
        let line = statement(&tokens[at..]);
        match token.text {
            "do" => blocks.push(next.take().unwrap_or_else(|| Block::plain(String::new()))),
            "end" => drop(blocks.pop()),
            "if" | "unless" | "case" | "begin" | "def" | "class" | "module"
                if is_first_of_line(tokens, at) =>
            {
                blocks.push(Block::plain(String::new()));
            },
            "root" if is_first_of_line(tokens, at) => add("GET", "", token.end),
            "resources" | "resource" => {
                let rows = if token.text == "resources" { ALL } else { SINGULAR };
                for name in names(line) {
                    for (action, method, rest) in rows {
                        if takes_action(line, action) {
                            let route = super::route::joined(name.text, rest);
                            add(method, &route, name.end);
                        }
                    }
                    let id = if token.text == "resources" {
                        format!("{}/:{}_id", name.text, name.text.trim_end_matches('s'))
                    } else {
                        name.text.to_owned()
                    };
                    next = Some(Block {
                        prefix: id,
                        member: Some(name.text.to_owned()),
                        replaces: false,
                    });
                }
            },
            "namespace" | "scope" => {
                let prefix = names(line).first().map(|name| name.text.to_owned());
                next = Some(Block::plain(prefix.unwrap_or_default()));
            },
            "member" | "collection" => {
                // Inside a resource these stand for its path with and without an id.
                let around = blocks.last().and_then(|block| block.member.clone());
                next = around.map(|name| Block {
                    prefix: if token.text == "member" { format!("{name}/:id") } else { name },
                    member: None,
                    replaces: true,
                });
            },
            word => {
                let method = http_method(word).filter(|method| *method != "ANY");
                let literal = names(line).first().copied();
                if let (Some(method), Some(literal)) = (method, literal)
                    && is_first_of_line(tokens, at)
                    && is_route(literal.text)
                {
                    add(method, literal.text, literal.end);
                }
            },
        }
    }
    found
}

/// The tokens of a statement: up to its block, or to the next word that begins one.
fn statement<'a, 't>(tokens: &'a [Token<'t>]) -> &'a [Token<'t>] {
    const BEGINS: [&str; 13] = [
        "resources",
        "resource",
        "get",
        "post",
        "put",
        "patch",
        "delete",
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
    while let Some(token) = line.get(at) {
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
        // `only: […]` is no name.
        if line.get(at + 1).is_some_and(|token| token.is(":")) {
            break;
        }
    }
    names
}

/// What `only:` and `except:` leave.
fn takes_action(line: &[Token<'_>], action: &str) -> bool {
    let list = |word: &str| {
        let at = line.windows(2).position(|pair| pair[0].is_word(word) && pair[1].is(":"))?;
        let rest = &line[at + 2..];
        let is_list = rest.first().is_some_and(|token| token.is("[") || token.is("%"));
        let taken = rest.iter().take_while(|token| !token.is("]"));
        let count = if is_list { usize::MAX } else { 2 };
        let words: Vec<&str> = taken.take(count).map(|token| token.text).collect();
        Some(words)
    };
    list("only").is_none_or(|only| only.contains(&action))
        && list("except").is_none_or(|except| !except.contains(&action))
}
