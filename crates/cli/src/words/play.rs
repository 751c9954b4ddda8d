//! Messages of a game against the perfect player.

use balpan::{Outcome, Verdict};
use balpan_games::{Lang, ReportedValue};
use balpan_pictures::words::by_points;

use super::answer::Player;
use super::common;

balpan_messages::messages!("play");

/// The prompt; `is_again` says that the reader has just moved.
pub(crate) fn prompt(lang: Lang, name: &str, reader: &Player, is_again: bool) -> String {
    let [again, ko_again] = if is_again { [" again", "다시 "] } else { [""; 2] };
    lang.pick(format!("{name}, your move{again}:"), format!("{ko_again}{} 차례입니다:", reader.plain(lang)))
}

/// A move of the perfect player.
pub(crate) fn plays(lang: Lang, player: &Player, mv: &str) -> String {
    makes_move(lang, &player.plain(lang), &player.subject(lang), mv)
}

/// The winner after the move, and the plies or the score if they are known.
pub(crate) fn outlook(lang: Lang, winner: Option<&Player>, verdict: Verdict) -> String {
    match (winner.map(|winner| winner.plain(lang)), verdict.remoteness) {
        (None, _) => nobody_wins(lang).to_owned(),
        (Some(winner), Some(plies)) => wins_in(lang, &winner, &common::plies(lang, plies.into())),
        (Some(winner), None) => match verdict.score {
            Some(score) => wins_by(lang, &winner, score.unsigned_abs()),
            None => wins(lang, &winner),
        },
    }
}

/// The result of a game of `plies` plies.
pub(crate) fn result(lang: Lang, winner: Option<&Player>, end: Verdict, plies: usize) -> String {
    let win = |winner: &Player| win_of(lang, &winner.plain(lang), &by_points(lang, end.score));
    let result = winner.map_or_else(|| draw(lang).to_owned(), win);
    if plies == 0 { over(lang, &result) } else { over_after(lang, &common::plies(lang, plies as u64), &result) }
}

/// The move that gave away a win or a draw, and the move that would have kept it.
pub(crate) fn blunder(
    lang: Lang,
    outcomes: [Outcome; 2],
    (number, played): (usize, &str),
    (best, worth): (&str, ReportedValue),
) -> String {
    let phrase = match outcomes {
        [Outcome::Win, Outcome::Draw] => win_drawn,
        [Outcome::Win, _] => win_lost,
        _ => draw_lost,
    };
    let kept = worth.score.map(|score| kept_by(lang, score.unsigned_abs()));
    let kept = kept.or(worth.remoteness.map(|plies| kept_in(lang, plies)));
    phrase(lang, number, played, best, &kept.unwrap_or_default())
}

/// A move that won more slowly or lost sooner (in `taken` plies) than the best move (in `best_plies`).
pub(crate) fn slip(
    lang: Lang,
    won: bool,
    (number, played): (usize, &str),
    (taken, best, best_plies): (u32, &str, u32),
) -> String {
    let phrase = if won { won_late } else { lost_early };
    phrase(lang, number, played, &common::plies(lang, taken.into()), best, best_plies)
}

/// A game without mistakes; `all_known` says that all plies are known, `other_won` that the opponent had a win all along.
pub(crate) fn flawless(lang: Lang, all_known: bool, other_won: Option<&Player>) -> String {
    let flawless = if all_known { no_better_move(lang) } else { no_change_of_winner(lang) };
    match other_won {
        None => format!("{flawless}."),
        Some(other) => hopeless(lang, flawless, &other.plain(lang), &other.subject(lang)),
    }
}
