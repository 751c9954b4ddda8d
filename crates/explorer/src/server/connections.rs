//! The open connections: limits per address and in all, eviction of idle ones, and the write timeout.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http_body_util::BodyExt;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::time::{Instant, Sleep, sleep};

/// Connections open at the same time.
pub(crate) const MAX_CONNECTIONS: usize = 512;

/// Connections of one address open at the same time: a quarter, so that one address cannot hold all of them.
pub(crate) const MAX_CONNECTIONS_PER_ADDRESS: usize = 128;

/// How long a client may take nothing of a response before its connection is closed.
pub(crate) const WRITE_TIMEOUT: Duration = Duration::from_secs(20);

/// The open connections.
pub(crate) struct Connections {
    open: Mutex<Vec<Arc<Open>>>,
    start: Instant,
}

/// An open connection.
pub(crate) struct Open {
    /// Its address; `None` for connections from the proxy in front, which stand for many clients.
    client: Option<IpAddr>,
    start: Instant,
    /// Milliseconds from `start` to when the client last sent or took something.
    active: AtomicU64,
    /// Requests whose response is still being made.
    in_service: AtomicUsize,
    /// Whether the client takes nothing of the pending bytes.
    is_stalled: AtomicBool,
    close: Notify,
}

impl Connections {
    pub(crate) fn new() -> Self {
        Self { open: Mutex::default(), start: Instant::now() }
    }

    fn all(&self) -> MutexGuard<'_, Vec<Arc<Open>>> {
        // Each change is a single step, so that a panic leaves the list valid.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a connection. If the client's address, or all together, have as many as they may, the one that has waited
    /// for its client for longest is closed for it.
    ///
    /// Returns `None` if none of them waits for its client.
    pub(crate) fn open(&self, client: Option<IpAddr>) -> Option<Arc<Open>> {
        let mut all = self.all();
        let is_of_client = |other: &Open| client.is_some() && other.client == client;
        let of_client = all.iter().filter(|other| is_of_client(other)).count();
        if of_client >= MAX_CONNECTIONS_PER_ADDRESS {
            Self::make_room(&mut all, is_of_client)?;
        } else if all.len() >= MAX_CONNECTIONS {
            Self::make_room(&mut all, |_| true)?;
        }
        let open = Arc::new(Open {
            client,
            start: self.start,
            active: AtomicU64::new(0),
            in_service: AtomicUsize::new(0),
            is_stalled: AtomicBool::new(false),
            close: Notify::new(),
        });
        open.touch();
        all.push(Arc::clone(&open));
        Some(open)
    }

    /// Closes the connection of these that has waited for its client for longest.
    fn make_room(all: &mut Vec<Arc<Open>>, is_one: impl Fn(&Open) -> bool) -> Option<()> {
        let waiting = all.iter().enumerate().filter(|(_, open)| is_one(open) && open.waits_for_client());
        let (longest, _) = waiting.min_by_key(|(_, open)| open.active.load(Relaxed))?;
        all.swap_remove(longest).close.notify_one();
        Some(())
    }

    /// Removes a connection that has ended.
    pub(crate) fn remove(&self, ended: &Arc<Open>) {
        self.all().retain(|open| !Arc::ptr_eq(open, ended));
    }
}

impl Open {
    /// Resolves when the connection is to be closed for another one.
    pub(crate) async fn closed(&self) {
        self.close.notified().await;
    }

    fn touch(&self) {
        self.active.store(self.start.elapsed().as_millis() as u64, Relaxed);
    }

    /// Whether the next step is the client's: to send a request, or to take the response.
    fn waits_for_client(&self) -> bool {
        self.in_service.load(Relaxed) == 0 || self.is_stalled.load(Relaxed)
    }
}

/// A request in service, until this is dropped with the body of its response.
struct InService(Arc<Open>);

impl Drop for InService {
    fn drop(&mut self) {
        self.0.in_service.fetch_sub(1, Relaxed);
    }
}

/// Counts a request as in service until its response is complete.
pub(crate) async fn in_service(State(open): State<Arc<Open>>, request: Request, next: Next) -> Response {
    open.in_service.fetch_add(1, Relaxed);
    let in_service = InService(open);
    next.run(request).await.map(|body| held(body, in_service))
}

/// A body that keeps `held` until it ends.
pub(crate) fn held(body: Body, held: impl Send + 'static) -> Body {
    Body::new(body.map_err(move |error| {
        let _ = &held;
        error
    }))
}

