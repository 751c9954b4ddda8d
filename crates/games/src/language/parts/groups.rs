//! Parts of games in which pieces are placed so that every group of some goes on touching others, as stones do in NoGo.
//!
//! All groups met the conditions before a move, so it depends only on the groups that have its cell or are next to it: on the cells that may
//! come to be one group with these, and on those around them. Pieces of other kinds separate such groups, as pieces are never removed.

use arrayvec::ArrayVec;

use super::super::geometry::Relation;
use super::super::rules::{Action, Condition, EMPTY, Kind, MAX_KINDS, Sentence, Set};
use super::super::{Compiled, Position};
use super::Links;
use crate::board::{CellSet, Cells};

/// A condition that every move leaves true: each group of cells with kinds of `set` is next to a cell with a kind of `others`.
#[derive(Clone, Debug)]
pub(in crate::language) struct Touching<W> {
    set: u16,
    adjacent: Relation<W>,
    others: u16,
}

/// The largest number of conditions.
const MAX_CONDITIONS: usize = 4;

/// The cells that a condition is about, from a position on.
struct Reach<'g, W> {
    touching: &'g Touching<W>,
    /// The cells that hold a kind of the set, and those that may come to.
    pieces: W,
    may: W,
    /// The cells that may hold one of the others, and those that always will.
    others: W,
    sure_others: W,
}

impl<W: CellSet> Compiled<W> {
    /// Returns the conditions, if every move places a piece on an empty cell under the same ones, and there is nothing else to it. They are
    /// about different pieces, none of which another condition has groups touch.
    pub(in crate::language) fn touching_groups(&self) -> Vec<Touching<W>> {
        let conditions = |sentence: &Sentence<W>| {
            let is_placement = matches!(&sentence.action, Action::Place { on: Set::Kinds(on), .. } if *on == 1 << EMPTY)
                && !(sentence.otherwise || sentence.or || sentence.kinds.contains(&self.blocked));
            let is_plain = sentence.when.is_empty() && sentence.effects.is_empty();
            let touching = |condition: &Condition<W>| match condition {
                Condition::GroupsTouch(Set::Kinds(set), adjacent, Set::Kinds(others)) => {
                    let is_both_ways =
                        adjacent.pairs().all(|(from, to)| adjacent.pairs().any(|pair| pair == (to, from)));
                    let spares = set & (1 << EMPTY | 1 << self.blocked) == 0 && others >> self.blocked & 1 == 0;
                    (is_both_ways && spares).then(|| Touching {
                        set: *set,
                        adjacent: adjacent.clone(),
                        others: *others,
                    })
                }
                _ => None,
            };
            let tests = sentence.tests.iter().map(|(test, wanted)| wanted.then(|| test.iter().map(touching)));
            let found = tests.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect::<Option<Vec<_>>>()?;
            (is_placement && is_plain && found.len() <= MAX_CONDITIONS).then_some(found)
        };
        let Some(lists) = self.rules.sentences().map(conditions).collect::<Option<Vec<_>>>() else { return Vec::new() };
        let has = |list: &[Touching<W>], one: &Touching<W>| {
            list.iter().any(|other| (one.set, one.others) == (other.set, other.others))
        };
        let is_same =
            |list: &Vec<_>| lists[0].iter().all(|one| has(list, one)) && list.iter().all(|one| has(&lists[0], one));
        // A part keeps what its groups touch, and not the cells that this would have to touch by another condition.
        let is_apart = |one: &Touching<W>, other: &Touching<W>| {
            (one.set, one.others) == (other.set, other.others) || other.set & (one.set | one.others) == 0
        };
        let are_apart = lists[0].iter().all(|one| lists[0].iter().all(|other| is_apart(one, other)));
        if are_apart && lists.iter().all(is_same) { lists.into_iter().next().unwrap_or_default() } else { Vec::new() }
    }

