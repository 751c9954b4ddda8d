//! Misère games as parts: sums of them, and their quotients.

use balpan::quotient::{MisereSearch, Parts, QuotientError, Sum};
use balpan::{MAX_PLIES, Outcome, Stopped, TooLong, Watch, with_stack_for};
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::any::{AnyGame, Task};
use crate::heaps::Code;
use crate::lines::Marks;
use crate::notation::Notation;

/// Parts that play of some misère games can come to, and what they are called.
#[derive(Clone, Debug)]
pub struct MisereParts {
    /// The parts, each with what it can be made into.
    pub parts: Parts,
    /// What each is called: a heap's size, or a position's text.
    pub names: Vec<String>,
    /// The games that were asked about, each as a sum of parts.
    pub games: Vec<Sum>,
}

/// Why misère games have no such parts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MisereError {
    /// The game of this number, from 0, is not one by the misère convention in which both players have the same
    /// moves.
    #[error("not impartial, or not by the misère convention")]
    NotMisere(usize),
    /// Play can come to too many.
    #[error("play can come to more than {0} parts")]
    TooMany(usize),
    /// They have too many moves together.
    #[error("the parts that play can come to have more than {0} moves")]
    TooManyMoves(usize),
    /// Play may last longer than it is followed.
    #[error(transparent)]
    TooLong(#[from] TooLong),
    /// The watch said so.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The quotient is too large, or has no end.
    #[error(transparent)]
    Quotient(#[from] QuotientError),
}

/// Whether both players have the same moves, and who cannot move wins.
#[must_use]
pub fn is_misere(game: &AnyGame) -> bool {
    struct IsMisere;

    impl Task for IsMisere {
        type Output = bool;

        fn run<G: Notation>(self, game: &G) -> bool {
            game.is_impartial_misere()
        }
    }

    match game {
        // Who makes a line loses, and no board is full without one: else play might end in a draw, which is found out.
        AnyGame::Lines(game) => game.rules().marks == Marks::Shared && game.rules().misere,
        game => game.run(IsMisere),
    }
}

/// Parts by what they are, numbered so that what comes of a part is before it.
struct Collector {
    options: Vec<Vec<Sum>>,
    names: Vec<String>,
    most: usize,
    /// Moves of all parts, those that are not finished included.
    moves: usize,
    most_moves: usize,
}

/// The most moves of all parts together.
const MAX_MOVES: usize = 4_000_000;

/// Bytes of what a move leaves: a list with a block of its own.
const MOVE_BYTES: usize = 64;

/// Bytes of a part with its text, its moves left out.
const PART_BYTES: usize = 256;

impl MisereParts {
    /// Those of these games, each from its start: at most `most`, in about `memory` bytes.
    ///
    /// # Errors
    /// [`MisereError`], as it says.
    pub fn from_games(games: &[AnyGame], most: usize, memory: usize, watch: &Watch) -> Result<Self, MisereError> {
        let mut collector = Collector::new(most, memory);
        let mut sums = Vec::new();
        for (number, game) in games.iter().enumerate() {
            if !is_misere(game) {
                return Err(MisereError::NotMisere(number));
            }
            sums.push(game.run(Collect { collector: &mut collector, number, watch })?);
        }
        let Collector { options, names, .. } = collector;
        Ok(Self { parts: Parts::new(options), names, games: sums })
    }

    /// Heaps of 1 to `largest` tokens by a code.
    #[must_use]
    pub fn from_heaps(code: &Code, largest: u16) -> Self {
        let heaps = |heaps: [u16; 2]| -> Sum {
            let mut sum: Sum = heaps.into_iter().filter(|heap| *heap > 0).map(|heap| u32::from(heap) - 1).collect();
            sum.sort_unstable();
            sum
        };
        let options = (1..=largest).map(|heap| code.options(heap).map(heaps).collect()).collect();
        let names = (1..=largest).map(|heap| heap.to_string()).collect();
        Self { parts: Parts::new(options), names, games: (0..u32::from(largest)).map(|heap| vec![heap]).collect() }
    }
}

struct Collect<'c> {
    collector: &'c mut Collector,
    number: usize,
    watch: &'c Watch,
}

