//! A dataflow in which workers send each other messages, with acknowledgements that limit the bytes
//! in flight.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use balpan::Watch;
use balpan_strong::BuildError;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::generic::OutputBuilder;
use timely::dataflow::operators::generic::builder_rc::OperatorBuilder;
use timely::dataflow::operators::{ConnectLoop, Feedback, Probe};
use timely::dataflow::{ProbeHandle, Stream};
use timely::worker::Worker;

use crate::message::{Ack, Message};
use crate::outbox::{Outbox, Traffic};

/// What a sender or a receiver does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// There is more to do now.
    More,
    /// Nothing can be done before others send.
    Wait,
    /// Nothing is left to do.
    WorkerManifest,
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
                Status::WorkerManifest if outbox.is_empty() => capability = None,
                Status::Wait | Status::WorkerManifest => {}
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
                Status::WorkerManifest if frontiers[0].is_empty() => capability = None,
                Status::Wait | Status::WorkerManifest => {}
            }
        }
    });
    acks
}
