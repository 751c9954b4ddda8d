//! Answers as JSON, and the score of Connect Four as its solvers print it: how much sooner than with the last stone the
//! winner wins.

use balpan::Outcome;
use balpan_games::Answer;
use serde::Serialize;

use crate::args::SolveArgs;
use crate::error::CliError;
use crate::load::LoadedGame;

/// The scale of scores on one board.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScoreScale {
    cells: i64,
}

impl ScoreScale {
    /// Returns the game's scale with `--score`, and `None` without it.
    ///
    /// # Errors
    /// If the game has no score.
    pub(super) fn for_game(args: &SolveArgs, LoadedGame { game, .. }: &LoadedGame) -> Result<Option<Self>, CliError> {
        if !args.score {
            return Ok(None);
        }
        if let Some(board) = game.board().filter(|_| game.has_stone_score()) {
            return Ok(Some(Self { cells: board.cells() as i64 }));
        }
        let help =
            "games where each player's own marks fall and make lines have one, such as connect4; leave out --score";
        Err(CliError::input("there is no score in this game", help))
    }

    /// Returns half the cells plus one (22 on 6x7), less the number of stones that the winner will have placed; negative
    /// if the player to move loses. On a board of an odd number of cells, a win with the winner's last stone still counts 1.
    pub(super) fn score(self, answer: &Answer) -> Option<i64> {
        let outcome = answer.outcome?;
        if outcome == Outcome::Draw {
            return Some(0);
        }
        let stones = answer.position.bytes().filter(|byte| matches!(byte, b'X' | b'O')).count() as i64;
        let score = (self.cells + 2 - stones - i64::from(answer.remoteness?)) / 2;
        Some(if outcome == Outcome::Win { score } else { -score })
    }
}

/// An answer as JSON. The field names are part of the command's contract.
#[derive(Serialize)]
pub(super) struct AnswerObject {
    #[serde(flatten)]
    answer: Answer,
    /// The score, with `--score`; null if it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Option<i64>>,
}

impl AnswerObject {
    /// Adds the non-default rules, and the score if there is a scale.
    pub(super) fn new(answer: Answer, rules: &[String], scale: Option<ScoreScale>) -> Self {
        let score = scale.map(|scale| scale.score(&answer));
        Self { answer: Answer { rules: rules.to_vec(), ..answer }, score }
    }
}
