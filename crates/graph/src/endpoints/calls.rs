//! Routes that are calls with a literal: `router.get("/x", …)`, `Route::get('/x', …)`, `.route("/x", get(h))`, `path("x", …)`.

use std::collections::BTreeMap;

use super::route::{http_method, is_route, joined_all};
use super::routers::{inside, nested_routers, owner_of_chain, registered_bodies, router_of};
use super::tokens::{Token, TokenKind};
use super::{Endpoint, Framework};

/// Prefixes that hold for everything until a bracket closes.
struct Open {
    /// It ends where fewer brackets are open.
    depth: usize,
    /// Whether it goes on along a chain of calls and ends with it.
    is_chain: bool,
    prefix: String,
}

/// The routes of a framework that are calls.
pub(super) fn routes(
    tokens: &[Token<'_>],
    framework: Framework,
    is_imported: bool,
) -> Vec<Endpoint> {
    let bound = prefixes_of_names(tokens, framework);
    let is_fastify = framework == Framework::Fastify;
    let bodies = if is_fastify { registered_bodies(tokens) } else { BTreeMap::new() };
    let mut open: Vec<Open> = Vec::new();
    let mut found = Vec::new();
    let mut depth = 0usize;
    for at in 0..tokens.len() {
        let token = &tokens[at];
        match token.text {
            "(" | "{" | "[" if token.kind == TokenKind::Mark => depth += 1,
            ")" | "}" | "]" if token.kind == TokenKind::Mark => {
                depth = depth.saturating_sub(1);
                open.retain(|prefix| prefix.depth <= depth);
            },
            ";" if token.kind == TokenKind::Mark => {
                open.retain(|prefix| !prefix.is_chain || prefix.depth < depth);
            },
            _ => {},
        }
        if let Some(prefix) = bodies.get(&at) {
            open.push(Open { depth, is_chain: false, prefix: (*prefix).to_owned() });
        }
        let Some(call) = Call::at(tokens, at) else { continue };
        if let Some(prefix) = group_prefix(&call, framework) {
            // Some go on along their chain, others hold inside their call.
            let is_chain = matches!(framework, Framework::Actix | Framework::Laravel);
            let depth = depth + usize::from(!is_chain);
            open.push(Open { depth, is_chain, prefix: prefix.to_owned() });
            continue;
        }
        let router =
            if framework == Framework::Axum { router_of(tokens, at) } else { call.receiver };
        let own = router.and_then(|name| bound.get(name));
        let prefix = open.iter().map(|open| open.prefix.as_str()).chain(own.map(String::as_str));
        for (method, route) in routes_of_call(&call, framework, is_imported) {
            found.push(Endpoint {
                route: joined_all(prefix.clone(), &route),
                method,
                framework,
                at: (call.tokens[call.name].at, call.literal.end),
            });
        }
    }
    found
}

/// A call whose first argument is a literal.
pub(super) struct Call<'a, 't> {
    pub(super) tokens: &'a [Token<'t>],
    /// Place of its name.
    name: usize,
    /// The name in front of it: `app` of `app.get`.
    receiver: Option<&'t str>,
    /// Whether something stands in front of it that is no simple name.
    is_chained: bool,
    pub(super) literal: &'a Token<'t>,
    /// Place behind the literal.
    after: usize,
}

