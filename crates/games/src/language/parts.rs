//! Independent parts of positions: sets of cells such that no later move of either player depends on two of them.
//!
//! [`Future`] holds, for each kind, the cells that may ever hold it, as a fixpoint over all moves of both players in any order. A
//! cell varies if it may hold two kinds. Each move joins the cells that it changes, and those that vary and on which it depends.
//! A part keeps its own cells, and the others whose kind matters to them; all else becomes blocked.

use balpan::Game;
use balpan_cgt::{Partizan, Player};

use super::geometry::{Relation, Shape, shifted};
use super::rules::{
    Action, Amount, Condition, Conditions, EMPTY, Effect, Kind, MAX_KINDS, Pattern, PlayerRules, Sentence, Set, Stuck,
    Unit,
};
use super::{BoardGame, Compiled, Position};
use crate::board::{Cells, bit};

impl Compiled {
    /// Whether turns alternate, play ends, and never in a draw.
    pub(super) fn is_plain(&self) -> bool {
        !self.keeps_turn && self.rules.draws.is_empty() && self.layer.is_some()
    }

    /// Whether positions are sums under normal or misère play: play ends because the player to move cannot, turns alternate, and
    /// nothing is in hand.
    pub(super) fn is_sum(&self) -> bool {
        let rules = &self.rules;
        let ends = |player: &PlayerRules| !player.wins.is_empty() || !player.loses.is_empty();
        let is_free = self.is_plain() && !self.goes_on && !rules.players.iter().any(ends);
        is_free && matches!(rules.stuck, Stuck::Loses | Stuck::Wins)
    }

