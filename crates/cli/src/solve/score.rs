//! The score of Connect Four as its solvers print it: how much sooner than with the last stone the winner wins.

use balpan::Outcome;
use balpan_games::{Answer, AnyGame};

use crate::args::SolveArgs;
use crate::failure::CliError;
use crate::source::LoadedGame;

/// The scale of scores on one board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScoreScale {
    cells: i64,
}

impl ScoreScale {
    /// Returns the game's scale with `--score`, and `None` without it.
    ///
    /// # Errors
    /// If the game has no score.
    pub(crate) fn for_game(
        args: &SolveArgs,
        LoadedGame { rules, game, .. }: &LoadedGame,
    ) -> Result<Option<Self>, CliError> {
        if !args.score {
            return Ok(None);
        }
        let rules = rules.changes()?;
        let has = |rule: &str| rules.iter().any(|other| other == rule);
        if let (AnyGame::Lines(_), Some(board)) = (game, game.board())
            && has("gravity=true")
            && !has("marks=shared")
            && !has("misere=true")
        {
            return Ok(Some(Self { cells: board.cells() as i64 }));
        }
        let help =
            "games where each player's own marks fall and make lines have one, such as connect4; leave out --score";
        Err(CliError::input("there is no score in this game", help))
    }

    /// Returns half the cells plus one (22 on 6x7), less the number of stones that the winner will have placed; negative
    /// if the player to move loses. On a board of an odd number of cells, a win with the winner's last stone still counts 1.
    pub(crate) fn score(self, answer: &Answer) -> Option<i64> {
        let outcome = answer.outcome?;
        if outcome == Outcome::Draw {
            return Some(0);
        }
        let stones = answer.position.bytes().filter(|byte| matches!(byte, b'X' | b'O')).count() as i64;
        let score = (self.cells + 2 - stones - i64::from(answer.remoteness?)) / 2;
        Some(if outcome == Outcome::Win { score } else { -score })
    }
}
