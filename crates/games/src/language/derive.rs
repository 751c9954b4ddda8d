//! Derived facts about rules: symmetries, and a number that every move lowers.

use super::geometry::Geometry;
use super::rules::{Action, BoardRules, EMPTY, Effect, Image, Kind, MAX_KINDS, PlayerRules, Sentence, Set, Stuck};
use super::{MAX_PLANES, NO_CELL, Position};
use crate::board::{CellSet, Cells};
use crate::symmetry::{Permutation, rotations_and_reflections};

/// A symmetry of the rules: moves cells, and may rename pieces, or exchange the players with theirs.
#[derive(Clone, Debug)]
pub(super) struct Symmetry<W> {
    /// `None` moves no cell.
    cells: Option<Permutation<W>>,
    kinds: [Kind; MAX_KINDS],
    /// Whether players are exchanged.
    swap: bool,
    /// Whether pieces are renamed though players are not exchanged.
    renames: bool,
}

/// Returns the least image of a position with the same player to move; if the players can be exchanged, with the first to move.
#[inline]
pub(super) fn least_image<W: CellSet>(
    symmetries: &[Symmetry<W>],
    rules: &BoardRules<W>,
    position: &Position<W>,
) -> Position<W> {
    // Symmetries that exchange the players are the last.
    let is_exchanged = position.second_to_move && symmetries.last().is_some_and(|symmetry| symmetry.swap);
    let symmetries = symmetries.iter().filter(|symmetry| symmetry.swap == is_exchanged);
    if rules.planes > 2 || position.hand != 0 || position.going != NO_CELL {
        let Some(exchange) = symmetries.clone().next().filter(|_| is_exchanged) else {
            return symmetries.map(|symmetry| symmetry.moved(rules, position)).fold(*position, Position::min);
        };
        // They all rename the pieces alike.
        let exchanged = exchange.exchanged(rules, position);
        return symmetries.map(|symmetry| symmetry.moved(rules, &exchanged)).min().unwrap_or(exchanged);
    }
    let planes = (position.planes[0], position.planes[1]);
    let least = if is_exchanged { (W::max_value(), W::max_value()) } else { planes };
    let (first, second) = symmetries.map(|symmetry| symmetry.planes(planes)).fold(least, Ord::min);
    let second_to_move = position.second_to_move && !is_exchanged;
    Position { second_to_move, planes: [first, second, W::zero(), W::zero()], ..*position }
}

impl<W: CellSet> Symmetry<W> {
    /// Returns the images of the planes of a position with at most two.
    #[inline]
    fn planes(&self, planes: (W, W)) -> (W, W) {
        let (first, second) = match &self.cells {
            Some(cells) => (cells.set(planes.0), cells.set(planes.1)),
            None => planes,
        };
        // The first kinds are the players': see `Pieces::new`. If two can be exchanged, they are 1 and 2, and 3 is nobody's.
        if self.kinds[1] == 2 { (second, first) } else { (first, second) }
    }

    /// Returns the image of a position, and whether the players are exchanged in it.
    #[inline]
    pub(super) fn image(&self, rules: &BoardRules<W>, position: &Position<W>) -> (Position<W>, bool) {
        if rules.planes > 2 || position.hand != 0 || position.going != NO_CELL {
            return (self.apply(rules, position), self.swap);
        }
        let (first, second) = self.planes((position.planes[0], position.planes[1]));
        let second_to_move = position.second_to_move != self.swap;
        (Position { second_to_move, planes: [first, second, W::zero(), W::zero()], ..*position }, self.swap)
    }

    fn apply(&self, rules: &BoardRules<W>, position: &Position<W>) -> Position<W> {
        let image = self.moved(rules, position);
        if self.swap { self.exchanged(rules, &image) } else { image }
    }

