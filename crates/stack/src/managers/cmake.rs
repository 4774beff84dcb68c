//! CMake: `find_package`, `pkg_check_modules`, `FetchContent_Declare`, `CPMAddPackage`, `ExternalProject_Add` in
//! `CMakeLists.txt` and included scripts. Modules that *find* a package are not read: they describe, not depend.

use gik_base::FileKey;

use crate::declaration::{Key, Namespace, Template, git_version};
use crate::manager::Manager;
use crate::manifest::{Manifest, Reach};
use crate::scope::Scope;

pub(crate) fn claims(path: &FileKey) -> bool {
    let name = path.file_name();
    let is_finder = name.starts_with("Find")
        || ["Config.cmake", "-config.cmake"].iter().any(|end| name.ends_with(end));
    name == "CMakeLists.txt" || (path.extension() == "cmake" && !is_finder)
}

pub(crate) fn read(path: &FileKey, source: &str, manifest: &mut Manifest) {
    if path.file_name() == "CMakeLists.txt" {
        manifest.manager = Some(Manager::Cmake);
        manifest.reach = Reach::Below;
    }
    for (command, arguments) in commands(source) {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        match (command.to_ascii_lowercase().as_str(), arguments.as_slice()) {
            ("set", [name, value, ..]) => {
                manifest.share(Key::new(Namespace::CmakeVariable, *name), template(value));
            },
            ("find_package" | "find_dependency", [name, options @ ..]) => {
                find_package(name, options, command == "find_dependency", manifest);
            },
            ("pkg_check_modules" | "pkg_search_module", [_, options @ ..]) => {
                pkg_config(options, manifest);
            },
            ("fetchcontent_declare", [name, options @ ..]) => {
                declare(name, remote_version(options), Scope::Runtime, manifest);
            },
            ("externalproject_add", [name, options @ ..]) => {
                declare(name, remote_version(options), Scope::Build, manifest);
            },
            ("cpmaddpackage" | "cpmfindpackage", [short]) => cpm_short(short, manifest),
            ("cpmaddpackage" | "cpmfindpackage", options) => {
                if let Some(name) = after(options, "NAME") {
                    declare(name, remote_version(options), Scope::Runtime, manifest);
                }
            },
            _ => {},
        }
    }
}

fn find_package(name: &str, options: &[&str], is_dependency: bool, manifest: &mut Manifest) {
    let is_required = is_dependency || options.contains(&"REQUIRED");
    let version = options
        .first()
        .filter(|first| first.starts_with(|c: char| c.is_ascii_digit()) || first.starts_with("${"));
    let scope = if is_required { Scope::Runtime } else { Scope::Optional };
    declare(name, version.map_or("*", |version| version).to_owned(), scope, manifest);
}

fn pkg_config(options: &[&str], manifest: &mut Manifest) {
    const WORDS: &[&str] = &[
        "REQUIRED",
        "QUIET",
        "IMPORTED_TARGET",
        "GLOBAL",
        "NO_CMAKE_PATH",
        "NO_CMAKE_ENVIRONMENT_PATH",
    ];
    let is_required = options.contains(&"REQUIRED");
    let scope = if is_required { Scope::Runtime } else { Scope::Optional };
    for module in options.iter().filter(|option| !WORDS.contains(option)) {
        let end = module.find(['<', '>', '=']).unwrap_or(module.len());
        let version = if end < module.len() { &module[end..] } else { "*" };
        declare(&module[..end], version.to_owned(), scope, manifest);
    }
}

/// `gh:user/name@1.2` or `gh:user/name#tag`.
fn cpm_short(short: &str, manifest: &mut Manifest) {
    let end = short.find(['@', '#']).unwrap_or(short.len());
    let (source, version) = short.split_at(end);
    let name = source.rsplit(['/', ':']).next().unwrap_or(source);
    let version = match version.strip_prefix('@') {
        Some(version) => version.to_owned(),
        None => git_version(source, version.strip_prefix('#')),
    };
    declare(name, version, Scope::Runtime, manifest);
}

fn remote_version(options: &[&str]) -> String {
    if let Some(version) = after(options, "VERSION") {
        return version.to_owned();
    }
    let reference = after(options, "GIT_TAG");
    if let Some(url) = after(options, "GIT_REPOSITORY") {
        git_version(url, reference)
    } else if let Some(repository) = after(options, "GITHUB_REPOSITORY") {
        git_version(&format!("github:{repository}"), reference)
    } else if let Some(url) = after(options, "URL") {
        format!("url:{url}")
    } else {
        "*".to_owned()
    }
}

