//! Limits on the length of play, and stacks with room for it.

use std::cell::Cell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::hint::black_box;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Scope, ScopedJoinHandle};

use crate::game::Game;
use crate::keyed::Keyed;
use crate::watch::{BrokenPromise, Stopped};

/// The longest play, in plies, that solvers search. They recurse once for each ply.
pub const MAX_PLIES: u32 = 10_000;

/// Play may last longer than solvers search.
#[derive(Clone, PartialEq, Eq)]
pub struct TooLong {
    /// The number of plies that play may last, as far as it is known.
    pub plies: u32,
    /// Where a search found out, a play that shows it: each move by its index in
    /// [`Game::moves`](crate::Game::moves). Otherwise empty.
    pub moves: Arc<[u32]>,
    /// If `moves` lead to a position that they went through before: the number of plies after which they did.
    pub repeats: Option<u32>,
}

impl TooLong {
    /// Refuses positions from which play may last longer than solvers search, if the game has
    /// [layers](crate::Keyed::layer). A search of a game without layers finds out by itself.
    ///
    /// # Errors
    /// [`TooLong`] if it may.
    pub fn check<G: Keyed>(game: &G, position: &G::Position) -> Result<(), Self> {
        game.layer(position).map_or(Ok(()), Self::check_plies)
    }

    /// Refuses play of this number of plies if it is longer than solvers search.
    ///
    /// # Errors
    /// [`TooLong`] if it is.
    pub fn check_plies(plies: u32) -> Result<(), Self> {
        if plies > MAX_PLIES { Err(Self { plies, moves: Arc::default(), repeats: None }) } else { Ok(()) }
    }
}

/// The number of moves of a long play that its message lists.
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

/// As [`Display`](fmt::Display): there may be thousands of moves.
impl fmt::Debug for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TooLong({self})")
    }
}

impl std::error::Error for TooLong {}

/// The number of positions looked at for a play that shows that a search went too deep.
const MAX_WITNESS_POSITIONS: usize = 100_000;

