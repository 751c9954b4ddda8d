//! Answers as text, for every family: what `--json` prints.

use std::time::Duration;

use balpan::{Bounds, MOST_PLIES, Outcome, Value};
use serde::{Serialize, Serializer};

use crate::notation::Notation;

/// What is known of a position and its moves, and a line of best play. As JSON, the
/// field names are part of the command's contract.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// What the game is called.
    pub game: String,
    /// The rules that differ from those of the named game, as a rules file has them: `misere=true`.
    /// Empty until the caller adds them.
    pub rules: Vec<String>,
    /// The position's text.
    pub position: String,
    /// The player to move.
    pub to_move: &'static str,
    /// Whether that player wins; `None` if it is not known yet.
    #[serde(serialize_with = "in_words")]
    pub outcome: Option<Outcome>,
    /// Plies to the end; `None` for a draw, or if they were not asked for or are not known
    /// yet.
    pub remoteness: Option<u32>,
    /// Who wins, if anybody.
    pub winner: Option<&'static str>,
    /// The moves that are known to be as good as any.
    pub best: Vec<String>,
    /// Every move that was asked for, in the game's order.
    pub moves: Vec<WorthOfMove>,
    /// Best moves to the end.
    pub line: Vec<String>,
    /// What it counts for in a sum, if that was asked for.
    #[serde(flatten)]
    pub number: Option<Number>,
    /// What the nimber is at least, if the search for it was stopped and that is more than who wins tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nimber_at_least: Option<u32>,
    /// Whether all that was asked for is there.
    pub complete: bool,
    /// What bounds the value, where it was asked for and is not known.
    #[serde(flatten)]
    pub within: Within,
    /// What it cost.
    pub positions_searched: u64,
    /// And how long it took.
    pub seconds: f64,
}

/// What a move is worth to the player who makes it: a best move repeats the position's own.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorthOfMove {
    /// The move's text.
    #[serde(rename = "move")]
    pub text: String,
    /// Whether that player wins; `None` if it is not known yet.
    #[serde(serialize_with = "in_words")]
    pub outcome: Option<Outcome>,
    /// Plies to the end, the move's own among them.
    pub remoteness: Option<u32>,
    /// The position that it leads to.
    pub position: String,
    /// What bounds its value, where that was asked for and is not known.
    #[serde(flatten)]
    pub within: Within,
}

/// Bounds on a value that is not known. A bound that says nothing is left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Within {
    /// The value is this or better.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_least: Option<Worth>,
    /// The value is this or worse.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_most: Option<Worth>,
}

/// A value, for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Worth {
    /// Who wins.
    #[serde(serialize_with = "in_a_word")]
    pub outcome: Outcome,
    /// Plies to the end; `None` for a draw, or if nothing is known of them.
    pub remoteness: Option<u32>,
}

/// What a position of an impartial game counts for in a sum. As JSON, the names are
/// part of the command's contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Number {
    /// By the normal convention: the heap of Nim that it is worth.
    Nimber(u32),
    /// By the misère convention: the heap of Nim beside which it is lost.
    MisereValue(u32),
}

fn in_words<S: Serializer>(outcome: &Option<Outcome>, serializer: S) -> Result<S::Ok, S::Error> {
    match outcome {
        Some(outcome) => serializer.collect_str(outcome),
        None => serializer.serialize_none(),
    }
}

fn in_a_word<S: Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(outcome)
}

impl Answer {
    /// What is known of `position`, found within `time`.
    pub fn new<G: Notation>(
        game: &G,
        name: &str,
        position: &G::Position,
        known: &balpan::Answer<G::Move>,
        time: Duration,
    ) -> Self {
        let [mover, other] = game.players(position);
        let outcome = known.outcome();
        let move_of = |(mv, bounds): (G::Move, Bounds)| {
            let verdict = known.told(bounds);
            WorthOfMove {
                text: game.move_text(position, mv),
                outcome: verdict.map(|verdict| verdict.outcome),
                remoteness: verdict.and_then(|verdict| verdict.remoteness),
                position: game.text(&game.play(position, mv)),
                within: Within::of(known, bounds),
            }
        };
        Self {
            game: name.to_owned(),
            rules: Vec::new(),
            position: game.text(position),
            to_move: mover,
            outcome,
            remoteness: known.verdict().and_then(|verdict| verdict.remoteness),
            winner: match outcome {
                Some(Outcome::Win) => Some(mover),
                Some(Outcome::Loss) => Some(other),
                Some(Outcome::Draw) | None => None,
            },
            best: known.best().map(|mv| game.move_text(position, mv)).collect(),
            moves: known.shown().map(move_of).collect(),
            line: line_texts(game, position, &known.line),
            number: None,
            nimber_at_least: None,
            complete: known.complete,
            within: Within::of(known, known.bounds),
            positions_searched: known.positions,
            seconds: time.as_secs_f64(),
        }
    }

    /// Whether the move is known to be one of the best.
    #[must_use]
    pub fn is_best(&self, mv: &WorthOfMove) -> bool {
        self.best.contains(&mv.text)
    }
}

impl Within {
    /// The bounds of what was asked for and is not known.
    #[must_use]
    pub fn of<M: Copy>(known: &balpan::Answer<M>, bounds: Bounds) -> Self {
        let is_known = if known.ask.plies() { bounds.value().is_some() } else { bounds.outcome().is_some() };
        if known.complete || is_known {
            return Self::default();
        }
        // Of a position that has a move no more can be said than this, and of a move to it.
        let nothing = [Bounds::ANY, Bounds::ANY.back()];
        let told = |bound: Value, is_nothing: bool| (!is_nothing).then(|| Worth::of(bound));
        Self {
            at_least: told(bounds.lower, nothing.iter().any(|nothing| nothing.lower == bounds.lower)),
            at_most: told(bounds.upper, nothing.iter().any(|nothing| nothing.upper == bounds.upper)),
        }
    }
}

impl Worth {
    fn of(value: Value) -> Self {
        Self { outcome: value.outcome(), remoteness: value.remoteness().filter(|plies| *plies < MOST_PLIES) }
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
