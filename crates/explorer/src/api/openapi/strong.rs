//! What is served of strong solutions, described.

use utoipa::ToSchema;

use super::Outcome;

/// All solutions that are served.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes `balpan_strong::ServedList`")]
pub(crate) struct ServedList {
    solutions: Vec<Served>,
}

/// A solution that is served.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes `balpan_strong::Served`")]
pub(crate) struct Served {
    /// What it is asked by: 32 hexadecimal digits.
    id: String,
    /// The version of the format, which says what keys mean.
    version: u32,
    of: Subject,
}

/// What is solved.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes `balpan_strong::Subject`")]
pub(crate) struct Subject {
    game: String,
    /// The rules in full, as the text of a rules file.
    rules: String,
    /// The board, or the size of the start.
    size: String,
    /// The positions that play begins in.
    starts: Vec<String>,
    tells: Tells,
    /// Whether positions that a symmetry turns into each other are one.
    folded: bool,
    /// Of a book, the plies from a start within which positions are in it.
    plies: Option<u32>,
}

/// What is stored for each position.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "describes `balpan_strong::Tells`")]
pub(crate) enum Tells {
    Value,
    Nimber,
}

/// What is served of a position; all is `null` if it is not known.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes `balpan_strong::ServedPosition`")]
pub(crate) struct ServedPosition {
    /// For the player to move.
    outcome: Option<Outcome>,
    /// The plies to the end, of a win or a loss.
    remoteness: Option<u32>,
    /// Its nimber, of a solution with nimbers.
    nimber: Option<u32>,
}
