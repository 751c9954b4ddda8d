//! A connection to another process, in the form that timely needs.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use timely::communication::allocator::zero_copy::stream::Stream;

use crate::trouble::{AbortFn, ClusterError};

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
