//! Contest problems as files: the layout of the input, the game that it states, and the words of the answer. A file is all
//! that a new problem needs; `docs/problems.md` describes it.

mod conditions;
mod judge;
mod package;
mod values;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use balpan::{Goal, Watch};
use balpan_games::presets::preset;
use balpan_games::{AnyGame, Lang, Query, RulesFile, nearest};
use serde::Deserialize;

use crate::judge::JudgeInfo;
use conditions::Condition;
use values::{Description, Kind, Shape, Value};

pub use judge::{ProblemAnswer, ProblemCase, ShownBy, ShownMistake};

/// A contest problem, read from a file. It is a [`Judge`](crate::Judge).
pub struct Problem {
    definition: Arc<Definition>,
    space: judge::CaseSpace,
    info: JudgeInfo,
}

/// The contents of a problem file.
struct Definition {
    name: String,
    text: String,
    file: File,
    rules: Rules,
    layout: Layout,
    kinds: Vec<Kind>,
    conditions: Vec<Condition>,
    /// Games by the text of their rules, the last used first.
    games: Mutex<Vec<(String, RulesFile)>>,
}

/// Why a text is no problem file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct ProblemError {
    /// The key, or the line and the column.
    pub place: String,
    /// The mistake.
    pub message: String,
    /// The form that is expected.
    pub help: String,
}

impl ProblemError {
    fn new(place: impl Into<String>, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { place: place.into(), message: message.into(), help: help.into() }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    about: String,
    about_ko: Option<String>,
    source: String,
    url: Option<String>,
    input: String,
    #[serde(default)]
    values: BTreeMap<String, Description>,
    /// Conditions between the values of each case.
    #[serde(default)]
    conditions: Vec<String>,
    game: String,
    position: Option<String>,
    output: Output,
    /// Whether play may be over in a case.
    #[serde(default = "yes")]
    over: bool,
    /// The seconds of one case.
    #[serde(default = "default_time")]
    time: f64,
    /// The most cases of one input.
    cases: Option<usize>,
    /// The size up to which cases are tried.
    largest: Option<usize>,
    #[serde(default, rename = "mistake")]
    mistakes: Vec<WrongRules>,
    #[serde(default, rename = "sample")]
    samples: Vec<Sample>,
}

const fn yes() -> bool {
    true
}

const fn default_time() -> f64 {
    2.0
}

/// The game and position that the values of an input state.
enum Stated {
    /// A game from its start, and the text of its rules.
    Game { rules: String, game: AnyGame },
    /// No position of the game, where that is an answer.
    NoPosition,
    /// A position too large for a search, which a theory answers.
    Answered(Box<balpan_games::Answer>),
}

/// The game, the position and the answer of a case.
#[derive(Clone, Debug)]
struct Rules {
    /// A preset with changes, or the text of a rules file.
    game: String,
    position: Option<String>,
    output: Output,
}

/// The words that are printed.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Output {
    #[serde(default)]
    answer: Question,
    win: Option<String>,
    loss: Option<String>,
    draw: Option<String>,
    /// The word for each winner, by the name that the game has for the player.
    winner: Option<BTreeMap<String, String>>,
    /// The list of numbers whose sum both players share.
    total: Option<String>,
}

/// The question about a case.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum Question {
    /// Whether the player to move wins, or who does.
    #[default]
    Outcome,
    /// The outcome, and the numbers of the cells to which winning moves go, from 1.
    WinningMoves,
    /// The plies to the end.
    Plies,
    /// The score of the player to move.
    Score,
    /// The part that the player to move gets of a total that both share.
    Share,
    /// The nimber.
    Nimber,
    /// Whether play from the game's start can end in the position.
    End,
}

/// A known mistake: the same input with another game or answer.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrongRules {
    name: String,
    name_ko: Option<String>,
    remedy: String,
    remedy_ko: Option<String>,
    game: Option<String>,
    position: Option<String>,
    output: Option<Output>,
}

