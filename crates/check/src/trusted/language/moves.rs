//! Moves in a position, and what they change.

use std::collections::HashMap;

use super::board::{Set, each};
use super::parse::{Does, Effect, Sentence};
use super::view::View;
use super::{Language, State, Stuck, number, too_many};
use crate::Result;
use crate::trusted::game::Position;
use crate::untrusted::meter::Meter;

/// A move, and the position after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Play {
    pub(crate) number: u32,
    pub(crate) after: Position,
    pub(crate) keeps_turn: bool,
}

/// The most moves of a position, and of those that read alike.
const MAX_MOVES: usize = 1 << 16;
const MAX_ALIKE: usize = 1 << 7;

/// The numbers of moves: what they are, 3 bits; the cell they come from or the number of a piece, 7 bits; the cell they go to, 7
/// bits; the cell of a shot, 7 bits, and whether there is one; how many moves before read alike.
const PLACE: u32 = 0;
const PLACE_PIECE: u32 = 1;
const DROP: u32 = 2;
const GO: u32 = 3;
const PASS: u32 = 4;
const SOW: u32 = 5;
const ALIKE_SHIFT: u32 = 25;

/// A move that is being made.
struct Making<'m> {
    sentence: &'m Sentence,
    player: usize,
    piece: u8,
    from: Option<usize>,
    to: Option<usize>,
    hopped: Set,
    /// The cells that are pushed towards the one where it begins.
    pushed: &'m [u8],
    number: u32,
}

/// The moves found so far in a position.
struct Found<'m> {
    /// Whether one is enough.
    is_one_enough: bool,
    plays: Vec<Play>,
    /// The moves that read alike.
    alike: HashMap<u32, Vec<usize>>,
    meter: &'m Meter,
}

impl Language {
    /// The moves of the player to move, by whom play has not ended.
    pub(crate) fn plays(&self, state: &State, meter: &Meter) -> Result<Vec<Play>> {
        let mut plays = self.find_plays(state, false, meter)?;
        if plays.is_empty() && self.stuck == Stuck::Passes {
            let turn = if self.count_players() == 1 { 0 } else { 1 - state.turn };
            let after = self.pack(&State { turn, going: None, ..state.clone() });
            plays.push(Play { number: PASS << 22, after, keeps_turn: false });
        }
        Ok(plays)
    }

    /// Whether a sentence gives the player to move a move.
    pub(crate) fn can_move(&self, state: &State, meter: &Meter) -> Result<bool> {
        Ok(!self.find_plays(state, true, meter)?.is_empty())
    }

    fn find_plays(&self, state: &State, is_one_enough: bool, meter: &Meter) -> Result<Vec<Play>> {
        let mut found = Found { is_one_enough, plays: Vec::new(), alike: HashMap::new(), meter };
        let mut applies = true;
        for sentence in self.sentences(state.turn) {
            if !sentence.or {
                applies = !sentence.otherwise || found.plays.is_empty();
            }
            if applies && (state.going.is_none() || !sentence.go_on.is_empty()) {
                self.apply_sentence(sentence, state, &mut found)?;
            }
            if found.is_one_enough && !found.plays.is_empty() {
                break;
            }
        }
        Ok(found.plays)
    }

