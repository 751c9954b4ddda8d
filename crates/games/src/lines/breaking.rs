//! Whether a player can make a line before the other does, and whether he can if all that the other does is prevent
//! it: the Maker–Breaker game of a board.

mod proofs;
mod search;
mod sets;
mod sides;

use std::sync::{Arc, OnceLock};

use balpan::parallel::{Claims, Interrupt, SharedSearch};
use balpan::{Bounds, Budget, Settler, Stopped, Value, Watch};

use super::{Lines, Position};
use crate::symmetry::Permutation;
use proofs::Proofs;
use search::Race;

/// Settles who wins. Of the maker and the breaker, the one wants to make a line, the other to prevent that: by a cell
/// of each line, or, in a race, by a line of his own before.
///
/// A mark never harms who makes it. So each proof comes with a zone, the cells that it needs (see [`Proof`]), and
/// where one move is refuted within a zone, only moves in that zone can do better. The next move has to lie in all
/// such zones. In Hex this is the must-play region: R. Hayward and others, "Solving 7×7 Hex with domination,
/// fill-in, and virtual connections", Theoretical Computer Science 349 (2005). For lines: W.-Y. Hsu and others,
/// "On solving the 7,7,5-game and the 8,8,5-game", Theoretical Computer Science 815 (2020).
///
/// Memory: proofs that are remembered take 40 bytes each, within the budget.
#[derive(Debug)]
pub(super) struct Breaking {
    game: Arc<Lines>,
    /// For each of the board's symmetries, the one that undoes it.
    inverses: Vec<Permutation>,
    proofs: Proofs,
    /// Fights that took long, in which the maker makes no line, and whether it was his turn.
    broken: Vec<(Fight, bool)>,
    threads: usize,
    /// What workers are searching: one table for all searches.
    claims: OnceLock<Claims>,
    watch: Watch,
    positions: u64,
}

/// The cells that are still free, and the marks of both players. No other cell is of use to either. The breaker has no
/// marks where only the maker's lines count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Fight {
    free: u64,
    maker: u64,
    breaker: u64,
    /// Whether the breaker gets his way by a line of his own, too.
    is_race: bool,
}

impl Fight {
    /// After the maker's mark, or the breaker's.
    #[inline(always)]
    const fn after(self, makers_turn: bool, cell: u64) -> Self {
        let free = self.free & !cell;
        match (makers_turn, self.is_race) {
            (true, _) => Self { maker: self.maker | cell, free, ..self },
            (false, true) => Self { breaker: self.breaker | cell, free, ..self },
            (false, false) => Self { free, ..self },
        }
    }

    /// Whether the maker has nothing here that he has not in the `other` one; neither is a race.
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

/// A fight is searched for this many positions before the race is, at first; one that took more is remembered.
const LONG: u64 = 1 << 14;

/// A search of more positions is worth starting helpers.
const HELPERS_AFTER: u64 = 1 << 10;

/// What takes no more positions counts as remembered.
const GLANCE: u64 = 1 << 4;

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
            claims: OnceLock::new(),
            watch: watch.clone(),
            positions: 0,
        })
    }

    /// Whether the owner of `maker` makes a line before the owner of `breaker` does.
    ///
    /// The race and the fight in which only the maker's lines count are searched by turns, the latter four times as
    /// long: that he makes no line there is often found sooner, and known of all positions where he has less.
    fn makes(&mut self, maker: u64, breaker: u64, makers_turn: bool) -> Result<bool, Stopped> {
        let race = self.race(maker, breaker);
        let fight = Fight { breaker: 0, is_race: false, ..race };
        if self.is_broken(fight, makers_turn) {
            return Ok(false);
        }
        let before = self.positions;
        let (mut positions, mut can_make) = (LONG, false);
        loop {
            if !can_make && let Some(proof) = self.proof_within(fight, makers_turn, positions.saturating_mul(4))? {
                can_make = proof.makes;
                if !can_make {
                    if self.positions - before >= LONG {
                        self.broken.push((fight, makers_turn));
                    }
                    return Ok(false);
                }
            }
            let most = if can_make { u64::MAX } else { positions };
            if let Some(proof) = self.proof_within(race, makers_turn, most)? {
                return Ok(proof.makes);
            }
            positions = positions.saturating_mul(4);
        }
    }

    /// Whether a fight that took long has shown that the maker makes no line.
    fn is_broken(&self, fight: Fight, makers_turn: bool) -> bool {
        self.broken.iter().any(|&(broken, turn)| fight.is_within(broken) && makers_turn <= turn)
    }

    /// What is told of the value. The mover is the maker where it is asked whether he wins, and the breaker where it is
    /// asked whether he loses.
    fn told(&self, position: &Position, asked: Value, makes: bool) -> Value {
        let left = (self.game.all & !position.marked()).count_ones();
        match (makes, asked == Value::DRAW) {
            (false, _) => Value::DRAW,
            // The winner makes the last mark.
            (true, true) => Value::win(left - u32::from(left.is_multiple_of(2))),
            (true, false) => Value::loss(left - left % 2),
        }
    }

    fn race(&self, maker: u64, breaker: u64) -> Fight {
        Fight { maker, breaker, free: self.game.all & !(maker | breaker), is_race: true }
    }

    /// A proof, if it takes at most `most` positions, or a few more. One that was not found is found the sooner
    /// the next time.
    fn proof_within(&mut self, fight: Fight, makers_turn: bool, most: u64) -> Result<Option<Proof>, Stopped> {
        let Self { game, inverses, proofs, threads, claims, watch, .. } = self;
        let shared = SharedSearch::new(watch, claims, *threads, 0, HELPERS_AFTER, most);
        let race = Race { game, inverses, proofs, shared: &shared };
        let proof = shared.run(|worker| race.prove(fight, makers_turn, worker));
        self.positions += shared.positions();
        match proof {
            Ok(proof) => Ok(Some(proof)),
            Err(Interrupt::Stopped) => Err(Stopped::Interrupted),
            Err(_) => Ok(None),
        }
    }
}

impl Settler<Position> for Breaking {
    /// Whether the mover wins, and whether he loses; not in how many plies.
    fn settle(&mut self, position: &Position, asked: Value) -> Result<Option<Value>, Stopped> {
        let (own, others) = position.by_turn(position.marks);
        let makes = match asked {
            Value::DRAW => self.makes(own, others, true)?,
            // Nobody is worse off for moving first (J. Nash): see `Flat::bounds`.
            Value::BELOW_DRAW => own | others != 0 && self.makes(others, own, false)?,
            _ => return Ok(None),
        };
        Ok(Some(self.told(position, asked, makes)))
    }

    fn known_bounds(&mut self, position: &Position) -> Bounds {
        let (own, others) = position.by_turn(position.marks);
        let mut bounds = Bounds::ANY;
        for (maker, breaker, makers_turn, asked) in
            [(own, others, true, Value::DRAW), (others, own, false, Value::BELOW_DRAW)]
        {
            let race = self.race(maker, breaker);
            let makes = if self.is_broken(Fight { breaker: 0, is_race: false, ..race }, makers_turn) {
                Some(false)
            } else {
                // A stop is heeded by what is asked next.
                self.proof_within(race, makers_turn, GLANCE).ok().flatten().map(|proof| proof.makes)
            };
            if let Some(makes) = makes {
                bounds = bounds.intersect(Bounds::from_test(self.told(position, asked, makes), asked));
            }
        }
        bounds
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
