//! Checkpoints of partizan values: parts and their canonical forms, as entries of a [checkpoint
//! file](balpan::checkpoint).
//!
//! A record is a head entry with its kind (`layout`) and its number of words (`key`), followed by entries of six
//! 32-bit words each. Forms are numbered from 0 in the order of their records. The record of a form comes after those
//! of its options.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{CgtError, Dyadic, Form, FormStore, LEFT, NumberUpStar, Partizan, PartizanSolver, RIGHT};
use balpan::checkpoint::Checkpoint;
use balpan::{JournalEntry, JournalSink};

/// A partizan game whose positions can be encoded for a checkpoint file.
pub trait PositionCodec: Partizan {
    /// Returns words that identify the position.
    fn encode(&self, position: &Self::Position) -> Vec<u32>;

    /// Returns the position of these words; `None` if there is none, for instance on a smaller board.
    fn decode(&self, words: &[u32]) -> Option<Self::Position>;
}

/// The solver number of these entries, and the kinds of records.
const SOLVER: u8 = 16;
const CONTINUATION: u8 = 0;
const NUMBER_UP_STAR: u8 = 1;
const FORM: u8 = 2;
const PART: u8 = 3;

/// Words in an entry.
const ENTRY_WORDS: usize = 6;

/// Parts that take at least this many reductions to canonical form are logged. Those of a queried position always are.
pub(super) const MIN_LOGGED_WORK: u64 = 1 << 10;

/// The log of values to a checkpoint file.
#[derive(Debug)]
pub(super) struct Log<G: Partizan> {
    sink: Arc<dyn JournalSink>,
    encode: fn(&G, &G::Position) -> Vec<u32>,
    /// The parts that are in the file.
    parts: FxHashSet<G::Position>,
    /// The numbers of the forms in the file.
    indices: FxHashMap<Form, u32>,
    next: u32,
}

impl<G: PositionCodec> PartizanSolver<G> {
    /// Loads the values of a checkpoint into this solver and `forms`. From now on, values that take long to find are
    /// logged to it.
    ///
    /// # Errors
    /// [`CgtError`] if the loaded values take too much memory.
    pub fn with_checkpoint(mut self, checkpoint: &Checkpoint, forms: &mut FormStore) -> Result<Self, CgtError> {
        let mut log = Log {
            sink: Arc::clone(&checkpoint.sink),
            encode: G::encode,
            parts: FxHashSet::default(),
            indices: FxHashMap::default(),
            next: 0,
        };
        let mut all: Vec<Option<Form>> = Vec::new();
        let mut entries = checkpoint.entries.iter().filter(|entry| entry.solver == SOLVER).peekable();
        while let Some(head) = entries.next() {
            let mut words = Vec::new();
            while let Some(more) = entries.next_if(|entry| entry.layout == CONTINUATION) {
                words.extend(entry_words(more));
            }
            words.truncate(usize::try_from(head.key).unwrap_or(usize::MAX));
            match head.layout {
                NUMBER_UP_STAR | FORM => {
                    let form = if head.layout == NUMBER_UP_STAR {
                        decode_number_up_star(&words, forms)?
                    } else {
                        decode_form(&words, &all, forms)?
                    };
                    if let Some(form) = form {
                        log.indices.insert(form, all.len() as u32);
                    }
                    all.push(form);
                }
                PART => {
                    let Some((index, words)) = words.split_first() else { continue };
                    let value = all.get(*index as usize).copied().flatten();
                    if let (Some(value), Some(position)) = (value, self.game().decode(words)) {
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
    /// Returns whether the part is not in the file.
    pub(super) fn lacks(&self, part: &G::Position) -> bool {
        !self.parts.contains(part)
    }

    /// Logs the value of a part in canonical position.
    pub(super) fn write_part(
        &mut self,
        game: &G,
        part: G::Position,
        value: Form,
        forms: &mut FormStore,
    ) -> Result<(), CgtError> {
        let mut words = vec![self.form_index(value, forms)?];
        words.extend((self.encode)(game, &part));
        self.write(PART, &words);
        self.parts.insert(part);
        Ok(())
    }

    /// Returns the form's number in the file, and writes the form if it is new.
    fn form_index(&mut self, form: Form, forms: &mut FormStore) -> Result<u32, CgtError> {
        if let Some(&index) = self.indices.get(&form) {
            return Ok(index);
        }
        if let Some(NumberUpStar { number, ups, nimber }) = forms.number_up_star(form) {
            let (numerator, exponent) = number.fraction();
            let numerator = numerator as u64;
            self.write(NUMBER_UP_STAR, &[numerator as u32, (numerator >> 32) as u32, exponent, ups as u32, nimber]);
        } else {
            let mut words = vec![0];
            for player in [LEFT, RIGHT] {
                for at in forms.range(form, player)? {
                    let option = forms.option(at);
                    words.push(self.form_index(option, forms)?);
                }
                if player == LEFT {
                    words[0] = words.len() as u32 - 1;
                }
            }
            self.write(FORM, &words);
        }
        let index = self.next;
        self.next += 1;
        self.indices.insert(form, index);
        Ok(index)
    }

    fn write(&self, kind: u8, words: &[u32]) {
        let entry = |layout, key, payload| JournalEntry { solver: SOLVER, layout, key, payload, work: 0 };
        self.sink.append(entry(kind, words.len() as u128, 0));
        for six in words.chunks(ENTRY_WORDS) {
            let at = |n: usize| six.get(n).copied().unwrap_or(0);
            let key = (0..4).fold(0, |key, n| key | u128::from(at(n)) << (32 * n));
            self.sink.append(entry(CONTINUATION, key, u64::from(at(4)) | u64::from(at(5)) << 32));
        }
    }
}

fn entry_words(entry: &JournalEntry) -> [u32; ENTRY_WORDS] {
    let JournalEntry { key, payload, .. } = *entry;
    [key as u32, (key >> 32) as u32, (key >> 64) as u32, (key >> 96) as u32, payload as u32, (payload >> 32) as u32]
}

fn decode_number_up_star(words: &[u32], forms: &mut FormStore) -> Result<Option<Form>, CgtError> {
    let &[low, high, exponent, ups, nimber] = words else { return Ok(None) };
    let numerator = (u64::from(low) | u64::from(high) << 32) as i64;
    if exponent > 30 {
        return Ok(None);
    }
    forms
        .intern_number_up_star(NumberUpStar { number: Dyadic::new(numerator, exponent), ups: ups as i32, nimber })
        .map(Some)
}

/// Returns the form with these options, which are canonical.
fn decode_form(words: &[u32], all: &[Option<Form>], forms: &mut FormStore) -> Result<Option<Form>, CgtError> {
    let Some((&left, indices)) = words.split_first() else { return Ok(None) };
    let options: Option<Vec<Form>> = indices.iter().map(|index| all.get(*index as usize).copied().flatten()).collect();
    let Some(options) = options.filter(|options| options.len() >= left as usize) else { return Ok(None) };
    let (left, right) = options.split_at(left as usize);
    let mut both = [left.to_vec(), right.to_vec()];
    both.iter_mut().for_each(|options| options.sort_unstable());
    forms.intern(&both).map(Some)
}
