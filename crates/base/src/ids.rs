//! Random ids, where the contract asks for a UUID.

/// A new random UUID (version 4).
pub fn new_uuid() -> String {
    uuid::Uuid::new_v4().hyphenated().to_string()
}
