//! Counts the positions that plain recursion visits in tic-tac-toe.

use balpan::SplitMix;
use balpan_games::Cells;

use super::{ALL, ALL_CASES, COLUMNS, Case, DIAGONALS, ROWS, TicTacToe};
use crate::judge::Recursion;

pub(super) fn recursions() -> Vec<Recursion<TicTacToe>> {
    let recursion = |name, tries_all| {
        Recursion::new(name, move |case: &Case| {
            let [me, other] = if case.o_to_move() { [case.o, case.x] } else { [case.x, case.o] };
            visit(me, other, tries_all).1
        })
    };
    vec![recursion("every move", true), recursion("moves until one wins", false)]
}

/// Removes a mark of the player who moved last, or draws any board.
pub(super) fn neighbor(case: &Case, random: &mut SplitMix) -> Case {
    let cell = 1 << random.below(9);
    let mut next = *case;
    let last = if case.o_to_move() { &mut next.x } else { &mut next.o };
    *last &= !cell;
    let can_occur = next != *case && ALL_CASES.binary_search(&next).is_ok();
    if can_occur { next } else { ALL_CASES[random.below(ALL_CASES.len())] }
}

/// Returns the value for the player to move (1 for a win, 0, -1) and the number of positions visited.
fn visit(me: u16, other: u16, tries_all: bool) -> (i8, u64) {
    let has_line = [ROWS, COLUMNS, DIAGONALS].into_iter().flatten().any(|line| other & line == *line);
    let free = ALL & !(me | other);
    if has_line || free == 0 {
        return (if has_line { -1 } else { 0 }, 1);
    }
    let (mut best, mut visited) = (-1, 1);
    for cell in Cells(u64::from(free)) {
        let (theirs, more) = visit(other, me | 1 << cell, tries_all);
        visited += more;
        best = best.max(-theirs);
        if best == 1 && !tries_all {
            break;
        }
    }
    (best, visited)
}
