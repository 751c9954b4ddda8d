//! The rules of a file on one board: what its sentences mean, and how a position is judged by them.

use std::sync::Arc;

use super::geometry::{Rays, Relation, Windows};
use super::{MAX_PLANES, Position};
use crate::board::{CellSet, Cells};
use crate::symmetry::Permutation;

/// A kind of piece, by its number; [`EMPTY`] is none.
pub(super) type Kind = u8;

/// The kind of an empty cell.
pub(super) const EMPTY: Kind = 0;

/// The largest number of kinds, the empty cell among them.
pub(super) const MAX_KINDS: usize = 16;

/// A set of cells, in any position.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Set<W> {
    /// The cells that hold one of these kinds, one bit each.
    Kinds(u16),
    /// These cells.
    Cells(W),
    /// The cell that the move goes to.
    Here,
    /// The cell that the move came from.
    Origin,
    /// The cells onto which a piece of this player can go.
    AttackedBy(usize),
    /// The cells that those of the set are related to.
    Image(Relation<W>, Box<Self>),
    /// The set, and the cells that steps lead to from it.
    Closure(Relation<W>, Box<Self>),
    /// The cells of all places where the pattern is.
    Pattern(Box<Pattern<W>>),
    Not(Box<Self>),
    And(Box<Self>, Box<Self>),
    Or(Box<Self>, Box<Self>),
}

/// Cells of a set in a row or a square.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pattern<W> {
    pub(super) set: Set<W>,
    pub(super) windows: Windows<W>,
    /// Whether nothing of the set may be beyond the ends.
    pub(super) exactly: bool,
    /// The sum that the numbers on the cells must have, and the number of each kind.
    pub(super) sum: Option<(u32, [u32; MAX_KINDS])>,
}

/// The number that each cell of a set counts.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Unit {
    /// Every cell counts one.
    Cells,
    /// The number that the cell holds.
    Numbers,
    /// A number for each cell of the board, the same in every position.
    Weights(Arc<[i32]>),
}

/// The sum of what the cells of a set count.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Amount<W> {
    pub(super) unit: Unit,
    pub(super) set: Set<W>,
}

/// A condition on a position.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Condition<W> {
    /// An amount is within these bounds.
    Count(Amount<W>, i32, i32),
    Pattern(Pattern<W>),
    /// A group of the set has a cell in at least so many of the regions.
    Connects(Set<W>, Relation<W>, usize, Vec<W>),
    /// Cells of the second set are enclosed by the first: see [`Relation::enclosure`]. The last is the rim.
    Encloses(Set<W>, Relation<W>, Set<W>, W),
    /// Every group of the first set has a cell adjacent to the second.
    GroupsTouch(Set<W>, Relation<W>, Set<W>),
    /// The player has the piece in hand, or has not.
    InHand(Kind, bool),
    /// It is this player's turn.
    ToMove(usize),
}

/// Conditions that must all hold.
pub(super) type Conditions<W> = Vec<Condition<W>>;

/// The action that a sentence allows. A push takes away what is on a cell, moves the line from there up by a step, and puts a piece on
/// the other end. Sowing takes the number on a cell and puts it on those that follow it on the list, one each.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Action<W> {
    Place { on: Set<W>, from_hand: bool },
    Step { steps: Relation<W>, onto: Set<W> },
    Slide { rays: Rays, over: Set<W>, onto: Option<Set<W>> },
    Hop { rays: Rays, over: Set<W>, onto: Set<W>, capturing: bool, repeatedly: bool },
    Push { rays: Rays, from: Set<W>, over: Set<W> },
    Sow { from: Set<W>, along: Vec<u8> },
    Pass,
}

/// The effects after a piece has moved.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Effect<W> {
    Leave(Kind),
    Become(Set<W>, Kind),
    /// Enclosed pieces of these kinds become the piece that was placed.
    Flip(Rays, u16),
    /// The kind is put on one cell that a slide over the set reaches; without lines, on one cell of the set.
    Shoot(Option<Rays>, Set<W>, Kind),
    /// The numbers on the set are added to that of the cell.
    Collect(Set<W>, u8),
    /// The turn stays, if these conditions hold; if `true`, for the piece that has moved, which must go on.
    Again(Conditions<W>, bool),
}

