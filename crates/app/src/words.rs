//! Words about positions that several doors show, both languages side by side.

use balpan::Outcome;
use balpan_pictures::Lang;
use balpan_pictures::words::Name;

/// Says who wins and in how many plies; if play is over, who has won.
#[must_use]
pub fn verdict(lang: Lang, winner: Option<Name>, remoteness: Option<u32>, over: bool) -> String {
    match (winner, remoteness, over) {
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
pub fn value(lang: Lang, outcome: Outcome, remoteness: Option<u32>) -> String {
    let word = outcome_word(lang, outcome);
    match (lang, remoteness) {
        (_, None) => word.to_owned(),
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
