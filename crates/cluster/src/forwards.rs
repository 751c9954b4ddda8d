//! The forward pass: each worker expands its positions of a layer and sends the successors to their
//! owners.

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;

use balpan_strong::BuildError;
use balpan_strong::working::{BLOCK, KeyWriter, Layer, Room, Run, Scratch, Wanted, Word, sort};

use crate::done::{Batch, Done};
use crate::exchange::{Next, Receiver, Sender, receipt};
use crate::job::Job;
use crate::outbox::Outbox;
use crate::parcel::{Packer, Parcel, Receipt, unpack};
use crate::wants::WantsWriter;

/// Expands a layer, batch by batch.
pub(crate) struct Expand<W> {
    pub(crate) job: Rc<Job<W>>,
    pub(crate) number: u32,
    pub(crate) layer: Layer<W>,
    pub(crate) batches: Vec<Batch>,
    /// This worker, and the number of all.
    pub(crate) worker: (usize, usize),
    room: Room<W>,
    incoming: Rc<RefCell<Incoming<W>>>,
}

impl<W: Word> Expand<W> {
    pub(crate) fn new(
        job: &Rc<Job<W>>,
        number: u32,
        layer: Layer<W>,
        worker: (usize, usize),
        incoming: &Rc<RefCell<Incoming<W>>>,
    ) -> Self {
        let room = Room::new(job.memory / 8 * 3);
        Self { job: Rc::clone(job), number, layer, batches: Vec::new(), worker, room, incoming: Rc::clone(incoming) }
    }

    /// Adds what some blocks lead to, until there is no room for more.
    fn fill(&mut self) -> Result<(), BuildError> {
        let Self { job, number, layer, batches, room, .. } = self;
        let mut block = batches.last().map_or(0, |last| last.end);
        let place_bits = Wanted::<W>::place_bits(job.words.bits());
        let (mut places, mut largest, mut bytes, mut keys) = (0, BLOCK, Vec::new(), Vec::new());
        // The codes will be wanted for the same positions together: there have to be places for all.
        while block < layer.blocks() && !room.is_full() && !Wanted::<W>::has_few_places(places, largest, place_bits) {
            keys.clear();
            layer.keys(block, &mut bytes, &mut keys)?;
            job.watch.count(keys.len() as u64).map_err(BuildError::Stopped)?;
            job.progress.does(keys.len() as u64);
            let more = job.moves.forwards(*number, &keys, room)?;
            (places, largest) = (places + more, largest.max(more));
            block += 1;
        }
        batches.push(Batch { end: block, wanted: vec![0; self.worker.1] });
        Ok(())
    }

    /// Takes out what was added: words of this worker's shares are for itself, the others are
    /// packed into parcels.
    fn empty(&mut self, outbox: &mut Outbox) -> Result<(), BuildError> {
        let Self { job, batches, room, incoming, worker: (own, workers), .. } = self;
        let batch = (batches.len() - 1) as u32;
        let Some(last) = batches.last_mut() else { return Ok(()) };
        room.drain(|layer, words, spare| {
            sort(words, spare, 0..job.words.bits());
            for (to, words) in job.by_worker(words, 0, *workers) {
                if to == *own {
                    incoming.borrow_mut().add(layer, words)?;
                    continue;
                }
                let mut packer = Packer::default();
                let mut send = |packer: &mut Packer| {
                    let (count, bytes) = packer.take();
                    last.wanted[to] += u64::from(count);
                    outbox.add(Parcel { to: to as u32, from: *own as u32, batch, layer, count, bytes });
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

impl<W: Word> Sender for Expand<W> {
    fn send(&mut self, outbox: &mut Outbox) -> Result<Next, BuildError> {
        if self.batches.last().map_or(0, |last| last.end) == self.layer.blocks() {
            return Ok(Next::Done);
        }
        // One batch at a time: what others have no room for yet is not added to.
        if !outbox.is_empty() {
            return Ok(Next::Wait);
        }
        self.fill()?;
        self.empty(outbox)?;
        Ok(Next::More)
    }
}

/// Positions of lower layers that belong to this worker, sorted and written in runs.
pub(crate) struct Incoming<W> {
    job: Rc<Job<W>>,
    room: Room<W>,
    /// Where runs are written, and what they are called.
    folder: PathBuf,
    name: Box<dyn FnMut(u32) -> String>,
    runs: Vec<Run>,
}

impl<W: Word> Incoming<W> {
    pub(crate) fn new(job: &Rc<Job<W>>, scratch: &Rc<Scratch<Done>>) -> Self {
        let names = Rc::clone(scratch);
        Self {
            job: Rc::clone(job),
            room: Room::new(job.memory / 8 * 3),
            folder: scratch.folder.clone(),
            name: Box::new(move |layer| names.name("run", layer)),
            runs: Vec::new(),
        }
    }

    fn add(&mut self, layer: u32, words: &[W]) -> Result<(), BuildError> {
        for &word in words {
            self.room.push(layer, word);
        }
        if self.room.is_full() { self.spill() } else { Ok(()) }
    }

    fn spill(&mut self) -> Result<(), BuildError> {
        let Self { job, room, folder, name, runs } = self;
        room.drain(|layer, words, spare| {
            sort(words, spare, 0..job.words.bits());
            let mut run = KeyWriter::create(folder, name(layer))?;
            run.write(words)?;
            runs.push(Run { layer, keys: run.finish()? });
            Ok(())
        })
    }

    /// Writes what is left, and returns all runs.
    pub(crate) fn finish(mut self) -> Result<Vec<Run>, BuildError> {
        self.spill()?;
        Ok(self.runs)
    }
}

/// Takes what other workers send, and keeps it for when they want to know the codes.
pub(crate) struct Collect<W> {
    pub(crate) incoming: Rc<RefCell<Incoming<W>>>,
    pub(crate) wants: WantsWriter,
    words: Vec<W>,
}

impl<W: Word> Collect<W> {
    pub(crate) fn new(incoming: &Rc<RefCell<Incoming<W>>>, wants: WantsWriter) -> Self {
        Self { incoming: Rc::clone(incoming), wants, words: Vec::new() }
    }
}

impl<W: Word> Receiver for Collect<W> {
    fn take(&mut self, parcel: Parcel, receipts: &mut Vec<Receipt>) -> Result<(), BuildError> {
        self.words.clear();
        unpack(parcel.count, &parcel.bytes, &mut self.words).ok_or(BuildError::Law("a parcel is damaged"))?;
        self.incoming.borrow_mut().add(parcel.layer, &self.words)?;
        self.wants.write(&parcel)?;
        receipts.push(receipt(&parcel));
        Ok(())
    }

    fn work(&mut self, _receipts: &mut Vec<Receipt>) -> Result<Next, BuildError> {
        Ok(Next::Done)
    }
}
