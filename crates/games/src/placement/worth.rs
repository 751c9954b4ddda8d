//! What a position counts for in sums with others: what programs read as JSON.

use std::time::Duration;

use balpan::cgt::FormStore;
use balpan::{Outcome, Watch};
use serde::Serialize;

use super::values::{PlacementValueError, PlacementValues};
use super::{Placement, Position};
use crate::board::CellSet;
use crate::notation::Notation;

/// A position's value in sums. As JSON, the field names are part of the command's contract.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PositionValueReport {
    /// What the game is called.
    pub game: String,
    /// The position's text.
    pub position: String,
    /// The value's name.
    pub cgt: String,
    /// The outcome for each player when that one begins; one for impartial games.
    pub outcomes: Vec<StarterOutcome>,
    /// How many parts were settled.
    pub parts: usize,
    /// How long it took.
    pub seconds: f64,
}

/// What comes of it if a player begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StarterOutcome {
    /// Who begins.
    pub begins: &'static str,
    /// `win` or `loss`, for that player.
    pub outcome: String,
}

impl PositionValueReport {
    /// That of a position of the game of this name, found in at most `memory` bytes or a few more.
    ///
    /// # Errors
    /// If positions of the game have no values, or it takes too long or too much memory.
    pub fn find<W: CellSet>(
        name: &str,
        game: &Placement<W>,
        position: &Position<W>,
        memory: usize,
        watch: &Watch,
    ) -> Result<Self, PlacementValueError> {
        let mut forms = FormStore::new(memory, watch);
        let mut values = PlacementValues::new(game)?;
        let value = values.value(position, &mut forms)?;
        let cgt = forms.text(value)?;
        let outcomes = forms.outcomes(value)?;
        let [mover, other] = game.players(position);
        let [left, right] = if position.right_to_move { [other, mover] } else { [mover, other] };
        let begun =
            |(begins, outcome): (&'static str, Outcome)| StarterOutcome { begins, outcome: outcome.to_string() };
        let sides = if game.is_partizan() { 2 } else { 1 };
        Ok(Self {
            game: name.to_owned(),
            position: game.text(position),
            cgt,
            outcomes: [(left, outcomes[0]), (right, outcomes[1])].into_iter().take(sides).map(begun).collect(),
            parts: values.part_count(),
            seconds: 0.0,
        })
    }

    /// The same, which took so long.
    #[must_use]
    pub fn with_elapsed(self, time: Duration) -> Self {
        Self { seconds: time.as_secs_f64(), ..self }
    }
}
