//! What can go wrong, how it is told, and the exit code for it.

use std::io::{self, Write};
use std::ops::Range;
use std::process::ExitCode;

use balpan::Stopped;
use balpan::reach::Unfinished;
use balpan_contest::JudgeError;
use balpan_games::placement::NoTable;
use balpan_games::{ChangeError, NoAnswer, TextError};
use miette::{MietteDiagnostic, NamedSource, Report, miette};

use crate::numbers::counted;

/// Why the command ends without an answer.
pub(crate) enum Failure {
    /// Bad input.
    Input(Report),
    /// Ctrl-C, after so many positions.
    Interrupted(u64),
    /// The answer is "no", and was given.
    No,
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
                "allow more with --memory, or take a smaller board; with --symmetry, fewer are counted",
            ),
        }
    }

    /// Why the game of this name has no answer, after so many positions.
    pub(crate) fn no_answer(error: NoAnswer, name: &str, positions: u64) -> Self {
        match error {
            NoAnswer::Stopped(stopped) => Self::stopped(stopped, positions),
            NoAnswer::NoTable(error) => Self::no_table(error, positions),
            NoAnswer::NoSuchTable => {
                let help = "placement games have one, where both players have the same pieces";
                Self::input(format!("{name} has no table of all positions"), help)
            }
            NoAnswer::NoNimber => {
                let help = "impartial games have one: both players have the same moves, and no piece a supply";
                Self::input(format!("{name} has no nimber"), help)
            }
            NoAnswer::TooLong { .. } => {
                let help = "take smaller heaps; or, by the normal convention, ask for the --winner alone, which the \
                            nimber tells";
                Self::input(error.to_string(), help)
            }
        }
    }

    pub(crate) fn no_table(error: NoTable, positions: u64) -> Self {
        match error {
            NoTable::Stopped(stopped) => Self::stopped(stopped, positions),
            NoTable::NotTheBoardAlone => {
                Self::input("this game has more to a position than its filled cells", error.to_string())
            }
            NoTable::TooLarge { .. } | NoTable::NoMemory { .. } => {
                Self::input(error.to_string(), "allow more with --memory, or take a smaller board")
            }
        }
    }

    /// Tells it on standard error; quiet if nobody reads any more.
    pub(crate) fn tell(self) -> ExitCode {
        let (text, code) = match self {
            Self::Output(e) if e.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            Self::No => return ExitCode::from(1),
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
        let (text, span) = excerpt(&error);
        let part = if text.len() < error.text.len() { ", part of it" } else { "" };
        let label = miette::LabeledSpan::new_with_span(Some("here".to_owned()), span);
        let diagnostic = MietteDiagnostic::new(harmless(&format!("{}: {}", error.name, error.message)))
            .with_help(harmless(&error.help))
            .with_label(label);
        Self::Input(Report::new(diagnostic).with_source_code(NamedSource::new(harmless(&error.name) + part, text)))
    }
}

impl From<ChangeError> for Failure {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::Text(error) => error.into(),
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

/// The text that an error is about, and where in it the error is: no more of a long
/// line than a screen shows, and at least a character to stand under.
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
        // Only the line that is wrong, and of that what is near.
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

/// The same text, of the same length in bytes, with nothing in it that would steer
/// a terminal.
pub(crate) fn harmless(text: &str) -> String {
    let harmless = |c: char| match c {
        '\n' | '\t' => c.into(),
        '\r' => " ".to_owned(),
        // Control characters, and those that turn the direction of writing.
        c if c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') => {
            "?".repeat(c.len_utf8())
        }
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
