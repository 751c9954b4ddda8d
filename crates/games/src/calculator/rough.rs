//! What is told of a sum whose value takes too long: who wins, between which numbers the value lies, and stops, mean
//! and temperature without canonical forms.

use balpan::Watch;
use balpan::cgt::{Dyadic, FormStore, Mast, OutcomeClass, ThermalSummary, Thermograph};

use super::answer::ValueReport;
use super::pieces::SumGame;
use super::{Calculator, CalculatorError, ParsedExpression, Part};
use crate::board::{Board, CellSet};
use crate::placement::{IntegerBounds, Placement, PlacementThermographs, PlacementValues, Position};

/// Positions that the search for bounds before the value may take: a second or two.
const MAX_SEARCHED: u64 = 2_000_000;

/// Of fewer free cells, the value itself is found in less time.
const MIN_SEARCH_CELLS: usize = 28;

/// Bytes of the search's table.
const MEMORY: usize = 256 << 20;

/// Positions side by side, at most: each copy counts.
const MAX_POSITIONS: u64 = 16;

/// Between which whole numbers a sum of positions lies, and of a single position who wins and what play stops at.
pub(super) fn bound(parts: &[Part], answer: &mut ValueReport, watch: &Watch) {
    let whole: Option<Vec<IntegerBounds>> = parts.iter().map(|part| whole(part.piece.as_ref()?, watch)).collect();
    let Some(whole) = whole else { return };
    let mut bounds = [0_i64; 2];
    for (part, of) in parts.iter().zip(&whole) {
        let ends = [of.lower.0, of.upper.0].map(|end| part.times.saturating_mul(end));
        bounds[0] = bounds[0].saturating_add(ends[0].min(ends[1]));
        bounds[1] = bounds[1].saturating_add(ends[0].max(ends[1]));
    }
    answer.bounds = Some(bounds);
    let ([Part { times: 1, .. }], [of]) = (parts, &whole[..]) else {
        return;
    };
    if let [Some(at_least), Some(at_most)] = of.around_zero {
        answer.outcome = Some(OutcomeClass::from_order(at_most, at_least).name());
    }
    if of.lower.1 || of.upper.1 {
        answer.stop_bounds = Some(of.stops());
    }
    if let Some(number) = of.number() {
        let number = Dyadic::integer(number);
        let mast = || vec![(Dyadic::ZERO, number)];
        let thermograph = Thermograph { walls: [mast(), mast()], mast: Mast { mean: number, temperature: None } };
        answer.set_thermograph([number; 2], thermograph);
        answer.value = Some(number.to_string());
    }
}

fn whole(piece: &SumGame, watch: &Watch) -> Option<IntegerBounds> {
    fn of<W: CellSet>(game: &Placement<W>, watch: &Watch) -> IntegerBounds {
        if game.free_cells() < MIN_SEARCH_CELLS {
            let [least, most] = game.count_bounds();
            return IntegerBounds { lower: (least, false), upper: (most, false), around_zero: [None; 2] };
        }
        game.integer_bounds(MEMORY, &watch.child(MAX_SEARCHED))
    }

    match piece {
        SumGame::Narrow(game, _) => Some(of(game, watch)),
        SumGame::Wide(game, _) => Some(of(game, watch)),
        SumGame::Impartial(..) => None,
    }
}

