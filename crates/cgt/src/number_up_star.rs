//! Sums of a number, a multiple of up and a nimber, which most endings of play are.

use std::ops::{Add, Neg};

use super::{CgtError, Dyadic, Form, FormStore, LEFT, RIGHT};

/// The sum of a number, a multiple of up and a nimber. Its order and its sums have closed forms.
///
/// Source: A. N. Siegel, "Combinatorial game theory" (2013), chapter 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NumberUpStar {
    /// The number.
    pub number: Dyadic,
    /// The multiple of up; of down, if negative.
    pub ups: i32,
    /// The nimber.
    pub nimber: u32,
}

impl NumberUpStar {
    /// Creates a number.
    #[must_use]
    pub const fn number(number: Dyadic) -> Self {
        Self { number, ups: 0, nimber: 0 }
    }

    /// Creates a nimber.
    #[must_use]
    pub const fn nimber(nimber: u32) -> Self {
        Self { number: Dyadic::ZERO, ups: 0, nimber }
    }

    /// Returns whether the value is a number.
    #[must_use]
    pub const fn is_number(self) -> bool {
        self.ups == 0 && self.nimber == 0
    }

    /// Returns whether the value is at least zero: Left wins moving second.
    const fn is_at_least_zero(self) -> bool {
        let Self { number, ups, nimber } = self;
        match number.sign() {
            0 => matches!((ups, nimber), (0, 0) | (2.., _)) || ups == 1 && nimber != 1,
            sign => sign > 0,
        }
    }

    /// Returns whether the value is at most `other`.
    pub(super) fn is_at_most(self, other: Self) -> bool {
        (other + -self).is_at_least_zero()
    }

    /// Returns the left and right options of the canonical form.
    pub(super) fn options(self) -> [Vec<Self>; 2] {
        let Self { number, ups, nimber } = self;
        let nus = |ups, nimber| Self { number, ups, nimber };
        match ups {
            0 if nimber == 0 => number.options().map(|option| option.map(Self::number).into_iter().collect()),
            0 => [(); 2].map(|()| (0..nimber).map(|less| nus(0, less)).collect()),
            1 if nimber == 1 => [vec![nus(0, 0), nus(0, 1)], vec![nus(0, 0)]],
            1.. => [vec![nus(0, 0)], vec![nus(ups - 1, nimber ^ 1)]],
            _ => {
                let [left, right] = (-self).options();
                [right, left].map(|options| options.into_iter().map(Neg::neg).collect())
            }
        }
    }

    /// Returns the value whose canonical form has these options, if there is one. The value is no number.
    fn from_options(left: &[Self], right: &[Self]) -> Option<Self> {
        let number = left.first()?.number;
        if left.iter().chain(right).any(|option| option.number != number) {
            return None;
        }
        let nimbers = |options: &[Self]| -> Option<Vec<u32>> {
            let nimbers = options.iter().map(|option| (option.ups == 0).then_some(option.nimber));
            let mut nimbers = nimbers.collect::<Option<Vec<_>>>()?;
            nimbers.sort_unstable();
            Some(nimbers)
        };
        let value = |ups, nimber| Some(Self { number, ups, nimber });
        match (nimbers(left).as_deref(), nimbers(right).as_deref()) {
            (Some([0]), Some([0, 1])) => return value(-1, 1),
            (Some([0, 1]), Some([0])) => return value(1, 1),
            (Some(left), Some(right)) if left == right && (0..).zip(left).all(|(n, nimber)| n == *nimber) => {
                return value(0, left.len() as u32);
            }
            _ => {}
        }
        match (left, right) {
            ([left], [right]) if left.is_number() && right.ups >= 0 && !right.is_number() => {
                value(right.ups + 1, right.nimber ^ 1)
            }
            ([left], [right]) if right.is_number() && left.ups <= 0 && !left.is_number() => {
                value(left.ups - 1, left.nimber ^ 1)
            }
            _ => None,
        }
    }

    /// Returns the birthday.
    pub(super) const fn birthday(self) -> u64 {
        let Self { number, ups, nimber } = self;
        let number = number.birthday();
        match ups.unsigned_abs() as u64 {
            0 => number + nimber as u64,
            ups => {
                // Each move to one up less flips the last bit of the nimber.
                let last = nimber as u64 ^ ((ups - 1) & 1);
                let of_last = if last == 1 { 2 } else { (last ^ 1) + 1 };
                number + of_last + ups - 1
            }
        }
    }
}

impl Add for NumberUpStar {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let Self { number, ups, nimber } = other;
        Self { number: self.number + number, ups: self.ups + ups, nimber: self.nimber ^ nimber }
    }
}

impl Neg for NumberUpStar {
    type Output = Self;

    fn neg(self) -> Self {
        Self { number: -self.number, ups: -self.ups, nimber: self.nimber }
    }
}

impl FormStore {
    /// Returns the canonical form of a number, a multiple of up and a nimber, in constant time.
    ///
    /// # Errors
    /// [`CgtError::OutOfMemory`], or [`CgtError::TooLarge`] if one of the three is too large or too fine.
    pub fn intern_number_up_star(&mut self, nus: NumberUpStar) -> Result<Form, CgtError> {
        if let Some(&form) = self.number_up_stars.get(&nus) {
            return Ok(form);
        }
        if !nus.number.is_storable() || nus.ups.unsigned_abs() > 1 << 24 || nus.nimber > 1 << 24 {
            return Err(CgtError::TooLarge);
        }
        self.insert_number_up_star(nus)
    }

    /// Returns the canonical form of a number.
    ///
    /// # Errors
    /// As of [`intern_number_up_star`](Self::intern_number_up_star).
    pub fn intern_number(&mut self, number: Dyadic) -> Result<Form, CgtError> {
        self.intern_number_up_star(NumberUpStar::number(number))
    }

    /// Returns the [`NumberUpStar`] whose canonical form has these options, if there is one. It is no number.
    pub(super) fn match_number_up_star(&self, options: &[Vec<Form>; 2]) -> Option<NumberUpStar> {
        let nus = |player: usize| {
            options[player].iter().map(|option| self.number_up_star(*option)).collect::<Option<Vec<_>>>()
        };
        NumberUpStar::from_options(&nus(LEFT)?, &nus(RIGHT)?)
    }

    /// Returns the options of a [`NumberUpStar`].
    pub(super) fn number_up_star_options(&mut self, nus: NumberUpStar) -> Result<[Vec<Form>; 2], CgtError> {
        let [left, right] = nus.options();
        let mut of = |options: Vec<NumberUpStar>| -> Result<Vec<Form>, CgtError> {
            options.into_iter().map(|nus| self.intern_number_up_star(nus)).collect()
        };
        let (mut left, mut right) = (of(left)?, of(right)?);
        left.sort_unstable();
        right.sort_unstable();
        Ok([left, right])
    }
}
