//! Messages about a position and its moves, and about the estimated cost of solving it.

use balpan::{Outcome, Verdict};
use balpan_app::words;
use balpan_games::{Lang, PlayerName, ReportedBounds};
use balpan_pictures::words::{Name, by_points, name};

use super::common;
use crate::numbers::{grouped, rough, rough_time};

balpan_messages::messages!("answer");

/// A player's name: in English as in a sentence (`A`, `Left`, `the first player`), in Korean with the particles that its
/// sound requires.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Player {
    /// The game's name of the player.
    game_name: PlayerName,
    name: Name,
}

impl Player {
    /// Creates the name of a player; `turn` is 0 for the player to move at the start, otherwise 1.
    pub(crate) fn new(lang: Lang, game_name: PlayerName, turn: usize) -> Self {
        Self { game_name, name: name(lang, game_name, turn) }
    }

    /// Returns the name alone.
    pub(crate) fn plain(&self, lang: Lang) -> String {
        match lang {
            Lang::En if self.game_name.is_by_turn() => format!("the {}", self.game_name),
            Lang::En => self.game_name.to_string(),
            Lang::Ko => self.name.plain.to_owned(),
        }
    }

    /// Returns the name as the subject of a sentence.
    pub(crate) fn subject(&self, lang: Lang) -> String {
        lang.pick(self.plain(lang), self.name.subject.to_owned())
    }
}

/// Returns the names of the player to move and of the other.
pub(crate) fn players(lang: Lang, game_names: [PlayerName; 2]) -> [Player; 2] {
    [0, 1].map(|turn| Player::new(lang, game_names[turn], turn))
}

/// The heading of a board: the game, its size and whose turn it is.
pub(crate) fn head(lang: Lang, game: &str, size: &str, mover: &Player) -> String {
    match lang {
        Lang::En => format!("{game} {size}, {} to move", mover.plain(lang)),
        Lang::Ko => format!("{game} {size}, {}", words::to_move(lang, mover.name)),
    }
}

/// The winner, and the plies or the score if they are known; `repeats` says that a draw is play without end.
pub(crate) fn verdict(lang: Lang, verdict: Verdict, over: bool, repeats: bool, [mover, other]: &[Player; 2]) -> String {
    let Verdict { outcome, remoteness, .. } = verdict;
    let winner = match outcome {
        Outcome::Draw => None,
        Outcome::Win => Some(mover),
        Outcome::Loss => Some(other),
    };
    let winner = match (lang, winner) {
        (Lang::En, Some(winner)) => winner,
        _ => return words::verdict(lang, winner.map(|winner| winner.name), verdict, over, repeats),
    };
    let wins = format!("{} wins{}", winner.plain(lang), by_points(lang, verdict.score));
    match remoteness {
        _ if over => format!("The game is over: {wins}."),
        Some(plies) => format!("{}{} in {}.", wins[..1].to_uppercase(), &wins[1..], common::plies(lang, plies.into())),
        None => format!("{}{}.", wins[..1].to_uppercase(), &wins[1..]),
    }
}

/// The winner is not known; with the plies within which there is no win, if `within` says so.
pub(crate) fn unknown_winner(lang: Lang, within: ReportedBounds, players: &[Player; 2]) -> String {
    let unknown = words::unknown_winner(lang, false).to_owned();
    let no_win = words::no_win_within(lang, within, [players[0].name, players[1].name]);
    no_win.into_iter().fold(unknown, |text, no_win| text + " " + &no_win)
}

/// The plies or the score of the position.
pub(crate) fn missing_plies(lang: Lang, has_scores: bool) -> &'static str {
    if has_scores { missing_score(lang) } else { missing_remoteness(lang) }
}

/// The plies or the scores of some moves of all.
pub(crate) fn missing_plies_of(lang: Lang, has_scores: bool, (many, all): (usize, usize), moves: &str) -> String {
    let phrase = if has_scores { missing_score_of } else { missing_remoteness_of };
    phrase(lang, many, all, moves)
}

/// The heading of `listed` moves out of `all`, in a position of this outcome.
pub(crate) fn moves(lang: Lang, mover: &Player, outcome: Option<Outcome>, listed: usize, all: usize) -> String {
    match outcome {
        _ if listed == all => best_first(lang, &mover.plain(lang)),
        Some(Outcome::Win) => winning_moves(lang, listed),
        _ => drawing_moves(lang, listed),
    }
}

/// The value of a move for the player who makes it; `open` says that missing plies are still searched.
pub(crate) fn worth(lang: Lang, verdict: Option<Verdict>, open: bool) -> String {
    match verdict {
        Some(Verdict { outcome, remoteness: None, score: None }) if open && outcome != Outcome::Draw => {
            in_unknown_plies(lang, words::outcome_word(lang, outcome))
        }
        Some(verdict) => words::value(lang, verdict),
        None => not_known(lang).to_owned(),
    }
}

/// The cost of a search; `rate` is in millions of positions per second.
pub(crate) fn cost(lang: Lang, positions: u64, seconds: f64, rate: f64) -> String {
    let positions = common::positions(lang, positions);
    lang.pick(
        format!("{positions} searched in {seconds:.2} s, {rate:.1} million/s"),
        format!("{seconds:.2}초 동안 {positions} 탐색, 초당 {:.0}만 개", rate * 100.0),
    )
}

/// The threads of a solve.
pub(crate) fn threads(lang: Lang, threads: usize) -> String {
    if threads == 1 { one_thread(lang).to_owned() } else { some_threads(lang, threads) }
}

/// An estimated number of positions.
pub(crate) fn rough_number(lang: Lang, n: f64) -> String {
    lang.pick(rough(n), rough_in_korean(n))
}

/// An estimated time.
pub(crate) fn estimated_time(lang: Lang, seconds: f64) -> String {
    lang.pick(rough_time(seconds), time_in_korean(seconds))
}

/// Formats an estimated number as Korean counts: by 만 and 억.
pub(super) fn rough_in_korean(n: f64) -> String {
    match n {
        1e12.. => rough(n),
        1e10.. => format!("{}억", grouped((n / 1e8).round() as u64)),
        1e8.. => format!("{:.1}억", n / 1e8).replace(".0억", "억"),
        1e4.. => format!("{}만", grouped((n / 1e4).round() as u64)),
        _ => rough(n),
    }
}

fn time_in_korean(seconds: f64) -> String {
    let time = rough_time(seconds);
    if let Some(limit) = time.strip_prefix("less than ") {
        return format!("{} 미만", limit.replace(" s", "초"));
    }
    let units = [(" years", "년"), (" days", "일"), (" hours", "시간"), (" minutes", "분"), (" s", "초")];
    units.iter().fold(time, |time, (en, ko)| time.replace(en, ko))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rough_numbers_in_korean() {
        let numbers = [7.0, 1_234.0, 130_000.0, 2.345e9].map(rough_in_korean);
        assert_eq!(numbers, ["7", "1,200", "13만", "23.4억"]);
        let times = [0.01, 4.23, 130.0, 8_000.0].map(time_in_korean);
        assert_eq!(times, ["0.1초 미만", "4.2초", "2분", "2시간"]);
    }
}
