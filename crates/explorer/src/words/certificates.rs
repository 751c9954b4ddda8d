//! Words about certificates.

use balpan_check::trusted::claim::Guarantee;
use balpan_check::untrusted::notation::Degree;
use balpan_games::PlayerName;

use super::players::{Name, name};
use super::position::plies;
use super::{Lang, grouped};
use crate::certificates::Statement;

balpan_messages::messages!("certificates");

pub(crate) fn size(lang: Lang, claims: u64, bytes: usize) -> String {
    sized(lang, claims, &grouped(claims), &grouped(bytes as u64))
}

/// The name of a player, from the checker's.
pub(crate) fn player(lang: Lang, player: &str) -> Name {
    let same = |plain, subject| Name { plain, subject, role: plain };
    match player {
        "the player to move" => {
            lang.pick(same("the player to move", "The player to move"), same("둘 차례인 쪽", "둘 차례인 쪽이"))
        }
        "the other player" => lang.pick(same("the other player", "The other player"), same("상대", "상대가")),
        player => name(lang, PlayerName::from_name(player).unwrap_or(PlayerName::First), 0),
    }
}

/// A statement as a sentence. The players are the one to move and the other.
pub(crate) fn statement(lang: Lang, statement: Statement, players: [Name; 2]) -> String {
    let of = |mover: bool| players[usize::from(!mover)];
    match statement {
        Statement::Nimber(n) => nimber(lang, n),
        Statement::Draw => draw(lang).to_owned(),
        Statement::WinInExactly { mover, plies: n } => wins_in_exactly(lang, of(mover).subject, &plies(lang, n)),
        Statement::Score { mover, score } => gets_exactly(lang, of(mover).subject, score),
        Statement::Guarantee { mover, guarantee } => {
            let who = of(mover).subject;
            match guarantee.degree() {
                Some(Degree::Win) => wins(lang, who),
                Some(Degree::Draw) => draws_or_wins(lang, who),
                Some(Degree::WinWithin(n)) => wins_within(lang, who, &plies(lang, n)),
                Some(Degree::NoLossBefore(n)) => no_loss_before(lang, who, &plies(lang, n)),
                None => match guarantee.score() {
                    Some(score) => gets_at_least(lang, who, score),
                    None => lang.pick(format!("{who} {guarantee}."), format!("{}: {guarantee}.", of(mover).plain)),
                },
            }
        }
    }
}

/// A claim as a sentence about the claimer.
pub(crate) fn guarantee(lang: Lang, claimer: Name, sure: Guarantee) -> String {
    let who = claimer.subject;
    match sure.degree() {
        Some(Degree::WinWithin(n)) => sure_to_win_within(lang, who, &plies(lang, n)),
        Some(Degree::NoLossBefore(n)) => sure_of_no_loss_before(lang, who, &plies(lang, n)),
        Some(Degree::Win) => sure_to_win(lang, who),
        Some(Degree::Draw) | None => sure_of_no_loss(lang, who),
    }
}

/// The end of play after a move, with the winner if there is one.
pub(crate) fn ends(lang: Lang, winner: Option<Name>) -> String {
    winner.map_or_else(|| ends_drawn(lang).to_owned(), |winner| ends_won(lang, winner.plain, winner.subject))
}

/// Left's moves elsewhere minus Right's.
pub(crate) fn moves_elsewhere(lang: Lang, lead: i32) -> String {
    if lead > 0 { left_elsewhere(lang, lead.unsigned_abs()) } else { right_elsewhere(lang, lead.unsigned_abs()) }
}
