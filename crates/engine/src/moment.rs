//! Which moment a person means: `2025-11-27`, `2025-11-27T10:00:00+02:00`, `2d`. What names no offset is UTC.

use gik_base::clock::Timestamp;
use gik_base::{ErrorCode, Failure, Result};
use jiff::SignedDuration;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

/// Which end of a day a date without a time means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edge {
    /// Its first moment.
    Start,
    /// Its last moment.
    End,
}

/// The moment that was typed for the option `--name`.
pub(crate) fn parse(name: &str, typed: &str, edge: Edge, now: Timestamp) -> Result<Timestamp> {
    let text = typed.trim();
    absolute(text, edge).or_else(|| before(text, now)).ok_or_else(|| {
        Failure::new(ErrorCode::ArgumentInvalid, format!("`--{name} {typed}` is not a time")).hint(
            "a time is `2025-11-27`, `2025-11-27T10:00:00Z`, or an age: `90m`, `3h`, `2d`, `1w`",
        )
    })
}

/// The moment of a date or a time.
pub(crate) fn absolute(text: &str, edge: Edge) -> Option<Timestamp> {
    const DATE_CHARS: usize = "YYYY-MM-DD".len();
    if text.len() == DATE_CHARS {
        let date: Date = text.parse().ok()?;
        return in_utc(match edge {
            Edge::Start => date.at(0, 0, 0, 0),
            Edge::End => date.at(23, 59, 59, 999_999_999),
        });
    }
    // Shorter texts are ages or typing errors; the parser would read some of them as basic ISO dates.
    if text.len() < DATE_CHARS {
        return None;
    }
    text.parse::<Timestamp>().ok().or_else(|| in_utc(text.parse::<DateTime>().ok()?))
}

fn in_utc(time: DateTime) -> Option<Timestamp> {
    Some(time.to_zoned(TimeZone::UTC).ok()?.timestamp())
}

/// The moment that is so long ago.
pub(crate) fn before(text: &str, now: Timestamp) -> Option<Timestamp> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let count: i64 = text[..digits].parse().ok()?;
    let unit: i64 = match &text[digits..] {
        "s" => 1,
        "m" => 60,
        "h" => 60 * 60,
        "d" => 24 * 60 * 60,
        "w" => 7 * 24 * 60 * 60,
        _ => return None,
    };
    now.checked_sub(SignedDuration::from_secs(count.checked_mul(unit)?)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_absolute_or_ages() {
        let now: Timestamp = "2025-11-27T12:00:00Z".parse().unwrap();
        let cases = [
            ("2025-11-20", Edge::Start, "2025-11-20T00:00:00Z"),
            ("2025-11-20", Edge::End, "2025-11-20T23:59:59.999999999Z"),
            ("2025-11-20T10:30:00Z", Edge::Start, "2025-11-20T10:30:00Z"),
            ("2025-11-20T10:30:00+02:00", Edge::End, "2025-11-20T08:30:00Z"),
            ("2025-11-20 10:30", Edge::End, "2025-11-20T10:30:00Z"),
            (" 2d ", Edge::Start, "2025-11-25T12:00:00Z"),
            ("3h", Edge::End, "2025-11-27T09:00:00Z"),
            ("90m", Edge::Start, "2025-11-27T10:30:00Z"),
            ("45s", Edge::Start, "2025-11-27T11:59:15Z"),
            ("1w", Edge::Start, "2025-11-20T12:00:00Z"),
        ];
        for (typed, edge, expected) in cases {
            let moment = parse("since", typed, edge, now).unwrap();
            assert_eq!(moment.to_string(), expected, "{typed}");
        }
    }

    #[test]
    fn anything_else_is_refused_with_examples() {
        let now = Timestamp::UNIX_EPOCH;
        let wrong = [
            "",
            "d",
            "2",
            "2x",
            "-2d",
            "2 d",
            "20251120",
            "2025-13-01",
            "99999999999999999999d",
            "now",
            "ü",
        ];
        for typed in wrong {
            let failure = parse("since", typed, Edge::Start, now).unwrap_err();
            assert_eq!(failure.code(), ErrorCode::ArgumentInvalid, "{typed}");
            assert!(failure.hints()[0].contains("2d"), "{typed}");
        }
    }
}
