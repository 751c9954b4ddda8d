//! The games of a sum: values of their positions, and their moves.

use balpan::cgt::{CgtError, Form, FormStore, NumberUpStar, Player};
use balpan::checkpoint::Checkpoint;
use balpan::{Budget, Game, Watch};

use super::CalculatorError;
use crate::any::{AnyGame, Task};
use crate::board::CellSet;
use crate::engines::MakeEngine;
use crate::notation::Notation;
use crate::placement::{Placement, PlacementValues};
use crate::sum::{MakeSummand, Summand, is_impartial};

/// A game of a sum, at a position.
#[derive(Clone, Debug)]
pub(super) enum SumGame {
    /// Of the table of this number.
    Narrow(Box<Placement<u64>>, usize),
    Wide(Box<Placement<u128>>, usize),
    /// Of the engine of this number.
    Impartial(String, usize),
}

/// A move, and what it leaves.
#[derive(Clone, Debug)]
pub(super) struct SumMove {
    pub(super) text: String,
    pub(super) position: Option<String>,
    pub(super) value: Form,
    pub(super) piece: Option<SumGame>,
}

/// PlacementValues of positions, by game.
pub(super) struct ValueTables {
    make: MakeEngine,
    narrow: Vec<(String, PlacementValues<u64>)>,
    wide: Vec<(String, PlacementValues<u128>)>,
    impartial: Vec<(String, Box<dyn Summand>)>,
}

/// Whether positions of the game have values: `Some(false)` if they had but for the misère convention.
pub(super) fn has_values(game: &AnyGame) -> Option<bool> {
    struct IsMisere;

    impl Task for IsMisere {
        type Output = bool;

        fn run<G: Notation>(self, game: &G) -> bool {
            game.is_impartial_misere()
        }
    }

    match game {
        AnyGame::Placement(game) => Some(!game.rules().misere),
        AnyGame::WidePlacement(game) => Some(!game.rules().misere),
        game if is_impartial(game) => Some(true),
        game if game.run(IsMisere) => Some(false),
        _ => None,
    }
}

/// Whether positions are valued by canonical forms, and not by nimbers.
pub(super) fn is_valued(game: &AnyGame) -> bool {
    fn of<W: CellSet>(game: &Placement<W>) -> bool {
        game.is_partizan() || game.has_supplies()
    }

    match game {
        AnyGame::Placement(game) => of(game),
        AnyGame::WidePlacement(game) => of(game),
        AnyGame::Walkers(_) | AnyGame::WideWalkers(_) | AnyGame::Lines(_) | AnyGame::Heaps(_) => false,
    }
}

/// The longer side of a placement game's board.
pub(super) fn side(game: &AnyGame) -> usize {
    match game {
        AnyGame::Placement(game) => game.board().rows().max(game.board().cols()),
        AnyGame::WidePlacement(game) => game.board().rows().max(game.board().cols()),
        AnyGame::Walkers(_) | AnyGame::WideWalkers(_) | AnyGame::Lines(_) | AnyGame::Heaps(_) => 0,
    }
}

impl ValueTables {
    pub(super) fn new(make: MakeEngine) -> Self {
        Self { make, narrow: Vec::new(), wide: Vec::new(), impartial: Vec::new() }
    }

    /// A table of values that are kept.
    pub(super) fn keep(
        &mut self,
        rules: &str,
        game: &AnyGame,
        kept: &Checkpoint,
        forms: &mut FormStore<'_>,
    ) -> Result<(), CgtError> {
        match game {
            AnyGame::Placement(game) => {
                if let Ok(values) = PlacementValues::new(game) {
                    self.narrow.push((rules.to_owned(), values.with_checkpoint(kept, forms)?));
                }
            }
            AnyGame::WidePlacement(game) => {
                if let Ok(values) = PlacementValues::new(game) {
                    self.wide.push((rules.to_owned(), values.with_checkpoint(kept, forms)?));
                }
            }
            AnyGame::Walkers(_) | AnyGame::WideWalkers(_) | AnyGame::Lines(_) | AnyGame::Heaps(_) => {}
        }
        Ok(())
    }

    /// Forgets all values.
    pub(super) fn forget(&mut self) {
        *self = Self::new(self.make.clone());
    }

    /// How many positions were valued or searched.
    pub(super) fn positions(&self) -> u64 {
        let narrow: usize = self.narrow.iter().map(|(_, values)| values.part_count()).sum();
        let wide: usize = self.wide.iter().map(|(_, values)| values.part_count()).sum();
        (narrow + wide) as u64 + self.impartial.iter().map(|(_, game)| game.positions_searched()).sum::<u64>()
    }

