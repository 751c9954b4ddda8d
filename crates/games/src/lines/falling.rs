//! Hints of games like Connect Four, compiled apart from those of flat boards, whose inlined
//! code would take a larger frame and more registers at every call.

use balpan::{Bounds, Value};

use super::gravity::Gravity;
use super::{Lines, Position};
use crate::board::first;
use crate::instructions::Work;

/// Computes [`Hints::bounds`](balpan::Hints::bounds).
pub(super) struct FallingBounds<'a>(
    pub(super) &'a Lines,
    pub(super) &'a Gravity,
    pub(super) &'a Position,
    pub(super) Value,
);

impl Work for FallingBounds<'_> {
    type Output = Bounds;

    #[inline(always)]
    fn run(self) -> Bounds {
        let Self(game, gravity, position, threshold) = self;
        let view = game.view(position);
        if view.own_completing & view.open != 0 {
            return Bounds::exact(Value::win(1));
        }
        match gravity.safe_moves(&view) {
            0 => Bounds::exact(Value::loss(2)),
            _ => gravity.bounds(&game.rows, &view, threshold),
        }
    }
}

/// Computes [`Hints::candidates`](balpan::Hints::candidates).
pub(super) struct FallingCandidates<'a>(pub(super) &'a Lines, pub(super) &'a Gravity, pub(super) &'a Position);

impl Work for FallingCandidates<'_> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let Self(game, gravity, position) = self;
        let cells = game.legal_cells(position);
        let view = game.view(position);
        match (view.own_completing & cells, gravity.safe_moves(&view)) {
            (0, 0) => cells,
            (0, safe) => safe,
            (urgent, _) => first(urgent),
        }
    }
}

/// Computes [`Hints::rank`](balpan::Hints::rank).
pub(super) struct FallingRank<'a>(
    pub(super) &'a Lines,
    pub(super) &'a Gravity,
    pub(super) &'a Position,
    pub(super) u8,
    pub(super) &'a Position,
);

impl Work for FallingRank<'_> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        let Self(game, gravity, position, cell, after) = self;
        let view = game.view(position);
        gravity.rank(&game.rows, &view, cell.into(), game.threats_after(after), position.o_to_move)
    }
}
