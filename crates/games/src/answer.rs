//! Answers as text, for every family: the output of `--json`.

use std::time::Duration;

use balpan::{Bounds, Goal, MAX_PLIES, Outcome, Turn, Value, Verdict};
use serde::{Serialize, Serializer};

use crate::notation::{Notation, PlayerName};

/// An answer about a position and its moves, with a line of best play. The JSON field names are part of
/// the command's contract.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Answer {
    /// The game's name.
    pub game: String,
    /// The rules that differ from those of the named game, as `key=value`: `misere=true`. The caller fills
    /// them in.
    pub rules: Vec<String>,
    /// The position's text.
    pub position: String,
    /// The player to move.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub to_move: PlayerName,
    /// The outcome for that player; `None` while unknown.
    #[serde(serialize_with = "serialize_known_outcome")]
    #[cfg_attr(feature = "openapi", schema(required = true, schema_with = known_outcome_schema))]
    pub outcome: Option<Outcome>,
    /// Plies to the end; `None` for a draw or a score, while unknown, or if the query's goal excludes them.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub remoteness: Option<u32>,
    /// The score for that player, 0 for a draw; left out in a game without scores.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub score: Option<i32>,
    /// The winner; `None` for a draw or while unknown.
    #[cfg_attr(feature = "openapi", schema(required = true, value_type = Option<String>))]
    pub winner: Option<PlayerName>,
    /// The best moves found so far: those that provably keep the value.
    pub best: Vec<String>,
    /// Every move that the goal includes, in the game's order.
    pub moves: Vec<MoveAnswer>,
    /// Best moves to the end of play.
    pub line: Vec<String>,
    /// For each move of the line, who makes it: 0 for the player to move, 1 for the other. Left out where turns alternate.
    #[serde(skip_serializing_if = "is_alternating")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub line_turns: Vec<usize>,
    /// Whether the line ends where a position comes again: play without end is a draw. Left out if not.
    #[serde(skip_serializing_if = "is_false")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub repeats: bool,
    /// The nimber or misère value, if the query includes it.
    #[serde(flatten)]
    #[cfg_attr(feature = "openapi", schema(ignore))]
    pub nim_value: Option<NimValue>,
    /// A lower bound on the nimber, if its search was stopped and the bound says more than the outcome does.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(ignore))]
    pub nimber_at_least: Option<u32>,
    /// Whether the answer holds everything that the query's goal includes.
    pub complete: bool,
    /// Bounds on the value, while it is unknown.
    #[serde(flatten)]
    pub within: ReportedBounds,
    /// The number of positions searched.
    pub positions_searched: u64,
    /// The time taken, in seconds.
    pub seconds: f64,
    /// How far the answer goes when it is complete.
    #[serde(skip)]
    pub goal: Goal,
}

/// A move with its value for the player who makes it. A best move repeats the position's value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = WorthOfMove))]
pub struct MoveAnswer {
    /// The move's text.
    #[serde(rename = "move")]
    pub text: String,
    /// The outcome for that player; `None` while unknown.
    #[serde(serialize_with = "serialize_known_outcome")]
    #[cfg_attr(feature = "openapi", schema(required = true, schema_with = known_outcome_schema))]
    pub outcome: Option<Outcome>,
    /// Plies to the end, this move included.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub remoteness: Option<u32>,
    /// The score for that player, 0 for a draw; left out in a game without scores.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub score: Option<i32>,
    /// The position after the move.
    pub position: String,
    /// Whether the same player is to move there. Left out if not.
    #[serde(skip_serializing_if = "is_false")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub keeps_turn: bool,
    /// Bounds on the move's value, while it is unknown.
    #[serde(flatten)]
    pub within: ReportedBounds,
}

/// Bounds on an unknown value. A bound that excludes nothing is left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Within))]
pub struct ReportedBounds {
    /// The value is this or better.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub at_least: Option<ReportedValue>,
    /// The value is this or worse.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub at_most: Option<ReportedValue>,
}

/// A value, for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Worth))]
pub struct ReportedValue {
    /// The outcome.
    #[serde(serialize_with = "serialize_outcome")]
    #[cfg_attr(feature = "openapi", schema(schema_with = outcome_schema))]
    pub outcome: Outcome,
    /// Plies to the end; `None` for a draw or while unknown.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub remoteness: Option<u32>,
    /// The score, 0 for a draw; left out in a game without scores.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub score: Option<i32>,
}

/// The number that represents a position of an impartial game in a sum. The JSON names are part of the
/// command's contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NimValue {
    /// Normal play: the size of the Nim heap that the position equals.
    Nimber(u64),
    /// Misère play: the size of the Nim heap beside which the position is lost.
    MisereValue(u64),
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
pub(crate) const fn is_false(condition: &bool) -> bool {
    !*condition
}

