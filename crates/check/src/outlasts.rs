//! The lemma of places: a player who is not to move has moves enough left, whatever the other one
//! does. Where each player has pieces of their own, without supplies, by the normal convention.

use crate::family::each;

/// Places of a player that the lemma looks at, at the most.
const MOST_PLACES: usize = 128;

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

/// By how many moves the claimer outlasts the other player, who is to move and is `behind` by that number of
/// moves elsewhere. If it is at least 0, the claimer moves last; if it is less, nothing follows. Given are the places where the
/// claimer's pieces fit, and those where the other player's do, each as its cells.
pub(crate) fn outlasts_by(own: &[u128], others: &[u128], behind: i32) -> i32 {
    let mut groups = Vec::new();
    others.iter().for_each(|place| unite(&mut groups, *place));
    let open = others.iter().fold(0, |open, place| open | place);
    let sizes = || others.iter().map(|place| place.count_ones());
    let (least, largest) = (sizes().min().unwrap_or(1), sizes().max().unwrap_or(1));
    let field = Field { groups, least };
    let most = field.groups.iter().map(|group| group.count_ones() / least).sum::<u32>() as i32;
    let backwards: Vec<u128> = own.iter().rev().copied().collect();
    let mut best = i32::MIN;
    for own in [own, &backwards] {
        let (mut taken, mut safe) = (open, behind);
        for place in own.iter().filter(|place| **place & open == 0) {
            if place & taken == 0 {
                taken |= place;
                safe += 1;
            }
        }
        best = best.max(safe - most);
        if best >= 0 || others.len() > MOST_PLACES || own.len() > MOST_PLACES || largest > 2 {
            break;
        }
        let plan = field.plan(own, others, taken & !open);
        let moves = safe + plan.moves() as i32;
        let dropped = plan.at_least(|cells| field.dropped(cells)) as i32;
        let covered = plan.at_least(|cells| (cells & open).count_ones()) as i32;
        // One move more of the other player's, and all cells would not be enough.
        let size = least as i32;
        let beyond = size * (moves + 1) + covered - (open.count_ones() as i32 + 1);
        best = best.max(moves + dropped - most).max(beyond.div_euclid(size));
        if best >= 0 {
            break;
        }
    }
    best
}

/// Where the other player can put pieces.
struct Field {
    /// Cells of use to the other player, as the other player's places connect them.
    groups: Vec<u128>,
    /// The cells of the other player's smallest piece.
    least: u32,
}

/// Places of the claimer's apart from each other, by what one move of the other player's can spoil.
#[derive(Default)]
struct Plan {
    /// Two places, of which the first makes the second safe, and with them the whole: no two at once.
    pairs: Vec<u128>,
    /// One that is spoiled alone.
    singles: Vec<u128>,
    /// One that is spoiled together with another, or with the first place of a pair.
    exposed: Vec<u128>,
}

impl Plan {
    /// The moves that the claimer is sure of.
    fn moves(&self) -> usize {
        let Self { pairs, singles, exposed } = self;
        let rests = !singles.len().is_multiple_of(2) && !exposed.len().is_multiple_of(3);
        pairs.len() + singles.len() / 2 + exposed.len() / 3 + usize::from(rests)
    }

    /// What the places that are taken are worth at the least in all, by what each is `worth`: of each kind
    /// what is worth most is taken first.
    fn at_least(&self, worth: impl Fn(u128) -> u32) -> usize {
        let kind = |places: &[u128], of: usize| -> usize {
            let worth: Vec<u32> = places.iter().map(|place| worth(*place)).collect();
            let most = worth.iter().copied().max().unwrap_or(0);
            (1..=most).map(|least| worth.iter().filter(|worth| **worth >= least).count() / of).sum()
        };
        kind(&self.pairs, 2) + kind(&self.singles, 2) + kind(&self.exposed, 3)
    }
}

impl Field {
    /// How many moves fewer the other player has at the most without these cells.
    fn dropped(&self, cells: u128) -> u32 {
        self.groups.iter().map(|group| (group & cells).count_ones() / self.least).sum()
    }

    /// Chooses places outside of cells that are `taken`.
    fn plan(&self, own: &[u128], others: &[u128], mut taken: u128) -> Plan {
        // What spoils a place: the other player's places that touch it.
        let mut by_cell = [0_u128; 128];
        for (n, place) in others.iter().enumerate() {
            each(*place).for_each(|cell| by_cell[cell] |= 1 << n);
        }
        let spoilers = |place: u128| each(place).fold(0, |set, cell| set | by_cell[cell]);
        let places: Vec<(u128, u128)> =
            own.iter().filter(|place| **place & taken == 0).map(|place| (*place, spoilers(*place))).collect();
        let mut plan = Plan::default();
        let (mut spoiled, mut halves) = (0, None);
        for &(first, by) in &places {
            let makes_safe = |&&(second, by_second): &&(u128, u128)| {
                second & (first | taken) == 0 && by_second & !by == 0 && {
                    let inner = |n: usize| others[n] & !(first | second) == 0;
                    each(by_second).all(inner)
                }
            };
            if by & spoiled != 0 || first & taken != 0 {
                continue;
            }
            if let Some((second, _)) = places.iter().find(makes_safe) {
                taken |= first | second;
                spoiled |= by;
                plan.pairs.push(first | second);
                halves = Some([first, *second]);
            }
        }
        if !plan.pairs.len().is_multiple_of(2) {
            plan.pairs.pop();
            plan.exposed.extend(halves.into_iter().flatten());
        }
        let mut apart: Vec<(u128, u128)> = Vec::new();
        for &(place, by) in &places {
            if place & taken == 0 {
                taken |= place;
                apart.push((place, by));
            }
        }
        let (mut once, mut again) = (0, spoiled);
        for (_, by) in &apart {
            again |= once & by;
            once |= by;
        }
        for &(place, by) in &apart {
            if by & again == 0 { &mut plan.singles } else { &mut plan.exposed }.push(place);
        }
        plan
    }
}
