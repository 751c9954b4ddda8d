//! The work of a worker from the beginning to the end of a build.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use balpan_strong::parts::{
    KeyWriter, LayerCodes, LayerFiles, LayerKeys, Manifest, Resources, Run, Scratch, SolvedLayer, Word, merge,
};
use balpan_strong::{BuildError, Phase};
use serde::{Deserialize, Serialize};
use timely::worker::Worker;

use crate::backward::{CodeReceiver, CodeSender, Lower};
use crate::exchange::{all_gather, exchange};
use crate::forward::{Expander, IncomingWords, WordReceiver};
use crate::job::Job;
use crate::message::{RequestFile, RequestWriter};
use crate::network::heartbeat::Connections;
use crate::shards as parts;

/// A worker and its working files.
pub(crate) struct WorkerBuild<'w, W> {
    job: Arc<Job<W>>,
    worker: &'w mut Worker,
    /// This worker's index, and the number of workers.
    number: (usize, usize),
    scratch: Rc<Scratch<WorkerManifest>>,
    tell: &'w dyn Fn(String),
}

/// Runs a worker's part of a build. Every worker of every process must call it.
pub(crate) fn work<W: Word>(
    job: &Arc<Job<W>>,
    worker: &mut Worker,
    connections: &Connections,
    tell: &dyn Fn(String),
) -> Result<(), BuildError> {
    let number = (worker.index(), worker.peers());
    let all = all_gather(worker, &job.watch, vec![parts::all_exist(job, number)?.into()])?;
    let folder = job.folder.join(format!("worker-{}", number.0));
    let of = serde_json::to_string(&(&job.subject, job.words.sharding, number)).unwrap_or_default();
    let open = || Scratch::<WorkerManifest>::open(&folder, &of);
    if all.iter().any(|received| received[0] == 0) {
        let mut work = WorkerBuild { job: Arc::clone(job), worker, number, scratch: Rc::new(open()?), tell };
        work.roll_back()?;
        work.forward_pass()?;
        work.backward_pass()?;
        all_gather(work.worker, &job.watch, Vec::new())?;
        if let Ok(scratch) = Rc::try_unwrap(work.scratch) {
            scratch.remove()?;
        }
    } else if folder.exists() {
        // An earlier build was killed after all shards were written.
        let mut scratch = open()?;
        scratch.commit()?;
        scratch.remove()?;
    }
    all_gather(worker, &job.watch, Vec::new())?;
    // From here on, other processes may end.
    connections.is_done.store(true, Relaxed);
    all_gather(worker, &job.watch, Vec::new())?;
    Ok(())
}

