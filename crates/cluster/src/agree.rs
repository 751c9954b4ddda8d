//! Exchange of a few numbers between all workers.

use std::cell::RefCell;
use std::rc::Rc;

use balpan::Watch;
use balpan_strong::BuildError;
use timely::dataflow::operators::{Exchange, Inspect, Probe, ToStream};
use timely::worker::Worker;

use crate::exchange::OFTEN;

/// Tells all workers some numbers. Returns what each has told, when all have. Every worker has to
/// call it.
pub(crate) fn tell_all(worker: &mut Worker, watch: &Watch, mine: Vec<u64>) -> Result<Vec<Vec<u64>>, BuildError> {
    let told = Rc::new(RefCell::new(vec![Vec::new(); worker.peers()]));
    let (from, workers) = (worker.index() as u64, worker.peers() as u64);
    let probe = worker.dataflow::<u32, _, _>(|scope| {
        let told = Rc::clone(&told);
        let messages = (0..workers).map(move |to| (to, from, mine.clone())).to_stream(scope);
        let messages = messages.container::<Vec<_>>().exchange(|&(to, ..)| to);
        let heard = messages.inspect(move |(_, from, numbers)| told.borrow_mut()[*from as usize].clone_from(numbers));
        heard.probe().0
    });
    while !probe.done() {
        worker.step_or_park(Some(OFTEN));
        watch.count(0).map_err(BuildError::Stopped)?;
    }
    Ok(told.take())
}
