//! Rows of numbers: players in turn take numbers from the ends of a row, or from its front, and the sum of what a player has
//! taken is that player's. The score is the difference. LeetCode's Stone Games, AlgoSpot's NUMBERGAME and the deque of
//! AtCoder's DP contest are of this kind.

use std::ops::RangeInclusive;
use std::sync::{Arc, OnceLock};

use balpan::{Bounds, Game, Value};
use serde::Deserialize;
use toml::Spanned;

use crate::any::AnyGame;
use crate::board::Board;
use crate::error::input_errors;
use crate::family::FamilyGame;
use crate::notation::Notation;
use crate::registry::{Family, FamilyRules};
use crate::rules::{RulesFile, RulesSource};
use crate::text::{TextError, error};
use crate::words::{Explanation, Lang};

/// The rules of a row game, apart from the row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// How many numbers a move takes.
    pub take: Take,
    /// Whether numbers are taken from either end, and not from the front alone.
    pub both_ends: bool,
    /// How many numbers a move may remove from an end in place of taking some, so that nobody gets them; 0 for none.
    pub remove: u16,
}

/// How many numbers a move takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Take {
    /// A number in this range.
    Range(RangeInclusive<u16>),
    /// From 1 to 2M, where M is the most that were taken before, and 1 at first.
    Growing,
}

/// A row game: rules and a row of numbers.
#[derive(Clone, Debug)]
pub struct Row {
    rules: Rules,
    numbers: Arc<[i32]>,
    start: Position,
    /// The score from each [state](Self::state) on, for the player to move, once a search has asked for one.
    best: Arc<OnceLock<Vec<i32>>>,
}

/// The part of the row that is left.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The index of the first number left, and of the one after the last.
    first: u16,
    last: u16,
    /// The most numbers that a move has taken, in a [growing](Take::Growing) game; 1 at first.
    most: u16,
    /// The sum taken by the player to move, less the other's.
    lead: i32,
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    count: u16,
    from_back: bool,
    /// Whether nobody gets the numbers.
    removes: bool,
}

impl Row {
    /// The most numbers in a row.
    pub const MAX_NUMBERS: usize = 3_000;

    /// Creates the game on a row; `None` if it is too long, or its sum too large for a score.
    ///
    /// Cost: the first [bounds](Game::bounds) compute the score of every part of the row, at most the square of its length,
    /// times the ways to move.
    #[must_use]
    pub fn new(rules: Rules, numbers: Vec<i32>) -> Option<Self> {
        let count = u16::try_from(numbers.len()).ok().filter(|count| usize::from(*count) <= Self::MAX_NUMBERS)?;
        let sum: i64 = numbers.iter().map(|number| i64::from(*number).abs()).sum();
        if sum > i64::from(Value::MAX_SCORE) || (rules.both_ends && rules.take == Take::Growing) {
            return None;
        }
        let start = Position { first: 0, last: count, most: 1, lead: 0 };
        Some(Self { rules, numbers: numbers.into(), start, best: Arc::default() })
    }

    /// Computes the score of each state, for the player to move. Shorter parts come first, as a move leads to one.
    fn best_scores(&self) -> Vec<i32> {
        let Rules { take, both_ends, remove } = &self.rules;
        let count = self.numbers.len();
        let mut sums = vec![0];
        sums.extend(self.numbers.iter().scan(0, |sum, number| {
            *sum += number;
            Some(*sum)
        }));
        let mut best = vec![0; self.states()];
        let mosts = if *take == Take::Growing { count.max(1) } else { 1 };
        for length in 1..=count {
            for first in if *both_ends { 0..=count - length } else { count - length..=count - length } {
                let last = first + length;
                for most in 1..=mosts {
                    let (fewest, greatest) = match take {
                        Take::Range(range) => (usize::from(*range.start()), usize::from(*range.end())),
                        Take::Growing => (1, 2 * most),
                    };
                    let mut found = None;
                    let mut add = |taken: usize, most: usize, removes: bool| {
                        let gain = |from: usize, to: usize| if removes { 0 } else { sums[to] - sums[from] };
                        let front = gain(first, first + taken) - best[self.state(first + taken, last, most)];
                        found = found.max(Some(front));
                        if *both_ends {
                            let back = gain(last - taken, last) - best[self.state(first, last - taken, most)];
                            found = found.max(Some(back));
                        }
                    };
                    for taken in fewest..=greatest.min(length) {
                        add(taken, most.max(taken).min(mosts), false);
                    }
                    if (1..=length).contains(&usize::from(*remove)) {
                        add((*remove).into(), most, true);
                    }
                    best[self.state(first, last, most)] = found.unwrap_or(0);
                }
            }
        }
        best
    }

