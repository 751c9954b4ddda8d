//! Games behind a table of functions: games whose types are unknown where a [`Task`](crate::Task) is compiled, and any game
//! in code that is compiled once for all types. Each operation calls the game's own, and is some times slower than in code
//! that is compiled for its type.

use std::any::{Any, TypeId};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use balpan::{
    Bounds, BoxedSolver, Budget, Engine, EngineCore, Estimate, Game, Goal, Outcome, Retrograde, Solver, SplitMix,
    Stopped, TableError, Tame, Value, Watch, estimate,
};

use crate::any::{AnyGame, Task};
use crate::board::Board;
use crate::engines::SizedOracle;
use crate::family::{Checked, FamilyGame};
use crate::notation::{Notation, PlayerName};
use crate::text::TextError;

/// A position of a game of any type.
#[derive(Clone)]
pub struct DynPosition(Arc<dyn PositionObject>);

trait PositionObject: Any + Send + Sync {
    fn is_equal(&self, other: &dyn PositionObject) -> bool;
    fn hash_into(&self, state: &mut dyn Hasher);
}

impl<P: Eq + Hash + Send + Sync + 'static> PositionObject for P {
    fn is_equal(&self, other: &dyn PositionObject) -> bool {
        (other as &dyn Any).downcast_ref() == Some(self)
    }

    fn hash_into(&self, mut state: &mut dyn Hasher) {
        self.hash(&mut state);
    }
}

impl fmt::Debug for DynPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DynPosition").finish_non_exhaustive()
    }
}

impl PartialEq for DynPosition {
    fn eq(&self, other: &Self) -> bool {
        (*self.0).is_equal(&*other.0)
    }
}

impl Eq for DynPosition {}

impl Hash for DynPosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (*self.0).hash_into(state);
    }
}

impl DynPosition {
    /// Returns the position as a value of its own type, or as itself if `P` is [`DynPosition`].
    fn inner<P: 'static>(&self) -> &P {
        let own = (&*self.0 as &dyn Any).downcast_ref().or_else(|| (self as &dyn Any).downcast_ref());
        own.unwrap_or_else(|| unreachable!("a position of another game"))
    }
}

/// Returns the position in its own type.
fn typed<G: Game + 'static>(position: &DynPosition) -> &G::Position {
    position.inner()
}

fn erased<G: Game + 'static>(position: G::Position) -> DynPosition {
    DynPosition(Arc::new(position))
}

/// Returns a move by its number among the position's moves.
fn nth<G: Game>(game: &G, position: &G::Position, mv: u32) -> G::Move {
    game.moves(position).nth(mv as usize).unwrap_or_else(|| unreachable!("a move of another position"))
}

