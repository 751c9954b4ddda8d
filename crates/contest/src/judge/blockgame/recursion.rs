//! What plain recursion visits on a board of the block game.
//!
//! Without a memo it visits far more than can be counted one by one. What it visits below a
//! board is the same whenever it comes there, so that a memo can count it.

use balpan::SplitMix;
use rustc_hash::FxHashMap;

use super::{BlockGame, CELLS, Case, SIDE, around};
use crate::judge::Recursion;

/// Blocks on the 2x2 square at the first cell: two dominoes, four trominoes.
const BLOCKS: [u32; 6] = [0b11, 0b1_00001, 0b1_00011, 0b10_00011, 0b11_00001, 0b11_00010];

/// Boards of which the memo knows at most, some tens of megabytes.
const MOST_KNOWN: usize = 1_500_000;

pub(super) fn recursions() -> Vec<Recursion<BlockGame>> {
    let cell_by_cell = (0..CELLS).flat_map(|cell| BLOCKS.map(|block| (block, cell)));
    let block_by_block = BLOCKS.into_iter().rev().flat_map(|block| (0..CELLS).map(move |cell| (block, cell)));
    let of = |name, places: Vec<(u32, usize)>| {
        let mut count = Count { moves: places.into_iter().filter_map(placed).collect(), known: FxHashMap::default() };
        Recursion::new(name, move |case: &Case| {
            if count.known.len() > MOST_KNOWN {
                count.known.clear();
            }
            count.of(case.free()).1
        })
    };
    vec![
        of("moves until one wins, cell by cell", cell_by_cell.collect()),
        of("moves until one wins, block by block", block_by_block.collect()),
    ]
}

/// A cell filled or freed.
pub(super) fn step(case: &Case, random: &mut SplitMix) -> Case {
    Case { filled: case.filled ^ 1 << random.below(CELLS) }
}

/// The block with its square's first cell there, if it fits on the board.
fn placed((block, cell): (u32, usize)) -> Option<u32> {
    const SECOND_COLUMN: u32 = 0b10_00010;
    let over_right = cell % SIDE == SIDE - 1 && block & SECOND_COLUMN != 0;
    let over_bottom = cell / SIDE == SIDE - 1 && block >> SIDE != 0;
    (!over_right && !over_bottom).then(|| block << cell)
}

struct Count {
    moves: Vec<u32>,
    /// Whether the player to move wins, and the positions visited, by the free cells.
    known: FxHashMap<u32, (bool, u64)>,
}

impl Count {
    fn of(&mut self, free: u32) -> (bool, u64) {
        // Cells that no block can cover change nothing.
        let free = free & around(free);
        if let Some(&known) = self.known.get(&free) {
            return known;
        }
        let (mut wins, mut visited) = (false, 1_u64);
        for n in 0..self.moves.len() {
            let block = self.moves[n];
            if block & free == block {
                let (theirs, more) = self.of(free ^ block);
                visited = visited.saturating_add(more);
                if !theirs {
                    wins = true;
                    break;
                }
            }
        }
        self.known.insert(free, (wins, visited));
        (wins, visited)
    }
}
