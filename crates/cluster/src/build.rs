//! A build by many processes.

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use balpan::Watch;
use balpan_strong::parts::{KeyGame, Word, scale_for};
use balpan_strong::{BuildError, Sharding, Subject};
use timely::WorkerConfig;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::communication::{Config, Hooks};

use crate::error::{AbortFn, ClusterError};
use crate::exchange::Traffic;
use crate::hosts::Hosts;
use crate::job::{Job, WordLayout};
use crate::network::connect::connect;
use crate::network::handshake::{LocalProcess, derive_key};
use crate::network::heartbeat::{Connection, Connections, start_heartbeat};
use crate::worker::work;

/// The smallest memory limit of a worker.
const MIN_WORKER_MEMORY_BYTES: usize = 16 << 20;

/// The bits below a word for the place of a request.
const PLACE_BITS: u32 = 22;

/// The largest number of workers of a process.
pub const MAX_WORKERS: usize = 256;

/// The options of a build: its subject, its output, its processes and its resources.
pub struct Plan {
    /// The subject.
    pub subject: Subject,
    /// The folder of this process's shards, and of its working files until all are written.
    pub folder: PathBuf,
    /// The number of shards.
    pub shards: u32,
    /// The memory of this process in bytes.
    pub memory: usize,
    /// The workers of each process.
    pub workers: usize,
    /// The addresses of the processes.
    pub hosts: Hosts,
    /// The index of this process.
    pub process: usize,
    /// The secret that all processes share.
    pub secret: Vec<u8>,
    /// How long to wait for the other processes at the beginning.
    pub connect_timeout: Duration,
    /// How long another process may be silent before it counts as lost.
    pub silence_timeout: Duration,
    /// Called with messages for people.
    pub notify: Arc<dyn Fn(String) + Send + Sync>,
    /// Ends this process when it cannot go on.
    pub abort: AbortFn,
}

impl fmt::Debug for Plan {
    /// Omits the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan")
            .field("subject", &self.subject)
            .field("folder", &self.folder)
            .field("shares", &self.shards)
            .field("process", &self.process)
            .finish_non_exhaustive()
    }
}

/// Solves all positions that play can reach from the `starts`, together with the other processes of
/// the plan, each of which must call this function, and writes this process's shards to the plan's
/// folder. Their bytes do not depend on the processes, the workers, the memory or the
/// interruptions. The starts are those of [`start_keys`](balpan_strong::parts::start_keys) by the
/// plan's scheme, which checks the game.
///
/// `progress` measures how far this process is. Returns how the positions are shared out, and the
/// bytes that this process has sent to others, whatever they are.
///
/// # Errors
/// Errors before the processes connect and while they do. Later ones [end](Plan::abort) the process.
pub fn build(
    game: Arc<dyn KeyGame + Send>,
    starts: &[(u32, u128)],
    plan: &Plan,
    watch: &Watch,
    progress: &Arc<Progress>,
) -> Result<(Sharding, u64), ClusterError> {
    if game.features().may_repeat {
        return Err(BuildError::Loops.into());
    }
    let needed = MIN_WORKER_MEMORY_BYTES * plan.workers;
    if plan.memory < needed {
        return Err(BuildError::NoMemory { allowed: plan.memory, needed }.into());
    }
    let sharding = Sharding::new(&*game, starts, plan.subject.scheme(), plan.shards)?;
    let words = WordLayout { key_bits: game.bits(), sharding };
    if words.bits() + PLACE_BITS <= u64::BITS {
        run::<u64>(game, words, starts, plan, watch, progress)
    } else {
        run::<u128>(game, words, starts, plan, watch, progress)
    }
}

