//! The store of canonical forms.

use std::hash::{BuildHasher, Hash};
use std::ops::Range;

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::{Dyadic, LEFT, NumberUpStar, RIGHT};
use balpan::{DepthLimit, MAX_PLIES, TooDeep};
use balpan::{Stopped, Watch};

/// A canonical form in a [`FormStore`]. Two forms of one store are equal if and only if their values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Form(pub(super) u32);

/// An error in the computation of a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CgtError {
    /// The [`Watch`] stopped the computation.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The forms take more than this many bytes.
    #[error("the canonical forms take more than the {0} bytes that they may")]
    OutOfMemory(usize),
    /// A number, a nimber, a multiple of up or a game exceeds a fixed limit.
    #[error(
        "a number beyond 2^30 or finer than 1/2^30, a nimber or a multiple beyond 2^24, or a game of more than {MAX_HEIGHT} plies"
    )]
    TooLarge,
    /// Play lasts for more than this many plies, for which the stack has no room.
    #[error(
        "play goes on for more than {0} plies, for which the stack has no room: does it end? `balpan::with_stack_for` has room for {MAX_PLIES}"
    )]
    TooDeep(u32),
}

/// A store of canonical forms, each stored once.
///
/// Cost: a comparison takes at worst the product of the two forms' numbers of followers.
/// A sum takes as much, and some comparisons for each pair of followers. Comparisons and
/// sums are memoised; the memo is cleared when it reaches its share of the memory. Numbers,
/// nimbers and multiples of up are compared and added in constant time. A form takes a
/// hundred bytes and four for each option.
#[derive(Debug)]
pub struct FormStore {
    forms: Vec<StoredForm>,
    /// The options of all forms, those of one form together: Left's, then Right's.
    options: Vec<Form>,
    /// The forms that are no [`NumberUpStar`], by their options.
    by_options: HashTable<Form>,
    pub(super) number_up_stars: FxHashMap<NumberUpStar, Form>,
    pub(super) less_or_equal: Memo<bool>,
    pub(super) sums: Memo<Form>,
    bytes: usize,
    max_bytes: usize,
    pub(super) watch: Watch,
    /// The recursion depth, in plies from the position in question.
    plies: u32,
    limit: DepthLimit,
}

/// Plies of the longest game that is compared or added. The recursion is as deep, so this bounds the stack.
const MAX_HEIGHT: u32 = 500;

#[derive(Debug)]
struct StoredForm {
    /// The multiple of up and the nimber of a [`NumberUpStar`]. Its number is both stops.
    ups_and_nimber: Option<(i32, u32)>,
    /// The left and right stop.
    stops: [Dyadic; 2],
    negative: Option<Form>,
    /// Index of the first option. Options of a [`NumberUpStar`] are stored on demand.
    start: Option<u32>,
    /// The numbers of left and of right options.
    counts: [u32; 2],
    /// The plies of the longest play, those in numbers excluded.
    height: u32,
}

/// A table of results about pairs of forms, cleared when it is full.
#[derive(Debug)]
pub(super) struct Memo<V> {
    results: FxHashMap<(Form, Form), V>,
    max_len: usize,
}

impl<V: Copy> Memo<V> {
    /// Creates a table that takes at most `max_bytes`, also while it grows.
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

impl FormStore {
    /// Creates a store that takes about `max_bytes` at most. It counts each game that it
    /// reduces to canonical form on `watch`.
    #[must_use]
    pub fn new(max_bytes: usize, watch: &Watch) -> Self {
        let mut forms = Self {
            forms: Vec::new(),
            options: Vec::new(),
            by_options: HashTable::new(),
            number_up_stars: FxHashMap::default(),
            less_or_equal: Memo::new(max_bytes / 4),
            sums: Memo::new(max_bytes / 4),
            bytes: 0,
            max_bytes: max_bytes / 2,
            watch: watch.clone(),
            plies: 0,
            limit: DepthLimit::new(None),
        };
        forms.add_number_up_star(NumberUpStar::number(Dyadic::ZERO));
        forms
    }

    /// Runs `work` one ply deeper in the recursion.
    ///
    /// # Errors
    /// [`CgtError::TooDeep`] if the stack has no room for one more ply; and those of `work`.
    pub(super) fn one_ply_deeper<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, CgtError>,
    ) -> Result<T, CgtError> {
        if self.plies == 0 {
            // Each call from outside may come from another thread.
            self.limit = DepthLimit::new(None);
        }
        self.limit.check(self.plies).map_err(|TooDeep| CgtError::TooDeep(self.plies))?;
        self.plies += 1;
        let result = work(self);
        self.plies -= 1;
        result
    }

    /// Returns the form of 0, the game in which neither player can move.
    #[must_use]
    pub const fn zero(&self) -> Form {
        Form(0)
    }

    /// Returns the number of forms in the store.
    #[must_use]
    pub fn form_count(&self) -> usize {
        self.forms.len()
    }

    /// Returns the left options.
    ///
    /// # Errors
    /// [`CgtError::OutOfMemory`] if the options have no room.
    pub fn left_options(&mut self, form: Form) -> Result<Vec<Form>, CgtError> {
        Ok(self.slice(form, LEFT)?.to_vec())
    }

    /// Returns the right options.
    ///
    /// # Errors
    /// [`CgtError::OutOfMemory`] if the options have no room.
    pub fn right_options(&mut self, form: Form) -> Result<Vec<Form>, CgtError> {
        Ok(self.slice(form, RIGHT)?.to_vec())
    }

