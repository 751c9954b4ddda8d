//! Independent parts of positions: sets of cells such that no later move of either player depends on two of them.
//!
//! [`Future`] holds, for each kind, the cells that may ever hold it, as a fixpoint over all moves of both players in any order. A
//! cell varies if it may hold two kinds. Each move joins the cells that it changes, and those that vary and on which it depends.
//! A part keeps its own cells, and the others whose kind matters to them; all else becomes blocked.

mod groups;

use balpan::Game;
use balpan_cgt::{Partizan, Player};

use super::geometry::{Relation, Shape, shifted};
use super::rules::{
    Action, Amount, Condition, Conditions, EMPTY, Effect, Kind, MAX_KINDS, Pattern, PlayerRules, Sentence, Set, Stuck,
    Unit,
};
use super::{BoardGame, Compiled, Position};
use crate::board::{CellSet, Cells};
pub(super) use groups::Touching;

impl<W: CellSet> Compiled<W> {
    /// Whether turns alternate, play ends, and never in a draw.
    pub(super) fn is_plain(&self) -> bool {
        !self.keeps_turn && self.rules.draws.is_empty() && self.layer.is_some()
    }

    /// Whether positions are sums under normal or misère play: play ends because the player to move cannot, turns alternate, and
    /// nothing is in hand.
    pub(super) fn is_sum(&self) -> bool {
        let rules = &self.rules;
        let ends = |player: &PlayerRules<W>| !player.wins.is_empty() || !player.loses.is_empty();
        let is_free = self.is_plain() && !self.goes_on && !rules.players.iter().any(ends);
        is_free && matches!(rules.stuck, Stuck::Loses | Stuck::Wins)
    }

    /// Whether positions may fall apart: they are sums, every sentence is about cells nearby, and a blocked cell takes no part.
    /// `blocked` is its kind.
    pub(super) fn has_parts(&self, blocked: Kind) -> bool {
        let is_near = |sentence: &Sentence<W>| {
            let sets = sentence.sets();
            let conditions = sentence.tests.iter().flat_map(|(test, _)| test).chain(&sentence.when);
            let has_far_action = matches!(sentence.action, Action::Pass | Action::Push { .. } | Action::Sow { .. });
            !(sentence.otherwise || sentence.or || has_far_action || sentence.kinds.contains(&blocked))
                && conditions
                    .into_iter()
                    .all(|condition| matches!(condition, Condition::Count(Amount { unit: Unit::Cells, set }, ..) if set.is_near()))
                && sets.into_iter().all(Set::is_near)
        };
        let mut sentences = self.rules.sentences();
        // Nothing is placed on a blocked cell, whatever is on the others.
        let spares = |sentence: &Sentence<W>| {
            let Action::Place { on, .. } = &sentence.action else { return true };
            Cells(self.rules.cells).all(|cell| {
                let mut future = Future::new(self, [self.rules.cells; MAX_KINDS]);
                future.may.iter_mut().for_each(|cells| *cells &= !W::bit(cell));
                future.may[usize::from(blocked)] |= W::bit(cell);
                !future.bounds(on).0.contains(cell)
            })
        };
        self.is_sum()
            && self.rules.hand.is_empty()
            && (!self.touching.is_empty() || sentences.all(|sentence| is_near(sentence) && spares(sentence)))
    }

    /// Whether the rules are the same wherever a part lies on the board: they name no cells, and to be blocked is the same for a cell
    /// as not to be there.
    pub(super) fn is_uniform(&self) -> bool {
        let all = self.geometry.board.full();
        let is_uniform = |sentence: &Sentence<W>| {
            let is_free = sentence.when.is_empty() && (sentence.tests.is_empty() || !self.touching.is_empty());
            let is_near =
                |effect: &Effect<W>| matches!(effect, Effect::Leave(_) | Effect::Become(..) | Effect::Shoot(..));
            let is_anywhere = |set: &Set<W>| set.spares(self.blocked) && set.is_anywhere(self.blocked, all);
            is_free && sentence.effects.iter().all(is_near) && sentence.sets().into_iter().all(is_anywhere)
        };
        let mut sentences = self.rules.sentences();
        matches!(self.geometry.shape, Shape::Grid | Shape::Hex)
            && self.rules.cells == all
            && self.blocked != EMPTY
            && self.layer.as_ref().is_some_and(|layer| layer.is_uniform(all))
            && sentences.all(is_uniform)
    }

