//! Who searches what: threads that search one tree keep out of each other's way.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What threads are searching at the moment. A claim is a hint: if
/// it is lost, or is taken for another's, two threads do the same work, or one puts
/// something off, and no answer changes.
///
/// Source: J.-C. Weill, "The ABDADA distributed minimax search algorithm" (1996),
/// in the simpler form of T. Kerrigan (2017): a table of its own, and only moves
/// after the first are put off.
#[derive(Debug)]
pub struct Claims(Box<[Line]>);

/// Who searches something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// Nobody cares.
    None,
    /// This thread, under a name.
    Own(u64),
    /// Another one.
    Another,
}

/// Alone in its cache line, or threads would wait for each other's lines.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Line(AtomicU64);

impl Default for Claims {
    fn default() -> Self {
        Self((0..Self::COUNT).map(|_| Line::default()).collect())
    }
}

impl Claims {
    const COUNT: usize = 1 << 9;

    /// Claims what has this name, never 0, unless somebody has.
    pub fn claim(&self, name: u64) -> bool {
        let claim = &self.of(name).0;
        match claim.load(Relaxed) {
            held if held == name => return false,
            0 => claim.store(name, Relaxed),
            // Another's of the same place: this one goes without.
            _ => {}
        }
        true
    }

    /// Gives up a claim.
    pub fn release(&self, name: u64) {
        let claim = &self.of(name).0;
        if claim.load(Relaxed) == name {
            claim.store(0, Relaxed);
        }
    }

    fn of(&self, name: u64) -> &Line {
        &self.0[name as usize % Self::COUNT]
    }
}
