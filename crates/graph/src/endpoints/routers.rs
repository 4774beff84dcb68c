//! Routers that are named, nested or registered elsewhere in the same file: what they put in front of their routes.

use std::collections::BTreeMap;

use super::calls::Call;
use super::route::http_method;
use super::tokens::{Token, TokenKind};

/// What `register(plugin, { prefix: "/v1" })` of Fastify puts in front of the routes of a function, by the place of the
/// bracket that opens its body.
pub(super) fn registered_bodies<'t>(tokens: &[Token<'t>]) -> BTreeMap<usize, &'t str> {
    let mut bodies = BTreeMap::new();
    // None where one function is registered twice.
    let mut named: BTreeMap<&str, Option<&str>> = BTreeMap::new();
    for at in 0..tokens.len() {
        let [word, open, first, second, ..] = &tokens[at..] else { break };
        if !word.is_word("register") || !open.is("(") {
            continue;
        }
        let Some(prefix) = prefix_of(inside(&tokens[at + 2..])) else { continue };
        if first.kind == TokenKind::Word && second.is(",") {
            named.entry(first.text).and_modify(|known| *known = None).or_insert(Some(prefix));
        } else if first.is("(") || first.is_word("async") || first.is_word("function") {
            bodies.extend(body_of(tokens, at + 2).map(|body| (body, prefix)));
        }
    }
    for (at, token) in tokens.iter().enumerate() {
        let Some(Some(prefix)) = named.get(token.text) else { continue };
        let is_declared = at > 0 && tokens[at - 1].is_word("function");
        let is_given = tokens.get(at + 1).is_some_and(|next| next.is("="));
        if is_declared || is_given {
            bodies.extend(body_of(tokens, at + 1).map(|body| (body, *prefix)));
        }
    }
    bodies
}

/// The literal of `prefix` in the last argument.
fn prefix_of<'t>(arguments: &[Token<'t>]) -> Option<&'t str> {
    let mut depth = 0usize;
    for (at, token) in arguments.iter().enumerate() {
        match token.text {
            "(" | "{" | "[" if token.kind == TokenKind::Mark => depth += 1,
            ")" | "}" | "]" if token.kind == TokenKind::Mark => depth = depth.saturating_sub(1),
            "prefix" if depth == 1 && arguments.get(at + 1).is_some_and(|it| it.is(":")) => {
                let literal = arguments.get(at + 2)?;
                return (literal.kind == TokenKind::Literal).then_some(literal.text);
            },
            _ => {},
        }
    }
    None
}

/// The place of the bracket that opens the body of the function that begins at or soon behind a place.
fn body_of(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    /// So many tokens may be in front of the parameters, and between them and the body.
    const NEAR: usize = 12;
    let open = at + tokens.get(at..)?.iter().take(NEAR).position(|token| token.is("("))?;
    let behind = open + 1 + inside(&tokens[open + 1..]).len() + 1;
    let mut rest = tokens.get(behind..)?.iter().take(NEAR);
    rest.position(|token| token.is("{")).map(|body| behind + body)
}

/// The tokens up to where a bracket closes that was opened before them.
pub(super) fn inside<'a, 't>(tokens: &'a [Token<'t>]) -> &'a [Token<'t>] {
    let mut depth = 1usize;
    for (at, token) in tokens.iter().enumerate() {
        if token.is("(") || token.is("{") || token.is("[") {
            depth += 1;
        } else if token.is(")") || token.is("}") || token.is("]") {
            depth -= 1;
            if depth == 0 {
                return &tokens[..at];
            }
        }
    }
    tokens
}

/// So far back is looked for where something begins.
const FAR: usize = 4000;

/// The place where a chain of calls begins that the call of this name goes on, of `x` in `x.get(…).post(…)`; none where
/// something else than wanted is called on the way.
fn start_of_chain(
    tokens: &[Token<'_>],
    mut name: usize,
    is_wanted: impl Fn(&str) -> bool,
) -> Option<usize> {
    let far = name.saturating_sub(FAR);
    while name >= 2 && (tokens[name - 1].is(".") || tokens[name - 1].is("::")) {
        let mut at = name - 2;
        let is_call = tokens[at].is(")");
        let mut depth = usize::from(is_call);
        while depth > 0 {
            at = at.checked_sub(1).filter(|at| *at > far)?;
            if tokens[at].is(")") {
                depth += 1;
            } else if tokens[at].is("(") {
                depth -= 1;
            }
        }
        name = at.checked_sub(usize::from(is_call))?;
        if tokens[name].kind != TokenKind::Word || is_call && !is_wanted(tokens[name].text) {
            return None;
        }
    }
    Some(name)
}

/// The name on which methods are called that add routes, one after the other.
pub(super) fn owner_of_chain<'t>(tokens: &[Token<'t>], name: usize) -> Option<&'t str> {
    let start = start_of_chain(tokens, name, |word| http_method(word).is_some())?;
    (start != name).then(|| tokens[start].text)
}

/// What a router of axum is known by: the name it is given, or that of the function that makes it.
pub(super) fn router_of<'t>(tokens: &[Token<'t>], name: usize) -> Option<&'t str> {
    let start = start_of_chain(tokens, name, |_| true)?;
    if let [.., given, equals] = &tokens[..start]
        && equals.is("=")
        && given.kind == TokenKind::Word
    {
        return Some(given.text);
    }
    let mut before = tokens[..start].windows(2).rev().take(FAR);
    before.find(|pair| pair[0].is_word("fn")).map(|pair| pair[1].text)
}

/// What stands in front of the routes of routers that others nest: `.nest("/users", users)`, `.nest("/users", users())`.
pub(super) fn nested_routers<'t>(tokens: &[Token<'t>]) -> BTreeMap<&'t str, String> {
    // The router that is nested, the prefix, and the router that nests it; none where several do.
    let mut nested: BTreeMap<&str, Option<(&str, Option<&str>)>> = BTreeMap::new();
    for at in 0..tokens.len() {
        let Some(call) = Call::at(tokens, at).filter(|call| call.word() == "nest") else {
            continue;
        };
        let name = match call.arguments() {
            [_, name] => name,
            [_, name, open, close] if open.is("(") && close.is(")") => name,
            _ => continue,
        };
        let by = (call.literal.text, router_of(tokens, at));
        nested.entry(name.text).and_modify(|known| *known = None).or_insert(Some(by));
    }
    let prefix = |name: &str| {
        let mut route = String::new();
        let mut next = Some(name);
        // A router cannot hold itself; a text can say so.
        for _ in 0..nested.len() {
            let Some(Some((prefix, by))) = next.and_then(|name| nested.get(name)) else { break };
            route = super::route::joined(prefix, &route);
            next = *by;
        }
        route
    };
    nested.keys().map(|name| (*name, prefix(name))).filter(|(_, it)| !it.is_empty()).collect()
}
