//! Random positions, for games with too many to examine all.

use balpan::{Game, Hints, SplitMix};
use balpan_games::heaps::{Heaps, Position as HeapsLeft};
use balpan_games::lines::Lines;
use balpan_games::placement::{Placement, Position as Filled};
use balpan_games::walkers::{Position as Standing, Walkers};
use balpan_games::{CellSet, Cells, Notation};

/// A game that puzzles can be looked for in.
pub trait Puzzling: Notation {
    /// A random position with at most `left` cells left, on the board of the start;
    /// `None` if chance leads nowhere this time.
    fn by_chance(&self, left: usize, random: &mut SplitMix) -> Option<Self::Position>;

    /// The same position without the cells that no move can come to any more: positions
    /// which are then the same are the same puzzle.
    fn bare(&self, position: &Self::Position) -> Self::Position {
        position.clone()
    }

    /// The positions that look the same but for one cell, or one token of a heap, with the
    /// same player to move. Where the marks say whose turn it is, there are none.
    fn one_cell_away(&self, _position: &Self::Position) -> Vec<Self::Position> {
        Vec::new()
    }
}

impl<W: CellSet> Puzzling for Walkers<W> {
    /// Any tiles of the start's, with the tokens anywhere on them; those that neither
    /// token can reach are taken away.
    fn by_chance(&self, left: usize, random: &mut SplitMix) -> Option<Standing<W>> {
        let tiles = some_of(self.start().tiles, left, random);
        let many = tiles.count_ones() as usize;
        if many < 2 {
            return None;
        }
        let mut token = || Cells(tiles).nth(random.below(many)).map(|cell| cell as u8);
        let (mover, other) = (token()?, token()?);
        let position = self.bare(&Standing { tiles, mover, other, b_to_move: false });
        self.is_legal(&position).then_some(position)
    }

    fn bare(&self, position: &Standing<W>) -> Standing<W> {
        let Standing { tiles, mover, other, .. } = *position;
        let reached = reached(self, tiles, mover, other) | reached(self, tiles, other, mover);
        Standing { tiles: tiles & reached, ..*position }
    }

    fn one_cell_away(&self, position: &Standing<W>) -> Vec<Standing<W>> {
        let all = Notation::board(self).map_or(W::zero(), |board| board.full());
        let tokens = W::bit(position.mover.into()) | W::bit(position.other.into());
        let cells = Cells(all & !tokens);
        cells.map(|cell| Standing { tiles: position.tiles ^ W::bit(cell), ..*position }).collect()
    }
}

/// The tiles that a token can reach while the other stands still, its own among them.
fn reached<W: CellSet>(game: &Walkers<W>, tiles: W, from: u8, other: u8) -> W {
    let (mut reached, mut fresh) = (W::zero(), W::bit(from.into()));
    while !fresh.is_zero() {
        reached |= fresh;
        let around = Cells(fresh).flat_map(|cell| {
            let mover = cell as u8;
            game.moves(&Standing { tiles, mover, other, b_to_move: false }).collect::<Vec<_>>()
        });
        fresh = around.fold(W::zero(), |cells, cell| cells | W::bit(cell.into())) & !reached;
    }
    reached
}

impl Puzzling for Placement {
    fn by_chance(&self, left: usize, random: &mut SplitMix) -> Option<Filled> {
        filled_by_chance(self, left, random)
    }

    fn bare(&self, position: &Filled) -> Filled {
        without_dead_cells(self, position)
    }

    fn one_cell_away(&self, position: &Filled) -> Vec<Filled> {
        filled_otherwise(self, position)
    }
}

impl Puzzling for Placement<u128> {
    fn by_chance(&self, left: usize, random: &mut SplitMix) -> Option<Filled<u128>> {
        filled_by_chance(self, left, random)
    }

    fn bare(&self, position: &Filled<u128>) -> Filled<u128> {
        without_dead_cells(self, position)
    }

    fn one_cell_away(&self, position: &Filled<u128>) -> Vec<Filled<u128>> {
        filled_otherwise(self, position)
    }
}