/// An input with its output.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sample {
    input: String,
    output: String,
}

/// The order of the values in the input.
#[derive(Debug)]
enum Layout {
    /// Words, wherever the lines break, of the values of these names on each line.
    Words { lines: Vec<Vec<usize>>, cases: Cases },
    /// Calls of a function, a line each, as an object of JSON with these arguments.
    Calls { function: String, arguments: Vec<usize> },
}

/// Which cases an input has.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Cases {
    One,
    /// As many as a number before them says.
    Counted,
    /// All before this word.
    Until(String),
}

macro_rules! library {
    ($($name:literal)*) => {
        /// The name and the text of each problem of the library.
        pub const PROBLEMS: &[(&str, &str)] = &[$(($name, include_str!(concat!("../problems/", $name, ".toml")))),*];
    };
}

library! {
    "platforms"
    "blockgame"
    "tictactoe"
    "algospot-numbergame"
    "boj7682"
    "boj9655"
    "boj9656"
    "boj9657"
    "boj9658"
    "boj9659"
    "boj9660"
    "boj9661"
    "boj11868"
    "boj11869"
    "boj11871"
    "boj11872"
    "boj13034"
    "boj16571"
    "leetcode292"
    "leetcode294"
    "leetcode464"
    "leetcode486"
    "leetcode877"
    "leetcode913"
    "leetcode1025"
    "leetcode1140"
    "leetcode1406"
    "leetcode1510"
    "leetcode1728"
    "atcoder-dp-k"
    "atcoder-dp-l"
    "hackerrank-bowling-pins"
    "hackerrank-misere-nim"
    "hackerrank-nim"
    "uva10561"
}

/// Returns the name of the problem of the library that `text` means: its name, its source such as `BOJ 9655` or
/// `leetcode-292`, or a number that only one source has.
#[must_use]
pub fn find_problem(text: &str) -> Option<&'static str> {
    let plain = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    let meant = plain(text);
    if let Some((name, _)) = PROBLEMS.iter().find(|(name, _)| plain(name) == meant) {
        return Some(name);
    }
    let sources = PROBLEMS.iter().map(|(name, text)| (*name, plain(&describe(text, Lang::En)[1])));
    let sources: Vec<_> = sources.filter(|_| !meant.is_empty()).collect();
    if let Some((name, _)) = sources.iter().find(|(_, source)| *source == meant) {
        return Some(name);
    }
    let number = |source: &str| source.trim_start_matches(|c: char| !c.is_ascii_digit()).to_owned();
    let mut found = sources.iter().filter(|(_, source)| number(source) == meant);
    found.next().map(|(name, _)| *name).filter(|_| found.next().is_none())
}

/// Returns what the text of a problem of the library says of it: the line about it, and its source.
#[must_use]
pub fn describe(text: &str, lang: Lang) -> [String; 2] {
    let table: toml::Table = text.parse().unwrap_or_default();
    let value = |key: &str| table.get(key).and_then(toml::Value::as_str).unwrap_or_default().to_owned();
    let korean = Some(value("about_ko")).filter(|about| lang == Lang::Ko && !about.is_empty());
    [korean.unwrap_or_else(|| value("about")), value("source")]
}

impl fmt::Debug for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Problem").field("name", &self.definition.name).finish_non_exhaustive()
    }
}

impl Problem {
    /// Returns the problem of the library with this name, which [`find_problem`] returns. It answers cases; see
    /// [`with_cases`](Self::with_cases).
    ///
    /// # Errors
    /// If `watch` stops the answers to the samples.
    ///
    /// # Panics
    /// If there is no such problem.
    pub fn from_library(name: &str, watch: &Watch) -> Result<Self, ProblemError> {
        let (name, text) =
            PROBLEMS.iter().find(|(problem, _)| *problem == name).expect("a name that `find_problem` returned");
        Self::parse(name, text, watch)
    }

