//! The rules language: games whose rules files state them in sentences, compiled to bitboards.
//!
//! `docs/language.md` is the language. A file is read in three steps: its sentences become rules on one board
//! (`parse`), from which symmetries, the layer and whether play may repeat are derived (`derive`); the
//! [game](BoardGame) then plays by them. The checker of certificates has an interpreter of its own.

mod derive;
mod family;
mod file;
mod geometry;
pub(crate) mod messages;
mod notation;
mod parse;
mod parts;
mod rules;
mod sums;

use std::sync::Arc;

use arrayvec::ArrayVec;
use balpan::{BoxedSolver, Budget, EngineCore, Game, Goal, MAX_KEY_BITS, Outcome, UNRANKED, Watch};

use crate::board::{Board, CellSet, Cells};
use derive::{Layer, Symmetry};
pub(crate) use family::{LanguageValues, values};
pub(crate) use file::FAMILY;
use file::LanguageFile;
use geometry::{Geometry, Rays, Relation};
pub use messages::LanguageError;
use parts::Touching;
use rules::{Action, BoardRules, EMPTY, Effect, Kind, MAX_KINDS, PlayerRules, Sentence, Stuck, View};
use sums::SumSolver;

/// A game whose rules are stated in the rules language, on one board. `W` is a word with a bit for each cell: `u64`, or `u128` for
/// boards of more than 64 cells.
#[derive(Clone, Debug)]
pub struct BoardGame<W: CellSet = u64>(Arc<Compiled<W>>, Position<W>);

/// The largest number of cells of a board.
const MAX_CELLS: usize = u128::CELLS;

/// Whether a board has more cells than fit into 64 bits.
const fn is_wide(board: Board) -> bool {
    board.cells() > Board::MAX_CELLS
}

#[derive(Clone, Debug)]
struct Compiled<W> {
    file: Arc<LanguageFile>,
    geometry: Geometry<W>,
    /// The file's own names for sets of cells.
    regions: Vec<(String, W)>,
    /// The file's own names for numbers of cells.
    weights: Vec<(String, Arc<[i32]>)>,
    rules: BoardRules<W>,
    /// The character of each kind.
    glyphs: Vec<char>,
    /// The same as a text.
    cell_glyphs: String,
    /// The first position without the pieces on the board.
    empty: Position<W>,
    /// Whether the second of the two players moves first.
    second_begins: bool,
    /// Whether a move may keep the turn.
    keeps_turn: bool,
    /// Whether a piece that has moved may have to go on.
    goes_on: bool,
    symmetries: Vec<Symmetry<W>>,
    /// The number that every move lowers; `None` if play may repeat.
    layer: Option<Layer<W>>,
    /// The kind of a blocked cell.
    blocked: Kind,
    /// Whether moves are ranked by how many moves they leave: play ends because there are none, and no move is refused by a test,
    /// which would take long to count.
    is_ranked: bool,
    /// Whether the rules are the same wherever a part lies on the board.
    is_uniform: bool,
    /// Whether positions may fall apart into independent parts.
    has_parts: bool,
    /// The groups of pieces that must touch others after every move, in games of nothing but placements under such conditions.
    touching: Vec<Touching<W>>,
}

/// The largest number of planes of bits that hold the kinds of pieces.
const MAX_PLANES: usize = 4;

/// A position: a kind of piece on every cell, pieces in hand, and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position<W = u64> {
    /// Whether the second of the two players is to move; never where both have the same moves and no move keeps the turn.
    second_to_move: bool,
    /// How play has ended by a condition, for the player to move: 0 if it has not, or one of `LOSS`, `DRAW` and `WIN`. It follows
    /// from the rest.
    end: u8,
    /// The cell of the piece that must go on; [`NO_CELL`] if there is none.
    going: u8,
    /// The bits of the kind on each cell.
    planes: [W; MAX_PLANES],
    /// The numbers of pieces in hand.
    hand: u64,
}