/// A sentence of a player's moves.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sentence<W> {
    /// Whether it applies only if no sentence before it gives a move.
    pub(super) otherwise: bool,
    /// Whether it applies if the sentence before it does.
    pub(super) or: bool,
    /// The kinds that it moves, in the file's order.
    pub(super) kinds: Vec<Kind>,
    pub(super) action: Action<W>,
    pub(super) when: Conditions<W>,
    pub(super) effects: Vec<Effect<W>>,
    /// Conditions after the move, which must hold if `true` and must not if `false`.
    pub(super) tests: Vec<(Conditions<W>, bool)>,
}

/// The rules for one player.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PlayerRules<W> {
    /// The kinds of the player's pieces, one bit each.
    pub(super) kinds: u16,
    pub(super) sentences: Vec<Sentence<W>>,
    pub(super) wins: Vec<Conditions<W>>,
    pub(super) loses: Vec<Conditions<W>>,
    /// The piece in hand that a captured one becomes: by its kind; [`EMPTY`] for nothing.
    pub(super) captures: [Kind; MAX_KINDS],
    /// Whether two sentences may give moves that read alike.
    pub(super) is_ambiguous: bool,
}

/// The result for a player who cannot move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stuck {
    Loses,
    Wins,
    Draws,
    Passes,
    Scores,
}

/// The names of what becomes of a player who cannot move.
pub(super) const STUCK: [(&str, Stuck); 5] = [
    ("loses", Stuck::Loses),
    ("wins", Stuck::Wins),
    ("draws", Stuck::Draws),
    ("passes", Stuck::Passes),
    ("scores", Stuck::Scores),
];

/// The rules of a file on one board.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BoardRules<W> {
    /// The cells that exist.
    pub(super) cells: W,
    /// The number of planes that hold the kinds of pieces.
    pub(super) planes: usize,
    /// The rules of each player; those of both where they are the same.
    pub(super) players: Vec<PlayerRules<W>>,
    pub(super) draws: Vec<Conditions<W>>,
    /// The amounts that the first player's score is the difference of.
    pub(super) score: Option<(Amount<W>, Amount<W>)>,
    pub(super) stuck: Stuck,
    /// The kinds that can be in hand.
    pub(super) hand: Vec<Kind>,
    /// The number that each kind is, where cells hold numbers; 0 for other kinds.
    pub(super) numbers: [u32; MAX_KINDS],
}

/// A position, with the move that has just led to it, if any.
#[derive(Clone, Copy)]
pub(super) struct View<'v, W> {
    pub(super) rules: &'v BoardRules<W>,
    pub(super) position: &'v Position<W>,
    pub(super) here: W,
    pub(super) origin: W,
    /// Whether `attacked` is no cell: while the attacked cells are found.
    pub(super) is_attack: bool,
    /// A position without an end, of which one move has led to this one: what no move has changed needs no test.
    pub(super) before: Option<&'v Position<W>>,
}

/// Bits of the number of pieces of one kind in hand.
const HAND_BITS: u32 = 4;

/// The largest number of pieces of one kind in hand.
pub(super) const MAX_IN_HAND: u32 = (1 << HAND_BITS) - 1;

impl<W: CellSet> BoardRules<W> {
    /// Returns the sentences of all players.
    pub(super) fn sentences(&self) -> impl Iterator<Item = &Sentence<W>> {
        self.players.iter().flat_map(|player| &player.sentences)
    }

    /// Returns the number of the rules of the player who is to move.
    #[inline]
    pub(super) const fn side(&self, second_to_move: bool) -> usize {
        if self.players.len() == 2 && second_to_move { 1 } else { 0 }
    }

