//! `balpan solve`: one position's value, every move's, and a line.

use balpan::Ask;
use balpan_games::{Answer, NoAnswer, Question, Solvable, Task};

use crate::answer::{page, tell_cost};
use crate::args::SolveArgs;
use crate::cgt;
use crate::failure::{Failure, print, print_json};
use crate::progress::{all_cores, watched};
use crate::source;

pub(crate) fn run(args: &SolveArgs) -> Result<(), Failure> {
    let (name, game) = source::game(&args.game)?;
    if args.cgt {
        return cgt::run(args, &name, &game);
    }
    game.run(Solve { args, name: &name })
}

struct Solve<'a> {
    args: &'a SolveArgs,
    name: &'a str,
}

impl Solve<'_> {
    fn question(&self) -> Question {
        let args = self.args;
        let ask = match () {
            () if args.outcome => Some(Ask::Outcome),
            () if args.winner => Some(Ask::Winner),
            () if args.remoteness => Some(Ask::Value),
            () => None,
        };
        let threads = args.threads.map_or_else(all_cores, usize::from);
        Question { ask, number: args.nimber, method: args.solver.into(), memory: args.game.memory, threads }
    }
}

impl Task for Solve<'_> {
    type Output = Result<(), Failure>;

    /// Solves the game's start, and tells what was found.
    fn run<G: Solvable>(self, game: &G) -> Self::Output {
        let question = self.question();
        let (found, time) = watched(|watch| {
            let failure = |e: NoAnswer| Failure::no_answer(e, self.name, watch.positions());
            game.solved(&question, watch).map_err(failure)
        });
        let (found, position) = (found?, game.start());
        if self.args.json {
            return print_json(&Answer::new(game, self.name, &position, &found, time));
        }
        print(&page(game, self.name, &position, &found))?;
        tell_cost(found.positions, time);
        Ok(())
    }
}
