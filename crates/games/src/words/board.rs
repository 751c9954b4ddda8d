//! Messages about boards and their rows.

use std::fmt;

use super::{Explanation, Lang};
use crate::board::BoardError;
use crate::error::{AfterBoard, RowsError};

pub(super) fn rows(lang: Lang, mistake: &RowsError) -> Explanation {
    match mistake {
        RowsError::NoRow { glyphs } => {
            Explanation::new(lang.pick("no row beside this `/`", "이 `/` 옆에 행이 없습니다"), cells(lang, glyphs))
        }
        RowsError::NoBoard { glyphs } => Explanation::new(lang.pick("no board", "판이 없습니다"), cells(lang, glyphs)),
        RowsError::BetweenRows { word } => lang.pick(
            Explanation::new(
                format!("`{word}` between rows"),
                "rows are separated by `/` or a line break; words come after the last row",
            ),
            Explanation::new(
                format!("`{word}`: 행 사이에 올 수 없습니다"),
                "행은 `/`나 줄바꿈으로 나누고, 그 밖의 것은 마지막 행 뒤에 적습니다",
            ),
        ),
        RowsError::NoCell { glyph, glyphs } => {
            let glyph = glyph.escape_debug();
            let message =
                lang.pick(format!("`{glyph}` is not a cell"), format!("`{glyph}`: 칸에 쓸 수 없는 문자입니다"));
            Explanation::new(message, cells(lang, glyphs))
        }
        RowsError::Uneven { cells, first } => lang.pick(
            Explanation::new(
                format!("a row of {cells} {} after one of {first}", if *cells == 1 { "cell" } else { "cells" }),
                "every row has as many cells as the first",
            ),
            Explanation::new(
                format!("첫 행은 {first}칸인데 이 행은 {cells}칸입니다"),
                "모든 행의 칸 수는 첫 행과 같아야 합니다",
            ),
        ),
        RowsError::Size(error) => {
            let help = match error {
                BoardError::TooLarge { .. } => lang.pick("use a smaller board", "더 작은 판을 쓰세요"),
                BoardError::Empty | BoardError::Unreadable => {
                    lang.pick("every row has as many cells", "행마다 칸이 같은 수만큼 있어야 합니다")
                }
            };
            Explanation::new(size(lang, error), help)
        }
        RowsError::OtherBoard { board, game } => lang.pick(
            Explanation::new(format!("a board of {board}"), format!("this game's board is {game}")),
            Explanation::new(format!("판의 크기가 {board}입니다"), format!("이 게임의 판은 {game}입니다")),
        ),
        RowsError::NotRequested { board, requested } => lang.pick(
            Explanation::new(
                format!("a board of {board}, where {requested} was asked for"),
                "leave out one of them, or make them agree",
            ),
            Explanation::new(
                format!("판을 {requested}로 정했는데 이 국면의 판은 {board}입니다"),
                "둘 중 하나를 빼거나 서로 맞추세요",
            ),
        ),
        RowsError::NoSide { word, expected } => {
            let message = lang.pick(format!("`{word}` is not a side"), format!("`{word}`: 차례를 나타내지 않습니다"));
            Explanation::new(message, after(lang, *expected))
        }
        RowsError::NotAfter { word, expected } => {
            let message = lang.pick(format!("`{word}` after the board"), format!("`{word}`: 판 뒤에 올 수 없습니다"));
            Explanation::new(message, after(lang, *expected))
        }
        RowsError::TooManyWords { word, expected } => {
            let message = lang.pick(format!("`{word}`, one word too many"), format!("`{word}`: 필요 없는 글자입니다"));
            Explanation::new(message, after(lang, *expected))
        }
    }
}

/// Lists the characters of a cell.
fn cells(lang: Lang, glyphs: &str) -> String {
    let quoted: Vec<_> = glyphs.chars().map(|glyph| format!("`{glyph}`")).collect();
    match (lang, &quoted[..]) {
        (Lang::En, [rest @ .., last]) if !rest.is_empty() => format!("a cell is one of {} or {last}", rest.join(", ")),
        (Lang::En, _) => format!("a cell is one of {}", quoted.join("")),
        (Lang::Ko, _) => format!("칸에 쓸 수 있는 문자: {}", quoted.join(", ")),
    }
}

/// Describes what may follow a board.
pub(crate) fn after(lang: Lang, expected: AfterBoard) -> String {
    match expected {
        AfterBoard::Nothing => lang
            .pick(
                "nothing follows the board in this game: whose turn it is makes no difference",
                "이 게임에서는 누구 차례든 마찬가지이므로 판 뒤에 아무것도 적지 않습니다",
            )
            .to_owned(),
        AfterBoard::Side([first, second]) => lang.pick(
            format!("after the board comes the side to move, `{first}` or `{second}`; left out, it is `{first}`"),
            format!("판 뒤에는 누구 차례인지 `{first}` 또는 `{second}`로 적습니다. 생략하면 `{first}`입니다"),
        ),
        AfterBoard::SideOrCounts([first, second]) => lang.pick(
            format!(
                "after the board comes the side to move, `{first}` or `{second}`; left out, it follows from the counts"
            ),
            format!("판 뒤에는 누구 차례인지 `{first}` 또는 `{second}`로 적습니다. 생략하면 개수에 따라 정해집니다"),
        ),
        AfterBoard::UsedPieces => lang
            .pick(
                "after a `-` come the letters of the pieces that have been placed",
                "`-` 뒤에는 이미 놓은 조각의 글자를 적습니다",
            )
            .to_owned(),
    }
}

/// Describes an invalid size of a board.
pub(super) fn size(lang: Lang, error: &BoardError) -> String {
    match error {
        BoardError::Empty => lang
            .pick("a board needs a row and a column at least", "판에는 행과 열이 적어도 하나씩 있어야 합니다")
            .to_owned(),
        BoardError::TooLarge { rows, cols, max } => {
            let cells = rows.saturating_mul(*cols);
            lang.pick(
                format!("{rows}x{cols} is {cells} cells; a board has {max} at most"),
                format!("{rows}x{cols} 판은 {cells}칸입니다. 판은 {max}칸을 넘을 수 없습니다"),
            )
        }
        BoardError::Unreadable => {
            lang.pick("expected rows x columns, such as 5x9", "판의 크기는 5x9처럼 행x열로 적습니다").to_owned()
        }
    }
}

/// In English.
impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&size(Lang::En, self))
    }
}
