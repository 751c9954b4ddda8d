//! The judge of a problem file: cases by size, and exact answers.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::io::BufRead;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use balpan::{Budget, EngineError, Outcome, SplitMix, Stopped, Watch};
use balpan_games::{AnyGame, Board, EngineOptions, Lang, NimValue, QueryError, TextEngine};

use super::values::{MAX_VALUES, Shape, Value};
use super::{Cases, Definition, File, Layout, Problem, ProblemError, Question, Rules, Stated};
use crate::judge::custom::boards::boards;
use crate::judge::input::{Lines, Words, until_error};
use crate::judge::{
    CaseIter, Judge, JudgeError, JudgeInfo, Mistake, OptimalPlay, Phrase, PlainValue, Reference, Size, Survey, common,
};

/// A case: the values of the input, and the game that they state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProblemCase {
    pub(super) values: Vec<Value>,
    cells: usize,
}

/// An answer as it is printed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProblemAnswer(pub(super) Arc<str>);

impl fmt::Display for ProblemAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A mistake of a problem file, and whether a case shows it.
#[derive(Debug)]
pub struct ShownMistake {
    /// The mistake.
    pub mistake: Mistake<Problem>,
    /// The first case that shows it; `None` if none does among those tried.
    pub shown_by: Option<ShownBy>,
    /// The number of cases that the mistake answered, up to the one that shows it.
    pub answered: usize,
}

/// A case that a mistake answers wrongly.
#[derive(Clone, Debug)]
pub struct ShownBy {
    /// The case.
    pub case: ProblemCase,
    /// The right answer.
    pub right: ProblemAnswer,
    /// That of the mistake.
    pub wrong: ProblemAnswer,
}

/// The cases that are tried in order.
#[derive(Default)]
pub(super) struct CaseSpace {
    /// All cases of the smallest sizes.
    listed: BTreeMap<usize, Vec<ProblemCase>>,
    /// Some of the largest cases.
    largest: Vec<ProblemCase>,
}

/// The most cases that are listed in all.
const MAX_LISTED_CASES: usize = 4_000;

/// The same where each case has an input of its own.
const MAX_LISTED_INPUTS: usize = 200;

/// Sizes without a case after which no more are tried.
const MAX_EMPTY_SIZES: usize = 1_000;

/// Values that are tried for one case.
const REFUSED_PER_CASE: usize = 8;

/// The most positions that may be searched for one answer.
const MAX_SEARCHED: u64 = 1 << 17;

/// Cases that are tried of each size, to find how large they may be.
const CASES_PER_SIZE: usize = 2;

/// The number of largest cases that are drawn.
const LARGEST_CASES: usize = 8;

/// Sizes up to the largest at which a program is measured.
const RUNGS: usize = 16;

/// Draws of a case, which the game may refuse.
const MAX_DRAWS: usize = 300;

/// The most cases at two steps from one that are tried to make it smaller.
const MAX_SECOND_STEPS: usize = 10_000;

/// The most positions that a program with a mistake of the file's searches for one answer.
const MAX_MISTAKEN: u64 = 100_000;

static UNINTERRUPTED: LazyLock<Watch> = LazyLock::new(Watch::default);

/// The number of cases that test data with full coverage is chosen from, of problems whose answers may take long.
const CANDIDATES: usize = 200;

/// Memory for an engine's table.
const TABLE_BYTES: usize = 16 << 20;

/// The most engines at the same time.
const MAX_ENGINES: usize = 8;

pub(super) fn blank_info(name: &str, file: &File, layout: &Layout) -> JudgeInfo {
    JudgeInfo {
        name: Cow::Owned(name.to_owned()),
        game: Cow::Owned(name.to_owned()),
        source: Cow::Owned(file.source.clone()),
        max_cases: match layout {
            Layout::Words { cases: Cases::One, .. } => Some(1),
            _ => file.cases,
        },
        time_limit: file.time_limit(),
        answers_are_lines: false,
        cell_noun: Phrase::new("in size", "크기"),
        max_cells: 0,
        is_complete: false,
        exhaustive_cells: 0,
        disguises: None,
        features: &[],
    }
}

impl Problem {
    /// Returns the case of these values, if they belong together and the game has such a position.
    fn case(&self, values: Vec<Value>) -> Option<ProblemCase> {
        let values = self.with_counts(values)?;
        let is_case = self.holds(&values) && self.definition.state(&self.definition.rules, &values).is_ok();
        is_case.then(|| ProblemCase { cells: self.size_of(&values), values })
    }

    /// Whether all conditions hold.
    fn holds(&self, values: &[Value]) -> bool {
        self.definition.conditions.iter().all(|condition| condition.holds(values))
    }

