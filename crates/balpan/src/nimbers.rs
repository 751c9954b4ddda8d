//! Nimbers of impartial games, part by part.

mod effort;
mod search;

use crate::game::{Game, usable_key_bits};
use crate::table::Table;
use crate::watch::{Stopped, Watch};
use effort::Known;
use search::{Interrupt, Round, Search, TAG_BITS};

/// Nimbers (Grundy values) of the positions of an [impartial](Game::is_impartial)
/// game.
#[derive(Debug)]
pub struct Nimbers<'a, G: Game> {
    game: &'a G,
    watch: &'a Watch,
    table: Table,
    /// Entries of the table that are in use.
    filled: u64,
    positions: u64,
}

impl<'a, G: Game> Nimbers<'a, G> {
    /// A solver whose table grows to `table_bytes` at most.
    pub fn new(game: &'a G, table_bytes: usize, watch: &'a Watch) -> Self {
        let table = Table::tagged(usable_key_bits(game), TAG_BITS, Known::BITS, table_bytes);
        Self { game, watch, table, filled: 0, positions: 0 }
    }

    /// The position's nimber.
    pub fn nimber(&mut self, position: &G::Position) -> Result<u32, Stopped> {
        let mut parts = Vec::new();
        self.game.split(position, &mut parts);
        parts.iter().try_fold(0, |sum, part| Ok(sum ^ self.of_part(part)?))
    }

    pub fn positions_searched(&self) -> u64 {
        self.positions
    }

    pub fn parts_known(&self) -> u64 {
        self.filled
    }

    fn of_part(&mut self, part: &G::Position) -> Result<u32, Stopped> {
        loop {
            let round = Round {
                game: self.game,
                table: &self.table,
                watch: self.watch,
                claims: None,
                filled: self.filled.into(),
                full: if self.table.can_grow() { self.table.capacity() / 4 * 3 } else { u64::MAX },
                positions: 0.into(),
                interrupt: 0.into(),
            };
            let mut search = Search::new(&round);
            let result = search.nimber(part);
            search.report();
            self.positions += round.positions.into_inner();
            self.filled = round.filled.into_inner();
            match result {
                Ok(nimber) => return Ok(nimber),
                Err(Interrupt::Stopped) => return Err(Stopped),
                Err(Interrupt::Full) => self.table.grow(),
                Err(Interrupt::Over) => {}
            }
        }
    }
}
