//! Who wins a partizan game that falls apart: a search of sums of independent parts.

use std::cmp::Reverse;
use std::fmt;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use balpan::{Bounds, Game, MAX_PLIES, Outcome, Value, Watch};
use rustc_hash::FxHashMap;

use super::{CgtError, Dyadic, Form, FormStore, LEFT, NumberUpStar, Partizan, PartizanSolver, Player, RIGHT};

/// A partizan game as a [`Game`] of sums: its positions are multisets of independent parts. It has the outcomes of the
/// partizan game, which a search finds in fewer positions:
///
/// - A part and its negative leave the sum together, where canonical positions show that they are, and parts that are numbers, multiples of up and nimbers are added up.
/// - Parts from which play takes at most [`MAX_VALUED_PLIES`] plies are evaluated once. One part stands for those of the same
///   value from which play may take as long or longer, so that sums get shorter.
/// - Stops and atomic weights decide sums of such parts: see [`Bounds`] of [`Game::bounds`].
///
/// Plies are not those of the partizan game, so nothing but the outcome means anything.
///
/// Source of the bounds: E. R. Berlekamp, J. H. Conway and R. K. Guy, "Winning ways" (1982), chapters 6 and 8; of such a
/// search: M. Müller and Z. Li, "Locally informed global search for sums of combinatorial games" (2004).
pub struct SumGame<G: Partizan> {
    game: G,
    start: Sum<G::Position>,
    values: Mutex<Values<G>>,
}

/// A sum in which Left is to move. Where Right is, it is the negative of the sum. It belongs to the [`SumGame`] that made it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sum<P> {
    /// The parts that are no [`NumberUpStar`], as far as is known, in ascending order.
    parts: Vec<Part<P>>,
    /// The sum of all other parts.
    known: NumberUpStar,
}

/// A part in its canonical position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Part<P> {
    position: P,
    /// Whether the part is the negative of the position.
    is_negative: bool,
    /// The index of the limits of the position's value; [`NO_VALUE`] if it has not been evaluated.
    value: u32,
}

/// The index of no value.
const NO_VALUE: u32 = u32::MAX;

/// A move in a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SumMove<P> {
    /// Replaces the part of this index by another position.
    Part(usize, P),
    /// Replaces the sum of known values.
    Known(NumberUpStar),
}

/// The most plies of play from parts whose values are found. Measured on Clobber: 8 saves a fifth to a third of the sums, and
/// takes longer.
pub const MAX_VALUED_PLIES: u32 = 6;

/// The bytes of what is kept for a part that is evaluated, about.
const PART_BYTES: usize = 512;

/// The values of short parts.
struct Values<G: Partizan> {
    solver: PartizanSolver<G>,
    forms: FormStore,
    /// What is known of the parts, by canonical position; `None` if a value could not be found.
    parts: FxHashMap<G::Position, Option<Valued<G::Position>>>,
    /// The part that stands for others of a value, and its [plies](Partizan::max_plies).
    representatives: FxHashMap<Form, (Part<G::Position>, u32)>,
    limits: Vec<Limits>,
    /// The most parts that are evaluated.
    max_parts: usize,
}

/// A part with a value.
#[derive(Clone, Copy)]
enum Valued<P> {
    Known(NumberUpStar),
    /// The part that stands for the value.
    Part(Part<P>),
}

/// What bounds tell of a value.
#[derive(Clone, Copy)]
struct Limits {
    /// The left stop and the right stop.
    stops: [Dyadic; 2],
    /// Integers between which the atomic weight lies, if the value is all-small.
    weights: Option<[i64; 2]>,
    is_own_negative: bool,
}

impl Limits {
    fn negative(self) -> Self {
        let [left, right] = self.stops;
        Self { stops: [-right, -left], weights: self.weights.map(|[low, high]| [-high, -low]), ..self }
    }
}

impl<G: Partizan<Position: Copy + Ord> + Clone> SumGame<G> {
    /// Creates the sums of a game, beginning with a position in which a player is to move. Values take about `max_bytes`; once
    /// these are used up, parts are searched instead.
    pub fn new(game: G, start: &G::Position, player: Player, max_bytes: usize) -> Self {
        let values = Values {
            solver: PartizanSolver::new(game.clone()),
            forms: FormStore::new(max_bytes / 2, &Watch::default()),
            parts: FxHashMap::default(),
            representatives: FxHashMap::default(),
            limits: Vec::new(),
            max_parts: max_bytes / 2 / PART_BYTES,
        };
        let zero = Sum { parts: Vec::new(), known: NumberUpStar::number(Dyadic::ZERO) };
        let mut sums = Self { game, start: zero, values: Mutex::new(values) };
        sums.start = sums.sum(start, player);
        sums
    }

