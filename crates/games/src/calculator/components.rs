//! Components of a sum: values of their positions, and their moves.

use balpan::checkpoint::Checkpoint;
use balpan::{Budget, Game, Watch};
use balpan_cgt::{CgtError, Form, FormStore, NumberUpStar, Player};

use super::CalculatorError;
use crate::any::AnyGame;
use crate::board::CellSet;
use crate::engines::EngineOptions;
use crate::language::{self, LanguageValues};
use crate::notation::Notation;
use crate::placement::{Placement, PlacementValues};
use crate::sum::Summand;

/// A game at a position, with the table that evaluates it.
#[derive(Clone, Debug)]
pub(super) enum Component {
    /// A placement game, and the index of its table.
    Narrow(Box<Placement<u64>>, usize),
    Wide(Box<Placement<u128>>, usize),
    /// A position of a game in the rules language of two players, and the index of its table.
    Language(String, usize),
    /// A position of an impartial game, and the index of its engine.
    Impartial(String, usize),
}

/// A move, and the component after it.
#[derive(Clone, Debug)]
pub(super) struct ComponentMove {
    pub(super) text: String,
    pub(super) position: Option<String>,
    pub(super) value: Form,
    pub(super) component: Option<Component>,
}

/// Tables of values of positions, by game.
pub(super) struct ValueTables {
    make: EngineOptions,
    narrow: Vec<(String, PlacementValues<u64>)>,
    wide: Vec<(String, PlacementValues<u128>)>,
    language: Vec<Box<dyn LanguageValues>>,
    impartial: Vec<(String, Box<dyn Summand>)>,
}

/// Returns whether positions of the game have values: `Some(false)` if only the misère convention is in the way.
pub(super) fn has_values(game: &AnyGame) -> Option<bool> {
    if let Some(values) = game.position_values() {
        Some(values.is_ok())
    } else if game.is_impartial() {
        Some(true)
    } else {
        game.is_impartial_misere().then_some(false)
    }
}

/// Returns whether the game's positions are evaluated by canonical forms rather than nimbers.
pub(super) fn has_canonical_forms(game: &AnyGame) -> bool {
    game.pieces().is_some_and(|pieces| pieces.is_partizan() || pieces.all().any(|piece| piece.supply.is_some()))
}

/// Returns the longer side of the game's board.
pub(super) fn longer_side(game: &AnyGame) -> usize {
    game.board().map_or(0, |board| board.rows().max(board.cols()))
}

impl ValueTables {
    pub(super) fn new(make: EngineOptions) -> Self {
        Self { make, narrow: Vec::new(), wide: Vec::new(), language: Vec::new(), impartial: Vec::new() }
    }

    /// Adds a table backed by a checkpoint.
    pub(super) fn add_from_checkpoint(
        &mut self,
        rules: &str,
        game: &AnyGame,
        checkpoint: &Checkpoint,
        forms: &mut FormStore,
    ) -> Result<(), CgtError> {
        if let Some(Ok(values)) = game.downcast_ref().map(PlacementValues::<u64>::new) {
            self.narrow.push((rules.to_owned(), values.with_checkpoint(checkpoint, forms)?));
        }
        if let Some(Ok(values)) = game.downcast_ref().map(PlacementValues::<u128>::new) {
            self.wide.push((rules.to_owned(), values.with_checkpoint(checkpoint, forms)?));
        }
        Ok(())
    }

    /// Drops all values.
    pub(super) fn clear(&mut self) {
        *self = Self::new(self.make.clone());
    }

    /// Returns the number of positions evaluated or searched.
    pub(super) fn positions(&self) -> u64 {
        let narrow: usize = self.narrow.iter().map(|(_, values)| values.part_count()).sum();
        let wide: usize = self.wide.iter().map(|(_, values)| values.part_count()).sum();
        let language: usize = self.language.iter().map(|values| values.part_count()).sum();
        (narrow + wide + language) as u64
            + self.impartial.iter().map(|(_, game)| game.positions_searched()).sum::<u64>()
    }

