//! Counts the positions that plain recursion visits in Disappearing platforms.

use balpan::SplitMix;

use super::{Case, Platforms};
use crate::judge::Recursion;

pub(super) fn recursions() -> Vec<Recursion<Platforms>> {
    let every = Recursion::new("every move", |case: &Case| every_move(&neighbors(case), case.tiles, case.a, case.b));
    let alpha_beta = Recursion::new("alpha-beta", |case: &Case| {
        let mut search = AlphaBeta { neighbors: neighbors(case), visited: 0 };
        search.value(case.tiles, [case.a, case.b], 0, [-MAX_PLIES, MAX_PLIES]);
        search.visited
    });
    vec![every, alpha_beta]
}

/// Adds or removes a tile, or moves a token to another tile.
pub(super) fn neighbor(case: &Case, random: &mut SplitMix) -> Case {
    let mut next = *case;
    let cell = random.below(case.board.cells());
    let has_tile = case.tiles >> cell & 1 == 1;
    match random.below(3) {
        0 if has_tile => next.a = cell as u8,
        1 if has_tile => next.b = cell as u8,
        // Tiles are added more often than removed: more tiles usually give more moves.
        _ if !has_tile || random.below(3) == 0 => next.tiles ^= 1 << cell,
        _ => {}
    }
    let on_tiles = next.tiles >> next.a & next.tiles >> next.b & 1 == 1;
    if on_tiles { next } else { *case }
}

/// Returns the neighbors of each cell: up, down, left, right.
fn neighbors(case: &Case) -> Vec<Vec<u8>> {
    let beside = |cell| {
        let steps = [(-1, 0), (1, 0), (0, -1), (0, 1)].into_iter();
        steps.filter_map(move |step| case.board.offset(cell, step, false)).map(|cell| cell as u8).collect()
    };
    (0..case.board.cells()).map(beside).collect()
}

fn every_move(neighbors: &[Vec<u8>], tiles: u64, mover: u8, other: u8) -> u64 {
    if tiles >> mover & 1 == 0 {
        return 1;
    }
    let left = tiles & !(1 << mover);
    let steps = neighbors[usize::from(mover)].iter().filter(|&&cell| left >> cell & 1 == 1);
    steps.fold(1, |visited, &cell| visited + every_move(neighbors, left, other, cell))
}

/// A bound above the plies of every game.
const MAX_PLIES: i32 = 100;

/// Alpha-beta search that prefers faster wins.
struct AlphaBeta {
    neighbors: Vec<Vec<u8>>,
    visited: u64,
}

impl AlphaBeta {
    fn value(&mut self, tiles: u64, [mover, other]: [u8; 2], ply: i32, [mut alpha, beta]: [i32; 2]) -> i32 {
        self.visited += 1;
        let mut best = ply - MAX_PLIES;
        if tiles >> mover & 1 == 0 {
            return best;
        }
        let left = tiles & !(1 << mover);
        for n in 0..self.neighbors[usize::from(mover)].len() {
            let cell = self.neighbors[usize::from(mover)][n];
            if left >> cell & 1 == 0 {
                continue;
            }
            best = best.max(-self.value(left, [other, cell], ply + 1, [-beta, -alpha]));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}
