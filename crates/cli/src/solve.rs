//! `balpan solve`: one position's value, every move's, and a line.

mod object;
mod printer;
pub(crate) mod score;

use std::sync::Arc;

use balpan::{EngineError, Goal, Watch};
use balpan_games::{AnyGame, MakeEngine, Notation, NumberSearch, Question, Task};

use crate::answer::Page;
use crate::args::{SolveArgs, SolverName};
use crate::cgt;
use crate::failure::Failure;
use crate::keeping;
use crate::progress::{Waker, all_cores, watched_by};
use crate::source;
use crate::strong;
use printer::{Latest, Printer};
use score::Scale;

pub(crate) use object::Object;

pub(crate) fn run(args: &SolveArgs) -> Result<(), Failure> {
    let (name, game) = source::game(&args.game)?;
    if args.cgt {
        return cgt::run(args, &name, &game);
    }
    let scale = Scale::asked(args, &game)?;
    let rules = source::untold_rules(&args.game)?;
    let make = make_engine(args, &game)?;
    game.run(Solve { args, name: &name, scale, rules, make })
}

/// What is asked of every position.
pub(crate) fn question(args: &SolveArgs) -> Question {
    Question { ask: args.ask(), number: args.nimber }
}

/// Engines as the options have them, for the game's board.
pub(crate) fn make_engine(args: &SolveArgs, game: &AnyGame) -> Result<MakeEngine, Failure> {
    let threads = args.threads.map_or_else(all_cores, usize::from);
    let budget = balpan::Budget { memory: args.game.memory, threads };
    let kept = args.keep.as_deref().map(|path| keeping::open(path, &args.game, game)).transpose()?;
    let known = strong::known(&args.strong, &args.game, game)?;
    Ok(MakeEngine { budget, method: args.solver.into(), kept, known })
}

/// Refuses what a game does not have, before it is solved for a long time.
pub(crate) struct CheckNumber<'a> {
    pub(crate) args: &'a SolveArgs,
    pub(crate) name: &'a str,
}

impl Task for CheckNumber<'_> {
    type Output = Result<(), Failure>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        if self.args.nimber && !game.is_impartial() && !game.is_impartial_misere() {
            return Err(Failure::no_answer(EngineError::NotImpartial, self.name, 0));
        }
        Ok(())
    }
}

struct Solve<'a> {
    args: &'a SolveArgs,
    name: &'a str,
    scale: Option<Scale>,
    rules: Vec<String>,
    make: MakeEngine,
}

impl Task for Solve<'_> {
    type Output = Result<(), Failure>;

    /// Solves the game's start, and prints what is found as it is found.
    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let Self { args, name, scale, rules, make } = self;
        CheckNumber { args, name }.run(game)?;
        let (question, position) = (question(args), game.start());
        let ask = question.ask_of(game, &position);
        if scale.is_some() && !ask.includes_remoteness() {
            let help = "leave out --score, or what asks for less, such as --winner";
            return Err(Failure::input("--score needs the plies, which are not asked for", help));
        }
        let latest = Latest::default();
        let keeper = make.kept.as_ref().map(|of| Arc::clone(&of.kept.sink));
        let page = Page { game, name, position: &position };
        let mut printer = Printer::new(args, page, &latest, scale, rules, keeper.clone());
        let (result, time, printed) = watched_by(&mut printer, None, |watch, waker| {
            let mut engine = make.engine(game);
            let told = |known: &balpan::Answer<G::Move>| latest.set(known.clone().into(), waker);
            let answer = engine.solve(&position, ask, watch, told)?;
            numbered(&mut engine, answer, &position, &question, watch, (&latest, waker))
        });
        printed?;
        result.map_err(|e| Failure::no_answer(e, name, 0))?;
        printer.close(time)?;
        keeping::close(keeper.as_ref())
    }
}

/// Asks for the number, too, if that is wanted and there was time for all else.
fn numbered<G: Notation>(
    engine: &mut balpan::Engine<G>,
    answer: balpan::Answer<G::Move>,
    position: &G::Position,
    question: &Question,
    watch: &Watch,
    (latest, waker): (&Latest<G::Move>, &Waker),
) -> Result<(), EngineError> {
    let asks = question.number && answer.complete;
    let mut known = printer::AnswerSoFar::from(answer);
    if asks {
        known.answer.complete = false;
        latest.set(known.clone(), waker);
        let search = NumberSearch::of(engine, position, watch)?;
        (known.number, known.answer.complete) = (search.number, search.number.is_some());
        known.nimber_at_least = search.nimber_at_least;
        known.answer.positions += search.positions;
    }
    latest.set(known, waker);
    Ok(())
}

/// Whether what was asked for was not said, and less than everything was.
pub(crate) fn is_cut_short(args: &SolveArgs, asked: Goal) -> bool {
    args.ask().is_none() && !args.nimber && args.solver != SolverName::Nimber && asked == Goal::Winner
}
