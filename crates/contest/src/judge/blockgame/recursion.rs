//! Counts the positions that plain recursion visits in the block game.
//!
//! Without a memo there are too many visits to count one by one. The visits below a board are the
//! same whenever it is reached, so a memo counts them.

use balpan::SplitMix;
use rustc_hash::FxHashMap;

use super::{BlockGame, CELLS, Case, SIDE, around};
use crate::judge::Recursion;

/// Blocks on the 2x2 square at the first cell: two dominoes, four trominoes.
const BLOCKS: [u32; 6] = [0b11, 0b1_00001, 0b1_00011, 0b10_00011, 0b11_00001, 0b11_00010];

/// The most boards in the memo: some tens of megabytes.
const MAX_MEMO_BOARDS: usize = 1_500_000;

pub(super) fn recursions() -> Vec<Recursion<BlockGame>> {
    let cell_by_cell = (0..CELLS).flat_map(|cell| BLOCKS.map(|block| (block, cell)));
    let block_by_block = BLOCKS.into_iter().rev().flat_map(|block| (0..CELLS).map(move |cell| (block, cell)));
    let recursion = |name, places: Vec<(u32, usize)>| {
        let mut counter =
            VisitCounter { moves: places.into_iter().filter_map(block_cells).collect(), memo: FxHashMap::default() };
        Recursion::new(name, move |case: &Case| {
            if counter.memo.len() > MAX_MEMO_BOARDS {
                counter.memo.clear();
            }
            counter.count(case.free()).1
        })
    };
    vec![
        recursion("moves until one wins, cell by cell", cell_by_cell.collect()),
        recursion("moves until one wins, block by block", block_by_block.collect()),
    ]
}

/// Fills or frees a random cell.
pub(super) fn neighbor(case: &Case, random: &mut SplitMix) -> Case {
    Case { filled: case.filled ^ 1 << random.below(CELLS) }
}

/// Returns the cells of the block whose 2x2 square begins at `cell`, if it fits on the board.
fn block_cells((block, cell): (u32, usize)) -> Option<u32> {
    const SECOND_COLUMN: u32 = 0b10_00010;
    let over_right = cell % SIDE == SIDE - 1 && block & SECOND_COLUMN != 0;
    let over_bottom = cell / SIDE == SIDE - 1 && block >> SIDE != 0;
    (!over_right && !over_bottom).then(|| block << cell)
}

struct VisitCounter {
    moves: Vec<u32>,
    /// Whether the player to move wins, and the positions visited, by the free cells.
    memo: FxHashMap<u32, (bool, u64)>,
}

impl VisitCounter {
    fn count(&mut self, free: u32) -> (bool, u64) {
        // Cells that no block can cover change nothing.
        let free = free & around(free);
        if let Some(&counted) = self.memo.get(&free) {
            return counted;
        }
        let (mut wins, mut visited) = (false, 1_u64);
        for n in 0..self.moves.len() {
            let block = self.moves[n];
            if block & free == block {
                let (theirs, more) = self.count(free ^ block);
                visited = visited.saturating_add(more);
                if !theirs {
                    wins = true;
                    break;
                }
            }
        }
        self.memo.insert(free, (wins, visited));
        (wins, visited)
    }
}
