//! What is said around the lessons; they themselves are files.

use balpan::Outcome;

use super::Lang;

pub(crate) fn title(lang: Lang) -> &'static str {
    lang.pick("Learn", "배우기")
}

pub(crate) fn lead(lang: Lang) -> &'static str {
    lang.pick(
        "How a computer plays perfectly, in ten short lessons. Every picture is a live position, and each lesson ends with an exercise.",
        "컴퓨터가 어떻게 완벽하게 두는지 짧은 수업 열 편으로 배웁니다. 그림은 모두 열어 볼 수 있는 국면이고, 수업마다 연습이 있습니다.",
    )
}

pub(crate) fn lessons(lang: Lang) -> &'static str {
    lang.pick("Lessons", "수업")
}

pub(crate) fn open(lang: Lang) -> &'static str {
    lang.pick("Open", "열어 보기")
}

pub(crate) fn answer(lang: Lang) -> &'static str {
    lang.pick("Your answer", "답")
}

pub(crate) fn check(lang: Lang) -> &'static str {
    lang.pick("Check", "확인하기")
}

pub(crate) fn again(lang: Lang) -> &'static str {
    lang.pick("Try again", "다시 해 보기")
}

pub(crate) fn right(lang: Lang) -> &'static str {
    lang.pick("✓ Right:", "✓ 정답:")
}

pub(crate) fn wrong(lang: Lang) -> &'static str {
    lang.pick("✗ Not right:", "✗ 오답:")
}

/// What the player to move comes to.
pub(crate) fn outcome(lang: Lang, outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => lang.pick("a win", "이깁니다"),
        Outcome::Draw => lang.pick("a draw", "비깁니다"),
        Outcome::Loss => lang.pick("a loss", "집니다"),
    }
}
