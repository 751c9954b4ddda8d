//! Answers of the engine about the checker's positions.

use std::sync::Arc;

use balpan::{Engine, EngineError, Nimbers, Outcome, Solver, Stopped, Value, Watch};
use balpan_check::CheckError;
use balpan_check::trusted::claim::Guarantee;
use balpan_check::trusted::game::{Game as CheckedGame, Position};
use balpan_check::untrusted::notation::Degree;
use balpan_games::{Checked, FamilyGame};

/// A source of exact results about the checker's positions. A stopped search is an error that ends the checker's walk.
pub(crate) trait ResultSource {
    /// Whether the player who is not to move can force the result `sure`, if a search of at most `positions` positions finds
    /// it; `None` otherwise.
    fn can_force_within(&mut self, at: &Position, sure: Guarantee, positions: u64) -> Result<Option<bool>, CheckError>;

    /// The same, if it is known without a search.
    fn known_can_force(&mut self, at: &Position, sure: Guarantee) -> Option<bool>;

    /// Searches for a move after which the player to move can force `then`. The solver tries the
    /// most promising moves first, and remembers what it finds.
    fn search_move(&mut self, at: &Position, then: Guarantee) -> Result<(), CheckError>;

    /// The nimber of a part, if it is known without a search.
    fn known_nimber(&mut self, part: &Position) -> Option<u32>;

    /// Whether a part has this nimber, if that is known without a search.
    fn known_has_nimber(&mut self, part: &Position, nimber: u32) -> Option<bool>;

    /// Whether a part has this nimber.
    fn has_nimber(&mut self, part: &Position, nimber: u32) -> Result<bool, CheckError>;

    /// Searches a position that has another nimber again, and so finds a move to this nimber, or
    /// its own nimber if that is smaller. The solver remembers what it finds, as far as it has
    /// room.
    fn search_again(&mut self, at: &Position, nimber: u32) -> Result<(), CheckError>;

    /// Takes why a search was stopped, if one was.
    fn take_stop(&mut self) -> Option<Stopped>;
}

/// The upper bound of the value for the player to move where the other one can force `sure`; `None`
/// for a trivial or an impossible guarantee.
fn max_value(sure: Guarantee) -> Option<Value> {
    Some(match sure.degree()? {
        Degree::WinWithin(plies) => Value::loss(plies),
        Degree::Win => Value::BELOW_DRAW,
        Degree::Draw => Value::DRAW,
        Degree::NoLossBefore(plies) => Value::win(plies),
    })
}

/// An engine, as a source of results about the checker's positions.
pub(crate) struct EngineSource<'e, G: FamilyGame> {
    pub(crate) engine: &'e mut Engine<G>,
    /// The game as the checker states it.
    pub(crate) checked: &'e dyn Checked<Position = G::Position>,
    pub(crate) family: &'e dyn CheckedGame,
    /// The root of the proof, and the watch of nimber searches.
    pub(crate) root: G::Position,
    pub(crate) watch: &'e Watch,
    /// The solver of positions in which the checker has moves elsewhere.
    pub(crate) domino_solver: Option<Box<dyn Solver<[u128; 2]>>>,
    /// Why a search was stopped, if one was.
    pub(crate) stopped: Option<Stopped>,
}

impl<G: FamilyGame> EngineSource<'_, G> {
    fn nimbers(&mut self) -> Result<&mut Nimbers<Arc<G>>, Stopped> {
        match self.engine.nimber_solver(&self.root, self.watch) {
            Ok(nimbers) => Ok(nimbers),
            // The root's nimber was found before: no other error is possible.
            Err(EngineError::Stopped(stopped)) => Err(stopped),
            Err(_) => Err(Stopped::Interrupted),
        }
    }

    fn set_watch(&mut self, watch: &Watch) {
        match &mut self.domino_solver {
            Some(domino_solver) => domino_solver.set_watch(watch),
            None => Solver::set_watch(self.engine, watch),
        }
    }

    fn position(&self, at: &Position) -> G::Position {
        let by_words = self.checked.position_from_words([at.0, at.1]);
        // In the language they have the same text.
        let by_text = || self.engine.game().parse(&self.family.write(at)).ok();
        by_words.or_else(by_text).unwrap_or_else(|| self.root.clone())
    }

    /// Splits a part as the solver does: the nimbers of the results add up to that of the part.
    fn parts(&self, part: &Position) -> Vec<G::Position> {
        let game = self.engine.game();
        let mut parts = Vec::new();
        game.split(&self.position(part), &mut parts);
        parts
    }

    fn stop(&mut self, stopped: Stopped) -> CheckError {
        self.stopped = Some(stopped);
        CheckError::Interrupted
    }

    /// Whether the player who is not to move can force the result `sure`.
    fn can_force(&mut self, at: &Position, sure: Guarantee) -> Result<bool, Stopped> {
        let Some(max_value) = max_value(sure) else { return Ok(sure.is_nothing()) };
        if let (Some(domino_solver), Some(Degree::Win)) = (&mut self.domino_solver, sure.degree()) {
            return Ok(domino_solver.outcome(&[at.0, at.1])? == Outcome::Loss);
        }
        let position = self.position(at);
        Ok(Solver::test(self.engine, &position, max_value)? <= max_value)
    }
}

