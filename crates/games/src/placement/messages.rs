//! The rules of placement games and the errors in their positions in words.

use super::{Piece, Pieces, PlacementError, Rules};
use crate::error::AfterBoard;
use crate::words::{Explanation, Lang, after};

/// Describes the rules, one sentence each.
pub(super) fn describe(lang: Lang, rules: &Rules) -> Vec<String> {
    let named = |pieces: &[Piece]| {
        let names: Vec<_> = pieces.iter().map(|piece| piece.name.as_str()).collect();
        names.join(", ")
    };
    let pieces = match &rules.pieces {
        Pieces::Shared(pieces) => lang.pick(
            format!("In turn, both players place a piece on free cells: {}.", named(pieces)),
            format!("두 사람이 번갈아 빈칸에 조각을 놓습니다: {}.", named(pieces)),
        ),
        Pieces::Own { left, right } => lang.pick(
            format!("In turn, Left places {} and Right {} on free cells.", named(left), named(right)),
            format!(
                "번갈아 빈칸에 조각을 놓습니다. 왼쪽 편의 조각: {}, 오른쪽 편의 조각: {}.",
                named(left),
                named(right)
            ),
        ),
    };
    let turned = match (rules.rotate, rules.reflect) {
        (true, true) => lang.pick("Pieces may be turned and turned over.", "조각은 돌리거나 뒤집을 수 있습니다."),
        (true, false) => {
            lang.pick("Pieces may be turned, not turned over.", "조각은 돌릴 수 있지만 뒤집을 수 없습니다.")
        }
        (false, true) => lang.pick(
            "Pieces may be turned over from left to right, not turned.",
            "조각은 좌우로 뒤집을 수 있지만 돌릴 수 없습니다.",
        ),
        (false, false) => lang.pick("Pieces are placed as they are drawn.", "조각은 그려진 방향 그대로 놓습니다."),
    };
    let mut sentences = vec![pieces, turned.to_owned()];
    let supplies: Vec<_> =
        rules.pieces.all().filter_map(|piece| piece.supply.map(|n| format!("{} × {n}", piece.name))).collect();
    if !supplies.is_empty() {
        sentences.push(lang.pick(
            format!("The supply of each piece is limited: {}.", supplies.join(", ")),
            format!("조각의 개수가 정해져 있습니다: {}.", supplies.join(", ")),
        ));
    }
    let end = if rules.misere {
        lang.pick("Who cannot place wins.", "더 놓을 수 없는 쪽이 이깁니다.")
    } else {
        lang.pick(
            "Who places last wins: who cannot place loses.",
            "마지막에 놓는 쪽이 이깁니다. 더 놓을 수 없으면 집니다.",
        )
    };
    sentences.push(end.to_owned());
    sentences
}

/// Explains an error in a position.
pub(crate) fn explain(lang: Lang, mistake: &PlacementError) -> Explanation {
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