const LOSS: u8 = 1;
const DRAW: u8 = 2;
const WIN: u8 = 3;

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The number of the sentence, or [`FORCED_PASS`].
    sentence: u8,
    /// The kind of the piece that is placed or moved.
    kind: Kind,
    /// The cell that it leaves; [`NO_CELL`] if it is placed.
    from: u8,
    /// The cell that it goes to; [`NO_CELL`] for a pass.
    to: u8,
    /// The number of the line that it goes along.
    ray: u8,
    /// The cell of the shot; [`NO_CELL`] if there is none.
    shot: u8,
}

const NO_CELL: u8 = u8::MAX;
/// The sentence of the pass of a player who cannot move.
const FORCED_PASS: u8 = u8::MAX;
const PASS: Move = Move { sentence: FORCED_PASS, kind: EMPTY, from: NO_CELL, to: NO_CELL, ray: 0, shot: NO_CELL };

/// Returns the set of one cell; empty for [`NO_CELL`].
#[inline]
fn cell_set<W: CellSet>(cell: u8) -> W {
    if cell == NO_CELL { W::zero() } else { W::bit(cell.into()) }
}

impl<W: CellSet> Compiled<W> {
    fn player(&self, position: &Position<W>) -> &PlayerRules<W> {
        &self.rules.players[self.rules.side(position.second_to_move)]
    }

    fn view<'v>(&'v self, position: &'v Position<W>) -> View<'v, W> {
        View::of(&self.rules, position)
    }

    /// Calls `found` for every move of the player to move until it returns `true`. Returns whether it did.
    #[inline]
    fn generate(&self, position: &Position<W>, found: &mut impl FnMut(Move) -> bool) -> bool {
        let player = self.player(position);
        let (mut has_moves, mut applies, going) = (false, true, position.going);
        for (n, sentence) in player.sentences.iter().enumerate() {
            applies = if sentence.or { applies } else { !(sentence.otherwise && has_moves) };
            let may_move = going == NO_CELL || sentence.goes_on();
            if !(applies && may_move && self.view(position).all_hold(&sentence.when)) {
                continue;
            }
            let mut found = |mv: Move| {
                if going != NO_CELL && mv.from != going {
                    return false;
                }
                has_moves = true;
                found(mv)
            };
            if self.generate_by(position, sentence, n as u8, &mut found) {
                return true;
            }
        }
        false
    }

    /// Calls `found` for every move by a sentence until it returns `true`. Returns whether it did.
    #[inline]
    fn generate_by(
        &self,
        position: &Position<W>,
        sentence: &Sentence<W>,
        n: u8,
        found: &mut impl FnMut(Move) -> bool,
    ) -> bool {
        if sentence.effects.is_empty() && sentence.tests.is_empty() {
            return self.raw_moves(position, sentence, n, found);
        }
        let shot = sentence.effects.iter().position(|effect| matches!(effect, Effect::Shoot(..)));
        self.raw_moves(position, sentence, n, &mut |mv| {
            if let Some(at) = shot
                && let Effect::Shoot(rays, over, _) = &sentence.effects[at]
            {
                let mut after = *position;
                if !self.apply(&mut after, sentence, &sentence.effects[..at], mv) {
                    return false;
                }
                let over = self.view_after(&after, mv).cells(over);
                let mut shoot = |shot: u8| {
                    let mv = Move { shot, ..mv };
                    self.is_allowed(position, sentence, mv) && found(mv)
                };
                let Some(rays) = rays else { return Cells(over).any(|cell| shoot(cell as u8)) };
                let reached = |ray: &Vec<u8>, shoot: &mut dyn FnMut(u8) -> bool| {
                    ray.iter().take_while(|cell| over.contains((**cell).into())).any(|cell| shoot(*cell))
                };
                return rays.from(mv.to.into()).iter().any(|ray| reached(ray, &mut shoot));
            }
            self.is_allowed(position, sentence, mv) && found(mv)
        })
    }

