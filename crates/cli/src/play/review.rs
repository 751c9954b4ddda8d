//! The review at the end of a game: the reader's first mistake.

use balpan::{Outcome, Value, Verdict};
use balpan_games::Notation;

use super::Match;
use crate::failure::CliError;
use crate::lang::lang;
use crate::words::play as words;

impl<G: Notation> Match<'_, G> {
    /// Describes the first move that gave away a better outcome; if there is none, the first that gave away plies.
    pub(super) fn review(&mut self) -> Result<String, CliError> {
        let mut turns = Vec::new();
        for ply in (self.reader..self.history.len()).step_by(2) {
            turns.push((ply, self.verdict_at(ply)?, before_move(self.verdict_at(ply + 1)?)));
        }
        let Some(&(_, at_first, _)) = turns.first() else {
            return Ok(String::new());
        };
        if let Some(&(ply, before, after)) = turns.iter().find(|(_, before, after)| after.outcome < before.outcome) {
            let (played, best) = (self.played_move(ply), self.best_move(ply)?);
            let outcomes = [before.outcome, after.outcome];
            return Ok(words::blunder(lang(), outcomes, (ply + 1, &played), (&best, before.remoteness)));
        }
        let plies = |(before, after): (Verdict, Verdict)| before.remoteness.zip(after.remoteness);
        let slip =
            turns.iter().find(|(_, before, after)| plies((*before, *after)).is_some_and(|(one, two)| one != two));
        if let Some(&(ply, before, after)) = slip
            && let Some((best_plies, taken)) = plies((before, after))
        {
            let (played, best) = (self.played_move(ply), self.best_move(ply)?);
            let won = before.outcome == Outcome::Win;
            return Ok(words::slip(lang(), won, (ply + 1, &played), (taken, &best, best_plies)));
        }
        let all_known = turns
            .iter()
            .all(|(_, before, after)| before.outcome == Outcome::Draw || plies((*before, *after)).is_some());
        let other = (at_first.outcome == Outcome::Loss).then(|| self.player(1 - self.reader));
        Ok(words::flawless(lang(), all_known, other.as_ref()))
    }

    /// Returns the verdict of the position after `ply` plies, from answers found before if possible.
    fn verdict_at(&mut self, ply: usize) -> Result<Verdict, CliError> {
        let position = self.position_at(ply);
        if self.game.is_over(position) {
            return Ok(Value::terminal(self.game.end(position)).into());
        }
        if let Some(solved) = self.solver.cached(&self.game.text(position)) {
            return Ok(solved.verdict);
        }
        // The perfect player's moves give nothing away.
        if ply % 2 == self.reader
            && let Some(before) = ply.checked_sub(1)
            && let Some(solved) = self.solver.cached(&self.game.text(self.position_at(before)))
        {
            return Ok(after_best_move(solved.verdict));
        }
        Ok(self.answer_at(ply)?.verdict)
    }

    fn played_move(&self, ply: usize) -> String {
        self.game.move_text(self.position_at(ply), self.history[ply].0)
    }

    fn best_move(&mut self, ply: usize) -> Result<String, CliError> {
        Ok(self.answer_at(ply)?.answer.best.first().cloned().unwrap_or_default())
    }
}

/// Returns the verdict of a move that leads to a position with this verdict.
fn before_move(verdict: Verdict) -> Verdict {
    Verdict { outcome: verdict.outcome.reversed(), remoteness: verdict.remoteness.map(|plies| plies + 1) }
}

/// Returns the verdict of the position that a best move leads to.
fn after_best_move(verdict: Verdict) -> Verdict {
    Verdict { outcome: verdict.outcome.reversed(), remoteness: verdict.remoteness.map(|plies| plies.saturating_sub(1)) }
}
