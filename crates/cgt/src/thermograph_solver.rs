//! Thermographs of positions without their canonical forms.

use rustc_hash::FxHashMap;

use super::thermograph::{Mast, Thermograph, Wall, negative};
use super::{
    CgtError, Dyadic, Form, FormStore, LEFT, NumberUpStar, OutcomeClass, Partizan, PartizanSolver, Player, RIGHT,
};

/// The outcome class, stops and thermograph of a position, found without its canonical form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThermalSummary {
    /// The outcome class.
    pub class: OutcomeClass,
    /// The left and right stop.
    pub stops: [Dyadic; 2],
    /// The thermograph, with mean and temperature.
    pub thermograph: Thermograph,
}

/// Finds thermographs of positions from those of their options. Parts with few moves are replaced by their values;
/// sums of the parts with many moves are searched.
///
/// Cost: a thermograph for each sum of parts that play can reach. Most of them are translates of each other, and
/// equal shapes are stored once. An entry for a single part takes one and a half times the size of the position and
/// four bytes.
///
/// The stops also determine the outcome class if the player to move at the stop is known: a stop `x` with Left to
/// move is slightly less than a stop `x` with Right to move. In this order, a game is a number if and only if the
/// stops of all left options are less than those of all right options.
///
/// Source: E. R. Berlekamp, J. H. Conway and R. K. Guy, "Winning ways", chapter 6.
#[derive(Debug)]
pub struct ThermographSolver<P> {
    shapes: Vec<Shape>,
    shape_indices: FxHashMap<Shape, u32>,
    /// The translates that occur: a shape and a mean.
    translates: Vec<Translate>,
    translate_indices: FxHashMap<Translate, u32>,
    /// Indices of the translates of single parts, which most sums are, and of other sums.
    single_parts: FxHashMap<P, u32>,
    sums: FxHashMap<PartSum<P>, u32>,
    bytes: usize,
    max_bytes: usize,
}

/// Moves of the largest part that is replaced by its value, those of both players together.
const MAX_SMALL_MOVES: i64 = 9;

/// A sum: parts in order, each with whether the players are exchanged in it, and the value of the small parts,
/// translated so that its right stop is 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct PartSum<P> {
    parts: Box<[(P, bool)]>,
    rest: Form,
}

impl<P> PartSum<P> {
    /// Returns the part, if the sum consists of one part that is not exchanged.
    fn single_part(&self, forms: &FormStore) -> Option<&P> {
        match &*self.parts {
            [(part, false)] if self.rest == forms.zero() => Some(part),
            _ => None,
        }
    }
}

/// A thermograph translated to mean 0, with the turns at the stops.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Shape {
    walls: [Wall; 2],
    temperature: Option<Dyadic>,
    /// Whether Right is to move at the left stop, and at the right stop.
    right_to_move: [bool; 2],
}

/// The index of a shape, and the mean by which it is translated.
type Translate = (u32, Dyadic);

impl<P: Clone + Eq + std::hash::Hash + Ord> ThermographSolver<P> {
    /// Creates a solver that takes about `max_bytes` at most.
    #[must_use]
    pub fn new(max_bytes: usize) -> Self {
        Self {
            shapes: Vec::new(),
            shape_indices: FxHashMap::default(),
            translates: Vec::new(),
            translate_indices: FxHashMap::default(),
            single_parts: FxHashMap::default(),
            sums: FxHashMap::default(),
            bytes: 0,
            max_bytes,
        }
    }

    /// Returns the number of sums whose thermographs are stored.
    #[must_use]
    pub fn sum_count(&self) -> usize {
        self.single_parts.len() + self.sums.len()
    }

    /// Returns the outcome class, stops and thermograph of the sum of these positions and `rest`. A position is
    /// negated if its flag is set. `values` and `forms` have to be the same in every call.
    ///
    /// # Errors
    /// [`CgtError`] if the watch stops it, the memory is used up, or play does not end.
    pub fn solve<G: Partizan<Position = P>>(
        &mut self,
        positions: &[(P, bool)],
        rest: Form,
        values: &mut PartizanSolver<G>,
        forms: &mut FormStore,
    ) -> Result<ThermalSummary, CgtError> {
        let (shape, mean) = self.translate(positions.to_vec(), rest, values, forms)?;
        let Shape { walls, temperature, right_to_move } = &self.shapes[shape as usize];
        let walls = walls.each_ref().map(|wall| translated(wall, mean));
        let stops = [walls[LEFT][0].1, walls[RIGHT][0].1];
        let class = OutcomeClass::from_order(
            (stops[LEFT], right_to_move[LEFT]) <= (Dyadic::ZERO, false),
            (stops[RIGHT], right_to_move[RIGHT]) >= (Dyadic::ZERO, true),
        );
        let mast = Mast { mean, temperature: *temperature };
        Ok(ThermalSummary { class, stops, thermograph: Thermograph { walls, mast } })
    }

