//! The report on a placement position's value.

use std::time::Duration;

use balpan::{Outcome, Watch};
use balpan_cgt::FormStore;
use serde::Serialize;

use super::values::{PlacementValueError, PlacementValues};
use super::{Placement, Position};
use crate::board::CellSet;
use crate::notation::Notation;

/// A position's value in sums. The JSON field names are part of the command's contract.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PositionValueReport {
    /// The name of the game.
    pub game: String,
    /// The position's text.
    pub position: String,
    /// The value's text.
    pub cgt: String,
    /// The outcome for each player moving first; one entry for impartial games.
    pub outcomes: Vec<StarterOutcome>,
    /// The number of parts evaluated.
    pub parts: usize,
    /// The elapsed time in seconds.
    pub seconds: f64,
}

/// The outcome for the player who moves first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StarterOutcome {
    /// The name of that player.
    pub begins: &'static str,
    /// `win` or `loss`, for that player.
    pub outcome: String,
}

impl PositionValueReport {
    /// Evaluates a position of the named game, in about `memory` bytes.
    ///
    /// # Errors
    /// [`PlacementValueError`] if the game is misère, the watch stops it or the memory is used up.
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
        let starter_outcome =
            |(begins, outcome): (&'static str, Outcome)| StarterOutcome { begins, outcome: outcome.to_string() };
        let sides = if game.is_partizan() { 2 } else { 1 };
        Ok(Self {
            game: name.to_owned(),
            position: game.text(position),
            cgt,
            outcomes: [(left, outcomes[0]), (right, outcomes[1])]
                .into_iter()
                .take(sides)
                .map(starter_outcome)
                .collect(),
            parts: values.part_count(),
            seconds: 0.0,
        })
    }

    /// Sets the elapsed time.
    #[must_use]
    pub fn with_elapsed(self, time: Duration) -> Self {
        Self { seconds: time.as_secs_f64(), ..self }
    }
}
