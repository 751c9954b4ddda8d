//! Engines that are kept between questions: what one position has taught an engine serves the
//! next one of the same game, whoever asks.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use balpan::Budget;
use balpan_games::{AnyGame, Board, MakeEngine, TextEngine};
use balpan_strong::Tablebase;

use super::{Asked, Limits};

/// A game: its rules, and the board that its positions are on.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct House {
    /// First, since most differ in it.
    hash: u64,
    rules: Arc<str>,
    board: Option<Board>,
}

impl House {
    pub(super) fn of(asked: &Asked) -> Self {
        let mut hasher = DefaultHasher::new();
        asked.rules.text.hash(&mut hasher);
        let board = asked.game.board();
        board.map(|board| (board.rows(), board.cols())).hash(&mut hasher);
        Self { hash: hasher.finish(), rules: asked.rules.text.as_str().into(), board }
    }
}

/// For what an engine is lent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lane {
    Quick,
    Slow,
}

/// An engine on loan. What it has learnt is kept when it is given back.
pub(super) struct Loan {
    house: House,
    /// `None`: it is still to be made.
    engine: Option<Box<dyn TextEngine>>,
    /// Of those that hard questions are asked; a game has one at a time.
    pub(super) is_large: bool,
    budget: usize,
    /// Bytes that it may take while it is lent.
    cost: u64,
    tablebase: Tablebase,
}

impl Loan {
    /// Whether the engine is still to be made.
    pub(super) fn is_new(&self) -> bool {
        self.engine.is_none()
    }

    /// The engine, which is made if there was none.
    pub(super) fn engine(&mut self, asked: &Asked) -> &mut dyn TextEngine {
        let budget = Budget { memory: self.budget, threads: 1 };
        &mut **self.engine.get_or_insert_with(|| engine(asked, budget, &self.tablebase))
    }
}

/// An engine for all positions of the board, or at least for the one that is asked of.
fn engine(asked: &Asked, budget: Budget, tablebase: &Tablebase) -> Box<dyn TextEngine> {
    let make = |game: &AnyGame| {
        let known = tablebase.find(&asked.rules, game);
        game.run(MakeEngine { known, ..MakeEngine::within(budget) })
    };
    let whole = match asked.game.board() {
        Some(board) => asked.rules.on_board(&board.to_string()).ok().and_then(|rules| rules.game().ok()),
        None => asked.rules.game().ok(),
    };
    let whole = whole.map(|game| make(&game)).filter(|engine| engine.reads(&asked.position));
    whole.unwrap_or_else(|| make(&asked.game))
}

/// One that nobody has on loan.
struct Idle {
    house: House,
    engine: Box<dyn TextEngine>,
    is_large: bool,
    budget: usize,
}

/// The engines, within a bound of bytes: those lent count as what they may take, those that
/// are not as what they do take.
pub(super) struct Engines {
    /// The one asked last at the end.
    idle: Vec<Idle>,
    lent: u64,
    lent_small: u64,
    most: u64,
    /// The budget of a large engine, and the largest of a small one.
    large: usize,
    small: usize,
    tablebase: Tablebase,
}

/// Engines that are dropped, by whoever holds no lock.
#[derive(Default)]
pub(super) struct Dropped {
    _engines: Vec<Idle>,
}

/// Engines that are looked through, however little they take.
const MOST_IDLE: usize = 64;

/// Small engines of one game that are kept.
const OF_A_GAME: usize = 4;

impl Engines {
    /// Half of the memory is for hard questions, a quarter for quick ones; what they do not
    /// need is for engines that wait. For the moment that a table grows, it takes half as
    /// much again.
    pub(super) fn new(limits: &Limits) -> Self {
        let most = limits.memory / 3 * 2;
        let (large, small) = (most / 2 / limits.running.max(1), most / 8);
        Self {
            idle: Vec::new(),
            lent: 0,
            lent_small: 0,
            most: most as u64,
            large,
            small,
            tablebase: limits.tablebase.clone(),
        }
    }

