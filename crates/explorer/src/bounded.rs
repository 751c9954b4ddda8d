//! Work that takes a second or two, with limits on how much runs at a time and for how long.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use balpan::Watch;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::refusal::Refusal;
use crate::scene::apart;
use crate::words::refusal;

/// Who finds no room waits so long for it.
const PATIENCE: Duration = Duration::from_secs(5);

/// Does work where `room` has a place, on a thread of its own; the watch that it is given says stop after
/// `longest`.
pub(crate) async fn bounded<T: Send + 'static>(
    room: &'static Semaphore,
    longest: Duration,
    work: impl FnOnce(&Watch) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    within(room, longest, Watch::default(), work).await
}

/// The same with a watch of one's own.
pub(crate) async fn within<T: Send + 'static>(
    room: &'static Semaphore,
    longest: Duration,
    watch: Watch,
    work: impl FnOnce(&Watch) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let busy = || Refusal::told(StatusCode::SERVICE_UNAVAILABLE, refusal::busy);
    let place = timeout(PATIENCE, room.acquire()).await.map_err(|_| busy())?.map_err(|_| busy())?;
    let watch = Arc::new(watch);
    let watched = Arc::clone(&watch);
    let mut done = std::pin::pin!(apart(move || {
        let _place = place;
        work(&watched)
    }));
    match timeout(longest, &mut done).await {
        Ok(done) => done,
        Err(_) => {
            watch.stop();
            done.await
        }
    }
}