    /// Returns the representative of a part, and whether the players are exchanged in it: of its images under the board's symmetries,
    /// moved to the top left corner where rules are uniform, the least.
    pub(super) fn canonical_part(&self, part: &Position<W>) -> (Position<W>, bool) {
        let place = |image: Position<W>| {
            let image = Position { second_to_move: false, ..image };
            if self.has_parts && self.is_uniform { self.in_corner(image) } else { image }
        };
        let images = self.symmetries.iter().map(|symmetry| symmetry.image(&self.rules, part));
        images.fold((place(*part), false), |least, (image, swap)| least.min((place(image), swap)))
    }

    /// Returns the part moved so that its first row and its first column with an open cell are those of the board.
    fn in_corner(&self, mut part: Position<W>) -> Position<W> {
        let all: W = self.geometry.board.full();
        let cells = all & !self.rules.holding(&part, 1 << self.blocked);
        if cells.is_zero() {
            return part;
        }
        let cols = self.geometry.board.cols();
        let row = cells.trailing_zeros() as usize / cols;
        let columns = (row..self.geometry.board.rows()).fold(W::zero(), |columns, row| columns | cells >> (row * cols));
        let by = row * cols + (columns & (W::max_value() >> (W::CELLS - cols))).trailing_zeros() as usize;
        for plane in &mut part.planes[..self.rules.planes] {
            *plane = (*plane & cells) >> by;
        }
        self.rules.put(&mut part, all & !(cells >> by), self.blocked);
        part
    }

    /// Calls `found` for each independent part of a position that has a move by either player, with the cells that moves may change in it.
    /// The game [`has_parts`](Self::has_parts).
    pub(super) fn split(&self, position: &Position<W>, found: impl FnMut(Position<W>, W)) {
        if !self.touching.is_empty() {
            return self.split_groups(position, found);
        }
        let mut may = [W::zero(); MAX_KINDS];
        (0..self.kinds()).for_each(|kind| may[kind] = self.rules.holding(position, 1 << kind));
        let mut future = Future::new(self, may);
        while future.spread() {}
        self.cut(position, future.links(), found);
    }

    /// Calls `found` for each part of a position, all else in it blocked, with the cells that moves may change in it.
    fn cut(&self, position: &Position<W>, links: Links<W>, mut found: impl FnMut(Position<W>, W)) {
        let varying = links.varying;
        for kept in links.parts() {
            let mut part = *position;
            self.rules.put(&mut part, self.rules.cells & !kept, self.blocked);
            found(part, kept & varying);
        }
    }

    /// Returns what cells may come to hold from the start, whoever moves.
    pub(super) fn future(&self, start: &Position<W>) -> Future<'_, W> {
        let has = |is_so: &dyn Fn(&Sentence<W>) -> bool| self.rules.sentences().any(is_so);
        // The pieces that a push or a number moves are not followed.
        let is_free = has(&|sentence| matches!(sentence.action, Action::Push { .. } | Action::Sow { .. }));
        let held = |kind| if is_free { self.rules.cells } else { self.rules.holding(start, 1_u16 << kind) };
        let may = std::array::from_fn(|kind| if kind < self.glyphs.len() { held(kind) } else { W::zero() });
        let mut future = Future::new(self, may);
        while future.spread() {}
        future
    }

    const fn kinds(&self) -> usize {
        1 << self.rules.planes
    }
}

impl<W: CellSet> PlayerRules<W> {
    fn own_sentences(&self) -> impl Iterator<Item = (u16, &Sentence<W>)> {
        self.sentences.iter().map(|sentence| (self.kinds, sentence))
    }
}

impl<W: CellSet> Sentence<W> {
    /// Returns the sets of its action and its effects.
    fn sets(&self) -> Vec<&Set<W>> {
        let mut sets = match &self.action {
            Action::Place { on, .. } => vec![on],
            Action::Step { onto, .. } => vec![onto],
            Action::Slide { over, onto, .. } => [over].into_iter().chain(onto).collect(),
            Action::Hop { over, onto, .. } => vec![over, onto],
            Action::Push { from, over, .. } => vec![from, over],
            Action::Sow { from, .. } => vec![from],
            Action::Pass => Vec::new(),
        };
        sets.extend(self.effects.iter().filter_map(|effect| match effect {
            Effect::Become(set, _) | Effect::Shoot(_, set, _) | Effect::Collect(set, _) => Some(set),
            Effect::Leave(_) | Effect::Flip(..) | Effect::Again(..) => None,
        }));
        sets
    }
}