    /// Returns the number that the form equals, if it is a number.
    #[must_use]
    pub fn number(&self, form: Form) -> Option<Dyadic> {
        self.number_up_star(form).filter(|nus| nus.is_number()).map(|nus| nus.number)
    }

    /// Returns the sum of a number, a multiple of up and a nimber that the form equals, if there is one.
    #[must_use]
    pub fn number_up_star(&self, form: Form) -> Option<NumberUpStar> {
        let StoredForm { ups_and_nimber, stops, .. } = &self.forms[form.0 as usize];
        ups_and_nimber.map(|(ups, nimber)| NumberUpStar { number: stops[LEFT], ups, nimber })
    }

    /// Returns the left stop and the right stop.
    #[must_use]
    pub fn stops(&self, form: Form) -> [Dyadic; 2] {
        self.forms[form.0 as usize].stops
    }

    /// Returns the indices of a player's options. They are stored first if the form is a [`NumberUpStar`].
    pub(super) fn range(&mut self, form: Form, player: usize) -> Result<Range<usize>, CgtError> {
        let start = match self.forms[form.0 as usize].start {
            Some(start) => start,
            None => self.expand(form)?,
        } as usize;
        let [left, right] = self.forms[form.0 as usize].counts.map(|count| count as usize);
        Ok(if player == LEFT { start..start + left } else { start + left..start + left + right })
    }

    /// Returns the option of an index in a [`range`](Self::range).
    pub(super) fn option(&self, index: usize) -> Form {
        self.options[index]
    }

    pub(super) fn slice(&mut self, form: Form, player: usize) -> Result<&[Form], CgtError> {
        let range = self.range(form, player)?;
        Ok(&self.options[range])
    }

    /// Returns the negative if it has been computed.
    pub(super) fn cached_negative(&self, form: Form) -> Option<Form> {
        self.forms[form.0 as usize].negative
    }

    pub(super) fn set_negative(&mut self, form: Form, negative: Form) {
        self.forms[form.0 as usize].negative = Some(negative);
        self.forms[negative.0 as usize].negative = Some(form);
    }

    /// Returns the stored form with these options, which are canonical and sorted.
    pub(super) fn lookup(&self, options: &[Vec<Form>; 2]) -> Option<Form> {
        let hash = hash(&options[LEFT], &options[RIGHT]);
        self.by_options.find(hash, |&form| self.has_options(form, options)).copied()
    }

    /// Returns the form with these options, and stores it if it is new. The options are canonical and
    /// sorted, and their form is no number.
    pub(super) fn intern(&mut self, options: &[Vec<Form>; 2]) -> Result<Form, CgtError> {
        if let Some(form) = self.lookup(options) {
            return Ok(form);
        }
        if let Some(nus) = self.match_number_up_star(options) {
            return self.intern_number_up_star(nus);
        }
        let stop = |player: usize| {
            let stops = options[player].iter().map(|option| self.stops(*option)[1 - player]);
            // A game that is no number has options for both players.
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
        self.forms.push(StoredForm { ups_and_nimber: None, stops, negative: None, start, counts, height });
        let (forms, all) = (&self.forms, &self.options);
        let rehash = |form: &Form| {
            let StoredForm { start, counts, .. } = &forms[form.0 as usize];
            let start = start.unwrap_or(0) as usize;
            let (left, right) = all[start..][..(counts[0] + counts[1]) as usize].split_at(counts[0] as usize);
            hash(left, right)
        };
        self.by_options.insert_unique(hash(&options[LEFT], &options[RIGHT]), form, rehash);
        Ok(form)
    }

    /// Refuses two games that are too long to be compared or added.
    pub(super) fn check_heights(&self, a: Form, b: Form) -> Result<(), CgtError> {
        let [a, b] = [a, b].map(|form| self.forms[form.0 as usize].height);
        if a + b > 2 * MAX_HEIGHT { Err(CgtError::TooLarge) } else { Ok(()) }
    }

    fn has_options(&self, form: Form, options: &[Vec<Form>; 2]) -> bool {
        let StoredForm { start: Some(start), counts, .. } = &self.forms[form.0 as usize] else {
            return false;
        };
        let [left, right] = counts.map(|count| count as usize);
        let all = &self.options[*start as usize..][..left + right];
        all[..left] == options[LEFT][..] && all[left..] == options[RIGHT][..]
    }

    pub(super) fn insert_number_up_star(&mut self, nus: NumberUpStar) -> Result<Form, CgtError> {
        self.reserve(150)?;
        Ok(self.add_number_up_star(nus))
    }

    fn add_number_up_star(&mut self, nus: NumberUpStar) -> Form {
        let form = Form(self.forms.len() as u32);
        let NumberUpStar { number, ups, nimber } = nus;
        let height = ups.unsigned_abs() + nimber;
        let entry = StoredForm {
            ups_and_nimber: Some((ups, nimber)),
            stops: [number; 2],
            negative: None,
            start: None,
            counts: [0; 2],
            height,
        };
        self.forms.push(entry);
        self.number_up_stars.insert(nus, form);
        form
    }

    /// Stores the options of a [`NumberUpStar`], and returns the index of the first.
    fn expand(&mut self, form: Form) -> Result<u32, CgtError> {
        let Some(nus) = self.number_up_star(form) else {
            // Any other form was stored with its options.
            return Ok(0);
        };
        let options = self.number_up_star_options(nus)?;
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

/// Left's and Right's options as one hash key.
#[derive(Hash)]
struct OptionLists<'f>(&'f [Form], &'f [Form]);