    fn translate<G: Partizan<Position = P>>(
        &mut self,
        positions: Vec<(P, bool)>,
        rest: Form,
        values: &mut PartizanSolver<G>,
        forms: &mut FormStore,
    ) -> Result<Translate, CgtError> {
        let (sum, number, exchanged) = split_parts(positions, rest, values, forms)?;
        let (shape, mean) = match self.cached(&sum, forms) {
            Some(known) => known,
            None => {
                let found = forms.one_ply_deeper(|forms| self.compute(&sum, values, forms))?;
                self.store(sum, found, forms)?;
                found
            }
        };
        let (shape, mean) = if exchanged { (self.negative_shape(shape)?, -mean) } else { (shape, mean) };
        Ok((shape, mean + number))
    }

    fn cached(&self, sum: &PartSum<P>, forms: &FormStore) -> Option<Translate> {
        let index = match sum.single_part(forms) {
            Some(part) => self.single_parts.get(part),
            None => self.sums.get(sum),
        };
        index.map(|index| self.translates[*index as usize])
    }

    fn store(&mut self, sum: PartSum<P>, found: Translate, forms: &FormStore) -> Result<(), CgtError> {
        let index = match self.translate_indices.get(&found) {
            Some(&index) => index,
            None => {
                self.reserve(3 * size_of::<(Translate, u32)>())?;
                let index = self.translates.len() as u32;
                self.translates.push(found);
                self.translate_indices.insert(found, index);
                index
            }
        };
        if let Some(part) = sum.single_part(forms) {
            self.reserve(size_of::<(P, u32)>() * 3 / 2)?;
            self.single_parts.insert(part.clone(), index);
        } else {
            self.reserve(size_of::<(PartSum<P>, u32)>() * 3 / 2 + size_of::<(P, bool)>() * sum.parts.len() + 16)?;
            self.sums.insert(sum, index);
        }
        Ok(())
    }

