//! One heap with a memory: a move takes at least one token and at most `times` times as many as the move before took; the
//! first takes any number but all. Whoever takes the last token wins. With `times = 2` this is Fibonacci Nim (M. J. Whinihan,
//! "Fibonacci Nim", The Fibonacci Quarterly 1, 1963).

use balpan::{Bounds, Game, Value};
use serde::Deserialize;
use toml::Spanned;

use crate::answer::Answer;
use crate::any::AnyGame;
use crate::board::Board;
use crate::error::input_errors;
use crate::family::FamilyGame;
use crate::notation::{Notation, PlayerName};
use crate::registry::{Family, FamilyRules};
use crate::rules::{RulesFile, RulesSource};
use crate::settings::{Kind, Setting};
use crate::text::{TextError, error};
use crate::words::{Explanation, Lang};

/// A game: a rule for moves, and a first position.
#[derive(Clone, Debug)]
pub struct Pile {
    times: u64,
    start: Position,
    /// The part sizes up to the heap: see [`part_sizes`].
    parts: Vec<u64>,
}

/// The tokens, and how many the next move may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    tokens: u64,
    /// At most all tokens.
    limit: u64,
}

/// Returns the part sizes H up to `tokens`, the smallest first: H[0] is 1, and H[k + 1] is H[k] + H[j], where H[j] is the
/// smallest with `times` * H[j] >= H[k]. Every number is a sum of parts in one way such that each is more than `times` times
/// the next smaller one (A. J. Schwenk, "Take-away games", The Fibonacci Quarterly 8, 1970). There are about
/// `times` * (1 + ln(`tokens` / `times`)) of them.
fn part_sizes(times: u64, tokens: u64) -> Vec<u64> {
    let mut parts = vec![1_u64];
    let mut least = 0;
    loop {
        let last = parts[parts.len() - 1];
        while parts[least].saturating_mul(times) < last {
            least += 1;
        }
        match last.checked_add(parts[least]) {
            Some(next) if next <= tokens => parts.push(next),
            _ => return parts,
        }
    }
}

impl Position {
    fn new(tokens: u64, limit: u64) -> Self {
        Self { tokens, limit: limit.min(tokens) }
    }

    fn first(tokens: u64) -> Self {
        Self::new(tokens, tokens.saturating_sub(1))
    }

    /// Returns the parts of which the tokens are the sum, the largest first.
    fn parts(self, sizes: &[u64]) -> impl Iterator<Item = u64> {
        let mut rest = self.tokens;
        sizes.iter().rev().copied().filter(move |&size| {
            let fits = size <= rest;
            rest -= if fits { size } else { 0 };
            fits
        })
    }

    /// Whether the player to move loses: the smallest part cannot be taken (Schwenk 1970).
    fn is_lost(self, sizes: &[u64]) -> bool {
        self.parts(sizes).last().is_none_or(|smallest| self.limit < smallest)
    }

    /// Returns the numbers of tokens that winning moves take, the smallest first: the sums of smallest parts that leave only
    /// parts too large for the next move.
    fn winning_takes(self, times: u64, sizes: &[u64]) -> Vec<u64> {
        let mut parts: Vec<_> = self.parts(sizes).collect();
        let (mut taken, mut found) = (0_u64, Vec::new());
        while let Some(part) = parts.pop() {
            taken += part;
            let next_is_stuck = parts.last().is_none_or(|next| taken.saturating_mul(times) < *next);
            found.extend((taken <= self.limit && next_is_stuck).then_some(taken));
        }
        found
    }

    fn after(self, taken: u64, times: u64) -> Self {
        Self::new(self.tokens - taken, taken.saturating_mul(times))
    }

    /// Writes the limit if it is not that of a first move.
    fn text(self) -> String {
        match self {
            Self { tokens, limit } if limit == Self::first(tokens).limit => tokens.to_string(),
            Self { tokens, limit } => format!("{tokens} limit={limit}"),
        }
    }
}

impl Pile {
    /// The most tokens of games that are searched: all values of a position take about a second then.
    pub const MAX_TOKENS: u64 = 500;

    /// The largest `times`.
    pub const MAX_TIMES: u64 = 1_000;

