//! Work behind a page that takes a second or two. It is bounded in how much runs at the same time and for how long,
//! and stops when its client leaves.

use std::time::Duration;

use axum::http::StatusCode;
use balpan::Watch;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;

use crate::refusal::Refusal;
use crate::scene::apart;
use crate::words::refusal;

/// How long a request waits for a place.
const MAX_WAIT: Duration = Duration::from_secs(5);

/// How long work may take to stop at its time limit before its client is answered anyway.
const STOP_GRACE: Duration = Duration::from_millis(500);

/// Stops a watch when it is dropped, as it is with the request when a client leaves.
struct StopOnDrop(Watch);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Places for work that may take no longer than [`QUICK_TIME`]: most takes far less, and does not wait for what takes
/// long.
static QUICK: Semaphore = Semaphore::const_new(8);

/// How long work may take before it waits for a place in its room, where it begins again.
const QUICK_TIME: Duration = Duration::from_millis(100);

/// [`within`] without a limit of positions.
pub(crate) async fn bounded<T: Send + 'static>(
    room: &'static Semaphore,
    longest: Duration,
    work: impl FnOnce(&Watch) -> Result<T, Refusal> + Clone + Send + 'static,
) -> Result<T, Refusal> {
    within(room, longest, u64::MAX, work).await
}

/// Runs `work` on a blocking thread: at once for [`QUICK_TIME`], and if that does not suffice, anew as soon as `room` has
/// a place. The watch that `work` is given is stopped after `positions`, at the end of the time, `longest`, and when
/// the returned future is dropped.
///
/// # Errors
/// Those of `work`; busy if there is no place within [`MAX_WAIT`]; too hard if `work` is not done [`STOP_GRACE`] after
/// it was stopped. It keeps its place until it is.
pub(crate) async fn within<T: Send + 'static>(
    room: &'static Semaphore,
    longest: Duration,
    positions: u64,
    work: impl FnOnce(&Watch) -> Result<T, Refusal> + Clone + Send + 'static,
) -> Result<T, Refusal> {
    let too_hard = || Refusal::told(StatusCode::UNPROCESSABLE_ENTITY, refusal::too_hard);
    if let Ok(place) = QUICK.try_acquire()
        && let Ended::InTime(done) = run(place, QUICK_TIME, Watch::with_limit(positions), work.clone()).await
    {
        return done;
    }
    let place = timeout(MAX_WAIT, room.acquire()).await;
    let place = place.map_err(|_| Refusal::busy())?.map_err(|_| Refusal::busy())?;
    match run(place, longest, Watch::with_limit(positions), work).await {
        Ended::InTime(done) | Ended::Stopped(done) => done,
        Ended::NotYet => Err(too_hard()),
    }
}

/// How work has ended.
enum Ended<T> {
    InTime(Result<T, Refusal>),
    /// With what there was when it was stopped.
    Stopped(Result<T, Refusal>),
    /// It goes on after it was stopped.
    NotYet,
}

/// Runs `work` for so long; it keeps its place until its end.
async fn run<T: Send + 'static>(
    place: SemaphorePermit<'static>,
    longest: Duration,
    watch: Watch,
    work: impl FnOnce(&Watch) -> Result<T, Refusal> + Send + 'static,
) -> Ended<T> {
    let stop = StopOnDrop(watch.clone());
    let mut done = std::pin::pin!(apart(move || {
        let _place = place;
        work(&watch)
    }));
    if let Ok(done) = timeout(longest, &mut done).await {
        return Ended::InTime(done);
    }
    drop(stop);
    timeout(STOP_GRACE, done).await.map_or(Ended::NotYet, Ended::Stopped)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    use std::sync::{Arc, mpsc};
    use std::thread::sleep;
    use std::time::Instant;

    use super::*;

    const SHORT: Duration = Duration::from_millis(20);

    /// Far longer than any of these takes.
    const LONG: Duration = Duration::from_secs(60);

    fn until_stopped(watch: &Watch) {
        while !watch.is_stopping() {
            sleep(Duration::from_millis(1));
        }
    }

    #[tokio::test]
    async fn work_that_ignores_its_limit_is_not_waited_for() {
        static ROOM: Semaphore = Semaphore::const_new(1);
        let is_over = Arc::new(AtomicBool::new(false));
        let (begun, over) = (Instant::now(), Arc::clone(&is_over));
        let refused = bounded(&ROOM, SHORT, move |_| {
            while !over.load(Relaxed) && begun.elapsed() < LONG {
                sleep(Duration::from_millis(1));
            }
            Ok(())
        });
        assert_eq!(refused.await.unwrap_err().status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(begun.elapsed() < LONG / 2);
        // The place is taken as long as the work goes on.
        assert_eq!(ROOM.available_permits(), 0);
        is_over.store(true, Relaxed);
        assert!(timeout(LONG, ROOM.acquire()).await.is_ok());
    }

    #[tokio::test]
    async fn work_stops_when_its_client_leaves() {
        static ROOM: Semaphore = Semaphore::const_new(1);
        let (begin, begun) = mpsc::channel();
        let work = bounded(&ROOM, LONG, move |watch| {
            until_stopped(watch);
            // The first time it was too slow for the quick places.
            begin.send(()).map_err(|_| Refusal::busy())
        });
        assert!(timeout(QUICK_TIME + STOP_GRACE + SHORT, work).await.is_err());
        assert!(begun.recv_timeout(LONG).is_ok() && begun.recv_timeout(LONG).is_ok());
        assert!(timeout(LONG, ROOM.acquire()).await.is_ok());
    }

    #[tokio::test]
    async fn short_work_does_not_wait_for_long_work() {
        static ROOM: Semaphore = Semaphore::const_new(0);
        assert_eq!(bounded(&ROOM, LONG, |_| Ok(1)).await.unwrap(), 1);
    }
}
