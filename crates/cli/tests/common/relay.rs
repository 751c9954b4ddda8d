//! A slow network between two addresses of this machine.

#![allow(unreachable_pub, reason = "it is a module of tests")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::{Duration, Instant};

/// The speed of the network.
#[derive(Clone, Copy)]
pub struct Slow {
    /// Latency of a byte.
    pub delay: Duration,
    /// Bytes per second, each way.
    pub rate: f64,
}

/// Bytes of a piece, and the most pieces in flight.
const PIECE: usize = 16 << 10;
const PIECES: usize = 64;

/// Relays connections to an address, slowly. Returns the address where it listens. The threads run as long as the
/// process.
pub fn relay(to: SocketAddr, slow: Slow) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // The target does not listen yet: the caller tries again.
            let Ok(other) = TcpStream::connect(to) else { continue };
            pass(stream.try_clone().unwrap(), other.try_clone().unwrap(), slow);
            pass(other, stream, slow);
        }
    });
    at
}

fn pass(mut from: TcpStream, mut to: TcpStream, slow: Slow) {
    let (sender, pieces) = sync_channel::<(Instant, Vec<u8>)>(PIECES);
    thread::spawn(move || {
        let mut bytes = [0; PIECE];
        // When the line is idle again.
        let mut free = Instant::now();
        while let Ok(count @ 1..) = from.read(&mut bytes) {
            free = free.max(Instant::now()) + Duration::from_secs_f64(count as f64 / slow.rate);
            thread::sleep(free.saturating_duration_since(Instant::now()));
            if sender.send((free + slow.delay, bytes[..count].to_vec())).is_err() {
                break;
            }
        }
    });
    thread::spawn(move || {
        for (due, bytes) in pieces {
            thread::sleep(due.saturating_duration_since(Instant::now()));
            if to.write_all(&bytes).is_err() {
                break;
            }
        }
        let _ = to.shutdown(Shutdown::Write);
    });
}