    fn compute<G: Partizan<Position = P>>(
        &mut self,
        PartSum { parts, rest }: &PartSum<P>,
        values: &mut PartizanSolver<G>,
        forms: &mut FormStore,
    ) -> Result<Translate, CgtError> {
        forms.watch.count(1)?;
        if parts.is_empty()
            && let Some(nus) = forms.number_up_star(*rest)
        {
            return self.number_up_star(nus);
        }
        let mut options: [Vec<Translate>; 2] = [Vec::new(), Vec::new()];
        for player in Player::BOTH {
            let found = &mut options[player.index()];
            for (at, (part, exchanged)) in parts.iter().enumerate() {
                // Equal parts have equal moves.
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
            // Number avoidance: no move in a number is tried. A number is part of the mean.
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
        // The stop of an option with the opponent to move, and whether Right is to move there.
        let stop = |player: usize, (shape, mean): &Translate| {
            let Shape { walls, right_to_move, .. } = &self.shapes[*shape as usize];
            (walls[1 - player][0].1 + *mean, right_to_move[1 - player])
        };
        let left = options[LEFT].iter().map(|option| stop(LEFT, option)).max();
        let right = options[RIGHT].iter().map(|option| stop(RIGHT, option)).min();
        if let Some(number) = number_between(left, right) {
            return self.number_up_star(NumberUpStar::number(number));
        }
        let (Some((_, left_turn)), Some((_, right_turn))) = (left, right) else {
            // A game without options for one of the players is a number.
            return self.number_up_star(NumberUpStar::number(Dyadic::ZERO));
        };
        let walls = [LEFT, RIGHT].map(|player| {
            let wall = |(shape, mean): &Translate| translated(&self.shapes[*shape as usize].walls[1 - player], *mean);
            options[player].iter().map(wall).collect()
        });
        let Thermograph { walls, mast } = Thermograph::from_option_walls(walls)?;
        let walls = walls.each_ref().map(|wall| translated(wall, -mast.mean));
        let shape = Shape { walls, temperature: mast.temperature, right_to_move: [left_turn, right_turn] };
        Ok((self.intern(shape)?, mast.mean))
    }

    /// Returns the translate of a [`NumberUpStar`].
    fn number_up_star(&mut self, nus: NumberUpStar) -> Result<Translate, CgtError> {
        let mast = || vec![(Dyadic::ZERO, Dyadic::ZERO)];
        let small = NumberUpStar { number: Dyadic::ZERO, ..nus };
        let zero = NumberUpStar::number(Dyadic::ZERO);
        let right_to_move = [!small.is_at_most(zero), zero.is_at_most(small)];
        let temperature = (!nus.is_number()).then_some(Dyadic::ZERO);
        Ok((self.intern(Shape { walls: [mast(), mast()], temperature, right_to_move })?, nus.number))
    }

    /// Returns the shape of the negative.
    fn negative_shape(&mut self, shape: u32) -> Result<u32, CgtError> {
        let Shape { walls: [left, right], temperature, right_to_move: [first, second] } =
            self.shapes[shape as usize].clone();
        self.intern(Shape { walls: [negative(right), negative(left)], temperature, right_to_move: [!second, !first] })
    }

    fn intern(&mut self, shape: Shape) -> Result<u32, CgtError> {
        if let Some(&known) = self.shape_indices.get(&shape) {
            return Ok(known);
        }
        let points = shape.walls.iter().map(Vec::len).sum::<usize>();
        self.reserve(2 * (size_of::<Shape>() + points * size_of::<(Dyadic, Dyadic)>()) + 64)?;
        let index = self.shapes.len() as u32;
        self.shapes.push(shape.clone());
        self.shape_indices.insert(shape, index);
        Ok(index)
    }

    fn reserve(&mut self, bytes: usize) -> Result<(), CgtError> {
        self.bytes += bytes;
        if self.bytes > self.max_bytes { Err(CgtError::OutOfMemory(self.max_bytes)) } else { Ok(()) }
    }
}

/// Splits the positions into a sum, the number split off it, and whether the players are exchanged in all of it.
fn split_parts<G: Partizan>(
    positions: Vec<(G::Position, bool)>,
    rest: Form,
    values: &mut PartizanSolver<G>,
    forms: &mut FormStore,
) -> Result<(PartSum<G::Position>, Dyadic, bool), CgtError>
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
    // A part and its negative cancel.
    let mut uncancelled: Vec<(G::Position, bool)> = Vec::with_capacity(parts.len());
    for (part, exchanged) in parts {
        match uncancelled.last() {
            Some((last, other)) if *last == part && *other != exchanged => drop(uncancelled.pop()),
            _ => uncancelled.push((part, exchanged)),
        }
    }
    let number = forms.stops(rest)[RIGHT];
    let minus = forms.intern_number(-number)?;
    let rest = forms.sum(rest, minus)?;
    // Of a sum and its negative one is stored: that whose first part is not exchanged.
    match uncancelled.first() {
        Some((_, true)) => {
            let below = forms.stops(rest)[LEFT];
            let negative = forms.negative(rest)?;
            let up = forms.intern_number(below)?;
            let rest = forms.sum(negative, up)?;
            uncancelled.iter_mut().for_each(|(_, exchanged)| *exchanged = !*exchanged);
            uncancelled.sort_unstable();
            Ok((PartSum { parts: uncancelled.into(), rest }, number + below, true))
        }
        _ => Ok((PartSum { parts: uncancelled.into(), rest }, number, false)),
    }
}

/// Returns whether the part has so few moves that its value costs little.
fn is_small<G: Partizan>(game: &G, part: &G::Position) -> bool {
    match game.bounds(part) {
        [Some(least), Some(most)] => most - least <= MAX_SMALL_MOVES,
        _ => game.value(part).is_some(),
    }
}

/// Returns the simplest number that is greater than or confused with the left options, and less than or confused with
/// the right options, from the stops of the options.
fn number_between(left: Option<(Dyadic, bool)>, right: Option<(Dyadic, bool)>) -> Option<Dyadic> {
    // An option that stops at the number itself is not as good as the number if its owner is to move there.
    let fits = |number: Dyadic| {
        left.is_none_or(|left| left <= (number, false)) && right.is_none_or(|right| right >= (number, true))
    };
    let (above, below) = (left.map(|(stop, _)| stop), right.map(|(stop, _)| stop));
    let between = Dyadic::simplest_between(above, below);
    [above, below, between].into_iter().flatten().filter(|number| fits(*number)).min_by_key(|number| number.birthday())
}

fn translated(wall: &Wall, by: Dyadic) -> Wall {
    wall.iter().map(|(tax, value)| (*tax, *value + by)).collect()
}
