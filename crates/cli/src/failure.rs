//! Failures: their messages and exit codes.

use std::io::{self, Write};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use balpan::reach::ReachError;
use balpan::{EngineError, Stopped, TableError, TooLong};
use balpan_contest::JudgeError;
use balpan_games::error::RulesError;
use balpan_games::{ChangeError, InputError, NoTextAnswer, TextError, Words};
use miette::{LabeledSpan, MietteDiagnostic, NamedSource, Report};
use serde::Serialize;

use crate::lang::lang;
use crate::numbers::counted;
use crate::progress::{self, StopCause, deadline, elapsed, stop_cause};
use crate::words::count;

/// Why the command ends without an answer.
pub(crate) enum Failure {
    /// Bad input.
    Input(Box<Problem>),
    /// None, but no success either: all is told already, and this is the exit code.
    Told(u8),
    /// The work was stopped after this number of positions, for the [cause](crate::progress::stop_cause) that is noted,
    /// and nothing of the answer is known.
    Stopped(u64),
    /// Standard output.
    Output(io::Error),
}

/// What is wrong with the input. As JSON, the field names are part of the command's contract.
#[derive(Serialize)]
pub(crate) struct Problem {
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
    #[serde(flatten)]
    place: Option<Place>,
}

/// Where in a text it is.
#[derive(Serialize)]
struct Place {
    text: String,
    /// Bytes of the text, from and to.
    span: [usize; 2],
    /// What the text is, and the part of it that people are shown, with the place in that.
    #[serde(skip)]
    shown: (String, String, Range<usize>),
}

impl Problem {
    /// One that is nothing but words.
    pub(crate) fn new(message: impl AsRef<str>, help: impl AsRef<str>) -> Self {
        let help = Some(harmless(help.as_ref())).filter(|help| !help.is_empty());
        Self { message: harmless(message.as_ref()), help, place: None }
    }

    /// Why there is no answer to a question in text about the game of this name.
    pub(crate) fn of_text(error: NoTextAnswer, name: &str) -> Self {
        match Failure::no_text_answer(error, name, 0) {
            Failure::Input(problem) => *problem,
            _ => interrupted(0),
        }
    }

    /// As people read it, with the text drawn if there is one.
    fn page(&self) -> String {
        let mut diagnostic = MietteDiagnostic::new(self.message.clone());
        if let Some(help) = &self.help {
            diagnostic = diagnostic.with_help(help);
        }
        let Some(Place { shown: (name, text, span), .. }) = &self.place else {
            return format!("{:?}", Report::new(diagnostic));
        };
        let label = LabeledSpan::new_with_span(Some(lang().pick("here", "여기").to_owned()), span.clone());
        let report = Report::new(diagnostic.with_label(label));
        format!("{:?}", report.with_source_code(NamedSource::new(name, text.clone())))
    }
}

impl From<TextError> for Problem {
    fn from(error: TextError) -> Self {
        let (text, span) = excerpt(&error);
        let part = if text.len() < error.text.len() { lang().pick(", part of it", "의 일부") } else { "" };
        let shown = (harmless(error.name(lang())) + part, text, span);
        let place = Place { text: harmless(&error.text), span: [error.span.start, error.span.end], shown };
        let Words { message, help } = error.words(lang());
        let problem = Self::new(message, help + remedy(&error.cause));
        Self { place: Some(place), ..problem }
    }
}

/// The one field of what programs read instead of an answer.
#[derive(Serialize)]
struct AsJson<'a> {
    error: &'a Problem,
}

impl Failure {
    /// Bad input that is not text to point into.
    pub(crate) fn input(message: impl AsRef<str>, help: impl AsRef<str>) -> Self {
        Self::Input(Box::new(Problem::new(message, help)))
    }

