//! Messages about a position and its moves.

use balpan::{Outcome, Verdict};
use balpan_app::words;
use balpan_games::{Lang, PlayerName, phrases};
use balpan_pictures::words::{Name, name};

use super::count;

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
    missing_winner: "who wins", "누가 이기는지";
    missing_plies: "in how many plies", "몇 수 만인지";
    missing_move: "a move that does it", "그렇게 되는 수";
    missing_line: "a best line", "최선의 진행";
    missing_number: "the number", "그런디 수";
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

/// The winner, and the plies if they are known.
pub(crate) fn verdict(lang: Lang, verdict: Verdict, over: bool, [mover, other]: &[Player; 2]) -> String {
    let Verdict { outcome, remoteness, .. } = verdict;
    let winner = match outcome {
        Outcome::Draw => None,
        Outcome::Win => Some(mover),
        Outcome::Loss => Some(other),
    };
    let winner = match (lang, winner) {
        (Lang::En, Some(winner)) => winner,
        _ => return words::verdict(lang, winner.map(|winner| winner.name), remoteness, over),
    };
    let wins = format!("{} wins", winner.plain(lang));
    match remoteness {
        _ if over => format!("The game is over: {wins}."),
        Some(plies) => format!("{}{} in {}.", wins[..1].to_uppercase(), &wins[1..], count::plies(lang, plies.into())),
        None => format!("{}{}.", wins[..1].to_uppercase(), &wins[1..]),
    }
}

pub(crate) fn unknown_winner(lang: Lang) -> &'static str {
    words::unknown_winner(lang, false)
}

/// The heading of `listed` moves out of `all`.
pub(crate) fn moves(lang: Lang, mover: &Player, listed: usize, all: usize) -> String {
    let name = mover.plain(lang);
    match listed {
        listed if listed == all => {
            lang.pick(format!("The moves of {name}, best first:"), format!("{name}의 수, 좋은 수부터:"))
        }
        1 => lang
            .pick("A move that does it; others were not asked:", "그렇게 되는 수(다른 수는 알아보지 않음):")
            .to_owned(),
        _ => lang
            .pick("Moves that do it; others were not asked:", "그렇게 되는 수들(다른 수는 알아보지 않음):")
            .to_owned(),
    }
}

pub(crate) fn moves_so_far(lang: Lang, mover: &Player) -> String {
    let name = mover.plain(lang);
    lang.pick(format!("The moves of {name}, as far as they are known:"), format!("{name}의 수, 지금까지 알아낸 것:"))
}

/// The value of a move for the player who makes it; `open` says that missing plies are still searched.
pub(crate) fn worth(lang: Lang, verdict: Option<Verdict>, open: bool) -> String {
    match verdict {
        Some(Verdict { outcome, remoteness: None, .. }) if open && outcome != Outcome::Draw => {
            let word = words::outcome_word(lang, outcome);
            lang.pick(format!("{word} in ?"), format!("? 수 만에 {word}"))
        }
        Some(Verdict { outcome, remoteness, .. }) => words::value(lang, outcome, remoteness),
        None => lang.pick("not known", "모름").to_owned(),
    }
}

// Parts of an answer that were not found, for `cut_short`.

/// `many` moves of `all` lack a value; with `plies`, they lack only the plies.
pub(crate) fn missing_moves(lang: Lang, many: usize, all: usize, plies: bool) -> String {
    let moves = crate::numbers::counted(all as u64, "move", "moves");
    match (lang, plies) {
        (Lang::En, false) => format!("what {many} of {moves} are worth"),
        (Lang::En, true) => format!("the plies of {many} of {moves}"),
        (Lang::Ko, false) => format!("수 {all}개 가운데 {many}개의 값"),
        (Lang::Ko, true) => format!("수 {all}개 가운데 {many}개가 몇 수 만인지"),
    }
}

/// The time after which work was stopped, and the missing parts of the answer.
pub(crate) fn cut_short(lang: Lang, interrupted: bool, time: &str, missing: &[String]) -> String {
    match (lang, interrupted) {
        (Lang::En, true) => format!("Interrupted after {time}, not known yet: {}.", missing.join("; ")),
        (Lang::En, false) => format!("After {time}, not known yet: {}.", missing.join("; ")),
        (Lang::Ko, true) => format!("{time} 뒤에 중단했습니다. 아직 모르는 것: {}.", missing.join(", ")),
        (Lang::Ko, false) => format!("{time} 동안 알아내지 못한 것: {}.", missing.join(", ")),
    }
}

/// The goals that were skipped because they may take long, with their flags.
pub(crate) fn skipped_goals(lang: Lang, outcome: Outcome) -> String {
    let others = match outcome {
        Outcome::Draw => {
            lang.pick("who wins after the other moves (--ask outcome)", "다른 수 뒤에 누가 이기는지(--ask outcome)")
        }
        Outcome::Loss => lang.pick(
            "in how many plies (--ask value), and each move's (--ask moves)",
            "몇 수 만인지(--ask value), 수마다 몇 수 만인지(--ask moves)",
        ),
        Outcome::Win => lang.pick(
            "who wins after the other moves (--ask outcome), in how many plies (--ask value), and each move's (--ask \
             moves)",
            "다른 수 뒤에 누가 이기는지(--ask outcome), 몇 수 만인지(--ask value), 수마다 몇 수 만인지(--ask moves)",
        ),
    };
    lang.pick(
        format!("Not asked, as it may take long: {others}."),
        format!("오래 걸릴 수 있어 알아보지 않은 것: {others}."),
    )
}

/// The cost of a search; `rate` is in millions of positions per second.
pub(crate) fn cost(lang: Lang, positions: u64, seconds: f64, rate: f64) -> String {
    let positions = count::positions(lang, positions);
    lang.pick(
        format!("{positions} searched in {seconds:.2} s, {rate:.1} million/s"),
        format!("{seconds:.2}초 동안 {positions} 탐색, 초당 {:.0}만 개", rate * 100.0),
    )
}
