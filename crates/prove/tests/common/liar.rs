//! An adversary that answers the checker's questions so as to be believed.

use std::collections::HashMap;

use balpan::SplitMix;
use balpan_check::CheckError;
use balpan_check::trusted::claim::Guarantee;
use balpan_check::trusted::game::{Game, Move, Position};
use balpan_check::trusted::nimber::NimberClaims;
use balpan_check::trusted::play::EndgameSearch;
use balpan_check::untrusted::answers::{Answers, Method, Question, Refutation};
use balpan_check::untrusted::meter::{Meter, Unmetered};

use super::chance;

/// Answers by the checker's own rules, so that errors in them are exploited, and some percent of
/// the time at random.
pub(crate) struct Liar<'f> {
    family: &'f dyn Game,
    search: EndgameSearch<'f>,
    nimbers: HashMap<Position, u32>,
    random: SplitMix,
    /// The percentage of random answers.
    random_percent: usize,
    /// The percentage of claims left to the checker's search.
    search_percent: usize,
    /// The number of answers left.
    answers_left: u32,
}

/// The largest number of positions of a search, or whose nimbers are found.
const MAX_POSITIONS: u64 = 200;

impl<'f> Liar<'f> {
    pub(crate) fn new(family: &'f dyn Game, seed: u64) -> Self {
        let mut random = SplitMix(seed);
        let [random_percent, search_percent] = [[0, 5, 50][random.below(3)], [0, 20, 100][random.below(3)]];
        Self {
            family,
            search: EndgameSearch::new(family, Meter::unlimited()),
            nimbers: HashMap::new(),
            random,
            random_percent,
            search_percent,
            answers_left: 400,
        }
    }

    fn count_answer(&mut self) -> Result<(), CheckError> {
        self.answers_left =
            self.answers_left.checked_sub(1).ok_or_else(|| CheckError::NotProved("no more lies".into()))?;
        Ok(())
    }

    fn is_wild(&mut self) -> bool {
        chance(&mut self.random, self.random_percent)
    }

    /// The nimber by the checker's own moves, if it is found within the limit.
    fn nimber_of(&mut self, at: &Position) -> Option<u32> {
        if let Some(&nimber) = self.nimbers.get(at) {
            return Some(nimber);
        }
        if self.nimbers.len() as u64 >= MAX_POSITIONS {
            return None;
        }
        let mut met = Vec::new();
        for mv in &Unmetered::new(self.family).moves(at) {
            met.push(self.nimber_of(&mv.after)?);
        }
        let nimber = (0..).find(|nimber| !met.contains(nimber))?;
        self.nimbers.insert(*at, nimber);
        Some(nimber)
    }
}

impl Answers for Liar<'_> {
    fn method(&mut self, at: &Position, sure: Guarantee) -> Result<Method, CheckError> {
        self.count_answer()?;
        if chance(&mut self.random, self.search_percent) {
            return Ok(Method::Search);
        }
        let lines = self.family.open_lines(at).filter(|_| sure <= Guarantee::DRAW);
        if let Some(lines) = lines.filter(|_| chance(&mut self.random, 30)) {
            // A pair for each line by itself; some pairs share a cell.
            let mut pairs: Vec<(usize, usize)> = Vec::new();
            for line in lines {
                let cells: Vec<usize> = (0..128).filter(|cell| line >> cell & 1 == 1).collect();
                let free = |cell: &&usize| pairs.iter().all(|(a, b)| a != *cell && b != *cell);
                let free: Vec<usize> = cells.iter().filter(free).copied().collect();
                match (&free[..], &cells[..]) {
                    ([a, .., b], _) => pairs.push((*a, *b)),
                    (_, [a, .., b]) if self.is_wild() => pairs.push((*a, *b)),
                    (_, [a]) if self.is_wild() => pairs.push((*a, *a)),
                    _ => {}
                }
            }
            return Ok(Method::Pairs(pairs));
        }
        Ok(Method::Moves)
    }

    fn reply(&mut self, question: &Question<'_>) -> Result<usize, CheckError> {
        self.count_answer()?;
        if question.replies.is_empty() {
            return Err(CheckError::NotProved("no reply".into()));
        }
        let then = question.guarantee.after_a_ply();
        if !self.is_wild() {
            for (n, reply) in question.replies.iter().enumerate() {
                if reply.end.is_none() && self.search.can_force(&reply.after, then, MAX_POSITIONS) == Ok(Some(true)) {
                    return Ok(n);
                }
                // In impartial games, nimbers decide who wins.
                if question.mv.is_none()
                    && self.nimber_of(&reply.after) == Some(0)
                    && Unmetered::new(self.family).parts(question.at).is_some()
                {
                    return Ok(n);
                }
            }
        }
        Ok(self.random.below(question.replies.len()))
    }

    fn part(&mut self, _: &Position, _: u32, _: &mut NimberClaims<'_>) -> Result<(), CheckError> {
        self.count_answer()
    }

    fn refutation(
        &mut self,
        nimber: u32,
        option: &Move,
        replies: &[Move],
        _: &mut NimberClaims<'_>,
    ) -> Result<Refutation, CheckError> {
        if !self.is_wild() {
            if let Some(value) = self.nimber_of(&option.after).filter(|value| *value < nimber) {
                return Ok(Refutation::Has(value));
            }
            if let Some(reply) = replies.iter().position(|reply| self.nimber_of(&reply.after) == Some(nimber)) {
                return Ok(Refutation::Reply(reply));
            }
        }
        Ok(match replies.len() {
            0 => Refutation::Has(self.random.below(6) as u32),
            _ if chance(&mut self.random, 40) => Refutation::Has(self.random.below(6) as u32),
            replies => Refutation::Reply(self.random.below(replies)),
        })
    }

    fn nimber(&mut self, part: &Position) -> Result<u32, CheckError> {
        let is_wild = self.is_wild();
        let known = self.nimber_of(part).filter(|_| !is_wild);
        Ok(known.unwrap_or_else(|| self.random.below(6) as u32))
    }

    fn end(&mut self) -> Result<(), CheckError> {
        Ok(())
    }
}
