//! Answers that a program has given are explained by the misunderstanding that gives them.

use balpan::Watch;
use balpan_contest::stress::explain;
use balpan_contest::{BlockGame, DataOptions, Judge, Platforms, TestData, TicTacToe, generate};

/// Cases with their answers.
fn data<J: Judge>(judge: &J) -> TestData<J> {
    generate(judge, &DataOptions { cases: 50, seed: 7, cover: true }, &Watch::default()).unwrap()
}

/// Each known misunderstanding is found by its own answers, before any other that gives different ones.
fn of<J: Judge>(judge: &J) {
    let data = data(judge);
    assert!(explain(judge, &data.cases, &data.answers, &data.answers).is_empty());
    let fewer = explain(judge, &data.cases, &data.answers, &data.answers[1..]);
    assert!(fewer.is_empty() || fewer[0].explains < fewer[0].compared || fewer[0].mistake.count_offset().is_none());
    for mistake in judge.mistakes() {
        let answers = mistake.answers(&data.cases);
        // Where it has no answer, it is right by chance.
        let theirs: Vec<_> =
            answers.iter().zip(&data.answers).map(|(answer, right)| answer.unwrap_or(*right)).collect();
        if theirs == data.answers {
            continue;
        }
        let suspects = explain(judge, &data.cases, &data.answers, &theirs);
        let best = suspects.first().unwrap_or_else(|| panic!("{}: nothing explains it", mistake.name));
        let is_same = best.mistake.name == mistake.name || best.mistake.answers(&data.cases) == answers;
        assert!(is_same || best.explains == best.compared, "{}: {}", mistake.name, best.mistake.name);
    }
}

#[test]
fn the_misunderstanding_is_named() {
    of(&Platforms);
    of(&BlockGame);
    of(&TicTacToe);
}

#[test]
fn a_count_read_wrongly_is_named() {
    let data = data(&TicTacToe);
    let found = explain(&TicTacToe, &data.cases, &data.answers, &data.answers[..49]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].mistake.count_offset(), Some(-1));
}
