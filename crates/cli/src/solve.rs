//! `balpan solve`: the value of a position and of its moves, and a line of best play.

mod estimate;
mod positions;
mod sum;

use std::io::{IsTerminal, stderr, stdout};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use balpan::{EngineError, Goal, JournalSink, Method, Outcome};
use balpan_games::sum::SumObstacle;
use balpan_games::{Answer, AnyGame, EngineOptions, Lang, PlayerName, Query};
use serde::Serialize;

use crate::answer::{Page, ScoreScale, is_final, missing, nim_value_sentence, print_cost};
use crate::args::{GameArgs, SolveArgs};
use crate::draw::{filled, wrapped};
use crate::error::{CliError, harmless, print, print_json, print_report};
use crate::load::{LoadedGame, flush, is_sum, read_rules};
use crate::progress::{ProgressView, exit_code, lock, run_with_view, time_limit_or, was_interrupted};
use crate::value;
use crate::words::{answer as words, lang};

pub(crate) fn run(args: &SolveArgs) -> Result<(), CliError> {
    if args.estimate {
        return estimate::run(args);
    }
    if is_sum(&args.game) {
        return sum::run(args);
    }
    if let Some(path) = &args.positions {
        return positions::run(args, path);
    }
    if let Some(answer) = large_answer(args) {
        return print_large_answer(args, answer?);
    }
    let loaded = LoadedGame::load(&args.game)?;
    let LoadedGame { name, game, .. } = &loaded;
    if args.cgt {
        return value::run_position(args, name, game);
    }
    let scale = score_scale(args, &loaded)?;
    let rules = loaded.non_default_rules()?;
    let make = engine_options(args, &loaded)?;
    check_number(args, name, game)?;
    let keeper = make.checkpoint.as_ref().map(|of| Arc::clone(&of.checkpoint.sink));
    let latest = Mutex::new(None);
    let mut printer = Printer {
        args,
        page: Page { game, name, scale, all_moves: args.goal() == Some(Goal::MoveValues) },
        latest: &latest,
        rules,
        keeper: keeper.clone(),
        printed: Printed::Nothing,
        is_live: !args.json && stdout().is_terminal() && stderr().is_terminal(),
        begin: Instant::now(),
    };
    let (result, time, printed) = run_with_view(&mut printer, None, |watch, printer| {
        let set = |answer: &Answer| {
            *lock(&latest) = Some(answer.clone());
            let _ = printer.try_send(());
        };
        let mut engine = make.text_engine(game);
        let answer = engine.ask(name, &game.start_text(), question(args), watch, &mut |answer| set(answer))?;
        set(&answer);
        Ok(())
    });
    printed?;
    result.map_err(|e| CliError::from_query(e, name))?;
    let positions = printer.print_rest(time)?;
    if !args.json {
        print_cost(positions, time);
    }
    flush(keeper.as_ref())
}

/// Answers about heaps or a row too large for a search; `None` for all other arguments.
fn large_answer(args: &SolveArgs) -> Option<Result<Answer, CliError>> {
    if args.cgt {
        return None;
    }
    let GameArgs { game, changes, position, .. } = &args.game;
    let rules = read_rules(game).ok()?;
    let rules = if changes.set.is_empty() { rules } else { rules.with_changes(&changes.set).ok()? };
    let text = match (&position[..], changes.board.as_deref()) {
        ([], Some(board)) => {
            // A board of one row may be too long for a game's own boards.
            ".".repeat(board.strip_prefix("1x")?.parse().ok().filter(|cells| *cells < 1 << 16)?)
        }
        ([], None) => return None,
        (words, _) => words.join(" "),
    };
    let found = rules.large_answer(&text, question(args))?;
    let with_rules = |answer| Ok(Answer { rules: rules.non_default_rules(&rules.name)?, ..answer });
    Some(found.and_then(with_rules).map_err(CliError::from))
}