    /// Returns the cells that hold a kind of `kinds`.
    #[inline]
    pub(super) fn holding(&self, position: &Position<W>, kinds: u16) -> W {
        let mut cells = W::zero();
        for kind in Cells(u64::from(kinds)) {
            let with = |plane: usize| {
                let bits = position.planes[plane];
                if kind >> plane & 1 == 1 { bits } else { !bits }
            };
            cells |= (1..self.planes).fold(with(0), |cells, plane| cells & with(plane));
        }
        cells & self.cells
    }

    /// Returns the kind on a cell.
    #[inline]
    pub(super) fn kind_on(&self, position: &Position<W>, cell: usize) -> Kind {
        (0..self.planes).fold(0, |kind, plane| kind | Kind::from(position.planes[plane].contains(cell)) << plane)
    }

    /// Puts a kind on cells.
    #[inline]
    pub(super) fn put(&self, position: &mut Position<W>, cells: W, kind: Kind) {
        for plane in 0..self.planes {
            if kind >> plane & 1 == 1 {
                position.planes[plane] |= cells;
            } else {
                position.planes[plane] &= !cells;
            }
        }
    }

    /// Returns the position with the pieces of each kind but [`EMPTY`] renamed, on the board and in hand.
    #[inline]
    pub(super) fn renamed(&self, position: &Position<W>, kinds: &[Kind; MAX_KINDS]) -> Position<W> {
        // The cells by two of the bits of their kinds.
        let by_bits = |low: W, high: W| [!(low | high), low & !high, high & !low, low & high];
        let [first, second, third, fourth] = position.planes;
        let (lower, upper) = (by_bits(first, second), by_bits(third, fourth));
        let mut renamed = Position { planes: [W::zero(); MAX_PLANES], hand: 0, ..*position };
        for (kind, to) in kinds.iter().enumerate().take(1 << self.planes).skip(1) {
            let cells = lower[kind & 3] & upper[kind >> 2];
            for (_, bits) in renamed.planes.iter_mut().enumerate().filter(|(plane, _)| to >> plane & 1 == 1) {
                *bits |= cells;
            }
        }
        if position.hand != 0 {
            for (at, kind) in self.hand.iter().enumerate() {
                let number = position.hand >> (at as u32 * HAND_BITS) & u64::from(MAX_IN_HAND);
                renamed.hand |= self.hand_shift(kinds[usize::from(*kind)]).map_or(0, |shift| number << shift);
            }
        }
        renamed
    }

    /// Returns the number on a cell.
    pub(super) fn number_on(&self, position: &Position<W>, cell: usize) -> u32 {
        self.numbers[usize::from(self.kind_on(position, cell))]
    }

    /// Adds to the number on a cell, which stays at the largest that there is.
    pub(super) fn add(&self, position: &mut Position<W>, cell: u8, more: u32) {
        let largest = self.numbers.iter().max().map_or(0, |largest| *largest);
        let number = (self.number_on(position, cell.into()) + more).min(largest);
        let kind = self.numbers.iter().position(|other| *other == number).unwrap_or(0);
        self.put(position, W::bit(cell.into()) & self.cells, kind as Kind);
    }

    /// Returns the least and the largest amount of a unit, if the cells of a set are those of `must` and some of `may`.
    pub(super) fn range(&self, unit: &Unit, may: W, must: W) -> (i32, i32) {
        match unit {
            Unit::Cells => (must.count_ones() as i32, may.count_ones() as i32),
            Unit::Numbers => {
                let largest = self.numbers.iter().max().map_or(0, |largest| *largest);
                (0, (may.count_ones() * largest) as i32)
            }
            Unit::Weights(weights) => {
                let sum = |cells: W, of: &dyn Fn(i32) -> i32| Cells(cells).map(|cell| of(weights[cell])).sum::<i32>();
                let (sure, open) = (sum(must, &|weight| weight), may & !must);
                (sure + sum(open, &|weight| weight.min(0)), sure + sum(open, &|weight| weight.max(0)))
            }
        }
    }

    /// Returns the place of a kind's number in hand: its lowest bit.
    fn hand_shift(&self, kind: Kind) -> Option<u32> {
        self.hand.iter().position(|other| *other == kind).map(|at| at as u32 * HAND_BITS)
    }

