//! Numbers for Prometheus, in its text format.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Bounds of the buckets of times, in seconds.
const BUCKETS: [f64; 10] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];

/// What is counted.
#[derive(Debug, Default)]
pub(super) struct Metrics {
    requests: Mutex<BTreeMap<(&'static str, u16), u64>>,
    calls: Mutex<BTreeMap<String, Calls>>,
    /// Calls that run now.
    pub(super) running: AtomicI64,
    /// Connections that are open now.
    pub(super) connections: AtomicI64,
}

/// Calls of one tool.
#[derive(Debug, Default)]
struct Calls {
    failed: u64,
    seconds: f64,
    buckets: [u64; BUCKETS.len()],
    count: u64,
}

impl Metrics {
    /// Counts a request by its route and the status of its answer.
    pub(super) fn request(&self, route: &'static str, status: u16) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        *requests.entry((route, status)).or_default() += 1;
    }

    /// Counts a call of a tool.
    pub(super) fn call(&self, tool: &str, took: Duration, is_failure: bool) {
        let mut all = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let calls = all.entry(tool.to_owned()).or_default();
        let seconds = took.as_secs_f64();
        calls.count += 1;
        calls.seconds += seconds;
        calls.failed += u64::from(is_failure);
        for (bucket, bound) in calls.buckets.iter_mut().zip(BUCKETS) {
            *bucket += u64::from(seconds <= bound);
        }
    }

    /// All of them. Writing to a string cannot fail.
    pub(super) fn page(&self) -> String {
        let mut page = String::new();
        let head = |page: &mut String, name: &str, kind: &str, help: &str| {
            let _ = writeln!(page, "# HELP {name} {help}\n# TYPE {name} {kind}");
        };
        head(&mut page, "gik_build_info", "gauge", "The version that runs.");
        let _ = writeln!(page, "gik_build_info{{version=\"{}\"}} 1", env!("CARGO_PKG_VERSION"));
        head(&mut page, "gik_http_connections", "gauge", "Open connections.");
        let _ = writeln!(page, "gik_http_connections {}", self.connections.load(Ordering::Relaxed));
        head(&mut page, "gik_tool_calls_running", "gauge", "Calls of tools that run now.");
        let _ = writeln!(page, "gik_tool_calls_running {}", self.running.load(Ordering::Relaxed));
        head(&mut page, "gik_http_requests_total", "counter", "Requests by route and status.");
        for ((route, status), count) in
            &*self.requests.lock().unwrap_or_else(PoisonError::into_inner)
        {
            let _ = writeln!(
                page,
                "gik_http_requests_total{{route=\"{route}\",status=\"{status}\"}} {count}"
            );
        }
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        head(&mut page, "gik_tool_failures_total", "counter", "Calls of tools that failed.");
        for (tool, calls) in &*calls {
            let _ = writeln!(page, "gik_tool_failures_total{{tool=\"{tool}\"}} {}", calls.failed);
        }
        head(&mut page, "gik_tool_seconds", "histogram", "How long calls of tools take.");
        for (tool, calls) in &*calls {
            for (bound, count) in BUCKETS.iter().zip(calls.buckets) {
                let _ = writeln!(
                    page,
                    "gik_tool_seconds_bucket{{tool=\"{tool}\",le=\"{bound}\"}} {count}"
                );
            }
            let Calls { seconds, count, .. } = calls;
            let _ =
                writeln!(page, "gik_tool_seconds_bucket{{tool=\"{tool}\",le=\"+Inf\"}} {count}");
            let _ = writeln!(page, "gik_tool_seconds_sum{{tool=\"{tool}\"}} {seconds}");
            let _ = writeln!(page, "gik_tool_seconds_count{{tool=\"{tool}\"}} {count}");
        }
        page
    }
}