    /// Returns whether a move flips what it must, and the tests after it hold.
    #[inline]
    fn is_allowed(&self, position: &Position<W>, sentence: &Sentence<W>, mv: Move) -> bool {
        if sentence.tests.is_empty() && !sentence.effects.iter().any(|effect| matches!(effect, Effect::Flip(..))) {
            return true;
        }
        let mut after = *position;
        let is_whole = self.apply(&mut after, sentence, &sentence.effects, mv);
        let view = self.view_after(&after, mv);
        is_whole && sentence.tests.iter().all(|(test, wanted)| view.all_hold(test) == *wanted)
    }

    /// Calls `found` for the moves of a sentence, without shots and before any test, until it returns `true`. Returns whether it did.
    #[inline]
    fn raw_moves(
        &self,
        position: &Position<W>,
        sentence: &Sentence<W>,
        n: u8,
        found: &mut impl FnMut(Move) -> bool,
    ) -> bool {
        let view = self.view(position);
        let mv = |kind: Kind, from: usize, to: usize, ray: usize| Move {
            sentence: n,
            kind,
            from: from as u8,
            to: to as u8,
            ray: ray as u8,
            shot: NO_CELL,
        };
        match &sentence.action {
            Action::Pass => found(Move { sentence: n, ..PASS }),
            Action::Place { on, from_hand } => {
                let on = view.cells(on);
                sentence.kinds.iter().any(|kind| {
                    (!from_hand || self.rules.in_hand(position, *kind) > 0)
                        && Cells(on).any(|cell| found(mv(*kind, NO_CELL.into(), cell, 0)))
                })
            }
            Action::Sow { from, along } => {
                let from = view.cells(from);
                along.iter().enumerate().any(|(at, &cell)| {
                    let number = self.rules.number_on(position, cell.into()) as usize;
                    let to = along[(at + number) % along.len()];
                    from.contains(cell.into()) && number > 0 && found(mv(EMPTY, cell.into(), to.into(), at))
                })
            }
            Action::Push { rays, from, over } => {
                let over = view.cells(over);
                let from = view.cells(from) & over;
                let is_open = |ray: &&[u8]| ray.iter().all(|cell| over.contains((*cell).into()));
                sentence.kinds.iter().any(|kind| {
                    Cells(from).any(|from| {
                        let mut rays = rays.from(from).iter().map(Vec::as_slice).enumerate();
                        rays.any(|(n, ray)| {
                            is_open(&ray) && found(mv(*kind, from, ray.last().copied().unwrap_or(NO_CELL).into(), n))
                        })
                    })
                })
            }
            Action::Step { steps: Relation(steps), onto } => {
                let onto = view.cells(onto);
                sentence.kinds.iter().any(|kind| {
                    let pieces = self.rules.holding(position, 1 << kind);
                    steps.iter().any(|&(by, from)| {
                        let to = geometry::shifted(pieces & from, by) & onto;
                        Cells(to).any(|to| found(mv(*kind, (to as i8 - by) as usize, to, 0)))
                    })
                })
            }
            Action::Slide { rays, over, onto } => {
                let (over, onto) = (view.cells(over), onto.as_ref().map(|onto| view.cells(onto)));
                self.along_rays(position, sentence, rays, |kind, from, n, ray| {
                    for to in ray.iter().map(|to| usize::from(*to)) {
                        if onto.unwrap_or(over).contains(to) && found(mv(kind, from, to, n)) {
                            return true;
                        }
                        if !over.contains(to) {
                            break;
                        }
                    }
                    false
                })
            }
            Action::Hop { rays, over, onto, repeatedly, .. } => {
                let (over, onto) = (view.cells(over), view.cells(onto));
                self.along_rays(position, sentence, rays, |kind, from, n, ray| {
                    for hop in ray.chunks_exact(2) {
                        let [middle, to] = [hop[0], hop[1]];
                        if !over.contains(middle.into()) || !onto.contains(to.into()) {
                            break;
                        }
                        if found(mv(kind, from, to.into(), n)) {
                            return true;
                        }
                        if !repeatedly {
                            break;
                        }
                    }
                    false
                })
            }
        }
    }