    /// Returns the number of states.
    fn states(&self) -> usize {
        let count = self.numbers.len() + 1;
        if self.rules.both_ends || self.rules.take == Take::Growing { count * count } else { count }
    }

    /// Returns the index of what is left, whatever was taken.
    fn state(&self, first: usize, last: usize, most: usize) -> usize {
        let count = self.numbers.len() + 1;
        match (self.rules.both_ends, &self.rules.take) {
            (true, _) => first * count + last,
            (false, Take::Growing) => first * count + most.min(count - 1),
            (false, Take::Range(_)) => first,
        }
    }

    fn left<'r>(&'r self, position: &Position) -> &'r [i32] {
        &self.numbers[position.first.into()..position.last.into()]
    }
}

impl Game for Row {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        self.start.clone()
    }

    fn moves(&self, position: &Position) -> impl Iterator<Item = Move> {
        let left = position.last - position.first;
        let take = match &self.rules.take {
            Take::Range(range) => *range.start()..=*range.end().min(&left),
            Take::Growing => 1..=position.most.saturating_mul(2).min(left),
        };
        let removed = Some(self.rules.remove).filter(|count| (1..=left).contains(count));
        let moves = take.map(|count| (count, false)).chain(removed.map(|count| (count, true)));
        let both_ends = self.rules.both_ends;
        moves.flat_map(move |(count, removes)| {
            // All that is left is taken from either end alike.
            let ends = if both_ends && count < left { 2 } else { 1 };
            [false, true].into_iter().take(ends).map(move |from_back| Move { count, from_back, removes })
        })
    }

    fn play(&self, position: &Position, mv: Move) -> Position {
        let Position { mut first, mut last, most, lead } = *position;
        let left = self.left(position);
        let taken = usize::from(mv.count);
        let taken = if mv.from_back { &left[left.len() - taken..] } else { &left[..taken] };
        let sum: i32 = if mv.removes { 0 } else { taken.iter().sum() };
        if mv.from_back {
            last -= mv.count;
        } else {
            first += mv.count;
        }
        let is_growing = self.rules.take == Take::Growing;
        let most = if is_growing && !mv.removes { most.max(mv.count).min(self.numbers.len() as u16) } else { most };
        Position { first, last, most, lead: -(lead + sum) }
    }

    fn score(&self, position: &Position) -> Option<i32> {
        Some(position.lead)
    }

    fn max_score(&self) -> u32 {
        // A row of zeros has scores, too.
        (self.numbers.iter().map(|number| number.unsigned_abs()).sum::<u32>() + self.start.lead.unsigned_abs()).max(1)
    }

    fn layer(&self, position: &Position) -> Option<u32> {
        Some((position.last - position.first).into())
    }

    /// Exact: the score of every part of the row is known.
    fn bounds(&self, position: &Position, _threshold: Value) -> Bounds {
        let state = self.state(position.first.into(), position.last.into(), position.most.into());
        Bounds::exact(Value::from_score(position.lead + self.best.get_or_init(|| self.best_scores())[state]))
    }
}

