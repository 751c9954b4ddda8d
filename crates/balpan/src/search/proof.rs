//! What the proof-number searches share: for outcomes and values, misère sums, nimbers.

use crate::search::parallel::{Worker, deferred_rank};

/// The least number of positions that seem left to search. Where a table kept it, it may be
/// about a question of another remoteness: a hint, no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Effort {
    /// For a yes.
    pub(crate) proof: u64,
    /// For a no.
    pub(crate) disproof: u64,
}

impl Effort {
    /// No effort is too much.
    pub(crate) const ANY: Self = Self { proof: u64::MAX, disproof: u64::MAX };

    /// The effort where nothing is known but the number of moves: a yes may take one move,
    /// a no takes an answer to each.
    pub(crate) const fn fresh(moves: u64) -> Self {
        Self { proof: 1, disproof: if moves == 0 { 1 } else { moves } }
    }

    /// The same, where a yes for the one player is a no for the other.
    pub(crate) const fn turned(self) -> Self {
        Self { proof: self.disproof, disproof: self.proof }
    }

    /// Whether as much is left as may be spent, or more.
    pub(crate) const fn reaches(self, most: Self) -> bool {
        self.proof >= most.proof || self.disproof >= most.disproof
    }

    /// Whether a no seems as near as a yes, or nearer.
    ///
    /// All moves have to be answered then, so threads part here. Where a yes is nearer, they go
    /// the same way, and part below: what one finds beside it would most likely not be needed.
    pub(crate) const fn expects_no(self) -> bool {
        self.proof >= self.disproof
    }
}

/// How much more a move seems to take that another worker is searching: a virtual loss, until this worker searches it.
///
/// Source: G. Chaslot et al., "Parallel Monte-Carlo tree search" (2008); for proof numbers, J. Pawlewicz and R. Hayward,
/// "Scalable parallel DFPN search" (2013).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Handicap(u8);

impl Handicap {
    /// Returns the handicap of what has this name, for a worker. Helpers each have others: with the same they would follow
    /// each other, and find the same.
    pub(crate) fn new(worker: Worker<'_>, name: u64) -> Self {
        Self(if worker.number() == 0 { 16 } else { 4 + deferred_rank(worker, name) / 16 })
    }

    /// Returns whether there is one.
    pub(crate) const fn is_set(self) -> bool {
        self.0 > 0
    }

    /// Returns a number with the handicap, in sixteenths.
    #[inline]
    pub(crate) const fn applied_to(self, proof: u64) -> u64 {
        if self.0 == 0 { proof } else { proof.saturating_add((proof.saturating_mul(self.0 as u64)) >> 4) }
    }
}

/// The move to search next, and what all moves take that are not answered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    /// The first of the moves that seem to take least to prove.
    pub(crate) at: usize,
    /// What the position takes.
    pub(crate) left: Effort,
    /// What the next best move takes to prove.
    second: u64,
    /// The number of the other moves.
    others: u64,
}

impl Choice {
    /// The choice among moves with these proof numbers, for the player who makes them, each with the
    /// [handicap](Handicap) that it has where another worker was found at it; `None` if there is no move.
    ///
    /// A handicap counts where a move is chosen, and not in what the position takes: all workers read that.
    ///
    /// To show that no move will do takes what the hardest one takes, and one for each
    /// other. The sum would count again and again what moves have in common, which is nearly
    /// everything where they can be played in any order.
    #[inline]
    pub(crate) fn among(efforts: impl Iterator<Item = (Effort, Handicap)>) -> Option<Self> {
        let mut at = None;
        let (mut first, mut second, mut least) = (u64::MAX, u64::MAX, u64::MAX);
        let (mut hardest, mut count) = (0, 0);
        for (n, (Effort { proof, disproof }, handicap)) in efforts.enumerate() {
            least = least.min(proof);
            let proof = handicap.applied_to(proof);
            if at.is_none() || proof < first {
                (at, first, second) = (Some(n), proof, first);
            } else {
                second = second.min(proof);
            }
            hardest = hardest.max(disproof);
            count += 1;
        }
        let others = count - 1_u64.min(count);
        let left = Effort { proof: least, disproof: hardest.saturating_add(others).min(u64::MAX - 1) };
        Some(Self { at: at?, left, second, others })
    }

