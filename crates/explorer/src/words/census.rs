//! Words of the census page.

use super::{Lang, grouped, phrases};

phrases! {
    title: "Census", "모든 국면";
    lead:
        "Every position that play can reach from the start, by what it is worth to the player to move.",
        "시작에서 이를 수 있는 모든 국면을, 차례인 쪽에서 본 값에 따라 세었습니다.";
    histogram: "The number of positions won and lost, by plies", "몇 수 만에 이기고 지는 국면이 몇 개인지";
    win_in: "won in this number of plies", "그 수 만에 이기는 국면";
    loss_in: "lost in this number of plies", "그 수 만에 지는 국면";
    table: "As a table", "표로 보기";
    remoteness: "Plies", "남은 수";
    won: "Won", "승";
    lost: "Lost", "패";
    start: "To the start", "시작 국면 보기";
    wins(n: &str, percent: u64): "{n} are won ({percent}%)", "{n}개는 이깁니다 ({percent}%)";
    draws(n: &str, percent: u64): "{n} are drawn ({percent}%)", "{n}개는 비깁니다 ({percent}%)";
    losses(n: &str, percent: u64): "{n} are lost ({percent}%)", "{n}개는 집니다 ({percent}%)";
    longest(n: u32): "the longest win takes {n} plies", "가장 오래 걸리는 승리는 {n}수입니다";
    too_many:
        ("more positions than a page counts", "take a smaller board, such as `board=3x3`; `balpan census` on your own machine counts more"),
        (
            "페이지에서 세기에는 국면이 너무 많습니다",
            "`board=3x3`처럼 더 작은 판을 고르세요. 자기 컴퓨터의 `balpan census`로는 더 많이 셀 수 있습니다",
        );
}

pub(crate) fn positions(lang: Lang, n: u64) -> String {
    let n = grouped(n);
    lang.pick(format!("{n} positions."), format!("국면은 모두 {n}개입니다."))
}

/// The count comes from a strong solution.
pub(crate) fn counted_in_file(lang: Lang, is_folded: bool) -> &'static str {
    if is_folded {
        lang.pick(
            "Counted in a strong solution, in which positions that turning and mirroring make of one another are one.",
            "강한 해에서 센 수입니다. 돌리거나 뒤집어서 같아지는 국면은 하나로 셉니다.",
        )
    } else {
        lang.pick("Counted in a strong solution.", "강한 해에서 센 수입니다.")
    }
}
