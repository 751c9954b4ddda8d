//! The lemma of places: a player who is not to move has moves enough left, whatever the other one does. Each player
//! has own pieces, without supplies, in normal play.

use super::board::each;
use crate::Result;
use crate::untrusted::meter::Meter;

/// The largest number of a player's places for which touched places are considered.
const MAX_PLACES: usize = 128;

/// Adds cells to groups of connected cells, and merges the groups that they connect.
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
pub(crate) fn outlasts_by(mut own: Vec<u128>, others: &[u128], spare: i32, meter: &Meter) -> Result<i32> {
    meter.spend(16 * (own.len() + others.len()) as u64)?;
    let mut groups = Vec::new();
    others.iter().for_each(|place| unite(&mut groups, *place));
    let open = groups.iter().fold(0, |open, group| open | group);
    let sizes = || others.iter().map(|place| place.count_ones());
    let (least, largest) = (sizes().min().unwrap_or(1), sizes().max().unwrap_or(1));
    // An upper bound of the opponent's moves in these cells; without them, the bound of all is lower by at least that.
    let moves_in = |cells: u128| groups.iter().map(|group| (group & cells).count_ones() / least).sum::<u32>() as i32;
    let mut best = i32::MIN;
    for _ in 0..2 {
        let (mut taken, mut sure) = (0, spare - moves_in(open));
        for place in &own {
            if place & (open | taken) == 0 {
                taken |= place;
                sure += 1;
            }
        }
        best = best.max(sure);
        if best >= 0 || own.len().max(others.len()) > MAX_PLACES || largest > 2 {
            break;
        }
        meter.spend((16 * others.len() + own.len() * own.len()) as u64)?;
        best = best.max(sure + worth_of_plan(&own, others, taken, moves_in));
        if best >= 0 {
            break;
        }
        own.reverse();
    }
    Ok(best)
}

/// Chooses places of the claimer's apart from each other, outside of the cells `taken`: returns the least worth of those
/// that the claimer gets to take, each worth 1 and `extra`. The opponent's places have at most two cells.
fn worth_of_plan(own: &[u128], others: &[u128], mut taken: u128, extra: impl Fn(u128) -> i32) -> i32 {
    // The opponent's places that touch a place, as a set of their indices.
    let mut by_cell = [0_u128; 128];
    for (n, place) in others.iter().enumerate() {
        each(*place).for_each(|cell| by_cell[cell] |= 1 << n);
    }
    let touching = |place: u128| each(place).fold(0, |set, cell| set | by_cell[cell]);
    let mut places = Vec::with_capacity(own.len());
    places.extend(own.iter().filter(|place| **place & taken == 0).map(|place| (*place, touching(*place))));
    // Pairs: after the first is taken, nothing touches the second. What touches both has a cell in each, and no other.
    let (mut pairs, mut touched) = (Vec::new(), 0);
    for &(first, by) in &places {
        if by & touched == 0 && first & taken == 0 {
            let is_second = |(second, by_second): &&(u128, u128)| second & (first | taken) == 0 && by_second & !by == 0;
            if let Some(&(second, _)) = places.iter().find(is_second) {
                taken |= first | second;
                touched |= by;
                pairs.push([first, second]);
            }
        }
    }
    let mut apart = Vec::new();
    if !pairs.len().is_multiple_of(2) {
        // A single pair gains nothing; two more places may.
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
    // For a near place that is lost together with the first of a pair, the second of that pair is there to be taken.
    let least_second = pairs.iter().map(|pair| extra(pair[1])).min().unwrap_or(0);
    let (mut singles, mut exposed) = (Vec::new(), Vec::new());
    for (place, by) in apart {
        match (by & touched == 0, by & again == 0) {
            (true, true) => singles.push(1 + extra(place)),
            (true, false) => exposed.push(1 + extra(place)),
            (false, _) => exposed.push(1 + extra(place).min(least_second)),
        }
    }
    let is_rest = !singles.len().is_multiple_of(2) && !exposed.len().is_multiple_of(3);
    let pairs = pairs.into_iter().map(|[first, second]| 2 + extra(first | second)).collect();
    // Of each `n` of a kind the claimer gets one, the best that is left.
    let one_of = |n: usize, mut worth: Vec<i32>| -> i32 {
        worth.sort_unstable_by(|a, b| b.cmp(a));
        worth.iter().skip(n - 1).step_by(n).sum()
    };
    one_of(2, pairs) + one_of(2, singles) + one_of(3, exposed) + i32::from(is_rest)
}