impl<W: CellSet> Set<W> {
    /// Whether no cell's place in the set depends on attacks or on patterns.
    fn is_near(&self) -> bool {
        match self {
            Self::AttackedBy(_) | Self::Pattern(_) => false,
            Self::Image(_, set) | Self::Closure(_, set) | Self::Not(set) => set.is_near(),
            Self::And(one, other) | Self::Or(one, other) => one.is_near() && other.is_near(),
            Self::Kinds(_) | Self::Cells(_) | Self::Here | Self::Origin => true,
        }
    }

    /// Whether a blocked cell is never in the set.
    fn spares(&self, blocked: Kind) -> bool {
        match self {
            Self::Kinds(kinds) => kinds >> blocked & 1 == 0,
            Self::Not(set) => matches!(**set, Self::Kinds(kinds) if kinds >> blocked & 1 == 1),
            Self::And(one, other) => one.spares(blocked) || other.spares(blocked),
            Self::Or(one, other) => one.spares(blocked) && other.spares(blocked),
            _ => false,
        }
    }

    /// Whether the set is the same around each cell, except that others are off the board or blocked. `all` are the board's cells.
    fn is_anywhere(&self, blocked: Kind, all: W) -> bool {
        match self {
            Self::Kinds(_) => true,
            Self::Cells(cells) => *cells == all || cells.is_zero(),
            Self::Image(_, set) | Self::Closure(_, set) => set.spares(blocked) && set.is_anywhere(blocked, all),
            Self::Not(set) => set.is_anywhere(blocked, all),
            Self::And(one, other) | Self::Or(one, other) => {
                one.is_anywhere(blocked, all) && other.is_anywhere(blocked, all)
            }
            Self::Here | Self::Origin | Self::AttackedBy(_) | Self::Pattern(_) => false,
        }
    }
}

/// The pieces that cells may hold from a position on, and a move of which sets speak.
pub(super) struct Future<'g, W> {
    game: &'g Compiled<W>,
    /// The cells that may ever hold each kind.
    may: [W; MAX_KINDS],
    here: W,
    origin: W,
}

/// Cells on which something depends.
#[derive(Clone, Copy, Default)]
struct Reads<W> {
    /// The cells whose kind, which may change, decides it.
    varying: W,
    /// The cells that decide it whatever they may hold, and would decide otherwise if they were blocked.
    fixed: W,
}

/// A set, the cells that may be in it and those that always are, and the sets that it is made of.
struct Bounded<'s, W> {
    set: &'s Set<W>,
    may: W,
    must: W,
    parts: Vec<Self>,
}

/// The groups of cells that moves join.
struct Links<W> {
    /// The cells that may come to hold another kind.
    varying: W,
    groups: Vec<W>,
    /// The cells that must be kept together with each cell.
    kept: Vec<W>,
}

impl<W: CellSet> Links<W> {
    fn join(&mut self, cells: W) {
        let mut joined = cells;
        self.groups.retain(|group| {
            let meets = group.meets(cells);
            joined |= if meets { *group } else { W::zero() };
            !meets
        });
        self.groups.extend((!joined.is_zero()).then_some(joined));
    }

    /// Returns the cells that the part of each group keeps.
    fn parts(mut self) -> Vec<W> {
        loop {
            let kept_with = |group: &W| {
                let (mut kept, mut new) = (*group, *group);
                while !new.is_zero() {
                    new = Cells(new).fold(W::zero(), |more, cell| more | self.kept[cell]) & !kept;
                    kept |= new;
                }
                (*group, kept)
            };
            let groups: Vec<_> = self.groups.iter().map(kept_with).collect();
            // A cell that is kept may depend on another group.
            let Some((_, kept)) = groups.iter().find(|(group, kept)| (*kept & self.varying).meets(!*group)) else {
                return groups.into_iter().map(|(_, kept)| kept).collect();
            };
            self.join(*kept & self.varying);
        }
    }
}

