//! Alpha-beta: minimax that does not look at what cannot matter, and remembers.

mod search;

use crate::game::{Game, usable_key_bits};
use crate::questions;
use crate::solver::Solver;
use crate::table::Table;
use crate::team::Team;
use crate::value::{Bounds, Outcome, Value};
use crate::watch::{Stopped, Watch};
use search::{Known, PAYLOAD_BITS, Search};

/// Alpha-beta with null windows: every search asks one yes-or-no question, whether
/// the value is better than so much, and its fail-soft answer bounds the value
/// better than asked. First it is asked who wins, for a moment; then whether play ends
/// soon; then who wins, however long it takes, and in how many plies.
///
/// The game's [`bounds`](Game::bounds) and a transposition table over canonical
/// positions answer what they can; [`candidates`](Game::candidates) are tried from
/// the table's best on by [`rank`](Game::rank). The table lives as long as the
/// solver, so that related positions are solved the faster.
///
/// Recursion is as deep as the game is long.
///
/// Source: D. E. Knuth and R. W. Moore, "An analysis of alpha-beta pruning",
/// Artificial Intelligence 6 (1975); null windows: J. Pearl, "Scout" (1980);
/// fail-soft: J. P. Fishburn (1983); questions that step to the value: A. Plaat et
/// al., "Best-first fixed-depth minimax algorithms", Artificial Intelligence 87
/// (1996).
#[derive(Debug)]
pub struct AlphaBeta<'a, G: Game> {
    game: &'a G,
    team: Team<'a>,
}

impl<'a, G: Game> AlphaBeta<'a, G> {
    /// A solver whose table grows to `table_bytes` at most (for the moment of
    /// growing, the old one of a quarter or half that size is there too), and that reports to
    /// `watch`. A small table costs time, never exactness.
    pub fn new(game: &'a G, table_bytes: usize, watch: &'a Watch) -> Self {
        let table = Table::new(usable_key_bits(game), PAYLOAD_BITS, table_bytes);
        Self { game, team: Team::new(table, watch, LONG) }
    }

    /// The same solver on so many threads, wherever a question takes long enough to
    /// be worth it. The values are the same, the positions searched are not.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.team.threads = threads.max(1);
        self
    }

    /// The same solver with one thread alone at each question for its first so many
    /// positions; 131,072 unless told otherwise.
    #[must_use]
    pub fn alone_for(mut self, positions: u64) -> Self {
        self.team.alone = positions;
        self
    }

    /// Whether the position is worth more than `asked`: a lower bound that is more,
    /// or an upper bound that is not.
    fn ask(&mut self, position: &G::Position, asked: Value) -> Result<Value, Stopped> {
        let game = self.game;
        self.team.ask(|round, leads| Search::new(game, round, leads).run(position, asked))
    }

    /// The answer if it takes one thread no more than so many positions, or a few more.
    fn ask_within(&mut self, position: &G::Position, asked: Value, positions: u64) -> Result<Option<Value>, Stopped> {
        let game = self.game;
        self.team.ask_within(1, positions, |round, leads| Search::new(game, round, leads).run(position, asked))
    }

    /// The value if the table knows it, as it does of what was asked before.
    fn value_if_known(&self, position: &G::Position) -> Option<Value> {
        let Bounds { lower, upper } = self.remembered(position)?;
        (lower == upper).then_some(lower)
    }

    /// What the table knows of the value.
    fn remembered(&self, position: &G::Position) -> Option<Bounds> {
        if usable_key_bits(self.game) == 0 || !self.game.is_memorable(position) {
            return None;
        }
        let place = self.team.table.place(self.game.key(&self.game.canonical(position)));
        Some(Known::unpacked(self.team.table.get(place)?).bounds)
    }

    /// What bounds the value closely if play ends soon and that is quickly found: a
    /// lower bound that is a win, or an upper bound that is a loss.
    ///
    /// A search for any win can lose itself in long ones, a search for a short one
    /// cannot; and the answer "not so soon" narrows what comes after.
    fn bound_if_soon(&mut self, position: &G::Position) -> Result<Option<Value>, Stopped> {
        let outcome = self.ask_within(position, Value::DRAW, AT_ONCE)?.map(Value::outcome);
        for (plies, positions) in SOON {
            let later = Value::win(plies + 1);
            if outcome.is_none_or(|outcome| outcome == Outcome::Win) {
                let answer = self.ask_within(position, later, positions)?;
                if answer.is_some_and(|answer| answer > later) {
                    return Ok(answer);
                }
            }
            let sooner = Value::loss(plies);
            if outcome.is_none_or(|outcome| outcome == Outcome::Loss) {
                let answer = self.ask_within(position, sooner, positions)?;
                if answer.is_some_and(|answer| answer <= sooner) {
                    return Ok(answer);
                }
            }
        }
        Ok(None)
    }
}

/// Who wins is asked first, if so many positions tell.
const AT_ONCE: u64 = 1 << 7;

/// Then whether play ends within so many plies, if so many positions tell.
const SOON: [(u32, u64); 3] = [(7, 1 << 10), (13, 1 << 13), (19, 1 << 15)];

/// A question that takes more positions is worth starting threads.
const LONG: u64 = 1 << 17;

impl<G: Game> Solver<G> for AlphaBeta<'_, G> {
    fn value(&mut self, position: &G::Position) -> Result<Value, Stopped> {
        if let Some(value) = self.value_if_known(position) {
            return Ok(value);
        }
        match self.bound_if_soon(position)? {
            Some(value) => questions::narrowed(value, |asked| self.ask(position, asked)),
            None => questions::value(|asked| self.ask(position, asked)),
        }
    }

    fn outcome(&mut self, position: &G::Position) -> Result<Outcome, Stopped> {
        questions::outcome(|asked| self.ask(position, asked))
    }

    fn known(&self, position: &G::Position) -> Bounds {
        if self.game.is_over(position) {
            return Bounds::exactly(Value::ended(self.game.end(position)));
        }
        self.remembered(position).unwrap_or(Bounds::ANY)
    }

    fn positions_searched(&self) -> u64 {
        self.team.positions
    }
}
