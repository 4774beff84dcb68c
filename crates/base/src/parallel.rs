//! Work on all cores, results in order, memory bounded.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, LazyLock, Mutex, PoisonError};
use std::thread::{Scope, ScopedJoinHandle};

use crate::{Cancel, Result};

/// How many results may always wait for an earlier one that takes longer, or for a consumer that is busy.
const WINDOW: usize = 64;
/// How many may wait where they are light.
const WIDE_WINDOW: usize = 2048;

/// How many parts of a list there are for each thread.
const PARTS: usize = 8;

/// How far work may be ahead of the one who takes its results.
#[derive(Debug, Clone, Copy)]
pub struct Ahead<W> {
    /// What an item weighs, in bytes.
    pub weigh: W,
    /// What may wait in all; beyond it a few items still may.
    pub budget: u64,
}

struct State<R> {
    next_in: usize,
    next_out: usize,
    /// What the items between the two weigh.
    weight: u64,
    done: BTreeMap<usize, R>,
    stopped: bool,
    running: usize,
}

impl<R> State<R> {
    fn is_full(&self, budget: u64) -> bool {
        let waiting = self.next_in - self.next_out;
        waiting >= WIDE_WINDOW || (waiting >= WINDOW && self.weight >= budget)
    }
}

/// Runs `work` for every item on `threads` threads and hands the results to `consume` in the order of the items, on
/// the calling thread. Stops at the first failure of `consume` or when cancelled.
///
/// Light items may be far ahead of a consumer that takes its time now and then, so that no thread waits for it.
pub fn in_order<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    ahead: Ahead<impl Fn(&T) -> u64 + Sync>,
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
        weight: 0,
        done: BTreeMap::new(),
        stopped: false,
        running: threads,
    });
    let (arrival, room) = (Condvar::new(), Condvar::new());
    let lock = || state.lock().unwrap_or_else(PoisonError::into_inner);
    std::thread::scope(|scope| {
        let worker = || {
            // A worker that panics must not leave the consumer waiting for its result for ever.
            let _leaving = OnDrop(|| {
                let mut held = lock();
                held.running -= 1;
                held.stopped |= std::thread::panicking();
                drop(held);
                arrival.notify_all();
                room.notify_all();
            });
            loop {
                let mut held = lock();
                while !held.stopped && held.is_full(ahead.budget) {
                    held = room.wait(held).unwrap_or_else(PoisonError::into_inner);
                }
                let mine = held.next_in;
                let Some(item) = items.get(mine).filter(|_| !held.stopped) else { return };
                held.next_in += 1;
                held.weight = held.weight.saturating_add((ahead.weigh)(item));
                drop(held);
                let result = work(item);
                let mut held = lock();
                held.done.insert(mine, result);
                let is_wanted = held.next_out == mine;
                drop(held);
                if is_wanted {
                    arrival.notify_all();
                }
            }
        };
        // The first may stay here, where nobody works: this thread only waits for results.
        scope.spawn(worker);
        (1..threads).for_each(|_| drop(beside(scope, worker)));
        let stop = OnDrop(|| {
            lock().stopped = true;
            room.notify_all();
        });
        for (wanted, item) in items.iter().enumerate() {
            let mut held = lock();
            let result = loop {
                if let Some(result) = held.done.remove(&wanted) {
                    break Some(result);
                }
                if held.running == 0 {
                    break None;
                }
                held = arrival.wait(held).unwrap_or_else(PoisonError::into_inner);
            };
            let was_full = held.is_full(ahead.budget);
            held.next_out = wanted + 1;
            held.weight = held.weight.saturating_sub((ahead.weigh)(item));
            drop(held);
            if was_full {
                room.notify_all();
            }
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

/// Runs over the parts of a list on so many threads, this one among them; what they give stays in order. Each takes
/// the next part when it is done with one, so that a thread which starts late or is slow does less.
pub fn in_parts<T: Sync, R: Send>(
    list: &[T],
    threads: usize,
    run: impl Fn(&[T]) -> Vec<R> + Sync,
) -> Vec<R> {
    if threads <= 1 {
        return run(list);
    }
    let parts: Vec<&[T]> = list.chunks(list.len().div_ceil(threads * PARTS).max(1)).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut mine = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(part) = parts.get(place) else { return mine };
            mine.push((place, run(part)));
        }
    };
    let mut done = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| beside(scope, work)).collect();
        let mut done = work();
        for other in others {
            done.extend(joined(other));
        }
        done
    });
    done.sort_unstable_by_key(|(place, _)| *place);
    done.into_iter().flat_map(|(_, results)| results).collect()
}

/// Does two things at once, the first on a thread of its own.
pub fn both<A: Send, B>(other: impl FnOnce() -> A + Send, own: impl FnOnce() -> B) -> (A, B) {
    std::thread::scope(|scope| {
        let other = beside(scope, other);
        let own = own();
        (joined(other), own)
    })
}

