//! `balpan review`: reviewing a finished game, with what each move gave away.

use std::io::stdin;

use balpan_games::{AnyGame, Lang, Notation, Record, Review, Task};
use balpan_pictures::words::review::{names, no_turning_point, result, standing, turning_point};

use crate::args::{GameArgs, ReviewArgs};
use crate::draw::{self, PLAYERS, filled};
use crate::error::{CliError, print, print_json};
use crate::files;
use crate::load::LoadedGame;
use crate::position_solver::PositionSolver;
use crate::strong;

/// Size limit of a record, far above what a game needs.
const MAX_RECORD_BYTES: u64 = 1 << 16;

/// Better moves listed for a mistake.
const MAX_BETTER_MOVES: usize = 4;

pub(crate) fn run(args: &ReviewArgs) -> Result<(), CliError> {
    let game_args = GameArgs {
        game: args.game.clone(),
        position: args.at.iter().cloned().collect(),
        board: args.board.clone(),
        set: args.set.clone(),
        memory: args.memory,
    };
    let loaded = LoadedGame::load(&game_args)?;
    let record = Record::read(&loaded.game, &read_moves(&args.moves)?)?;
    let oracle = strong::find_oracle(&args.strong, &loaded)?;
    let mut solver = PositionSolver::new(&loaded.rules, args.memory, oracle, None);
    let mut answers = Vec::new();
    // From the end: results of later positions speed up earlier ones.
    for (ply, position) in record.positions.iter().enumerate().rev() {
        let is_end = record.end.is_some() && ply == record.moves.len();
        if is_end {
            answers.push(None);
            continue;
        }
        answers.push(match solver.solve(position) {
            // Earlier positions would take longer still.
            Err(CliError::Stopped(positions)) if answers.iter().all(Option::is_none) => {
                return Err(CliError::Stopped(positions));
            }
            Err(CliError::Stopped(_)) => break,
            answer => Some(answer?),
        });
    }
    answers.resize_with(record.positions.len(), || None);
    answers.reverse();
    let answers: Vec<_> = answers.iter().map(|solved| solved.as_ref().map(|solved| &solved.answer)).collect();
    let review = Review::new(&loaded.name, loaded.non_default_rules()?, &record, &answers);
    if args.json {
        return print_json(&review);
    }
    print(&page(args.lang.into(), &loaded.game, &review))
}

/// Returns the moves of the command line, or reads them from standard input for `-`.
fn read_moves(words: &[String]) -> Result<String, CliError> {
    if words != ["-"] {
        return Ok(words.join(" "));
    }
    let read = files::read_from(stdin(), MAX_RECORD_BYTES).and_then(files::text);
    read.map_err(|e| {
        CliError::input(format!("standard input cannot be read: {e}"), "expected the moves of a game, in UTF-8")
    })
}

/// Formats the result of the game, its turning points, and each move.
fn page(lang: Lang, game: &AnyGame, review: &Review) -> String {
    let turns: Vec<_> = review.turning_points().filter_map(|n| turning_point(lang, review, n)).collect();
    let mut page = filled(&format!("{} {}: {}", review.game, game.size(), result(lang, review)));
    for turn in &turns {
        page += &filled(turn);
    }
    if turns.is_empty() {
        page += &filled(no_turning_point(lang, review));
    }
    page += &moves(lang, review);
    if let Some(last) = review.moves.last().map_or(Some(&review.position), |mv| Some(&mv.position)) {
        page += &game.run(DrawPosition(last));
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
        let (style, name) = (PLAYERS[n % 2], names[n % 2].plain);
        let sign = mv.mark.map_or("", |mark| mark.symbol());
        let better = match mv.mark {
            None => String::new(),
            Some(_) => {
                let more = if mv.best.len() > MAX_BETTER_MOVES { " .." } else { "" };
                let best: Vec<_> = mv.best.iter().take(MAX_BETTER_MOVES).map(String::as_str).collect();
                format!("; {} {}{more}", lang.pick("better:", "더 나은 수:"), best.join(" "))
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

/// Draws a position of the game, given as text.
struct DrawPosition<'a>(&'a str);

impl Task for DrawPosition<'_> {
    type Output = String;

    fn run<G: Notation>(self, game: &G) -> String {
        // The text is the game's own.
        game.parse(self.0).map_or_else(|_| String::new(), |position| format!("\n{}", draw::position(game, &position)))
    }
}
