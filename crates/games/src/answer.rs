//! An answer as text, whatever the family: what programs read as JSON.

use std::time::Duration;

use balpan::{Outcome, Verdict};
use serde::{Serialize, Serializer};

use crate::notation::Notation;
use crate::solving::{Number, Solved};

/// What a position and each of its moves are worth, and a line of best play. As JSON, the
/// field names are part of the command's contract.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// What the game is called.
    pub game: String,
    /// The position's text.
    pub position: String,
    /// The player to move.
    pub to_move: &'static str,
    /// Whether that player wins.
    #[serde(serialize_with = "in_words")]
    pub outcome: Outcome,
    /// Plies to the end; `None` for a draw, or if they were not asked for.
    pub remoteness: Option<u32>,
    /// Who wins, if anybody.
    pub winner: Option<&'static str>,
    /// The moves that reach the position's worth.
    pub best: Vec<String>,
    /// Every move that is known, in the game's order.
    pub moves: Vec<WorthOfMove>,
    /// Best moves to the end.
    pub line: Vec<String>,
    /// What it counts for in a sum, if that was asked for.
    #[serde(flatten)]
    pub number: Option<Number>,
    /// What it cost.
    pub positions_searched: u64,
    /// And how long it took.
    pub seconds: f64,
}

/// What a move is worth to the player who makes it: a best move repeats the position's own.
#[derive(Clone, Debug, Serialize)]
pub struct WorthOfMove {
    /// The move's text.
    #[serde(rename = "move")]
    pub text: String,
    /// Whether that player wins.
    #[serde(serialize_with = "in_words")]
    pub outcome: Outcome,
    /// Plies to the end, the move's own among them.
    pub remoteness: Option<u32>,
    /// The position that it leads to.
    pub position: String,
}

fn in_words<S: Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(outcome)
}

impl Answer {
    /// The answer to what was asked of `position`, found within `time`.
    pub fn new<G: Notation>(
        game: &G,
        name: &str,
        position: &G::Position,
        solved: &Solved<G::Move>,
        time: Duration,
    ) -> Self {
        let solution = &solved.solution;
        let [mover, other] = game.players(position);
        let worth = |&(mv, verdict): &(G::Move, Verdict)| WorthOfMove {
            text: game.move_text(position, mv),
            outcome: verdict.outcome,
            remoteness: verdict.remoteness,
            position: game.text(&game.play(position, mv)),
        };
        Self {
            game: name.to_owned(),
            position: game.text(position),
            to_move: mover,
            outcome: solution.verdict.outcome,
            remoteness: solution.verdict.remoteness,
            winner: match solution.verdict.outcome {
                Outcome::Win => Some(mover),
                Outcome::Loss => Some(other),
                Outcome::Draw => None,
            },
            best: solution.best().map(|mv| game.move_text(position, mv)).collect(),
            moves: solution.moves.iter().map(worth).collect(),
            line: line_texts(game, position, &solution.line),
            number: solved.number,
            positions_searched: solved.positions,
            seconds: time.as_secs_f64(),
        }
    }

    /// Whether the move is one of the best.
    #[must_use]
    pub fn is_best(&self, mv: &WorthOfMove) -> bool {
        (mv.outcome, mv.remoteness) == (self.outcome, self.remoteness)
    }
}

/// The moves of a line, each as text.
pub fn line_texts<G: Notation>(game: &G, start: &G::Position, line: &[G::Move]) -> Vec<String> {
    let mut position = start.clone();
    let mut texts = Vec::with_capacity(line.len());
    for &mv in line {
        texts.push(game.move_text(&position, mv));
        position = game.play(&position, mv);
    }
    texts
}
