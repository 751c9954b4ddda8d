//! Heartbeats: each process sends one every second on a connection of its own, whatever its workers
//! are doing.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::{Duration, Instant};

use crate::link::Links;
use crate::trouble::Trouble;

/// How often a process says that it is alive.
const OFTEN: Duration = Duration::from_secs(1);

/// Says to another process that this one is alive, and ends this one if the other is not heard of
/// for as long as the `patience` goes. It goes on until all is done.
pub(crate) fn watch_over(stream: TcpStream, process: usize, patience: Duration, links: &Arc<Links>) -> io::Result<()> {
    stream.set_read_timeout(Some(OFTEN))?;
    stream.set_write_timeout(Some(patience))?;
    let (mut to, mut from) = (stream.try_clone()?, stream);
    let says = Arc::clone(links);
    thread::Builder::new().name("beat".to_owned()).spawn(move || {
        // If it cannot be said, the other one who listens finds out.
        while !says.is_done.load(Relaxed) && to.write_all(&[1]).is_ok() {
            thread::sleep(OFTEN);
        }
    })?;
    let links = Arc::clone(links);
    thread::Builder::new().name("watch".to_owned()).spawn(move || {
        let mut heard = Instant::now();
        let mut bytes = [0; 64];
        while !links.is_done.load(Relaxed) {
            let silent = heard.elapsed();
            match from.read(&mut bytes) {
                Ok(1..) => heard = Instant::now(),
                Err(e) if matches!(e.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                    if silent > patience {
                        (links.end)(Trouble::Silent { process, silent });
                    }
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => {
                    // It may have ended because all is done, which is known here in a moment.
                    thread::sleep(OFTEN);
                    if !links.is_done.load(Relaxed) {
                        (links.end)(Trouble::Ended(process));
                    }
                }
            }
        }
    })?;
    Ok(())
}