impl Task for Collect<'_> {
    type Output = Result<Sum, MisereError>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let (mut known, start) = (FxHashMap::default(), game.start());
        TooLong::check(game, &start)?;
        with_stack_for(game.layer(&start), || self.collector.sum(game, &start, &mut known, (self.number, self.watch)))
    }
}

impl Collector {
    /// At most `most` parts, in about `memory` bytes.
    fn new(most: usize, memory: usize) -> Self {
        let (most, most_moves) =
            (most.min(memory / 4 / PART_BYTES).max(1), MAX_MOVES.min(memory / 4 * 3 / MOVE_BYTES).max(1));
        Self { options: Vec::new(), names: Vec::new(), most, moves: 0, most_moves }
    }

    fn sum<G: Notation>(
        &mut self,
        game: &G,
        position: &G::Position,
        known: &mut FxHashMap<G::Position, u32>,
        asked: (usize, &Watch),
    ) -> Result<Sum, MisereError> {
        let mut parts = Vec::new();
        if game.is_impartial_misere() {
            game.split(position, &mut parts);
        } else {
            parts.push(game.canonical(position));
        }
        let mut sum = Vec::new();
        for part in parts {
            if let Some(part) = self.part(game, &part, known, asked)? {
                sum.push(part);
            }
        }
        sum.sort_unstable();
        Ok(sum)
    }

    /// The number of a part; `None` of one without a move, which is nothing.
    fn part<G: Notation>(
        &mut self,
        game: &G,
        part: &G::Position,
        known: &mut FxHashMap<G::Position, u32>,
        asked: (usize, &Watch),
    ) -> Result<Option<u32>, MisereError> {
        let (number, watch) = asked;
        if game.is_over(part) {
            let is_won = game.end(part) == Outcome::Win;
            return if is_won { Ok(None) } else { Err(MisereError::NotMisere(number)) };
        }
        if let Some(&known) = known.get(part) {
            return Ok(Some(known));
        }
        watch.count(1)?;
        let mut options = Vec::new();
        for mv in game.moves(part) {
            self.moves += 1;
            if self.moves > self.most_moves {
                return Err(MisereError::TooManyMoves(self.most_moves));
            }
            options.push(self.sum(game, &game.play(part, mv), known, asked)?);
        }
        if self.options.len() >= self.most {
            return Err(MisereError::TooMany(self.most));
        }
        let number = self.options.len() as u32;
        self.options.push(options);
        self.names.push(game.text(part));
        known.insert(part.clone(), number);
        Ok(Some(number))
    }
}

/// Who wins a sum of misère games. As JSON, the field names are part of the command's contract.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MisereSumReport {
    /// The games, by name, each with its position.
    pub sum: Vec<MisereGame>,
    /// `win` or `loss`, for the player to move.
    pub outcome: &'static str,
    /// Who wins.
    pub winner: &'static str,
    /// The moves that win, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<MisereMove>>,
    /// How many sums were searched.
    pub positions_searched: u64,
    /// And how long it took.
    pub seconds: f64,
}

/// A game of a misère sum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MisereGame {
    /// What it is called.
    pub game: String,
    /// Its position.
    pub position: String,
}

/// A move that wins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MisereMove {
    /// Which game it is in, from 1.
    pub component: usize,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// What it leaves of that game.
    pub position: String,
}

/// Parts of a sum, at most: what is more takes too long.
pub const MAX_PARTS: usize = 200_000;

