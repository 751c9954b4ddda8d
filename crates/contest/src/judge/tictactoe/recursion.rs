//! What plain recursion visits on a board of tic-tac-toe.

use balpan::SplitMix;
use balpan_games::Cells;

use super::{ALL, COLUMNS, Case, DIAGONALS, EVERY, ROWS, TicTacToe};
use crate::judge::Recursion;

pub(super) fn recursions() -> Vec<Recursion<TicTacToe>> {
    let of = |name, all| {
        Recursion::new(name, move |case: &Case| {
            let [me, other] = if case.o_to_move() { [case.o, case.x] } else { [case.x, case.o] };
            visit(me, other, all).1
        })
    };
    vec![of("every move", true), of("moves until one wins", false)]
}

/// A board on which the last move is taken back or another is made, or any.
pub(super) fn step(case: &Case, random: &mut SplitMix) -> Case {
    let cell = 1 << random.below(9);
    let mut next = *case;
    let last = if case.o_to_move() { &mut next.x } else { &mut next.o };
    *last &= !cell;
    let can_occur = next != *case && EVERY.binary_search(&next).is_ok();
    if can_occur { next } else { EVERY[random.below(EVERY.len())] }
}

/// What the player to move gets, 1 for a win, and how many positions are visited.
fn visit(me: u16, other: u16, all: bool) -> (i8, u64) {
    let has_line = [ROWS, COLUMNS, DIAGONALS].into_iter().flatten().any(|line| other & line == *line);
    let free = ALL & !(me | other);
    if has_line || free == 0 {
        return (if has_line { -1 } else { 0 }, 1);
    }
    let (mut best, mut visited) = (-1, 1);
    for cell in Cells(u64::from(free)) {
        let (theirs, more) = visit(other, me | 1 << cell, all);
        visited += more;
        best = best.max(-theirs);
        if best == 1 && !all {
            break;
        }
    }
    (best, visited)
}
