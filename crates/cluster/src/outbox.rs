//! The queue of outgoing messages, with a limit on the bytes in flight.

use std::collections::VecDeque;

use crate::message::{Ack, Message};

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
