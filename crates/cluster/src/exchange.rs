//! A dataflow in which workers send each other parcels, and receipts for them.

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

use crate::outbox::{Outbox, Sent};
use crate::parcel::{Parcel, Receipt};

/// How a part of a worker goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// It has more to do now.
    More,
    /// It has to wait for others.
    Wait,
    /// It is done.
    Done,
}

/// What a worker sends.
pub(crate) trait Sender: 'static {
    /// Puts some parcels into the outbox, if there is room for more.
    fn send(&mut self, outbox: &mut Outbox) -> Result<Next, BuildError>;
}

/// What a worker does with what it is sent.
pub(crate) trait Receiver: 'static {
    /// Takes a parcel.
    fn take(&mut self, parcel: Parcel, receipts: &mut Vec<Receipt>) -> Result<(), BuildError>;

    /// Does some work that was made possible by that, with receipts for what is dealt with.
    fn work(&mut self, receipts: &mut Vec<Receipt>) -> Result<Next, BuildError>;
}

/// A parcel's receipt.
pub(crate) fn receipt(parcel: &Parcel) -> Receipt {
    Receipt { to: parcel.from, from: parcel.to, bytes: parcel.bytes.len() as u64 }
}

/// The time of everything that happens in one exchange; receipts, which go around the loop, come
/// back at a later one.
type Time = u32;

/// How often a worker that waits looks whether it is to stop.
pub(crate) const OFTEN: Duration = Duration::from_millis(50);

/// Has this worker send and receive until all workers are done with all parcels. To each worker at
/// most `most` bytes are on the way at a time. Every worker has to call it.
pub(crate) fn exchange<S: Sender, R: Receiver>(
    worker: &mut Worker,
    most: u64,
    watch: &Watch,
    sender: S,
    receiver: R,
) -> Result<(S, R, Sent), BuildError> {
    let outbox = Rc::new(RefCell::new(Outbox::new(worker.peers(), most)));
    let (sender, receiver) = (Rc::new(RefCell::new(sender)), Rc::new(RefCell::new(receiver)));
    let failed = Rc::new(RefCell::new(None));
    let probe = {
        let (outbox, sender, receiver, failed) =
            (Rc::clone(&outbox), Rc::clone(&sender), Rc::clone(&receiver), Rc::clone(&failed));
        worker.dataflow::<Time, _, _>(|scope| {
            let (handle, receipts) = scope.feedback::<Vec<Receipt>>(1);
            let parcels = sends(receipts, sender, outbox, Rc::clone(&failed));
            let receipts = receives(parcels, receiver, failed);
            let probe = ProbeHandle::new();
            receipts.probe_with(&probe).connect_loop(handle);
            probe
        })
    };
    while !probe.done() {
        worker.step_or_park(Some(OFTEN));
        if let Some(error) = failed.borrow_mut().take() {
            return Err(error);
        }
        watch.count(0).map_err(BuildError::Stopped)?;
    }
    let sent = outbox.borrow().sent;
    // The operators may not have been dropped yet.
    while Rc::strong_count(&sender) > 1 || Rc::strong_count(&receiver) > 1 {
        worker.step();
    }
    match (Rc::try_unwrap(sender), Rc::try_unwrap(receiver)) {
        (Ok(sender), Ok(receiver)) => Ok((sender.into_inner(), receiver.into_inner(), sent)),
        _ => Err(BuildError::Law("a dataflow is done and still has its parts")),
    }
}

/// What went wrong in an operator, for the worker to find.
type Failed = Rc<RefCell<Option<BuildError>>>;

fn sends<'s, S: Sender>(
    receipts: Stream<'s, Time, Vec<Receipt>>,
    sender: Rc<RefCell<S>>,
    outbox: Rc<RefCell<Outbox>>,
    failed: Failed,
) -> Stream<'s, Time, Vec<Parcel>> {
    let scope = receipts.scope();
    let mut builder = OperatorBuilder::new("Send".to_owned(), scope);
    let activator = scope.activator_for(builder.operator_info().address);
    let (output, parcels) = builder.new_output::<Vec<Parcel>>();
    let mut output = OutputBuilder::<_, timely::container::CapacityContainerBuilder<Vec<Parcel>>>::from(output);
    // Receipts do not make parcels that could not be sent without them.
    let by_worker = Exchange::new(|receipt: &Receipt| receipt.to.into());
    let mut input = builder.new_input_connection(receipts, by_worker, []);
    builder.build(move |capabilities| {
        let mut capability = capabilities.into_iter().next();
        move |_| {
            let mut outbox = outbox.borrow_mut();
            input.for_each(|_, receipts| receipts.drain(..).for_each(|receipt| outbox.received(receipt)));
            let Some(at) = &capability else { return };
            let next = sender.borrow_mut().send(&mut outbox).unwrap_or_else(|error| {
                failed.borrow_mut().get_or_insert(error);
                Next::Wait
            });
            let mut output = output.activate();
            while let Some(parcel) = outbox.next() {
                output.session(at).give_container(&mut vec![parcel]);
            }
            drop(output);
            match next {
                Next::More => activator.activate(),
                Next::Done if outbox.is_empty() => capability = None,
                Next::Wait | Next::Done => {}
            }
        }
    });
    parcels
}

fn receives<'s, R: Receiver>(
    parcels: Stream<'s, Time, Vec<Parcel>>,
    receiver: Rc<RefCell<R>>,
    failed: Failed,
) -> Stream<'s, Time, Vec<Receipt>> {
    let scope = parcels.scope();
    let mut builder = OperatorBuilder::new("Receive".to_owned(), scope);
    let activator = scope.activator_for(builder.operator_info().address);
    let by_worker = Exchange::new(|parcel: &Parcel| parcel.to.into());
    let mut input = builder.new_input(parcels, by_worker);
    let (output, receipts) = builder.new_output::<Vec<Receipt>>();
    let mut output = OutputBuilder::<_, timely::container::CapacityContainerBuilder<Vec<Receipt>>>::from(output);
    builder.build(move |capabilities| {
        let mut capability = capabilities.into_iter().next();
        let mut made = Vec::new();
        move |frontiers| {
            let mut receiver = receiver.borrow_mut();
            let mut go_on = || {
                let mut result = Ok(());
                input.for_each(|_, parcels| {
                    for parcel in parcels.drain(..) {
                        if result.is_ok() {
                            result = receiver.take(parcel, &mut made);
                        }
                    }
                });
                result.and_then(|()| receiver.work(&mut made))
            };
            let next = go_on().unwrap_or_else(|error| {
                failed.borrow_mut().get_or_insert(error);
                Next::Wait
            });
            let Some(at) = &capability else { return };
            output.activate().session(at).give_container(&mut made);
            made.clear();
            match next {
                Next::More => activator.activate(),
                Next::Done if frontiers[0].is_empty() => capability = None,
                Next::Wait | Next::Done => {}
            }
        }
    });
    receipts
}