/// A move that may come: its cells before effects and tests.
struct Template<'s, W> {
    sentence: &'s Sentence<W>,
    /// The sets that it passes over, and that it goes onto or is placed on.
    passed: &'s [Option<Bounded<'s, W>>; 2],
    kind: Kind,
    /// The kinds of the player who makes it.
    own: u16,
    from: W,
    to: W,
    /// The cells that it goes over, and those of them that it empties.
    over: W,
    emptied: W,
    /// A cell that the piece can never pass or land on, if there is one.
    barrier: Option<Barrier<W>>,
}

/// A cell that keeps a piece from a move, whatever comes.
struct Barrier<W> {
    cell: W,
    /// Whether the piece would land on the cell; otherwise it would go over it.
    is_landed_on: bool,
}

/// The moves that [`Future::each_template`] finds.
#[derive(Clone, Copy, PartialEq)]
enum Templates {
    All,
    /// All but plain steps.
    NoSteps,
    /// All but plain steps and plain placements.
    NoPlaces,
}

impl<'g, W: CellSet> Future<'g, W> {
    fn new(game: &'g Compiled<W>, may: [W; MAX_KINDS]) -> Self {
        Self { game, may, here: W::zero(), origin: W::zero() }
    }

    /// Returns whether all conditions of each list may hold.
    pub(super) fn may_hold(&self, lists: &[Conditions<W>]) -> Vec<bool> {
        lists.iter().map(|conditions| self.holds(conditions).0).collect()
    }

    /// Returns whether each sentence of a player may give a move.
    pub(super) fn may_apply(&mut self, player: usize) -> Vec<bool> {
        let mut live: Vec<*const Sentence<W>> = Vec::new();
        self.each_template(Templates::All, &mut |future, template, is_open| {
            if is_open {
                let saved = future.may;
                future.carry_out(template, None);
                if future.passes(template.sentence) {
                    live.push(template.sentence);
                }
                future.may = saved;
            }
        });
        let applies = |sentence: &Sentence<W>| match sentence.action {
            Action::Pass | Action::Push { .. } | Action::Sow { .. } => self.holds(&sentence.when).0,
            _ => live.contains(&std::ptr::from_ref(sentence)),
        };
        self.game.rules.players[player].sentences.iter().map(applies).collect()
    }

    /// Returns the cells that may be in a set, and those that always are.
    fn bounds(&self, set: &Set<W>) -> (W, W) {
        self.bounds_by(set, |set| self.bounds(set))
    }

