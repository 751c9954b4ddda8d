//! A build by many processes.

use std::fmt;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use balpan::{Impartial, Watch};
use balpan_strong::working::{Ways, Word, check_starts};
use balpan_strong::{BuildError, Split, Subject};
use timely::WorkerConfig;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::communication::{Config, Hooks};

use crate::beat::watch_over;
use crate::connect::connect;
use crate::hello::{Me, key_of};
use crate::hosts::Hosts;
use crate::job::Job;
use crate::link::{Link, Links};
use crate::moves::{Moves, Of, Words};
use crate::progress::Progress;
use crate::trouble::{End, Trouble};
use crate::work::work;

/// The least memory that a worker can work in.
const LEAST_MEMORY: usize = 16 << 20;

/// The bits below a word for what is wanted by its position.
const PLACE_BITS: u32 = 22;

/// The most workers of a process.
pub const MOST_WORKERS: usize = 256;

/// What is built, where, by whom, and with what.
pub struct Plan {
    /// What is solved.
    pub of: Subject,
    /// Where this process writes its parts, and its working files until all are written.
    pub folder: PathBuf,
    /// The files that the positions are shared out among.
    pub shares: u32,
    /// Bytes of memory of this process.
    pub memory: usize,
    /// Workers of each process.
    pub workers: usize,
    /// The processes.
    pub hosts: Hosts,
    /// Which of them this one is.
    pub process: usize,
    /// What all processes know and strangers do not.
    pub secret: Vec<u8>,
    /// How long other processes are waited for at the beginning.
    pub wait: Duration,
    /// How long another process may be silent before it counts as lost.
    pub patience: Duration,
    /// Is told what happens, for people to read.
    pub tell: Arc<dyn Fn(String) + Send + Sync>,
    /// Ends this process when it cannot go on.
    pub end: End,
}

impl fmt::Debug for Plan {
    /// All but the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan")
            .field("of", &self.of)
            .field("folder", &self.folder)
            .field("shares", &self.shares)
            .field("process", &self.process)
            .finish_non_exhaustive()
    }
}

/// Solves all positions that play can reach from the `starts`, together with the other processes of
/// the plan, each of which has to call this; and writes those of this process's shares to files in
/// the plan's folder. They have the same bytes whatever the processes, the workers, the memory, and
/// however often it was interrupted.
///
/// `progress` tells how far this process is. Returns how the positions are shared out, and the
/// bytes that this process has sent to others, whatever they are.
///
/// # Errors
/// What is found before anything is shared. What happens later [ends](Plan::end) the process.
pub fn build<G>(
    game: &G,
    starts: &[G::Position],
    plan: &Plan,
    watch: &Watch,
    progress: &Arc<Progress>,
) -> Result<(Split, u64), Trouble>
where
    G: Impartial + Clone + Send + Sync + 'static,
{
    let ways = Ways { tells: plan.of.tells, folded: plan.of.folded };
    let starts = check_starts(game, starts, ways)?;
    let needed = LEAST_MEMORY * plan.workers;
    if plan.memory < needed {
        return Err(BuildError::NoMemory { allowed: plan.memory, needed }.into());
    }
    let split = Split::new(game, &starts, ways, plan.shares)?;
    let words = Words { key_bits: game.key_bits(), split };
    let of = Of { game: game.clone(), ways, words };
    if words.bits() + PLACE_BITS <= u64::BITS {
        run::<u64>(Arc::new(of), words, &starts, plan, watch, progress)
    } else {
        run::<u128>(Arc::new(of), words, &starts, plan, watch, progress)
    }
}

fn run<W: Word>(
    moves: Arc<dyn Moves<W>>,
    words: Words,
    starts: &[(u32, u128)],
    plan: &Plan,
    watch: &Watch,
    progress: &Arc<Progress>,
) -> Result<(Split, u64), Trouble> {
    let mut starts: Vec<(u32, W)> = starts.iter().map(|&(layer, key)| (layer, words.word(key))).collect();
    starts.sort_unstable();
    std::fs::create_dir_all(&plan.folder).map_err(BuildError::io(&plan.folder))?;
    let links = Arc::new(Links { is_done: AtomicBool::new(false), sent: AtomicU64::new(0), end: plan.end });
    let (builders, others) = allocators(plan, words, watch, &links)?;
    let (of, folder, memory) = (plan.of.clone(), plan.folder.clone(), plan.memory / plan.workers);
    let most = starts.last().map_or(0, |&(layer, _)| layer) as u16;
    let (watch, progress) = (watch.clone(), Arc::clone(progress));
    let (tell, end, shared) = (Arc::clone(&plan.tell), plan.end, Arc::clone(&links));
    let guards = timely::execute::execute_from(builders, others, WorkerConfig::default(), move |worker| {
        let job = Rc::new(Job {
            of: of.clone(),
            moves: Arc::clone(&moves),
            words,
            starts: starts.clone(),
            most,
            folder: folder.clone(),
            memory,
            watch: watch.clone(),
            progress: Arc::clone(&progress),
        });
        work(&job, worker, &shared, tell.as_ref()).unwrap_or_else(|error| end(Trouble::Build(error)));
    });
    let guards = guards.map_err(|e| BuildError::io(&plan.folder)(std::io::Error::other(e)))?;
    drop(guards.join());
    Ok((words.split, links.sent.load(Relaxed)))
}

/// What timely's workers send each other by, within this process and to others.
fn allocators(
    plan: &Plan,
    words: Words,
    watch: &Watch,
    links: &Arc<Links>,
) -> Result<(Vec<AllocatorBuilder>, Box<dyn std::any::Any + Send>), Trouble> {
    let failed = |e: String| Trouble::Build(BuildError::io(&plan.folder)(std::io::Error::other(e)));
    if plan.hosts.len() == 1 {
        return Config::Process(plan.workers).try_build().map_err(failed);
    }
    let says = serde_json::to_vec(&(&plan.of, words.key_bits, words.split, plan.workers, plan.hosts.len()));
    let build = blake3::hash(&says.map_err(|e| failed(e.to_string()))?);
    let secret = key_of(&plan.secret);
    let me = Me { process: plan.process as u32, build: &build, secret: &secret };
    let peers = connect(&plan.hosts, &me, plan.wait, watch, plan.tell.as_ref())?;
    let mut sockets = Vec::new();
    for (process, peer) in peers.into_iter().enumerate() {
        let Some(peer) = peer else {
            sockets.push(None);
            continue;
        };
        let io = |e: std::io::Error| failed(e.to_string());
        watch_over(peer.beat, process, plan.patience, links).map_err(io)?;
        peer.data.set_read_timeout(None).and_then(|()| peer.data.set_write_timeout(None)).map_err(io)?;
        sockets.push(Some(Link { stream: peer.data, process, links: Arc::clone(links) }));
    }
    let hooks = Hooks::default();
    let within = ProcessBuilder::new_typed_vector(plan.workers, hooks.refill.clone(), None);
    let (builders, guard) = initialize_networking_from_sockets(within, sockets, plan.process, plan.workers, hooks)
        .map_err(|e| failed(e.to_string()))?;
    Ok((builders.into_iter().map(AllocatorBuilder::Tcp).collect(), Box::new(guard)))
}