    /// Adds the moves of a sentence, by pieces or the cells that they come from, then by where they go.
    fn apply_sentence(&self, sentence: &Sentence, state: &State, found: &mut Found<'_>) -> Result<()> {
        let player = state.turn;
        let view = View::new(self, state, player, found.meter);
        let (does, piece) = (sentence.does, b'.');
        let pass = Making { sentence, player, piece, from: None, to: None, hopped: 0, pushed: &[], number: PASS << 22 };
        if does == Does::Pass {
            return self.make(&pass, state, found);
        }
        if matches!(does, Does::Place | Does::Drop) {
            let onto = sentence.onto.as_ref().map_or(Ok(0), |onto| view.cells(onto))? & self.map.all;
            for &piece in sentence.pieces.iter().filter(|piece| does == Does::Place || state.in_hand(self, **piece) > 0)
            {
                let kind = self.kind(piece).map_or(0, |kind| kind as u32);
                let number = match (does, self.places_several(player)) {
                    (Does::Drop, _) => DROP << 22 | kind << 15,
                    (_, true) => PLACE_PIECE << 22 | kind << 15,
                    (_, false) => PLACE << 22,
                };
                for to in each(onto) {
                    let number = number | (to as u32) << 8;
                    self.make(&Making { piece, to: Some(to), number, ..pass }, state, found)?;
                }
            }
            return Ok(());
        }
        if does == Does::Sow {
            let from = sentence.onto.as_ref().map_or(Ok(0), |from| view.cells(from))?;
            for (n, cell) in sentence.along.iter().copied().enumerate().filter(|(_, cell)| from >> cell & 1 == 1) {
                let seeds = number(state.cells[cell], self.numbers);
                let to = Some(sentence.along[(n + seeds) % sentence.along.len()]);
                if seeds > 0 {
                    let number = SOW << 22 | (cell as u32) << 15;
                    self.make(&Making { from: Some(cell), to, number, ..pass }, state, found)?;
                }
            }
            return Ok(());
        }
        if does == Does::Push {
            let open = self.map.all & !view.with(b"#");
            let out = sentence.onto.as_ref().map_or(Ok(0), |out| view.cells(out))? & open;
            for from in each(out) {
                for ray in self.map.rays(from, sentence.ways).filter(|ray| ray.iter().all(|cell| open >> cell & 1 == 1))
                {
                    let to = ray.last().map(|to| usize::from(*to));
                    let number = GO << 22 | (from as u32) << 15 | (to.unwrap_or(0) as u32) << 8;
                    for &piece in &sentence.pieces {
                        let making = Making { piece, from: Some(from), to, pushed: ray, number, ..pass };
                        self.make(&making, state, found)?;
                    }
                }
            }
            return Ok(());
        }
        for from in (0..self.cells()).filter(|cell| sentence.pieces.contains(&state.cells[*cell])) {
            for (to, hopped) in (View { origin: Some(from), ..view }).targets(sentence, from)? {
                let number = GO << 22 | (from as u32) << 15 | (to as u32) << 8;
                let piece = state.cells[from];
                let making = Making { piece, from: Some(from), to: Some(to), hopped, number, ..pass };
                self.make(&making, state, found)?;
            }
        }
        Ok(())
    }

    /// Whether a player's sentences place more than one kind of piece.
    fn places_several(&self, player: usize) -> bool {
        let placed = self.sentences(player).iter().filter(|sentence| sentence.does == Does::Place);
        let mut pieces = placed.flat_map(|sentence| &sentence.pieces);
        let first = pieces.next();
        pieces.any(|piece| Some(piece) != first)
    }

    /// Makes a move, and adds it as often as its effects leave a choice, if its conditions hold.
    fn make(&self, making: &Making<'_>, state: &State, found: &mut Found<'_>) -> Result<()> {
        if found.is_one_enough && !found.plays.is_empty() {
            return Ok(());
        }
        if state.going.is_some() && making.from != state.going {
            return Ok(());
        }
        if found.plays.len() >= MAX_MOVES {
            return Err(too_many("moves"));
        }
        let &Making { sentence, piece, from, to, .. } = making;
        found.meter.spend(64 + self.cells() as u64)?;
        if !making.view(self, state, found.meter).all(&sentence.when)? {
            return Ok(());
        }
        let mut after = state.clone();
        if let Some(to) = to {
            if let (Some(from), Does::Sow) = (from, sentence.does) {
                after.cells[from] = b'.';
                let seeds = number(state.cells[from], self.numbers);
                let later = sentence.along.iter().cycle().skip_while(|cell| **cell != from).skip(1);
                later.take(seeds).for_each(|cell| self.add(&mut after, *cell, 1));
                return self.apply(making, &sentence.effects, after, None, found);
            }
            if let (Some(from), Does::Push) = (from, sentence.does) {
                let mut gap = from;
                for cell in making.pushed.iter().map(|cell| usize::from(*cell)) {
                    after.cells[gap] = state.cells[cell];
                    gap = cell;
                }
            } else if let Some(from) = from {
                after.cells[from] = b'.';
                self.capture(&mut after, making.player, state.cells[to])?;
            } else if let Some(kind) = self.kind(piece).filter(|_| sentence.does == Does::Drop) {
                after.hands[kind] -= 1;
            }
            after.cells[to] = piece;
        }
        self.apply(making, &sentence.effects, after, None, found)
    }