    /// As [`bounds`](Self::bounds), with those of the sets that it is made of.
    fn bounded<'s>(&self, set: &'s Set<W>) -> Bounded<'s, W> {
        let mut parts = Vec::new();
        let (may, must) = self.bounds_by(set, |set| {
            let part = self.bounded(set);
            let bounds = (part.may, part.must);
            parts.push(part);
            bounds
        });
        Bounded { set, may, must, parts }
    }

    /// Returns the bounds of a set by those of the sets that it is made of, in their order.
    #[inline]
    fn bounds_by<'s>(&self, set: &'s Set<W>, mut bounds: impl FnMut(&'s Set<W>) -> (W, W)) -> (W, W) {
        let all = self.game.rules.cells;
        match set {
            Set::Kinds(kinds) => {
                let of = |is_in: u16| {
                    let held = (0..self.game.kinds()).filter(|kind| kinds >> kind & 1 == is_in);
                    held.fold(W::zero(), |cells, kind| cells | self.may[kind])
                };
                (of(1), all & !of(0))
            }
            Set::Cells(cells) => (*cells, *cells),
            Set::Here => (self.here, self.here),
            Set::Origin => (self.origin, self.origin),
            Set::AttackedBy(_) | Set::Pattern(_) => (all, W::zero()),
            Set::Image(relation, set) => {
                let (may, must) = bounds(set);
                (relation.image_of(may), relation.image_of(must))
            }
            Set::Closure(relation, set) => {
                let (may, must) = bounds(set);
                (relation.closure(may, all), relation.closure(must, all))
            }
            Set::Not(set) => {
                let (may, must) = bounds(set);
                (all & !must, all & !may)
            }
            Set::And(one, other) => {
                let (one, other) = (bounds(one), bounds(other));
                (one.0 & other.0, one.1 & other.1)
            }
            Set::Or(one, other) => {
                let (one, other) = (bounds(one), bounds(other));
                (one.0 | other.0, one.1 | other.1)
            }
        }
    }

    /// Adds the cells on which it depends which of `cells` are in a set.
    fn read(&self, bounded: &Bounded<'_, W>, cells: W, reads: &mut Reads<W>) {
        if cells.is_zero() {
            return;
        }
        let all = self.game.rules.cells;
        let Bounded { set, may, must, parts } = bounded;
        let (may, must) = (*may, *must);
        match (set, &parts[..]) {
            (Set::Kinds(kinds), _) => {
                reads.varying |= cells & may & !must;
                reads.fixed |= cells & if kinds >> self.game.blocked & 1 == 1 { !may } else { must };
            }
            (Set::AttackedBy(_) | Set::Pattern(_), _) => *reads = Reads { varying: all, fixed: all },
            (Set::Image(relation, _), [inner]) => {
                // Where a cell is in the set whatever comes, those that say so are enough.
                let sure = cells & must;
                self.read(inner, relation.origins_of(sure) & inner.must | relation.origins_of(cells & !sure), reads);
            }
            (Set::Closure(relation, _), [inner]) => {
                let sure = cells & must;
                let [sure, other] = [sure, cells & !sure].map(|cells| relation.all_origins_of(cells));
                self.read(inner, sure & inner.must | other, reads);
            }
            (Set::Not(_), [inner]) => self.read(inner, cells, reads),
            // One side is enough where it is false, or, of `Or`, true.
            (Set::And(..), [one, other]) => {
                let other_not = cells & !other.may;
                self.read(one, cells & !other_not, reads);
                self.read(other, other_not | cells & one.may, reads);
            }
            (Set::Or(..), [one, other]) => {
                let other_must = cells & other.must;
                self.read(one, cells & !other_must, reads);
                self.read(other, other_must | cells & !one.must, reads);
            }
            _ => {}
        }
    }

    fn read_conditions(&self, conditions: &[Condition<W>], reads: &mut Reads<W>) {
        for condition in conditions {
            if let Condition::Count(Amount { set, .. }, ..) = condition {
                self.read(&self.bounded(set), self.game.rules.cells, reads);
            }
        }
    }

    /// Whether conditions may hold, and whether they always do.
    fn holds(&self, conditions: &[Condition<W>]) -> (bool, bool) {
        let of = |condition: &Condition<W>| match condition {
            Condition::Count(Amount { unit, set }, least, most) => {
                let (may, must) = self.bounds(set);
                let (lowest, highest) = self.game.rules.range(unit, may, must);
                (highest >= *least && lowest <= *most, lowest >= *least && highest <= *most)
            }
            Condition::Pattern(Pattern { set, windows, .. }) => {
                (windows.within(self.bounds(set).0, false).next().is_some(), false)
            }
            Condition::Connects(set, adjacent, count, regions) => {
                (!adjacent.connection(self.bounds(set).0, *count, regions).is_zero(), false)
            }
            Condition::Encloses(set, adjacent, inner, rim) => {
                (!adjacent.enclosure(self.bounds(set).0, self.bounds(inner).0, *rim).is_zero(), false)
            }
            _ => (true, false),
        };
        conditions.iter().map(of).fold((true, true), |all, one| (all.0 && one.0, all.1 && one.1))
    }

    /// Returns the plain steps of both players, with their kinds.
    fn plain_steps(&self) -> impl Iterator<Item = (&[Kind], &Relation<W>, &Set<W>)> {
        let blocked = self.game.blocked;
        self.sentences().filter_map(move |sentence| {
            sentence.plain_step(blocked).map(|(steps, onto)| (&*sentence.kinds, steps, onto))
        })
    }

    fn sentences(&self) -> impl Iterator<Item = &Sentence<W>> {
        self.game.rules.sentences()
    }

    /// Adds what moves may put on cells. Returns whether there was anything new.
    fn spread(&mut self) -> bool {
        let before = self.may;
        let mut may = before;
        for sentence in self.sentences().filter(|sentence| sentence.is_plain()) {
            if let Action::Place { on, .. } = &sentence.action {
                let on = self.bounds(on).0 & self.game.rules.cells;
                sentence.kinds.iter().for_each(|kind| may[usize::from(*kind)] |= on);
            }
        }
        for (kinds, steps, onto) in self.plain_steps() {
            let onto = self.bounds(onto).0;
            for &kind in kinds {
                for &(by, from) in &steps.0 {
                    let to = shifted(before[usize::from(kind)] & from, by) & onto;
                    may[usize::from(kind)] |= to;
                    may[usize::from(EMPTY)] |= shifted(to, -by);
                }
            }
        }
        self.may = may;
        self.each_template(Templates::NoPlaces, &mut |future, template, is_open| {
            if is_open {
                let saved = future.may;
                future.carry_out(template, None);
                if !future.passes(template.sentence) {
                    future.may = saved;
                }
            }
        });
        self.may != before
    }

    /// Returns what moves join.
    fn links(&mut self) -> Links<W> {
        let (mut once, mut varying) = (W::zero(), W::zero());
        for cells in self.may {
            varying |= once & cells;
            once |= cells;
        }
        let mut links = Links { varying, groups: Vec::new(), kept: vec![W::zero(); W::CELLS] };
        self.link_steps(&mut links);
        self.each_template(Templates::NoSteps, &mut |future, template, is_open| {
            let own = template.from | template.over | template.to;
            let mut reads = Reads::default();
            let mut changed = W::zero();
            let saved = future.may;
            let is_live = is_open && {
                changed = own | future.carry_out(template, Some(&mut reads));
                for (test, _) in &template.sentence.tests {
                    future.read_conditions(test, &mut reads);
                }
                future.passes(template.sentence)
            };
            future.may = saved;
            if !is_open {
                reads = Reads::default();
            }
            let [over, onto] = template.passed.each_ref().map(Option::as_ref);
            if let Some(barrier) = &template.barrier {
                // What keeps the piece from this cell is enough to know that there is no such move.
                let set = if barrier.is_landed_on { onto } else { over };
                set.into_iter().for_each(|set| future.read(set, barrier.cell, &mut reads));
            } else {
                future.read_conditions(&template.sentence.when, &mut reads);
                over.into_iter().for_each(|set| future.read(set, template.over, &mut reads));
                onto.into_iter().for_each(|set| future.read(set, template.to, &mut reads));
            }
            let deciding = (reads.varying | reads.fixed) & varying;
            if is_live {
                reads.fixed |= template.from;
                links.join((deciding | changed) & varying);
            } else if !deciding.is_zero() {
                links.join(deciding | own & varying);
            }
            Cells(own).for_each(|cell| links.kept[cell] |= reads.fixed | reads.varying);
        });
        links
    }

    /// Joins what plain steps join: each step that may come joins its two cells.
    fn link_steps(&self, links: &mut Links<W>) {
        let mut pairs = Vec::new();
        for (kinds, steps, onto) in self.plain_steps() {
            let onto = self.bounds(onto).0;
            for &kind in kinds {
                for &(by, from) in &steps.0 {
                    let to = shifted(self.may[usize::from(kind)] & from, by) & onto;
                    for cell in Cells(to) {
                        let origin = (cell as i8 - by) as usize;
                        let both = W::bit(cell) | W::bit(origin);
                        links.kept[cell] |= both;
                        links.kept[origin] |= both;
                    }
                    pairs.push((by, shifted(to, -by), to));
                }
            }
        }
        let mut rest = pairs.iter().fold(W::zero(), |cells, &(_, from, to)| cells | from | to) & links.varying;
        while !rest.is_zero() {
            let mut group = rest.first();
            loop {
                let reached = pairs.iter().fold(group, |group, &(by, from, to)| {
                    group | (shifted(group & from, by) | shifted(group & to, -by)) & links.varying
                });
                if reached == group {
                    break;
                }
                group = reached;
            }
            rest &= !group;
            links.join(group);
        }
    }

    /// Whether the tests after a move may pass.
    fn passes(&self, sentence: &Sentence<W>) -> bool {
        sentence.tests.iter().all(|(test, wanted)| {
            let (may, must) = self.holds(test);
            if *wanted { may } else { !must }
        })
    }

    fn put(&mut self, cells: W, kind: Kind) -> W {
        self.may[usize::from(kind)] |= cells;
        cells
    }

    /// Adds what a move puts on cells, and returns these; adds to `reads` on what its effects depend.
    fn carry_out(&mut self, template: &Template<'_, W>, mut reads: Option<&mut Reads<W>>) -> W {
        let (sentence, all) = (template.sentence, self.game.rules.cells);
        (self.here, self.origin) = (template.to, template.from);
        let left = sentence
            .effects
            .first()
            .map_or(EMPTY, |effect| if let Effect::Leave(kind) = effect { *kind } else { EMPTY });
        let mut changed = self.put(template.to, template.kind) | self.put(template.from, left);
        changed |= self.put(template.emptied, EMPTY);
        let mut read = |future: &Self, set: &Set<W>, cells: W| {
            if let Some(reads) = &mut reads {
                future.read(&future.bounded(set), cells, reads);
            }
        };
        for effect in &sentence.effects {
            changed |= match effect {
                Effect::Leave(kind) => self.put(template.from, *kind),
                Effect::Become(set, kind) => {
                    read(self, set, all);
                    self.put(self.bounds(set).0, *kind)
                }
                Effect::Shoot(None, set, kind) => {
                    read(self, set, all);
                    self.put(self.bounds(set).0, *kind)
                }
                Effect::Shoot(Some(rays), set, kind) => {
                    let may = self.bounds(set).0;
                    let (mut reached, mut seen) = (W::zero(), W::zero());
                    for ray in Cells(template.to).flat_map(|cell| rays.from(cell)) {
                        for cell in ray.iter().map(|cell| W::bit((*cell).into())) {
                            seen |= cell;
                            if !may.meets(cell) {
                                break;
                            }
                            reached |= cell;
                        }
                    }
                    read(self, set, seen);
                    self.put(reached, *kind)
                }
                Effect::Flip(rays, enemies) => {
                    let (enemies, may) = (Set::Kinds(*enemies), self.bounds(&Set::Kinds(*enemies)).0);
                    let rays = Cells(template.to).flat_map(|cell| rays.from(cell));
                    let seen = W::of_cells(rays.flatten().map(|cell| (*cell).into()));
                    read(self, &enemies, seen);
                    // A line ends at a piece of the player who moves.
                    read(self, &Set::Kinds(template.own), seen);
                    self.put(seen & may, template.kind)
                }
                Effect::Collect(..) | Effect::Again(..) => W::zero(),
            };
        }
        changed
    }

    /// Calls `found` with each move that may come, and each that some cell's kind alone prevents; with whether it may come, before
    /// its tests.
    fn each_template(&mut self, which: Templates, found: &mut dyn FnMut(&mut Self, &Template<'_, W>, bool)) {
        let game = self.game;
        for (own, sentence) in game.rules.players.iter().flat_map(PlayerRules::own_sentences) {
            let is_step = sentence.plain_step(game.blocked).is_some();
            let is_place = matches!(sentence.action, Action::Place { .. }) && sentence.is_plain();
            if which != Templates::All && is_step || which == Templates::NoPlaces && is_place {
                continue;
            }
            (self.here, self.origin) = (W::zero(), W::zero());
            let applies = self.holds(&sentence.when).0;
            let (over, onto) = sentence.passed();
            let passed = [over, onto].map(|set| set.map(|set| self.bounded(set)));
            let [may_over, may_onto] = passed.each_ref().map(|set| set.as_ref().map_or(W::max_value(), |set| set.may));
            let passed = &passed;
            for &kind in &sentence.kinds {
                let pieces = self.may[usize::from(kind)];
                let mut one = |future: &mut Self, from: W, [over, middle]: [W; 2], to: W, emptied: W| {
                    let landed_on = (!may_onto.meets(to)).then_some(Barrier { cell: to, is_landed_on: true });
                    let is_passed = middle.is_zero() || may_over.meets(middle);
                    let barrier =
                        if is_passed { landed_on } else { Some(Barrier { cell: middle, is_landed_on: false }) };
                    let is_open = barrier.is_none();
                    let template =
                        Template { sentence, passed, kind, own, from, to, over: over | middle, emptied, barrier };
                    found(future, &template, is_open && applies);
                    is_open
                };
                match &sentence.action {
                    Action::Place { .. } => {
                        for to in Cells(game.rules.cells).map(W::bit) {
                            one(self, W::zero(), [W::zero(); 2], to, W::zero());
                        }
                    }
                    Action::Step { steps, .. } => {
                        for (from, to) in steps.pairs().filter(|(from, _)| pieces.contains(*from)) {
                            one(self, W::bit(from), [W::zero(); 2], W::bit(to), W::zero());
                        }
                    }
                    Action::Slide { rays, onto, .. } => {
                        for from in Cells(pieces) {
                            for ray in rays.from(from) {
                                let mut passed = W::zero();
                                for to in ray.iter().map(|to| W::bit((*to).into())) {
                                    one(self, W::bit(from), [passed, W::zero()], to, W::zero());
                                    if !may_over.meets(to) {
                                        if onto.is_some() {
                                            // What keeps the piece from passing over the cell is not what it may land on.
                                            one(self, W::bit(from), [passed, to], to, W::zero());
                                        }
                                        break;
                                    }
                                    passed |= to;
                                }
                            }
                        }
                    }
                    Action::Hop { rays, capturing, repeatedly, .. } => {
                        for from in Cells(pieces) {
                            for ray in rays.from(from) {
                                let mut passed = (W::zero(), W::zero());
                                for hop in ray.chunks_exact(2) {
                                    let [middle, to] = [hop[0], hop[1]].map(|cell| W::bit(cell.into()));
                                    let emptied = if *capturing { passed.1 | middle } else { W::zero() };
                                    // The cells of earlier hops, but for those hopped over, are landed on.
                                    let is_open = one(self, W::bit(from), [passed.0, middle], to, emptied);
                                    if !(is_open && *repeatedly) {
                                        break;
                                    }
                                    passed = (passed.0 | middle | to, passed.1 | middle);
                                }
                            }
                        }
                    }
                    Action::Push { .. } | Action::Sow { .. } | Action::Pass => {}
                }
            }
        }
    }
}

