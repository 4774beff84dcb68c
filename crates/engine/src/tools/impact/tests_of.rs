//! Is this a test?

/// Whether a file or a symbol in it is there to test others, by the names that people give to tests.
pub(super) fn is_test(path: &str, name: &str) -> bool {
    let lower = path.to_lowercase();
    let (folders, file) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let in_folder = folders.split('/').any(|folder| {
        matches!(folder, "test" | "tests" | "__tests__" | "spec" | "specs" | "testing")
    });
    let stem = file.split_once('.').map_or(file, |(stem, _)| stem);
    let parts: Vec<&str> = file.split(['.', '_', '-']).collect();
    let in_name = matches!(stem, "test" | "tests" | "conftest")
        || stem.starts_with("test_")
        || parts.iter().skip(1).any(|part| matches!(*part, "test" | "tests" | "spec"))
        || has_capital_word(path, "Test");
    let in_symbol = name
        .split(['.', ':', '#'])
        .any(|part| part == "tests" || part.starts_with("test_") || part.starts_with("Test"));
    in_folder || in_name || (name != path && in_symbol)
}

/// `StoreTest.java`, `StoreTests.cs`, `TestStore.java`.
fn has_capital_word(path: &str, word: &str) -> bool {
    let file = path.rsplit_once('/').map_or(path, |(_, file)| file);
    let stem = file.split_once('.').map_or(file, |(stem, _)| stem);
    stem.len() > word.len()
        && (stem.ends_with(word)
            || stem.ends_with(&format!("{word}s"))
            || stem.strip_prefix(word).is_some_and(|rest| rest.starts_with(char::is_uppercase)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_known_by_their_names() {
        for (path, name, expected) in [
            ("tests/store.rs", "tests/store.rs", true),
            ("src/store_test.go", "TestOpen", true),
            ("src/store.test.ts", "src/store.test.ts", true),
            ("test_store.py", "test_store.py", true),
            ("src/StoreTest.java", "StoreTest.opens", true),
            ("src/store.rs", "tests::opens", true),
            ("src/store.py", "test_opens", true),
            ("src/store.rs", "Store::open", false),
            ("src/attestation.rs", "attest", false),
            ("src/latest.rs", "latest", false),
            ("src/Contest.java", "Contest", false),
        ] {
            assert_eq!(is_test(path, name), expected, "{path} {name}");
        }
    }
}