    /// Adds to the number on a cell, up to the largest.
    fn add(&self, state: &mut State, cell: usize, more: usize) {
        let sum = (number(state.cells[cell], self.numbers) + more).min(self.numbers);
        state.cells[cell] = b".123456789abcdef"[sum];
    }

    /// Puts a captured piece into the hand of a player, if `captures` names it.
    fn capture(&self, state: &mut State, player: usize, piece: u8) -> Result<()> {
        let becomes = self.player(player).captures.iter().find(|(captured, _)| *captured == piece);
        if let Some(kind) = becomes.and_then(|(_, becomes)| self.kind(*becomes)) {
            state.hands[kind] = state.hands[kind].checked_add(1).ok_or_else(|| too_many("pieces in hand"))?;
        }
        Ok(())
    }

    /// Applies effects one after the other, and adds the move.
    fn apply(
        &self,
        making: &Making<'_>,
        effects: &[Effect],
        mut state: State,
        shot: Option<usize>,
        found: &mut Found<'_>,
    ) -> Result<()> {
        for (n, effect) in effects.iter().enumerate() {
            found.meter.spend(64 + self.cells() as u64)?;
            // Puts the piece on each of the cells in turn, and goes on from there.
            let choose = |cells: Set, piece: u8, state: &State, found: &mut Found<'_>| {
                each(cells).try_for_each(|cell| {
                    let mut after = state.clone();
                    after.cells[cell] = piece;
                    self.apply(making, &effects[n + 1..], after, Some(cell), found)
                })
            };
            match effect {
                Effect::Capture => {
                    for cell in each(making.hopped) {
                        let piece = std::mem::replace(&mut state.cells[cell], b'.');
                        self.capture(&mut state, making.player, piece)?;
                    }
                }
                Effect::Leave(piece) => {
                    if let Some(from) = making.from {
                        state.cells[from] = *piece;
                    }
                }
                Effect::Becomes(cells, piece) => {
                    let cells = making.view(self, &state, found.meter).cells(cells)? & self.map.all;
                    each(cells).for_each(|cell| state.cells[cell] = *piece);
                }
                Effect::Flip(ways) => {
                    let flipped = self.flipped(making, &state, *ways, found.meter);
                    if flipped == 0 {
                        return Ok(());
                    }
                    each(flipped).for_each(|cell| state.cells[cell] = making.piece);
                }
                Effect::Shoot(ways, over, piece) => {
                    let over = making.view(self, &state, found.meter).cells(over)?;
                    let is_open = |cell: &&u8| over >> **cell & 1 == 1 && state.cells[usize::from(**cell)] != b'#';
                    let rays = making.to.into_iter().flat_map(|to| self.map.rays(to, *ways));
                    let reached = rays.flat_map(|ray| ray.iter().take_while(is_open));
                    return choose(reached.fold(0, |set, cell| set | 1 << cell), *piece, &state, found);
                }
                Effect::Collect(cells, to) => {
                    let cells = making.view(self, &state, found.meter).cells(cells)? & self.map.all & !(1 << to);
                    let seeds = each(cells).map(|cell| number(state.cells[cell], self.numbers)).sum();
                    each(cells).for_each(|cell| state.cells[cell] = b'.');
                    self.add(&mut state, *to, seeds);
                }
                Effect::One(cells, piece) => {
                    let cells = making.view(self, &state, found.meter).cells(cells)? & self.map.all;
                    return choose(cells, *piece, &state, found);
                }
            }
        }
        self.finish(making, state, shot, found)
    }

    /// The enemy's pieces in lines from the cell that a move goes to, up to an own piece.
    fn flipped(&self, making: &Making<'_>, state: &State, ways: u8, meter: &Meter) -> Set {
        let view = making.view(self, state, meter);
        let (own, enemy) = (view.own(), view.enemy());
        let mut flipped = 0;
        for ray in making.to.into_iter().flat_map(|to| self.map.rays(to, ways)) {
            let mut line: Set = 0;
            for &cell in ray {
                if own >> cell & 1 == 1 {
                    flipped |= line;
                    break;
                }
                if enemy >> cell & 1 == 0 {
                    break;
                }
                line |= 1 << cell;
            }
        }
        flipped
    }

    /// Adds a move whose effects have happened, if its conditions hold.
    fn finish(&self, making: &Making<'_>, mut state: State, shot: Option<usize>, found: &mut Found<'_>) -> Result<()> {
        let view = making.view(self, &state, found.meter);
        for (wanted, all) in &making.sentence.then {
            if view.all(all)? != *wanted {
                return Ok(());
            }
        }
        if found.is_one_enough {
            // The effects after the move are of no account.
            found.plays.push(Play { number: making.number, after: self.pack(&state), keeps_turn: false });
            return Ok(());
        }
        let mut keeps_turn = making.sentence.again.iter().try_fold(false, |keeps, all| Ok(keeps || view.all(all)?))?;
        let goes_on = making.sentence.go_on.iter().try_fold(false, |goes, all| Ok(goes || view.all(all)?))?;
        state.going = making.to.filter(|_| goes_on);
        if goes_on && self.can_move(&state, found.meter)? {
            keeps_turn = true;
        } else {
            state.going = None;
        }
        if !keeps_turn && self.count_players() == 2 {
            state.turn = 1 - state.turn;
        }
        let number = making.number | shot.map_or(0, |cell| 1 << 7 | cell as u32);
        let after = self.pack(&state);
        let Found { plays, alike, meter, .. } = found;
        let alike = alike.entry(number).or_default();
        meter.spend(128 + 4 * (self.cells() + alike.len()) as u64)?;
        if alike.iter().any(|n| plays[*n].after == after && plays[*n].keeps_turn == keeps_turn) {
            return Ok(());
        }
        if alike.len() >= MAX_ALIKE {
            return Err(too_many("moves that read alike"));
        }
        plays.push(Play { number: number | (alike.len() as u32) << ALIKE_SHIFT, after, keeps_turn });
        alike.push(plays.len() - 1);
        Ok(())
    }

    /// Formats a move by its number.
    pub(crate) fn write_play(&self, number: u32) -> String {
        let cell = |cell: u32| format!("{},{}", cell as usize / self.map.cols, cell as usize % self.map.cols);
        let (first, to) = (number >> 15 & 127, cell(number >> 8 & 127));
        let piece = self.kinds.get(first as usize).map_or('?', |piece| char::from(*piece));
        let mut text = match number >> 22 & 7 {
            PLACE => to,
            PLACE_PIECE => format!("{piece}{to}"),
            DROP => format!("{piece}@{to}"),
            SOW => cell(first),
            GO => format!("{}>{to}", cell(first)),
            _ => "pass".into(),
        };
        if number >> 7 & 1 == 1 {
            text += &format!("*{}", cell(number & 127));
        }
        text + &"'".repeat((number >> ALIKE_SHIFT) as usize)
    }
}

impl Making<'_> {
    fn view<'s>(&self, language: &'s Language, state: &'s State, meter: &'s Meter) -> View<'s> {
        View { here: self.to, origin: self.from, ..View::new(language, state, self.player, meter) }
    }
}
