//! `balpan puzzle`: finding positions with exactly one winning move.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anstyle::Style;
use balpan_contest::puzzle::{PuzzleQuery, PuzzleReport, Puzzles, SearchScope, puzzles};
use balpan_games::{AnyGame, Lang};
use balpan_pictures::puzzle::sheets;
use balpan_strong::parent_folder;
use serde::Serialize;

use crate::args::PuzzleArgs;
use crate::draw::{self, filled, wrapped};
use crate::error::{CliError, harmless, print, print_json};
use crate::load::LoadedGame;
use crate::numbers::grouped;
use crate::progress::{run_with_progress, stop_cause, was_interrupted, with_time_limit};
use crate::words::{common, lang, puzzle as words};
use crate::{files, strong};

/// Default time limit of the search.
const DEFAULT_TIME: Duration = Duration::from_secs(20);

/// Without `--count`, more puzzles than this are cut to the best [`PuzzleQuery::USUAL`].
const MAX_UNCUT_PUZZLES: usize = 100;

/// Wrong moves that an answer explains.
const MAX_WRONG_MOVES: usize = 4;

const BOLD: Style = Style::new().bold();

#[derive(Serialize)]
struct PuzzlesObject<'a> {
    #[serde(flatten)]
    found: &'a Puzzles,
    /// The sheets written, of the puzzles that are printed for people.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    files: &'a [String],
}

pub(crate) fn run(args: &PuzzleArgs) -> Result<(), CliError> {
    let loaded = LoadedGame::load(&args.game)?;
    let game = &loaded.game;
    let files = args.svg.as_deref().map(SheetFiles::new).transpose()?;
    let mut found = find_puzzles(args, &loaded)?;
    found.rules = loaded.non_default_rules()?;
    let all = found.puzzles.len();
    let mut shown = found.clone();
    if args.count.is_none() && all > MAX_UNCUT_PUZZLES {
        shown.puzzles.truncate(PuzzleQuery::DEFAULT_LIMIT);
    }
    let (written, result) = match files {
        Some(files) if all > 0 => files.write(game, &shown, lang()),
        _ => (Vec::new(), Ok(())),
    };
    // The puzzles are printed even if the sheets could not be written.
    if args.json {
        print_json(&PuzzlesObject { found: &found, files: &written })?;
    } else {
        let page = PuzzlePage { args, game, found: &shown, all, written: &written, is_written: result.is_ok() };
        print(&page.text())?;
    }
    result?;
    // A search that was cut short does not prove that there is none.
    if all == 0 && stop_cause().is_none() { Err(CliError::Reported(1)) } else { Ok(()) }
}

fn find_puzzles(args: &PuzzleArgs, loaded: &LoadedGame) -> Result<Puzzles, CliError> {
    let LoadedGame { name, game, .. } = loaded;
    let query = PuzzleQuery {
        plies: args.plies,
        all: args.all,
        limit: args.count.map(usize::from),
        sample: args.by_chance,
        seed: args.seed,
        tries: args.tries,
        memory: args.game.memory,
        oracle: strong::find_oracle(&args.strong, loaded)?,
    };
    let limit = args.time.or(args.tries.is_none().then_some(DEFAULT_TIME));
    let (found, _) = run_with_progress(|watch| with_time_limit(limit, watch, || puzzles(game, name, &query, watch)));
    let found = found.map_err(|e| CliError::from_engine(e, name))?;
    // After an interruption, the puzzles found so far are the answer; no puzzle is no answer.
    if found.puzzles.is_empty() && was_interrupted() { Err(CliError::Stopped) } else { Ok(found) }
}

/// The page for people: the puzzles, unless they were written to files, and the answers with `--answers`.
struct PuzzlePage<'a> {
    args: &'a PuzzleArgs,
    game: &'a AnyGame,
    found: &'a Puzzles,
    all: usize,
    written: &'a [String],
    /// Whether all sheets were written.
    is_written: bool,
}

