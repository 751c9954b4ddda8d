//! Messages about positions of heap games.

use super::{Explanation, Lang};
use crate::error::HeapsError;

pub(super) fn heaps(lang: Lang, mistake: &HeapsError) -> Explanation {
    let sizes = lang
        .pick("a position is the sizes of its heaps: `3 5 7`", "국면은 `3 5 7`처럼 더미의 크기를 늘어놓아 적습니다");
    match mistake {
        HeapsError::NoHeap { word } => {
            let word = word.escape_debug();
            Explanation::new(
                lang.pick(format!("`{word}` is not a heap"), format!("`{word}`: 더미의 크기가 아닙니다")),
                sizes,
            )
        }
        HeapsError::TooLarge { size, largest } => lang.pick(
            Explanation::new(format!("a heap of {size} tokens"), format!("a heap has {largest} at most by this code")),
            Explanation::new(
                format!("돌 {size}개짜리 더미입니다"),
                format!("이 코드에서는 한 더미에 최대 {largest}개까지입니다"),
            ),
        ),
        HeapsError::TooMany { max } => lang.pick(
            Explanation::new(format!("more than {max} heaps"), "take fewer"),
            Explanation::new(format!("더미가 {max}개를 넘습니다"), "더미의 수를 줄이세요"),
        ),
        HeapsError::BesidePlus => {
            Explanation::new(lang.pick("no heap beside this `+`", "이 `+` 옆에 더미가 없습니다"), sizes)
        }
        HeapsError::NoHeaps => lang.pick(
            Explanation::new("no heap", format!("{sizes}; where none is left, `0`")),
            Explanation::new("더미가 없습니다", format!("{sizes}. 남은 더미가 없으면 `0`입니다")),
        ),
        HeapsError::OutOfPlay { start } => lang.pick(
            Explanation::new("heaps that play cannot reach", format!("this game begins with {start}")),
            Explanation::new("이 게임에서 나올 수 없는 더미들입니다", format!("이 게임은 {start}에서 시작합니다")),
        ),
    }
}