    /// Whether an engine of the game waits.
    pub(super) fn has_idle(&self, house: &House) -> bool {
        self.idle.iter().any(|idle| idle.house == *house)
    }

    /// Lends the game's engine that knows most: for a hard question a large one, to whoever
    /// has checked that nobody has it. And what had to make room for it.
    pub(super) fn lend(&mut self, house: &House, asked: &Asked, lane: Lane) -> (Loan, Dropped) {
        let fits = |idle: &Idle| {
            (lane == Lane::Quick || idle.is_large) && idle.house == *house && idle.engine.reads(&asked.position)
        };
        let found = (0..self.idle.len()).filter(|n| fits(&self.idle[*n]));
        let found = found.max_by_key(|n| (self.idle[*n].is_large, self.idle[*n].engine.bytes()));
        let found = found.map(|n| self.idle.remove(n));
        let is_large = lane == Lane::Slow || found.as_ref().is_some_and(|idle| idle.is_large);
        let budget = found.as_ref().map_or_else(|| self.budget(lane), |idle| idle.budget);
        let bytes = found.as_ref().map_or(0, |idle| idle.engine.bytes());
        let cost = match lane {
            // In a moment, one that is not new does not learn much.
            Lane::Quick if found.is_some() => (bytes + self.most / 64).min(budget as u64).max(bytes),
            Lane::Quick => budget as u64,
            Lane::Slow => bytes.max(budget as u64),
        };
        self.lent += cost;
        if !is_large {
            self.lent_small += cost;
        }
        let engine = found.map(|idle| idle.engine);
        let tablebase = self.tablebase.clone();
        (Loan { house: house.clone(), engine, is_large, budget, cost, tablebase }, self.make_room())
    }

    /// Bytes for an engine that is made: less where many are asked at a time.
    fn budget(&self, lane: Lane) -> usize {
        let left = (self.most / 4).saturating_sub(self.lent_small) as usize;
        match lane {
            Lane::Quick => self.small.min(left / 2).max(self.small / 32),
            Lane::Slow => self.large,
        }
    }

    /// Takes one back. And what has to make room for it.
    pub(super) fn take_back(&mut self, loan: Loan) -> Dropped {
        let Loan { house, engine, is_large, budget, cost, .. } = loan;
        self.lent -= cost;
        if !is_large {
            self.lent_small -= cost;
        }
        let Some(engine) = engine else {
            return Dropped::default();
        };
        let back = Idle { house, engine, is_large, budget };
        let like = |idle: &Idle| idle.is_large == is_large && idle.house == back.house;
        let most = if is_large { 1 } else { OF_A_GAME };
        let mut dropped = Vec::new();
        if self.idle.iter().filter(|idle| like(idle)).count() >= most
            && let Some(first) = self.idle.iter().position(like)
        {
            dropped.push(self.idle.remove(first));
        }
        // One that was made while many were asked has little room to learn in.
        if is_large || budget >= self.small {
            self.idle.push(back)
        } else {
            dropped.push(back)
        }
        dropped.extend(self.make_room()._engines);
        Dropped { _engines: dropped }
    }

    /// Takes out those that were asked longest ago, until all take as little as they may.
    fn make_room(&mut self) -> Dropped {
        let mut bytes: u64 = self.idle.iter().map(|idle| idle.engine.bytes()).sum();
        let mut first = 0;
        while first < self.idle.len() && (bytes + self.lent > self.most || self.idle.len() - first > MOST_IDLE) {
            bytes -= self.idle[first].engine.bytes();
            first += 1;
        }
        Dropped { _engines: self.idle.drain(..first).collect() }
    }

    #[cfg(test)]
    pub(super) fn idle(&self) -> usize {
        self.idle.len()
    }

    #[cfg(test)]
    pub(super) fn bytes(&self) -> (u64, u64) {
        (self.idle.iter().map(|idle| idle.engine.bytes()).sum(), self.lent)
    }
}
