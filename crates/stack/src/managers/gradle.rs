//! Gradle: the `plugins` and `dependencies` blocks of Groovy and Kotlin scripts, and `gradle.properties`.

use gik_base::FileKey;

use crate::declaration::{Declaration, Key, Namespace, Target, Template, last_word};
use crate::formats::tokens::{Comments, Token, labelled, statement, texts, tokens};
use crate::manager::Manager;
use crate::manifest::{Manifest, Reach};
use crate::scope::Scope;

pub(crate) fn claims(path: &FileKey) -> bool {
    let name = path.file_name();
    name == "gradle.properties" || name.ends_with(".gradle") || name.ends_with(".gradle.kts")
}

pub(crate) fn read(path: &FileKey, source: &str, manifest: &mut Manifest) {
    manifest.reach = Reach::Below;
    if path.file_name() == "gradle.properties" {
        read_properties(source, manifest);
        return;
    }
    manifest.manager = Some(Manager::Gradle);
    let tokens = tokens(source, Comments::Slashes);
    share_variables(&tokens, manifest);
    // The word that opened each block.
    let mut blocks: Vec<&str> = Vec::new();
    let mut head = None;
    for at in 0..tokens.len() {
        match tokens[at] {
            Token::Line | Token::Mark(';') => head = None,
            Token::Mark('{') => blocks.push(head.take().unwrap_or_default()),
            Token::Mark('}') => {
                blocks.pop();
                head = None;
            },
            Token::Word(word) if head.is_none() => {
                head = Some(word);
                let arguments = || statement(&tokens, at + 1);
                match blocks.last() {
                    Some(&"plugins") => read_plugin(word, arguments(), manifest),
                    Some(&"dependencies") => read_dependency(word, arguments(), manifest),
                    _ => {},
                }
            },
            // `"implementation"("group:name:1")`: a configuration that Kotlin has no accessor for.
            Token::Text(word) if head.is_none() => {
                head = Some(word);
                if blocks.last() == Some(&"dependencies") {
                    read_dependency(word, statement(&tokens, at + 1), manifest);
                }
            },
            Token::Word(_) | Token::Text(_) | Token::Mark(_) => {
                head = head.or(Some(""));
            },
        }
    }
}

fn read_properties(source: &str, manifest: &mut Manifest) {
    for line in source.lines() {
        if let Some((name, value)) = line.split_once('=')
            && !line.trim_start().starts_with(['#', '!'])
        {
            share(last_word(name.trim()), value.trim(), manifest);
        }
    }
}

fn share(name: &str, value: &str, manifest: &mut Manifest) {
    manifest.share(Key::new(Namespace::GradleProperty, name), holes(value));
}

