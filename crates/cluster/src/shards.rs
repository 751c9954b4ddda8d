//! Writing a worker's shards.

use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use balpan_strong::parts::{Form, LayerSource, PendingFile, SolutionWriter, SolvedLayer, Word};
use balpan_strong::{BuildError, Shard, Sharding, read_header};

use crate::backward::Lower;
use crate::job::{Job, WordLayout};

/// Returns the path of a shard.
pub fn shard_path(folder: &Path, sharding: Sharding, number: u32) -> PathBuf {
    let digits = (sharding.shards - 1).to_string().len();
    folder.join(format!("part-{number:0digits$}.strong"))
}

/// The range of a shard's positions in a layer.
#[derive(Clone, Copy, Debug)]
struct ShardRange {
    from: u64,
    count: u64,
    /// The bits that are set in all keys, and those that are set in any.
    bits: (u128, u128),
}

impl ShardRange {
    const fn at(from: u64) -> Self {
        Self { from, count: 0, bits: (u128::MAX, 0) }
    }
}

/// Whether all of a worker's shards exist.
///
/// # Errors
/// If one of them belongs to another solution.
pub(crate) fn all_exist<W: Word>(job: &Job<W>, worker: (usize, usize)) -> Result<bool, BuildError> {
    let mut all_exist = true;
    for number in job.shards(worker.0, worker.1) {
        let path = shard_path(&job.folder, job.words.sharding, number);
        let shard = Some(Shard { number, sharding: job.words.sharding });
        match read_header(&path) {
            Ok(Some(header)) if header.subject == job.subject && header.shard == shard => {}
            Ok(_) => return Err(BuildError::OtherOutput { path }),
            Err(e) if e.kind() == io::ErrorKind::NotFound => all_exist = false,
            Err(e) => return Err(BuildError::io(&path)(e)),
        }
    }
    Ok(all_exist)
}

/// Writes a worker's shards.
pub(crate) fn write<W: Word>(job: &Job<W>, layers: &Lower<W>, worker: (usize, usize)) -> Result<(), BuildError> {
    let shards = job.shards(worker.0, worker.1);
    let places: Vec<(u32, Rc<SolvedLayer<W>>, Vec<ShardRange>)> = layers
        .iter()
        .rev()
        .map(|(&number, solved)| Ok((number, Rc::clone(solved), places(job, solved, shards.clone())?)))
        .collect::<Result<_, BuildError>>()?;
    for shard in shards.clone() {
        let path = shard_path(&job.folder, job.words.sharding, shard);
        let part = PendingFile::open(&path)?;
        let mut writer = SolutionWriter::create(
            part,
            Form::Keys,
            job.subject.clone(),
            job.words.key_bits,
            job.scale,
            1,
            &job.watch,
        )?
        .with_shard(Shard { number: shard, sharding: job.words.sharding });
        for (number, solved, places) in &places {
            let place = places[(shard - shards.start) as usize];
            if place.count > 0 {
                job.progress.build.enter(balpan_strong::Phase::Writing, *number);
                writer.write_layer(*number, &ShardLayer { solved, place, words: job.words })?;
                job.progress.build.add_done(place.count);
            }
        }
        writer.finish()?;
    }
    Ok(())
}

/// Returns the range of each shard in a layer.
fn places<W: Word>(
    job: &Job<W>,
    solved: &SolvedLayer<W>,
    shards: std::ops::Range<u32>,
) -> Result<Vec<ShardRange>, BuildError> {
    let mut places = Vec::new();
    let (mut bytes, mut keys, mut rank) = (Vec::new(), Vec::new(), 0);
    let mut place = ShardRange::at(0);
    let mut shard = shards.start;
    for block in 0..solved.layer.blocks() {
        keys.clear();
        solved.layer.keys(block, &mut bytes, &mut keys)?;
        for &word in &keys {
            while shard < job.words.shard(word) {
                places.push(place);
                (place, shard) = (ShardRange::at(rank), shard + 1);
            }
            let key = job.words.key(word);
            place.bits = (place.bits.0 & key, place.bits.1 | key);
            (place.count, rank) = (place.count + 1, rank + 1);
        }
    }
    places.push(place);
    places.resize(shards.len(), ShardRange::at(rank));
    Ok(places)
}

/// A shard's positions of a layer.
struct ShardLayer<'w, W> {
    solved: &'w SolvedLayer<W>,
    place: ShardRange,
    words: WordLayout,
}

impl<W: Word> LayerSource for ShardLayer<'_, W> {
    fn positions(&self) -> u64 {
        self.place.count
    }

    fn bits(&self) -> (u128, u128) {
        self.place.bits
    }

    fn read(&self, from: u64, count: usize, keys: &mut Vec<u128>, codes: &mut Vec<u16>) -> Result<(), BuildError> {
        self.solved.read_positions(self.place.from + from, count, |word| self.words.key(word), keys, codes)
    }
}
