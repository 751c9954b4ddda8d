//! Results about sums whose canonical forms are out of reach: bounds on the value and the stops, and thermographs of
//! positions.

use balpan::Watch;
use balpan_cgt::{Dyadic, FormStore, Mast, OutcomeClass, ThermalSummary, Thermograph};

use super::components::Component;
use super::report::ValueReport;
use super::{Calculator, CalculatorError, ParsedExpression, Part};
use crate::board::{Board, CellSet};
use crate::placement::{IntegerBounds, Placement, PlacementThermographs, PlacementValues, Position};

/// Positions searched for bounds before the evaluation: a second or two.
const MAX_SEARCHED: u64 = 2_000_000;

/// Free cells from which the search for bounds pays. With fewer, the value itself is found in less time.
const MIN_SEARCH_CELLS: usize = 28;

/// Bytes of the search's table.
const MEMORY: usize = 256 << 20;

/// Positions in a sum, copies included.
const MAX_POSITIONS: u64 = 16;

/// Fills in the integers between which a sum of positions lies; of a single position, also the outcome and bounds on
/// the stops.
pub(super) fn set_bounds(parts: &[Part], report: &mut ValueReport, watch: &Watch) {
    let wholes: Option<Vec<IntegerBounds>> =
        parts.iter().map(|part| bounds_of_whole(part.game.as_ref()?, watch)).collect();
    let Some(wholes) = wholes else { return };
    let mut bounds = [0_i64; 2];
    for (part, of) in parts.iter().zip(&wholes) {
        let ends = [of.lower.0, of.upper.0].map(|end| part.times.saturating_mul(end));
        bounds[0] = bounds[0].saturating_add(ends[0].min(ends[1]));
        bounds[1] = bounds[1].saturating_add(ends[0].max(ends[1]));
    }
    report.bounds = Some(bounds);
    let ([Part { times: 1, .. }], [of]) = (parts, &wholes[..]) else {
        return;
    };
    if let [Some(at_least), Some(at_most)] = of.around_zero {
        report.outcome = Some(OutcomeClass::from_order(at_most, at_least).name());
    }
    if of.lower.1 || of.upper.1 {
        report.stop_bounds = Some(of.stops());
    }
    if let Some(number) = of.number() {
        let number = Dyadic::integer(number);
        let mast = || vec![(Dyadic::ZERO, number)];
        let thermograph = Thermograph { walls: [mast(), mast()], mast: Mast { mean: number, temperature: None } };
        report.set_thermograph([number; 2], thermograph);
        report.value = Some(number.to_string());
    }
}

fn bounds_of_whole(component: &Component, watch: &Watch) -> Option<IntegerBounds> {
    fn bounds<W: CellSet>(game: &Placement<W>, watch: &Watch) -> IntegerBounds {
        if game.free_cells() < MIN_SEARCH_CELLS {
            let [least, most] = game.count_bounds();
            return IntegerBounds { lower: (least, false), upper: (most, false), around_zero: [None; 2] };
        }
        game.integer_bounds(MEMORY, &watch.child(MAX_SEARCHED))
    }

    match component {
        Component::Narrow(game, _) => Some(bounds(game, watch)),
        Component::Wide(game, _) => Some(bounds(game, watch)),
        Component::Language(..) | Component::Impartial(..) => None,
    }
}

