//! Components, modules, services and routes of Angular.

use super::PartKind;

/// A class or route of Angular.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AngularPart {
    /// What it is.
    pub kind: PartKind,
    /// The name of the class, or the path of the route.
    pub name: String,
    /// Where its decorator or path begins.
    pub at: usize,
    /// Names of what a module declares, or of the component of a route.
    pub names: Vec<String>,
}

/// All parts of a file that imports Angular.
pub fn angular(text: &str) -> Vec<AngularPart> {
    let mut parts = Vec::new();
    if !text.contains("@angular/") {
        return parts;
    }
    for (mark, kind) in [
        ("@Component", PartKind::NgComponent),
        ("@NgModule", PartKind::NgModule),
        ("@Injectable", PartKind::NgService),
    ] {
        for (at, _) in text.match_indices(mark) {
            let rest = &text[at + mark.len()..];
            let Some(arguments) = rest.trim_start().strip_prefix('(').map(in_brackets) else {
                continue;
            };
            let Some(name) = class_after(&rest[arguments.len()..]) else { continue };
            let names = if kind == PartKind::NgModule {
                list_of(arguments, "declarations")
            } else {
                Vec::new()
            };
            parts.push(AngularPart { kind, name: name.to_owned(), at, names });
        }
    }
    if text.contains("@angular/router") {
        parts.extend(routes(text));
    }
    parts.sort_by(|a, b| (a.at, &a.name).cmp(&(b.at, &b.name)));
    parts
}

/// `{ path: 'users', component: Users }`.
fn routes(text: &str) -> Vec<AngularPart> {
    let mut routes = Vec::new();
    for (at, _) in text.match_indices("path:") {
        if text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let rest = text[at + "path:".len()..].trim_start();
        let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) else { continue };
        let Some(path) = rest[1..].split([quote, '\n']).next() else { continue };
        let after = &rest[(1 + path.len()).min(rest.len())..];
        let object = &after[..after.find(['{', '}']).unwrap_or(after.len())];
        let is_route =
            ["component:", "loadComponent:", "loadChildren:", "redirectTo:", "children:"]
                .iter()
                .any(|key| object.contains(key));
        if is_route {
            let component = object.split_once("component:").map(|(_, name)| first_word(name));
            routes.push(AngularPart {
                kind: PartKind::NgRoute,
                name: format!("/{path}"),
                at,
                names: component.filter(|name| !name.is_empty()).into_iter().collect(),
            });
        }
    }
    routes
}

/// What is inside a bracket that was just opened.
fn in_brackets(text: &str) -> &str {
    let mut depth = 1usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {},
        }
        if depth == 0 {
            return &text[..at];
        }
    }
    text
}

/// The name of the class that a decorator stands above.
fn class_after(text: &str) -> Option<&str> {
    let at = text.find("class ")?;
    // Another class begins in between, or the decorator stands above something else.
    if text[..at].contains(['{', ';']) && !text[..at].contains("export") {
        return None;
    }
    let name = text[at + "class ".len()..].trim_start();
    let length = name.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$')?;
    Some(&name[..length]).filter(|name| !name.is_empty())
}

/// Names in `key: [A, B]`.
fn list_of(text: &str, key: &str) -> Vec<String> {
    let Some(at) = text.find(key) else { return Vec::new() };
    let rest = &text[at + key.len()..];
    let Some(list) = rest.trim_start().strip_prefix(':') else { return Vec::new() };
    let Some(list) = list.trim_start().strip_prefix('[') else { return Vec::new() };
    let inside = &list[..list.find(']').unwrap_or(list.len())];
    inside.split(',').map(first_word).filter(|name| !name.is_empty()).collect()
}

fn first_word(text: &str) -> String {
    let text = text.trim_start();
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    text[..text.find(|c| !is_word(c)).unwrap_or(text.len())].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_and_routes_of_angular_are_told() {
        let text = "import { Component, NgModule } from '@angular/core';\n\
            import { Routes } from '@angular/router';\n\
            @Component({ selector: 'app-users', template: '<p>(x)</p>' })\n\
            export class UsersComponent {}\n\
            @Injectable({ providedIn: 'root' })\nexport class Users {}\n\
            const routes: Routes = [{ path: 'users', component: UsersComponent }];\n\
            @NgModule({ declarations: [UsersComponent, Other], imports: [X] })\n\
            export class AppModule {}\n";
        let told: Vec<(PartKind, String, usize)> =
            angular(text).into_iter().map(|it| (it.kind, it.name, it.names.len())).collect();
        assert_eq!(
            told,
            [
                (PartKind::NgComponent, "UsersComponent".to_owned(), 0),
                (PartKind::NgService, "Users".to_owned(), 0),
                (PartKind::NgRoute, "/users".to_owned(), 1),
                (PartKind::NgModule, "AppModule".to_owned(), 2),
            ]
        );
        assert!(angular("@Component({}) class A {}").is_empty());
        for text in ["@angular/ @Component(", "@angular/router path:'", "@angular/ @NgModule({x"] {
            drop(angular(text));
        }
    }
}
