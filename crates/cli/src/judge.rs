//! `balpan judge`: answering a contest's input, from standard input to standard output.

use std::io::{BufWriter, stdin, stdout};
use std::path::Path;

use balpan::{EngineError, Watch};
use balpan_contest::custom::AnswerKind;
use balpan_contest::problem::{self, PROBLEMS, ShownBy, ShownMistake};
use balpan_contest::{CustomGame, Judge, JudgeTask, Problem, answer_all, find_problem};
use balpan_games::QueryError;
use balpan_games::sum::SumObstacle;

use crate::args::{JudgeArgs, JudgeName};
use crate::error::{CliError, print};
use crate::files;
use crate::load::read_changed_rules;
use crate::progress::{deadline, run_with_progress};
use crate::words::{common, lang, stress};

pub(crate) fn run(args: &JudgeArgs) -> Result<(), CliError> {
    with_judge(args, args)?
}

impl JudgeTask for &JudgeArgs {
    type Output = Result<(), CliError>;
    const NEEDS_CASES: bool = false;

    fn run<J: Judge>(self, judge: &J) -> Self::Output {
        // A large board may take long: each answer is written as soon as it is found.
        let is_unbuffered =
            matches!(self.judge, JudgeName::Problem("platforms") | JudgeName::Game(_) | JudgeName::File(_));
        let answer = |watch: &Watch| {
            let (input, output) = (stdin().lock(), stdout().lock());
            if is_unbuffered {
                answer_all(judge, input, output, watch)
            } else {
                answer_all(judge, input, BufWriter::new(output), watch)
            }
        };
        // Without a handler, Ctrl-C ends the process like any filter.
        let result = if deadline().is_none() { answer(&Watch::default()) } else { run_with_progress(answer).0 };
        result.map_err(CliError::from)
    }
}

/// Runs a task with the judge of the command line.
pub(crate) fn with_judge<T: JudgeTask>(args: &JudgeArgs, task: T) -> Result<T::Output, CliError> {
    let name = match &args.judge {
        JudgeName::Game(name) => return Ok(task.run(&custom_game(name, args)?)),
        JudgeName::File(name) => {
            check_no_rules(name, args)?;
            let problem = read_problem(name)?;
            if !T::NEEDS_CASES {
                return Ok(task.run(&problem));
            }
            let (problem, _) = run_with_progress(|watch| problem.with_cases(watch));
            return Ok(task.run(&problem.map_err(|e| CliError::input(format!("{name}, {e}"), e.help))?));
        }
        JudgeName::Problem(name) => *name,
    };
    check_no_rules(name, args)?;
    let output = balpan_contest::with_judge(name, task);
    Ok(output.unwrap_or_else(|| unreachable!("every other judge is that of a contest problem")))
}

/// Refuses options that change a problem's rules.
fn check_no_rules(name: &str, args: &JudgeArgs) -> Result<(), CliError> {
    // A contest's problem: its statement fixes the rules and the input format.
    let option = match (&args.board, args.set.first(), args.answer) {
        (Some(size), ..) => Some(format!("--board {size}")),
        (_, Some(change), _) => Some(format!("--set {change}")),
        (_, _, Some(_)) => Some("--answer".to_owned()),
        _ => None,
    };
    if let Some(option) = option {
        let message = format!("{option}: the rules, the answers and the input of {name} are as its statement has them");
        let help = format!("game:{name} takes other boards and rules: its positions are text that includes the board");
        return Err(CliError::input(message, help));
    }
    Ok(())
}

/// The size of the largest problem file.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// Reads a problem of the library, or the problem file of a path.
fn read_problem(name: &str) -> Result<Problem, CliError> {
    let problem = if find_problem(name) == Some(name) {
        run_with_progress(|watch| Problem::from_library(name, watch)).0
    } else {
        let text = files::read_text(Path::new(name), MAX_FILE_BYTES)
            .map_err(|e| CliError::input(format!("{name}: {e}"), "name a problem file, or one of `balpan problems`"))?;
        let stem = Path::new(name).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        run_with_progress(|watch| Problem::parse(&stem, &text, watch)).0
    };
    problem.map_err(|e| CliError::input(format!("{name}, {e}"), e.help))
}