    /// Calls `of_ray` with the kind and the cell of each piece that a sentence moves, and each line from it with its number, until it
    /// returns `true`. Returns whether it did.
    #[inline]
    fn along_rays(
        &self,
        position: &Position<W>,
        sentence: &Sentence<W>,
        rays: &Rays,
        mut of_ray: impl FnMut(Kind, usize, usize, &[u8]) -> bool,
    ) -> bool {
        sentence.kinds.iter().any(|kind| {
            let pieces = self.rules.holding(position, 1 << kind);
            Cells(pieces).any(|from| {
                let mut rays = rays.from(from).iter().enumerate();
                rays.any(|(n, ray)| of_ray(*kind, from, n, ray))
            })
        })
    }

    /// Moves the piece, and then applies these effects of the sentence. Returns `false` if a move that must flip something flips
    /// nothing.
    #[inline]
    fn apply(&self, after: &mut Position<W>, sentence: &Sentence<W>, effects: &[Effect<W>], mv: Move) -> bool {
        let rules = &self.rules;
        let (origin, here) = (cell_set(mv.from), cell_set(mv.to));
        match &sentence.action {
            Action::Pass => {}
            Action::Place { from_hand, .. } => {
                if *from_hand {
                    rules.change_hand(after, mv.kind, false);
                }
                rules.put(after, here, mv.kind);
            }
            Action::Sow { along, .. } => {
                let number = rules.number_on(after, mv.from.into());
                rules.put(after, origin, EMPTY);
                let cells = along.iter().cycle().skip(usize::from(mv.ray) + 1).take(number as usize);
                cells.for_each(|cell| rules.add(after, *cell, 1));
            }
            Action::Push { rays, .. } => {
                let mut to = mv.from;
                for &from in &rays.from(mv.from.into())[usize::from(mv.ray)] {
                    let kind = rules.kind_on(after, from.into());
                    rules.put(after, cell_set(to), kind);
                    to = from;
                }
                rules.put(after, here, mv.kind);
            }
            Action::Step { .. } | Action::Slide { .. } | Action::Hop { .. } => {
                if let Action::Hop { rays, capturing: true, .. } = &sentence.action {
                    let ray = &rays.from(mv.from.into())[usize::from(mv.ray)];
                    for hop in ray.chunks_exact(2) {
                        let taken = self.player(after).captures[usize::from(rules.kind_on(after, hop[0].into()))];
                        if taken != EMPTY {
                            rules.change_hand(after, taken, true);
                        }
                        rules.put(after, cell_set(hop[0]), EMPTY);
                        if hop[1] == mv.to {
                            break;
                        }
                    }
                }
                let player = self.player(after);
                let taken = player.captures[usize::from(rules.kind_on(after, mv.to.into()))];
                if taken != EMPTY {
                    rules.change_hand(after, taken, true);
                }
                rules.put(after, origin, EMPTY);
                rules.put(after, here, mv.kind);
            }
        }
        for effect in effects {
            match effect {
                Effect::Leave(kind) => rules.put(after, origin, *kind),
                Effect::Become(set, kind) => {
                    let cells = self.view_after(after, mv).cells(set);
                    rules.put(after, cells, *kind);
                }
                Effect::Flip(rays, enemies) => {
                    let own = rules.holding(after, self.player(after).kinds);
                    let flipped = enclosed(rays.from(mv.to.into()), rules.holding(after, *enemies), own);
                    if flipped.is_zero() {
                        return false;
                    }
                    rules.put(after, flipped, mv.kind);
                }
                Effect::Shoot(_, _, kind) => rules.put(after, cell_set(mv.shot), *kind),
                Effect::Collect(set, to) => {
                    let cells = self.view_after(after, mv).cells(set) & !cell_set::<W>(*to);
                    let number = Cells(cells).map(|cell| rules.number_on(after, cell)).sum();
                    rules.put(after, cells, EMPTY);
                    rules.add(after, *to, number);
                }
                Effect::Again(..) => {}
            }
        }
        true
    }