/// A TCP stream that fails when its client takes nothing for [`WRITE_TIMEOUT`].
pub(crate) struct Stream {
    tcp: TcpStream,
    open: Arc<Open>,
    deadline: Option<Pin<Box<Sleep>>>,
}

impl Stream {
    pub(crate) fn new(tcp: TcpStream, open: Arc<Open>) -> Self {
        Self { tcp, open, deadline: None }
    }

    /// Passes on the result of a write. The deadline runs while the client takes nothing.
    fn in_time<T>(&mut self, cx: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.open.touch();
            self.open.is_stalled.store(false, Relaxed);
            self.deadline = None;
            return written;
        }
        self.open.is_stalled.store(true, Relaxed);
        ready!(self.deadline.get_or_insert_with(|| Box::pin(sleep(WRITE_TIMEOUT))).as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if self.open.is_stalled.load(Relaxed) {
            // Else the pending bytes would stay in the kernel's memory.
            let _ = self.tcp.set_zero_linger();
        }
    }
}

impl AsyncRead for Stream {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let stream = self.get_mut();
        let read = Pin::new(&mut stream.tcp).poll_read(cx, buffer);
        if read.is_ready() {
            stream.open.touch();
        }
        read
    }
}

impl AsyncWrite for Stream {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let stream = self.get_mut();
        let written = Pin::new(&mut stream.tcp).poll_write(cx, bytes);
        stream.in_time(cx, written)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let stream = self.get_mut();
        let written = Pin::new(&mut stream.tcp).poll_write_vectored(cx, buffers);
        stream.in_time(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.tcp.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().tcp).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().tcp).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use tokio::io::AsyncWriteExt;
    use tokio::net::TcpListener;

    use super::*;

    fn address(n: u8) -> Option<IpAddr> {
        Some(IpAddr::from([192, 0, 2, n]))
    }

    fn is_open(connections: &Connections, open: &Arc<Open>) -> bool {
        connections.all().iter().any(|other| Arc::ptr_eq(other, open))
    }

    #[tokio::test]
    async fn the_connections_of_one_address_are_bounded() {
        let connections = Connections::new();
        let first = connections.open(address(1)).unwrap();
        let second = connections.open(address(1)).unwrap();
        first.active.store(0, Relaxed);
        second.active.store(1, Relaxed);
        // One in service is not closed for another.
        first.in_service.store(1, Relaxed);
        for _ in 2..MAX_CONNECTIONS_PER_ADDRESS {
            connections.open(address(1)).unwrap().active.store(2, Relaxed);
        }
        let other = connections.open(address(2)).unwrap();
        other.active.store(0, Relaxed);
        assert!(connections.open(address(1)).is_some());
        second.closed().await;
        assert!(is_open(&connections, &first) && is_open(&connections, &other) && !is_open(&connections, &second));
        assert_eq!(connections.all().len(), MAX_CONNECTIONS_PER_ADDRESS + 1);
        connections.all().iter().for_each(|open| open.in_service.store(1, Relaxed));
        assert!(connections.open(address(1)).is_none() && connections.open(address(2)).is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_takes_nothing_times_out() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (client, accepted) = tokio::join!(TcpStream::connect(listener.local_addr().unwrap()), listener.accept());
        let open = Connections::new().open(address(1)).unwrap();
        let mut stream = Stream::new(accepted.unwrap().0, Arc::clone(&open));
        let begun = Instant::now();
        // More than the kernel buffers.
        let written = stream.write_all(&vec![0; 1 << 26]).await;
        assert_eq!(written.unwrap_err().kind(), io::ErrorKind::TimedOut);
        assert!(begun.elapsed() >= WRITE_TIMEOUT && open.waits_for_client());
        drop(client);
    }

    #[test]
    fn all_addresses_share_the_connections() {
        for client in [address as fn(u8) -> Option<IpAddr>, |_| None] {
            let connections = Connections::new();
            for n in 0..MAX_CONNECTIONS + 100 {
                assert!(connections.open(client((n % 200) as u8)).is_some());
                assert!(connections.all().len() <= MAX_CONNECTIONS);
            }
            connections.all().iter().for_each(|open| open.in_service.store(1, Relaxed));
            assert!(connections.open(client(201)).is_none());
            // A stalled client gives way to a new one.
            connections.all()[7].is_stalled.store(true, Relaxed);
            assert!(connections.open(client(201)).is_some());
        }
    }
}
