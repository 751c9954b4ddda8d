//! Serving over TCP until it is stopped.

mod connections;
mod local;
pub(crate) mod public;

use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use axum::middleware::{from_fn, from_fn_with_state};
use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};

use crate::answers::{Answers, Limits};
use crate::router;
use connections::{Connections, Open, Stream, in_service};
use public::{Connection, Gate, PublicLimits, gate, network};

/// How long a client may take to send the head of a request, the first or the next.
const HEAD_TIMEOUT: Duration = Duration::from_secs(20);

/// How long requests in service may take to end when the server stops.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(2);

/// The pause after an error that may pass, as where too many files are open.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Sent to a client for which there is no connection.
const BUSY: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

/// Adds the limits on the clients of a public server, or on the host that a request is for.
pub(crate) fn guarded(router: Router, public: Option<PublicLimits>) -> Router {
    match public {
        Some(public) => router.layer(from_fn_with_state(Arc::new(Gate::new(public)), gate)),
        None => router.layer(from_fn(local::require_local_host)),
    }
}

/// Serves the explorer at `address` until Ctrl-C. `started` gets the actual address: port 0 means any free port.
///
/// # Errors
/// If the address cannot be bound.
pub fn run(address: SocketAddr, limits: Limits, started: impl FnOnce(SocketAddr)) -> io::Result<()> {
    let interrupt = async {
        // Where Ctrl-C cannot be caught, the default handler ends the process.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending().await
        }
    };
    run_until(address, limits, started, interrupt)
}

/// Serves the explorer at `address` until `stop` completes, as [`run`] does until Ctrl-C.
///
/// # Errors
/// If the address cannot be bound.
pub fn run_until(
    address: SocketAddr,
    limits: Limits,
    started: impl FnOnce(SocketAddr),
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build()?;
    let served = runtime.block_on(async {
        let listener = TcpListener::bind(address).await?;
        let mut stop = pin!(stop);
        // Ctrl-C is caught from the first poll on, which is before the address is known.
        let first = poll_fn(|context| Poll::Ready(stop.as_mut().poll(context))).await;
        started(listener.local_addr()?);
        if first.is_pending() {
            serve(listener, Arc::new(Answers::new(limits)), stop).await;
        }
        Ok(())
    });
    // Work on blocking threads was stopped when its clients were dropped. The runtime does not wait for the rest.
    runtime.shutdown_timeout(SHUTDOWN_GRACE);
    served
}

/// Serves a [`router`] until `stop` completes, which also stops all searches. On a loopback address, requests for other
/// hosts are refused unless the server is [public](Limits::public).
///
/// An address has at most 128 of the 512 connections. For one more, the one that has waited for its client for longest
/// is closed; if all of them are being served, the new one is refused with status 503. Connections from a
/// [proxy](crate::PublicLimits::behind_proxy) have the whole. A connection is closed when its client takes nothing of a response
/// for 20 seconds, or does not send the whole head of a request within as many.
pub async fn serve(listener: TcpListener, answers: Arc<Answers>, stop: impl Future<Output = ()>) {
    let is_to_this_machine = listener.local_addr().is_ok_and(|address| address.ip().is_loopback());
    let is_behind_proxy = answers.limits().public.is_some_and(|public| public.behind_proxy);
    let router = router(Arc::clone(&answers));
    let (shutdown, connections) = (GracefulShutdown::new(), Arc::new(Connections::new()));
    let serve_one = |stream: TcpStream, peer: SocketAddr, open: Arc<Open>| {
        // Sends small responses at once; a failure only delays them.
        let _ = stream.set_nodelay(true);
        let connection = Connection { peer: peer.ip(), is_to_this_machine };
        let service = router.clone().layer(Extension(connection));
        let service = service.layer(from_fn_with_state(Arc::clone(&open), in_service));
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT);
        let stream = TokioIo::new(Stream::new(stream, Arc::clone(&open)));
        let served = shutdown.watch(http.serve_connection(stream, TowerToHyperService::new(service)));
        let connections = Arc::clone(&connections);
        tokio::spawn(async move {
            tokio::select! {
                // The client learns of an error if it is still connected.
                _ = served => {}
                () = open.closed() => {}
            }
            connections.remove(&open);
        });
    };
    let accept = async {
        loop {
            let Ok((stream, peer)) = listener.accept().await else {
                sleep(ACCEPT_PAUSE).await;
                continue;
            };
            match connections.open((!is_behind_proxy).then(|| network(peer.ip()))) {
                Some(open) => serve_one(stream, peer, open),
                None => {
                    let _ = stream.try_write(BUSY);
                }
            }
        }
    };
    tokio::select! {
        () = accept => {}
        () = stop => {}
    }
    answers.stop();
    let _ = timeout(SHUTDOWN_GRACE, shutdown.shutdown()).await;
}