    /// Returns a view of the position after a move, and of the move.
    #[inline]
    fn view_after<'v>(&'v self, after: &'v Position<W>, mv: Move) -> View<'v, W> {
        View { here: cell_set(mv.to), origin: cell_set(mv.from), ..View::of(&self.rules, after) }
    }

    /// Returns how play has ended by a condition, for the player to move: 0 if it has not. The conditions of the player who is not to
    /// move come first. `before` is the position before the last move, if there is one.
    #[inline]
    fn judge(&self, position: &Position<W>, before: Option<&Position<W>>) -> u8 {
        let (view, rules) = (View { before, ..self.view(position) }, &self.rules);
        let others = !position.second_to_move;
        let players = [(others, LOSS, WIN), (!others, WIN, LOSS)];
        for (player, won, lost) in players.into_iter().take(rules.players.len()) {
            let PlayerRules { wins, loses, .. } = &rules.players[rules.side(player)];
            if view.any_holds(wins) {
                return won;
            }
            if view.any_holds(loses) {
                return lost;
            }
        }
        if view.any_holds(&rules.draws) { DRAW } else { 0 }
    }

    /// Whether positions say whose turn it is.
    const fn has_turns(&self) -> bool {
        self.keeps_turn || self.rules.players.len() == 2
    }

    /// Returns the number of bits of a key that say whose turn it is, and which piece must go on.
    const fn turn_bits(&self) -> u32 {
        let cells = if self.goes_on { self.geometry.board.cells() as u64 } else { 0 };
        u64::BITS - cells.leading_zeros() + self.has_turns() as u32
    }

    /// Returns whether a piece can go on, if one must.
    fn can_go_on(&self, position: &Position<W>) -> bool {
        let exists = self.goes_on && self.geometry.cells.meets(cell_set(position.going));
        position.going == NO_CELL || exists && self.can_move(position)
    }

    /// Returns whether the player to move has a move other than a forced pass. Play has not ended by a condition.
    #[inline]
    fn can_move(&self, position: &Position<W>) -> bool {
        self.generate(position, &mut |_| true)
    }

    /// Returns the number of moves of the player to move, each with any shot.
    fn count_moves(&self, position: &Position<W>) -> i32 {
        let mut count = 0;
        for (n, sentence) in self.player(position).sentences.iter().enumerate() {
            self.raw_moves(position, sentence, n as u8, &mut |_| {
                count += 1;
                false
            });
        }
        count
    }

    /// Returns a rank of the move after which the position is: by the moves that the other player has left, and half as much by those
    /// of the player who has moved.
    fn rank(&self, after: &Position<W>) -> i32 {
        let turned = Position { second_to_move: !after.second_to_move, ..*after };
        let own = if self.rules.players.len() == 2 { self.count_moves(&turned) } else { 0 };
        let rank = own - 2 * self.count_moves(after);
        if self.rules.stuck == Stuck::Loses { rank } else { -rank }
    }

    /// Returns whether the player to move must pass: has no move, and the other player has one.
    fn must_pass(&self, position: &Position<W>) -> bool {
        let other = Position { second_to_move: !position.second_to_move, going: NO_CELL, ..*position };
        self.rules.stuck == Stuck::Passes && self.has_turns() && self.can_move(&other)
    }

