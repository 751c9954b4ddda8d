//! Sets and conditions in a position, as a player sees them.

use super::board::{Set, each};
use super::parse::{Amount, Cells, Condition, Does, Pattern, Sentence, Unit};
use super::{Language, State, number};
use crate::Result;
use crate::untrusted::meter::Meter;

/// A position, as one player sees it before, during or after a move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'s> {
    pub(crate) language: &'s Language,
    pub(crate) state: &'s State,
    pub(crate) player: usize,
    /// The cell that the move goes to, and the one it comes from.
    pub(crate) here: Option<usize>,
    pub(crate) origin: Option<usize>,
    /// Whether it is being found which cells the player attacks: no cell is attacked in that.
    pub(crate) is_attack: bool,
    pub(crate) meter: &'s Meter,
}

/// The set of one cell.
fn one(cell: Option<usize>) -> Set {
    cell.map_or(0, |cell| 1 << cell)
}

impl<'s> View<'s> {
    pub(crate) fn new(language: &'s Language, state: &'s State, player: usize, meter: &'s Meter) -> Self {
        Self { language, state, player, here: None, origin: None, is_attack: false, meter }
    }

    /// The cells with one of these pieces.
    pub(crate) fn with(&self, pieces: &[u8]) -> Set {
        let cells = self.state.cells[..self.language.cells()].iter().rev();
        cells.fold(0, |set, piece| set << 1 | Set::from(pieces.contains(piece))) & self.language.map.all
    }

    pub(crate) fn own(&self) -> Set {
        self.with(self.language.pieces(self.player))
    }

    pub(crate) fn enemy(&self) -> Set {
        self.with(self.language.pieces(1 - self.player))
    }

    /// The cells of a set.
    pub(crate) fn cells(&self, cells: &Cells) -> Result<Set> {
        let reads_all = matches!(cells, Cells::Piece(_) | Cells::Empty | Cells::Own | Cells::Enemy | Cells::Of(_));
        self.meter.spend(16 + if reads_all { self.language.cells() as u64 } else { 0 })?;
        let map = &self.language.map;
        Ok(match cells {
            Cells::Fixed(set) => *set,
            Cells::Piece(piece) => self.with(&[*piece]),
            Cells::Empty => self.with(b"."),
            Cells::Own => self.own(),
            Cells::Enemy => self.enemy(),
            Cells::Of(player) => self.with(self.language.pieces(*player)),
            Cells::Here => one(self.here),
            Cells::Origin => one(self.origin),
            Cells::Attacked => self.attacked()?,
            Cells::Step(ways, set) => self.step(self.cells(set)?, *ways)?,
            Cells::Reach(ways, set) => {
                let mut found = self.cells(set)?;
                loop {
                    let more = self.step(found, *ways)? & !found;
                    if more == 0 {
                        break found;
                    }
                    found |= more;
                }
            }
            Cells::Pattern(pattern) => self.places(pattern)?.iter().fold(0, |found, place| found | place),
            Cells::Not(set) => map.all & !self.cells(set)?,
            Cells::And(sets) => sets.iter().try_fold(map.all, |found, set| Ok(found & self.cells(set)?))?,
            Cells::Or(sets) => sets.iter().try_fold(0, |found, set| Ok(found | self.cells(set)?))?,
        })
    }

    fn step(&self, set: Set, ways: u8) -> Result<Set> {
        self.meter.spend(16 + 12 * u64::from(set.count_ones()))?;
        Ok(self.language.map.step(set, ways))
    }

    /// The cells onto which a piece of the other player can go, whatever `when`, `if`, `unless` and `otherwise` say.
    fn attacked(&self) -> Result<Set> {
        if self.is_attack {
            return Ok(0);
        }
        let other = 1 - self.player;
        let mut found = 0;
        for sentence in self.language.sentences(other) {
            if matches!(sentence.does, Does::Place | Does::Drop | Does::Push | Does::Sow | Does::Pass) {
                continue;
            }
            let movers = self.with(&sentence.pieces) & self.with(self.language.pieces(other));
            for from in each(movers) {
                let view = Self { player: other, here: None, origin: Some(from), is_attack: true, ..*self };
                found |= view.targets(sentence, from)?.iter().fold(0, |set, (to, _)| set | 1 << to);
            }
        }
        Ok(found)
    }

