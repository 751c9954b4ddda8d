//! Messages for claims that are not proved.

use super::answers::Question;
use crate::CheckError;
use crate::trusted::claim::{Guarantee, Header};
use crate::trusted::game::{Game, Move, Position, WON};
use crate::trusted::strategy::{Goal, MAX_PLIES, NodeClaim};

/// A claim about a position is not shown, and why.
pub(crate) fn not_proved(game: &dyn Game, at: &Position, claim: &str, why: &str) -> CheckError {
    let rows = game.write(at).replace('/', "\n  ");
    CheckError::NotProved(format!("it is not shown that {claim}: {why}, in\n\n  {rows}\n"))
}

/// The player who is not to move is not shown to have the guarantee.
fn refuted(game: &dyn Game, at: &Position, guarantee: Guarantee, why: &str) -> CheckError {
    not_proved(game, at, &format!("{} {guarantee}", game.players(at)[1]), why)
}

/// Play has ended otherwise than claimed.
pub(crate) fn has_ended(game: &dyn Game, at: &Position, is_mover: bool, guarantee: Guarantee) -> CheckError {
    let player = game.players(at)[usize::from(!is_mover)];
    not_proved(game, at, &format!("{player} {guarantee}"), "play has ended")
}

pub(crate) fn ends_play(game: &dyn Game, at: &Position, guarantee: Guarantee, mv: &Move) -> CheckError {
    refuted(game, at, guarantee, &format!("{} ends play", game.write_move(mv.number)))
}

pub(crate) fn bad_reply(game: &dyn Game, question: &Question<'_>, index: usize) -> CheckError {
    let why = match question.replies.get(index) {
        Some(reply) => format!("the reply {} is not enough", game.write_move(reply.number)),
        None => "there is no such reply".into(),
    };
    refuted(game, question.at, question.guarantee, &why)
}

pub(crate) fn bad_pairs(game: &dyn Game, at: &Position, guarantee: Guarantee) -> CheckError {
    refuted(game, at, guarantee, "the pairs do not block all lines")
}

pub(crate) fn too_many_claims(announced: u64) -> CheckError {
    CheckError::NotACertificate(format!("more claims than the {announced} announced"))
}

/// A search did not settle a claim: nothing answers a move, or the positions do not suffice.
pub(crate) fn not_searched(header: &Header, at: &Position, guarantee: Guarantee, refuting: Option<u32>) -> CheckError {
    let why = match refuting {
        Some(mv) => format!("nothing answers {}", header.game.write_move(mv)),
        None => format!("a search of {} positions is not enough", header.settle),
    };
    refuted(&*header.game, at, guarantee, &why)
}

/// A claim of a strategy is not shown, and why.
pub(crate) fn node_fails(game: &dyn Game, claim: &NodeClaim, why: &str) -> CheckError {
    let player = game.players(&claim.node.at)[usize::from(!claim.node.is_claimer)];
    let plies = claim.plies;
    let what = match claim.goal {
        Goal::Keep(0) => "draws or wins".into(),
        Goal::Keep(least) => format!("gets at least {least}"),
        Goal::Delay => format!("does not lose before {plies} plies"),
        Goal::Reach(1 | WON) if plies == MAX_PLIES => "wins".into(),
        Goal::Reach(1 | WON) => format!("wins within {plies} plies"),
        Goal::Reach(least) if plies == MAX_PLIES => format!("gets at least {least}"),
        Goal::Reach(least) => format!("gets at least {least} within {plies} plies"),
    };
    not_proved(game, &claim.node.at, &format!("{player} {what}"), why)
}

/// A move does not lead to what is claimed.
pub(crate) fn move_fails(game: &dyn Game, claim: &NodeClaim, mv: &Move, does: &str) -> CheckError {
    node_fails(game, claim, &format!("{} {does}", game.write_move(mv.number)))
}

/// A part is not shown to have its nimber.
pub(crate) fn not_the_nimber(game: &dyn Game, at: &Position, nimber: u32, why: &str) -> CheckError {
    not_proved(game, at, &format!("the nimber is {nimber}"), why)
}