/// Whether the turns of a line alternate.
#[must_use]
pub fn is_alternating(turns: &[usize]) -> bool {
    turns.iter().enumerate().all(|(n, turn)| *turn == n % 2)
}

fn serialize_known_outcome<S: Serializer>(outcome: &Option<Outcome>, serializer: S) -> Result<S::Ok, S::Error> {
    match outcome {
        Some(outcome) => serializer.collect_str(outcome),
        None => serializer.serialize_none(),
    }
}

fn serialize_outcome<S: Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(outcome)
}

/// The schema of an outcome.
#[cfg(feature = "openapi")]
fn outcome_schema() -> utoipa::openapi::Object {
    use utoipa::openapi::{ObjectBuilder, Type};

    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(["win", "draw", "loss"])).build()
}

/// The schema of an outcome that may be null.
#[cfg(feature = "openapi")]
fn known_outcome_schema() -> utoipa::openapi::schema::OneOfBuilder {
    use utoipa::openapi::{ObjectBuilder, OneOfBuilder, Type};

    OneOfBuilder::new().item(ObjectBuilder::new().schema_type(Type::Null)).item(outcome_schema())
}

impl Answer {
    /// Creates an answer that follows without a search: who wins, and winning moves with the positions after them.
    pub(crate) fn by_theory(
        position: String,
        [mover, other]: [PlayerName; 2],
        is_lost: bool,
        winning: Vec<(String, String)>,
        nim_value: Option<NimValue>,
    ) -> Self {
        let winning_move = |(text, position)| MoveAnswer {
            text,
            outcome: Some(Outcome::Win),
            remoteness: None,
            score: None,
            position,
            keeps_turn: false,
            within: ReportedBounds::default(),
        };
        Self {
            game: String::new(),
            rules: Vec::new(),
            position,
            to_move: mover,
            outcome: Some(if is_lost { Outcome::Loss } else { Outcome::Win }),
            remoteness: None,
            score: None,
            winner: Some(if is_lost { other } else { mover }),
            best: winning.iter().map(|(text, _)| text.clone()).collect(),
            moves: winning.into_iter().map(winning_move).collect(),
            line: Vec::new(),
            repeats: false,
            line_turns: Vec::new(),
            nim_value,
            nimber_at_least: None,
            complete: true,
            within: ReportedBounds::default(),
            positions_searched: 0,
            seconds: 0.0,
            goal: Goal::Winner,
        }
    }

    /// Converts the engine's answer about `position`, found in `time`, to text. `name` is the game's.
    pub fn new<G: Notation>(
        game: &G,
        name: &str,
        position: &G::Position,
        known: &balpan::Answer<G::Move>,
        time: Duration,
    ) -> Self {
        let [mover, other] = game.players(position);
        let (outcome, verdict) = (known.outcome(), known.verdict());
        let has_scores = game.max_score() > 0;
        let score = |verdict: Verdict| ReportedValue::from(verdict).with_score(has_scores).score;
        let (mut end, mut turn, mut line_turns) = (position.clone(), 0, Vec::with_capacity(known.line.len()));
        for &mv in &known.line {
            line_turns.push(turn);
            let after = game.play(&end, mv);
            turn = game.turn(&end, mv, &after).next_player(turn);
            end = after;
        }
        let move_of = |(mv, bounds): (G::Move, Bounds)| {
            let verdict = known.verdict_for(bounds);
            let after = game.play(position, mv);
            MoveAnswer {
                text: game.move_text(position, mv),
                outcome: verdict.map(|verdict| verdict.outcome),
                remoteness: verdict.and_then(|verdict| verdict.remoteness),
                score: verdict.and_then(score),
                position: game.text(&after),
                keeps_turn: game.turn(position, mv, &after) == Turn::Kept,
                within: ReportedBounds::new(known, bounds),
            }
        };
        Self {
            game: name.to_owned(),
            rules: Vec::new(),
            position: game.text(position),
            to_move: mover,
            outcome,
            remoteness: verdict.and_then(|verdict| verdict.remoteness),
            score: verdict.and_then(score),
            winner: match outcome {
                Some(Outcome::Win) => Some(mover),
                Some(Outcome::Loss) => Some(other),
                Some(Outcome::Draw) | None => None,
            },
            best: known.best_moves().map(|mv| game.move_text(position, mv)).collect(),
            moves: known.moves_to_show().map(move_of).collect(),
            line: format_line(game, position, &known.line),
            repeats: outcome == Some(Outcome::Draw) && !line_turns.is_empty() && !game.is_over(&end),
            line_turns,
            nim_value: None,
            nimber_at_least: None,
            complete: known.complete,
            within: ReportedBounds::new(known, known.bounds),
            positions_searched: known.positions,
            seconds: time.as_secs_f64(),
            goal: known.goal,
        }
    }