    /// Sets the values that count the elements of others; `None` if a value is not of its kind.
    fn with_counts(&self, mut values: Vec<Value>) -> Option<Vec<Value>> {
        for n in 0..self.definition.kinds.len() {
            let counts = self.definition.kinds[n].counts(&values[n]);
            for (name, count) in self.definition.kinds[n].counted_by.iter().zip(counts) {
                if let Some(at) =
                    name.as_ref().and_then(|name| self.definition.kinds.iter().position(|kind| kind.name == *name))
                {
                    values[at] = Value::Number(i64::try_from(count).ok()?);
                }
            }
        }
        let allowed = self.definition.kinds.iter().zip(&values).all(|(kind, value)| kind.allows(value));
        allowed.then_some(values)
    }

    /// Whether the value only counts the elements of another.
    fn is_count(&self, n: usize) -> bool {
        let name = &self.definition.kinds[n].name;
        self.definition.kinds.iter().flat_map(|kind| kind.counted_by.iter().flatten()).any(|counted| counted == name)
    }

    fn size_of(&self, values: &[Value]) -> usize {
        let sizes = self.definition.kinds.iter().zip(values).enumerate().filter(|(n, _)| !self.is_count(*n));
        sizes.fold(0, |size, (_, (kind, value))| size.saturating_add(kind.size(value)))
    }

    /// Returns the cases of this size, if there are at most `max`.
    fn cases_of(&self, size: usize, max: usize) -> Option<Vec<ProblemCase>> {
        let mut combined = vec![(Vec::new(), size)];
        for (n, kind) in self.definition.kinds.iter().enumerate() {
            let mut longer = Vec::new();
            for (values, left) in combined {
                // Counts follow from the values that they count.
                let sizes = if self.is_count(n) { 0..=0 } else { 0..=left };
                for part in sizes {
                    let found = kind.of_size(part)?;
                    if longer.len() > MAX_VALUES {
                        return None;
                    }
                    let value = |value| ([&values[..], &[value]].concat(), left - part);
                    longer.extend(if self.is_count(n) {
                        vec![value(Value::Number(0))]
                    } else {
                        found.into_iter().map(value).collect()
                    });
                }
            }
            combined = longer;
        }
        combined.retain(|(_, left)| *left == 0);
        // Of boards the game may refuse most, as they cannot occur.
        if combined.len() > REFUSED_PER_CASE * max {
            return None;
        }
        let cases: Vec<_> = combined.into_iter().filter_map(|(values, _)| self.case(values)).collect();
        (cases.len() <= max).then_some(cases)
    }

    fn draw(&self, size: usize, random: &mut SplitMix) -> Option<ProblemCase> {
        self.draw_by(size, random, false)
    }

    /// Draws a case. With `is_extreme` numbers are as far from the smallest as the size allows, the first ones before the others.
    fn draw_by(&self, size: usize, random: &mut SplitMix, is_extreme: bool) -> Option<ProblemCase> {
        (0..MAX_DRAWS).find_map(|_| {
            let mut left = size;
            let mut values = Vec::new();
            for (n, kind) in self.definition.kinds.iter().enumerate() {
                let is_last = is_extreme || (n + 1..self.definition.kinds.len()).all(|n| self.is_count(n));
                let room = if is_last { left } else { random.below(left.saturating_add(1)) };
                let farthest = if is_extreme { kind.farthest(room) } else { None };
                let value = farthest.unwrap_or_else(|| kind.draw(room, random));
                if !self.is_count(n) {
                    left = left.saturating_sub(kind.size(&value));
                }
                values.push(value);
            }
            self.case(values).filter(|case| case.cells <= size)
        })
    }

    fn stopped(&self) -> ProblemError {
        ProblemError { place: self.definition.name.clone(), message: "stopped".to_owned(), help: String::new() }
    }

