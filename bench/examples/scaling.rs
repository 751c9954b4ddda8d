//! How a solve scales: the time and the positions of each number of workers, which are simulated, or threads.
//!
//! ```text
//! cargo run --release -p balpan-bench --example scaling -- simulated|threads 1,16,64 winner|proofs|value|nimber MEBIBYTES GAME [KEY=VALUE]...
//! ```
//!
//! `proofs` is who wins by proof-number search. The time of simulated workers is in positions.

use std::time::Instant;

use balpan::{Answer, Budget, Engine, Goal, Method, Solver, Watch};
use balpan_games::presets::preset;
use balpan_games::{Notation, Task};

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

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [kind, workers, asked, mebibytes, name, changes @ ..] = &words[..] else {
        panic!("usage: scaling simulated|threads 1,16,64 winner|proofs|value|nimber MEBIBYTES GAME [KEY=VALUE]...");
    };
    let rules = preset(name).expect("a preset").expect("sound rules");
    let rules = if changes.is_empty() { rules } else { rules.changed(changes).expect("sound changes") };
    let game = rules.game().expect("a game");
    println!("{asked} of {name} {}", changes.join(" "));
    let mut first = None;
    for workers in workers.split(',').map(|number| number.parse().expect("a number of workers")) {
        let watch = if kind == "simulated" { Watch::simulating() } else { Watch::default() };
        let memory = mebibytes.parse::<usize>().expect("a number of mebibytes") << 20;
        let began = Instant::now();
        let (answer, positions) =
            game.run(Solve { asked, watch: watch.clone(), budget: Budget { memory, threads: workers } });
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