    /// Returns the outcome with the plies, as far as they are known.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        known_verdict(self.outcome, self.remoteness, self.score)
    }

    /// Whether the value is known, and not the outcome alone.
    #[must_use]
    pub fn is_value_known(&self) -> bool {
        self.verdict().is_some_and(|verdict| ReportedValue::from(verdict).value().is_some())
    }

    /// Whether the move is one of the best moves found so far.
    #[must_use]
    pub fn is_best(&self, mv: &MoveAnswer) -> bool {
        self.best.contains(&mv.text)
    }
}

/// Returns the verdict of an answer's fields; a score of 0 is a draw.
fn known_verdict(outcome: Option<Outcome>, remoteness: Option<u32>, score: Option<i32>) -> Option<Verdict> {
    Some(Verdict { outcome: outcome?, remoteness, score: score.filter(|score| *score != 0) })
}

impl MoveAnswer {
    /// Returns the outcome with the plies, as far as they are known.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        known_verdict(self.outcome, self.remoteness, self.score)
    }

    /// Whether the move's value is known, and not the outcome alone.
    #[must_use]
    pub fn is_value_known(&self) -> bool {
        self.verdict().is_some_and(|verdict| ReportedValue::from(verdict).value().is_some())
    }
}

impl ReportedBounds {
    /// The bounds to report beside an answer: none if it is complete, or if it settles what its goal needs.
    #[must_use]
    pub fn new<M: Copy>(known: &balpan::Answer<M>, bounds: Bounds) -> Self {
        let is_known =
            if known.goal.includes_remoteness() { bounds.value().is_some() } else { bounds.outcome().is_some() };
        if known.complete || is_known {
            return Self::default();
        }
        // The widest bounds of a position that has a move, and of a move that leads to one.
        let widest = [Bounds::ANY, Turn::Passes.bounds_to_parent(Bounds::ANY)];
        let bound = |bound: Value, is_trivial: bool| (!is_trivial).then(|| ReportedValue::from_bound(bound));
        Self {
            at_least: bound(bounds.lower, widest.iter().any(|widest| widest.lower == bounds.lower)),
            at_most: bound(bounds.upper, widest.iter().any(|widest| widest.upper == bounds.upper)),
        }
    }
}

impl<V: Into<Verdict>> From<V> for ReportedValue {
    fn from(value: V) -> Self {
        let Verdict { outcome, remoteness, score } = value.into();
        Self { outcome, remoteness, score }
    }
}

impl ReportedValue {
    fn from_bound(value: Value) -> Self {
        let known = Self::from(value);
        Self { remoteness: known.remoteness.filter(|plies| *plies < MAX_PLIES), ..known }
    }

    /// Returns the value; `None` if only the outcome is known.
    #[must_use]
    pub fn value(self) -> Option<Value> {
        match (self.outcome, self.remoteness) {
            (Outcome::Draw, _) => Some(Value::DRAW),
            (Outcome::Win, Some(plies)) => Some(Value::win(plies)),
            (Outcome::Loss, Some(plies)) => Some(Value::loss(plies)),
            (_, None) => self.score.map(Value::from_score),
        }
    }

    /// Returns the value as it is seen on the other side of a move: before it, with one of the `plies` more, or after it, with
    /// one less.
    #[must_use]
    pub fn across(self, turn: Turn, plies: i32) -> Self {
        let remoteness = self.remoteness.map(|remoteness| remoteness.saturating_add_signed(plies));
        match turn {
            Turn::Kept => Self { remoteness, ..self },
            Turn::Passes => {
                Self { outcome: self.outcome.reversed(), remoteness, score: self.score.map(|score| -score) }
            }
        }
    }

    /// Returns the value with the score of a draw, if the game has scores.
    #[must_use]
    pub fn with_score(self, has_scores: bool) -> Self {
        Self { score: if has_scores { self.points() } else { self.score }, ..self }
    }

    /// Returns the score; 0 for a draw.
    #[must_use]
    pub fn points(self) -> Option<i32> {
        if self.outcome == Outcome::Draw { Some(0) } else { self.score }
    }
}

/// Writes each move of a line that is played from `start`.
pub fn format_line<G: Notation>(game: &G, start: &G::Position, line: &[G::Move]) -> Vec<String> {
    let mut position = start.clone();
    let mut texts = Vec::with_capacity(line.len());
    for &mv in line {
        texts.push(game.move_text(&position, mv));
        position = game.play(&position, mv);
    }
    texts
}