/// Prints an answer that took no search.
fn print_large_answer(args: &SolveArgs, answer: Answer) -> Result<(), CliError> {
    print_report(args.json, &answer, |answer| {
        let lang = lang();
        let players = words::players(lang, PlayerName::BY_TURN);
        let mut page = words::head(lang, &harmless(&answer.game), &answer.position, &players[0]) + "\n\n";
        if let Some(verdict) = answer.verdict() {
            page += &(words::verdict(lang, verdict, false, false, &players) + "\n");
        }
        page += &answer.nim_value.map_or_else(String::new, |number| nim_value_sentence(number) + "\n");
        if !answer.best.is_empty() {
            // That there are no others is not said.
            let heading = words::listed_wins(lang, answer.best.len());
            page += &format!("\n{heading}\n\n{}", wrapped(&answer.best, 2));
        }
        let reason = if answer.nim_value.is_some() { words::by_nimbers } else { words::by_theorem };
        page + &format!("\n{}", filled(reason(lang)))
    })
}

fn question(args: &SolveArgs) -> Query {
    Query { goal: args.goal(), nim_value: args.nimber }
}

fn engine_options(args: &SolveArgs, loaded: &LoadedGame) -> Result<EngineOptions, CliError> {
    let options = loaded.engine_options(&args.strong, Some(&args.kept), args.game.memory, args.threads)?;
    Ok(EngineOptions { method: args.solver, ..options })
}

/// Refuses `--nimber` for a game that has no nimbers, before a long search.
fn check_number(args: &SolveArgs, name: &str, game: &AnyGame) -> Result<(), CliError> {
    if let Some(obstacle) = SumObstacle::new(game).filter(|_| args.nimber) {
        return Err(CliError::no_nimber(obstacle, name));
    }
    if args.nimber && !game.is_impartial() && !game.is_impartial_misere() {
        return Err(CliError::from_engine(EngineError::NotImpartial, name));
    }
    Ok(())
}

/// Returns the scale of the game's scores with `--score`, and `None` without it.
fn score_scale(args: &SolveArgs, LoadedGame { game, .. }: &LoadedGame) -> Result<Option<ScoreScale>, CliError> {
    if !args.score {
        return Ok(None);
    }
    let Some(board) = game.board().filter(|_| game.has_stone_score()) else {
        let help =
            "games where each player's own marks fall and make lines have one, such as connect4; leave out --score";
        return Err(CliError::input("there is no score in this game", help));
    };
    if args.goal().is_some_and(|goal| !goal.includes_remoteness()) {
        let help = "leave out --score, or what asks for less, such as --winner";
        return Err(CliError::input("--score needs the plies, which are not asked for", help));
    }
    Ok(Some(ScoreScale { cells: board.cells() as i32 }))
}

/// An answer as JSON. The field names are part of the command's contract.
#[derive(Serialize)]
struct AnswerObject {
    #[serde(flatten)]
    answer: Answer,
    /// The score, with `--score`; null if it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Option<i32>>,
}

impl AnswerObject {
    /// Adds the non-default rules, and the scores of the position and of its moves if there is a scale.
    fn new(answer: Answer, rules: &[String], scale: Option<ScoreScale>) -> Self {
        let score = scale.map(|scale| scale.score(&answer, answer.outcome?, answer.remoteness));
        let mut moves = answer.moves.clone();
        if let Some(scale) = scale {
            for mv in &mut moves {
                mv.score = mv.outcome.and_then(|outcome| scale.score(&answer, outcome, mv.remoteness));
            }
        }
        Self { answer: Answer { rules: rules.to_vec(), moves, ..answer }, score }
    }
}

/// How much of the page is printed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Printed {
    Nothing,
    Head,
    /// The winner, without the plies.
    HalfVerdict,
    Verdict,
}

/// Prints the page about one position: each part once it is final. On a terminal, a preview shows the rest.
struct Printer<'a> {
    args: &'a SolveArgs,
    page: Page<'a>,
    /// The latest partial answer, which the solving thread sets.
    latest: &'a Mutex<Option<Answer>>,
    rules: Vec<String>,
    /// The checkpoint file's sink, flushed when the command ends.
    keeper: Option<Arc<dyn JournalSink>>,
    printed: Printed,
    /// Whether both outputs are a terminal, so that a preview is shown.
    is_live: bool,
    begin: Instant,
}

