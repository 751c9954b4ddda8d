//! One question asked of one position, by one thread or several.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use std::thread;

use super::claims::Claims;
use crate::game::Game;
use crate::table::{Place, Table};
use crate::value::{Bounds, Value};
use crate::watch::Watch;

/// Why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Interrupt {
    /// Another thread has the answer.
    Over = 1,
    /// The watch said so.
    Stopped,
    /// The table is full, and may grow.
    Full,
    /// It takes so long that more threads are worth their while.
    Long,
}

/// What the threads that work at one question share.
pub(super) struct Round<'a, G> {
    game: &'a G,
    table: &'a Table,
    watch: &'a Watch,
    claims: Claims,
    /// Entries of the table in use; with how many of them it is full.
    filled: AtomicU64,
    full: u64,
    positions: AtomicU64,
    /// After so many positions, it is [`Interrupt::Long`].
    long: u64,
    /// The first [`Interrupt`], or 0: all threads heed it.
    interrupt: AtomicU8,
}

/// One thread's search.
struct Search<'a, G: Game> {
    round: &'a Round<'a, G>,
    game: &'a G,
    table: &'a Table,
    /// Candidates of all positions on the current path, end to end.
    moves: Vec<Candidate<G::Move>>,
    positions: u64,
    filled: u64,
    /// Whether others search the same tree.
    shared: bool,
    /// Of the whole work, how much is done and how much is in hand, for the watch;
    /// `None` for all threads but one.
    share: Option<(f64, f64)>,
}

#[derive(Clone, Copy)]
struct Candidate<Move> {
    rank: i32,
    /// Its place in the game's own order.
    number: u8,
    mv: Move,
}

/// A candidate that another thread was searching, to be tried last.
const PUT_OFF: i32 = i32::MIN;

/// Threads claim what they search up to so many plies from the root.
const CLAIM_PLIES: u32 = 24;

/// The work is shared out, to tell how much is done, up to so many plies from the
/// root.
const SHARE_PLIES: u32 = 5;

/// Recursion needs less than a KiB a ply, and memory that is not used costs nothing.
const STACK_BYTES: usize = 64 << 20;

/// What the table keeps: a lower and an upper bound, and the best candidate's
/// number.
pub(super) const PAYLOAD_BITS: u32 = 2 * Value::CODE_BITS + NUMBER_BITS;
const NUMBER_BITS: u32 = 6;

/// A search counts and heeds the others every so many positions.
const BATCH: u64 = 1 << 12;

/// A question that takes more positions is worth starting threads.
const LONG: u64 = 1 << 17;

impl<'a, G: Game> Round<'a, G> {
    pub(super) fn new(game: &'a G, table: &'a Table, filled: u64, watch: &'a Watch, may_be_long: bool) -> Self {
        Self {
            game,
            table,
            watch,
            claims: Claims::default(),
            filled: filled.into(),
            full: if table.can_grow() { table.capacity() / 8 * 5 } else { u64::MAX },
            positions: 0.into(),
            long: if may_be_long { LONG } else { u64::MAX },
            interrupt: 0.into(),
        }
    }

    /// The first answer that one of `threads` threads has.
    pub(super) fn run(&self, position: &G::Position, asked: Value, threads: usize) -> Result<Value, Interrupt> {
        let search = |leads| Search::new(self, threads > 1, leads).run(position, asked);
        thread::scope(|scope| {
            // Threads that the system has no room for are done without.
            let spawn = |_| thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, || search(false)).ok();
            let others: Vec<_> = (1..threads).filter_map(spawn).collect();
            let own = search(true);
            others.into_iter().fold(own, |result, other| match other.join() {
                Ok(others) => result.or(others),
                Err(panic) => std::panic::resume_unwind(panic),
            })
        })
    }

    /// How many positions were searched.
    pub(super) fn positions(&self) -> u64 {
        self.positions.load(Relaxed)
    }

    /// How many entries of the table are in use now.
    pub(super) fn filled(&self) -> u64 {
        self.filled.load(Relaxed)
    }

    /// Has all threads end.
    fn end(&self, interrupt: Interrupt) {
        // Only the first one counts.
        let _ = self.interrupt.compare_exchange(0, interrupt as u8, Relaxed, Relaxed);
    }

    fn check(&self) -> Result<(), Interrupt> {
        match self.interrupt.load(Relaxed) {
            0 => Ok(()),
            1 => Err(Interrupt::Over),
            2 => Err(Interrupt::Stopped),
            3 => Err(Interrupt::Full),
            _ => Err(Interrupt::Long),
        }
    }
}

