//! The judge that a verb is about: a contest's problem, or a game by rules of one's own.

use balpan::{EngineError, Watch};
use balpan_contest::custom::{AnswerKind, CustomGameError};
use balpan_contest::{CustomGame, JudgeTask};
use balpan_games::presets::PRESETS;

use crate::args::{Answers, JudgeArgs, JudgeName};
use crate::failure::Failure;
use crate::progress::watched;
use crate::source;

/// How the command, and its pages, are asked about a position of a judge.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    /// The game as a word of the command line.
    pub(crate) game: String,
    /// The rules that are changed, each as `--set` takes it.
    pub(crate) set: Vec<String>,
    /// Whether the explorer has a page of the game: of presets it has, of files it has none.
    pub(crate) has_page: bool,
}

impl Shown {
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

/// Runs a task with the judge that the arguments name.
pub(crate) fn with_judge<T: JudgeTask>(args: &JudgeArgs, task: T) -> Result<T::Output, Failure> {
    if let JudgeName::Game(name) = &args.judge {
        return Ok(task.run(&own_game(name, args)?));
    }
    no_rules(args)?;
    let output = balpan_contest::with_judge(&args.judge.text(), task);
    Ok(output.unwrap_or_else(|| unreachable!("every other judge is that of a contest problem")))
}

/// A contest's problem has its own rules, and its input no place for others.
fn no_rules(args: &JudgeArgs) -> Result<(), Failure> {
    let asked = match (&args.board, args.set.first(), args.answer) {
        (Some(size), ..) => format!("--board {size}"),
        (_, Some(change), _) => format!("--set {change}"),
        (_, _, Some(_)) => "--answer".to_owned(),
        _ => return Ok(()),
    };
    let name = args.judge.text();
    Err(Failure::input(
        format!("{asked}: the rules, the answers and the input of {name} are as its statement has them"),
        format!("game:{name} takes other boards and rules: its positions are text that includes the board"),
    ))
}

/// The judge of a preset or a rules file.
fn own_game(name: &str, args: &JudgeArgs) -> Result<CustomGame, Failure> {
    let rules = source::changed(name, args.board.as_deref(), &args.set)?;
    let wanted = match args.answer.unwrap_or_default() {
        Answers::Outcome => AnswerKind::Outcome,
        Answers::Value => AnswerKind::Value,
        Answers::Nimber => AnswerKind::Nimber,
    };
    let smaller = args.board.is_none();
    let (judge, _) = watched(|watch: &Watch| {
        CustomGame::new(rules, wanted, smaller, watch).map_err(|error| match error {
            CustomGameError::Text(error) => error.into(),
            CustomGameError::Engine(EngineError::NotImpartial) => {
                let help = "ask for --answer outcome or value: impartial games alone have nimbers, in which both players \
                            have the same moves";
                Failure::input(format!("{name} has no nimber"), help)
            }
            CustomGameError::Engine(error) => Failure::no_answer(error, name, watch.positions()),
        })
    });
    judge
}
