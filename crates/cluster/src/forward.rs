//! The forward pass: each worker expands its positions of a layer and sends the successors to their
//! owners.

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use balpan_strong::BuildError;
use balpan_strong::parts::{LayerKeys, MAX_BLOCK_KEYS, Run, Scratch, SolveBatch, SpillBuffer, Word, sort, spill};

use crate::exchange::{Outbox, Receiver, Sender, Status, ack};
use crate::job::Job;
use crate::message::{Ack, Message, Packer, RequestWriter, unpack};
use crate::worker::{Batch, WorkerManifest};

/// Expands a layer, batch by batch.
pub(crate) struct Expander<W> {
    pub(crate) job: Arc<Job<W>>,
    pub(crate) number: u32,
    pub(crate) layer: LayerKeys<W>,
    pub(crate) batches: Vec<Batch>,
    /// This worker's index, and the number of workers.
    pub(crate) worker: (usize, usize),
    buffer: SpillBuffer<W>,
    incoming: Rc<RefCell<IncomingWords<W>>>,
}

impl<W: Word> Expander<W> {
    pub(crate) fn new(
        job: &Arc<Job<W>>,
        number: u32,
        layer: LayerKeys<W>,
        worker: (usize, usize),
        incoming: &Rc<RefCell<IncomingWords<W>>>,
    ) -> Self {
        let buffer = SpillBuffer::new(job.memory / 8 * 3);
        Self { job: Arc::clone(job), number, layer, batches: Vec::new(), worker, buffer, incoming: Rc::clone(incoming) }
    }

    /// Begins a batch: adds the successors of blocks until the buffer is full.
    fn fill_batch(&mut self) -> Result<(), BuildError> {
        let Self { job, number, layer, batches, buffer, .. } = self;
        let mut block = batches.last().map_or(0, |last| last.end);
        let turn_bits = SolveBatch::<W>::turn_bits(&*job.game, job.subject.metric);
        let position_bits = SolveBatch::<W>::place_bits(job.words.bits()) - turn_bits;
        let (mut places, mut largest, mut bytes, mut keys) = (0, MAX_BLOCK_KEYS, Vec::new(), Vec::new());
        // The backward pass solves the same positions together: it must have places for all of
        // them.
        while block < layer.blocks()
            && !buffer.is_full()
            && !SolveBatch::<W>::is_nearly_full(places, largest, position_bits)
        {
            keys.clear();
            layer.keys(block, &mut bytes, &mut keys)?;
            job.watch.count(keys.len() as u64).map_err(BuildError::Stopped)?;
            job.progress.build.add_done(keys.len() as u64);
            let more = job.expand(*number, &keys, buffer)?;
            (places, largest) = (places + more, largest.max(more));
            block += 1;
        }
        batches.push(Batch { end: block, requested: vec![0; self.worker.1] });
        Ok(())
    }

    /// Drains the buffer: words of this worker's shards are kept, the others are packed into
    /// messages.
    fn send_batch(&mut self, outbox: &mut Outbox) -> Result<(), BuildError> {
        let Self { job, batches, buffer, incoming, worker: (own, workers), .. } = self;
        let batch = (batches.len() - 1) as u32;
        let Some(last) = batches.last_mut() else { return Ok(()) };
        buffer.drain(|layer, words, spare| {
            sort(words, spare, 0..job.words.bits());
            for (to, words) in job.by_worker(words, 0, *workers) {
                if to == *own {
                    incoming.borrow_mut().add(layer, words)?;
                    continue;
                }
                let mut packer = Packer::default();
                let mut send = |packer: &mut Packer| {
                    let (count, bytes) = packer.take();
                    last.requested[to] += u64::from(count);
                    outbox.add(Message { to: to as u32, from: *own as u32, batch, layer, count, bytes });
                };
                for words in words.chunk_by(|one, other| one == other) {
                    packer.add(words[0]);
                    if packer.is_full() {
                        send(&mut packer);
                    }
                }
                if !packer.is_empty() {
                    send(&mut packer);
                }
            }
            Ok(())
        })
    }
}

impl<W: Word> Sender for Expander<W> {
    fn send(&mut self, outbox: &mut Outbox) -> Result<Status, BuildError> {
        if self.batches.last().map_or(0, |last| last.end) == self.layer.blocks() {
            return Ok(Status::Done);
        }
        // One batch at a time: nothing is added while messages wait.
        if !outbox.is_empty() {
            return Ok(Status::Wait);
        }
        self.fill_batch()?;
        self.send_batch(outbox)?;
        Ok(Status::More)
    }
}

/// Positions of lower layers that belong to this worker, spilled in sorted runs.
pub(crate) struct IncomingWords<W> {
    job: Arc<Job<W>>,
    buffer: SpillBuffer<W>,
    /// The folder of the runs, and a generator of names.
    folder: PathBuf,
    name: Box<dyn FnMut(u32) -> String>,
    runs: Vec<Run>,
}

impl<W: Word> IncomingWords<W> {
    pub(crate) fn new(job: &Arc<Job<W>>, scratch: &Rc<Scratch<WorkerManifest>>) -> Self {
        let names = Rc::clone(scratch);
        Self {
            job: Arc::clone(job),
            buffer: SpillBuffer::new(job.memory / 8 * 3),
            folder: scratch.folder.clone(),
            name: Box::new(move |layer| names.name("run", layer)),
            runs: Vec::new(),
        }
    }

    fn add(&mut self, layer: u32, words: &[W]) -> Result<(), BuildError> {
        for &word in words {
            self.buffer.push(layer, word);
        }
        if self.buffer.is_full() { self.spill() } else { Ok(()) }
    }

    fn spill(&mut self) -> Result<(), BuildError> {
        spill(&mut self.buffer, self.job.words.bits(), &self.folder, &mut self.name, &mut self.runs)
    }

    /// Spills the rest, and returns all runs.
    pub(crate) fn finish(mut self) -> Result<Vec<Run>, BuildError> {
        self.spill()?;
        Ok(self.runs)
    }
}

/// Takes the words that other workers send, and keeps the messages as requests for the codes.
pub(crate) struct WordReceiver<W> {
    pub(crate) incoming: Rc<RefCell<IncomingWords<W>>>,
    pub(crate) requests: RequestWriter,
    words: Vec<W>,
}

impl<W: Word> WordReceiver<W> {
    pub(crate) fn new(incoming: &Rc<RefCell<IncomingWords<W>>>, requests: RequestWriter) -> Self {
        Self { incoming: Rc::clone(incoming), requests, words: Vec::new() }
    }
}

impl<W: Word> Receiver for WordReceiver<W> {
    fn take(&mut self, message: Message, acks: &mut Vec<Ack>) -> Result<(), BuildError> {
        self.words.clear();
        unpack(message.count, &message.bytes, &mut self.words).ok_or(BuildError::Law("a message is damaged"))?;
        self.incoming.borrow_mut().add(message.layer, &self.words)?;
        self.requests.write(&message)?;
        acks.push(ack(&message));
        Ok(())
    }

    fn work(&mut self, _receipts: &mut Vec<Ack>) -> Result<Status, BuildError> {
        Ok(Status::Done)
    }
}
