//! Random positions, and relations between similar positions, for every family of games.

use balpan::{Game, Hints, SplitMix};
use balpan_games::heaps::{Heaps, Position as HeapsLeft};
use balpan_games::lines::Lines;
use balpan_games::placement::{Placement, Position as Filled};
use balpan_games::walkers::{Position as Standing, Walkers};
use balpan_games::{CellSet, Cells, Notation};

/// A game in which puzzles can be looked for.
pub trait PuzzleGame: Notation {
    /// Draws a random position with at most `left` cells left on the board of the start; `None` if this
    /// draw gives no position.
    fn random_position(&self, left: usize, random: &mut SplitMix) -> Option<Self::Position>;

    /// Removes the cells that no move can reach any more. Positions that are equal without them are the
    /// same puzzle.
    fn strip_dead_cells(&self, position: &Self::Position) -> Self::Position {
        position.clone()
    }

    /// Returns the positions that differ in one cell, or in one token of a heap, with the same player to
    /// move. There are none if the marks on the board determine whose turn it is.
    fn one_cell_variants(&self, _position: &Self::Position) -> Vec<Self::Position> {
        Vec::new()
    }
}

impl<W: CellSet> PuzzleGame for Walkers<W> {
    /// Keeps random tiles of the start, puts the tokens on any of them, and removes the tiles that neither
    /// token can reach.
    fn random_position(&self, left: usize, random: &mut SplitMix) -> Option<Standing<W>> {
        let tiles = random_subset(self.start().tiles, left, random);
        let count = tiles.count_ones() as usize;
        if count < 2 {
            return None;
        }
        let mut token = || Cells(tiles).nth(random.below(count)).map(|cell| cell as u8);
        let (mover, other) = (token()?, token()?);
        let position = self.strip_dead_cells(&Standing { tiles, mover, other, b_to_move: false });
        self.is_legal(&position).then_some(position)
    }

    fn strip_dead_cells(&self, position: &Standing<W>) -> Standing<W> {
        let Standing { tiles, mover, other, .. } = *position;
        let reachable = reachable_tiles(self, tiles, mover, other) | reachable_tiles(self, tiles, other, mover);
        Standing { tiles: tiles & reachable, ..*position }
    }

    fn one_cell_variants(&self, position: &Standing<W>) -> Vec<Standing<W>> {
        let all = Notation::board(self).map_or(W::zero(), |board| board.full());
        let tokens = W::bit(position.mover.into()) | W::bit(position.other.into());
        let cells = Cells(all & !tokens);
        cells.map(|cell| Standing { tiles: position.tiles ^ W::bit(cell), ..*position }).collect()
    }
}

/// Returns the tiles that a token can reach while the other stands still, its own included.
fn reachable_tiles<W: CellSet>(game: &Walkers<W>, tiles: W, from: u8, other: u8) -> W {
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

impl<W: CellSet> PuzzleGame for Placement<W> {
    /// Fills random free cells of the start, and the cells on which nothing fits. If pieces have a supply, plays random
    /// moves instead.
    fn random_position(&self, left: usize, random: &mut SplitMix) -> Option<Filled<W>> {
        let all = Notation::board(self)?.full::<W>();
        if self.has_supplies() {
            return random_play(self, random, |position, _| (all & !position.filled).count_ones() as usize <= left);
        }
        let start = self.start();
        let free = random_subset(all & !start.filled, left, random);
        let right_to_move = if self.is_partizan() { random.below(2) == 1 } else { start.right_to_move };
        Some(self.strip_dead_cells(&Filled { filled: all & !free, right_to_move, ..start }))
    }

    /// Fills the cells that no piece of either side covers.
    fn strip_dead_cells(&self, position: &Filled<W>) -> Filled<W> {
        let Some(board) = Notation::board(self) else {
            return *position;
        };
        let sides = [*position, Filled { right_to_move: self.is_partizan() && !position.right_to_move, ..*position }];
        let fits = sides.iter().flat_map(|side| self.moves(side).map(|mv| self.move_cells(side, mv)));
        let live = fits.fold(0, |live, cells| live | cells);
        let free = board.full::<W>() & !position.filled;
        let dead = Cells(free).filter(|cell| live >> cell & 1 == 0).fold(W::zero(), |dead, cell| dead | W::bit(cell));
        Filled { filled: position.filled | dead, ..*position }
    }

    fn one_cell_variants(&self, position: &Filled<W>) -> Vec<Filled<W>> {
        let all = Notation::board(self).map_or(W::zero(), |board| board.full::<W>());
        Cells(all).map(|cell| Filled { filled: position.filled ^ W::bit(cell), ..*position }).collect()
    }
}

impl PuzzleGame for Lines {
    fn random_position(&self, left: usize, random: &mut SplitMix) -> Option<Self::Position> {
        let cells = self.board().cells();
        random_play(self, random, |position, _| cells - position.marked().count_ones() as usize <= left)
    }
}

impl PuzzleGame for Heaps {
    fn random_position(&self, left: usize, random: &mut SplitMix) -> Option<Self::Position> {
        let tokens = |position: &Self::Position| position.heaps().iter().map(|heap| usize::from(*heap)).sum::<usize>();
        random_play(self, random, |position, random| tokens(position) <= left || random.below(8) == 0)
    }

    fn one_cell_variants(&self, position: &Self::Position) -> Vec<Self::Position> {
        let heaps = position.heaps();
        let with = |n: usize, size: u16| {
            let mut heaps = heaps.to_vec();
            heaps[n] = size;
            HeapsLeft::new(heaps)
        };
        (0..heaps.len()).flat_map(|n| [with(n, heaps[n] - 1), with(n, heaps[n].saturating_add(1))]).collect()
    }
}

/// Plays random moves, among those that can matter, until `is_enough`; `None` if play ends before.
fn random_play<G: Hints>(
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

/// Returns a random subset of `size` cells, or all cells if there are no more.
fn random_subset<W: CellSet>(set: W, size: usize, random: &mut SplitMix) -> W {
    let all = set.count_ones() as usize;
    let mut chosen = W::zero();
    for (passed, cell) in Cells(set).enumerate() {
        let missing = size.saturating_sub(chosen.count_ones() as usize);
        if random.below(all - passed) < missing {
            chosen |= W::bit(cell);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_subset_has_the_size() {
        let mut random = SplitMix(1);
        let set = 0b1011_0111_u64;
        for size in 0..10 {
            let chosen = random_subset(set, size, &mut random);
            assert_eq!(chosen & !set, 0);
            assert_eq!(chosen.count_ones() as usize, size.min(6));
        }
    }
}