impl<'a, G: Game> Search<'a, G> {
    fn new(round: &'a Round<'a, G>, shared: bool, leads: bool) -> Self {
        let Round { game, table, .. } = *round;
        Self {
            round,
            game,
            table,
            moves: Vec::new(),
            positions: 0,
            filled: 0,
            shared,
            share: leads.then_some((0.0, 1.0)),
        }
    }

    fn run(mut self, position: &G::Position, asked: Value) -> Result<Value, Interrupt> {
        let result = self.search(position, asked, 0);
        if result.is_ok() {
            self.round.end(Interrupt::Over);
        }
        self.report(self.positions % BATCH);
        result
    }

    /// Tells the others, and the watch, of so many positions more.
    fn report(&mut self, positions: u64) {
        let round = self.round;
        let searched = round.positions.fetch_add(positions, Relaxed) + positions;
        let filled = round.filled.fetch_add(self.filled, Relaxed) + self.filled;
        self.filled = 0;
        if round.watch.count(positions).is_err() {
            round.end(Interrupt::Stopped);
        } else if filled >= round.full {
            round.end(Interrupt::Full);
        } else if searched >= round.long {
            round.end(Interrupt::Long);
        }
    }

    /// Whether the position is worth more than `asked`: a lower bound that is more,
    /// or an upper bound that is not.
    fn search(&mut self, position: &G::Position, asked: Value, ply: u32) -> Result<Value, Interrupt> {
        self.positions += 1;
        if self.positions.is_multiple_of(BATCH) {
            self.report(BATCH);
            self.round.check()?;
        }
        let game = self.game;
        let canonical;
        let (position, place) = if self.remembers(position) {
            canonical = game.canonical(position);
            let place = self.place(&canonical);
            self.table.prefetch(place);
            (&canonical, Some(place))
        } else {
            (position, None)
        };
        if game.moves(position).next().is_none() {
            return Ok(Value::ended(game.end(position)));
        }
        let bounds = game.bounds(position, asked);
        if let Some(answer) = bounds.answer(asked) {
            return Ok(answer);
        }
        let first = self.moves.len();
        let candidate = |(number, mv): (usize, G::Move)| Candidate { rank: 0, number: number.min(255) as u8, mv };
        self.moves.extend(game.candidates(position).enumerate().map(candidate));
        let answer = if let [only] = self.moves[first..] {
            // Not worth a place in the table: what follows has one.
            let after = game.play(position, only.mv);
            self.search(&after, asked.ahead(), ply + 1).map(|value| value.back().max(bounds.lower).min(bounds.upper))
        } else {
            self.search_candidates(position, place, bounds, asked, first, ply)
        };
        self.moves.truncate(first);
        answer
    }

