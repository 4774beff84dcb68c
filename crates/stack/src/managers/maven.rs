//! Maven: `pom.xml`. Properties and managed versions come from the file itself and from the parents it names.

use gik_base::FileKey;
use roxmltree::Node;

use crate::declaration::{Key, Namespace, Template};
use crate::formats::xml::{child_text, children, descend, document};
use crate::manager::Manager;
use crate::manifest::Manifest;
use crate::scope::Scope;

pub(crate) fn claims(path: &FileKey) -> bool {
    path.file_name() == "pom.xml"
}

pub(crate) fn read(_: &FileKey, source: &str, manifest: &mut Manifest) -> Result<(), String> {
    manifest.manager = Some(Manager::Maven);
    let document = document(source)?;
    let project = document.root_element();
    let pom = Pom::of(project);
    pom.share_properties(manifest);
    pom.read_parent(manifest);
    let profiles = descend(project, &["profiles", "profile"]);
    for part in std::iter::once(project).chain(profiles) {
        for managed in descend(part, &["dependencyManagement", "dependencies", "dependency"]) {
            pom.manage(managed, manifest);
        }
        for dependency in descend(part, &["dependencies", "dependency"]) {
            pom.depend(dependency, manifest);
        }
        for plugin in descend(part, &["build", "pluginManagement", "plugins", "plugin"]) {
            if let Some(version) = child_text(plugin, "version") {
                let key = Key::new(Namespace::MavenPlugin, pom.plugin_name(plugin));
                manifest.share(key, holes(version));
            }
        }
        for plugin in descend(part, &["build", "plugins", "plugin"]) {
            let name = pom.plugin_name(plugin);
            let version = match child_text(plugin, "version") {
                Some(version) => holes(version),
                None => Template::lookup(Key::new(Namespace::MavenPlugin, name.clone()), "*"),
            };
            manifest.depend(Manager::Maven, holes(&name), version, Scope::Build);
        }
    }
    Ok(())
}

/// The project element with its own coordinates.
struct Pom<'a> {
    project: Node<'a, 'a>,
    parent: Option<Node<'a, 'a>>,
    group: &'a str,
}

impl<'a> Pom<'a> {
    fn of(project: Node<'a, 'a>) -> Self {
        let parent = children(project, "parent").next();
        let inherited = parent.and_then(|parent| child_text(parent, "groupId"));
        let group = child_text(project, "groupId").or(inherited).unwrap_or_default();
        Self { project, parent, group }
    }

    fn share_properties(&self, manifest: &mut Manifest) {
        let mut share = |name: &str, value: &str| {
            manifest.share(Key::new(Namespace::MavenProperty, name), holes(value));
        };
        let inherited = self.parent.and_then(|parent| child_text(parent, "version"));
        if let Some(version) = child_text(self.project, "version").or(inherited) {
            for name in ["project.version", "pom.version", "version"] {
                share(name, version);
            }
        }
        if let Some(version) = inherited {
            share("project.parent.version", version);
        }
        for name in ["project.groupId", "pom.groupId", "groupId"] {
            share(name, self.group);
        }
        for property in children(self.project, "properties").flat_map(|list| list.children()) {
            if property.is_element() {
                share(property.tag_name().name(), property.text().unwrap_or_default().trim());
            }
        }
    }

    /// A parent of another group is not part of this project: it is a dependency of the build.
    fn read_parent(&self, manifest: &mut Manifest) {
        let Some(parent) = self.parent else { return };
        let path = children(parent, "relativePath").next();
        manifest.parent = match path.map(|path| path.text().unwrap_or_default().trim()) {
            None => Some("../pom.xml".to_owned()),
            Some("") => None,
            Some(path) if path.ends_with(".xml") => Some(path.to_owned()),
            Some(folder) => Some(format!("{}/pom.xml", folder.trim_end_matches('/'))),
        };
        if let (Some(group), Some(artifact)) =
            (child_text(parent, "groupId"), child_text(parent, "artifactId"))
            && group != self.group
        {
            let version = child_text(parent, "version").unwrap_or("*");
            let name = format!("{group}:{artifact}");
            manifest.depend(Manager::Maven, name, version, Scope::Build);
        }
    }

    fn manage(&self, managed: Node<'_, '_>, manifest: &mut Manifest) {
        let (Some(name), Some(version)) = (self.name(managed), child_text(managed, "version"))
        else {
            return;
        };
        if child_text(managed, "scope") == Some("import") {
            manifest.depend(Manager::Maven, holes(&name), holes(version), Scope::Build);
        } else {
            manifest.share(Key::new(Namespace::MavenManaged, name), holes(version));
        }
    }

