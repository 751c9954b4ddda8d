#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::LazyLock;

use balpan::{Budget, Method, Watch};
use balpan_games::presets::preset;
use balpan_games::{MakeEngine, Notation, Question, Task, TextEngine};
use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::scene::start_text;

/// What is asked of a preset's position.
pub(super) fn asked(name: &str, text: &str) -> Asked {
    let rules = preset(name).unwrap().unwrap();
    let game = rules.game_at(text).unwrap();
    let position = start_text(&game);
    Asked { name: name.into(), rules, game, position, ask: None, may_take_long: true }
}

impl Answers {
    async fn answer(&self, asked: Asked) -> Reply {
        self.ask(asked, Wait::Patiently).await
    }
}

/// Far more than an easy question takes.
const LONG: Duration = Duration::from_secs(60);

fn limits() -> Limits {
    Limits {
        public: None,
        patience: LONG,
        time: LONG,
        abandoned_after: LONG,
        memory: 1 << 28,
        running: 1,
        waiting: 4,
        cached: 1 << 20,
        followers: 2,
        tablebase: Tablebase::default(),
        certificates: Arc::default(),
    }
}

fn hard() -> Asked {
    Asked { ask: Some(Goal::MoveValues), ..asked("domineering", &["........"; 8].join("/")) }
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
        let Reply::Answered(answer) = answers.answer(asked("tictactoe", "X../.O./..X")).await else { panic!() };
        assert_eq!(answer.outcome, Some(balpan::Outcome::Draw));
        kept.push(answer);
    }
    assert!(Arc::ptr_eq(&kept[0], &kept[1]));
}

/// What an answer says, without what it cost.
fn said(reply: Reply) -> serde_json::Value {
    let Reply::Answered(answer) = reply else { panic!("{reply:?}") };
    let mut said = serde_json::to_value(&*answer).unwrap();
    // What plain minimax is asked does not know by which rules.
    for cost in ["seconds", "positions_searched", "rules"] {
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
        let ask =
            || async { [with_table.answer(asked(game, position)).await, without.answer(asked(game, position)).await] };
        let [by_table, by_search] = ask().await.map(said);
        assert_eq!(by_table, by_search, "{game} {position}");
    }
}

#[tokio::test]
async fn the_same_question_is_not_solved_twice() {
    let answers = Answers::new(Limits { patience: Duration::ZERO, ..limits() });
    for _ in 0..3 {
        let Reply::NotYet(..) = answers.answer(hard()).await else { panic!() };
    }
    let unanswered = || {
        let state = locked(&answers.shared.state);
        (state.solving.len() + state.slow.len(), state.solving.iter().filter(|solving| solving.is_slow()).count())
    };
    until(|| unanswered() == (1, 1)).await;
    let Reply::NotYet(progress, _) = answers.answer(hard()).await else { panic!() };
    assert_eq!(progress.ahead, 0);
    assert!(progress.elapsed > Duration::ZERO);
}

#[tokio::test]
async fn what_is_too_much_is_refused() {
    let answers = Answers::new(Limits { patience: Duration::ZERO, waiting: 1, ..limits() });
    let solving = || locked(&answers.shared.state).solving.len();
    let slow = || locked(&answers.shared.state).slow.len();
    for (n, asked) in hard_ones().take(6).enumerate() {
        assert!(matches!(answers.answer(asked).await, Reply::NotYet(..)));
        until(|| solving() == 1 && slow() == n.min(1) && locked(&answers.shared.state).quick_is_empty()).await;
    }
    let answers = Answers::new(Limits { waiting: 0, ..limits() });
    let [first, second] = hard_ones().take(2).collect::<Vec<_>>().try_into().unwrap_or_else(|_| panic!());
    let replies = tokio::join!(answers.answer(first), answers.answer(second));
    assert!(matches!(replies, (Reply::Busy, Reply::Busy)), "{replies:?}");
}

#[tokio::test]
async fn what_takes_too_long_is_given_up() {
    let answers = Answers::new(Limits { time: Duration::from_millis(200), ..limits() });
    for _ in 0..2 {
        let Reply::GivenUp(given_up, _) = answers.answer(hard()).await else { panic!() };
        assert!(given_up.after >= Duration::from_millis(200));
        assert!(given_up.positions > 0);
    }
}

#[tokio::test]
async fn what_has_no_answer_is_refused() {
    let answers = Answers::new(limits());
    let reply = answers.answer(asked("nim", &["1"; 256].join(" "))).await;
    assert!(matches!(reply, Reply::Answered(_)), "{reply:?}");
    let rules = preset("nim").unwrap().unwrap().set("misere=true").unwrap();
    let position = (balpan::MAX_PLIES + 1).to_string();
    let game = rules.game_at(&position).unwrap();
    let reply = answers
        .answer(Asked { name: "nim".into(), rules, game, position, ask: Some(Goal::MoveValues), may_take_long: true })
        .await;
    assert!(matches!(reply, Reply::Refused(EngineError::TooLong { .. })), "{reply:?}");
}

