//! A dataflow in which workers send each other messages, with acknowledgements that limit the bytes
//! in flight.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use balpan::Watch;
use balpan_strong::BuildError;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::generic::OutputBuilder;
use timely::dataflow::operators::generic::builder_rc::OperatorBuilder;
use timely::dataflow::operators::{ConnectLoop, Exchange as _, Feedback, Inspect, Probe, ToStream};
use timely::dataflow::{ProbeHandle, Stream};
use timely::worker::Worker;

use crate::message::{Ack, Message};

/// The state of a sender or a receiver after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// There is more to do now.
    More,
    /// Nothing can be done before others send.
    Wait,
    /// Nothing is left to do.
    Done,
}

/// The sending side of a worker.
pub(crate) trait Sender: 'static {
    /// Puts messages into the outbox, if it has room.
    fn send(&mut self, outbox: &mut Outbox) -> Result<Status, BuildError>;
}

/// The receiving side of a worker.
pub(crate) trait Receiver: 'static {
    /// Takes a message, and acknowledges it if it is dealt with.
    fn take(&mut self, message: Message, acks: &mut Vec<Ack>) -> Result<(), BuildError>;

    /// Does work that earlier messages made possible, and acknowledges those dealt with.
    fn work(&mut self, acks: &mut Vec<Ack>) -> Result<Status, BuildError>;
}

/// Returns the acknowledgement of a message.
pub(crate) fn ack(message: &Message) -> Ack {
    Ack { to: message.from, from: message.to, bytes: message.bytes.len() as u64 }
}

/// The logical time. Everything in an exchange happens at one time, but for acknowledgements, which
/// go around the loop and arrive at a later one.
type Time = u32;

/// The time between two checks of the watch by a waiting worker.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Runs a sender and a receiver until all workers are done with all messages. At most `max_in_flight` bytes
/// are in flight to each worker at a time. Every worker must call it.
pub(crate) fn exchange<S: Sender, R: Receiver>(
    worker: &mut Worker,
    max_in_flight: u64,
    watch: &Watch,
    sender: S,
    receiver: R,
) -> Result<(S, R, Traffic), BuildError> {
    let outbox = Rc::new(RefCell::new(Outbox::new(worker.peers(), max_in_flight)));
    let (sender, receiver) = (Rc::new(RefCell::new(sender)), Rc::new(RefCell::new(receiver)));
    let failed = Rc::new(RefCell::new(None));
    let probe = {
        let (outbox, sender, receiver, failed) =
            (Rc::clone(&outbox), Rc::clone(&sender), Rc::clone(&receiver), Rc::clone(&failed));
        worker.dataflow::<Time, _, _>(|scope| {
            let (handle, acks) = scope.feedback::<Vec<Ack>>(1);
            let messages = send_operator(acks, sender, outbox, Rc::clone(&failed));
            let acks = receive_operator(messages, receiver, failed);
            let probe = ProbeHandle::new();
            acks.probe_with(&probe).connect_loop(handle);
            probe
        })
    };
    while !probe.done() {
        worker.step_or_park(Some(POLL_INTERVAL));
        if let Some(error) = failed.borrow_mut().take() {
            return Err(error);
        }
        watch.count(0).map_err(BuildError::Stopped)?;
    }
    let sent = outbox.borrow().sent;
    // Timely may not have dropped the operators yet.
    while Rc::strong_count(&sender) > 1 || Rc::strong_count(&receiver) > 1 {
        worker.step();
    }
    match (Rc::try_unwrap(sender), Rc::try_unwrap(receiver)) {
        (Ok(sender), Ok(receiver)) => Ok((sender.into_inner(), receiver.into_inner(), sent)),
        _ => Err(BuildError::Law("a dataflow is done and still has its parts")),
    }
}

/// The first error in an operator, for the worker to find.
type Failed = Rc<RefCell<Option<BuildError>>>;

fn send_operator<'s, S: Sender>(
    acks: Stream<'s, Time, Vec<Ack>>,
    sender: Rc<RefCell<S>>,
    outbox: Rc<RefCell<Outbox>>,
    failed: Failed,
) -> Stream<'s, Time, Vec<Message>> {
    let scope = acks.scope();
    let mut builder = OperatorBuilder::new("Send".to_owned(), scope);
    let activator = scope.activator_for(builder.operator_info().address);
    let (output, messages) = builder.new_output::<Vec<Message>>();
    let mut output = OutputBuilder::<_, timely::container::CapacityContainerBuilder<Vec<Message>>>::from(output);
    // Acknowledgements cause no messages that could not be sent without them.
    let by_worker = Exchange::new(|ack: &Ack| ack.to.into());
    let mut input = builder.new_input_connection(acks, by_worker, []);
    builder.build(move |capabilities| {
        let mut capability = capabilities.into_iter().next();
        move |_| {
            let mut outbox = outbox.borrow_mut();
            input.for_each(|_, acks| acks.drain(..).for_each(|ack| outbox.received(ack)));
            let Some(at) = &capability else { return };
            let next = sender.borrow_mut().send(&mut outbox).unwrap_or_else(|error| {
                failed.borrow_mut().get_or_insert(error);
                Status::Wait
            });
            let mut output = output.activate();
            while let Some(message) = outbox.next() {
                output.session(at).give_container(&mut vec![message]);
            }
            drop(output);
            match next {
                Status::More => activator.activate(),
                Status::Done if outbox.is_empty() => capability = None,
                Status::Wait | Status::Done => {}
            }
        }
    });
    messages
}

