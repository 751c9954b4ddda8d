//! `balpan solve GAME [POSITION] + GAME [POSITION] ...`: a sum of games.
//!
//! A move is a move in one of the games. The player who can move in none loses; in misère play this player wins. The
//! nimber of a sum of impartial games is the XOR of their nimbers.

use std::fmt::Write;

use balpan::{Budget, Goal};
use balpan_games::misere::MisereSumReport;
use balpan_games::sum::{SumComponent, SumObstacle, SumReport, WinningMove};
use balpan_games::{AnyGame, EngineOptions};

use crate::args::SolveArgs;
use crate::draw::{self, width};
use crate::error::{CliError, harmless, print_report};
use crate::load::{PLUS, game_at, read_rules};
use crate::progress::{run_with_progress, set_positions_searched, thread_count};
use crate::value;
use crate::words::{lang, quotient, sum as words};

pub(super) fn run(args: &SolveArgs) -> Result<(), CliError> {
    if args.game.changes.board.is_some() || !args.game.changes.set.is_empty() {
        let help = "a game's board is as large as its position; the path of a rules file is a game, too";
        return Err(CliError::input("--board or --set, and a sum: which game do they change?", help));
    }
    if args.cgt {
        // An invalid game is reported as such.
        games(args)?;
        return value::run_sum(args);
    }
    if let Some((option, _)) =
        [("--score", args.score), ("--keep", args.kept.keep.is_some())].iter().find(|(_, given)| *given)
    {
        let help = format!("leave out {option}; a sum has nimbers and winning moves only");
        return Err(CliError::input(format!("{option}, and a sum of games"), help));
    }
    let games = games(args)?;
    // The kinds of games decide what is added up: misère positions, nimbers, or values.
    if games.iter().all(|(_, game)| game.is_misere_sum()) {
        return run_misere(args, &games);
    }
    if let Some((name, game)) = games.iter().find(|(_, game)| !game.is_impartial()) {
        if game.is_misere_sum() {
            let help = "misère games add up with misère games alone";
            return Err(CliError::input(format!("{name} is not by the normal convention, and others are"), help));
        }
        if args.goal().is_none() {
            return value::run_sum(args);
        }
    }
    let threads = thread_count(args.threads);
    // The engines of all games are kept, and share the memory.
    let budget = Budget { memory: args.game.memory / games.len(), threads };
    let make = EngineOptions::new(budget);
    let mut parts: Vec<_> = games.iter().map(|(_, game)| make.clone().summand(game)).collect();
    let names: Vec<_> = games.into_iter().map(|(name, _)| name).collect();
    let needs_moves = args.goal() != Some(Goal::MoveOutcomes);
    let (result, time) = run_with_progress(|watch| SumReport::find(&names, &mut parts, needs_moves, watch));
    let positions = parts.iter().map(|part| part.positions_searched()).sum();
    set_positions_searched(positions);
    let sum = result.map_err(|e| CliError::from_engine(e, "the sum"))?.with_elapsed(time);
    print_report(args.json, &sum, |sum| page(sum, !needs_moves))
}

/// Loads the games of the sum. Returns the name and the game of each.
fn games(args: &SolveArgs) -> Result<Vec<(String, AnyGame)>, CliError> {
    let words: Vec<String> = std::iter::once(&args.game.game).chain(&args.game.position).cloned().collect();
    let read = |words: &[String]| {
        let Some((name, position)) = words.split_first() else {
            let help = "a sum is GAME [POSITION] + GAME [POSITION], and so on";
            return Err(CliError::input(format!("no game beside a `{PLUS}`"), help));
        };
        let rules = read_rules(name)?;
        let game = game_at(&rules, position)?;
        if let Some(obstacle) = SumObstacle::new(&game) {
            return Err(CliError::no_nimber(obstacle, &rules.name));
        }
        if !game.is_impartial() && !game.is_misere_sum() && game.pieces().is_none() {
            let help = "a sum takes placement games, heaps, and lines with shared marks that always end in a line";
            let name = &rules.name;
            return Err(CliError::input(format!("{name} is not impartial, and has no values that add up"), help));
        }
        Ok((harmless(&rules.name), game))
    };
    words.split(|word| word == PLUS).map(read).collect()
}

