//! Swift packages: the `.package(…)` entries of `Package.swift`.

use gik_base::FileKey;

use crate::declaration::{git_version, path_version};
use crate::formats::tokens::{Comments, Token, bracketed, labelled, texts, tokens};
use crate::manager::Manager;
use crate::manifest::Manifest;
use crate::scope::Scope;

pub(crate) fn claims(path: &FileKey) -> bool {
    // `Package@swift-5.9.swift` says the same for another compiler.
    path.file_name() == "Package.swift"
}

pub(crate) fn read(_: &FileKey, source: &str, manifest: &mut Manifest) {
    manifest.manager = Some(Manager::Swiftpm);
    let tokens = tokens(source, Comments::Slashes);
    for (at, token) in tokens.iter().enumerate() {
        if !matches!(token, Token::Word(".package" | "Package.Dependency.package")) {
            continue;
        }
        let arguments = bracketed(&tokens, at + 1);
        let place = ["url", "id", "path"].map(|label| labelled(arguments, label));
        let (identity, version) = match place {
            [Some(url), ..] => (last_part(url), remote_version(arguments, url)),
            [None, Some(id), _] => (id, remote_version(arguments, id)),
            [None, None, Some(path)] => (last_part(path), path_version(path)),
            // `.package` of another meaning, such as the access level.
            [None, None, None] => continue,
        };
        let name = labelled(arguments, "name").unwrap_or(identity);
        manifest.depend(Manager::Swiftpm, name, version, Scope::Runtime);
    }
}

fn last_part(url: &str) -> &str {
    let url = url.trim_end_matches('/');
    let part = url.rsplit(['/', ':']).next().unwrap_or(url);
    part.strip_suffix(".git").unwrap_or(part)
}

/// The version in any of its spellings: `from: "1"`, `.upToNextMajor(from: "1")`, `exact: "1"`, `"1"..<"2"`,
/// `branch: "main"`, `.revision("abc")`.
fn remote_version(arguments: &[Token<'_>], url: &str) -> String {
    for reference in ["branch", "revision"] {
        let called = arguments.windows(3).find_map(|window| match window {
            [Token::Word(word), Token::Mark('('), Token::Text(text)]
                if word.strip_prefix('.') == Some(reference) =>
            {
                Some(*text)
            },
            _ => None,
        });
        if let Some(reference) = labelled(arguments, reference).or(called) {
            return git_version(url, Some(reference));
        }
    }
    if let Some(least) = labelled(arguments, "from") {
        return least.to_owned();
    }
    let named = [Some(url), labelled(arguments, "name")];
    let mut versions = texts(arguments).filter(|text| !named.contains(&Some(text)));
    match (versions.next(), versions.next()) {
        (Some(least), Some(most)) => {
            let is_open = arguments.contains(&Token::Mark('<'));
            format!("{least}{}{most}", if is_open { "..<" } else { "..." })
        },
        (Some(exact), None) => exact.to_owned(),
        (None, _) => "*".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{assert_lines, dependencies};

    #[test]
    fn versions_in_all_spellings() {
        let files = [(
            "Package.swift",
            r#"
// swift-tools-version:5.9
import PackageDescription

let package = Package(
    name: "App",
    dependencies: [
        .package(url: "https://github.com/vapor/vapor.git", from: "4.92.0"),
        .package(url: "https://github.com/apple/swift-nio", .upToNextMajor(from: "2.60.0")),
        .package(url: "https://github.com/Alamofire/Alamofire", exact: "5.9.1"),
        .package(url: "https://github.com/a/ranged", "1.0.0"..<"2.0.0"),
        .package(url: "git@github.com:a/branched.git", branch: "main"),
        .package(url: "https://github.com/a/old", .revision("abc123")),
        .package(name: "Local", path: "../Local"),
        .package(id: "mona.LinkedList", from: "1.1.0"),
        // .package(url: "https://github.com/a/no", from: "1.0.0"),
    ],
    targets: [.target(name: "App", dependencies: [.product(name: "Vapor", package: "vapor")])]
)
"#,
        )];
        assert_lines(
            &dependencies(&files),
            r"
            swiftpm Alamofire 5.9.1 runtime
            swiftpm Local path:../Local runtime
            swiftpm branched git:git@github.com:a/branched.git#main runtime
            swiftpm mona.LinkedList 1.1.0 runtime
            swiftpm old git:https://github.com/a/old#abc123 runtime
            swiftpm ranged 1.0.0..<2.0.0 runtime
            swiftpm swift-nio 2.60.0 runtime
            swiftpm vapor 4.92.0 runtime
        ",
        );
    }
}