fn run<W: Word>(
    game: Arc<dyn KeyGame + Send>,
    words: WordLayout,
    starts: &[(u32, u128)],
    plan: &Plan,
    watch: &Watch,
    progress: &Arc<Progress>,
) -> Result<(Sharding, u64), ClusterError> {
    let mut starts: Vec<(u32, W)> = starts.iter().map(|&(layer, key)| (layer, words.word(key))).collect();
    starts.sort_unstable();
    std::fs::create_dir_all(&plan.folder).map_err(BuildError::io(&plan.folder))?;
    let connections =
        Arc::new(Connections { is_done: AtomicBool::new(false), sent: AtomicU64::new(0), end: plan.abort });
    let (builders, others) = allocators(plan, words, watch, &connections)?;
    let job = Arc::new(Job {
        subject: plan.subject.clone(),
        scale: scale_for(&*game, starts.last().map_or(0, |&(layer, _)| layer)),
        game,
        words,
        starts,
        folder: plan.folder.clone(),
        memory: plan.memory / plan.workers,
        watch: watch.clone(),
        progress: Arc::clone(progress),
    });
    let (tell, end, shared) = (Arc::clone(&plan.notify), plan.abort, Arc::clone(&connections));
    let guards = timely::execute::execute_from(builders, others, WorkerConfig::default(), move |worker| {
        work(&job, worker, &shared, tell.as_ref()).unwrap_or_else(|error| end(ClusterError::Build(error)));
    });
    let guards = guards.map_err(|e| BuildError::io(&plan.folder)(std::io::Error::other(e)))?;
    drop(guards.join());
    Ok((words.sharding, connections.sent.load(Relaxed)))
}

/// Creates timely's channels between workers, within this process and to others.
fn allocators(
    plan: &Plan,
    words: WordLayout,
    watch: &Watch,
    connections: &Arc<Connections>,
) -> Result<(Vec<AllocatorBuilder>, Box<dyn std::any::Any + Send>), ClusterError> {
    let failed = |e: String| ClusterError::Build(BuildError::io(&plan.folder)(std::io::Error::other(e)));
    if plan.hosts.len() == 1 {
        return Config::Process(plan.workers).try_build().map_err(failed);
    }
    let says = serde_json::to_vec(&(&plan.subject, words.key_bits, words.sharding, plan.workers, plan.hosts.len()));
    let build = blake3::hash(&says.map_err(|e| failed(e.to_string()))?);
    let secret = derive_key(&plan.secret);
    let me = LocalProcess { process: plan.process as u32, build: &build, secret: &secret };
    let peers = connect(&plan.hosts, &me, plan.connect_timeout, watch, plan.notify.as_ref())?;
    let mut sockets = Vec::new();
    for (process, peer) in peers.into_iter().enumerate() {
        let Some(peer) = peer else {
            sockets.push(None);
            continue;
        };
        let io = |e: std::io::Error| failed(e.to_string());
        start_heartbeat(peer.beat, process, plan.silence_timeout, connections).map_err(io)?;
        peer.data.set_read_timeout(None).and_then(|()| peer.data.set_write_timeout(None)).map_err(io)?;
        sockets.push(Some(Connection { stream: peer.data, process, connections: Arc::clone(connections) }));
    }
    let hooks = Hooks::default();
    let within = ProcessBuilder::new_typed_vector(plan.workers, hooks.refill.clone(), None);
    let (builders, guard) = initialize_networking_from_sockets(within, sockets, plan.process, plan.workers, hooks)
        .map_err(|e| failed(e.to_string()))?;
    Ok((builders.into_iter().map(AllocatorBuilder::Tcp).collect(), Box::new(guard)))
}

/// The progress of the workers of a process, for other threads to read.
#[derive(Debug, Default)]
pub struct Progress {
    /// The positions that this process has listed, and those that the phase has done.
    pub build: balpan_strong::Progress,
    traffic: Mutex<Traffic>,
}

impl Progress {
    /// Returns what its workers have sent to other workers.
    pub fn traffic(&self) -> Traffic {
        *self.traffic.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn add_traffic(&self, sent: Traffic) {
        self.traffic.lock().unwrap_or_else(PoisonError::into_inner).add(sent);
    }
}
