//! Limits on the length of play.

use std::cell::Cell;
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::keyed::Keyed;

/// The longest play, in plies, that solvers search. They recurse once for each ply.
pub const MOST_PLIES: u32 = 10_000;

/// Play may last longer than solvers search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("play may last {plies} plies; a search goes at most {MOST_PLIES} deep")]
pub struct TooLong {
    /// The most plies that play may last.
    pub plies: u32,
}

impl TooLong {
    /// Refuses positions from which play may last longer than solvers search, if the game has
    /// [layers](crate::Keyed::layer).
    ///
    /// # Errors
    /// [`TooLong`] if it may.
    pub fn check<G: Keyed>(game: &G, position: &G::Position) -> Result<(), Self> {
        match game.layer(position) {
            Some(plies) if plies > MOST_PLIES => Err(Self { plies }),
            _ => Ok(()),
        }
    }
}

/// Plies that any thread's stack has room for.
const FEW_PLIES: u32 = 500;

/// Stack for each ply: several times what a search takes.
const PLY_BYTES: usize = 6 << 10;

/// The size of a stack for play of at most `plies` plies. What is not used takes no memory.
pub(crate) fn stack_bytes(plies: Option<u32>) -> usize {
    (plies.unwrap_or(MOST_PLIES).clamp(FEW_PLIES, MOST_PLIES) as usize * PLY_BYTES).max(64 << 20)
}

/// Of a stack that was made for plies, no more than this is in use by those who have begun
/// nothing deep yet.
const SHALLOW: usize = 256 << 10;

thread_local! {
    /// For how many plies this thread's stack was made, and where it begins.
    static ROOM: Cell<(u32, usize)> = const { Cell::new((0, 0)) };
}

/// The present position on the stack.
#[inline(never)]
fn here() -> usize {
    let here = 0_u8;
    std::ptr::from_ref(std::hint::black_box(&here)) as usize
}

/// Whether this thread's stack has room for a search of this number of plies.
fn has_room(plies: u32) -> bool {
    let (room, begins) = ROOM.get();
    plies <= FEW_PLIES || plies <= room && begins.abs_diff(here()) <= SHALLOW
}

/// Runs `work`, which recurses for at most `plies` plies, on a stack with enough room; `None` stands for
/// [`MOST_PLIES`]. Nested calls use the same stack and start no thread. Solvers that are used without an
/// [`Engine`](crate::Engine) recurse on the stack of their caller.
pub fn with_room<T: Send>(plies: Option<u32>, work: impl FnOnce() -> T + Send) -> T {
    let most = plies.unwrap_or(MOST_PLIES).min(MOST_PLIES);
    if has_room(most) {
        return work();
    }
    let work = Mutex::new(Some(work));
    let take = || work.lock().unwrap_or_else(PoisonError::into_inner).take();
    let answer = thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(stack_bytes(plies));
        let roomy = || {
            ROOM.set((most, here()));
            take().map(|work| work())
        };
        let worker = builder.spawn_scoped(scope, roomy).ok()?;
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    // Where the system has no room for a thread, this one has to do.
    match answer {
        Some(answer) => answer,
        None => take().map_or_else(|| unreachable!("work is taken once"), |work| work()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_is_made_once() {
        let here = thread::current().id();
        assert_eq!(with_room(Some(FEW_PLIES), || thread::current().id()), here);
        with_room(None, || {
            let roomy = thread::current().id();
            assert_ne!(roomy, here);
            assert_eq!(with_room(None, || thread::current().id()), roomy);
            assert_eq!(with_room(Some(MOST_PLIES + 1), || thread::current().id()), roomy);
        });
        with_room(Some(FEW_PLIES + 1), || {
            let roomy = thread::current().id();
            assert_ne!(with_room(None, || thread::current().id()), roomy);
        });
    }
}
