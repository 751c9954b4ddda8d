//! Messages about a position and its moves, and about the estimated cost of solving it.

use balpan::{Outcome, Verdict};
use balpan_app::words;
use balpan_games::{Lang, PlayerName, ReportedBounds, phrases};
use balpan_pictures::words::{Name, by_points, name};

use super::common;
use crate::numbers::{rough, rough_time};

phrases! {
    nimber(nimber: u32): "Its nimber is {nimber}.", "그런디 수는 {nimber}입니다.";
    /// The result of a nimber search that was stopped.
    nimber_at_least(least: u32): "Its nimber is {least} or more.", "그런디 수는 {least} 이상입니다.";
    misere_value(value: u32): "Its misère value is {value}.", "미제르 값은 {value}입니다.";
    score(score: &str): "Its score is {score}.", "점수는 {score}입니다.";
    /// The heading of a line; `first` and `second` are the players' names in their colours.
    line(first: &str, second: &str):
        "A best line, {first} at odd numbers, {second} at even ones:",
        "최선의 진행(홀수 {first}, 짝수 {second}):";
    /// [`line`] where a player may move twice in a row.
    line_of(first: &str, second: &str): "A best line, moves of {first} and of {second}:", "최선의 진행({first}의 수와 {second}의 수):";
    /// A line that ends where a position comes again.
    repeats: "Here a position comes again, and so on for ever.", "여기서 같은 국면이 되풀이되어 끝없이 이어집니다.";
    best_first(player: &str): "The moves of {player}, best first:", "{player}의 수, 좋은 수부터:";
    known_moves(player: &str): "The moves of {player}, as far as they are known:", "{player}의 수, 지금까지 알아낸 것:";
    one_that_does: "A move that does it; others were not asked:", "그렇게 되는 수(다른 수는 알아보지 않음):";
    some_that_do: "Moves that do it; others were not asked:", "그렇게 되는 수들(다른 수는 알아보지 않음):";
    not_known: "not known", "모름";
    /// An outcome whose plies are still searched.
    in_unknown_plies(outcome: &str): "{outcome} in ?", "? 수 만에 {outcome}";

    // Parts of an answer that were not found.
    missing_winner: "who wins", "누가 이기는지";
    missing_remoteness: "in how many plies", "몇 수 만인지";
    missing_score: "by how much", "몇 점 차인지";
    missing_move: "a move that does it", "그렇게 되는 수";
    missing_line: "a best line", "최선의 진행";
    missing_number: "the number", "그런디 수";
    missing_values(many: usize, all: usize, moves: &str): "what {many} of {moves} are worth", "수 {all}개 가운데 {many}개의 값";
    missing_remoteness_of(many: usize, all: usize, moves: &str):
        "the plies of {many} of {moves}", "수 {all}개 가운데 {many}개가 몇 수 만인지";
    missing_score_of(many: usize, all: usize, moves: &str):
        "the score of {many} of {moves}", "수 {all}개 가운데 {many}개가 몇 점 차인지";
    interrupted(time: &str, missing: &str):
        "Interrupted after {time}, not known yet: {missing}.", "{time} 뒤에 중단했습니다. 아직 모르는 것: {missing}.";
    cut_short(time: &str, missing: &str):
        "After {time}, not known yet: {missing}.", "{time} 동안 알아내지 못한 것: {missing}.";
    // The goals that were skipped because they may take long, with their flags.
    skipped_of_draw:
        "Not asked, as it may take long: who wins after the other moves (--ask outcome).",
        "오래 걸릴 수 있어 알아보지 않은 것: 다른 수 뒤에 누가 이기는지(--ask outcome).";
    skipped_of_loss(what: &str):
        "Not asked, as it may take long: {what} (--ask value), and each move's (--ask moves).",
        "오래 걸릴 수 있어 알아보지 않은 것: {what}(--ask value), 수마다 {what}(--ask moves).";
    skipped_of_win(what: &str):
        "Not asked, as it may take long: who wins after the other moves (--ask outcome), {what} (--ask value), and each move's (--ask moves).",
        "오래 걸릴 수 있어 알아보지 않은 것: 다른 수 뒤에 누가 이기는지(--ask outcome), {what}(--ask value), 수마다 {what}(--ask moves).";

    // The estimated cost of a solve.
    one_thread: "one thread of this machine", "이 컴퓨터의 스레드 1개로";
    some_threads(threads: usize): "{threads} threads of this machine", "이 컴퓨터의 스레드 {threads}개로";
    /// Lower bounds only.
    more_than(positions: &str, time: &str, threads: &str):
        "more than {positions} positions, more than {time} on {threads}: how much more cannot be said.",
        "국면 {positions}개 이상, {threads} {time} 이상 걸립니다. 얼마나 더 걸릴지는 알 수 없습니다.";
    /// The exact cost of a solve that was completed.
    exactly(positions: &str, time: &str, threads: &str):
        "exactly {positions}, {time} on {threads}.", "정확히 {positions}, {threads} {time}.";
    /// The estimated positions with their range, and the time.
    about(positions: &str, low: &str, high: &str, time: &str, threads: &str):
        "about {positions} positions ({low} to {high}), {time} on {threads}.",
        "국면 약 {positions}개({low}~{high}개), {threads} 약 {time}.";
}

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

/// The heading of `listed` moves out of `all`.
pub(crate) fn moves(lang: Lang, mover: &Player, listed: usize, all: usize) -> String {
    match listed {
        listed if listed == all => best_first(lang, &mover.plain(lang)),
        1 => one_that_does(lang).to_owned(),
        _ => some_that_do(lang).to_owned(),
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
    lang.pick(rough(n), in_korean(n))
}

/// An estimated time.
pub(crate) fn estimated_time(lang: Lang, seconds: f64) -> String {
    lang.pick(rough_time(seconds), time_in_korean(seconds))
}

fn in_korean(n: f64) -> String {
    match n {
        1e12.. => rough(n),
        1e8.. => format!("{:.1}억", n / 1e8),
        1e4.. => format!("{:.0}만", n / 1e4),
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
        let numbers = [7.0, 1_234.0, 130_000.0, 2.345e9].map(in_korean);
        assert_eq!(numbers, ["7", "1,200", "13만", "23.4억"]);
        let times = [0.01, 4.23, 130.0, 8_000.0].map(time_in_korean);
        assert_eq!(times, ["0.1초 미만", "4.2초", "2분", "2시간"]);
    }
}