    /// Creates the game with one heap. A move takes at most `times` times as many tokens as the move before it. `None` for
    /// `times` of 0 or more than [`MAX_TIMES`](Self::MAX_TIMES), or for more than [`MAX_TOKENS`](Self::MAX_TOKENS) tokens.
    #[must_use]
    pub fn new(times: u64, tokens: u64) -> Option<Self> {
        Self::from_position(times, Position::first(tokens))
    }

    fn from_position(times: u64, start: Position) -> Option<Self> {
        let is_allowed = (1..=Self::MAX_TIMES).contains(&times) && start.tokens <= Self::MAX_TOKENS;
        is_allowed.then(|| Self { times, start, parts: part_sizes(times, start.tokens) })
    }
}

impl Game for Pile {
    type Position = Position;
    type Move = u64;

    fn start(&self) -> Position {
        self.start
    }

    fn moves(&self, position: &Position) -> impl Iterator<Item = u64> {
        1..=position.limit
    }

    fn play(&self, position: &Position, taken: u64) -> Position {
        position.after(taken, self.times)
    }

    fn is_legal(&self, position: &Position) -> bool {
        position.limit <= position.tokens && position.tokens <= self.start.tokens
    }

    fn layer(&self, position: &Position) -> Option<u32> {
        Some(position.tokens as u32)
    }

    /// The parts of the heap decide the winner.
    fn bounds(&self, position: &Position, _threshold: Value) -> Bounds {
        let plies = position.tokens as u32;
        if position.is_lost(&self.parts) {
            Bounds { lower: Value::loss(0), upper: Value::loss(plies) }
        } else {
            Bounds { lower: Value::win(plies), upper: Value::win(1) }
        }
    }

    /// Winning moves first, then those that leave few tokens.
    fn rank(&self, _position: &Position, _taken: u64, after: &Position) -> i32 {
        i32::from(after.is_lost(&self.parts)) * (1 << 24) - after.tokens as i32
    }

    fn is_impartial(&self) -> bool {
        true
    }
}

input_errors! {
    /// An error in a position of one heap with a memory, or in its rules.
    Pile: PileError {
        /// A word in the place of the heap that is no number, or no word.
        NoHeap {
            /// The word.
            word: String,
        } => "no_pile",
        /// A heap that is too large.
        TooLarge {
            /// The number of its tokens.
            tokens: String,
            /// The maximum number.
            max: u64,
        } => "pile_too_large",
        /// A word after the heap that is no limit.
        NoLimit {
            /// The word.
            word: String,
        } => "no_limit",
        /// A limit of too few or too many times as many tokens as the move before.
        Times {
            /// The number in the file.
            times: u64,
        } => "no_times",
    }
}

/// Explains an error.
pub(crate) fn explain(lang: Lang, mistake: &PileError) -> Explanation {
    match mistake {
        PileError::NoHeap { word } => {
            let word = word.escape_debug().to_string();
            Explanation::new(
                match lang {
                    _ if word.is_empty() => lang.pick("no heap", "더미가 없습니다").to_owned(),
                    Lang::En => format!("`{word}` is not a number of tokens"),
                    Lang::Ko => format!("`{word}`: 돌의 개수가 아닙니다"),
                },
                lang.pick("a position is the number of tokens: `20`", "국면은 `20`처럼 돌의 개수로 적습니다"),
            )
        }
        PileError::TooLarge { tokens, max } => {
            let mut help = lang.pick(format!("{max} at most"), format!("{max}개까지입니다"));
            if *max == Pile::MAX_TOKENS {
                help += lang.pick(
                    ", where all moves are listed; a larger one is answered as a position alone, by a theorem",
                    ". 더 큰 더미는 그 국면만 따로 물으면 정리로 답합니다",
                );
            }
            let message = lang.pick(format!("a heap of {tokens} tokens"), format!("돌 {tokens}개짜리 더미입니다"));
            Explanation::new(message, help)
        }
        PileError::NoLimit { word } => {
            let word = word.escape_debug();
            lang.pick(
                Explanation::new(
                    format!("`{word}` after the heap"),
                    "after the heap stands how many tokens the next move may take, such as `14 limit=6`, and nothing else",
                ),
                Explanation::new(
                    format!("`{word}`: 더미 뒤에 올 수 없습니다"),
                    "더미 뒤에는 다음 수에 가져갈 수 있는 최대 개수만 `14 limit=6`처럼 적습니다",
                ),
            )
        }
        PileError::Times { times } => Explanation::new(
            lang.pick(format!("`times = {times}`"), format!("`times = {times}`: 범위를 벗어났습니다")),
            match lang {
                Lang::En => format!(
                    "a whole number from 1 to {}: so many times as many tokens as the move before",
                    Pile::MAX_TIMES
                ),
                Lang::Ko => format!(
                    "1부터 {}까지의 정수: 상대가 직전에 가져간 개수의 몇 배까지 가져갈 수 있는지",
                    Pile::MAX_TIMES
                ),
            },
        ),
    }
}

