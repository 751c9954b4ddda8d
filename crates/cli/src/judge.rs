//! `balpan judge`: answering a contest's input, from standard input to standard output.

use std::io::{BufWriter, stdin, stdout};

use balpan::{EngineError, Watch};
use balpan_contest::custom::AnswerKind;
use balpan_contest::{CustomGame, Judge, JudgeTask, answer_all};
use balpan_games::QueryError;
use balpan_games::presets::PRESETS;

use crate::args::{Answers, JudgeArgs, JudgeName};
use crate::error::CliError;
use crate::load::read_changed_rules;
use crate::progress::{deadline, run_with_progress};

pub(crate) fn run(args: &JudgeArgs) -> Result<(), CliError> {
    // A large board may take long: each answer is written as soon as it is found.
    let is_unbuffered = matches!(args.judge, JudgeName::Platforms | JudgeName::Game(_));
    with_judge(args, AnswerTask { is_unbuffered })?
}

struct AnswerTask {
    is_unbuffered: bool,
}

impl JudgeTask for AnswerTask {
    type Output = Result<(), CliError>;

    fn run<J: Judge>(self, judge: &J) -> Self::Output {
        let answer = |watch: &Watch| {
            let (input, output) = (stdin().lock(), stdout().lock());
            let result = if self.is_unbuffered {
                answer_all(judge, input, output, watch)
            } else {
                answer_all(judge, input, BufWriter::new(output), watch)
            };
            result.map_err(|e| CliError::from_judge(e, watch.positions()))
        };
        match deadline() {
            // Without a handler, Ctrl-C ends the process like any filter.
            None => answer(&Watch::default()),
            Some(_) => run_with_progress(answer).0,
        }
    }
}

/// How commands and the explorer's pages name a judge's game.
#[derive(Clone, Debug)]
pub(crate) struct GameReference {
    /// The game's argument on the command line.
    pub(crate) game: String,
    /// The changed rules, as arguments of `--set`.
    pub(crate) set: Vec<String>,
    /// Whether the explorer has pages of the game, as it has of presets but not of rules files.
    pub(crate) has_page: bool,
}

impl GameReference {
    pub(crate) fn new(args: &JudgeArgs) -> Self {
        match &args.judge {
            JudgeName::Game(name) => {
                let has_page = PRESETS.iter().any(|(preset, _)| preset == name);
                Self { game: name.clone(), set: args.set.clone(), has_page }
            }
            problem => Self { game: problem.text(), set: Vec::new(), has_page: true },
        }
    }
}

/// Runs a task with the judge of the command line.
pub(crate) fn with_judge<T: JudgeTask>(args: &JudgeArgs, task: T) -> Result<T::Output, CliError> {
    if let JudgeName::Game(name) = &args.judge {
        return Ok(task.run(&custom_game(name, args)?));
    }
    refuse_rule_options(args)?;
    let output = balpan_contest::with_judge(&args.judge.text(), task);
    Ok(output.unwrap_or_else(|| unreachable!("every other judge is that of a contest problem")))
}

/// Refuses `--board`, `--set` and `--answer` for a contest's problem, whose statement fixes the rules and the input format.
fn refuse_rule_options(args: &JudgeArgs) -> Result<(), CliError> {
    let option = match (&args.board, args.set.first(), args.answer) {
        (Some(size), ..) => format!("--board {size}"),
        (_, Some(change), _) => format!("--set {change}"),
        (_, _, Some(_)) => "--answer".to_owned(),
        _ => return Ok(()),
    };
    let name = args.judge.text();
    Err(CliError::input(
        format!("{option}: the rules, the answers and the input of {name} are as its statement has them"),
        format!("game:{name} takes other boards and rules: its positions are text that includes the board"),
    ))
}

/// Creates the judge of a preset or a rules file.
fn custom_game(name: &str, args: &JudgeArgs) -> Result<CustomGame, CliError> {
    let rules = read_changed_rules(name, args.board.as_deref(), &args.set)?;
    let answer = match args.answer.unwrap_or_default() {
        Answers::Outcome => AnswerKind::Outcome,
        Answers::Value => AnswerKind::Value,
        Answers::Nimber => AnswerKind::Nimber,
    };
    let with_smaller_boards = args.board.is_none();
    let (judge, _) = run_with_progress(|watch: &Watch| {
        CustomGame::new(rules, answer, with_smaller_boards, watch).map_err(|error| match error {
            QueryError::Text(error) => error.into(),
            QueryError::NoAnswer(EngineError::NotImpartial) => {
                let help = "ask for --answer outcome or value: impartial games alone have nimbers, in which both players \
                            have the same moves";
                CliError::input(format!("{name} has no nimber"), help)
            }
            QueryError::NoAnswer(error) => CliError::from_engine(error, name, watch.positions()),
        })
    });
    judge
}
