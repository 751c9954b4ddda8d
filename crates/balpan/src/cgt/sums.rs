//! Games side by side, and with the players exchanged.

use super::{CgtError, Form, FormStore, LEFT, RIGHT};

impl FormStore<'_> {
    /// The same with the players exchanged.
    ///
    /// # Errors
    /// [`CgtError`] if it takes too much memory.
    pub fn negative(&mut self, form: Form) -> Result<Form, CgtError> {
        if let Some(negative) = self.known_negative(form) {
            return Ok(negative);
        }
        let negative = match self.number_up_star(form) {
            Some(near) => self.intern_number_up_star(-near)?,
            None => {
                let mut options = [Vec::new(), Vec::new()];
                for (player, options) in options.iter_mut().enumerate() {
                    for at in self.range(form, 1 - player)? {
                        options.push(self.negative(self.option(at))?);
                    }
                    options.sort_unstable();
                }
                // What is canonical stays so.
                self.intern(&options)?
            }
        };
        self.set_negative(form, negative);
        Ok(negative)
    }

    /// Both games side by side: a player moves in one of them.
    ///
    /// # Errors
    /// [`CgtError`] if it takes too long or too much memory.
    pub fn sum(&mut self, a: Form, b: Form) -> Result<Form, CgtError> {
        if let (Some(x), Some(y)) = (self.number_up_star(a), self.number_up_star(b)) {
            return self.intern_number_up_star(x + y);
        }
        if self.known_negative(a) == Some(b) {
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
            // Nobody moves in a number who can move in what is none.
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
            // What is canonical stays so with a number beside it.
            self.watch.count(1)?;
            options.iter_mut().for_each(|options| options.sort_unstable());
            self.intern(&options)?
        } else {
            self.canonical_form(&options[LEFT], &options[RIGHT])?
        };
        self.sums.insert(a, b, sum);
        Ok(sum)
    }

    /// `a` and the negative of `b`.
    ///
    /// # Errors
    /// [`CgtError`] if it takes too long or too much memory.
    pub fn difference(&mut self, a: Form, b: Form) -> Result<Form, CgtError> {
        let negative = self.negative(b)?;
        self.sum(a, negative)
    }

    /// So many of the game side by side; of its negative, where `n` is.
    ///
    /// # Errors
    /// [`CgtError`] if it takes too long or too much memory.
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
