//! Answering the checker about games in the rules language: a strategy, position by position.

use std::collections::BTreeMap;

use balpan::{Engine, Outcome, Solver, Stopped, Value, Watch};
use balpan_check::CheckError;
use balpan_check::trusted::claim::Header;
use balpan_check::trusted::game::{Game, Move, Position, WON};
use balpan_check::trusted::strategy::{Goal, MAX_PLIES, Node, NodeClaim, NodeSearch};
use balpan_check::untrusted::answers::Answers;
use balpan_check::untrusted::meter::{Meter, STEPS_A_POSITION, Unmetered};
use balpan_games::FamilyGame;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::encode::Sink;
use crate::prove::{Progress, ProgressFn, ProveError};

/// The number of searches tried before they can be given up.
const MIN_TRIES: u32 = 64;

/// Answers by an engine, and records the answers.
pub(crate) struct StrategyProver<'p, G: FamilyGame> {
    game: &'p G,
    engine: &'p mut Engine<G>,
    /// The game as the checker states it.
    family: &'p dyn Game,
    search: NodeSearch<'p>,
    /// The positions that the checker may search for a claim.
    settle: u64,
    watch: &'p Watch,
    /// How an end is reached from each position of the strategy; empty until the first claim about that.
    plan: FxHashMap<Node, Step>,
    /// The claims met so far: a move that leads to one of them needs no other.
    met: FxHashSet<Node>,
    /// The number of searches tried, and of those that settled a claim.
    tried: [u32; 2],
    sink: Sink,
    claims: u64,
    /// The steps of the checker's searches for the claims so far.
    searched: u64,
    stopped: Option<Stopped>,
    on_progress: ProgressFn<'p>,
}

/// How an end is reached from a position.
#[derive(Clone, Copy)]
struct Step {
    plies: u32,
    /// The index of the claimer's move.
    choice: usize,
    /// The steps of the checker's search, if that shows it.
    searched: Option<u64>,
}

/// A position of a strategy that is being planned.
struct Planned {
    node: Node,
    /// The positions from which a move leads there, with the index of the move.
    parents: Vec<(u32, u32)>,
    /// The moves of the other player from which no end is reached so far.
    open: usize,
    step: Option<Step>,
}

/// The least value for the claimer with which a claim is true.
fn least_value(claim: &NodeClaim) -> Value {
    match claim.goal {
        Goal::Reach(WON) => Value::win(claim.plies),
        Goal::Reach(score) | Goal::Keep(score) => Value::from_score(score),
        Goal::Delay => Value::loss(claim.plies),
    }
}

/// The value that is just worse than the [least](least_value).
fn worse_value(claim: &NodeClaim) -> Value {
    match claim.goal {
        Goal::Reach(WON) => Value::win(claim.plies + 1),
        Goal::Reach(score) | Goal::Keep(score) => Value::from_score(score - 1),
        Goal::Delay => Value::loss(claim.plies.saturating_sub(1)),
    }
}

/// The value as the other player sees it.
fn reversed(value: Value) -> Value {
    match (value.score(), value.remoteness().unwrap_or(0)) {
        (Some(score), _) => Value::from_score(-score),
        (None, plies) if value.outcome() == Outcome::Win => Value::loss(plies),
        (None, plies) => Value::win(plies),
    }
}

impl<'p, G: FamilyGame> StrategyProver<'p, G> {
    pub(crate) fn new(
        game: &'p G,
        engine: &'p mut Engine<G>,
        header: &'p Header,
        watch: &'p Watch,
        on_progress: ProgressFn<'p>,
    ) -> Self {
        let family = &*header.game;
        Self {
            game,
            engine,
            family,
            search: NodeSearch::new(family, Meter::unlimited()),
            settle: header.settle,
            watch,
            plan: FxHashMap::default(),
            met: FxHashSet::default(),
            tried: [0; 2],
            sink: Sink::new(header.is_text),
            claims: 0,
            searched: 0,
            stopped: None,
            on_progress,
        }
    }

    /// Writes the answers of a certificate. Returns the number of claims, the bytes, and the work of checking them in positions.
    pub(crate) fn run(mut self, header: &Header) -> Result<(u64, Vec<u8>, u64), ProveError> {
        Solver::set_watch(self.engine, self.watch);
        let meter = Meter::unlimited();
        let before = meter.spent();
        let walked = balpan_check::walk_unsearched(header, &mut self, &meter);
        let work = (meter.spent().wrapping_sub(before) + self.searched) / STEPS_A_POSITION;
        match (self.stopped, walked) {
            (Some(stopped), _) => Err(stopped.into()),
            (None, Ok(claims)) => Ok((claims, self.sink.bytes(), work)),
            (None, Err(CheckError::NotProved(why))) => Err(ProveError::NotTrue(why)),
            (None, Err(CheckError::NotACertificate(why) | CheckError::TooLarge(why))) => Err(ProveError::Checker(why)),
            (None, Err(CheckError::Interrupted)) => Err(Stopped::Interrupted.into()),
        }
    }

