//! What a worker does from the beginning to the end of a build.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::Ordering::Relaxed;

use balpan_strong::working::{Codes, Finished, KeyWriter, Layer, Means, Run, Scratch, Word, Worked, merge};
use balpan_strong::{BuildError, Phase};
use timely::worker::Worker;

use crate::agree::tell_all;
use crate::backwards::{Answer, Lower, Settle};
use crate::done::{Done, LayerDone};
use crate::exchange::exchange;
use crate::forwards::{Collect, Expand, Incoming};
use crate::job::Job;
use crate::link::Links;
use crate::parts;
use crate::wants::{Wants, WantsWriter};

/// A worker, and what it has finished.
pub(crate) struct Work<'w, W> {
    job: Rc<Job<W>>,
    worker: &'w mut Worker,
    /// This worker, and the number of all.
    number: (usize, usize),
    scratch: Rc<Scratch<Done>>,
    tell: &'w dyn Fn(String),
}

/// Has a worker do its part of a build. Every worker of every process has to.
pub(crate) fn work<W: Word>(
    job: &Rc<Job<W>>,
    worker: &mut Worker,
    links: &Links,
    tell: &dyn Fn(String),
) -> Result<(), BuildError> {
    let number = (worker.index(), worker.peers());
    let all = tell_all(worker, &job.watch, vec![parts::are_there(job, number)?.into()])?;
    let folder = job.folder.join(format!("worker-{}", number.0));
    let of = serde_json::to_string(&(&job.of, job.words.split, number)).unwrap_or_default();
    let open = || Scratch::<Done>::open(&folder, &of);
    if all.iter().any(|told| told[0] == 0) {
        let mut work = Work { job: Rc::clone(job), worker, number, scratch: Rc::new(open()?), tell };
        work.go_back()?;
        work.forwards()?;
        work.backwards()?;
        tell_all(work.worker, &job.watch, Vec::new())?;
        if let Ok(scratch) = Rc::try_unwrap(work.scratch) {
            scratch.remove()?;
        }
    } else if folder.exists() {
        // It was killed when all was written.
        let mut scratch = open()?;
        scratch.commit()?;
        scratch.remove()?;
    }
    tell_all(worker, &job.watch, Vec::new())?;
    // From here on, it is no accident if another process ends.
    links.is_done.store(true, Relaxed);
    tell_all(worker, &job.watch, Vec::new())?;
    Ok(())
}

