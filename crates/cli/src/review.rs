//! `balpan review`: reviewing a finished game, with what each move gave away; and the solver of its positions, which `play` uses too.

use std::collections::HashMap;
use std::io::stdin;
use std::rc::Rc;
use std::time::Duration;

use balpan::{Verdict, Watch};
use balpan_app::review;
use balpan_games::{Answer, AnyGame, EngineCache, Lang, Record, Review};
use balpan_pictures::review::{names, points_lost, standing, summary};

use crate::args::{ChangeArgs, ReviewArgs, StrongArgs};
use crate::draw::{self, PLAYERS, filled};
use crate::error::{CliError, print_report};
use crate::load::LoadedGame;
use crate::progress::{ProgressView, SearchProgress, exit_code, run_with_view};
use crate::words::{common, lang};
use crate::{files, strong};

/// Size limit of a record, far above what a game needs.
const MAX_RECORD_BYTES: u64 = 1 << 16;

const MAX_BETTER_MOVES: usize = 4;

pub(crate) fn run(args: &ReviewArgs) -> Result<(), CliError> {
    let ChangeArgs { board, set } = &args.changes;
    let position: Vec<_> = args.at.iter().cloned().collect();
    let loaded = LoadedGame::load_at(&args.game, board.as_deref(), set, &position)?;
    let record = Record::read(&loaded.game, &read_moves(&args.moves)?)?;
    let mut solver = PositionSolver::new(&loaded, &args.strong, args.memory, None)?;
    let rules = loaded.non_default_rules()?;
    let answers = vec![None; record.positions.len()];
    let mut partial = PartialReview { json: args.json, loaded: &loaded, record: &record, rules, answers };
    review(&loaded.name, Vec::new(), &record, |position| match solver.solve_with(position, &mut partial) {
        Err(CliError::Stopped) => Ok(None),
        Err(error) => Err(error),
        Ok(solved) => {
            let same = record.positions.iter().zip(&mut partial.answers).filter(|(other, _)| *other == position);
            same.for_each(|(_, answer)| *answer = Some(solved.answer.clone()));
            Ok(Some(solved.answer.clone()))
        }
    })?;
    partial.print()
}

/// A review that grows position by position, from the end of the game.
struct PartialReview<'a> {
    json: bool,
    loaded: &'a LoadedGame,
    record: &'a Record,
    rules: Vec<String>,
    answers: Vec<Option<Answer>>,
}

impl PartialReview<'_> {
    fn print(&self) -> Result<(), CliError> {
        let answers: Vec<_> = self.answers.iter().map(Option::as_ref).collect();
        let review = Review::new(&self.loaded.name, self.rules.clone(), self.record, &answers);
        print_report(self.json, &review, |review| page(lang(), &self.loaded.game, review))
    }
}

impl ProgressView for PartialReview<'_> {
    fn status_line(&mut self, search: &mut SearchProgress, watch: &Watch, elapsed: Duration) -> String {
        let done = self.answers.iter().flatten().count() as u64;
        let part = common::moves(lang(), done, self.record.moves.len() as u64);
        search.status_line(&part, 0, watch, elapsed)
    }

    fn give_up(&mut self) -> u8 {
        exit_code(self.print())
    }
}

/// Reviews a game, as far as there is time.
pub(crate) fn review_record(
    loaded: &LoadedGame,
    record: &Record,
    solver: &mut PositionSolver,
) -> Result<Review, CliError> {
    let mut is_any_known = false;
    review(&loaded.name, loaded.non_default_rules()?, record, |position| match solver.solve(position) {
        Err(CliError::Stopped) if is_any_known => Ok(None),
        answer => {
            is_any_known = true;
            answer.map(|solved| Some(solved.answer.clone()))
        }
    })
}

/// Returns the moves of the command line, or reads them from standard input for `-`.
fn read_moves(words: &[String]) -> Result<String, CliError> {
    if words != ["-"] {
        return Ok(words.join(" "));
    }
    let read = files::read_from(stdin(), MAX_RECORD_BYTES).and_then(files::text);
    read.map_err(|e| CliError::about("standard input cannot be read", e, "expected the moves of a game, in UTF-8"))
}

