//! The partial order of values.

use rustc_hash::FxHashMap;

use super::{CgtError, Form, FormStore, LEFT, RIGHT};

/// A game during its reduction to canonical form, and its comparisons with forms so far. It is no number.
pub(super) struct UnreducedGame {
    pub(super) options: [Vec<Form>; 2],
    /// The left and right stop.
    pub(super) stops: [super::Dyadic; 2],
    /// By player, whether the game is at least as good for the player as the form.
    pub(super) is_as_good: [FxHashMap<Form, bool>; 2],
}

impl FormStore<'_> {
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
            return Err(balpan::Stopped::Interrupted.into());
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

    /// Returns whether the game is at least as good for the player as `form`.
    pub(super) fn is_unreduced_as_good(
        &mut self,
        player: usize,
        game: &mut UnreducedGame,
        form: Form,
    ) -> Result<bool, CgtError> {
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
