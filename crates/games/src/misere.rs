//! Sums of impartial misère games.

use balpan::{MAX_PLIES, Outcome, Stopped, TooLong, Watch, with_stack_for};
use balpan_cgt::quotient::{MisereSearch, Parts, QuotientError, Sum};
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::any::{AnyGame, Task};
use crate::heaps::Code;
use crate::notation::Notation;

/// The parts of positions of impartial misère games, and their names.
#[derive(Clone, Debug)]
pub struct MisereParts {
    /// The parts, with their options.
    pub parts: Parts,
    /// The name of each part: a heap's size, or a position's text.
    pub names: Vec<String>,
    /// The games' starts, as sums of parts.
    pub games: Vec<Sum>,
}

/// An error in the analysis of misère games.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MisereError {
    /// The game of this index is not impartial under misère play.
    #[error("not impartial, or not by the misère convention")]
    NotMisere(usize),
    /// Play can reach more than this many parts.
    #[error("play can come to more than {0} parts")]
    TooMany(usize),
    /// The parts have more than this many moves together.
    #[error("the parts that play can come to have more than {0} moves")]
    TooManyMoves(usize),
    /// Play may last longer than the search follows it.
    #[error(transparent)]
    TooLong(#[from] TooLong),
    /// The [`Watch`] stopped the search.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The quotient is too large, or infinite.
    #[error(transparent)]
    Quotient(#[from] QuotientError),
}

/// Collects parts, numbered so that the parts of the options come first.
struct PartCollector {
    options: Vec<Vec<Sum>>,
    names: Vec<String>,
    max_parts: usize,
    /// Moves of all parts, unfinished ones included.
    moves: usize,
    max_moves: usize,
}

/// Moves of all parts together.
const MAX_MOVES: usize = 4_000_000;

/// Bytes of an option: a list with an allocation of its own.
const MOVE_BYTES: usize = 64;

/// Bytes of a part with its name, without its options.
const PART_BYTES: usize = 256;

impl MisereParts {
    /// Collects the parts of these games from their starts: at most `max_parts`, in about `memory` bytes.
    ///
    /// # Errors
    /// [`MisereError`], except [`MisereError::Quotient`].
    pub fn from_games(games: &[AnyGame], max_parts: usize, memory: usize, watch: &Watch) -> Result<Self, MisereError> {
        let mut collector = PartCollector::new(max_parts, memory);
        let games = collector.collect(games, false, watch)?.into_iter().map(|game| game.sum).collect();
        let PartCollector { options, names, .. } = collector;
        Ok(Self { parts: Parts::new(options), names, games })
    }

    /// Returns the heaps of 1 to `largest` tokens of a game of heaps.
    #[must_use]
    pub fn from_heaps(code: &Code, largest: u16) -> Self {
        let heaps = |heaps: [u64; 3]| -> Sum {
            let mut sum: Sum = heaps.into_iter().filter(|heap| *heap > 0).map(|heap| heap as u32 - 1).collect();
            sum.sort_unstable();
            sum
        };
        let options = (1..=largest).map(|heap| code.options(heap.into()).map(heaps).collect()).collect();
        let names = (1..=largest).map(|heap| heap.to_string()).collect();
        Self { parts: Parts::new(options), names, games: (0..u32::from(largest)).map(|heap| vec![heap]).collect() }
    }
}

impl PartCollector {
    /// Creates a collector of at most `max_parts` parts in about `memory` bytes.
    fn new(max_parts: usize, memory: usize) -> Self {
        let (max_parts, max_moves) =
            (max_parts.min(memory / 4 / PART_BYTES).max(1), MAX_MOVES.min(memory / 4 * 3 / MOVE_BYTES).max(1));
        Self { options: Vec::new(), names: Vec::new(), max_parts, moves: 0, max_moves }
    }

    /// Collects the parts of the games' starts, and of the positions after their moves if `moves` is set.
    fn collect<'g>(
        &mut self,
        games: impl IntoIterator<Item = &'g AnyGame>,
        moves: bool,
        watch: &Watch,
    ) -> Result<Vec<CollectedGame>, MisereError> {
        let collect = |(number, game): (usize, &AnyGame)| {
            if !game.is_misere_sum() {
                return Err(MisereError::NotMisere(number));
            }
            game.run(CollectGame { collector: self, number, watch, moves })
        };
        games.into_iter().enumerate().map(collect).collect()
    }

    fn sum<G: Notation>(
        &mut self,
        game: &G,
        position: &G::Position,
        known: &mut FxHashMap<G::Position, u32>,
        context: (usize, &Watch),
    ) -> Result<Sum, MisereError> {
        let mut parts = Vec::new();
        if game.is_impartial_misere() {
            game.split(position, &mut parts);
        } else {
            parts.push(game.canonical(position));
        }
        let mut sum = Vec::new();
        for part in parts {
            if let Some(part) = self.part(game, &part, known, context)? {
                sum.push(part);
            }
        }
        sum.sort_unstable();
        Ok(sum)
    }

    /// Returns the number of a part; `None` if it has no moves, as it then changes nothing in a sum.
    fn part<G: Notation>(
        &mut self,
        game: &G,
        part: &G::Position,
        known: &mut FxHashMap<G::Position, u32>,
        context: (usize, &Watch),
    ) -> Result<Option<u32>, MisereError> {
        let (number, watch) = context;
        if game.is_over(part) {
            let is_won = game.end_value(part).outcome() == Outcome::Win;
            return if is_won { Ok(None) } else { Err(MisereError::NotMisere(number)) };
        }
        if let Some(&known) = known.get(part) {
            return Ok(Some(known));
        }
        watch.count(1)?;
        let mut options = Vec::new();
        for mv in game.moves(part) {
            self.moves += 1;
            if self.moves > self.max_moves {
                return Err(MisereError::TooManyMoves(self.max_moves));
            }
            options.push(self.sum(game, &game.play(part, mv), known, context)?);
        }
        if self.options.len() >= self.max_parts {
            return Err(MisereError::TooMany(self.max_parts));
        }
        let number = self.options.len() as u32;
        self.options.push(options);
        self.names.push(game.text(part));
        known.insert(part.clone(), number);
        Ok(Some(number))
    }
}