/// Defines the object-safe form of a game. The methods in the braces take a position and return something that
/// contains none; `[Trait]` is the trait that they are methods of.
macro_rules! dyn_rules {
    ($($name:ident [$trait:ident]($($arg:ident: $type:ty),*) -> $output:ty;)*) => {
        /// The object-safe form of a game's traits. Moves are numbers in the order of [`Game::moves`].
        #[allow(missing_docs, reason = "the methods have the names of those that they call")]
        pub trait DynRules: Send + Sync {
            $(fn $name(&self, position: &DynPosition $(, $arg: $type)*) -> $output;)*
            fn start(&self) -> DynPosition;
            fn count_moves(&self, position: &DynPosition) -> u32;
            fn play(&self, position: &DynPosition, mv: u32) -> DynPosition;
            /// Returns the position after each move.
            fn play_all(&self, position: &DynPosition) -> Vec<DynPosition>;
            fn canonical(&self, position: &DynPosition) -> DynPosition;
            fn key_bits(&self) -> u32;
            fn position_from_key(&self, key: u128) -> Option<DynPosition>;
            fn part_from_key(&self, key: u128) -> Option<DynPosition>;
            fn keeps_turn(&self, position: &DynPosition, mv: u32, after: &DynPosition) -> bool;
            fn rank(&self, position: &DynPosition, mv: u32, after: &DynPosition) -> i32;
            fn find_move(&self, position: &DynPosition, text: &str) -> Option<u32>;
            fn split(&self, position: &DynPosition) -> Vec<DynPosition>;
            fn parse(&self, text: &str) -> Result<DynPosition, TextError>;
            fn move_text(&self, position: &DynPosition, mv: u32) -> String;
            fn move_cells(&self, position: &DynPosition, mv: u32) -> u128;
            fn random_position(&self, left: usize, random: &mut SplitMix) -> Option<DynPosition>;
            fn outcome_solver(&self, budget: Budget, watch: &Watch) -> Option<BoxedSolver<DynPosition>>;
            /// Formats a position as the checker of certificates reads it, if it knows the game.
            fn checker_text(&self, position: &DynPosition) -> Option<String>;
        }

        impl<G: FamilyGame> DynRules for G {
            $(fn $name(&self, position: &DynPosition $(, $arg: $type)*) -> $output {
                $trait::$name(self, typed::<G>(position) $(, $arg)*)
            })*

            fn start(&self) -> DynPosition {
                erased::<G>(Game::start(self))
            }

            fn count_moves(&self, position: &DynPosition) -> u32 {
                Game::moves(self, typed::<G>(position)).count() as u32
            }

            fn play(&self, position: &DynPosition, mv: u32) -> DynPosition {
                let position = typed::<G>(position);
                erased::<G>(Game::play(self, position, nth(self, position, mv)))
            }

            fn play_all(&self, position: &DynPosition) -> Vec<DynPosition> {
                let position = typed::<G>(position);
                Game::moves(self, position).map(|mv| erased::<G>(Game::play(self, position, mv))).collect()
            }

            fn canonical(&self, position: &DynPosition) -> DynPosition {
                erased::<G>(Game::canonical(self, typed::<G>(position)))
            }

            fn key_bits(&self) -> u32 {
                Game::key_bits(self)
            }

            fn position_from_key(&self, key: u128) -> Option<DynPosition> {
                Game::position_from_key(self, key).map(erased::<G>)
            }

            fn part_from_key(&self, key: u128) -> Option<DynPosition> {
                Game::part_from_key(self, key).map(erased::<G>)
            }

            fn keeps_turn(&self, position: &DynPosition, mv: u32, after: &DynPosition) -> bool {
                // The move itself is generated only if it matters.
                let position = typed::<G>(position);
                !G::TURNS_ALTERNATE && Game::keeps_turn(self, position, nth(self, position, mv), typed::<G>(after))
            }

            fn rank(&self, position: &DynPosition, mv: u32, after: &DynPosition) -> i32 {
                let position = typed::<G>(position);
                Game::rank(self, position, nth(self, position, mv), typed::<G>(after))
            }

            fn split(&self, position: &DynPosition) -> Vec<DynPosition> {
                let mut parts = Vec::new();
                Game::split(self, typed::<G>(position), &mut parts);
                parts.into_iter().map(erased::<G>).collect()
            }

            fn parse(&self, text: &str) -> Result<DynPosition, TextError> {
                Notation::parse(self, text).map(erased::<G>)
            }

            fn find_move(&self, position: &DynPosition, text: &str) -> Option<u32> {
                let position = typed::<G>(position);
                let found = Game::moves(self, position).position(|mv| Notation::move_text(self, position, mv) == text);
                found.map(|mv| mv as u32)
            }

            fn move_text(&self, position: &DynPosition, mv: u32) -> String {
                let position = typed::<G>(position);
                Notation::move_text(self, position, nth(self, position, mv))
            }

            fn move_cells(&self, position: &DynPosition, mv: u32) -> u128 {
                let position = typed::<G>(position);
                Notation::move_cells(self, position, nth(self, position, mv))
            }

            fn random_position(&self, left: usize, random: &mut SplitMix) -> Option<DynPosition> {
                FamilyGame::random_position(self, left, random).map(erased::<G>)
            }

            fn outcome_solver(&self, budget: Budget, watch: &Watch) -> Option<BoxedSolver<DynPosition>> {
                let solver = Game::outcome_solver(&Arc::new(self.clone()), budget, watch)?;
                Some(Box::new(DynSolver(solver)))
            }

            fn checker_text(&self, position: &DynPosition) -> Option<String> {
                Some(self.checked()?.checker_text(typed::<G>(position)))
            }
        }
    };
}