    /// Reads a problem file. It answers cases; see [`with_cases`](Self::with_cases).
    ///
    /// # Errors
    /// If the file is wrong, an answer differs from that of a sample, or `watch` stops the search.
    pub fn parse(name: &str, text: &str, watch: &Watch) -> Result<Self, ProblemError> {
        let file: File = toml::from_str(text).map_err(|e| {
            let before = &text[..e.span().map_or(0, |span| span.start)];
            let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
            let place = format!("line {}, column {column}", before.matches('\n').count() + 1);
            let help = match e.message() {
                message if message.contains("expected a string") => {
                    "words are in quotes, \"true\" and \"false\" as well"
                }
                message if message.contains("expected i64") => "a whole number, such as 1_000_000",
                _ if RulesFile::parse(name, text).is_ok() => {
                    "it is a rules file: with `game:` before its path it has a judge"
                }
                _ => "docs/problems.md lists the keys of a problem file",
            };
            ProblemError::new(place, e.message(), help)
        })?;
        if !(0.001..=3600.0).contains(&file.time) {
            return Err(ProblemError::new("time", format!("{} seconds", file.time), "from 0.001 to 3600 seconds"));
        }
        let number = |name: &str| match file.values.get(name).map(|value| Kind::new(name, value, |_| None)) {
            Some(Ok(Kind { shape: Shape::Number(range), .. })) => Some(range),
            _ => None,
        };
        let mut kinds = Vec::new();
        for (name, description) in &file.values {
            let kind = Kind::new(name, description, number);
            kinds.push(kind.map_err(|message| {
                ProblemError::new(format!("values.{name}"), message, "a value such as `n = { from = 1, to = 1000 }`")
            })?);
        }
        let conditions = file.conditions.iter().enumerate().map(|(n, condition)| {
            Condition::parse(condition, &kinds).map_err(|message| {
                let help = "a condition such as `max(a) <= k` or `sum(a) is odd`: numbers, names of numbers, and `count`, `sum`, \
                            `min` and `max` of lists";
                ProblemError::new(format!("conditions[{n}]"), message, help)
            })
        });
        let conditions = conditions.collect::<Result<_, _>>()?;
        let layout = Layout::parse(&file.input, &kinds)?;
        let rules = Rules { game: file.game.clone(), position: file.position.clone(), output: file.output.clone() };
        rules.check("", &kinds)?;
        for (n, mistake) in file.mistakes.iter().enumerate() {
            rules.changed(mistake).check(&format!("mistake[{n}]."), &kinds)?;
        }
        let info = judge::blank_info(name, &file, &layout);
        let definition = Definition {
            name: name.to_owned(),
            text: text.to_owned(),
            file,
            rules,
            layout,
            kinds,
            conditions,
            games: Mutex::default(),
        };
        let problem = Self { definition: Arc::new(definition), space: judge::CaseSpace::default(), info };
        problem.check_rules()?;
        problem.check_samples(watch)?;
        Ok(problem)
    }

    /// Lists the smallest cases, and solves some larger ones to find how large they may be for exact answers. A problem
    /// without them answers cases and cannot draw any. No clock is read, so the result is the same on every machine.
    ///
    /// # Errors
    /// If `watch` stops the search.
    pub fn with_cases(mut self, watch: &Watch) -> Result<Self, ProblemError> {
        self.explore(watch)?;
        Ok(self)
    }

    /// Returns the line about the problem.
    #[must_use]
    pub fn about(&self, lang: Lang) -> &str {
        let korean = self.definition.file.about_ko.as_deref().filter(|_| lang == Lang::Ko);
        korean.unwrap_or(&self.definition.file.about)
    }

    /// Returns the address of the statement.
    #[must_use]
    pub fn url(&self) -> Option<&str> {
        self.definition.file.url.as_deref()
    }

    /// Returns the number of mistakes that the file names, which come first among all.
    #[must_use]
    pub fn file_mistakes(&self) -> usize {
        self.definition.file.mistakes.len()
    }

