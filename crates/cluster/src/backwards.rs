//! The backward pass: the owner of each successor sends its code to the workers that asked for it in
//! the forward pass, in the order in which they asked.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use balpan_strong::BuildError;
use balpan_strong::working::{Codes, Layer, ReadRoom, Wanted, Word, Worked, join};

use crate::done::Batch;
use crate::exchange::{Next, Receiver, Sender, receipt};
use crate::job::Job;
use crate::outbox::Outbox;
use crate::parcel::{Parcel, Receipt, unpack};
use crate::wants::Wants;

/// Layers whose codes are known.
pub(crate) type Lower<W> = BTreeMap<u32, Rc<Worked<W>>>;

const fn missing() -> BuildError {
    BuildError::Law("a move leads to a layer that was not found before")
}

const fn damaged() -> BuildError {
    BuildError::Law("a parcel is damaged")
}

/// Answers what other workers want to know of lower layers.
pub(crate) struct Answer<W> {
    lower: Lower<W>,
    wants: Wants,
    width: usize,
    /// This worker, and the number of all.
    worker: (usize, usize),
    words: Vec<W>,
    codes: Vec<u16>,
    room: ReadRoom,
}

impl<W: Word> Answer<W> {
    pub(crate) fn new(lower: &Lower<W>, wants: Wants, width: usize, worker: (usize, usize)) -> Self {
        let lower = lower.clone();
        Self { lower, wants, width, worker, words: Vec::new(), codes: Vec::new(), room: ReadRoom::default() }
    }

    fn answer(&mut self, parcel: Parcel) -> Result<Parcel, BuildError> {
        let Self { lower, width, worker: (own, _), words, codes, room, .. } = self;
        let Parcel { batch, layer, count, bytes, to, .. } = parcel;
        words.clear();
        codes.clear();
        unpack(count, &bytes, words).ok_or(damaged())?;
        let worked = lower.get(&layer).ok_or(missing())?;
        join(worked.as_ref(), words, 0, room, |_, code| codes.push(code))?;
        let mut bytes = Vec::with_capacity(codes.len() * *width);
        codes.iter().for_each(|code| bytes.extend(&code.to_le_bytes()[..*width]));
        Ok(Parcel { to, from: *own as u32, batch, layer, count, bytes })
    }
}

impl<W: Word> Sender for Answer<W> {
    fn send(&mut self, outbox: &mut Outbox) -> Result<Next, BuildError> {
        let (mut next, mut has_answered) = (Next::Done, false);
        for to in 0..self.worker.1 {
            if outbox.is_free(to)
                && let Some(parcel) = self.wants.next(to)?
            {
                outbox.add(self.answer(parcel)?);
                has_answered = true;
            }
            if self.wants.has_more(to) {
                next = Next::Wait;
            }
        }
        Ok(if next == Next::Wait && has_answered { Next::More } else { next })
    }
}

/// Gives a layer's positions their codes, batch by batch.
pub(crate) struct Settle<W> {
    job: Rc<Job<W>>,
    number: u32,
    layer: Layer<W>,
    batches: Vec<Batch>,
    lower: Lower<W>,
    codes: Codes,
    /// This worker, and the number of all.
    worker: (usize, usize),
    /// The batch in hand.
    at: usize,
    /// Whether its positions were added.
    has_added: bool,
    wanted: Wanted<W>,
    /// What the others have told of the batch: codes by layer, and how many.
    told: Vec<(BTreeMap<u32, Vec<u16>>, u64)>,
    /// What they have told of later ones.
    held: Vec<VecDeque<Parcel>>,
    room: ReadRoom,
}

