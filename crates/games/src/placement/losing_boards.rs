//! The outcome of every board of an impartial placement game, one bit a board.

use balpan::Watch;

use super::Placement;
use super::lattice::{LOW, Lattice, Move, NoTable, boards};

/// Which boards of a game are lost for the player to move: those from which no
/// placement leads to a lost one.
///
/// Space: 2^(cells - 3) bytes, 4 MiB for 5×5. Cost to build: a few operations a
/// word and placement, most words being settled by part of their placements.
/// Look-up: one bit, after numbering the cells anew.
#[derive(Clone, Debug)]
pub struct LosingBoards {
    lattice: Lattice,
    /// A bit for each board.
    words: Vec<u64>,
}

impl LosingBoards {
    /// Settles every board of `game` within `allowed` bytes.
    ///
    /// # Errors
    /// If the game has a state beyond the board, or the table would be too large.
    pub fn new(game: &Placement, allowed: u64, watch: &Watch) -> Result<Self, NoTable> {
        let lattice = Lattice::new(game, |_| 1, allowed)?;
        let misere = game.rules.misere;
        let mut words = vec![0; lattice.words()];
        lattice.settle_words(watch, |word, across| {
            let mut wins = if misere { stuck(across, &lattice.within, word) } else { 0 };
            for mv in across {
                if !mv.overlaps(word) {
                    wins |= mv.before(words[mv.leads_to(word)]);
                    if wins == u64::MAX {
                        break;
                    }
                }
            }
            words[word] = !if lattice.within.is_empty() { wins } else { settle_within(&lattice.within, wins) };
        })?;
        Ok(Self { lattice, words })
    }

    /// Whether the player to move loses with these cells filled.
    #[must_use]
    pub fn is_losing(&self, filled: u64) -> bool {
        let (word, board) = self.lattice.place(filled);
        self.words[word] >> board & 1 != 0
    }

    /// How many boards are lost for the player to move.
    #[must_use]
    pub fn count(&self) -> u64 {
        let boards = self.lattice.boards_of_a_word();
        self.words.iter().map(|word| u64::from((word & boards).count_ones())).sum()
    }
}

/// The boards of a word on which nothing can be placed.
fn stuck(across: &[Move], within: &[Move], word: usize) -> u64 {
    let moves = across.iter().chain(within).filter(|mv| !mv.overlaps(word));
    !moves.fold(0, |movable, mv| movable | mv.free)
}

/// Adds the wins by placements that stay within the word: fuller boards first.
fn settle_within(within: &[Move], mut wins: u64) -> u64 {
    for filled_cells in (0..LOW as u32).rev() {
        let as_full = boards(|board| board.count_ones() == filled_cells);
        for mv in within {
            wins |= mv.before(!wins) & as_full;
        }
    }
    wins
}
