//! Mix (Elixir): the `deps` function of `mix.exs`.

use gik_base::FileKey;

use crate::declaration::{git_version, path_version};
use crate::formats::tokens::{Comments, Token, after_label, bracketed, labelled, tokens};
use crate::manager::Manager;
use crate::manifest::Manifest;
use crate::scope::Scope;

pub(crate) fn claims(path: &FileKey) -> bool {
    path.file_name() == "mix.exs"
}

pub(crate) fn read(_: &FileKey, source: &str, manifest: &mut Manifest) {
    manifest.manager = Some(Manager::Mix);
    let tokens = tokens(source, Comments::Hash);
    let mut in_deps = false;
    for at in 0..tokens.len() {
        match tokens[at..] {
            [Token::Word("def" | "defp"), Token::Word(function), ..] => {
                in_deps = function == "deps" || function.ends_with("_deps");
            },
            [Token::Mark('{'), Token::Mark(':'), Token::Word(name), Token::Mark(','), ..]
                if in_deps =>
            {
                let arguments = bracketed(&tokens, at);
                let version = version(name, &arguments[arguments.len().min(3)..]);
                manifest.depend(Manager::Mix, name, version, scope(arguments));
            },
            _ => {},
        }
    }
}

fn version(name: &str, arguments: &[Token<'_>]) -> String {
    if let Some(Token::Text(version)) = arguments.first() {
        return (*version).to_owned();
    }
    let reference = ["tag", "ref", "branch"].into_iter().find_map(|key| labelled(arguments, key));
    if let Some(path) = labelled(arguments, "path") {
        path_version(path)
    } else if let Some(url) = labelled(arguments, "git") {
        git_version(url, reference)
    } else if let Some(repository) = labelled(arguments, "github") {
        git_version(&format!("github:{repository}"), reference)
    } else if is_true(arguments, "in_umbrella") {
        path_version(&format!("../{name}"))
    } else {
        "*".to_owned()
    }
}

fn scope(arguments: &[Token<'_>]) -> Scope {
    let mut environments: Vec<&str> = Vec::new();
    if let Some(only) = after_label(arguments, "only") {
        let listed = match only.first() {
            Some(Token::Mark('[')) => bracketed(only, 0),
            _ => &only[..only.len().min(2)],
        };
        environments.extend(listed.iter().filter_map(|token| match token {
            Token::Word(word) => Some(*word),
            Token::Text(_) | Token::Mark(_) | Token::Line => None,
        }));
    }
    if environments.contains(&"dev") {
        Scope::Dev
    } else if environments.contains(&"test") {
        Scope::Test
    } else if is_true(arguments, "optional") {
        Scope::Optional
    } else if matches!(after_label(arguments, "runtime"), Some([Token::Word("false"), ..])) {
        Scope::Build
    } else {
        Scope::Runtime
    }
}

fn is_true(arguments: &[Token<'_>], label: &str) -> bool {
    matches!(after_label(arguments, label), Some([Token::Word("true"), ..]))
}

#[cfg(test)]
mod tests {
    use crate::testing::{assert_lines, dependencies};

    #[test]
    fn options_say_place_and_scope() {
        let files = [(
            "mix.exs",
            r#"
defmodule App.MixProject do
  use Mix.Project

  def project do
    [app: :app, version: "0.1.0", deps: deps()]
  end

  def application do
    [mod: {App.Application, []}, extra_applications: [:logger]]
  end

  defp deps do
    [
      {:phoenix, "~> 1.7.14"},
      {:postgrex, ">= 0.0.0"},
      {:credo, "~> 1.7", only: [:dev, :test], runtime: false},
      {:floki, ">= 0.30.0", only: :test},
      {:esbuild, "~> 0.8", runtime: Mix.env() == :dev},
      {:heroicons, github: "tailwindlabs/heroicons", tag: "v2.1.1", app: false},
      {:core, in_umbrella: true},
      {:local, path: "../local"},
      {:maybe, "~> 1.0", optional: true}
      # {:gone, "~> 1.0"}
    ]
  end

  defp aliases do
    [setup: {:not_a_dependency, "1.0"}]
  end
end
"#,
        )];
        assert_lines(
            &dependencies(&files),
            r"
            mix core path:../core runtime
            mix credo ~> 1.7 dev
            mix esbuild ~> 0.8 runtime
            mix floki >= 0.30.0 test
            mix heroicons git:github:tailwindlabs/heroicons#v2.1.1 runtime
            mix local path:../local runtime
            mix maybe ~> 1.0 optional
            mix phoenix ~> 1.7.14 runtime
            mix postgrex >= 0.0.0 runtime
        ",
        );
    }
}