    /// Lists the smallest cases, and finds how large cases may be for exact answers.
    pub(super) fn explore(&mut self, watch: &Watch) -> Result<(), ProblemError> {
        let all = self.definition.kinds.iter().enumerate().filter(|(n, _)| !self.is_count(*n));
        let all = all.fold(0_usize, |size, (_, kind)| size.saturating_add(kind.max_size()));
        let max = self.definition.file.largest.unwrap_or(usize::MAX).min(all);
        let max_listed = if self.info.max_cases == Some(1) { MAX_LISTED_INPUTS } else { MAX_LISTED_CASES };
        let (mut listed, mut exhausted, mut without) = (0, None, 0);
        for size in 0..=max {
            let Some(cases) = self.cases_of(size, max_listed - listed) else { break };
            let before = listed;
            listed += cases.len();
            if !cases.is_empty() {
                exhausted = Some(size);
                self.space.listed.insert(size, cases);
            }
            // Where the game refuses all larger values, there are none to list.
            without = if listed > before { 0 } else { without + 1 };
            if without > MAX_EMPTY_SIZES {
                break;
            }
        }
        let exhaustive = exhausted.unwrap_or(0);
        let (mut largest, mut solved) = (exhaustive, exhaustive);
        let mut random = SplitMix(1);
        let mut size = exhaustive;
        while size < max {
            size = size.saturating_mul(4).saturating_add(1).min(max);
            let cases: Vec<_> = (0..CASES_PER_SIZE).filter_map(|_| self.draw(size, &mut random)).collect();
            let mut solve = Definition::solver(&self.definition, &self.definition.rules, Some(MAX_SEARCHED), watch);
            let drawn = size;
            for case in &cases {
                match solve(case) {
                    Ok(_) => {}
                    Err(_) if watch.is_stopping() => return Err(self.stopped()),
                    Err(_) => {
                        size = max;
                        break;
                    }
                }
                (largest, solved) = (largest.max(case.cells), drawn);
            }
        }
        let found = (0..LARGEST_CASES).filter_map(|_| self.draw(largest, &mut random));
        let mut found: Vec<_> = found.collect();
        if let Some(extreme) = self.draw_by(solved, &mut random, true).filter(|case| case.cells > largest) {
            let mut solve = Definition::solver(&self.definition, &self.definition.rules, Some(MAX_SEARCHED), watch);
            match solve(&extreme) {
                Ok(_) => found.push(extreme),
                Err(_) if watch.is_stopping() => return Err(self.stopped()),
                Err(_) => {}
            }
        }
        found.sort_by_key(|case| std::cmp::Reverse(case.cells));
        found.truncate(LARGEST_CASES);
        largest = found.first().map_or(largest, |case| case.cells.max(exhaustive));
        self.space.largest = found;
        if self.space.largest.is_empty() && self.space.listed.values().all(Vec::is_empty) {
            return Err(ProblemError::new(
                "values",
                "no case was found among many",
                match self.describe_conditions() {
                    None => "values that are positions of the game".to_owned(),
                    Some(conditions) => format!(
                        "values that are positions of the game, and for which {conditions}: where few are, a narrower range \
                         of values"
                    ),
                },
            ));
        }
        self.info.max_cells = largest;
        self.info.exhaustive_cells = exhaustive;
        self.info.is_complete = largest >= max.min(all);
        self.info.disguises = (exhaustive < largest).then(|| match exhaustive {
            0 => Phrase::new("those that were not drawn", "뽑히지 않은 입력"),
            _ => Phrase::from_strings(
                format!("those larger than {exhaustive} that were not drawn"),
                format!("크기가 {exhaustive}보다 크고 뽑히지 않은 입력"),
            ),
        });
        Ok(())
    }

    /// Looks among the smallest cases and some larger ones for the first that shows each mistake of the file. Needs
    /// [cases](Self::with_cases).
    ///
    /// # Errors
    /// If `watch` stops the search.
    pub fn show_mistakes(&self, watch: &Watch) -> Result<Vec<ShownMistake>, Stopped> {
        const MAX_SMALL: usize = 400;
        const DRAWN: usize = 100;
        let mut random = SplitMix(1);
        let small = (0..=self.info.exhaustive_cells).flat_map(|size| self.cases_of_size(size)).take(MAX_SMALL);
        let mut drawn: Vec<_> =
            (1..=DRAWN).map(|n| self.random_case(&mut random, self.info.max_cells.div_ceil(DRAWN) * n)).collect();
        drawn.sort_by_key(|case| self.size(case));
        let mut seen = HashSet::new();
        let cases: Vec<_> = small.chain(drawn).filter(|case| seen.insert(case.clone())).collect();
        let mut reference = self.reference(watch);
        let rights: Vec<_> = cases.iter().map(&mut reference).collect::<Result<_, _>>()?;
        let mut shown = Vec::new();
        for mistake in self.mistakes_to_cover() {
            let (mut shown_by, mut answered) = (None, 0);
            for (case, right) in cases.iter().zip(&rights) {
                if watch.is_stopping() {
                    return Err(Stopped::Interrupted);
                }
                let Some(wrong) = mistake.answer(self, case) else { continue };
                answered += 1;
                if wrong != *right {
                    shown_by = Some(ShownBy { case: case.clone(), right: right.clone(), wrong });
                    break;
                }
            }
            shown.push(ShownMistake { mistake, shown_by, answered });
        }
        Ok(shown)
    }

