//! Reviews of games: the value of every move, and the moves that gave value away.

use balpan::Outcome;
use serde::Serialize;

use crate::answer::{Answer, ReportedValue};
use crate::notation::PlayerName;
use crate::record::Record;

/// The review of a game. The JSON field names are part of the command's contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Review {
    /// The name of the game.
    pub game: String,
    /// The rules that differ from those of the named game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
    /// The player who begins, and the other.
    #[cfg_attr(feature = "openapi", schema(value_type = [String; 2]))]
    pub players: [PlayerName; 2],
    /// The position where the game begins.
    pub position: String,
    /// The value of that position for the player who begins, if known.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub worth: Option<ReportedValue>,
    /// The moves.
    pub moves: Vec<MoveReview>,
    /// Whether the game has ended.
    pub over: bool,
    /// The winner of a game that has ended; `None` for a draw.
    #[cfg_attr(feature = "openapi", schema(required = true, value_type = Option<String>))]
    pub winner: Option<PlayerName>,
    /// Whether the values of all positions are known.
    pub complete: bool,
}

/// The review of a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Reviewed))]
pub struct MoveReview {
    /// The move's text.
    #[serde(rename = "move")]
    pub text: String,
    /// The player who made the move.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub player: PlayerName,
    /// The value of the position before the move for that player, if known.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub before: Option<ReportedValue>,
    /// The value of the move for that player, if known.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub worth: Option<ReportedValue>,
    /// The annotation of a move that gave value away.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub mark: Option<Annotation>,
    /// The best moves of the position before the move.
    pub best: Vec<String>,
    /// The position after the move.
    pub position: String,
}

/// The annotation of a move that gave value away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Mark))]
pub enum Annotation {
    /// The outcome stays, but a win takes longer or a loss comes sooner than necessary.
    #[serde(rename = "?!")]
    Dubious,
    /// A win becomes a draw, or a draw becomes a loss.
    #[serde(rename = "?")]
    Mistake,
    /// A win becomes a loss.
    #[serde(rename = "??")]
    Blunder,
}

impl Annotation {
    /// Returns the symbol that follows a move in a record.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Dubious => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    /// Returns the annotation of a move of value `worth` in a position of value `before`.
    fn new(before: ReportedValue, worth: ReportedValue) -> Option<Self> {
        match (before.outcome, worth.outcome) {
            (Outcome::Win, Outcome::Loss) => Some(Self::Blunder),
            (before, after) if before != after => Some(Self::Mistake),
            _ => {
                let plies = before.remoteness.zip(worth.remoteness);
                plies.is_some_and(|(best, taken)| best != taken).then_some(Self::Dubious)
            }
        }
    }
}

impl Review {
    /// Reviews a game, given the answers about its first position and the position after each move. The last
    /// answer may be missing if the game has ended.
    #[must_use]
    pub fn new(name: &str, rules: Vec<String>, record: &Record, known: &[Option<&Answer>]) -> Self {
        let last = record.moves.len();
        let answer = |ply: usize| known.get(ply).copied().flatten();
        let worth = |ply: usize| match record.end {
            Some(outcome) if ply == last => {
                let remoteness = (outcome != Outcome::Draw).then_some(0);
                Some(ReportedValue { outcome, remoteness, score: None })
            }
            _ => answer(ply).and_then(known_worth),
        };
        let reviewed = |(ply, text): (usize, &String)| {
            let before = worth(ply);
            let among = |answer: &Answer| {
                let found = answer.moves.iter().find(|of| of.text == *text)?;
                Some(ReportedValue { outcome: found.outcome?, remoteness: found.remoteness, score: None })
            };
            // The answer about the position after the move may have plies where the move's own has none.
            let made = worth(ply + 1).map(back).or_else(|| answer(ply).and_then(among));
            let mark = before.zip(made).and_then(|(before, made)| Annotation::new(before, made));
            MoveReview {
                text: text.clone(),
                player: record.players[ply % 2],
                before,
                worth: made,
                mark,
                best: answer(ply).map_or_else(Vec::new, |answer| answer.best.clone()),
                position: record.positions[ply + 1].clone(),
            }
        };
        let winner = record.end.and_then(|outcome| match outcome {
            Outcome::Win => Some(record.players[last % 2]),
            Outcome::Loss => Some(record.players[1 - last % 2]),
            Outcome::Draw => None,
        });
        Self {
            game: name.to_owned(),
            rules,
            players: record.players,
            position: record.positions[0].clone(),
            worth: worth(0),
            moves: record.moves.iter().enumerate().map(reviewed).collect(),
            over: record.end.is_some(),
            winner,
            complete: (0..=last).all(|ply| worth(ply).is_some()),
        }
    }

    /// Returns the indices of the moves that changed the outcome.
    pub fn turning_points(&self) -> impl Iterator<Item = usize> {
        let is_turn = |mv: &MoveReview| matches!(mv.mark, Some(Annotation::Mistake | Annotation::Blunder));
        self.moves.iter().enumerate().filter(move |(_, mv)| is_turn(mv)).map(|(n, _)| n)
    }

    /// Returns the value after `ply` moves for the player to move.
    #[must_use]
    pub fn value_after(&self, ply: usize) -> Option<ReportedValue> {
        match ply.checked_sub(1) {
            None => self.worth,
            Some(last) => self.moves.get(last).and_then(|mv| mv.worth).map(ahead),
        }
    }

    /// Returns the winner after `ply` moves and the plies to the end, as far as known. Player 0 begins; the
    /// winner of a draw is `None`.
    #[must_use]
    pub fn winner_after(&self, ply: usize) -> Option<(Option<usize>, Option<u32>)> {
        let worth = self.value_after(ply)?;
        let winner = match worth.outcome {
            Outcome::Win => Some(ply % 2),
            Outcome::Loss => Some(1 - ply % 2),
            Outcome::Draw => None,
        };
        Some((winner, worth.remoteness))
    }
}

/// Returns the value in an answer; `None` while its plies may still be found.
fn known_worth(answer: &Answer) -> Option<ReportedValue> {
    let outcome = answer.outcome?;
    let is_known = answer.complete || outcome == Outcome::Draw || answer.remoteness.is_some();
    is_known.then_some(ReportedValue { outcome, remoteness: answer.remoteness, score: None })
}

/// Returns the value of a move that leads to a position of this value.
fn back(worth: ReportedValue) -> ReportedValue {
    ReportedValue {
        outcome: worth.outcome.reversed(),
        remoteness: worth.remoteness.map(|plies| plies + 1),
        score: None,
    }
}

/// Returns the value of the position after a move of this value.
fn ahead(worth: ReportedValue) -> ReportedValue {
    ReportedValue {
        outcome: worth.outcome.reversed(),
        remoteness: worth.remoteness.map(|plies| plies.saturating_sub(1)),
        score: None,
    }
}
