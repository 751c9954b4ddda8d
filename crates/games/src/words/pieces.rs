//! Messages about the pieces of rules files.

use std::fmt;

use super::{Explanation, Lang};
use crate::error::{NoSupply, PiecesError};
use crate::placement::ShapeError;

pub(super) fn pieces(lang: Lang, mistake: &PiecesError) -> Explanation {
    let tables = lang.pick(
        "pieces are a table [pieces] for both players, or [left] and [right] for each their own",
        "조각은 두 사람 것을 [pieces]에, 또는 각자의 것을 [left]와 [right]에 적습니다",
    );
    let drawing = lang.pick(
        "a piece is drawn as rows of `#` and `.`, with `/` between them",
        "조각은 `#`와 `.`로 된 행을 `/`로 나누어 그립니다",
    );
    match mistake {
        PiecesError::NoPieces => Explanation::new(lang.pick("no pieces", "조각이 없습니다"), tables),
        PiecesError::OnePlayerOnly => {
            Explanation::new(lang.pick("pieces for one player only", "한 사람의 조각만 있습니다"), tables)
        }
        PiecesError::BothAndOne => Explanation::new(
            lang.pick("pieces for both players and for one", "함께 쓰는 조각과 한 사람의 조각이 둘 다 있습니다"),
            tables,
        ),
        PiecesError::EmptyTable => Explanation::new(lang.pick("no piece", "조각이 하나도 없습니다"), drawing),
        PiecesError::Shape(error) => Explanation::new(shape(lang, error), drawing),
        PiecesError::Twin { name } => lang.pick(
            Explanation::new(format!("the same piece as {name}, given twice"), "leave one of them out"),
            Explanation::new(format!("{name} 조각과 같은 조각입니다"), "둘 중 하나를 빼세요"),
        ),
        PiecesError::TooLarge { name, board } => lang.pick(
            Explanation::new(
                format!("the piece {name} does not fit on a board of {board}"),
                "a smaller piece or a larger board",
            ),
            Explanation::new(
                format!("{name} 조각은 {board} 판에 들어가지 않습니다"),
                "더 작은 조각이나 더 큰 판을 쓰세요",
            ),
        ),
        PiecesError::TooMany { pieces, max, max_with_supply } => lang.pick(
            Explanation::new(
                format!("{pieces} pieces"),
                format!("{max} at most, or {max_with_supply} where any has a supply"),
            ),
            Explanation::new(
                format!("조각이 {pieces}가지입니다"),
                format!("최대 {max}가지이고, 개수가 정해진 조각이 있으면 {max_with_supply}가지입니다"),
            ),
        ),
        PiecesError::Supply { supply, max } => lang.pick(
            Explanation::new(
                format!("a supply of {supply}"),
                format!("from 1 to {max}; a piece without a supply never runs out"),
            ),
            Explanation::new(
                format!("조각의 개수가 {supply}개입니다"),
                format!("1부터 {max}까지 쓸 수 있습니다. 개수를 적지 않은 조각은 얼마든지 놓을 수 있습니다"),
            ),
        ),
        PiecesError::NoSupplyFor { name, why } => Explanation::new(
            match why {
                NoSupply::NoPiece => lang.pick(
                    format!("a supply for {name}, which is not a piece"),
                    format!("개수를 정한 {name} 조각이 없습니다"),
                ),
                NoSupply::NotOneLetter => lang.pick(
                    format!("a supply for {name}, whose name is not one letter"),
                    format!("개수를 정한 {name} 조각의 이름이 한 글자가 아닙니다"),
                ),
                NoSupply::OfBothPlayers => lang.pick(
                    format!("a supply for {name}, which each player has"),
                    format!("개수를 정한 {name} 조각이 두 사람 모두에게 있습니다"),
                ),
            },
            lang.pick(
                "a piece with a supply is named by one capital letter, which positions use",
                "개수가 정해진 조각의 이름은 영어 대문자 한 글자입니다. 국면에 그 글자를 씁니다",
            ),
        ),
    }
}

/// Describes an invalid drawing of a piece.
fn shape(lang: Lang, error: &ShapeError) -> String {
    match error {
        ShapeError::Glyph(glyph) => lang.pick(
            format!("`{glyph}` in a piece; its cells are `#`, the free ones around them `.`"),
            format!("`{glyph}`: 조각에 쓸 수 없는 문자입니다. 조각의 칸은 `#`, 둘레의 빈칸은 `.`입니다"),
        ),
        ShapeError::Empty => lang.pick("a piece without a cell (`#`)", "칸(`#`)이 없는 조각입니다").to_owned(),
        ShapeError::TooLarge => {
            lang.pick("a piece wider or higher than any board", "어떤 판보다도 넓거나 높은 조각입니다").to_owned()
        }
    }
}

/// In English.
impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shape(Lang::En, self))
    }
}