    /// Returns a position with its cells moved, and with its pieces renamed if that is without exchanging the players.
    #[inline]
    fn moved(&self, rules: &BoardRules<W>, position: &Position<W>) -> Position<W> {
        let mut image = if self.renames { rules.renamed(position, &self.kinds) } else { *position };
        if let Some(cells) = &self.cells {
            image.planes[..rules.planes].iter_mut().for_each(|plane| *plane = cells.set(*plane));
            if position.going != NO_CELL {
                image.going = cells.cell(position.going.into()) as u8;
            }
        }
        image
    }

    /// Returns a position with the players exchanged.
    #[inline]
    fn exchanged(&self, rules: &BoardRules<W>, position: &Position<W>) -> Position<W> {
        Position { second_to_move: !position.second_to_move, ..rules.renamed(position, &self.kinds) }
    }
}

/// Returns the symmetries of rules on a board, but for the one that changes nothing. `kinds` renames each player's pieces to the
/// other's, if there are as many, or two kinds of both to each other.
pub(super) fn symmetries<W: CellSet>(
    geometry: &Geometry<W>,
    rules: &BoardRules<W>,
    kinds: Option<[Kind; MAX_KINDS]>,
) -> Vec<Symmetry<W>> {
    let same = std::array::from_fn(|kind| kind as Kind);
    let identity = Permutation::identity(geometry.board);
    let moved = rotations_and_reflections(geometry.board).into_iter();
    let mut found = Vec::new();
    let mut seen = vec![geometry.cells_by(|cell| cell)];
    let is_new = |permutation: &Permutation<W>| {
        let image = geometry.cells_by(|cell| permutation.cell(cell));
        let is_new = !seen.contains(&image);
        seen.push(image);
        is_new
    };
    for cells in [None].into_iter().chain(moved.filter(is_new).map(Some)) {
        for (kinds, swap) in [(Some(same), false), (kinds, rules.players.len() == 2)] {
            let renames = !swap && kinds.is_some_and(|kinds| kinds != same);
            let Some(kinds) = kinds.filter(|_| swap || renames || cells.is_some()) else { continue };
            let image = rules.image(&Image { symmetry: cells.as_ref().unwrap_or(&identity), kinds, swap });
            if image.is_same(rules) {
                found.push(Symmetry { cells: cells.clone(), kinds, swap, renames });
            }
        }
    }
    found.sort_by_key(|symmetry| symmetry.swap);
    found
}

/// A sum of weights of the pieces on a board and in hand.
#[derive(Clone, Debug, Default, PartialEq)]
struct Potential<W> {
    /// The weight of each of these kinds on each of these cells.
    terms: Vec<(u16, W, u32)>,
    /// The weight of a piece in hand.
    in_hand: u32,
    name: PotentialName,
    /// The sum of the terms for each cell and kind.
    weights: Vec<[i64; MAX_KINDS]>,
}

/// The terms of a potential.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum PotentialName {
    /// Empty cells.
    #[default]
    Empty,
    /// Pieces on the board.
    Pieces,
    /// Cells that are not blocked.
    Open,
    /// Pieces in hand.
    Hand,
    /// Steps that pieces have before them, each player's in a direction.
    Advance,
    /// Steps that seeds have before them to where none is taken.
    Sown,
    /// Pieces of one kind.
    Kind(Kind),
}

/// A number that every move lowers: a sum of potentials, the first of which counts most.
#[derive(Clone, Debug)]
pub(super) struct Layer<W>(Vec<(Potential<W>, u32)>);

impl<W: CellSet> Layer<W> {
    /// Returns the number for a position.
    #[inline]
    pub(super) fn of(&self, rules: &BoardRules<W>, position: &Position<W>) -> u32 {
        let on_board =
            |&(kinds, cells, weight): &(u16, W, u32)| (rules.holding(position, kinds) & cells).count_ones() * weight;
        let value = |potential: &Potential<W>| {
            let in_hand = || rules.hand.iter().map(|kind| rules.in_hand(position, *kind)).sum::<u32>();
            let hand = if potential.in_hand == 0 { 0 } else { potential.in_hand * in_hand() };
            potential.terms.iter().map(on_board).sum::<u32>() + hand
        };
        self.0.iter().map(|(potential, factor)| factor * value(potential)).sum()
    }