    /// Returns the text of the file.
    #[must_use]
    pub fn source_text(&self) -> &str {
        &self.definition.text
    }

    /// Describes the input, a line each.
    #[must_use]
    pub fn describe_input(&self, lang: Lang) -> Vec<String> {
        let order: Vec<usize> = match &self.definition.layout {
            Layout::Words { lines, .. } => lines.iter().flatten().copied().collect(),
            Layout::Calls { arguments, .. } => arguments.clone(),
        };
        let first = match (&self.definition.layout, lang) {
            (Layout::Words { cases, .. }, lang) => match (cases, lang) {
                (Cases::One, _) => None,
                (Cases::Counted, Lang::En) => Some("the number of cases, and for each case:".to_owned()),
                (Cases::Counted, Lang::Ko) => Some("테스트 케이스의 수, 이어서 케이스마다:".to_owned()),
                (Cases::Until(word), Lang::En) => Some(format!("`{word}` after the last case; for each case:")),
                (Cases::Until(word), Lang::Ko) => Some(format!("케이스마다(마지막 케이스 뒤에는 `{word}`):")),
            },
            (Layout::Calls { function, .. }, Lang::En) => {
                Some(format!("calls of `{function}`, a line each, as JSON with"))
            }
            (Layout::Calls { function, .. }, Lang::Ko) => {
                Some(format!("`{function}` 함수의 인자, 한 줄에 케이스 하나, JSON으로:"))
            }
        };
        let values = order.into_iter().map(|n| self.definition.kinds[n].describe(lang));
        let conditions = self.describe_conditions();
        let conditions = conditions.map(|conditions| format!("{} {conditions}", lang.pick("where", "조건:")));
        first.into_iter().chain(values).chain(conditions).collect()
    }

    /// Returns the list of the conditions, if there are any.
    fn describe_conditions(&self) -> Option<String> {
        let conditions: Vec<_> = self.definition.conditions.iter().map(|condition| format!("`{condition}`")).collect();
        (!conditions.is_empty()).then(|| conditions.join(", "))
    }

    /// Returns the input and the output of each sample.
    pub fn sample_texts(&self) -> impl Iterator<Item = [&str; 2]> {
        self.definition.file.samples.iter().map(|sample| [sample.input.trim(), sample.output.trim()])
    }

    fn check_samples(&self, watch: &Watch) -> Result<(), ProblemError> {
        for (n, sample) in self.definition.file.samples.iter().enumerate() {
            let place = format!("sample[{n}]");
            let mut output = Vec::new();
            crate::answer_all(self, sample.input.as_bytes(), &mut output, watch).map_err(|e| match e {
                crate::JudgeError::Input { line, column, found, expected } => ProblemError::new(
                    format!("{place}.input, line {line}, column {column}"),
                    found,
                    format!("expected: {expected}"),
                ),
                e => ProblemError::new(&place, e.to_string(), "samples are answered when the file is read"),
            })?;
            let answers = String::from_utf8_lossy(&output);
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            if words(&answers) != words(&sample.output) {
                let found = format!("the game's answer to this sample is `{}`", answers.trim().escape_debug());
                return Err(ProblemError::new(
                    place,
                    found,
                    "the game, the answer or the sample is not as the statement has it",
                ));
            }
        }
        Ok(())
    }
}

impl Definition {
    /// Returns the rules of a text in which values stand, from the cache if they were used lately.
    fn rules(&self, text: &str) -> Result<RulesFile, ProblemError> {
        const MAX_GAMES: usize = 16;
        let mut games = self.games.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(n) = games.iter().position(|(known, _)| known == text) {
            games[..=n].rotate_right(1);
            return Ok(games[0].1.clone());
        }
        let rules = read_rules(&self.name, text)?;
        games.truncate(MAX_GAMES - 1);
        games.insert(0, (text.to_owned(), rules.clone()));
        Ok(rules)
    }