/// The same filling but for one cell, each in turn.
fn filled_otherwise<W: CellSet>(game: &Placement<W>, position: &Filled<W>) -> Vec<Filled<W>> {
    let all = Notation::board(game).map_or(W::zero(), |board| board.full::<W>());
    Cells(all).map(|cell| Filled { filled: position.filled ^ W::bit(cell), ..*position }).collect()
}

/// Any filling of the start's free cells, and cells that nothing fits on filled, too;
/// where pieces have a supply, what random play fills.
fn filled_by_chance<W: CellSet>(game: &Placement<W>, left: usize, random: &mut SplitMix) -> Option<Filled<W>> {
    let all = Notation::board(game)?.full::<W>();
    if game.has_supplies() {
        return played(game, random, |position, _| (all & !position.filled).count_ones() as usize <= left);
    }
    let start = game.start();
    let free = some_of(all & !start.filled, left, random);
    let right_to_move = if game.is_partizan() { random.below(2) == 1 } else { start.right_to_move };
    Some(without_dead_cells(game, &Filled { filled: all & !free, right_to_move, ..start }))
}

/// The position with the cells filled that no piece of either side fits on.
fn without_dead_cells<W: CellSet>(game: &Placement<W>, position: &Filled<W>) -> Filled<W> {
    let Some(board) = Notation::board(game) else {
        return *position;
    };
    let sides = [*position, Filled { right_to_move: game.is_partizan() && !position.right_to_move, ..*position }];
    let fits = sides.iter().flat_map(|side| game.moves(side).map(|mv| game.marked(side, mv)));
    let live = fits.fold(0, |live, cells| live | cells);
    let free = board.full::<W>() & !position.filled;
    let dead = Cells(free).filter(|cell| live >> cell & 1 == 0).fold(W::zero(), |dead, cell| dead | W::bit(cell));
    Filled { filled: position.filled | dead, ..*position }
}

impl Puzzling for Lines {
    fn by_chance(&self, left: usize, random: &mut SplitMix) -> Option<Self::Position> {
        let cells = self.board().cells();
        played(self, random, |position, _| cells - position.marked().count_ones() as usize <= left)
    }
}

impl Puzzling for Heaps {
    fn by_chance(&self, left: usize, random: &mut SplitMix) -> Option<Self::Position> {
        let tokens = |position: &Self::Position| position.heaps().iter().map(|heap| usize::from(*heap)).sum::<usize>();
        played(self, random, |position, random| tokens(position) <= left || random.below(8) == 0)
    }

    fn one_cell_away(&self, position: &Self::Position) -> Vec<Self::Position> {
        let heaps = position.heaps();
        let with = |n: usize, size: u16| {
            let mut heaps = heaps.to_vec();
            heaps[n] = size;
            HeapsLeft::new(heaps)
        };
        (0..heaps.len()).flat_map(|n| [with(n, heaps[n] - 1), with(n, heaps[n].saturating_add(1))]).collect()
    }
}

/// The position after random play among the moves that can matter, until it is far
/// enough; `None` if play ends before.
fn played<G: Hints>(
    game: &G,
    random: &mut SplitMix,
    is_enough: impl Fn(&G::Position, &mut SplitMix) -> bool,
) -> Option<G::Position> {
    let mut position = game.start();
    while !is_enough(&position, random) {
        if game.is_over(&position) {
            return None;
        }
        let mut moves: Vec<_> = game.candidates(&position).collect();
        if moves.is_empty() {
            moves.extend(game.moves(&position));
        }
        position = game.play(&position, moves[random.below(moves.len())]);
    }
    Some(position)
}

/// A random subset of `many` cells, or all cells if there are no more.
fn some_of<W: CellSet>(set: W, many: usize, random: &mut SplitMix) -> W {
    let all = set.count_ones() as usize;
    let mut chosen = W::zero();
    for (passed, cell) in Cells(set).enumerate() {
        let wanted = many.saturating_sub(chosen.count_ones() as usize);
        if random.below(all - passed) < wanted {
            chosen |= W::bit(cell);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_as_asked_for() {
        let mut random = SplitMix(1);
        let set = 0b1011_0111_u64;
        for many in 0..10 {
            let chosen = some_of(set, many, &mut random);
            assert_eq!(chosen & !set, 0);
            assert_eq!(chosen.count_ones() as usize, many.min(6));
        }
    }
}