    /// Whether positions may fall apart: they are sums, every sentence is about cells nearby, and a blocked cell takes no part.
    /// `blocked` is its kind.
    pub(super) fn has_parts(&self, blocked: Kind) -> bool {
        let is_near = |sentence: &Sentence| {
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
        let spares = |sentence: &Sentence| {
            let Action::Place { on, .. } = &sentence.action else { return true };
            Cells(self.rules.cells).all(|cell| {
                let mut future = Future { game: self, may: [self.rules.cells; MAX_KINDS], here: 0, origin: 0 };
                future.may.iter_mut().for_each(|cells| *cells &= !bit(cell));
                future.may[usize::from(blocked)] |= bit(cell);
                future.bounds(on).0 & bit(cell) == 0
            })
        };
        self.is_sum() && self.rules.hand.is_empty() && sentences.all(|sentence| is_near(sentence) && spares(sentence))
    }

    /// Whether the rules are the same wherever a part lies on the board: they name no cells, and to be blocked is the same for a cell
    /// as not to be there.
    pub(super) fn is_uniform(&self) -> bool {
        let all = self.geometry.board.all();
        let is_uniform = |sentence: &Sentence| {
            let is_free = sentence.when.is_empty() && sentence.tests.is_empty();
            let is_near = |effect: &Effect| matches!(effect, Effect::Leave(_) | Effect::Become(..) | Effect::Shoot(..));
            let is_anywhere = |set: &Set| set.spares(self.blocked) && set.is_anywhere(self.blocked, all);
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
    pub(super) fn canonical_part(&self, part: &Position) -> (Position, bool) {
        let place = |image: Position| {
            let image = Position { second_to_move: false, ..image };
            if self.has_parts && self.is_uniform { self.in_corner(image) } else { image }
        };
        let images = self.symmetries.iter().map(|symmetry| symmetry.image(&self.rules, part));
        images.fold((place(*part), false), |least, (image, swap)| least.min((place(image), swap)))
    }

    /// Returns the part moved so that its first row and its first column with an open cell are those of the board.
    fn in_corner(&self, mut part: Position) -> Position {
        let all = self.geometry.board.all();
        let cells = all & !self.rules.holding(&part, 1 << self.blocked);
        if cells == 0 {
            return part;
        }
        let cols = self.geometry.board.cols();
        let row = cells.trailing_zeros() as usize / cols;
        let columns = (row..self.geometry.board.rows()).fold(0, |columns, row| columns | cells >> (row * cols));
        let by = row * cols + (columns & (u64::MAX >> (64 - cols))).trailing_zeros() as usize;
        for plane in &mut part.planes[..self.rules.planes] {
            *plane = (*plane & cells) >> by;
        }
        self.rules.put(&mut part, all & !(cells >> by), self.blocked);
        part
    }

    /// Calls `found` for each independent part of a position that has a move by either player, with the cells that moves may change in it.
    /// The game [`has_parts`](Self::has_parts).
    pub(super) fn split(&self, position: &Position, mut found: impl FnMut(Position, u64)) {
        let blocked = self.blocked;
        let mut may = [0; MAX_KINDS];
        (0..self.kinds()).for_each(|kind| may[kind] = self.rules.holding(position, 1 << kind));
        let mut future = Future { game: self, may, here: 0, origin: 0 };
        while future.spread() {}
        let links = future.links();
        let varying = links.varying;
        for kept in links.parts() {
            let mut part = *position;
            self.rules.put(&mut part, self.rules.cells & !kept, blocked);
            found(part, kept & varying);
        }
    }

    /// Returns what cells may come to hold from the start, whoever moves.
    pub(super) fn future(&self, start: &Position) -> Future<'_> {
        let has = |is_so: &dyn Fn(&Sentence) -> bool| self.rules.sentences().any(is_so);
        // The pieces that a push or a number moves are not followed.
        let is_free = has(&|sentence| matches!(sentence.action, Action::Push { .. } | Action::Sow { .. }));
        let held = |kind| if is_free { self.rules.cells } else { self.rules.holding(start, 1_u16 << kind) };
        let may = std::array::from_fn(|kind| if kind < self.glyphs.len() { held(kind) } else { 0 });
        let mut future = Future { game: self, may, here: 0, origin: 0 };
        while future.spread() {}
        future
    }

    const fn kinds(&self) -> usize {
        1 << self.rules.planes
    }
}

impl PlayerRules {
    fn own_sentences(&self) -> impl Iterator<Item = (u16, &Sentence)> {
        self.sentences.iter().map(|sentence| (self.kinds, sentence))
    }
}

impl Sentence {
    /// Returns the sets of its action and its effects.
    fn sets(&self) -> Vec<&Set> {
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

impl Set {
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
    fn is_anywhere(&self, blocked: Kind, all: u64) -> bool {
        match self {
            Self::Kinds(_) => true,
            Self::Cells(cells) => *cells == all || *cells == 0,
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
pub(super) struct Future<'g> {
    game: &'g Compiled,
    /// The cells that may ever hold each kind.
    may: [u64; MAX_KINDS],
    here: u64,
    origin: u64,
}

/// Cells on which something depends.
#[derive(Clone, Copy, Default)]
struct Reads {
    /// The cells whose kind, which may change, decides it.
    varying: u64,
    /// The cells that decide it whatever they may hold, and would decide otherwise if they were blocked.
    fixed: u64,
}

/// A set, the cells that may be in it and those that always are, and the sets that it is made of.
struct Bounded<'s> {
    set: &'s Set,
    may: u64,
    must: u64,
    parts: Vec<Self>,
}

/// The groups of cells that moves join.
struct Links {
    /// The cells that may come to hold another kind.
    varying: u64,
    groups: Vec<u64>,
    /// The cells that must be kept together with each cell.
    kept: [u64; 64],
}

impl Links {
    fn join(&mut self, cells: u64) {
        let mut joined = cells;
        self.groups.retain(|group| {
            let meets = group & cells != 0;
            joined |= if meets { *group } else { 0 };
            !meets
        });
        self.groups.extend((joined != 0).then_some(joined));
    }

    /// Returns the cells that the part of each group keeps.
    fn parts(mut self) -> Vec<u64> {
        loop {
            let kept_with = |group: &u64| {
                let (mut kept, mut new) = (*group, *group);
                while new != 0 {
                    new = Cells(new).fold(0, |more, cell| more | self.kept[cell]) & !kept;
                    kept |= new;
                }
                (*group, kept)
            };
            let groups: Vec<_> = self.groups.iter().map(kept_with).collect();
            // A cell that is kept may depend on another group.
            let Some((_, kept)) = groups.iter().find(|(group, kept)| kept & self.varying & !group != 0) else {
                return groups.into_iter().map(|(_, kept)| kept).collect();
            };
            self.join(kept & self.varying);
        }
    }
}

/// A move that may come: its cells before effects and tests.
struct Template<'s> {
    sentence: &'s Sentence,
    /// The sets that it passes over, and that it goes onto or is placed on.
    passed: &'s [Option<Bounded<'s>>; 2],
    kind: Kind,
    /// The kinds of the player who makes it.
    own: u16,
    from: u64,
    to: u64,
    /// The cells that it goes over, and those of them that it empties.
    over: u64,
    emptied: u64,
    /// A cell that the piece can never pass or land on, if there is one.
    barrier: Option<Barrier>,
}

struct Barrier {
    cell: u64,
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

impl Future<'_> {
    /// Returns whether all conditions of each list may hold.
    pub(super) fn may_hold(&self, lists: &[Conditions]) -> Vec<bool> {
        lists.iter().map(|conditions| self.holds(conditions).0).collect()
    }

    /// Returns whether each sentence of a player may give a move.
    pub(super) fn may_apply(&mut self, player: usize) -> Vec<bool> {
        let mut live: Vec<*const Sentence> = Vec::new();
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
        let applies = |sentence: &Sentence| match sentence.action {
            Action::Pass | Action::Push { .. } | Action::Sow { .. } => self.holds(&sentence.when).0,
            _ => live.contains(&std::ptr::from_ref(sentence)),
        };
        self.game.rules.players[player].sentences.iter().map(applies).collect()
    }

    /// Returns the cells that may be in a set, and those that always are.
    fn bounds(&self, set: &Set) -> (u64, u64) {
        self.bounds_by(set, |set| self.bounds(set))
    }

    /// As [`bounds`](Self::bounds), with those of the sets that it is made of.
    fn bounded<'s>(&self, set: &'s Set) -> Bounded<'s> {
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
    fn bounds_by<'s>(&self, set: &'s Set, mut bounds: impl FnMut(&'s Set) -> (u64, u64)) -> (u64, u64) {
        let all = self.game.rules.cells;
        match set {
            Set::Kinds(kinds) => {
                let of = |is_in: u16| {
                    let held = (0..self.game.kinds()).filter(|kind| kinds >> kind & 1 == is_in);
                    held.fold(0, |cells, kind| cells | self.may[kind])
                };
                (of(1), all & !of(0))
            }
            Set::Cells(cells) => (*cells, *cells),
            Set::Here => (self.here, self.here),
            Set::Origin => (self.origin, self.origin),
            Set::AttackedBy(_) | Set::Pattern(_) => (all, 0),
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
    fn read(&self, bounded: &Bounded<'_>, cells: u64, reads: &mut Reads) {
        if cells == 0 {
            return;
        }
        let all = self.game.rules.cells;
        let Bounded { set, may, must, parts } = bounded;
        match (set, &parts[..]) {
            (Set::Kinds(kinds), _) => {
                reads.varying |= cells & may & !must;
                reads.fixed |= cells & if kinds >> self.game.blocked & 1 == 1 { !may } else { *must };
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

    fn read_conditions(&self, conditions: &[Condition], reads: &mut Reads) {
        for condition in conditions {
            if let Condition::Count(Amount { set, .. }, ..) = condition {
                self.read(&self.bounded(set), self.game.rules.cells, reads);
            }
        }
    }

    /// Whether conditions may hold, and whether they always do.
    fn holds(&self, conditions: &[Condition]) -> (bool, bool) {
        let of = |condition: &Condition| match condition {
            Condition::Count(Amount { unit, set }, least, most) => {
                let (may, must) = self.bounds(set);
                let (lowest, highest) = self.game.rules.range(unit, may, must);
                (highest >= *least && lowest <= *most, lowest >= *least && highest <= *most)
            }
            Condition::Pattern(Pattern { set, windows, .. }) => {
                (windows.within(self.bounds(set).0, false).next().is_some(), false)
            }
            Condition::Connects(set, adjacent, count, regions) => {
                (adjacent.connection(self.bounds(set).0, *count, regions) != 0, false)
            }
            Condition::Encloses(set, adjacent, inner, rim) => {
                (adjacent.enclosure(self.bounds(set).0, self.bounds(inner).0, *rim) != 0, false)
            }
            _ => (true, false),
        };
        conditions.iter().map(of).fold((true, true), |all, one| (all.0 && one.0, all.1 && one.1))
    }

    /// Returns the plain steps of both players, with their kinds.
    fn plain_steps(&self) -> impl Iterator<Item = (&[Kind], &Relation, &Set)> {
        let blocked = self.game.blocked;
        self.sentences().filter_map(move |sentence| {
            sentence.plain_step(blocked).map(|(steps, onto)| (&*sentence.kinds, steps, onto))
        })
    }

    fn sentences(&self) -> impl Iterator<Item = &Sentence> {
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
    fn links(&mut self) -> Links {
        let (mut once, mut varying) = (0, 0);
        for cells in self.may {
            varying |= once & cells;
            once |= cells;
        }
        let mut links = Links { varying, groups: Vec::new(), kept: [0; 64] };
        self.link_steps(&mut links);
        self.each_template(Templates::NoSteps, &mut |future, template, is_open| {
            let own = template.from | template.over | template.to;
            let mut reads = Reads::default();
            let mut changed = 0;
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
            } else if deciding != 0 {
                links.join(deciding | own & varying);
            }
            Cells(own).for_each(|cell| links.kept[cell] |= reads.fixed | reads.varying);
        });
        links
    }

    /// Joins what plain steps join: each step that may come joins its two cells.
    fn link_steps(&self, links: &mut Links) {
        let mut pairs = Vec::new();
        for (kinds, steps, onto) in self.plain_steps() {
            let onto = self.bounds(onto).0;
            for &kind in kinds {
                for &(by, from) in &steps.0 {
                    let to = shifted(self.may[usize::from(kind)] & from, by) & onto;
                    for cell in Cells(to) {
                        let origin = (cell as i8 - by) as usize;
                        links.kept[cell] |= bit(cell) | bit(origin);
                        links.kept[origin] |= bit(cell) | bit(origin);
                    }
                    pairs.push((by, shifted(to, -by), to));
                }
            }
        }
        let mut rest = pairs.iter().fold(0, |cells, (_, from, to)| cells | from | to) & links.varying;
        while rest != 0 {
            let mut group = rest & rest.wrapping_neg();
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
    fn passes(&self, sentence: &Sentence) -> bool {
        sentence.tests.iter().all(|(test, wanted)| {
            let (may, must) = self.holds(test);
            if *wanted { may } else { !must }
        })
    }

    fn put(&mut self, cells: u64, kind: Kind) -> u64 {
        self.may[usize::from(kind)] |= cells;
        cells
    }

    /// Adds what a move puts on cells, and returns these; adds to `reads` on what its effects depend.
    fn carry_out(&mut self, template: &Template<'_>, mut reads: Option<&mut Reads>) -> u64 {
        let (sentence, all) = (template.sentence, self.game.rules.cells);
        (self.here, self.origin) = (template.to, template.from);
        let left = sentence
            .effects
            .first()
            .map_or(EMPTY, |effect| if let Effect::Leave(kind) = effect { *kind } else { EMPTY });
        let mut changed = self.put(template.to, template.kind) | self.put(template.from, left);
        changed |= self.put(template.emptied, EMPTY);
        let mut read = |future: &Self, set: &Set, cells: u64| {
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
                    let (mut reached, mut seen) = (0, 0);
                    for ray in Cells(template.to).flat_map(|cell| rays.from(cell)) {
                        for cell in ray.iter().map(|cell| bit((*cell).into())) {
                            seen |= cell;
                            if may & cell == 0 {
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
                    let seen = rays.flatten().fold(0, |seen, cell| seen | bit((*cell).into()));
                    read(self, &enemies, seen);
                    // A line ends at a piece of the player who moves.
                    read(self, &Set::Kinds(template.own), seen);
                    self.put(seen & may, template.kind)
                }
                Effect::Collect(..) | Effect::Again(..) => 0,
            };
        }
        changed
    }

    /// Calls `found` with each move that may come, and each that some cell's kind alone prevents; with whether it may come, before
    /// its tests.
    fn each_template(&mut self, which: Templates, found: &mut dyn FnMut(&mut Self, &Template<'_>, bool)) {
        let game = self.game;
        for (own, sentence) in game.rules.players.iter().flat_map(PlayerRules::own_sentences) {
            let is_step = sentence.plain_step(game.blocked).is_some();
            let is_place = matches!(sentence.action, Action::Place { .. }) && sentence.is_plain();
            if which != Templates::All && is_step || which == Templates::NoPlaces && is_place {
                continue;
            }
            (self.here, self.origin) = (0, 0);
            let applies = self.holds(&sentence.when).0;
            let (over, onto) = sentence.passed();
            let passed = [over, onto].map(|set| set.map(|set| self.bounded(set)));
            let [may_over, may_onto] = passed.each_ref().map(|set| set.as_ref().map_or(u64::MAX, |set| set.may));
            let passed = &passed;
            for &kind in &sentence.kinds {
                let pieces = self.may[usize::from(kind)];
                let mut one = |future: &mut Self, from: u64, [over, middle]: [u64; 2], to: u64, emptied: u64| {
                    let landed_on = (may_onto & to == 0).then_some(Barrier { cell: to, is_landed_on: true });
                    let barrier = match may_over & middle {
                        0 if middle != 0 => Some(Barrier { cell: middle, is_landed_on: false }),
                        _ => landed_on,
                    };
                    let is_open = barrier.is_none();
                    let template =
                        Template { sentence, passed, kind, own, from, to, over: over | middle, emptied, barrier };
                    found(future, &template, is_open && applies);
                    is_open
                };
                match &sentence.action {
                    Action::Place { .. } => {
                        for to in Cells(game.rules.cells).map(bit) {
                            one(self, 0, [0, 0], to, 0);
                        }
                    }
                    Action::Step { steps, .. } => {
                        for (from, to) in steps.pairs().filter(|(from, _)| pieces & bit(*from) != 0) {
                            one(self, bit(from), [0, 0], bit(to), 0);
                        }
                    }
                    Action::Slide { rays, .. } => {
                        for from in Cells(pieces) {
                            for ray in rays.from(from) {
                                let mut passed = 0;
                                for to in ray.iter().map(|to| bit((*to).into())) {
                                    one(self, bit(from), [passed, 0], to, 0);
                                    if may_over & to == 0 {
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
                                let mut passed = (0, 0);
                                for hop in ray.chunks_exact(2) {
                                    let [middle, to] = [hop[0], hop[1]].map(|cell| bit(cell.into()));
                                    let emptied = if *capturing { passed.1 | middle } else { 0 };
                                    // The cells of earlier hops, but for those hopped over, are landed on.
                                    let is_open = one(self, bit(from), [passed.0, middle], to, emptied);
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

impl Sentence {
    /// Whether it is under no condition, and does nothing but put a piece on a cell.
    const fn is_plain(&self) -> bool {
        self.when.is_empty() && self.effects.is_empty() && self.tests.is_empty()
    }

    /// Returns the steps and where they lead, if they are plain and depend only on what stands on the cell. Such steps are followed all
    /// at once.
    fn plain_step(&self, blocked: Kind) -> Option<(&Relation, &Set)> {
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
    const fn passed(&self) -> (Option<&Set>, Option<&Set>) {
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
impl Partizan for BoardGame {
    type Position = Position;

    fn options(&self, position: &Position, player: Player) -> impl Iterator<Item = Position> {
        let position = self.with_mover(position, player);
        let all: Vec<_> =
            self.moves(&position).map(|mv| self.with_mover(&self.play(&position, mv), Player::Left)).collect();
        all.into_iter()
    }

    fn split(&self, position: &Position, parts: &mut Vec<Position>) {
        if self.0.has_parts { self.0.split(position, |part, _| parts.push(part)) } else { parts.push(*position) }
    }

    fn canonical(&self, position: &Position) -> (Position, bool) {
        self.0.canonical_part(position)
    }

    fn max_plies(&self, position: &Position) -> Option<u32> {
        self.layer(position)
    }

    fn rank(&self, position: &Position, player: Player) -> i32 {
        if self.0.is_ranked { self.0.rank(&self.with_mover(position, player.other())) } else { 0 }
    }
}

impl BoardGame {
    /// Returns the position with this player to move.
    pub(crate) fn with_mover(&self, position: &Position, player: Player) -> Position {
        Position { second_to_move: player == Player::Right && self.0.rules.players.len() == 2, ..*position }
    }

    /// Whether the other game has the same rules on the same board, from any position.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let (one, other) = (&self.0, &other.0);
        one.rules == other.rules && one.geometry.board == other.geometry.board && one.glyphs == other.glyphs
    }
}
