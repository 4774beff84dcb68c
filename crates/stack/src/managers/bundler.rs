//! Bundler (Ruby): `Gemfile`, `gems.rb` and `*.gemspec`.

use gik_base::FileKey;

use crate::declaration::{git_version, path_version};
use crate::formats::tokens::{
    Comments, Token, after_label, bracketed, labelled, statement, tokens,
};
use crate::manager::Manager;
use crate::manifest::Manifest;
use crate::scope::Scope;

pub(crate) fn claims(path: &FileKey) -> bool {
    matches!(path.file_name(), "Gemfile" | "gems.rb") || path.extension() == "gemspec"
}

pub(crate) fn read(_: &FileKey, source: &str, manifest: &mut Manifest) {
    manifest.manager = Some(Manager::Bundler);
    let tokens = tokens(source, Comments::Hash);
    // The scope each open block gives to the gems inside it.
    let mut blocks: Vec<Option<Scope>> = Vec::new();
    let mut block_scope = None;
    let mut at_line_start = true;
    for at in 0..tokens.len() {
        let Token::Word(word) = tokens[at] else {
            at_line_start = matches!(tokens[at], Token::Line | Token::Mark(';'));
            continue;
        };
        match word {
            "gem" if at_line_start => {
                let inherited = blocks.iter().rev().find_map(|scope| *scope);
                declare_gem(statement(&tokens, at + 1), inherited, manifest);
            },
            "group" if at_line_start => {
                block_scope = groups_scope(statement(&tokens, at + 1));
            },
            "do" => blocks.push(block_scope.take()),
            "if" | "unless" | "case" | "begin" | "def" | "while" if at_line_start => {
                blocks.push(None);
            },
            "end" => {
                blocks.pop();
            },
            _ => {
                if let Some((_, method)) = word.rsplit_once('.')
                    && let Some(scope) = gemspec_scope(method)
                {
                    declare_gem(statement(&tokens, at + 1), Some(scope), manifest);
                }
            },
        }
        at_line_start = false;
    }
}

fn gemspec_scope(method: &str) -> Option<Scope> {
    match method {
        "add_dependency" | "add_runtime_dependency" => Some(Scope::Runtime),
        "add_development_dependency" => Some(Scope::Dev),
        _ => None,
    }
}

fn declare_gem(arguments: &[Token<'_>], inherited: Option<Scope>, manifest: &mut Manifest) {
    let arguments = match arguments.first() {
        Some(Token::Mark('(')) => bracketed(arguments, 0),
        _ => arguments,
    };
    let Some((Token::Text(name), options)) = arguments.split_first() else { return };
    let own = ["group", "groups"].into_iter().find_map(|label| after_label(options, label));
    let scope = own.and_then(groups_scope).or(inherited).unwrap_or(Scope::Runtime);
    manifest.depend(Manager::Bundler, *name, version(options), scope);
}

/// The scope of a list of groups. Development wins over test: what is in both is there to work with.
fn groups_scope(tokens: &[Token<'_>]) -> Option<Scope> {
    let mut names = tokens.iter().filter_map(|token| match token {
        Token::Word(word) => Some(*word),
        Token::Text(text) => Some(*text),
        Token::Mark(_) | Token::Line => None,
    });
    let known: Vec<Scope> = names.by_ref().filter_map(Scope::from_group).collect();
    [Scope::Dev, Scope::Test, Scope::Build, Scope::Optional]
        .into_iter()
        .find(|scope| known.contains(scope))
}

fn version(options: &[Token<'_>]) -> String {
    if let Some(path) = labelled(options, "path") {
        return path_version(path);
    }
    let reference = ["tag", "ref", "branch"].into_iter().find_map(|key| labelled(options, key));
    if let Some(url) = labelled(options, "git") {
        return git_version(url, reference);
    }
    if let Some(repository) = labelled(options, "github") {
        return git_version(&format!("github:{repository}"), reference);
    }
    // Requirements are the texts before the first option, alone or in a list.
    let mut requirements = Vec::new();
    for token in options {
        match token {
            Token::Text(text) => requirements.push(*text),
            Token::Mark(',' | '[' | ']' | '(' | ')') | Token::Line => {},
            Token::Word(".freeze") => {},
            Token::Word(_) | Token::Mark(_) => break,
        }
    }
    if requirements.is_empty() { "*".to_owned() } else { requirements.join(", ") }
}

#[cfg(test)]
mod tests {
    use crate::testing::{assert_lines, dependencies};

    #[test]
    fn groups_and_places() {
        let files = [(
            "Gemfile",
            r#"
source "https://rubygems.org"

ruby "3.3.0"

gem "rails", "~> 7.1.3", ">= 7.1.3.2"
gem 'pg' # the database
gem "forked", git: "https://host/forked.git", branch: "main"
gem "local", path: "../local"
gem "hub", github: "a/hub"
gem "inline", group: :test, require: false
gem "both", groups: [:development, :test]

group :development, :test do
  gem "debug", platforms: %i[ mri windows ]
  if RUBY_VERSION > "3"
    gem "rspec-rails"
  end
end

group :test do
  gem "capybara"
end

gem "after"
"#,
        )];
        assert_lines(
            &dependencies(&files),
            r"
            bundler after * runtime
            bundler both * dev
            bundler capybara * test
            bundler debug * dev
            bundler forked git:https://host/forked.git#main runtime
            bundler hub git:github:a/hub runtime
            bundler inline * test
            bundler local path:../local runtime
            bundler pg * runtime
            bundler rails ~> 7.1.3, >= 7.1.3.2 runtime
            bundler rspec-rails * dev
        ",
        );
    }

    #[test]
    fn gemspecs() {
        let files = [(
            "app.gemspec",
            r#"
Gem::Specification.new do |spec|
  spec.name = "app"
  spec.add_dependency "zeitwerk", "~> 2.6"
  spec.add_runtime_dependency("rack".freeze, [">= 2.0", "< 4"])
  spec.add_development_dependency "rake"
end
"#,
        )];
        assert_lines(
            &dependencies(&files),
            r"
            bundler rack >= 2.0, < 4 runtime
            bundler rake * dev
            bundler zeitwerk ~> 2.6 runtime
        ",
        );
    }
}
