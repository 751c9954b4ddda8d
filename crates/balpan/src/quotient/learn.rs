//! The quotient as an automaton that reads sums: learnt by questions who wins, until it is proved.

use super::{MisereSearch, Parts, Quotient, QuotientError, Sum, added, proof};
use crate::watch::Watch;

/// What is known: sums that are told apart, each by some tests, and what they become with a part more.
struct Learner<'p> {
    parts: &'p Parts,
    /// The number of them that sums are made of, from the first on.
    count: u32,
    play: MisereSearch<'p>,
    /// Sums of which no two have the same row.
    elements: Vec<Sum>,
    /// Sums beside which elements are tried.
    tests: Vec<Sum>,
    /// By element, whether it is lost beside each test.
    rows: Vec<Vec<bool>>,
    most: usize,
    watch: &'p Watch,
}

/// The quotient of sums of the first part, of the first two, and so on: each is asked who wins what has no later
/// part in it.
pub(super) fn find(
    parts: &Parts,
    most: usize,
    memory: usize,
    watch: &Watch,
    mut told: impl FnMut(&Quotient),
) -> Result<Quotient, QuotientError> {
    let nothing = Quotient { elements: vec![Vec::new()], with: vec![Vec::new()], lost: vec![false] };
    let (mut quotient, mut tests) = (nothing, vec![Vec::new()]);
    for count in 1..=parts.len() as u32 {
        let mut learner = Learner {
            parts,
            count,
            play: MisereSearch { known: Some(quotient), ..MisereSearch::new(parts, memory, watch) },
            elements: vec![Vec::new()],
            rows: Vec::new(),
            tests,
            most,
            watch,
        };
        let row = learner.row(&[])?;
        learner.rows.push(row);
        quotient = learner.learn()?;
        told(&quotient);
        tests = learner.tests;
    }
    Ok(quotient)
}

impl Learner<'_> {
    fn learn(&mut self) -> Result<Quotient, QuotientError> {
        loop {
            let quotient = self.closed()?;
            if let Some(test) = self.out_of_order(&quotient)? {
                self.add_test(test)?;
                continue;
            }
            let wrong = proof::counterexample(self.parts, self.count, &quotient, &mut self.play, self.watch)?;
            match wrong {
                Some(wrong) => self.learn_from(&quotient, &wrong)?,
                None => return Ok(quotient),
            }
        }
    }

    fn row(&mut self, sum: &[u32]) -> Result<Vec<bool>, QuotientError> {
        let mut row = Vec::with_capacity(self.tests.len());
        for i in 0..self.tests.len() {
            let beside = added(sum, &self.tests[i]);
            row.push(self.play.is_p_position(&beside)?);
        }
        Ok(row)
    }

    /// The automaton, with an element for each row that comes up.
    fn closed(&mut self) -> Result<Quotient, QuotientError> {
        let mut with = Vec::new();
        let mut at = 0;
        while at < self.elements.len() {
            let mut after = Vec::with_capacity(self.count as usize);
            for part in 0..self.count {
                self.watch.count(0)?;
                let sum = added(&self.elements[at], &[part]);
                let row = self.row(&sum)?;
                let element = match self.rows.iter().position(|known| *known == row) {
                    Some(element) => element,
                    None => {
                        if self.elements.len() >= self.most {
                            return Err(QuotientError::TooLarge(self.most));
                        }
                        self.elements.push(sum);
                        self.rows.push(row);
                        self.elements.len() - 1
                    }
                };
                after.push(element);
            }
            with.push(after);
            at += 1;
        }
        let lost = self.rows.iter().map(|row| row[0]).collect();
        Ok(Quotient { elements: self.elements.clone(), with, lost })
    }

    /// A test that tells apart what was taken for the same, where two parts lead to different elements in different
    /// order.
    fn out_of_order(&mut self, quotient: &Quotient) -> Result<Option<Sum>, QuotientError> {
        let parts = self.count;
        for element in 0..quotient.len() {
            for a in 0..parts {
                self.watch.count(0)?;
                for b in 0..a {
                    let [ab, ba] = [quotient.times(element, &[a, b]), quotient.times(element, &[b, a])];
                    if ab == ba {
                        continue;
                    }
                    let Some(test) = self.rows[ab].iter().zip(&self.rows[ba]).position(|(x, y)| x != y) else {
                        continue;
                    };
                    let test = self.tests[test].clone();
                    let truth = self.play.is_p_position(&added(&quotient.elements[element], &added(&[a, b], &test)))?;
                    for (first, second) in [(a, b), (b, a)] {
                        let through = &quotient.elements[quotient.with[element][first as usize]];
                        if self.play.is_p_position(&added(through, &added(&[second], &test)))? != truth {
                            return Ok(Some(added(&[second], &test)));
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    /// Adds the test that tells apart two sums which the automaton has taken for the same on its way through a sum
    /// of which it is wrong who wins.
    fn learn_from(&mut self, quotient: &Quotient, wrong: &[u32]) -> Result<(), QuotientError> {
        let truth = self.play.is_p_position(wrong)?;
        let mut element = 0;
        for (at, &part) in wrong.iter().enumerate() {
            let after = quotient.with[element][part as usize];
            let rest = wrong[at + 1..].to_vec();
            // The first place where what the element stands for plays otherwise.
            if self.play.is_p_position(&added(&quotient.elements[after], &rest))? != truth {
                return self.add_test(rest);
            }
            element = after;
        }
        Ok(())
    }

    fn add_test(&mut self, test: Sum) -> Result<(), QuotientError> {
        for (element, row) in self.elements.iter().zip(&mut self.rows) {
            row.push(self.play.is_p_position(&added(element, &test))?);
        }
        self.tests.push(test);
        Ok(())
    }
}