    /// Words that the command does not understand.
    pub(crate) fn words(error: &clap::Error) -> Self {
        let text = error.to_string();
        let (message, help) = text.split_once("\n\n").unwrap_or((&text, ""));
        let message = message.trim_start_matches("error: ");
        Self::input(message.trim_end(), help.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    pub(crate) fn stopped(stopped: Stopped, positions: u64) -> Self {
        match stopped {
            Stopped::Interrupted => Self::Stopped(positions),
            Stopped::TooLong(error) => Self::too_long(error),
            error => Self::input(error.to_string(), ""),
        }
    }

    pub(crate) fn unfinished(unfinished: ReachError, positions: u64) -> Self {
        match unfinished {
            ReachError::Stopped(stopped) => Self::stopped(stopped, positions),
            ReachError::TooMany(most) => Self::input(
                format!(
                    "more than {} can be reached, more than the memory holds",
                    counted(most as u64, "position", "positions")
                ),
                "allow more with --memory, or take a smaller board; with --symmetry, fewer are counted",
            ),
        }
    }

    /// Why the game of this name has no answer, after `positions` positions.
    pub(crate) fn no_answer(error: EngineError, name: &str, positions: u64) -> Self {
        match error {
            EngineError::Stopped(stopped) => Self::stopped(stopped, positions),
            EngineError::Table(TableError::NotOfThisGame) => {
                let help = "only placement games with the same pieces for both players have one";
                Self::input(format!("{name} has no table of all positions"), help)
            }
            EngineError::Table(error) => Self::no_table(error, positions),
            EngineError::NotImpartial => {
                let help = "only impartial games have one, in which both players have the same moves and no piece has a supply";
                Self::input(format!("{name} has no nimber"), help)
            }
            EngineError::TooLong(error) => Self::too_long(error),
            error => Self::input(error.to_string(), ""),
        }
    }

    pub(crate) fn too_long(error: TooLong) -> Self {
        let help = "take smaller heaps; or, by the normal convention, ask for the --winner alone, which follows from the nimber";
        Self::input(error.to_string(), help)
    }

    /// Why there is no answer to a question in text.
    pub(crate) fn no_text_answer(error: NoTextAnswer, name: &str, positions: u64) -> Self {
        match error {
            NoTextAnswer::Text(error) => error.into(),
            NoTextAnswer::NoAnswer(error) => Self::no_answer(error, name, positions),
        }
    }

    pub(crate) fn no_table(error: TableError, positions: u64) -> Self {
        match error {
            TableError::Stopped(stopped) => Self::stopped(stopped, positions),
            TableError::NotTheBoardAlone => {
                Self::input("this game has more to a position than its filled cells", error.to_string())
            }
            TableError::TooLarge { .. } | TableError::NoMemory { .. } => {
                Self::input(error.to_string(), "allow more with --memory, or take a smaller board")
            }
            error => Self::input(error.to_string(), ""),
        }
    }

    /// Tells it on standard error, as one JSON object to programs; quiet if nobody reads any
    /// more.
    /// Returns the exit code.
    pub(crate) fn tell(self) -> u8 {
        let (problem, code) = match self {
            Self::Output(e) if e.kind() == io::ErrorKind::BrokenPipe => return 0,
            Self::Told(code) => return code,
            Self::Output(e) => (Problem::new(format!("the answer cannot be written: {e}"), ""), 2),
            Self::Stopped(positions) => {
                // Not every verb counts them itself.
                let positions = if positions == 0 { progress::positions() } else { positions };
                match stop_cause() {
                    Some(StopCause::Deadline) => return tell_nothing_known(positions),
                    Some(StopCause::Memory) => (out_of_memory(positions), 2),
                    Some(StopCause::Signal) | None => (interrupted(positions), 130),
                }
            }
            Self::Input(problem) => (*problem, 2),
        };
        tell(&problem, code);
        code
    }
}

/// What programs read of an answer of which nothing is known at the deadline.
#[derive(Serialize)]
struct NothingKnown {
    complete: bool,
    positions_searched: u64,
    seconds: f64,
}

/// Tells that nothing of the answer is known at the deadline. Returns the exit code, which is that of an answer.
fn tell_nothing_known(positions: u64) -> u8 {
    let elapsed = elapsed();
    let printed = if for_programs() {
        let seconds = elapsed.as_secs_f64();
        print_json(&NothingKnown { complete: false, positions_searched: positions, seconds })
    } else {
        let time = count::time(lang(), deadline().unwrap_or(elapsed));
        let told = count::positions(lang(), positions);
        print(&lang().pick(
            format!("After {time}, nothing of the answer is known yet ({told} searched).\n"),
            format!("{time} 동안 아직 알아낸 것이 없습니다(탐색: {told}).\n"),
        ))
    };
    match printed {
        Ok(()) => 0,
        Err(failure) => failure.tell(),
    }
}

/// The message where the memory has ended, after this number of positions.
pub(crate) fn out_of_memory(positions: u64) -> Problem {
    let told = count::positions(lang(), positions);
    Problem::new(
        lang().pick(format!("the memory is used up after {told}"), format!("{told}를 탐색한 뒤 메모리를 다 썼습니다")),
        lang().pick("allow more with --memory, or take a smaller board", "--memory로 더 주거나 더 작은 판을 고르세요"),
    )
}

/// The message after Ctrl-C, after this number of positions.
pub(crate) fn interrupted(positions: u64) -> Problem {
    let told = count::positions(lang(), positions);
    Problem::new(lang().pick(format!("Interrupted after {told}."), format!("{told}를 탐색한 뒤 중단했습니다.")), "")
}

/// Whether programs read what the command prints.
static FOR_PROGRAMS: AtomicBool = AtomicBool::new(false);

pub(crate) fn for_programs() -> bool {
    FOR_PROGRAMS.load(Relaxed)
}

/// Has problems told as JSON from now on.
pub(crate) fn tell_programs() {
    FOR_PROGRAMS.store(true, Relaxed);
}

/// Tells a problem on standard error, where nobody may be left to read it.
pub(crate) fn tell(problem: &Problem, code: u8) {
    let text = match code {
        _ if for_programs() => serde_json::to_string(&AsJson { error: problem }).unwrap_or_default(),
        2 => problem.page(),
        _ => problem.message.clone(),
    };
    let _ = writeln!(anstream::stderr(), "{}", text.trim_end_matches('\n'));
}

/// What stands in the way of no answer, as programs read it.
#[derive(Serialize)]
struct Warning<'a> {
    warning: &'a Problem,
}

/// Tells on standard error what people should know of, while the work goes on.
pub(crate) fn warn(problem: &Problem) {
    let text = if for_programs() {
        serde_json::to_string(&Warning { warning: problem }).unwrap_or_default()
    } else {
        format!("Warning: {}", problem.message)
    };
    let _ = writeln!(anstream::stderr(), "{text}");
}

impl From<TextError> for Failure {
    fn from(error: TextError) -> Self {
        Self::Input(Box::new(error.into()))
    }
}

/// What the command can do about a mistake, said after what helps anybody.
fn remedy(mistake: &InputError) -> &'static str {
    match mistake {
        InputError::Rules(RulesError::Toml { .. } | RulesError::OtherKey { .. } | RulesError::MissingKey { .. }) => {
            lang().pick(
                "; `balpan games NAME` prints a file to start from",
                " `balpan games 이름`을 실행하면 바탕으로 삼을 파일을 보여 줍니다",
            )
        }
        _ => "",
    }
}

impl From<ChangeError> for Failure {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::Text(error) => error.into(),
            other => Self::input(
                other.message(lang()),
                lang().pick(
                    "`balpan games NAME` prints a game's rules, which --board and --set change",
                    "`balpan games 이름`을 실행하면 --board와 --set으로 바꿀 수 있는 규칙을 보여 줍니다",
                ),
            ),
        }
    }
}

impl Failure {
    /// What is wrong with a contest's input, after this number of positions.
    pub(crate) fn judge(error: JudgeError, positions: u64) -> Self {
        match error {
            JudgeError::Input { line, column, found, expected } => {
                Self::input(format!("input, line {line}, column {column}: {found}"), format!("expected {expected}"))
            }
            JudgeError::Write(e) => Self::Output(e),
            JudgeError::Read(e) => Self::input(format!("the input cannot be read: {e}"), ""),
            JudgeError::Stopped(stopped) => Self::stopped(stopped, positions),
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
pub(crate) fn print_json(object: &impl Serialize) -> Result<(), Failure> {
    print_bytes(json_line(object)?.as_bytes())
}

/// A line with one JSON object.
pub(crate) fn json_line(object: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string(object).map_err(|e| Failure::Output(e.into()))?;
    Ok(text + "\n")
}
