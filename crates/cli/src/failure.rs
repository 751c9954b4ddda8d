//! What can go wrong, how it is told, and the exit code for it.

use std::io::{self, Write};
use std::process::ExitCode;

use balpan::Stopped;
use balpan::reach::Unfinished;
use balpan_games::judge::JudgeError;
use balpan_games::{ChangeError, TextError};
use miette::{MietteDiagnostic, NamedSource, Report, miette};

use crate::numbers::counted;

/// Why the command ends without an answer.
pub(crate) enum Failure {
    /// Bad input.
    Input(Report),
    /// Ctrl-C, after so many positions.
    Interrupted(u64),
    /// Standard output.
    Output(io::Error),
}

impl Failure {
    /// Bad input that is no text to point into.
    pub(crate) fn input(message: impl AsRef<str>, help: impl AsRef<str>) -> Self {
        let diagnostic = MietteDiagnostic::new(harmless(message.as_ref())).with_help(harmless(help.as_ref()));
        Self::Input(diagnostic.into())
    }

    pub(crate) fn stopped(Stopped: Stopped, positions: u64) -> Self {
        Self::Interrupted(positions)
    }

    pub(crate) fn unfinished(unfinished: Unfinished, positions: u64) -> Self {
        match unfinished {
            Unfinished::Stopped(stopped) => Self::stopped(stopped, positions),
            Unfinished::TooMany(most) => Self::input(
                format!(
                    "more than {} can be reached, more than the memory holds",
                    counted(most as u64, "position", "positions")
                ),
                "allow more with --memory, take a smaller board, or fold symmetric positions with --symmetry",
            ),
        }
    }

    /// Tells it on standard error; quiet if nobody reads any more.
    pub(crate) fn tell(self) -> ExitCode {
        let (text, code) = match self {
            Self::Output(e) if e.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            Self::Output(e) => (format!("Error: the answer cannot be written: {e}"), 2),
            Self::Interrupted(positions) => {
                (format!("Interrupted after {}.", counted(positions, "position", "positions")), 130)
            }
            Self::Input(report) => (format!("{report:?}"), 2),
        };
        let _ = writeln!(anstream::stderr(), "{text}");
        ExitCode::from(code)
    }
}

impl From<TextError> for Failure {
    fn from(error: TextError) -> Self {
        // A label needs a character to stand under.
        let text = if error.text.trim().is_empty() { " ".to_owned() } else { harmless(&error.text) };
        let start = error.span.start.min(text.len() - 1);
        let end = error.span.end.clamp(start + 1, text.len());
        let label = miette::LabeledSpan::new(Some("here".to_owned()), start, end - start);
        let diagnostic =
            MietteDiagnostic::new(format!("{}: {}", error.name, error.message)).with_help(error.help).with_label(label);
        Self::Input(Report::new(diagnostic).with_source_code(NamedSource::new(harmless(&error.name), text)))
    }
}

impl From<ChangeError> for Failure {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::Text(error) => error.into(),
            board @ ChangeError::Board(..) => Self::input(board.to_string(), "rows by columns, 64 cells at most: 5x9"),
            other => Self::input(
                other.to_string(),
                "`balpan games NAME` prints a game's rules, which --board and --set change",
            ),
        }
    }
}

impl From<JudgeError> for Failure {
    fn from(error: JudgeError) -> Self {
        match error {
            JudgeError::Input { line, column, found, expected } => {
                Self::input(format!("input, line {line}, column {column}: {found}"), format!("expected {expected}"))
            }
            JudgeError::Write(e) => Self::Output(e),
            JudgeError::Read(e) => Self::Input(miette!("the input cannot be read: {e}")),
            JudgeError::Stopped(stopped) => Self::stopped(stopped, 0),
        }
    }
}

/// The same text, of the same length in bytes, with nothing in it that would steer
/// a terminal.
fn harmless(text: &str) -> String {
    let harmless = |c: char| match c {
        '\n' | '\t' => c.into(),
        '\r' => " ".to_owned(),
        c if c.is_control() => "?".repeat(c.len_utf8()),
        c => c.into(),
    };
    text.chars().map(harmless).collect()
}

/// Prints an answer, in colour where that is wanted.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut output = anstream::stdout().lock();
    output.write_all(text.as_bytes()).and_then(|()| output.flush()).map_err(Failure::Output)
}

/// Prints bytes as they are.
pub(crate) fn print_bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    output.write_all(bytes).and_then(|()| output.flush()).map_err(Failure::Output)
}

/// Prints one JSON object on a line.
pub(crate) fn print_json(object: &impl serde::Serialize) -> Result<(), Failure> {
    let mut text = serde_json::to_string(object).map_err(|e| Failure::Output(e.into()))?;
    text.push('\n');
    print_bytes(text.as_bytes())
}
