//! Words about positions that several doors show, both languages side by side.

use balpan::{Outcome, Verdict};
use balpan_games::{ReportedBounds, ReportedValue};
use balpan_pictures::Lang;
use balpan_pictures::words::{Name, by_points};

/// Says who wins, in how many plies or by how much; if play is over, who has won. `repeats` says that a draw is play without
/// end.
#[must_use]
pub fn verdict(lang: Lang, winner: Option<Name>, worth: Verdict, over: bool, repeats: bool) -> String {
    match (winner, worth.remoteness, over) {
        (None, ..) if repeats => {
            lang.pick("A draw: play can go on for ever.", "비깁니다: 게임이 끝없이 이어질 수 있습니다.").to_owned()
        }
        (Some(name), ..) if worth.score.is_some() => {
            let by = by_points(lang, worth.score);
            match (lang, over) {
                (Lang::En, true) => format!("The game is over: {} has won{by}.", name.plain),
                (Lang::Ko, true) => format!("게임이 끝났습니다: {}{by} 승리.", name.plain),
                (Lang::En, false) => format!("{} wins{by}.", name.plain),
                (Lang::Ko, false) => format!("{}{by} 이깁니다.", name.subject),
            }
        }
        (None, _, true) => lang.pick("The game is over: a draw.", "게임이 끝났습니다: 무승부.").to_owned(),
        (None, _, false) => {
            lang.pick("A draw: neither player can force a win.", "서로 최선을 다하면 비깁니다.").to_owned()
        }
        (Some(name), _, true) => match lang {
            Lang::En => format!("The game is over: {} has won.", name.plain),
            Lang::Ko => format!("게임이 끝났습니다: {} 승리.", name.plain),
        },
        (Some(name), Some(n), false) => match lang {
            Lang::En => format!("{} wins in {}.", name.plain, plies(lang, n)),
            Lang::Ko => format!("{} {} 만에 이깁니다.", name.subject, plies(lang, n)),
        },
        (Some(name), None, false) => match lang {
            Lang::En => format!("{} wins.", name.plain),
            Lang::Ko => format!("{} 이깁니다.", name.subject),
        },
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
    let none = |name: Name, n: u32| match lang {
        Lang::En => format!("{} has no win within {}.", name.plain, plies(lang, n)),
        Lang::Ko => format!("{} {} 안에 이기지 못합니다.", name.subject, plies(lang, n)),
    };
    match (sooner(within.at_most, Outcome::Win), sooner(within.at_least, Outcome::Loss)) {
        (Some(one), Some(two)) => {
            let n = plies(lang, one.min(two));
            Some(lang.pick(format!("There is no win within {n}."), format!("{n} 안에는 아무도 이기지 못합니다.")))
        }
        (Some(n), None) => Some(none(mover, n)),
        (None, Some(n)) => Some(none(other, n)),
        (None, None) => None,
    }
}

/// The winner is not known, or not yet.
#[must_use]
pub fn unknown_winner(lang: Lang, will_be_known: bool) -> &'static str {
    if will_be_known {
        lang.pick("Not solved yet; the search goes on.", "아직 풀지 못했습니다. 탐색은 계속됩니다.")
    } else {
        lang.pick("Who wins is not known.", "누가 이기는지 알아내지 못했습니다.")
    }
}

/// A number of plies.
#[must_use]
pub fn plies(lang: Lang, n: u32) -> String {
    match (lang, n) {
        (Lang::En, 1) => "1 ply".to_owned(),
        (Lang::En, n) => format!("{n} plies"),
        (Lang::Ko, n) => format!("{n}수"),
    }
}

/// Says who is to move.
#[must_use]
pub fn to_move(lang: Lang, name: Name) -> String {
    match lang {
        Lang::En => format!("{} to move", name.plain),
        Lang::Ko => format!("{} 차례", name.plain),
    }
}

/// The value of a move for the player who makes it.
#[must_use]
pub fn value(lang: Lang, worth: Verdict) -> String {
    let word = outcome_word(lang, worth.outcome);
    match (lang, worth.remoteness) {
        (Lang::En, None) => word.to_owned() + &by_points(lang, worth.score),
        (Lang::Ko, None) if worth.score.is_some() => format!("{} {word}", by_points(lang, worth.score).trim_start()),
        (Lang::Ko, None) => word.to_owned(),
        (Lang::En, Some(n)) => format!("{word} in {n}"),
        // The number is a separate word, as in the accessible name of the sign on the board.
        (Lang::Ko, Some(n)) => format!("{n} 수 만에 {word}"),
    }
}

/// An outcome in a word, for the player to move.
#[must_use]
pub fn outcome_word(lang: Lang, outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => lang.pick("win", "승"),
        Outcome::Draw => lang.pick("draw", "무"),
        Outcome::Loss => lang.pick("loss", "패"),
    }
}
