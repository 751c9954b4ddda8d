//! Impartial games as sums: the parts of a position and their nimbers.

use std::time::Duration;

use balpan::{Budget, Engine, Watch};
use balpan_games::{AnyGame, Board, NimValue, Notation, Task, nim_value};
use tokio::sync::Semaphore;

use crate::error::RequestError;
use crate::scene::{Scene, View, view};

/// Limits of the search for each nimber: positions, and bytes of the table.
pub(crate) const MAX_SEARCHED: u64 = 1 << 19;
pub(crate) const MEMORY: usize = 32 << 20;

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
    if game.is_impartial() {
        Some(Convention::Normal)
    } else {
        game.is_impartial_misere().then_some(Convention::Misere)
    }
}

/// Splits a position into its parts: heaps, or sets of cells that moves connect. Cells that no move changes are in no
/// part. Other games have one part.
pub(crate) fn parts(game: &AnyGame, view: &View) -> Vec<Part> {
    match &view.board {
        Some(seen) if game.pieces().is_some() => {
            let alone = |cells| Part { cells, text: only_free(seen.board, cells) };
            merge(&view.moves.iter().map(|mv| mv.cells).collect::<Vec<_>>()).into_iter().map(alone).collect()
        }
        None if game.heap_code().is_some() => {
            view.heaps.iter().map(|heap| Part { cells: 0, text: heap.to_string() }).collect()
        }
        _ if view.moves.is_empty() => Vec::new(),
        _ => vec![Part { cells: 0, text: view.position.clone() }],
    }
}

/// Splits a partizan placement position into parts: sets of cells that moves of either player connect.
pub(crate) fn partizan_parts(scene: &Scene) -> Result<Vec<Part>, RequestError> {
    let rows = scene.view.position.split(' ').next().unwrap_or_default();
    let mut moves = Vec::new();
    for side in ["l", "r"] {
        let seen = view(&scene.rules.game_at(&format!("{rows} {side}"))?);
        moves.extend(seen.moves.into_iter().map(|mv| mv.cells));
    }
    let Some(seen) = &scene.view.board else { return Ok(Vec::new()) };
    let alone = |cells| Part { cells, text: only_free(seen.board, cells) };
    Ok(merge(&moves).into_iter().map(alone).collect())
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

/// Pages that find nimbers at the same time, and the time limit of one.
pub(crate) static PERMITS: Semaphore = Semaphore::const_new(2);
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(5);

/// Finds the nimber of each position; of a misère game, the misère value.
pub(crate) fn nimbers(game: &AnyGame, positions: Vec<String>, watch: &Watch) -> Result<Vec<u32>, RequestError> {
    struct Find<'a>(Vec<String>, &'a Watch);

    impl Task for Find<'_> {
        type Output = Result<Vec<u32>, RequestError>;

        fn run<G: Notation>(self, game: &G) -> Self::Output {
            let mut engine = Engine::new(game.clone(), Budget { memory: MEMORY, threads: 1 });
            let watch = self.1.child(MAX_SEARCHED);
            let mut find = |text: &String| {
                let (NimValue::Nimber(n) | NimValue::MisereValue(n)) =
                    nim_value(&mut engine, &game.parse(text)?, &watch)?;
                Ok(n)
            };
            self.0.iter().map(&mut find).collect()
        }
    }

    game.run(Find(positions, watch))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;
    use crate::link::Link;
    use crate::scene::Scene;

    /// Finds the parts of a position with their nimbers, and the nimber of the whole.
    fn find_parts(game: &str, at: &str) -> (Vec<(String, u32)>, u32) {
        let link = Link { game: game.to_owned(), at: Some(at.to_owned()), ..Link::default() };
        let scene = Scene::new(link).unwrap();
        let texts: Vec<String> = parts(&scene.game, &scene.view).into_iter().map(|part| part.text).collect();
        let found = nimbers(&scene.game, texts.clone(), &Watch::default()).unwrap();
        let whole = nimbers(&scene.game, vec![scene.view.position.clone()], &Watch::default()).unwrap()[0];
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