    fn depend(&self, dependency: Node<'_, '_>, manifest: &mut Manifest) {
        let Some(name) = self.name(dependency) else { return };
        let version = match child_text(dependency, "version") {
            Some(version) => holes(version),
            None => Template::lookup(Key::new(Namespace::MavenManaged, name.clone()), "*"),
        };
        let scope = match child_text(dependency, "scope") {
            Some("test") => Scope::Test,
            Some("provided" | "system") => Scope::Build,
            _ if child_text(dependency, "optional") == Some("true") => Scope::Optional,
            _ => Scope::Runtime,
        };
        manifest.depend(Manager::Maven, holes(&name), version, scope);
    }

    /// `group:artifact`, with the project's own group written out so that managed versions are found by it.
    fn name(&self, node: Node<'_, '_>) -> Option<String> {
        let group = match child_text(node, "groupId")? {
            "${project.groupId}" | "${pom.groupId}" | "${groupId}" => self.group,
            group => group,
        };
        Some(format!("{group}:{}", child_text(node, "artifactId")?))
    }

    fn plugin_name(&self, plugin: Node<'_, '_>) -> String {
        let artifact = child_text(plugin, "artifactId").unwrap_or_default();
        self.name(plugin).unwrap_or_else(|| format!("org.apache.maven.plugins:{artifact}"))
    }
}

fn holes(text: &str) -> Template {
    Template::with_holes(text, "${", '}', Namespace::MavenProperty)
}

#[cfg(test)]
mod tests {
    use crate::testing::{assert_lines, dependencies};

    #[test]
    fn properties_management_and_parents() {
        let files = [
            (
                "pom.xml",
                r#"
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <parent>
    <groupId>org.springframework.boot</groupId>
    <artifactId>spring-boot-starter-parent</artifactId>
    <version>3.3.0</version>
    <relativePath/>
  </parent>
  <groupId>com.example</groupId>
  <artifactId>root</artifactId>
  <version>1.2.3</version>
  <packaging>pom</packaging>
  <properties>
    <jackson.version>2.17.1</jackson.version>
    <loop.a>${loop.b}</loop.a>
    <loop.b>${loop.a}</loop.b>
  </properties>
  <dependencyManagement>
    <dependencies>
      <dependency>
        <groupId>com.fasterxml.jackson.core</groupId>
        <artifactId>jackson-databind</artifactId>
        <version>${jackson.version}</version>
      </dependency>
      <dependency>
        <groupId>${project.groupId}</groupId>
        <artifactId>core</artifactId>
        <version>${project.version}</version>
      </dependency>
      <dependency>
        <groupId>org.testcontainers</groupId>
        <artifactId>testcontainers-bom</artifactId>
        <version>1.19.8</version>
        <type>pom</type>
        <scope>import</scope>
      </dependency>
    </dependencies>
  </dependencyManagement>
</project>
"#,
            ),
            (
                "service/pom.xml",
                r"
<project>
  <parent>
    <groupId>com.example</groupId>
    <artifactId>root</artifactId>
    <version>1.2.3</version>
  </parent>
  <artifactId>service</artifactId>
  <dependencies>
    <dependency><groupId>com.fasterxml.jackson.core</groupId><artifactId>jackson-databind</artifactId></dependency>
    <dependency><groupId>com.example</groupId><artifactId>core</artifactId></dependency>
    <dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.10.2</version><scope>test</scope></dependency>
    <dependency><groupId>jakarta.servlet</groupId><artifactId>jakarta.servlet-api</artifactId><version>6</version><scope>provided</scope></dependency>
    <dependency><groupId>org.extra</groupId><artifactId>extra</artifactId><version>${missing}</version><optional>true</optional></dependency>
    <dependency><groupId>org.loop</groupId><artifactId>loop</artifactId><version>${loop.a}</version></dependency>
    <dependency><groupId>org.unmanaged</groupId><artifactId>u</artifactId></dependency>
  </dependencies>
  <build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin></plugins></build>
</project>
",
            ),
        ];
        assert_lines(
            &dependencies(&files),
            r"
            maven com.example:core 1.2.3 runtime @ service/pom.xml
            maven com.fasterxml.jackson.core:jackson-databind 2.17.1 runtime @ service/pom.xml
            maven jakarta.servlet:jakarta.servlet-api 6 build @ service/pom.xml
            maven org.apache.maven.plugins:maven-surefire-plugin 3.2.5 build @ service/pom.xml
            maven org.extra:extra ${missing} optional @ service/pom.xml
            maven org.junit.jupiter:junit-jupiter 5.10.2 test @ service/pom.xml
            maven org.loop:loop ${loop.a} runtime @ service/pom.xml
            maven org.springframework.boot:spring-boot-starter-parent 3.3.0 build @ pom.xml
            maven org.testcontainers:testcontainers-bom 1.19.8 build @ pom.xml
            maven org.unmanaged:u * runtime @ service/pom.xml
        ",
        );
    }
}
