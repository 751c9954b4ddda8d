//! Reduction of a game to its canonical form.

use rustc_hash::FxHashMap;

use super::{CgtError, Dyadic, Form, FormStore, LEFT, RIGHT};

/// A game during its reduction to canonical form, and its comparisons with forms so far. It is no number.
struct UnreducedGame {
    options: [Vec<Form>; 2],
    /// The left and right stop.
    stops: [Dyadic; 2],
    /// By player, whether the game is at least as good for the player as the form.
    is_as_good: [FxHashMap<Form, bool>; 2],
}

impl FormStore {
    /// Returns the canonical form of `{left|right}`: removes dominated options and bypasses reversible ones.
    ///
    /// # Errors
    /// [`CgtError`] if the watch stops it, the memory is used up or a game is too large.
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
        // The game is often in canonical form already.
        if let Some(form) = self.lookup(&options) {
            return Ok(form);
        }
        let stops = [self.best_stop(&options[LEFT], LEFT), self.best_stop(&options[RIGHT], RIGHT)];
        let stops = stops.map(|stop| stop.unwrap_or(Dyadic::ZERO));
        let mut game = UnreducedGame { options, stops, is_as_good: Default::default() };
        for player in [LEFT, RIGHT] {
            let mut kept = Vec::new();
            let mut open = game.options[player].clone();
            // Options that replace a reversible one may be reversible themselves.
            while let Some(option) = open.pop() {
                match self.reversing_response(player, option, &mut game)? {
                    Some(response) => open.extend(self.slice(response, player)?),
                    None => kept.push(option),
                }
            }
            self.drop_dominated(player, &mut kept)?;
            kept.sort_unstable();
            game.options[player] = kept;
        }
        self.intern(&game.options)
    }

    /// Returns the stop of a game in which the player, moving first, has these options; `None` without options.
    fn best_stop(&self, options: &[Form], player: usize) -> Option<Dyadic> {
        let stops = options.iter().map(|option| self.stops(*option)[1 - player]);
        if player == LEFT { stops.max() } else { stops.min() }
    }

    /// Returns the simplest number that is greater than or confused with all left options, and less than or
    /// confused with all right options. If there is one, it is the value (simplest number theorem).
    fn number_between(&mut self, left: &[Form], right: &[Form]) -> Result<Option<Dyadic>, CgtError> {
        let (above, below) = (self.best_stop(left, LEFT), self.best_stop(right, RIGHT));
        let is_open = match (above, below) {
            (Some(above), Some(below)) if above > below => return Ok(None),
            (Some(above), Some(below)) => above < below,
            _ => true,
        };
        // A stop may be the number itself, if no option that stops there is as good as it.
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

    /// Returns whether none of the player's options is as good as `number`, the best of their stops.
    fn fits(&mut self, player: usize, options: &[Form], number: Dyadic) -> Result<bool, CgtError> {
        let form = self.intern_number(number)?;
        for &option in options {
            if self.stops(option)[1 - player] == number && self.is_as_good(player, option, form)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Removes duplicates and dominated options of the player.
    pub(super) fn drop_dominated(&mut self, player: usize, options: &mut Vec<Form>) -> Result<(), CgtError> {
        let mut kept: Vec<Form> = Vec::with_capacity(options.len());
        options.sort_unstable();
        options.dedup();
        'options: for &option in &*options {
            // Comparisons of numbers, ups and nimbers do not poll the watch.
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

    /// Returns the opponent's response that reverses `option`: it is at least as good for the opponent as
    /// the game itself.
    fn reversing_response(
        &mut self,
        player: usize,
        option: Form,
        game: &mut UnreducedGame,
    ) -> Result<Option<Form>, CgtError> {
        for at in self.range(option, 1 - player)? {
            let response = self.option(at);
            if self.is_unreduced_as_good(player, game, response)? {
                return Ok(Some(response));
            }
        }
        Ok(None)
    }

    /// Returns whether the game is at least as good for the player as `form`.
    fn is_unreduced_as_good(&mut self, player: usize, game: &mut UnreducedGame, form: Form) -> Result<bool, CgtError> {
        let opponent = 1 - player;
        let (own, other) = (game.stops, self.stops(form));
        let is_better = |a, b| if player == LEFT { a > b } else { a < b };
        if is_better(own[opponent], other[player]) {
            return Ok(true);
        }
        if is_better(other[LEFT], own[LEFT]) || is_better(other[RIGHT], own[RIGHT]) {
            return Ok(false);
        }
        if let Some(&is_as_good) = game.is_as_good[player].get(&form) {
            return Ok(is_as_good);
        }
        let mut holds = true;
        for i in 0..game.options[opponent].len() {
            holds = holds && !self.is_as_good(opponent, game.options[opponent][i], form)?;
        }
        if self.number(form).is_none() {
            for at in self.range(form, player)? {
                holds = holds && !self.is_unreduced_as_good(opponent, game, self.option(at))?;
            }
        }
        game.is_as_good[player].insert(form, holds);
        Ok(holds)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::super::NumberUpStar;
    use super::*;
    use balpan::{Stopped, Watch};

    /// Comparisons of nimbers do not poll the watch themselves.
    #[test]
    fn removal_of_dominated_options_polls_the_watch() {
        let watch = Watch::default();
        let mut forms = FormStore::new(1 << 26, &watch);
        let mut options: Vec<_> =
            (0..1_000).map(|n| forms.intern_number_up_star(NumberUpStar::nimber(n)).unwrap()).collect();
        watch.stop();
        assert_eq!(forms.drop_dominated(LEFT, &mut options), Err(Stopped::Interrupted.into()));
    }
}