    /// Returns the number of pieces of a kind in hand.
    pub(super) fn in_hand(&self, position: &Position<W>, kind: Kind) -> u32 {
        self.hand_shift(kind).map_or(0, |shift| (position.hand >> shift) as u32 & MAX_IN_HAND)
    }

    /// Adds a piece to those in hand, or takes it from them.
    pub(super) fn change_hand(&self, position: &mut Position<W>, kind: Kind, more: bool) {
        if let Some(shift) = self.hand_shift(kind) {
            if more { position.hand += 1 << shift } else { position.hand -= 1 << shift }
        }
    }

    /// Returns the number of bits of the pieces in hand.
    pub(super) fn hand_bits(&self) -> u32 {
        self.hand.len() as u32 * HAND_BITS
    }

    /// Returns the rules with the cells moved by a symmetry, kinds renamed by `kinds`, and the players exchanged if `swap`.
    pub(super) fn image(&self, by: &Image<'_, W>) -> Self {
        let mut players: Vec<_> = self.players.iter().map(|player| player.image(by)).collect();
        if by.swap {
            players.reverse();
        }
        let score = self.score.as_ref().map(|(own, other)| (own.image(by), other.image(by)));
        Self {
            cells: by.symmetry.set(self.cells),
            players,
            draws: all_images(&self.draws, by),
            score: score.map(|(own, other)| if by.swap { (other, own) } else { (own, other) }),
            hand: self.hand.iter().map(|kind| by.kinds[usize::from(*kind)]).collect(),
            numbers: by.numbers(&self.numbers),
            ..*self
        }
    }

    /// Whether these are the same rules, in whichever order they are said.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let same_player = |(one, other): (&PlayerRules<W>, &PlayerRules<W>)| {
            let ordered = one.sentences.iter().any(|sentence| sentence.otherwise);
            one.kinds == other.kinds
                && one.captures == other.captures
                && if ordered {
                    one.sentences == other.sentences
                } else {
                    same_items_by(&one.sentences, &other.sentences, Sentence::is_same)
                }
                && same_items(&one.wins, &other.wins)
                && same_items(&one.loses, &other.loses)
        };
        self.cells == other.cells
            && self.players.iter().zip(&other.players).all(same_player)
            && same_items(&self.draws, &other.draws)
            && self.score == other.score
            && self.numbers == other.numbers
            && same_items(&self.hand, &other.hand)
    }
}

/// Whether two lists have the same items in any order.
fn same_items<T: PartialEq>(one: &[T], other: &[T]) -> bool {
    same_items_by(one, other, T::eq)
}

/// As [`same_items`], where `is_same` tells which items are the same.
fn same_items_by<T>(one: &[T], other: &[T], is_same: impl Fn(&T, &T) -> bool) -> bool {
    let is_in = |list: &[T], item: &T| list.iter().any(|other| is_same(other, item));
    one.len() == other.len() && one.iter().all(|item| is_in(other, item)) && other.iter().all(|item| is_in(one, item))
}

/// A change of rules into others: cells are moved, kinds renamed, players exchanged.
pub(super) struct Image<'s, W> {
    pub(super) symmetry: &'s Permutation<W>,
    pub(super) kinds: [Kind; MAX_KINDS],
    pub(super) swap: bool,
}

impl<W> Image<'_, W> {
    fn kind_set(&self, kinds: u16) -> u16 {
        Cells(u64::from(kinds)).fold(0, |image, kind| image | 1 << self.kinds[kind])
    }

    /// Returns a number for each kind by that of the kind which it takes the place of.
    fn numbers(&self, numbers: &[u32; MAX_KINDS]) -> [u32; MAX_KINDS] {
        let mut image = [0; MAX_KINDS];
        (0..MAX_KINDS).for_each(|kind| image[usize::from(self.kinds[kind])] = numbers[kind]);
        image
    }

    const fn player(&self, player: usize) -> usize {
        if self.swap { 1 - player } else { player }
    }
}

