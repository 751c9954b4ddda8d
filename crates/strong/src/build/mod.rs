//! Building a strong solution: the forward pass, the backward pass, and the file.

pub(crate) mod backward;
pub(crate) mod book;
pub(crate) mod estimate;
pub(crate) mod fixpoint;
pub(crate) mod forward;
pub(crate) mod keyfile;
pub(crate) mod layer;
pub(crate) mod output;
pub(crate) mod scratch;
pub(crate) mod sort;
pub(crate) mod successors;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use balpan::{Game, MAX_PLIES, Watch};

use crate::build::backward::{LayerTask, Lower, fit_in_64_bits};
use crate::build::fixpoint::LoopyLayer;
use crate::build::forward::{BuildContext, Resources};
use crate::build::keyfile::{KeyFileSummary, KeyWriter};
use crate::build::layer::{LayerCodes, LayerKeys, ReadBuffers, SolvedLayer};
use crate::build::output::{LayerSource, PendingFile, SolutionWriter};
use crate::build::scratch::{BuildManifest, LayerFiles, OpenLayer, Run, Scratch};
use crate::build::sort::Word;
use crate::build::successors::{KeyGame, Scheme, position_keys, scale_for};
use crate::error::BuildError;
use crate::format::codes::{Metric, Scale};
use crate::format::header::{Form, Header, Subject, width};

/// The smallest memory limit of a thread.
const MIN_THREAD_MEMORY_BYTES: usize = 8 << 20;

/// The largest number of runs of a layer that are left to be merged when the layer is listed.
const MAX_RUNS: u32 = 64;

/// The options of a build: its subject, its output and its resources.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The subject.
    pub subject: Subject,
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
    Forward,
    /// The backward pass finds their values.
    Backward,
    /// The file is written.
    Writing,
    /// The positions of a book are solved one by one.
    Solving,
}

impl Progress {
    /// Returns the phase and the layer that it works on.
    pub fn at(&self) -> (Phase, u32) {
        let phase = match self.phase.load(Relaxed) {
            0 => Phase::Forward,
            1 => Phase::Backward,
            2 => Phase::Writing,
            _ => Phase::Solving,
        };
        (phase, self.layer.load(Relaxed) as u32)
    }

    /// Returns the number of positions listed so far, and of those that the phase has done.
    pub fn positions(&self) -> (u64, u64) {
        (self.known.load(Relaxed), self.done.load(Relaxed))
    }

    /// Begins to work on a layer, in this phase.
    pub fn enter(&self, phase: Phase, layer: u32) {
        if self.phase.swap(phase as u64, Relaxed) != phase as u64 {
            self.done.store(0, Relaxed);
        }
        self.layer.store(layer.into(), Relaxed);
    }

    /// Counts listed positions.
    pub fn add_known(&self, positions: u64) {
        self.known.fetch_add(positions, Relaxed);
    }

    /// Counts positions that the phase has done.
    pub fn add_done(&self, positions: u64) {
        self.done.fetch_add(positions, Relaxed);
    }
}

/// Solves all positions that play can reach from the `starts`, and writes them to the plan's file:
/// the same bytes whatever the memory, the threads and the interruptions. Finished work stays in
/// the plan's folder of working files, and the next call resumes from it. `watch` counts each
/// position three times: forward, backward and when it is written; where play may repeat, once more when its value is found.
///
/// Cost: the moves of each position are generated twice, and sorted twice. The working files take
/// about 3 bytes a position; where play may repeat, up to 10 bytes more for each move within the largest layer, and 2 bytes of
/// memory for each of its positions.
///
/// # Errors
/// See [`BuildError`].
pub fn build<G: Game>(
    game: &G,
    starts: &[G::Position],
    plan: &Plan,
    watch: &Watch,
    progress: &Progress,
) -> Result<Header, BuildError> {
    let starts = start_keys(game, starts, plan.subject.scheme())?;
    build_from_keys(game, starts, plan, watch, progress)
}

pub(crate) fn build_from_keys(
    game: &dyn KeyGame,
    starts: Vec<(u32, u128)>,
    plan: &Plan,
    watch: &Watch,
    progress: &Progress,
) -> Result<Header, BuildError> {
    if fit_in_64_bits(game.bits()) {
        Build::<u64>::new(game, starts, plan, watch, progress)?.run()
    } else {
        Build::<u128>::new(game, starts, plan, watch, progress)?.run()
    }
}

struct Build<'a, W> {
    context: BuildContext<'a>,
    plan: &'a Plan,
    progress: &'a Progress,
    scratch: Scratch<BuildManifest>,
    part: PendingFile,
    /// The layers and keys of the starts.
    starts: Vec<(u32, W)>,
    /// The scale of the codes in the working files.
    scale: Scale,
}

