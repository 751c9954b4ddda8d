//! The outcome of every board of an impartial placement game, one bit a board.

use balpan::{Stopped, Watch};

use super::Placement;
use super::lattice::{Block, LOW, Lattice, Move, NoTable, boards};

/// Which boards of a game are lost for the player to move: those from which no
/// placement leads to a lost one.
///
/// Space: 2^(cells - 3) bytes, 4 MiB for 5×5. Cost to build: a few operations a
/// word and placement, with vector instructions where the machine has them for
/// eight words at a time. Look-up: one bit, after numbering the cells anew.
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
        let words = if lattice.blocks_are_independent {
            settle_blocks(&lattice, misere, watch)?.into_flattened()
        } else {
            settle_words(&lattice, misere, watch)?
        };
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

/// The losing boards, word by word: for pieces that fit between few cells.
fn settle_words(lattice: &Lattice, misere: bool, watch: &Watch) -> Result<Vec<u64>, Stopped> {
    let mut words = vec![0; lattice.words()];
    lattice.settle_runs(watch, |run, across| {
        for word in run.rev() {
            let mut wins = if misere { stuck(across, &lattice.within, word) } else { 0 };
            for mv in across {
                if !mv.overlaps(word) {
                    wins |= mv.before(words[mv.leads_to(word)]);
                }
            }
            words[word] = !if lattice.within.is_empty() { wins } else { settle_within(&lattice.within, wins) };
        }
    })?;
    Ok(words)
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

/// The losing boards, eight words at a time, by the widest instructions there are.
#[allow(unsafe_code, reason = "the only way to call for instructions that the machine is found to have")]
fn settle_blocks(lattice: &Lattice, misere: bool, watch: &Watch) -> Result<Vec<Block>, Stopped> {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") {
            // SAFETY: this machine has AVX-512.
            return unsafe { settle_blocks_by_avx512(lattice, misere, watch) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: this machine has AVX2.
            return unsafe { settle_blocks_by_avx2(lattice, misere, watch) };
        }
    }
    settle_blocks_portably(lattice, misere, watch)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn settle_blocks_by_avx512(lattice: &Lattice, misere: bool, watch: &Watch) -> Result<Vec<Block>, Stopped> {
    settle_blocks_portably(lattice, misere, watch)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn settle_blocks_by_avx2(lattice: &Lattice, misere: bool, watch: &Watch) -> Result<Vec<Block>, Stopped> {
    settle_blocks_portably(lattice, misere, watch)
}

/// Placements by the cells that they cover of those that tell the words of a block
/// apart: each group moves words within a block in one way.
type Groups = [Vec<Move>; 8];

/// Always inlined, so that it is compiled anew for the instructions of its caller.
#[inline(always)]
fn settle_blocks_portably(lattice: &Lattice, misere: bool, watch: &Watch) -> Result<Vec<Block>, Stopped> {
    let mut blocks: Vec<Block> = vec![[0; 8]; lattice.words() / 8];
    let mut groups = Groups::default();
    lattice.settle_runs(watch, |run, across| {
        for group in &mut groups {
            group.clear();
        }
        for mv in across {
            groups[mv.in_block()].push(*mv);
        }
        for block in (run.start / 8..run.end / 8).rev() {
            let mut wins = if misere { stuck_in_block(&groups, block) } else { [0; 8] };
            wins_by::<0>(&groups, &blocks, block, &mut wins);
            wins_by::<1>(&groups, &blocks, block, &mut wins);
            wins_by::<2>(&groups, &blocks, block, &mut wins);
            wins_by::<4>(&groups, &blocks, block, &mut wins);
            wins_by::<3>(&groups, &blocks, block, &mut wins);
            wins_by::<5>(&groups, &blocks, block, &mut wins);
            wins_by::<6>(&groups, &blocks, block, &mut wins);
            wins_by::<7>(&groups, &blocks, block, &mut wins);
            blocks[block] = wins.map(|wins| !wins);
        }
    })?;
    Ok(blocks)
}

/// Adds the wins by one group of placements, those that cover the cells `GROUP`.
#[inline(always)]
fn wins_by<const GROUP: usize>(groups: &Groups, blocks: &[Block], block: usize, wins: &mut Block) {
    for mv in &groups[GROUP] {
        if !mv.overlaps_block(block) {
            let after = &blocks[mv.leads_to_block(block)];
            for word in 0..8 {
                if word & GROUP == 0 {
                    wins[word] |= mv.before(after[word | GROUP]);
                }
            }
        }
    }
}

/// The boards of a block on which nothing can be placed.
#[inline(always)]
fn stuck_in_block(groups: &Groups, block: usize) -> Block {
    let mut stuck = [u64::MAX; 8];
    for (group, moves) in groups.iter().enumerate() {
        for mv in moves {
            if !mv.overlaps_block(block) {
                for (word, stuck) in stuck.iter_mut().enumerate() {
                    if word & group == 0 {
                        *stuck &= !mv.free;
                    }
                }
            }
        }
    }
    stuck
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any::AnyGame;
    use crate::presets::preset;

    /// By words and by blocks, with what vector instructions this machine has and
    /// with none: the same table.
    #[test]
    fn all_ways_to_settle_agree() {
        let watch = Watch::default();
        let pentominoes = ["supply={}", "board=4x6"];
        let games = [
            ("blockgame", &["board=5x5"][..]),
            ("blockgame", &["board=3x7", "misere=true"]),
            ("cram", &["board=4x5", "misere=true"]),
            ("cram", &["board=2x10"]),
            ("pentominoes", &pentominoes),
        ];
        for (name, changes) in games {
            let rules = changes.iter().fold(preset(name).unwrap().unwrap(), |rules, change| rules.set(change).unwrap());
            let AnyGame::Placement(game) = rules.game().unwrap() else { unreachable!() };
            let lattice = Lattice::new(&game, |_| 1, 1 << 30).unwrap();
            assert!(lattice.blocks_are_independent, "{name} {changes:?}");
            let by_words = settle_words(&lattice, game.rules.misere, &watch).unwrap();
            let by_blocks = settle_blocks(&lattice, game.rules.misere, &watch).unwrap();
            let portably = settle_blocks_portably(&lattice, game.rules.misere, &watch).unwrap();
            assert!(by_blocks.as_flattened() == by_words, "{name} {changes:?}");
            assert!(portably.as_flattened() == by_words, "{name} {changes:?}");
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2") {
                // SAFETY: this machine has AVX2.
                #[allow(unsafe_code, reason = "machines with AVX-512 would not try it otherwise")]
                let by_avx2 = unsafe { settle_blocks_by_avx2(&lattice, game.rules.misere, &watch) };
                assert!(by_avx2.unwrap().as_flattened() == by_words, "{name} {changes:?}");
            }
        }
    }
}