fn receive_operator<'s, R: Receiver>(
    messages: Stream<'s, Time, Vec<Message>>,
    receiver: Rc<RefCell<R>>,
    failed: Failed,
) -> Stream<'s, Time, Vec<Ack>> {
    let scope = messages.scope();
    let mut builder = OperatorBuilder::new("Receive".to_owned(), scope);
    let activator = scope.activator_for(builder.operator_info().address);
    let by_worker = Exchange::new(|message: &Message| message.to.into());
    let mut input = builder.new_input(messages, by_worker);
    let (output, acks) = builder.new_output::<Vec<Ack>>();
    let mut output = OutputBuilder::<_, timely::container::CapacityContainerBuilder<Vec<Ack>>>::from(output);
    builder.build(move |capabilities| {
        let mut capability = capabilities.into_iter().next();
        let mut made = Vec::new();
        move |frontiers| {
            let mut receiver = receiver.borrow_mut();
            let mut go_on = || {
                let mut result = Ok(());
                input.for_each(|_, messages| {
                    for message in messages.drain(..) {
                        if result.is_ok() {
                            result = receiver.take(message, &mut made);
                        }
                    }
                });
                result.and_then(|()| receiver.work(&mut made))
            };
            let next = go_on().unwrap_or_else(|error| {
                failed.borrow_mut().get_or_insert(error);
                Status::Wait
            });
            let Some(at) = &capability else { return };
            output.activate().session(at).give_container(&mut made);
            made.clear();
            match next {
                Status::More => activator.activate(),
                Status::Done if frontiers[0].is_empty() => capability = None,
                Status::Wait | Status::Done => {}
            }
        }
    });
    acks
}

/// Messages that wait to be sent, by receiver. The bytes in flight to each worker are limited: a
/// slow receiver holds its senders back.
pub(crate) struct Outbox {
    waiting: Vec<VecDeque<Message>>,
    in_flight: Vec<u64>,
    max_in_flight: u64,
    pub(crate) sent: Traffic,
}

/// The traffic to other workers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// The number of bytes.
    pub bytes: u64,
    /// The number of words and codes.
    pub items: u64,
    /// The largest number of bytes in flight to one worker.
    pub peak: u64,
}

impl Traffic {
    /// Adds other traffic.
    pub fn add(&mut self, other: Self) {
        self.bytes += other.bytes;
        self.items += other.items;
        self.peak = self.peak.max(other.peak);
    }
}

impl Outbox {
    pub(crate) fn new(workers: usize, max_in_flight: u64) -> Self {
        let waiting = (0..workers).map(|_| VecDeque::new()).collect();
        Self { waiting, in_flight: vec![0; workers], max_in_flight, sent: Traffic::default() }
    }

    pub(crate) fn add(&mut self, message: Message) {
        self.waiting[message.to as usize].push_back(message);
    }

    /// Whether no message waits for this worker.
    pub(crate) fn is_free(&self, to: usize) -> bool {
        self.waiting[to].is_empty()
    }

    /// Whether no message waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.iter().all(VecDeque::is_empty)
    }

    /// Takes the next message that may be sent.
    pub(crate) fn next(&mut self) -> Option<Message> {
        let Self { waiting, in_flight, max_in_flight, sent } = self;
        for (waiting, in_flight) in waiting.iter_mut().zip(in_flight) {
            let Some(message) = waiting.front() else { continue };
            let bytes = message.bytes.len() as u64;
            // One message may always go, however large it is.
            if *in_flight == 0 || *in_flight + bytes <= *max_in_flight {
                *in_flight += bytes;
                sent.add(Traffic { bytes, items: message.count.into(), peak: *in_flight });
                return waiting.pop_front();
            }
        }
        None
    }

    pub(crate) fn received(&mut self, ack: Ack) {
        let in_flight = &mut self.in_flight[ack.from as usize];
        *in_flight = in_flight.saturating_sub(ack.bytes);
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn message(to: u32, bytes: usize) -> Message {
        Message { to, from: 0, batch: 0, layer: 0, count: 1, bytes: vec![0; bytes] }
    }

    #[test]
    fn a_slow_receiver_holds_back_only_its_own_messages() {
        let mut outbox = Outbox::new(3, 10);
        let messages = [message(1, 8), message(1, 2), message(1, 1), message(2, 99), message(2, 1)];
        messages.into_iter().for_each(|message| outbox.add(message));
        let sent: Vec<_> =
            std::iter::from_fn(|| outbox.next()).map(|message| (message.to, message.bytes.len())).collect();
        assert_eq!(sent, [(1, 8), (1, 2), (2, 99)]);
        assert!(!outbox.is_free(1) && !outbox.is_free(2) && outbox.is_free(0));
        outbox.received(Ack { to: 0, from: 1, bytes: 8 });
        assert_eq!(outbox.next(), Some(message(1, 1)));
        assert_eq!(outbox.next(), None);
        outbox.received(Ack { to: 0, from: 2, bytes: 99 });
        assert_eq!(outbox.next(), Some(message(2, 1)));
        assert!(outbox.is_empty());
        assert_eq!(outbox.sent, Traffic { bytes: 111, items: 5, peak: 99 });
    }
}
