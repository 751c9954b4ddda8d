#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::LazyLock;

use balpan::{Budget, Method, Watch};
use balpan_games::presets::preset;
use balpan_games::{EngineOptions, Notation, Task, TextEngine};
use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

/// A question about a preset's position.
pub(super) fn query(name: &str, text: &str) -> Query {
    let rules = preset(name).unwrap().unwrap();
    let game = rules.game_at(text).unwrap();
    let position = game.start_text();
    Query { name: name.into(), rules, game, position, goal: None, may_take_long: true }
}

impl Answers {
    async fn answer(&self, query: Query) -> Reply {
        self.ask(query, Wait::UntilComplete).await
    }
}

/// Far longer than an easy question takes.
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

fn hard() -> Query {
    Query { goal: Some(Goal::MoveValues), ..query("domineering", &["........"; 8].join("/")) }
}

async fn until(what: impl Fn() -> bool) {
    while !what() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn easy_questions_are_answered_and_cached() {
    let answers = Answers::new(limits());
    let mut replies = Vec::new();
    for _ in 0..2 {
        let Reply::Answered(answer) = answers.answer(query("tictactoe", "X../.O./..X")).await else { panic!() };
        assert_eq!(answer.outcome, Some(balpan::Outcome::Draw));
        replies.push(answer);
    }
    assert!(Arc::ptr_eq(&replies[0], &replies[1]));
}

/// An answer as JSON, without its cost.
fn content(reply: Reply) -> serde_json::Value {
    let Reply::Answered(answer) = reply else { panic!("{reply:?}") };
    let mut content = serde_json::to_value(&*answer).unwrap();
    // The minimax answer has no `rules`.
    for cost in ["seconds", "positions_searched", "rules"] {
        content.as_object_mut().unwrap().remove(cost);
    }
    content
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
            || async { [with_table.answer(query(game, position)).await, without.answer(query(game, position)).await] };
        let [by_table, by_search] = ask().await.map(content);
        assert_eq!(by_table, by_search, "{game} {position}");
    }
}

#[tokio::test]
async fn the_same_question_is_not_solved_twice() {
    let answers = Answers::new(Limits { patience: Duration::ZERO, ..limits() });
    for _ in 0..3 {
        let Reply::Pending(..) = answers.answer(hard()).await else { panic!() };
    }
    let unanswered = || {
        let state = lock(&answers.scheduler.state);
        (state.running.len() + state.slow_queue.len(), state.running.iter().filter(|running| running.is_slow()).count())
    };
    until(|| unanswered() == (1, 1)).await;
    let Reply::Pending(progress, _) = answers.answer(hard()).await else { panic!() };
    assert_eq!(progress.ahead, 0);
    assert!(progress.seconds > 0.0);
}

#[tokio::test]
async fn questions_beyond_the_limit_are_refused() {
    let answers = Answers::new(Limits { patience: Duration::ZERO, waiting: 1, ..limits() });
    let running = || lock(&answers.scheduler.state).running.len();
    let slow = || lock(&answers.scheduler.state).slow_queue.len();
    for (n, query) in hard_ones().take(6).enumerate() {
        assert!(matches!(answers.answer(query).await, Reply::Pending(..)));
        until(|| running() == 1 && slow() == n.min(1) && lock(&answers.scheduler.state).is_fast_idle()).await;
    }
    let answers = Answers::new(Limits { waiting: 0, ..limits() });
    let [first, second] = hard_ones().take(2).collect::<Vec<_>>().try_into().unwrap_or_else(|_| panic!());
    let replies = tokio::join!(answers.answer(first), answers.answer(second));
    assert!(matches!(replies, (Reply::Busy, Reply::Busy)), "{replies:?}");
}

#[tokio::test]
async fn what_takes_too_long_times_out() {
    let answers = Answers::new(Limits { time: Duration::from_millis(200), ..limits() });
    for _ in 0..2 {
        let Reply::TimedOut(timeout, _) = answers.answer(hard()).await else { panic!() };
        assert!(timeout.after >= Duration::from_millis(200));
        assert!(timeout.positions > 0);
    }
}

#[tokio::test]
async fn questions_that_the_engine_cannot_answer_are_refused() {
    let answers = Answers::new(limits());
    let reply = answers.answer(query("nim", &["1"; 256].join(" "))).await;
    assert!(matches!(reply, Reply::Answered(_)), "{reply:?}");
    let rules = preset("nim").unwrap().unwrap().with_change("misere=true").unwrap();
    let position = (balpan::MAX_PLIES + 1).to_string();
    let game = rules.game_at(&position).unwrap();
    let reply = answers
        .answer(Query { name: "nim".into(), rules, game, position, goal: Some(Goal::MoveValues), may_take_long: true })
        .await;
    assert!(matches!(reply, Reply::Refused(EngineError::TooLong { .. })), "{reply:?}");
}