    fn play(&self, position: &Position<W>, mv: Move) -> Position<W> {
        let mut after = *position;
        let (mut again, mut goes_on) = (false, false);
        if mv.sentence != FORCED_PASS {
            let sentence = &self.player(position).sentences[usize::from(mv.sentence)];
            self.apply(&mut after, sentence, &sentence.effects, mv);
            if self.keeps_turn || self.goes_on {
                let view = self.view_after(&after, mv);
                let is_kept = |effect: &Effect<W>, goes: bool| matches!(effect, Effect::Again(wanted, other) if *other == goes && view.all_hold(wanted));
                again = self.keeps_turn && sentence.effects.iter().any(|effect| is_kept(effect, false));
                goes_on = self.goes_on && sentence.effects.iter().any(|effect| is_kept(effect, true));
            }
        }
        after.going = if goes_on { mv.to } else { NO_CELL };
        if goes_on && self.can_move(&after) {
            again = true;
        } else {
            after.going = NO_CELL;
        }
        after.second_to_move ^= self.has_turns() && !again;
        after.end = self.judge(&after, Some(position));
        after
    }

    /// Returns a position with its end as the rest says.
    fn judged(&self, position: Position<W>) -> Position<W> {
        Position { end: self.judge(&position, None), ..position }
    }
}

/// Returns the cells of `enemies` on lines that end at a cell of `own`.
#[inline]
fn enclosed<W: CellSet>(rays: &[Vec<u8>], enemies: W, own: W) -> W {
    let mut all = W::zero();
    for ray in rays {
        let mut line = W::zero();
        for cell in ray.iter().map(|cell| W::bit((*cell).into())) {
            if !enemies.meets(cell) {
                if own.meets(cell) {
                    all |= line;
                }
                break;
            }
            line |= cell;
        }
    }
    all
}

impl<W: CellSet> Game for BoardGame<W> {
    type Position = Position<W>;
    type Move = Move;

    /// Some games of the family keep the turn.
    const TURNS_ALTERNATE: bool = false;

    fn start(&self) -> Position<W> {
        self.1
    }

    #[inline]
    fn moves(&self, position: &Position<W>) -> impl Iterator<Item = Move> {
        let game = &*self.0;
        // Few positions have more moves than have room without an allocation.
        let (mut moves, mut more) = (ArrayVec::<Move, 32>::new(), Vec::new());
        if position.end == 0 {
            let is_ambiguous = game.player(position).is_ambiguous;
            game.generate(position, &mut |mv| {
                let is_like = |other: &&Move| (other.from, other.to, other.shot) == (mv.from, mv.to, mv.shot);
                let is_twin = |other: &Move| game.play(position, *other) == game.play(position, mv);
                if !is_ambiguous || !moves.iter().chain(&more).filter(is_like).any(is_twin) {
                    more.extend(moves.try_push(mv).err().map(|full| full.element()));
                }
                false
            });
            if moves.is_empty() && game.must_pass(position) {
                moves.push(PASS);
            }
        }
        moves.into_iter().chain(more)
    }

    #[inline]
    fn play(&self, position: &Position<W>, mv: Move) -> Position<W> {
        self.0.play(position, mv)
    }

    #[inline]
    fn is_over(&self, position: &Position<W>) -> bool {
        position.end != 0 || !self.0.can_move(position) && !self.0.must_pass(position)
    }

    fn end(&self, position: &Position<W>) -> Outcome {
        match (position.end, self.0.rules.stuck) {
            (LOSS, _) | (0, Stuck::Loses) => Outcome::Loss,
            (WIN, _) | (0, Stuck::Wins) => Outcome::Win,
            _ => Outcome::Draw,
        }
    }

    fn score(&self, position: &Position<W>) -> Option<i32> {
        let rules = &self.0.rules;
        let (own, other) = rules.score.as_ref()?;
        if position.end != 0 || !matches!(rules.stuck, Stuck::Passes | Stuck::Scores) {
            return None;
        }
        let view = self.0.view(position);
        let first = view.total(own) - view.total(other);
        Some(if position.second_to_move { -first } else { first })
    }

