//! The queue of what a worker sends, with a limit on the bytes in flight.

use std::collections::VecDeque;

use crate::parcel::{Parcel, Receipt};

/// Parcels that wait to be sent, by whom they are for. Of what is sent to a worker, this many bytes
/// may be on the way: a slow receiver holds its senders back.
pub(crate) struct Outbox {
    waiting: Vec<VecDeque<Parcel>>,
    on_the_way: Vec<u64>,
    most: u64,
    pub(crate) sent: Sent,
}

/// What was sent to other workers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// The bytes.
    pub bytes: u64,
    /// The words and codes.
    pub items: u64,
    /// The most bytes that were on the way to one worker at a time.
    pub peak: u64,
}

impl Sent {
    /// Adds what was sent by others, or at another time.
    pub fn add(&mut self, other: Self) {
        self.bytes += other.bytes;
        self.items += other.items;
        self.peak = self.peak.max(other.peak);
    }
}

impl Outbox {
    pub(crate) fn new(workers: usize, most: u64) -> Self {
        let waiting = (0..workers).map(|_| VecDeque::new()).collect();
        Self { waiting, on_the_way: vec![0; workers], most, sent: Sent::default() }
    }

    pub(crate) fn add(&mut self, parcel: Parcel) {
        self.waiting[parcel.to as usize].push_back(parcel);
    }

    /// Whether nothing waits to be sent to this worker.
    pub(crate) fn is_free(&self, to: usize) -> bool {
        self.waiting[to].is_empty()
    }

    /// Whether nothing waits to be sent.
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.iter().all(VecDeque::is_empty)
    }

    /// Takes the next parcel that may be sent.
    pub(crate) fn next(&mut self) -> Option<Parcel> {
        let Self { waiting, on_the_way, most, sent } = self;
        for (waiting, on_the_way) in waiting.iter_mut().zip(on_the_way) {
            let Some(parcel) = waiting.front() else { continue };
            let bytes = parcel.bytes.len() as u64;
            // One may always go, however large it is.
            if *on_the_way == 0 || *on_the_way + bytes <= *most {
                *on_the_way += bytes;
                sent.add(Sent { bytes, items: parcel.count.into(), peak: *on_the_way });
                return waiting.pop_front();
            }
        }
        None
    }

    pub(crate) fn received(&mut self, receipt: Receipt) {
        let on_the_way = &mut self.on_the_way[receipt.from as usize];
        *on_the_way = on_the_way.saturating_sub(receipt.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parcel(to: u32, bytes: usize) -> Parcel {
        Parcel { to, from: 0, batch: 0, layer: 0, count: 1, bytes: vec![0; bytes] }
    }

    #[test]
    fn a_slow_receiver_holds_back_its_own_parcels_alone() {
        let mut outbox = Outbox::new(3, 10);
        let parcels = [parcel(1, 8), parcel(1, 2), parcel(1, 1), parcel(2, 99), parcel(2, 1)];
        parcels.into_iter().for_each(|parcel| outbox.add(parcel));
        let sent: Vec<_> = std::iter::from_fn(|| outbox.next()).map(|parcel| (parcel.to, parcel.bytes.len())).collect();
        assert_eq!(sent, [(1, 8), (1, 2), (2, 99)]);
        assert!(!outbox.is_free(1) && !outbox.is_free(2) && outbox.is_free(0));
        outbox.received(Receipt { to: 0, from: 1, bytes: 8 });
        assert_eq!(outbox.next(), Some(parcel(1, 1)));
        assert_eq!(outbox.next(), None);
        outbox.received(Receipt { to: 0, from: 2, bytes: 99 });
        assert_eq!(outbox.next(), Some(parcel(2, 1)));
        assert!(outbox.is_empty());
        assert_eq!(outbox.sent, Sent { bytes: 111, items: 5, peak: 99 });
    }
}