    /// What may be spent on the chosen move, which was searched `visits` times, of what may
    /// be spent on the position: until the next best move is better by a quarter.
    pub(crate) fn most(&self, most: Effort, visits: u32) -> Effort {
        let least = least_after(visits);
        Effort {
            proof: most.proof.min(self.second.saturating_add(self.second / 4 + 1)).max(least),
            disproof: match most.disproof {
                u64::MAX => u64::MAX,
                most => (most - self.others).max(least),
            },
        }
    }
}

/// The least that is spent on a move which was searched `visits` times: twice as much after
/// every eight. Where the table keeps what is found, that is less than it would be given
/// anyway; where it forgets, this is why a search ends.
#[inline]
pub(crate) fn least_after(visits: u32) -> u64 {
    const PATIENCE: u32 = 8;
    1_u64.checked_shl(visits / PATIENCE).unwrap_or(u64::MAX)
}

/// A number of 1 or more in a few bits, rounded down: exact below `2^(exact_bits + 1)`, above
/// to within 1 in `2^exact_bits`.
pub(crate) const fn code(number: u64, exact_bits: u32) -> u64 {
    let shift = number.ilog2().saturating_sub(exact_bits);
    ((shift as u64) << exact_bits) + (number >> shift)
}

/// The number that has this [`code`].
pub(crate) const fn number(code: u64, exact_bits: u32) -> u64 {
    let shift = (code >> exact_bits).saturating_sub(1);
    (code - (shift << exact_bits)) << shift
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_kept_or_rounded_down_a_little() {
        for exact_bits in [5, 6] {
            let round = (0..64).flat_map(|bit| [1_u64 << bit, (1 << bit) + 1, u64::MAX >> bit]);
            for n in (1..100_000).chain(round) {
                let kept = number(code(n, exact_bits), exact_bits);
                assert!(code(n, exact_bits) > 0 && code(n, exact_bits) >> (exact_bits + 6) == 0, "{n}");
                assert!(kept <= n && n - kept <= n >> exact_bits, "{n} is kept as {kept}");
                assert!(n >> (exact_bits + 1) > 0 || kept == n, "{n} is kept as {kept}");
            }
        }
    }

    #[test]
    fn the_first_of_the_easiest_is_next() {
        assert!(Choice::among([].into_iter()).is_none());
        let efforts = [(5, 1), (2, 9), (2, 3), (4, 4)].map(|(proof, disproof)| Effort { proof, disproof });
        let choice = Choice::among(efforts.map(|effort| (effort, Handicap::default())).into_iter()).unwrap();
        assert_eq!((choice.at, choice.left), (1, Effort { proof: 2, disproof: 12 }));
        assert_eq!(choice.most(Effort::ANY, 0), Effort { proof: 3, disproof: u64::MAX });
        assert_eq!(choice.most(Effort { proof: 9, disproof: 20 }, 40), Effort { proof: 32, disproof: 32 });
    }

    #[test]
    fn where_another_thread_is_comes_later() {
        let chosen = |efforts: [(u64, bool); 3]| {
            let efforts = efforts
                .map(|(proof, is_put_off)| (Effort { proof, disproof: 1 }, Handicap(if is_put_off { 16 } else { 0 })));
            Choice::among(efforts.into_iter()).map(|choice| (choice.at, choice.second, choice.left.proof))
        };
        assert_eq!(chosen([(2, true), (3, false), (9, false)]), Some((1, 4, 2)));
        // Not where all else takes more than twice as much, or other threads are there as well.
        assert_eq!(chosen([(2, true), (5, false), (9, false)]), Some((0, 5, 2)));
        assert_eq!(chosen([(2, true), (3, true), (9, false)]), Some((0, 6, 2)));
    }
}
