//! Errors of the command: messages, exit codes, and printing to standard output and standard error.

use std::fmt::Display;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use balpan::reach::ReachError;
use balpan::{EngineError, Stopped, TableError, TooLong};
use balpan_contest::{JudgeError, ProgramError};
use balpan_games::error::RulesError;
use balpan_games::sum::SumObstacle;
use balpan_games::{ChangeError, Explanation, InputError, QueryError, TextError};
use miette::{LabeledSpan, MietteDiagnostic, NamedSource, Report, Severity};
use serde::Serialize;
use serde_json::json;

use crate::numbers::counted;
use crate::progress::{StopCause, deadline, elapsed, positions_searched, stop_cause, time_limit_or};
use crate::words::{common as words, korean, lang};

/// Why the command ends without an answer.
pub(crate) enum CliError {
    Input(Box<Diagnostic>),
    /// Everything is printed already; this is the exit code.
    Reported(u8),
    /// The work was stopped for the recorded [cause](crate::progress::stop_cause), and no part of the answer is known.
    Stopped,
    /// Standard output cannot be written.
    Output(io::Error),
}

/// A message about bad input, with a remedy and a place. As JSON, the field names are part of the command's contract.
#[derive(Serialize)]
pub(crate) struct Diagnostic {
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
    #[serde(flatten)]
    place: Option<Place>,
}

#[derive(Serialize)]
struct Place {
    text: String,
    /// Byte range in the text: start and end.
    span: [usize; 2],
    /// For people: the text's name, the excerpt to show, and the byte range in the excerpt.
    #[serde(skip)]
    excerpt: (String, String, Range<usize>),
}

impl Diagnostic {
    /// Creates a diagnostic without a place. An empty `help` is left out.
    pub(crate) fn new(message: impl AsRef<str>, help: impl AsRef<str>) -> Self {
        let [message, help] = [message.as_ref(), help.as_ref()].map(|text| harmless(&korean::local(text)));
        Self { message, help: Some(help).filter(|help| !help.is_empty()), place: None }
    }

    /// Formats the diagnostic for people, with the excerpt drawn if there is one.
    fn page(&self, severity: Severity) -> String {
        let mut diagnostic = MietteDiagnostic::new(self.message.clone()).with_severity(severity);
        if let Some(help) = &self.help {
            diagnostic = diagnostic.with_help(help);
        }
        // The label of the help is as wide in both languages.
        let local = |page: String| lang().pick(page.clone(), page.replacen("  help: ", "  도움: ", 1));
        let Some(Place { excerpt: (name, text, span), .. }) = &self.place else {
            return local(format!("{:?}", Report::new(diagnostic)));
        };
        let label = LabeledSpan::new_with_span(Some(words::here(lang()).to_owned()), span.clone());
        let report = Report::new(diagnostic.with_label(label));
        local(format!("{:?}", report.with_source_code(NamedSource::new(name, text.clone()))))
    }
}

impl From<TextError> for Diagnostic {
    fn from(error: TextError) -> Self {
        let (text, span) = excerpt(&error);
        let part = if text.len() < error.text.len() { words::part_of_it(lang()) } else { "" };
        let excerpt = (harmless(error.name(lang())) + part, text, span);
        let place = Place { text: harmless(&error.text), span: [error.span.start, error.span.end], excerpt };
        let Explanation { message, help } = error.explain(lang());
        let diagnostic = Self::new(message, help + remedy(&error.cause));
        Self { place: Some(place), ..diagnostic }
    }
}

impl CliError {
    pub(crate) fn input(message: impl AsRef<str>, help: impl AsRef<str>) -> Self {
        Self::Input(Box::new(Diagnostic::new(message, help)))
    }

    pub(crate) fn about(subject: impl Display, error: impl Display, help: impl AsRef<str>) -> Self {
        Self::input(format!("{subject}: {error}"), help)
    }

    /// Creates the error for a part of the command that was left out when it was built.
    #[cfg(not(all(feature = "cluster", feature = "parquet")))]
    pub(crate) fn from_missing_feature(part: &str, feature: &str) -> Self {
        let (message, help) = words::missing_feature(lang(), part, feature);
        Self::input(message, help)
    }