input_errors! {
    /// An error in a position of a row of numbers, or in its rules.
    Row: RowError {
        /// A word that is no number.
        NoNumber {
            /// The word.
            word: String,
        } => "no_number_in_row",
        /// Too many numbers, or too large ones.
        TooLarge {
            /// How many there are.
            numbers: usize,
            /// The sum of their absolute values, and that of the lead.
            sum: i64,
        } => "row_too_large",
        /// A row that no play leaves of the first one.
        NoPart {
            /// The first row.
            start: String,
        } => "no_part_of_row",
        /// No number of numbers to take.
        Take {
            /// The word in the file.
            word: String,
        } => "no_take_from_row",
        /// No end of the row to take from.
        From {
            /// The word in the file.
            word: String,
        } => "no_end_of_row",
        /// `take = "1-2M"` from both ends.
        GrowingFromBothEnds => "growing_from_both_ends",
    }
}

/// Explains an error.
pub(crate) fn explain(lang: Lang, mistake: &RowError) -> Explanation {
    let is_no = |word: &str, english: &str, korean: &str, help: &str| {
        let word = word.escape_debug();
        Explanation::new(lang.pick(format!("`{word}` is not {english}"), format!("`{word}`: {korean}")), help)
    };
    match mistake {
        RowError::NoNumber { word } => is_no(
            word,
            "part of a row",
            "줄에 쓸 수 없습니다",
            lang.pick(
                "whole numbers, the row from its front, or `-` for none; then `M=2` and `lead=-3` if they are not 1 and 0",
                "줄의 수를 앞에서부터 정수로 적고, 남은 수가 없으면 `-`로 적습니다. M이 1이 아니면 뒤에 `M=2`를, 점수 차가 0이 아니면 `lead=-3`을 붙입니다",
            ),
        ),
        RowError::TooLarge { numbers, sum } => lang.pick(
            Explanation::new(
                format!("{numbers} numbers, of {sum} in all without signs, the lead included"),
                format!("at most {} numbers, and {} in all", Row::MAX_NUMBERS, Value::MAX_SCORE),
            ),
            Explanation::new(
                format!("수가 {numbers}개이고, 점수 차까지 더한 절댓값의 합이 {sum}입니다"),
                format!("수는 {}개까지, 절댓값의 합은 {}까지입니다", Row::MAX_NUMBERS, Value::MAX_SCORE),
            ),
        ),
        RowError::NoPart { start } => lang.pick(
            Explanation::new("a row that is not left of the first one", format!("a part of {start}")),
            Explanation::new("처음 줄에서 나올 수 없는 줄입니다", format!("{start}의 일부여야 합니다")),
        ),
        RowError::Take { word } => is_no(
            word,
            "how many to take",
            "가져갈 개수가 아닙니다",
            lang.pick(
                "a number such as 1, a range such as \"1-3\", or \"1-2M\"",
                "1 같은 수, \"1-3\" 같은 범위, 또는 \"1-2M\"",
            ),
        ),
        RowError::From { word } => {
            let help = lang.pick("\"ends\" or \"front\"", "\"ends\"(양 끝) 또는 \"front\"(앞)");
            is_no(word, "where numbers can be taken", "수를 가져갈 곳이 아닙니다", help)
        }
        RowError::GrowingFromBothEnds => Explanation::new(
            lang.pick("`1-2M` from both ends", "양 끝에서 가져갈 때는 `1-2M`을 쓸 수 없습니다"),
            lang.pick(
                "a number or a range where numbers are taken from both ends; `from = \"front\"` goes with \"1-2M\"",
                "양 끝에서 가져갈 때는 개수나 범위만 쓸 수 있습니다. \"1-2M\"은 `from = \"front\"`와 함께 씁니다",
            ),
        ),
    }
}

