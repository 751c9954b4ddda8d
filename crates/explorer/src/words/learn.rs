//! Words of the lessons' pages. The lessons themselves are files.

use balpan::Outcome;

use super::{Lang, phrases};

phrases! {
    title: "Learn", "배우기";
    lead:
        "How a computer plays perfectly, in ten short lessons. Every picture is a live position, and each lesson ends with an exercise.",
        "컴퓨터가 어떻게 완벽하게 두는지 짧은 수업 열 편으로 배웁니다. 그림은 모두 열어 볼 수 있는 국면이고, 수업마다 연습이 있습니다.";
    lessons: "Lessons", "수업";
    open: "Open", "열어 보기";
    answer: "Your answer", "답";
    check: "Check", "확인하기";
    again: "Try again", "다시 해 보기";
    right: "✓ Right:", "✓ 정답:";
    wrong: "✗ Not right:", "✗ 오답:";
}

/// The outcome for the player to move.
pub(crate) fn outcome(lang: Lang, outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => lang.pick("a win", "이깁니다"),
        Outcome::Draw => lang.pick("a draw", "비깁니다"),
        Outcome::Loss => lang.pick("a loss", "집니다"),
    }
}
