//! The store of canonical forms.

use std::hash::{BuildHasher, Hash};
use std::ops::Range;

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::{Dyadic, LEFT, NumberUpStar, RIGHT};
use crate::length::{DepthLimit, MAX_PLIES, TooDeep};
use crate::watch::{Stopped, Watch};

/// A canonical form in a store of [`FormStore`]: equal if and only if the values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Form(pub(super) u32);

/// Why there is no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CgtError {
    /// The watch said so.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The forms take more memory than was allowed.
    #[error("the canonical forms take more than the {0} bytes that they may")]
    OutOfMemory(usize),
    /// A number, a nimber or a multiple of up.
    #[error(
        "a number beyond 2^30 or finer than 1/2^30, a nimber or a multiple beyond 2^24, or a game of more than {MAX_HEIGHT} plies"
    )]
    TooLarge,
    /// Play goes on for more plies than the stack has room for.
    #[error(
        "play goes on for more than {0} plies, for which the stack has no room: does it end? `balpan::with_stack_for` has room for {MAX_PLIES}"
    )]
    TooDeep(u32),
}

/// A store of canonical forms, each of which is kept once, with what has been found
/// out about them.
///
/// Cost: of comparing two forms, at worst the product of the numbers of their
/// followers; of a sum likewise, with a comparison or some for each. OptionLists are
/// remembered, and forgotten where the memory ends. Numbers, nimbers and multiples of up
/// cost nothing. A form takes a hundred bytes, and four for each option.
#[derive(Debug)]
pub struct FormStore<'a> {
    forms: Vec<Entry>,
    /// The options of all forms.
    options: Vec<Form>,
    /// FormStore that are not near a number, by their options.
    by_options: HashTable<Form>,
    pub(super) number_up_stars: FxHashMap<NumberUpStar, Form>,
    pub(super) less_or_equal: Memo<bool>,
    pub(super) sums: Memo<Form>,
    bytes: usize,
    max_bytes: usize,
    pub(super) watch: &'a Watch,
    /// The plies from the position that was asked about, and how many there may be on this thread.
    plies: u32,
    limit: DepthLimit,
}

/// Plies of the longest game that is compared or added: more would take a stack without end.
const MAX_HEIGHT: u32 = 500;

#[derive(Debug)]
struct Entry {
    /// Ups and nimber of what is near a number, which is both its stops.
    near: Option<(i32, u32)>,
    /// What play stops at when Left begins, and when Right does.
    stops: [Dyadic; 2],
    negative: Option<Form>,
    /// Where its options begin, once they are there: what is near a number has them on demand.
    start: Option<u32>,
    /// How many Left has, and Right.
    counts: [u32; 2],
    /// The most plies, of which those in numbers do not count.
    height: u32,
}

/// Results about two forms, up to a number, after which they are forgotten.
#[derive(Debug)]
pub(super) struct Memo<V> {
    results: FxHashMap<(Form, Form), V>,
    max_len: usize,
}

impl<V: Copy> Memo<V> {
    /// In at most this many bytes, also while the table grows.
    fn new(max_bytes: usize) -> Self {
        Self { results: FxHashMap::default(), max_len: (max_bytes / 48).max(1 << 10) }
    }

    pub(super) fn get(&self, a: Form, b: Form) -> Option<V> {
        self.results.get(&(a, b)).copied()
    }

    pub(super) fn insert(&mut self, a: Form, b: Form, result: V) {
        if self.results.len() >= self.max_len {
            self.results.clear();
        }
        self.results.insert((a, b), result);
    }
}

impl<'a> FormStore<'a> {
    /// A store that takes `max_bytes` at most, or a few more, and reports each game
    /// that it brings to canonical form to `watch`.
    #[must_use]
    pub fn new(max_bytes: usize, watch: &'a Watch) -> Self {
        let mut forms = Self {
            forms: Vec::new(),
            options: Vec::new(),
            by_options: HashTable::new(),
            number_up_stars: FxHashMap::default(),
            less_or_equal: Memo::new(max_bytes / 4),
            sums: Memo::new(max_bytes / 4),
            bytes: 0,
            max_bytes: max_bytes / 2,
            watch,
            plies: 0,
            limit: DepthLimit::new(None),
        };
        forms.add_number_up_star(NumberUpStar::number(Dyadic::ZERO));
        forms
    }

