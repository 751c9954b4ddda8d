//! Connections to other processes, and heartbeats: each process sends one every second on a connection of its own, whatever its workers are doing.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::thread;
use std::time::{Duration, Instant};

use timely::communication::allocator::zero_copy::stream::Stream;

use crate::error::{AbortFn, ClusterError};

/// The time between two heartbeats.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(1);

/// Starts threads that send heartbeats to another process, and end this one if the other is silent
/// for longer than `silence_timeout`. They stop once the build is done.
pub(crate) fn start_heartbeat(
    stream: TcpStream,
    process: usize,
    silence_timeout: Duration,
    connections: &Arc<Connections>,
) -> io::Result<()> {
    stream.set_read_timeout(Some(HEARTBEAT_INTERVAL))?;
    stream.set_write_timeout(Some(silence_timeout))?;
    let (mut to, mut from) = (stream.try_clone()?, stream);
    let connections_sent = Arc::clone(connections);
    thread::Builder::new().name("beat".to_owned()).spawn(move || {
        // If sending fails, the receiving thread finds out.
        while !connections_sent.is_done.load(Relaxed) && to.write_all(&[1]).is_ok() {
            thread::sleep(HEARTBEAT_INTERVAL);
        }
    })?;
    let connections = Arc::clone(connections);
    thread::Builder::new().name("watch".to_owned()).spawn(move || {
        let mut last_heard = Instant::now();
        let mut bytes = [0; 64];
        while !connections.is_done.load(Relaxed) {
            let silent = last_heard.elapsed();
            match from.read(&mut bytes) {
                Ok(1..) => last_heard = Instant::now(),
                Err(e) if matches!(e.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                    if silent > silence_timeout {
                        (connections.end)(ClusterError::Silent { process, silent });
                    }
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => {
                    // The other process may have ended because the build is done: this one finds
                    // out in a moment.
                    thread::sleep(HEARTBEAT_INTERVAL);
                    if !connections.is_done.load(Relaxed) {
                        (connections.end)(ClusterError::Ended(process));
                    }
                }
            }
        }
    })?;
    Ok(())
}

/// State shared by the connections of a process.
pub(crate) struct Connections {
    /// Whether the build is done, so that other processes may end.
    pub(crate) is_done: AtomicBool,
    /// The bytes sent, protocol included.
    pub(crate) sent: AtomicU64,
    pub(crate) end: AbortFn,
}

/// A connection whose other end must stay until the build is done. Where timely would panic, it
/// ends the process with a message.
pub(crate) struct Connection {
    pub(crate) stream: TcpStream,
    pub(crate) process: usize,
    pub(crate) connections: Arc<Connections>,
}

impl Connection {
    fn lost(&self) {
        if !self.connections.is_done.load(Relaxed) {
            (self.connections.end)(ClusterError::Ended(self.process));
        }
    }
}

impl Read for Connection {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(bytes);
        if !matches!(read, Ok(1..)) && !matches!(&read, Err(e) if e.kind() == io::ErrorKind::Interrupted) {
            self.lost();
        }
        read
    }
}

impl Write for Connection {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.stream.write(bytes);
        match written {
            Ok(count) => {
                self.connections.sent.fetch_add(count as u64, Relaxed);
            }
            Err(ref e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => self.lost(),
        }
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl Stream for Connection {
    fn try_clone(&self) -> io::Result<Self> {
        Ok(Self { stream: self.stream.try_clone()?, process: self.process, connections: Arc::clone(&self.connections) })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        self.stream.shutdown(how)
    }
}