/// Solves a sum of misère games.
fn run_misere(args: &SolveArgs, games: &[(String, AnyGame)]) -> Result<(), CliError> {
    let needs_moves = args.goal() != Some(Goal::MoveOutcomes);
    let (result, time) = run_with_progress(|watch| MisereSumReport::find(games, needs_moves, args.game.memory, watch));
    let names: Vec<_> = games.iter().map(|(name, _)| &**name).collect();
    let found = result.map_err(|e| crate::heaps::parts_error(e, &names.join(" + ")))?;
    let found = MisereSumReport { seconds: time.as_secs_f64(), ..found };
    print_report(args.json, &found, misere_page)
}

fn misere_page(found: &MisereSumReport) -> String {
    let lang = lang();
    let mut page = quotient::games(lang, found.sum.len()) + "\n\n";
    for (number, game) in (1..).zip(&found.sum) {
        // Writing to a string cannot fail.
        let _ = writeln!(page, "{number:>3}  {} {}", game.game, game.position);
    }
    page += &winner(found.outcome == "win");
    if let Some(moves) = found.moves.as_ref().filter(|moves| !moves.is_empty()) {
        let _ = writeln!(page, "\n{}\n", words::moves(lang));
        let longest = moves.iter().map(|mv| mv.mv.len()).max().unwrap_or(0);
        for mv in moves {
            let leaves = quotient::leaves(lang, &found.sum[mv.component - 1].game, &mv.position);
            let _ = writeln!(page, "{:>3}  {:longest$}  {leaves}", mv.component, mv.mv);
        }
    }
    page
}

/// Returns the sentence that says who wins, after an empty line.
fn winner(mover_wins: bool) -> String {
    let style = draw::PLAYERS[usize::from(!mover_wins)];
    let sentence = if mover_wins { words::first_wins } else { words::second_wins };
    format!("\n{style}{}{style:#}\n", sentence(lang()))
}

fn page(found: &SumReport, outcome_only: bool) -> String {
    let lang = lang();
    let SumReport { sum, nimber, moves, .. } = found;
    let texts: Vec<_> = sum.iter().map(|SumComponent { game, position, .. }| format!("{game} {position}")).collect();
    let widest = texts.iter().map(|text| width(text)).max().unwrap_or(0);
    let margin = sum.len().to_string().len().max(width(words::sum(lang))) + 2;
    let last = width(words::nimber(lang));
    let blanks = |columns: usize, text: &str| " ".repeat(columns.saturating_sub(width(text)));
    let mut page = words::head(lang, sum.len()) + "\n\n";
    // Writing to a string cannot fail.
    let mut row = |number: &str, text: &str, nimber: &str| {
        let [before, after, far] = [blanks(margin, number), blanks(widest, text), blanks(last, nimber)];
        let _ = writeln!(page, "{before}{number}  {text}{after}  {far}{nimber}");
    };
    row("", "", words::nimber(lang));
    for (number, (text, SumComponent { nimber, .. })) in (1..).zip(texts.iter().zip(sum)) {
        row(&i32::to_string(&number), text, &nimber.to_string());
    }
    row(words::sum(lang), "", &nimber.to_string());
    page += &winner(*nimber != 0);
    let Some(moves) = moves.as_ref().filter(|moves| !outcome_only && !moves.is_empty()) else {
        return page;
    };
    let _ = writeln!(page, "\n{}\n", words::moves(lang));
    let longest = moves.iter().map(|WinningMove { mv, .. }| mv.len()).max().unwrap_or(0);
    for WinningMove { component, mv, position, nimber } in moves {
        let game = &sum[component - 1].game;
        let leaves = words::leaves(lang, game, position, *nimber);
        let _ = writeln!(page, "{component:>margin$}  {mv:longest$}  {leaves}");
    }
    page
}
