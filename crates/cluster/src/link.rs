//! A connection to another process, as timely is given it.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use timely::communication::allocator::zero_copy::stream::Stream;

use crate::trouble::{End, Trouble};

/// What the connections of a process have in common.
pub(crate) struct Links {
    /// Whether all is done, so that others may end.
    pub(crate) is_done: AtomicBool,
    /// Bytes sent, whatever they are.
    pub(crate) sent: AtomicU64,
    pub(crate) end: End,
}

/// A connection whose other end must not go away before all is done. Where timely would panic, it
/// ends the process in words.
pub(crate) struct Link {
    pub(crate) stream: TcpStream,
    pub(crate) process: usize,
    pub(crate) links: Arc<Links>,
}

impl Link {
    fn lost(&self) {
        if !self.links.is_done.load(Relaxed) {
            (self.links.end)(Trouble::Ended(self.process));
        }
    }
}

impl Read for Link {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(bytes);
        if !matches!(read, Ok(1..)) && !matches!(&read, Err(e) if e.kind() == io::ErrorKind::Interrupted) {
            self.lost();
        }
        read
    }
}

impl Write for Link {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.stream.write(bytes);
        match written {
            Ok(count) => {
                self.links.sent.fetch_add(count as u64, Relaxed);
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

impl Stream for Link {
    fn try_clone(&self) -> io::Result<Self> {
        Ok(Self { stream: self.stream.try_clone()?, process: self.process, links: Arc::clone(&self.links) })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        self.stream.shutdown(how)
    }
}
