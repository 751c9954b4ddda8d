//! `stress::explain` finds the misunderstanding behind a program's answers.

use balpan::Watch;
use balpan_contest::stress::explain;
use balpan_contest::{BlockGame, DataOptions, Judge, Platforms, TestData, TicTacToe, generate};

fn data<J: Judge>(judge: &J) -> TestData<J> {
    generate(judge, &DataOptions { cases: 50, seed: 7, cover: true }, &Watch::default()).unwrap()
}

/// Explains the answers of each known misunderstanding by this one, or by one that gives the same answers.
fn explains_all<J: Judge>(judge: &J) {
    let data = data(judge);
    assert!(explain(judge, &data.cases, &data.answers, &data.answers).is_empty());
    let fewer = explain(judge, &data.cases, &data.answers, &data.answers[1..]);
    assert!(fewer.is_empty() || fewer[0].explains < fewer[0].compared || fewer[0].mistake.count_offset().is_none());
    for mistake in judge.mistakes() {
        let answers = mistake.answers(judge, &data.cases);
        // Without an answer of the mistake, the answer is right.
        let theirs: Vec<_> = answers
            .iter()
            .zip(&data.answers)
            .map(|(answer, right)| answer.clone().unwrap_or_else(|| right.clone()))
            .collect();
        if theirs == data.answers {
            continue;
        }
        let suspects = explain(judge, &data.cases, &data.answers, &theirs);
        let best = suspects.first().unwrap_or_else(|| panic!("{}: nothing explains it", mistake.name));
        let is_same = best.mistake.name == mistake.name || best.mistake.answers(judge, &data.cases) == answers;
        assert!(is_same || best.explains == best.compared, "{}: {}", mistake.name, best.mistake.name);
    }
}

#[test]
fn misunderstandings_are_named() {
    explains_all(&Platforms);
    explains_all(&BlockGame);
    explains_all(&TicTacToe);
}

#[test]
fn a_wrong_count_is_named() {
    let data = data(&TicTacToe);
    let found = explain(&TicTacToe, &data.cases, &data.answers, &data.answers[..49]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].mistake.count_offset(), Some(-1));
}