dyn_rules! {
    is_over [Game]() -> bool;
    end [Game]() -> Outcome;
    score [Game]() -> Option<i32>;
    is_legal [Game]() -> bool;
    heap_bytes [Game]() -> usize;
    key [Game]() -> u128;
    is_cacheable [Game]() -> bool;
    layer [Game]() -> Option<u32>;
    mobility [Game]() -> usize;
    bounds [Game](threshold: Value) -> Bounds;
    settle [Game](threshold: Value) -> Option<Value>;
    nimber [Game]() -> Option<u32>;
    part_key [Game]() -> Option<u128>;
    tame [Game]() -> Option<Tame>;
    default_goal [Game]() -> Goal;
    text [Notation]() -> String;
    glyph [Notation](cell: usize) -> char;
    draw_lines [Notation]() -> Vec<String>;
    heaps [Notation]() -> Option<Vec<u16>>;
    picture [Notation]() -> Option<String>;
    winning_cells [Notation]() -> u128;
    players [Notation]() -> [PlayerName; 2];
    parts [FamilyGame]() -> Vec<(u128, String)>;
}

/// Implements methods of a trait by those of the same names of another object.
macro_rules! delegate {
    ($this:ident => $to:expr; $($name:ident($($arg:ident: $type:ty),*) -> $output:ty;)*) => {
        $(fn $name(&self $(, $arg: $type)*) -> $output {
            let $this = self;
            $to.$name($($arg),*)
        })*
    };
}

pub(crate) use delegate;

/// A game of any family as one type. See [`AnyGame::erased`].
#[derive(Clone, Debug)]
pub struct ErasedGame(AnyGame);

impl AnyGame {
    /// Returns the game as one type for all families, for work in which speed does not matter: such code is compiled once,
    /// where a [`Task`](crate::Task) is compiled for each family, and each operation is some times slower.
    #[must_use]
    pub fn erased(&self) -> ErasedGame {
        ErasedGame(self.clone())
    }

    /// Returns a solver that is compiled for the type of the game's positions: an engine whose tables are built, or, where
    /// play may repeat, the values of all positions that play from the start can reach. It takes positions as the
    /// [erased](Self::erased) game has them, or, in a [`Task`](crate::Task), as the game has them; the task is then compiled
    /// without an engine of its own.
    ///
    /// # Errors
    /// If the tables do not fit in the budget's memory, or `watch` stops their construction.
    ///
    /// # Panics
    /// If `P` is the type of another game's positions.
    pub fn solver<P: 'static>(
        &self,
        budget: Budget,
        oracle: Option<&SizedOracle>,
        watch: &Watch,
    ) -> Result<BoxedSolver<P>, TableError> {
        let solver = self.solver_for(TypeId::of::<P>(), budget, oracle, watch)?;
        Ok(*solver.downcast().unwrap_or_else(|_| panic!("positions of another game")))
    }

    /// Returns a [`BoxedSolver`] of positions of this type. Not generic, so that all solvers are compiled in this crate.
    fn solver_for(
        &self,
        positions: TypeId,
        budget: Budget,
        oracle: Option<&SizedOracle>,
        watch: &Watch,
    ) -> Result<Box<dyn Any>, TableError> {
        self.run(MakeSolver { positions, budget, oracle, watch })
    }
}

impl AnyGame {
    /// Estimates the number of positions that a solve of the game from its start will search: see [`balpan::estimate`].
    /// `cost` takes positions as text.
    ///
    /// # Errors
    /// [`Stopped`] if `watch` stops it before the first sample, or play repeats or is too long.
    pub fn estimate(&self, seed: u64, watch: &Watch, cost: &mut CostFn<'_>) -> Result<Estimate, Stopped> {
        self.run(EstimateCost { seed, watch, cost })
    }
}