    /// Returns a position as a sum. Takes apart the position, and evaluates its short parts if they are new.
    pub fn sum(&self, position: &G::Position, player: Player) -> Sum<G::Position> {
        let mut sum = Sum { parts: Vec::new(), known: NumberUpStar::number(Dyadic::ZERO) };
        self.add(&mut sum, position, player == Player::Right);
        sum.parts.sort_unstable();
        sum
    }

    /// Adds a position or its negative to a sum, whose parts are in no order afterwards.
    fn add(&self, sum: &mut Sum<G::Position>, position: &G::Position, is_negative: bool) {
        let mut parts = Vec::new();
        self.game.split(position, &mut parts);
        for part in parts {
            let (position, is_exchanged) = self.game.canonical(&part);
            let is_negative = is_negative != is_exchanged;
            let short = self.game.max_plies(&position).filter(|plies| *plies <= MAX_VALUED_PLIES);
            let mut values = self.values();
            let part = match short.and_then(|plies| values.value_of(&position, plies)) {
                Some(Valued::Known(value)) => {
                    sum.known = sum.known + if is_negative { -value } else { value };
                    continue;
                }
                Some(Valued::Part(part)) => part,
                None => Part { position, is_negative: false, value: NO_VALUE },
            };
            let negative = values.negative(part);
            let [part, negative] = if is_negative { [negative, part] } else { [part, negative] };
            match sum.parts.iter().position(|other| *other == negative) {
                Some(at) => drop(sum.parts.swap_remove(at)),
                None => sum.parts.push(part),
            }
        }
    }

    fn values(&self) -> MutexGuard<'_, Values<G>> {
        // A search that panicked has left whole entries only.
        self.values.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether Left, who is to move, wins, if the values of the parts decide it.
    ///
    /// She wins if the right stops, one of them replaced by its left stop, add up to more than 0, and loses if the left stops add
    /// up to less than 0. If all parts are all-small, she wins if the atomic weights add up to 1 or more, and loses if to -2 or less.
    fn winner(&self, sum: &Sum<G::Position>) -> Option<bool> {
        let Sum { parts, known } = sum;
        if parts.is_empty() {
            return Some(!known.is_at_most(NumberUpStar::number(Dyadic::ZERO)));
        }
        if parts.iter().any(|part| part.value == NO_VALUE) {
            return None;
        }
        let values = self.values();
        let of_known = if known.number == Dyadic::ZERO { Some([i64::from(known.ups); 2]) } else { None };
        let mut total = Limits { stops: [known.number; 2], weights: of_known, is_own_negative: false };
        // What the best first move gains on the sum of right stops.
        let mut gain = Dyadic::ZERO;
        for part in parts {
            let limits = values.limits[part.value as usize];
            let Limits { stops, weights, .. } = if part.is_negative { limits.negative() } else { limits };
            gain = gain.max(stops[LEFT] + -stops[RIGHT]);
            total.stops = [total.stops[LEFT] + stops[LEFT], total.stops[RIGHT] + stops[RIGHT]];
            total.weights = total.weights.zip(weights).map(|(one, other)| [one[0] + other[0], one[1] + other[1]]);
        }
        match total {
            Limits { stops: [_, right], .. } if right + gain > Dyadic::ZERO => Some(true),
            Limits { stops: [left, _], .. } if left < Dyadic::ZERO => Some(false),
            Limits { weights: Some([low, _]), .. } if low >= 1 => Some(true),
            Limits { weights: Some([_, high]), .. } if high <= -2 => Some(false),
            _ => None,
        }
    }
}

impl<G: Partizan<Position: Copy + Ord>> Values<G> {
    /// Returns the value of a part in canonical position, from which play takes at most this many plies; `None` if it could not be
    /// found.
    fn value_of(&mut self, position: &G::Position, plies: u32) -> Option<Valued<G::Position>> {
        if let Some(known) = self.parts.get(position) {
            return *known;
        }
        if self.solver.part_count().max(self.parts.len()) >= self.max_parts {
            return None;
        }
        let value = self.evaluate(position, plies).ok();
        self.parts.insert(*position, value);
        value
    }

