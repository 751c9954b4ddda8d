//! PlacementValues of the parts of partizan positions: canonical forms, means and temperatures.

use axum::http::StatusCode;
use balpan::cgt::{CgtError, FormStore, Mast, Thermograph};
use balpan::{Outcome, Watch};
use balpan_games::placement::{Placement, PlacementValueError, PlacementValues};
use balpan_games::{AnyGame, CellSet, Notation};

use crate::refusal::Refusal;
use crate::words::values as say;

/// Bytes of the forms of one page.
const MEMORY: usize = 48 << 20;

/// A name longer than this tells nobody anything.
const LONGEST_NAME: usize = 60;

/// What a part is worth in any sum.
pub(crate) struct Value {
    /// Its name, or what both players can move to; `None` if that is too long to read.
    pub(crate) name: Option<String>,
    pub(crate) mast: Mast,
    pub(crate) thermograph: Thermograph,
}

/// Of some positions, and of the last one besides for Left and for Right whether they win who begin.
pub(crate) struct Valued {
    pub(crate) values: Vec<Value>,
    pub(crate) wins: [bool; 2],
}

/// Whether positions of the game have values that add up, and not nimbers.
pub(crate) fn has_values(game: &AnyGame) -> bool {
    fn of<W: CellSet>(game: &Placement<W>) -> bool {
        game.is_partizan() && PlacementValues::new(game).is_ok()
    }

    match game {
        AnyGame::Placement(game) => of(game),
        AnyGame::WidePlacement(game) => of(game),
        AnyGame::Walkers(_) | AnyGame::WideWalkers(_) | AnyGame::Lines(_) | AnyGame::Heaps(_) => false,
    }
}

/// The value of each of these positions of a placement game, unless `watch` ends it.
pub(crate) fn values(game: &AnyGame, positions: &[String], watch: &Watch) -> Result<Valued, Refusal> {
    match game {
        AnyGame::Placement(game) => of(game, positions, watch),
        AnyGame::WidePlacement(game) => of(game, positions, watch),
        AnyGame::Walkers(_) | AnyGame::WideWalkers(_) | AnyGame::Lines(_) | AnyGame::Heaps(_) => {
            Err(Refusal::not_impartial())
        }
    }
}

fn of<W: CellSet>(game: &Placement<W>, positions: &[String], watch: &Watch) -> Result<Valued, Refusal> {
    let none = |none| match none {
        PlacementValueError::Cgt(_) => Refusal::told(StatusCode::UNPROCESSABLE_ENTITY, say::too_hard),
        PlacementValueError::Misere => Refusal::not_impartial(),
    };
    let too_hard = |unfinished: CgtError| none(unfinished.into());
    let mut forms = FormStore::new(MEMORY, watch);
    let mut solver = PlacementValues::new(game).map_err(none)?;
    let mut valued = Valued { values: Vec::with_capacity(positions.len()), wins: [false; 2] };
    for text in positions {
        let form = solver.value(&game.parse(text)?, &mut forms).map_err(too_hard)?;
        let name = forms.text(form).map_err(too_hard)?;
        let thermograph = forms.thermograph(form).map_err(too_hard)?;
        valued.wins = forms.outcomes(form).map_err(too_hard)?.map(|outcome| outcome == Outcome::Win);
        valued.values.push(Value {
            name: (name.chars().count() <= LONGEST_NAME).then_some(name),
            mast: thermograph.mast,
            thermograph,
        });
    }
    Ok(valued)
}
