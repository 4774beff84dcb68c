//! What the history of the repository says about a question.

use gik_contract::Timestamp;

/// Seconds since 1970 as a time; what no calendar has is its beginning.
pub(crate) fn moment(seconds: i64) -> Timestamp {
    Timestamp::from_second(seconds).unwrap_or(Timestamp::UNIX_EPOCH)
}