fn all_images<W: CellSet>(all: &[Conditions<W>], by: &Image<'_, W>) -> Vec<Conditions<W>> {
    all.iter().map(|conditions| images(conditions, by)).collect()
}

fn images<W: CellSet>(conditions: &[Condition<W>], by: &Image<'_, W>) -> Conditions<W> {
    conditions.iter().map(|condition| condition.image(by)).collect()
}

impl<W: CellSet> Amount<W> {
    pub(super) const fn cells(set: Set<W>) -> Self {
        Self { unit: Unit::Cells, set }
    }

    fn image(&self, by: &Image<'_, W>) -> Self {
        let unit = match &self.unit {
            Unit::Weights(weights) => {
                let mut image = weights.to_vec();
                weights.iter().enumerate().for_each(|(cell, weight)| image[by.symmetry.cell(cell)] = *weight);
                Unit::Weights(image.into())
            }
            unit => unit.clone(),
        };
        Self { unit, set: self.set.image(by) }
    }
}

impl<W: CellSet> PlayerRules<W> {
    fn image(&self, by: &Image<'_, W>) -> Self {
        let mut captures = [EMPTY; MAX_KINDS];
        for (kind, taken) in self.captures.iter().enumerate() {
            captures[usize::from(by.kinds[kind])] = by.kinds[usize::from(*taken)];
        }
        Self {
            kinds: by.kind_set(self.kinds),
            sentences: self.sentences.iter().map(|sentence| sentence.image(by)).collect(),
            wins: all_images(&self.wins, by),
            loses: all_images(&self.loses, by),
            captures,
            is_ambiguous: self.is_ambiguous,
        }
    }
}

impl<W: CellSet> Sentence<W> {
    /// Whether it may move a piece that must go on.
    pub(super) fn goes_on(&self) -> bool {
        self.effects.iter().any(|effect| matches!(effect, Effect::Again(_, true)))
    }

    /// Whether these allow the same moves, whichever piece or condition is named first.
    fn is_same(&self, other: &Self) -> bool {
        let is_same_test = |(one, wanted): &(Conditions<W>, bool), (other, wanted_too): &(Conditions<W>, bool)| {
            wanted == wanted_too && same_items(one, other)
        };
        (self.otherwise, self.or) == (other.otherwise, other.or)
            && same_items(&self.kinds, &other.kinds)
            && self.action == other.action
            && same_items(&self.when, &other.when)
            && self.effects == other.effects
            && same_items_by(&self.tests, &other.tests, is_same_test)
    }

    fn image(&self, by: &Image<'_, W>) -> Self {
        let set = |set: &Set<W>| set.image(by);
        let action = match &self.action {
            Action::Place { on, from_hand } => Action::Place { on: set(on), from_hand: *from_hand },
            Action::Step { steps, onto } => Action::Step { steps: steps.image(by.symmetry), onto: set(onto) },
            Action::Slide { rays, over, onto } => {
                Action::Slide { rays: rays.image(by.symmetry), over: set(over), onto: onto.as_ref().map(set) }
            }
            Action::Hop { rays, over, onto, capturing, repeatedly } => Action::Hop {
                rays: rays.image(by.symmetry),
                over: set(over),
                onto: set(onto),
                capturing: *capturing,
                repeatedly: *repeatedly,
            },
            Action::Push { rays, from, over } => {
                Action::Push { rays: rays.image(by.symmetry), from: set(from), over: set(over) }
            }
            Action::Sow { from, along } => {
                let image = |cell: &u8| by.symmetry.cell((*cell).into()) as u8;
                Action::Sow { from: set(from), along: along.iter().map(image).collect() }
            }
            Action::Pass => Action::Pass,
        };
        let effect = |effect: &Effect<W>| match effect {
            Effect::Leave(kind) => Effect::Leave(by.kinds[usize::from(*kind)]),
            Effect::Become(cells, kind) => Effect::Become(set(cells), by.kinds[usize::from(*kind)]),
            Effect::Flip(rays, kinds) => Effect::Flip(rays.image(by.symmetry), by.kind_set(*kinds)),
            Effect::Shoot(rays, over, kind) => {
                let rays = rays.as_ref().map(|rays| rays.image(by.symmetry));
                Effect::Shoot(rays, set(over), by.kinds[usize::from(*kind)])
            }
            Effect::Collect(cells, to) => Effect::Collect(set(cells), by.symmetry.cell((*to).into()) as u8),
            Effect::Again(conditions, goes_on) => Effect::Again(images(conditions, by), *goes_on),
        };
        Self {
            otherwise: self.otherwise,
            or: self.or,
            kinds: self.kinds.iter().map(|kind| by.kinds[usize::from(*kind)]).collect(),
            action,
            when: images(&self.when, by),
            effects: self.effects.iter().map(effect).collect(),
            tests: self.tests.iter().map(|(conditions, wanted)| (images(conditions, by), *wanted)).collect(),
        }
    }
}

