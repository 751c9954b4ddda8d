//! `balpan stress`: testing a program against exact answers.

mod report;

use std::fmt::Write;
use std::time::Duration;

use balpan::{Budget, Goal, Watch};
use balpan_app::{Explanation, StressReport};
use balpan_contest::program::Program;
use balpan_contest::stress::{Difference, StressError, StressOptions, Verdict, stress};
use balpan_contest::{Judge, JudgeTask};
use balpan_games::presets;
use balpan_games::{EngineOptions, Lang, Query};

use crate::answer::Page;
use crate::args::{JudgeArgs, JudgeName, StressArgs};
use crate::error::{CliError, harmless, print, print_json};
use crate::judge::with_judge;
use crate::progress::{run_with_progress, run_with_status, thread_count};
use crate::words::{common, lang, stress as words};
use crate::{files, serve};

pub(crate) fn run(args: &StressArgs) -> Result<(), CliError> {
    with_judge(&args.judge, args)?
}

impl JudgeTask for &StressArgs {
    type Output = Result<(), CliError>;

    fn run<J: Judge>(self, judge: &J) -> Self::Output {
        test_program(judge, self)
    }
}

fn test_program<J: Judge>(judge: &J, args: &StressArgs) -> Result<(), CliError> {
    if let JudgeName::Game(game) = &args.judge.judge
        && args.open
        && !has_page(game)
    {
        let help = "leave it out: the explorer has pages of presets, with rules changed by --set, and none of files";
        return Err(CliError::input(format!("--open: there is no page of {game}"), help));
    }
    let program = load_program(judge, args)?;
    let plan = StressOptions {
        seed: args.seed,
        cases: args.cases,
        time: args.time,
        time_limit: args.limit.unwrap_or(judge.info().time_limit),
        memory_limit: Some(args.memory_limit as u64),
        batch: args.batch.map(usize::from),
        threads: thread_count(args.threads),
    };
    let status = |watch: &Watch, elapsed: Duration| {
        words::status(lang(), &common::cases(lang(), watch.positions()), elapsed.as_secs())
    };
    let (report, _) = run_with_status(status, |watch| stress(judge, &program, &plan, watch));
    let report = report.map_err(trial_error)?;
    let explained = report.difference.as_ref().map(|difference| explain(judge, difference, &args.judge)).transpose()?;
    let page = explained.as_ref().and_then(|(explanation, _)| explanation.page.clone());
    if args.json {
        let explanation = explained.map(|(explanation, _)| explanation);
        print_json(&StressReport::new(judge, program.name(), &plan, &report, explanation))?;
    } else {
        print(&report::text(judge, &plan, &report, explained.as_ref()))?;
        report::print_cost(judge, &report);
    }
    if let Some(path) = &args.plot {
        let info = judge.info();
        let title = format!("{}: {}", info.name, program.name());
        let picture = report::svg(lang(), &title, &report.timings, info.cell_noun.text(lang()), plan.time_limit);
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
    let info = judge.info();
    let (program, _) = match &args.solution {
        None => run_with_progress(|watch| Program::from_command(args.program.clone(), watch)),
        Some(path) if args.judge.judge == JudgeName::Problem("platforms") => {
            run_with_progress(|watch| Program::from_solution(path, watch))
        }
        Some(path) => {
            if let Some((function, arguments)) = judge.function() {
                let (program, _) =
                    run_with_progress(|watch| Program::from_named_function(path, function, &arguments, watch));
                return program.map_err(|e| trial_error(e.into()));
            }
            return Err(CliError::input(
                format!("{} asks for a program, not for a function", info.source),
                format!("give the program after `--`: balpan stress {} -- ./yours", info.name),
            ));
        }
    };
    Ok(program?)
}

fn trial_error(error: StressError) -> CliError {
    match error {
        StressError::Stopped(_) => CliError::Stopped,
        StressError::ProgramError(e) => e.into(),
    }
}

/// The most positions that are searched to explain a case: some seconds.
const MAX_EXPLAINED: u64 = 1 << 20;

/// Solves the position of a case on which the program is wrong. Also returns the page about it, for people; it is empty if that
/// takes too long.
fn explain<J: Judge>(
    judge: &J,
    difference: &Difference<J>,
    args: &JudgeArgs,
) -> Result<(Explanation, String), CliError> {
    let result = words::program_result(Lang::En, &difference.fault);
    let Some(game) = judge.game(&difference.case) else {
        return Ok((Explanation { result, ..Explanation::default() }, String::new()));
    };
    let name = harmless(&judge.info().game);
    let make = EngineOptions::new(Budget { memory: 64 << 20, threads: 1 });
    let (position, query) = (game.start_text(), Query { goal: Some(Goal::MoveValues), nim_value: false });
    let ((answer, is_stopped), _) = run_with_progress(|watch| {
        let limited = watch.child(MAX_EXPLAINED);
        (make.text_engine(&game).ask(&name, &position, query, &limited, &mut |_| {}), watch.is_stopping())
    });
    let answer = answer.map_err(|e| CliError::from_query(e, "the case"))?;
    if is_stopped {
        return Err(CliError::Stopped);
    }
    let (commands, page) = follow_up(&args.judge, &args.set, &position);
    // Not every case that has an answer has its moves and plies as soon.
    if !answer.complete {
        return Ok((Explanation { position, result, commands, page, ..Explanation::default() }, String::new()));
    }
    let text = Page { game: &game, name: &name, scale: None, all_moves: true }.text(&answer);
    Ok((Explanation { position, line: answer.line, result, commands, page }, text))
}

/// Whether the explorer has pages of a game, as it has of presets but not of rules files.
fn has_page(game: &str) -> bool {
    presets::all().iter().any(|(preset, _)| *preset == game)
}

/// Returns commands for a POSIX shell, and the path of a page of the explorer if there is one, that show a position of the
/// judge's game. The position is in the game's notation, which implies the size of the board.
fn follow_up(judge: &JudgeName, set: &[String], position: &str) -> (Vec<String>, Option<String>) {
    let game = match judge {
        JudgeName::Game(name) => name,
        JudgeName::Problem(name) => *name,
        // Its game may be the text of rules.
        JudgeName::File(_) => return (Vec::new(), None),
    };
    let changes: String = set.iter().map(|change| format!(" --set {}", quoted(change))).collect();
    let command = |verb| format!("balpan {verb} {} {}{changes}", shell_word(game), quoted(position));
    let page = || {
        let at = format!("/play/{game}?at={}", escaped(position));
        set.iter()
            .filter_map(|change| change.split_once('='))
            .fold(at, |page, (key, value)| format!("{page}&{}={}", escaped(key.trim()), escaped(value.trim())))
    };
    (["solve", "tree", "play"].map(command).to_vec(), has_page(game).then(page))
}

/// Quotes a word for a shell.
pub(crate) fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Quotes a word for a shell, where that is needed.
pub(crate) fn shell_word(word: &str) -> String {
    let is_plain = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"./_-".contains(&byte));
    if is_plain && !word.is_empty() && !word.starts_with('-') { word.to_owned() } else { quoted(word) }
}

/// Percent-encodes a value of a URL's query.
fn escaped(value: &str) -> String {
    let mut escaped = String::new();
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"./,;-_*".contains(&byte) {
            escaped.push(byte.into());
        } else {
            let _ = write!(escaped, "%{byte:02X}");
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_quoted() {
        let (commands, page) = follow_up(&JudgeName::Problem("platforms"), &[], "B../A.# b");
        assert_eq!(commands[0], "balpan solve platforms 'B../A.# b'");
        assert_eq!(page.as_deref(), Some("/play/platforms?at=B../A.%23%20b"));
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }

    #[test]
    fn own_rules_are_in_the_commands() {
        let (commands, page) = follow_up(&JudgeName::Game("gomoku".to_owned()), &["k=3".to_owned()], "...");
        assert_eq!(commands[1], "balpan tree gomoku '...' --set 'k=3'");
        assert_eq!(page.as_deref(), Some("/play/gomoku?at=...&k=3"));
        let (commands, page) = follow_up(&JudgeName::Game("my game.toml".to_owned()), &[], "...");
        assert_eq!(commands[0], "balpan solve 'my game.toml' '...'");
        assert_eq!(page, None);
    }
}