/// Twenty questions that take far longer than the fast queue allows.
fn hard_ones() -> impl Iterator<Item = Query> {
    let games =
        [("gomoku", 8, 8, "XO"), ("connect4", 6, 7, "XO"), ("pentominoes", 8, 8, "##"), ("domineering", 8, 8, "##")];
    let filled = (0..5).flat_map(move |filled| games.map(|game| (filled, game)));
    filled.map(|(filled, (game, rows, cols, marks))| {
        let mut text = vec![".".repeat(cols); rows].join("/");
        let marks: String = marks.chars().cycle().take(filled).collect();
        text.replace_range(text.len() - filled.., &marks);
        Query { goal: Some(Goal::MoveValues), ..query(game, &text) }
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn hard_questions_do_not_delay_easy_ones() {
    let answers = Arc::new(Answers::new(Limits { waiting: 64, ..limits() }));
    let hard: Vec<_> = hard_ones()
        .map(|query| {
            let answers = Arc::clone(&answers);
            tokio::spawn(async move { answers.answer(query).await })
        })
        .collect();
    assert_eq!(hard.len(), 20);
    for (game, position) in [
        ("tictactoe", "X../.O./..."),
        ("platforms", "...../...../..A../..B../....."),
        ("blockgame", "...../..#../...../...../....."),
        ("nim", "3 4 5"),
    ] {
        let reply = answers.answer(query(game, position)).await;
        assert!(matches!(reply, Reply::Answered(_)), "{game}: {reply:?}");
    }
    assert!(hard.iter().all(|hard| !hard.is_finished()));
    drop(answers);
    hard.iter().for_each(tokio::task::JoinHandle::abort);
}

/// A question that takes longer than the fast queue allows, and far less than a time slice.
fn middling() -> Query {
    Query { goal: Some(Goal::MoveValues), ..query("connect4", &["......"; 5].join("/")) }
}

#[tokio::test(flavor = "multi_thread")]
async fn hard_questions_yield_to_others() {
    let answers = Arc::new(Answers::new(limits()));
    let ask = |query: Query| {
        let answers = Arc::clone(&answers);
        tokio::spawn(async move { answers.answer(query).await })
    };
    let hard = ask(hard());
    until(|| lock(&answers.scheduler.state).running.iter().any(scheduler::RunningJob::is_slow)).await;
    // There is one slow queue, and the hard question is in it, for a minute and more.
    let reply = ask(middling()).await.unwrap();
    assert!(matches!(reply, Reply::Answered(_)), "{reply:?}");
    until(|| lock(&answers.scheduler.state).running.iter().any(scheduler::RunningJob::is_slow)).await;
    assert!(!hard.is_finished());
    hard.abort();
}

/// The reader has gone on to another position of the game, and does not wait for the slice of the one before.
#[tokio::test]
async fn a_question_that_is_left_makes_way_for_the_next_of_its_game() {
    let answers = Answers::new(limits());
    assert!(matches!(answers.ask(hard(), Wait::Never).await, Reply::Pending(..)));
    let is_running = |position: &str| {
        let state = lock(&answers.scheduler.state);
        state.running.iter().any(|running| running.is_slow() && running.job.query.position == position)
    };
    let (left, next) =
        (hard(), query("domineering", "##....../##....../......../......../......../......../......../........"));
    until(|| is_running(&left.position)).await;
    let next_position = next.position.clone();
    let updates = answers.follow(Query { goal: Some(Goal::MoveValues), ..next }).unwrap();
    until(|| is_running(&next_position)).await;
    let slices = |state: &scheduler::State| state.slow_queue.iter().map(|job| job.state().slices).collect::<Vec<_>>();
    assert_eq!(slices(&lock(&answers.scheduler.state)), [0]);
    drop(updates);
}

/// A question is solved as long as a client waits for it or asks again.
#[tokio::test]
async fn abandoned_questions_are_stopped() {
    let short = Duration::from_millis(200);
    let answers = Answers::new(Limits { abandoned_after: short, ..limits() });
    let counts = || {
        let state = lock(&answers.scheduler.state);
        (state.running.len(), state.slow_queue.len())
    };
    let [first, second, third] = hard_ones().take(3).collect::<Vec<_>>().try_into().unwrap_or_else(|_| panic!());
    let all = async { tokio::join!(answers.answer(first), answers.answer(second), answers.answer(third)) };
    // They are waited for until all of them are in the slow queue.
    tokio::select! {
        replies = all => panic!("{replies:?}"),
        () = until(|| counts() == (1, 2)) => tokio::time::sleep(2 * short).await,
    }
    until(|| counts() == (0, 0)).await;
    // A follower counts as waiting.
    let updates = answers.follow(hard()).unwrap();
    until(|| lock(&answers.scheduler.state).running.iter().any(scheduler::RunningJob::is_slow)).await;
    tokio::time::sleep(3 * short).await;
    assert_eq!(counts(), (1, 0));
    drop(updates);
    until(|| counts() == (0, 0)).await;
    let [first, again] = [hard(), hard()].map(|query| answers.ask(query, Wait::Never));
    assert!(matches!((first.await, again.await), (Reply::Pending(..), Reply::Pending(..))));
    until(|| counts() == (0, 0)).await;
}

#[tokio::test]
async fn threads_end_when_the_answers_are_dropped() {
    let answers = Answers::new(Limits { patience: Duration::ZERO, ..limits() });
    for query in hard_ones().take(4) {
        answers.answer(query).await;
    }
    let scheduler = Arc::downgrade(&answers.scheduler);
    drop(answers);
    until(|| scheduler.strong_count() == 0).await;
}

#[tokio::test]
async fn tables_are_reused_by_the_next_question() {
    let answers = Answers::new(limits());
    let ask = |goal| answers.answer(Query { goal: Some(goal), ..query("connect4", "...../...../...../.....") });
    let Reply::Answered(first) = ask(Goal::MoveValues).await else { panic!() };
    let Reply::Answered(second) = ask(Goal::Value).await else { panic!() };
    // The same engine, whose tables cover the second question.
    assert!(second.positions_searched * 10 < first.positions_searched, "{first:?} {second:?}");
    let state = lock(&answers.scheduler.state);
    let (bytes, leased) = state.engines.bytes();
    assert!(state.engines.idle() >= 1 && bytes > 0 && bytes <= 1 << 28, "{bytes}");
    assert_eq!(leased, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn engines_keep_within_the_memory() {
    let memory = 24 << 20;
    let answers = Answers::new(Limits { memory, time: Duration::from_millis(300), ..limits() });
    for query in hard_ones().take(8) {
        answers.answer(query).await;
        let (bytes, leased) = lock(&answers.scheduler.state).engines.bytes();
        assert!(bytes + leased <= memory as u64, "{bytes} {leased}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_easy_question_does_not_wait_for_a_hard_one_of_its_game() {
    let answers = Arc::new(Answers::new(limits()));
    let hard = {
        let answers = Arc::clone(&answers);
        tokio::spawn(async move { answers.answer(hard()).await })
    };
    until(|| lock(&answers.scheduler.state).running.iter().any(scheduler::RunningJob::is_slow)).await;
    let easy = "######../######../######../######../########/########/########/########";
    let reply = answers.answer(query("domineering", easy)).await;
    assert!(matches!(reply, Reply::Answered(_)), "{reply:?}");
    assert!(!hard.is_finished());
    hard.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn partial_answers_are_published() {
    let answers = Answers::new(limits());
    // Long enough that there is time between the updates, however busy the machine is.
    let long = query("connect4", &["......"; 6].join("/"));
    let mut updates = answers.follow(Query { goal: Some(Goal::MoveValues), ..long }).unwrap();
    let (mut known, mut answered) = (0, None);
    while let Some(update) = updates.next().await {
        match update {
            Update::Reply(Reply::Pending(_, Some(_))) => known += 1,
            Update::Reply(Reply::Answered(answer)) => answered = Some(answer),
            Update::Reply(Reply::Pending(_, None)) | Update::Progress(_) => {}
            Update::Reply(other) => panic!("{other:?}"),
        }
    }
    assert!(known > 0 && answered.is_some_and(|answer| answer.complete));
    // The limit is two followers.
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

/// Plays a move for each number, which selects it, and returns the position's text.
struct RandomWalk<'a>(&'a [usize]);

impl Task for RandomWalk<'_> {
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

/// Answers a query by plain minimax.
struct Minimax<'a>(&'a Query);

impl Task for Minimax<'_> {
    type Output = Answer;

    fn run<G: Notation>(self, game: &G) -> Answer {
        let make = EngineOptions { method: Method::Minimax, ..EngineOptions::new(Budget::default()) };
        let question = balpan_games::Query { goal: self.0.goal, nim_value: false };
        let (mut engine, position) = (make.build(game), game.text(&game.start()));
        TextEngine::ask(&mut engine, &self.0.name, &position, question, &Watch::default(), &mut |_| {}).unwrap()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn answers_are_those_of_minimax(
        game in 0..SMALL.len(),
        choices in vec(any::<usize>(), 1..8),
        goal in prop_oneof![Just(None), Just(Some(Goal::MoveValues)), Just(Some(Goal::MoveOutcomes))],
    ) {
        static ANSWERS: LazyLock<Answers> = LazyLock::new(|| Answers::new(limits()));
        let (name, changes) = SMALL[game];
        let changes: Vec<_> = changes.iter().map(|change| (*change).to_owned()).collect();
        let rules = preset(name).unwrap().unwrap().with_changes(&changes).unwrap();
        let text = rules.game().unwrap().run(RandomWalk(&choices));
        let query = || Query { name: name.into(), rules: rules.clone(), game: rules.game_at(&text).unwrap(), position: text.clone(), goal, may_take_long: true };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let reply = runtime.block_on(ANSWERS.answer(query()));
        let minimax = Minimax(&query());
        prop_assert_eq!(content(reply), content(Reply::Answered(Arc::new(query().game.run(minimax)))));
    }
}