impl<W: CellSet> Pattern<W> {
    fn image(&self, by: &Image<'_, W>) -> Self {
        let sum = self.sum.map(|(sum, numbers)| (sum, by.numbers(&numbers)));
        let windows = self.windows.image(by.symmetry);
        Self { set: self.set.image(by), windows, exactly: self.exactly, sum }
    }
}

impl<W: CellSet> Condition<W> {
    fn image(&self, by: &Image<'_, W>) -> Self {
        let set = |set: &Set<W>| set.image(by);
        match self {
            Self::Count(amount, least, most) => Self::Count(amount.image(by), *least, *most),
            Self::Pattern(pattern) => Self::Pattern(pattern.image(by)),
            Self::Connects(cells, adjacent, count, regions) => {
                let mut regions: Vec<_> = regions.iter().map(|region| by.symmetry.set(*region)).collect();
                regions.sort_unstable();
                Self::Connects(set(cells), adjacent.image(by.symmetry), *count, regions)
            }
            Self::Encloses(cells, adjacent, inner, rim) => {
                Self::Encloses(set(cells), adjacent.image(by.symmetry), set(inner), by.symmetry.set(*rim))
            }
            Self::GroupsTouch(cells, adjacent, others) => {
                Self::GroupsTouch(set(cells), adjacent.image(by.symmetry), set(others))
            }
            Self::InHand(kind, has) => Self::InHand(by.kinds[usize::from(*kind)], *has),
            Self::ToMove(player) => Self::ToMove(by.player(*player)),
        }
    }
}

impl<W: CellSet> Set<W> {
    fn image(&self, by: &Image<'_, W>) -> Self {
        let boxed = |set: &Self| Box::new(set.image(by));
        match self {
            Self::Kinds(kinds) => Self::Kinds(by.kind_set(*kinds)),
            Self::Cells(cells) => Self::Cells(by.symmetry.set(*cells)),
            Self::Here => Self::Here,
            Self::Origin => Self::Origin,
            Self::AttackedBy(player) => Self::AttackedBy(by.player(*player)),
            Self::Image(relation, set) => Self::Image(relation.image(by.symmetry), boxed(set)),
            Self::Closure(relation, set) => Self::Closure(relation.image(by.symmetry), boxed(set)),
            Self::Pattern(pattern) => Self::Pattern(Box::new(pattern.image(by))),
            Self::Not(set) => Self::Not(boxed(set)),
            Self::And(one, other) => Self::And(boxed(one), boxed(other)),
            Self::Or(one, other) => Self::Or(boxed(one), boxed(other)),
        }
    }

    /// Returns whether a cell that holds a kind may be in the set; `false` only if it never is.
    pub(super) fn may_have(&self, kind: Kind, cell: usize) -> bool {
        match self {
            Self::Kinds(kinds) => kinds >> kind & 1 == 1,
            Self::Cells(cells) => cells.contains(cell),
            Self::Pattern(pattern) => pattern.set.may_have(kind, cell),
            Self::Not(set) => match &**set {
                Self::Kinds(kinds) => kinds >> kind & 1 == 0,
                Self::Cells(cells) => !cells.contains(cell),
                _ => true,
            },
            Self::And(one, other) => one.may_have(kind, cell) && other.may_have(kind, cell),
            Self::Or(one, other) => one.may_have(kind, cell) || other.may_have(kind, cell),
            Self::Here | Self::Origin | Self::AttackedBy(_) | Self::Image(..) | Self::Closure(..) => true,
        }
    }
}