impl Calculator<'_> {
    /// Who wins, stops, mean and temperature, where the forms of a sum took too much memory: the forms are forgotten.
    pub(super) fn without_forms(
        &mut self,
        parsed: &ParsedExpression,
        answer: &mut ValueReport,
    ) -> Result<(), CalculatorError> {
        self.forms = FormStore::new(self.memory / 2, self.watch);
        self.tables.forget();
        let parts = self.all_components(parsed);
        let cells = |part: &Part| match &part.piece {
            Some(SumGame::Narrow(game, _)) => game.free_cells(),
            Some(SumGame::Wide(game, _)) => game.free_cells(),
            Some(SumGame::Impartial(..)) | None => 0,
        };
        let Some(largest) = parts.iter().max_by_key(|part| cells(part)) else { return Ok(()) };
        let thermal = match &largest.piece {
            Some(SumGame::Narrow(game, table)) => self.thermal(parsed, &parts, game, *table, narrow),
            Some(SumGame::Wide(game, table)) => self.thermal(parsed, &parts, game, *table, wide),
            Some(SumGame::Impartial(..)) | None => return Ok(()),
        };
        let Some(ThermalSummary { class, stops, thermograph }) = thermal? else { return Ok(()) };
        answer.set_outcome(parsed, class);
        answer.set_thermograph(stops, thermograph);
        Ok(())
    }

    /// All positions of one table as games, the others by their values. `of` tells which are of it.
    fn thermal<W: CellSet>(
        &mut self,
        parsed: &ParsedExpression,
        parts: &[Part],
        largest: &Placement<W>,
        table: usize,
        of: impl Fn(&SumGame, usize) -> Option<(Board, Position<W>)>,
    ) -> Result<Option<ThermalSummary>, CalculatorError> {
        let Ok(values) = PlacementValues::new(largest) else { return Ok(None) };
        let mut positions = Vec::new();
        let mut rest = self.forms.zero();
        for part in parts {
            match part.piece.as_ref().and_then(|piece| of(piece, table)).filter(|(board, _)| values.covers(*board)) {
                Some((board, position)) => {
                    if positions.len() as u64 + part.times.unsigned_abs() > MAX_POSITIONS {
                        return Ok(None);
                    }
                    let one = (board, position, part.times < 0);
                    positions.extend(std::iter::repeat_n(one, part.times.unsigned_abs() as usize));
                }
                None => {
                    let value = self.value_of(parsed, part)?;
                    let value = self.forms.multiple(part.times, value)?;
                    rest = self.forms.sum(rest, value)?;
                }
            }
        }
        let mut solver = PlacementThermographs::new(values, self.memory / 4 * 3);
        let thermal = solver.solve(&positions, rest, &mut self.forms);
        self.without_values += solver.part_count() as u64;
        Ok(Some(thermal?))
    }
}

fn narrow(piece: &SumGame, table: usize) -> Option<(Board, Position<u64>)> {
    match piece {
        SumGame::Narrow(game, of) if *of == table => Some((game.board(), balpan::Game::start(&**game))),
        _ => None,
    }
}

fn wide(piece: &SumGame, table: usize) -> Option<(Board, Position<u128>)> {
    match piece {
        SumGame::Wide(game, of) if *of == table => Some((game.board(), balpan::Game::start(&**game))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use balpan::Budget;

    use super::*;
    use crate::engines::MakeEngine;
    use crate::presets::preset;

    /// Without forms of large parts, the same is told of sums, multiples, negatives and comparisons.
    #[test]
    fn thermographs_of_positions_tell_the_same() {
        for expression in [
            "domineering(4x4)",
            "domineering(4x5) + {1|0}",
            "domineering(4x4) - domineering(3x5) + cram(2x3) - 1/2",
            "2·domineering(3x4) + domineering(4x3)",
            "domineering(4x5) > domineering(3x3)",
        ] {
            let watch = Watch::default();
            let parsed = ParsedExpression::read(expression, |name| preset(name).transpose()).unwrap();
            let make = MakeEngine::within(Budget { memory: 1 << 28, threads: 1 });
            let mut calculator = Calculator::new(make, &watch);
            let all = calculator.evaluate(&parsed).unwrap();
            assert!(all.complete);
            let mut found = ValueReport::new(expression);
            calculator.without_forms(&parsed, &mut found).unwrap();
            assert_eq!((found.outcome, &found.stops), (all.outcome, &all.stops), "{expression}");
            assert_eq!(found.compared, all.compared, "{expression}");
            assert_eq!(found.facts.mean, all.facts.mean, "{expression}");
            assert_eq!(found.facts.temperature, all.facts.temperature, "{expression}");
            assert_eq!(found.thermograph, all.thermograph, "{expression}");
        }
    }
}
