//! The explorer's pages, served from a thread.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::thread::{self, JoinHandle};

use balpan_explorer::{Limits, run_until};
use pyo3::prelude::*;
use tokio::sync::oneshot;

use crate::errors::{error, thread_error};
use crate::own::call::lock;

/// A server of pages on this machine, which stops when it is dropped.
#[pyclass(frozen, module = "balpan._balpan")]
pub(crate) struct PageServer {
    port: u16,
    stop: Mutex<Option<oneshot::Sender<()>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[pymethods]
impl PageServer {
    /// Starts to serve at a port; 0 takes one that is free.
    #[new]
    fn new(py: Python<'_>, port: u16, memory: usize) -> PyResult<Self> {
        let (started, starts) = channel();
        let (stop, stops) = oneshot::channel::<()>();
        let serve = move || {
            let defaults = Limits::default();
            let limits = Limits { memory, cached: defaults.cached.min(memory / 4), ..defaults };
            let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
            let report = |address: SocketAddr| drop(started.send(Ok(address.port())));
            let until = async {
                // A sender that is dropped stops the server, too.
                let _ = stops.await;
            };
            if let Err(refused) = run_until(address, limits, report, until) {
                let _ = started.send(Err(refused));
            }
        };
        let thread = thread::Builder::new().spawn(serve).map_err(|failed| thread_error(py, &failed))?;
        let start = py.detach(move || starts.recv().unwrap_or_else(|ended| Err(io::Error::other(ended))));
        let port = start.map_err(|cause| {
            let help = "another program may listen there: take another port; 0 takes one that is free";
            error(py, "ArgumentError", &format!("nothing can listen at port {port}: {cause}"), help)
        })?;
        Ok(Self { port, stop: Mutex::new(Some(stop)), thread: Mutex::new(Some(thread)) })
    }

    #[getter]
    const fn port(&self) -> u16 {
        self.port
    }

    /// Stops the server, and waits until it has ended.
    fn stop(&self, py: Python<'_>) {
        drop(lock(&self.stop).take());
        let thread = lock(&self.thread).take();
        py.detach(|| drop(thread.map(JoinHandle::join)));
    }

    /// Whether the server serves.
    #[getter]
    fn is_running(&self) -> bool {
        lock(&self.thread).as_ref().is_some_and(|thread| !thread.is_finished())
    }
}