impl<W: Word> Settle<W> {
    pub(crate) fn new(
        job: &Rc<Job<W>>,
        number: u32,
        layer: Layer<W>,
        batches: Vec<Batch>,
        lower: &Lower<W>,
        codes: Codes,
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
            has_added: false,
            // Forwards, as many words were kept within the same memory.
            wanted: Wanted::new(job.of.tells, job.scale(), job.words.bits(), job.memory / 2),
            told: vec![(BTreeMap::new(), 0); worker.1],
            held: (0..worker.1).map(|_| VecDeque::new()).collect(),
            room: ReadRoom::default(),
            job: Rc::clone(job),
        }
    }

    /// The blocks of the batch in hand.
    fn blocks(&self) -> std::ops::Range<usize> {
        let begin = self.at.checked_sub(1).map_or(0, |before| self.batches[before].end);
        begin..self.batches[self.at].end
    }

    /// Adds the batch's positions.
    fn add(&mut self) -> Result<(), BuildError> {
        let (mut bytes, mut keys) = (Vec::new(), Vec::new());
        for block in self.blocks() {
            keys.clear();
            self.layer.keys(block, &mut bytes, &mut keys)?;
            self.job.watch.count(keys.len() as u64).map_err(BuildError::Stopped)?;
            self.job.moves.backwards(self.number, &keys, &mut self.wanted)?;
        }
        self.has_added = true;
        Ok(())
    }

    /// Takes what is told of the batch in hand.
    fn listen(&mut self, receipts: &mut Vec<Receipt>) -> Result<(), BuildError> {
        let width = self.job.width();
        for (held, (codes, count)) in self.held.iter_mut().zip(&mut self.told) {
            while held.front().is_some_and(|parcel| parcel.batch as usize == self.at) {
                let Some(parcel) = held.pop_front() else { break };
                if parcel.bytes.len() != parcel.count as usize * width {
                    return Err(damaged());
                }
                let code = |bytes: &[u8]| bytes.iter().rev().fold(0, |code, &byte| code << 8 | u16::from(byte));
                codes.entry(parcel.layer).or_default().extend(parcel.bytes.chunks(width).map(code));
                *count += u64::from(parcel.count);
                receipts.push(receipt(&parcel));
            }
        }
        Ok(())
    }

    /// Whether all that the batch wants to know is told.
    fn has_all(&self) -> bool {
        self.batches[self.at].wanted.iter().zip(&self.told).all(|(wanted, (_, told))| wanted == told)
    }

    /// Finds the codes of the batch, and writes them.
    fn settle(&mut self) -> Result<(), BuildError> {
        let blocks = self.blocks();
        let Self { job, lower, worker: (own, workers), wanted, told, room, .. } = self;
        let place_bits = Wanted::<W>::place_bits(job.words.bits());
        let place = |word: W| -> usize { (word & ((W::one() << place_bits as usize) - W::one())).as_() };
        wanted.drain(|layer, words, found| {
            for (of, words) in job.by_worker(words, place_bits, *workers) {
                if of == *own {
                    if let [_, ..] = words {
                        let worked = lower.get(&layer).ok_or(missing())?;
                        join(worked.as_ref(), words, place_bits, room, |word, code| found.settle(place(word), code))?;
                    }
                    continue;
                }
                let codes = told[of].0.remove(&layer).unwrap_or_default();
                let same = |one: &W, other: &W| *one >> place_bits as usize == *other >> place_bits as usize;
                let mut count = 0;
                for (words, &code) in words.chunk_by(same).zip(&codes) {
                    words.iter().for_each(|&word| found.settle(place(word), code));
                    count += words.len();
                }
                if count != words.len() {
                    return Err(damaged());
                }
            }
            Ok(())
        })?;
        let codes = wanted.take_codes();
        let (mut rest, mut bytes) = (&codes[..], Vec::new());
        for block in blocks {
            let (start, count) = self.layer.range(block);
            let (of_block, others) = rest.split_at(count);
            self.codes.write(block, start, of_block, &mut bytes)?;
            self.job.progress.does(count as u64);
            rest = others;
        }
        for (_, count) in &mut self.told {
            *count = 0;
        }
        (self.at, self.has_added) = (self.at + 1, false);
        Ok(())
    }
}

impl<W: Word> Receiver for Settle<W> {
    fn take(&mut self, parcel: Parcel, _receipts: &mut Vec<Receipt>) -> Result<(), BuildError> {
        self.held[parcel.from as usize].push_back(parcel);
        Ok(())
    }

    fn work(&mut self, receipts: &mut Vec<Receipt>) -> Result<Next, BuildError> {
        if self.at == self.batches.len() {
            return Ok(Next::Done);
        }
        self.listen(receipts)?;
        if !self.has_added {
            self.add()?;
            return Ok(Next::More);
        }
        if !self.has_all() {
            return Ok(Next::Wait);
        }
        self.settle()?;
        Ok(Next::More)
    }
}
