//! The `balpan` command: arguments in, text or JSON out.
//!
//! Each verb is a module: it loads what its arguments name (`load`, `files`, `strong`), calls the libraries with its
//! progress shown (`progress`), and prints their report, to people in their language (`words`, `draw`) or as JSON
//! (`error`). Nothing here decides about games.

mod answer;
mod args;
mod build;
mod census;
mod certificates;
#[cfg(feature = "cluster")]
mod cluster;
mod draw;
mod error;
mod files;
mod games;
mod generate;
mod heaps;
mod judge;
mod load;
mod numbers;
mod play;
mod progress;
mod puzzle;
mod referee;
mod review;
mod serve;
mod solve;
mod stress;
mod strong;
mod tree;
mod value;
mod words;

use std::process::ExitCode;
use std::time::Instant;

use balpan_games::{Board, Notation, TextError, register_game, register_game_on_boards};
use clap::{CommandFactory, Parser};

use args::{Args, Verb};
use error::CliError;
use progress::{Limits, exit_code, set_limits};

/// The command. A program with games of its own is a whole `balpan` that knows them wherever it knows a preset:
///
/// ```no_run
/// use balpan::Game;
/// use balpan_cli::Command;
/// use balpan_games::Notation;
///
/// /// A heap of ten tokens, of which each player takes one to three.
/// #[derive(Clone)]
/// struct Take;
///
/// impl Game for Take {
///     type Position = u32;
///     type Move = u32;
///     fn start(&self) -> u32 { 10 }
///     fn moves(&self, &heap: &u32) -> impl Iterator<Item = u32> { 1..=heap.min(3) }
///     fn play(&self, heap: &u32, taken: u32) -> u32 { heap - taken }
/// }
///
/// impl Notation for Take {
///     fn text(&self, heap: &u32) -> String { heap.to_string() }
/// }
///
/// fn main() -> std::process::ExitCode {
///     Command::new().game("take", Take).run()
/// }
/// ```
#[derive(Debug, Default)]
pub struct Command {
    /// Why the first game that was refused is refused.
    refused: Option<TextError>,
}

impl Command {
    /// The command with the presets.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a game under a name; see [`register_game`].
    #[must_use]
    pub fn game<G: Notation>(self, name: &str, game: G) -> Self {
        self.and(register_game(name, game))
    }

    /// Adds a game on boards; `board` is the size unless `--board` gives another. See [`register_game_on_boards`].
    #[must_use]
    pub fn game_on_boards<G: Notation>(
        self,
        name: &str,
        board: &str,
        make: impl Fn(Board) -> Option<G> + Send + Sync + 'static,
    ) -> Self {
        self.and(register_game_on_boards(name, board, make))
    }

    fn and(self, registered: Result<(), TextError>) -> Self {
        Self { refused: self.refused.or(registered.err()) }
    }

    /// Runs the command line of the process, and returns its exit code: 0 if it was answered, 1 if the answer is no, 2 for
    /// bad input, and for a game that was refused.
    #[must_use]
    pub fn run(self) -> ExitCode {
        if let Some(refused) = self.refused {
            return ExitCode::from(CliError::from(refused).report());
        }
        if balpan_contest::program::supervise() {
            return ExitCode::SUCCESS;
        }
        // The system may give the first thread hardly any stack.
        ExitCode::from(balpan::with_stack_for(None, run_command_line))
    }
}

/// Parses the command line and runs the verb. Returns the exit code.
fn run_command_line() -> u8 {
    if std::env::args_os().take_while(|word| word != "--").any(|word| word == "--json") {
        error::use_json_errors();
    }
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(e) if e.use_stderr() && error::uses_json_errors() => return CliError::from_clap(&e).report(),
        Err(e) => {
            // A closed pipe loses only help that nobody reads.
            let _ = e.print();
            return if e.use_stderr() { 2 } else { 0 };
        }
    };
    // Output for programs is in English.
    if let Some(requested) = args.verb.lang()
        && !error::uses_json_errors()
    {
        words::set_lang(requested);
    }
    let (deadline, memory) = args.verb.limits();
    set_limits(Limits { begin: Instant::now(), deadline, memory });
    let result = run(args.verb);
    strong::report_damage();
    exit_code(result)
}

fn run(verb: Verb) -> Result<(), CliError> {
    match verb {
        Verb::Games { name, explain, changes, .. } => games::run(name.as_deref(), &changes, explain),
        Verb::Solve(args) => solve::run(&args),
        Verb::Value(args) => value::run(&args),
        Verb::Period(args) => heaps::run_period(&args),
        Verb::Quotient(args) => heaps::run_quotient(&args),
        Verb::Problems { problem, .. } => judge::run_problems(problem.as_deref()),
        Verb::Judge(args) => judge::run(&args),
        Verb::Stress(args) => stress::run(&args),
        Verb::Generate(args) => generate::run(&args),
        Verb::Play(args) => play::run(&args),
        Verb::Review(args) => review::run(&args),
        Verb::Referee(args) => referee::run(&args),
        Verb::Census(args) => census::run(&args),
        Verb::Serve(args) => serve::run(&args),
        Verb::Tree(args) => tree::run(&args),
        Verb::Puzzle(args) => puzzle::run(&args),
        Verb::Build(args) => build::run(&args),
        #[cfg(feature = "cluster")]
        Verb::Cluster { verb } => cluster::run(verb),
        #[cfg(not(feature = "cluster"))]
        Verb::Cluster { .. } => Err(CliError::from_missing_feature("balpan cluster", "cluster")),
        Verb::Prove(args) => certificates::run_prove(&args),
        Verb::Check(args) => certificates::run_check(&args),
        Verb::Strong { verb } => strong::run(&verb),
        Verb::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Args::command(), "balpan", &mut script);
            error::print_bytes(&script)
        }
        Verb::Man { verb } => {
            let mut page = Vec::new();
            let command = args::command_of(verb.as_deref())?;
            clap_mangen::Man::new(command).render(&mut page).map_err(CliError::Output)?;
            error::print_bytes(&page)
        }
    }
}