    /// Whether no cell counts more than another.
    pub(super) fn is_uniform(&self, all: W) -> bool {
        self.0.iter().all(|(potential, _)| potential.terms.iter().all(|(_, cells, _)| *cells == all))
    }

    /// Returns what is counted, in the order of its weight.
    pub(super) fn names(&self) -> impl Iterator<Item = PotentialName> {
        self.0.iter().map(|(potential, _)| potential.name)
    }
}

impl<W: CellSet> Potential<W> {
    fn new(terms: Vec<(u16, W, u32)>, in_hand: u32, name: PotentialName) -> Self {
        let mut weights = vec![[0; MAX_KINDS]; W::CELLS];
        for (kinds, cells, weight) in &terms {
            for cell in Cells(*cells) {
                let of_kinds = weights[cell].iter_mut().enumerate().filter(|(kind, _)| kinds >> kind & 1 == 1);
                of_kinds.for_each(|(_, sum)| *sum += i64::from(*weight));
            }
        }
        Self { terms, in_hand, name, weights }
    }

    /// Returns the weight of a kind on a cell.
    fn weight(&self, kind: Kind, cell: usize) -> i64 {
        self.weights[cell][usize::from(kind)]
    }

    /// Returns the largest change that a move by a sentence makes; `None` if it can be more than is known here.
    fn largest_change(&self, rules: &BoardRules<W>, player: usize, sentence: &Sentence<W>) -> Option<i64> {
        let kinds = || 0..MAX_KINDS as Kind;
        // The change on a cell that holds a kind of the set, and then `to`.
        let becomes = |set: &Set<W>, cell: usize, to: Kind| {
            kinds()
                .filter(|kind| set.may_have(*kind, cell))
                .map(|kind| self.weight(to, cell) - self.weight(kind, cell))
                .max()
        };
        // The largest change if the number on a cell grows by one.
        let gain = |cell: u8| {
            let of = |kind: Kind| self.weight(kind, cell.into());
            let next = |kind: Kind| {
                let number = rules.numbers[usize::from(kind)] + 1;
                kinds().find(|next| rules.numbers[usize::from(*next)] == number).map(|next| of(next) - of(kind))
            };
            kinds().filter_map(next).max().unwrap_or(0).max(0)
        };
        let captures = &rules.players[player].captures;
        let hand = i64::from(self.in_hand);
        let mut left = EMPTY;
        let mut others = 0;
        let mut here = None;
        for (n, effect) in sentence.effects.iter().enumerate() {
            match effect {
                Effect::Leave(kind) => left = *kind,
                Effect::Become(Set::Here, kind) => here = Some(*kind),
                Effect::Become(set, kind) => {
                    let change = Cells(rules.cells).filter_map(|cell| becomes(set, cell, *kind)).max().unwrap_or(0);
                    if change > 0 {
                        return None;
                    }
                }
                Effect::Flip(_, enemies) => {
                    let enemies = Set::Kinds(*enemies);
                    let flipped =
                        |kind: &Kind| Cells(rules.cells).filter_map(|cell| becomes(&enemies, cell, *kind)).max();
                    if sentence.kinds.iter().filter_map(flipped).max().unwrap_or(0) > 0 {
                        return None;
                    }
                }
                Effect::Shoot(_, over, kind) => {
                    let change = Cells(rules.cells).filter_map(|cell| becomes(over, cell, *kind)).max().unwrap_or(0);
                    // What is chosen may be the cell that the piece left or came to, which a later effect fills again.
                    let is_refilled =
                        |effect: &Effect<W>| matches!(effect, Effect::Leave(_) | Effect::Become(Set::Here, _));
                    others += if sentence.effects[n + 1..].iter().any(is_refilled) { change.max(0) } else { change };
                }
                Effect::Collect(set, to) => {
                    let moved = |cell: usize, kind: Kind| {
                        let number = i64::from(rules.numbers[usize::from(kind)]);
                        self.weight(EMPTY, cell) - self.weight(kind, cell) + number * gain(*to)
                    };
                    let holds = |cell| kinds().filter(move |kind| set.may_have(*kind, cell));
                    let mut cells = Cells(rules.cells & !W::bit((*to).into()));
                    if cells.any(|cell| holds(cell).any(|kind| moved(cell, kind) > 0)) {
                        return None;
                    }
                }
                Effect::Again(..) => {}
            }
        }
        // The largest change by what a piece takes on each cell that it goes to.
        let taken_on_cells = |onto: &Set<W>| -> Vec<Option<i64>> {
            let taken = |kind: Kind, to: usize| {
                let caught = if captures[usize::from(kind)] == EMPTY { 0 } else { hand };
                caught - self.weight(kind, to)
            };
            let most = |to: usize| kinds().filter(|kind| onto.may_have(*kind, to)).map(|kind| taken(kind, to)).max();
            (0..W::CELLS).map(most).collect()
        };
        // The change on the two cells of a piece that goes from one to the other.
        let goes = |kind: Kind, from: usize, to: usize, taken: &[Option<i64>]| {
            let arrives = taken[to]? + self.weight(here.unwrap_or(kind), to);
            Some(arrives + self.weight(left, from) - self.weight(kind, from))
        };
        let placed = |on: &Set<W>| {
            let on_cells =
                |kind: &Kind| Cells(rules.cells).filter_map(|cell| becomes(on, cell, here.unwrap_or(*kind))).max();
            sentence.kinds.iter().filter_map(on_cells).max()
        };
        let moved = match &sentence.action {
            Action::Pass => Some(0),
            Action::Place { on, from_hand } => placed(on).map(|most| if *from_hand { most - hand } else { most }),
            Action::Sow { .. } if here.is_some() => return None,
            Action::Sow { from, along } => {
                let mut most = None;
                for (at, cell) in along.iter().enumerate() {
                    for kind in kinds().filter(|kind| from.may_have(*kind, (*cell).into())) {
                        let number = rules.numbers[usize::from(kind)] as usize;
                        let gains = along.iter().cycle().skip(at + 1).take(number).map(|cell| gain(*cell)).sum::<i64>();
                        let change = self.weight(EMPTY, (*cell).into()) - self.weight(kind, (*cell).into()) + gains;
                        most = if number > 0 { most.max(Some(change)) } else { most };
                    }
                }
                most
            }
            Action::Push { from, .. } => {
                // The pieces that move up must count the same everywhere.
                let counts = |cell| kinds().map(move |kind| self.weight(kind, cell));
                if Cells(rules.cells).any(|cell| counts(cell).ne(counts(rules.cells.trailing_zeros() as usize))) {
                    return None;
                }
                placed(from)
            }
            Action::Step { steps, onto } => {
                let taken = taken_on_cells(onto);
                let pairs = steps.pairs().flat_map(|pair| sentence.kinds.iter().map(move |kind| (*kind, pair)));
                pairs.filter_map(|(kind, (from, to))| goes(kind, from, to, &taken)).max()
            }
            Action::Slide { rays, over, onto } => {
                let taken = taken_on_cells(onto.as_ref().unwrap_or(over));
                let mut most = None;
                for from in Cells(rules.cells) {
                    for to in rays.from(from).iter().flatten() {
                        let changes = sentence.kinds.iter().filter_map(|kind| goes(*kind, from, (*to).into(), &taken));
                        most = most.max(changes.max());
                    }
                }
                most
            }
            Action::Hop { rays, over, onto, capturing, repeatedly } => {
                let mut most = None;
                let taken = taken_on_cells(onto);
                let emptied: Vec<_> = (0..W::CELLS).map(|cell| becomes(over, cell, EMPTY)).collect();
                let caught = if *captures == [EMPTY; MAX_KINDS] { 0 } else { hand };
                for from in Cells(rules.cells) {
                    for ray in rays.from(from) {
                        let mut removed = 0;
                        for hop in ray.chunks_exact(2) {
                            let middle = emptied[usize::from(hop[0])];
                            removed += if *capturing { middle.unwrap_or(0) + caught } else { 0 };
                            let changes =
                                sentence.kinds.iter().filter_map(|kind| goes(*kind, from, hop[1].into(), &taken));
                            most = most.max(changes.max().map(|change| change + removed));
                            if !repeatedly {
                                break;
                            }
                        }
                    }
                }
                most
            }
        };
        // A sentence that never applies changes nothing.
        Some(moved.map_or(i64::MIN, |change| change + others))
    }