    /// Returns what some values state by some rules.
    fn state(&self, rules: &Rules, values: &[Value]) -> Result<Stated, ProblemError> {
        let text = self.render(&rules.game, values);
        let file = self.rules(&text)?;
        let position = rules.position.as_ref().map(|position| self.render(position, values));
        let winner = Query { goal: Some(Goal::Winner), nim_value: false };
        let game = match &position {
            Some(position) => match file.large_answer(position, winner) {
                Some(answer) => answer.map(|answer| Stated::Answered(Box::new(answer))),
                None => file.game_at(position).map(|game| Stated::Game { rules: text, game }),
            },
            None => file.game().map(|game| Stated::Game { rules: text, game }),
        };
        let stated = match game {
            Err(_) if rules.output.answer == Question::End => Stated::NoPosition,
            game => game.map_err(|e| {
                let words = e.explain(Lang::En);
                ProblemError::new("position", words.message, words.help)
            })?,
        };
        match &stated {
            Stated::Game { game, .. } if !self.file.over && game.moves().is_empty() => {
                Err(ProblemError::new("position", "play is over here", "a position with a move, as the file says"))
            }
            _ => Ok(stated),
        }
    }

    /// Puts the values into a text, at the names in braces.
    fn render(&self, text: &str, values: &[Value]) -> String {
        let mut rendered = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            rendered.push_str(before);
            match hole(after, &self.kinds) {
                Some((n, form, end)) => {
                    rendered.push_str(&self.kinds[n].render(&values[n], form));
                    rest = &after[end..];
                }
                None => {
                    rendered.push('{');
                    rest = after;
                }
            }
        }
        rendered + rest
    }
}

/// Finds the end of a hole whose name stands before `}`: the value, what follows its name, and where the text goes on.
fn hole<'t>(after: &'t str, kinds: &[Kind]) -> Option<(usize, &'t str, usize)> {
    let end = after.find('}')?;
    let name_end = after[..end].find([',', ':']).unwrap_or(end);
    let n = kinds.iter().position(|kind| kind.name == after[..name_end])?;
    Some((n, &after[name_end..end], end + 1))
}

/// Reads rules: the text of a file, or a preset's name with changes.
fn read_rules(name: &str, text: &str) -> Result<RulesFile, ProblemError> {
    if text.contains('\n') {
        return RulesFile::parse(name, text).map_err(|e| {
            let line = e.text[..e.span.start.min(e.text.len())].matches('\n').count();
            let words = e.explain(Lang::En);
            let line = e.text.lines().nth(line).unwrap_or_default().trim().to_owned();
            ProblemError::new("game", format!("{}, at `{line}`", words.message), words.help)
        });
    }
    let mut words = text.split_whitespace();
    let game = words.next().unwrap_or_default();
    let changes: Vec<_> = words.map(str::to_owned).collect();
    let Some(Ok(rules)) = preset(game) else {
        let names: Vec<_> = balpan_games::presets::all().iter().map(|(name, _)| *name).collect();
        let meant = nearest(game, names).map_or_else(String::new, |name| format!("did you mean `{name}`? "));
        return Err(ProblemError::new(
            "game",
            format!("there is no game called `{game}`"),
            format!("{meant}a preset, or the text of a rules file between three quotes"),
        ));
    };
    rules
        .with_changes(&changes)
        .map_err(|e| ProblemError::new("game", e.message(Lang::En), "changes such as `misere=true`"))
}

impl Rules {
    /// Returns the rules of a mistake.
    fn changed(&self, mistake: &WrongRules) -> Self {
        Self {
            game: mistake.game.clone().unwrap_or_else(|| self.game.clone()),
            position: mistake.position.clone().or_else(|| self.position.clone()),
            output: mistake.output.clone().unwrap_or_else(|| self.output.clone()),
        }
    }

