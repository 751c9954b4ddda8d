//! Reviews of games: the value of every move, and the moves that gave value away.

use balpan::{Outcome, Turn};
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
    /// For the first position and the one after each move, the index in `players` of the player to move there.
    #[serde(skip)]
    pub turns: Vec<usize>,
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
    /// The outcome stays, but a win takes longer or a loss comes sooner than necessary, or the score is less.
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
                let values = before.value().zip(worth.value());
                values.is_some_and(|(best, taken)| best != taken).then_some(Self::Dubious)
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
        let worth = |ply: usize| {
            let worth = match record.end {
                Some(value) if ply == last => Some(ReportedValue::from(value)),
                _ => answer(ply).and_then(known_worth),
            };
            worth.map(|worth| worth.with_score(record.has_scores))
        };
        let reviewed = |(ply, text): (usize, &String)| {
            let before = worth(ply);
            let among =
                |answer: &Answer| answer.moves.iter().find(|of| of.text == *text)?.verdict().map(ReportedValue::from);
            // The answer about the position after the move may have plies where the move's own has none.
            let made = worth(ply + 1)
                .map(|worth| worth.across(turn_after(&record.turns, ply), 1))
                .or_else(|| answer(ply).and_then(among));
            let mark = before.zip(made).and_then(|(before, made)| Annotation::new(before, made));
            MoveReview {
                text: text.clone(),
                player: record.players[record.turns[ply]],
                before,
                worth: made,
                mark,
                best: answer(ply).map_or_else(Vec::new, |answer| answer.best.clone()),
                position: record.positions[ply + 1].clone(),
            }
        };
        let winner = record.end.and_then(|value| match value.outcome() {
            Outcome::Win => Some(record.players[record.turns[last]]),
            Outcome::Loss => Some(record.players[1 - record.turns[last]]),
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
            turns: record.turns.clone(),
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
            Some(last) => Some(self.moves.get(last)?.worth?.across(turn_after(&self.turns, last), -1)),
        }
    }

    /// Returns the winner after `ply` moves and the plies to the end, as far as known. Player 0 begins; the
    /// winner of a draw is `None`.
    #[must_use]
    pub fn winner_after(&self, ply: usize) -> Option<(Option<usize>, Option<u32>)> {
        let worth = self.value_after(ply)?;
        let winner = match worth.outcome {
            Outcome::Win => Some(self.turns[ply]),
            Outcome::Loss => Some(1 - self.turns[ply]),
            Outcome::Draw => None,
        };
        Some((winner, worth.remoteness))
    }
}

impl MoveReview {
    /// Returns how much of the score the move gave away; `None` if it gave nothing away, or the game has no scores.
    #[must_use]
    pub fn points_lost(&self) -> Option<u32> {
        let (before, worth) = (self.before?, self.worth?);
        before.points()?.checked_sub(worth.points()?).filter(|points| *points > 0).map(i32::unsigned_abs)
    }
}

/// Returns the value in an answer; `None` while its plies or score may still be found.
fn known_worth(answer: &Answer) -> Option<ReportedValue> {
    answer.verdict().filter(|_| answer.complete || answer.is_value_known()).map(ReportedValue::from)
}

/// Returns whose turn it is after move `ply`, given the player to move in each position.
fn turn_after(turns: &[usize], ply: usize) -> Turn {
    if turns[ply] == turns[ply + 1] { Turn::Kept } else { Turn::Passes }
}
