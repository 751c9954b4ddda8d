//! Whether a player can make a line if all that the other does is prevent it: the Maker–Breaker game
//! of a board.

mod proofs;
mod search;
mod unmet;

use std::sync::Arc;

use balpan::{Budget, Settler, Stopped, Value, Watch};

use super::{Lines, Position};
use crate::symmetry::Permutation;
use proofs::Proofs;
use search::Round;

/// Settles that a player cannot make a line: whoever can break all lines of the other's does not lose. (Who
/// can make one in this game may come too late in the game itself, so nothing else is settled.)
///
/// A mark never harms who makes it. So each proof comes with a zone, the cells that it needs (see [`Proof`]), and
/// where one move is refuted within a zone, only moves in that zone can do better. The next move has to lie in all
/// such zones. In Hex this is the must-play region: R. Hayward and others, "Solving 7×7 Hex with domination,
/// fill-in, and virtual connections", Theoretical Computer Science 349 (2005). For lines: W.-Y. Hsu and others,
/// "On solving the 7,7,5-game and the 8,8,5-game", Theoretical Computer Science 815 (2020).
///
/// Memory: proofs that are remembered take 32 bytes each, within the budget.
#[derive(Debug)]
pub(super) struct Breaking {
    game: Arc<Lines>,
    /// For each of the board's symmetries, the one that undoes it.
    inverses: Vec<Permutation>,
    proofs: Proofs,
    /// Fights that took long, in which the maker makes no line, and whether it was his turn.
    broken: Vec<(Fight, bool)>,
    threads: usize,
    watch: Watch,
    positions: u64,
}

/// The cells that are still free, and the maker's marks. All other cells are the breaker's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fight {
    free: u64,
    maker: u64,
}

impl Fight {
    /// After the maker's mark.
    const fn made(self, cell: u64) -> Self {
        Self { maker: self.maker | cell, free: self.free & !cell }
    }

    /// After the breaker's mark.
    const fn broken(self, cell: u64) -> Self {
        Self { maker: self.maker, free: self.free & !cell }
    }

    /// Whether the maker has nothing here that he has not in the `other` one.
    const fn is_within(self, other: Self) -> bool {
        self.maker & !other.maker == 0 && self.free & !(other.maker | other.free) == 0
    }
}

/// Who gets his way, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Proof {
    /// Whether the maker makes a line.
    makes: bool,
    /// Free cells. Even if all others were the other player's, who gets his way would.
    zone: u64,
}

/// A search of more positions is worth starting threads.
const LONG: u64 = 1 << 14;

impl Breaking {
    /// `None` if it does not settle anything about the game: where marks fall or are shared, or a longer line is
    /// none; or if one mark is a line.
    pub(super) fn of(game: &Arc<Lines>, budget: Budget, watch: &Watch) -> Option<Self> {
        let undoes = |symmetry: &Permutation| {
            let is_inverse =
                |other: &&Permutation| (0..game.board.cells()).all(|cell| other.cell(symmetry.cell(cell)) == cell);
            game.symmetries.iter().find(is_inverse).cloned()
        };
        (game.is_flat() && game.rules.k > 1).then(|| Self {
            game: Arc::clone(game),
            inverses: game.symmetries.iter().filter_map(undoes).collect(),
            proofs: Proofs::new(budget.memory),
            broken: Vec::new(),
            threads: budget.threads.max(1),
            watch: watch.clone(),
            positions: 0,
        })
    }

    /// Whether the owner of `maker` makes a line against the owner of `breaker`.
    fn makes(&mut self, maker: u64, breaker: u64, makers_turn: bool) -> Result<bool, Stopped> {
        let fight = Fight { maker, free: self.game.all & !(maker | breaker) };
        if self.broken.iter().any(|&(broken, turn)| fight.is_within(broken) && makers_turn <= turn) {
            return Ok(false);
        }
        let before = self.positions;
        let makes = self.proof(fight, makers_turn)?.makes;
        if !makes && self.positions - before >= LONG {
            self.broken.push((fight, makers_turn));
        }
        Ok(makes)
    }

    fn proof(&mut self, fight: Fight, makers_turn: bool) -> Result<Proof, Stopped> {
        let alone = if self.threads > 1 { LONG } else { u64::MAX };
        for (threads, positions) in [(1, alone), (self.threads, u64::MAX)] {
            let round = Round::new(self, threads, positions);
            let found = round.race(fight, makers_turn);
            self.positions += round.positions();
            if let Some(proof) = found {
                return Ok(proof);
            }
            if self.watch.is_stopping() {
                break;
            }
        }
        Err(Stopped)
    }
}

impl Settler<Position> for Breaking {
    /// That the mover does not win, or does not lose.
    fn settle(&mut self, position: &Position, asked: Value) -> Result<Option<Value>, Stopped> {
        let (own, others) = position.by_turn(position.marks);
        let makes = match asked {
            Value::DRAW => self.makes(own, others, true)?,
            // Nobody is worse off for moving first (J. Nash): see `Flat::bounds`.
            Value::BELOW_DRAW => own | others != 0 && self.makes(others, own, false)?,
            _ => return Ok(None),
        };
        Ok((!makes).then_some(Value::DRAW))
    }

    fn bytes(&self) -> u64 {
        self.proofs.bytes()
    }

    fn positions_searched(&self) -> u64 {
        self.positions
    }

    fn set_watch(&mut self, watch: &Watch) {
        self.watch = watch.clone();
    }
}

#[cfg(test)]
mod tests;
