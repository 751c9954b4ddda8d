//! The score of Connect Four, as its solvers tell it: how much sooner than with the last
//! stone somebody wins.

use balpan::Outcome;
use balpan_games::{Answer, AnyGame};

use crate::args::SolveArgs;
use crate::failure::Failure;
use crate::source;

/// How a game is scored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    cells: i64,
}

impl Scale {
    /// How the game is scored, if that is asked for.
    pub(crate) fn asked(args: &SolveArgs, game: &AnyGame) -> Result<Option<Self>, Failure> {
        if !args.score {
            return Ok(None);
        }
        let rules = source::changed_rules(&args.game)?.changes()?;
        let says = |rule: &str| rules.iter().any(|said| said == rule);
        if let (AnyGame::Lines(_), Some(board)) = (game, game.board())
            && says("gravity=true")
            && !says("marks=shared")
            && !says("misere=true")
        {
            return Ok(Some(Self { cells: board.cells() as i64 }));
        }
        let help =
            "games where each player's own marks fall and make lines have one, such as connect4; leave out --score";
        Err(Failure::input("there is no score in this game", help))
    }

    /// Half the cells, and one, less the number of stones that the winner will have placed:
    /// 22 less that on 6x7. Positive if the player to move wins. On a board of an odd number
    /// of cells the winner's last stone but none still counts 1.
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
