//! Words about positions that several doors show.

use balpan::{Outcome, Verdict};
use balpan_games::{ReportedBounds, ReportedValue};
use balpan_pictures::Lang;
use balpan_pictures::words::{Name, by_points};

balpan_messages::messages!("words");

/// Says who wins, in how many plies or by how much; if play is over, who has won. `repeats` says that a draw is play without
/// end.
#[must_use]
pub fn verdict(lang: Lang, winner: Option<Name>, worth: Verdict, over: bool, repeats: bool) -> String {
    let Some(Name { plain, subject, .. }) = winner else {
        let phrase = if repeats {
            draw_without_end
        } else if over {
            over_drawn
        } else {
            neither_wins
        };
        return phrase(lang).to_owned();
    };
    match worth.remoteness.filter(|_| worth.score.is_none()) {
        _ if over => over_won(lang, plain, &by_points(lang, worth.score)),
        Some(n) => wins_in(lang, plain, subject, &plies(lang, n)),
        None => wins(lang, plain, subject, &by_points(lang, worth.score)),
    }
}

/// Says within how many plies there is no win, as far as the bounds on a value do; `names` are those of the player to move and
/// of the other.
#[must_use]
pub fn no_win_within(lang: Lang, within: ReportedBounds, [mover, other]: [Name; 2]) -> Option<String> {
    let sooner = |bound: Option<ReportedValue>, outcome| {
        let bound = bound.filter(|bound| bound.outcome == outcome)?;
        bound.remoteness?.checked_sub(1).filter(|plies| *plies > 0)
    };
    let none = |name: Name, n: u32| no_win(lang, name.plain, name.subject, &plies(lang, n));
    match (sooner(within.at_most, Outcome::Win), sooner(within.at_least, Outcome::Loss)) {
        (Some(one), Some(two)) => Some(nobody_wins(lang, &plies(lang, one.min(two)))),
        (Some(n), None) => Some(none(mover, n)),
        (None, Some(n)) => Some(none(other, n)),
        (None, None) => None,
    }
}

/// Says who is to move.
#[must_use]
pub fn to_move(lang: Lang, name: Name) -> String {
    moves_next(lang, name.plain)
}

/// The value of a move for the player who makes it.
#[must_use]
pub fn value(lang: Lang, worth: Verdict) -> String {
    let word = outcome_word(lang, worth.outcome);
    match (worth.remoteness, worth.score) {
        (Some(n), _) => worth_in(lang, word, n),
        (None, Some(score)) => worth_by(lang, word, score.unsigned_abs()),
        (None, None) => word.to_owned(),
    }
}

/// An outcome in a word, for the player to move.
#[must_use]
pub fn outcome_word(lang: Lang, outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => win(lang),
        Outcome::Draw => draw(lang),
        Outcome::Loss => loss(lang),
    }
}

/// The winner is not known, or not yet.
#[must_use]
pub fn unknown_winner(lang: Lang, will_be_known: bool) -> &'static str {
    if will_be_known { not_solved_yet(lang) } else { not_known(lang) }
}
