//! `balpan judge`: answering a contest's input, from standard input to standard output.

use std::io::{BufWriter, stdin, stdout};

use balpan::{EngineError, Watch};
use balpan_contest::custom::AnswerKind;
use balpan_contest::{CustomGame, Judge, JudgeTask, answer_all};
use balpan_games::QueryError;
use balpan_games::sum::SumObstacle;

use crate::args::{JudgeArgs, JudgeName};
use crate::error::CliError;
use crate::load::read_changed_rules;
use crate::progress::{deadline, run_with_progress};

pub(crate) fn run(args: &JudgeArgs) -> Result<(), CliError> {
    with_judge(args, args)?
}

impl JudgeTask for &JudgeArgs {
    type Output = Result<(), CliError>;

    fn run<J: Judge>(self, judge: &J) -> Self::Output {
        // A large board may take long: each answer is written as soon as it is found.
        let is_unbuffered = matches!(self.judge, JudgeName::Problem("platforms") | JudgeName::Game(_));
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
        JudgeName::Problem(name) => *name,
    };
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
    let output = balpan_contest::with_judge(name, task);
    Ok(output.unwrap_or_else(|| unreachable!("every other judge is that of a contest problem")))
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