    /// Returns an error about the rules if no case is accepted at all, or if the game has no such answer.
    pub(super) fn check_rules(&self) -> Result<(), ProblemError> {
        let mut random = SplitMix(1);
        let mut check = || {
            let values: Vec<_> = self.definition.kinds.iter().map(|kind| kind.draw(8, &mut random)).collect();
            match self.definition.state(&self.definition.rules, &values)? {
                Stated::Game { game, .. } => self.definition.rules.output.check_game(&game),
                Stated::Answered(_) | Stated::NoPosition => Ok(()),
            }
        };
        let first = check();
        if self.definition.rules.output.answer == Question::End {
            return self.check_ends(first);
        }
        if first.is_ok() || (0..MAX_DRAWS).any(|_| check().is_ok()) { Ok(()) } else { first }
    }

    /// Returns an error if no board that is drawn is one of the game, or the ends of play are too many to list.
    fn check_ends(&self, drawn: Result<(), ProblemError>) -> Result<(), ProblemError> {
        drawn?;
        let definition = &self.definition;
        let mut random = SplitMix(1);
        let mut is_position = || {
            let values: Vec<_> = definition.kinds.iter().map(|kind| kind.draw(8, &mut random)).collect();
            let is_listed = || definition.ends(&definition.render(&definition.rules.game, &values)).is_some();
            match definition.state(&definition.rules, &values) {
                Ok(Stated::Game { .. }) => Some(is_listed()),
                _ => None,
            }
        };
        match (0..MAX_DRAWS).find_map(|_| is_position()) {
            Some(true) => Ok(()),
            Some(false) => Err(ProblemError::new(
                "game",
                format!("more than {MAX_SEARCHED} positions can be reached"),
                "for the answer `end` a game all of whose positions can be listed",
            )),
            None => Err(ProblemError::new(
                "position",
                "none of the boards that were drawn is a position of the game",
                "`as` has the game's letters, if they differ from those of the input",
            )),
        }
    }

    /// Reads the next case; before the first one, the number of cases, after which `left` counts down.
    fn next_case<R: BufRead>(
        &self,
        words: &mut Words<R>,
        left: &mut Option<u64>,
    ) -> Result<Option<ProblemCase>, JudgeError> {
        let Layout::Words { lines, cases } = &self.definition.layout else { return Ok(None) };
        let count = match (&left, cases) {
            (Some(count), _) => *count,
            (None, Cases::One) => 1,
            (None, Cases::Counted) => words.count()?,
            (None, Cases::Until(_)) => u64::MAX,
        };
        if count == 0 {
            return match words.next()? {
                None => Ok(None),
                Some(_) => Err(words.error("nothing after the last case")),
            };
        }
        *left = Some(count - 1);
        let mut values = vec![Value::Number(0); self.definition.kinds.len()];
        let mut is_first = true;
        for &n in lines.iter().flatten() {
            let kind = &self.definition.kinds[n];
            let counts = [0, 1].map(|which| {
                let name = kind.counted_by[which].as_ref()?;
                let at = self.definition.kinds.iter().position(|kind| kind.name == *name)?;
                let Value::Number(count) = values[at] else { return None };
                usize::try_from(count).ok()
            });
            let mut found = Vec::new();
            for word in 0..kind.word_count(counts) {
                let Some(next) = words.next()? else {
                    let end = match cases {
                        Cases::Until(end) if is_first => format!(", or `{end}`"),
                        _ => String::new(),
                    };
                    return Err(words.error(&(kind.expected() + &end)));
                };
                if let (Cases::Until(end), true) = (cases, is_first)
                    && next == end.as_bytes()
                {
                    *left = Some(0);
                    return self.next_case(words, left);
                }
                is_first = false;
                found.push(String::from_utf8_lossy(next).into_owned());
                // Each number is checked where it stands.
                if matches!(kind.shape, Shape::Numbers { .. }) && found[word].parse::<i64>().is_err() {
                    return Err(words.error(&format!("number {} of {}", word + 1, kind.expected())));
                }
            }
            values[n] = kind.parse(&found, counts).ok_or_else(|| words.error(&kind.expected()))?;
        }
        self.read_case(values, |found, expected| words.error_about(found, &expected)).map(Some)
    }

    /// Returns the case of the values, or the error that they do not belong together or are no position of the game.
    fn read_case(
        &self,
        values: Vec<Value>,
        error: impl Fn(String, String) -> JudgeError,
    ) -> Result<ProblemCase, JudgeError> {
        if let Err(e) = self.definition.state(&self.definition.rules, &values) {
            return Err(error(e.message, e.help));
        }
        if let Some(condition) = self.definition.conditions.iter().find(|condition| !condition.holds(&values)) {
            let conditions = self.describe_conditions().unwrap_or_default();
            return Err(error(format!("`{condition}` does not hold"), format!("values for which {conditions}")));
        }
        let found = values.clone();
        self.case(values).filter(|case| case.values == found).ok_or_else(|| {
            error("values that do not belong together".to_owned(), self.describe_input(Lang::En).join("; "))
        })
    }

