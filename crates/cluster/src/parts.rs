//! Writing the files of a worker's shares.

use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use balpan_strong::working::{Form, Part, Source, Word, Worked, Writer};
use balpan_strong::{BuildError, Share, Split, read_header};

use crate::backwards::Lower;
use crate::job::Job;
use crate::moves::Words;

/// Where the file of a share is.
pub fn path_of(folder: &Path, split: Split, number: u32) -> PathBuf {
    let digits = (split.shares - 1).to_string().len();
    folder.join(format!("part-{number:0digits$}.strong"))
}

/// Where a share's positions are in a layer.
#[derive(Clone, Copy, Debug)]
struct Place {
    from: u64,
    count: u64,
    /// The bits that are set in all keys, and those that are in any.
    bits: (u128, u128),
}

impl Place {
    const fn at(from: u64) -> Self {
        Self { from, count: 0, bits: (u128::MAX, 0) }
    }
}

/// Whether the files of a worker's shares are all there.
///
/// # Errors
/// If one of them is of something else.
pub(crate) fn are_there<W: Word>(job: &Job<W>, worker: (usize, usize)) -> Result<bool, BuildError> {
    let mut are_there = true;
    for number in job.shares(worker.0, worker.1) {
        let path = path_of(&job.folder, job.words.split, number);
        let share = Some(Share { number, split: job.words.split });
        match read_header(&path) {
            Ok(Some(header)) if header.of == job.of && header.share == share => {}
            Ok(_) => return Err(BuildError::OtherOutput { path }),
            Err(e) if e.kind() == io::ErrorKind::NotFound => are_there = false,
            Err(e) => return Err(BuildError::io(&path)(e)),
        }
    }
    Ok(are_there)
}

/// Writes the files of a worker's shares.
pub(crate) fn write<W: Word>(job: &Job<W>, layers: &Lower<W>, worker: (usize, usize)) -> Result<(), BuildError> {
    let shares = job.shares(worker.0, worker.1);
    let places: Vec<(u32, Rc<Worked<W>>, Vec<Place>)> = layers
        .iter()
        .rev()
        .map(|(&number, worked)| Ok((number, Rc::clone(worked), places(job, worked, shares.clone())?)))
        .collect::<Result<_, BuildError>>()?;
    for share in shares.clone() {
        let path = path_of(&job.folder, job.words.split, share);
        let part = Part::open(&path)?;
        let mut writer = Writer::create(part, Form::Keys, job.of.clone(), job.words.key_bits, job.most, 1, &job.watch)?
            .of_share(Share { number: share, split: job.words.split });
        for (number, worked, places) in &places {
            let place = places[(share - shares.start) as usize];
            if place.count > 0 {
                job.progress.set(balpan_strong::Phase::Writing, *number);
                writer.layer(*number, &OfShare { worked, place, words: job.words })?;
                job.progress.does(place.count);
            }
        }
        writer.finish()?;
    }
    Ok(())
}

/// Where the positions of each share are in a layer.
fn places<W: Word>(job: &Job<W>, worked: &Worked<W>, shares: std::ops::Range<u32>) -> Result<Vec<Place>, BuildError> {
    let mut places = Vec::new();
    let (mut bytes, mut keys, mut rank) = (Vec::new(), Vec::new(), 0);
    let mut place = Place::at(0);
    let mut share = shares.start;
    for block in 0..worked.layer.blocks() {
        keys.clear();
        worked.layer.keys(block, &mut bytes, &mut keys)?;
        for &word in &keys {
            while share < job.words.share(word) {
                places.push(place);
                (place, share) = (Place::at(rank), share + 1);
            }
            let key = job.words.key(word);
            place.bits = (place.bits.0 & key, place.bits.1 | key);
            (place.count, rank) = (place.count + 1, rank + 1);
        }
    }
    places.push(place);
    places.resize(shares.len(), Place::at(rank));
    Ok(places)
}

/// A share's positions of a layer.
struct OfShare<'w, W> {
    worked: &'w Worked<W>,
    place: Place,
    words: Words,
}

impl<W: Word> Source for OfShare<'_, W> {
    fn positions(&self) -> u64 {
        self.place.count
    }

    fn bits(&self) -> (u128, u128) {
        self.place.bits
    }

    fn read(&self, from: u64, count: usize, keys: &mut Vec<u128>, codes: &mut Vec<u16>) -> Result<(), BuildError> {
        self.worked.positions(self.place.from + from, count, |word| self.words.key(word), keys, codes)
    }
}
