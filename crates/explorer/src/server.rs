//! Serving over TCP until it is stopped.

use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use axum::Extension;
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use crate::answers::{Answers, Limits};
use crate::public::Connection;
use crate::router;

/// Connections at a time; more wait.
const MOST_CONNECTIONS: usize = 512;

/// A client has so long to send a request's head, the first or the next.
const HEAD_WITHIN: Duration = Duration::from_secs(20);

/// Requests in hand have so long to end when the server stops.
const END_WITHIN: Duration = Duration::from_secs(2);

/// After an error that may pass, as where too many files are open.
const BREATH: Duration = Duration::from_millis(50);

/// Serves the explorer at `address` until Ctrl-C; `started` is told where, since port 0
/// takes any that is free.
///
/// # Errors
/// If nothing can listen there.
pub fn run(address: SocketAddr, limits: Limits, started: impl FnOnce(SocketAddr)) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(address).await?;
        let mut interrupt = pin!(tokio::signal::ctrl_c());
        // From the first time it is polled on, Ctrl-C is caught: before anybody knows of the server.
        let caught = poll_fn(|context| Poll::Ready(interrupt.as_mut().poll(context))).await;
        started(listener.local_addr()?);
        let answers = Arc::new(Answers::new(limits));
        let stop = async {
            match caught {
                Poll::Pending => {
                    let _ = interrupt.await;
                }
                Poll::Ready(Ok(())) => {}
                // It cannot be caught: the system's own handling ends the program.
                Poll::Ready(Err(_)) => std::future::pending().await,
            }
            answers.stop();
        };
        serve(listener, router(Arc::clone(&answers)), stop).await;
        Ok(())
    })
}

/// Serves a [`router`](crate::router) until `stop` ends. A server on this machine's own address answers
/// requests for this machine's own names alone, unless it is [public](Limits::public).
pub async fn serve(listener: TcpListener, router: Router, stop: impl Future<Output = ()>) {
    let is_to_this_machine = listener.local_addr().is_ok_and(|address| address.ip().is_loopback());
    let (connections, places) = (GracefulShutdown::new(), Arc::new(Semaphore::new(MOST_CONNECTIONS)));
    let accept = async {
        loop {
            // It is never closed.
            let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
            let Ok((stream, peer)) = listener.accept().await else {
                sleep(BREATH).await;
                continue;
            };
            // Small answers go out at once; without it, they are only later.
            let _ = stream.set_nodelay(true);
            let connection = Connection { peer: peer.ip(), is_to_this_machine };
            let service = TowerToHyperService::new(router.clone().layer(Extension(connection)));
            let mut http = http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(HEAD_WITHIN);
            let connection = connections.watch(http.serve_connection(TokioIo::new(stream), service));
            tokio::spawn(async move {
                // An error is the client's, who hears of it if there still is one.
                let _ = connection.await;
                drop(place);
            });
        }
    };
    tokio::select! {
        () = accept => {}
        () = stop => {}
    }
    let _ = timeout(END_WITHIN, connections.shutdown()).await;
}