/// Parses the number of tokens and the limit of the next move, of at most `max` tokens.
fn parse_position(text: &str, max: u64) -> Result<Position, TextError> {
    let mut words = text.split_whitespace();
    let wrong = |word: &str, mistake: PileError| {
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        error(text, at..at + word.len(), mistake)
    };
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let heap = words.next().unwrap_or(&text[..0]);
    if !is_number(heap) {
        return Err(wrong(heap, PileError::NoHeap { word: heap.to_owned() }));
    }
    let tokens = heap.parse().ok().filter(|tokens| *tokens <= max);
    let tokens = tokens.ok_or_else(|| wrong(heap, PileError::TooLarge { tokens: heap.to_owned(), max }))?;
    let Some(word) = words.next() else { return Ok(Position::first(tokens)) };
    let limit = word.strip_prefix("limit=").filter(|limit| is_number(limit)).and_then(|limit| limit.parse().ok());
    let no_limit = |word: &str| wrong(word, PileError::NoLimit { word: word.to_owned() });
    let limit = limit.filter(|limit| *limit > 0).ok_or_else(|| no_limit(word))?;
    words.next().map_or(Ok(Position::new(tokens, limit)), |word| Err(no_limit(word)))
}

impl Notation for Pile {
    fn size(&self) -> String {
        self.start.text()
    }

    fn describe(&self, lang: Lang) -> Vec<String> {
        let times = self.times;
        lang.pick(
            vec![
                format!("Players in turn take at least one token from a heap, and at most {times} times as many as the move before."),
                "The first move takes any number but all. Whoever cannot move, as the last token is taken, loses.".to_owned(),
            ],
            vec![
                format!("번갈아 더미에서 돌을 하나 이상, 상대가 직전에 가져간 개수의 {times}배까지 가져갑니다."),
                "첫 수에는 전부만 아니면 몇 개든 가져갈 수 있습니다. 돌이 없어 가져가지 못하는 쪽이 집니다.".to_owned(),
            ],
        )
    }

    fn text(&self, position: &Position) -> String {
        position.text()
    }

    fn parse(&self, text: &str) -> Result<Position, TextError> {
        parse_position(text, self.start.tokens)
    }

    fn move_text(&self, _position: &Position, taken: u64) -> String {
        taken.to_string()
    }
}

impl FamilyGame for Pile {
    fn family(&self) -> &'static str {
        FAMILY.name
    }

    fn settings(&self) -> Vec<Setting> {
        vec![Setting::new("times", Kind::Number, self.times.to_string())]
    }
}