    fn max_score(&self) -> u32 {
        let rules = &self.0.rules;
        rules.score.as_ref().map_or(0, |(own, other)| {
            let [own, other] = [own, other].map(|amount| rules.range(&amount.unit, rules.cells, W::zero()));
            own.1.abs_diff(other.0).max(other.1.abs_diff(own.0))
        })
    }

    fn rank(&self, _position: &Position<W>, _mv: Move, after: &Position<W>) -> i32 {
        if self.0.is_ranked { self.0.rank(after) } else { UNRANKED }
    }

    #[inline]
    fn keeps_turn(&self, position: &Position<W>, _mv: Move, after: &Position<W>) -> bool {
        self.0.keeps_turn && position.second_to_move == after.second_to_move
    }

    fn may_repeat(&self) -> bool {
        self.0.layer.is_none()
    }

    #[inline]
    fn canonical(&self, position: &Position<W>) -> Position<W> {
        derive::least_image(&self.0.symmetries, &self.0.rules, position)
    }

    fn key_bits(&self) -> u32 {
        let game = &*self.0;
        let cells = game.geometry.board.cells() as u32;
        let bits = game.rules.planes as u32 * cells + game.rules.hand_bits() + game.turn_bits();
        if bits <= MAX_KEY_BITS { bits } else { 0 }
    }

    #[inline]
    fn key(&self, position: &Position<W>) -> u128 {
        let game = &*self.0;
        let cells = game.geometry.board.cells();
        let planes = (0..game.rules.planes).rev();
        // Positions of boards of 128 cells have no keys.
        let moved = |key: u128| key.checked_shl(cells as u32).unwrap_or(0);
        let key = planes.fold(position.hand.into(), |key, plane| moved(key) | position.planes[plane].into());
        // The cell of a piece that must go on has a number from 1.
        let turn = u128::from(position.going.wrapping_add(1)) << 1 | u128::from(position.second_to_move);
        key << game.turn_bits() | turn
    }

    fn position_from_key(&self, key: u128) -> Option<Position<W>> {
        let game = &*self.0;
        let cells = game.geometry.board.cells();
        if self.key_bits() == 0 || key >> self.key_bits() != 0 {
            return None;
        }
        let mut rest = key >> game.turn_bits();
        let mut planes = [W::zero(); MAX_PLANES];
        for plane in &mut planes[..game.rules.planes] {
            *plane = W::from_low_bits(rest) & game.geometry.board.full();
            rest >>= cells;
        }
        let turn = (key & ((1 << game.turn_bits()) - 1)) as u8;
        let (second_to_move, going) = (turn & 1 == 1, (turn >> 1).wrapping_sub(1));
        let position = game.judged(Position { second_to_move, end: 0, going, planes, hand: rest as u64 });
        self.is_legal(&position).then_some(position)
    }

    fn is_legal(&self, position: &Position<W>) -> bool {
        let game = &*self.0;
        let kinds = game.glyphs.len() as u8;
        let is_kind = |cell| game.rules.kind_on(position, cell) < kinds;
        (0..MAX_PLANES).all(|plane| !position.planes[plane].meets(!game.geometry.cells))
            && Cells(game.geometry.cells).all(is_kind)
            && (game.has_turns() || !position.second_to_move)
            && game.can_go_on(position)
    }

    fn layer(&self, position: &Position<W>) -> Option<u32> {
        let game = &*self.0;
        let layer = game.layer.as_ref()?.of(&game.rules, position);
        if game.rules.stuck != Stuck::Passes {
            return Some(layer);
        }
        // A forced pass lowers the number by one, and leads to a position in which there is a move.
        let must_pass = position.end == 0 && !game.can_move(position) && game.must_pass(position);
        Some(2 * layer + u32::from(must_pass))
    }