/// The report on a sum of misère games. The JSON field names are part of the command's contract.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MisereSumReport {
    /// The components.
    pub sum: Vec<MisereGame>,
    /// `win` or `loss`, for the player to move.
    pub outcome: &'static str,
    /// The winner: `first player` or `second player`.
    pub winner: &'static str,
    /// The winning moves, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<MisereMove>>,
    /// The number of sums searched.
    pub positions_searched: u64,
    /// The elapsed time in seconds.
    pub seconds: f64,
}

/// A component of a misère sum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MisereGame {
    /// The name of the game.
    pub game: String,
    /// Its position.
    pub position: String,
}

/// A winning move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MisereMove {
    /// The component it is in, from 1.
    pub component: usize,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The component's position after the move.
    pub position: String,
}

/// Parts of a sum. More take too long.
pub const MAX_PARTS: usize = 200_000;

impl MisereSumReport {
    /// Finds the outcome of the sum of these named games from their starts, and the winning moves if `moves` is set,
    /// in about `memory` bytes.
    ///
    /// # Errors
    /// [`MisereError`] if a game is not impartial and misère or has too many positions, or `watch` stops the search.
    pub fn find(games: &[(String, AnyGame)], moves: bool, memory: usize, watch: &Watch) -> Result<Self, MisereError> {
        // The positions after a move consist of the same parts, so those of each game are collected once.
        let mut collector = PartCollector::new(MAX_PARTS, memory / 2);
        let collected = collector.collect(games.iter().map(|(_, game)| game), moves, watch)?;
        let parts = Parts::new(collector.options);
        let plies = collected.iter().map(|game| game.plies).sum();
        TooLong::check_plies(plies)?;
        with_stack_for(Some(plies), || {
            let mut search = MisereSearch::new(&parts, memory / 2, watch);
            let sum_without = |skip: Option<usize>| -> Sum {
                let others = collected.iter().enumerate().filter(|(number, _)| Some(*number) != skip);
                let mut sum: Sum = others.flat_map(|(_, game)| &game.sum).copied().collect();
                sum.sort_unstable();
                sum
            };
            let is_lost = search.is_p_position(&sum_without(None))?;
            let mut winning = Vec::new();
            for (number, game) in collected.iter().enumerate() {
                let others = sum_without(Some(number));
                for (mv, position, sum) in &game.moves {
                    let mut whole = [&others[..], sum].concat();
                    whole.sort_unstable();
                    if search.is_p_position(&whole)? {
                        winning.push(MisereMove { component: number + 1, mv: mv.clone(), position: position.clone() });
                    }
                }
            }
            let component = |((name, _), game): (&(String, AnyGame), &CollectedGame)| MisereGame {
                game: name.clone(),
                position: game.start.clone(),
            };
            Ok(Self {
                sum: games.iter().zip(&collected).map(component).collect(),
                outcome: if is_lost { "loss" } else { "win" },
                winner: if is_lost { "second player" } else { "first player" },
                moves: moves.then_some(winning),
                positions_searched: search.positions(),
                seconds: 0.0,
            })
        })
    }
}

/// A game whose parts have been collected.
struct CollectedGame {
    /// The text of the start.
    start: String,
    /// The most plies that the game can last.
    plies: u32,
    /// The start as a sum of parts.
    sum: Sum,
    /// The moves, each with the position after it, as text and as a sum of parts.
    moves: Vec<(String, String, Sum)>,
}

struct CollectGame<'c> {
    collector: &'c mut PartCollector,
    number: usize,
    watch: &'c Watch,
    moves: bool,
}

impl Task for CollectGame<'_> {
    type Output = Result<CollectedGame, MisereError>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let Self { collector, number, watch, moves } = self;
        let (mut known, start) = (FxHashMap::default(), game.start());
        TooLong::check(game, &start)?;
        let layer = game.layer(&start);
        let mut sum_of = |position: &G::Position| {
            with_stack_for(layer, || collector.sum(game, position, &mut known, (number, watch)))
        };
        let sum = sum_of(&start)?;
        let mut moves_after = Vec::new();
        if moves {
            for mv in game.moves(&start) {
                let after = game.play(&start, mv);
                moves_after.push((game.move_text(&start, mv), game.text(&after), sum_of(&after)?));
            }
        }
        let plies = layer.unwrap_or(MAX_PLIES);
        Ok(CollectedGame { start: game.text(&start), plies, sum, moves: moves_after })
    }
}