impl Printer<'_> {
    fn latest(&self) -> Option<Answer> {
        lock(self.latest).clone()
    }

    /// Returns the parts of the page that have become final.
    fn next_parts(&mut self, answer: &Answer) -> String {
        let mut text = String::new();
        if answer.outcome.is_none() {
            return text;
        }
        if self.printed == Printed::Nothing {
            text += &self.page.head();
            self.printed = Printed::Head;
        }
        // The line shows whether a draw is play without end.
        let awaits_line = self.page.game.may_repeat() && answer.line.is_empty() && answer.goal.includes_remoteness();
        let is_final = is_final(answer) && !(awaits_line && answer.outcome == Some(Outcome::Draw));
        if self.printed < Printed::Verdict && (is_final || answer.complete) {
            text += &self.rest_of_verdict(answer);
            self.printed = Printed::Verdict;
        } else if self.printed == Printed::Head
            && !self.is_live
            && lang() == Lang::En
            && answer.outcome != Some(Outcome::Draw)
        {
            // Korean has the plies before the verb.
            text += self.page.verdict(answer).trim_end_matches("\u{1b}[0m").trim_end_matches('.');
            self.printed = Printed::HalfVerdict;
        }
        text
    }

    /// Returns the verdict, or the part of it that is not printed yet, and the end of the line.
    fn rest_of_verdict(&self, answer: &Answer) -> String {
        let whole = self.page.verdict(answer) + "\n";
        if self.printed < Printed::HalfVerdict {
            return whole;
        }
        // `A wins` is printed already.
        let at = match (answer.remoteness, answer.verdict().and_then(|verdict| verdict.score)) {
            (Some(_), _) => whole.rfind(" in "),
            (None, Some(_)) => whole.rfind(" by "),
            (None, None) => whole.rfind('.'),
        };
        whole[at.unwrap_or(whole.len() - 1)..].to_owned()
    }

    /// Prints the whole answer as JSON, or the rest of the page. Returns the number of positions searched.
    fn print_rest(&mut self, time: Duration) -> Result<u64, CliError> {
        let answer = self.latest().ok_or(CliError::Stopped)?;
        let positions = answer.positions_searched;
        if self.args.json {
            let answer = Answer { seconds: time.as_secs_f64(), ..answer };
            print_json(&AnswerObject::new(answer, &self.rules, self.page.scale))?;
            return Ok(positions);
        }
        let mut text = self.next_parts(&answer);
        if self.printed < Printed::Verdict {
            if self.printed == Printed::Nothing {
                text += &self.page.head();
            }
            text += &self.rest_of_verdict(&answer);
        }
        text += &self.page.rest(&answer);
        let missing = missing(&answer, self.page.game, self.args.nimber);
        if !answer.complete && !missing.is_empty() {
            let sentence = if was_interrupted() { words::interrupted } else { words::cut_short };
            let missing = missing.join(lang().pick("; ", ", "));
            text += &format!("\n{}", filled(&sentence(lang(), &time_limit_or(time), &missing)));
        } else if let Some(outcome) = answer.outcome.filter(|_| self.is_limited(&answer)) {
            let what = words::missing_plies(lang(), self.page.game.max_score() > 0);
            let skipped = match outcome {
                Outcome::Draw => words::skipped_of_draw(lang()).to_owned(),
                Outcome::Loss => words::skipped_of_loss(lang(), what),
                Outcome::Win => words::skipped_of_win(lang(), what),
            };
            text += &format!("\n{}", filled(&skipped));
        }
        print(&text)?;
        Ok(positions)
    }

    /// Whether the engine has found the winner only, as the rest may take long and no option asks for it.
    fn is_limited(&self, answer: &Answer) -> bool {
        let is_free = self.args.goal().is_none() && !self.args.nimber && self.args.solver != Method::Nimber;
        is_free && answer.goal == Goal::Winner && answer.complete && !self.page.game.is_over()
    }
}

impl ProgressView for Printer<'_> {
    fn final_output(&mut self) -> Option<String> {
        if self.args.json || self.printed == Printed::Verdict {
            return None;
        }
        let answer = self.latest()?;
        Some(self.next_parts(&answer)).filter(|text| !text.is_empty())
    }

    fn preview(&mut self) -> Option<String> {
        let answer = self.latest().filter(|answer| self.is_live && answer.outcome.is_some())?;
        let rest = self.page.rest(&answer);
        Some(if self.printed < Printed::Verdict { format!("{}\n{rest}", self.page.verdict(&answer)) } else { rest })
    }

    fn give_up(&mut self) -> u8 {
        let printed = self.print_rest(self.begin.elapsed());
        // The exit code says that the work was cut short; a failed flush adds nothing.
        let _ = flush(self.keeper.as_ref());
        exit_code(printed.map(|_| ()))
    }
}