impl<'v, W: CellSet> View<'v, W> {
    /// A position without a move.
    pub(super) fn of(rules: &'v BoardRules<W>, position: &'v Position<W>) -> Self {
        Self { rules, position, here: W::zero(), origin: W::zero(), is_attack: false, before: None }
    }

    /// Returns the cells of a set.
    #[inline]
    pub(super) fn cells(&self, set: &Set<W>) -> W {
        match set {
            Set::Kinds(kinds) => self.rules.holding(self.position, *kinds),
            Set::Cells(cells) => *cells,
            _ => self.composed_cells(set),
        }
    }

    fn composed_cells(&self, set: &Set<W>) -> W {
        let all = self.rules.cells;
        match set {
            Set::Kinds(_) | Set::Cells(_) => self.cells(set),
            Set::Here => self.here,
            Set::Origin => self.origin,
            Set::AttackedBy(_) if self.is_attack => W::zero(),
            Set::AttackedBy(player) => self.attacked_by(*player),
            Set::Image(relation, set) => relation.image_of(self.cells(set)),
            Set::Closure(relation, set) => relation.closure(self.cells(set), all),
            Set::Pattern(pattern) => self.places(pattern).fold(W::zero(), |all, cells| all | cells),
            Set::Not(set) => all & !self.cells(set),
            Set::And(one, other) => {
                let cells = self.cells(one);
                if cells.is_zero() { cells } else { cells & self.cells(other) }
            }
            Set::Or(one, other) => self.cells(one) | self.cells(other),
        }
    }

    /// Returns the cells of each place where a pattern is.
    #[inline]
    fn places<'p>(&'p self, pattern: &'p Pattern<W>) -> impl Iterator<Item = W> + 'p {
        let number = |cell, numbers: &[u32; MAX_KINDS]| numbers[usize::from(self.rules.kind_on(self.position, cell))];
        let adds_up = move |cells: &W| match &pattern.sum {
            None => true,
            Some((sum, numbers)) => Cells(*cells).map(|cell| number(cell, numbers)).sum::<u32>() == *sum,
        };
        pattern.windows.within(self.cells(&pattern.set), pattern.exactly).filter(adds_up)
    }

    /// Returns the cells onto which a piece of a player can go.
    fn attacked_by(&self, player: usize) -> W {
        let view = Self { here: W::zero(), origin: W::zero(), is_attack: true, ..*self };
        let mut attacked = W::zero();
        for sentence in &self.rules.players[player].sentences {
            let kinds = sentence.kinds.iter().fold(0, |set, kind| set | 1 << kind) & self.rules.players[player].kinds;
            let pieces = Cells(self.rules.holding(self.position, kinds));
            match &sentence.action {
                Action::Pass | Action::Place { .. } | Action::Push { .. } | Action::Sow { .. } => {}
                Action::Step { steps, onto } => attacked |= steps.image_of(pieces.0) & view.cells(onto),
                Action::Slide { rays, over, onto } => {
                    let over = view.cells(over);
                    let onto = onto.as_ref().map_or(over, |onto| view.cells(onto));
                    for ray in pieces.flat_map(|from| rays.from(from)) {
                        for cell in ray.iter().map(|cell| usize::from(*cell)) {
                            attacked |= onto & W::bit(cell);
                            if !over.contains(cell) {
                                break;
                            }
                        }
                    }
                }
                Action::Hop { rays, over, onto, repeatedly, .. } => {
                    let (over, onto) = (view.cells(over), view.cells(onto));
                    for ray in pieces.flat_map(|from| rays.from(from)) {
                        let hops = ray.chunks_exact(2).map(|hop| [hop[0], hop[1]].map(usize::from));
                        let hops = hops.take_while(|[middle, to]| over.contains(*middle) && onto.contains(*to));
                        let hops = hops.take(if *repeatedly { usize::MAX } else { 1 });
                        attacked |= W::of_cells(hops.map(|[_, to]| to));
                    }
                }
            }
        }
        attacked
    }

