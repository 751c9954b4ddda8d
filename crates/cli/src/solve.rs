//! `balpan solve`: the value of a position and of its moves, and a line of best play.

mod cgt;
mod estimate;
mod json;
pub(crate) mod positions;
mod printer;
mod sum;

use std::sync::Arc;

use balpan::{EngineError, Goal, Watch};
use balpan_games::{EngineOptions, FamilyGame, NimberResult, Notation, Query, Task};

use crate::answer::Page;
use crate::args::{SolveArgs, SolverName};
use crate::checkpoint;
use crate::error::CliError;
use crate::load::{LoadedGame, is_sum};
use crate::progress::{Waker, available_threads, run_with_view};
use crate::strong;
use json::ScoreScale;
use printer::{Latest, Printer};

pub(crate) fn run(args: &SolveArgs) -> Result<(), CliError> {
    if args.estimate {
        return estimate::run(args);
    }
    if is_sum(&args.game) {
        return sum::run(args);
    }
    if args.positions.is_some() {
        return positions::run(args);
    }
    let loaded = LoadedGame::load(&args.game)?;
    let LoadedGame { name, game, .. } = &loaded;
    if args.cgt {
        return cgt::run(args, name, game);
    }
    let scale = ScoreScale::for_game(args, &loaded)?;
    let rules = loaded.non_default_rules()?;
    let make = make_engine(args, &loaded)?;
    game.run(Solve { args, name, scale, rules, make })
}

/// Returns what to find for every position.
fn question(args: &SolveArgs) -> Query {
    Query { goal: args.goal(), nim_value: args.nimber }
}

/// Returns a maker of engines for the game's board, with the options of the command line.
fn make_engine(args: &SolveArgs, loaded: &LoadedGame) -> Result<EngineOptions, CliError> {
    let threads = args.threads.map_or_else(available_threads, usize::from);
    let budget = balpan::Budget { memory: args.game.memory, threads };
    let kept = args.keep.as_deref().map(|path| checkpoint::open(path, loaded)).transpose()?;
    let known = strong::find_oracle(&args.strong, loaded)?;
    Ok(EngineOptions { budget, method: args.solver.into(), checkpoint: kept, oracle: known })
}

/// Refuses `--nimber` for a game that has no nimbers, before a long search.
struct CheckNumber<'a> {
    args: &'a SolveArgs,
    name: &'a str,
}

impl Task for CheckNumber<'_> {
    type Output = Result<(), CliError>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        if self.args.nimber && !game.is_impartial() && !game.is_impartial_misere() {
            return Err(CliError::from_engine(EngineError::NotImpartial, self.name, 0));
        }
        Ok(())
    }
}

struct Solve<'a> {
    args: &'a SolveArgs,
    name: &'a str,
    scale: Option<ScoreScale>,
    rules: Vec<String>,
    make: EngineOptions,
}

impl Task for Solve<'_> {
    type Output = Result<(), CliError>;

    /// Solves the game's start and prints each part of the answer as soon as it is final.
    fn run<G: FamilyGame>(self, game: &G) -> Self::Output {
        let Self { args, name, scale, rules, make } = self;
        CheckNumber { args, name }.run(game)?;
        let (question, position) = (question(args), game.start());
        let goal = question.goal_for(game, &position);
        if scale.is_some() && !goal.includes_remoteness() {
            let help = "leave out --score, or what asks for less, such as --winner";
            return Err(CliError::input("--score needs the plies, which are not asked for", help));
        }
        let latest = Latest::default();
        let keeper = make.checkpoint.as_ref().map(|of| Arc::clone(&of.checkpoint.sink));
        let page = Page { game, name, position: &position };
        let mut printer = Printer::new(args, page, &latest, scale, rules, keeper.clone());
        let (result, time, printed) = run_with_view(&mut printer, None, |watch, waker| {
            let mut engine = make.build(game);
            let on_update = |answer: &balpan::Answer<G::Move>| latest.set(answer.clone().into(), waker);
            let answer = engine.solve(&position, goal, watch, on_update)?;
            find_number(&mut engine, answer, &position, &question, watch, (&latest, waker))
        });
        printed?;
        result.map_err(|e| CliError::from_engine(e, name, 0))?;
        printer.finish(time)?;
        checkpoint::flush(keeper.as_ref())
    }
}

/// Also searches for the nimber or misère value, if the question includes it and the rest is complete.
fn find_number<G: Notation>(
    engine: &mut balpan::Engine<G>,
    answer: balpan::Answer<G::Move>,
    position: &G::Position,
    question: &Query,
    watch: &Watch,
    (latest, waker): (&Latest<G::Move>, &Waker),
) -> Result<(), EngineError> {
    let is_needed = question.nim_value && answer.complete;
    let mut found = printer::PartialAnswer::from(answer);
    if is_needed {
        found.answer.complete = false;
        latest.set(found.clone(), waker);
        let search = NimberResult::search(engine, position, watch)?;
        (found.number, found.answer.complete) = (search.nim_value, search.nim_value.is_some());
        found.nimber_at_least = search.nimber_at_least;
        found.answer.positions += search.positions;
    }
    latest.set(found, waker);
    Ok(())
}

/// Whether no goal was given and the engine chose to find the winner only.
fn is_limited_by_default(args: &SolveArgs, goal: Goal) -> bool {
    args.goal().is_none() && !args.nimber && args.solver != SolverName::Nimber && goal == Goal::Winner
}
