//! How work scales: the time and the positions of each number of workers, which are simulated, or threads.
//!
//! ```text
//! cargo run --release -p balpan-bench --example scaling -- simulated|threads 1,16,64 WORK MEBIBYTES GAME [KEY=VALUE]...
//! ```
//!
//! WORK is a question, which is solved: `winner`, `value`, `nimber`, or `proofs`, who wins by proof-number search. It is
//! also `boards`, the nimbers of all boards of a placement game, counted, `build`, a strong solution, in a temporary
//! folder, or `retrograde`, the value of every position as if play might repeat; these are not simulated. The time of
//! simulated workers is in positions.

use std::time::Instant;

use balpan::{Answer, Budget, Engine, Goal, Method, Retrograde, Solver, Watch};
use balpan_games::placement::{BoardNumbers, Placement, TableBudget};
use balpan_games::presets::preset;
use balpan_games::{AnyGame, Notation, Task};
use balpan_strong::{Metric, Plan, Progress, Subject};

struct Solve<'a> {
    asked: &'a str,
    watch: Watch,
    budget: Budget,
}

impl Task for Solve<'_> {
    /// The answer, and the positions searched.
    type Output = (String, u64);

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let Self { asked, watch, budget } = self;
        if asked == "build" {
            return build(game, &watch, budget);
        }
        if asked == "retrograde" {
            let table = Retrograde::new(game, &game.start(), budget, &watch).expect("enough memory");
            return (format!("{:?}", table.get(&game.start())), table.positions_searched());
        }
        let mut engine = Engine::new(game.clone(), budget);
        if asked == "proofs" {
            engine = engine.with_method(Method::DfPn);
        }
        let start = game.start();
        let answer = match asked {
            "nimber" if game.is_impartial_misere() => format!("{:?}", engine.misere_value(&start, &watch)),
            "nimber" => format!("{:?}", engine.nimber(&start, &watch)),
            asked => {
                let ask = if asked == "value" { Goal::Value } else { Goal::Winner };
                let answer = engine.solve(&start, ask, &watch, |_: &Answer<G::Move>| {});
                format!("{:?}", answer.map(|answer| answer.verdict()))
            }
        };
        (answer, engine.positions_searched())
    }
}

/// Builds a strong solution. Returns its number of positions as the answer, and the positions counted.
fn build<G: Notation>(game: &G, watch: &Watch, Budget { memory, threads }: Budget) -> (String, u64) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let start = game.start();
    let subject = Subject {
        game: String::new(),
        rules: String::new(),
        size: String::new(),
        starts: vec![game.text(&start)],
        metric: Metric::Value,
        folded: true,
        plies: None,
    };
    let (output, scratch) = (folder.path().join("solution"), folder.path().join("work"));
    let plan = Plan { subject, output, scratch, memory, threads };
    let header = balpan_strong::build(game, &[start], &plan, watch, &Progress::default()).expect("a solution");
    (format!("{} positions", header.layers.iter().map(|layer| layer.positions).sum::<u64>()), watch.positions())
}

/// Counts the nimbers of all boards. Returns the numbers of boards as the answer, and the positions counted.
fn count_boards(game: &AnyGame, watch: &Watch, Budget { memory, threads }: Budget) -> (String, u64) {
    let game = game.downcast_ref::<Placement>().expect("a placement game");
    let allowed = TableBudget { bytes: memory as u64, threads };
    let table = BoardNumbers::nimbers(game, allowed, watch).expect("a table");
    (format!("{:?}", table.counts()), watch.positions())
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [kind, workers, asked, mebibytes, name, changes @ ..] = &words[..] else {
        panic!("usage: scaling simulated|threads 1,16,64 WORK MEBIBYTES GAME [KEY=VALUE]...");
    };
    let rules = preset(name).expect("a preset").expect("sound rules");
    let rules = if changes.is_empty() { rules } else { rules.with_changes(changes).expect("sound changes") };
    let game = rules.game().expect("a game");
    println!("{asked} of {name} {}", changes.join(" "));
    let mut first = None;
    for workers in workers.split(',').map(|number| number.parse().expect("a number of workers")) {
        let watch = if kind == "simulated" { Watch::simulating() } else { Watch::default() };
        let memory = mebibytes.parse::<usize>().expect("a number of mebibytes") << 20;
        let began = Instant::now();
        let budget = Budget { memory, threads: workers };
        let (answer, positions) = match asked.as_str() {
            "boards" => count_boards(&game, &watch, budget),
            asked => game.run(Solve { asked, watch: watch.clone(), budget }),
        };
        let seconds = began.elapsed().as_secs_f64();
        let time = if kind == "simulated" { watch.makespan() as f64 } else { seconds };
        let (one, all) = *first.get_or_insert((time, positions));
        println!(
            "{workers:>5} {answer} speed-up {:.2}, {positions} positions, {:.2} times as many, {seconds:.2} s",
            one / time,
            positions as f64 / all as f64
        );
    }
}