impl Calculator<'_> {
    /// Fills in the outcome, stops, mean and temperature of a sum whose canonical forms took too much memory. Drops
    /// all forms first.
    pub(super) fn set_thermal_summary(
        &mut self,
        parsed: &ParsedExpression,
        report: &mut ValueReport,
    ) -> Result<(), CalculatorError> {
        self.forms = FormStore::new(self.memory / 2, self.watch);
        self.tables.clear();
        let parts = self.all_components(parsed);
        let cells = |part: &Part| match &part.game {
            Some(Component::Narrow(game, _)) => game.free_cells(),
            Some(Component::Wide(game, _)) => game.free_cells(),
            Some(Component::Language(..) | Component::Impartial(..)) | None => 0,
        };
        let Some(largest) = parts.iter().max_by_key(|part| cells(part)) else { return Ok(()) };
        let thermal = match &largest.game {
            Some(Component::Narrow(game, table)) => self.solve_thermograph(parsed, &parts, game, *table, narrow),
            Some(Component::Wide(game, table)) => self.solve_thermograph(parsed, &parts, game, *table, wide),
            Some(Component::Language(..) | Component::Impartial(..)) | None => return Ok(()),
        };
        let Some(ThermalSummary { class, stops, thermograph }) = thermal? else { return Ok(()) };
        report.set_outcome(parsed, class);
        report.set_thermograph(stops, thermograph);
        Ok(())
    }

    /// Returns the thermograph of the sum of all positions of one table and the values of the other parts. `of`
    /// selects the positions of a table.
    fn solve_thermograph<W: CellSet>(
        &mut self,
        parsed: &ParsedExpression,
        parts: &[Part],
        largest: &Placement<W>,
        table: usize,
        of: impl Fn(&Component, usize) -> Option<(Board, Position<W>)>,
    ) -> Result<Option<ThermalSummary>, CalculatorError> {
        let Ok(values) = PlacementValues::new(largest) else { return Ok(None) };
        let mut positions = Vec::new();
        let mut rest = self.forms.zero();
        for part in parts {
            match part
                .game
                .as_ref()
                .and_then(|component| of(component, table))
                .filter(|(board, _)| values.covers(*board))
            {
                Some((board, position)) => {
                    if positions.len() as u64 + part.times.unsigned_abs() > MAX_POSITIONS {
                        return Ok(None);
                    }
                    let one = (board, position, part.times < 0);
                    positions.extend(std::iter::repeat_n(one, part.times.unsigned_abs() as usize));
                }
                None => {
                    let value = self.part_value(parsed, part)?;
                    let value = self.forms.multiple(part.times, value)?;
                    rest = self.forms.sum(rest, value)?;
                }
            }
        }
        let mut solver = PlacementThermographs::new(values, self.memory / 4 * 3);
        let thermal = solver.solve(&positions, rest, &mut self.forms);
        self.thermograph_sums += solver.part_count() as u64;
        Ok(Some(thermal?))
    }
}

fn narrow(component: &Component, table: usize) -> Option<(Board, Position<u64>)> {
    match component {
        Component::Narrow(game, of) if *of == table => Some((game.board(), balpan::Game::start(&**game))),
        _ => None,
    }
}

fn wide(component: &Component, table: usize) -> Option<(Board, Position<u128>)> {
    match component {
        Component::Wide(game, of) if *of == table => Some((game.board(), balpan::Game::start(&**game))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use balpan::Budget;

    use super::*;
    use crate::engines::EngineOptions;
    use crate::presets::preset;

    /// The thermograph solver agrees with canonical forms on sums, multiples, negatives and comparisons.
    #[test]
    fn thermographs_agree_with_canonical_forms() {
        for expression in [
            "domineering(4x4)",
            "domineering(4x5) + {1|0}",
            "domineering(4x4) - domineering(3x5) + cram(2x3) - 1/2",
            "2·domineering(3x4) + domineering(4x3)",
            "domineering(4x5) > domineering(3x3)",
        ] {
            let watch = Watch::default();
            let parsed = ParsedExpression::read(expression, |name| preset(name).transpose()).unwrap();
            let make = EngineOptions::new(Budget { memory: 1 << 28, threads: 1 });
            let mut calculator = Calculator::new(make, &watch);
            let all = calculator.evaluate(&parsed).unwrap();
            assert!(all.complete);
            let mut found = ValueReport::new(expression);
            calculator.set_thermal_summary(&parsed, &mut found).unwrap();
            assert_eq!((found.outcome, &found.stops), (all.outcome, &all.stops), "{expression}");
            assert_eq!(found.compared, all.compared, "{expression}");
            assert_eq!(found.facts.mean, all.facts.mean, "{expression}");
            assert_eq!(found.facts.temperature, all.facts.temperature, "{expression}");
            assert_eq!(found.thermograph, all.thermograph, "{expression}");
        }
    }
}
