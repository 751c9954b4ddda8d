//! The rules of heap games and the errors in their positions in words.

use super::{Code, HeapsError, Rules, Split, Take};
use crate::words::{Explanation, Lang};

/// Describes the rules, one sentence each.
pub(super) fn describe(lang: Lang, rules: &Rules) -> Vec<String> {
    let code = match &rules.code {
        Code::Nim => lang.pick(
            "In turn, players take any number of tokens from one heap.".to_owned(),
            "번갈아 한 더미에서 원하는 만큼 돌을 가져갑니다.".to_owned(),
        ),
        Code::Digits(digits) => {
            let can = digits.iter().enumerate().filter(|(_, digit)| **digit > 0);
            let listed: Vec<_> = can.map(|(taken, digit)| taking(lang, taken, *digit)).collect();
            lang.pick(
                format!("In turn, players take from one heap: {}.", listed.join("; ")),
                format!("번갈아 한 더미에서 가져갑니다: {}.", listed.join("; ")),
            )
        }
        Code::Rule(take, split) => rule(lang, take, *split),
    };
    let end = if rules.misere {
        lang.pick("Who cannot move wins.", "둘 수 없는 쪽이 이깁니다.")
    } else {
        lang.pick("Who cannot move loses.", "둘 수 없는 쪽이 집니다.")
    };
    vec![code, end.to_owned()]
}

/// Describes the keys `take` and `split`.
fn rule(lang: Lang, take: &Take, split: Split) -> String {
    let number = match take {
        Take::None => None,
        Take::Any => Some(lang.pick("any number of tokens".to_owned(), "원하는 만큼 돌을".to_owned())),
        Take::Set(_) => Some(match lang {
            Lang::En => format!("{} tokens", take.to_string().replace(',', ", ").replace('-', " to ")),
            Lang::Ko => format!("돌을 {}개", take.to_string().replace(',', ", ").replace('-', "~")),
        }),
        Take::Powers(base) => Some(lang.pick(
            format!("a power of {base} of tokens (1, {base}, and so on)"),
            format!("돌을 {base}의 거듭제곱(1, {base}, …)만큼"),
        )),
        Take::Squares => Some(lang.pick("a square number of tokens".to_owned(), "돌을 제곱수만큼".to_owned())),
        Take::LessThanHalf => {
            Some(lang.pick("fewer than half of its tokens".to_owned(), "절반보다 적은 돌을".to_owned()))
        }
        Take::AtMostHalf => Some(lang.pick("at most half of its tokens".to_owned(), "절반 이하의 돌을".to_owned())),
        Take::EvenOrAllIfOdd => Some(lang.pick(
            "an even number of tokens, but not all, or all if their number is odd".to_owned(),
            "돌을 짝수 개만큼(모두는 안 됨), 또는 홀수 개이면 모두".to_owned(),
        )),
        Take::Wythoff => Some(lang.pick("any number of tokens".to_owned(), "원하는 만큼 돌을".to_owned())),
        Take::Divisors => Some(lang.pick(
            "a number of tokens that divides its size and is smaller".to_owned(),
            "더미 크기의 약수이면서 그보다 작은 수만큼 돌을".to_owned(),
        )),
    };
    let in_two = match split {
        Split::Unequal => lang.pick("two heaps of different sizes", "크기가 다른 두 더미로"),
        _ => lang.pick("two heaps", "두 더미로"),
    };
    match (number, split) {
        (None, Split::No) => lang.pick("Nobody can move.", "아무도 둘 수 없습니다.").to_owned(),
        (None, _) => lang.pick(
            format!("In turn, players split one heap into {in_two}."),
            format!("번갈아 한 더미를 {in_two} 나눕니다."),
        ),
        (Some(number), _) if *take == Take::Wythoff => lang.pick(
            format!("In turn, players take {number} from one heap, or the same number from each of two."),
            format!("번갈아 한 더미에서 {number} 가져가거나 두 더미에서 같은 수만큼 가져갑니다."),
        ),
        (Some(number), Split::No) => lang.pick(
            format!("In turn, players take {number} from one heap."),
            format!("번갈아 한 더미에서 {number} 가져갑니다."),
        ),
        (Some(number), Split::Any) => lang.pick(
            format!("In turn, players take {number} from one heap, and may split the rest into {in_two}."),
            format!("번갈아 한 더미에서 {number} 가져가고, 남은 돌을 {in_two} 나눌 수 있습니다."),
        ),
        (Some(number), Split::Two | Split::Unequal) => lang.pick(
            format!("In turn, players take {number} from one heap, or split a heap into {in_two}."),
            format!("번갈아 한 더미에서 {number} 가져가거나 한 더미를 {in_two} 나눕니다."),
        ),
    }
}

/// Describes when a digit of an octal code allows to take its number of tokens.
fn taking(lang: Lang, taken: usize, digit: u8) -> String {
    let cases = [
        (1, lang.pick("if they are the whole heap", "더미 전부일 때")),
        (2, lang.pick("leaving one heap", "한 더미를 남길 때")),
        (4, lang.pick("leaving two", "두 더미로 나눌 때")),
        (8, lang.pick("leaving three", "세 더미로 나눌 때")),
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
            Explanation::new(
                format!("a heap of {size} tokens"),
                format!("{largest} at most, where all moves are listed; larger ones are answered as a position alone, by a formula or a period"),
            ),
            Explanation::new(
                format!("돌 {size}개짜리 더미입니다"),
                format!(
                    "수를 모두 늘어놓는 곳에서는 {largest}개까지입니다. 더 큰 더미는 그 국면만 따로 물으면 공식이나 주기로 답합니다"
                ),
            ),
        ),
        HeapsError::NoTheory { size, largest } => lang.pick(
            Explanation::new(
                format!("a heap of {size} tokens"),
                format!("by these rules no formula or proved period has its nimber: heaps of up to {largest} can be answered"),
            ),
            Explanation::new(
                format!("돌 {size}개짜리 더미입니다"),
                format!(
                    "이 규칙으로는 그런디 수를 구할 공식이나 증명된 주기가 없어, {largest}개까지의 더미만 답할 수 있습니다"
                ),
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
