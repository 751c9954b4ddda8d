//! An all-gather of a few numbers.

use std::cell::RefCell;
use std::rc::Rc;

use balpan::Watch;
use balpan_strong::BuildError;
use timely::dataflow::operators::{Exchange, Inspect, Probe, ToStream};
use timely::worker::Worker;

use crate::exchange::POLL_INTERVAL;

/// Sends some numbers to all workers, and returns those of each worker (an all-gather). Every
/// worker must call it: it is also a barrier.
pub(crate) fn all_gather(worker: &mut Worker, watch: &Watch, mine: Vec<u64>) -> Result<Vec<Vec<u64>>, BuildError> {
    let received = Rc::new(RefCell::new(vec![Vec::new(); worker.peers()]));
    let (from, workers) = (worker.index() as u64, worker.peers() as u64);
    let probe = worker.dataflow::<u32, _, _>(|scope| {
        let received = Rc::clone(&received);
        let messages = (0..workers).map(move |to| (to, from, mine.clone())).to_stream(scope);
        let messages = messages.container::<Vec<_>>().exchange(|&(to, ..)| to);
        let heard =
            messages.inspect(move |(_, from, numbers)| received.borrow_mut()[*from as usize].clone_from(numbers));
        heard.probe().0
    });
    while !probe.done() {
        worker.step_or_park(Some(POLL_INTERVAL));
        watch.count(0).map_err(BuildError::Stopped)?;
    }
    Ok(received.take())
}
