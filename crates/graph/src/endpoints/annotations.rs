//! Routes that stand above a function or class: decorators of Python and TypeScript, annotations of Java and Kotlin,
//! attributes of C# and Rust.

use std::collections::BTreeMap;

use super::route::{http_method, is_route, joined};
use super::tokens::{Token, TokenKind};
use super::{Endpoint, Framework};

/// `@app.get("/x")`, `@bp.route("/x", methods=["GET"])`.
pub(super) fn python(
    tokens: &[Token<'_>],
    framework: Framework,
    is_imported: bool,
) -> Vec<Endpoint> {
    let prefixes = python_prefixes(tokens);
    let mut found = Vec::new();
    for at in 0..tokens.len().saturating_sub(5) {
        let [mark, owner, dot, name, open, literal] = &tokens[at..at + 6] else { continue };
        let is_decorator = mark.is("@")
            && owner.kind == TokenKind::Word
            && dot.is(".")
            && name.kind == TokenKind::Word
            && open.is("(");
        if !is_decorator || literal.kind != TokenKind::Literal || !is_route(literal.text) {
            continue;
        }
        let usual = ["app", "router", "api", "bp", "blueprint", "server"];
        let is_usual = usual.iter().any(|word| owner.text.to_lowercase().ends_with(word));
        if !is_imported && !is_usual {
            continue;
        }
        let arguments = arguments(&tokens[at + 5..]);
        let methods: Vec<String> = match (name.text, framework) {
            ("route", Framework::Flask) => methods_argument(arguments, "GET"),
            ("api_route", Framework::FastApi) => methods_argument(arguments, "GET"),
            ("websocket", Framework::FastApi) => vec!["WEBSOCKET".to_owned()],
            (word, _) => match http_method(word) {
                Some(method) if word == word.to_lowercase() && method != "ANY" => {
                    vec![method.to_owned()]
                },
                _ => continue,
            },
        };
        let prefix = prefixes.get(owner.text).map_or("", String::as_str);
        for method in methods {
            found.push(Endpoint {
                route: joined(prefix, literal.text),
                method,
                framework,
                at: (mark.at, literal.end),
            });
        }
    }
    found
}

/// `bp = Blueprint("x", __name__, url_prefix="/x")`, `router = APIRouter(prefix="/x")`.
fn python_prefixes<'t>(tokens: &[Token<'t>]) -> BTreeMap<&'t str, String> {
    let mut prefixes = BTreeMap::new();
    for at in 0..tokens.len().saturating_sub(3) {
        let [name, equals, class, open] = &tokens[at..at + 4] else { continue };
        let makes_router = name.kind == TokenKind::Word
            && equals.is("=")
            && matches!(class.text, "Blueprint" | "APIRouter")
            && open.is("(");
        if !makes_router {
            continue;
        }
        for argument in arguments(&tokens[at + 4..]).windows(3) {
            let is_prefix = matches!(argument[0].text, "url_prefix" | "prefix")
                && argument[1].is("=")
                && argument[2].kind == TokenKind::Literal;
            if is_prefix {
                prefixes.insert(name.text, argument[2].text.to_owned());
            }
        }
    }
    prefixes
}

/// The literals of `methods=[…]`.
fn methods_argument(arguments: &[Token<'_>], otherwise: &str) -> Vec<String> {
    let named = arguments.windows(2).position(|pair| pair[0].is_word("methods") && pair[1].is("="));
    let Some(at) = named else { return vec![otherwise.to_owned()] };
    let list = arguments[at + 3..].iter().take_while(|token| !token.is("]") && !token.is(")"));
    let literals = list.filter(|token| token.kind == TokenKind::Literal);
    let methods: Vec<String> = literals.map(|token| token.text.to_uppercase()).collect();
    if methods.is_empty() { vec![otherwise.to_owned()] } else { methods }
}

/// The tokens up to the bracket that closes; the opening one is not among them.
fn arguments<'a, 't>(tokens: &'a [Token<'t>]) -> &'a [Token<'t>] {
    let mut depth = 1usize;
    for (at, token) in tokens.iter().enumerate() {
        if token.is("(") || token.is("[") || token.is("{") {
            depth += 1;
        } else if token.is(")") || token.is("]") || token.is("}") {
            depth -= 1;
            if depth == 0 {
                return &tokens[..at];
            }
        }
    }
    tokens
}

