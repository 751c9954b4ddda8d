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

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use balpan_games::{Board, Lang, Notation, TextError, register_game, register_game_on_boards};
use clap::FromArgMatches;
use clap::error::{ContextKind, ContextValue, ErrorKind};

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
    let words = command_words();
    let options: Vec<_> = words.iter().take_while(|word| *word != "--").map(|word| word.to_string_lossy()).collect();
    // Output for programs is in English.
    if options.iter().any(|word| word == "--json") {
        error::use_json_errors();
    } else {
        let spaced = options.windows(2).find(|pair| pair[0] == "--lang").map(|pair| &*pair[1]);
        let requested = spaced.or(options.iter().find_map(|word| word.strip_prefix("--lang=")));
        words::set_lang(requested.and_then(Lang::from_code));
    }
    let parsed = args::command().try_get_matches_from(&words).and_then(|found| Args::from_arg_matches(&found));
    let args = match parsed.map_err(|error| with_tip(error, &options)) {
        Ok(args) => args,
        Err(e) if e.use_stderr() && error::uses_json_errors() => return CliError::from_clap(&e).report(),
        Err(e) => {
            // A closed pipe loses only help that nobody reads.
            let _ = match (words::lang(), e.use_stderr()) {
                (Lang::En, _) => e.print(),
                (Lang::Ko, true) => write!(anstream::stderr(), "{}", words::korean::page(&e)),
                (Lang::Ko, false) => write!(anstream::stdout(), "{}", words::korean::page(&e)),
            };
            return if e.use_stderr() { 2 } else { 0 };
        }
    };
    let (deadline, memory) = args.verb.limits();
    set_limits(Limits { begin: Instant::now(), deadline, memory });
    let result = run(args.verb);
    strong::report_damage();
    exit_code(result)
}

/// Returns the words of the command line. An expression of `balpan value` may begin with a minus: it gets a blank before it, so
/// that it is no option.
fn command_words() -> Vec<OsString> {
    let mut words: Vec<_> = std::env::args_os().collect();
    if words.get(1).is_some_and(|verb| verb == "value") {
        for word in &mut words[2..] {
            let text = word.to_string_lossy();
            if text.starts_with('-') && !text.starts_with("--") && text.len() > 1 && text != "-h" {
                *word = format!(" {text}").into();
            }
        }
    }
    words
}

/// Adds how a program is named, where it is not.
fn with_tip(mut error: clap::Error, words: &[Cow<'_, str>]) -> clap::Error {
    let is_unnamed = matches!(error.kind(), ErrorKind::UnknownArgument | ErrorKind::MissingRequiredArgument);
    let tip = match words.get(1).map(|verb| &**verb).filter(|_| is_unnamed) {
        Some("stress") => {
            "a program is named after `--`, as in `-- python3 yours.py`; a function `solution` by `--solution yours.py`"
        }
        Some("referee") => "a program is named after `--`, as in `-- python3 yours.py`",
        _ => return error,
    };
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    error
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
            clap_complete::generate(shell, &mut args::command(), "balpan", &mut script);
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
