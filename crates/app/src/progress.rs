//! Progress on standard error: a bar on a terminal, plain lines for what matters elsewhere.

use std::io::IsTerminal as _;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::Duration;

use gik_base::Progress;
use gik_engine::View;
use gik_engine::view::Style;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::to_stderr;

/// Shows progress to a person.
#[derive(Debug)]
pub(crate) struct Terminal {
    quiet: bool,
    color: bool,
    bar: Mutex<Option<ProgressBar>>,
}

/// Fewer things than this are done before a bar could be read.
const WORTH_A_BAR: u64 = 200;

impl Terminal {
    pub(crate) fn new(color: bool) -> Self {
        Self { quiet: false, color, bar: Mutex::new(None) }
    }

    /// One that says nothing.
    pub(crate) fn silent() -> Self {
        Self { quiet: true, color: false, bar: Mutex::new(None) }
    }

    /// Takes the bar away before an answer is printed.
    pub(crate) fn clear(&self) {
        if let Some(bar) = self.held().take() {
            bar.finish_and_clear();
        }
    }

    fn held(&self) -> std::sync::MutexGuard<'_, Option<ProgressBar>> {
        self.bar.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn bar(&self, step: &str, total: Option<u64>, template: &str) {
        if self.quiet
            || !std::io::stderr().is_terminal()
            || total.is_some_and(|total| total < WORTH_A_BAR)
        {
            return;
        }
        let target = ProgressDrawTarget::stderr_with_hz(10);
        let bar = ProgressBar::with_draw_target(total, target);
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(step.to_owned());
        bar.enable_steady_tick(Duration::from_millis(200));
        *self.held() = Some(bar);
    }

    fn say(&self, style: Style, label: &str, message: &str) {
        if self.quiet {
            return;
        }
        let view = View::new(100, self.color);
        let text = format!("{} {}\n", view.paint(style, label), view.plain(message));
        match self.held().as_ref() {
            Some(bar) => bar.suspend(|| to_stderr(&text)),
            None => to_stderr(&text),
        }
    }
}

impl Progress for Terminal {
    fn begin(&self, step: &str, total: Option<u64>) {
        let template = if total.is_some() {
            "{msg} {wide_bar} {pos}/{len} files  {per_sec}  {eta} left"
        } else {
            "{spinner} {msg} {pos}"
        };
        self.bar(step, total, template);
    }

    fn begin_bytes(&self, step: &str, total: Option<u64>) {
        let template = if total.is_some() {
            "{msg} {wide_bar} {bytes}/{total_bytes}  {bytes_per_sec}  {eta} left"
        } else {
            "{spinner} {msg} {bytes}  {bytes_per_sec}"
        };
        self.bar(step, total, template);
    }

    fn advance(&self, done: u64) {
        if let Some(bar) = self.held().as_ref() {
            bar.inc(done);
        }
    }

    fn end(&self) {
        self.clear();
    }

    fn warn(&self, message: &str) {
        self.say(Style::Warning, "warning:", message);
    }

    fn inform(&self, message: &str) {
        self.say(Style::Faint, "note:", message);
    }

    fn ask(&self, shown: &dyn Fn(bool) -> String, question: &str) -> Option<bool> {
        if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
            return None;
        }
        self.clear();
        to_stderr(&format!("{}{question} [y/N] ", shown(self.color)));
        let mut answer = String::new();
        std::io::stdin().read_line(&mut answer).ok()?;
        Some(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
    }
}
