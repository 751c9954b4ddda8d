//! `balpan referee`: a game between two programs, or between a program and the perfect player, with a verdict on each move.

use std::fmt::Write;
use std::time::{Duration, Instant};

use balpan::{Game, Watch};
use balpan_app::{FaultReport, RefereeReport};
use balpan_contest::Program;
use balpan_contest::program::{Session, Silence};
use balpan_contest::referee::{Ending, MAX_OCCURRENCES, PlayFault, PlayedMove, Referee};
use balpan_games::{Notation, PlayerName, Record};
use balpan_pictures::words::by_points;

use crate::args::RefereeArgs;
use crate::draw::filled;
use crate::error::{CliError, harmless, print_report};
use crate::files;
use crate::load::LoadedGame;
use crate::play::{best_move, parse_side};
use crate::progress::{run_with_progress, run_with_status, was_interrupted};
use crate::review::{self, PositionSolver, review_record};
use crate::stress::{quoted, shell_word};
use crate::words::answer::Player;
use crate::words::{lang, play, referee as words, stress};

pub(crate) fn run(args: &RefereeArgs) -> Result<(), CliError> {
    let loaded = LoadedGame::load(&args.game)?;
    let commands: Vec<_> = args.program.split(|word| word == "--").collect();
    if commands.len() > 2 || commands.iter().any(|words| words.is_empty()) {
        let found = format!("{} programs are named, and each needs a name", commands.len());
        return Err(CliError::input(found, "one or two, as in: balpan referee tictactoe -- ./a -- ./b"));
    }
    let compile = |watch: &Watch| commands.iter().map(|words| Program::from_command(words.to_vec(), watch)).collect();
    let (programs, _) = run_with_progress(compile);
    let programs: Vec<Program> = Result::from_iter::<Vec<_>>(programs)?;
    let mut solver = PositionSolver::new(&loaded, &args.strong, args.game.memory, None)?;
    let (record, mut report) = play_match(args, &loaded, &programs, &mut solver)?;
    if !args.no_review && !was_interrupted() {
        report.review = match review_record(&loaded, &record, &mut solver) {
            Err(CliError::Stopped) => None,
            review => Some(review?),
        };
    }
    if let Some(path) = &args.log {
        let written = files::write(path, log(args, &report));
        written.map_err(|e| CliError::about(format!("--log {}", path.display()), e, "expected a path to write to"))?;
    }
    print_report(args.json, &report, |report| page(args, &loaded, &record, report))?;
    // A program that broke the rules is an answer of "no".
    if report.fault.is_some() { Err(CliError::Reported(1)) } else { Ok(()) }
}

/// Lets the programs play, and the perfect player where there is one only.
fn play_match(
    args: &RefereeArgs,
    loaded: &LoadedGame,
    programs: &[Program],
    solver: &mut PositionSolver,
) -> Result<(Record, RefereeReport), CliError> {
    let game = &loaded.game.erased();
    let mut referee = Referee::new(game);
    let players = referee.players();
    let mut names = [const { None }; 2];
    let mut sessions: [Option<Session>; 2] = [const { None }; 2];
    let first = parse_side(&args.side, players)?;
    for (player, program) in [first, 1 - first].into_iter().zip(programs) {
        let session = program.start()?;
        referee.greet(&session, &loaded.name, player);
        sessions[player] = Some(session);
        names[player] = Some(harmless(&program.name()));
    }
    let (ending, fault) = loop {
        if let Some(ending) = referee.ending() {
            break (Some(ending), None);
        }
        let player = referee.to_move();
        let played = match &mut sessions[player] {
            Some(session) => ask(&referee, session, names[player].as_deref().unwrap_or_default(), args.limit),
            None => match think(&referee, solver) {
                Err(CliError::Stopped) => Err(PlayFault::Silence(Silence::Stopped)),
                played => Ok(played?),
            },
        };
        match played {
            Ok((mv, time)) => {
                let text = referee.make(mv, time).to_owned();
                if let Some(other) = &sessions[1 - player] {
                    referee.tell_move(other, &text);
                }
            }
            Err(PlayFault::Silence(Silence::Stopped)) => break (None, None),
            Err(fault) => break (None, Some(fault)),
        }
    };
    let loser = referee.to_move();
    let winner = match &fault {
        Some(_) => Some(1 - loser),
        None => ending.and_then(|ending| referee.winner(ending)),
    };
    let errors = [0, 1].map(|player| match sessions[player].take() {
        // A program that is at fault, or whose game was stopped, is not waited for.
        Some(session) if ending.is_some() || fault.is_some() && player != loser => {
            Referee::dismiss(session, player, winner)
        }
        Some(session) => session.finish(Duration::ZERO),
        None => String::new(),
    });
    let position = referee.position();
    let ended = match (&fault, ending) {
        (Some(_), _) => "fault",
        (None, Some(Ending::Rules(_))) => "rules",
        (None, Some(Ending::Repetition)) => "repetition",
        (None, Some(Ending::MoveLimit)) => "move_limit",
        (None, None) => "stopped",
    };
    let fault = fault.map(|fault| FaultReport {
        player: players[loser],
        program: names[loser].clone().unwrap_or_default(),
        fault: fault.kind(),
        result: describe(&fault, names[loser].as_deref().unwrap_or_default(), args.limit),
        line: if let PlayFault::IllegalMove(line) = fault { Some(line) } else { None },
        position: game.text(position),
        legal: game.moves(position).map(|mv| game.move_text(position, mv)).collect(),
        errors: errors[loser].clone(),
    });
    let report = RefereeReport {
        game: loaded.name.clone(),
        rules: loaded.non_default_rules()?,
        position: game.text(&game.start()),
        players,
        programs: names,
        winner: winner.map(|winner| players[winner]),
        ended,
        fault,
        moves: referee.moves().to_vec(),
        review: None,
    };
    Ok((referee.record(), report))
}