    /// Checks that the position speaks of values that there are, and that the output has the words and the values that its answer
    /// needs.
    fn check(&self, place: &str, kinds: &[Kind]) -> Result<(), ProblemError> {
        // In JSON, braces are before quotes.
        let is_named = |after: &&str| !after.trim_start().starts_with('"');
        let holes = self.position.iter().flat_map(|position| position.split('{').skip(1)).filter(is_named);
        if let Some(after) = holes.into_iter().find(|after| hole(after, kinds).is_none()) {
            let name = after.split('}').next().unwrap_or(after);
            let names = kinds.iter().map(|kind| format!("`{{{}}}`", kind.name)).collect::<Vec<_>>().join(", ");
            let message = format!("there is no value `{name}`");
            return Err(ProblemError::new(format!("{place}position"), message, format!("the values are {names}")));
        }
        for (key, text) in [("game", Some(&self.game)), ("position", self.position.as_ref())] {
            let holes =
                text.into_iter().flat_map(|text| text.split('{').skip(1)).filter_map(|after| hole(after, kinds));
            if let Some((n, form, _)) = holes.into_iter().find(|(n, form, _)| !kinds[*n].has_form(form)) {
                let message = format!("`{{{}{form}}}` is no way to write a value", kinds[n].name);
                let help = "`{a}`, `{a:json}`, `{a,}` of a list, `{row:I}` of rows with any letter, `{graph:edges}`";
                return Err(ProblemError::new(format!("{place}{key}"), message, help));
            }
        }
        let error = |message: &str, help: &str| Err(ProblemError::new(format!("{place}output"), message, help));
        let Output { answer, win, loss, winner, total, .. } = &self.output;
        let has_words = winner.is_some() || (win.is_some() && loss.is_some());
        if *answer == Question::End && self.position.is_none() {
            let help = "`position` is the board of which the input asks whether play can end there";
            return Err(ProblemError::new(format!("{place}position"), "left out", help));
        }
        if *answer == Question::End && (win.is_none() || loss.is_none()) {
            return error(
                "no words for the answers",
                "`win` says what is printed if play can end in the position, and `loss` if not",
            );
        }
        if matches!(answer, Question::Outcome | Question::WinningMoves) && !has_words {
            return error(
                "no words for the outcomes",
                "`win` and `loss` say what is printed if the player to move wins or loses, or `winner` names the players: `winner = { X = \"x\", O = \"o\" }`",
            );
        }
        let is_list =
            |name: &String| kinds.iter().any(|kind| kind.name == *name && matches!(kind.shape, Shape::Numbers { .. }));
        if *answer == Question::Share && !total.as_ref().is_some_and(is_list) {
            return error("no list of numbers as `total`", "`total` names the list whose sum the players share");
        }
        Ok(())
    }

    const fn query(&self) -> Query {
        let goal = match self.output.answer {
            Question::Outcome | Question::End => Goal::Winner,
            Question::WinningMoves => Goal::MoveOutcomes,
            Question::Plies | Question::Score | Question::Share | Question::Nimber => Goal::Value,
        };
        Query { goal: Some(goal), nim_value: matches!(self.output.answer, Question::Nimber) }
    }
}

impl Output {
    /// Checks that a game tells what is asked.
    fn check_game(&self, game: &AnyGame) -> Result<(), ProblemError> {
        let has_score = game.max_score() > 0;
        let missing = match self.answer {
            Question::Score | Question::Share if !has_score => "a score",
            Question::Plies if has_score => "a number of plies: it ends by a score",
            Question::Nimber if !game.is_impartial() && !game.is_impartial_misere() => {
                "a nimber: the players' moves or ends differ"
            }
            _ => return Ok(()),
        };
        let help = "`outcome`, `winning-moves`, `plies`, or `score` of a game that ends by one, or `nimber` of one in which both have the \
                    same moves and whoever cannot move loses";
        Err(ProblemError::new("output.answer", format!("the game has not {missing}"), help))
    }
}

