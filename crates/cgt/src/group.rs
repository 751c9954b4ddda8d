//! The partially ordered group of values: order, negatives, sums and multiples.

use balpan::Stopped;

use super::{CgtError, Form, FormStore, LEFT, RIGHT};

impl FormStore {
    /// Returns whether `a ≤ b`: in every sum, `a` is at least as good for Right as `b`.
    ///
    /// # Errors
    /// [`CgtError`] if the watch stops it, the memory is used up or a game is too long.
    pub fn is_at_most(&mut self, a: Form, b: Form) -> Result<bool, CgtError> {
        if a == b {
            return Ok(true);
        }
        if let (Some(x), Some(y)) = (self.number_up_star(a), self.number_up_star(b)) {
            return Ok(x.is_at_most(y));
        }
        // Stops decide most comparisons.
        let (of_a, of_b) = (self.stops(a), self.stops(b));
        if of_a[LEFT] < of_b[RIGHT] {
            return Ok(true);
        }
        if of_a[LEFT] > of_b[LEFT] || of_a[RIGHT] > of_b[RIGHT] {
            return Ok(false);
        }
        if let Some(known) = self.less_or_equal.get(a, b) {
            return Ok(known);
        }
        self.check_heights(a, b)?;
        if self.watch.is_stopping() {
            return Err(Stopped::Interrupted.into());
        }
        let holds = !self.left_wins_difference(a, b)?;
        self.less_or_equal.insert(a, b, holds);
        Ok(holds)
    }

    /// Returns whether Left, moving first, wins `a - b`. Not both are numbers, so by the number avoidance
    /// theorem no move in a number is tried.
    fn left_wins_difference(&mut self, a: Form, b: Form) -> Result<bool, CgtError> {
        if self.number(a).is_none() {
            for at in self.range(a, LEFT)? {
                if self.is_at_most(b, self.option(at))? {
                    return Ok(true);
                }
            }
        }
        if self.number(b).is_none() {
            for at in self.range(b, RIGHT)? {
                if self.is_at_most(self.option(at), a)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Returns whether `option` is at least as good for the player as `other`.
    pub(super) fn is_as_good(&mut self, player: usize, option: Form, other: Form) -> Result<bool, CgtError> {
        if player == LEFT { self.is_at_most(other, option) } else { self.is_at_most(option, other) }
    }

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
