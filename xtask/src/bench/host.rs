//! What a reader must know of the machine to judge a number, and nothing that names the machine or its owner.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

/// The circumstances of a run.
#[derive(Debug)]
pub(super) struct Host {
    pub(super) cpu: String,
    pub(super) cores: usize,
    pub(super) commit: String,
    pub(super) date: String,
}

/// This machine, this checkout, today.
pub(super) fn describe(root: &Path) -> Host {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    Host { cpu: cpu_model(), cores, commit: commit(root), date: today() }
}

fn cpu_model() -> String {
    let from_proc = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    let from_sysctl = || quiet(Command::new("sysctl").args(["-n", "machdep.cpu.brand_string"]));
    from_proc.or_else(from_sysctl).unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

fn commit(root: &Path) -> String {
    let git = |args: &[&str]| quiet(Command::new("git").args(args).current_dir(root));
    let Some(id) = git(&["rev-parse", "--short", "HEAD"]) else { return "unknown".to_owned() };
    let is_clean = git(&["status", "--porcelain"]).is_none();
    if is_clean { id } else { format!("{id} with changes") }
}

/// Standard output of a program, none when it fails or prints nothing.
fn quiet(command: &mut Command) -> Option<String> {
    let output = command.stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}

/// The date in UTC.
pub(super) fn today() -> String {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    date_of_day(elapsed.as_secs() / 86_400)
}

/// The Gregorian date of a day counted from 1970-01-01.
fn date_of_day(days: u64) -> String {
    // Years that start in March put the leap day at the end; 400 of them are 146,097 days.
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        assert_eq!(date_of_day(0), "1970-01-01");
        assert_eq!(date_of_day(11_016), "2000-02-29");
        assert_eq!(date_of_day(20_454), "2026-01-01");
        assert_eq!(date_of_day(20_818), "2026-12-31");
    }

    #[test]
    fn the_machine_has_a_model_and_cores() {
        let host = describe(Path::new("."));
        assert!(!host.cpu.is_empty());
        assert!(host.cores >= 1);
    }
}