impl<'a, 't> Call<'a, 't> {
    pub(super) fn at(tokens: &'a [Token<'t>], name: usize) -> Option<Self> {
        if tokens[name].kind != TokenKind::Word {
            return None;
        }
        let open = name + 1 + type_arguments(&tokens[name + 1..]);
        if !tokens.get(open)?.is("(") {
            return None;
        }
        let literal = tokens.get(open + 1).filter(|token| token.kind == TokenKind::Literal)?;
        let before = name.checked_sub(1).map(|at| &tokens[at]);
        let is_member =
            before.is_some_and(|token| token.is(".") || token.is("::") || token.is("->"));
        let owner = name.checked_sub(2).map(|at| &tokens[at]).filter(|_| is_member);
        let receiver = owner.filter(|owner| owner.kind == TokenKind::Word).map(|owner| owner.text);
        let is_chained = is_member && receiver.is_none();
        Some(Self { tokens, name, receiver, is_chained, literal, after: open + 2 })
    }

    pub(super) fn word(&self) -> &'t str {
        self.tokens[self.name].text
    }

    fn has_more_arguments(&self) -> bool {
        self.tokens.get(self.after).is_some_and(|token| token.is(","))
    }

    /// The tokens of the other arguments.
    pub(super) fn arguments(&self) -> &'a [Token<'t>] {
        inside(&self.tokens[self.after..])
    }

    /// What is called on the result: names of a chain, as `get` and `post` of `app.route("/x").get(a).post(b)`.
    fn chain(&self) -> Vec<&'t str> {
        let mut names = Vec::new();
        let mut at = self.after + self.arguments().len() + 1;
        while let (Some(dot), Some(name), Some(open)) =
            (self.tokens.get(at), self.tokens.get(at + 1), self.tokens.get(at + 2))
        {
            if !(dot.is(".") || dot.is("->")) || name.kind != TokenKind::Word || !open.is("(") {
                break;
            }
            names.push(name.text);
            let rest = Self { tokens: self.tokens, after: at + 3, ..*self };
            at = rest.after + rest.arguments().len() + 1;
        }
        names
    }
}