impl MisereSumReport {
    /// Adds up misère games of these names, each from its start; and if they are asked for, finds the moves that win.
    /// It takes about `memory` bytes.
    ///
    /// # Errors
    /// [`MisereError`] if one of them is no such game, has too many positions, or `watch` says to stop.
    pub fn find(games: &[(String, AnyGame)], moves: bool, memory: usize, watch: &Watch) -> Result<Self, MisereError> {
        // What a move leaves is made of the same parts: of each game they are collected once.
        let mut collector = Collector::new(MAX_PARTS, memory / 2);
        let mut sums = Vec::new();
        for (number, (_, game)) in games.iter().enumerate() {
            if !is_misere(game) {
                return Err(MisereError::NotMisere(number));
            }
            sums.push(game.run(WithMoves { collector: &mut collector, number, watch, moves })?);
        }
        let parts = Parts::new(collector.options);
        let plies = games.iter().map(|(_, game)| game.run(Plies)).sum();
        TooLong::check_plies(plies)?;
        with_stack_for(Some(plies), || Self::played(games, &sums, &parts, moves, memory / 2, watch))
    }

    /// Who wins the sum of these games, of which each is a sum of parts, and so is what its moves leave.
    fn played(
        games: &[(String, AnyGame)],
        sums: &[(Sum, Vec<Left>)],
        parts: &Parts,
        moves: bool,
        memory: usize,
        watch: &Watch,
    ) -> Result<Self, MisereError> {
        let mut play = MisereSearch::new(parts, memory, watch);
        let together = |skip: Option<usize>| -> Sum {
            let mut sum: Sum = sums
                .iter()
                .enumerate()
                .filter(|(at, _)| Some(*at) != skip)
                .flat_map(|(_, (sum, _))| sum)
                .copied()
                .collect();
            sum.sort_unstable();
            sum
        };
        let is_lost = play.is_p_position(&together(None))?;
        let mut winning = Vec::new();
        for (number, (_, left)) in sums.iter().enumerate() {
            let others = together(Some(number));
            for (mv, position, sum) in left {
                let mut whole = [&others[..], sum].concat();
                whole.sort_unstable();
                if play.is_p_position(&whole)? {
                    winning.push(MisereMove { component: number + 1, mv: mv.clone(), position: position.clone() });
                }
            }
        }
        let named = |(name, game): &(String, AnyGame)| MisereGame { game: name.clone(), position: game.run(Starts) };
        Ok(Self {
            sum: games.iter().map(named).collect(),
            outcome: if is_lost { "loss" } else { "win" },
            winner: if is_lost { "second player" } else { "first player" },
            moves: moves.then_some(winning),
            positions_searched: play.positions(),
            seconds: 0.0,
        })
    }
}

/// The text of a game's start.
struct Starts;

impl Task for Starts {
    type Output = String;

    fn run<G: Notation>(self, game: &G) -> String {
        game.text(&game.start())
    }
}

/// The most plies that a game can take.
struct Plies;

impl Task for Plies {
    type Output = u32;

    fn run<G: Notation>(self, game: &G) -> u32 {
        game.layer(&game.start()).unwrap_or(MAX_PLIES)
    }
}

/// A move, the position that it leaves, and the parts which that is the sum of.
type Left = (String, String, Sum);

/// The sum of parts that a game's start is, and its moves with what they leave.
struct WithMoves<'c> {
    collector: &'c mut Collector,
    number: usize,
    watch: &'c Watch,
    moves: bool,
}

impl Task for WithMoves<'_> {
    type Output = Result<(Sum, Vec<Left>), MisereError>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let Self { collector, number, watch, moves } = self;
        let (mut known, start) = (FxHashMap::default(), game.start());
        TooLong::check(game, &start)?;
        let plies = game.layer(&start);
        let sum = with_stack_for(plies, || collector.sum(game, &start, &mut known, (number, watch)))?;
        let mut left = Vec::new();
        if moves {
            for mv in game.moves(&start) {
                let after = game.play(&start, mv);
                let sum = with_stack_for(plies, || collector.sum(game, &after, &mut known, (number, watch)))?;
                left.push((game.move_text(&start, mv), game.text(&after), sum));
            }
        }
        Ok((sum, left))
    }
}
