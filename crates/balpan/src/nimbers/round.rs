//! What the threads that work at one question share.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use super::search::Search;
use crate::claims::Claims;
use crate::game::Game;
use crate::race::race;
use crate::table::Table;
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

/// What the threads that work at one part share.
pub(super) struct Round<'a, G> {
    pub(super) game: &'a G,
    pub(super) table: &'a Table,
    watch: &'a Watch,
    threads: usize,
    claims: Option<Claims>,
    /// Entries of the table in use; with how many of them it is full.
    filled: AtomicU64,
    full: u64,
    positions: AtomicU64,
    /// After so many positions, or a few more, it is [`Interrupt::Long`].
    long: u64,
    /// The first [`Interrupt`], or 0: all threads heed it.
    interrupt: AtomicU8,
}

impl<'a, G: Game> Round<'a, G> {
    pub(super) fn new(game: &'a G, table: &'a Table, filled: u64, watch: &'a Watch, threads: usize, long: u64) -> Self {
        Self {
            game,
            table,
            watch,
            threads,
            claims: (threads > 1).then(Claims::default),
            filled: filled.into(),
            full: if table.can_grow() { table.capacity() / 4 * 3 } else { u64::MAX },
            positions: 0.into(),
            long,
            interrupt: 0.into(),
        }
    }

    /// The first answer that one of the threads has.
    pub(super) fn run<T: Send>(
        &self,
        question: impl Fn(&mut Search<'_, G>) -> Result<T, Interrupt> + Sync,
    ) -> Result<T, Interrupt> {
        race(self.threads, |_| {
            let mut search = Search::new(self);
            let result = question(&mut search);
            if result.is_ok() {
                self.end(Interrupt::Over);
            }
            search.report();
            result
        })
    }

    /// The position's nimber, if those of all its parts are known.
    pub(super) fn known(&self, position: &G::Position) -> Option<u32> {
        let search = Search::new(self);
        let mut parts = Vec::new();
        self.game.split(position, &mut parts);
        // Two of the same make none.
        let mut odd: Vec<G::Position> = Vec::new();
        for part in parts {
            match odd.iter().position(|other| *other == part) {
                Some(twin) => {
                    odd.swap_remove(twin);
                }
                None => odd.push(part),
            }
        }
        odd.iter().try_fold(0, |sum, part| Some(sum ^ search.known(part)?))
    }

    /// How many positions were searched.
    pub(super) fn positions(&self) -> u64 {
        self.positions.load(Relaxed)
    }

    /// How many entries of the table are in use now.
    pub(super) fn filled(&self) -> u64 {
        self.filled.load(Relaxed)
    }

    /// Where threads share the work.
    pub(super) fn claims(&self) -> Option<&Claims> {
        self.claims.as_ref()
    }

    /// Adds what a thread has searched, and the entries of the table that it has filled.
    pub(super) fn report(&self, positions: u64, filled: u64) {
        let searched = self.positions.fetch_add(positions, Relaxed) + positions;
        let filled = self.filled.fetch_add(filled, Relaxed) + filled;
        self.watch.set_remembered(filled, self.table.bytes());
        if self.watch.count(positions).is_err() {
            self.end(Interrupt::Stopped);
        } else if filled >= self.full {
            self.end(Interrupt::Full);
        } else if searched >= self.long {
            self.end(Interrupt::Long);
        }
    }

    /// Has all threads end.
    fn end(&self, interrupt: Interrupt) {
        // Only the first one counts.
        let _ = self.interrupt.compare_exchange(0, interrupt as u8, Relaxed, Relaxed);
    }

    pub(super) fn check(&self) -> Result<(), Interrupt> {
        match self.interrupt.load(Relaxed) {
            0 => Ok(()),
            1 => Err(Interrupt::Over),
            2 => Err(Interrupt::Stopped),
            3 => Err(Interrupt::Full),
            _ => Err(Interrupt::Long),
        }
    }
}
