//! Connecting all processes of a build with each other.

use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use balpan::{Stopped, Watch};
use balpan_strong::BuildError;

use crate::error::ClusterError;
use crate::hosts::Hosts;
use crate::network::handshake::{HandshakeError, LocalProcess, Purpose, accept, initiate};

/// The time limit of a handshake.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(5);

/// The time between two attempts.
const RETRY_INTERVAL: Duration = Duration::from_millis(200);

/// The largest number of incoming handshakes at a time.
const MAX_STRANGERS: usize = 64;

/// The connections with another process.
pub(crate) struct Peer {
    pub(crate) data: TcpStream,
    pub(crate) beat: TcpStream,
}

/// The connections with a process so far, by purpose.
#[derive(Default)]
struct PeerSlot {
    is_taken: [bool; 2],
    streams: [Option<TcpStream>; 2],
}

fn lock(slot: &Mutex<PeerSlot>) -> MutexGuard<'_, PeerSlot> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Connects this process with all others: it calls those with lower indices, and is called by those
/// with higher ones. `tell` is called with refused strangers, and with the processes still missing.
pub(crate) fn connect(
    hosts: &Hosts,
    me: &LocalProcess<'_>,
    connect_timeout: Duration,
    watch: &Watch,
    tell: &(dyn Fn(String) + Sync),
) -> Result<Vec<Option<Peer>>, ClusterError> {
    let own = me.process as usize;
    let deadline = Instant::now() + connect_timeout;
    let listeners = if own + 1 < hosts.len() { listen(hosts.at(own), own)? } else { Vec::new() };
    let slots: Vec<Mutex<PeerSlot>> = (0..hosts.len()).map(|_| Mutex::new(PeerSlot::default())).collect();
    let (sender, arrived) = mpsc::channel();
    let (is_over, strangers) = (AtomicBool::new(false), AtomicUsize::new(0));
    thread::scope(|scope| {
        for (other, slot) in slots.iter().enumerate().take(own) {
            let sender = sender.clone();
            scope.spawn(move || {
                let called = connect_to(hosts.at(other), other, me, deadline, slot);
                // The receiver is gone if another connection has failed.
                let _ = sender.send(called);
            });
        }
        let (is_over, strangers) = (&is_over, &strangers);
        for listener in &listeners {
            let (sender, slots) = (sender.clone(), &slots);
            scope.spawn(move || {
                while !is_over.load(Relaxed) {
                    let (stream, from) = match listener.accept() {
                        Ok(accepted) => accepted,
                        Err(_) => {
                            thread::sleep(Duration::from_millis(20));
                            continue;
                        }
                    };
                    if strangers.fetch_add(1, Relaxed) >= MAX_STRANGERS {
                        strangers.fetch_sub(1, Relaxed);
                        continue;
                    }
                    let sender = sender.clone();
                    scope.spawn(move || {
                        if let Err(error) = accept_peer(stream, me, slots, &sender) {
                            tell(format!("{from} was refused: {error}"));
                        }
                        strangers.fetch_sub(1, Relaxed);
                    });
                }
            });
        }
        let mut has_notified = false;
        let missing = |slots: &[Mutex<PeerSlot>]| -> Vec<usize> {
            let is_missing = |slot: &Mutex<PeerSlot>| lock(slot).streams.iter().any(Option::is_none);
            (0..hosts.len()).filter(|&other| other != own && is_missing(&slots[other])).collect()
        };
        let begin = Instant::now();
        let result = loop {
            let missing = missing(&slots);
            let Some(&first) = missing.first() else { break Ok(()) };
            if watch.count(0).is_err() {
                break Err(ClusterError::Build(BuildError::Stopped(Stopped::Interrupted)));
            }
            if !has_notified && begin.elapsed() > Duration::from_secs(2) {
                has_notified = true;
                let names: Vec<String> =
                    missing.iter().map(|&other| format!("{other} at {}", hosts.at(other))).collect();
                tell(format!("waiting for process {}", names.join(", process ")));
            }
            if Instant::now() > deadline {
                let address = hosts.at(first).to_owned();
                break Err(ClusterError::NotThere {
                    process: first,
                    address,
                    waited: connect_timeout,
                    why: String::new(),
                });
            }
            if let Ok(Err(trouble)) = arrived.recv_timeout(RETRY_INTERVAL) {
                break Err(trouble);
            }
        };
        is_over.store(true, Relaxed);
        result
    })?;
    let peers = slots.into_iter().map(|slot| {
        let [data, beat] = slot.into_inner().unwrap_or_else(PoisonError::into_inner).streams;
        Some(Peer { data: data?, beat: beat? })
    });
    Ok(peers.collect())
}

