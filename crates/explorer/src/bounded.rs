//! Bounded work for a page: limits on concurrency, time and positions, and a stop when the client leaves.

use std::time::Duration;

use axum::http::StatusCode;
use balpan::Watch;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;

use crate::error::RequestError;
use crate::scene::run_blocking;
use crate::words::error as say;

/// How long a request waits for a permit.
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

/// Permits for work that takes at most [`QUICK_TIME`], as most does, so that it does not wait for longer work.
static QUICK: Semaphore = Semaphore::const_new(8);

/// How long work may take before it starts again with a permit of its own kind.
const QUICK_TIME: Duration = Duration::from_millis(100);

/// [`run_limited`] without a limit on positions.
pub(crate) async fn run_bounded<T: Send + 'static>(
    permits: &'static Semaphore,
    time_limit: Duration,
    work: impl FnOnce(&Watch) -> Result<T, RequestError> + Clone + Send + 'static,
) -> Result<T, RequestError> {
    run_limited(permits, time_limit, u64::MAX, work).await
}

/// Runs `work` on a blocking thread: at once for [`QUICK_TIME`], and if that does not suffice, again as soon as `permits`
/// has one. The watch of `work` stops after `positions`, after `time_limit`, and when the returned future is dropped.
///
/// # Errors
/// Those of `work`; busy if there is no permit within [`MAX_WAIT`]; too hard if `work` has not ended [`STOP_GRACE`] after
/// it was stopped. `work` keeps its permit until it ends.
pub(crate) async fn run_limited<T: Send + 'static>(
    permits: &'static Semaphore,
    time_limit: Duration,
    positions: u64,
    work: impl FnOnce(&Watch) -> Result<T, RequestError> + Clone + Send + 'static,
) -> Result<T, RequestError> {
    let too_hard = || RequestError::localized(StatusCode::UNPROCESSABLE_ENTITY, say::too_hard);
    if let Ok(permit) = QUICK.try_acquire()
        && let RunResult::InTime(done) = run(permit, QUICK_TIME, Watch::with_limit(positions), work.clone()).await
    {
        return done;
    }
    let permit = timeout(MAX_WAIT, permits.acquire()).await;
    let permit = permit.map_err(|_| RequestError::busy())?.map_err(|_| RequestError::busy())?;
    match run(permit, time_limit, Watch::with_limit(positions), work).await {
        RunResult::InTime(done) | RunResult::Stopped(done) => done,
        RunResult::Running => Err(too_hard()),
    }
}

/// The result of bounded work.
enum RunResult<T> {
    InTime(Result<T, RequestError>),
    /// The result after the work was stopped.
    Stopped(Result<T, RequestError>),
    /// The work goes on although it was stopped.
    Running,
}

/// Runs `work` and stops it after `time_limit`.
async fn run<T: Send + 'static>(
    permit: SemaphorePermit<'static>,
    time_limit: Duration,
    watch: Watch,
    work: impl FnOnce(&Watch) -> Result<T, RequestError> + Send + 'static,
) -> RunResult<T> {
    let stop = StopOnDrop(watch.clone());
    let mut done = std::pin::pin!(run_blocking(move || {
        let _permit = permit;
        work(&watch)
    }));
    if let Ok(done) = timeout(time_limit, &mut done).await {
        return RunResult::InTime(done);
    }
    drop(stop);
    timeout(STOP_GRACE, done).await.map_or(RunResult::Running, RunResult::Stopped)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    use std::sync::{Arc, mpsc};
    use std::thread::sleep;
    use std::time::Instant;

    use super::*;

    const SHORT_TIME: Duration = Duration::from_millis(20);

    /// Far longer than any of these tests takes.
    const LONG_TIME: Duration = Duration::from_secs(60);

    fn until_stopped(watch: &Watch) {
        while !watch.is_stopping() {
            sleep(Duration::from_millis(1));
        }
    }

    #[tokio::test]
    async fn work_that_ignores_its_limit_is_not_waited_for() {
        static PERMITS: Semaphore = Semaphore::const_new(1);
        let is_over = Arc::new(AtomicBool::new(false));
        let (begun, over) = (Instant::now(), Arc::clone(&is_over));
        let error_page = run_bounded(&PERMITS, SHORT_TIME, move |_| {
            while !over.load(Relaxed) && begun.elapsed() < LONG_TIME {
                sleep(Duration::from_millis(1));
            }
            Ok(())
        });
        assert_eq!(error_page.await.unwrap_err().status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(begun.elapsed() < LONG_TIME / 2);
        // The work holds its permit as long as it goes on.
        assert_eq!(PERMITS.available_permits(), 0);
        is_over.store(true, Relaxed);
        assert!(timeout(LONG_TIME, PERMITS.acquire()).await.is_ok());
    }

    #[tokio::test]
    async fn work_stops_when_its_client_leaves() {
        static PERMITS: Semaphore = Semaphore::const_new(1);
        let (begin, begun) = mpsc::channel();
        let work = run_bounded(&PERMITS, LONG_TIME, move |watch| {
            until_stopped(watch);
            // The first of two runs: the quick one was too slow.
            begin.send(()).map_err(|_| RequestError::busy())
        });
        assert!(timeout(QUICK_TIME + STOP_GRACE + SHORT_TIME, work).await.is_err());
        assert!(begun.recv_timeout(LONG_TIME).is_ok() && begun.recv_timeout(LONG_TIME).is_ok());
        assert!(timeout(LONG_TIME, PERMITS.acquire()).await.is_ok());
    }

    #[tokio::test]
    async fn short_work_does_not_wait_for_long_work() {
        static PERMITS: Semaphore = Semaphore::const_new(0);
        assert_eq!(run_bounded(&PERMITS, LONG_TIME, |_| Ok(1)).await.unwrap(), 1);
    }
}
