//! Values as the field writes them.

use super::{Dyadic, Form, Forms, LEFT, RIGHT, Unfinished};

/// Multiples of up, and nimbers beside them, up to these are known by name.
const MOST_UPS: i32 = 6;
const MOST_NIMBER: u32 = 8;

impl Forms<'_> {
    /// The value by its name, if it has one: a number (`-3/4`), with a multiple of up
    /// and a nimber (`↑*`, `⇓`, `3·↑`, `1/2*2`), a tiny or a miny (`tiny(2)`), a switch (`±1`);
    /// otherwise what both players can move to, `{1|0,*}`.
    ///
    /// # Errors
    /// [`Unfinished`] if it takes too long or too much memory to find the name.
    pub fn text(&mut self, form: Form) -> Result<String, Unfinished> {
        if let Some(number) = self.number(form) {
            return Ok(number.to_string());
        }
        if let Some(name) = self.near_number(form)? {
            return Ok(name);
        }
        if let Some(name) = self.tiny(form)? {
            return Ok(name);
        }
        let right = self.right(form).to_vec();
        let left = self.left(form).to_vec();
        let mut negatives = right.iter().map(|&option| self.negative(option)).collect::<Result<Vec<_>, _>>()?;
        negatives.sort_unstable();
        let left_text = self.list(&left)?;
        if negatives == left {
            return Ok(match *left {
                [option] if self.number(option).is_some() => format!("±{left_text}"),
                _ => format!("±({left_text})"),
            });
        }
        Ok(format!("{{{left_text}|{}}}", self.list(&right)?))
    }

    fn list(&mut self, options: &[Form]) -> Result<String, Unfinished> {
        let mut texts = options.iter().map(|&option| self.text(option)).collect::<Result<Vec<_>, _>>()?;
        texts.sort_by_key(|text| (text.len(), text.clone()));
        Ok(texts.join(","))
    }

    /// A number, a multiple of up and a nimber.
    fn near_number(&mut self, form: Form) -> Result<Option<String>, Unfinished> {
        let [left, right] = [LEFT, RIGHT].map(|player| self.stop(form, player));
        if left != right {
            return Ok(None);
        }
        let negative = self.of_number(-left)?;
        let infinitesimal = self.sum(form, negative)?;
        self.name_ups()?;
        let Some(&(ups, nimber)) = self.ups.get(&infinitesimal) else {
            return Ok(None);
        };
        let arrows = match ups {
            0 => String::new(),
            1 => "↑".to_owned(),
            2 => "⇑".to_owned(),
            3.. => format!("{ups}·↑"),
            -1 => "↓".to_owned(),
            -2 => "⇓".to_owned(),
            _ => format!("{}·↓", -ups),
        };
        let nimber = match nimber {
            0 => String::new(),
            1 => "*".to_owned(),
            n => format!("*{n}"),
        };
        Ok(Some(match (left, ups.abs()) {
            (Dyadic::ZERO, _) => arrows + &nimber,
            (number, 0..=2) => format!("{number}{arrows}{nimber}"),
            (number, _) => format!("{number}+{arrows}{nimber}"),
        }))
    }

    /// The number that play stops at when the player begins.
    fn stop(&self, form: Form, player: usize) -> Dyadic {
        if let Some(number) = self.number(form) {
            return number;
        }
        let stops = self.options(form).0[player].iter().map(|&option| self.stop(option, 1 - player));
        let stop = if player == LEFT { stops.max() } else { stops.min() };
        // What is no number has options of both players.
        stop.unwrap_or(Dyadic::ZERO)
    }

    /// `{0||0|-x}`, or its negative, of a positive number.
    fn tiny(&mut self, form: Form) -> Result<Option<String>, Unfinished> {
        let zero = self.zero();
        for (name, player) in [("tiny", LEFT), ("miny", RIGHT)] {
            let other = 1 - player;
            let (&[own], &[threat]) = (&*self.options(form).0[player], &*self.options(form).0[other]) else {
                continue;
            };
            let (&[back], &[reward]) = (&*self.options(threat).0[player], &*self.options(threat).0[other]) else {
                continue;
            };
            let Some(number) = self.number(reward) else {
                continue;
            };
            let size = if player == LEFT { -number } else { number };
            if own == zero && back == zero && size > Dyadic::ZERO {
                return Ok(Some(format!("{name}({size})")));
            }
        }
        Ok(None)
    }

    /// Finds the multiples of up with nimbers, once.
    fn name_ups(&mut self) -> Result<(), Unfinished> {
        if !self.ups.is_empty() {
            return Ok(());
        }
        let zero = self.zero();
        let mut nimbers = vec![zero];
        for _ in 0..MOST_NIMBER {
            let next = self.game(&nimbers, &nimbers)?;
            nimbers.push(next);
        }
        let up = self.game(&[zero], &[nimbers[1]])?;
        let down = self.negative(up)?;
        for (direction, sign) in [(up, 1), (down, -1)] {
            let mut arrows = zero;
            for ups in 0..=MOST_UPS {
                for (nimber, &star) in (0..).zip(&nimbers) {
                    let form = self.sum(arrows, star)?;
                    self.ups.insert(form, (sign * ups, nimber));
                }
                arrows = self.sum(arrows, direction)?;
            }
        }
        Ok(())
    }
}
