//! Messages about positions of placement games.

use super::board::after;
use super::{Explanation, Lang};
use crate::error::{AfterBoard, PlacementError};

pub(super) fn placement(lang: Lang, mistake: &PlacementError) -> Explanation {
    let message = match mistake {
        PlacementError::TooFewFilled { placed, filled } => lang.pick(
            format!("pieces of {placed} cells, where {filled} are filled"),
            format!("놓은 조각은 모두 {placed}칸인데 채워진 칸은 {filled}개입니다"),
        ),
        PlacementError::NoSuchPiece { letter } => {
            let letter = letter.escape_debug();
            lang.pick(
                format!("`{letter}` is not a piece with a supply"),
                format!("`{letter}`: 개수가 정해진 조각이 아닙니다"),
            )
        }
        PlacementError::UsedUp { letter, supply } => lang.pick(
            format!("more `{letter}` than there are: the supply is {supply}"),
            format!("`{letter}`: 있는 것보다 많습니다. 모두 {supply}개입니다"),
        ),
    };
    Explanation::new(message, after(lang, AfterBoard::UsedPieces))
}
