//! Work on all cores, results in order, memory bounded.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, PoisonError};

use crate::{Cancel, Result};

/// How many results may wait for an earlier one that takes longer.
const WINDOW: usize = 64;

struct State<R> {
    next_in: usize,
    next_out: usize,
    done: BTreeMap<usize, R>,
    stopped: bool,
    running: usize,
}

/// Runs `work` for every item on `threads` threads and hands the results to `consume` in the order of the items, on
/// the calling thread. Stops at the first failure of `consume` or when cancelled.
pub fn in_order<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    cancel: &Cancel,
    work: impl Fn(&T) -> R + Sync,
    mut consume: impl FnMut(R) -> Result<()>,
) -> Result<()> {
    let threads = threads.clamp(1, items.len().max(1));
    if threads == 1 {
        for item in items {
            cancel.check()?;
            consume(work(item))?;
        }
        return Ok(());
    }
    let state = Mutex::new(State {
        next_in: 0,
        next_out: 0,
        done: BTreeMap::new(),
        stopped: false,
        running: threads,
    });
    let progress = Condvar::new();
    let lock = || state.lock().unwrap_or_else(PoisonError::into_inner);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                // A worker that panics must not leave the consumer waiting for its result for ever.
                let _leaving = OnDrop(|| {
                    lock().running -= 1;
                    progress.notify_all();
                });
                loop {
                    let mut held = lock();
                    while !held.stopped && held.next_in >= held.next_out + WINDOW {
                        held = progress.wait(held).unwrap_or_else(PoisonError::into_inner);
                    }
                    if held.stopped || held.next_in >= items.len() {
                        return;
                    }
                    let mine = held.next_in;
                    held.next_in += 1;
                    drop(held);
                    let result = work(&items[mine]);
                    lock().done.insert(mine, result);
                    progress.notify_all();
                }
            });
        }
        let stop = OnDrop(|| {
            lock().stopped = true;
            progress.notify_all();
        });
        for wanted in 0..items.len() {
            let mut held = lock();
            let result = loop {
                if let Some(result) = held.done.remove(&wanted) {
                    break Some(result);
                }
                if held.running == 0 {
                    break None;
                }
                held = progress.wait(held).unwrap_or_else(PoisonError::into_inner);
            };
            held.next_out = wanted + 1;
            drop(held);
            progress.notify_all();
            // Without a result every worker has gone: one panicked, and the scope passes that on.
            let Some(result) = result else { break };
            cancel.check()?;
            consume(result)?;
        }
        drop(stop);
        Ok(())
    })
}

struct OnDrop<F: Fn()>(F);

impl<F: Fn()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// The number of threads to use when the user names none.
pub fn available() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErrorCode, Failure};

    #[test]
    fn results_come_in_order_whatever_the_threads_do() {
        let items: Vec<u64> = (0..1000).collect();
        for threads in [1, 2, 7] {
            let mut seen = Vec::new();
            in_order(
                &items,
                threads,
                &Cancel::default(),
                |n| n * 2,
                |n| {
                    seen.push(n);
                    Ok(())
                },
            )
            .unwrap();
            assert_eq!(seen, items.iter().map(|n| n * 2).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_failing_consumer_stops_the_work() {
        let items: Vec<u64> = (0..10_000).collect();
        let result = in_order(
            &items,
            4,
            &Cancel::default(),
            |n| *n,
            |n| {
                if n == 5 { Err(Failure::new(ErrorCode::Io, "full")) } else { Ok(()) }
            },
        );
        assert_eq!(result.unwrap_err().code(), ErrorCode::Io);
    }

    #[test]
    fn cancelling_stops_the_work() {
        let cancel = Cancel::default();
        cancel.cancel();
        let result = in_order(&[1, 2, 3], 2, &cancel, |n| *n, |_| Ok(()));
        assert_eq!(result.unwrap_err().code(), ErrorCode::Interrupted);
    }
}
