//! Games of one's own: what a partizan game tells of its positions, and what those are worth.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::kept::{Log, MIN_LOGGED_WORK};
use super::{CgtError, Form, FormStore, LEFT, NumberUpStar, RIGHT};

/// One of the two players of a partizan game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Player {
    /// For whom positive values are good.
    Left,
    /// For whom negative ones are.
    Right,
}

impl Player {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// A game in which Left and Right may have different moves, and who cannot move loses. A
/// position does not say whose turn it is.
///
/// ```
/// use balpan::Watch;
/// use balpan::cgt::{FormStore, Partizan, Player, PartizanSolver};
///
/// /// A path of edges, tied to the ground at its left end: who cuts an edge drops what hangs on it.
/// struct Path;
///
/// impl Partizan for Path {
///     type Position = String;
///
///     fn options(&self, path: &String, player: Player) -> impl Iterator<Item = String> {
///         let own = if player == Player::Left { 'b' } else { 'r' };
///         path.match_indices(own).map(|(at, _)| path[..at].to_owned())
///     }
/// }
///
/// let watch = Watch::default();
/// let mut forms = FormStore::new(1 << 20, &watch);
/// let value = PartizanSolver::new(Path).value(&"bbr".to_owned(), &mut forms)?;
/// assert_eq!(forms.text(value)?, "3/2");
/// # Ok::<(), balpan::cgt::CgtError>(())
/// ```
pub trait Partizan {
    /// All that the rest of the game depends on, but for whose turn it is.
    type Position: Clone + Eq + Hash;

    /// What the player can move to. Law: play ends, whatever is played, by whomever.
    fn options(&self, position: &Self::Position, player: Player) -> impl Iterator<Item = Self::Position>;

    /// Adds the position's independent parts to `parts`: positions of the same game of which each move changes
    /// one alone. Parts in which nobody has a move may be left out. Law: the position is worth their sum.
    fn split(&self, position: &Self::Position, parts: &mut Vec<Self::Position>) {
        parts.push(position.clone());
    }

    /// One position for all that are the same but for how they lie, and whether the players are exchanged in it.
    /// Law: it is worth as much as the position, or the negative of that if they are.
    fn canonical(&self, position: &Self::Position) -> (Self::Position, bool) {
        (position.clone(), false)
    }

    /// What the position is worth, if that is known without its options.
    fn value(&self, _position: &Self::Position) -> Option<NumberUpStar> {
        None
    }

    /// Numbers that the position is worth no less and no more than, as far as is known without its options: an
    /// option that is bound to be no better than another one is not valued.
    fn bounds(&self, _position: &Self::Position) -> [Option<i64>; 2] {
        [None, None]
    }
}

impl<G: Partizan> Partizan for &G {
    type Position = G::Position;

    fn options(&self, position: &Self::Position, player: Player) -> impl Iterator<Item = Self::Position> {
        (**self).options(position, player)
    }

    fn split(&self, position: &Self::Position, parts: &mut Vec<Self::Position>) {
        (**self).split(position, parts);
    }

    fn canonical(&self, position: &Self::Position) -> (Self::Position, bool) {
        (**self).canonical(position)
    }

    fn value(&self, position: &Self::Position) -> Option<NumberUpStar> {
        (**self).value(position)
    }

    fn bounds(&self, position: &Self::Position) -> [Option<i64>; 2] {
        (**self).bounds(position)
    }
}

/// PartizanSolver of positions of a partizan game, by parts. Each part is valued once, wherever it lies and
/// however it is turned, as long as the table lives.
///
/// Cost: a canonical form for each part that play can reach.
#[derive(Debug)]
pub struct PartizanSolver<G: Partizan> {
    game: G,
    known: FxHashMap<G::Position, Form>,
    /// How many of them are of earlier runs.
    kept: usize,
    pub(super) log: Option<Log<G>>,
}

impl<G: Partizan> PartizanSolver<G> {
    /// Of the positions of `game`; none is known yet.
    #[must_use]
    pub fn new(game: G) -> Self {
        Self { game, known: FxHashMap::default(), kept: 0, log: None }
    }

    /// The game.
    pub const fn game(&self) -> &G {
        &self.game
    }

    /// How many different parts were valued, those of earlier runs left out.
    #[must_use]
    pub fn part_count(&self) -> usize {
        self.known.len() - self.kept
    }