    /// As [`split`](Self::split), for games with [such conditions](Self::touching_groups).
    pub(super) fn split_groups(&self, position: &Position<W>, mut found: impl FnMut(Position<W>, W)) {
        let rules = &self.rules;
        if !self.touching.iter().all(|touching| self.is_met(position, touching)) {
            return found(*position, rules.cells);
        }
        let empty = rules.holding(position, 1 << EMPTY);
        let placed =
            rules.sentences().flat_map(|sentence| &sentence.kinds).fold(0_u16, |kinds, kind| kinds | 1 << kind);
        let mut open = [W::zero(); MAX_KINDS];
        Cells(u64::from(placed)).for_each(|kind| open[kind] = empty);
        let reaches = |open: &[W; MAX_KINDS]| -> ArrayVec<Reach<'_, W>, MAX_CONDITIONS> {
            self.touching.iter().map(|touching| self.reach(position, touching, open)).collect()
        };
        let mut reached = reaches(&open);
        // A cell that is closed to all kinds separates the cells around it.
        while self.close(&mut open, empty, &reached) {
            reached = reaches(&open);
        }
        let varying = open.iter().fold(W::zero(), |cells, more| cells | *more);
        let joins_all =
            |reach: &Reach<'_, W>| !varying.meets(!reach.touching.adjacent.closure(varying.first(), reach.may));
        if varying.is_zero() {
            return;
        }
        if varying == empty && reached.iter().any(joins_all) {
            return found(*position, varying);
        }
        let mut links = Links { varying, groups: Vec::new(), kept: vec![W::zero(); W::CELLS] };
        for reach in &reached {
            reach.link(&mut links);
        }
        for cell in Cells(varying) {
            links.join(W::bit(cell));
        }
        // The pieces that keep a cell closed are in its part.
        for cell in Cells(empty & !varying) {
            for kind in Cells(u64::from(placed)) {
                let failing =
                    reached.iter().map(|reach| reach.failing(kind as Kind, cell)).find(|cells| !cells.is_zero());
                links.kept[cell] |= failing.unwrap_or_default();
            }
        }
        self.cut(position, links, found);
    }

    fn is_met(&self, position: &Position<W>, touching: &Touching<W>) -> bool {
        let [set, others] = [touching.set, touching.others].map(|kinds| self.rules.holding(position, kinds));
        let apart = set & !touching.adjacent.image_of(others);
        apart.is_zero() || touching.adjacent.groups_touching(set, others) == set
    }

    fn reach<'g>(&self, position: &Position<W>, touching: &'g Touching<W>, open: &[W; MAX_KINDS]) -> Reach<'g, W> {
        let opened = |kinds: u16| Cells(u64::from(kinds)).fold(W::zero(), |cells, kind| cells | open[kind]);
        let Touching { set, others, .. } = *touching;
        let pieces = self.rules.holding(position, set);
        let held = self.rules.holding(position, others);
        Reach {
            touching,
            pieces,
            may: pieces | opened(set),
            others: held | opened(others),
            sure_others: held & !(opened(u16::MAX) & self.rules.holding(position, 1 << EMPTY)),
        }
    }

    /// Closes cells to kinds that can never be placed there. Returns whether there were any.
    fn close(&self, open: &mut [W; MAX_KINDS], empty: W, reached: &[Reach<'_, W>]) -> bool {
        let before = *open;
        for reach in reached {
            for cell in Cells(reach.critical(empty)) {
                for (kind, cells) in open.iter_mut().enumerate().filter(|(_, cells)| cells.contains(cell)) {
                    if !reach.failing(kind as Kind, cell).is_zero() {
                        *cells &= !W::bit(cell);
                    }
                }
            }
        }
        *open != before
    }
}

impl<W: CellSet> Reach<'_, W> {
    const fn has(&self, kind: Kind) -> bool {
        self.touching.set >> kind & 1 == 1
    }

    /// Returns the empty cells on which a placement might break the condition for good. A placement anywhere else leaves each piece a cell
    /// that it may touch.
    fn critical(&self, empty: W) -> W {
        let adjacent = &self.touching.adjacent;
        let (once, twice) = adjacent.image_counts(self.others);
        if self.pieces.meets(!once) {
            return empty;
        }
        (adjacent.image_of(self.pieces & !twice) | !once) & empty
    }

    /// Returns the pieces that could never again touch one of the others if a piece were placed on a cell, with the cells that may join
    /// their groups; none if there are no such pieces.
    fn failing(&self, kind: Kind, cell: usize) -> W {
        let (adjacent, cell) = (&self.touching.adjacent, W::bit(cell));
        let with = |cells: W, is_in: bool| if is_in { cells | cell } else { cells & !cell };
        let [pieces, may] = [self.pieces, self.may].map(|cells| with(cells, self.has(kind)));
        let others = with(self.others, self.touching.others >> kind & 1 == 1);
        let apart = pieces & !adjacent.image_of(others);
        if apart.is_zero() { apart } else { adjacent.closure(apart & !adjacent.groups_touching(may, others), may) }
    }

    /// Joins the cells of moves that depend on the same group.
    fn link(&self, links: &mut Links<W>) {
        let adjacent = &self.touching.adjacent;
        // A group with one of these cells, or next to one, touches, whatever comes.
        let sure = adjacent.groups_touching(self.pieces, self.sure_others);
        let beside = adjacent.image_of(sure);
        let free = self.may & !sure & !beside;
        let why_sure = |cells: W| {
            let groups = adjacent.closure((cells | adjacent.image_of(cells)) & sure, sure);
            groups | adjacent.image_of(groups) & self.sure_others
        };
        let mut rest = free;
        while !rest.is_zero() {
            let group = adjacent.closure(rest.first(), free);
            rest &= !group;
            let around = adjacent.image_of(group);
            let reads = group | around & (self.may | self.others) | why_sure(around & self.may);
            let moves = (group | around) & links.varying;
            links.join(reads & links.varying | moves);
            Cells(moves).for_each(|cell| links.kept[cell] |= reads);
        }
        for cell in Cells(beside & links.varying) {
            links.kept[cell] |= why_sure(W::bit(cell));
        }
    }
}