    fn stop(&mut self, stopped: Stopped) -> CheckError {
        self.stopped = Some(stopped);
        CheckError::Interrupted
    }

    fn position(&self, at: &Position) -> Result<G::Position, CheckError> {
        let text = self.family.write(at);
        self.game.parse(&text).map_err(|_| CheckError::NotACertificate(format!("the game cannot read `{text}`")))
    }

    /// Returns whether a claim is true; without a search, if `is_known_only` says so, `None` where the engine's tables do not tell.
    fn ask(&mut self, claim: &NodeClaim, is_known_only: bool) -> Result<Option<bool>, CheckError> {
        if claim.goal == Goal::Delay && claim.plies == 0 {
            return Ok(Some(true));
        }
        let position = self.position(&claim.node.at)?;
        let is_claimer = claim.node.is_claimer;
        let threshold = if is_claimer { worse_value(claim) } else { reversed(least_value(claim)) };
        let found = if is_known_only {
            Solver::known_bounds(self.engine, &position).decide(threshold)
        } else {
            Some(Solver::test(self.engine, &position, threshold).map_err(|stopped| self.stop(stopped))?)
        };
        Ok(found.map(|value| (value > threshold) == is_claimer))
    }

    /// Whether a claim is true.
    fn is_true(&mut self, claim: &NodeClaim) -> Result<bool, CheckError> {
        Ok(self.ask(claim, false)?.unwrap_or(false))
    }

    /// Returns the first claim that the engine's tables show, or else the first that a search shows.
    fn find_true(&mut self, claims: &[(usize, NodeClaim)]) -> Result<Option<(usize, NodeClaim)>, CheckError> {
        let mut open = Vec::new();
        for (n, claim) in claims {
            match self.ask(claim, true)? {
                Some(true) => return Ok(Some((*n, *claim))),
                Some(false) => {}
                None => open.push((*n, *claim)),
            }
        }
        for (n, claim) in open {
            if self.is_true(&claim)? {
                return Ok(Some((n, claim)));
            }
        }
        Ok(None)
    }

    /// The value of a position for the claimer.
    fn value(&mut self, node: &Node) -> Result<Value, CheckError> {
        let position = self.position(&node.at)?;
        let value = Solver::value(self.engine, &position).map_err(|stopped| self.stop(stopped))?;
        Ok(if node.is_claimer { value } else { reversed(value) })
    }

    /// The number of plies within which a search of the checker's shows a claim, and the steps of the search; for a goal without
    /// plies, that number is 0.
    fn searched_plies(&mut self, claim: &NodeClaim) -> Option<(u32, u64)> {
        let [tried, settled] = self.tried;
        if self.settle == 0 || tried > MIN_TRIES && settled < tried / 50 {
            return None;
        }
        self.tried[0] += 1;
        let (from, to) =
            if matches!(claim.goal, Goal::Reach(_)) { (1, claim.plies) } else { (claim.plies, claim.plies) };
        for plies in from..=to {
            let before = self.search.meter().spent();
            match self.search.can_force(&NodeClaim { plies, ..*claim }, self.settle) {
                Ok(Some(true)) => {
                    self.tried[1] += 1;
                    return Some((plies, self.search.meter().spent().wrapping_sub(before)));
                }
                Ok(Some(false)) => {}
                _ => return None,
            }
        }
        None
    }

    /// Plans how an end is reached: finds positions from which the claimer has the goal until all moves lead to such ones, then
    /// the plies, from the ends on. A move that only keeps the goal can lead in a circle, so where play may repeat all such
    /// moves are followed.
    fn plan(&mut self, root: &NodeClaim) -> Result<(), CheckError> {
        let rules = Unmetered::new(self.family);
        let mut numbers = FxHashMap::from_iter([(root.node, 0)]);
        let first = |node| Planned { node, parents: Vec::new(), open: 0, step: None };
        let mut all = vec![first(root.node)];
        let mut levels = BTreeMap::<u32, Vec<(u32, Step)>>::new();
        let mut next = 0;
        while let Some(&Planned { node, .. }) = all.get(next) {
            self.watch.count(1).map_err(|stopped| self.stop(stopped))?;
            let claim = NodeClaim { node, goal: root.goal, plies: MAX_PLIES };
            let moves = rules.moves(&node.at);
            let step = |plies, searched| (next as u32, Step { plies, choice: 0, searched });
            let mut children: Vec<(usize, NodeClaim)> =
                moves.iter().enumerate().filter_map(|(n, mv)| Some((n, claim.after(mv).err()?))).collect();
            if node.is_claimer && moves.iter().any(|mv| claim.after(mv) == Ok(true)) {
                levels.entry(1).or_default().push(step(1, None));
                children.clear();
            } else if let Some((plies, steps)) = self.searched_plies(&claim) {
                levels.entry(plies).or_default().push(step(plies, Some(steps)));
                children.clear();
            } else if node.is_claimer {
                children = self.good_children(children, root, &numbers)?;
            } else if children.is_empty() {
                levels.entry(1).or_default().push(step(1, None));
            }
            all[next].open = children.len();
            for (mv, child) in children {
                let number = *numbers.entry(child.node).or_insert(all.len());
                if number == all.len() {
                    all.push(first(child.node));
                }
                all[number].parents.push((next as u32, mv as u32));
            }
            next += 1;
        }
        while let Some((plies, level)) = levels.pop_first() {
            for (number, step) in level {
                let Planned { step: found @ None, parents, .. } = &mut all[number as usize] else { continue };
                *found = Some(step);
                for (parent, mv) in std::mem::take(parents) {
                    let Planned { node, open, .. } = &mut all[parent as usize];
                    *open = open.saturating_sub(1);
                    if node.is_claimer || *open == 0 {
                        let step = Step { plies: plies + 1, choice: mv as usize, searched: None };
                        levels.entry(plies + 1).or_default().push((parent, step));
                    }
                }
            }
        }
        self.plan.extend(all.into_iter().filter_map(|planned| Some((planned.node, planned.step?))));
        Ok(())
    }

