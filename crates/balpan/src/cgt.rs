//! Values of short partizan games under normal play, as combinatorial game theory
//! has them: what a position is worth in any sum with others.
//!
//! Two players, Left and Right; who cannot move loses. A game is what each can move
//! to, `{a, b|c}`: Left to `a` or `b`, Right to `c`. Games that can stand for each
//! other in every sum are equal, and of all that are equal one is the simplest, their
//! *canonical form*: without options that another one dominates, and without those
//! that the other player's answer reverses.
//!
//! ```
//! use balpan::Watch;
//! use balpan::cgt::Forms;
//!
//! let watch = Watch::default();
//! let mut forms = Forms::new(1 << 20, &watch);
//! let zero = forms.zero();
//! let star = forms.game(&[zero], &[zero])?;
//! let up = forms.game(&[zero], &[star])?;
//! let sum = forms.sum(up, star)?;
//! assert_eq!(forms.text(sum)?, "↑*");
//! assert_eq!(forms.sum(star, star)?, zero);
//! # Ok::<(), balpan::cgt::Unfinished>(())
//! ```
//!
//! Source: J. H. Conway, "On numbers and games" (1976); E. R. Berlekamp, J. H. Conway
//! and R. K. Guy, "Winning ways" (1982); A. N. Siegel, "Combinatorial game theory"
//! (2013), whose names of values are used.

mod dyadic;
mod text;
mod thermograph;

use rustc_hash::FxHashMap;

use crate::value::Outcome;
use crate::watch::{Stopped, Watch};
pub use dyadic::Dyadic;
pub use thermograph::Heat;

/// A canonical form in a store of [`Forms`]: equal if and only if the values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Form(u32);

/// Why there is no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfinished {
    /// The watch said so.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The forms take more memory than was allowed.
    #[error("the canonical forms take more than the {0} bytes that they may")]
    TooMany(usize),
}

/// A store of canonical forms, each of which is kept once, with what has been found
/// out about them.
///
/// Cost: of comparing two forms, at worst the product of the numbers of their
/// followers; of a sum likewise, with a comparison or some for each. Both are
/// remembered.
#[derive(Debug)]
pub struct Forms<'a> {
    forms: Vec<Options>,
    /// What is a number, and which.
    numbers: Vec<Option<Dyadic>>,
    known: FxHashMap<Options, Form>,
    of_number: FxHashMap<Dyadic, Form>,
    less_or_equal: FxHashMap<(Form, Form), bool>,
    sums: FxHashMap<(Form, Form), Form>,
    negatives: FxHashMap<Form, Form>,
    /// Multiples of up with a nimber, by what they are.
    ups: FxHashMap<Form, (i32, u32)>,
    bytes: usize,
    most_bytes: usize,
    watch: &'a Watch,
}

/// What Left can move to, and Right; sorted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Options([Box<[Form]>; 2]);

const LEFT: usize = 0;
const RIGHT: usize = 1;

/// A game about to be brought to canonical form, with what is known of its order
/// relative to forms.
struct Raw {
    options: [Vec<Form>; 2],
    /// Whether it is at most the form, and at least the form.
    at_most: FxHashMap<Form, bool>,
    at_least: FxHashMap<Form, bool>,
}

impl<'a> Forms<'a> {
    /// A store that takes `most_bytes` at most, or a few more, and reports each game
    /// that it brings to canonical form to `watch`.
    #[must_use]
    pub fn new(most_bytes: usize, watch: &'a Watch) -> Self {
        let mut forms = Self {
            forms: Vec::new(),
            numbers: Vec::new(),
            known: FxHashMap::default(),
            of_number: FxHashMap::default(),
            less_or_equal: FxHashMap::default(),
            sums: FxHashMap::default(),
            negatives: FxHashMap::default(),
            ups: FxHashMap::default(),
            bytes: 0,
            most_bytes,
            watch,
        };
        forms.keep(Options([Box::default(), Box::default()]));
        forms
    }

    /// Nobody can move.
    #[must_use]
    pub const fn zero(&self) -> Form {
        Form(0)
    }

