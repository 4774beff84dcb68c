//! NuGet: project files, `Directory.Packages.props` (central versions), `Directory.Build.props`, `packages.config`.

use gik_base::FileKey;
use roxmltree::Node;

use crate::declaration::{Key, Namespace, Template};
use crate::formats::xml::{LocalName as _, child_text, document};
use crate::manager::Manager;
use crate::manifest::{Manifest, Reach};
use crate::scope::Scope;

pub(crate) fn claims(path: &FileKey) -> bool {
    is_props(path)
        || path.file_name() == "packages.config"
        || matches!(path.extension().as_ref(), "csproj" | "fsproj" | "vbproj")
}

fn is_props(path: &FileKey) -> bool {
    matches!(
        path.file_name(),
        "Directory.Packages.props" | "Directory.Build.props" | "Directory.Build.targets"
    )
}

pub(crate) fn read(path: &FileKey, source: &str, manifest: &mut Manifest) -> Result<(), String> {
    if is_props(path) {
        manifest.reach = Reach::Below;
    } else {
        manifest.manager = Some(Manager::Nuget);
    }
    let document = document(source)?;
    let root = document.root_element();
    let usual = if is_test_project(root) { Scope::Test } else { Scope::Runtime };
    if let Some(sdk) = root.attribute("Sdk")
        && sdk != "Microsoft.NET.Sdk"
    {
        let (name, version) = sdk.split_once('/').unwrap_or((sdk, "*"));
        manifest.depend(Manager::Nuget, name, version, Scope::Build);
    }
    for node in root.descendants().filter(Node::is_element) {
        read_element(node, usual, manifest);
    }
    Ok(())
}

fn read_element(node: Node<'_, '_>, usual: Scope, manifest: &mut Manifest) {
    let name = field(node, "Include");
    match (node.tag_name().name(), name) {
        ("PackageReference", Some(name)) => {
            let version = field(node, "VersionOverride").or_else(|| field(node, "Version"));
            let version = match version {
                Some(version) => holes(version),
                None => Template::lookup(central_key(name), "*"),
            };
            let is_private = field(node, "PrivateAssets")
                .is_some_and(|assets| assets.eq_ignore_ascii_case("all"));
            let scope = if is_private && usual == Scope::Runtime { Scope::Dev } else { usual };
            manifest.depend(Manager::Nuget, holes(name), version, scope);
        },
        ("GlobalPackageReference", Some(name)) => {
            let version = field(node, "Version").unwrap_or("*");
            manifest.depend(Manager::Nuget, holes(name), holes(version), Scope::Dev);
        },
        ("FrameworkReference", Some(name)) => manifest.depend(Manager::Nuget, name, "*", usual),
        ("PackageVersion", Some(name)) => {
            if let Some(version) = field(node, "Version") {
                manifest.share(central_key(name), holes(version));
            }
        },
        // packages.config
        ("package", None) => {
            if let Some(id) = node.attribute("id") {
                let version = node.attribute("version").unwrap_or("*");
                let is_dev = node.attribute("developmentDependency") == Some("true");
                let scope = if is_dev { Scope::Dev } else { usual };
                manifest.depend(Manager::Nuget, id, version, scope);
            }
        },
        (property, None)
            if node.parent().is_some_and(|up| up.has_tag_name_local("PropertyGroup")) =>
        {
            let key = Key::new(Namespace::MsbuildProperty, property.to_ascii_lowercase());
            manifest.share(key, holes(node.text().unwrap_or_default().trim()));
        },
        _ => {},
    }
}

/// A test project says so, or references the test host.
fn is_test_project(root: Node<'_, '_>) -> bool {
    root.descendants().any(|node| {
        let is_host = node.has_tag_name_local("PackageReference")
            && field(node, "Include") == Some("Microsoft.NET.Test.Sdk");
        let says_so = node.has_tag_name_local("IsTestProject")
            && node.text().is_some_and(|text| text.trim().eq_ignore_ascii_case("true"));
        is_host || says_so
    })
}

/// MSBuild metadata is an attribute or a child element.
fn field<'a>(node: Node<'a, '_>, name: &'static str) -> Option<&'a str> {
    let attribute = node.attribute(name).map(str::trim).filter(|text| !text.is_empty());
    attribute.or_else(|| child_text(node, name))
}

fn central_key(name: &str) -> Key {
    Key::new(Namespace::NugetCentral, name.to_ascii_lowercase())
}

fn holes(text: &str) -> Template {
    Template::with_holes(text, "$(", ')', Namespace::MsbuildProperty)
}

#[cfg(test)]
mod tests {
    use crate::testing::{assert_lines, dependencies};

    #[test]
    fn projects_central_versions_and_tests() {
        let files = [
            (
                "Directory.Packages.props",
                r#"
<Project>
  <PropertyGroup><SerilogVersion>4.0.0</SerilogVersion></PropertyGroup>
  <ItemGroup>
    <PackageVersion Include="Serilog" Version="$(SerilogVersion)" />
    <GlobalPackageReference Include="Nerdbank.GitVersioning" Version="3.6.133" />
  </ItemGroup>
</Project>
"#,
            ),
            (
                "src/App/App.csproj",
                r#"
<Project Sdk="Microsoft.NET.Sdk.Web">
  <PropertyGroup><EfVersion>8.0.6</EfVersion></PropertyGroup>
  <ItemGroup>
    <PackageReference Include="serilog" />
    <PackageReference Include="Microsoft.EntityFrameworkCore" Version="$(EFVersion)" />
    <PackageReference Include="StyleCop.Analyzers"><Version>1.1.118</Version><PrivateAssets>all</PrivateAssets></PackageReference>
    <ProjectReference Include="..\Core\Core.csproj" />
  </ItemGroup>
</Project>
"#,
            ),
            (
                "test/App.Tests/App.Tests.fsproj",
                r#"
<Project Sdk="Microsoft.NET.Sdk">
  <ItemGroup>
    <PackageReference Include="Microsoft.NET.Test.Sdk" Version="17.10.0" />
    <PackageReference Include="xunit" Version="2.8.1" />
  </ItemGroup>
</Project>
"#,
            ),
            (
                "old/packages.config",
                r#"
<?xml version="1.0" encoding="utf-8"?>
<packages>
  <package id="Newtonsoft.Json" version="13.0.3" targetFramework="net48" />
  <package id="NUnit.Runners" version="2.6.4" developmentDependency="true" />
</packages>
"#,
            ),
        ];
        assert_lines(
            &dependencies(&files),
            r"
            nuget Microsoft.EntityFrameworkCore 8.0.6 runtime @ src/App/App.csproj
            nuget Microsoft.NET.Sdk.Web * build @ src/App/App.csproj
            nuget Microsoft.NET.Test.Sdk 17.10.0 test @ test/App.Tests/App.Tests.fsproj
            nuget NUnit.Runners 2.6.4 dev @ old/packages.config
            nuget Nerdbank.GitVersioning 3.6.133 dev @ Directory.Packages.props
            nuget Newtonsoft.Json 13.0.3 runtime @ old/packages.config
            nuget StyleCop.Analyzers 1.1.118 dev @ src/App/App.csproj
            nuget serilog 4.0.0 runtime @ src/App/App.csproj
            nuget xunit 2.8.1 test @ test/App.Tests/App.Tests.fsproj
        ",
        );
    }
}
