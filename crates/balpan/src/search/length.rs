//! Limits on the length of play, and stacks that are large enough for it.

use std::cell::Cell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::hint::black_box;
use std::sync::Arc;
use std::thread::{self, Scope, ScopedJoinHandle};

use crate::game::Game;
use crate::search::watch::{BrokenPromise, Stopped};

/// The longest play, in plies, that solvers search. They recurse once for each ply.
pub const MAX_PLIES: u32 = 10_000;

/// The error that play repeats, or may last longer than solvers search.
#[derive(Clone, PartialEq, Eq)]
pub struct TooLong {
    /// The number of plies that play may last: a lower bound, if a search found the error.
    pub plies: u32,
    /// A play that shows the error, if a search found it: each move by its index in
    /// [`Game::moves`](crate::Game::moves). Otherwise empty.
    pub moves: Arc<[u32]>,
    /// If `moves` end in a position that they passed before: the number of plies to its first occurrence.
    pub repeats: Option<u32>,
}

impl TooLong {
    /// Checks by the game's [layers](crate::Game::layer) that play from the position is short enough to be
    /// searched. Without layers the check passes, and the search itself finds play that is too long.
    ///
    /// # Errors
    /// [`TooLong`] if play may last longer.
    pub fn check<G: Game>(game: &G, position: &G::Position) -> Result<(), Self> {
        game.max_plies(position).map_or(Ok(()), Self::check_plies)
    }

    /// Checks that this number of plies is at most [`MAX_PLIES`].
    ///
    /// # Errors
    /// [`TooLong`] if it is more.
    pub fn check_plies(plies: u32) -> Result<(), Self> {
        if plies > MAX_PLIES { Err(Self { plies, moves: Arc::default(), repeats: None }) } else { Ok(()) }
    }
}

/// The number of moves that the message about a long play lists.
const MOVES_LISTED: usize = 12;

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { plies, ref moves, repeats } = *self;
        match repeats {
            Some(before) => write!(f, "play repeats: the position after {before} plies comes again after {plies}")?,
            None if moves.is_empty() => write!(f, "play may last {plies} plies")?,
            None => write!(f, "play can go on for {plies} plies")?,
        }
        if !moves.is_empty() {
            let listed = moves.iter().take(MOVES_LISTED).map(ToString::to_string).collect::<Vec<_>>().join(" ");
            let more = if moves.len() > MOVES_LISTED { " ..." } else { "" };
            write!(f, " (moves {listed}{more}, numbered from 0 as `moves` returns them)")?;
        }
        write!(f, "; a search goes at most {MAX_PLIES} plies deep")
    }
}

/// The same as [`Display`](fmt::Display), as there may be thousands of moves.
impl fmt::Debug for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TooLong({self})")
    }
}

impl std::error::Error for TooLong {}

/// The number of positions that [`explain`] visits before it gives up.
const MAX_WITNESS_POSITIONS: usize = 100_000;

/// Finds the reason why a search of this position went too deep: play that repeats or is too long, or a broken promise.
/// `layer` is an upper bound on the plies of play, if there is one.
pub(crate) fn explain<G: Game>(game: &G, position: &G::Position, layer: Option<u32>) -> Stopped {
    let mut entered: HashMap<G::Position, Option<u32>> = HashMap::new();
    let (mut path, mut moves) = (vec![(position.clone(), 0_u32)], Vec::<u32>::new());
    entered.insert(position.clone(), Some(0));
    while let Some((position, next)) = path.last_mut() {
        let number = *next;
        let Some(mv) = game.moves(position).nth(number as usize) else {
            // All play from this position ends.
            entered.insert(position.clone(), None);
            path.pop();
            moves.pop();
            continue;
        };
        *next += 1;
        let after = game.play(position, mv);
        moves.push(number);
        let too_long =
            |repeats| Stopped::TooLong(TooLong { plies: moves.len() as u32, moves: moves.as_slice().into(), repeats });
        if moves.len() > MAX_PLIES as usize {
            return too_long(None);
        }
        if layer.is_some_and(|layer| moves.len() > layer as usize) {
            return Stopped::Broken(BrokenPromise::Layer);
        }
        if entered.len() >= MAX_WITNESS_POSITIONS {
            return TooDeep.stopped();
        }
        match entered.entry(after.clone()) {
            Entry::Occupied(entry) => match *entry.get() {
                Some(before) => return too_long(Some(before)),
                None => {
                    moves.pop();
                }
            },
            Entry::Vacant(entry) => {
                entry.insert(Some(moves.len() as u32));
                path.push((after, 0));
            }
        }
    }
    Stopped::Broken(BrokenPromise::Form)
}