    /// How many forms are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.forms.len()
    }

    /// Never: zero is always there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }

    /// What Left can move to, in canonical form.
    #[must_use]
    pub fn left(&self, form: Form) -> &[Form] {
        &self.options(form).0[LEFT]
    }

    /// What Right can move to, in canonical form.
    #[must_use]
    pub fn right(&self, form: Form) -> &[Form] {
        &self.options(form).0[RIGHT]
    }

    /// Which number it is, if it is one.
    #[must_use]
    pub fn number(&self, form: Form) -> Option<Dyadic> {
        self.numbers[form.0 as usize]
    }

    /// The outcome for Left, and for Right, when that player begins.
    ///
    /// # Errors
    /// [`Unfinished`] if it takes too long or too much memory.
    pub fn outcomes(&mut self, form: Form) -> Result<[Outcome; 2], Unfinished> {
        let outcome = |wins| if wins { Outcome::Win } else { Outcome::Loss };
        let zero = self.zero();
        Ok([outcome(!self.is_at_most(form, zero)?), outcome(!self.is_at_most(zero, form)?)])
    }

    /// The canonical form of the game in which Left can move to `left` and Right to
    /// `right`.
    ///
    /// # Errors
    /// [`Unfinished`] if it takes too long or too much memory.
    pub fn game(&mut self, left: &[Form], right: &[Form]) -> Result<Form, Unfinished> {
        self.watch.count(1)?;
        let mut options = [left.to_vec(), right.to_vec()];
        for player in [LEFT, RIGHT] {
            self.drop_dominated(player, &mut options[player])?;
        }
        let [left, right] = &options;
        if let Some(form) = self.as_number(left, right)? {
            return Ok(form);
        }
        let mut raw = Raw { options, at_most: FxHashMap::default(), at_least: FxHashMap::default() };
        for player in [LEFT, RIGHT] {
            let mut kept = Vec::new();
            let mut open = raw.options[player].clone();
            // Options that came in by a reversal may be reversible themselves.
            while let Some(option) = open.pop() {
                match self.reversed(player, option, &mut raw)? {
                    Some(answer) => open.extend(&*self.options(answer).0[player]),
                    None => kept.push(option),
                }
            }
            self.drop_dominated(player, &mut kept)?;
            raw.options[player] = kept;
        }
        let options = raw.options.map(|mut options| {
            options.sort_unstable();
            options.into_boxed_slice()
        });
        self.find(Options(options))
    }

    /// The same with the players exchanged.
    ///
    /// # Errors
    /// [`Unfinished`] if it takes too much memory.
    pub fn negative(&mut self, form: Form) -> Result<Form, Unfinished> {
        if let Some(&negative) = self.negatives.get(&form) {
            return Ok(negative);
        }
        let mut negatives = |player: usize| {
            let options = self.options(form).0[player].to_vec();
            options.into_iter().map(|option| self.negative(option)).collect::<Result<Vec<_>, _>>()
        };
        let (mut left, mut right) = (negatives(RIGHT)?, negatives(LEFT)?);
        left.sort_unstable();
        right.sort_unstable();
        // What is canonical stays so.
        let negative = self.find(Options([left.into(), right.into()]))?;
        self.negatives.insert(form, negative);
        self.negatives.insert(negative, form);
        self.take(64)?;
        Ok(negative)
    }

    /// Both games side by side: a player moves in one of them.
    ///
    /// # Errors
    /// [`Unfinished`] if it takes too long or too much memory.
    pub fn sum(&mut self, a: Form, b: Form) -> Result<Form, Unfinished> {
        match (self.number(a), self.number(b)) {
            (Some(x), Some(y)) => return self.of_number(x + y),
            (Some(Dyadic::ZERO), None) => return Ok(b),
            (None, Some(Dyadic::ZERO)) => return Ok(a),
            _ => {}
        }
        let key = (a.min(b), a.max(b));
        if let Some(&sum) = self.sums.get(&key) {
            return Ok(sum);
        }
        let mut options = [Vec::new(), Vec::new()];
        for (game, other) in [(a, b), (b, a)] {
            // Nobody moves in a number who can move in what is none.
            if self.number(game).is_some() {
                continue;
            }
            for (player, options) in options.iter_mut().enumerate() {
                for i in 0..self.options(game).0[player].len() {
                    options.push(self.sum(self.options(game).0[player][i], other)?);
                }
            }
        }
        let sum = self.game(&options[LEFT], &options[RIGHT])?;
        self.sums.insert(key, sum);
        self.take(32)?;
        Ok(sum)
    }

    /// The canonical form of a number.
    ///
    /// # Errors
    /// [`Unfinished`] if it takes too much memory.
    pub fn of_number(&mut self, number: Dyadic) -> Result<Form, Unfinished> {
        if let Some(&form) = self.of_number.get(&number) {
            return Ok(form);
        }
        let [left, right] = number.options();
        let mut options = [Vec::new(), Vec::new()];
        for (options, option) in options.iter_mut().zip([left, right]) {
            if let Some(option) = option {
                options.push(self.of_number(option)?);
            }
        }
        self.find(Options(options.map(Vec::into_boxed_slice)))
    }

    /// Whether `a` is at most `b`: as good for Right in every sum, or better.
    ///
    /// # Errors
    /// [`Unfinished`] if it takes too long or too much memory.
    pub fn is_at_most(&mut self, a: Form, b: Form) -> Result<bool, Unfinished> {
        if a == b {
            return Ok(true);
        }
        if let (Some(x), Some(y)) = (self.number(a), self.number(b)) {
            return Ok(x <= y);
        }
        if let Some(&known) = self.less_or_equal.get(&(a, b)) {
            return Ok(known);
        }
        let mut holds = true;
        for i in 0..self.left(a).len() {
            if self.is_at_most(b, self.left(a)[i])? {
                holds = false;
                break;
            }
        }
        if holds {
            for i in 0..self.right(b).len() {
                if self.is_at_most(self.right(b)[i], a)? {
                    holds = false;
                    break;
                }
            }
        }
        self.less_or_equal.insert((a, b), holds);
        self.take(24)?;
        Ok(holds)
    }

    fn options(&self, form: Form) -> &Options {
        &self.forms[form.0 as usize]
    }

    /// Whether `option` is at least as good for the player as `other`.
    fn is_as_good(&mut self, player: usize, option: Form, other: Form) -> Result<bool, Unfinished> {
        if player == LEFT { self.is_at_most(other, option) } else { self.is_at_most(option, other) }
    }

    fn drop_dominated(&mut self, player: usize, options: &mut Vec<Form>) -> Result<(), Unfinished> {
        let mut kept: Vec<Form> = Vec::with_capacity(options.len());
        options.sort_unstable();
        options.dedup();
        'options: for &option in &*options {
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

    /// The simplest number between the options, where those are numbers or there are
    /// none, and such a number is there.
    fn as_number(&mut self, left: &[Form], right: &[Form]) -> Result<Option<Form>, Unfinished> {
        let number = |options: &[Form]| match *options {
            [] => Some(None),
            [option] => self.number(option).map(Some),
            _ => None,
        };
        match (number(left), number(right)) {
            (Some(above), Some(below)) => match Dyadic::simplest_between(above, below) {
                Some(simplest) => self.of_number(simplest).map(Some),
                None => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// What the other player answers to `option` that leaves them no worse off than the
    /// game itself.
    fn reversed(&mut self, player: usize, option: Form, raw: &mut Raw) -> Result<Option<Form>, Unfinished> {
        for i in 0..self.options(option).0[1 - player].len() {
            let answer = self.options(option).0[1 - player][i];
            let reverses =
                if player == LEFT { self.raw_at_least(raw, answer)? } else { self.raw_at_most(raw, answer)? };
            if reverses {
                return Ok(Some(answer));
            }
        }
        Ok(None)
    }

    fn raw_at_most(&mut self, raw: &mut Raw, form: Form) -> Result<bool, Unfinished> {
        if let Some(&known) = raw.at_most.get(&form) {
            return Ok(known);
        }
        let mut holds = true;
        for i in 0..raw.options[LEFT].len() {
            holds = holds && !self.is_at_most(form, raw.options[LEFT][i])?;
        }
        for i in 0..self.right(form).len() {
            holds = holds && !self.raw_at_least(raw, self.right(form)[i])?;
        }
        raw.at_most.insert(form, holds);
        Ok(holds)
    }

    fn raw_at_least(&mut self, raw: &mut Raw, form: Form) -> Result<bool, Unfinished> {
        if let Some(&known) = raw.at_least.get(&form) {
            return Ok(known);
        }
        let mut holds = true;
        for i in 0..raw.options[RIGHT].len() {
            holds = holds && !self.is_at_most(raw.options[RIGHT][i], form)?;
        }
        for i in 0..self.left(form).len() {
            holds = holds && !self.raw_at_most(raw, self.left(form)[i])?;
        }
        raw.at_least.insert(form, holds);
        Ok(holds)
    }

    /// The form that has these options, which are canonical.
    fn find(&mut self, options: Options) -> Result<Form, Unfinished> {
        if let Some(&form) = self.known.get(&options) {
            return Ok(form);
        }
        // Kept twice, with what it takes to keep.
        self.take(160 + 8 * (options.0[LEFT].len() + options.0[RIGHT].len()))?;
        Ok(self.keep(options))
    }

    fn keep(&mut self, options: Options) -> Form {
        let form = Form(self.forms.len() as u32);
        let number = self.number_of(&options);
        if let Some(number) = number {
            self.of_number.insert(number, form);
        }
        self.numbers.push(number);
        self.known.insert(options.clone(), form);
        self.forms.push(options);
        form
    }

    /// Which number has these options in canonical form.
    fn number_of(&self, options: &Options) -> Option<Dyadic> {
        let option = |player: usize| match *options.0[player] {
            [] => Some(None),
            [option] => self.number(option).map(Some),
            _ => None,
        };
        Dyadic::simplest_between(option(LEFT)?, option(RIGHT)?)
    }

    fn take(&mut self, bytes: usize) -> Result<(), Unfinished> {
        self.bytes += bytes;
        if self.bytes > self.most_bytes { Err(Unfinished::TooMany(self.most_bytes)) } else { Ok(()) }
    }
}