    /// Converts an error in the command line.
    pub(crate) fn from_clap(error: &clap::Error) -> Self {
        let text = error.to_string();
        let (message, help) = text.split_once("\n\n").unwrap_or((&text, ""));
        let message = message.trim_start_matches("error: ");
        Self::input(message.trim_end(), help.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Converts an engine's error about the game of this name.
    pub(crate) fn from_engine(error: EngineError, name: &str) -> Self {
        match error {
            EngineError::Stopped(stopped) => stopped.into(),
            EngineError::Table(TableError::NotOfThisGame) => {
                let help = "only placement games with the same pieces for both players have one";
                Self::input(format!("{name} has no table of all positions"), help)
            }
            EngineError::Table(error) => error.into(),
            EngineError::NotImpartial => {
                let help = "only impartial games have one, in which both players have the same moves and no piece has a supply";
                Self::input(format!("{name} has no nimber"), help)
            }
            EngineError::TooLong(error) => error.into(),
            error => Self::input(error.to_string(), ""),
        }
    }

    /// Says why the game of this name has no nimbers.
    pub(crate) fn no_nimber(obstacle: SumObstacle, name: &str) -> Self {
        let reason = obstacle.explain(lang());
        Self::input(format!("{name}: {}", reason.message), reason.help)
    }

    /// Converts the error of a question in text about the game of this name.
    pub(crate) fn from_query(error: QueryError, name: &str) -> Self {
        match error {
            QueryError::Text(error) => error.into(),
            QueryError::NoAnswer(error) => Self::from_engine(error, name),
        }
    }

    /// Prints the error on standard error, with `--json` as one object; prints nothing after a closed pipe. Returns the
    /// exit code.
    pub(crate) fn report(self) -> u8 {
        let (diagnostic, code) = match self {
            Self::Output(e) if e.kind() == io::ErrorKind::BrokenPipe => return 0,
            Self::Reported(code) => return code,
            Self::Output(e) => (Diagnostic::new(format!("the answer cannot be written: {e}"), ""), 2),
            Self::Stopped => match stop_cause() {
                Some(StopCause::Deadline) => return report_nothing_known(),
                Some(StopCause::Memory) => (out_of_memory(), 2),
                None if deadline().is_some_and(|deadline| elapsed() >= deadline) => return report_nothing_known(),
                Some(StopCause::Signal) | None => (interrupted(), 130),
            },
            Self::Input(diagnostic) => (*diagnostic, 2),
        };
        report(&diagnostic, code);
        code
    }
}

/// Prints that no part of the answer is known at the deadline. Returns the exit code, which is that of an answer.
fn report_nothing_known() -> u8 {
    let printed = if uses_json_errors() {
        let seconds = elapsed().as_secs_f64();
        print_json(&json!({"complete": false, "positions_searched": positions_searched(), "seconds": seconds}))
    } else {
        print(&words::nothing_known(lang(), &time_limit_or(elapsed()), &words::positions(lang(), positions_searched())))
    };
    match printed {
        Ok(()) => 0,
        Err(error) => error.report(),
    }
}

fn out_of_memory() -> Diagnostic {
    let (message, help) = words::out_of_memory(lang(), &words::positions(lang(), positions_searched()));
    Diagnostic::new(message, help)
}

pub(crate) fn interrupted() -> Diagnostic {
    Diagnostic::new(words::interrupted(lang(), &words::positions(lang(), positions_searched())), "")
}

/// Whether errors and warnings are JSON objects.
static USES_JSON_ERRORS: AtomicBool = AtomicBool::new(false);

pub(crate) fn uses_json_errors() -> bool {
    USES_JSON_ERRORS.load(Relaxed)
}

pub(crate) fn use_json_errors() {
    USES_JSON_ERRORS.store(true, Relaxed);
}

/// A diagnostic on standard error, as JSON.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Note<'a> {
    Error(&'a Diagnostic),
    Warning(&'a Diagnostic),
}

/// Prints a diagnostic on standard error: with the place and the help for exit code 2, the message alone for others.
pub(crate) fn report(diagnostic: &Diagnostic, code: u8) {
    let text = match code {
        _ if uses_json_errors() => serde_json::to_string(&Note::Error(diagnostic)).unwrap_or_default(),
        2 => diagnostic.page(Severity::Error),
        _ => diagnostic.message.clone(),
    };
    let _ = writeln!(anstream::stderr(), "{}", text.trim_end_matches('\n'));
}

/// Prints a warning on standard error. The work continues.
pub(crate) fn warn(diagnostic: &Diagnostic) {
    let text = if uses_json_errors() {
        serde_json::to_string(&Note::Warning(diagnostic)).unwrap_or_default()
    } else if diagnostic.place.is_some() {
        diagnostic.page(Severity::Warning)
    } else {
        format!("Warning: {}", diagnostic.message)
    };
    let _ = writeln!(anstream::stderr(), "{}", text.trim_end_matches('\n'));
}

/// Returns the remedy that the command itself offers for an error, to follow the general help.
fn remedy(error: &InputError) -> &'static str {
    match error {
        InputError::Rules(RulesError::Toml { .. } | RulesError::OtherKey { .. } | RulesError::MissingKey { .. }) => {
            words::print_a_file(lang())
        }
        _ => "",
    }
}

impl From<TextError> for CliError {
    fn from(error: TextError) -> Self {
        Self::Input(Box::new(error.into()))
    }
}

impl From<ChangeError> for CliError {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::Text(error) => error.into(),
            other => Self::input(other.message(lang()), words::print_rules(lang())),
        }
    }
}