    fn evaluate(&mut self, position: &G::Position, plies: u32) -> Result<Valued<G::Position>, CgtError> {
        let form = self.solver.value(position, &mut self.forms)?;
        if let Some(value) = self.forms.number_up_star(form) {
            return Ok(Valued::Known(value));
        }
        let negative = self.forms.negative(form)?;
        let known =
            |form: Form| self.representatives.get(&form).filter(|(_, other)| *other <= plies).map(|(part, _)| *part);
        if let Some(part) = known(form) {
            return Ok(Valued::Part(part));
        }
        if let Some(part) = known(negative) {
            return Ok(Valued::Part(self.negative(part)));
        }
        let weights = match self.forms.atomic_weight(form)? {
            Some(weight) => Some(integers_around(&self.forms, weight)),
            None => None,
        };
        let part = Part { position: *position, is_negative: false, value: self.limits.len() as u32 };
        self.limits.push(Limits { stops: self.forms.stops(form), weights, is_own_negative: negative == form });
        self.representatives.insert(form, (part, plies));
        Ok(Valued::Part(part))
    }

    /// Returns the negative of a part.
    fn negative(&self, part: Part<G::Position>) -> Part<G::Position> {
        let is_own_negative = self.limits.get(part.value as usize).is_some_and(|limits| limits.is_own_negative);
        Part { is_negative: part.is_negative == is_own_negative, ..part }
    }
}

/// Returns integers that are at most and at least the value.
fn integers_around(forms: &FormStore, form: Form) -> [i64; 2] {
    let [left, right] = forms.stops(form);
    // What is no number may be confused with its stops.
    let beyond = i64::from(forms.number(form).is_none());
    [right.floor() - beyond, -(-left).floor() + beyond]
}

impl<G> Game for SumGame<G>
where
    G: Partizan<Position: Copy + Ord + Send + Sync + 'static> + Clone + Send + Sync + 'static,
{
    type Position = Sum<G::Position>;
    type Move = SumMove<G::Position>;

    const MAY_REPEAT: bool = false;

    fn start(&self) -> Sum<G::Position> {
        self.start.clone()
    }

    /// Returns the moves by [`Partizan::rank`], the best first.
    fn moves(&self, sum: &Sum<G::Position>) -> impl Iterator<Item = SumMove<G::Position>> {
        let mut moves = Vec::new();
        for (n, part) in sum.parts.iter().enumerate() {
            if n > 0 && sum.parts[n - 1] == *part {
                continue;
            }
            let player = if part.is_negative { Player::Right } else { Player::Left };
            let before = self.game.rank(&part.position, player);
            let ranked = self.game.options(&part.position, player).map(|after| {
                let gain = self.game.rank(&after, player).saturating_sub(before);
                (Reverse(gain), SumMove::Part(n, after))
            });
            moves.extend(ranked);
        }
        moves.sort_by_key(|(gain, _)| *gain);
        let [of_known, _] = sum.known.options();
        moves.into_iter().map(|(_, mv)| mv).chain(of_known.into_iter().map(SumMove::Known))
    }

    fn play(&self, sum: &Sum<G::Position>, mv: SumMove<G::Position>) -> Sum<G::Position> {
        let mut after = sum.clone();
        match mv {
            SumMove::Part(n, position) => {
                let part = after.parts.swap_remove(n);
                self.add(&mut after, &position, part.is_negative);
            }
            SumMove::Known(known) => after.known = known,
        }
        after.known = -after.known;
        let values = self.values();
        after.parts.iter_mut().for_each(|part| *part = values.negative(*part));
        drop(values);
        after.parts.sort_unstable();
        after
    }

    fn is_over(&self, sum: &Sum<G::Position>) -> bool {
        let has_move = |part: &Part<G::Position>| {
            let player = if part.is_negative { Player::Right } else { Player::Left };
            self.game.options(&part.position, player).next().is_some()
        };
        !sum.parts.iter().any(has_move) && sum.known.options()[LEFT].is_empty()
    }

    fn bounds(&self, sum: &Sum<G::Position>, _threshold: Value) -> Bounds {
        let outcome = |wins| if wins { Outcome::Win } else { Outcome::Loss };
        self.winner(sum).map_or(Bounds::ANY, |wins| Bounds::from_outcome(outcome(wins), MAX_PLIES))
    }

    fn heap_bytes(&self, sum: &Sum<G::Position>) -> usize {
        size_of_val(&*sum.parts)
    }
}

impl<G: Partizan> fmt::Debug for SumGame<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SumGame").finish_non_exhaustive()
    }
}