/// The stack reserved for one ply, besides that for its positions: several times what a search takes.
const PLY_BYTES: usize = 6 << 10;

/// The number of copies of a position for which the stack of a ply has room.
const PLY_POSITIONS: usize = 8;

/// The least stack of a new thread. Unused pages take no memory.
pub(crate) const MIN_STACK_BYTES: usize = 64 << 20;

/// The stack that a thread of the caller is assumed to have left. Rust's threads have 2 MiB, the main thread on Windows
/// 1 MiB.
const CALLER_STACK_BYTES: usize = 768 << 10;

/// The end of the stack that a search leaves for the game's methods.
const RESERVED_STACK_BYTES: usize = 256 << 10;

thread_local! {
    /// The stack of a thread started in this module: the address at which its work began, and its bytes.
    static STACK: Cell<Option<(usize, usize)>> = const { Cell::new(None) };
}

/// Returns the current stack address.
#[inline]
fn stack_address() -> usize {
    let here = 0_u8;
    std::ptr::from_ref(black_box(&here)) as usize
}

/// Returns the lowest address that a search may use on this thread's stack.
fn stack_floor() -> usize {
    let (begin, bytes) = STACK.get().unwrap_or_else(|| (stack_address(), CALLER_STACK_BYTES));
    begin.saturating_sub(bytes.saturating_sub(RESERVED_STACK_BYTES))
}

/// Returns the stack in bytes for play of at most `plies` plies; `None` stands for [`MAX_PLIES`].
pub(crate) fn stack_bytes<Position>(plies: Option<u32>) -> usize {
    let ply = PLY_BYTES.saturating_add(PLY_POSITIONS.saturating_mul(size_of::<Position>()));
    ply.saturating_mul(plies.unwrap_or(MAX_PLIES).min(MAX_PLIES) as usize).saturating_add(RESERVED_STACK_BYTES)
}

/// Starts a thread with at least this much stack; `None` if the system refuses it.
pub(crate) fn spawn_with_stack<'scope>(
    scope: &'scope Scope<'scope, '_>,
    bytes: usize,
    work: impl FnOnce() + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, ()>> {
    let bytes = bytes.max(MIN_STACK_BYTES);
    thread::Builder::new().stack_size(bytes).spawn_scoped(scope, move || begin_stack(bytes, work)).ok()
}

/// Runs `work`, which switches this thread to other stacks, and restores the record of the current one.
#[cfg(feature = "simulation")]
pub(crate) fn on_other_stacks<T>(work: impl FnOnce() -> T) -> T {
    let stack = STACK.get();
    let result = work();
    STACK.set(stack);
    result
}

/// Runs `work` at the beginning of a stack of this many bytes, and records the stack for [`DepthLimit`].
pub(crate) fn begin_stack<T>(bytes: usize, work: impl FnOnce() -> T) -> T {
    STACK.set(Some((stack_address(), bytes)));
    work()
}

/// Runs `work`, which recurses for at most `plies` plies, on a stack that is large enough; `None` stands for
/// [`MAX_PLIES`]. If the current stack is too small, it starts a thread. Nested calls use the same stack.
pub fn with_stack_for<T: Send>(plies: Option<u32>, work: impl FnOnce() -> T + Send) -> T {
    let (mut work, mut answer) = (Some(work), None);
    with_stack(stack_bytes::<()>(plies), &mut || answer = work.take().map(|work| work()));
    answer.unwrap_or_else(|| unreachable!("the work was done"))
}

/// Runs `work` once, on a stack with this many bytes left. It is not generic, so that the code that starts a thread is
/// compiled once and not for each kind of work.
fn with_stack(bytes: usize, work: &mut (dyn FnMut() + Send)) {
    if stack_address().saturating_sub(stack_floor()) + RESERVED_STACK_BYTES >= bytes {
        return work();
    }
    let is_done = thread::scope(|scope| {
        // The reserve covers the frames of `work` when it begins a nested search.
        let worker = spawn_with_stack(scope, bytes + RESERVED_STACK_BYTES, &mut *work);
        worker.is_some_and(|worker| {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            true
        })
    });
    // If the system refuses a thread, this one has to do.
    if !is_done {
        work();
    }
}