/// How many tokens `<…>` takes in front of the brackets of a call.
fn type_arguments(tokens: &[Token<'_>]) -> usize {
    const LONGEST: usize = 60;
    if !tokens.first().is_some_and(|token| token.is("<")) {
        return 0;
    }
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().take(LONGEST) {
        if token.is("<") {
            depth += 1;
        } else if token.is(">") {
            depth -= 1;
            if depth == 0 {
                return at + 1;
            }
        } else if token.is(";") && depth == 1 && !tokens[1].is("{") {
            return 0;
        }
    }
    0
}

/// Methods and routes of a call; none where it is something else.
fn routes_of_call(
    call: &Call<'_, '_>,
    framework: Framework,
    is_imported: bool,
) -> Vec<(String, String)> {
    let route = call.literal.text;
    let one = |method: &str| vec![(method.to_owned(), route.to_owned())];
    let many = |methods: Vec<&str>| -> Vec<(String, String)> {
        let mut methods: Vec<&str> = methods.into_iter().filter_map(http_method).collect();
        methods.dedup();
        methods.iter().map(|method| ((*method).to_owned(), route.to_owned())).collect()
    };
    if !is_route(route) {
        return Vec::new();
    }
    let word = call.word();
    let method = http_method(word);
    let is_rooted = route.starts_with('/') || route == "*";
    match framework {
        Framework::Express | Framework::Fastify => {
            let owner = call.receiver.or_else(|| owner_of_chain(call.tokens, call.name));
            let is_router = owner.is_some_and(|name| is_router_name(name, is_imported));
            if !is_router || !is_rooted {
                return Vec::new();
            }
            match method {
                Some(method) if call.has_more_arguments() => one(method),
                _ if word == "route" && framework == Framework::Express => many(call.chain()),
                _ => Vec::new(),
            }
        },
        Framework::Gin | Framework::Echo => {
            let is_method = word == "Any" || (word.len() > 2 && word == word.to_uppercase());
            match method {
                Some(method) if is_method && call.has_more_arguments() => one(method),
                _ => with_method_first(call, &["Handle", "Add", "Match"]),
            }
        },
        Framework::Chi => {
            let is_method = word.starts_with(|c: char| c.is_ascii_uppercase())
                && word != word.to_uppercase()
                && call.receiver.is_some();
            match method {
                Some(method) if is_method && is_rooted && call.has_more_arguments() => one(method),
                _ if matches!(word, "Handle" | "HandleFunc") && is_rooted => one("ANY"),
                _ => with_method_first(call, &["Method", "MethodFunc"]),
            }
        },
        Framework::Axum => {
            if word != "route" || !call.is_chained && call.receiver.is_none() || !is_rooted {
                return Vec::new();
            }
            called_names(call.arguments()).map_or_else(Vec::new, many)
        },
        Framework::Actix => {
            let is_route_call = word == "route" && (call.is_chained || call.receiver.is_some());
            if is_route_call {
                return called_names(call.arguments()).map_or_else(Vec::new, many);
            }
            if word == "resource" && call.receiver == Some("web") {
                let handlers = rest_of_chain(call);
                let methods = called_names(handlers).unwrap_or_default();
                let known = many(methods);
                return if known.is_empty() { one("ANY") } else { known };
            }
            Vec::new()
        },
        Framework::Laravel => {
            if call.receiver != Some("Route") && !call.is_chained {
                return Vec::new();
            }
            match (call.receiver, method, word) {
                (Some(_), Some(method), _) if call.has_more_arguments() => one(method),
                (Some(_), _, "resource") => resource(route, RESOURCE),
                (Some(_), _, "apiResource") => resource(route, API_RESOURCE),
                (Some(_), _, "view" | "redirect") => one("GET"),
                _ => Vec::new(),
            }
        },
        Framework::Django => {
            let is_plain = call.receiver.is_none() && !call.is_chained;
            if is_plain && matches!(word, "path" | "re_path" | "url") && call.has_more_arguments() {
                // What is included has its routes elsewhere.
                let includes = call.arguments().iter().any(|token| token.is_word("include"));
                return if includes { Vec::new() } else { one("ANY") };
            }
            Vec::new()
        },
        Framework::AspNet => match word.strip_prefix("Map").and_then(http_method) {
            Some(method) if call.receiver.is_some() && call.has_more_arguments() => one(method),
            _ => Vec::new(),
        },
        Framework::NestJs
        | Framework::NextJs
        | Framework::Flask
        | Framework::FastApi
        | Framework::Spring
        | Framework::Rails
        | Framework::Rocket => Vec::new(),
    }
}

/// Routes of a call whose first argument is the method and whose second one is the route.
fn with_method_first(call: &Call<'_, '_>, names: &[&str]) -> Vec<(String, String)> {
    let second = call.tokens.get(call.after + 1).filter(|_| call.has_more_arguments());
    match (http_method(call.literal.text), second) {
        (Some(method), Some(route))
            if names.contains(&call.word())
                && route.kind == TokenKind::Literal
                && is_route(route.text) =>
        {
            vec![(method.to_owned(), route.text.to_owned())]
        },
        _ => Vec::new(),
    }
}

/// Names of functions called in tokens, `None` where nothing is called.
fn called_names<'t>(tokens: &[Token<'t>]) -> Option<Vec<&'t str>> {
    let pairs = tokens.windows(2);
    let names: Vec<&str> = pairs
        .filter(|pair| pair[0].kind == TokenKind::Word && pair[1].is("("))
        .map(|pair| pair[0].text)
        .collect();
    (!names.is_empty()).then_some(names)
}

/// The tokens from behind a call to the end of its chain.
fn rest_of_chain<'a, 't>(call: &Call<'a, 't>) -> &'a [Token<'t>] {
    let start = call.after + call.arguments().len() + 1;
    let rest = call.tokens.get(start..).unwrap_or_default();
    let mut depth = 0usize;
    for (at, token) in rest.iter().enumerate() {
        match token.text {
            "(" | "{" | "[" if token.kind == TokenKind::Mark => depth += 1,
            ")" | "}" | "]" if token.kind == TokenKind::Mark && depth == 0 => return &rest[..at],
            ")" | "}" | "]" if token.kind == TokenKind::Mark => depth -= 1,
            ";" | "," if token.kind == TokenKind::Mark && depth == 0 => return &rest[..at],
            _ => {},
        }
    }
    rest
}

