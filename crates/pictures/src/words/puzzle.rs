//! The words of puzzles: the task, the answer, and the refutations of other moves.

use balpan::Outcome;
use balpan_games::PlayerName;

use super::{Lang, phrases};
use crate::puzzle::Level;

phrases! {
    /// The end of the title of a sheet of answers.
    answers: ": answers", ": 정답";
    /// The explanation on a sheet of puzzles.
    about_puzzles:
        "One move wins, in as many plies as it says, whatever the other player replies; no other move does. Which one?",
        "상대가 어떻게 두어도 이기는 수가 하나뿐입니다. 어느 수일까요? 수는 두 사람의 것을 모두 셉니다.";
    /// A page number, from 1, with the number of pages.
    page(number: usize, pages: usize): "{number} / {pages}", "{pages}쪽 중 {number}쪽";
}

/// The task: `A to move, win in 15`; `win in 15` if players have no names.
#[must_use]
pub fn task(lang: Lang, to_move: PlayerName, plies: u32) -> String {
    let win = lang.pick(format!("win in {plies}"), format!("{plies}수 만에 승리"));
    if to_move.is_by_turn() {
        return win;
    }
    let name = super::players::name(lang, to_move, 0).plain;
    lang.pick(format!("{name} to move, {win}"), format!("{name} 차례, {win}"))
}

/// The pieces placed so far, which the board does not show.
#[must_use]
pub fn placed(lang: Lang, pieces: &str) -> String {
    lang.pick(format!("{pieces} placed"), format!("{pieces} 놓음"))
}

/// The value of a wrong move, with the reply that refutes it if only one does: `loses in 4 (only 1,1 refutes
/// it)`.
#[must_use]
pub fn why(lang: Lang, outcome: Outcome, plies: Option<u32>, only_reply: Option<&str>) -> String {
    let worth = match (outcome, plies) {
        (Outcome::Loss, Some(plies)) => lang.pick(format!("loses in {plies}"), format!("{plies}수 만에 패배")),
        (Outcome::Loss, None) => lang.pick("loses", "패배").to_owned(),
        (Outcome::Draw, _) => lang.pick("draws", "무승부").to_owned(),
        (Outcome::Win, _) => lang.pick("wins", "승리").to_owned(),
    };
    let Some(reply) = only_reply else {
        return worth;
    };
    let reply = match outcome {
        Outcome::Loss => lang.pick(format!("only {reply} refutes it"), format!("응수는 {reply}뿐")),
        _ => lang.pick(format!("only {reply} holds"), format!("{reply}만 버팀")),
    };
    format!("{worth} ({reply})")
}

/// The number of other moves that draw or lose: `3 more lose`.
#[must_use]
pub fn more(lang: Lang, many: usize, draws: bool) -> String {
    let en = match (many, draws) {
        (1, true) => "draws",
        (1, false) => "loses",
        (_, true) => "draw",
        (_, false) => "lose",
    };
    let ko = if draws { "무승부" } else { "패배" };
    lang.pick(format!("{many} more {en}"), format!("나머지 {many}개는 {ko}"))
}

/// The name of a level.
#[must_use]
pub const fn level(lang: Lang, level: Level) -> &'static str {
    match (lang, level) {
        (Lang::En, level) => level.name(),
        (Lang::Ko, Level::Easy) => "쉬움",
        (Lang::Ko, Level::Medium) => "보통",
        (Lang::Ko, Level::Hard) => "어려움",
        (Lang::Ko, Level::VeryHard) => "매우 어려움",
    }
}

/// The label of a winning move whose alternatives all lose within two plies.
#[must_use]
pub fn forced(lang: Lang) -> &'static str {
    lang.pick("forced", "외길 수")
}

/// The label of a winning move that ends play.
#[must_use]
pub fn at_once(lang: Lang) -> &'static str {
    lang.pick("at once", "한 수에 끝")
}

/// The explanation on a sheet of answers; `framed` if the cells of the winning move are.
pub(crate) fn about_answers(lang: Lang, framed: bool) -> &'static str {
    if framed {
        lang.pick(
            "The winning move, its cells framed; a best line; and what becomes of moves that tempt.",
            "이기는 수(테두리를 두른 칸), 최선의 수순, 그리고 그럴듯한 다른 수의 결과입니다.",
        )
    } else {
        lang.pick(
            "The winning move; a best line; and what becomes of moves that tempt.",
            "이기는 수, 최선의 수순, 그리고 그럴듯한 다른 수의 결과입니다.",
        )
    }
}
