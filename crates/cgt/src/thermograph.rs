//! Thermographs: the stops of a game in which every move costs a tax. They show its mean and its temperature.
//!
//! Source: E. R. Berlekamp, J. H. Conway and R. K. Guy, "Winning ways", chapter 6.

use rustc_hash::FxHashMap;

use super::{CgtError, Dyadic, Form, FormStore, LEFT, NumberUpStar, RIGHT};

/// The mast of a thermograph: the value of a game on average, and the urgency of moving in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mast {
    /// The mean value: the limit of the value of n copies, divided by n.
    pub mean: Dyadic,
    /// The temperature: the least tax at which the walls meet; `None` if the game is a number.
    pub temperature: Option<Dyadic>,
}

/// A wall: the stop as a function of the tax, by its points `(tax, value)`. It is linear between them, and constant
/// after the last one.
pub type Wall = Vec<(Dyadic, Dyadic)>;

/// A thermograph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thermograph {
    /// The left and the right wall: the stops when Left moves first, and when Right does.
    pub walls: [Wall; 2],
    /// The mast, where the walls have met.
    pub mast: Mast,
}

impl Thermograph {
    /// Returns the left stop (`player` 0) or the right stop (1) at this tax.
    #[must_use]
    pub fn at(&self, player: usize, tax: Dyadic) -> Dyadic {
        at(&self.walls[player.min(1)], tax)
    }

    /// Returns the thermograph of a game from the right walls of its left options and the left walls of its right
    /// options. The game is no number, so it has options for both players.
    ///
    /// # Errors
    /// [`CgtError::TooLarge`] if a point of the walls is finer than 1/2^31.
    pub(super) fn from_option_walls([left, right]: [Vec<Wall>; 2]) -> Result<Self, CgtError> {
        let highest = |walls: Vec<Wall>| {
            walls.into_iter().reduce(|a, b| higher(&a, &b)).unwrap_or_else(|| vec![(Dyadic::ZERO, Dyadic::ZERO)])
        };
        let lowest = negative(highest(right.into_iter().map(negative).collect()));
        let thermograph = meet(&highest(left), &lowest);
        let is_representable = |(tax, value): &(Dyadic, Dyadic)| tax.is_representable() && value.is_representable();
        if thermograph.walls.iter().flatten().all(is_representable) { Ok(thermograph) } else { Err(CgtError::TooLarge) }
    }
}

impl FormStore {
    /// Returns the form's mean and temperature.
    ///
    /// Cost: a thermograph for each of its followers.
    ///
    /// # Errors
    /// As of [`thermograph`](Self::thermograph).
    pub fn mast(&mut self, form: Form) -> Result<Mast, CgtError> {
        Ok(self.thermograph(form)?.mast)
    }

    /// Returns the form's thermograph.
    ///
    /// Cost: a thermograph for each of its followers.
    ///
    /// # Errors
    /// [`CgtError`] if the watch stops it, or a mean or a temperature is finer than 1/2^31.
    pub fn thermograph(&mut self, form: Form) -> Result<Thermograph, CgtError> {
        self.thermograph_of(form, &mut FxHashMap::default())
    }

    fn thermograph_of(
        &mut self,
        form: Form,
        known: &mut FxHashMap<Form, Thermograph>,
    ) -> Result<Thermograph, CgtError> {
        if let Some(NumberUpStar { number: mean, ups, nimber }) = self.number_up_star(form) {
            let mast = || vec![(Dyadic::ZERO, mean)];
            let temperature = ((ups, nimber) != (0, 0)).then_some(Dyadic::ZERO);
            return Ok(Thermograph { walls: [mast(), mast()], mast: Mast { mean, temperature } });
        }
        if let Some(thermograph) = known.get(&form) {
            return Ok(thermograph.clone());
        }
        self.watch.count(1)?;
        // After a player's move the opponent is to move.
        let mut walls = [Vec::new(), Vec::new()];
        for player in [LEFT, RIGHT] {
            for at in self.range(form, player)? {
                let [left, right] = self.thermograph_of(self.option(at), known)?.walls;
                walls[player].push(if player == LEFT { right } else { left });
            }
        }
        let thermograph = Thermograph::from_option_walls(walls)?;
        known.insert(form, thermograph.clone());
        Ok(thermograph)
    }
}

pub(super) fn negative(wall: Wall) -> Wall {
    wall.into_iter().map(|(tax, value)| (tax, -value)).collect()
}

/// Returns the value of the wall at this tax.
fn at(wall: &Wall, tax: Dyadic) -> Dyadic {
    let after = wall.partition_point(|(from, _)| *from <= tax);
    let (from, value) = wall[after.saturating_sub(1)];
    match wall.get(after) {
        // A segment of a wall is level, or has slope 1 or -1.
        Some((_, next)) if *next > value => value + (tax + -from),
        Some((_, next)) if *next < value => value + -(tax + -from),
        _ => value,
    }
}

/// Returns the taxes at which one of the walls bends.
fn bends(a: &Wall, b: &Wall) -> Vec<Dyadic> {
    let mut taxes: Vec<Dyadic> = a.iter().chain(b).map(|(tax, _)| *tax).collect();
    taxes.sort_unstable();
    taxes.dedup();
    taxes
}

