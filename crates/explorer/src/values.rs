//! Values of the parts of partizan positions: canonical forms, means and temperatures.

use axum::http::StatusCode;
use balpan::{Outcome, Watch};
use balpan_cgt::{CgtError, FormStore, Mast, Thermograph};
use balpan_games::AnyGame;
use balpan_games::placement::Pieces;

use crate::error::RequestError;
use crate::words::values as say;

/// Bytes of the canonical forms of one page.
const MEMORY: usize = 48 << 20;

/// Longer names are not shown.
const MAX_NAME_CHARS: usize = 60;

/// The value of a part.
pub(crate) struct Value {
    /// The canonical form as text; `None` if it is too long to read.
    pub(crate) name: Option<String>,
    pub(crate) mast: Mast,
    pub(crate) thermograph: Thermograph,
}

/// The values of some positions, and whether Left and Right win the last one by moving first.
pub(crate) struct PositionValues {
    pub(crate) values: Vec<Value>,
    pub(crate) wins: [bool; 2],
}

/// Whether the game is partizan and its positions have values that add up.
pub(crate) fn has_values(game: &AnyGame) -> bool {
    game.pieces().is_some_and(Pieces::is_partizan) && matches!(game.position_values(), Some(Ok(_)))
}

/// Finds the value of each position of a game, unless `watch` stops it.
pub(crate) fn values(game: &AnyGame, positions: &[String], watch: &Watch) -> Result<PositionValues, RequestError> {
    let too_hard = |_: CgtError| RequestError::localized(StatusCode::UNPROCESSABLE_ENTITY, say::too_hard);
    let Some(Ok(mut solver)) = game.position_values() else { return Err(RequestError::not_impartial()) };
    let mut forms = FormStore::new(MEMORY, watch);
    let mut found = PositionValues { values: Vec::with_capacity(positions.len()), wins: [false; 2] };
    for text in positions {
        let form = solver.value(text, &mut forms)?.map_err(too_hard)?;
        let name = forms.text(form).map_err(too_hard)?;
        let thermograph = forms.thermograph(form).map_err(too_hard)?;
        found.wins = forms.outcomes(form).map_err(too_hard)?.map(|outcome| outcome == Outcome::Win);
        found.values.push(Value {
            name: (name.chars().count() <= MAX_NAME_CHARS).then_some(name),
            mast: thermograph.mast,
            thermograph,
        });
    }
    Ok(found)
}
