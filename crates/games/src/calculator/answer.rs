//! What is told of a value. As JSON, the field names are part of the command's contract.

use balpan::cgt::{Player, Thermograph};
use serde::Serialize;

/// All that is told of a value, or of the difference of two that are compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValueReport {
    /// What was asked.
    pub expression: String,
    /// Whether all is told.
    pub complete: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unfinished: Option<String>,
    /// The comparison, if one was asked for: all else is told of the difference then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compared: Option<Comparison>,
    /// The canonical form, with names for what comes up in it again.
    pub value: Option<String>,
    /// What the names stand for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<Definition>,
    /// Who wins: `left` or `right`, or whoever moves `first` or `second`.
    pub outcome: Option<&'static str>,
    /// The numbers that play stops at when Left begins, and when Right does.
    pub stops: Option<[String; 2]>,
    /// Whole numbers that the value is no less and no more than, where it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[i64; 2]>,
    /// Whole numbers that each stop is between, where they are not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_bounds: Option<[[i64; 2]; 2]>,
    /// What else is told.
    #[serde(flatten)]
    pub facts: ValueFacts,
    /// The moves that win for the player who begins.
    pub moves: Option<PerPlayer<WinningPlay>>,
    /// To each move of a player who cannot win by beginning, a reply that wins.
    #[serde(skip_serializing_if = "PerPlayer::is_empty")]
    pub replies: PerPlayer<Reply>,
    /// The games of the sum.
    pub components: Vec<SumTerm>,
    /// How many canonical forms were made.
    pub forms: usize,
    /// How many positions were valued or searched.
    pub positions: u64,
    /// How long it took.
    pub seconds: f64,
    /// As a picture is drawn by it.
    #[serde(skip)]
    pub thermograph: Option<Thermograph>,
}

/// What else is told of a value; what is not known is `null`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ValueFacts {
    /// What many copies come to, by copy.
    pub mean: Option<String>,
    /// What a move is worth; `null` of a number, too.
    #[serde(serialize_with = "flat")]
    pub temperature: Option<Option<String>>,
    /// The walls of the thermograph.
    pub thermograph: Option<ThermographWalls>,
    /// The length of the longest play from the canonical form.
    pub birthday: Option<u64>,
    /// How many ups an all-small game counts for.
    pub atomic_weight: Option<String>,
    /// What the moves gain, but for those that gain no more than others.
    pub incentives: Option<PerPlayer<String>>,
}

#[expect(clippy::ref_option, reason = "serde asks for it")]
fn flat<S: serde::Serializer>(of: &Option<Option<String>>, serializer: S) -> Result<S::Ok, S::Error> {
    of.as_ref().and_then(Option::as_ref).serialize(serializer)
}

/// A thermograph's walls, as points of a tax and a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ThermographWalls {
    /// When Left begins.
    pub left: Vec<[String; 2]>,
    /// When Right begins.
    pub right: Vec<[String; 2]>,
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// The sign that was asked for.
    pub asked: &'static str,
    /// Whether it holds.
    pub holds: bool,
    /// The one of `<`, `=`, `>` and `||` that does.
    pub is: &'static str,
}

/// Something by player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PerPlayer<T> {
    /// Left's.
    pub left: Vec<T>,
    /// Right's.
    pub right: Vec<T>,
}

impl<T> Default for PerPlayer<T> {
    fn default() -> Self {
        Self { left: Vec::new(), right: Vec::new() }
    }
}

impl<T> PerPlayer<T> {
    /// The player's.
    pub const fn of(&mut self, player: Player) -> &mut Vec<T> {
        match player {
            Player::Left => &mut self.left,
            Player::Right => &mut self.right,
        }
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.left.is_empty() && self.right.is_empty()
    }
}

/// A part of a value that has a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Definition {
    /// The name.
    pub name: String,
    /// What it stands for.
    pub value: String,
}

/// A game of a sum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SumTerm {
    /// As it was parsed.
    pub game: String,
    /// How often it is there; less than 0 times, its negative.
    pub times: i64,
    /// What one of it is worth in the sum: of its negative, where `times` is less than 0.
    pub value: Option<String>,
    /// How much a move in it is worth; `null` of a number.
    pub temperature: Option<String>,
}

impl SumTerm {
    pub(super) fn named(game: &str, times: i64) -> Self {
        Self { game: game.to_owned(), times, value: None, temperature: None }
    }
}

/// A move that wins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WinningPlay {
    /// Which game of the sum it is in, from 1.
    pub component: usize,
    /// The move; in what is no position, the value that is moved to.
    #[serde(rename = "move")]
    pub mv: String,
    /// What it leaves of that game, if it is a position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// What that is worth.
    pub value: String,
}

/// A move that does not win, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reply {
    /// Which game of the sum it is in, from 1.
    pub component: usize,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// What the other player answers.
    pub reply: Option<WinningPlay>,
}

impl ValueReport {
    pub(super) fn new(expression: &str) -> Self {
        Self {
            expression: expression.to_owned(),
            complete: false,
            unfinished: None,
            compared: None,
            value: None,
            names: Vec::new(),
            outcome: None,
            stops: None,
            bounds: None,
            stop_bounds: None,
            facts: ValueFacts::default(),
            moves: None,
            replies: PerPlayer::default(),
            components: Vec::new(),
            forms: 0,
            positions: 0,
            seconds: 0.0,
            thermograph: None,
        }
    }
}