    /// Returns whether all conditions hold.
    #[inline]
    pub(super) fn all_hold(&self, conditions: &[Condition<W>]) -> bool {
        conditions.iter().all(|condition| self.holds(condition))
    }

    /// Returns whether all conditions of one of the lists hold, of which none did in the position before.
    #[inline]
    pub(super) fn any_holds(&self, lists: &[Conditions<W>]) -> bool {
        let any_holds = |conditions: &Conditions<W>| match &**conditions {
            [condition] => self.may_begin(condition) && self.holds(condition),
            conditions => self.all_hold(conditions),
        };
        lists.iter().any(any_holds)
    }

    /// Returns whether a condition that did not hold in the position before may hold now: patterns and connections of pieces, and
    /// enclosures of fixed cells, need another piece, as more pieces never undo them.
    #[inline]
    fn may_begin(&self, condition: &Condition<W>) -> bool {
        let set = match condition {
            Condition::Pattern(pattern) if !pattern.exactly && pattern.sum.is_none() => &pattern.set,
            Condition::Connects(set, ..) | Condition::Encloses(set, _, Set::Cells(_), _) => set,
            _ => return true,
        };
        match (self.before, set) {
            (Some(before), Set::Kinds(kinds)) => {
                self.rules.holding(self.position, *kinds).meets(!self.rules.holding(before, *kinds))
            }
            _ => true,
        }
    }

    /// Returns how much an amount is.
    pub(super) fn total(&self, amount: &Amount<W>) -> i32 {
        let cells = self.cells(&amount.set);
        match &amount.unit {
            Unit::Cells => cells.count_ones() as i32,
            Unit::Numbers => Cells(cells).map(|cell| self.rules.number_on(self.position, cell) as i32).sum(),
            Unit::Weights(weights) => Cells(cells).map(|cell| weights[cell]).sum(),
        }
    }

    fn holds(&self, condition: &Condition<W>) -> bool {
        match condition {
            Condition::Count(Amount { unit: Unit::Cells, set }, 1, i32::MAX) => !self.cells(set).is_zero(),
            Condition::Count(amount, least, most) => (*least..=*most).contains(&self.total(amount)),
            Condition::Pattern(pattern) => self.places(pattern).next().is_some(),
            Condition::Connects(set, adjacent, count, regions) => {
                !adjacent.connection(self.cells(set), *count, regions).is_zero()
            }
            Condition::Encloses(..) => !self.linked_cells(condition).is_zero(),
            Condition::GroupsTouch(set, adjacent, others) => {
                let set = self.cells(set);
                adjacent.groups_touching(set, self.cells(others)) == set
            }
            Condition::InHand(kind, has) => (self.rules.in_hand(self.position, *kind) > 0) == *has,
            Condition::ToMove(player) => usize::from(self.position.second_to_move) == *player,
        }
    }

    /// Returns the cells that make a connection or an enclosure true; 0 if it is not, and for other conditions.
    fn linked_cells(&self, condition: &Condition<W>) -> W {
        match condition {
            Condition::Connects(set, adjacent, count, regions) => adjacent.connection(self.cells(set), *count, regions),
            Condition::Encloses(set, adjacent, inner, rim) => {
                adjacent.enclosure(self.cells(set), self.cells(inner), *rim)
            }
            _ => W::zero(),
        }
    }

    /// Returns the cells that have made one of these conditions true: patterns, connections and enclosures.
    pub(super) fn decisive_cells(&self, lists: &[Conditions<W>]) -> W {
        let shown = |condition: &Condition<W>| match condition {
            Condition::Pattern(pattern) => self.places(pattern).next().unwrap_or_default(),
            _ => self.linked_cells(condition),
        };
        let holding = lists.iter().find(|conditions| self.all_hold(conditions));
        holding.into_iter().flatten().map(shown).fold(W::zero(), |cells, more| cells | more)
    }
}
