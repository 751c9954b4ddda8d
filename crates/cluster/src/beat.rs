//! Heartbeats: each process sends one every second on a connection of its own, whatever its workers
//! are doing.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::{Duration, Instant};

use crate::link::Connections;
use crate::trouble::ClusterError;

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
