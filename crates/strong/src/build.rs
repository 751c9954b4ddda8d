//! Building a strong solution: the forward pass, the backward pass, and the file.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use balpan::{Impartial, MAX_PLIES, Watch};

use crate::backwards::{Lower, Valued, fit_in_64_bits};
use crate::codes::{Scale, Tells};
use crate::error::BuildError;
use crate::format::{Form, Header, Subject, width};
use crate::forwards::{self, Means, Tools};
use crate::keyfile::Summary;
use crate::layer::{Codes, Layer, ReadRoom, Worked};
use crate::part::Part;
use crate::scratch::{Finished, Run, Scratch, State};
use crate::successors::{Successors, Ways};
use crate::word::Word;
use crate::write::{Source, Writer};

/// The smallest memory limit of a thread.
const LEAST_MEMORY: usize = 8 << 20;

/// What to build, where, and with which resources.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What to solve.
    pub of: Subject,
    /// The path of the solution file.
    pub output: PathBuf,
    /// The folder of working files.
    pub scratch: PathBuf,
    /// Bytes of memory.
    pub memory: usize,
    /// Worker threads.
    pub threads: usize,
}

/// The progress of a build, for other threads to read.
#[derive(Debug, Default)]
pub struct Progress {
    phase: AtomicU64,
    layer: AtomicU64,
    /// Positions listed so far, and positions that the phase has done.
    known: AtomicU64,
    done: AtomicU64,
}

/// A phase of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The forward pass lists the positions.
    Forwards,
    /// The backward pass finds their values.
    Backwards,
    /// The file is written.
    Writing,
    /// The positions of a book are solved one by one.
    Solving,
}

impl Progress {
    /// Returns the phase and the layer that it works on.
    pub fn at(&self) -> (Phase, u32) {
        let phase = match self.phase.load(Relaxed) {
            0 => Phase::Forwards,
            1 => Phase::Backwards,
            2 => Phase::Writing,
            _ => Phase::Solving,
        };
        (phase, self.layer.load(Relaxed) as u32)
    }

    /// Returns the number of positions listed so far, and of those that the phase has done.
    pub fn positions(&self) -> (u64, u64) {
        (self.known.load(Relaxed), self.done.load(Relaxed))
    }

    fn set(&self, phase: Phase, layer: u32, done: u64) {
        self.phase.store(phase as u64, Relaxed);
        self.layer.store(layer.into(), Relaxed);
        self.done.store(done, Relaxed);
    }

    /// Begins the phase [`Solving`](Phase::Solving) of a book of `all` positions, `done` of which
    /// are solved.
    pub(crate) fn begin_book(&self, all: u64, done: u64) {
        self.known.store(all, Relaxed);
        self.set(Phase::Solving, 0, done);
    }

    /// Counts a solved position.
    pub(crate) fn one_more(&self) {
        self.done.fetch_add(1, Relaxed);
    }
}

/// Solves all positions that play can reach from the `starts`, and writes them to the plan's file:
/// the same bytes whatever the memory, the threads and the interruptions. Finished work stays in
/// the plan's folder of working files, and the next call resumes from it. `watch` counts each
/// position three times: forward, backward and when it is written.
///
/// Cost: the moves of each position are generated twice, and sorted twice. The working files take
/// about 3 bytes a position.
///
/// # Errors
/// See [`BuildError`].
pub fn build<G: Impartial>(
    game: &G,
    starts: &[G::Position],
    plan: &Plan,
    watch: &Watch,
    progress: &Progress,
) -> Result<Header, BuildError> {
    if fit_in_64_bits(game.key_bits()) {
        Build::<G, u64>::new(game, starts, plan, watch, progress)?.run()
    } else {
        Build::<G, u128>::new(game, starts, plan, watch, progress)?.run()
    }
}

struct Build<'a, G: Impartial, W> {
    tools: Tools<'a, G>,
    plan: &'a Plan,
    progress: &'a Progress,
    scratch: Scratch<State>,
    part: Part,
    /// The layers and keys of the starts.
    starts: Vec<(u32, W)>,
    /// The plies that play can last: the highest layer.
    most: u16,
}

