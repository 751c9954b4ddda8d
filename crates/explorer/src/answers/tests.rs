#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use balpan_games::presets::preset;

use super::*;

/// What is asked of a preset's position.
pub(super) fn asked(name: &str, text: &str) -> Asked {
    let rules = preset(name).unwrap().unwrap();
    let game = rules.game_at(text).unwrap();
    Asked { name: name.into(), rules: rules.text, game, ask: None }
}

/// Far more than an easy question takes.
const LONG: Duration = Duration::from_secs(60);

fn limits() -> Limits {
    Limits { patience: LONG, time: LONG, memory: 1 << 28, running: 1, waiting: 4, cached: 1 << 20 }
}

fn hard() -> Asked {
    Asked { ask: Some(Ask::Value), ..asked("domineering", &["........"; 8].join("/")) }
}

async fn until(what: impl Fn() -> bool) {
    while !what() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn easy_questions_are_answered_and_kept() {
    let answers = Answers::new(limits());
    let mut kept = Vec::new();
    for _ in 0..2 {
        let Reply::Answered(answer) = answers.ask(asked("tictactoe", "X../.O./..X")).await else { panic!() };
        assert_eq!(answer.outcome, balpan::Outcome::Draw);
        kept.push(answer);
    }
    assert!(Arc::ptr_eq(&kept[0], &kept[1]));
}

/// What an answer says, without what it cost.
fn said(reply: Reply) -> serde_json::Value {
    let Reply::Answered(answer) = reply else { panic!("{reply:?}") };
    let mut said = serde_json::to_value(&*answer).unwrap();
    for cost in ["seconds", "positions_searched"] {
        said.as_object_mut().unwrap().remove(cost);
    }
    said
}

#[tokio::test]
async fn a_table_answers_as_the_search_does() {
    let [with_table, without] = [1 << 28, 1 << 20].map(|memory| Answers::new(Limits { memory, ..limits() }));
    for (game, position) in [
        ("blockgame", "##..#/..#../...../...#./....."),
        ("cram", "...../..#../#..../..#.."),
        ("blockgame", "..../.#../..../...#"),
        ("blockgame", "#####/#####/#.#.#/#####/#####"),
    ] {
        let ask = || async { [with_table.ask(asked(game, position)).await, without.ask(asked(game, position)).await] };
        let [by_table, by_search] = ask().await.map(said);
        assert_eq!(by_table, by_search, "{game} {position}");
    }
    assert_eq!([&with_table, &without].map(|answers| answers.shared.tables.count()), [2, 0]);
}

#[tokio::test]
async fn the_same_question_is_not_solved_twice() {
    let answers = Answers::new(Limits { patience: Duration::ZERO, ..limits() });
    for _ in 0..3 {
        let Reply::NotYet(_) = answers.ask(hard()).await else { panic!() };
    }
    let unanswered = || {
        let state = locked(&answers.shared.state);
        (state.solving.len() + state.slow.len(), state.solving.iter().filter(|solving| solving.is_slow()).count())
    };
    until(|| unanswered() == (1, 1)).await;
    let Reply::NotYet(progress) = answers.ask(hard()).await else { panic!() };
    assert_eq!(progress.ahead, 0);
    assert!(progress.elapsed > Duration::ZERO);
}