impl<W: Word> Work<'_, W> {
    fn scratch(&mut self) -> Result<&mut Scratch<Done>, BuildError> {
        Rc::get_mut(&mut self.scratch).ok_or(BuildError::Law("working files are in use"))
    }

    /// Goes back to what all workers have finished.
    fn go_back(&mut self) -> Result<(), BuildError> {
        let step = self.scratch.state.now.step;
        let all = tell_all(self.worker, &self.job.watch, vec![step])?;
        let steps: Vec<u64> = all.into_iter().map(|told| told[0]).collect();
        let common = steps.iter().copied().min().unwrap_or(0);
        let most = steps.iter().copied().max().unwrap_or(0);
        // One of those who have got further than by one step tells what is lost.
        if most > common + 1 && steps.iter().position(|&step| step == most) == Some(self.number.0) {
            let lost: Vec<String> = (0..)
                .zip(&steps)
                .filter(|&(_, &step)| step + 1 < most)
                .map(|(of, _): (usize, _)| of.to_string())
                .collect();
            let done = &self.scratch.state.now;
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
        scratch.state.back_to(common);
        scratch.commit()?;
        scratch.state.step();
        Ok(())
    }

    /// Writes what is finished, if some worker has not done so for a while, or `now` in any case.
    /// All workers have got as far as this one when it returns.
    fn commit(&mut self, now: bool) -> Result<(), BuildError> {
        let is_due = now || self.scratch.is_due();
        let all = tell_all(self.worker, &self.job.watch, vec![is_due.into()])?;
        if all.iter().all(|told| told[0] == 0) {
            return Ok(());
        }
        self.scratch()?.commit()?;
        self.scratch()?.state.step();
        Ok(())
    }

    fn forwards(&mut self) -> Result<(), BuildError> {
        let job = Rc::clone(&self.job);
        let known = self.scratch.state.now.layers.iter().map(|layer| layer.finished.positions()).sum();
        job.progress.knows(known);
        let below = |work: &Self| work.scratch.state.now.layers.last().map(|last| last.finished.layer);
        let highest = below(self).map_or(u32::from(job.most), |last| last.saturating_sub(1));
        if below(self) == Some(0) {
            return Ok(());
        }
        for number in (0..=highest).rev() {
            job.progress.set(Phase::Forwards, number);
            let done = self.expand(number)?;
            job.progress.knows(done.finished.positions());
            self.scratch()?.state.now.layers.push(done);
            self.commit(number == 0)?;
        }
        Ok(())
    }

    /// Lists a layer's positions, and expands them.
    fn expand(&mut self, number: u32) -> Result<LayerDone, BuildError> {
        let job = Rc::clone(&self.job);
        let (own, workers) = self.number;
        let shares = job.shares(own, workers);
        let is_own = |&&(layer, word): &&(u32, W)| layer == number && shares.contains(&job.words.share(word));
        let starts: Vec<W> = job.starts.iter().filter(is_own).map(|&(_, word)| word).collect();
        let mut runs: Vec<_> = Vec::new();
        if !starts.is_empty() {
            let mut run = KeyWriter::create(&self.scratch.folder, self.scratch.name("run", number))?;
            run.write(&starts)?;
            runs.push(run.finish()?);
        }
        let scratch = self.scratch()?;
        runs.extend(scratch.state.now.runs.extract_if(.., |run| run.layer == number).map(|run| run.keys));
        let means = Means { memory: job.memory, threads: 1, watch: &job.watch };
        let keys = if runs.is_empty() { runs } else { merge::<W>(job.words.bits(), means, number, &runs, scratch)? };
        let finished = Finished { layer: number, keys, codes: None };
        let layer = Layer::<W>::open(&scratch.folder, &finished)?;
        let name = scratch.name("wants", number);
        let incoming = Rc::new(RefCell::new(Incoming::new(&job, &self.scratch)));
        let sender = Expand::new(&job, number, layer, self.number, &incoming);
        let receiver = Collect::new(&incoming, WantsWriter::create(self.scratch.folder.join(&name))?);
        drop(incoming);
        let (mut sender, receiver, sent) =
            exchange(self.worker, job.on_the_way(workers), &job.watch, sender, receiver)?;
        job.progress.sends(sent);
        let batches = std::mem::take(&mut sender.batches);
        drop(sender);
        let Collect { incoming, wants, .. } = receiver;
        wants.finish()?;
        let incoming = Rc::try_unwrap(incoming).map_err(|_| BuildError::Law("a layer is in use"))?;
        let runs: Vec<Run> = incoming.into_inner().finish()?;
        self.scratch()?.state.now.runs.extend(runs);
        Ok(LayerDone { finished, wants: Some(name), batches })
    }

    fn backwards(&mut self) -> Result<(), BuildError> {
        let job = Rc::clone(&self.job);
        let width = job.width();
        let mut lower: Lower<W> = Lower::new();
        for at in (0..self.scratch.state.now.layers.len()).rev() {
            let LayerDone { finished, wants, batches } = self.scratch.state.now.layers[at].clone();
            let number = finished.layer;
            job.progress.set(Phase::Backwards, number);
            let folder = self.scratch.folder.clone();
            let open = || Layer::open(&folder, &finished);
            let name = match finished.codes.clone() {
                Some(name) => name,
                None => {
                    let name = self.scratch.name("codes", number);
                    let codes = Codes::create(&folder, &name, width)?;
                    let wants = folder.join(wants.unwrap_or_default());
                    let wants = Wants::open(&wants, self.number.1)?;
                    let sender = Answer::new(&lower, wants, width, self.number);
                    let receiver = Settle::new(&job, number, open()?, batches, &lower, codes, self.number);
                    let (.., sent) =
                        exchange(self.worker, job.on_the_way(self.number.1), &job.watch, sender, receiver)?;
                    job.progress.sends(sent);
                    let done = &mut self.scratch()?.state.now.layers[at];
                    (done.finished.codes, done.wants) = (Some(name.clone()), None);
                    self.commit(at == 0)?;
                    name
                }
            };
            let codes = Codes::open(&folder, &name, width)?;
            lower.insert(number, Rc::new(Worked { layer: open()?, codes }));
        }
        parts::write(&job, &lower, self.number)
    }
}
