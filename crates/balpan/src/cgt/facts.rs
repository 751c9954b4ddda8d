//! What is told of a value beside its canonical form: outcome class, birthday, incentives, atomic weight.

use rustc_hash::FxHashMap;

use super::{Dyadic, Form, Forms, LEFT, NearNumber, RIGHT, Unfinished};
use crate::value::Outcome;

/// Who wins, by who begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Left wins, whoever begins: the value is greater than zero.
    Left,
    /// Right does: less than zero.
    Right,
    /// Whoever begins: confused with zero.
    First,
    /// Whoever does not begin: zero.
    Second,
}

impl Class {
    /// Of a value that is at most zero, and at least zero, or not.
    #[must_use]
    pub const fn of(at_most: bool, at_least: bool) -> Self {
        match (at_most, at_least) {
            (true, true) => Self::Second,
            (true, false) => Self::Right,
            (false, true) => Self::Left,
            (false, false) => Self::First,
        }
    }

    /// Whether Left wins who begins, and whether Right does.
    #[must_use]
    pub const fn wins(self) -> [bool; 2] {
        [matches!(self, Self::Left | Self::First), matches!(self, Self::Right | Self::First)]
    }

    /// `left`, `right`, `first` or `second`.
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

impl Forms<'_> {
    /// The outcome for Left, and for Right, when that player begins.
    ///
    /// # Errors
    /// [`Unfinished`] if it takes too long or too much memory.
    pub fn outcomes(&mut self, form: Form) -> Result<[Outcome; 2], Unfinished> {
        let outcome = |wins| if wins { Outcome::Win } else { Outcome::Loss };
        Ok(self.class(form)?.wins().map(outcome))
    }

    /// Who wins, by who begins.
    ///
    /// # Errors
    /// [`Unfinished`] if it takes too long or too much memory.
    pub fn class(&mut self, form: Form) -> Result<Class, Unfinished> {
        let zero = self.zero();
        Ok(Class::of(self.is_at_most(form, zero)?, self.is_at_most(zero, form)?))
    }

    /// The length of the longest play from the canonical form, in which the players need not take turns.
    ///
    /// # Errors
    /// [`Unfinished`] if it takes too much memory.
    pub fn birthday(&mut self, form: Form) -> Result<u64, Unfinished> {
        self.born(form, &mut FxHashMap::default())
    }

    fn born(&mut self, form: Form, known: &mut FxHashMap<Form, u64>) -> Result<u64, Unfinished> {
        if let Some(near) = self.near(form) {
            return Ok(near.birthday());
        }
        if let Some(&birthday) = known.get(&form) {
            return Ok(birthday);
        }
        let mut birthday = 0;
        for player in [LEFT, RIGHT] {
            for at in self.range(form, player)? {
                birthday = birthday.max(self.born(self.option(at), known)? + 1);
            }
        }
        known.insert(form, birthday);
        Ok(birthday)
    }

    /// What each move gains, for Left and for Right who makes it, but for moves that gain no more than another.
    ///
    /// # Errors
    /// [`Unfinished`] if it takes too long or too much memory.
    pub fn incentives(&mut self, form: Form) -> Result<[Vec<Form>; 2], Unfinished> {
        let mut gains = [Vec::new(), Vec::new()];
        for (player, gains) in gains.iter_mut().enumerate() {
            for at in self.range(form, player)? {
                self.watch.count(0)?;
                let option = self.option(at);
                let gain = if player == LEFT { self.difference(option, form)? } else { self.difference(form, option)? };
                gains.push(gain);
            }
            // More is better for whoever moves.
            self.drop_dominated(LEFT, gains)?;
        }
        Ok(gains)
    }

    /// Whether in every follower of the canonical form both players can move, or nobody can.
    ///
    /// # Errors
    /// [`Unfinished`] if it takes too much memory.
    pub fn is_all_small(&mut self, form: Form) -> Result<bool, Unfinished> {
        self.all_small(form, &mut FxHashMap::default())
    }