impl<W: CellSet> Sentence<W> {
    /// Whether it is under no condition, and does nothing but put a piece on a cell.
    const fn is_plain(&self) -> bool {
        self.when.is_empty() && self.effects.is_empty() && self.tests.is_empty()
    }

    /// Returns the steps and where they lead, if they are plain and depend only on what stands on the cell. Such steps are followed all
    /// at once.
    fn plain_step(&self, blocked: Kind) -> Option<(&Relation<W>, &Set<W>)> {
        match &self.action {
            Action::Step { steps, onto }
                if self.is_plain() && matches!(onto, Set::Kinds(kinds) if kinds >> blocked & 1 == 0) =>
            {
                Some((steps, onto))
            }
            _ => None,
        }
    }

    /// Returns the set that a piece passes over, and the one that it goes onto or is placed on.
    const fn passed(&self) -> (Option<&Set<W>>, Option<&Set<W>>) {
        match &self.action {
            Action::Place { on, .. } => (None, Some(on)),
            Action::Step { onto, .. } => (None, Some(onto)),
            Action::Slide { over, onto: None, .. } => (Some(over), Some(over)),
            Action::Slide { over, onto: Some(onto), .. } | Action::Hop { over, onto, .. } => (Some(over), Some(onto)),
            Action::Push { .. } | Action::Sow { .. } | Action::Pass => (None, None),
        }
    }
}

