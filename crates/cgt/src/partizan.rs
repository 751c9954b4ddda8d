//! Partizan games, and a solver that finds the values of their positions.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::checkpoint::{Log, MIN_LOGGED_WORK};
use super::{CgtError, Dyadic, Form, FormStore, LEFT, NumberUpStar, RIGHT};

/// A player of a partizan game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Player {
    /// The player for whom positive values are good.
    Left,
    /// The player for whom negative values are good.
    Right,
}

impl Player {
    /// Both players.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// Returns the opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// A game in which Left and Right may have different moves, and a player who cannot move loses. A position does not
/// include whose turn it is.
///
/// ```
/// use balpan::Watch;
/// use balpan_cgt::{FormStore, Partizan, Player, PartizanSolver};
///
/// /// A path of edges, tied to the ground at its left end: cutting an edge removes all edges beyond it.
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
/// # Ok::<(), balpan_cgt::CgtError>(())
/// ```
pub trait Partizan {
    /// All that the rest of the game depends on, except whose turn it is.
    type Position: Clone + Eq + Hash;

    /// Returns the positions after the player's moves. Law: every play ends, even if the players do not alternate.
    fn options(&self, position: &Self::Position, player: Player) -> impl Iterator<Item = Self::Position>;

    /// Adds the position's independent parts to `parts`: positions of the same game, of which each move changes one.
    /// Parts without moves may be left out. Law: the position is the sum of its parts.
    fn split(&self, position: &Self::Position, parts: &mut Vec<Self::Position>) {
        parts.push(position.clone());
    }

    /// Returns a representative of the position's symmetry class, and whether the players are exchanged in it. Law:
    /// its value is that of the position, negated if the players are exchanged.
    fn canonical(&self, position: &Self::Position) -> (Self::Position, bool) {
        (position.clone(), false)
    }

    /// Returns the position's value, if a formula gives it without a search.
    fn value(&self, _position: &Self::Position) -> Option<NumberUpStar> {
        None
    }

    /// Returns integers between which the position's value lies, if they are easy to find. An option that is
    /// dominated according to its bounds is not evaluated.
    fn bounds(&self, _position: &Self::Position) -> [Option<i64>; 2] {
        [None, None]
    }

    /// Returns a number of plies that no play from the position exceeds, if one is easy to find. A
    /// [`SumGame`](crate::SumGame) evaluates the parts from which play is short. Law: each option has fewer, a part no more, and
    /// the canonical position as many.
    fn max_plies(&self, _position: &Self::Position) -> Option<u32> {
        None
    }

    /// Returns how promising the position is for the player who has just moved. It is compared with the ranks of the
    /// position before the move, and affects only the speed of a [`SumGame`](crate::SumGame).
    fn rank(&self, _position: &Self::Position, _player: Player) -> i32 {
        0
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

    fn max_plies(&self, position: &Self::Position) -> Option<u32> {
        (**self).max_plies(position)
    }

    fn rank(&self, position: &Self::Position, player: Player) -> i32 {
        (**self).rank(position, player)
    }
}

/// Finds the values of positions of a partizan game, part by part. Each part is evaluated once, up to symmetry, for
/// the lifetime of the solver.
///
/// Cost: a canonical form for each part that play can reach.
#[derive(Debug)]
pub struct PartizanSolver<G: Partizan> {
    game: G,
    values: FxHashMap<G::Position, Form>,
    /// The number of parts loaded from a checkpoint.
    loaded: usize,
    pub(super) log: Option<Log<G>>,
}

impl<G: Partizan> PartizanSolver<G> {
    /// Creates a solver without any values.
    #[must_use]
    pub fn new(game: G) -> Self {
        Self { game, values: FxHashMap::default(), loaded: 0, log: None }
    }

    /// Returns the game.
    pub const fn game(&self) -> &G {
        &self.game
    }

    /// Returns the number of different parts evaluated, without those loaded from a checkpoint.
    #[must_use]
    pub fn part_count(&self) -> usize {
        self.values.len() - self.loaded
    }

    /// Adds a loaded value of a part in canonical position.
    pub(super) fn insert_loaded(&mut self, part: G::Position, value: Form) {
        self.loaded += usize::from(self.values.insert(part, value).is_none());
    }

    /// Returns the position's value in `forms`, which has to be the same store in every call.
    ///
    /// # Errors
    /// [`CgtError`] if the watch stops it, the memory is used up, or play does not end. The next call reuses the
    /// parts that were evaluated.
    pub fn value(&mut self, position: &G::Position, forms: &mut FormStore) -> Result<Form, CgtError> {
        let value = self.sum_of_parts(position, forms)?;
        if self.log.is_some() {
            // The parts of a queried position are logged, however little work they took.
            let mut parts = Vec::new();
            self.game.split(position, &mut parts);
            for part in parts {
                let value = self.part_value(&part, forms)?;
                self.log_part(&part, value, forms)?;
            }
        }
        Ok(value)
    }

    fn sum_of_parts(&mut self, position: &G::Position, forms: &mut FormStore) -> Result<Form, CgtError> {
        let mut parts = Vec::new();
        self.game.split(position, &mut parts);
        let mut sum = forms.zero();
        for part in parts {
            let value = self.part_value(&part, forms)?;
            sum = forms.sum(sum, value)?;
        }
        Ok(sum)
    }

    /// Logs the value of a part, if there is a log.
    fn log_part(&mut self, part: &G::Position, value: Form, forms: &mut FormStore) -> Result<(), CgtError> {
        let Some(log) = &mut self.log else { return Ok(()) };
        if self.game.value(part).is_some() {
            return Ok(());
        }
        let (part, exchanged) = self.game.canonical(part);
        if log.lacks(&part) {
            let value = if exchanged { forms.negative(value)? } else { value };
            log.write_part(&self.game, part, value, forms)?;
        }
        Ok(())
    }

    pub(super) fn part_value(&mut self, part: &G::Position, forms: &mut FormStore) -> Result<Form, CgtError> {
        if let Some(nus) = self.game.value(part) {
            return forms.intern_number_up_star(nus);
        }
        let (part, exchanged) = self.game.canonical(part);
        let value = match self.values.get(&part) {
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
                self.values.insert(part, value);
                value
            }
        };
        if exchanged { forms.negative(value) } else { Ok(value) }
    }

    /// Returns the values of the player's options, except those that another option dominates by their bounds.
    fn option_values(
        &mut self,
        part: &G::Position,
        player: Player,
        forms: &mut FormStore,
    ) -> Result<Vec<Form>, CgtError> {
        let mut values = Vec::new();
        let options: Vec<_> = self.game.options(part, player).collect();
        for option in options {
            let [min, max] = self.game.bounds(&option);
            let is_dominated = |value: &Form| {
                let [left, right] = forms.stops(*value);
                // A stop strictly beyond the option's bound decides the order, whatever the infinitesimals.
                match player {
                    Player::Left => max.is_some_and(|max| right > Dyadic::integer(max)),
                    Player::Right => min.is_some_and(|min| left < Dyadic::integer(min)),
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

    /// Returns whether the player, moving first, wins, by plain search: the reference against which values are
    /// tested.
    pub fn wins_by_search(game: &G, position: &G::Position, player: Player) -> bool {
        game.options(position, player).any(|option| !Self::wins_by_search(game, &option, player.other()))
    }
}

impl Player {
    /// Returns the player's index in pairs of a left and a right item: 0 for Left, 1 for Right.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Left => LEFT,
            Self::Right => RIGHT,
        }
    }
}
