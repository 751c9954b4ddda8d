//! Walkers: a token steps to a tile, and the tile that it leaves vanishes. A player who cannot step loses, and so
//! does one whose token is on no tile at their turn.
//!
//! A position: the tiles, those under the tokens included; and the cell of the token to move, 8
//! bits, of the other one, 8 bits, and whether B is to move, one bit.

use super::board::{Board, Turn, each};
use super::game::{Game, LOST, Move, Outcome, Position, flag};
use crate::Result;
use crate::untrusted::meter::Meter;

/// The parameters of a game of walkers.
#[derive(Debug)]
pub(crate) struct Rules {
    /// Rows down and columns to the right.
    pub(crate) steps: Vec<(i32, i32)>,
    /// Whether tokens slide in a direction as far as they like.
    pub(crate) slide: bool,
    /// Whether both tokens may stand on one tile.
    pub(crate) share: bool,
    /// Whether opposite edges of the board are joined.
    pub(crate) torus: bool,
}

#[derive(Debug)]
pub(crate) struct Walkers {
    pub(crate) board: Board,
    pub(crate) rules: Rules,
    /// For each cell, the distinct rays along which a token goes as far as there are tiles: of one cell where tokens
    /// do not slide.
    rays: Vec<Vec<Vec<usize>>>,
    /// For each cell, the first cells of its rays.
    near: Vec<u128>,
    symmetries: Vec<Turn>,
}

impl Walkers {
    pub(crate) fn new(board: Board, rules: Rules) -> Self {
        assert!(board.is_valid(), "cells have bits");
        let ray = |from: usize, step: (i32, i32)| {
            let next = |at: &usize| board.step(*at, step, rules.torus).filter(|next| *next != from);
            let ray = std::iter::successors(next(&from), next).take(if rules.slide { board.cells() } else { 1 });
            ray.collect()
        };
        let sorted = |mut rays: Vec<Vec<usize>>| {
            rays.sort_unstable();
            rays.dedup();
            rays
        };
        let from = |from| sorted(rules.steps.iter().map(|&step| ray(from, step)).collect());
        let rays: Vec<Vec<Vec<usize>>> = (0..board.cells()).map(from).collect();
        let near = rays.iter().map(|rays| rays.iter().flat_map(|ray| ray.first()).fold(0, |set, cell| set | 1 << cell));
        let symmetries = Turn::symmetries(board, |turn| {
            (0..board.cells()).all(|from| {
                let seen = rays[from].iter().map(|ray| ray.iter().map(|cell| image_of(*cell, turn)).collect());
                sorted(seen.collect()) == rays[image_of(from, turn)]
            })
        });
        Self { board, near: near.collect(), rules, rays, symmetries }
    }

    /// The cells that the token to move can step to.
    fn steps(&self, at: &Position) -> u128 {
        let (mover, other, _) = tokens(at);
        if at.0 >> mover & 1 == 0 {
            return 0;
        }
        let free = at.0 & !(1 << mover) & if self.rules.share { u128::MAX } else { !(1 << other) };
        if !self.rules.slide {
            return self.near[mover] & free;
        }
        let is_open = |cell: &&usize| free >> **cell & 1 == 1;
        let open = self.rays[mover].iter().flat_map(|ray| ray.iter().take_while(is_open));
        open.fold(0, |found, cell| found | 1 << cell)
    }
}

/// The image of a cell.
fn image_of(cell: usize, turn: &Turn) -> usize {
    turn.image(1 << cell).trailing_zeros() as usize
}

/// The cells of the token to move and of the other one, and whether B is to move.
pub(crate) fn tokens(at: &Position) -> (usize, usize, bool) {
    (at.1 as usize & 255, (at.1 >> 8) as usize & 255, at.1 >> 16 & 1 == 1)
}

pub(crate) fn position(tiles: u128, mover: usize, other: usize, b_to_move: bool) -> Position {
    Position::new(tiles, mover as u128 | (other as u128) << 8 | u128::from(b_to_move) << 16)
}

impl Game for Walkers {
    fn end(&self, at: &Position, meter: &Meter) -> Result<Option<Outcome>> {
        meter.spend(8 + 4 * self.rays[tokens(at).0].len() as u64)?;
        Ok((self.steps(at) == 0).then_some(LOST))
    }

    fn moves(&self, at: &Position, meter: &Meter, moves: &mut Vec<Move>) -> Result<()> {
        let (mover, other, b_to_move) = tokens(at);
        let steps = self.steps(at);
        meter.spend(16 + u64::from(steps != 0) * 4 * (self.rays[mover].len() * (2 + self.rays[other].len())) as u64)?;
        for to in each(steps) {
            let after = position(at.0 & !(1 << mover), other, to, !b_to_move);
            moves.push(Move {
                number: to as u32,
                after,
                end: (self.steps(&after) == 0).then_some(LOST),
                keeps_turn: false,
            });
        }
        Ok(())
    }

    /// The tiles that are left.
    fn layer(&self, at: &Position) -> u32 {
        at.0.count_ones()
    }

    fn sides(&self) -> Option<([&'static str; 2], u128)> {
        Some((["A", "B"], 1 << 16))
    }

    fn write(&self, at: &Position) -> String {
        let (mover, other, b_to_move) = tokens(at);
        let (own, others) = if b_to_move { ('B', 'A') } else { ('A', 'B') };
        let glyph = |cell| match (cell == mover, cell == other, at.0 >> cell & 1 == 1) {
            (true, true, _) => '*',
            (true, false, true) => own,
            (true, false, false) => '!',
            (false, true, _) => others,
            (false, false, true) => '.',
            (false, false, false) => '#',
        };
        self.board.write(glyph) + &self.turn(at)
    }

    fn rules(&self) -> Vec<String> {
        let Rules { steps, slide, share, torus } = &self.rules;
        let steps: Vec<String> = steps.iter().map(|(down, right)| format!("{down},{right}")).collect();
        let steps = format!("steps: {}{}", steps.join(" "), if *slide { ", sliding" } else { "" });
        vec![steps, flag("share", *share), flag("torus", *torus)]
    }

    fn symmetries(&self) -> &[Turn] {
        &self.symmetries
    }

    fn image(&self, at: &Position, symmetry: &Turn) -> Position {
        let (mover, other, b_to_move) = tokens(at);
        position(symmetry.image(at.0), image_of(mover, symmetry), image_of(other, symmetry), b_to_move)
    }
}
