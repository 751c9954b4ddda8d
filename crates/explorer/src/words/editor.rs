//! Words of the editor.

use super::{Lang, phrases};

phrases! {
    title: "Edit position", "국면 편집";
    help:
        "Choose what to put, then click cells. Or write the rows below, with / between.",
        "놓을 것을 고른 다음 칸을 클릭하세요. 아래에 행을 /로 나누어 직접 써도 됩니다.";
    tool: "Put", "놓을 것";
    text: "As text", "텍스트로 입력";
    side: "To move", "차례";
    by_count: "by the counts", "X, O 개수에 따라";
    update: "Show", "판에 반영";
    go: "Solve this position", "이 국면 풀기";
    wrong: "This is not a position of the game yet:", "아직 이 게임의 국면이 아닙니다:";
    size: "Size", "크기";
    put_at(cell: &str, what: &str, now: &str): "{cell}, {now}: put {what}", "{cell}, {now}: {what} 놓기";
    column(n: usize): "column {n}", "{n}열";
}

pub(crate) fn glyph(lang: Lang, glyph: char, walkers: bool) -> &'static str {
    match glyph {
        '.' if walkers => lang.pick("tile", "발판"),
        '.' => lang.pick("free", "빈칸"),
        '#' if walkers => lang.pick("hole", "구멍"),
        '#' => lang.pick("filled", "채움"),
        'A' => "A",
        'B' => "B",
        'X' => "X",
        'O' => "O",
        '*' => lang.pick("both", "둘 다"),
        _ => lang.pick("token without a tile", "발판 없는 말"),
    }
}

/// Adds or removes a row or a column.
pub(crate) fn resize(lang: Lang, rows: bool, more: bool) -> &'static str {
    match (rows, more) {
        (true, true) => lang.pick("+ row", "+ 행"),
        (true, false) => lang.pick("− row", "− 행"),
        (false, true) => lang.pick("+ column", "+ 열"),
        (false, false) => lang.pick("− column", "− 열"),
    }
}