impl PuzzlePage<'_> {
    fn text(&self) -> String {
        let Self { args, game, found, written, .. } = *self;
        let mut page = filled(&self.headline());
        page += &filled(&self.searched_positions());
        let is_drawn = written.is_empty() || !self.is_written;
        if self.all > 0 && is_drawn {
            page += &format!("{}\n\n", words::one_move(lang()));
            let task = |(n, puzzle): (usize, &PuzzleReport)| {
                format!(
                    "{BOLD}{:>3}{BOLD:#}  {} ({})\n{}",
                    n + 1,
                    puzzle.task(lang()),
                    puzzle.level_text(lang()),
                    draw::position_text(game, &puzzle.position)
                )
            };
            let blocks: Vec<_> = found.puzzles.iter().enumerate().map(task).collect();
            page += &draw::side_by_side(&blocks);
        }
        if !written.is_empty() {
            page += &filled(&words::written(lang(), &written.join(", ")));
        }
        if self.all > 0 && args.answers {
            page += &format!("\n{BOLD}{}{BOLD:#}\n", words::answers(lang()));
            page.extend(found.puzzles.iter().enumerate().map(|(n, puzzle)| answer(n + 1, puzzle)));
        }
        let hints = self.hints(is_drawn);
        if !hints.is_empty() {
            page += &format!("\n{}.\n", hints.join(".\n"));
        }
        page
    }

    fn headline(&self) -> String {
        let Self { args, game, found, all, .. } = *self;
        let name = found.title(&game.size());
        let shown = found.puzzles.len();
        let is_all = found.exhaustive && args.count.is_none_or(|count| all < usize::from(count));
        let lang = lang();
        let tried = common::positions(lang, found.tried);
        match (all, is_all) {
            (0, _) if game.is_over() => words::over(lang, &name),
            (0, _) if found.left_out.is_some_and(|left_out| left_out > 0) => {
                let left_out = found.left_out.unwrap_or(0);
                words::need_no_thought(lang, left_out, &name, &grouped(left_out as u64))
            }
            (0, _) if found.exhaustive => {
                let plies = match (args.plies.min, args.plies.max) {
                    (least, None) => words::plies_or_more(lang, least),
                    (least, Some(most)) if least == most => common::plies(lang, least.into()),
                    (least, Some(most)) => words::plies_between(lang, least, most),
                };
                let none = if args.game.position.is_empty() { words::none_from_start } else { words::none_from_here };
                none(lang, &name, &plies)
            }
            (0, _) => words::not_found(lang, &name, &tried),
            (_, true) if shown == all => words::all(lang, all, &name, &grouped(all as u64)),
            (_, true) => words::best_of(lang, shown, &name, &grouped(all as u64)),
            (_, false) => words::best(lang, shown, &name),
        }
    }

    /// Describes the positions that were searched.
    fn searched_positions(&self) -> String {
        let (lang, tried) = (lang(), self.found.tried);
        let positions = common::positions(lang, tried);
        match self.found.search {
            SearchScope::Everywhere => words::everywhere(lang, tried, &positions),
            SearchScope::Stopped => words::stopped(lang, tried, &positions),
            SearchScope::Chance => words::by_chance(lang, tried, &positions, self.args.seed),
        }
    }

    /// Returns hints on options that show more, one per line.
    fn hints(&self, is_drawn: bool) -> Vec<String> {
        let Self { args, found, all, .. } = *self;
        let lang = lang();
        let mut hints = Vec::new();
        if found.puzzles.len() < all {
            hints.push(words::more_puzzles(lang, &grouped(all as u64)));
        }
        if let Some(left_out) = found.left_out.filter(|left_out| *left_out > 0) {
            hints.push(words::left_out(lang, &grouped(left_out as u64)));
        }
        if all > 0 && !args.answers && is_drawn {
            hints.push(words::with_answers(lang).to_owned());
        }
        if found.search == SearchScope::Chance && found.tried > 0 && args.tries != Some(found.tried) {
            hints.push(words::again(lang, args.seed, found.tried));
        }
        hints
    }
}

