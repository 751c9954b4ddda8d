//! From what both players can move to, to the canonical form.

use rustc_hash::FxHashMap;

use super::order::Raw;
use super::{CgtError, Dyadic, Form, FormStore, LEFT, RIGHT};

impl FormStore<'_> {
    /// The canonical form of the game in which Left can move to `left` and Right to
    /// `right`.
    ///
    /// # Errors
    /// [`CgtError`] if it takes too long or too much memory.
    pub fn canonical_form(&mut self, left: &[Form], right: &[Form]) -> Result<Form, CgtError> {
        self.watch.count(1)?;
        if let Some(number) = self.number_between(left, right)? {
            return self.intern_number(number);
        }
        let mut options = [left.to_vec(), right.to_vec()];
        for player in [LEFT, RIGHT] {
            self.drop_dominated(player, &mut options[player])?;
            options[player].sort_unstable();
        }
        // What is canonical already is told at once.
        if let Some(form) = self.lookup(&options) {
            return Ok(form);
        }
        let stops = [self.best_stop(&options[LEFT], LEFT), self.best_stop(&options[RIGHT], RIGHT)];
        let stops = stops.map(|stop| stop.unwrap_or(Dyadic::ZERO));
        let mut raw = Raw { options, stops, at_most: FxHashMap::default(), at_least: FxHashMap::default() };
        for player in [LEFT, RIGHT] {
            let mut kept = Vec::new();
            let mut open = raw.options[player].clone();
            // Options that came in by a reversal may be reversible themselves.
            while let Some(option) = open.pop() {
                match self.reversed(player, option, &mut raw)? {
                    Some(answer) => open.extend(self.slice(answer, player)?),
                    None => kept.push(option),
                }
            }
            self.drop_dominated(player, &mut kept)?;
            kept.sort_unstable();
            raw.options[player] = kept;
        }
        self.intern(&raw.options)
    }

    /// What play stops at when the player begins, who has these options; `None` without any.
    fn best_stop(&self, options: &[Form], player: usize) -> Option<Dyadic> {
        let stops = options.iter().map(|option| self.stops(*option)[1 - player]);
        if player == LEFT { stops.max() } else { stops.min() }
    }

    /// The simplest number that is greater than or confused with all of Left's options, and less than or
    /// confused with all of Right's: if there is one, it is the value.
    fn number_between(&mut self, left: &[Form], right: &[Form]) -> Result<Option<Dyadic>, CgtError> {
        let (above, below) = (self.best_stop(left, LEFT), self.best_stop(right, RIGHT));
        let is_open = match (above, below) {
            (Some(above), Some(below)) if above > below => return Ok(None),
            (Some(above), Some(below)) => above < below,
            _ => true,
        };
        // What play stops at may be the number itself, if the other player comes out ahead there.
        let mut closed = [None; 2];
        for (player, end) in [(LEFT, above), (RIGHT, below)] {
            if let Some(end) = end
                && self.fits(player, if player == LEFT { left } else { right }, end)?
            {
                closed[player] = Some(end);
            }
        }
        if !is_open {
            return Ok(closed[LEFT].filter(|_| closed[RIGHT].is_some()));
        }
        let between = Dyadic::simplest_between(above, below);
        Ok(closed.into_iter().flatten().chain(between).min_by_key(|number| number.birthday()))
    }

    /// Whether none of the player's options is as good as the number, which the best of them stops at.
    fn fits(&mut self, player: usize, options: &[Form], number: Dyadic) -> Result<bool, CgtError> {
        let form = self.intern_number(number)?;
        for &option in options {
            if self.stops(option)[1 - player] == number && self.is_as_good(player, option, form)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(super) fn drop_dominated(&mut self, player: usize, options: &mut Vec<Form>) -> Result<(), CgtError> {
        let mut kept: Vec<Form> = Vec::with_capacity(options.len());
        options.sort_unstable();
        options.dedup();
        'options: for &option in &*options {
            // What is near a number is compared without a count.
            self.watch.count(0)?;
            let mut i = 0;
            while i < kept.len() {
                if self.is_as_good(player, kept[i], option)? {
                    continue 'options;
                }
                if self.is_as_good(player, option, kept[i])? {
                    kept.swap_remove(i);
                } else {
                    i += 1;
                }
            }
            kept.push(option);
        }
        *options = kept;
        Ok(())
    }

    /// What the other player answers to `option` that leaves them no worse off than the
    /// game itself.
    fn reversed(&mut self, player: usize, option: Form, raw: &mut Raw) -> Result<Option<Form>, CgtError> {
        for at in self.range(option, 1 - player)? {
            let answer = self.option(at);
            let reverses =
                if player == LEFT { self.raw_at_least(raw, answer)? } else { self.raw_at_most(raw, answer)? };
            if reverses {
                return Ok(Some(answer));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::super::NumberUpStar;
    use super::*;
    use crate::watch::{Stopped, Watch};

    /// Nimbers are compared without a look at their options, where the watch would be asked otherwise.
    #[test]
    fn a_comparison_of_many_options_stops() {
        let watch = Watch::default();
        let mut forms = FormStore::new(1 << 26, &watch);
        let mut options: Vec<_> =
            (0..1_000).map(|n| forms.intern_number_up_star(NumberUpStar::nimber(n)).unwrap()).collect();
        watch.stop();
        assert_eq!(forms.drop_dominated(LEFT, &mut options), Err(Stopped::Interrupted.into()));
    }
}
