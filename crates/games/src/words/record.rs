//! Messages about records of games.

use super::{Explanation, Lang};
use crate::error::RecordError;

pub(super) fn record(lang: Lang, mistake: &RecordError) -> Explanation {
    match mistake {
        RecordError::IllegalMove { word, n, legal, and_others } => {
            let (word, legal) = (word.escape_debug(), legal.join("`, `"));
            let others = if *and_others { ", .." } else { "" };
            lang.pick(
                Explanation::new(
                    format!("`{word}`, move {n}, cannot be made"),
                    format!("moves there are `{legal}`{others}"),
                ),
                Explanation::new(
                    format!("{n}번째 수 `{word}`: 둘 수 없는 수입니다"),
                    format!("거기서 둘 수 있는 수: `{legal}`{others}"),
                ),
            )
        }
        RecordError::AfterEnd { word, n } => {
            let word = word.escape_debug();
            lang.pick(
                Explanation::new(
                    format!("`{word}`, move {n}, after the game has ended"),
                    "leave out what comes after the end",
                ),
                Explanation::new(
                    format!("{n}번째 수 `{word}`: 게임이 이미 끝났습니다"),
                    "끝난 뒤의 수는 빼고 적으세요",
                ),
            )
        }
        RecordError::TooLong { max } => lang.pick(
            Explanation::new(format!("more than {max} moves"), "give the position where they begin, and fewer moves"),
            Explanation::new(format!("수가 {max}개를 넘습니다"), "시작 국면을 따로 적고 수를 줄이세요"),
        ),
    }
}
