//! `balpan review`: reviewing a finished game, with what each move gave away.

use std::io::stdin;

use balpan_app::review;
use balpan_games::{AnyGame, Lang, Notation, Record, Review, Task};
use balpan_pictures::review::{names, standing, summary};

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
    let mut is_any_known = false;
    let review = review(&loaded.name, loaded.non_default_rules()?, &record, |position| match solver.solve(position) {
        Err(CliError::Stopped(_)) if is_any_known => Ok(None),
        answer => {
            is_any_known = true;
            answer.map(|solved| Some(solved.answer.clone()))
        }
    })?;
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
    let mut summary = summary(lang, review);
    summary[0].insert_str(0, &format!("{} {}: ", review.game, game.size()));
    let mut page: String = summary.iter().map(|sentence| filled(sentence)).collect();
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