    /// Where a piece can go from a cell, in the order of directions and leaps, and what it hops over.
    pub(crate) fn targets(&self, sentence: &Sentence, from: usize) -> Result<Vec<(usize, Set)>> {
        // Nothing moves onto a blocked cell, or through it.
        let open = !self.with(b"#");
        let over = self.cells(&sentence.over)? & open;
        let onto = sentence.onto.as_ref().map(|onto| Ok(self.cells(onto)? & open)).transpose()?;
        let (map, stays) = (&self.language.map, onto.unwrap_or(over));
        let is_in = |set: Set, cell: u8| set >> cell & 1 == 1;
        let mut targets = Vec::new();
        self.meter.spend(64 + 64 * sentence.leaps.len() as u64)?;
        for &leap in &sentence.leaps {
            targets.extend(each(map.leap(from, leap) & stays).map(|to| (to, 0)));
        }
        for ray in map.rays(from, sentence.ways) {
            self.meter.spend(16 + 8 * ray.len() as u64)?;
            match sentence.does {
                Does::Step => {
                    targets.extend(ray.first().filter(|to| is_in(stays, **to)).map(|to| (usize::from(*to), 0)))
                }
                Does::Slide => {
                    for &cell in ray.iter().take(sentence.max_steps.unwrap_or(ray.len())) {
                        if is_in(stays, cell) {
                            targets.push((cell.into(), 0));
                        }
                        if !is_in(over, cell) {
                            break;
                        }
                    }
                }
                Does::Hop => {
                    let mut hopped = 0;
                    for pair in ray.chunks_exact(2).take(if sentence.repeatedly { ray.len() } else { 1 }) {
                        if !is_in(over, pair[0]) || !is_in(stays, pair[1]) {
                            break;
                        }
                        hopped |= 1 << pair[0];
                        targets.push((pair[1].into(), hopped));
                    }
                }
                _ => {}
            }
        }
        Ok(targets)
    }

    /// The places where a pattern is.
    fn places(&self, pattern: &Pattern) -> Result<Vec<Set>> {
        let (map, set) = (&self.language.map, self.cells(&pattern.cells)?);
        self.meter.spend(64 + 8 * map.cells_of_lines())?;
        let mut places =
            if pattern.is_square { map.squares_in(set) } else { map.rows_in(set, pattern.count, pattern.exactly) };
        if let Some(sum) = pattern.sum {
            self.meter.spend(64 * places.len() as u64)?;
            let largest = self.language.numbers.max(9);
            let number = |cell: usize| number(self.state.cells[cell], largest);
            places.retain(|place| each(*place).map(number).sum::<usize>() == sum);
        }
        Ok(places)
    }

    pub(crate) fn all(&self, conditions: &[Condition]) -> Result<bool> {
        conditions.iter().try_fold(true, |all, condition| Ok(all && self.holds(condition)?))
    }

    /// How much an amount is.
    pub(crate) fn total(&self, amount: &Amount) -> Result<i64> {
        let cells = each(self.cells(&amount.cells)? & self.language.map.all);
        self.meter.spend(16)?;
        let largest = self.language.numbers;
        Ok(match &amount.unit {
            Unit::One => cells.count() as i64,
            Unit::Number => cells.map(|cell| number(self.state.cells[cell], largest) as i64).sum(),
            Unit::Weights(weights) => cells.map(|cell| weights[cell]).sum(),
        })
    }

    /// The groups of a set: its cells that are connected by being adjacent.
    fn groups(&self, mut set: Set) -> Result<Vec<Set>> {
        let mut groups = Vec::new();
        while set != 0 {
            let mut group = set & set.wrapping_neg();
            loop {
                let more = self.step(group, self.language.map.adjacent())? & set & !group;
                if more == 0 {
                    break;
                }
                group |= more;
            }
            groups.push(group);
            set &= !group;
        }
        Ok(groups)
    }

    fn holds(&self, condition: &Condition) -> Result<bool> {
        self.meter.spend(16)?;
        let map = &self.language.map;
        Ok(match condition {
            Condition::Count(least, most, amount) => (*least..=*most).contains(&self.total(amount)?),
            Condition::Pattern(pattern) => !self.places(pattern)?.is_empty(),
            Condition::Connects(cells, count, sides) => {
                let groups = self.groups(self.cells(cells)?)?;
                let sides = sides.iter().map(|side| self.cells(side)).collect::<Result<Vec<_>>>()?;
                groups.iter().any(|group| sides.iter().filter(|side| *side & group != 0).count() >= *count)
            }
            Condition::Encloses(cells, inner) => {
                self.meter.spend(8 * self.language.cells() as u64)?;
                let (wall, inner) = (self.cells(cells)?, self.cells(inner)?);
                let mut open = map.rim();
                loop {
                    let more = self.step(open & !wall, map.adjacent())? & !open;
                    if more == 0 {
                        break inner & map.all & !open != 0;
                    }
                    open |= more;
                }
            }
            Condition::Touches(cells, other) => {
                let (groups, other) = (self.groups(self.cells(cells)?)?, self.cells(other)?);
                groups.iter().try_fold(true, |all, group| Ok(all && self.step(*group, map.adjacent())? & other != 0))?
            }
            Condition::InHand(piece, wanted) => {
                let is_own = self.language.pieces(self.player).contains(piece);
                (is_own && self.state.in_hand(self.language, *piece) > 0) == *wanted
            }
            Condition::ToMove(player) => self.state.turn == *player,
        })
    }
}