    /// As [`search`](Self::search), with the candidates in `self.moves` from `first`
    /// on; `bounds` leave the question open.
    fn search_candidates(
        &mut self,
        position: &G::Position,
        place: Option<Place>,
        mut bounds: Bounds,
        asked: Value,
        first: usize,
        ply: u32,
    ) -> Result<Value, Interrupt> {
        let known = place.and_then(|place| self.table.get(place)).map(Known::unpacked);
        let mut best_number = u8::MAX;
        if let Some(known) = known {
            bounds.lower = bounds.lower.max(known.bounds.lower);
            bounds.upper = bounds.upper.min(known.bounds.upper);
            if let Some(answer) = bounds.answer(asked) {
                return Ok(answer);
            }
            best_number = known.best;
        }
        let game = self.game;
        let end = self.moves.len();
        for candidate in &mut self.moves[first..] {
            let is_best = candidate.number == best_number;
            candidate.rank = if is_best { i32::MAX } else { game.rank(position, candidate.mv).max(PUT_OFF + 1) };
        }
        let before = self.positions;
        let shared = self.shared && ply < CLAIM_PLIES;
        let share = self.share;
        // No move is worth as little as this: it takes a ply at least.
        let mut best = (Value::loss(0), u8::MAX);
        let mut next = first;
        while next < end {
            let Candidate { rank, number, mv } = self.pick(next);
            let after = game.play(position, mv);
            let mut claimed = None;
            if shared && next > first && rank > PUT_OFF && self.remembers(&after) {
                let name = self.place(&game.canonical(&after)).name();
                if !self.round.claims.claim(name) {
                    self.moves[next].rank = PUT_OFF;
                    continue;
                }
                claimed = Some(name);
            }
            self.enter_share(share, ply, next - first, end - first);
            let value = self.search(&after, asked.ahead(), ply + 1)?.back();
            if let Some(name) = claimed {
                self.round.claims.release(name);
            }
            if value > best.0 {
                best = (value, number);
                if value > asked {
                    break;
                }
            }
            next += 1;
        }
        self.share = share;
        let value = best.0.max(bounds.lower).min(bounds.upper);
        let Some(place) = place else {
            return Ok(value);
        };
        if value > asked {
            bounds.lower = value;
        } else {
            bounds.upper = value;
        }
        let known = Known { bounds, best: best.1 };
        let work = self.positions - before;
        self.filled += u64::from(self.table.put(place, known.packed(), work));
        Ok(value)
    }

    /// The best ranked candidate from `next` on, brought to that place.
    #[inline]
    fn pick(&mut self, next: usize) -> Candidate<G::Move> {
        let mut best = next;
        for i in next + 1..self.moves.len() {
            if self.moves[i].rank > self.moves[best].rank {
                best = i;
            }
        }
        self.moves.swap(next, best);
        self.moves[next]
    }

    /// Whether the position is to be looked up and remembered.
    #[inline]
    fn remembers(&self, position: &G::Position) -> bool {
        self.game.key_bits() > 0 && self.game.is_memorable(position)
    }

    /// Where a canonical position belongs in the table.
    #[inline]
    fn place(&self, canonical: &G::Position) -> Place {
        self.table.place(self.game.key(canonical))
    }

    /// Tells the watch, near the root, that the first `done` of `all` candidates are
    /// done, and goes on with the next one's share of the whole work.
    fn enter_share(&mut self, share: Option<(f64, f64)>, ply: u32, done: usize, all: usize) {
        if ply < SHARE_PLIES
            && let Some((before, width)) = share
        {
            let width = width / all as f64;
            let before = before + width * done as f64;
            self.round.watch.set_share(before);
            self.share = Some((before, width));
        }
    }
}

/// What the table keeps of a position.
#[derive(Clone, Copy)]
struct Known {
    bounds: Bounds,
    /// The number of the candidate that was best, or refuted; any number that no
    /// candidate has if it is not known.
    best: u8,
}

impl Known {
    const NUMBERS: u64 = (1 << NUMBER_BITS) - 1;

    #[inline]
    fn packed(self) -> u64 {
        let best = u64::from(self.best).min(Self::NUMBERS);
        (self.bounds.lower.lower_code() << Value::CODE_BITS | self.bounds.upper.upper_code()) << NUMBER_BITS | best
    }

    #[inline]
    fn unpacked(payload: u64) -> Self {
        let code = |shift| Value::of_code(payload >> shift & ((1 << Value::CODE_BITS) - 1));
        let bounds = Bounds { lower: code(NUMBER_BITS + Value::CODE_BITS), upper: code(NUMBER_BITS) };
        Self { bounds, best: (payload & Self::NUMBERS) as u8 }
    }
}