/// Formats an answer: the move with its line, and why the tempting moves fail.
fn answer(number: usize, puzzle: &PuzzleReport) -> String {
    const INDENT: usize = 3;
    let line = wrapped(&puzzle.line, INDENT);
    let head = format!("\n{BOLD}{number:>INDENT$}{BOLD:#}{}", &line[INDENT..]);
    let mut failures = puzzle.failures(lang(), MAX_WRONG_MOVES);
    let last = failures.len().saturating_sub(1);
    failures[..last].iter_mut().for_each(|failure| failure.push(';'));
    head + &wrapped(&failures, INDENT)
}

struct SheetFiles {
    path: PathBuf,
    /// The file's name without `.svg`.
    stem: String,
}

impl SheetFiles {
    /// Checks that the first sheets can be written at `path`.
    ///
    /// # Errors
    /// If a file exists already, or the folder cannot be written to.
    fn new(path: &Path) -> Result<Self, CliError> {
        let wrong = |message: String| CliError::input(message, "expected the path of a file to be made: sheet.svg");
        if path.is_dir() {
            return Err(wrong(format!("`{}` is a folder", path.display())));
        }
        let name = path.file_name().and_then(|name| name.to_str());
        let stem = name.map(|name| name.strip_suffix(".svg").unwrap_or(name));
        let Some(stem) = stem.filter(|stem| !stem.is_empty()) else {
            return Err(wrong(format!("`{}` is not a file name", path.display())));
        };
        if let Some(folder) = path.parent().filter(|folder| *folder != Path::new("") && !folder.is_dir()) {
            return Err(wrong(format!("there is no folder `{}`", folder.display())));
        }
        let sheets = Self { path: path.to_owned(), stem: stem.to_owned() };
        // Checked before the work; more sheets may follow than are checked here.
        for (number, pages) in [(0, 1), (0, 2)] {
            sheets.names(number, pages).iter().try_for_each(|path| is_new(path))?;
        }
        files::temporary_in(parent_folder(path)).map_err(|e| unwritable(&sheets.names(0, 1)[0], &e))?;
        Ok(sheets)
    }

    /// Returns the paths of a sheet and of its answers. Numbers count from 0.
    fn names(&self, number: usize, pages: usize) -> [PathBuf; 2] {
        let numbered = if pages > 1 { format!("-{}", number + 1) } else { String::new() };
        ["", "-answers"].map(|part| self.path.with_file_name(format!("{}{part}{numbered}.svg", self.stem)))
    }

    /// Writes the sheets. Returns the files written, and the error that ended the writing early.
    fn write(&self, game: &AnyGame, puzzles: &Puzzles, lang: Lang) -> (Vec<String>, Result<(), CliError>) {
        let sheets = sheets(game, &puzzles.to_sheets(game, lang));
        let names: Vec<_> = (0..sheets.len()).map(|number| self.names(number, sheets.len())).collect();
        let mut written = Vec::new();
        if let Err(failure) = names.iter().flatten().try_for_each(|path| is_new(path)) {
            return (written, Err(failure));
        }
        let texts = sheets.iter().map(|sheet| &sheet.puzzles).chain(sheets.iter().map(|sheet| &sheet.answers));
        let [puzzles, answers] = [0, 1].map(|part| names.iter().map(move |names| &names[part]));
        for (text, path) in texts.zip(puzzles.chain(answers)) {
            if let Err(e) = files::write_new(path, text) {
                return (written, Err(unwritable(path, &e)));
            }
            written.push(harmless(&path.display().to_string()));
        }
        (written, Ok(()))
    }
}

fn unwritable(path: &Path, error: &io::Error) -> CliError {
    let help = "expected a folder that can be written to, and a file that is not there";
    CliError::about(format!("`{}` cannot be written", path.display()), error, help)
}

fn is_new(path: &Path) -> Result<(), CliError> {
    if path.symlink_metadata().is_ok() {
        let message = format!("`{}` is there already", path.display());
        return Err(CliError::input(message, "files are not overwritten: take it away, or give another name"));
    }
    Ok(())
}