/// Returns the maximum of two walls.
fn higher(a: &Wall, b: &Wall) -> Wall {
    let mut wall = Wall::new();
    let mut before: Option<(Dyadic, Dyadic)> = None;
    for tax in bends(a, b) {
        let ahead = at(a, tax) + -at(b, tax);
        if let Some((from, was)) = before
            && (was > Dyadic::ZERO && ahead < Dyadic::ZERO || was < Dyadic::ZERO && ahead > Dyadic::ZERO)
        {
            // The walls close in at the rate of the tax, or at twice that rate.
            let (gap, all) = (size(was), size(was) + size(ahead));
            let is_twice = all == (tax + -from) + (tax + -from);
            let crossing = from + if is_twice { gap.half() } else { gap };
            wall.push((crossing, at(a, crossing)));
        }
        wall.push((tax, at(a, tax).max(at(b, tax))));
        before = Some((tax, ahead));
    }
    wall
}

fn size(number: Dyadic) -> Dyadic {
    number.max(-number)
}

/// Returns the thermograph of a game from the scaffolds: its left and right wall before the tax for the first move is
/// paid. The walls end where they meet, and the mast begins there.
fn meet(left: &Wall, right: &Wall) -> Thermograph {
    let gap = |tax| at(left, tax) + -tax + -(at(right, tax) + tax);
    let bends = bends(left, right);
    let mut walls = [Wall::new(), Wall::new()];
    let mut last = Dyadic::ZERO;
    let mut meeting = None;
    for &tax in &bends {
        if gap(tax) <= Dyadic::ZERO {
            // Between two bends the gap is constant, or narrows at the rate of the tax or at twice that rate.
            let (was, now) = (gap(last), gap(tax));
            let is_twice = was + -now == (tax + -last) + (tax + -last);
            meeting = Some(if was <= Dyadic::ZERO { last } else { last + if is_twice { was.half() } else { was } });
            break;
        }
        walls[LEFT].push((tax, at(left, tax) + -tax));
        walls[RIGHT].push((tax, at(right, tax) + tax));
        last = tax;
    }
    // After the last bend the gap narrows at twice the rate of the tax.
    let meeting = meeting.unwrap_or_else(|| last + gap(last).half());
    let mean = at(left, meeting) + -meeting;
    for wall in &mut walls {
        wall.retain(|(tax, _)| *tax < meeting);
        wall.push((meeting, mean));
        straighten(wall);
    }
    Thermograph { walls, mast: Mast { mean, temperature: Some(meeting) } }
}

/// Removes points between the first and the last at which the wall does not bend.
fn straighten(wall: &mut Wall) {
    let way = |a: &(Dyadic, Dyadic), b: &(Dyadic, Dyadic)| a.1.cmp(&b.1);
    let mut kept = 1;
    for at in 1..wall.len() {
        let bends = wall.get(at + 1).is_none_or(|next| way(&wall[kept - 1], &wall[at]) != way(&wall[at], next));
        if bends {
            wall[kept] = wall[at];
            kept += 1;
        }
    }
    wall.truncate(kept);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;
    use balpan::SplitMix;
    use balpan::Watch;

    fn mast_text(mast: Mast) -> String {
        let temperature = mast.temperature.map_or_else(|| "none".to_owned(), |of| of.to_string());
        format!("{} {temperature}", mast.mean)
    }

    #[test]
    fn published_values() {
        let watch = Watch::default();
        let mut forms = FormStore::new(1 << 20, &watch);
        let number = |forms: &mut FormStore, n| forms.intern_number(Dyadic::integer(n)).unwrap();
        let [zero, one, two, four, minus] = [0, 1, 2, 4, -1].map(|n| number(&mut forms, n));
        let mut mast = |left: &[Form], right: &[Form]| {
            let form = forms.canonical_form(left, right).unwrap();
            (mast_text(forms.mast(form).unwrap()), form)
        };
        assert_eq!(mast(&[zero], &[one]).0, "1/2 none");
        let (star, of_star) = mast(&[zero], &[zero]);
        assert_eq!(star, "0 0");
        assert_eq!(mast(&[zero], &[of_star]).0, "0 0");
        assert_eq!(mast(&[one], &[minus]).0, "0 1");
        assert_eq!(mast(&[two], &[minus]).0, "1/2 3/2");
        let hot = mast(&[two], &[zero]).1;
        assert_eq!(mast(&[four], &[hot]).0, "5/2 3/2");
        // Right's threat is too small for Left to answer at once: the mast bends, as in {3||2|0}.
        assert_eq!(mast(&[two], &[hot]).0, "2 0");
    }

    /// Means add up, and no sum is hotter than its hottest part.
    #[test]
    fn means_add_up() {
        let watch = Watch::default();
        let mut forms = FormStore::new(1 << 24, &watch);
        let mut random = SplitMix(1);
        let mut all = vec![forms.zero()];
        for n in -3..=3 {
            all.push(forms.intern_number(Dyadic::new(n, 1)).unwrap());
        }
        for _ in 0..60 {
            let some = |random: &mut SplitMix| {
                (0..1 + random.below(2)).map(|_| all[random.below(all.len())]).collect::<Vec<_>>()
            };
            let (left, right) = (some(&mut random), some(&mut random));
            all.push(forms.canonical_form(&left, &right).unwrap());
        }
        for _ in 0..300 {
            let [a, b] = [(); 2].map(|()| all[random.below(all.len())]);
            let sum = forms.sum(a, b).unwrap();
            let [of_a, of_b, of_sum] = [a, b, sum].map(|form| forms.mast(form).unwrap());
            assert_eq!(of_sum.mean, of_a.mean + of_b.mean);
            assert!(of_sum.temperature <= of_a.temperature.max(of_b.temperature));
        }
    }
}