/// Returns what is wrong with a game of which a search of this position went too deep: a play that repeats or is too
/// long, or a broken promise.
pub(crate) fn explain<G: Game>(game: &G, position: &G::Position, layer: Option<u32>) -> Stopped {
    let mut entered: HashMap<G::Position, Option<u32>> = HashMap::new();
    let (mut path, mut moves) = (vec![(position.clone(), 0_u32)], Vec::<u32>::new());
    entered.insert(position.clone(), Some(0));
    while let Some((position, next)) = path.last_mut() {
        let number = *next;
        let Some(mv) = game.moves(position).nth(number as usize) else {
            // All play from here ends.
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

/// The stack taken for one ply, beside that for its positions: several times what a search takes.
const PLY_BYTES: usize = 6 << 10;

/// The number of copies of a position for which a ply has room on the stack.
const PLY_POSITIONS: usize = 8;

/// The least stack that a thread of its own gets. What is not used takes no memory.
pub(crate) const MIN_STACK_BYTES: usize = 64 << 20;

/// The stack that any thread is believed to have left. Rust's own have 2 MiB, the first one of Windows 1 MiB.
const CALLER_STACK_BYTES: usize = 768 << 10;

/// The end of the stack that a search leaves to the game's own methods.
const RESERVED_STACK_BYTES: usize = 256 << 10;

thread_local! {
    /// The stack that a thread was given here: the address at which it began to work, and its bytes.
    static STACK: Cell<Option<(usize, usize)>> = const { Cell::new(None) };
}

/// Returns the present address on the stack.
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

/// Returns the bytes of stack for play of at most `plies` plies.
pub(crate) fn stack_bytes<Position>(plies: Option<u32>) -> usize {
    let ply = PLY_BYTES.saturating_add(PLY_POSITIONS.saturating_mul(size_of::<Position>()));
    ply.saturating_mul(plies.unwrap_or(MAX_PLIES).min(MAX_PLIES) as usize).saturating_add(RESERVED_STACK_BYTES)
}

/// Starts a thread with this much stack; `None` if the system has no room for it.
pub(crate) fn spawn_with_stack<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    bytes: usize,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    let bytes = bytes.max(MIN_STACK_BYTES);
    thread::Builder::new().stack_size(bytes).spawn_scoped(scope, move || begin_stack(bytes, work)).ok()
}

/// Runs `work`, which begins other stacks on this thread, and returns to the present one.
#[cfg(feature = "simulation")]
pub(crate) fn on_other_stacks<T>(work: impl FnOnce() -> T) -> T {
    let stack = STACK.get();
    let result = work();
    STACK.set(stack);
    result
}

/// Runs `work` at the begin of a stack of this many bytes, whose limit a [`DepthLimit`] that is made there heeds.
pub(crate) fn begin_stack<T>(bytes: usize, work: impl FnOnce() -> T) -> T {
    STACK.set(Some((stack_address(), bytes)));
    work()
}

/// Runs `work`, which recurses for at most `plies` plies, on a stack with enough room; `None` stands for
/// [`MAX_PLIES`]. Nested calls use the same stack and start no thread.
pub fn with_stack_for<T: Send>(plies: Option<u32>, work: impl FnOnce() -> T + Send) -> T {
    with_stack(stack_bytes::<()>(plies), work)
}

/// Runs `work` on a stack with this much room.
fn with_stack<T: Send>(bytes: usize, work: impl FnOnce() -> T + Send) -> T {
    if stack_address().saturating_sub(stack_floor()) + RESERVED_STACK_BYTES >= bytes {
        return work();
    }
    let work = Mutex::new(Some(work));
    let take = || work.lock().unwrap_or_else(PoisonError::into_inner).take();
    let answer = thread::scope(|scope| {
        // What the caller of `work` has on the stack when it begins a nested search.
        let worker = spawn_with_stack(scope, bytes + RESERVED_STACK_BYTES, || take().map(|work| work()))?;
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    // Where the system has no room for a thread, this one has to do.
    match answer {
        Some(answer) => answer,
        None => take().map_or_else(|| unreachable!("work is taken once"), |work| work()),
    }
}

/// A search went too deep. [`search`] finds out why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooDeep;

/// How deep a search may recurse on the thread that has made this.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DepthLimit {
    max_plies: u32,
    stack_floor: usize,
}

impl DepthLimit {
    /// The limit for this thread, and for play that takes at most `layer` plies, if that is known.
    pub(crate) fn new(layer: Option<u32>) -> Self {
        Self { max_plies: layer.unwrap_or(MAX_PLIES).min(MAX_PLIES), stack_floor: stack_floor() }
    }

    /// Refuses a position that is this number of plies from the root, if that is too many or the stack has no more room.
    #[inline]
    pub(crate) fn check(self, plies: u32) -> Result<(), TooDeep> {
        if plies > self.max_plies || stack_address() < self.stack_floor { Err(TooDeep) } else { Ok(()) }
    }
}

/// Runs the search of a position, on a stack with room for the play that can follow. Each solver begins its searches
/// here. Where the present stack turns out to be too small, `work` is run again on a larger one.
///
/// # Errors
/// What `work` returns; and for a search that went too deep, what is wrong with the game.
pub(crate) fn search<G: Keyed, T: Send>(
    game: &G,
    position: &G::Position,
    work: impl FnMut() -> Result<T, Stopped> + Send,
) -> Result<T, Stopped> {
    search_plies(game, position, game.layer(position), work)
}

/// As [`search`], of play that takes at most `layer` plies, if that is known.
pub(crate) fn search_plies<G: Game, T: Send>(
    game: &G,
    position: &G::Position,
    layer: Option<u32>,
    mut work: impl FnMut() -> Result<T, Stopped> + Send,
) -> Result<T, Stopped> {
    let is_too_deep = |result: &Result<T, Stopped>| result.as_ref().err() == Some(&TooDeep.stopped());
    let bytes = layer.map_or(0, |layer| stack_bytes::<G::Position>(Some(layer)));
    let mut result = with_stack(bytes, &mut work);
    if is_too_deep(&result) && STACK.get().is_none() {
        result = with_stack(stack_bytes::<G::Position>(None), &mut work);
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
    fn a_thread_is_made_once() {
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

    /// Goes down until there is no more room, with `frame` bytes a ply.
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