/// Solves a position and returns the number of positions searched; `None` if the watch stops it.
pub type CostFn<'c> = dyn FnMut(&str, &Watch) -> Option<u64> + 'c;

struct EstimateCost<'a, 'c> {
    seed: u64,
    watch: &'a Watch,
    cost: &'a mut CostFn<'c>,
}

impl Task for EstimateCost<'_, '_> {
    type Output = Result<Estimate, Stopped>;

    fn run<G: FamilyGame>(self, game: &G) -> Self::Output {
        let Self { seed, watch, cost } = self;
        estimate(game, &Game::start(game), seed, watch, |position, watch| cost(&game.text(position), watch))
    }
}

struct MakeSolver<'a> {
    /// The type of positions.
    positions: TypeId,
    budget: Budget,
    oracle: Option<&'a SizedOracle>,
    watch: &'a Watch,
}

impl Task for MakeSolver<'_> {
    /// A `BoxedSolver`.
    type Output = Result<Box<dyn Any>, TableError>;

    fn run<G: FamilyGame>(self, game: &G) -> Self::Output {
        let Self { positions, budget, oracle, watch } = self;
        let solver: BoxedSolver<G::Position> = if G::MAY_REPEAT && game.may_repeat() {
            Box::new(Retrograde::new(Arc::new(game.clone()), &Game::start(game), budget, watch)?)
        } else {
            let mut engine = SizedOracle::attach(oracle, Engine::new(game.clone(), budget));
            engine.prepare(&Game::start(game), watch)?;
            engine.set_watch(watch);
            Box::new(engine)
        };
        if positions == TypeId::of::<G::Position>() {
            return Ok(Box::new(solver));
        }
        let erased: BoxedSolver<DynPosition> = Box::new(DynSolver(solver));
        Ok(Box::new(erased))
    }
}

/// A solver of positions of type `P`, for positions of any type.
struct DynSolver<P>(BoxedSolver<P>);

impl<P: 'static> Solver<DynPosition> for DynSolver<P> {
    fn value(&mut self, position: &DynPosition) -> Result<Value, Stopped> {
        self.0.value(position.inner())
    }

    fn outcome(&mut self, position: &DynPosition) -> Result<Outcome, Stopped> {
        self.0.outcome(position.inner())
    }

    fn test(&mut self, position: &DynPosition, threshold: Value) -> Result<Value, Stopped> {
        self.0.test(position.inner(), threshold)
    }

    fn outcome_bounds(&mut self, position: &DynPosition) -> Result<Bounds, Stopped> {
        self.0.outcome_bounds(position.inner())
    }

    fn value_within(&mut self, position: &DynPosition, bounds: Bounds) -> Result<Value, Stopped> {
        self.0.value_within(position.inner(), bounds)
    }

    fn known_bounds(&mut self, position: &DynPosition) -> Bounds {
        self.0.known_bounds(position.inner())
    }

    fn covers(&self, position: &DynPosition) -> bool {
        self.0.covers(position.inner())
    }

    fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    fn positions_searched(&self) -> u64 {
        self.0.positions_searched()
    }

    fn set_watch(&mut self, watch: &Watch) {
        self.0.set_watch(watch);
    }
}

impl Game for ErasedGame {
    type Position = DynPosition;
    /// The move's number in the order of the moves.
    type Move = u32;

    /// The game itself is asked.
    const TURNS_ALTERNATE: bool = false;

    fn turns_alternate(&self) -> bool {
        self.0.turns_alternate()
    }

    fn max_score(&self) -> u32 {
        self.0.max_score()
    }

    fn may_repeat(&self) -> bool {
        self.0.may_repeat()
    }

    fn moves(&self, position: &DynPosition) -> impl Iterator<Item = u32> {
        0..self.0.rules().count_moves(position)
    }

    delegate! { this => this.0.rules();
        start() -> DynPosition;
        play(position: &DynPosition, mv: u32) -> DynPosition;
        is_over(position: &DynPosition) -> bool;
        end(position: &DynPosition) -> Outcome;
        score(position: &DynPosition) -> Option<i32>;
        keeps_turn(position: &DynPosition, mv: u32, after: &DynPosition) -> bool;
        is_legal(position: &DynPosition) -> bool;
    }