    /// Returns an upper limit of the potential.
    fn limit(&self, rules: &BoardRules<W>) -> u64 {
        let most = |cell| (0..MAX_KINDS as Kind).map(|kind| self.weight(kind, cell)).max().unwrap_or(0) as u64;
        Cells(rules.cells).map(most).sum::<u64>() + u64::from(self.in_hand) * 15 * rules.hand.len() as u64
    }

    /// Whether a symmetry changes no weight.
    fn is_kept_by(&self, rules: &BoardRules<W>, symmetry: &Symmetry<W>) -> bool {
        Cells(rules.cells).all(|cell| {
            let image = symmetry.cells.as_ref().map_or(cell, |cells| cells.cell(cell));
            (0..MAX_KINDS as Kind)
                .all(|kind| self.weight(kind, cell) == self.weight(symmetry.kinds[usize::from(kind)], image))
        })
    }
}

/// Finds a number that every move lowers: among what can be counted, repeatedly something that no move left over raises and that
/// some lower, until each move lowers one of them. `None` if there is none, so that play may repeat.
pub(super) fn layer<W: CellSet>(
    geometry: &Geometry<W>,
    rules: &BoardRules<W>,
    blocked: Option<Kind>,
    symmetries: &[Symmetry<W>],
) -> Option<Layer<W>> {
    let candidates = candidates(geometry, rules, blocked);
    let candidates = candidates
        .into_iter()
        .filter(|potential| symmetries.iter().all(|symmetry| potential.is_kept_by(rules, symmetry)));
    let changes = |potential: Potential<W>| {
        let by_player = |(player, of): (usize, &PlayerRules<W>)| -> Vec<_> {
            of.sentences.iter().map(|sentence| potential.largest_change(rules, player, sentence)).collect()
        };
        let changes: Vec<Option<i64>> = rules.players.iter().enumerate().flat_map(by_player).collect();
        (potential, changes)
    };
    let mut candidates: Vec<_> = candidates.map(changes).collect();
    let mut left: Vec<usize> = (0..rules.players.iter().map(|player| player.sentences.len()).sum()).collect();
    let mut chosen: Vec<Potential<W>> = Vec::new();
    while !left.is_empty() {
        let lowered = |changes: &[Option<i64>]| {
            let never_raised = left.iter().all(|sentence| changes[*sentence].is_some_and(|change| change <= 0));
            if never_raised { left.iter().filter(|sentence| changes[**sentence] < Some(0)).count() } else { 0 }
        };
        let best = (0..candidates.len()).rev().max_by_key(|at| lowered(&candidates[*at].1))?;
        if lowered(&candidates[best].1) == 0 {
            return None;
        }
        let (potential, changes) = candidates.remove(best);
        left.retain(|sentence| changes[*sentence].is_none_or(|change| change >= 0));
        chosen.push(potential);
    }
    // Every potential counts more than all that follow it can make up for.
    let mut factor = 1;
    let mut weighted = Vec::new();
    for potential in chosen.into_iter().rev() {
        let limit = potential.limit(rules);
        weighted.insert(0, (potential, u32::try_from(factor).ok()?));
        factor += factor * limit;
    }
    let doubled = if rules.stuck == Stuck::Passes { 2 * factor + 1 } else { factor };
    (doubled <= u64::from(u32::MAX)).then_some(Layer(weighted))
}