    fn is_impartial(&self) -> bool {
        let [both] = &*self.0.rules.players else { return false };
        self.0.is_plain() && self.0.rules.stuck == Stuck::Loses && both.loses.is_empty()
    }

    fn is_impartial_misere(&self) -> bool {
        let [both] = &*self.0.rules.players else { return false };
        self.0.is_plain() && self.0.rules.stuck == Stuck::Wins && both.wins.is_empty()
    }

    fn split(&self, position: &Position<W>, parts: &mut Vec<Position<W>>) {
        if self.0.has_parts {
            self.0.split(position, |part, _| parts.push(self.0.canonical_part(&part).0));
        } else {
            parts.push(self.canonical(position));
        }
    }

    fn has_part_keys(&self) -> bool {
        self.is_impartial() && self.0.has_parts && self.0.is_uniform
    }

    /// The set of the kinds on cells that are not blocked or between such, and the number of each among them.
    fn part_key(&self, part: &Position<W>) -> Option<u128> {
        let game = &*self.0;
        let cells = game.geometry.board.full::<W>() & !game.rules.holding(part, 1 << game.blocked);
        let kinds = Cells(cells).fold(1_u16 << game.blocked, |kinds, cell| kinds | 1 << game.rules.kind_on(part, cell));
        let plane = |bit: u32| {
            let with_bit = (0_u16..).zip(Cells(u64::from(kinds))).filter(|(n, _)| n >> bit & 1 == 1);
            game.rules.holding(part, with_bit.fold(0, |kinds, (_, kind)| kinds | 1 << kind))
        };
        let planes: ArrayVec<W, MAX_PLANES> = (0..number_bits(kinds)).map(plane).collect();
        let corner = game.geometry.board.corner_key(cells, &planes).filter(|_| self.has_part_keys())?;
        Some(corner << MAX_KINDS | u128::from(kinds))
    }

    fn part_from_key(&self, key: u128) -> Option<Position<W>> {
        let game = &*self.0;
        let (corner, kinds) = (key >> MAX_KINDS, key as u16);
        let count = number_bits(kinds);
        let (extent, planes) = game.geometry.board.corner_of_key(corner, count as usize, false)?;
        if !self.has_part_keys() || kinds >> game.blocked & 1 == 0 {
            return None;
        }
        let mut position = game.empty;
        game.rules.put(&mut position, game.geometry.board.full(), game.blocked);
        for (n, kind) in (0_usize..).zip(Cells(u64::from(kinds))) {
            let with = |cells: W, (bit, plane): (usize, &W)| cells & if n >> bit & 1 == 1 { *plane } else { !*plane };
            game.rules.put(&mut position, planes[..count as usize].iter().enumerate().fold(extent, with), kind as Kind);
        }
        let mut parts = Vec::new();
        if self.is_legal(&position) {
            self.split(&position, &mut parts);
        }
        parts.pop().filter(|_| parts.is_empty())
    }

    fn default_goal(&self, position: &Position<W>) -> Goal {
        match self.layer(position) {
            Some(layer) if layer > 24 && self.0.rules.score.is_none() => Goal::Winner,
            _ => Goal::MoveValues,
        }
    }

    fn core(self: Arc<Self>, budget: Budget) -> EngineCore<Self> {
        W::language_core(self, budget)
    }

    fn outcome_solver(self: &Arc<Self>, budget: Budget, watch: &Watch) -> Option<BoxedSolver<Position<W>>> {
        SumSolver::new(self, budget, watch).map(|solver| Box::new(solver) as BoxedSolver<Position<W>>)
    }
}

/// Returns the bits of a number of one of these kinds.
const fn number_bits(kinds: u16) -> u32 {
    u16::BITS - (kinds.count_ones() as u16).saturating_sub(1).leading_zeros()
}

const _: () = assert!(MAX_KINDS == 1 << MAX_PLANES);