    delegate! { this => this.0.rules();
        canonical(position: &DynPosition) -> DynPosition;
        heap_bytes(position: &DynPosition) -> usize;
        key_bits() -> u32;
        key(position: &DynPosition) -> u128;
        is_cacheable(position: &DynPosition) -> bool;
        position_from_key(key: u128) -> Option<DynPosition>;
        layer(position: &DynPosition) -> Option<u32>;
    }

    delegate! { this => this.0.rules();
        bounds(position: &DynPosition, threshold: Value) -> Bounds;
        settle(position: &DynPosition, threshold: Value) -> Option<Value>;
        rank(position: &DynPosition, mv: u32, after: &DynPosition) -> i32;
        mobility(position: &DynPosition) -> usize;
    }

    fn is_impartial(&self) -> bool {
        self.0.is_impartial()
    }

    fn is_impartial_misere(&self) -> bool {
        self.0.is_impartial_misere()
    }

    fn split(&self, position: &DynPosition, parts: &mut Vec<DynPosition>) {
        parts.extend(self.0.rules().split(position));
    }

    fn has_part_keys(&self) -> bool {
        self.0.has_part_keys()
    }

    delegate! { this => this.0.rules();
        nimber(part: &DynPosition) -> Option<u32>;
        part_key(part: &DynPosition) -> Option<u128>;
        part_from_key(key: u128) -> Option<DynPosition>;
        tame(part: &DynPosition) -> Option<Tame>;
    }

    fn core(self: Arc<Self>, budget: Budget) -> EngineCore<Self> {
        EngineCore::new(self, budget)
    }

    fn outcome_solver(self: &Arc<Self>, budget: Budget, watch: &Watch) -> Option<BoxedSolver<DynPosition>> {
        self.0.rules().outcome_solver(budget, watch)
    }

    delegate! { this => this.0.rules();
        default_goal(position: &DynPosition) -> Goal;
    }
}

impl Notation for ErasedGame {
    fn board(&self) -> Option<Board> {
        self.0.board()
    }

    fn size(&self) -> String {
        self.0.size()
    }

    fn first_column(&self) -> usize {
        self.0.first_column()
    }

    fn edges(&self) -> Vec<Vec<usize>> {
        self.0.edges()
    }

    fn owner(&self, glyph: char) -> Option<usize> {
        self.0.owner(glyph)
    }

    delegate! { this => this.0.rules();
        parse(text: &str) -> Result<DynPosition, TextError>;
        text(position: &DynPosition) -> String;
        move_text(position: &DynPosition, mv: u32) -> String;
        find_move(position: &DynPosition, text: &str) -> Option<u32>;
        glyph(position: &DynPosition, cell: usize) -> char;
        draw_lines(position: &DynPosition) -> Vec<String>;
        heaps(position: &DynPosition) -> Option<Vec<u16>>;
        picture(position: &DynPosition) -> Option<String>;
        winning_cells(position: &DynPosition) -> u128;
        move_cells(position: &DynPosition, mv: u32) -> u128;
        players(position: &DynPosition) -> [PlayerName; 2];
    }
}

impl FamilyGame for ErasedGame {
    fn family(&self) -> &'static str {
        self.0.family()
    }

    fn checked(&self) -> Option<&dyn Checked<Position = DynPosition>> {
        self.0.checker_text().map(|_| self as _)
    }

    delegate! { this => this.0.rules();
        parts(position: &DynPosition) -> Vec<(u128, String)>;
        random_position(left: usize, random: &mut SplitMix) -> Option<DynPosition>;
    }
}

/// Positions are read as text: only games in the rules language are proved as erased ones.
impl Checked for ErasedGame {
    type Position = DynPosition;

    fn checker_rules(&self) -> String {
        self.0.checker_text().map_or_else(String::new, |(rules, _)| rules)
    }

    fn checker_text(&self, position: &DynPosition) -> String {
        self.0.rules().checker_text(position).unwrap_or_default()
    }
}
