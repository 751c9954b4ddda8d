//! PartizanSolver from one run to the next: parts, and the forms that they are worth, as entries of a
//! [file of results](crate::keep).
//!
//! A record is an entry that says its kind (the entry's `layout`) and how many numbers it has (`key`), and entries of
//! six numbers of 32 bits each. FormStore are counted from 0 in the order in which they stand in the file; a record of a
//! form comes after those of its options.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{CgtError, Dyadic, Form, FormStore, LEFT, NumberUpStar, Partizan, PartizanSolver, RIGHT};
use crate::checkpoint::Checkpoint;
use crate::journal::{JournalEntry, JournalSink};

/// A partizan game whose positions can be written down.
pub trait PositionCodec: Partizan {
    /// Numbers that tell the position from others.
    fn encode(&self, position: &Self::Position) -> Vec<u32>;

    /// The position that these numbers tell; `None` if there is none, as of a board that is larger.
    fn decode(&self, numbers: &[u32]) -> Option<Self::Position>;
}

/// The solver of these entries, and the kinds of records.
const SOLVER: u8 = 16;
const MORE: u8 = 0;
const NEAR: u8 = 1;
const FORM: u8 = 2;
const PART: u8 = 3;

/// Numbers of an entry.
const NUMBERS: usize = 6;

/// Parts that took no fewer games to bring to canonical form are kept, and those that are asked for.
pub(super) const MIN_LOGGED_WORK: u64 = 1 << 10;

/// Where values are kept.
#[derive(Debug)]
pub(super) struct Log<G: Partizan> {
    sink: Arc<dyn JournalSink>,
    encode: fn(&G, &G::Position) -> Vec<u32>,
    /// The parts that are in the file.
    parts: FxHashSet<G::Position>,
    /// The forms' places in it.
    places: FxHashMap<Form, u32>,
    next: u32,
}

impl<G: PositionCodec> PartizanSolver<G> {
    /// The same with values of earlier runs, which `forms` get; and what takes long to value from now on is kept, too.
    ///
    /// # Errors
    /// [`CgtError`] if the values of earlier runs take too much memory.
    pub fn with_checkpoint(mut self, kept: &Checkpoint, forms: &mut FormStore<'_>) -> Result<Self, CgtError> {
        let mut log = Log {
            sink: Arc::clone(&kept.sink),
            encode: G::encode,
            parts: FxHashSet::default(),
            places: FxHashMap::default(),
            next: 0,
        };
        let mut all: Vec<Option<Form>> = Vec::new();
        let mut entries = kept.entries.iter().filter(|entry| entry.solver == SOLVER).peekable();
        while let Some(head) = entries.next() {
            let mut numbers = Vec::new();
            while let Some(more) = entries.next_if(|entry| entry.layout == MORE) {
                numbers.extend(numbers_of(more));
            }
            numbers.truncate(usize::try_from(head.key).unwrap_or(usize::MAX));
            match head.layout {
                NEAR | FORM => {
                    let form =
                        if head.layout == NEAR { near(&numbers, forms)? } else { of_options(&numbers, &all, forms)? };
                    if let Some(form) = form {
                        log.places.insert(form, all.len() as u32);
                    }
                    all.push(form);
                }
                PART => {
                    let Some((place, numbers)) = numbers.split_first() else { continue };
                    let value = all.get(*place as usize).copied().flatten();
                    if let (Some(value), Some(position)) = (value, self.game().decode(numbers)) {
                        let (part, exchanged) = self.game().canonical(&position);
                        let value = if exchanged { forms.negative(value)? } else { value };
                        log.parts.insert(part.clone());
                        self.insert_loaded(part, value);
                    }
                }
                _ => {}
            }
        }
        log.next = all.len() as u32;
        self.log = Some(log);
        Ok(self)
    }
}

impl<G: Partizan> Log<G> {
    /// Whether the part is not in the file.
    pub(super) fn is_new(&self, part: &G::Position) -> bool {
        !self.parts.contains(part)
    }

    /// Keeps the value of a part as it lies in its canonical form.
    pub(super) fn part(
        &mut self,
        game: &G,
        part: G::Position,
        value: Form,
        forms: &mut FormStore<'_>,
    ) -> Result<(), CgtError> {
        let mut numbers = vec![self.form(value, forms)?];
        numbers.extend((self.encode)(game, &part));
        self.write(PART, &numbers);
        self.parts.insert(part);
        Ok(())
    }

    /// The form's place in the file, where it is written if it is not there.
    fn form(&mut self, form: Form, forms: &mut FormStore<'_>) -> Result<u32, CgtError> {
        if let Some(&place) = self.places.get(&form) {
            return Ok(place);
        }
        if let Some(NumberUpStar { number, ups, nimber }) = forms.number_up_star(form) {
            let (numerator, exponent) = number.fraction();
            let numerator = numerator as u64;
            self.write(NEAR, &[numerator as u32, (numerator >> 32) as u32, exponent, ups as u32, nimber]);
        } else {
            let mut numbers = vec![0];
            for player in [LEFT, RIGHT] {
                for at in forms.range(form, player)? {
                    let option = forms.option(at);
                    numbers.push(self.form(option, forms)?);
                }
                if player == LEFT {
                    numbers[0] = numbers.len() as u32 - 1;
                }
            }
            self.write(FORM, &numbers);
        }
        let place = self.next;
        self.next += 1;
        self.places.insert(form, place);
        Ok(place)
    }

    fn write(&self, kind: u8, numbers: &[u32]) {
        let entry = |layout, key, payload| JournalEntry { solver: SOLVER, layout, key, payload, work: 0 };
        self.sink.append(entry(kind, numbers.len() as u128, 0));
        for six in numbers.chunks(NUMBERS) {
            let at = |n: usize| six.get(n).copied().unwrap_or(0);
            let key = (0..4).fold(0, |key, n| key | u128::from(at(n)) << (32 * n));
            self.sink.append(entry(MORE, key, u64::from(at(4)) | u64::from(at(5)) << 32));
        }
    }
}

fn numbers_of(entry: &JournalEntry) -> [u32; NUMBERS] {
    let JournalEntry { key, payload, .. } = *entry;
    [key as u32, (key >> 32) as u32, (key >> 64) as u32, (key >> 96) as u32, payload as u32, (payload >> 32) as u32]
}

fn near(numbers: &[u32], forms: &mut FormStore<'_>) -> Result<Option<Form>, CgtError> {
    let &[low, high, exponent, ups, nimber] = numbers else { return Ok(None) };
    let numerator = (u64::from(low) | u64::from(high) << 32) as i64;
    if exponent > 30 {
        return Ok(None);
    }
    forms
        .intern_number_up_star(NumberUpStar { number: Dyadic::new(numerator, exponent), ups: ups as i32, nimber })
        .map(Some)
}

/// The form that has these options, which are canonical.
fn of_options(numbers: &[u32], all: &[Option<Form>], forms: &mut FormStore<'_>) -> Result<Option<Form>, CgtError> {
    let Some((&left, places)) = numbers.split_first() else { return Ok(None) };
    let options: Option<Vec<Form>> = places.iter().map(|place| all.get(*place as usize).copied().flatten()).collect();
    let Some(options) = options.filter(|options| options.len() >= left as usize) else { return Ok(None) };
    let (left, right) = options.split_at(left as usize);
    let mut both = [left.to_vec(), right.to_vec()];
    both.iter_mut().for_each(|options| options.sort_unstable());
    forms.intern(&both).map(Some)
}