/// Parses the numbers that are left, what was taken most, and the lead.
fn parse_row(text: &str) -> Result<(Vec<i32>, u16, i32), TextError> {
    let (mut numbers, mut most, mut lead) = (Vec::new(), 1, 0);
    for word in text.split_whitespace() {
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        let wrong = || error(text, at..at + word.len(), RowError::NoNumber { word: word.to_owned() });
        if let Some(value) = word.strip_prefix("M=") {
            most = value.parse().ok().filter(|most| *most > 0).ok_or_else(wrong)?;
        } else if let Some(value) = word.strip_prefix("lead=") {
            lead = value
                .parse()
                .ok()
                .filter(|lead: &i32| lead.unsigned_abs() <= Value::MAX_SCORE.unsigned_abs())
                .ok_or_else(wrong)?;
        } else if word != "-" {
            numbers.push(word.parse().map_err(|_| wrong())?);
        }
    }
    Ok((numbers, most, lead))
}

fn row_from_text(rules: &Rules, text: &str) -> Result<Row, TextError> {
    let (numbers, most, lead) = parse_row(text)?;
    let too_large = || {
        let sum = numbers.iter().chain([&lead]).map(|n| i64::from(*n).abs()).sum();
        error(text, 0..text.len(), RowError::TooLarge { numbers: numbers.len(), sum })
    };
    let mut row = Row::new(rules.clone(), numbers.clone()).ok_or_else(too_large)?;
    if i64::from(lead).abs() + i64::from(row.max_score()) > i64::from(Value::MAX_SCORE) {
        return Err(too_large());
    }
    (row.start.lead, row.start.most) = (lead, most.min(row.numbers.len().max(1) as u16));
    Ok(row)
}

impl Notation for Row {
    fn size(&self) -> String {
        self.text(&self.start)
    }

    fn describe(&self, lang: Lang) -> Vec<String> {
        let Rules { take, both_ends, remove } = &self.rules;
        let range = |range: &RangeInclusive<u16>| match (range.start(), range.end()) {
            (one, other) if one == other => one.to_string(),
            (one, other) => lang.pick(format!("{one} to {other}"), format!("{one}~{other}")),
        };
        let end = if *both_ends {
            lang.pick("from either end", "양 끝 중 한쪽에서")
        } else {
            lang.pick("from the front", "맨 앞에서")
        };
        let mut sentences = vec![match take {
            Take::Range(counts) => lang.pick(
                format!("Players in turn take {} of the numbers {end} of the row.", range(counts)),
                format!("번갈아 줄의 {end} 수를 {}개 가져갑니다.", range(counts)),
            ),
            Take::Growing => lang.pick(
                format!("Players in turn take 1 to 2M of the numbers {end} of the row; M is the most that were taken at once before, and 1 at first."),
                format!("번갈아 줄의 {end} 수를 1~2M개 가져갑니다. M은 앞에서 한 번에 가장 많이 가져간 개수이고, 처음에는 1입니다."),
            ),
        }];
        if *remove > 0 {
            sentences.push(lang.pick(
                format!("In place of that, {remove} may be removed {end}, and nobody gets them."),
                format!("그 대신 {end} {remove}개를 지울 수도 있고, 지운 수는 아무도 갖지 않습니다."),
            ));
        }
        sentences.push(
            lang.pick("The score is the difference of the sums.".to_owned(), "점수는 두 합의 차입니다.".to_owned()),
        );
        sentences
    }

    fn text(&self, position: &Position) -> String {
        let mut words: Vec<_> = self.left(position).iter().map(i32::to_string).collect();
        if words.is_empty() {
            words.push("-".to_owned());
        }
        if self.rules.take == Take::Growing && position.most > 1 {
            words.push(format!("M={}", position.most));
        }
        if position.lead != 0 {
            words.push(format!("lead={}", position.lead));
        }
        words.join(" ")
    }

