//! Which of two values is greater.

use rustc_hash::FxHashMap;

use super::{CgtError, Form, FormStore, LEFT, RIGHT};

/// A game about to be brought to canonical form, which is no number, with what is known of its order
/// relative to forms.
pub(super) struct Raw {
    pub(super) options: [Vec<Form>; 2],
    /// What play stops at when Left begins, and when Right does.
    pub(super) stops: [super::Dyadic; 2],
    /// Whether it is at most the form, and at least the form.
    pub(super) at_most: FxHashMap<Form, bool>,
    pub(super) at_least: FxHashMap<Form, bool>,
}

impl FormStore<'_> {
    /// Whether `a` is at most `b`: as good for Right in every sum, or better.
    ///
    /// # Errors
    /// [`CgtError`] if it takes too long or too much memory.
    pub fn is_at_most(&mut self, a: Form, b: Form) -> Result<bool, CgtError> {
        if a == b {
            return Ok(true);
        }
        if let (Some(x), Some(y)) = (self.number_up_star(a), self.number_up_star(b)) {
            return Ok(x.is_at_most(y));
        }
        // Numbers that play stops at tell most of it.
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
            return Err(crate::watch::Stopped::Interrupted.into());
        }
        let holds = !self.left_wins_difference(a, b)?;
        self.less_or_equal.insert(a, b, holds);
        Ok(holds)
    }

    /// Whether Left wins `a - b` who begins, of which one at least is no number: nobody needs to move in a
    /// number then.
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

    /// Whether `option` is at least as good for the player as `other`.
    pub(super) fn is_as_good(&mut self, player: usize, option: Form, other: Form) -> Result<bool, CgtError> {
        if player == LEFT { self.is_at_most(other, option) } else { self.is_at_most(option, other) }
    }

    pub(super) fn raw_at_most(&mut self, raw: &mut Raw, form: Form) -> Result<bool, CgtError> {
        let stops = self.stops(form);
        if raw.stops[LEFT] < stops[RIGHT] {
            return Ok(true);
        }
        if raw.stops[LEFT] > stops[LEFT] || raw.stops[RIGHT] > stops[RIGHT] {
            return Ok(false);
        }
        if let Some(&known) = raw.at_most.get(&form) {
            return Ok(known);
        }
        let mut holds = true;
        for i in 0..raw.options[LEFT].len() {
            holds = holds && !self.is_at_most(form, raw.options[LEFT][i])?;
        }
        if self.number(form).is_none() {
            for at in self.range(form, RIGHT)? {
                holds = holds && !self.raw_at_least(raw, self.option(at))?;
            }
        }
        raw.at_most.insert(form, holds);
        Ok(holds)
    }

    pub(super) fn raw_at_least(&mut self, raw: &mut Raw, form: Form) -> Result<bool, CgtError> {
        let stops = self.stops(form);
        if stops[LEFT] < raw.stops[RIGHT] {
            return Ok(true);
        }
        if stops[LEFT] > raw.stops[LEFT] || stops[RIGHT] > raw.stops[RIGHT] {
            return Ok(false);
        }
        if let Some(&known) = raw.at_least.get(&form) {
            return Ok(known);
        }
        let mut holds = true;
        for i in 0..raw.options[RIGHT].len() {
            holds = holds && !self.is_at_most(raw.options[RIGHT][i], form)?;
        }
        if self.number(form).is_none() {
            for at in self.range(form, LEFT)? {
                holds = holds && !self.raw_at_most(raw, self.option(at))?;
            }
        }
        raw.at_least.insert(form, holds);
        Ok(holds)
    }
}
