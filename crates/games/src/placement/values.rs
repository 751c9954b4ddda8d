//! Values of placement positions, as combinatorial game theory has them.

use balpan::cgt::{Form, Forms, Unfinished};
use rustc_hash::FxHashMap;

use super::{Placement, Position};
use crate::board::{CellSet, Cells};

/// Why a placement game's positions have no values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoValue {
    /// Values add up under normal play only.
    #[error("under misère play, positions have no values that add up")]
    Misere,
    /// A supply is shared by all parts of the board.
    #[error("where a piece has a supply, the parts of a board are no games of their own")]
    Supply,
    /// It takes too long, or too much memory.
    #[error(transparent)]
    Unfinished(#[from] Unfinished),
}

/// Finds values of positions of one game, by parts: free cells that no placement
/// joins are a sum. Each part is settled once, wherever it lies and however it is
/// turned.
///
/// Cost: a canonical form for each part that play can reach: 16,457 from an empty
/// Domineering board of 5×5, 391,460 from 5×6.
#[derive(Debug)]
pub struct Values<'a, W = u64> {
    game: &'a Placement<W>,
    forms: Forms<'a>,
    /// By the part's cells, as far up and left as they go.
    known: FxHashMap<W, Form>,
    /// For each cell, the cells of each placement on it.
    on_cell: Vec<Vec<W>>,
}

impl<'a, W: CellSet> Values<'a, W> {
    /// For positions of `game`, with the forms in `forms`.
    ///
    /// # Errors
    /// If the game is misère, or a piece has a supply.
    pub fn new(game: &'a Placement<W>, forms: Forms<'a>) -> Result<Self, NoValue> {
        if game.rules.misere {
            return Err(NoValue::Misere);
        }
        if !game.supply_bits.is_empty() {
            return Err(NoValue::Supply);
        }
        let placements = || game.placements.iter().flatten().map(|placed| placed.cells);
        let on_cell = |cell| placements().filter(|cells| !(*cells & W::bit(cell)).is_zero()).collect();
        let on_cell = (0..game.board.cells()).map(on_cell).collect();
        Ok(Self { game, forms, known: FxHashMap::default(), on_cell })
    }

    /// The position's value, whoever is to move.
    ///
    /// # Errors
    /// If it takes too long or too much memory.
    pub fn of(&mut self, position: &Position<W>) -> Result<Form, Unfinished> {
        self.of_cells(self.game.board.full::<W>() & !position.filled)
    }

    /// The values' store.
    pub const fn forms(&mut self) -> &mut Forms<'a> {
        &mut self.forms
    }

    /// How many different parts were settled.
    #[must_use]
    pub fn parts(&self) -> usize {
        self.known.len()
    }

    fn of_cells(&mut self, mut free: W) -> Result<Form, Unfinished> {
        let mut sum = self.forms.zero();
        while !free.is_zero() {
            let part = self.part(free.trailing_zeros() as usize, free);
            free &= !part;
            let value = self.of_part(part)?;
            sum = self.forms.sum(sum, value)?;
        }
        Ok(sum)
    }

    /// The free cells that placements join to one of them.
    fn part(&self, cell: usize, free: W) -> W {
        let (mut part, mut new) = (W::bit(cell), W::bit(cell));
        while !new.is_zero() {
            let on_new = Cells(new).flat_map(|cell| &self.on_cell[cell]);
            let joined = on_new.filter(|cells| (**cells & !free).is_zero()).fold(part, |part, &cells| part | cells);
            new = joined & !part;
            part = joined;
        }
        part
    }

    fn of_part(&mut self, part: W) -> Result<Form, Unfinished> {
        let (part, exchanged) = self.normal(part);
        let value = match self.known.get(&part) {
            Some(&value) => value,
            None => {
                let left = self.options(part, 0)?;
                let right = if self.game.rules.pieces.partizan() { self.options(part, 1)? } else { left.clone() };
                let value = self.forms.game(&left, &right)?;
                self.known.insert(part, value);
                value
            }
        };
        if exchanged { self.forms.negative(value) } else { Ok(value) }
    }

    fn options(&mut self, part: W, player: usize) -> Result<Vec<Form>, Unfinished> {
        let game = self.game;
        let fits = game.placements[player].iter().map(|placed| placed.cells).filter(|cells| (*cells & !part).is_zero());
        let mut options = fits.map(|cells| self.of_cells(part & !cells)).collect::<Result<Vec<_>, _>>()?;
        options.sort_unstable();
        options.dedup();
        Ok(options)
    }

    /// A part as every part that is the same turned or moved, and whether this has the
    /// players exchanged.
    fn normal(&self, part: W) -> (W, bool) {
        let turned = self.game.symmetries.iter().map(|symmetry| (symmetry.cells.set(part), symmetry.exchanges));
        let cornered = |(part, exchanges)| (self.cornered(part), exchanges);
        turned.map(cornered).fold((self.cornered(part), false), Ord::min)
    }

    /// A part moved up and left as far as it goes.
    fn cornered(&self, part: W) -> W {
        let board = self.game.board;
        let (rows, cols): (Vec<_>, Vec<_>) = Cells(part).map(|cell| board.row_col(cell)).unzip();
        let first = |of: Vec<usize>| of.into_iter().min().unwrap_or(0);
        part >> board.cell(first(rows), first(cols))
    }
}
