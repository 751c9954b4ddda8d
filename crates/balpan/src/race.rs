//! Threads at one question: the first answer counts.

use std::thread;

/// Recursion needs less than a KiB a ply, and memory that is not used costs nothing.
const STACK_BYTES: usize = 64 << 20;

/// Runs `search` in so many threads, this one included, and returns the first answer
/// that one of them has; `search` is told whether it is this one's. Whoever
/// finds it has to make the others end.
pub(crate) fn race<T: Send, E: Send>(threads: usize, search: impl Fn(bool) -> Result<T, E> + Sync) -> Result<T, E> {
    if threads == 1 {
        return search(true);
    }
    thread::scope(|scope| {
        // Threads that the system has no room for are done without.
        let spawn = |_| thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, || search(false)).ok();
        let others: Vec<_> = (1..threads).filter_map(spawn).collect();
        let own = search(true);
        others.into_iter().fold(own, |result, other| match other.join() {
            Ok(others) => result.or(others),
            Err(panic) => std::panic::resume_unwind(panic),
        })
    })
}
