//! Which package managers are known, and which family of packages each draws from?

/// A package manager whose manifests are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Manager {
    Bundler,
    Bun,
    Cargo,
    Cmake,
    Composer,
    Conan,
    Go,
    Gradle,
    Maven,
    Mix,
    Npm,
    Nuget,
    Pdm,
    Pip,
    Pipenv,
    Pnpm,
    Poetry,
    Pub,
    Swiftpm,
    Uv,
    Vcpkg,
    Yarn,
}

/// Where package names come from; the same name means different things in two of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ecosystem {
    Cpp,
    Dart,
    DotNet,
    Elixir,
    Go,
    Js,
    Jvm,
    Php,
    Python,
    Ruby,
    Rust,
    Swift,
}

impl Manager {
    /// The word in `dependencies.jsonl` and `stats.json`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Bundler => "bundler",
            Self::Bun => "bun",
            Self::Cargo => "cargo",
            Self::Cmake => "cmake",
            Self::Composer => "composer",
            Self::Conan => "conan",
            Self::Go => "go",
            Self::Gradle => "gradle",
            Self::Maven => "maven",
            Self::Mix => "mix",
            Self::Npm => "npm",
            Self::Nuget => "nuget",
            Self::Pdm => "pdm",
            Self::Pip => "pip",
            Self::Pipenv => "pipenv",
            Self::Pnpm => "pnpm",
            Self::Poetry => "poetry",
            Self::Pub => "pub",
            Self::Swiftpm => "swiftpm",
            Self::Uv => "uv",
            Self::Vcpkg => "vcpkg",
            Self::Yarn => "yarn",
        }
    }

    pub(crate) const fn ecosystem(self) -> Ecosystem {
        match self {
            Self::Bundler => Ecosystem::Ruby,
            Self::Bun | Self::Npm | Self::Pnpm | Self::Yarn => Ecosystem::Js,
            Self::Cargo => Ecosystem::Rust,
            Self::Cmake | Self::Conan | Self::Vcpkg => Ecosystem::Cpp,
            Self::Composer => Ecosystem::Php,
            Self::Go => Ecosystem::Go,
            Self::Gradle | Self::Maven => Ecosystem::Jvm,
            Self::Mix => Ecosystem::Elixir,
            Self::Nuget => Ecosystem::DotNet,
            Self::Pdm | Self::Pip | Self::Pipenv | Self::Poetry | Self::Uv => Ecosystem::Python,
            Self::Pub => Ecosystem::Dart,
            Self::Swiftpm => Ecosystem::Swift,
        }
    }

    /// The JavaScript package manager of that name, as the `packageManager` field spells it.
    pub(crate) fn of_node(name: &str) -> Option<Self> {
        match name {
            "bun" => Some(Self::Bun),
            "npm" => Some(Self::Npm),
            "pnpm" => Some(Self::Pnpm),
            "yarn" => Some(Self::Yarn),
            _ => None,
        }
    }

    /// The manager that writes a lock file of that name, for the families where the manifest alone does not say.
    pub(crate) fn of_lock_file(name: &str) -> Option<Self> {
        match name {
            "bun.lock" | "bun.lockb" => Some(Self::Bun),
            "npm-shrinkwrap.json" | "package-lock.json" => Some(Self::Npm),
            "pnpm-lock.yaml" | "pnpm-workspace.yaml" => Some(Self::Pnpm),
            ".yarnrc.yml" | "yarn.lock" => Some(Self::Yarn),
            "pdm.lock" => Some(Self::Pdm),
            "poetry.lock" => Some(Self::Poetry),
            "uv.lock" => Some(Self::Uv),
            _ => None,
        }
    }
}
