//! The quotient as an automaton that reads sums, learned by queries of outcomes until it is proved.

use super::{MisereSearch, Parts, Quotient, QuotientError, Sum, add, proof};
use balpan::Watch;

/// The observation table of Angluin's algorithm: elements, tests, and the outcomes of their sums.
struct Learner<'p> {
    parts: &'p Parts,
    /// The number of parts in use: those of the smallest numbers.
    count: u32,
    play: MisereSearch<'p>,
    /// Representative sums with different rows.
    elements: Vec<Sum>,
    /// Sums that distinguish the elements.
    tests: Vec<Sum>,
    /// By element, whether its sum with each test is a P-position.
    rows: Vec<Vec<bool>>,
    max_elements: usize,
    watch: &'p Watch,
}

/// Finds the quotients of sums of the first part, of the first two, and so on. Each speeds up the search for outcomes
/// in the next.
pub(super) fn find(
    parts: &Parts,
    max_elements: usize,
    memory: usize,
    watch: &Watch,
    mut on_stage: impl FnMut(&Quotient),
) -> Result<Quotient, QuotientError> {
    let nothing = Quotient { elements: vec![Vec::new()], with: vec![Vec::new()], lost: vec![false] };
    let (mut quotient, mut tests) = (nothing, vec![Vec::new()]);
    for count in 1..=parts.len() as u32 {
        let mut learner = Learner {
            parts,
            count,
            play: MisereSearch { quotient: Some(quotient), ..MisereSearch::new(parts, memory, watch) },
            elements: vec![Vec::new()],
            rows: Vec::new(),
            tests,
            max_elements,
            watch,
        };
        let row = learner.row(&[])?;
        learner.rows.push(row);
        quotient = learner.learn()?;
        on_stage(&quotient);
        tests = learner.tests;
    }
    Ok(quotient)
}

impl Learner<'_> {
    fn learn(&mut self) -> Result<Quotient, QuotientError> {
        loop {
            let quotient = self.close()?;
            if let Some(test) = self.order_dependent_test(&quotient)? {
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
            let beside = add(sum, &self.tests[i]);
            row.push(self.play.is_p_position(&beside)?);
        }
        Ok(row)
    }

    /// Closes the table, and returns the automaton, with an element for each row.
    fn close(&mut self) -> Result<Quotient, QuotientError> {
        let mut with = Vec::new();
        let mut at = 0;
        while at < self.elements.len() {
            let mut after = Vec::with_capacity(self.count as usize);
            for part in 0..self.count {
                self.watch.count(0)?;
                let sum = add(&self.elements[at], &[part]);
                let row = self.row(&sum)?;
                let element = match self.rows.iter().position(|known| *known == row) {
                    Some(element) => element,
                    None => {
                        if self.elements.len() >= self.max_elements {
                            return Err(QuotientError::TooLarge(self.max_elements));
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

    /// Returns a test that distinguishes two sums of one row, if two parts in different order lead to different
    /// elements.
    fn order_dependent_test(&mut self, quotient: &Quotient) -> Result<Option<Sum>, QuotientError> {
        let parts = self.count;
        for element in 0..quotient.order() {
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
                    let truth = self.play.is_p_position(&add(&quotient.elements[element], &add(&[a, b], &test)))?;
                    for (first, second) in [(a, b), (b, a)] {
                        let through = &quotient.elements[quotient.with[element][first as usize]];
                        if self.play.is_p_position(&add(through, &add(&[second], &test)))? != truth {
                            return Ok(Some(add(&[second], &test)));
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    /// Adds a test that distinguishes two sums of one element, found along the path of a sum whose outcome the
    /// automaton gets wrong.
    fn learn_from(&mut self, quotient: &Quotient, wrong: &[u32]) -> Result<(), QuotientError> {
        let truth = self.play.is_p_position(wrong)?;
        let mut element = 0;
        for (at, &part) in wrong.iter().enumerate() {
            let after = quotient.with[element][part as usize];
            let rest = wrong[at + 1..].to_vec();
            // The first place where the outcome of the element's own sum differs.
            if self.play.is_p_position(&add(&quotient.elements[after], &rest))? != truth {
                return self.add_test(rest);
            }
            element = after;
        }
        Ok(())
    }

    fn add_test(&mut self, test: Sum) -> Result<(), QuotientError> {
        for (element, row) in self.elements.iter().zip(&mut self.rows) {
            row.push(self.play.is_p_position(&add(element, &test))?);
        }
        self.tests.push(test);
        Ok(())
    }
}