    fn next_call<R: BufRead>(&self, lines: &mut Lines<R>) -> Result<Option<ProblemCase>, JudgeError> {
        let Layout::Calls { arguments, .. } = &self.definition.layout else { return Ok(None) };
        let Some(line) = lines.next()?.map(|line| String::from_utf8_lossy(line).into_owned()) else { return Ok(None) };
        let error = |column: usize, found: String, expected: String| JudgeError::Input {
            line: lines.number,
            column: column as u64,
            found,
            expected,
        };
        let json: serde_json::Value = serde_json::from_str(&line).map_err(|e| {
            error(
                e.column(),
                e.to_string(),
                format!("an object of JSON with {}", self.describe_input(Lang::En)[1..].join("; ")),
            )
        })?;
        let mut values = vec![Value::Number(0); self.definition.kinds.len()];
        for &n in arguments {
            let (kind, json) = (&self.definition.kinds[n], json.get(&self.definition.kinds[n].name));
            let found = || json.map_or_else(|| format!("no `{}`", kind.name), |json| format!("`{json}`"));
            values[n] =
                json.and_then(|json| kind.parse_json(json)).ok_or_else(|| error(1, found(), kind.expected()))?;
        }
        self.read_case(values, |found, expected| error(1, found, expected)).map(Some)
    }
}

/// What there is to say about a case.
pub(super) struct Found {
    pub(super) outcome: Outcome,
    pub(super) plies: Option<u32>,
    pub(super) score: Option<i32>,
    pub(super) nimber: Option<u64>,
    /// The name of the winner.
    pub(super) winner: Option<String>,
    /// The numbers of the cells to which winning moves go, from 1.
    pub(super) winning_cells: Vec<u32>,
}

