//! `balpan solve --nimber` of a game by the misère convention.

use balpan::Misere;
use balpan_games::Notation;
use serde::Serialize;

use crate::args::SolveArgs;
use crate::failure::{Failure, print, print_json};
use crate::progress::watched;

/// The answer as programs read it; the field names are part of the command's
/// contract.
#[derive(Serialize)]
struct Json<'a> {
    game: &'a str,
    position: String,
    misere_value: u32,
    positions_searched: u64,
    seconds: f64,
}

pub(crate) fn run<G: Notation>(args: &SolveArgs, game: &G, name: &str) -> Result<(), Failure> {
    if !game.is_impartial_misere() {
        return Err(Failure::input(
            "--nimber is for misère games of which both players have the same pieces, without supply",
            "--set misere=true",
        ));
    }
    let position = game.start();
    let ((value, positions_searched), time) = watched(|watch| {
        let mut solver = Misere::new(game, args.game.memory, watch);
        (solver.value(&position), solver.positions_searched())
    });
    let value = value.map_err(|stopped| Failure::stopped(stopped, positions_searched))?;
    let position = game.text(&position);
    if args.game.json {
        let seconds = time.as_secs_f64();
        return print_json(&Json { game: name, position, misere_value: value, positions_searched, seconds });
    }
    print(&format!("{name} {}: misère value {value}\n", game.board()))
}