/// Returns what can be counted in a position.
fn candidates<W: CellSet>(geometry: &Geometry<W>, rules: &BoardRules<W>, blocked: Option<Kind>) -> Vec<Potential<W>> {
    let all = geometry.cells;
    let blocked = blocked.map_or(0, |kind| 1 << kind);
    let kinds = u16::MAX >> (MAX_KINDS - (1 << rules.planes));
    let simple = |kinds: u16, in_hand, name| Potential::new(vec![(kinds, all, 1)], in_hand, name);
    let mut found = vec![
        simple(1 << EMPTY, 0, PotentialName::Empty),
        simple(kinds & !blocked & !(1 << EMPTY), 0, PotentialName::Pieces),
        simple(kinds & !blocked, 0, PotentialName::Open),
    ];
    if !rules.hand.is_empty() {
        found.push(Potential::new(Vec::new(), 1, PotentialName::Hand));
    }
    let board = geometry.board;
    let at_least = |by_row: bool, from_end: bool, n: usize| {
        let is_in = |cell: &usize| {
            let (row, col) = board.row_col(*cell);
            let (at, size) = if by_row { (row, board.rows()) } else { (col, board.cols()) };
            (if from_end { size - 1 - at } else { at }) >= n
        };
        W::of_cells((0..board.cells()).filter(is_in))
    };
    let kinds: Vec<u16> = rules.players.iter().map(|player| player.kinds).collect();
    for by_row in [true, false] {
        let steps = if by_row { board.rows() } else { board.cols() };
        for ends in 0..1 << kinds.len() {
            let of = |(player, kinds): (usize, &u16)| {
                let (kinds, from_end) = (*kinds, ends >> player & 1 == 1);
                (1..steps).map(move |n| (kinds, n, from_end)).collect::<Vec<_>>()
            };
            let terms = kinds
                .iter()
                .enumerate()
                .flat_map(of)
                .map(|(kinds, n, from_end)| (kinds, at_least(by_row, from_end, n) & all, 1));
            found.push(Potential::new(terms.collect(), 0, PotentialName::Advance));
        }
    }
    found.extend(sown(rules));
    let of_kind = |kind: Kind| simple(1 << kind, 0, PotentialName::Kind(kind));
    found.extend((1..MAX_KINDS as Kind).filter(|kind| kinds.iter().any(|all| all >> kind & 1 == 1)).map(of_kind));
    found
}