/// Positions without whose turn it is. Left is the player whose table comes first in the language's list.
impl<W: CellSet> Partizan for BoardGame<W> {
    type Position = Position<W>;

    fn options(&self, position: &Position<W>, player: Player) -> impl Iterator<Item = Position<W>> {
        let position = self.with_mover(position, player);
        let all: Vec<_> =
            self.moves(&position).map(|mv| self.with_mover(&self.play(&position, mv), Player::Left)).collect();
        all.into_iter()
    }

    fn split(&self, position: &Position<W>, parts: &mut Vec<Position<W>>) {
        if self.0.has_parts { self.0.split(position, |part, _| parts.push(part)) } else { parts.push(*position) }
    }

    fn canonical(&self, position: &Position<W>) -> (Position<W>, bool) {
        self.0.canonical_part(position)
    }

    fn max_plies(&self, position: &Position<W>) -> Option<u32> {
        self.layer(position)
    }

    fn rank(&self, position: &Position<W>, player: Player) -> i32 {
        if self.0.is_ranked { self.0.rank(&self.with_mover(position, player.other())) } else { 0 }
    }
}

impl<W: CellSet> BoardGame<W> {
    /// Returns the position with this player to move.
    pub(crate) fn with_mover(&self, position: &Position<W>, player: Player) -> Position<W> {
        Position { second_to_move: player == Player::Right && self.0.rules.players.len() == 2, ..*position }
    }

    /// Whether the other game has the same rules on the same board, from any position, and writes positions alike.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let (one, other) = (&self.0, &other.0);
        let words = |game: &Compiled<W>| (game.file.players, game.second_begins);
        one.rules == other.rules
            && one.geometry.board == other.geometry.board
            && one.glyphs == other.glyphs
            && words(one) == words(other)
    }
}
