//! Answers of the engine about the checker's positions.

use std::sync::Arc;

use balpan::{Engine, EngineError, Nimbers, Outcome, Solver, Stopped, Value, Watch};
use balpan_check::trusted::claim::Guarantee;
use balpan_check::trusted::game::Position;
use balpan_check::untrusted::notation::Degree;

use crate::positions::Positions;

/// Somebody who knows the truth about positions.
pub(crate) trait Know {
    /// Whether the player who is not to move can force the result `sure`.
    fn is_sure(&mut self, at: &Position, sure: Guarantee) -> Result<bool, Stopped>;

    /// The same, if that takes at most `positions` positions to find out.
    fn is_sure_within(&mut self, at: &Position, sure: Guarantee, positions: u64) -> Result<Option<bool>, Stopped>;

    /// The same, if it is known without a search.
    fn knows_sure(&mut self, at: &Position, sure: Guarantee) -> Option<bool>;

    /// Has the solver find out that the player to move has a move after which that player can force `then`. It
    /// tries the best ones first, and those that matter alone, and remembers what it finds.
    fn find(&mut self, at: &Position, then: Guarantee) -> Result<(), Stopped>;

    /// The nimber of a part, if it is known without a search.
    fn known(&mut self, part: &Position) -> Option<u32>;

    /// Whether a part has this nimber, if that is known without a search.
    fn knows(&mut self, part: &Position, nimber: u32) -> Option<bool>;

    /// Whether a part has this nimber.
    fn has(&mut self, part: &Position, nimber: u32) -> Result<bool, Stopped>;

    /// Has the solver search a position that has not this nimber again, and so find a move that leaves the
    /// nimber, or its own if that is smaller. It remembers what it finds, as far as it has room.
    fn search_again(&mut self, at: &Position, nimber: u32) -> Result<(), Stopped>;
}

/// The most that a position is worth to the player to move, where the other one can force `sure`;
/// `None` for more or less than can be.
fn most(sure: Guarantee) -> Option<Value> {
    Some(match sure.degree()? {
        Degree::WinWithin(plies) => Value::loss(plies),
        Degree::Win => Value::BELOW_DRAW,
        Degree::Draw => Value::DRAW,
        Degree::NoLossBefore(plies) => Value::win(plies),
    })
}

/// An engine that is asked about the checker's positions.
pub(crate) struct AskedEngine<'e, G: Positions> {
    pub(crate) engine: &'e mut Engine<G>,
    /// The largest position, and who is told how far its nimbers are.
    pub(crate) root: G::Position,
    pub(crate) watch: &'e Watch,
    /// Who knows who wins where the checker has moves elsewhere.
    pub(crate) contests: Option<Box<dyn Solver<Position>>>,
}

impl<G: Positions> AskedEngine<'_, G> {
    fn nimbers(&mut self) -> Result<&mut Nimbers<Arc<G>>, Stopped> {
        match self.engine.nimber_solver(&self.root, self.watch) {
            Ok(nimbers) => Ok(nimbers),
            // The root's nimber was found before.
            Err(EngineError::Stopped(stopped)) => Err(stopped),
            Err(_) => Err(Stopped::Interrupted),
        }
    }

    fn set_watch(&mut self, watch: &Watch) {
        match &mut self.contests {
            Some(contests) => contests.set_watch(watch),
            None => Solver::set_watch(self.engine, watch),
        }
    }

    /// What the solver makes of a part: parts whose nimbers add up to its own.
    fn parts(&self, part: &Position) -> Vec<G::Position> {
        let game = self.engine.game();
        let mut parts = Vec::new();
        game.split(&game.position_in(part), &mut parts);
        parts
    }
}