impl<G: FamilyGame> ResultSource for EngineSource<'_, G> {
    fn can_force_within(&mut self, at: &Position, sure: Guarantee, positions: u64) -> Result<Option<bool>, CheckError> {
        let part = self.watch.child(positions);
        self.set_watch(&part);
        let can_force = self.can_force(at, sure);
        self.set_watch(self.watch);
        match can_force {
            Ok(can_force) => Ok(Some(can_force)),
            Err(stopped) if self.watch.is_stopping() => Err(self.stop(stopped)),
            Err(_) => Ok(None),
        }
    }

    fn known_can_force(&mut self, at: &Position, sure: Guarantee) -> Option<bool> {
        let max_value = max_value(sure)?;
        if let (Some(domino_solver), Some(Degree::Win)) = (&mut self.domino_solver, sure.degree()) {
            return domino_solver.known_bounds(&[at.0, at.1]).outcome().map(|outcome| outcome == Outcome::Loss);
        }
        let position = self.position(at);
        Solver::known_bounds(self.engine, &position).decide(max_value).map(|bound| bound <= max_value)
    }

    fn search_move(&mut self, at: &Position, then: Guarantee) -> Result<(), CheckError> {
        let threshold = match then.degree() {
            None => return Ok(()),
            Some(Degree::Win) => Value::DRAW,
            Some(Degree::Draw) => Value::BELOW_DRAW,
            Some(Degree::WinWithin(plies)) => Value::win(plies + 2),
            Some(Degree::NoLossBefore(plies)) => Value::loss(plies),
        };
        let position = self.position(at);
        let searched = match (&mut self.domino_solver, then.degree()) {
            (Some(domino_solver), Some(Degree::Win)) => domino_solver.outcome(&[at.0, at.1]).map(drop),
            _ => Solver::test(self.engine, &position, threshold).map(drop),
        };
        searched.map_err(|stopped| self.stop(stopped))
    }

    fn known_nimber(&mut self, part: &Position) -> Option<u32> {
        let position = self.position(part);
        self.nimbers().ok()?.known_nimber(&position)
    }

    fn known_has_nimber(&mut self, part: &Position, nimber: u32) -> Option<bool> {
        let parts = self.parts(part);
        let nimbers = self.nimbers().ok()?;
        match &parts[..] {
            [] => Some(nimber == 0),
            [part] => nimbers.knows(part, nimber),
            [first, others @ ..] => {
                let rest = others.iter().try_fold(nimber, |rest, part| Some(rest ^ nimbers.known_nimber(part)?))?;
                nimbers.knows(first, rest)
            }
        }
    }

    fn has_nimber(&mut self, part: &Position, nimber: u32) -> Result<bool, CheckError> {
        let parts = self.parts(part);
        let Some((first, others)) = parts.split_first() else { return Ok(nimber == 0) };
        let found = self.nimbers().and_then(|nimbers| {
            let rest = others.iter().try_fold(nimber, |rest, part| Ok(rest ^ nimbers.nimber(part)?))?;
            nimbers.has(first, rest)
        });
        found.map_err(|stopped| self.stop(stopped))
    }

    fn search_again(&mut self, at: &Position, nimber: u32) -> Result<(), CheckError> {
        let parts = self.parts(at);
        let nimbers = match self.nimbers() {
            Ok(nimbers) => nimbers,
            Err(stopped) => return Err(self.stop(stopped)),
        };
        let known: Vec<Option<u32>> = parts.iter().map(|part| nimbers.known_nimber(part)).collect();
        let sum = known.iter().flatten().fold(nimber, |sum, known| sum ^ known);
        let unknown: Vec<usize> = (0..parts.len()).filter(|n| known[*n].is_none()).collect();
        // A move changes one part only: the one with the unknown nimber, or one whose nimber it
        // lowers.
        let changed = match unknown[..] {
            [] => known.iter().position(|known| known.is_some_and(|known| known ^ sum < known)),
            [one] => Some(one),
            _ => None,
        };
        let searched = changed.map_or(Ok(()), |n| nimbers.search_again(&parts[n], sum ^ known[n].unwrap_or(0)));
        searched.map_err(|stopped| self.stop(stopped))
    }

    fn take_stop(&mut self) -> Option<Stopped> {
        self.stopped.take()
    }
}
