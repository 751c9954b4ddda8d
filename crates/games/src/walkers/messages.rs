//! The rules of walkers and the errors in their positions in words.

use super::{Rules, Steps, WalkersError};
use crate::words::{Explanation, Lang};

/// Describes the rules, one sentence each.
pub(super) fn describe(lang: Lang, rules: &Rules) -> Vec<String> {
    let steps = match &rules.steps {
        Steps::Orthogonal => lang.pick(
            "A step goes one tile up, down, left or right.".to_owned(),
            "한 번에 상하좌우로 한 칸 움직입니다.".to_owned(),
        ),
        Steps::King => lang.pick(
            "A step goes one tile in any of the eight directions.".to_owned(),
            "한 번에 여덟 방향 중 하나로 한 칸 움직입니다.".to_owned(),
        ),
        Steps::Knight => lang.pick(
            "A step is a chess knight's leap, over whatever lies between.".to_owned(),
            "체스의 나이트처럼 뛰며, 사이에 무엇이 있든 상관없습니다.".to_owned(),
        ),
        Steps::Queen => lang.pick(
            "A step goes any way in one of the eight directions, over tiles only.".to_owned(),
            "여덟 방향 중 하나로 원하는 만큼 움직이되, 발판 위로만 지나갑니다.".to_owned(),
        ),
        Steps::Offsets(offsets) => {
            let listed: Vec<_> = offsets.iter().map(|(down, right)| format!("({down}, {right})")).collect();
            lang.pick(
                format!("A step goes by (rows down, columns right): {}.", listed.join(", ")),
                format!("한 번에 (아래로 행, 오른쪽으로 열)만큼 움직입니다: {}.", listed.join(", ")),
            )
        }
    };
    let share = if rules.share {
        lang.pick(
            "Both tokens may stand on one tile; when one leaves it, it vanishes under the other, who loses at their turn.",
            "두 말이 한 발판에 함께 설 수 있습니다. 하나가 떠나면 발판이 사라지고, 남은 쪽은 자기 차례에 집니다.",
        )
    } else {
        lang.pick("Tokens never share a tile.", "두 말이 한 발판에 함께 설 수 없습니다.")
    };
    let mut sentences = vec![
        lang.pick(
            "Each player has one token, A and B, and they step in turn.",
            "두 사람은 말 A와 B를 하나씩 가지고 번갈아 움직입니다.",
        )
        .to_owned(),
        steps,
        lang.pick("The tile that a token leaves vanishes.", "말이 떠난 발판은 사라집니다.").to_owned(),
        share.to_owned(),
    ];
    if rules.torus {
        let text = lang.pick(
            "The board's edges are joined: left to right, top to bottom.",
            "판의 가장자리는 이어져 있습니다: 왼쪽은 오른쪽과, 위는 아래와.",
        );
        sentences.push(text.to_owned());
    }
    sentences.push(lang.pick("Who cannot move loses.", "움직일 수 없는 쪽이 집니다.").to_owned());
    sentences
}

/// A position in the judge's form.
const EXAMPLE: &str = r#"`{"board": [[1, 1], [1, 0]], "aloc": [0, 0], "bloc": [0, 1]}`"#;

/// Explains an error in a position.
pub(crate) fn explain(lang: Lang, mistake: &WalkersError) -> Explanation {
    match mistake {
        WalkersError::SecondToken { glyph } => lang.pick(
            Explanation::new(format!("a second token `{glyph}`"), "each player has one token"),
            Explanation::new(format!("두 번째 `{glyph}`입니다"), "말은 각자 하나씩입니다"),
        ),
        WalkersError::SharedTile => lang.pick(
            Explanation::new("both tokens on one tile", "in this game a tile is not shared (share = false)"),
            Explanation::new(
                "두 말이 함께 서 있거나 서 있던 발판입니다",
                "이 게임에서는 한 발판에 함께 설 수 없습니다 (share = false)",
            ),
        ),
        WalkersError::ThirdToken { beside } => Explanation::new(
            lang.pick("a third token", "세 번째 말입니다"),
            match beside {
                '*' => lang.pick("`*` is both of them already", "`*`만으로 두 말을 모두 나타냅니다"),
                _ => lang.pick(
                    "`!` stands for `A` or `B`, whose tile has vanished",
                    "`!`는 발판이 사라진 `A`나 `B`를 대신합니다",
                ),
            },
        ),
        WalkersError::NoToken { token } => lang.pick(
            Explanation::new(format!("no token `{token}`"), "each player has one token: `A` and `B`, or `*`"),
            Explanation::new(format!("말 `{token}`가 없습니다"), "말은 각자 하나씩입니다: `A`와 `B`, 또는 `*`"),
        ),
        WalkersError::WrongVanished => lang.pick(
            Explanation::new(
                "a vanished tile under the token that has just moved",
                "the token on `!` is the one to move",
            ),
            Explanation::new("방금 움직인 말의 발판이 사라져 있습니다", "`!`로 나타낸 말이 움직일 차례여야 합니다"),
        ),
        WalkersError::Json { message } => lang.pick(
            Explanation::new(
                format!("JSON that is not a position: {message}"),
                format!("expected the tiles, and row and column of A and B: {EXAMPLE}"),
            ),
            Explanation::new(
                format!("국면을 나타내는 JSON이 아닙니다: {message}"),
                format!("발판들과 A, B의 행과 열을 적으세요: {EXAMPLE}"),
            ),
        ),
        WalkersError::NoTile { found } => lang.pick(
            Explanation::new(format!("`{found}` is not a tile"), "expected 1 for a tile or 0 for a hole"),
            Explanation::new(format!("`{found}`: 발판이 아닙니다"), "1은 발판, 0은 구멍입니다"),
        ),
        WalkersError::NoNumber { found } => lang.pick(
            Explanation::new(format!("`{found}` is not a row or column"), "rows and columns count from 0"),
            Explanation::new(format!("`{found}`: 행이나 열의 번호가 아닙니다"), "행과 열은 0부터 셉니다"),
        ),
        WalkersError::OffTiles { token, at: [row, col], board } => lang.pick(
            Explanation::new(
                format!("{token} at [{row}, {col}], where there is no tile"),
                format!("row and column of a tile, from 0, on a board of {board}"),
            ),
            Explanation::new(
                format!("말 {token}의 자리 [{row}, {col}]에 발판이 없습니다"),
                format!("{board} 판에서 발판이 있는 행과 열을 0부터 세어 적으세요"),
            ),
        ),
    }
}
