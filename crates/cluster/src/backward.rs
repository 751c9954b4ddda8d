//! The backward pass: the owner of each successor sends its code to the workers that requested it
//! in the forward pass, in the order of their requests.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use balpan_strong::BuildError;
use balpan_strong::parts::{LayerCodes, LayerKeys, ReadBuffers, SolveBatch, SolvedLayer, Word, join};

use crate::exchange::{Outbox, Receiver, Sender, Status, ack};
use crate::job::Job;
use crate::message::{Ack, Message, RequestFile, unpack};
use crate::worker::Batch;

/// The solved layers.
pub(crate) type Lower<W> = BTreeMap<u32, Rc<SolvedLayer<W>>>;

const fn missing() -> BuildError {
    BuildError::Law("a move leads to a layer that was not found before")
}

const fn damaged() -> BuildError {
    BuildError::Law("a message is damaged")
}

/// Sends the codes of lower layers that other workers requested.
pub(crate) struct CodeSender<W> {
    lower: Lower<W>,
    requests: RequestFile,
    width: usize,
    /// This worker's index, and the number of workers.
    worker: (usize, usize),
    words: Vec<W>,
    codes: Vec<u16>,
    buffers: ReadBuffers,
}

impl<W: Word> CodeSender<W> {
    pub(crate) fn new(lower: &Lower<W>, requests: RequestFile, width: usize, worker: (usize, usize)) -> Self {
        let lower = lower.clone();
        Self { lower, requests, width, worker, words: Vec::new(), codes: Vec::new(), buffers: ReadBuffers::default() }
    }

    fn reply(&mut self, message: Message) -> Result<Message, BuildError> {
        let Self { lower, width, worker: (own, _), words, codes, buffers, .. } = self;
        let Message { batch, layer, count, bytes, to, .. } = message;
        words.clear();
        codes.clear();
        unpack(count, &bytes, words).ok_or(damaged())?;
        let solved = lower.get(&layer).ok_or(missing())?;
        join(solved.as_ref(), words, 0, buffers, |_, code| codes.push(code))?;
        let mut bytes = Vec::with_capacity(codes.len() * *width);
        codes.iter().for_each(|code| bytes.extend(&code.to_le_bytes()[..*width]));
        Ok(Message { to, from: *own as u32, batch, layer, count, bytes })
    }
}

impl<W: Word> Sender for CodeSender<W> {
    fn send(&mut self, outbox: &mut Outbox) -> Result<Status, BuildError> {
        let (mut next, mut has_answered) = (Status::Done, false);
        for to in 0..self.worker.1 {
            if outbox.is_free(to)
                && let Some(message) = self.requests.next(to)?
            {
                outbox.add(self.reply(message)?);
                has_answered = true;
            }
            if self.requests.has_more(to) {
                next = Status::Wait;
            }
        }
        Ok(if next == Status::Wait && has_answered { Status::More } else { next })
    }
}

/// Solves a layer batch by batch, with the codes that other workers send.
pub(crate) struct CodeReceiver<W> {
    job: Arc<Job<W>>,
    number: u32,
    layer: LayerKeys<W>,
    batches: Vec<Batch>,
    lower: Lower<W>,
    codes: LayerCodes,
    /// This worker's index, and the number of workers.
    worker: (usize, usize),
    /// The current batch.
    at: usize,
    /// Whether the positions of the current batch were added.
    is_added: bool,
    batch_requests: SolveBatch<W>,
    /// From each worker, the codes for the current batch by layer, and their number.
    received: Vec<(BTreeMap<u32, Vec<u16>>, u64)>,
    /// From each worker, messages for later batches.
    queued: Vec<VecDeque<Message>>,
    buffers: ReadBuffers,
}

impl<W: Word> CodeReceiver<W> {
    pub(crate) fn new(
        job: &Arc<Job<W>>,
        number: u32,
        layer: LayerKeys<W>,
        batches: Vec<Batch>,
        lower: &Lower<W>,
        codes: LayerCodes,
        worker: (usize, usize),
    ) -> Self {
        Self {
            number,
            layer,
            batches,
            lower: lower.clone(),
            codes,
            worker,
            at: 0,
            is_added: false,
            // The forward pass kept as many words within the same memory.
            batch_requests: SolveBatch::new(
                &*job.game,
                job.subject.metric,
                job.scale,
                job.words.bits(),
                job.memory / 2,
            ),
            received: vec![(BTreeMap::new(), 0); worker.1],
            queued: (0..worker.1).map(|_| VecDeque::new()).collect(),
            buffers: ReadBuffers::default(),
            job: Arc::clone(job),
        }
    }

