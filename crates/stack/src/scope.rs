//! What is a dependency for?
//!
//! | manager | runtime | dev | build | optional | peer | test |
//! |---|---|---|---|---|---|---|
//! | cargo | `dependencies` | `dev-dependencies` | `build-dependencies` | `optional = true` | | |
//! | npm, pnpm, yarn, bun | `dependencies` | `devDependencies` | | `optionalDependencies` | `peerDependencies` | |
//! | pip, poetry, uv, pdm, pipenv | `dependencies`, `install_requires`, `requirements.txt` | groups, `dev-packages`, `requirements-dev.txt` | `build-system.requires`, `setup_requires` | extras, `optional = true` | | groups and files named after tests, `tests_require` |
//! | go | direct `require` | `tool` | | | | |
//! | maven | `compile`, `runtime` | | `provided`, `system`, plugins, foreign parent, imported BOM | `<optional>` | | `test` |
//! | gradle | `implementation`, `api`, `runtimeOnly` | `debug…`, `developmentOnly` | plugins, `classpath`, `compileOnly`, annotation processors | | | `test…`, `androidTest…` |
//! | nuget | `PackageReference` | `PrivateAssets="all"`, `developmentDependency` | the project SDK | | | every reference of a test project |
//! | composer | `require` | `require-dev` | | | | |
//! | bundler | `gem`, `add_dependency` | group `development`, `add_development_dependency` | | `optional: true` groups | | group `test` |
//! | mix | no option | `only: :dev` | `runtime: false` | `optional: true` | | `only: :test` |
//! | pub | `dependencies` | `dev_dependencies` | | | | |
//! | swiftpm | `.package` | | | | | |
//! | cmake | `find_package(… REQUIRED)`, `FetchContent` | | `ExternalProject_Add` | `find_package` without `REQUIRED` | | |
//! | vcpkg | `dependencies` | | `"host": true` | `features` | | |
//! | conan | `requires` | | `tool_requires` | | | `test_requires` |

/// What a dependency is for; the table above the code says how each manager's words are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Needed when the product runs.
    Runtime,
    /// Needed by the people who work on it.
    Dev,
    /// Needed to build it, not to run it.
    Build,
    /// Used when a feature or extra asks for it.
    Optional,
    /// Expected from whoever uses the product.
    Peer,
    /// Needed by the tests.
    Test,
}

impl Scope {
    /// The word in `dependencies.jsonl`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Runtime => "runtime",
            Self::Dev => "dev",
            Self::Build => "build",
            Self::Optional => "optional",
            Self::Peer => "peer",
            Self::Test => "test",
        }
    }

    /// The scope a group, extra or file of that name stands for; `None` when the name does not say.
    pub(crate) fn from_group(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let says = |words: &[&str]| {
            name.split(|c: char| !c.is_ascii_alphanumeric()).any(|part| words.contains(&part))
        };
        if says(&["dev", "develop", "development", "docs", "doc", "lint", "typing", "ci"]) {
            Some(Self::Dev)
        } else if says(&["test", "tests", "testing"]) {
            Some(Self::Test)
        } else if says(&["build"]) {
            Some(Self::Build)
        } else if says(&["optional", "extra", "extras"]) {
            Some(Self::Optional)
        } else {
            None
        }
    }
}
