//! `changed:<7d`, `changed:>2026-01-01`: between which moments must a file have changed?

use std::ops::RangeInclusive;

use gik_base::clock::Timestamp;

use crate::moment::{Edge, absolute, before};

/// Nanoseconds since 1970 from which and up to which a change counts; `None` for what names no time.
pub(super) fn times(text: &str, now: Timestamp) -> Option<RangeInclusive<i64>> {
    let operators = ["<=", ">=", "<", ">", ""];
    let (operator, rest) =
        operators.iter().find_map(|operator| Some((*operator, text.strip_prefix(operator)?)))?;
    // Something younger than an age changed after its moment.
    if let Some(moment) = before(rest, now) {
        let moment = nanoseconds(moment);
        return Some(match operator {
            ">" | ">=" => i64::MIN..=moment,
            _ => moment..=i64::MAX,
        });
    }
    let start = nanoseconds(absolute(rest, Edge::Start)?);
    let end = nanoseconds(absolute(rest, Edge::End)?);
    Some(match operator {
        "<" => i64::MIN..=start.saturating_sub(1),
        "<=" => i64::MIN..=end,
        ">" => end.saturating_add(1)..=i64::MAX,
        ">=" => start..=i64::MAX,
        _ => start..=end,
    })
}

/// The moment as file times are kept.
pub(super) fn nanoseconds(moment: Timestamp) -> i64 {
    let limits = i128::from(i64::MIN)..=i128::from(i64::MAX);
    let nanoseconds = moment.as_nanosecond().clamp(*limits.start(), *limits.end());
    i64::try_from(nanoseconds).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_and_dates_name_spans_of_time() {
        let now: Timestamp = "2026-03-08T12:00:00Z".parse().unwrap();
        let at = |text: &str| nanoseconds(text.parse().unwrap());
        for (text, moment, expected) in [
            ("<7d", "2026-03-05T00:00:00Z", true),
            ("<7d", "2026-02-01T00:00:00Z", false),
            ("7d", "2026-03-05T00:00:00Z", true),
            (">7d", "2026-02-01T00:00:00Z", true),
            (">7d", "2026-03-05T00:00:00Z", false),
            ("2026-03-01", "2026-03-01T23:59:59Z", true),
            ("2026-03-01", "2026-03-02T00:00:00Z", false),
            (">2026-03-01", "2026-03-01T12:00:00Z", false),
            (">2026-03-01", "2026-03-02T00:00:00Z", true),
            (">=2026-03-01", "2026-03-01T00:00:00Z", true),
            ("<2026-03-01", "2026-02-28T23:59:59Z", true),
            ("<2026-03-01", "2026-03-01T00:00:00Z", false),
            ("<=2026-03-01", "2026-03-01T23:00:00Z", true),
            (">2026-03-01T10:00:00Z", "2026-03-01T10:00:01Z", true),
        ] {
            assert_eq!(
                times(text, now).unwrap().contains(&at(moment)),
                expected,
                "{text} {moment}"
            );
        }
        for wrong in ["", "<", "7", "7y", "<<7d", "2026-13-01", "soon"] {
            assert_eq!(times(wrong, now), None, "{wrong}");
        }
    }
}