impl Definition {
    /// Returns a solver by some rules, which keeps the engines of the last few games. It gives up after searching `max`
    /// positions for one answer.
    pub(super) fn solver<'w>(
        definition: &Arc<Self>,
        rules: &Rules,
        max: Option<u64>,
        watch: &'w Watch,
    ) -> impl FnMut(&ProblemCase) -> Result<ProblemAnswer, Stopped> + use<'w> {
        let (definition, rules) = (Arc::clone(definition), rules.clone());
        let mut ask = Self::asker(&definition, &rules, max, watch);
        // The ends of the game whose rules have this text.
        let mut ends = (String::new(), HashSet::new());
        move |case| {
            if rules.output.answer == Question::End {
                let text = definition.render(&rules.game, &case.values);
                if ends.0 != text {
                    ends = (text.clone(), definition.ends(&text).ok_or(Stopped::Interrupted)?);
                }
                let at = definition.state(&rules, &case.values);
                let is_end =
                    matches!(at, Ok(Stated::Game { game, .. }) if ends.1.contains(board_text(&game.start_text())));
                let outcome = if is_end { Outcome::Win } else { Outcome::Loss };
                let found =
                    Found { outcome, plies: None, score: None, nimber: None, winner: None, winning_cells: Vec::new() };
                return definition.answer(&rules, case, found).ok_or(Stopped::Interrupted);
            }
            let (answer, game) = ask(case)?;
            let asks_moves = rules.output.answer == Question::WinningMoves;
            let cells = game.filter(|_| asks_moves).map(|game| game.moves()).unwrap_or_default();
            // On boards too large for a game of their own, moves are a row and a column.
            let column = |text: &str| text.rsplit(',').next()?.parse::<u32>().ok();
            let cell = |text: &str| match cells.iter().find(|(other, _)| other == text) {
                Some((_, cells)) => Some(cells.trailing_zeros() + 1),
                None => column(text).map(|column| column + 1),
            };
            let winning = answer.moves.iter().filter(|mv| asks_moves && mv.outcome == Some(Outcome::Win));
            let found = Found {
                outcome: answer.outcome.ok_or(Stopped::Interrupted)?,
                plies: answer.remoteness,
                score: answer.score,
                nimber: answer.nim_value.map(|(NimValue::Nimber(number) | NimValue::MisereValue(number))| number),
                winner: answer.winner.map(|winner| winner.to_string()),
                winning_cells: winning.filter_map(|mv| cell(&mv.text)).collect(),
            };
            definition.answer(&rules, case, found).ok_or(Stopped::Interrupted)
        }
    }

    /// Returns the boards on which play from the start of the game with these rules ends; `None` if more than
    /// [`MAX_SEARCHED`] positions can be reached.
    fn ends(&self, rules: &str) -> Option<HashSet<String>> {
        let boards = boards(&self.rules(rules).ok()?, false).ok()?;
        let game = boards.first()?;
        let all = game.all_positions(MAX_SEARCHED as usize)?.into_iter().map(|(text, _)| text);
        let ends = all.filter(|text| game.successors(text).is_empty());
        Some(ends.map(|text| board_text(&text).to_owned()).collect())
    }

    /// Returns a function that asks an engine by some rules, and returns the answer and the game from the case's position, if that is
    /// not too large.
    pub(super) fn asker<'w>(
        definition: &Arc<Self>,
        rules: &Rules,
        max: Option<u64>,
        watch: &'w Watch,
    ) -> impl FnMut(&ProblemCase) -> Result<(balpan_games::Answer, Option<AnyGame>), Stopped> + use<'w> {
        type Engines = Vec<((String, Option<Board>), Box<dyn TextEngine>)>;
        let (definition, rules) = (Arc::clone(definition), rules.clone());
        let make = EngineOptions::new(Budget { memory: TABLE_BYTES, threads: 1 });
        let mut engines: Engines = Vec::new();
        move |case| {
            let (text, game) = match definition.state(&rules, &case.values).map_err(|_| Stopped::Interrupted)? {
                Stated::Answered(answer) => return Ok((*answer, None)),
                Stated::NoPosition => return Err(Stopped::Interrupted),
                Stated::Game { rules, game } => (rules, game),
            };
            let (key, position) = ((text, game.board()), game.start_text());
            let found = engines.iter().position(|(known, engine)| *known == key && engine.reads(&position));
            let mut engine = match found {
                Some(at) => engines.remove(at),
                None => (key, make.clone().text_engine(&game)),
            };
            engines.truncate(MAX_ENGINES - 1);
            let child = max.map(|max| watch.child(max));
            let answer = engine.1.ask("", &position, rules.query(), child.as_ref().unwrap_or(watch), &mut |_| {});
            engines.insert(0, engine);
            match answer {
                Ok(answer) if answer.complete => Ok((answer, Some(game))),
                Err(QueryError::NoAnswer(EngineError::Stopped(stopped))) => Err(stopped),
                _ => Err(Stopped::Interrupted),
            }
        }
    }

    /// Formats an answer as the output has it; `None` if the game does not tell what is asked.
    pub(super) fn answer(&self, rules: &Rules, case: &ProblemCase, mut found: Found) -> Option<ProblemAnswer> {
        let output = &rules.output;
        let outcome = || {
            let word = match (&output.winner, found.outcome) {
                (_, Outcome::Draw) => output.draw.clone(),
                (Some(words), _) => words.get(found.winner.as_ref()?).cloned(),
                (None, Outcome::Win) => output.win.clone(),
                (None, Outcome::Loss) => output.loss.clone(),
            };
            // A game that ends in a way for which the file has no word says so.
            Some(word.unwrap_or_else(|| found.outcome.to_string()))
        };
        let text = match output.answer {
            Question::Outcome => outcome()?,
            Question::WinningMoves => {
                let word = outcome()?;
                found.winning_cells.sort_unstable();
                let numbers: Vec<_> = found.winning_cells.iter().map(u32::to_string).collect();
                format!("{word}\n{}", numbers.join(" "))
            }
            Question::Plies => found.plies?.to_string(),
            Question::Score => found.score?.to_string(),
            Question::Share => {
                let list = self.kinds.iter().position(|kind| Some(&kind.name) == output.total.as_ref())?;
                let Value::Numbers(numbers) = &case.values[list] else { return None };
                ((numbers.iter().sum::<i64>() + i64::from(found.score?)) / 2).to_string()
            }
            Question::Nimber => found.nimber?.to_string(),
            Question::End => if found.outcome == Outcome::Win { &output.win } else { &output.loss }.clone()?,
        };
        Some(ProblemAnswer(text.into()))
    }

    /// Returns the words of the outcomes.
    fn words(&self) -> impl Iterator<Item = &str> {
        let output = &self.rules.output;
        let winners = output.winner.iter().flat_map(|winner| winner.values());
        [&output.win, &output.loss, &output.draw].into_iter().flatten().chain(winners).map(String::as_str)
    }
}

/// Returns the text of a position without the words after its rows, which name the player to move.
fn board_text(text: &str) -> &str {
    text.split(' ').next().unwrap_or(text)
}

impl Judge for Problem {
    type Case = ProblemCase;
    type Answer = ProblemAnswer;

    fn info(&self) -> &JudgeInfo {
        &self.info
    }

