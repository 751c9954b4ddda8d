//! The judge that a verb is about: a contest's problem, or a game by rules of one's own.

use balpan::{EngineError, Watch};
use balpan_contest::own::{NoOwnGame, Wanted};
use balpan_contest::{BlockGame, Judge, OwnGame, Platforms, TicTacToe};
use balpan_games::presets::PRESETS;

use crate::args::{Answers, JudgeArgs, JudgeName};
use crate::failure::Failure;
use crate::progress::watched;
use crate::source;

/// Something to do with a judge, whichever it is.
pub(crate) trait OnJudge {
    /// What comes of it.
    type Output;

    /// Does it; `shown` says how the judge's positions are asked about.
    fn run<J: Judge>(self, judge: &J, shown: &Shown) -> Self::Output;
}

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

/// Does something with the judge that is asked for.
pub(crate) fn with_judge<T: OnJudge>(args: &JudgeArgs, task: T) -> Result<T::Output, Failure> {
    let preset = |name: &str| Shown { game: name.to_owned(), set: Vec::new(), has_page: true };
    if !matches!(args.judge, JudgeName::Game(_)) {
        no_rules(args)?;
    }
    Ok(match &args.judge {
        JudgeName::Blockgame => task.run(&BlockGame, &preset("blockgame")),
        JudgeName::Tictactoe => task.run(&TicTacToe, &preset("tictactoe")),
        JudgeName::Platforms => task.run(&Platforms, &preset("platforms")),
        JudgeName::Game(name) => {
            let has_page = PRESETS.iter().any(|(preset, _)| preset == name);
            let shown = Shown { game: name.clone(), set: args.set.clone(), has_page };
            task.run(&own_game(name, args)?, &shown)
        }
    })
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
fn own_game(name: &str, args: &JudgeArgs) -> Result<OwnGame, Failure> {
    let rules = source::changed(name, args.board.as_deref(), &args.set)?;
    let wanted = match args.answer.unwrap_or_default() {
        Answers::Outcome => Wanted::Outcome,
        Answers::Value => Wanted::Value,
        Answers::Nimber => Wanted::Nimber,
    };
    let smaller = args.board.is_none();
    let (judge, _) = watched(|watch: &Watch| {
        OwnGame::new(rules, wanted, smaller, watch).map_err(|error| match error {
            NoOwnGame::Text(error) => error.into(),
            NoOwnGame::NoAnswer(EngineError::NotImpartial) => {
                let help = "ask for --answer outcome or value: impartial games alone have nimbers, in which both players \
                            have the same moves";
                Failure::input(format!("{name} has no nimber"), help)
            }
            NoOwnGame::NoAnswer(error) => Failure::no_answer(error, name, watch.positions()),
        })
    });
    judge
}
