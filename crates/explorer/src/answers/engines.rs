//! A pool of engines that are kept between questions, so that what an engine learns from one position serves the next
//! one of the same game, whichever client asks.

use balpan::Budget;
use balpan_games::{AnyGame, Board, EngineOptions, TextEngine};
use balpan_strong::Tablebase;

use super::{Limits, Query};

/// The identity of a game: its rules, and the board of its positions.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct GameKey {
    rules: String,
    board: Option<Board>,
}

impl GameKey {
    pub(super) fn new(query: &Query) -> Self {
        Self { rules: query.rules.text.clone(), board: query.game.board() }
    }
}

/// The queues: the fast one for a first short try, the slow one for what takes longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Queue {
    Fast,
    Slow,
}

/// An engine for a game: idle in the pool, or leased to a worker.
pub(super) struct PooledEngine {
    game_key: GameKey,
    /// `None` until the engine is created.
    engine: Option<Box<dyn TextEngine>>,
    /// Whether the engine has the budget for hard questions. A game has one such engine at a time.
    pub(super) is_large: bool,
    budget: usize,
    /// Bytes that the engine may take during its lease.
    cost: u64,
}

impl PooledEngine {
    /// Whether the engine is not created yet.
    pub(super) fn is_new(&self) -> bool {
        self.engine.is_none()
    }

    /// Drops the engine, of which a search was aborted.
    #[cfg(feature = "server")]
    pub(super) fn drop_engine(&mut self) {
        self.engine = None;
    }

    fn bytes(&self) -> u64 {
        self.engine.as_ref().map_or(0, |engine| engine.bytes())
    }

    /// Returns the engine, which is created if there is none.
    pub(super) fn engine(&mut self, query: &Query, tablebase: &Tablebase) -> &mut dyn TextEngine {
        let budget = Budget { memory: self.budget, threads: 1 };
        &mut **self.engine.get_or_insert_with(|| engine(query, budget, tablebase))
    }
}

/// Creates an engine for all positions of the board, or else for those that play reaches from the query's position.
fn engine(query: &Query, budget: Budget, tablebase: &Tablebase) -> Box<dyn TextEngine> {
    let make = |game: &AnyGame| {
        let known = tablebase.find(&query.rules, game);
        EngineOptions { oracle: known, ..EngineOptions::new(budget) }.text_engine(game)
    };
    let whole = match query.game.board() {
        Some(board) => query.rules.with_board(&board.to_string()).ok().and_then(|rules| rules.game().ok()),
        None => query.rules.game().ok(),
    };
    let whole = whole.map(|game| make(&game)).filter(|engine| engine.reads(&query.position));
    whole.unwrap_or_else(|| make(&query.game))
}

/// Idle engines that are kept at most: they are searched one by one.
const MAX_IDLE: usize = 64;

/// Idle small engines that are kept for one game.
const MAX_SMALL_PER_GAME: usize = 4;

/// The engines, bounded in bytes. A leased engine counts as what it may take, an idle one as what it takes.
pub(super) struct EnginePool {
    /// The most recently used engine is the last.
    idle: Vec<PooledEngine>,
    leased: u64,
    leased_small: u64,
    max_bytes: u64,
    /// The budget of a large engine, and the largest budget of a small one.
    large: usize,
    small: usize,
}

impl EnginePool {
    /// Half of the bytes are for hard questions, a quarter for easy ones; idle engines may take what these do not need.
    /// The bytes are two thirds of [`Limits::memory`], since a growing table briefly takes half as much again.
    pub(super) fn new(limits: &Limits) -> Self {
        let max_bytes = limits.memory / 3 * 2;
        let (large, small) = (max_bytes / 2 / limits.running.max(1), max_bytes / 8);
        Self { idle: Vec::new(), leased: 0, leased_small: 0, max_bytes: max_bytes as u64, large, small }
    }