/// Twenty questions that take far longer than a moment.
fn hard_ones() -> impl Iterator<Item = Asked> {
    let games =
        [("gomoku", 8, 8, "XO"), ("connect4", 6, 7, "XO"), ("pentominoes", 8, 8, "##"), ("domineering", 8, 8, "##")];
    let filled = (0..5).flat_map(move |filled| games.map(|game| (filled, game)));
    filled.map(|(filled, (game, rows, cols, marks))| {
        let mut text = vec![".".repeat(cols); rows].join("/");
        let marks: String = marks.chars().cycle().take(filled).collect();
        text.replace_range(text.len() - filled.., &marks);
        Asked { ask: Some(Goal::MoveValues), ..asked(game, &text) }
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn hard_questions_leave_easy_ones_answered() {
    let answers = Arc::new(Answers::new(Limits { waiting: 64, ..limits() }));
    let hard: Vec<_> = hard_ones()
        .map(|asked| {
            let answers = Arc::clone(&answers);
            tokio::spawn(async move { answers.answer(asked).await })
        })
        .collect();
    assert_eq!(hard.len(), 20);
    for (game, position) in [
        ("tictactoe", "X../.O./..."),
        ("platforms", "...../...../..A../..B../....."),
        ("blockgame", "...../..#../...../...../....."),
        ("nim", "3 4 5"),
    ] {
        let reply = answers.answer(asked(game, position)).await;
        assert!(matches!(reply, Reply::Answered(_)), "{game}: {reply:?}");
    }
    assert!(hard.iter().all(|hard| !hard.is_finished()));
    drop(answers);
    hard.iter().for_each(tokio::task::JoinHandle::abort);
}

/// Longer than a moment, and far shorter than a turn.
fn middling() -> Asked {
    Asked { ask: Some(Goal::MoveValues), ..asked("connect4", &["......"; 5].join("/")) }
}

#[tokio::test(flavor = "multi_thread")]
async fn hard_questions_take_turns_with_others() {
    let answers = Arc::new(Answers::new(limits()));
    let ask = |asked: Asked| {
        let answers = Arc::clone(&answers);
        tokio::spawn(async move { answers.answer(asked).await })
    };
    let hard = ask(hard());
    until(|| locked(&answers.shared.state).solving.iter().any(lanes::Solving::is_slow)).await;
    // There is one slow lane, and the hard question is in it, for a minute and more.
    let reply = ask(middling()).await.unwrap();
    assert!(matches!(reply, Reply::Answered(_)), "{reply:?}");
    until(|| locked(&answers.shared.state).solving.iter().any(lanes::Solving::is_slow)).await;
    assert!(!hard.is_finished());
    hard.abort();
}

/// A question is solved as long as somebody waits for it or asks again; then its place is free.
#[tokio::test]
async fn questions_whose_clients_have_left_are_stopped() {
    let short = Duration::from_millis(200);
    let answers = Answers::new(Limits { abandoned_after: short, ..limits() });
    let counts = || {
        let state = locked(&answers.shared.state);
        (state.solving.len(), state.slow.len())
    };
    let [first, second, third] = hard_ones().take(3).collect::<Vec<_>>().try_into().unwrap_or_else(|_| panic!());
    let all = async { tokio::join!(answers.answer(first), answers.answer(second), answers.answer(third)) };
    // They are waited for until all of them are in the slow lane.
    tokio::select! {
        replies = all => panic!("{replies:?}"),
        () = until(|| counts() == (1, 2)) => tokio::time::sleep(2 * short).await,
    }
    until(|| counts() == (0, 0)).await;
    // What is followed is waited for.
    let steps = answers.follow(hard()).unwrap();
    until(|| locked(&answers.shared.state).solving.iter().any(lanes::Solving::is_slow)).await;
    tokio::time::sleep(3 * short).await;
    assert_eq!(counts(), (1, 0));
    drop(steps);
    until(|| counts() == (0, 0)).await;
    let [asked, again] = [hard(), hard()].map(|asked| answers.ask(asked, Wait::Not));
    assert!(matches!((asked.await, again.await), (Reply::NotYet(..), Reply::NotYet(..))));
    until(|| counts() == (0, 0)).await;
}

#[tokio::test]
async fn all_work_ends_with_the_answers() {
    let answers = Answers::new(Limits { patience: Duration::ZERO, ..limits() });
    for asked in hard_ones().take(4) {
        answers.answer(asked).await;
    }
    let shared = Arc::downgrade(&answers.shared);
    drop(answers);
    until(|| shared.strong_count() == 0).await;
}

#[tokio::test]
async fn what_one_position_has_taught_serves_the_next() {
    let answers = Answers::new(limits());
    let ask = |ask| answers.answer(Asked { ask: Some(ask), ..asked("connect4", "...../...../...../.....") });
    let Reply::Answered(first) = ask(Goal::MoveValues).await else { panic!() };
    let Reply::Answered(second) = ask(Goal::Value).await else { panic!() };
    // One engine, which knows all of the second question.
    assert!(second.positions_searched * 10 < first.positions_searched, "{first:?} {second:?}");
    let state = locked(&answers.shared.state);
    let (bytes, lent) = state.engines.bytes();
    assert!(state.engines.idle() >= 1 && bytes > 0 && bytes <= 1 << 28, "{bytes}");
    assert_eq!(lent, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn engines_keep_within_the_memory() {
    let memory = 24 << 20;
    let answers = Answers::new(Limits { memory, time: Duration::from_millis(300), ..limits() });
    for asked in hard_ones().take(8) {
        answers.answer(asked).await;
        let (bytes, lent) = locked(&answers.shared.state).engines.bytes();
        assert!(bytes + lent <= memory as u64, "{bytes} {lent}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_easy_question_does_not_wait_for_a_hard_one_of_its_game() {
    let answers = Arc::new(Answers::new(limits()));
    let hard = {
        let answers = Arc::clone(&answers);
        tokio::spawn(async move { answers.answer(hard()).await })
    };
    until(|| locked(&answers.shared.state).solving.iter().any(lanes::Solving::is_slow)).await;
    let easy = "######../######../######../######../########/########/########/########";
    let reply = answers.answer(asked("domineering", easy)).await;
    assert!(matches!(reply, Reply::Answered(_)), "{reply:?}");
    assert!(!hard.is_finished());
    hard.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_known_is_told_before_the_end() {
    let answers = Answers::new(limits());
    // Long enough that there is time between the steps, however busy the machine is.
    let long = asked("connect4", &["......"; 6].join("/"));
    let mut steps = answers.follow(Asked { ask: Some(Goal::MoveValues), ..long }).unwrap();
    let (mut known, mut answered) = (0, None);
    while let Some(step) = steps.next().await {
        match step {
            Step::More(Reply::NotYet(_, Some(_))) => known += 1,
            Step::More(Reply::Answered(answer)) => answered = Some(answer),
            Step::More(Reply::NotYet(_, None)) | Step::Further(_) => {}
            Step::More(other) => panic!("{other:?}"),
        }
    }
    assert!(known > 0 && answered.is_some_and(|answer| answer.complete));
    // There are places for two.
    let more: Vec<_> = (0..3).map(|_| answers.follow(middling())).collect();
    assert_eq!(more.iter().flatten().count(), 1);
}

/// Small games of every family.
const SMALL: [(&str, &[&str]); 14] = [
    ("platforms", &["board=3x3"]),
    ("kings", &["board=3x3"]),
    ("joust", &["board=3x4", "torus=true"]),
    ("blockgame", &["board=3x4"]),
    ("blockgame", &["board=3x3", "misere=true"]),
    ("domineering", &["board=4x3"]),
    ("pentominoes", &["board=3x5"]),
    ("tictactoe", &[]),
    ("connect4", &["board=3x3", "k=3"]),
    ("gomoku", &["board=3x3", "k=3", "misere=true"]),
    ("notakto", &[]),
    ("nim", &["start=1 2 3", "misere=true"]),
    ("kayles", &["start=3 4"]),
    ("dawson", &["start=8"]),
];

/// The text of a position after one move for each of these numbers, which choose it.
struct Wander<'a>(&'a [usize]);

impl Task for Wander<'_> {
    type Output = String;

    fn run<G: Notation>(self, game: &G) -> String {
        let mut position = game.start();
        for choice in self.0 {
            let moves: Vec<_> = game.moves(&position).collect();
            if moves.is_empty() {
                break;
            }
            position = game.play(&position, moves[choice % moves.len()]);
        }
        game.text(&position)
    }
}

/// What plain minimax says.
struct Plainly<'a>(&'a Asked);

impl Task for Plainly<'_> {
    type Output = Answer;

    fn run<G: Notation>(self, game: &G) -> Answer {
        let make = MakeEngine { method: Method::Minimax, ..MakeEngine::within(Budget::default()) };
        let question = Question { ask: self.0.ask, number: false };
        let (mut engine, position) = (make.engine(game), game.text(&game.start()));
        TextEngine::ask(&mut engine, &self.0.name, &position, question, &Watch::default(), &mut |_| {}).unwrap()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn answers_are_those_of_minimax(
        game in 0..SMALL.len(),
        choices in vec(any::<usize>(), 1..8),
        ask in prop_oneof![Just(None), Just(Some(Goal::MoveValues)), Just(Some(Goal::MoveOutcomes))],
    ) {
        static ANSWERS: LazyLock<Answers> = LazyLock::new(|| Answers::new(limits()));
        let (name, changes) = SMALL[game];
        let changes: Vec<_> = changes.iter().map(|change| (*change).to_owned()).collect();
        let rules = preset(name).unwrap().unwrap().changed(&changes).unwrap();
        let text = rules.game().unwrap().run(Wander(&choices));
        let asked = || Asked { name: name.into(), rules: rules.clone(), game: rules.game_at(&text).unwrap(), position: text.clone(), ask, may_take_long: true };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let reply = runtime.block_on(ANSWERS.answer(asked()));
        let plainly = Plainly(&asked());
        prop_assert_eq!(said(reply), said(Reply::Answered(Arc::new(asked().game.run(plainly)))));
    }
}
