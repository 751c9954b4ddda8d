//! Positions as sums: their parts, with the nimbers of impartial games and the values of partizan ones.

use std::time::Duration;

use balpan::{Budget, Outcome, Watch};
use balpan_cgt::{CgtError, FormStore, Thermograph};
use balpan_games::placement::Pieces;
use balpan_games::sum::SumObstacle;
use balpan_games::{AnyGame, Board, EngineOptions, NimValue};

use crate::bounded::WorkLimits;
use crate::error::RequestError;
use crate::scene::Scene;
use crate::words::{theory, values as say};

/// Limits of the search for each nimber: positions, and bytes of the table.
pub(crate) const MAX_SEARCHED: u64 = 1 << 19;
pub(crate) const MEMORY: usize = 32 << 20;

/// Bytes of the canonical forms of one page.
const MAX_FORM_BYTES: usize = 48 << 20;

/// Longer names of values are not shown.
const MAX_NAME_CHARS: usize = 60;

/// A part of a position: a move in it changes nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Its cells, if there is a board.
    pub(crate) cells: u128,
    /// The part alone, as a position.
    pub(crate) text: String,
}

/// How the positions of an impartial game add up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Convention {
    /// Nimbers add up.
    Normal,
    /// Only the whole position has a value.
    Misere,
}

/// Returns the convention of an impartial game; `None` for other games.
pub(crate) fn convention(game: &AnyGame) -> Option<Convention> {
    if game.may_repeat() {
        None
    } else if game.is_impartial() {
        Some(Convention::Normal)
    } else {
        game.is_impartial_misere().then_some(Convention::Misere)
    }
}

/// Says why a game has no nimbers.
pub(crate) fn no_nimbers(game: &AnyGame) -> RequestError {
    let obstacle = SumObstacle::new(game);
    RequestError::invalid(|lang| match obstacle.map(|obstacle| obstacle.explain(lang)) {
        Some(reason) => (theory::no_nimbers(lang, &reason.message), reason.help),
        None => theory::not_impartial(lang),
    })
}

/// Whether the game is partizan and its positions have values that add up.
pub(crate) fn has_values(game: &AnyGame) -> bool {
    game.pieces().is_some_and(Pieces::is_partizan) && matches!(game.position_values(), Some(Ok(_)))
}

/// Splits a position into its parts: heaps, or sets of cells that moves of either player connect. Cells that no move
/// changes are in no part. Other games have one part.
pub(crate) fn parts(scene: &Scene) -> Result<Vec<Part>, RequestError> {
    let game = &scene.game;
    Ok(match (&scene.board, game.pieces()) {
        (Some(view), Some(pieces)) => {
            let mut moves: Vec<u128> = scene.moves.iter().map(|mv| mv.cells).collect();
            let rows = scene.position.split(' ').next().unwrap_or_default();
            for side in ["l", "r"].into_iter().filter(|_| pieces.is_partizan()) {
                let game = scene.rules.game_at(&format!("{rows} {side}"))?;
                moves.extend(game.moves().into_iter().map(|(_, cells)| cells));
            }
            let alone = |cells| Part { cells, text: only_free(view.board, cells) };
            merge(&moves).into_iter().map(alone).collect()
        }
        (None, _) if game.heap_code().is_some() => {
            game.heaps().unwrap_or_default().iter().map(|heap| Part { cells: 0, text: heap.to_string() }).collect()
        }
        _ if scene.moves.is_empty() => Vec::new(),
        _ => vec![Part { cells: 0, text: scene.position.clone() }],
    })
}

/// Merges the moves that share cells, and returns the merged sets of cells.
fn merge(moves: &[u128]) -> Vec<u128> {
    let mut parts: Vec<u128> = Vec::new();
    for &cells in moves {
        let (touched, others): (Vec<_>, Vec<_>) = parts.into_iter().partition(|part| part & cells != 0);
        parts = others;
        parts.push(touched.into_iter().fold(cells, |all, part| all | part));
    }
    parts.sort_by_key(|part| part.trailing_zeros());
    parts
}

/// Returns the board on which only these cells are free.
fn only_free(board: Board, cells: u128) -> String {
    let glyph = |cell: usize| if cells & (1 << cell) == 0 { '#' } else { '.' };
    let row = |row: usize| (0..board.cols()).map(|col| glyph(board.cell(row, col))).collect::<String>();
    (0..board.rows()).map(row).collect::<Vec<_>>().join("/")
}

