//! Random games, exhaustive values of their positions, and a referee of claims.

#![allow(dead_code, reason = "not every test file uses all of it")]

pub(crate) mod chance;
pub(crate) mod liar;
pub(crate) mod mutation;
pub(crate) mod referee;

use std::collections::HashMap;

use balpan::{Budget, Minimax, Outcome, Solver, SplitMix, Value, Watch};
use balpan_check::trusted::claim::Header;
use balpan_check::trusted::game::Position;
use balpan_games::{AnyGame, EngineOptions, FamilyGame, RulesFile, Task};
use balpan_prove::{Certificate, ClaimKind, Improve, Plan, ProveError, prove};

/// A game whose positions the checker reads, too.
pub(crate) trait Positions: FamilyGame {
    fn position_in(&self, at: &Position) -> Self::Position {
        self.checked().unwrap().position_from_words([at.0, at.1]).unwrap()
    }

    fn for_checker(&self, position: &Self::Position) -> String {
        self.checked().unwrap().checker_text(position)
    }
}

impl<G: FamilyGame> Positions for G {}

/// A random element.
pub(crate) fn one<'a, T: ?Sized>(random: &mut SplitMix, of: &[&'a T]) -> &'a T {
    of[random.below(of.len())]
}

/// True with this probability in percent.
pub(crate) fn chance(random: &mut SplitMix, percent: usize) -> bool {
    random.below(100) < percent
}

/// Proves by an engine with little memory.
pub(crate) fn prove_small(game: &AnyGame, position: &str, plan: Plan) -> Result<Certificate, ProveError> {
    let make = EngineOptions::new(Budget { memory: 1 << 22, threads: 1 });
    prove(game, "test", Some(position), plan, make, &Watch::default(), &mut |_| Improve::No)
}

/// Plays random moves to the end and returns the text of that position.
struct PlayToEnd<'r>(&'r mut SplitMix);

impl Task for PlayToEnd<'_> {
    type Output = String;

    fn run<G: Positions>(self, game: &G) -> String {
        let mut position = game.start();
        loop {
            let moves: Vec<_> = game.moves(&position).collect();
            if moves.is_empty() {
                return game.text(&position);
            }
            position = game.play(&position, moves[self.0.below(moves.len())]);
        }
    }
}

/// The head of a certificate of the game, about a position in which play has ended.
pub(crate) fn header(game: &AnyGame, random: &mut SplitMix) -> Header {
    let ended = game.run(PlayToEnd(random));
    let plan = Plan { what: ClaimKind::Outcome, settle: None, is_text: true };
    let certificate = prove_small(game, &ended, plan).unwrap_or_else(|e| panic!("{ended}: {e}"));
    balpan_check::parse(&certificate.bytes).unwrap_or_else(|e| panic!("{ended}: {e:?}")).0
}

/// Values and nimbers by exhaustive search.
pub(crate) struct Exhaustive<'g, G: Positions> {
    game: &'g G,
    values: HashMap<G::Position, Value>,
    nimbers: HashMap<G::Position, u32>,
    /// The largest number of positions to visit.
    max_positions: usize,
}

impl<'g, G: Positions> Exhaustive<'g, G> {
    pub(crate) fn new(game: &'g G, max_positions: usize) -> Self {
        Self { game, values: HashMap::new(), nimbers: HashMap::new(), max_positions }
    }

    /// The value, unless too many positions follow.
    pub(crate) fn value(&mut self, position: &G::Position) -> Option<Value> {
        if let Ok(value) = Minimax::new(self.game, &Watch::with_limit(5_000)).value(position) {
            return Some(value);
        }
        self.memoized_value(position)
    }

    /// Minimax with a memory, for few positions that are met often.
    fn memoized_value(&mut self, position: &G::Position) -> Option<Value> {
        if let Some(&value) = self.values.get(position) {
            return Some(value);
        }
        if self.values.len() >= self.max_positions {
            return None;
        }
        let mut best = None;
        for mv in self.game.moves(position) {
            best = best.max(Some(self.memoized_value(&self.game.play(position, mv))?.to_parent()));
        }
        let value = best.unwrap_or_else(|| Value::terminal(self.game.end(position)));
        self.values.insert(position.clone(), value);
        Some(value)
    }

    /// The least nimber that no move leads to.
    pub(crate) fn nimber(&mut self, position: &G::Position) -> Option<u32> {
        if let Some(&nimber) = self.nimbers.get(position) {
            return Some(nimber);
        }
        if self.nimbers.len() >= self.max_positions {
            return None;
        }
        let mut met = Vec::new();
        for mv in self.game.moves(position) {
            met.push(self.nimber(&self.game.play(position, mv))?);
        }
        let nimber = (0..).find(|nimber| !met.contains(nimber))?;
        self.nimbers.insert(position.clone(), nimber);
        Some(nimber)
    }
}

/// 1 for a win, 0 for a draw, -1 for a loss.
pub(crate) fn sign(outcome: Outcome) -> i32 {
    match outcome {
        Outcome::Win => 1,
        Outcome::Draw => 0,
        Outcome::Loss => -1,
    }
}

/// Parses a game's rules and a start; `None` if they do not fit.
pub(crate) fn game_at(rules: &str, start: &str) -> Option<AnyGame> {
    RulesFile::parse("test", rules).ok()?.game_at(start).ok()
}
