//! How languages differ in what a name stands for, as data.

/// The rules of a family of languages.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) family: Family,
    /// What stands for the value that a method was called on.
    pub(crate) own_words: &'static [&'static str],
    /// What stands for the type itself, inside of it.
    pub(crate) type_words: &'static [&'static str],
    /// What stands for what the type inherits.
    pub(crate) super_words: &'static [&'static str],
    /// Whether members are named without saying whose they are.
    pub(crate) sees_members: bool,
    /// Generic types that a value is used through, as if it were of the type inside.
    pub(crate) transparent: &'static [&'static str],
    /// Generic types that hold many values of the last type inside.
    pub(crate) collections: &'static [&'static str],
    /// What other files of the same package or folder define is visible without an import.
    pub(crate) shares: Shares,
}

/// Languages that find modules in the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    Python,
    JavaScript,
    Rust,
    Go,
    /// Java, Kotlin, Scala, Groovy.
    Jvm,
    CSharp,
    C,
    Ruby,
    Php,
    Other,
}

/// Which other files a file sees without an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shares {
    Nothing,
    /// Those of its folder.
    Folder,
    /// Those that name the same package.
    Package,
}

/// Whether files of a language may say which package they are part of.
pub fn names_packages(language: &str) -> bool {
    matches!(of(language).family, Family::Go | Family::Jvm | Family::CSharp | Family::Php)
}

/// The rules for a language.
pub(crate) fn of(language: &str) -> &'static Rules {
    match language {
        "python" | "jupyter" => &PYTHON,
        "javascript" | "jsx" | "typescript" | "tsx" | "vue" | "svelte" | "astro" => &JAVASCRIPT,
        "rust" => &RUST,
        "go" => &GO,
        "java" | "kotlin" | "groovy" | "scala" => &JVM,
        "csharp" => &CSHARP,
        "c" | "cpp" | "objective-c" | "cuda" => &C,
        "ruby" => &RUBY,
        "php" => &PHP,
        _ => &OTHER,
    }
}

const OTHER: Rules = Rules {
    family: Family::Other,
    own_words: &["self", "this"],
    type_words: &[],
    super_words: &["super"],
    sees_members: false,
    transparent: &[],
    collections: &[],
    shares: Shares::Nothing,
};

const PYTHON: Rules = Rules {
    family: Family::Python,
    own_words: &["self"],
    type_words: &["cls", "type(self)", "self.__class__"],
    super_words: &["super()"],
    transparent: &[
        "Optional",
        "Union",
        "Annotated",
        "Final",
        "ClassVar",
        "Type",
        "type",
        "Awaitable",
        "ContextManager",
        "AsyncContextManager",
        "Required",
        "NotRequired",
        "ReadOnly",
    ],
    collections: &[
        "List",
        "list",
        "Sequence",
        "Iterable",
        "Iterator",
        "Set",
        "set",
        "FrozenSet",
        "frozenset",
        "Collection",
        "AsyncIterator",
        "AsyncIterable",
        "Deque",
        "deque",
        "Generator",
        "MutableSequence",
    ],
    ..OTHER
};

const JAVASCRIPT: Rules = Rules {
    family: Family::JavaScript,
    own_words: &["this"],
    transparent: &[
        "Promise",
        "Readonly",
        "Partial",
        "Required",
        "NonNullable",
        "Awaited",
        "PromiseLike",
    ],
    collections: &["Array", "ReadonlyArray", "Set", "ReadonlySet", "Iterable", "IterableIterator"],
    ..OTHER
};

const RUST: Rules = Rules {
    family: Family::Rust,
    own_words: &["self"],
    type_words: &["Self"],
    super_words: &[],
    transparent: &[
        "Box",
        "Rc",
        "Arc",
        "Option",
        "Result",
        "Ref",
        "RefMut",
        "MutexGuard",
        "Cow",
        "Pin",
    ],
    collections: &["Vec", "VecDeque", "HashSet", "BTreeSet", "IntoIter"],
    ..OTHER
};

const GO: Rules =
    Rules { family: Family::Go, own_words: &[], super_words: &[], shares: Shares::Folder, ..OTHER };

const JVM: Rules = Rules {
    family: Family::Jvm,
    own_words: &["this"],
    sees_members: true,
    transparent: &["Optional"],
    collections: &["List", "Set", "Collection", "Iterable", "ArrayList", "Stream"],
    shares: Shares::Package,
    ..OTHER
};

const CSHARP: Rules = Rules {
    family: Family::CSharp,
    own_words: &["this"],
    super_words: &["base"],
    sees_members: true,
    transparent: &["Task", "ValueTask", "Nullable", "Lazy"],
    collections: &["List", "IEnumerable", "ICollection", "IList", "HashSet", "IReadOnlyList"],
    shares: Shares::Package,
    ..OTHER
};

const C: Rules = Rules {
    family: Family::C,
    own_words: &["this"],
    super_words: &[],
    sees_members: true,
    transparent: &["unique_ptr", "shared_ptr", "optional", "reference_wrapper"],
    collections: &["vector", "set", "list", "deque", "unordered_set"],
    ..OTHER
};

const RUBY: Rules =
    Rules { family: Family::Ruby, own_words: &["self"], sees_members: true, ..OTHER };

const PHP: Rules = Rules {
    family: Family::Php,
    own_words: &["$this", "this"],
    type_words: &["self", "static"],
    super_words: &["parent"],
    shares: Shares::Package,
    ..OTHER
};