/// Formats the result of the game, its turning points, and each move.
pub(crate) fn page(lang: Lang, game: &AnyGame, review: &Review) -> String {
    let mut summary = summary(lang, review);
    summary[0].insert_str(0, &format!("{} {}: ", review.game, game.size()));
    let mut page: String = summary.iter().map(|sentence| filled(sentence)).collect();
    page += &moves(lang, review);
    if let Some(last) = review.moves.last().map_or(Some(&review.position), |mv| Some(&mv.position)) {
        page += &format!("\n{}", draw::position_text(game, last));
    }
    page
}

/// Formats a line for each move: its player, what it gave away, and who wins after it.
fn moves(lang: Lang, review: &Review) -> String {
    let names = names(lang, review);
    let width = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
    let wide = width(&mut review.moves.iter().map(|mv| mv.text.chars().count()));
    let named = width(&mut names.iter().map(|name| name.plain.chars().count()));
    let mut lines = String::from("\n");
    for (n, mv) in review.moves.iter().enumerate() {
        let turn = review.turns[n];
        let (style, name) = (PLAYERS[turn], names[turn].plain);
        let sign = mv.mark.map_or("", |mark| mark.symbol());
        let better = match mv.mark {
            None => String::new(),
            Some(_) => {
                let more = if mv.best.len() > MAX_BETTER_MOVES { " .." } else { "" };
                let best: Vec<_> = mv.best.iter().take(MAX_BETTER_MOVES).map(String::as_str).collect();
                let lost =
                    mv.points_lost().map_or_else(String::new, |points| format!("; {}", points_lost(lang, points)));
                format!("{lost}; {} {}{more}", lang.pick("better:", "더 나은 수:"), best.join(" "))
            }
        };
        let standing = standing(lang, review, n + 1);
        lines += &format!(
            "{:>4}  {style}{name:<named$}{style:#}  {:<wide$} {sign:<2}  {standing}{better}\n",
            n + 1,
            mv.text
        );
    }
    lines
}

/// Solves positions of one game and keeps their answers.
pub(crate) struct PositionSolver {
    name: String,
    engines: EngineCache,
    /// Whether a position was too large to find plies. They are then left out until few cells are free.
    too_large: bool,
    time_limit: Option<Duration>,
    /// Complete answers by the position's text.
    answers: HashMap<String, Rc<Solved>>,
}

pub(crate) struct Solved {
    pub(crate) verdict: Verdict,
    pub(crate) answer: Answer,
}

impl PositionSolver {
    pub(crate) fn new(
        loaded: &LoadedGame,
        strong: &StrongArgs,
        memory: usize,
        time_limit: Option<Duration>,
    ) -> Result<Self, CliError> {
        let engines = EngineCache::new(loaded.rules.clone(), loaded.engine_options(strong, None, memory, None)?);
        Ok(Self { name: loaded.name.clone(), engines, too_large: false, time_limit, answers: HashMap::new() })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the answer of a position that was solved before.
    pub(crate) fn cached(&self, position: &str) -> Option<&Solved> {
        self.answers.get(position).map(Rc::as_ref)
    }

    /// Solves a position.
    ///
    /// # Errors
    /// [`CliError::Stopped`] if the time ends or a signal comes first, and the errors of the engine.
    pub(crate) fn solve(&mut self, position: &str) -> Result<Rc<Solved>, CliError> {
        self.solve_with(position, &mut ())
    }

    /// As [`solve`](Self::solve), with a view of the progress.
    fn solve_with(&mut self, position: &str, view: &mut dyn ProgressView) -> Result<Rc<Solved>, CliError> {
        if let Some(solved) = self.answers.get(position) {
            return Ok(Rc::clone(solved));
        }
        let Self { name, engines, too_large, time_limit, .. } = self;
        let (answer, ..) = run_with_view(view, *time_limit, |watch, _| {
            let answer = engines.answer_soon(position, too_large, watch);
            let answer = answer.map_err(|e| CliError::from_query(e, name))?;
            let verdict = answer.verdict().filter(|_| answer.complete).ok_or(CliError::Stopped)?;
            Ok::<_, CliError>(Solved { verdict, answer })
        });
        strong::report_damage();
        let solved = Rc::new(answer?);
        self.answers.insert(position.to_owned(), Rc::clone(&solved));
        Ok(solved)
    }
}