    /// Whether the game has an idle engine.
    #[cfg(feature = "server")]
    pub(super) fn has_idle(&self, game_key: &GameKey) -> bool {
        self.idle.iter().any(|idle| idle.game_key == *game_key)
    }

    /// Leases the game's engine with the largest tables. A hard question gets a large engine; the caller has checked that
    /// no worker uses it. Also returns the engines that make room for it, to be dropped without the lock.
    pub(super) fn acquire(
        &mut self,
        game_key: &GameKey,
        query: &Query,
        queue: Queue,
    ) -> (PooledEngine, Vec<PooledEngine>) {
        let fits = |idle: &PooledEngine| {
            (queue == Queue::Fast || idle.is_large)
                && idle.game_key == *game_key
                && idle.engine.as_ref().is_some_and(|engine| engine.reads(&query.position))
        };
        let found = (0..self.idle.len()).filter(|n| fits(&self.idle[*n]));
        let mut leased = match found.max_by_key(|n| (self.idle[*n].is_large, self.idle[*n].bytes())) {
            Some(n) => self.idle.remove(n),
            None => PooledEngine {
                game_key: game_key.clone(),
                engine: None,
                is_large: queue == Queue::Slow,
                budget: self.budget(queue),
                cost: 0,
            },
        };
        let (bytes, budget) = (leased.bytes(), leased.budget as u64);
        leased.cost = match queue {
            // In the short time of an easy question, an engine that is not new does not grow much.
            Queue::Fast if !leased.is_new() => (bytes + self.max_bytes / 64).min(budget).max(bytes),
            Queue::Fast | Queue::Slow => bytes.max(budget),
        };
        self.leased += leased.cost;
        if !leased.is_large {
            self.leased_small += leased.cost;
        }
        (leased, self.make_room())
    }

    /// The budget of a new engine in bytes: the less, the more small engines are in use.
    fn budget(&self, queue: Queue) -> usize {
        let left = (self.max_bytes / 4).saturating_sub(self.leased_small) as usize;
        match queue {
            Queue::Fast => self.small.min(left / 2).max(self.small / 32),
            Queue::Slow => self.large,
        }
    }

    /// Returns an engine to the pool. Returns the engines that make room for it, to be dropped without the lock.
    pub(super) fn release(&mut self, returned: PooledEngine) -> Vec<PooledEngine> {
        self.leased -= returned.cost;
        if !returned.is_large {
            self.leased_small -= returned.cost;
        }
        let mut dropped = Vec::new();
        let like = |idle: &PooledEngine| idle.is_large == returned.is_large && idle.game_key == returned.game_key;
        let max_alike = if returned.is_large { 1 } else { MAX_SMALL_PER_GAME };
        if !returned.is_new()
            && self.idle.iter().filter(|idle| like(idle)).count() >= max_alike
            && let Some(first) = self.idle.iter().position(like)
        {
            dropped.push(self.idle.remove(first));
        }
        // An engine that was created while many were in use has little room for its tables.
        let is_kept = !returned.is_new() && (returned.is_large || returned.budget >= self.small);
        if is_kept { &mut self.idle } else { &mut dropped }.push(returned);
        dropped.extend(self.make_room());
        dropped
    }

    /// Evicts the least recently used engines until the bounds hold.
    fn make_room(&mut self) -> Vec<PooledEngine> {
        let mut bytes: u64 = self.idle.iter().map(PooledEngine::bytes).sum();
        let mut first = 0;
        while first < self.idle.len() && (bytes + self.leased > self.max_bytes || self.idle.len() - first > MAX_IDLE) {
            bytes -= self.idle[first].bytes();
            first += 1;
        }
        self.idle.drain(..first).collect()
    }

    #[cfg(test)]
    pub(super) fn idle(&self) -> usize {
        self.idle.len()
    }

    /// Returns the bytes of the idle engines, and those that the leased ones may take.
    #[cfg(feature = "server")]
    pub(super) fn bytes(&self) -> (u64, u64) {
        (self.idle.iter().map(PooledEngine::bytes).sum(), self.leased)
    }
}
