//! The rules of heap games and the errors in their positions in words.

use super::{Code, HeapsError, Rules};
use crate::words::{Explanation, Lang};

/// Describes the rules, one sentence each.
pub(super) fn describe(lang: Lang, rules: &Rules) -> Vec<String> {
    let code = match &rules.code {
        Code::Nim => lang.pick(
            "In turn, players take any number of tokens from one heap.".to_owned(),
            "번갈아 한 더미에서 원하는 만큼 돌을 가져갑니다.".to_owned(),
        ),
        Code::Octal(digits) => {
            let can = digits.iter().enumerate().filter(|(_, digit)| **digit > 0);
            let listed: Vec<_> = can.map(|(taken, digit)| taking(lang, taken, *digit)).collect();
            lang.pick(
                format!("In turn, players take from one heap: {}.", listed.join("; ")),
                format!("번갈아 한 더미에서 가져갑니다: {}.", listed.join("; ")),
            )
        }
    };
    let end = if rules.misere {
        lang.pick("Who cannot move wins.", "둘 수 없는 쪽이 이깁니다.")
    } else {
        lang.pick("Who cannot move loses.", "둘 수 없는 쪽이 집니다.")
    };
    vec![code, end.to_owned()]
}

/// Describes when a digit of an octal code allows to take its number of tokens.
fn taking(lang: Lang, taken: usize, digit: u8) -> String {
    let cases = [
        (1, lang.pick("if they are the whole heap", "더미 전부일 때")),
        (2, lang.pick("leaving one heap", "한 더미를 남길 때")),
        (4, lang.pick("leaving two", "두 더미로 나눌 때")),
    ];
    let allowed: Vec<_> = cases.into_iter().filter(|(bit, _)| digit & bit != 0).map(|(_, words)| words).collect();
    match lang {
        Lang::En => format!("{taken} {}", allowed.join(" or ")),
        Lang::Ko => format!("{taken}개({})", allowed.join(", ")),
    }
}

/// Explains an error in a position.
pub(crate) fn explain(lang: Lang, mistake: &HeapsError) -> Explanation {
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