fn after<'a>(options: &[&'a str], word: &str) -> Option<&'a str> {
    let at = options.iter().position(|option| *option == word)?;
    options.get(at + 1).copied()
}

fn declare(name: &str, version: String, scope: Scope, manifest: &mut Manifest) {
    manifest.depend(Manager::Cmake, template(name), template(&version), scope);
}

fn template(text: &str) -> Template {
    Template::with_holes(text, "${", '}', Namespace::CmakeVariable)
}

/// Every `name(arguments…)` in the text, comments and quotes removed. Inner brackets are arguments like any other.
fn commands(source: &str) -> Vec<(&str, Vec<String>)> {
    let mut commands = Vec::new();
    let mut rest = source;
    while let Some(start) = rest.find(|c: char| c == '#' || c.is_ascii_alphabetic() || c == '_') {
        rest = &rest[start..];
        if rest.starts_with('#') {
            rest = &rest[comment_length(rest)..];
            continue;
        }
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        rest = after;
        if let Some(inside) = after.trim_start_matches([' ', '\t']).strip_prefix('(') {
            let (found, length) = arguments(inside);
            commands.push((name, found));
            rest = &inside[length..];
        }
    }
    commands
}

fn comment_length(rest: &str) -> usize {
    let close = if rest.starts_with("#[[") { "]]" } else { "\n" };
    rest.find(close).map_or(rest.len(), |end| end + close.len())
}

/// The arguments up to the closing bracket, and how long they are with it.
fn arguments(inside: &str) -> (Vec<String>, usize) {
    let mut found = Vec::new();
    let mut current = String::new();
    let mut depth = 0usize;
    let mut quoted = false;
    let mut chars = inside.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => quoted = !quoted,
            '\\' if quoted => current.extend(chars.next().map(|(_, escaped)| escaped)),
            _ if quoted => current.push(c),
            '#' => {
                let length = comment_length(&inside[at..]);
                while chars.clone().next().is_some_and(|(next, _)| next < at + length) {
                    chars.next();
                }
                take(&mut current, &mut found);
            },
            '(' => depth += 1,
            ')' if depth == 0 => {
                take(&mut current, &mut found);
                return (found, at + 1);
            },
            ')' => depth -= 1,
            _ if c.is_whitespace() || c == ';' => take(&mut current, &mut found),
            _ => current.push(c),
        }
    }
    take(&mut current, &mut found);
    (found, inside.len())
}

fn take(current: &mut String, found: &mut Vec<String>) {
    if !current.is_empty() {
        found.push(std::mem::take(current));
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{assert_lines, dependencies};

    #[test]
    fn every_way_to_depend() {
        let files = [(
            "CMakeLists.txt",
            r#"
cmake_minimum_required(VERSION 3.24)
project(app VERSION 1.0)
set(FMT_VERSION 10.2.1) # shared
find_package(Boost 1.83 REQUIRED COMPONENTS system)
find_package(OpenSSL)
#[[ find_package(Nothing REQUIRED) ]]
if(USE_GL)
  find_package(glfw3 3.3 REQUIRED) # comment )
endif()
pkg_check_modules(GTK REQUIRED IMPORTED_TARGET gtk4>=4.10 cairo)
include(FetchContent)
FetchContent_Declare(
  googletest # tests
  GIT_REPOSITORY https://github.com/google/googletest.git
  GIT_TAG        v1.14.0
)
FetchContent_Declare(fmt URL "https://host/fmt-${FMT_VERSION}.zip")
CPMAddPackage("gh:nlohmann/json@3.11.3")
CPMAddPackage(NAME spdlog GITHUB_REPOSITORY gabime/spdlog VERSION 1.13.0)
foreach(lib a b)
  find_package(${lib} REQUIRED)
endforeach()
"#,
        )];
        assert_lines(
            &dependencies(&files),
            r"
            cmake Boost 1.83 runtime
            cmake OpenSSL * optional
            cmake cairo * runtime
            cmake fmt url:https://host/fmt-10.2.1.zip runtime
            cmake glfw3 3.3 runtime
            cmake googletest git:https://github.com/google/googletest.git#v1.14.0 runtime
            cmake gtk4 >=4.10 runtime
            cmake json 3.11.3 runtime
            cmake spdlog 1.13.0 runtime
        ",
        );
    }
}