impl Layout {
    fn parse(text: &str, kinds: &[Kind]) -> Result<Self, ProblemError> {
        let help = "the names of the values in the order of the input, line by line, with `cases` first if the input begins with \
                    their number, or `until end` if it ends with the word `end`; or a call such as `solution(board, n)`";
        let index = |name: &str| {
            let found = kinds.iter().position(|kind| kind.name == name);
            found.ok_or_else(|| ProblemError::new("input", format!("`{name}` is not among the values"), help))
        };
        let layout = match text.trim().split_once('(') {
            Some((function, arguments)) => {
                let arguments = arguments.trim_end_matches(')').split(',').map(|name| index(name.trim()));
                Self::Calls { function: function.trim().to_owned(), arguments: arguments.collect::<Result<_, _>>()? }
            }
            None => {
                let lines = text
                    .lines()
                    .map(|line| line.split_whitespace().collect::<Vec<_>>())
                    .filter(|line| !line.is_empty());
                let mut lines: Vec<_> = lines.collect();
                let cases = match lines.first().map(|line| &line[..]) {
                    Some(["cases"]) => Cases::Counted,
                    Some(["until", word]) => Cases::Until((*word).to_owned()),
                    _ => Cases::One,
                };
                lines.drain(..usize::from(cases != Cases::One));
                let lines =
                    lines.into_iter().map(|line| line.into_iter().map(index).collect()).collect::<Result<_, _>>()?;
                Self::Words { lines, cases }
            }
        };
        let order: Vec<usize> = match &layout {
            Self::Words { lines, .. } => lines.iter().flatten().copied().collect(),
            Self::Calls { arguments, .. } => arguments.clone(),
        };
        if let Self::Words { cases: Cases::Until(word), .. } = &layout {
            // Each case has to take a word, and none may begin with the last one.
            let first = order.first().map(|n| &kinds[*n]);
            let may_be_empty = first.is_none_or(|kind| kind.may_be_empty());
            if may_be_empty || first.is_some_and(|kind| kind.may_begin_with(word)) {
                return Err(ProblemError::new(
                    "input",
                    format!("`until {word}` before values that may be empty or begin with `{word}`"),
                    "a word that no case begins with, and a first value that takes at least one word",
                ));
            }
        }
        for (n, kind) in kinds.iter().enumerate() {
            let is_call = matches!(layout, Self::Calls { .. });
            let error = |message: String| Err(ProblemError::new("input", message, help));
            let Some(at) = order.iter().position(|other| *other == n) else {
                return error(format!("`{}` is not read", kind.name));
            };
            if order[at + 1..].contains(&n) {
                return error(format!("`{}` is read twice", kind.name));
            }
            let is_before = |name: &&String| !order[..at].iter().any(|other| kinds[*other].name == **name);
            if let Some(late) = kind.counted_by.iter().flatten().find(is_before) {
                return error(format!("`{}` is read before `{late}`, which counts it", kind.name));
            }
            if is_call && kind.joined {
                return error(format!("`{}` is `joined`, and a function gets its rows as a list", kind.name));
            }
            if !is_call && matches!(kind.shape, Shape::Graph { .. }) {
                return error(format!("`{}` is a graph, which only a function gets: `solution({0})`", kind.name));
            }
            let range: Option<&RangeInclusive<usize>> = match &kind.shape {
                Shape::Numbers { count, .. } => Some(count),
                Shape::Grid { rows, .. } => Some(rows),
                _ => None,
            };
            if !is_call && kind.counted_by[0].is_none() && range.is_some_and(|range| range.start() != range.end()) {
                return error(format!(
                    "`{}` has a range of lengths: nothing in the input says where it ends",
                    kind.name
                ));
            }
        }
        Ok(layout)
    }
}

impl File {
    const fn time_limit(&self) -> Duration {
        Duration::from_millis((self.time * 1000.0) as u64)
    }
}