    fn read<R: BufRead>(&self, input: R) -> impl Iterator<Item = Result<ProblemCase, JudgeError>> {
        let is_call = matches!(self.definition.layout, Layout::Calls { .. });
        let (words, lines) = if is_call { (None, Some(Lines::new(input))) } else { (Some(Words::new(input)), None) };
        let (mut words, mut lines, mut left) = (words, lines, None);
        until_error(move || match (&mut words, &mut lines) {
            (Some(words), _) => self.next_case(words, &mut left),
            (_, Some(lines)) => self.next_call(lines),
            _ => Ok(None),
        })
    }

    fn write(&self, cases: &[ProblemCase]) -> String {
        let mut text = String::new();
        if matches!(self.definition.layout, Layout::Words { cases: Cases::Counted, .. }) {
            text = format!("{}\n", cases.len());
        }
        for case in cases {
            match &self.definition.layout {
                Layout::Words { lines, .. } => {
                    for line in lines {
                        let words = line
                            .iter()
                            .map(|n| self.definition.kinds[*n].to_words(&case.values[*n]))
                            .collect::<Vec<_>>();
                        text += &(words.join(" ") + "\n");
                    }
                }
                Layout::Calls { arguments, .. } => {
                    let argument = |n: &usize| {
                        let kind = &self.definition.kinds[*n];
                        format!("{}: {}", serde_json::Value::from(kind.name.as_str()), kind.to_json(&case.values[*n]))
                    };
                    text += &format!("{{{}}}\n", arguments.iter().map(argument).collect::<Vec<_>>().join(", "));
                }
            }
        }
        if let Layout::Words { cases: Cases::Until(word), .. } = &self.definition.layout {
            text += &format!("{word}\n");
        }
        text
    }

    fn read_answer(&self, text: &str) -> Option<ProblemAnswer> {
        let is_number = |word: &&str| word.parse::<i64>().is_ok_and(|number| number.to_string() == **word);
        let words: Vec<_> = text.split_ascii_whitespace().collect();
        let canonical = match (self.definition.rules.output.answer, &words[..]) {
            (Question::Outcome | Question::End, [word]) => {
                self.definition.words().find(|known| known == word)?.to_owned()
            }
            (Question::WinningMoves, [word, numbers @ ..]) if numbers.iter().all(&is_number) => {
                format!("{}\n{}", self.definition.words().find(|known| known == word)?, numbers.join(" "))
            }
            (Question::Outcome | Question::WinningMoves | Question::End, _) => return None,
            (_, [word]) if is_number(word) => (*word).to_owned(),
            _ => return None,
        };
        Some(ProblemAnswer(canonical.into()))
    }