/// Checks that the game's keys, layers and nimbers allow a build, and returns the layers and keys
/// of the starts in ascending order.
///
/// # Errors
/// [`BuildError::NoKeys`], [`BuildError::NotImpartial`] and [`BuildError::TooLong`].
pub fn check_starts<G: Impartial>(
    game: &G,
    starts: &[G::Position],
    ways: Ways,
) -> Result<Vec<(u32, u128)>, BuildError> {
    if game.key_bits() == 0 || game.key_bits() > balpan::MAX_KEY_BITS {
        return Err(BuildError::NoKeys);
    }
    if ways.tells == Tells::Nimber && !game.is_impartial() {
        return Err(BuildError::NotImpartial);
    }
    let mut found = Vec::new();
    for start in starts {
        let canonical = game.canonical(start);
        if game.position_from_key(game.key(&canonical)).is_none_or(|read| game.canonical(&read) != canonical) {
            return Err(BuildError::NoKeys);
        }
        Successors::new(game, ways).keys(start, |layer, key| found.push((layer, key)))?;
    }
    let highest = found.iter().map(|&(layer, _)| layer).max().unwrap_or(0);
    if highest > MAX_PLIES {
        return Err(BuildError::TooLong(highest));
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

impl<'a, G: Impartial, W: Word> Build<'a, G, W> {
    fn new(
        game: &'a G,
        starts: &[G::Position],
        plan: &'a Plan,
        watch: &'a Watch,
        progress: &'a Progress,
    ) -> Result<Self, BuildError> {
        let Plan { of, memory, threads, .. } = plan;
        let ways = Ways { tells: of.tells, folded: of.folded };
        let found = check_starts(game, starts, ways)?;
        let needed = LEAST_MEMORY * threads;
        if *memory < needed {
            return Err(BuildError::NoMemory { allowed: *memory, needed });
        }
        let (scratch, part) = places(plan)?;
        let starts: Vec<_> = found.into_iter().map(|(layer, key)| (layer, W::of(key))).collect();
        let most = starts.last().map_or(0, |&(layer, _)| layer) as u16;
        // The rest is for reading.
        let memory = memory / 8 * 7;
        let tools = Tools { game, ways, means: Means { memory, threads: *threads, watch } };
        Ok(Self { tools, plan, progress, scratch, part, starts, most })
    }

    fn run(mut self) -> Result<Header, BuildError> {
        self.forwards()?;
        self.backwards()?;
        self.scratch.commit()?;
        let (header, scratch) = self.write()?;
        scratch.remove()?;
        Ok(header)
    }

    /// Returns the layer to list next: the highest with a start or a run, below the finished ones.
    fn next_layer(&self) -> Option<u32> {
        let below = self.scratch.state.layers.last().map_or(u32::MAX, |last| last.layer);
        let starts = self.starts.iter().map(|&(layer, _)| layer).filter(|&layer| layer < below);
        starts.chain(self.scratch.state.runs.iter().map(|run| run.layer)).max()
    }

    fn forwards(&mut self) -> Result<(), BuildError> {
        let Self { tools, progress, .. } = self;
        let (tools, progress) = (*tools, *progress);
        let known = |build: &Self| build.scratch.state.layers.iter().map(Finished::positions).sum();
        while let Some(number) = self.next_layer() {
            progress.known.store(known(self), Relaxed);
            progress.set(Phase::Forwards, number, known(self));
            let mut runs: Vec<Summary> = Vec::new();
            let starts: Vec<W> = self.starts.iter().filter(|start| start.0 == number).map(|start| start.1).collect();
            if !starts.is_empty() {
                let mut run =
                    crate::keyfile::KeyWriter::create(&self.scratch.folder, self.scratch.name("run", number))?;
                run.write(&starts)?;
                runs.push(run.finish()?);
            }
            let found = self.scratch.state.runs.iter().filter(|run| run.layer == number);
            runs.extend(found.map(|run| run.keys.clone()));
            let keys = forwards::merge::<W>(tools.game.key_bits(), tools.means, number, &runs, &self.scratch)?;
            let finished = Finished { layer: number, keys, codes: None };
            let layer = Layer::<W>::open(&self.scratch.folder, &finished)?;
            let found = forwards::expand(&tools, number, &layer, &self.scratch)?;
            let state = &mut self.scratch.state;
            state.layers.push(finished);
            state.runs.retain(|run: &Run| run.layer != number);
            state.runs.extend(found);
            self.scratch.commit_in_time()?;
        }
        progress.known.store(known(self), Relaxed);
        Ok(())
    }

    /// The number of bytes of a code.
    const fn width(&self) -> usize {
        width(self.plan.of.tells, self.most)
    }

    fn backwards(&mut self) -> Result<(), BuildError> {
        let width = self.width();
        let mut lower: Lower<Worked<W>> = Lower::new();
        let mut done = 0;
        for at in (0..self.scratch.state.layers.len()).rev() {
            let finished = self.scratch.state.layers[at].clone();
            let layer = Layer::open(&self.scratch.folder, &finished)?;
            self.progress.set(Phase::Backwards, finished.layer, done);
            let name = match &finished.codes {
                Some(name) => name.clone(),
                None => {
                    let name = self.scratch.name("codes", finished.layer);
                    let codes = Codes::create(&self.scratch.folder, &name, width)?;
                    let valued = Valued {
                        number: finished.layer,
                        blocks: layer.blocks(),
                        keys: |block, room: &mut ReadRoom, keys: &mut Vec<W>| layer.keys(block, &mut room.bytes, keys),
                        done: |block, found: &[u16], room: &mut ReadRoom| {
                            codes.write(block, layer.range(block).0, found, &mut room.bytes)
                        },
                        scale: Scale::new(self.most),
                    };
                    valued.value(&self.tools, &lower)?;
                    self.scratch.state.layers[at].codes = Some(name.clone());
                    self.scratch.commit_in_time()?;
                    name
                }
            };
            done += layer.positions;
            let codes = Codes::open(&self.scratch.folder, &name, width)?;
            lower.insert(finished.layer, Worked { layer, codes });
        }
        Ok(())
    }

    /// Writes the file, and returns the working files, to be removed.
    fn write(self) -> Result<(Header, Scratch<State>), BuildError> {
        let width = self.width();
        let Self { tools, plan, progress, scratch, part, most, .. } = self;
        let (key_bits, Means { threads, watch, .. }) = (tools.game.key_bits(), tools.means);
        let mut writer = Writer::create(part, Form::Keys, plan.of.clone(), key_bits, most, threads, watch)?;
        let mut done = 0;
        for finished in &scratch.state.layers {
            progress.set(Phase::Writing, finished.layer, done);
            let layer = Finalised::<W>::open(&scratch.folder, finished, width)?;
            writer.layer(finished.layer, &layer)?;
            done += layer.positions();
        }
        Ok((writer.finish()?, scratch))
    }
}

/// Removes the working files of a build that was killed after its output was complete.
///
/// # Errors
/// If they belong to another build, or cannot be removed.
pub fn remove_working_files(folder: &Path, of: &Subject) -> Result<(), BuildError> {
    if !folder.is_dir() {
        return Ok(());
    }
    let mut scratch = Scratch::<State>::open(folder, &serde_json::to_string(of).unwrap_or_default())?;
    scratch.commit()?;
    scratch.remove()
}

/// Locks the folder of working files and the output.
pub(crate) fn places(plan: &Plan) -> Result<(Scratch<State>, Part), BuildError> {
    let scratch = Scratch::open(&plan.scratch, &serde_json::to_string(&plan.of).unwrap_or_default())?;
    match Part::open(&plan.output) {
        Ok(part) => Ok((scratch, part)),
        Err(e) => {
            scratch.abandon();
            Err(e)
        }
    }
}

/// A solved layer in working files, as the writer reads it.
pub(crate) struct Finalised<W> {
    worked: Worked<W>,
    bits: (u128, u128),
}

impl<W: Word> Finalised<W> {
    pub(crate) fn open(folder: &Path, finished: &Finished, width: usize) -> Result<Self, BuildError> {
        let layer = Layer::open(folder, finished)?;
        let name = finished.codes.as_deref().unwrap_or_default();
        let codes = Codes::open(folder, name, width)?;
        let bits = finished.keys.iter().fold((u128::MAX, 0), |(all, any), file| (all & file.all, any | file.any));
        Ok(Self { worked: Worked { layer, codes }, bits })
    }
}

impl<W: Word> Source for Finalised<W> {
    fn positions(&self) -> u64 {
        self.worked.layer.positions
    }

    fn bits(&self) -> (u128, u128) {
        self.bits
    }

    fn read(&self, from: u64, count: usize, keys: &mut Vec<u128>, codes: &mut Vec<u16>) -> Result<(), BuildError> {
        self.worked.positions(from, count, |key| key.as_(), keys, codes)
    }
}