const RESOURCE: &[(&str, &str)] = &[
    ("GET", ""),
    ("GET", "create"),
    ("POST", ""),
    ("GET", "{id}"),
    ("GET", "{id}/edit"),
    ("PUT", "{id}"),
    ("DELETE", "{id}"),
];
const API_RESOURCE: &[(&str, &str)] =
    &[("GET", ""), ("POST", ""), ("GET", "{id}"), ("PUT", "{id}"), ("DELETE", "{id}")];

fn resource(name: &str, rows: &[(&str, &str)]) -> Vec<(String, String)> {
    let row =
        |(method, rest): &(&str, &str)| ((*method).to_owned(), super::route::joined(name, rest));
    rows.iter().map(row).collect()
}

/// Whether a name is one that routers have. In a file that imports the framework, anything that is not clearly a client
/// or a table of values.
fn is_router_name(name: &str, is_imported: bool) -> bool {
    let lower = name.to_lowercase();
    let usual = ["app", "router", "routes", "server", "api", "fastify", "instance", "express"];
    let is_usual = usual.iter().any(|word| lower == *word || lower.ends_with(word));
    let others = [
        "axios",
        "http",
        "https",
        "client",
        "fetch",
        "request",
        "agent",
        "res",
        "req",
        "cache",
        "map",
        "params",
        "headers",
        "config",
        "store",
        "db",
        "redis",
        "superagent",
        "ky",
        "got",
    ];
    is_usual || (is_imported && !others.iter().any(|word| lower == *word || lower.ends_with(word)))
}

/// The literal of a call that puts something in front of all routes inside it.
fn group_prefix<'t>(call: &Call<'_, 't>, framework: Framework) -> Option<&'t str> {
    let is_group = match (framework, call.word()) {
        (Framework::Chi, "Route") => call.receiver.is_some(),
        (Framework::Axum, "nest") => call.has_more_arguments(),
        (Framework::Actix, "scope") => call.receiver == Some("web"),
        (Framework::Laravel, "prefix") => call.chain().contains(&"group"),
        _ => false,
    };
    is_group.then_some(call.literal.text)
}

/// What stands in front of the routes of a name: `v1 := r.Group("/v1")`, `app.use("/api", router)`.
fn prefixes_of_names<'t>(tokens: &[Token<'t>], framework: Framework) -> BTreeMap<&'t str, String> {
    if framework == Framework::Axum {
        return nested_routers(tokens);
    }
    let mut bound: BTreeMap<&str, String> = BTreeMap::new();
    for at in 0..tokens.len() {
        let Some(call) = Call::at(tokens, at) else { continue };
        let literal = call.literal.text;
        match (framework, call.word()) {
            (Framework::Gin | Framework::Echo, "Group") => {
                let Some(owner) = call.receiver else { continue };
                // `name := owner.Group("…")`
                let name = at.checked_sub(5).and_then(|first| {
                    let is_bound = tokens[first + 1].is(":") && tokens[first + 2].is("=");
                    is_bound.then(|| tokens[first].text)
                });
                let around = bound.get(owner).cloned().unwrap_or_default();
                if let Some(name) = name {
                    bound.insert(name, super::route::joined(&around, literal));
                }
            },
            (Framework::AspNet, "MapGroup") => {
                // `var name = owner.MapGroup("…")`
                let name = at.checked_sub(4).filter(|first| tokens[first + 1].is("="));
                let around = call.receiver.and_then(|owner| bound.get(owner)).cloned();
                if let Some(first) = name {
                    let prefix = super::route::joined(&around.unwrap_or_default(), literal);
                    bound.insert(tokens[first].text, prefix);
                }
            },
            (Framework::Express, "use") if literal.starts_with('/') => {
                let arguments = call.arguments();
                if let [.., comma, name] = arguments
                    && comma.is(",")
                    && name.kind == TokenKind::Word
                {
                    bound.insert(name.text, literal.to_owned());
                }
            },
            _ => {},
        }
    }
    bound
}