    fn split_answers<'o>(&self, output: &'o [u8]) -> Vec<&'o [u8]> {
        if self.definition.rules.output.answer != Question::WinningMoves {
            return crate::judge::split_words(output);
        }
        // An answer goes on to the next word of an outcome.
        let mut answers: Vec<&[u8]> = Vec::new();
        let mut begin = None;
        for word in crate::judge::split_words(output) {
            let at = word.as_ptr() as usize - output.as_ptr() as usize;
            if self.definition.words().any(|known| known.as_bytes() == word) || begin.is_none() {
                answers.extend(begin.map(|begin: usize| output[begin..at].trim_ascii()));
                begin = Some(at);
            }
        }
        answers.extend(begin.map(|begin| output[begin..].trim_ascii()));
        answers
    }

    fn reference<'w>(&self, watch: &'w Watch) -> Reference<'w, Self> {
        Box::new(Definition::solver(&self.definition, &self.definition.rules, None, watch))
    }

    fn size(&self, case: &ProblemCase) -> Size {
        Size {
            cells: case.cells,
            board: self
                .definition
                .kinds
                .iter()
                .zip(&case.values)
                .map(|(kind, value)| kind.counts(value).iter().product::<usize>())
                .sum(),
        }
    }

    fn cases_of_size(&self, cells: usize) -> CaseIter<Self> {
        let listed = self.space.listed.get(&cells).cloned().unwrap_or_default();
        let beyond = cells > self.info.exhaustive_cells;
        Box::new(
            listed
                .into_iter()
                .chain(self.space.largest.clone().into_iter().filter(move |case| beyond && case.cells == cells)),
        )
    }

    fn smaller_cases(&self, case: &ProblemCase) -> Vec<ProblemCase> {
        let steps = |values: &[Value]| -> Vec<Vec<Value>> {
            let kinds = self.definition.kinds.iter().enumerate().filter(|(n, _)| !self.is_count(*n));
            let of_kind = kinds.flat_map(|(n, kind)| {
                let replaced = move |value| [&values[..n], &[value], &values[n + 1..]].concat();
                kind.smaller(&values[n]).into_iter().map(replaced)
            });
            of_kind.collect()
        };
        let (mut smaller, mut refused) = (Vec::new(), Vec::new());
        for values in steps(&case.values).into_iter().filter_map(|values| self.with_counts(values)) {
            match self.holds(&values) {
                true => smaller.extend(self.case(values)),
                false => refused.push(values),
            }
        }
        // Where a condition refuses a step, two may do, such as two elements of an even number of them.
        let each = MAX_SECOND_STEPS / refused.len().max(1);
        let twice = refused.iter().flat_map(|values| steps(values).into_iter().take(each));
        smaller.extend(twice.filter_map(|values| self.case(values)));
        let size = self.size(case);
        smaller.retain(|other| self.size(other) < size);
        smaller
    }

    fn growing_cases(&self, random: &mut SplitMix) -> Vec<ProblemCase> {
        let max = self.info.max_cells;
        let sizes = (1..RUNGS).map(|rung| max / RUNGS * rung);
        let drawn: Vec<_> = sizes.filter_map(|size| self.draw(size, random)).collect();
        drawn.into_iter().chain(self.space.largest.first().cloned()).collect()
    }

    fn random_case(&self, random: &mut SplitMix, max_cells: usize) -> ProblemCase {
        let drawn = self.draw(max_cells.min(self.info.max_cells), random);
        drawn.unwrap_or_else(|| {
            let listed: Vec<_> = self.space.listed.range(..=max_cells).flat_map(|(_, cases)| cases).collect();
            let cases = if listed.is_empty() { self.space.largest.iter().collect() } else { listed };
            cases[random.below(cases.len())].clone()
        })
    }

    fn survey<'w>(&self, watch: &'w Watch) -> Survey<'w, Self> {
        let mut ask = Definition::asker(&self.definition, &self.definition.rules, None, watch);
        let is_played = self.definition.rules.output.answer != Question::End;
        Box::new(move |case| {
            let plies = if is_played { ask(case)?.0.line.len() } else { 0 };
            Ok(OptimalPlay { plies, features: Vec::new() })
        })
    }

    fn mistakes(&self) -> Vec<Mistake<Self>> {
        self.mistakes_to_cover().into_iter().chain(common::mistakes()).collect()
    }

    fn candidates(&self) -> usize {
        CANDIDATES
    }

    fn mistakes_to_cover(&self) -> Vec<Mistake<Self>> {
        let definition = &self.definition;
        let of_file = definition.file.mistakes.iter().map(|mistake| {
            let (definition, rules) = (Arc::clone(definition), definition.rules.changed(mistake));
            // Engines are kept between cases, until one gives up.
            let kept = Mutex::new(None);
            let solve = move |case: &ProblemCase| {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                let solve = kept
                    .get_or_insert_with(|| Definition::solver(&definition, &rules, Some(MAX_MISTAKEN), &UNINTERRUPTED));
                let answer = solve(case);
                if answer.is_err() {
                    *kept = None;
                }
                answer.ok()
            };
            let korean = [&mistake.name_ko, &mistake.remedy_ko].map(|words| words.clone().unwrap_or_default());
            Mistake::new(mistake.name.clone(), mistake.remedy.clone(), solve).with_korean(korean)
        });
        of_file.collect()
    }

    fn more_mistakes(&self) -> Vec<Mistake<Self>> {
        common::memos().collect()
    }

    fn answer_of(&self, case: &ProblemCase, value: &PlainValue) -> Option<ProblemAnswer> {
        let rules = &self.definition.rules;
        let found = Found {
            outcome: value.outcome,
            plies: value.plies.filter(|_| value.outcome != Outcome::Draw),
            score: value.score,
            nimber: None,
            winner: value.winner.map(|winner| winner.to_string()),
            winning_cells: Vec::new(),
        };
        (!matches!(rules.output.answer, Question::WinningMoves | Question::End))
            .then(|| self.definition.answer(rules, case, found))?
    }

    fn package_parts(&self) -> Option<Cow<'static, crate::package::Problem>> {
        self.parts_of_package().map(Cow::Owned)
    }

    fn samples(&self) -> Vec<ProblemCase> {
        let inputs = self.definition.file.samples.iter().map(|sample| sample.input.as_bytes());
        inputs.flat_map(|input| self.read(input)).filter_map(Result::ok).collect()
    }

    fn function(&self) -> Option<(&str, Vec<&str>)> {
        let Layout::Calls { function, arguments } = &self.definition.layout else { return None };
        Some((function, arguments.iter().map(|n| self.definition.kinds[*n].name.as_str()).collect()))
    }

    fn game(&self, case: &ProblemCase) -> Option<AnyGame> {
        match self.definition.state(&self.definition.rules, &case.values).ok()? {
            Stated::Game { game, .. } => Some(game),
            Stated::Answered(_) | Stated::NoPosition => None,
        }
    }
}
