//! The questions that the rest of the program asks a family about its games: how they are described, drawn, edited,
//! checked and sampled. A family answers them in its own folder.

use balpan::{Budget, Solver, SplitMix, Watch};
use balpan_cgt::{CgtError, Form, FormStore};

use crate::board::{CellSet, Cells};
use crate::heaps::Code;
use crate::notation::{Notation, PlayerName};
use crate::placement::{Pieces, PlacementValueError, PositionValueReport};
use crate::settings::Setting;
use crate::text::TextError;

/// A game of a family. Only the family's name is required: by default a game has nothing of what the other methods
/// ask for.
pub trait FamilyGame: Notation {
    /// Returns the family's name, as rules files have it.
    fn family(&self) -> &'static str;

    /// Returns the keys of the rules that can be set, without the board, in the order of a form.
    fn settings(&self) -> Vec<Setting> {
        Vec::new()
    }

    /// Returns how the cells of a board look.
    fn cell_style(&self) -> CellStyle {
        CellStyle::Cells
    }

    /// Returns the characters that an editor of positions puts on cells, the free cell first; none if positions are
    /// edited as text only.
    fn cell_glyphs(&self) -> &str {
        ""
    }

    /// Returns the words after a board that name the player to move, the default first, with the player of each;
    /// `None` where the board decides.
    fn sides(&self) -> &'static [(&'static str, Option<PlayerName>)] {
        &[]
    }

    /// Returns the pieces that moves place on free cells. In such a game moves on different cells are independent.
    fn pieces(&self) -> Option<&Pieces> {
        None
    }

    /// Whether Left places upright pieces and Right level ones, so that these directions can name the players.
    fn is_by_direction(&self) -> bool {
        false
    }

    /// Returns the independent parts of a position: the cells that moves may change in each, if there is a board, and the part
    /// alone as a position. The list is empty if no move is left. By default the whole position is one part, without cells.
    fn parts(&self, position: &Self::Position) -> Vec<(u128, String)> {
        whole_position(self, position)
    }

    /// Returns the code of a heap game.
    fn heap_code(&self) -> Option<&Code> {
        None
    }

    /// Whether both players' own marks fall and make lines, as in Connect Four, whose solvers count stones.
    fn has_stone_score(&self) -> bool {
        false
    }

    /// Whether the game is a misère game that may be impartial: whoever makes the last move loses, unless play comes
    /// to another end.
    fn is_misere_sum(&self) -> bool {
        self.is_impartial_misere()
    }

    /// Returns the game as the checker of certificates states it, if the checker knows the family.
    fn checked(&self) -> Option<&dyn Checked<Position = Self::Position>> {
        None
    }

    /// Finds the combinatorial value of a position, within `memory` bytes; `None` if positions have no values that
    /// add up. `name` is the game's.
    fn position_value(
        &self,
        _name: &str,
        _position: &Self::Position,
        _memory: usize,
        _watch: &Watch,
    ) -> Option<Result<PositionValueReport, PlacementValueError>> {
        None
    }

    /// Returns a solver of canonical forms; `None` if positions have no values that add up.
    fn position_values(&self) -> Option<Result<Box<dyn PositionValues>, PlacementValueError>> {
        None
    }

    /// Draws a random position of at most `left` cells or tokens; `None` if this draw gives no position. By default
    /// plays random moves until the [layer](balpan::Game::layer) is low enough.
    fn random_position(&self, left: usize, random: &mut SplitMix) -> Option<Self::Position> {
        play_randomly(self, random, |position, random| match self.layer(position) {
            Some(layer) => layer as usize <= left,
            None => random.below(8) == 0,
        })
    }

    /// Removes the cells that no move can reach any more. Positions that are equal without them are the same puzzle.
    fn strip_dead_cells(&self, position: &Self::Position) -> Self::Position {
        position.clone()
    }

    /// Returns the positions that differ in one cell, or in one token of a heap, with the same player to move. There
    /// are none if the marks on the board determine whose turn it is.
    fn one_cell_variants(&self, _position: &Self::Position) -> Vec<Self::Position> {
        Vec::new()
    }
}

/// How the cells of a board look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellStyle {
    /// Tiles, which vanish.
    Tiles,
    /// Cells of a board.
    Cells,
    /// Slots, into which discs fall.
    Slots,
    /// Points, joined by [lines](Notation::edges).
    Points,
}

/// A game that the checker of certificates knows. The checker's positions are two words; of games in the rules language they
/// are three, and both write positions alike.
pub trait Checked {
    /// The game's positions.
    type Position;

    /// Returns the lines of a certificate's head that state the rules.
    fn checker_rules(&self) -> String;

    /// Formats a position as the checker reads it.
    fn checker_text(&self, position: &Self::Position) -> String;

    /// Converts a position of the checker; `None` in games in the rules language.
    fn position_from_words(&self, _words: [u128; 2]) -> Option<Self::Position> {
        None
    }

    /// Returns a solver of the checker's positions in which it has moves elsewhere, if the game has such positions.
    fn solver_with_moves_elsewhere(&self, _budget: Budget, _watch: &Watch) -> Option<Box<dyn Solver<[u128; 2]>>> {
        None
    }
}

/// Finds canonical forms of a game's positions. What it finds for one serves the next.
pub trait PositionValues {
    /// Returns the game's names for Left and Right.
    fn players(&self) -> [PlayerName; 2];

    /// Returns the value of the position in `text`, whoever is to move, in `forms`, which has to be the same store in
    /// every call.
    ///
    /// # Errors
    /// If the text is not a position of the game; within, if the watch stops the computation or the memory is used up.
    fn value(&mut self, text: &str, forms: &mut FormStore) -> Result<Result<Form, CgtError>, TextError>;
}

/// Returns the whole position as its one part, without cells; none if no move is left.
pub(crate) fn whole_position<G: Notation>(game: &G, position: &G::Position) -> Vec<(u128, String)> {
    game.moves(position).next().map(|_| (0, game.text(position))).into_iter().collect()
}

/// Writes a condition as the head of a certificate has it.
pub(crate) const fn yes_no(is_so: bool) -> &'static str {
    if is_so { "yes" } else { "no" }
}

/// Returns the rows of a position's text, without the words after them.
pub(crate) fn rows_text<G: Notation>(game: &G, position: &G::Position) -> String {
    let text = game.text(position);
    text.split(' ').next().unwrap_or(&text).to_owned()
}

/// Plies of the longest random play, which may repeat.
const MAX_RANDOM_PLIES: usize = 10_000;

/// Plays random moves, among those that can matter, until `is_enough`; `None` if play ends before, or goes on for long.
pub(crate) fn play_randomly<G: Notation>(
    game: &G,
    random: &mut SplitMix,
    is_enough: impl Fn(&G::Position, &mut SplitMix) -> bool,
) -> Option<G::Position> {
    let mut position = game.start();
    for _ in 0..=MAX_RANDOM_PLIES {
        if is_enough(&position, random) {
            return Some(position);
        }
        if game.is_over(&position) {
            return None;
        }
        let mut moves: Vec<_> = game.candidates(&position).collect();
        if moves.is_empty() {
            moves.extend(game.moves(&position));
        }
        position = game.play(&position, moves[random.below(moves.len())]);
    }
    None
}

/// Returns a random subset of `size` cells, or all cells if there are no more.
pub(crate) fn random_subset<W: CellSet>(set: W, size: usize, random: &mut SplitMix) -> W {
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
