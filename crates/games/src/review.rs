//! Reviews of games: the value of each move, and where the game was given away.

use balpan::Outcome;
use serde::Serialize;

use crate::answer::{Answer, Worth};
use crate::record::Record;

/// The review of a game. As JSON, the field names are part of the command's contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Review {
    /// The name of the game.
    pub game: String,
    /// The rules that differ from those of the named game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
    /// The player who begins, and the other.
    pub players: [&'static str; 2],
    /// The position where the game begins.
    pub position: String,
    /// Its value for the player who begins, if it is known.
    pub worth: Option<Worth>,
    /// The moves.
    pub moves: Vec<Reviewed>,
    /// Whether play is over at the end.
    pub over: bool,
    /// Who has won by then.
    pub winner: Option<&'static str>,
    /// Whether the values of all positions are known.
    pub complete: bool,
}

/// The review of a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reviewed {
    /// The move's text.
    #[serde(rename = "move")]
    pub text: String,
    /// Who made it.
    pub player: &'static str,
    /// The value before it for that player, if it is known.
    pub before: Option<Worth>,
    /// Its value for that player, if it is known.
    pub worth: Option<Worth>,
    /// What it gave away.
    pub mark: Option<Mark>,
    /// The moves that would have given nothing away.
    pub best: Vec<String>,
    /// The position that it led to.
    pub position: String,
}

/// What a move gave away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Mark {
    /// Plies: the same player still wins, but a winner is slower or a loser faster than necessary.
    #[serde(rename = "?!")]
    Slower,
    /// A win for a draw, or a draw.
    #[serde(rename = "?")]
    Half,
    /// A win for a loss.
    #[serde(rename = "??")]
    All,
}

impl Mark {
    /// The sign behind a move.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Slower => "?!",
            Self::Half => "?",
            Self::All => "??",
        }
    }

    /// What a move gives away that is worth `worth`, in a position worth `before`.
    fn of(before: Worth, worth: Worth) -> Option<Self> {
        match (before.outcome, worth.outcome) {
            (Outcome::Win, Outcome::Loss) => Some(Self::All),
            (before, after) if before != after => Some(Self::Half),
            _ => {
                let plies = before.remoteness.zip(worth.remoteness);
                plies.is_some_and(|(best, taken)| best != taken).then_some(Self::Slower)
            }
        }
    }
}

impl Review {
    /// Reviews a game, given the answers for its positions: the first one and the one after each move. The
    /// last one may be missing if play is over there.
    #[must_use]
    pub fn new(name: &str, rules: Vec<String>, record: &Record, known: &[Option<&Answer>]) -> Self {
        let last = record.moves.len();
        let answer = |ply: usize| known.get(ply).copied().flatten();
        let worth = |ply: usize| match record.end {
            Some(outcome) if ply == last => {
                let remoteness = (outcome != Outcome::Draw).then_some(0);
                Some(Worth { outcome, remoteness })
            }
            _ => answer(ply).and_then(known_worth),
        };
        let reviewed = |(ply, text): (usize, &String)| {
            let before = worth(ply);
            let among = |answer: &Answer| {
                let found = answer.moves.iter().find(|of| of.text == *text)?;
                Some(Worth { outcome: found.outcome?, remoteness: found.remoteness })
            };
            // What the position after it is worth says the most.
            let made = worth(ply + 1).map(back).or_else(|| answer(ply).and_then(among));
            let mark = before.zip(made).and_then(|(before, made)| Mark::of(before, made));
            Reviewed {
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

    /// The moves that changed who wins, by their numbers from 0.
    pub fn turning_points(&self) -> impl Iterator<Item = usize> {
        let is_turn = |mv: &Reviewed| matches!(mv.mark, Some(Mark::Half | Mark::All));
        self.moves.iter().enumerate().filter(move |(_, mv)| is_turn(mv)).map(|(n, _)| n)
    }

    /// The value after `ply` moves for the player to move there.
    #[must_use]
    pub fn worth_after(&self, ply: usize) -> Option<Worth> {
        match ply.checked_sub(1) {
            None => self.worth,
            Some(last) => self.moves.get(last).and_then(|mv| mv.worth).map(ahead),
        }
    }

    /// Who wins after `ply` moves, 0 being who begins, and in how many plies; or a draw.
    #[must_use]
    pub fn winner_after(&self, ply: usize) -> Option<(Option<usize>, Option<u32>)> {
        let worth = self.worth_after(ply)?;
        let winner = match worth.outcome {
            Outcome::Win => Some(ply % 2),
            Outcome::Loss => Some(1 - ply % 2),
            Outcome::Draw => None,
        };
        Some((winner, worth.remoteness))
    }
}

/// The value in an answer.
fn known_worth(answer: &Answer) -> Option<Worth> {
    let outcome = answer.outcome?;
    // Plies that are still to be found are not left out.
    let is_known = answer.complete || outcome == Outcome::Draw || answer.remoteness.is_some();
    is_known.then_some(Worth { outcome, remoteness: answer.remoteness })
}

/// What a move is worth that leads to a position of this worth.
fn back(worth: Worth) -> Worth {
    Worth { outcome: worth.outcome.reversed(), remoteness: worth.remoteness.map(|plies| plies + 1) }
}

/// What the position is worth that a move of this worth leads to.
fn ahead(worth: Worth) -> Worth {
    Worth { outcome: worth.outcome.reversed(), remoteness: worth.remoteness.map(|plies| plies.saturating_sub(1)) }
}