impl From<Stopped> for CliError {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Interrupted => Self::Stopped,
            Stopped::TooLong(error) => error.into(),
            error => Self::input(error.to_string(), ""),
        }
    }
}

impl From<TooLong> for CliError {
    fn from(error: TooLong) -> Self {
        let help = "take smaller heaps; or, by the normal convention, ask for the --winner alone, which follows from the nimber";
        Self::input(error.to_string(), help)
    }
}

impl From<ReachError> for CliError {
    fn from(error: ReachError) -> Self {
        match error {
            ReachError::Stopped(stopped) => stopped.into(),
            ReachError::TooMany(most) => {
                let most = counted(most as u64, "position", "positions");
                let help = "allow more with --memory, or take a smaller board; with --symmetry, fewer are counted";
                Self::input(format!("more than {most} can be reached, more than the memory holds"), help)
            }
        }
    }
}

impl From<TableError> for CliError {
    fn from(error: TableError) -> Self {
        match error {
            TableError::Stopped(stopped) => stopped.into(),
            TableError::NotTheBoardAlone => {
                Self::input("this game has more to a position than its filled cells", error.to_string())
            }
            TableError::TooLarge { .. } | TableError::NoMemory { .. } | TableError::TooManyPositions(_) => {
                Self::input(error.to_string(), "allow more with --memory, or take a smaller board")
            }
            error => Self::input(error.to_string(), ""),
        }
    }
}

impl From<ProgramError> for CliError {
    fn from(error: ProgramError) -> Self {
        match error {
            ProgramError::Stopped(_) => Self::Stopped,
            error => Self::input(error.to_string(), error.help()),
        }
    }
}

impl From<JudgeError> for CliError {
    fn from(error: JudgeError) -> Self {
        match error {
            JudgeError::Input { line, column, found, expected } => {
                Self::about(format!("input, line {line}, column {column}"), found, format!("expected {expected}"))
            }
            JudgeError::Write(e) => Self::Output(e),
            JudgeError::Read(e) => Self::about("the input cannot be read", e, ""),
            JudgeError::Stopped(stopped) => stopped.into(),
        }
    }
}

/// Returns the part of an error's text to show, and the error's byte range in it. A long line is cut around the error;
/// the range covers at least one byte.
fn excerpt(error: &TextError) -> (String, Range<usize>) {
    const AROUND: usize = 30;
    let text = harmless(&error.text);
    let boundary = |mut at: usize| {
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = boundary(error.span.start.min(text.len()));
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let long = text.lines().any(|line| line.len() > 4 * AROUND);
    let (from, to) = if long {
        // Only the line with the error, and of that the surroundings.
        (boundary(line_start.max(start.saturating_sub(AROUND))), boundary(line_end.min(start + AROUND)))
    } else {
        (0, text.len())
    };
    let shown = &text[from..to];
    let shown = if shown.trim().is_empty() { " " } else { shown };
    let begin = (start - from).min(shown.len().saturating_sub(1));
    let end = error.span.end.saturating_sub(from).clamp(begin + 1, shown.len().max(begin + 1));
    (shown.to_owned(), begin..end)
}

/// Replaces control characters, so that text cannot steer a terminal. The length in bytes stays the same.
pub(crate) fn harmless(text: &str) -> String {
    let harmless = |c: char| match c {
        '\n' | '\t' => c.into(),
        '\r' => " ".to_owned(),
        // Control characters, and those that change the direction of writing.
        c if c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') => {
            "?".repeat(c.len_utf8())
        }
        c => c.into(),
    };
    text.chars().map(harmless).collect()
}

/// Prints an answer, with colours if standard output takes them.
pub(crate) fn print(text: &str) -> Result<(), CliError> {
    let mut output = anstream::stdout().lock();
    output.write_all(text.as_bytes()).and_then(|()| output.flush()).map_err(CliError::Output)
}

pub(crate) fn print_bytes(bytes: &[u8]) -> Result<(), CliError> {
    let mut output = io::stdout().lock();
    output.write_all(bytes).and_then(|()| output.flush()).map_err(CliError::Output)
}

/// Prints one JSON object on a line.
pub(crate) fn print_json(object: &impl Serialize) -> Result<(), CliError> {
    print_bytes(json_line(object)?.as_bytes())
}

/// Prints a report: as one JSON object, or as its page for people.
pub(crate) fn print_report<R: Serialize>(
    json: bool,
    report: &R,
    page: impl FnOnce(&R) -> String,
) -> Result<(), CliError> {
    if json { print_json(report) } else { print(&korean::local_report(page(report))) }
}

/// Formats one JSON object as a line.
pub(crate) fn json_line(object: &impl Serialize) -> Result<String, CliError> {
    let text = serde_json::to_string(object).map_err(|e| CliError::Output(e.into()))?;
    Ok(text + "\n")
}