/// Starts a thread that runs at once, on another processor than this one.
///
/// By themselves systems often put it on the same one, where it waits for its turn, and move it some milliseconds later,
/// which is longer than most commands take. In virtual machines that is the rule: a processor that sleeps may well be
/// one that the host has given to somebody else, so Linux does not take it for free.
pub fn beside<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> ScopedJoinHandle<'scope, T> {
    let starter = processor::current();
    let started = scope.spawn(move || {
        processor::leave(starter);
        work()
    });
    // Where it is on this processor, it goes away as soon as it has a turn.
    std::thread::yield_now();
    started
}

/// What a thread gave; if it panicked, this one does.
pub fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

#[cfg(target_os = "linux")]
mod processor {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

    /// The one that this thread runs on.
    pub(super) fn current() -> usize {
        sched_getcpu()
    }

    /// Moves this thread away if it runs on that one. Later it may go anywhere, as before.
    pub(super) fn leave(processor: usize) {
        // Where the system does not tell, any number may come.
        if current() != processor || processor >= CpuSet::MAX_CPU {
            return;
        }
        let Ok(all) = sched_getaffinity(None) else { return };
        let mut others = all;
        others.unset(processor);
        // Where there is no other one, nothing happens.
        if sched_setaffinity(None, &others).is_ok() {
            // What was allowed a moment ago still is.
            let _ = sched_setaffinity(None, &all);
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod processor {
    pub(super) fn current() -> usize {
        0
    }

    pub(super) fn leave(_: usize) {}
}

/// The number of threads to use when the user names none. The system is asked once: that takes it several files.
pub fn available() -> usize {
    static AVAILABLE: LazyLock<usize> =
        LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from));
    *AVAILABLE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErrorCode, Failure};

    #[test]
    #[cfg(target_os = "linux")]
    fn a_thread_beside_another_may_go_anywhere_later() {
        use rustix::thread::sched_getaffinity;
        let allowed = || sched_getaffinity(None).unwrap();
        let (theirs, ours) = both(allowed, allowed);
        assert_eq!(theirs, ours);
        let (theirs, ()) = both(
            || {
                processor::leave(processor::current());
                allowed()
            },
            || (),
        );
        assert_eq!(theirs, ours);
    }

    #[test]
    fn the_panic_of_one_of_two_is_passed_on() {
        let outcome = std::panic::catch_unwind(|| both(|| panic!("on purpose"), || 1));
        assert!(outcome.is_err());
    }

    #[test]
    fn what_the_parts_of_a_list_give_stays_in_order() {
        let list: Vec<u32> = (0..100).collect();
        for threads in [0, 1, 2, 3, 7, 50] {
            let doubled = in_parts(&list, threads, |part| part.iter().map(|n| n * 2).collect());
            assert_eq!(doubled, (0..100).map(|n| n * 2).collect::<Vec<u32>>(), "{threads}");
        }
        assert!(in_parts(&[], 3, |part: &[u32]| part.to_vec()).is_empty());
    }

    #[test]
    fn a_panic_of_a_worker_is_passed_on_and_nobody_waits_for_its_result() {
        let items: Vec<u64> = (0..10_000).collect();
        let ahead = Ahead { weigh: |_: &u64| 1, budget: 8 };
        let outcome = std::panic::catch_unwind(|| {
            in_order(
                &items,
                4,
                ahead,
                &Cancel::default(),
                |item| assert_ne!(*item, 5, "on purpose"),
                |()| Ok(()),
            )
        });
        assert!(outcome.is_err());
    }

    #[test]
    fn results_come_in_order_whatever_the_threads_do() {
        let items: Vec<u64> = (0..1000).collect();
        for (threads, budget) in [(1, 0), (2, 0), (7, 0), (7, 200)] {
            let mut seen = Vec::new();
            in_order(
                &items,
                threads,
                Ahead { weigh: |n: &u64| *n % 5, budget },
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
            Ahead { weigh: |_: &u64| 1, budget: 100 },
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
        let ahead = Ahead { weigh: |_: &i32| 1, budget: 0 };
        let result = in_order(&[1, 2, 3], 2, ahead, &cancel, |n| *n, |_| Ok(()));
        assert_eq!(result.unwrap_err().code(), ErrorCode::Interrupted);
    }

    #[test]
    fn work_is_ahead_of_a_slow_consumer_as_far_as_it_may() {
        let items: Vec<u64> = (0..10_000).collect();
        for (weight, budget, most) in [(1, 300, 301), (1, 0, WINDOW), (0, 1, WIDE_WINDOW)] {
            let started = AtomicUsize::new(0);
            let order = Ordering::SeqCst;
            let mut taken = 0;
            let ahead = Ahead { weigh: |_: &u64| weight, budget };
            let work = |n: &u64| {
                started.fetch_add(1, order);
                *n
            };
            let result = in_order(&items, 2, ahead, &Cancel::default(), work, |_| {
                taken += 1;
                let reached = started.load(order);
                assert!(reached <= taken + most, "{reached} after {taken}");
                Ok(())
            });
            assert!(result.is_ok());
        }
    }
}