/// Asks a program for its move.
fn ask(
    referee: &Referee<'_>,
    session: &mut Session,
    name: &str,
    limit: Duration,
) -> Result<(u32, Duration), PlayFault> {
    let number = referee.moves().len() + 1;
    run_with_status(|_, _| words::thinking(lang(), number, name), |watch| referee.ask(session, limit, watch)).0
}

/// Lets the perfect player choose a move.
fn think(referee: &Referee<'_>, solver: &mut PositionSolver) -> Result<(u32, Duration), CliError> {
    let (begin, game, position) = (Instant::now(), referee.game(), referee.position());
    let solved = solver.solve(&game.text(position))?;
    let best = best_move(game, position, &solved, |after| referee.has_been(after));
    let mv = best.or_else(|| game.moves(position).next());
    Ok((mv.unwrap_or_else(|| unreachable!("play is not over")), begin.elapsed()))
}

/// Says what a program did wrong.
fn describe(fault: &PlayFault, name: &str, limit: Duration) -> String {
    let lang = lang();
    match fault {
        PlayFault::IllegalMove(line) => words::illegal_move(lang, name, &harmless(line)),
        PlayFault::Silence(silence) => match *silence {
            Silence::TimeLimit => words::time_limit(lang, name, limit.as_secs_f64()),
            Silence::Exited(code) => words::exit_code(lang, name, code),
            Silence::Killed(signal) => {
                words::killed(lang, name, signal, stress::signal_name(lang, &signal.to_string()))
            }
            Silence::LineLimit => words::line_limit(lang, name),
            Silence::Closed | Silence::Stopped => words::closed(lang, name),
        },
    }
}

/// Returns the plain name of a player.
fn player_name(report: &RefereeReport, player: PlayerName) -> String {
    let turn = usize::from(report.players[0] != player);
    Player::new(lang(), player, turn).plain(lang())
}

fn page(args: &RefereeArgs, loaded: &LoadedGame, record: &Record, report: &RefereeReport) -> String {
    let lang = lang();
    let named = |n: usize| report.programs[n].as_deref().unwrap_or(words::perfect_player(lang)).to_owned();
    let [first, second] = report.players.map(|player| player_name(report, player));
    let size = loaded.game.size();
    let mut page = filled(&words::title(lang, &report.game, &size, &first, &named(0), &second, &named(1)));
    let mut say = |sentence: &str| page += &filled(sentence);
    match report.ended {
        "repetition" => say(&play::came_often(lang, MAX_OCCURRENCES)),
        "move_limit" => say(&words::move_limit(lang, report.moves.len())),
        "stopped" => say(words::stopped(lang)),
        _ => {}
    }
    if let Some(fault) = &report.fault {
        page += &fault_text(report, fault);
    }
    if let Some(review) = &report.review {
        return page + "\n" + &review::page(lang, &loaded.game, review);
    }
    if report.ended == "rules" {
        let by = by_points(lang, record.end.and_then(|end| end.score()));
        let winner = report.winner.map(|player| player_name(report, player));
        page += &filled(&winner.map_or(words::drawn(lang).to_owned(), |winner| words::wins(lang, &winner, &by)));
    }
    page += &filled(&report.moves.iter().map(|mv| mv.text.as_str()).collect::<Vec<_>>().join(" "));
    if args.no_review { page } else { page + &filled(words::no_review(lang)) }
}

/// Says what a program did wrong, where, what it should have done, and what it printed.
fn fault_text(report: &RefereeReport, fault: &FaultReport) -> String {
    const MAX_MOVES_LISTED: usize = 20;
    let lang = lang();
    let mut text =
        filled(&words::loses(lang, &fault.result, &player_name(report, fault.player), report.moves.len() + 1));
    text += &format!("{}\n", words::where_it_was(lang, &harmless(&fault.position)));
    let mut legal = fault.legal.iter().take(MAX_MOVES_LISTED).map(|mv| harmless(mv)).collect::<Vec<_>>().join(" ");
    if let Some(others @ 1..) = fault.legal.len().checked_sub(MAX_MOVES_LISTED) {
        legal += &words::and_others(lang, others);
    }
    text += &filled(&words::legal_moves(lang, &legal));
    if !fault.errors.trim().is_empty() {
        text += &format!("{}\n", words::errors(lang, &fault.program));
        for line in fault.errors.trim_end().lines() {
            text += &format!("  {}\n", harmless(line));
        }
    }
    text
}

/// Formats the record of a game, which `balpan review` reads.
fn log(args: &RefereeArgs, report: &RefereeReport) -> String {
    let mut command = format!("balpan review {} -", shell_word(&args.game.game));
    if !args.game.position.is_empty() {
        command += &format!(" --at {}", quoted(&report.position));
    }
    if let Some(size) = &args.game.changes.board {
        command += &format!(" --board {}", shell_word(size));
    }
    for change in &args.game.changes.set {
        command += &format!(" --set {}", quoted(change));
    }
    let mut log = format!("# {command}\n");
    for (player, program) in report.players.iter().zip(&report.programs) {
        let name = program.as_deref().unwrap_or(words::perfect_player(lang()));
        log += &format!("# {player}: {}\n", name.replace('\n', " "));
    }
    for PlayedMove { text, .. } in &report.moves {
        // Writing to a string cannot fail.
        let _ = writeln!(log, "{text}");
    }
    if let Some(fault) = &report.fault {
        log += &format!("# {}\n", fault.result.replace('\n', " "));
    }
    log
}
