//! Connecting all processes of a build with each other.

use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use balpan::{Stopped, Watch};
use balpan_strong::BuildError;

use crate::hello::{Me, NoHello, Purpose, answer, call};
use crate::hosts::Hosts;
use crate::trouble::Trouble;

/// How long one who has connected may take to say who it is.
const HELLO: Duration = Duration::from_secs(5);

/// How often it is tried again.
const AGAIN: Duration = Duration::from_millis(200);

/// The most strangers that are listened to at a time.
const MOST_STRANGERS: usize = 64;

/// The connections with another process.
pub(crate) struct Peer {
    pub(crate) data: TcpStream,
    pub(crate) beat: TcpStream,
}

/// Which connections there are with a process.
#[derive(Default)]
struct Slot {
    is_taken: [bool; 2],
    data: Option<TcpStream>,
    beat: Option<TcpStream>,
}

impl Slot {
    fn put(&mut self, purpose: Purpose, stream: TcpStream) {
        match purpose {
            Purpose::Data => self.data = Some(stream),
            Purpose::Beat => self.beat = Some(stream),
        }
    }
}

/// Connects this process with all others: it calls those before it, and is called by those after
/// it. `tell` is told of strangers, and of whom is waited for.
pub(crate) fn connect(
    hosts: &Hosts,
    me: &Me<'_>,
    patience: Duration,
    watch: &Watch,
    tell: &(dyn Fn(String) + Sync),
) -> Result<Vec<Option<Peer>>, Trouble> {
    let own = me.process as usize;
    let deadline = Instant::now() + patience;
    let listeners = if own + 1 < hosts.len() { listen(hosts.at(own), own)? } else { Vec::new() };
    let slots: Vec<Mutex<Slot>> = (0..hosts.len()).map(|_| Mutex::new(Slot::default())).collect();
    let (sender, arrived) = mpsc::channel();
    let (is_over, strangers) = (AtomicBool::new(false), AtomicUsize::new(0));
    thread::scope(|scope| {
        for (other, slot) in slots.iter().enumerate().take(own) {
            let sender = sender.clone();
            scope.spawn(move || {
                let called = call_both(hosts.at(other), other, me, deadline, slot);
                // Nobody listens any more if another one has failed.
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
                    if strangers.fetch_add(1, Relaxed) >= MOST_STRANGERS {
                        strangers.fetch_sub(1, Relaxed);
                        continue;
                    }
                    let sender = sender.clone();
                    scope.spawn(move || {
                        if let Err(error) = hear(stream, me, slots, &sender) {
                            tell(format!("{from} was refused: {error}"));
                        }
                        strangers.fetch_sub(1, Relaxed);
                    });
                }
            });
        }
        let mut has_told = false;
        let missing = |slots: &[Mutex<Slot>]| -> Vec<usize> {
            let is_missing = |slot: &Mutex<Slot>| {
                let slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
                slot.data.is_none() || slot.beat.is_none()
            };
            (0..hosts.len()).filter(|&other| other != own && is_missing(&slots[other])).collect()
        };
        let begin = Instant::now();
        let result = loop {
            let missing = missing(&slots);
            let Some(&first) = missing.first() else { break Ok(()) };
            if watch.count(0).is_err() {
                break Err(Trouble::Build(BuildError::Stopped(Stopped::Interrupted)));
            }
            if !has_told && begin.elapsed() > Duration::from_secs(2) {
                has_told = true;
                let names: Vec<String> =
                    missing.iter().map(|&other| format!("{other} at {}", hosts.at(other))).collect();
                tell(format!("waiting for process {}", names.join(", process ")));
            }
            if Instant::now() > deadline {
                let address = hosts.at(first).to_owned();
                break Err(Trouble::NotThere { process: first, address, waited: patience, why: String::new() });
            }
            if let Ok(Err(trouble)) = arrived.recv_timeout(AGAIN) {
                break Err(trouble);
            }
        };
        is_over.store(true, Relaxed);
        result
    })?;
    let peers = slots.into_iter().map(|slot| {
        let Slot { data, beat, .. } = slot.into_inner().unwrap_or_else(PoisonError::into_inner);
        Some(Peer { data: data?, beat: beat? })
    });
    Ok(peers.collect())
}

fn listen(address: &str, process: usize) -> Result<Vec<TcpListener>, Trouble> {
    let failed = |source| Trouble::Listen { process, address: address.to_owned(), source };
    let addresses: Vec<SocketAddr> = address.to_socket_addrs().map_err(failed)?.collect();
    let deadline = Instant::now() + HELLO;
    let bind = |at: &SocketAddr| -> io::Result<TcpListener> {
        let listener = loop {
            match TcpListener::bind(at) {
                // The process that listened there before may be about to end.
                Err(e) if e.kind() == ErrorKind::AddrInUse && Instant::now() < deadline => thread::sleep(AGAIN),
                bound => break bound?,
            }
        };
        listener.set_nonblocking(true)?;
        Ok(listener)
    };
    addresses.iter().map(bind).collect::<io::Result<_>>().map_err(failed)
}

/// Calls another process until it answers, twice.
fn call_both(address: &str, process: usize, me: &Me<'_>, deadline: Instant, slot: &Mutex<Slot>) -> Result<(), Trouble> {
    for purpose in [Purpose::Data, Purpose::Beat] {
        let stream = loop {
            let tried = reach(address).map_err(NoHello::Io).and_then(|mut stream| {
                call(&mut stream, me, process as u32, purpose)?;
                Ok(stream)
            });
            match tried {
                Ok(stream) => break stream,
                // It may not have begun yet.
                Err(NoHello::Io(e)) if Instant::now() > deadline => {
                    let (address, why) = (address.to_owned(), format!(": {e}"));
                    return Err(Trouble::NotThere { process, address, waited: Duration::ZERO, why });
                }
                Err(NoHello::Io(_)) => thread::sleep(AGAIN),
                Err(error) => {
                    return Err(Trouble::Refused { process, address: address.to_owned(), why: error.to_string() });
                }
            }
        };
        slot.lock().unwrap_or_else(PoisonError::into_inner).put(purpose, stream);
    }
    Ok(())
}

/// Connects with one of the addresses that a name stands for.
fn reach(address: &str) -> io::Result<TcpStream> {
    let mut last = io::Error::from(ErrorKind::AddrNotAvailable);
    for at in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&at, HELLO) {
            Ok(stream) => return ready(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Sets how long a hello may take.
fn ready(stream: TcpStream) -> io::Result<TcpStream> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(HELLO))?;
    stream.set_write_timeout(Some(HELLO))?;
    Ok(stream)
}

/// Hears one who has called, and keeps the connection.
fn hear(
    stream: TcpStream,
    me: &Me<'_>,
    slots: &[Mutex<Slot>],
    arrived: &mpsc::Sender<Result<(), Trouble>>,
) -> Result<(), NoHello> {
    let mut stream = ready(stream)?;
    let (process, purpose) = answer(&mut stream, me, |process, purpose| {
        let Some(slot) = slots.get(process as usize).filter(|_| process > me.process) else { return false };
        let taken = &mut slot.lock().unwrap_or_else(PoisonError::into_inner).is_taken[purpose as usize];
        !std::mem::replace(taken, true)
    })?;
    slots[process as usize].lock().unwrap_or_else(PoisonError::into_inner).put(purpose, stream);
    let _ = arrived.send(Ok(()));
    Ok(())
}
