//! How many calls a process works on at once: few enough for its memory. A call that only waits for what another one
//! does makes room for others meanwhile.

use std::cell::Cell;
use std::sync::{Condvar, LazyLock, Mutex, MutexGuard, PoisonError};

use gik_base::parallel;

static ROOM: LazyLock<Room> = LazyLock::new(|| Room::for_calls(most_at_once()));

thread_local! {
    static IS_INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// So many calls are worked on at once.
fn most_at_once() -> usize {
    (parallel::available() * 2).clamp(4, 32)
}

/// Does the work of a call as soon as there is room for it. First come, first served.
pub fn at_work<T>(work: impl FnOnce() -> T) -> T {
    if IS_INSIDE.get() {
        return work();
    }
    let _inside = Inside::enter(&ROOM);
    work()
}

/// Waits for something that another call does, and makes room meanwhile.
pub(crate) fn aside<T>(wait: impl FnOnce() -> T) -> T {
    if !IS_INSIDE.get() {
        return wait();
    }
    let _outside = Outside::leave(&ROOM);
    wait()
}

/// Calls enter in the order in which they came.
#[derive(Debug)]
struct Room {
    most: usize,
    state: Mutex<State>,
    has_left: Condvar,
}

#[derive(Debug, Default)]
struct State {
    came: usize,
    left: usize,
}

impl Room {
    fn for_calls(most: usize) -> Self {
        Self { most, state: Mutex::default(), has_left: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(&self) {
        let mut state = self.state();
        let number = state.came;
        state.came += 1;
        while number >= state.left + self.most {
            state = self.has_left.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        IS_INSIDE.set(true);
    }

    fn leave(&self) {
        IS_INSIDE.set(false);
        self.state().left += 1;
        self.has_left.notify_all();
    }
}

/// Leaves however the work ends.
struct Inside<'a>(&'a Room);

impl<'a> Inside<'a> {
    fn enter(room: &'a Room) -> Self {
        room.enter();
        Self(room)
    }
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

/// Comes back however the waiting ends.
struct Outside<'a>(&'a Room);

impl<'a> Outside<'a> {
    fn leave(room: &'a Room) -> Self {
        room.leave();
        Self(room)
    }
}

impl Drop for Outside<'_> {
    fn drop(&mut self) {
        self.0.enter();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use gik_testkit::eventually;

    use super::*;

    fn waiting(room: &Room) -> usize {
        let state = room.state();
        (state.came - state.left).saturating_sub(room.most)
    }

    #[test]
    fn no_more_than_there_is_room_for_and_in_the_order_they_came() {
        let room = Room::for_calls(1);
        let served = Mutex::new(Vec::new());
        let first = Inside::enter(&room);
        std::thread::scope(|scope| {
            for number in 0..5 {
                let (room, served) = (&room, &served);
                scope.spawn(move || {
                    let _inside = Inside::enter(room);
                    served.lock().unwrap().push(number);
                });
                eventually("it waits", || waiting(room) == number + 1);
            }
            assert!(served.lock().unwrap().is_empty());
            drop(first);
        });
        assert_eq!(served.into_inner().unwrap(), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn who_waits_for_another_makes_room() {
        let room = Room::for_calls(1);
        let inside = AtomicUsize::new(0);
        let first = Inside::enter(&room);
        std::thread::scope(|scope| {
            let outside = Outside::leave(&room);
            let other = scope.spawn(|| {
                let _inside = Inside::enter(&room);
                inside.fetch_add(1, Ordering::Relaxed)
            });
            other.join().unwrap();
            drop(outside);
        });
        assert_eq!(inside.into_inner(), 1);
        drop(first);
        assert_eq!(waiting(&room), 0);
    }

    #[test]
    fn work_inside_of_work_does_not_wait_for_itself() {
        fn nested(depth: usize) -> usize {
            if depth == 0 { 0 } else { at_work(|| nested(depth - 1) + 1) }
        }
        assert_eq!(nested(most_at_once() + 1), most_at_once() + 1);
        assert_eq!(aside(|| 2), 2);
    }
}