impl<W: Word> WorkerBuild<'_, W> {
    fn scratch(&mut self) -> Result<&mut Scratch<WorkerManifest>, BuildError> {
        Rc::get_mut(&mut self.scratch).ok_or(BuildError::Law("working files are in use"))
    }

    /// Rolls back to the last commit that all workers have reached.
    fn roll_back(&mut self) -> Result<(), BuildError> {
        let step = self.scratch.manifest.now.step;
        let all = all_gather(self.worker, &self.job.watch, vec![step])?;
        let steps: Vec<u64> = all.into_iter().map(|received| received[0]).collect();
        let common = steps.iter().copied().min().unwrap_or(0);
        let max_plies = steps.iter().copied().max().unwrap_or(0);
        // One of the workers that are more than a step ahead reports what is lost.
        if max_plies > common + 1 && steps.iter().position(|&step| step == max_plies) == Some(self.number.0) {
            let lost: Vec<String> = (0..)
                .zip(&steps)
                .filter(|&(_, &step)| step + 1 < max_plies)
                .map(|(of, _): (usize, _)| of.to_string())
                .collect();
            let done = &self.scratch.manifest.now;
            let (highest, lowest) = (done.layers.first(), done.layers.last());
            let layers = highest.zip(lowest).map_or_else(String::new, |(highest, lowest)| {
                format!(": layers {} to {}", highest.finished.layer, lowest.finished.layer)
            });
            (self.tell)(format!(
                "the working files of worker {} are lost; what the others have is made again{layers}",
                lost.join(", ")
            ));
        }
        let scratch = self.scratch()?;
        scratch.manifest.roll_back_to(common);
        scratch.commit()?;
        scratch.manifest.step();
        Ok(())
    }

    /// Commits, if that is due for some worker, or `now` in any case. When it returns, all workers
    /// have called it.
    fn commit(&mut self, now: bool) -> Result<(), BuildError> {
        let is_due = now || self.scratch.is_due();
        let all = all_gather(self.worker, &self.job.watch, vec![is_due.into()])?;
        if all.iter().all(|received| received[0] == 0) {
            return Ok(());
        }
        self.scratch()?.commit()?;
        self.scratch()?.manifest.step();
        Ok(())
    }

    fn forward_pass(&mut self) -> Result<(), BuildError> {
        let job = Arc::clone(&self.job);
        let listed = self.scratch.manifest.now.layers.iter().map(|layer| layer.finished.positions()).sum();
        job.progress.build.add_known(listed);
        let below = |work: &Self| work.scratch.manifest.now.layers.last().map(|last| last.finished.layer);
        let highest =
            below(self).map_or(job.starts.last().map_or(0, |&(layer, _)| layer), |last| last.saturating_sub(1));
        if below(self) == Some(0) {
            return Ok(());
        }
        for number in (0..=highest).rev() {
            job.progress.build.enter(Phase::Forward, number);
            let done = self.expand(number)?;
            job.progress.build.add_known(done.finished.positions());
            self.scratch()?.manifest.now.layers.push(done);
            self.commit(number == 0)?;
        }
        Ok(())
    }

    /// Lists a layer's positions, and expands them.
    fn expand(&mut self, number: u32) -> Result<LayerState, BuildError> {
        let job = Arc::clone(&self.job);
        let (own, workers) = self.number;
        let shards = job.shards(own, workers);
        let is_own = |&&(layer, word): &&(u32, W)| layer == number && shards.contains(&job.words.shard(word));
        let starts: Vec<W> = job.starts.iter().filter(is_own).map(|&(_, word)| word).collect();
        let mut runs: Vec<_> = Vec::new();
        if !starts.is_empty() {
            runs.push(KeyWriter::write_all(&self.scratch.folder, self.scratch.name("run", number), &starts)?);
        }
        let scratch = self.scratch()?;
        runs.extend(scratch.manifest.now.runs.extract_if(.., |run| run.layer == number).map(|run| run.keys));
        let resources = Resources { memory: job.memory, threads: 1, watch: &job.watch };
        let keys =
            if runs.is_empty() { runs } else { merge::<W>(job.words.bits(), resources, number, &runs, &[], scratch)? };
        let finished = LayerFiles { layer: number, keys, codes: None };
        let layer = LayerKeys::<W>::open(&scratch.folder, &finished)?;
        let name = scratch.name("wants", number);
        let incoming = Rc::new(RefCell::new(IncomingWords::new(&job, &self.scratch)));
        let sender = Expander::new(&job, number, layer, self.number, &incoming);
        let receiver = WordReceiver::new(&incoming, RequestWriter::create(self.scratch.folder.join(&name))?);
        drop(incoming);
        let (mut sender, receiver, sent) = exchange(self.worker, job.in_flight(workers), &job.watch, sender, receiver)?;
        job.progress.add_traffic(sent);
        let batches = std::mem::take(&mut sender.batches);
        drop(sender);
        let WordReceiver { incoming, requests, .. } = receiver;
        requests.finish()?;
        let incoming = Rc::try_unwrap(incoming).map_err(|_| BuildError::Law("a layer is in use"))?;
        let runs: Vec<Run> = incoming.into_inner().finish()?;
        self.scratch()?.manifest.now.runs.extend(runs);
        Ok(LayerState { finished, requests: Some(name), batches })
    }

    fn backward_pass(&mut self) -> Result<(), BuildError> {
        let job = Arc::clone(&self.job);
        let width = job.width();
        let mut lower: Lower<W> = Lower::new();
        for at in (0..self.scratch.manifest.now.layers.len()).rev() {
            let LayerState { mut finished, requests, batches } = self.scratch.manifest.now.layers[at].clone();
            let number = finished.layer;
            job.progress.build.enter(Phase::Backward, number);
            let folder = self.scratch.folder.clone();
            if finished.codes.is_none() {
                let name = self.scratch.name("codes", number);
                let codes = LayerCodes::create(&folder, &name, width)?;
                let requests = RequestFile::open(&folder.join(requests.unwrap_or_default()), self.number.1)?;
                let sender = CodeSender::new(&lower, requests, width, self.number);
                let layer = LayerKeys::open(&folder, &finished)?;
                let receiver = CodeReceiver::new(&job, number, layer, batches, &lower, codes, self.number);
                let (.., sent) = exchange(self.worker, job.in_flight(self.number.1), &job.watch, sender, receiver)?;
                job.progress.add_traffic(sent);
                finished.codes = Some(name);
                let done = &mut self.scratch()?.manifest.now.layers[at];
                (done.finished.codes, done.requests) = (finished.codes.clone(), None);
                self.commit(at == 0)?;
            }
            lower.insert(number, Rc::new(SolvedLayer::open(&folder, &finished, width)?));
        }
        parts::write(&job, &lower, self.number)
    }
}

/// The finished work of a worker, at the last commit and at the one before. The working files of
/// both stay until all workers have reached the later one: workers that were killed in between can
/// be rolled back.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct WorkerManifest {
    pub(crate) now: Snapshot,
    before: Snapshot,
}

/// The finished work at a commit.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Snapshot {
    /// The number of commits before.
    pub(crate) step: u64,
    /// Layers whose positions are all listed, the highest first.
    pub(crate) layers: Vec<LayerState>,
    /// Runs of positions of lower layers.
    pub(crate) runs: Vec<Run>,
}

/// A layer whose positions are all listed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct LayerState {
    pub(crate) finished: LayerFiles,
    /// The file of the codes that others request from this worker for their positions of the layer,
    /// until the layer is solved.
    #[serde(rename = "wants")]
    pub(crate) requests: Option<String>,
    /// The batches in which the layer was expanded.
    pub(crate) batches: Vec<Batch>,
}

/// Positions that are expanded together, and solved together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Batch {
    /// The index of the block after its last.
    pub(crate) end: usize,
    /// The number of codes that it requests from each worker.
    #[serde(rename = "wanted")]
    pub(crate) requested: Vec<u64>,
}

impl Snapshot {
    fn names(&self) -> impl Iterator<Item = &str> {
        let layers = self.layers.iter();
        let files = layers.flat_map(|layer| layer.finished.names().chain(layer.requests.as_deref()));
        files.chain(self.runs.iter().map(|run| run.keys.name.as_str()))
    }
}

impl Manifest for WorkerManifest {
    fn names(&self) -> impl Iterator<Item = &str> {
        self.now.names().chain(self.before.names())
    }
}

impl WorkerManifest {
    /// Begins the next step.
    pub(crate) fn step(&mut self) {
        self.before = self.now.clone();
        self.now.step += 1;
    }

    /// Rolls back to an earlier step, or to nothing if that step is not kept.
    pub(crate) fn roll_back_to(&mut self, step: u64) {
        if self.now.step == step {
            return;
        }
        if self.before.step == step {
            self.now = self.before.clone();
        } else {
            *self = Self::default();
        }
    }
}
