//! Negatives, sums and multiples of games.

use super::{CgtError, Form, FormStore, LEFT, RIGHT};

impl FormStore<'_> {
    /// Returns the negative: the game with the players exchanged.
    ///
    /// # Errors
    /// [`CgtError::OutOfMemory`] if the negative has no room.
    pub fn negative(&mut self, form: Form) -> Result<Form, CgtError> {
        if let Some(negative) = self.cached_negative(form) {
            return Ok(negative);
        }
        let negative = match self.number_up_star(form) {
            Some(nus) => self.intern_number_up_star(-nus)?,
            None => {
                let mut options = [Vec::new(), Vec::new()];
                for (player, options) in options.iter_mut().enumerate() {
                    for at in self.range(form, 1 - player)? {
                        options.push(self.negative(self.option(at))?);
                    }
                    options.sort_unstable();
                }
                // The negative of a canonical form is canonical.
                self.intern(&options)?
            }
        };
        self.set_negative(form, negative);
        Ok(negative)
    }

    /// Returns the disjunctive sum: a player moves in one of the two games.
    ///
    /// # Errors
    /// [`CgtError`] if the watch stops it, the memory is used up or a game is too long.
    pub fn sum(&mut self, a: Form, b: Form) -> Result<Form, CgtError> {
        if let (Some(x), Some(y)) = (self.number_up_star(a), self.number_up_star(b)) {
            return self.intern_number_up_star(x + y);
        }
        if self.cached_negative(a) == Some(b) {
            return Ok(self.zero());
        }
        let (a, b) = (a.min(b), a.max(b));
        if a == self.zero() {
            return Ok(b);
        }
        if let Some(sum) = self.sums.get(a, b) {
            return Ok(sum);
        }
        self.check_heights(a, b)?;
        let numbers = [self.number(a), self.number(b)];
        let mut options = [Vec::new(), Vec::new()];
        for (game, other, number) in [(a, b, numbers[0]), (b, a, numbers[1])] {
            // Number avoidance: a move in a number never beats a move in a game that is none.
            if number.is_some() {
                continue;
            }
            for (player, options) in options.iter_mut().enumerate() {
                for at in self.range(game, player)? {
                    options.push(self.sum(self.option(at), other)?);
                }
            }
        }
        let sum = if numbers.iter().any(Option::is_some) {
            // Canonical options plus a number are canonical.
            self.watch.count(1)?;
            options.iter_mut().for_each(|options| options.sort_unstable());
            self.intern(&options)?
        } else {
            self.canonical_form(&options[LEFT], &options[RIGHT])?
        };
        self.sums.insert(a, b, sum);
        Ok(sum)
    }

    /// Returns `a - b`.
    ///
    /// # Errors
    /// As of [`sum`](Self::sum).
    pub fn difference(&mut self, a: Form, b: Form) -> Result<Form, CgtError> {
        let negative = self.negative(b)?;
        self.sum(a, negative)
    }

    /// Returns the sum of `n` copies of the game; of its negative, if `n` is negative.
    ///
    /// # Errors
    /// As of [`sum`](Self::sum).
    pub fn multiple(&mut self, n: i64, form: Form) -> Result<Form, CgtError> {
        let mut doubled = if n < 0 { self.negative(form)? } else { form };
        let (mut left, mut sum) = (n.unsigned_abs(), self.zero());
        while left > 0 {
            if left & 1 == 1 {
                sum = self.sum(sum, doubled)?;
            }
            left >>= 1;
            if left > 0 {
                doubled = self.sum(doubled, doubled)?;
            }
        }
        Ok(sum)
    }
}