/// The family.
pub(crate) const FAMILY: Family = Family {
    name: "pile",
    keys: &["family", "about", "start", "times"],
    required: &["start", "times"],
    read: &read,
    presets: &[],
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PileFile {
    #[serde(rename = "family")]
    _family: String,
    about: Option<String>,
    start: Spanned<toml::Value>,
    times: Spanned<u32>,
}

/// Reads a rules file.
fn read(source: RulesSource<'_>) -> Result<RulesFile, TextError> {
    let file: PileFile = source.read()?;
    let times = u64::from(*file.times.get_ref());
    if !(1..=Pile::MAX_TIMES).contains(&times) {
        return Err(source.error(file.times.span(), PileError::Times { times }));
    }
    let start = source.as_written(&file.start);
    let position = parse_position(start.get_ref(), Pile::MAX_TOKENS).map_err(|inner| source.error_in(&start, inner))?;
    let game = Pile::from_position(times, position).expect("numbers that were allowed");
    source.rules_file(file.about, game, None, Some(&start))
}

/// The game from the heap that its file names.
impl FamilyRules for Pile {
    fn has_board(&self) -> bool {
        false
    }

    fn game_on(&self, _board: Board) -> Result<AnyGame, TextError> {
        Ok(self.clone().into())
    }

    fn game_at(&self, _board: Board, text: &str) -> Result<AnyGame, TextError> {
        let start = parse_position(text, Self::MAX_TOKENS)?;
        Ok(Self::from_position(self.times, start).expect("numbers that were allowed").into())
    }

    fn large_answer(&self, text: &str) -> Option<Result<Answer, TextError>> {
        let position = match parse_position(text, i64::MAX as u64) {
            Ok(position) => Some(position).filter(|position| position.tokens > Self::MAX_TOKENS)?,
            // Other errors are found where the game is made.
            Err(error) => {
                return text.split_whitespace().next()?.bytes().all(|byte| byte.is_ascii_digit()).then_some(Err(error));
            }
        };
        let sizes = part_sizes(self.times, position.tokens);
        let winning = position.winning_takes(self.times, &sizes).into_iter();
        let winning = winning.map(|taken| (taken.to_string(), position.after(taken, self.times).text())).collect();
        let is_lost = position.is_lost(&sizes);
        Some(Ok(Answer::by_theory(position.text(), PlayerName::BY_TURN, is_lost, winning, None)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the player to move loses, by the rules alone, for each number of tokens and each limit.
    fn lost_by_minimax(times: u64, max: u64) -> Vec<Vec<bool>> {
        let mut lost: Vec<Vec<bool>> = Vec::new();
        for tokens in 0..=max {
            let is_lost = |limit: u64| {
                !(1..=limit).any(|taken| {
                    let left = tokens - taken;
                    lost[left as usize][(taken * times).min(left) as usize]
                })
            };
            let row = (0..=tokens).map(is_lost).collect();
            lost.push(row);
        }
        lost
    }

    #[test]
    fn parts_decide_the_winner_and_the_winning_moves() {
        const MAX: u64 = 150;
        for times in 1..=7 {
            let lost = lost_by_minimax(times, MAX);
            let sizes = part_sizes(times, MAX);
            for tokens in 0..=MAX {
                for limit in 0..=tokens {
                    let position = Position::new(tokens, limit);
                    assert_eq!(
                        position.is_lost(&sizes),
                        lost[tokens as usize][limit as usize],
                        "{times}: {position:?}"
                    );
                    let winning: Vec<_> = (1..=limit)
                        .filter(|taken| {
                            let after = position.after(*taken, times);
                            lost[after.tokens as usize][after.limit as usize]
                        })
                        .collect();
                    assert_eq!(position.winning_takes(times, &sizes), winning, "{times}: {position:?}");
                }
            }
        }
    }

    #[test]
    fn first_moves_lose_from_fibonacci_numbers_and_powers_of_two() {
        assert_eq!(part_sizes(2, 100), [1, 2, 3, 5, 8, 13, 21, 34, 55, 89]);
        assert_eq!(part_sizes(1, 100), [1, 2, 4, 8, 16, 32, 64]);
        assert_eq!(part_sizes(1_000, 5), [1, 2, 3, 4, 5]);
        assert!(part_sizes(1_000, i64::MAX as u64).len() < 40_000);
        assert!([0, 1_001].iter().all(|times| Pile::new(*times, 5).is_none()));
        assert_eq!(part_sizes(2, u64::MAX).last(), Some(&12_200_160_415_121_876_738));
    }

    #[test]
    fn every_number_is_a_sum_of_parts_in_one_way() {
        for times in 1..=7 {
            let sizes = part_sizes(times, 2_000);
            for tokens in 0..=2_000 {
                let parts: Vec<_> = Position::first(tokens).parts(&sizes).collect();
                assert_eq!(parts.iter().sum::<u64>(), tokens);
                assert!(parts.windows(2).all(|pair| pair[0] > pair[1] * times), "{times}: {tokens} is {parts:?}");
            }
        }
    }
}
