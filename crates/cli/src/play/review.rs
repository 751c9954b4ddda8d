//! What the reader could have done better.

use balpan::{Outcome, Value, Verdict};
use balpan_games::Notation;

use super::Match;
use crate::failure::Failure;
use crate::lang::lang;
use crate::words::play as words;

impl<G: Notation> Match<'_, G> {
    /// The first move at which the reader gave away a better outcome, or else plies; in a
    /// sentence.
    pub(super) fn review(&mut self) -> Result<String, Failure> {
        let mut turns = Vec::new();
        for ply in (self.reader..self.history.len()).step_by(2) {
            turns.push((ply, self.worth(ply)?, back(self.worth(ply + 1)?)));
        }
        let Some(&(_, at_first, _)) = turns.first() else {
            return Ok(String::new());
        };
        if let Some(&(ply, before, after)) = turns.iter().find(|(_, before, after)| after.outcome < before.outcome) {
            let (made, right) = (self.made(ply), self.right(ply)?);
            let outcomes = [before.outcome, after.outcome];
            return Ok(words::given_away(lang(), outcomes, (ply + 1, &made), (&right, before.remoteness)));
        }
        let plies = |(before, after): (Verdict, Verdict)| before.remoteness.zip(after.remoteness);
        let slip =
            turns.iter().find(|(_, before, after)| plies((*before, *after)).is_some_and(|(one, two)| one != two));
        if let Some(&(ply, before, after)) = slip
            && let Some((best, taken)) = plies((before, after))
        {
            let (made, right) = (self.made(ply), self.right(ply)?);
            let won = before.outcome == Outcome::Win;
            return Ok(words::slip(lang(), won, (ply + 1, &made), (taken, &right, best)));
        }
        let all_known = turns
            .iter()
            .all(|(_, before, after)| before.outcome == Outcome::Draw || plies((*before, *after)).is_some());
        let other = (at_first.outcome == Outcome::Loss).then(|| self.player(1 - self.reader));
        Ok(words::flawless(lang(), all_known, other.as_ref()))
    }

    /// What the position after `ply` plies is worth, by what is known already if it is.
    fn worth(&mut self, ply: usize) -> Result<Verdict, Failure> {
        let position = self.position_at(ply);
        if self.game.is_over(position) {
            return Ok(Value::terminal(self.game.end(position)).into());
        }
        if let Some(answer) = self.oracle.known(&self.game.text(position)) {
            return Ok(answer.verdict);
        }
        // Where the perfect player has moved, nothing was given away.
        if ply % 2 == self.reader
            && let Some(before) = ply.checked_sub(1)
            && let Some(answer) = self.oracle.known(&self.game.text(self.position_at(before)))
        {
            return Ok(ahead(answer.verdict));
        }
        Ok(self.answer_at(ply)?.verdict)
    }

    fn made(&self, ply: usize) -> String {
        self.game.move_text(self.position_at(ply), self.history[ply].0)
    }

    fn right(&mut self, ply: usize) -> Result<String, Failure> {
        Ok(self.answer_at(ply)?.answer.best.first().cloned().unwrap_or_default())
    }
}

/// What a move is worth that leads to a position of this worth.
fn back(verdict: Verdict) -> Verdict {
    Verdict { outcome: verdict.outcome.reversed(), remoteness: verdict.remoteness.map(|plies| plies + 1) }
}

/// What a position is worth that a best move leads to from one of this worth.
fn ahead(verdict: Verdict) -> Verdict {
    Verdict { outcome: verdict.outcome.reversed(), remoteness: verdict.remoteness.map(|plies| plies.saturating_sub(1)) }
}