    /// The game at its start, with a table for it; `has_values` has said that there may be one.
    pub(super) fn piece(&mut self, name: &str, rules: &str, game: &AnyGame) -> SumGame {
        match game {
            AnyGame::Placement(placement) if is_valued(game) => {
                if let Some(table) = table(&mut self.narrow, rules, placement) {
                    return SumGame::Narrow(Box::new(placement.clone()), table);
                }
            }
            AnyGame::WidePlacement(placement) if is_valued(game) => {
                if let Some(table) = table(&mut self.wide, rules, placement) {
                    return SumGame::Wide(Box::new(placement.clone()), table);
                }
            }
            _ => {}
        }
        let key = format!("{name} {} {rules}", game.size());
        let table = match self.impartial.iter().position(|(known, _)| *known == key) {
            Some(table) => table,
            None => {
                let budget = Budget { memory: self.make.budget.memory / 8, ..self.make.budget };
                let make = MakeEngine { budget, ..self.make.clone() };
                self.impartial.push((key, game.run(MakeSummand(make))));
                self.impartial.len() - 1
            }
        };
        struct Start;

        impl Task for Start {
            type Output = String;

            fn run<G: Notation>(self, game: &G) -> String {
                game.text(&game.start())
            }
        }

        SumGame::Impartial(game.run(Start), table)
    }

    pub(super) fn value(
        &mut self,
        piece: &SumGame,
        forms: &mut FormStore<'_>,
        watch: &Watch,
    ) -> Result<Form, CalculatorError> {
        Ok(match piece {
            SumGame::Narrow(game, table) => self.narrow[*table].1.value_on(game.board(), &game.start(), forms)?,
            SumGame::Wide(game, table) => self.wide[*table].1.value_on(game.board(), &game.start(), forms)?,
            SumGame::Impartial(position, table) => {
                let nimber = self.impartial[*table].1.nimber_at(position, watch)?;
                forms.intern_number_up_star(NumberUpStar::nimber(nimber))?
            }
        })
    }

    pub(super) fn moves(
        &mut self,
        piece: &SumGame,
        player: Player,
        forms: &mut FormStore<'_>,
        watch: &Watch,
    ) -> Result<Vec<SumMove>, CalculatorError> {
        match piece {
            SumGame::Narrow(game, table) => {
                let (table, values) = (*table, &mut self.narrow[*table].1);
                moves(game, values, player, forms, |game| SumGame::Narrow(Box::new(game), table))
            }
            SumGame::Wide(game, table) => {
                let (table, values) = (*table, &mut self.wide[*table].1);
                moves(game, values, player, forms, |game| SumGame::Wide(Box::new(game), table))
            }
            SumGame::Impartial(position, table) => {
                let moves = self.impartial[*table].1.moves_at(position, watch)?;
                let moved = |mv: crate::sum::WinningMove| {
                    let piece = Some(SumGame::Impartial(mv.position.clone(), *table));
                    let value = forms.intern_number_up_star(NumberUpStar::nimber(mv.nimber))?;
                    Ok(SumMove { text: mv.mv, position: Some(mv.position), value, piece })
                };
                moves.into_iter().map(moved).collect()
            }
        }
    }
}

/// The number of a table of values for these rules that covers the game's board.
fn table<W: CellSet>(
    tables: &mut Vec<(String, PlacementValues<W>)>,
    rules: &str,
    game: &Placement<W>,
) -> Option<usize> {
    let known = tables.iter().position(|(known, values)| known == rules && values.covers(game.board()));
    known.or_else(|| {
        tables.push((rules.to_owned(), PlacementValues::new(game).ok()?));
        Some(tables.len() - 1)
    })
}

fn moves<W: CellSet>(
    game: &Placement<W>,
    values: &mut PlacementValues<W>,
    player: Player,
    forms: &mut FormStore<'_>,
    piece: impl Fn(Placement<W>) -> SumGame,
) -> Result<Vec<SumMove>, CalculatorError> {
    let right_to_move = game.is_partizan() && player == Player::Right;
    let position = crate::placement::Position { right_to_move, ..game.start() };
    let mut all = Vec::new();
    for mv in game.moves(&position) {
        let after = game.play(&position, mv);
        let value = values.value_on(game.board(), &after, forms)?;
        let (text, left) = (game.move_text(&position, mv), game.text(&after));
        let piece = Some(piece(game.clone().with_legal_start(after)));
        all.push(SumMove { text, position: Some(left), value, piece });
    }
    Ok(all)
}
