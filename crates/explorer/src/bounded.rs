//! Bounded work for a page: limits on concurrency, time and positions, and a stop when the client leaves.

use std::time::Duration;

use balpan::Watch;
#[cfg(feature = "server")]
use tokio::sync::{Semaphore, SemaphorePermit};
#[cfg(feature = "server")]
use tokio::time::timeout;

use crate::error::RequestError;
#[cfg(feature = "server")]
use crate::{scene::run_blocking, words::error as say};

/// How long a request waits for a permit.
#[cfg(feature = "server")]
const MAX_WAIT: Duration = Duration::from_secs(5);

/// How long work may take to stop at its time limit before its client is answered anyway.
#[cfg(feature = "server")]
const STOP_GRACE: Duration = Duration::from_millis(500);

/// Stops a watch when it is dropped, as it is with the request when a client leaves.
#[cfg(feature = "server")]
struct StopOnDrop(Watch);

#[cfg(feature = "server")]
impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Permits for work that takes at most [`QUICK_TIME`], as most does, so that it does not wait for longer work.
#[cfg(feature = "server")]
static QUICK: Semaphore = Semaphore::const_new(8);

/// How long work may take before it starts again with a permit of its own kind.
#[cfg(feature = "server")]
const QUICK_TIME: Duration = Duration::from_millis(100);

/// Limits on one kind of work.
pub(crate) struct WorkLimits {
    #[cfg(feature = "server")]
    permits: Semaphore,
    time: Duration,
    positions: u64,
}

impl WorkLimits {
    /// Allows `concurrent` runs at the same time, each of at most this time and this number of positions.
    pub(crate) const fn new(concurrent: usize, time: Duration, positions: u64) -> Self {
        #[cfg(not(feature = "server"))]
        let _ = concurrent;
        Self {
            #[cfg(feature = "server")]
            permits: Semaphore::const_new(concurrent),
            time,
            positions,
        }
    }

    /// Runs `work` in this thread. Its watch stops after the limits.
    #[cfg(not(feature = "server"))]
    #[allow(clippy::unused_async, reason = "the server's waits for another thread")]
    pub(crate) async fn run<T>(
        &'static self,
        work: impl FnOnce(&Watch) -> Result<T, RequestError>,
    ) -> Result<T, RequestError> {
        crate::answers::within(self.time, || work(&Watch::with_limit(self.positions)))
    }

    /// Runs `work` on a blocking thread: at once for [`QUICK_TIME`], and if that does not suffice, again as soon as there is
    /// a permit. The watch of `work` stops after the limits, and when the returned future is dropped.
    ///
    /// # Errors
    /// Those of `work`; busy if there is no permit within [`MAX_WAIT`]; too hard if `work` has not ended [`STOP_GRACE`]
    /// after it was stopped. `work` keeps its permit until it ends.
    #[cfg(feature = "server")]
    pub(crate) async fn run<T: Send + 'static>(
        &'static self,
        work: impl FnOnce(&Watch) -> Result<T, RequestError> + Clone + Send + 'static,
    ) -> Result<T, RequestError> {
        if let Ok(permit) = QUICK.try_acquire()
            && let RunResult::InTime(done) =
                run(permit, QUICK_TIME, Watch::with_limit(self.positions), work.clone()).await
        {
            return done;
        }
        let permit = timeout(MAX_WAIT, self.permits.acquire()).await;
        let permit = permit.map_err(|_| RequestError::busy())?.map_err(|_| RequestError::busy())?;
        match run(permit, self.time, Watch::with_limit(self.positions), work).await {
            RunResult::InTime(done) | RunResult::Stopped(done) => done,
            RunResult::Running => Err(RequestError::too_hard(say::too_hard)),
        }
    }
}

/// The result of bounded work.
#[cfg(feature = "server")]
enum RunResult<T> {
    InTime(Result<T, RequestError>),
    /// The result after the work was stopped.
    Stopped(Result<T, RequestError>),
    /// The work goes on although it was stopped.
    Running,
}

/// Runs `work` and stops it after `time_limit`.
#[cfg(feature = "server")]
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

#[cfg(all(test, feature = "server"))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    use std::sync::{Arc, mpsc};
    use std::thread::sleep;
    use std::time::Instant;

    use axum::http::StatusCode;

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
        static LIMITS: WorkLimits = WorkLimits::new(1, SHORT_TIME, u64::MAX);
        let is_over = Arc::new(AtomicBool::new(false));
        let (begun, over) = (Instant::now(), Arc::clone(&is_over));
        let error_page = LIMITS.run(move |_| {
            while !over.load(Relaxed) && begun.elapsed() < LONG_TIME {
                sleep(Duration::from_millis(1));
            }
            Ok(())
        });
        assert_eq!(error_page.await.unwrap_err().status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(begun.elapsed() < LONG_TIME / 2);
        // The work holds its permit as long as it goes on.
        assert_eq!(LIMITS.permits.available_permits(), 0);
        is_over.store(true, Relaxed);
        assert!(timeout(LONG_TIME, LIMITS.permits.acquire()).await.is_ok());
    }

    #[tokio::test]
    async fn work_stops_when_its_client_leaves() {
        static LIMITS: WorkLimits = WorkLimits::new(1, LONG_TIME, u64::MAX);
        let (begin, begun) = mpsc::channel();
        let work = LIMITS.run(move |watch| {
            until_stopped(watch);
            // The first of two runs: the quick one was too slow.
            begin.send(()).map_err(|_| RequestError::busy())
        });
        assert!(timeout(QUICK_TIME + STOP_GRACE + SHORT_TIME, work).await.is_err());
        assert!(begun.recv_timeout(LONG_TIME).is_ok() && begun.recv_timeout(LONG_TIME).is_ok());
        assert!(timeout(LONG_TIME, LIMITS.permits.acquire()).await.is_ok());
    }

    #[tokio::test]
    async fn short_work_does_not_wait_for_long_work() {
        static LIMITS: WorkLimits = WorkLimits::new(0, LONG_TIME, u64::MAX);
        assert_eq!(LIMITS.run(|_| Ok(1)).await.unwrap(), 1);
    }
}