/// Returns the sum of the steps that seeds have before them to a cell from which none is taken; each seed that is not there counts
/// more than the steps of all.
fn sown<W: CellSet>(rules: &BoardRules<W>) -> Option<Potential<W>> {
    let largest = rules.numbers.iter().max().copied().filter(|largest| *largest > 0)?;
    let numbers = || (0..MAX_KINDS as Kind).filter(|kind| rules.numbers[usize::from(*kind)] > 0);
    let sentences = || rules.sentences();
    let along = |cell: u8| {
        let takes = |from: &Set<W>| numbers().any(|kind| from.may_have(kind, cell.into()));
        sentences().find_map(|sentence| match &sentence.action {
            Action::Sow { from, along } if along.contains(&cell) && takes(from) => Some(along),
            _ => None,
        })
    };
    let steps = |cell: usize| {
        let along_list = along(cell as u8)?;
        let way = along_list.iter().cycle().skip_while(|other| usize::from(**other) != cell).take(along_list.len());
        Some(way.take_while(|cell| along(**cell).is_some()).count() as u32)
    };
    let base = largest * rules.cells.count_ones();
    let mut terms = Vec::new();
    for (cell, steps) in Cells(rules.cells).filter_map(|cell| Some((cell, steps(cell)?))) {
        for plane in 0..MAX_PLANES {
            let kinds = numbers().filter(|kind| rules.numbers[usize::from(*kind)] >> plane & 1 == 1);
            terms.push((kinds.fold(0, |set, kind| set | 1 << kind), W::bit(cell), (base + steps) << plane));
        }
    }
    Some(Potential::new(terms, 0, PotentialName::Sown))
}
