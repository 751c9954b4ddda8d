//! Positions as sums: their parts, with the nimbers of impartial games and the values of partizan ones.

use std::time::Duration;

use balpan::{Budget, Outcome, Watch};
use balpan_cgt::{CgtError, FormStore, Thermograph};
use balpan_games::placement::Pieces;
use balpan_games::sum::SumObstacle;
use balpan_games::{AnyGame, EngineOptions, NimValue, PlayerName};

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
    let is_partizan = !game.is_impartial() && game.pieces().is_none_or(Pieces::is_partizan);
    is_partizan && matches!(game.position_values(), Some(Ok(_)))
}

/// Splits a position into its independent parts.
pub(crate) fn parts(scene: &Scene) -> Vec<Part> {
    let rules = scene.game.rules();
    rules.parts(&rules.start()).into_iter().map(|(cells, text)| Part { cells, text }).collect()
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

/// The values of some positions of a game.
pub(crate) struct Values {
    /// One for each position.
    pub(crate) values: Vec<Value>,
    /// Whether Left and Right win the last position by moving first.
    pub(crate) wins: [bool; 2],
    /// The game's names for Left and Right.
    pub(crate) players: [PlayerName; 2],
}

/// Finds the value of each position of a game.
pub(crate) fn values(game: &AnyGame, positions: &[String], watch: &Watch) -> Result<Values, RequestError> {
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
    Ok(Values { values, wins, players: solver.players() })
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
        let texts: Vec<String> = parts(&scene).into_iter().map(|part| part.text).collect();
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
            ("nodekayles", "..x../.#.#./..x../....."),
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

    /// In Wythoff's game a move may take from two heaps.
    #[test]
    fn heaps_that_a_move_joins_are_one_part() {
        let changes = vec![("take".to_owned(), "Wythoff".to_owned())];
        let link = Link { game: "nim".to_owned(), changes, at: Some("1 2".to_owned()), ..Link::default() };
        let texts: Vec<_> = parts(&Scene::new(link).unwrap()).into_iter().map(|part| part.text).collect();
        assert_eq!(texts, ["1 2"]);
    }

    #[test]
    fn the_means_of_parts_add_up_to_that_of_the_whole() {
        use PlayerName::{Black, Left, Right, White};

        for (game, at, count, names) in [
            ("domineering", "..#../..#../#####", 2, [Left, Right]),
            ("clobber", "wb.wb/w..b./.wb.b", 3, [White, Black]),
            ("col", "..#./#..#/.#../b.#.", 4, [Left, Right]),
            ("snort", "..#b/.#w./..#.", 2, [Left, Right]),
        ] {
            let link = Link { game: game.to_owned(), at: Some(at.to_owned()), ..Link::default() };
            let scene = Scene::new(link).unwrap();
            assert!(has_values(&scene.game), "{game}");
            let parts = parts(&scene);
            assert_eq!(parts.len(), count, "{game} {at}: {parts:?}");
            let texts: Vec<_> = parts.iter().map(|part| part.text.clone()).chain([at.to_owned()]).collect();
            let Values { values, players, .. } = values(&scene.game, &texts, &Watch::default()).unwrap();
            assert_eq!(players, names);
            let (whole, of_parts) = values.split_last().unwrap();
            let mean = |value: &Value| value.thermograph.mast.mean;
            let sum = of_parts.iter().map(mean).fold(balpan_cgt::Dyadic::ZERO, |sum, mean| sum + mean);
            assert_eq!(sum, mean(whole), "{game} {at}");
            let cells = parts.iter().fold(0, |all, part| {
                assert!(part.cells != 0 && all & part.cells == 0, "{game} {at}: {parts:?}");
                all | part.cells
            });
            // What is in no part is blocked in all of them.
            assert!(
                parts.iter().all(|part| part.text.matches('#').count() as u32 >= (cells & !part.cells).count_ones())
            );
        }
        for game in ["tictactoe", "cram", "hex", "nodekayles", "pentominoes"] {
            let game = balpan_games::presets::preset(game).unwrap().unwrap().game().unwrap();
            assert!(!has_values(&game), "{}", game.family());
        }
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
