//! `balpan stress`: somebody's program against the exact answers.

mod json;
mod next;
mod picture;
mod plot;
mod text;

use std::time::Duration;

use balpan::{Budget, Goal, Watch};
use balpan_contest::program::{Program, ProgramError};
use balpan_contest::stress::{StressError, StressOptions, Verdict, stress};
use balpan_contest::{Judge, JudgeTask};
use balpan_games::{Lang, MakeEngine, Notation, Task};

use crate::answer::Page;
use crate::args::{JudgeName, StressArgs};
use crate::contest::{Shown, with_judge};
use crate::failure::{Failure, harmless, print, print_json};
use crate::files;
use crate::lang::lang;
use crate::progress::{all_cores, watched, watched_in_words};
use crate::serve;
use crate::words::stress as words;
use next::Next;

pub(crate) fn run(args: &StressArgs) -> Result<(), Failure> {
    with_judge(&args.judge, Stress { args })?
}

struct Stress<'a> {
    args: &'a StressArgs,
}

impl JudgeTask for Stress<'_> {
    type Output = Result<(), Failure>;

    fn run<J: Judge>(self, judge: &J) -> Self::Output {
        of(judge, &Shown::new(&self.args.judge), self.args)
    }
}

fn of<J: Judge>(judge: &J, shown: &Shown, args: &StressArgs) -> Result<(), Failure> {
    if args.open && !shown.has_page {
        let help = "leave it out: the explorer has pages of presets, with rules changed by --set, and none of files";
        return Err(Failure::input(format!("--open: there is no page of {}", shown.game), help));
    }
    let program = program(judge, args)?;
    let plan = StressOptions {
        seed: args.seed,
        cases: args.cases,
        time: args.time,
        time_limit: args.limit.unwrap_or(judge.info().time_limit),
        memory_limit: Some(args.memory_limit as u64),
        batch: args.batch.map(usize::from),
        threads: args.threads.map_or_else(all_cores, usize::from),
    };
    let (report, _) = watched_in_words(cases, |watch| stress(judge, &program, &plan, watch));
    let report = report.map_err(failure)?;
    let name = harmless(&judge.info().game);
    let explain = Explain { name: &name, json: args.json };
    let solved = report.difference.as_ref().map(|difference| judge.game(&difference.case).run(explain));
    let solved = solved.transpose()?;
    let page = solved.as_ref().and_then(|solved| Next::of(shown, &solved.position).page);
    if args.json {
        print_json(&json::json(judge, shown, &plan, &program, &report, solved))?;
    } else {
        print(&text::text(judge, shown, &plan, &report, solved))?;
        text::tell_cost(judge, &report);
    }
    if let Some(path) = &args.plot {
        let about = judge.info();
        let title = format!("{}: {}", about.name, program.name());
        let picture = picture::svg(lang(), &title, &report.timings, about.cell_noun.text(lang()), plan.time_limit);
        files::write_svg("--plot", path, &picture)?;
    }
    if let Some(page) = page.filter(|_| args.open) {
        serve::open(&page_in(lang(), &page))?;
    }
    // No program is right that there was no time to try.
    if report.verdict() == Verdict::Right { Ok(()) } else { Err(Failure::Told(1)) }
}

/// The page in the language that is spoken, whatever the browser's is.
fn page_in(lang: Lang, page: &str) -> String {
    format!("{page}&lang={}", lang.code())
}

/// The program as it was given.
fn program<J: Judge>(judge: &J, args: &StressArgs) -> Result<Program, Failure> {
    let Some(path) = &args.solution else {
        let (program, _) = watched(|watch| Program::from_command(args.program.clone(), watch));
        return program.map_err(|e| failure(e.into()));
    };
    let about = judge.info();
    if args.judge.judge != JudgeName::Platforms {
        return Err(Failure::input(
            format!("{} asks for a program, not for a function", about.source),
            format!("give the program after `--`: balpan stress {} -- ./yours", about.name),
        ));
    }
    let (program, _) = watched(|watch| Program::from_solution(path, watch));
    program.map_err(|e| failure(e.into()))
}

fn failure(error: StressError) -> Failure {
    match error {
        StressError::Stopped(_) | StressError::ProgramError(ProgramError::Stopped(_)) => Failure::Stopped(0),
        StressError::ProgramError(e) => no_program(&e),
    }
}

fn no_program(error: &ProgramError) -> Failure {
    Failure::input(error.to_string(), error.help())
}

fn cases(watch: &Watch, elapsed: Duration) -> String {
    words::so_far(lang(), watch.positions(), elapsed.as_secs())
}

/// The case's position, solved.
struct Explain<'a> {
    name: &'a str,
    json: bool,
}

/// The explanation as people read it, and the moves of the line.
struct Explained {
    page: String,
    position: String,
    line: Vec<String>,
}

impl Task for Explain<'_> {
    type Output = Result<Explained, Failure>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let make = MakeEngine::within(Budget { memory: 64 << 20, threads: 1 });
        let position = game.start();
        let (answer, _) = watched(|watch| {
            let answer = make.engine(game).solve(&position, Goal::MoveValues, watch, |_| {});
            let answer = answer.map_err(|e| Failure::no_answer(e, "the case", watch.positions()))?;
            if answer.complete { Ok(answer) } else { Err(Failure::Stopped(watch.positions())) }
        });
        let answer = answer?;
        let line = balpan_games::line_texts(game, &position, &answer.line);
        let page = Page { game, name: self.name, position: &position };
        Ok(Explained {
            page: if self.json { String::new() } else { page.text(&answer.into()) },
            position: game.text(&position),
            line,
        })
    }
}
