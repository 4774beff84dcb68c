//! Tries inputs of one language on several threads until the time is over, one fails or one takes too long.
//!
//! Each thread leaves its input in a file while it tries it: what cannot be caught, an endless loop or a crash in a grammar,
//! leaves its input behind.
//!
//! Time is that of the processor: beside other work it takes longer, and is as much.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use gik_base::hash::fast64;
use gik_parse::Language;
use gik_testkit::Rng;

use super::corpus::Corpus;
use super::trial;
use crate::stop::{Result, Stop};

/// How often a look is taken at the threads.
const LOOK: Duration = Duration::from_millis(50);
/// Longer is a hang. Without optimisation everything takes several times as long.
const MOST_TIME: Duration = Duration::from_secs(if cfg!(debug_assertions) { 60 } else { 10 });

/// What is tried, and for how long.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) seed: u64,
    pub(super) time: Duration,
    /// Where failing inputs go.
    pub(super) folder: PathBuf,
}

/// How a language did.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) inputs: u64,
    pub(super) finding: Option<Finding>,
}

/// An input that fails.
#[derive(Debug)]
pub(super) struct Finding {
    pub(super) file: PathBuf,
    pub(super) message: String,
}

struct Hunt {
    language: &'static Language,
    corpus: Arc<Corpus>,
    seed: u64,
    deadline: Duration,
    is_over: AtomicBool,
    next: AtomicU64,
    tried: AtomicU64,
    lanes: Vec<Lane>,
}

/// What one thread is at.
struct Lane {
    file: PathBuf,
    started: Mutex<Option<Duration>>,
}

/// Tries inputs of a language as planned.
pub(super) fn hunt(
    language: &'static Language,
    corpus: &Arc<Corpus>,
    plan: &Plan,
) -> Result<Outcome> {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let n_lanes = u32::try_from(threads.saturating_sub(1)).unwrap_or(1).max(1);
    let lane = |number: u32| Lane {
        file: plan.folder.join(format!("{}-running-{number}", language.id)),
        started: Mutex::new(None),
    };
    let hunt = Arc::new(Hunt {
        language,
        corpus: Arc::clone(corpus),
        seed: plan.seed ^ fast64(language.id.as_bytes()),
        deadline: spent() + plan.time * n_lanes,
        is_over: AtomicBool::new(false),
        next: AtomicU64::new(0),
        tried: AtomicU64::new(0),
        lanes: (0..n_lanes).map(lane).collect(),
    });
    let (sender, findings) = mpsc::channel();
    for number in 0..hunt.lanes.len() {
        let (hunt, sender) = (Arc::clone(&hunt), sender.clone());
        // Nobody waits for the threads: one that hangs must not keep the others from being told.
        std::thread::spawn(move || hunt.work(&hunt.lanes[number], &sender));
    }
    drop(sender);

    let mut finding = None;
    loop {
        match findings.recv_timeout(LOOK) {
            Ok((text, message)) => finding = Some(keep(plan, language, &text, message)?),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                if let Some(lane) = hunt.lanes.iter().find(|lane| lane.hangs(n_lanes)) {
                    hunt.is_over.store(true, Ordering::Relaxed);
                    let message = format!("takes longer than {} s", MOST_TIME.as_secs());
                    let text = crate::workspace::read(&lane.file)?;
                    finding = Some(keep(plan, language, &text, message)?);
                    break;
                }
            },
        }
    }
    Ok(Outcome { inputs: hunt.tried.load(Ordering::Relaxed), finding })
}

impl Hunt {
    fn work(&self, lane: &Lane, findings: &Sender<(String, String)>) {
        let pool = self.corpus.pool(self.language);
        while !self.is_over.load(Ordering::Relaxed) && spent() < self.deadline {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            // Far apart, so that no two inputs share a part of the sequence.
            let mut rng = Rng::new(self.seed ^ fast64(&number.to_le_bytes()));
            let text = pool.input(&mut rng);
            if lane.run(self.language, &text).is_err() {
                self.is_over.store(true, Ordering::Relaxed);
                let smallest =
                    trial::smallest(&text, |text| lane.run(self.language, text).is_err());
                let message = lane.run(self.language, &smallest).err().unwrap_or_default();
                // Nobody listens any more after a hang; that one is told.
                drop(findings.send((smallest, message)));
            }
            self.tried.fetch_add(1, Ordering::Relaxed);
        }
        drop(fs::remove_file(&lane.file));
    }
}

impl Lane {
    fn run(&self, language: &'static Language, text: &str) -> std::result::Result<(), String> {
        fs::write(&self.file, text)
            .map_err(|error| format!("cannot write `{}`: {error}", self.file.display()))?;
        *self.started.lock().unwrap_or_else(PoisonError::into_inner) = Some(spent());
        let outcome = trial::run(language, text);
        *self.started.lock().unwrap_or_else(PoisonError::into_inner) = None;
        outcome
    }

    fn hangs(&self, n_lanes: u32) -> bool {
        let started = *self.started.lock().unwrap_or_else(PoisonError::into_inner);
        started.is_some_and(|started| spent().saturating_sub(started) > MOST_TIME * n_lanes)
    }
}

/// The time that all threads of this process had a processor.
#[cfg(unix)]
fn spent() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// The time since it was first asked for, where the system does not tell more.
#[cfg(not(unix))]
fn spent() -> Duration {
    static FIRST: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    FIRST.elapsed()
}

/// Writes a failing input where it can be tried again.
fn keep(plan: &Plan, language: &Language, text: &str, message: String) -> Result<Finding> {
    let name = format!("{}-{:016x}", language.id, fast64(text.as_bytes()));
    let file = plan.folder.join(name);
    crate::workspace::write(&file, text)?;
    Ok(Finding { file, message })
}

/// Tries one input from a file.
pub(super) fn repeat(language: &'static Language, file: &Path) -> Result<()> {
    let bytes = fs::read(file).map_err(|error| Stop::on_path("read", file, error))?;
    let started = Instant::now();
    trial::run(language, &String::from_utf8_lossy(&bytes))
        .map_err(|message| Stop::Failed(format!("{}: {message}", language.id)))?;
    let took = started.elapsed();
    println!("{}: passed in {:.1} s", language.id, took.as_secs_f64());
    if took > MOST_TIME {
        return Err(Stop::Failed(format!("longer than {} s is a hang", MOST_TIME.as_secs())));
    }
    Ok(())
}
