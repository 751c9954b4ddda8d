//! Stops, means and temperatures of positions without their canonical forms.

use rustc_hash::FxHashMap;

use super::thermograph::{Mast, Thermograph, Wall, higher, meet, negative};
use super::{
    CgtError, Dyadic, Form, FormStore, LEFT, NumberUpStar, OutcomeClass, Partizan, PartizanSolver, Player, RIGHT,
};

/// What is known of a position without its canonical form: who wins, what play stops at, and the thermograph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThermalSummary {
    /// Who wins.
    pub class: OutcomeClass,
    /// The numbers that play stops at when Left begins, and when Right does.
    pub stops: [Dyadic; 2],
    /// The mean, the temperature, and what play comes to by the tax.
    pub thermograph: Thermograph,
}

/// Thermographs of positions by those of their options. A part of few moves is valued, and counts by its value;
/// the parts of many moves are played side by side.
///
/// Cost: a thermograph for each set of parts that play can reach, of which most are the same but for their means.
/// In a table, a set of one part takes half as much again as the position and four bytes.
///
/// What play stops at says who wins, too, if it is known who moved last: the stop `x` where it is Left's turn is a
/// bit less than the stop `x` where it is Right's. A game is a number exactly if by this order what Left's options
/// stop at is less than what Right's do.
///
/// Source: E. R. Berlekamp, J. H. Conway and R. K. Guy, "Winning ways", chapter 6.
#[derive(Debug)]
pub struct ThermographSolver<P> {
    shapes: Vec<Shape>,
    shape_indices: FxHashMap<Shape, u32>,
    /// Shapes with their means.
    translates: Vec<Translate>,
    translate_indices: FxHashMap<Translate, u32>,
    /// What is found of single parts, which most sets are, and of the others: by its place.
    single: FxHashMap<P, u32>,
    known: FxHashMap<State<P>, u32>,
    bytes: usize,
    max_bytes: usize,
}

/// Parts of more moves than this, of both players together, are not valued.
const MAX_SMALL_MOVES: i64 = 9;

/// Parts that are played side by side, in order, each with whether the players are exchanged in it; and the value of
/// the small parts, of which Right's stop is 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct State<P> {
    parts: Box<[(P, bool)]>,
    rest: Form,
}

impl<P> State<P> {
    /// The part, if there is one and nothing else.
    fn single(&self, forms: &FormStore<'_>) -> Option<&P> {
        match &*self.parts {
            [(part, false)] if self.rest == forms.zero() => Some(part),
            _ => None,
        }
    }
}

/// What is known of a game whose mean is 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Shape {
    walls: [Wall; 2],
    temperature: Option<Dyadic>,
    /// Whether it is Right's turn where play stops when Left begins, and when Right does.
    ends: [bool; 2],
}

/// A shape by its place, and the mean.
type Translate = (u32, Dyadic);

impl<P: Clone + Eq + std::hash::Hash + Ord> ThermographSolver<P> {
    /// A table that takes `max_bytes` at most, or a few more.
    #[must_use]
    pub fn new(max_bytes: usize) -> Self {
        Self {
            shapes: Vec::new(),
            shape_indices: FxHashMap::default(),
            translates: Vec::new(),
            translate_indices: FxHashMap::default(),
            single: FxHashMap::default(),
            known: FxHashMap::default(),
            bytes: 0,
            max_bytes,
        }
    }