    /// The same store, reporting to another watch.
    #[must_use]
    pub fn with_watch(self, watch: &Watch) -> FormStore<'_> {
        FormStore { watch, ..self }
    }

    /// Runs `work`, which is about the positions after a move.
    ///
    /// # Errors
    /// [`CgtError::TooDeep`] if there is no room for one more ply; or that of `work`.
    pub(super) fn one_ply_deeper<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, CgtError>,
    ) -> Result<T, CgtError> {
        if self.plies == 0 {
            // Each question may be asked on another thread.
            self.limit = DepthLimit::new(None);
        }
        self.limit.check(self.plies).map_err(|TooDeep| CgtError::TooDeep(self.plies))?;
        self.plies += 1;
        let result = work(self);
        self.plies -= 1;
        result
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
    ///
    /// # Errors
    /// [`CgtError`] if it takes too much memory.
    pub fn left_options(&mut self, form: Form) -> Result<Vec<Form>, CgtError> {
        Ok(self.slice(form, LEFT)?.to_vec())
    }

    /// What Right can move to, in canonical form.
    ///
    /// # Errors
    /// [`CgtError`] if it takes too much memory.
    pub fn right_options(&mut self, form: Form) -> Result<Vec<Form>, CgtError> {
        Ok(self.slice(form, RIGHT)?.to_vec())
    }

    /// Which number it is, if it is one.
    #[must_use]
    pub fn number(&self, form: Form) -> Option<Dyadic> {
        self.number_up_star(form).filter(|near| near.is_number()).map(|near| near.number)
    }

    /// Which sum of a number, a multiple of up and a nimber it is, if it is one.
    #[must_use]
    pub fn number_up_star(&self, form: Form) -> Option<NumberUpStar> {
        let Entry { near, stops, .. } = &self.forms[form.0 as usize];
        near.map(|(ups, nimber)| NumberUpStar { number: stops[LEFT], ups, nimber })
    }

    /// The numbers that play stops at when Left begins, and when Right does.
    #[must_use]
    pub fn stops(&self, form: Form) -> [Dyadic; 2] {
        self.forms[form.0 as usize].stops
    }

    /// The options of a player, by their place among all.
    pub(super) fn range(&mut self, form: Form, player: usize) -> Result<Range<usize>, CgtError> {
        let start = match self.forms[form.0 as usize].start {
            Some(start) => start,
            None => self.expand(form)?,
        } as usize;
        let [left, right] = self.forms[form.0 as usize].counts.map(|count| count as usize);
        Ok(if player == LEFT { start..start + left } else { start + left..start + left + right })
    }

    /// The option at a place that [`range`](Self::range) has told.
    pub(super) fn option(&self, at: usize) -> Form {
        self.options[at]
    }

    pub(super) fn slice(&mut self, form: Form, player: usize) -> Result<&[Form], CgtError> {
        let range = self.range(form, player)?;
        Ok(&self.options[range])
    }

    /// The negative, where it has been found.
    pub(super) fn known_negative(&self, form: Form) -> Option<Form> {
        self.forms[form.0 as usize].negative
    }

    pub(super) fn set_negative(&mut self, form: Form, negative: Form) {
        self.forms[form.0 as usize].negative = Some(negative);
        self.forms[negative.0 as usize].negative = Some(form);
    }

    /// The form that has these options, which are canonical, if there is one already.
    pub(super) fn lookup(&self, options: &[Vec<Form>; 2]) -> Option<Form> {
        let hash = hash(&options[LEFT], &options[RIGHT]);
        self.by_options.find(hash, |&form| self.has_options(form, options)).copied()
    }

    /// The form that has these options, which are canonical and sorted, and no number.
    pub(super) fn intern(&mut self, options: &[Vec<Form>; 2]) -> Result<Form, CgtError> {
        if let Some(form) = self.lookup(options) {
            return Ok(form);
        }
        if let Some(near) = self.match_number_up_star(options) {
            return self.intern_number_up_star(near);
        }
        let stop = |player: usize| {
            let stops = options[player].iter().map(|option| self.stops(*option)[1 - player]);
            // What is no number has options of both players.
            let stop = if player == LEFT { stops.max() } else { stops.min() };
            stop.unwrap_or(Dyadic::ZERO)
        };
        let stops = [stop(LEFT), stop(RIGHT)];
        let heights = options.iter().flatten().map(|option| self.forms[option.0 as usize].height);
        let height = heights.max().unwrap_or(0) + 1;
        if height > MAX_HEIGHT {
            return Err(CgtError::TooLarge);
        }
        self.reserve(112 + 4 * (options[LEFT].len() + options[RIGHT].len()))?;
        let start = Some(self.write(options)?);
        let counts = options.each_ref().map(|options| options.len() as u32);
        let form = Form(self.forms.len() as u32);
        self.forms.push(Entry { near: None, stops, negative: None, start, counts, height });
        let (forms, all) = (&self.forms, &self.options);
        let rehash = |form: &Form| {
            let Entry { start, counts, .. } = &forms[form.0 as usize];
            let start = start.unwrap_or(0) as usize;
            let (left, right) = all[start..][..(counts[0] + counts[1]) as usize].split_at(counts[0] as usize);
            hash(left, right)
        };
        self.by_options.insert_unique(hash(&options[LEFT], &options[RIGHT]), form, rehash);
        Ok(form)
    }

    /// Whether two games are short enough to be compared or added ply by ply.
    pub(super) fn check_heights(&self, a: Form, b: Form) -> Result<(), CgtError> {
        let [a, b] = [a, b].map(|form| self.forms[form.0 as usize].height);
        if a + b > 2 * MAX_HEIGHT { Err(CgtError::TooLarge) } else { Ok(()) }
    }

    fn has_options(&self, form: Form, options: &[Vec<Form>; 2]) -> bool {
        let Entry { start: Some(start), counts, .. } = &self.forms[form.0 as usize] else {
            return false;
        };
        let [left, right] = counts.map(|count| count as usize);
        let all = &self.options[*start as usize..][..left + right];
        all[..left] == options[LEFT][..] && all[left..] == options[RIGHT][..]
    }

    pub(super) fn insert_number_up_star(&mut self, near: NumberUpStar) -> Result<Form, CgtError> {
        self.reserve(150)?;
        Ok(self.add_number_up_star(near))
    }

    fn add_number_up_star(&mut self, near: NumberUpStar) -> Form {
        let form = Form(self.forms.len() as u32);
        let NumberUpStar { number, ups, nimber } = near;
        let height = ups.unsigned_abs() + nimber;
        let entry = Entry {
            near: Some((ups, nimber)),
            stops: [number; 2],
            negative: None,
            start: None,
            counts: [0; 2],
            height,
        };
        self.forms.push(entry);
        self.number_up_stars.insert(near, form);
        form
    }

    /// Writes down the options of what is near a number.
    fn expand(&mut self, form: Form) -> Result<u32, CgtError> {
        let Some(near) = self.number_up_star(form) else {
            // What is not near a number has its options from the beginning.
            return Ok(0);
        };
        let options = self.number_up_star_options(near)?;
        self.reserve(4 * (options[LEFT].len() + options[RIGHT].len()))?;
        let start = self.write(&options)?;
        let entry = &mut self.forms[form.0 as usize];
        entry.start = Some(start);
        entry.counts = options.each_ref().map(|options| options.len() as u32);
        Ok(start)
    }

    fn write(&mut self, options: &[Vec<Form>; 2]) -> Result<u32, CgtError> {
        let start = u32::try_from(self.options.len()).map_err(|_| CgtError::OutOfMemory(2 * self.max_bytes))?;
        self.options.extend(options.iter().flatten());
        Ok(start)
    }

    fn reserve(&mut self, bytes: usize) -> Result<(), CgtError> {
        self.bytes += bytes;
        if self.bytes > self.max_bytes { Err(CgtError::OutOfMemory(2 * self.max_bytes)) } else { Ok(()) }
    }
}

fn hash(left: &[Form], right: &[Form]) -> u64 {
    FxBuildHasher.hash_one(OptionLists(left, right))
}

/// The options of both players, as they are hashed.
#[derive(Hash)]
struct OptionLists<'f>(&'f [Form], &'f [Form]);