/// The error of a search that went too deep. `search` replaces it by the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooDeep;

/// The depth to which a search may recurse, on the thread that created the limit.
#[derive(Clone, Copy, Debug)]
pub struct DepthLimit {
    max_plies: u32,
    stack_floor: usize,
}

impl DepthLimit {
    /// Creates the limit for this thread, and for play of at most `layer` plies, if there is such a bound.
    pub fn new(layer: Option<u32>) -> Self {
        Self { max_plies: layer.unwrap_or(MAX_PLIES).min(MAX_PLIES), stack_floor: stack_floor() }
    }

    /// Checks that a position this number of plies from the root is within the limit, and that stack is left.
    #[inline]
    pub fn check(self, plies: u32) -> Result<(), TooDeep> {
        if plies > self.max_plies || stack_address() < self.stack_floor { Err(TooDeep) } else { Ok(()) }
    }
}

/// Runs the search of a position on a stack that is large enough for the play that can follow. Every solver begins its
/// searches here. If the current stack turns out to be too small, `work` runs again on a larger one.
///
/// # Errors
/// The error of `work`; for a search that went too deep, the reason.
pub(crate) fn search<G: Game, T: Send>(
    game: &G,
    position: &G::Position,
    work: impl FnMut() -> Result<T, Stopped> + Send,
) -> Result<T, Stopped> {
    search_plies(game, position, game.max_plies(position), work)
}

/// As [`search`], for play of at most `layer` plies, if there is such a bound.
pub(crate) fn search_plies<G: Game, T: Send>(
    game: &G,
    position: &G::Position,
    layer: Option<u32>,
    mut work: impl FnMut() -> Result<T, Stopped> + Send,
) -> Result<T, Stopped> {
    let mut found = None;
    search_untyped(game, position, layer, &mut || work().map(|result| found = Some(result)))?;
    Ok(found.unwrap_or_else(|| unreachable!("the search has ended")))
}

/// As [`search_plies`], with a `work` that keeps its result. It is compiled once for each game and not for each kind of work.
fn search_untyped<G: Game>(
    game: &G,
    position: &G::Position,
    layer: Option<u32>,
    work: &mut (dyn FnMut() -> Result<(), Stopped> + Send),
) -> Result<(), Stopped> {
    let mut run = |bytes| {
        let mut result = Ok(());
        with_stack(bytes, &mut || result = work());
        result
    };
    let is_too_deep = |result: &Result<(), Stopped>| result.as_ref().err() == Some(&TooDeep.stopped());
    let mut result = run(layer.map_or(0, |layer| stack_bytes::<G::Position>(Some(layer))));
    if is_too_deep(&result) && STACK.get().is_none() {
        result = run(stack_bytes::<G::Position>(None));
    }
    if is_too_deep(&result) { Err(explain(game, position, layer)) } else { result }
}

impl TooDeep {
    pub(crate) fn stopped(self) -> Stopped {
        Stopped::TooLong(TooLong { plies: MAX_PLIES + 1, moves: Arc::default(), repeats: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_calls_start_no_thread() {
        let here = thread::current().id();
        let few_plies = Some((CALLER_STACK_BYTES / PLY_BYTES / 2) as u32);
        assert_eq!(with_stack_for(few_plies, || thread::current().id()), here);
        with_stack_for(None, || {
            let roomy = thread::current().id();
            assert_ne!(roomy, here);
            assert_eq!(with_stack_for(None, || thread::current().id()), roomy);
            assert_eq!(with_stack_for(Some(MAX_PLIES + 1), || thread::current().id()), roomy);
        });
    }

    /// Recurses with `frame` bytes a ply until the limit, and returns the depth.
    fn depth(limit: DepthLimit, plies: u32) -> u32 {
        let frame = black_box([0_u8; 1000]);
        match limit.check(plies) {
            Ok(()) => black_box(depth(limit, plies + 1)).max(frame[0].into()),
            Err(TooDeep) => plies,
        }
    }

    #[test]
    fn a_search_ends_before_its_stack_does() {
        let here = depth(DepthLimit::new(None), 0);
        assert!((100..CALLER_STACK_BYTES as u32 / 1000).contains(&here), "{here}");
        assert_eq!(with_stack_for(None, || depth(DepthLimit::new(None), 0)), MAX_PLIES + 1);
    }
}