    fn parse(&self, text: &str) -> Result<Position, TextError> {
        let (numbers, most, lead) = parse_row(text)?;
        let all = self.numbers.len();
        let firsts = if self.rules.both_ends {
            0..=all.saturating_sub(numbers.len())
        } else {
            all.saturating_sub(numbers.len())..=all.saturating_sub(numbers.len())
        };
        let found = firsts.into_iter().find(|&first| self.numbers[first..].starts_with(&numbers));
        match found {
            Some(first) if lead.unsigned_abs() <= self.max_score() && usize::from(most) <= all.max(1) => {
                Ok(Position { first: first as u16, last: (first + numbers.len()) as u16, most, lead })
            }
            _ => Err(error(text, 0..text.len(), RowError::NoPart { start: self.size() })),
        }
    }

    fn move_text(&self, position: &Position, mv: Move) -> String {
        let left = self.left(position);
        let count = usize::from(mv.count);
        let end = match (self.rules.both_ends && count < left.len(), mv.from_back) {
            (false, _) => "",
            (true, false) => "front",
            (true, true) => "back",
        };
        let taken = if mv.from_back { &left[left.len() - count..] } else { &left[..count] };
        let taken: Vec<_> = taken.iter().map(i32::to_string).collect();
        let words = [if mv.removes { "remove" } else { "" }, end, &taken.join(",")];
        words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(":")
    }
}

impl FamilyGame for Row {
    fn family(&self) -> &'static str {
        "row"
    }
}

/// The family.
pub(crate) const FAMILY: Family = Family {
    name: "row",
    keys: &["family", "about", "start", "take", "from", "remove"],
    required: &["start"],
    read: &read,
    presets: &[],
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RowFile {
    #[serde(rename = "family")]
    _family: String,
    about: Option<String>,
    start: Spanned<toml::Value>,
    take: Option<Spanned<toml::Value>>,
    from: Option<Spanned<String>>,
    remove: Option<Spanned<u16>>,
}

/// Reads a rules file.
fn read(source: RulesSource<'_>) -> Result<RulesFile, TextError> {
    let file: RowFile = source.read()?;
    let take = match &file.take {
        None => Take::Range(1..=1),
        Some(take) => {
            let written = source.as_written(take);
            let wrong = || source.error(take.span(), RowError::Take { word: written.get_ref().clone() });
            parse_take(written.get_ref()).ok_or_else(wrong)?
        }
    };
    let both_ends = match file.from.as_ref().map(|from| (from, from.get_ref().as_str())) {
        None | Some((_, "ends")) => true,
        Some((_, "front")) => false,
        Some((from, other)) => return Err(source.error(from.span(), RowError::From { word: other.to_owned() })),
    };
    if let Some(span) = file.take.as_ref().map(Spanned::span).filter(|_| both_ends && take == Take::Growing) {
        return Err(source.error(span, RowError::GrowingFromBothEnds));
    }
    let rules = Rules { take, both_ends, remove: file.remove.map_or(0, Spanned::into_inner) };
    let start = source.as_written(&file.start);
    let game = row_from_text(&rules, start.get_ref()).map_err(|inner| source.error_in(&start, inner))?;
    source.rules_file(file.about, game, None, Some(&start))
}

fn parse_take(text: &str) -> Option<Take> {
    if text == "1-2M" {
        return Some(Take::Growing);
    }
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let range: RangeInclusive<u16> = first.trim().parse().ok()?..=last.trim().parse().ok()?;
    (*range.start() >= 1 && !range.is_empty()).then_some(Take::Range(range))
}

/// The game from the row that its file names.
impl FamilyRules for Row {
    fn has_board(&self) -> bool {
        false
    }

    fn game_on(&self, _board: Board) -> Result<AnyGame, TextError> {
        Ok(self.clone().into())
    }

    fn game_at(&self, _board: Board, text: &str) -> Result<AnyGame, TextError> {
        row_from_text(&self.rules, text).map(AnyGame::from)
    }
}