    /// The claimer's moves that are followed: of a game in which play may repeat, all that keep the goal; otherwise one, to a
    /// planned position if there is one, and the fastest where plies are counted.
    fn good_children(
        &mut self,
        mut children: Vec<(usize, NodeClaim)>,
        root: &NodeClaim,
        planned: &FxHashMap<Node, usize>,
    ) -> Result<Vec<(usize, NodeClaim)>, CheckError> {
        let is_counted = root.plies < MAX_PLIES;
        let may_repeat = self.game.may_repeat();
        // Where a win is all that is claimed, any number of plies will do.
        let goal = if root.goal == Goal::Reach(WON) { Goal::Reach(1) } else { root.goal };
        if is_counted && !may_repeat {
            let mut best: Option<(Value, (usize, NodeClaim))> = None;
            for child in children {
                let value = self.value(&child.1.node)?;
                if best.as_ref().is_none_or(|best| value > best.0) {
                    best = Some((value, child));
                }
            }
            return Ok(best.into_iter().map(|best| best.1).collect());
        }
        if may_repeat {
            let mut good = Vec::new();
            for (mv, child) in children {
                if self.is_true(&NodeClaim { goal, ..child })? {
                    good.push((mv, child));
                }
            }
            return Ok(good);
        }
        if let Some(known) = children.iter().find(|(_, child)| planned.contains_key(&child.node)) {
            return Ok(vec![*known]);
        }
        children.iter_mut().for_each(|(_, child)| child.goal = goal);
        let found = self.find_true(&children)?;
        Ok(found.map(|(mv, child)| (mv, NodeClaim { goal: root.goal, ..child })).into_iter().collect())
    }
}

impl<G: FamilyGame> Answers for StrategyProver<'_, G> {
    fn node(&mut self, _: &dyn Game, claim: &NodeClaim) -> Result<(u32, bool), CheckError> {
        self.claims += 1;
        if self.claims.is_multiple_of(1024) {
            (self.on_progress)(Progress::Claims(self.claims));
        }
        self.watch.count(1).map_err(|stopped| self.stop(stopped))?;
        self.met.insert(claim.node);
        let (plies, searched) = if matches!(claim.goal, Goal::Reach(_)) {
            if self.plan.is_empty() {
                self.plan(claim)?;
            }
            let step = self.plan.get(&claim.node).filter(|step| step.plies <= claim.plies);
            let step = step.ok_or_else(|| {
                CheckError::NotProved(format!("no end is reached in {}", self.family.write(&claim.node.at)))
            })?;
            (step.plies, step.searched)
        } else {
            (0, self.searched_plies(claim).map(|(_, steps)| steps))
        };
        self.searched += searched.unwrap_or(0);
        let answer = (plies, searched.is_some());
        self.sink.node(self.family, claim, answer)?;
        Ok(answer)
    }

    fn choice(&mut self, _: &dyn Game, claim: &NodeClaim, moves: &[Move]) -> Result<usize, CheckError> {
        let found = match claim.goal {
            Goal::Reach(_) => self.plan.get(&claim.node).map(|step| step.choice),
            Goal::Keep(_) | Goal::Delay => {
                let nexts = moves.iter().enumerate().filter_map(|(n, mv)| Some((n, claim.after(mv).err()?)));
                let nexts: Vec<(usize, NodeClaim)> = nexts.collect();
                let is_met = |(_, next): &&(usize, NodeClaim)| {
                    matches!(claim.goal, Goal::Keep(_)) && self.met.contains(&next.node)
                };
                let met = nexts.iter().find(is_met).copied();
                let found = if met.is_some() { met } else { self.find_true(&nexts)? };
                found.map(|(n, _)| n)
            }
        };
        let found = found.ok_or_else(|| {
            CheckError::NotProved(format!("no move keeps the claim in {}", self.family.write(&claim.node.at)))
        })?;
        self.sink.choice(self.family, moves, found)?;
        Ok(found)
    }
}
