//! `balpan stress`: testing a program against exact answers.

mod follow_up;
mod plot;
mod text;

use std::time::Duration;

use balpan::{Budget, Goal, Watch};
use balpan_app::{Explanation, StressReport};
use balpan_contest::program::{Program, ProgramError};
use balpan_contest::stress::{StressError, StressOptions, Verdict, stress};
use balpan_contest::{Judge, JudgeTask};
use balpan_games::{EngineOptions, Lang, Notation, Task};

use crate::answer::Page;
use crate::args::{JudgeName, StressArgs};
use crate::error::{CliError, harmless, print, print_json};
use crate::files;
use crate::judge::{GameReference, with_judge};
use crate::progress::{available_threads, run_with_progress, run_with_status};
use crate::serve;
use crate::words::lang;
use crate::words::stress as words;
use follow_up::FollowUp;

pub(crate) fn run(args: &StressArgs) -> Result<(), CliError> {
    with_judge(&args.judge, StressTask { args })?
}

struct StressTask<'a> {
    args: &'a StressArgs,
}

impl JudgeTask for StressTask<'_> {
    type Output = Result<(), CliError>;

    fn run<J: Judge>(self, judge: &J) -> Self::Output {
        test_program(judge, &GameReference::new(&self.args.judge), self.args)
    }
}

fn test_program<J: Judge>(judge: &J, game: &GameReference, args: &StressArgs) -> Result<(), CliError> {
    if args.open && !game.has_page {
        let help = "leave it out: the explorer has pages of presets, with rules changed by --set, and none of files";
        return Err(CliError::input(format!("--open: there is no page of {}", game.game), help));
    }
    let program = load_program(judge, args)?;
    let plan = StressOptions {
        seed: args.seed,
        cases: args.cases,
        time: args.time,
        time_limit: args.limit.unwrap_or(judge.info().time_limit),
        memory_limit: Some(args.memory_limit as u64),
        batch: args.batch.map(usize::from),
        threads: args.threads.map_or_else(available_threads, usize::from),
    };
    let (report, _) = run_with_status(status_line, |watch| stress(judge, &program, &plan, watch));
    let report = report.map_err(trial_error)?;
    let name = harmless(&judge.info().game);
    let explain = ExplainTask { name: &name, json: args.json };
    let explanation = report.difference.as_ref().map(|difference| judge.game(&difference.case).run(explain));
    let explanation = explanation.transpose()?;
    let follow_up = explanation.as_ref().map(|explained| FollowUp::new(game, &explained.position));
    let page = follow_up.as_ref().and_then(|follow_up| follow_up.page.clone());
    let explained = explanation.zip(follow_up);
    if args.json {
        let explanation = report.difference.as_ref().zip(explained).map(|(difference, (explained, follow_up))| {
            let Explained { position, line, .. } = explained;
            let FollowUp { commands, page } = follow_up;
            let result = words::program_result(Lang::En, &difference.fault);
            Explanation { position, line, result, commands, page }
        });
        print_json(&StressReport::new(judge, program.name(), &plan, &report, explanation))?;
    } else {
        print(&text::report(judge, &plan, &report, explained))?;
        text::print_cost(judge, &report);
    }
    if let Some(path) = &args.plot {
        let info = judge.info();
        let title = format!("{}: {}", info.name, program.name());
        let picture = plot::svg(lang(), &title, &report.timings, info.cell_noun.text(lang()), plan.time_limit);
        files::write_svg("--plot", path, &picture)?;
    }
    if let Some(page) = page.filter(|_| args.open) {
        // In the command's language, whatever the browser's is.
        serve::open(&format!("{page}&lang={}", lang().code()))?;
    }
    // An undecided program counts as wrong.
    if report.verdict() == Verdict::Right { Ok(()) } else { Err(CliError::Reported(1)) }
}

/// Loads the program under test, and compiles it if it is a source file.
fn load_program<J: Judge>(judge: &J, args: &StressArgs) -> Result<Program, CliError> {
    let Some(path) = &args.solution else {
        let (program, _) = run_with_progress(|watch| Program::from_command(args.program.clone(), watch));
        return program.map_err(|e| trial_error(e.into()));
    };
    let info = judge.info();
    if args.judge.judge != JudgeName::Platforms {
        return Err(CliError::input(
            format!("{} asks for a program, not for a function", info.source),
            format!("give the program after `--`: balpan stress {} -- ./yours", info.name),
        ));
    }
    let (program, _) = run_with_progress(|watch| Program::from_solution(path, watch));
    program.map_err(|e| trial_error(e.into()))
}

fn trial_error(error: StressError) -> CliError {
    match error {
        StressError::Stopped(_) | StressError::ProgramError(ProgramError::Stopped(_)) => CliError::Stopped(0),
        StressError::ProgramError(e) => CliError::input(e.to_string(), e.help()),
    }
}

fn status_line(watch: &Watch, elapsed: Duration) -> String {
    words::status(lang(), watch.positions(), elapsed.as_secs())
}

/// Solves a case's position.
struct ExplainTask<'a> {
    name: &'a str,
    json: bool,
}

/// The solution of a case's position.
struct Explained {
    /// The page for people; empty with `--json`.
    page: String,
    position: String,
    /// A line of best play.
    line: Vec<String>,
}

impl Task for ExplainTask<'_> {
    type Output = Result<Explained, CliError>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let make = EngineOptions::new(Budget { memory: 64 << 20, threads: 1 });
        let position = game.start();
        let (answer, _) = run_with_progress(|watch| {
            let answer = make.build(game).solve(&position, Goal::MoveValues, watch, |_| {});
            let answer = answer.map_err(|e| CliError::from_engine(e, "the case", watch.positions()))?;
            if answer.complete { Ok(answer) } else { Err(CliError::Stopped(watch.positions())) }
        });
        let answer = answer?;
        let line = balpan_games::format_line(game, &position, &answer.line);
        let page = Page { game, name: self.name, position: &position };
        Ok(Explained {
            page: if self.json { String::new() } else { page.text(&answer.into()) },
            position: game.text(&position),
            line,
        })
    }
}