/// NestJS, Spring and ASP.NET: a class has a prefix, its methods have routes.
pub(super) fn classes(tokens: &[Token<'_>], framework: Framework) -> Vec<Endpoint> {
    let mut found = Vec::new();
    // Prefixes that wait for their class, and the one of the class that is open.
    let mut waiting: Option<Vec<String>> = None;
    let mut prefixes: Vec<String> = Vec::new();
    let mut pending: Vec<(String, Vec<String>, (usize, usize))> = Vec::new();
    let mut is_controller = framework == Framework::AspNet;
    let mut at = 0;
    while at < tokens.len() {
        let token = &tokens[at];
        if matches!(token.text, "class" | "interface" | "record") && token.kind == TokenKind::Word {
            let name = tokens.get(at + 1).map_or("", |name| name.text);
            prefixes = waiting.take().unwrap_or_default();
            for prefix in &mut prefixes {
                let short = name.strip_suffix("Controller").unwrap_or(name);
                *prefix = prefix.replace("[controller]", &short.to_lowercase());
            }
            pending.clear();
            at += 1;
            continue;
        }
        let Some((name, inside, end)) = annotation(tokens, at, framework) else {
            at += 1;
            continue;
        };
        let place = (token.at, inside.last().map_or(tokens[end - 1].end, |last| last.end));
        let routes = route_literals(inside);
        match role(name, framework) {
            Role::Prefix { is_controller: marks } => {
                // A class can have several of these, or one above a method that has one of its own.
                if name == "RequestMapping" && is_above_method(tokens, end) {
                    let method = request_method(inside);
                    pending.push((method, routes, place));
                } else {
                    let known = waiting.get_or_insert_default();
                    known.extend(routes);
                }
                is_controller |= marks;
            },
            Role::Method(method) => pending.push((method.to_owned(), routes, place)),
            Role::Other => {},
        }
        if is_controller {
            found.extend(flushed(&mut pending, &prefixes, framework));
        }
        at = end;
    }
    found
}

/// The routes that methods have below the prefixes of their class.
fn flushed(
    pending: &mut Vec<(String, Vec<String>, (usize, usize))>,
    prefixes: &[String],
    framework: Framework,
) -> Vec<Endpoint> {
    let mut found = Vec::new();
    let none = [String::new()];
    for (method, routes, at) in pending.drain(..) {
        let prefixes = if prefixes.is_empty() { &none } else { prefixes };
        let routes = if routes.is_empty() { none.to_vec() } else { routes };
        for prefix in prefixes {
            for route in &routes {
                // What begins with a slash stands for itself in ASP.NET.
                let is_whole = framework == Framework::AspNet && route.starts_with(['/', '~']);
                let prefix = if is_whole { "" } else { prefix };
                let route = joined(prefix, route.trim_start_matches('~'));
                found.push(Endpoint { route, method: method.clone(), framework, at });
            }
        }
    }
    found
}

enum Role {
    Prefix { is_controller: bool },
    Method(&'static str),
    Other,
}

fn role(name: &str, framework: Framework) -> Role {
    let method = if framework == Framework::NestJs {
        Some(name).filter(|name| name.starts_with(char::is_uppercase))
    } else if framework == Framework::Spring {
        name.strip_suffix("Mapping")
    } else {
        name.strip_prefix("Http")
    };
    match (name, framework) {
        ("Controller", Framework::NestJs) => Role::Prefix { is_controller: true },
        ("RestController" | "Controller" | "FeignClient", Framework::Spring) => {
            Role::Prefix { is_controller: name != "FeignClient" }
        },
        ("RequestMapping", Framework::Spring) | ("Route", Framework::AspNet) => {
            Role::Prefix { is_controller: false }
        },
        _ => method.and_then(http_method).map_or(Role::Other, Role::Method),
    }
}

/// `method = RequestMethod.POST` of Spring.
fn request_method(inside: &[Token<'_>]) -> String {
    let names = inside.windows(3);
    let mut methods = names
        .filter(|three| three[0].is_word("RequestMethod") && three[1].is("."))
        .map(|three| three[2].text.to_owned());
    methods.next().unwrap_or_else(|| "ANY".to_owned())
}

/// Literals that are routes: the first ones, or those of `value =` and `path =`.
fn route_literals(inside: &[Token<'_>]) -> Vec<String> {
    let mut routes = Vec::new();
    let mut name = "";
    for (at, token) in inside.iter().enumerate() {
        let is_named = inside.get(at + 1).is_some_and(|next| next.is("=") || next.is(":"));
        if token.kind == TokenKind::Word && is_named {
            name = token.text;
        }
        let is_route_argument = matches!(name, "" | "value" | "path" | "template");
        if token.kind == TokenKind::Literal && is_route_argument && is_route(token.text) {
            routes.push(token.text.to_owned());
        }
    }
    routes
}

/// An annotation that starts here: its name, what is in its brackets, and the place behind it.
fn annotation<'a, 't>(
    tokens: &'a [Token<'t>],
    at: usize,
    framework: Framework,
) -> Option<(&'t str, &'a [Token<'t>], usize)> {
    let mark = if framework == Framework::AspNet { "[" } else { "@" };
    // Attributes of C# may be lists: `[HttpGet, Route("x")]`.
    let is_next = framework == Framework::AspNet && tokens[at].is(",");
    if !tokens[at].is(mark) && !is_next {
        return None;
    }
    let name = tokens.get(at + 1).filter(|token| token.kind == TokenKind::Word)?;
    if matches!(role(name.text, framework), Role::Other) {
        return None;
    }
    let Some(open) = tokens.get(at + 2).filter(|token| token.is("(")) else {
        return Some((name.text, &[], at + 2));
    };
    debug_assert!(open.is("("), "checked above");
    let inside = arguments(&tokens[at + 3..]);
    Some((name.text, inside, (at + 4 + inside.len()).min(tokens.len())))
}

/// Whether what follows the annotations here is a method and no class.
fn is_above_method(tokens: &[Token<'_>], at: usize) -> bool {
    for token in tokens.iter().skip(at) {
        if token.kind == TokenKind::Word && matches!(token.text, "class" | "interface" | "record") {
            return false;
        }
        if token.is("{") || token.is(";") {
            return true;
        }
    }
    true
}

/// `#[get("/x")]` of Rocket and Actix Web.
pub(super) fn attributes(tokens: &[Token<'_>], framework: Framework) -> Vec<Endpoint> {
    let mut found = Vec::new();
    for at in 0..tokens.len().saturating_sub(4) {
        let [mark, open, name, ..] = &tokens[at..at + 5] else { continue };
        if !mark.is("#") || !open.is("[") || name.kind != TokenKind::Word {
            continue;
        }
        // `#[rocket::get("/x")]` and `#[actix_web::get("/x")]`.
        let (name, after) = match &tokens[at + 3] {
            colons if colons.is("::") => (&tokens[at + 4], at + 5),
            _ => (name, at + 3),
        };
        let literal = tokens.get(after + 1).filter(|token| token.kind == TokenKind::Literal);
        let (Some(method), Some(literal)) = (http_method(name.text), literal) else { continue };
        if tokens[after].is("(") && literal.text.starts_with('/') && is_route(literal.text) {
            // What Rocket writes behind a question mark is no part of the path.
            let route = literal.text.split('?').next().unwrap_or_default();
            found.push(Endpoint {
                route: joined("", route),
                method: method.to_owned(),
                framework,
                at: (mark.at, literal.end),
            });
        }
    }
    found
}
