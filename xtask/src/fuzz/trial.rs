//! One input: it is read twice, and what was found must keep its promises; and a smaller input that fails as well.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::time::{Duration, Instant};

use gik_base::FileKey;
use gik_parse::Language;

/// Making an input smaller ends after this, small enough or not.
const PATIENCE: Duration = Duration::from_secs(30);

thread_local! {
    /// What the last panic of this thread said, and where.
    static LAST_PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Makes panics silent while it lives: they are told with the input that causes them.
#[derive(Debug)]
pub(super) struct SilentPanics;

impl SilentPanics {
    pub(super) fn new() -> Self {
        panic::set_hook(Box::new(|panic| LAST_PANIC.set(panic.to_string())));
        Self
    }
}

impl Drop for SilentPanics {
    fn drop(&mut self) {
        drop(panic::take_hook());
    }
}

/// Reads a text as the program would; tells what is wrong with what comes out.
pub(super) fn run(language: &'static Language, text: &str) -> Result<(), String> {
    let attempt = panic::catch_unwind(AssertUnwindSafe(|| read_twice(language, text)));
    attempt.unwrap_or_else(|_| Err(LAST_PANIC.take()))
}

fn read_twice(language: &'static Language, text: &str) -> Result<(), String> {
    let key = FileKey::from_text("dir/file");
    gik_parse::detect(&key, text.as_bytes());
    gik_parse::is_records(&key, Some(language), text.as_bytes());
    let parsed = gik_parse::parse(&key, text, Some(language));
    gik_parse::check(text, &parsed)?;
    for chunk in &parsed.chunks {
        gik_parse::searchable(Some(language), chunk, text);
    }
    let again = gik_parse::parse(&key, text, Some(language));
    if again == parsed { Ok(()) } else { Err("the second time differs".to_owned()) }
}

/// Leaves out halves, quarters and so on of a text as long as the rest still fails.
pub(super) fn smallest(text: &str, fails: impl Fn(&str) -> bool) -> String {
    let deadline = Instant::now() + PATIENCE;
    let mut smallest = text.to_owned();
    let mut size = smallest.len().div_ceil(2);
    while size > 0 {
        let mut start = 0;
        let mut is_smaller = false;
        while start < smallest.len() && Instant::now() < deadline {
            let end = smallest.ceil_char_boundary((start + size).min(smallest.len()));
            let rest = [&smallest[..start], &smallest[end..]].concat();
            if fails(&rest) {
                smallest = rest;
                is_smaller = true;
            } else {
                start = end;
            }
        }
        // Single characters go on until none can be left out.
        if size > 1 || !is_smaller {
            size /= 2;
        }
    }
    smallest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_failure_does_not_need_is_left_out() {
        let text = format!("{}ä(\n{}🎈)", "x\n".repeat(500), "y".repeat(333));
        assert_eq!(smallest(&text, |text| text.contains('(') && text.contains('🎈')), "(🎈");
        assert_eq!(smallest("abc", |_| true), "");
        assert_eq!(smallest("abc", |text| text == "abc"), "abc");
    }

    #[test]
    fn ordinary_and_odd_texts_pass() {
        let rust = gik_parse::language_by_id("rust").unwrap();
        for text in ["", "fn a() {}\n", "\0\u{feff}\u{fffd}(((", "fn \u{10ffff}\r\r\n"] {
            assert_eq!(run(rust, text), Ok(()), "{text:?}");
        }
    }
}
