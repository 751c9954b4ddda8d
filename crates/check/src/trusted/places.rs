//! The lemma of places: a player who is not to move has moves enough left, whatever the other one
//! does. Where each player has pieces of their own, without supplies, by the normal convention.

use super::board::each;
use crate::Result;
use crate::untrusted::meter::Meter;

/// The largest number of a player's places for which places that can be touched are looked at.
const MAX_PLACES: usize = 128;

/// Adds cells to the groups of those that are connected.
#[inline]
pub(crate) fn unite(groups: &mut Vec<u128>, cells: u128) {
    let Some(first) = groups.iter().position(|group| group & cells != 0) else {
        groups.push(cells);
        return;
    };
    let mut united = groups[first] | cells;
    let mut other = first + 1;
    while other < groups.len() {
        if groups[other] & cells == 0 {
            other += 1;
        } else {
            united |= groups.swap_remove(other);
        }
    }
    groups[first] = united;
}

/// By how many moves the claimer outlasts the opponent, who is to move: the claimer moves last even if the opponent is
/// given that many moves elsewhere more, or, if the number is negative, if the claimer is given so many.
///
/// `own` and `others` are the places where the claimer's and the opponent's pieces fit, each as its cells.
/// `spare` is the number of moves elsewhere that the claimer has more than the opponent.
pub(crate) fn outlasts_by(own: &[u128], others: &[u128], spare: i32, meter: &Meter) -> Result<i32> {
    meter.spend(16 * (own.len() + others.len()) as u64)?;
    let mut groups = Vec::new();
    others.iter().for_each(|place| unite(&mut groups, *place));
    let open = others.iter().fold(0, |open, place| open | place);
    let sizes = || others.iter().map(|place| place.count_ones());
    let (least, largest) = (sizes().min().unwrap_or(1), sizes().max().unwrap_or(1));
    let max_moves = groups.iter().map(|group| group.count_ones() / least).sum::<u32>() as i32;
    let backwards: Vec<u128> = own.iter().rev().copied().collect();
    let mut best = i32::MIN;
    for own in [own, &backwards] {
        let (mut taken, mut sure) = (0, spare);
        for place in own.iter().filter(|place| **place & open == 0) {
            if place & taken == 0 {
                taken |= place;
                sure += 1;
            }
        }
        best = best.max(sure - max_moves);
        if best >= 0 || own.len().max(others.len()) > MAX_PLACES || largest > 2 {
            break;
        }
        meter.spend((16 * others.len() + own.len() * own.len()) as u64)?;
        let plan = Plan::new(own, others, taken);
        // Cells that the claimer covers are lost to the opponent, in each group.
        let lost = |place: u128| groups.iter().map(|group| ((group & place).count_ones() / least) as i32).sum();
        best = best.max(sure + plan.total(1, lost) - max_moves);
        if best >= 0 {
            break;
        }
        // With one move more than the claimer, the opponent would need more cells than are open.
        let size = least as i32;
        let cells = size * (sure + 1) + plan.total(size, |place| (place & open).count_ones() as i32);
        best = best.max((cells - open.count_ones() as i32 - 1).div_euclid(size));
        if best >= 0 {
            break;
        }
    }
    Ok(best)
}

/// Places of the claimer's apart from each other. One move of the opponent's, whose pieces have at most two
/// cells, touches a pair and at most one place that is near, or one single, or at most two places of `near` and `exposed`.
#[derive(Default)]
struct Plan {
    /// Two places: after the first is taken, nothing touches the second.
    pairs: Vec<[u128; 2]>,
    singles: Vec<u128>,
    /// Places that a move can touch together with a pair.
    near: Vec<u128>,
    /// Other places that a move can touch together with another one.
    exposed: Vec<u128>,
}

impl Plan {
    /// Chooses places outside of the cells `taken`.
    fn new(own: &[u128], others: &[u128], mut taken: u128) -> Self {
        // The opponent's places that touch a place, as a set of their indices.
        let mut by_cell = [0_u128; 128];
        for (n, place) in others.iter().enumerate() {
            each(*place).for_each(|cell| by_cell[cell] |= 1 << n);
        }
        let touching = |place: u128| each(place).fold(0, |set, cell| set | by_cell[cell]);
        let places: Vec<(u128, u128)> =
            own.iter().filter(|place| **place & taken == 0).map(|place| (*place, touching(*place))).collect();
        let (mut pairs, mut touched) = (Vec::new(), 0);
        for &(first, by) in &places {
            if by & touched != 0 || first & taken != 0 {
                continue;
            }
            // What touches both has a cell in each, and no other.
            let is_second =
                |&&(second, by_second): &&(u128, u128)| second & (first | taken) == 0 && by_second & !by == 0;
            if let Some(&(second, _)) = places.iter().find(is_second) {
                taken |= first | second;
                touched |= by;
                pairs.push([first, second]);
            }
        }
        let mut apart = Vec::new();
        if !pairs.len().is_multiple_of(2) {
            // One pair gives nothing alone, and two places more may.
            apart.extend(pairs.pop().into_iter().flatten().map(|place| (place, touching(place))));
            touched = pairs.iter().fold(0, |touched, pair| touched | touching(pair[0]));
        }
        for &(place, by) in &places {
            if place & taken == 0 {
                taken |= place;
                apart.push((place, by));
            }
        }
        let (mut once, mut again) = (0, 0);
        for (_, by) in &apart {
            again |= once & by;
            once |= by;
        }
        let mut plan = Self { pairs, ..Self::default() };
        for &(place, by) in &apart {
            let kind = match (by & touched == 0, by & again == 0) {
                (false, _) => &mut plan.near,
                (true, false) => &mut plan.exposed,
                (true, true) => &mut plan.singles,
            };
            kind.push(place);
        }
        plan
    }

    /// What the places that the claimer takes are worth in all, at the least, where each is worth `base` and `extra`.
    fn total(&self, base: i32, extra: impl Fn(u128) -> i32) -> i32 {
        let Self { pairs, singles, near, exposed } = self;
        // Of each `n` of a kind the claimer gets one, the best that is left.
        let one_of = |n: usize, mut worth: Vec<i32>| -> i32 {
            worth.sort_unstable_by(|a, b| b.cmp(a));
            worth.iter().skip(n - 1).step_by(n).sum()
        };
        // For a near place that is lost together with the first of a pair, the second of that pair is there to be taken.
        let seconds = pairs.iter().map(|pair| extra(pair[1])).min().unwrap_or(0);
        let near = near.iter().map(|place| extra(*place).min(seconds));
        let exposed: Vec<i32> =
            exposed.iter().map(|place| extra(*place)).chain(near).map(|extra| base + extra).collect();
        let rests = !singles.len().is_multiple_of(2) && !exposed.len().is_multiple_of(3);
        one_of(2, pairs.iter().map(|pair| 2 * base + extra(pair[0] | pair[1])).collect())
            + one_of(2, singles.iter().map(|place| base + extra(*place)).collect())
            + one_of(3, exposed)
            + if rests { base } else { 0 }
    }
}