    /// How many sets of parts are known.
    #[must_use]
    pub fn len(&self) -> usize {
        self.single.len() + self.known.len()
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What is known of these positions, and games of the value `rest`, side by side. Each position's negative is
    /// meant where the pair says so. `values` and `forms` have to be the same every time.
    ///
    /// # Errors
    /// [`CgtError`] if it takes too long or too much memory.
    pub fn solve<G: Partizan<Position = P>>(
        &mut self,
        positions: &[(P, bool)],
        rest: Form,
        values: &mut PartizanSolver<G>,
        forms: &mut FormStore<'_>,
    ) -> Result<ThermalSummary, CgtError> {
        let (shape, mean) = self.translate(positions.to_vec(), rest, values, forms)?;
        let Shape { walls, temperature, ends } = &self.shapes[shape as usize];
        let walls = walls.each_ref().map(|wall| shifted(wall, mean));
        let stops = [walls[LEFT][0].1, walls[RIGHT][0].1];
        let class = OutcomeClass::from_order(
            (stops[LEFT], ends[LEFT]) <= (Dyadic::ZERO, false),
            (stops[RIGHT], ends[RIGHT]) >= (Dyadic::ZERO, true),
        );
        let mast = Mast { mean, temperature: *temperature };
        Ok(ThermalSummary { class, stops, thermograph: Thermograph { walls, mast } })
    }

    fn translate<G: Partizan<Position = P>>(
        &mut self,
        positions: Vec<(P, bool)>,
        rest: Form,
        values: &mut PartizanSolver<G>,
        forms: &mut FormStore<'_>,
    ) -> Result<Translate, CgtError> {
        let (state, number, exchanged) = split_parts(positions, rest, values, forms)?;
        let (shape, mean) = match self.look_up(&state, forms) {
            Some(known) => known,
            None => {
                let found = forms.one_ply_deeper(|forms| self.compute(&state, values, forms))?;
                self.remember(state, found, forms)?;
                found
            }
        };
        let (shape, mean) = if exchanged { (self.negative_shape(shape)?, -mean) } else { (shape, mean) };
        Ok((shape, mean + number))
    }

    fn look_up(&self, state: &State<P>, forms: &FormStore<'_>) -> Option<Translate> {
        let place = match state.single(forms) {
            Some(part) => self.single.get(part),
            None => self.known.get(state),
        };
        place.map(|place| self.translates[*place as usize])
    }

    fn remember(&mut self, state: State<P>, found: Translate, forms: &FormStore<'_>) -> Result<(), CgtError> {
        let place = match self.translate_indices.get(&found) {
            Some(&place) => place,
            None => {
                self.reserve(3 * size_of::<(Translate, u32)>())?;
                let place = self.translates.len() as u32;
                self.translates.push(found);
                self.translate_indices.insert(found, place);
                place
            }
        };
        if let Some(part) = state.single(forms) {
            self.reserve(size_of::<(P, u32)>() * 3 / 2)?;
            self.single.insert(part.clone(), place);
        } else {
            self.reserve(size_of::<(State<P>, u32)>() * 3 / 2 + size_of::<(P, bool)>() * state.parts.len() + 16)?;
            self.known.insert(state, place);
        }
        Ok(())
    }

    fn compute<G: Partizan<Position = P>>(
        &mut self,
        State { parts, rest }: &State<P>,
        values: &mut PartizanSolver<G>,
        forms: &mut FormStore<'_>,
    ) -> Result<Translate, CgtError> {
        forms.watch.count(1)?;
        if parts.is_empty()
            && let Some(near) = forms.number_up_star(*rest)
        {
            return self.number_up_star(near);
        }
        let mut options: [Vec<Translate>; 2] = [Vec::new(), Vec::new()];
        for player in Player::BOTH {
            let found = &mut options[player.index()];
            for (at, (part, exchanged)) in parts.iter().enumerate() {
                // Of two that are the same, one is as good as the other.
                if at > 0 && parts[at - 1] == parts[at] {
                    continue;
                }
                let mover = if *exchanged { player.other() } else { player };
                let moves: Vec<P> = values.game().options(part, mover).collect();
                for option in moves {
                    let mut after = parts.to_vec();
                    after[at].0 = option;
                    found.push(self.translate(after, *rest, values, forms)?);
                }
            }
            // Nobody moves in a number who can move in what is none; it is part of the mean then.
            if forms.number(*rest).is_none() {
                for at in forms.range(*rest, player.index())? {
                    let option = forms.option(at);
                    found.push(self.translate(parts.to_vec(), option, values, forms)?);
                }
            }
            found.sort_unstable();
            found.dedup();
        }
        self.translate_from_options(&options)
    }

    fn translate_from_options(&mut self, options: &[Vec<Translate>; 2]) -> Result<Translate, CgtError> {
        // What an option stops at when the other player goes on, and whose turn it is then.
        let stop = |player: usize, (shape, mean): &Translate| {
            let Shape { walls, ends, .. } = &self.shapes[*shape as usize];
            (walls[1 - player][0].1 + *mean, ends[1 - player])
        };
        let left = options[LEFT].iter().map(|option| stop(LEFT, option)).max();
        let right = options[RIGHT].iter().map(|option| stop(RIGHT, option)).min();
        if let Some(number) = number_between(left, right) {
            return self.number_up_star(NumberUpStar::number(number));
        }
        let (Some((_, left_end)), Some((_, right_end))) = (left, right) else {
            // Without options of both players it is a number.
            return self.number_up_star(NumberUpStar::number(Dyadic::ZERO));
        };
        let walls = [LEFT, RIGHT].map(|player| {
            let mut best: Option<Wall> = None;
            for (shape, mean) in &options[player] {
                let wall = shifted(&self.shapes[*shape as usize].walls[1 - player], *mean);
                let wall = if player == LEFT { wall } else { negative(wall) };
                best = Some(match best {
                    Some(best) => higher(&best, &wall),
                    None => wall,
                });
            }
            best.unwrap_or_default()
        });
        let [left, right] = walls;
        let Thermograph { walls, mast } = meet(&left, &negative(right));
        if walls.iter().flatten().any(|(tax, value)| !tax.is_representable() || !value.is_representable()) {
            return Err(CgtError::TooLarge);
        }
        let walls = walls.each_ref().map(|wall| shifted(wall, -mast.mean));
        let shape = Shape { walls, temperature: mast.temperature, ends: [left_end, right_end] };
        Ok((self.intern(shape)?, mast.mean))
    }

    /// A number, a multiple of up and a nimber.
    fn number_up_star(&mut self, near: NumberUpStar) -> Result<Translate, CgtError> {
        let mast = || vec![(Dyadic::ZERO, Dyadic::ZERO)];
        let small = NumberUpStar { number: Dyadic::ZERO, ..near };
        let zero = NumberUpStar::number(Dyadic::ZERO);
        let ends = [!small.is_at_most(zero), zero.is_at_most(small)];
        let temperature = (!near.is_number()).then_some(Dyadic::ZERO);
        Ok((self.intern(Shape { walls: [mast(), mast()], temperature, ends })?, near.number))
    }

    /// The shape of the negative.
    fn negative_shape(&mut self, shape: u32) -> Result<u32, CgtError> {
        let Shape { walls: [left, right], temperature, ends: [first, second] } = self.shapes[shape as usize].clone();
        self.intern(Shape { walls: [negative(right), negative(left)], temperature, ends: [!second, !first] })
    }

    fn intern(&mut self, shape: Shape) -> Result<u32, CgtError> {
        if let Some(&known) = self.shape_indices.get(&shape) {
            return Ok(known);
        }
        let points = shape.walls.iter().map(Vec::len).sum::<usize>();
        self.reserve(2 * (size_of::<Shape>() + points * size_of::<(Dyadic, Dyadic)>()) + 64)?;
        let place = self.shapes.len() as u32;
        self.shapes.push(shape.clone());
        self.shape_indices.insert(shape, place);
        Ok(place)
    }

    fn reserve(&mut self, bytes: usize) -> Result<(), CgtError> {
        self.bytes += bytes;
        if self.bytes > self.max_bytes { Err(CgtError::OutOfMemory(self.max_bytes)) } else { Ok(()) }
    }
}

/// The positions' parts, those of few moves as one value; the number that is left out of it; and whether the players
/// are exchanged in all of it.
fn split_parts<G: Partizan>(
    positions: Vec<(G::Position, bool)>,
    rest: Form,
    values: &mut PartizanSolver<G>,
    forms: &mut FormStore<'_>,
) -> Result<(State<G::Position>, Dyadic, bool), CgtError>
where
    G::Position: Ord,
{
    let (mut rest, mut parts, mut open) = (rest, Vec::new(), Vec::new());
    for (position, exchanged) in positions {
        open.clear();
        values.game().split(&position, &mut open);
        for part in &open {
            if is_small(values.game(), part) {
                let value = values.part_value(part, forms)?;
                let value = if exchanged { forms.negative(value)? } else { value };
                rest = forms.sum(rest, value)?;
            } else {
                let (part, turned) = values.game().canonical(part);
                parts.push((part, exchanged != turned));
            }
        }
    }
    parts.sort_unstable();
    // A part and its negative are nothing.
    let mut kept: Vec<(G::Position, bool)> = Vec::with_capacity(parts.len());
    for (part, exchanged) in parts {
        match kept.last() {
            Some((last, other)) if *last == part && *other != exchanged => drop(kept.pop()),
            _ => kept.push((part, exchanged)),
        }
    }
    let number = forms.stops(rest)[RIGHT];
    let minus = forms.intern_number(-number)?;
    let rest = forms.sum(rest, minus)?;
    // One of it and its negative is enough: that of which the first part is not exchanged.
    match kept.first() {
        Some((_, true)) => {
            let below = forms.stops(rest)[LEFT];
            let negative = forms.negative(rest)?;
            let up = forms.intern_number(below)?;
            let rest = forms.sum(negative, up)?;
            kept.iter_mut().for_each(|(_, exchanged)| *exchanged = !*exchanged);
            kept.sort_unstable();
            Ok((State { parts: kept.into(), rest }, number + below, true))
        }
        _ => Ok((State { parts: kept.into(), rest }, number, false)),
    }
}

/// Whether the part is of so few moves that its value costs little.
fn is_small<G: Partizan>(game: &G, part: &G::Position) -> bool {
    match game.bounds(part) {
        [Some(least), Some(most)] => most - least <= MAX_SMALL_MOVES,
        _ => game.value(part).is_some(),
    }
}

/// The simplest number that is greater than or confused with what Left can move to, and less than or confused with
/// what Right can, by what those stop at.
fn number_between(left: Option<(Dyadic, bool)>, right: Option<(Dyadic, bool)>) -> Option<Dyadic> {
    // A stop at the number itself is no better than the number if the turn is that of the player who moved to it.
    let fits = |number: Dyadic| {
        left.is_none_or(|left| left <= (number, false)) && right.is_none_or(|right| right >= (number, true))
    };
    let (above, below) = (left.map(|(stop, _)| stop), right.map(|(stop, _)| stop));
    let between = Dyadic::simplest_between(above, below);
    [above, below, between].into_iter().flatten().filter(|number| fits(*number)).min_by_key(|number| number.birthday())
}

fn shifted(wall: &Wall, by: Dyadic) -> Wall {
    wall.iter().map(|(tax, value)| (*tax, *value + by)).collect()
}
