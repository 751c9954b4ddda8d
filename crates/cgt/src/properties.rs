//! Properties of values: outcome class, birthday, incentives, atomic weight.

use rustc_hash::FxHashMap;

use super::{CgtError, Dyadic, Form, FormStore, LEFT, NumberUpStar, RIGHT};
use balpan::Outcome;

/// The player who wins under optimal play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutcomeClass {
    /// Left wins, whoever moves first: the value is greater than zero.
    Left,
    /// Right wins, whoever moves first: the value is less than zero.
    Right,
    /// The first player wins: the value is confused with zero (an N-position).
    First,
    /// The second player wins: the value is zero (a P-position).
    Second,
}

impl OutcomeClass {
    /// Returns the class of a value by whether it is at most zero and whether it is at least zero.
    #[must_use]
    pub const fn from_order(at_most: bool, at_least: bool) -> Self {
        match (at_most, at_least) {
            (true, true) => Self::Second,
            (true, false) => Self::Right,
            (false, true) => Self::Left,
            (false, false) => Self::First,
        }
    }

    /// Returns whether Left wins moving first, and whether Right wins moving first.
    #[must_use]
    pub const fn wins(self) -> [bool; 2] {
        [matches!(self, Self::Left | Self::First), matches!(self, Self::Right | Self::First)]
    }

    /// Returns `left`, `right`, `first` or `second`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::First => "first",
            Self::Second => "second",
        }
    }
}

impl FormStore {
    /// Returns the outcome for Left moving first, and for Right moving first.
    ///
    /// # Errors
    /// As of [`is_at_most`](Self::is_at_most).
    pub fn outcomes(&mut self, form: Form) -> Result<[Outcome; 2], CgtError> {
        let outcome = |wins| if wins { Outcome::Win } else { Outcome::Loss };
        Ok(self.outcome_class(form)?.wins().map(outcome))
    }

    /// Returns the outcome class.
    ///
    /// # Errors
    /// As of [`is_at_most`](Self::is_at_most).
    pub fn outcome_class(&mut self, form: Form) -> Result<OutcomeClass, CgtError> {
        let zero = self.zero();
        Ok(OutcomeClass::from_order(self.is_at_most(form, zero)?, self.is_at_most(zero, form)?))
    }

    /// Returns the birthday: the length of the longest play from the canonical form, in which the players
    /// need not alternate.
    ///
    /// # Errors
    /// [`CgtError::OutOfMemory`] if the followers have no room.
    pub fn birthday(&mut self, form: Form) -> Result<u64, CgtError> {
        self.birthday_of(form, &mut FxHashMap::default())
    }

    fn birthday_of(&mut self, form: Form, known: &mut FxHashMap<Form, u64>) -> Result<u64, CgtError> {
        if let Some(nus) = self.number_up_star(form) {
            return Ok(nus.birthday());
        }
        if let Some(&birthday) = known.get(&form) {
            return Ok(birthday);
        }
        let mut birthday = 0;
        for player in [LEFT, RIGHT] {
            for at in self.range(form, player)? {
                birthday = birthday.max(self.birthday_of(self.option(at), known)? + 1);
            }
        }
        known.insert(form, birthday);
        Ok(birthday)
    }

    /// Returns the left and right incentives, without dominated ones. The incentive of a move is what the
    /// player gains by it: `option - form` for Left, `form - option` for Right.
    ///
    /// # Errors
    /// [`CgtError`] if the watch stops it or the memory is used up.
    pub fn incentives(&mut self, form: Form) -> Result<[Vec<Form>; 2], CgtError> {
        let mut gains = [Vec::new(), Vec::new()];
        for (player, gains) in gains.iter_mut().enumerate() {
            for at in self.range(form, player)? {
                self.watch.count(0)?;
                let option = self.option(at);
                let gain = if player == LEFT { self.difference(option, form)? } else { self.difference(form, option)? };
                gains.push(gain);
            }
            // Of incentives, the greater one is better for either player.
            self.drop_dominated(LEFT, gains)?;
        }
        Ok(gains)
    }

    /// Returns whether the form is all-small: in each of its followers both players can move, or neither can.
    ///
    /// # Errors
    /// [`CgtError::OutOfMemory`] if the followers have no room.
    pub fn is_all_small(&mut self, form: Form) -> Result<bool, CgtError> {
        self.is_all_small_form(form, &mut FxHashMap::default())
    }

    fn is_all_small_form(&mut self, form: Form, known: &mut FxHashMap<Form, bool>) -> Result<bool, CgtError> {
        if let Some(NumberUpStar { number, .. }) = self.number_up_star(form) {
            return Ok(number == Dyadic::ZERO);
        }
        if self.stops(form) != [Dyadic::ZERO; 2] {
            return Ok(false);
        }
        if let Some(&known) = known.get(&form) {
            return Ok(known);
        }
        let mut is_small = true;
        for player in [LEFT, RIGHT] {
            for at in self.range(form, player)? {
                is_small = is_small && self.is_all_small_form(self.option(at), known)?;
            }
        }
        known.insert(form, is_small);
        Ok(is_small)
    }

    /// Returns the atomic weight of an all-small form, itself a game: about how many ups the form is worth.
    /// Returns `None` if the form is not all-small.
    ///
    /// # Errors
    /// [`CgtError`] if the watch stops it or the memory is used up.
    pub fn atomic_weight(&mut self, form: Form) -> Result<Option<Form>, CgtError> {
        if !self.is_all_small(form)? {
            return Ok(None);
        }
        // The far star is a nimber that no follower equals.
        let far = self.birthday(form)? + 1;
        let far = NumberUpStar::nimber(u32::try_from(far).map_err(|_| CgtError::TooLarge)?.next_power_of_two());
        let far = self.intern_number_up_star(far)?;
        self.weight(form, far, &mut FxHashMap::default()).map(Some)
    }