fn listen(address: &str, process: usize) -> Result<Vec<TcpListener>, ClusterError> {
    let failed = |source| ClusterError::Listen { process, address: address.to_owned(), source };
    let addresses: Vec<SocketAddr> = address.to_socket_addrs().map_err(failed)?.collect();
    let deadline = Instant::now() + HANDSHAKE_TIMEOUT;
    let bind = |at: &SocketAddr| -> io::Result<TcpListener> {
        let listener = loop {
            match TcpListener::bind(at) {
                // A process that listened there before may be about to end.
                Err(e) if e.kind() == ErrorKind::AddrInUse && Instant::now() < deadline => {
                    thread::sleep(RETRY_INTERVAL)
                }
                bound => break bound?,
            }
        };
        listener.set_nonblocking(true)?;
        Ok(listener)
    };
    addresses.iter().map(bind).collect::<io::Result<_>>().map_err(failed)
}

/// Connects to another process, retrying until the deadline: once for data, once for heartbeats.
fn connect_to(
    address: &str,
    process: usize,
    me: &LocalProcess<'_>,
    deadline: Instant,
    slot: &Mutex<PeerSlot>,
) -> Result<(), ClusterError> {
    for purpose in [Purpose::Data, Purpose::Beat] {
        let stream = loop {
            let tried = dial(address).map_err(HandshakeError::Io).and_then(|mut stream| {
                initiate(&mut stream, me, process as u32, purpose)?;
                Ok(stream)
            });
            match tried {
                Ok(stream) => break stream,
                // The other process may not have begun yet.
                Err(HandshakeError::Io(e)) if Instant::now() > deadline => {
                    let (address, why) = (address.to_owned(), format!(": {e}"));
                    return Err(ClusterError::NotThere { process, address, waited: Duration::ZERO, why });
                }
                Err(HandshakeError::Io(_)) => thread::sleep(RETRY_INTERVAL),
                Err(error) => {
                    return Err(ClusterError::Refused { process, address: address.to_owned(), why: error.to_string() });
                }
            }
        };
        lock(slot).streams[purpose as usize] = Some(stream);
    }
    Ok(())
}

/// Connects to the first address of a name that answers.
fn dial(address: &str) -> io::Result<TcpStream> {
    let mut last = io::Error::from(ErrorKind::AddrNotAvailable);
    for at in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&at, HANDSHAKE_TIMEOUT) {
            Ok(stream) => return set_timeouts(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Sets the time limits of a handshake.
fn set_timeouts(stream: TcpStream) -> io::Result<TcpStream> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(HANDSHAKE_TIMEOUT))?;
    stream.set_write_timeout(Some(HANDSHAKE_TIMEOUT))?;
    Ok(stream)
}

/// Accepts a handshake, and keeps the connection.
fn accept_peer(
    stream: TcpStream,
    me: &LocalProcess<'_>,
    slots: &[Mutex<PeerSlot>],
    arrived: &mpsc::Sender<Result<(), ClusterError>>,
) -> Result<(), HandshakeError> {
    let mut stream = set_timeouts(stream)?;
    let (process, purpose) = accept(&mut stream, me, |process, purpose| {
        let Some(slot) = slots.get(process as usize).filter(|_| process > me.process) else { return false };
        !std::mem::replace(&mut lock(slot).is_taken[purpose as usize], true)
    })?;
    lock(&slots[process as usize]).streams[purpose as usize] = Some(stream);
    let _ = arrived.send(Ok(()));
    Ok(())
}