/// Prints the list of problems, or what one is about, its input and its file.
pub(crate) fn run_problems(name: Option<&str>) -> Result<(), CliError> {
    let Some(name) = name else {
        let mut rows = Vec::new();
        for (name, text) in PROBLEMS {
            let [about, source] = problem::describe(text, lang());
            rows.push([(*name).to_owned(), source, about]);
        }
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let (name_width, source_width) = (width(0), width(1));
        let row =
            |[name, source, about]: &[String; 3]| format!("{name:name_width$}  {source:source_width$}  {about}\n");
        return print(&rows.iter().map(row).collect::<String>());
    };
    let found = match JudgeName::parse(name) {
        Ok(JudgeName::File(found)) => found,
        Ok(JudgeName::Problem(name)) => name.to_owned(),
        Ok(JudgeName::Game(_)) => {
            return Err(CliError::input(format!("{name} is a game, not a problem"), "`balpan games` lists the games"));
        }
        Err(help) => return Err(CliError::input(format!("there is no problem called `{name}`"), help)),
    };
    let problem = read_problem(&found)?;
    let mut page = format!("{} ({})\n", problem.about(lang()), problem.info().source);
    page.extend(problem.url().map(|url| format!("{url}\n")));
    page += "\n";
    page.extend(problem.describe_input(lang()).into_iter().map(|line| format!("{line}\n")));
    let source = format!("\n{}", problem.source_text());
    // Those of the library are tested.
    if find_problem(&found) != Some(&found) && problem.file_mistakes() > 0 {
        page += &show_mistakes(&found, problem)?;
    }
    print(&(page + &source))
}

/// Describes the mistakes of a problem file, each with a case that shows it; nothing if that is interrupted.
fn show_mistakes(path: &str, problem: Problem) -> Result<String, CliError> {
    let (found, _) = run_with_progress(|watch| {
        let problem = problem.with_cases(watch);
        let shown = problem.map(|problem| problem.show_mistakes(watch).map(|shown| (problem, shown)));
        if watch.is_stopping() { Ok(None) } else { shown.map(Result::ok) }
    });
    let Some((problem, shown)) = found.map_err(|e| CliError::input(format!("{path}, {e}"), e.help))? else {
        return Ok(String::new());
    };
    let mut page = format!("\n{}\n", stress::mistakes_of_file(lang()));
    for ShownMistake { mistake, shown_by, answered } in shown {
        page += &format!("- {}\n", mistake.name_in(lang()));
        page += &match shown_by {
            None if answered == 0 => format!("  {}\n", stress::never_answered(lang())),
            None => format!("  {}\n", stress::never_shown(lang(), &common::cases(lang(), answered as u64))),
            Some(ShownBy { case, right, wrong }) => {
                let input = problem.write(&[case]);
                let [right, wrong] = [right, wrong].map(|answer| answer.to_string().replace('\n', " "));
                let lines = input.lines().map(|line| format!("    {line}\n")).collect::<String>();
                format!("  {}\n{lines}", stress::shown_by(lang(), &right, &wrong))
            }
        };
    }
    Ok(page)
}

fn custom_game(name: &str, args: &JudgeArgs) -> Result<CustomGame, CliError> {
    let rules = read_changed_rules(name, args.board.as_deref(), &args.set)?;
    if let Some(obstacle) = SumObstacle::new(&rules.game()?).filter(|_| args.answer == Some(AnswerKind::Nimber)) {
        return Err(CliError::no_nimber(obstacle, name));
    }
    let (answer, with_smaller_boards) = (args.answer.unwrap_or_default(), args.board.is_none());
    let (judge, _) = run_with_progress(|watch| CustomGame::new(rules, answer, with_smaller_boards, watch));
    judge.map_err(|error| match error {
        QueryError::NoAnswer(EngineError::NotImpartial) => {
            let help = "ask for --answer outcome or value: impartial games alone have nimbers, in which both players \
                        have the same moves";
            CliError::input(format!("{name} has no nimber"), help)
        }
        error => CliError::from_query(error, name),
    })
}