/// Limits on the nimbers of one page.
pub(crate) static NIMBER_LIMITS: WorkLimits = WorkLimits::new(2, Duration::from_secs(5), u64::MAX);

/// Finds the nimber of each position; of a misère game, the misère value.
pub(crate) fn nimbers(game: &AnyGame, positions: Vec<String>, watch: &Watch) -> Result<Vec<u32>, RequestError> {
    let mut engine = EngineOptions::new(Budget { memory: MEMORY, threads: 1 }).text_engine(game);
    let watch = watch.child(MAX_SEARCHED);
    let mut find = |text: &String| {
        let (NimValue::Nimber(n) | NimValue::MisereValue(n)) = engine.nim_value(text, &watch)?;
        // An engine's numbers have 32 bits.
        Ok(n as u32)
    };
    positions.iter().map(&mut find).collect()
}

/// The value of a position.
pub(crate) struct Value {
    /// The canonical form as text; `None` if it is too long to read.
    pub(crate) name: Option<String>,
    pub(crate) thermograph: Thermograph,
}

/// Finds the value of each position of a game, and whether Left and Right win the last one by moving first.
pub(crate) fn values(
    game: &AnyGame,
    positions: &[String],
    watch: &Watch,
) -> Result<(Vec<Value>, [bool; 2]), RequestError> {
    let too_hard = |_: CgtError| RequestError::too_hard(say::too_hard);
    let not_impartial = || RequestError::invalid(theory::not_impartial);
    let mut solver = game.position_values().and_then(Result::ok).ok_or_else(not_impartial)?;
    let mut forms = FormStore::new(MAX_FORM_BYTES, watch);
    let (mut values, mut wins) = (Vec::with_capacity(positions.len()), [false; 2]);
    for text in positions {
        let form = solver.value(text, &mut forms)?.map_err(too_hard)?;
        let name = forms.text(form).map_err(too_hard)?;
        let thermograph = forms.thermograph(form).map_err(too_hard)?;
        wins = forms.outcomes(form).map_err(too_hard)?.map(|outcome| outcome == Outcome::Win);
        values.push(Value { name: (name.chars().count() <= MAX_NAME_CHARS).then_some(name), thermograph });
    }
    Ok((values, wins))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;
    use crate::link::Link;

    /// Finds the parts of a position with their nimbers, and the nimber of the whole.
    fn find_parts(game: &str, at: &str) -> (Vec<(String, u32)>, u32) {
        let link = Link { game: game.to_owned(), at: Some(at.to_owned()), ..Link::default() };
        let scene = Scene::new(link).unwrap();
        let texts: Vec<String> = parts(&scene).unwrap().into_iter().map(|part| part.text).collect();
        let found = nimbers(&scene.game, texts.clone(), &Watch::default()).unwrap();
        let whole = nimbers(&scene.game, vec![scene.position.clone()], &Watch::default()).unwrap()[0];
        (texts.into_iter().zip(found).collect(), whole)
    }

    #[test]
    fn the_nimbers_of_parts_add_up_to_that_of_the_whole() {
        for (game, at) in [
            ("cram", "..#../..#../..#.."),
            ("cram", "..#./#..#/..../###."),
            ("blockgame", "..##/..#./###./...."),
            ("nim", "3 5 7"),
            ("kayles", "3 4 9"),
        ] {
            let (parts, whole) = find_parts(game, at);
            assert!(parts.len() > 1 || game == "cram" || game == "blockgame", "{parts:?}");
            assert_eq!(parts.iter().fold(0, |sum, (_, nimber)| sum ^ nimber), whole, "{game} {at}: {parts:?}");
        }
        let (parts, _) = find_parts("cram", "..#../..#../..#..");
        assert_eq!(
            parts.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>(),
            ["..###/..###/..###", "###../###../###.."]
        );
    }

    #[test]
    fn only_impartial_games_have_parts_that_add_up() {
        let of = |game: &str| convention(&balpan_games::presets::preset(game).unwrap().unwrap().game().unwrap());
        assert_eq!(
            (of("cram"), of("nim"), of("kayles")),
            (Some(Convention::Normal), Some(Convention::Normal), Some(Convention::Normal))
        );
        assert_eq!((of("tictactoe"), of("domineering"), of("platforms")), (None, None, None));
    }
}