impl<G: Positions> Know for AskedEngine<'_, G> {
    fn is_sure(&mut self, at: &Position, sure: Guarantee) -> Result<bool, Stopped> {
        let Some(most) = most(sure) else { return Ok(sure.is_nothing()) };
        if let (Some(contests), Some(Degree::Win)) = (&mut self.contests, sure.degree()) {
            return Ok(contests.outcome(at)? == Outcome::Loss);
        }
        let position = self.engine.game().position_in(at);
        Ok(Solver::test(self.engine, &position, most)? <= most)
    }

    fn is_sure_within(&mut self, at: &Position, sure: Guarantee, positions: u64) -> Result<Option<bool>, Stopped> {
        let part = self.watch.child(positions);
        self.set_watch(&part);
        let is_sure = self.is_sure(at, sure);
        self.set_watch(self.watch);
        match is_sure {
            Ok(is_sure) => Ok(Some(is_sure)),
            Err(stopped) if self.watch.is_stopping() => Err(stopped),
            Err(_) => Ok(None),
        }
    }

    fn knows_sure(&mut self, at: &Position, sure: Guarantee) -> Option<bool> {
        let most = most(sure)?;
        if let (Some(contests), Some(Degree::Win)) = (&mut self.contests, sure.degree()) {
            return contests.known_bounds(at).outcome().map(|outcome| outcome == Outcome::Loss);
        }
        let position = self.engine.game().position_in(at);
        Solver::known_bounds(self.engine, &position).decide(most).map(|bound| bound <= most)
    }

    fn find(&mut self, at: &Position, then: Guarantee) -> Result<(), Stopped> {
        let asked = match then.degree() {
            None => return Ok(()),
            Some(Degree::Win) => Value::DRAW,
            Some(Degree::Draw) => Value::BELOW_DRAW,
            Some(Degree::WinWithin(plies)) => Value::win(plies + 2),
            Some(Degree::NoLossBefore(plies)) => Value::loss(plies),
        };
        if let (Some(contests), Some(Degree::Win)) = (&mut self.contests, then.degree()) {
            return contests.outcome(at).map(|_| ());
        }
        let position = self.engine.game().position_in(at);
        Solver::test(self.engine, &position, asked).map(|_| ())
    }

    fn known(&mut self, part: &Position) -> Option<u32> {
        let position = self.engine.game().position_in(part);
        self.nimbers().ok()?.known(&position)
    }

    fn knows(&mut self, part: &Position, nimber: u32) -> Option<bool> {
        let parts = self.parts(part);
        let nimbers = self.nimbers().ok()?;
        match &parts[..] {
            [] => Some(nimber == 0),
            [part] => nimbers.knows(part, nimber),
            [first, others @ ..] => {
                let rest = others.iter().try_fold(nimber, |rest, part| Some(rest ^ nimbers.known(part)?))?;
                nimbers.knows(first, rest)
            }
        }
    }

    fn has(&mut self, part: &Position, nimber: u32) -> Result<bool, Stopped> {
        let parts = self.parts(part);
        let nimbers = self.nimbers()?;
        let Some((first, others)) = parts.split_first() else { return Ok(nimber == 0) };
        let rest = others.iter().try_fold(nimber, |rest, part| Ok(rest ^ nimbers.nimber(part)?))?;
        nimbers.has(first, rest)
    }

    fn search_again(&mut self, at: &Position, nimber: u32) -> Result<(), Stopped> {
        let parts = self.parts(at);
        let nimbers = self.nimbers()?;
        let known: Vec<Option<u32>> = parts.iter().map(|part| nimbers.known(part)).collect();
        let sum = known.iter().flatten().fold(nimber, |sum, known| sum ^ known);
        let unknown: Vec<usize> = (0..parts.len()).filter(|n| known[*n].is_none()).collect();
        // A move changes one part alone: the one that is not known, or one whose nimber it lowers.
        let changed = match unknown[..] {
            [] => known.iter().position(|known| known.is_some_and(|known| known ^ sum < known)),
            [one] => Some(one),
            _ => None,
        };
        match changed {
            Some(n) => nimbers.search_again(&parts[n], sum ^ known[n].unwrap_or(0)),
            None => Ok(()),
        }
    }
}