    /// Takes over what an earlier run has found of a part in its canonical form.
    pub(super) fn insert_loaded(&mut self, part: G::Position, value: Form) {
        self.kept += usize::from(self.known.insert(part, value).is_none());
    }

    /// The position's value in `forms`, which has to be the same store every time.
    ///
    /// # Errors
    /// [`CgtError`] if it takes too long or too much memory, or play does not end. The parts that were valued are known
    /// the next time.
    pub fn value(&mut self, position: &G::Position, forms: &mut FormStore<'_>) -> Result<Form, CgtError> {
        let value = self.sum_of_parts(position, forms)?;
        if self.log.is_some() {
            // What was asked for is kept, however little it took.
            let mut parts = Vec::new();
            self.game.split(position, &mut parts);
            for part in parts {
                let value = self.part_value(&part, forms)?;
                self.log_part(&part, value, forms)?;
            }
        }
        Ok(value)
    }

    fn sum_of_parts(&mut self, position: &G::Position, forms: &mut FormStore<'_>) -> Result<Form, CgtError> {
        let mut parts = Vec::new();
        self.game.split(position, &mut parts);
        let mut sum = forms.zero();
        for part in parts {
            let value = self.part_value(&part, forms)?;
            sum = forms.sum(sum, value)?;
        }
        Ok(sum)
    }

    /// Keeps the value of a part, if values are kept.
    fn log_part(&mut self, part: &G::Position, value: Form, forms: &mut FormStore<'_>) -> Result<(), CgtError> {
        let Some(log) = &mut self.log else { return Ok(()) };
        if self.game.value(part).is_some() {
            return Ok(());
        }
        let (part, exchanged) = self.game.canonical(part);
        if log.is_new(&part) {
            let value = if exchanged { forms.negative(value)? } else { value };
            log.part(&self.game, part, value, forms)?;
        }
        Ok(())
    }

    pub(super) fn part_value(&mut self, part: &G::Position, forms: &mut FormStore<'_>) -> Result<Form, CgtError> {
        if let Some(near) = self.game.value(part) {
            return forms.intern_number_up_star(near);
        }
        let (part, exchanged) = self.game.canonical(part);
        let value = match self.known.get(&part) {
            Some(&value) => value,
            None => {
                let before = forms.watch.positions();
                let [left, right] = forms.one_ply_deeper(|forms| {
                    Ok([
                        self.option_values(&part, Player::Left, forms)?,
                        self.option_values(&part, Player::Right, forms)?,
                    ])
                })?;
                let value = forms.canonical_form(&left, &right)?;
                let is_long = forms.watch.positions().saturating_sub(before) >= MIN_LOGGED_WORK;
                if is_long {
                    self.log_part(&part, value, forms)?;
                }
                self.known.insert(part, value);
                value
            }
        };
        if exchanged { forms.negative(value) } else { Ok(value) }
    }

    /// PartizanSolver of what the player can move to, but for what one of them is no worse than.
    fn option_values(
        &mut self,
        part: &G::Position,
        player: Player,
        forms: &mut FormStore<'_>,
    ) -> Result<Vec<Form>, CgtError> {
        let mut values = Vec::new();
        let options: Vec<_> = self.game.options(part, player).collect();
        for option in options {
            let [least, most] = self.game.bounds(&option);
            let is_dominated = |value: &Form| {
                let [left, right] = forms.stops(*value);
                // A number that play stops at for certain is less than the value, or more, by no infinitesimal.
                match player {
                    Player::Left => most.is_some_and(|most| right > super::Dyadic::integer(most)),
                    Player::Right => least.is_some_and(|least| left < super::Dyadic::integer(least)),
                }
            };
            if !values.iter().any(is_dominated) {
                values.push(self.sum_of_parts(&option, forms)?);
            }
        }
        values.sort_unstable();
        values.dedup();
        Ok(values)
    }

    /// The outcomes of play from the position as plain search has it, for Left and for Right when that player
    /// begins: the reference against which values are tested.
    pub fn wins_by_search(game: &G, position: &G::Position, player: Player) -> bool {
        game.options(position, player).any(|option| !Self::wins_by_search(game, &option, player.other()))
    }
}

impl Player {
    /// Its place in pairs of something for Left and something for Right.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Left => LEFT,
            Self::Right => RIGHT,
        }
    }
}
