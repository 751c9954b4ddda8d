//! The report on a value. The JSON field names are part of the command's contract.

use balpan_cgt::{Player, Thermograph};
use serde::Serialize;

/// The report on a value, or on the difference of two values in a comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValueReport {
    /// The expression.
    pub expression: String,
    /// Whether all fields are filled in.
    pub complete: bool,
    /// The reason why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unfinished: Option<String>,
    /// The comparison, if the expression is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compared: Option<Comparison>,
    /// The canonical form, with names for repeated followers.
    pub value: Option<String>,
    /// The definitions of the names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<Definition>,
    /// The outcome class: `left`, `right`, `first` or `second`.
    pub outcome: Option<&'static str>,
    /// The left and right stop.
    pub stops: Option<[String; 2]>,
    /// Integers between which the value lies, if it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[i64; 2]>,
    /// Integers between which each stop lies, if they are unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_bounds: Option<[[i64; 2]; 2]>,
    /// Further properties.
    #[serde(flatten)]
    pub facts: ValueFacts,
    /// The winning moves of either player moving first.
    pub moves: Option<PerPlayer<WinningPlay>>,
    /// A winning reply to each move of a player who loses moving first.
    #[serde(skip_serializing_if = "PerPlayer::is_empty")]
    pub replies: PerPlayer<Reply>,
    /// The components of the sum.
    pub components: Vec<SumTerm>,
    /// The number of canonical forms made.
    pub forms: usize,
    /// The number of positions evaluated or searched.
    pub positions: u64,
    /// The elapsed time in seconds.
    pub seconds: f64,
    /// The thermograph, for drawing.
    #[serde(skip)]
    pub thermograph: Option<Thermograph>,
}

/// Further properties of a value; `null` if unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ValueFacts {
    /// The mean value.
    pub mean: Option<String>,
    /// The temperature; `null` for a number, too.
    #[serde(serialize_with = "flat")]
    pub temperature: Option<Option<String>>,
    /// The walls of the thermograph.
    pub thermograph: Option<ThermographWalls>,
    /// The birthday.
    pub birthday: Option<u64>,
    /// The atomic weight of an all-small game.
    pub atomic_weight: Option<String>,
    /// The incentives, without dominated ones.
    pub incentives: Option<PerPlayer<String>>,
}

#[expect(clippy::ref_option, reason = "serde asks for it")]
fn flat<S: serde::Serializer>(of: &Option<Option<String>>, serializer: S) -> Result<S::Ok, S::Error> {
    of.as_ref().and_then(Option::as_ref).serialize(serializer)
}

/// The walls of a thermograph, as points of a tax and a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ThermographWalls {
    /// The left wall.
    pub left: Vec<[String; 2]>,
    /// The right wall.
    pub right: Vec<[String; 2]>,
}

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// The relation in the expression.
    pub asked: &'static str,
    /// Whether it holds.
    pub holds: bool,
    /// The one of `<`, `=`, `>` and `||` that holds.
    pub is: &'static str,
}

/// A list for each player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PerPlayer<T> {
    /// Left's list.
    pub left: Vec<T>,
    /// Right's list.
    pub right: Vec<T>,
}

impl<T> Default for PerPlayer<T> {
    fn default() -> Self {
        Self { left: Vec::new(), right: Vec::new() }
    }
}

impl<T> PerPlayer<T> {
    /// Returns the player's list.
    pub const fn for_player(&mut self, player: Player) -> &mut Vec<T> {
        match player {
            Player::Left => &mut self.left,
            Player::Right => &mut self.right,
        }
    }

    /// Returns whether both lists are empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.left.is_empty() && self.right.is_empty()
    }
}

/// A named part of a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Definition {
    /// The name.
    pub name: String,
    /// The definition.
    pub value: String,
}

/// A component of a sum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SumTerm {
    /// The component as written.
    pub game: String,
    /// The number of copies; negative for copies of the negative.
    pub times: i64,
    /// The value of one copy; of its negative, if `times` is negative.
    pub value: Option<String>,
    /// The temperature of one copy; `null` for a number.
    pub temperature: Option<String>,
}

impl SumTerm {
    pub(super) fn new(game: &str, times: i64) -> Self {
        Self { game: game.to_owned(), times, value: None, temperature: None }
    }
}

/// A winning move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WinningPlay {
    /// The component it is in, from 1.
    pub component: usize,
    /// The move; in a value, the option.
    #[serde(rename = "move")]
    pub mv: String,
    /// The component's position after the move, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The component's value after the move.
    pub value: String,
}

/// A losing move, with a reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reply {
    /// The component it is in, from 1.
    pub component: usize,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// A winning reply.
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