    /// The blocks of the current batch.
    fn blocks(&self) -> std::ops::Range<usize> {
        let begin = self.at.checked_sub(1).map_or(0, |before| self.batches[before].end);
        begin..self.batches[self.at].end
    }

    /// Adds the positions of the current batch.
    fn add(&mut self) -> Result<(), BuildError> {
        let (mut bytes, mut keys) = (Vec::new(), Vec::new());
        for block in self.blocks() {
            keys.clear();
            self.layer.keys(block, &mut bytes, &mut keys)?;
            self.job.watch.count(keys.len() as u64).map_err(BuildError::Stopped)?;
            self.job.request_successors(self.number, &keys, &mut self.batch_requests)?;
        }
        self.is_added = true;
        Ok(())
    }

    /// Takes the codes for the current batch from the messages.
    fn take_codes(&mut self, acks: &mut Vec<Ack>) -> Result<(), BuildError> {
        let width = self.job.width();
        for (queued, (codes, count)) in self.queued.iter_mut().zip(&mut self.received) {
            while queued.front().is_some_and(|message| message.batch as usize == self.at) {
                let Some(message) = queued.pop_front() else { break };
                if message.bytes.len() != message.count as usize * width {
                    return Err(damaged());
                }
                let code = |bytes: &[u8]| bytes.iter().rev().fold(0, |code, &byte| code << 8 | u16::from(byte));
                codes.entry(message.layer).or_default().extend(message.bytes.chunks(width).map(code));
                *count += u64::from(message.count);
                acks.push(ack(&message));
            }
        }
        Ok(())
    }

    /// Whether all codes that the batch requested have arrived.
    fn has_all_codes(&self) -> bool {
        self.batches[self.at]
            .requested
            .iter()
            .zip(&self.received)
            .all(|(requested, (_, received))| requested == received)
    }

    /// Solves the current batch and writes its codes.
    fn solve_batch(&mut self) -> Result<(), BuildError> {
        let blocks = self.blocks();
        let Self { job, lower, worker: (own, workers), batch_requests, received, buffers, .. } = self;
        let place_bits = SolveBatch::<W>::place_bits(job.words.bits());
        let place = |word: W| -> usize { (word & ((W::one() << place_bits as usize) - W::one())).as_() };
        batch_requests.drain_requests(|layer, words, found| {
            for (of, words) in job.by_worker(words, place_bits, *workers) {
                if of == *own {
                    if let [_, ..] = words {
                        let solved = lower.get(&layer).ok_or(missing())?;
                        join(solved.as_ref(), words, place_bits, buffers, |word, code| {
                            found.accumulate(place(word), code)
                        })?;
                    }
                    continue;
                }
                let codes = received[of].0.remove(&layer).unwrap_or_default();
                let same = |one: &W, other: &W| *one >> place_bits as usize == *other >> place_bits as usize;
                let mut count = 0;
                for (words, &code) in words.chunk_by(same).zip(&codes) {
                    words.iter().for_each(|&word| found.accumulate(place(word), code));
                    count += words.len();
                }
                if count != words.len() {
                    return Err(damaged());
                }
            }
            Ok(())
        })?;
        let codes = batch_requests.take_codes();
        let (mut rest, mut bytes) = (&codes[..], Vec::new());
        for block in blocks {
            let (start, count) = self.layer.range(block);
            let (of_block, others) = rest.split_at(count);
            self.codes.write(block, start, of_block, &mut bytes)?;
            self.job.progress.build.add_done(count as u64);
            rest = others;
        }
        for (_, count) in &mut self.received {
            *count = 0;
        }
        (self.at, self.is_added) = (self.at + 1, false);
        Ok(())
    }
}

impl<W: Word> Receiver for CodeReceiver<W> {
    fn take(&mut self, message: Message, _receipts: &mut Vec<Ack>) -> Result<(), BuildError> {
        self.queued[message.from as usize].push_back(message);
        Ok(())
    }

    fn work(&mut self, acks: &mut Vec<Ack>) -> Result<Status, BuildError> {
        if self.at == self.batches.len() {
            return Ok(Status::Done);
        }
        self.take_codes(acks)?;
        if !self.is_added {
            self.add()?;
            return Ok(Status::More);
        }
        if !self.has_all_codes() {
            return Ok(Status::Wait);
        }
        self.solve_batch()?;
        Ok(Status::More)
    }
}