/// Checks that the game's keys, layers and nimbers allow a build, and returns the layers and keys
/// of the starts in ascending order.
///
/// # Errors
/// [`BuildError::NoKeys`], [`BuildError::NotImpartial`], [`BuildError::TooLong`], [`BuildError::LargeScores`],
/// [`BuildError::LoopsWithScores`], and [`BuildError::Loops`] for nimbers.
pub fn start_keys<G: Game>(game: &G, starts: &[G::Position], scheme: Scheme) -> Result<Vec<(u32, u128)>, BuildError> {
    if game.key_bits() == 0 || game.key_bits() > balpan::MAX_KEY_BITS {
        return Err(BuildError::NoKeys);
    }
    if game.may_repeat() && game.max_score() > 0 {
        return Err(BuildError::LoopsWithScores);
    }
    if game.may_repeat() && scheme.metric == Metric::Nimber {
        return Err(BuildError::Loops);
    }
    if scheme.metric == Metric::Nimber && !game.is_impartial() {
        return Err(BuildError::NotImpartial);
    }
    let mut found = Vec::new();
    for start in starts {
        let canonical = game.canonical(start);
        if game.position_from_key(game.key(&canonical)).is_none_or(|read| game.canonical(&read) != canonical) {
            return Err(BuildError::NoKeys);
        }
        position_keys(game, scheme, start, &mut Vec::new(), |layer, key| found.push((layer, key)))?;
    }
    let highest = found.iter().map(|&(layer, _)| layer).max().unwrap_or(0);
    if highest > MAX_PLIES && !game.may_repeat() {
        return Err(BuildError::TooLong(highest));
    }
    if !Scale::fits(highest.min(MAX_PLIES), game.max_score()) {
        return Err(BuildError::LargeScores(game.max_score()));
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

impl<'a, W: Word> Build<'a, W> {
    fn new(
        game: &'a dyn KeyGame,
        starts: Vec<(u32, u128)>,
        plan: &'a Plan,
        watch: &'a Watch,
        progress: &'a Progress,
    ) -> Result<Self, BuildError> {
        let Plan { subject, memory, threads, .. } = plan;
        let needed = MIN_THREAD_MEMORY_BYTES * threads;
        if *memory < needed {
            return Err(BuildError::NoMemory { allowed: *memory, needed });
        }
        let (scratch, part) = open_outputs(plan)?;
        let starts: Vec<_> = starts.into_iter().map(|(layer, key)| (layer, W::from_key(key))).collect();
        let scale = scale_for(game, starts.last().map_or(0, |&(layer, _)| layer));
        // The rest is for reading.
        let memory = memory / 8 * 7;
        let scheme = subject.scheme();
        let context = BuildContext { game, scheme, resources: Resources { memory, threads: *threads, watch } };
        Ok(Self { context, plan, progress, scratch, part, starts, scale })
    }

    fn run(mut self) -> Result<Header, BuildError> {
        self.forward_pass()?;
        self.backward_pass()?;
        self.scratch.commit()?;
        let (header, scratch) = self.write()?;
        scratch.remove()?;
        Ok(header)
    }

    /// Returns the layer to list next: the highest with a start or a run, below the finished ones.
    fn next_layer(&self) -> Option<u32> {
        if let Some(OpenLayer::Listing { layer, .. }) = self.scratch.manifest.open {
            return Some(layer);
        }
        let below = self.scratch.manifest.layers.last().map(|last| last.layer);
        let starts =
            self.starts.iter().map(|&(layer, _)| layer).filter(|&layer| below.is_none_or(|below| layer < below));
        starts.chain(self.scratch.manifest.runs.iter().map(|run| run.layer)).max()
    }

    fn forward_pass(&mut self) -> Result<(), BuildError> {
        let Self { context, progress, .. } = self;
        let (context, progress) = (*context, *progress);
        let listed = self.scratch.manifest.layers.iter().map(LayerFiles::positions).sum();
        progress.add_known(listed);
        progress.add_done(listed);
        while let Some(number) = self.next_layer() {
            progress.enter(Phase::Forward, number);
            if context.game.features().may_repeat {
                self.list_loopy_layer(number)?;
                continue;
            }
            let runs = self.runs_of(number)?;
            let keys = forward::merge::<W>(context.game.bits(), context.resources, number, &runs, &[], &self.scratch)?;
            let finished = LayerFiles { layer: number, keys, codes: None };
            let layer = LayerKeys::<W>::open(&self.scratch.folder, &finished)?;
            let found = forward::expand(&context, number, &layer, &self.scratch)?;
            let state = &mut self.scratch.manifest;
            state.layers.push(finished);
            state.runs.retain(|run: &Run| run.layer != number);
            state.runs.extend(found);
            progress.add_known(layer.positions);
            progress.add_done(layer.positions);
            self.scratch.commit_if_due()?;
        }
        Ok(())
    }

    /// Returns the runs of a layer, with one of the starts in it.
    fn runs_of(&self, number: u32) -> Result<Vec<KeyFileSummary>, BuildError> {
        let mut runs: Vec<KeyFileSummary> = Vec::new();
        let starts: Vec<W> = self.starts.iter().filter(|start| start.0 == number).map(|start| start.1).collect();
        if !starts.is_empty() {
            runs.push(KeyWriter::write_all(&self.scratch.folder, self.scratch.name("run", number), &starts)?);
        }
        let found = self.scratch.manifest.runs.iter().filter(|run| run.layer == number);
        runs.extend(found.map(|run| run.keys.clone()));
        Ok(runs)
    }

    /// Lists a layer whose moves may lead to positions of the same layer: breadth first, a ply at a time. What a ply finds is
    /// sorted, and freed of what was found before by a merge with it. Positions found before are in groups of files, each
    /// at most half as large as the one before, so that a position is merged into a larger group a few times only.
    fn list_loopy_layer(&mut self, number: u32) -> Result<(), BuildError> {
        let BuildContext { game, resources, .. } = self.context;
        let merge = |runs: &[KeyFileSummary], known: &[KeyFileSummary], scratch: &Scratch<BuildManifest>| {
            forward::merge::<W>(game.bits(), resources, number, runs, known, scratch)
        };
        let positions = |files: &[KeyFileSummary]| -> u64 { files.iter().map(|file| file.keys).sum() };
        let (mut expanded, mut frontier) = match self.scratch.manifest.open.take() {
            Some(OpenLayer::Listing { expanded, frontier, .. }) => (expanded, frontier),
            _ => (Vec::new(), merge(&self.runs_of(number)?, &[], &self.scratch)?),
        };
        self.scratch.manifest.runs.retain(|run: &Run| run.layer != number);
        while !frontier.is_empty() {
            let of_ply = LayerFiles { layer: number, keys: frontier, codes: None };
            let layer = LayerKeys::<W>::open(&self.scratch.folder, &of_ply)?;
            let found = forward::expand(&self.context, number, &layer, &self.scratch)?;
            self.progress.add_known(layer.positions);
            self.progress.add_done(layer.positions);
            expanded.push(of_ply.keys);
            while let [.., before, last] = &expanded[..]
                && positions(before) < 2 * positions(last)
            {
                let both = merge(&[&before[..], last].concat(), &[], &self.scratch)?;
                expanded.truncate(expanded.len() - 2);
                expanded.push(both);
            }
            let (same, lower): (Vec<Run>, Vec<Run>) = found.into_iter().partition(|run| run.layer == number);
            let same: Vec<KeyFileSummary> = same.into_iter().map(|run| run.keys).collect();
            frontier = merge(&same, &expanded.concat(), &self.scratch)?;
            self.scratch.manifest.runs.extend(lower);
            self.merge_many_runs()?;
            let open = OpenLayer::Listing { layer: number, expanded: expanded.clone(), frontier: frontier.clone() };
            self.scratch.manifest.open = Some(open);
            self.scratch.commit_if_due()?;
        }
        let keys = merge(&expanded.concat(), &[], &self.scratch)?;
        self.scratch.manifest.open = None;
        self.scratch.manifest.layers.push(LayerFiles { layer: number, keys, codes: None });
        self.scratch.commit_if_due()
    }

    /// Merges the runs of layers that have many: each ply of each layer above may have left some, and all are open at once
    /// when the layer is listed.
    fn merge_many_runs(&mut self) -> Result<(), BuildError> {
        let mut counts = BTreeMap::new();
        self.scratch.manifest.runs.iter().for_each(|run| *counts.entry(run.layer).or_insert(0) += 1);
        let BuildContext { game, resources, .. } = self.context;
        for (layer, _) in counts.into_iter().filter(|&(_, count)| count > MAX_RUNS) {
            let runs = self.scratch.manifest.runs.extract_if(.., |run| run.layer == layer);
            let runs: Vec<_> = runs.map(|run| run.keys).collect();
            let merged = forward::merge::<W>(game.bits(), resources, layer, &runs, &[], &self.scratch)?;
            self.scratch.manifest.runs.extend(merged.into_iter().map(|keys| Run { layer, keys }));
        }
        Ok(())
    }

    /// The number of bytes of a code.
    const fn width(&self) -> usize {
        width(self.plan.subject.metric, self.scale)
    }

    fn backward_pass(&mut self) -> Result<(), BuildError> {
        let width = self.width();
        let mut lower: Lower<SolvedLayer<W>> = Lower::new();
        for at in (0..self.scratch.manifest.layers.len()).rev() {
            let mut finished = self.scratch.manifest.layers[at].clone();
            self.progress.enter(Phase::Backward, finished.layer);
            if finished.codes.is_none() {
                let layer = LayerKeys::open(&self.scratch.folder, &finished)?;
                let number = finished.layer;
                let name = if self.context.game.features().may_repeat {
                    let (context, lower, scale) = (self.context, &lower, self.scale);
                    let (name, longest) =
                        LoopyLayer { context, number, layer, lower, scale }.solve(&mut self.scratch)?;
                    let manifest = &mut self.scratch.manifest;
                    (manifest.open, manifest.longest) = (None, manifest.longest.max(Some(longest)));
                    name
                } else {
                    let name = self.scratch.name("codes", number);
                    let codes = LayerCodes::create(&self.scratch.folder, &name, width)?;
                    let task = LayerTask {
                        number,
                        blocks: layer.blocks(),
                        keys: |block, buffers: &mut ReadBuffers, keys: &mut Vec<W>| {
                            layer.keys(block, &mut buffers.bytes, keys)
                        },
                        done: |block, found: &[u16], buffers: &mut ReadBuffers| {
                            codes.write(block, layer.range(block).0, found, &mut buffers.bytes)
                        },
                        scale: self.scale,
                    };
                    task.solve(&self.context, &lower)?;
                    name
                };
                finished.codes = Some(name);
                self.scratch.manifest.layers[at].codes.clone_from(&finished.codes);
                self.scratch.commit_if_due()?;
            }
            self.progress.add_done(finished.positions());
            lower.insert(finished.layer, SolvedLayer::open(&self.scratch.folder, &finished, width)?);
        }
        Ok(())
    }

    /// Writes the file, and returns the working files, to be removed.
    fn write(self) -> Result<(Header, Scratch<BuildManifest>), BuildError> {
        let width = self.width();
        let Self { context, plan, progress, scratch, part, scale: from, .. } = self;
        let (key_bits, Resources { threads, watch, .. }) = (context.game.bits(), context.resources);
        let BuildManifest { layers, longest, .. } = &scratch.manifest;
        // Where play may repeat, the longest value is known only now.
        let to = longest.map_or(from, |longest| Scale::new(longest, 0));
        let writer = SolutionWriter::create(part, Form::Keys, plan.subject.clone(), key_bits, to, threads, watch)?;
        let mut writer = writer.with_may_repeat(longest.is_some());
        let open = |at: usize| -> Result<_, BuildError> {
            Ok(ScaledLayer { layer: SolvedLayer::<W>::open(&scratch.folder, &layers[at], width)?, from, to })
        };
        let dictionaries = writer.train_dictionaries(layers.len(), open)?;
        for ((at, finished), dictionaries) in layers.iter().enumerate().zip(dictionaries) {
            progress.enter(Phase::Writing, finished.layer);
            writer.write_layer_with(finished.layer, &open(at)?, dictionaries)?;
            progress.add_done(finished.positions());
        }
        Ok((writer.finish()?, scratch))
    }
}

/// A solved layer whose codes are converted to another scale.
struct ScaledLayer<W> {
    layer: SolvedLayer<W>,
    from: Scale,
    to: Scale,
}

impl<W: Word> LayerSource for ScaledLayer<W> {
    fn positions(&self) -> u64 {
        self.layer.positions()
    }

    fn bits(&self) -> (u128, u128) {
        self.layer.bits()
    }

    fn read(&self, from: u64, count: usize, keys: &mut Vec<u128>, codes: &mut Vec<u16>) -> Result<(), BuildError> {
        let before = codes.len();
        self.layer.read(from, count, keys, codes)?;
        if self.from != self.to {
            for code in &mut codes[before..] {
                *code =
                    self.from.convert(*code, self.to).ok_or(BuildError::Law("a value is longer than the longest"))?;
            }
        }
        Ok(())
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
    let mut scratch = Scratch::<BuildManifest>::open(folder, &serde_json::to_string(of).unwrap_or_default())?;
    scratch.commit()?;
    scratch.remove()
}

/// Locks the folder of working files and the output.
pub(crate) fn open_outputs(plan: &Plan) -> Result<(Scratch<BuildManifest>, PendingFile), BuildError> {
    let scratch = Scratch::open(&plan.scratch, &serde_json::to_string(&plan.subject).unwrap_or_default())?;
    match PendingFile::open(&plan.output) {
        Ok(part) => Ok((scratch, part)),
        Err(e) => {
            scratch.abandon();
            Err(e)
        }
    }
}