    /// Returns the game at its start, with a table for it. [`has_values`] has accepted the game.
    pub(super) fn component(&mut self, name: &str, rules: &str, game: &AnyGame) -> Component {
        if has_canonical_forms(game) {
            if let Some(narrow) = game.downcast_ref::<Placement<u64>>()
                && let Some(table) = table_index(&mut self.narrow, rules, narrow)
            {
                return Component::Narrow(Box::new(narrow.clone()), table);
            }
            if let Some(wide) = game.downcast_ref::<Placement<u128>>()
                && let Some(table) = table_index(&mut self.wide, rules, wide)
            {
                return Component::Wide(Box::new(wide.clone()), table);
            }
        }
        if let Some(values) = language::values(game).filter(|_| !game.is_impartial()) {
            let table = self.language.iter().position(|values| values.is_of(game)).unwrap_or_else(|| {
                self.language.push(values);
                self.language.len() - 1
            });
            return Component::Language(game.start_text(), table);
        }
        let key = format!("{name} {} {rules}", game.size());
        let table = match self.impartial.iter().position(|(known, _)| *known == key) {
            Some(table) => table,
            None => {
                let budget = Budget { memory: self.make.budget.memory / 8, ..self.make.budget };
                let make = EngineOptions { budget, ..self.make.clone() };
                self.impartial.push((key, make.summand(game)));
                self.impartial.len() - 1
            }
        };
        Component::Impartial(game.start_text(), table)
    }

    pub(super) fn value(
        &mut self,
        component: &Component,
        forms: &mut FormStore,
        watch: &Watch,
    ) -> Result<Form, CalculatorError> {
        Ok(match component {
            Component::Narrow(game, table) => self.narrow[*table].1.value_on(game.board(), &game.start(), forms)?,
            Component::Wide(game, table) => self.wide[*table].1.value_on(game.board(), &game.start(), forms)?,
            Component::Language(position, table) => self.language[*table].value_at(position, forms)?,
            Component::Impartial(position, table) => {
                let nimber = self.impartial[*table].1.nimber_at(position, watch)?;
                forms.intern_number_up_star(NumberUpStar::nimber(nimber))?
            }
        })
    }

    pub(super) fn moves(
        &mut self,
        component: &Component,
        player: Player,
        forms: &mut FormStore,
        watch: &Watch,
    ) -> Result<Vec<ComponentMove>, CalculatorError> {
        match component {
            Component::Narrow(game, table) => {
                let (table, values) = (*table, &mut self.narrow[*table].1);
                moves(game, values, player, forms, |game| Component::Narrow(Box::new(game), table))
            }
            Component::Wide(game, table) => {
                let (table, values) = (*table, &mut self.wide[*table].1);
                moves(game, values, player, forms, |game| Component::Wide(Box::new(game), table))
            }
            Component::Language(position, table) => {
                let moved = |(text, after, value): (String, String, Form)| {
                    let component = Some(Component::Language(after.clone(), *table));
                    ComponentMove { text, position: Some(after), value, component }
                };
                Ok(self.language[*table].moves_at(position, player, forms)?.into_iter().map(moved).collect())
            }
            Component::Impartial(position, table) => {
                let moves = self.impartial[*table].1.moves_at(position, watch)?;
                let moved = |mv: crate::sum::WinningMove| {
                    let component = Some(Component::Impartial(mv.position.clone(), *table));
                    let value = forms.intern_number_up_star(NumberUpStar::nimber(mv.nimber))?;
                    Ok(ComponentMove { text: mv.mv, position: Some(mv.position), value, component })
                };
                moves.into_iter().map(moved).collect()
            }
        }
    }
}

/// Returns the index of the table for these rules that covers the game's board, and creates it if there is none.
fn table_index<W: CellSet>(
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
    forms: &mut FormStore,
    component: impl Fn(Placement<W>) -> Component,
) -> Result<Vec<ComponentMove>, CalculatorError> {
    let right_to_move = game.is_partizan() && player == Player::Right;
    let position = crate::placement::Position { right_to_move, ..game.start() };
    let mut all = Vec::new();
    for mv in game.moves(&position) {
        let after = game.play(&position, mv);
        let value = values.value_on(game.board(), &after, forms)?;
        let (text, left) = (game.move_text(&position, mv), game.text(&after));
        let component = Some(component(game.clone().with_legal_start(after)));
        all.push(ComponentMove { text, position: Some(left), value, component });
    }
    Ok(all)
}