    /// Winning Ways, chapter 8: the game `{weights of left options - 2|weights of right options + 2}`. If
    /// that is an integer, the comparison with the far star selects one of the integers between the options.
    fn weight(&mut self, form: Form, far: Form, known: &mut FxHashMap<Form, Form>) -> Result<Form, CgtError> {
        if let Some(NumberUpStar { ups, .. }) = self.number_up_star(form) {
            return self.intern_number(Dyadic::integer(ups.into()));
        }
        if let Some(&weight) = known.get(&form) {
            return Ok(weight);
        }
        let mut options = [Vec::new(), Vec::new()];
        for (player, options) in options.iter_mut().enumerate() {
            let two = self.intern_number(Dyadic::integer(if player == LEFT { -2 } else { 2 }))?;
            for at in self.range(form, player)? {
                let weight = self.weight(self.option(at), far, known)?;
                options.push(self.sum(weight, two)?);
            }
        }
        let [left, right] = &options;
        let mut weight = self.canonical_form(left, right)?;
        if self.number(weight).is_some_and(|number| number.as_integer().is_some()) {
            let (below, above) = (self.is_at_most(form, far)?, self.is_at_most(far, form)?);
            let number = match (below, above) {
                (true, false) => self.integer_past_options(left, LEFT)?,
                (false, true) => self.integer_past_options(right, RIGHT)?,
                _ => 0,
            };
            weight = self.intern_number(Dyadic::integer(number))?;
        }
        known.insert(form, weight);
        Ok(weight)
    }

    /// For Left, returns the least integer that is greater than or confused with all options; for Right, the
    /// greatest integer that is less than or confused with all options.
    fn integer_past_options(&mut self, options: &[Form], player: usize) -> Result<i64, CgtError> {
        let step = if player == LEFT { 1 } else { -1 };
        // The integer is near the options' stops.
        let stops = options.iter().map(|option| self.stops(*option)[1 - player]);
        let stop = if player == LEFT { stops.max() } else { stops.min() };
        let mut number = stop.map_or(0, Dyadic::floor) - 2 * step;
        'numbers: loop {
            let form = self.intern_number(Dyadic::integer(number))?;
            for &option in options {
                if self.is_as_good(player, option, form)? {
                    number += step;
                    continue 'numbers;
                }
            }
            return Ok(number);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;
    use crate::{Expression, Term};
    use balpan::Watch;

    fn value(forms: &mut FormStore, text: &str) -> Form {
        let mut none = |term: &Term, _: &mut FormStore| -> Result<Form, CgtError> { panic!("{term:?}") };
        Expression::parse(text).unwrap().value.evaluate(forms, &mut none).unwrap()
    }

    /// Winning Ways, chapter 8, and Siegel, chapter 2.
    #[test]
    fn atomic_weights() {
        let watch = Watch::default();
        let mut forms = FormStore::new(1 << 24, &watch);
        for (text, weight) in [
            ("0", "0"),
            ("*5", "0"),
            ("^", "1"),
            ("^3*", "3"),
            ("vv", "-2"),
            ("{0|^}", "2"),
            ("{^|*}", "1"),
            ("{^|v}", "0"),
            ("{^^|vv}", "*"),
            ("{^3|v3}", "±1"),
            ("{^^*|0}", "1"),
        ] {
            let form = value(&mut forms, text);
            let found = forms.atomic_weight(form).unwrap().unwrap();
            assert_eq!(forms.text(found).unwrap(), weight, "{text}");
        }
        for text in ["1", "+_1", "{1|-1}", "1^"] {
            let form = value(&mut forms, text);
            assert_eq!(forms.atomic_weight(form).unwrap(), None, "{text}");
        }
    }

    #[test]
    fn birthdays_and_incentives() {
        let watch = Watch::default();
        let mut forms = FormStore::new(1 << 24, &watch);
        for (text, birthday) in [
            ("0", 0),
            ("3", 3),
            ("-7/4", 4),
            ("*4", 4),
            ("^", 2),
            ("^*", 2),
            ("^^", 3),
            ("^^*", 3),
            ("^*2", 4),
            ("^3", 4),
            ("1^", 3),
            ("{1|-1}", 2),
            ("+_2", 4),
            ("1000000", 1_000_000),
        ] {
            let form = value(&mut forms, text);
            assert_eq!(forms.birthday(form).unwrap(), birthday, "{text}");
        }
        // The closed form agrees with the definition by options.
        for number in ["0", "1/2", "-2"] {
            for ups in -4..=4 {
                for nimber in 0..6 {
                    let text = format!("{number} + {ups}·^ + *{nimber}").replace("+ -", "- ");
                    let form = value(&mut forms, &text);
                    let mut options = forms.left_options(form).unwrap();
                    options.extend(forms.right_options(form).unwrap());
                    let oldest = options.iter().map(|option| forms.birthday(*option).unwrap() + 1).max();
                    assert_eq!(forms.birthday(form).unwrap(), oldest.unwrap_or(0), "{text}");
                    let (left, right) = (forms.left_options(form).unwrap(), forms.right_options(form).unwrap());
                    assert_eq!(forms.canonical_form(&left, &right).unwrap(), form, "{text}");
                }
            }
        }
        let mut told = |text: &str| {
            let form = value(&mut forms, text);
            let gains = forms.incentives(form).unwrap();
            gains.map(|gains| gains.iter().map(|gain| forms.text(*gain).unwrap()).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(told("1"), ["-1", ""]);
        assert_eq!(told("{2|-1}"), ["{3|0}", "{3|0}"]);
        assert_eq!(told("*"), ["*", "*"]);
    }
}