    fn all_small(&mut self, form: Form, known: &mut FxHashMap<Form, bool>) -> Result<bool, Unfinished> {
        if let Some(NearNumber { number, .. }) = self.near(form) {
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
                is_small = is_small && self.all_small(self.option(at), known)?;
            }
        }
        known.insert(form, is_small);
        Ok(is_small)
    }

    /// How many ups an all-small game counts for, to within a few: its atomic weight, itself a game. `None` of
    /// what is not all small.
    ///
    /// # Errors
    /// [`Unfinished`] if it takes too long or too much memory.
    pub fn atomic_weight(&mut self, form: Form) -> Result<Option<Form>, Unfinished> {
        if !self.is_all_small(form)? {
            return Ok(None);
        }
        // A nimber that is none of any follower's: the far star.
        let far = self.birthday(form)? + 1;
        let far = NearNumber::nimber(u32::try_from(far).map_err(|_| Unfinished::TooLarge)?.next_power_of_two());
        let far = self.of_near(far)?;
        self.weight(form, far, &mut FxHashMap::default()).map(Some)
    }

    /// Winning Ways, chapter 8: to each option two less, or two more; and where whole numbers fit in between,
    /// one that the comparison with the far star chooses.
    fn weight(&mut self, form: Form, far: Form, known: &mut FxHashMap<Form, Form>) -> Result<Form, Unfinished> {
        if let Some(NearNumber { ups, .. }) = self.near(form) {
            return self.of_number(Dyadic::integer(ups.into()));
        }
        if let Some(&weight) = known.get(&form) {
            return Ok(weight);
        }
        let mut options = [Vec::new(), Vec::new()];
        for (player, options) in options.iter_mut().enumerate() {
            let two = self.of_number(Dyadic::integer(if player == LEFT { -2 } else { 2 }))?;
            for at in self.range(form, player)? {
                let weight = self.weight(self.option(at), far, known)?;
                options.push(self.sum(weight, two)?);
            }
        }
        let [left, right] = &options;
        let mut weight = self.game(left, right)?;
        if self.number(weight).is_some_and(|number| number.as_integer().is_some()) {
            let (below, above) = (self.is_at_most(form, far)?, self.is_at_most(far, form)?);
            let number = match (below, above) {
                (true, false) => self.extreme(left, LEFT)?,
                (false, true) => self.extreme(right, RIGHT)?,
                _ => 0,
            };
            weight = self.of_number(Dyadic::integer(number))?;
        }
        known.insert(form, weight);
        Ok(weight)
    }

    /// The least whole number that is greater than or confused with all of Left's options; the greatest that is
    /// less than or confused with all of Right's.
    fn extreme(&mut self, options: &[Form], player: usize) -> Result<i64, Unfinished> {
        let step = if player == LEFT { 1 } else { -1 };
        // What the options stop at is near.
        let stops = options.iter().map(|option| self.stops(*option)[1 - player]);
        let stop = if player == LEFT { stops.max() } else { stops.min() };
        let mut number = stop.map_or(0, Dyadic::floor) - 2 * step;
        'numbers: loop {
            let form = self.of_number(Dyadic::integer(number))?;
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
    use crate::cgt::{Expression, Term};
    use crate::watch::Watch;

    fn value(forms: &mut Forms<'_>, text: &str) -> Form {
        let mut none = |term: &Term, _: &mut Forms<'_>| -> Result<Form, Unfinished> { panic!("{term:?}") };
        Expression::parse(text).unwrap().value.value(forms, &mut none).unwrap()
    }

    /// Winning Ways, chapter 8, and Siegel, chapter 2.
    #[test]
    fn atomic_weights() {
        let watch = Watch::default();
        let mut forms = Forms::new(1 << 24, &watch);
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
        let mut forms = Forms::new(1 << 24, &watch);
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
        // As the options themselves have it.
        for number in ["0", "1/2", "-2"] {
            for ups in -4..=4 {
                for nimber in 0..6 {
                    let text = format!("{number} + {ups}·^ + *{nimber}").replace("+ -", "- ");
                    let form = value(&mut forms, &text);
                    let mut options = forms.left(form).unwrap();
                    options.extend(forms.right(form).unwrap());
                    let oldest = options.iter().map(|option| forms.birthday(*option).unwrap() + 1).max();
                    assert_eq!(forms.birthday(form).unwrap(), oldest.unwrap_or(0), "{text}");
                    let (left, right) = (forms.left(form).unwrap(), forms.right(form).unwrap());
                    assert_eq!(forms.game(&left, &right).unwrap(), form, "{text}");
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
