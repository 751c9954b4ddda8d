//! Words of the puzzles' pages.

use super::players::Name;
use super::position::plies;
use super::{Lang, phrases};

phrases! {
    title: "Puzzles", "퍼즐";
    one: "Puzzle", "퍼즐";
    lead:
        "Each position has exactly one winning move. Find it, and win against a perfect defender.",
        "국면마다 이기는 수가 꼭 하나 있습니다. 그 수를 찾아 완벽한 수비를 뚫고 이겨 보세요.";
    puzzle_of_the_day: "The puzzle of the day", "오늘의 퍼즐";
    go_on: "Right. The defender has answered; go on.", "맞습니다. 상대가 응수했습니다. 이어서 두세요.";
    refuted: "It is answered by", "상대의 응수:";
    take_back: "Take it back", "무르기";
    again: "Begin again", "처음부터";
    next: "Next puzzle", "다음 퍼즐";
    hint: "Hint", "힌트";
    hint_among: "It is one of these:", "다음 가운데 하나입니다:";
    hint_move: "The move:", "답:";
    others: "The other moves", "다른 수는 왜 안 될까요";
    answers: "its answers", "답안";
    win_in(n: u32): "win in {n}", "{n}수 만에 승";
    not_this(mv: &str): "{mv} does not win.", "{mv}: 이 수로는 이기지 못합니다.";
    sheet(size: &str): "Sheet to print, {size}", "인쇄용, {size}";
}

pub(crate) fn task(lang: Lang, mover: Name, n: u32) -> String {
    match lang {
        Lang::En => format!("{} to move wins in {}.", mover.plain, plies(lang, n)),
        Lang::Ko => format!("{} 차례입니다. {} 만에 이기세요.", mover.plain, plies(lang, n)),
    }
}

/// The puzzle is solved in `made` plies; the shortest solution takes `least`.
pub(crate) fn solved(lang: Lang, made: u32, least: u32) -> String {
    match (lang, made > least) {
        (Lang::En, false) => format!("Solved, in {}.", plies(lang, made)),
        (Lang::En, true) => format!("Solved, in {}; {least} are enough.", plies(lang, made)),
        (Lang::Ko, false) => format!("풀었습니다. {} 만에 이겼습니다.", plies(lang, made)),
        (Lang::Ko, true) => {
            format!("풀었습니다. {} 만에 이겼지만, {}면 됩니다.", plies(lang, made), plies(lang, least))
        }
    }
}

pub(crate) fn hint_plies(lang: Lang, n: u32) -> String {
    match lang {
        Lang::En => format!("From here the win takes {}.", plies(lang, n)),
        Lang::Ko => format!("여기서 {} 만에 이길 수 있습니다.", plies(lang, n)),
    }
}