/// `x = "1"`, `ext.x = '1'`, `[x: '1']`, `val x by extra("1")`, `extra["x"] = "1"`, `set("x", "1")`.
fn share_variables(tokens: &[Token<'_>], manifest: &mut Manifest) {
    for at in 0..tokens.len() {
        match tokens[at..] {
            [Token::Word(name), Token::Mark('=' | ':'), Token::Text(value), ..]
            | [
                Token::Word(name),
                Token::Word("by"),
                Token::Word("extra"),
                Token::Mark('('),
                Token::Text(value),
                ..,
            ]
            | [
                Token::Mark('['),
                Token::Text(name),
                Token::Mark(']'),
                Token::Mark('='),
                Token::Text(value),
                ..,
            ]
            | [
                Token::Word("set"),
                Token::Mark('('),
                Token::Text(name),
                Token::Mark(','),
                Token::Text(value),
                ..,
            ] => share(last_word(name), value, manifest),
            _ => {},
        }
    }
}

/// `id("x") version "1"`, `id 'x' version '1'`, `kotlin("jvm") version "1"`, `alias(libs.plugins.x)`.
fn read_plugin(word: &str, arguments: &[Token<'_>], manifest: &mut Manifest) {
    let mut found = texts(arguments);
    match (word, found.next()) {
        // Ids without a dot, such as `java`, are part of Gradle.
        ("id", Some(id)) if id.contains('.') => {
            declare(id, found.next().map(holes), Scope::Build, manifest);
        },
        ("kotlin", Some(part)) => {
            let name = format!("org.jetbrains.kotlin.{part}");
            declare(&name, found.next().map(holes), Scope::Build, manifest);
        },
        ("alias", None) => catalog_entries(arguments, Scope::Build, manifest),
        _ => {},
    }
}

fn read_dependency(word: &str, arguments: &[Token<'_>], manifest: &mut Manifest) {
    let mut scope = configuration_scope(word);
    let mut arguments = arguments;
    // `add("implementation", "group:name:1")`
    if word == "add"
        && let [Token::Mark('('), Token::Text(configuration), rest @ ..] = arguments
    {
        scope = configuration_scope(configuration);
        arguments = rest;
    }
    if let (Some(group), Some(name)) = (labelled(arguments, "group"), labelled(arguments, "name")) {
        let version = labelled(arguments, "version").map(holes);
        declare(&format!("{group}:{name}"), version, scope.unwrap_or(Scope::Runtime), manifest);
        return;
    }
    for at in 0..arguments.len() {
        match arguments[at..] {
            [Token::Word("kotlin"), Token::Mark('('), Token::Text(part), ..] => {
                let name = format!("org.jetbrains.kotlin:kotlin-{part}");
                declare(&name, None, scope.unwrap_or(Scope::Runtime), manifest);
            },
            [Token::Text(notation), ..] => {
                let mut parts = notation.split(':');
                let (Some(group), Some(name)) = (parts.next(), parts.next()) else { continue };
                // `:core` is a project of the same build, and text with spaces is no coordinate.
                if group.is_empty() || name.is_empty() || notation.contains(char::is_whitespace) {
                    continue;
                }
                let version = parts.next().map(|part| part.split('@').next().unwrap_or(part));
                let Some(scope) = scope.or(version.map(|_| Scope::Runtime)) else { continue };
                declare(&format!("{group}:{name}"), version.map(holes), scope, manifest);
            },
            _ => {},
        }
    }
    if let Some(scope) = scope {
        catalog_entries(arguments, scope, manifest);
    }
}

/// Words such as `libs.ktor.core`; which of them a catalog knows is seen when the inventory is made.
fn catalog_entries(arguments: &[Token<'_>], scope: Scope, manifest: &mut Manifest) {
    for token in arguments {
        if let Token::Word(word) = token
            && word.contains('.')
            && !word.starts_with('.')
        {
            let accessor = word.strip_suffix(".get").unwrap_or(word).to_owned();
            let target = Target::CatalogEntry { accessor };
            manifest.declarations.push(Declaration { target, scope });
        }
    }
}

/// The scope of a configuration; `None` when the word is no known configuration.
fn configuration_scope(word: &str) -> Option<Scope> {
    let lower = word.to_ascii_lowercase();
    let ends = |words: &[&str]| words.iter().any(|word| lower.ends_with(word));
    let is_processor =
        ends(&["annotationprocessor"]) || lower.starts_with("kapt") || lower.starts_with("ksp");
    let is_known = is_processor
        || ends(&[
            "implementation",
            "api",
            "compile",
            "compileonly",
            "compileonlyapi",
            "runtime",
            "runtimeonly",
            "classpath",
            "developmentonly",
            "provided",
            "providedcompile",
            "providedruntime",
            "corelibrarydesugaring",
            "detektplugins",
            "lintchecks",
            "minecraft",
            "modimplementation",
            "shadow",
        ]);
    if !is_known {
        return None;
    }
    Some(if lower.contains("test") {
        Scope::Test
    } else if lower.starts_with("debug") || ends(&["developmentonly", "detektplugins"]) {
        Scope::Dev
    } else if is_processor
        || lower.starts_with("provided")
        || ends(&["compileonly", "compileonlyapi", "classpath", "lintchecks"])
    {
        Scope::Build
    } else {
        Scope::Runtime
    })
}

fn declare(name: &str, version: Option<Template>, scope: Scope, manifest: &mut Manifest) {
    let version = version.unwrap_or_else(|| "*".into());
    manifest.depend(Manager::Gradle, holes(name), version, scope);
}

/// `${name}` and `$name`.
fn holes(text: &str) -> Template {
    if let Some((before, name)) = text.split_once('$')
        && !name.starts_with('{')
    {
        let end = name.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.'));
        let (name, rest) = name.split_at(end.unwrap_or(name.len()));
        return Template::with_holes(
            &format!("{before}${{{name}}}{rest}"),
            "${",
            '}',
            Namespace::GradleProperty,
        );
    }
    Template::with_holes(text, "${", '}', Namespace::GradleProperty)
}

#[cfg(test)]
mod tests {
    use crate::testing::{assert_lines, dependencies};

    #[test]
    fn groovy() {
        let files = [(
            "build.gradle",
            r#"
buildscript {
    ext.kotlin_version = '1.9.24'
    dependencies {
        classpath "org.jetbrains.kotlin:kotlin-gradle-plugin:$kotlin_version"
    }
}
plugins {
    id 'java'
    id 'org.springframework.boot' version '3.3.0'
}
def versions = [jackson: '2.17.1']
dependencies {
    implementation 'com.google.guava:guava:33.2.0-jre' // comment
    implementation "com.fasterxml.jackson.core:jackson-databind:${versions.jackson}"
    api group: 'org.slf4j', name: 'slf4j-api', version: '2.0.13'
    implementation project(':core')
    implementation platform('io.micronaut:micronaut-bom:4.4.0')
    compileOnly 'org.projectlombok:lombok:1.18.32'
    annotationProcessor 'org.projectlombok:lombok:1.18.32'
    runtimeOnly('org.postgresql:postgresql') {
        exclude group: 'org.bad', module: 'bad'
    }
    testImplementation 'org.junit.jupiter:junit-jupiter:5.10.2'
    developmentOnly 'org.springframework.boot:spring-boot-devtools'
    constraints { implementation 'not.a:dependency:1' }
}
"#,
        )];
        assert_lines(
            &dependencies(&files),
            r"
            gradle com.fasterxml.jackson.core:jackson-databind 2.17.1 runtime
            gradle com.google.guava:guava 33.2.0-jre runtime
            gradle io.micronaut:micronaut-bom 4.4.0 runtime
            gradle org.jetbrains.kotlin:kotlin-gradle-plugin 1.9.24 build
            gradle org.junit.jupiter:junit-jupiter 5.10.2 test
            gradle org.postgresql:postgresql * runtime
            gradle org.projectlombok:lombok 1.18.32 build
            gradle org.slf4j:slf4j-api 2.0.13 runtime
            gradle org.springframework.boot 3.3.0 build
            gradle org.springframework.boot:spring-boot-devtools * dev
        ",
        );
    }

    #[test]
    fn kotlin_with_a_version_catalog_and_properties() {
        let files = [
            (
                "gradle/libs.versions.toml",
                r#"
[versions]
ktor = "2.3.11"
kotlin = { strictly = "2.0.0" }
[libraries]
ktor-server-core = { module = "io.ktor:ktor-server-core", version.ref = "ktor" }
ktor_server_netty = { group = "io.ktor", name = "ktor-server-netty", version.ref = "ktor" }
junit = "org.junit.jupiter:junit-jupiter:5.10.2"
[bundles]
ktor = ["ktor-server-core", "ktor_server_netty"]
[plugins]
kotlin-jvm = { id = "org.jetbrains.kotlin.jvm", version.ref = "kotlin" }
"#,
            ),
            (
                "gradle.properties",
                r"
# versions
logback_version=1.5.6
",
            ),
            (
                "app/build.gradle.kts",
                r#"
plugins {
    alias(libs.plugins.kotlin.jvm)
    kotlin("plugin.serialization") version "2.0.0"
    `java-library`
}
dependencies {
    implementation(libs.bundles.ktor)
    testImplementation(libs.junit)
    implementation("ch.qos.logback:logback-classic:$logback_version")
    implementation(kotlin("stdlib"))
    implementation(libs.missing)
    "customConfig"("org.custom:thing:1.0")
    add("debugImplementation", "org.debug:tool:2.0")
}
"#,
            ),
        ];
        assert_lines(
            &dependencies(&files),
            r"
            gradle ch.qos.logback:logback-classic 1.5.6 runtime @ app/build.gradle.kts
            gradle io.ktor:ktor-server-core 2.3.11 runtime @ app/build.gradle.kts
            gradle io.ktor:ktor-server-netty 2.3.11 runtime @ app/build.gradle.kts
            gradle org.custom:thing 1.0 runtime @ app/build.gradle.kts
            gradle org.debug:tool 2.0 dev @ app/build.gradle.kts
            gradle org.jetbrains.kotlin.jvm 2.0.0 build @ app/build.gradle.kts
            gradle org.jetbrains.kotlin.plugin.serialization 2.0.0 build @ app/build.gradle.kts
            gradle org.jetbrains.kotlin:kotlin-stdlib * runtime @ app/build.gradle.kts
            gradle org.junit.jupiter:junit-jupiter 5.10.2 test @ app/build.gradle.kts
            ! app/build.gradle.kts: no version catalog has `libs.missing`
        ",
        );
    }
}
