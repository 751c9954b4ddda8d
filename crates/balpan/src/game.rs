//! Games: the rules, and what makes a search of them faster.

pub mod laws;
mod oracle;
mod symmetry;
pub(crate) mod tame;

use std::hash::Hash;
use std::sync::Arc;

pub use oracle::Oracle;
pub(crate) use oracle::OracleProbe;
pub use symmetry::Symmetries;
pub use tame::Tame;

use crate::engine::{EngineCore, Goal};
use crate::search::codes::ValueCodec;
use crate::search::length::MAX_PLIES;
use crate::search::{BoxedSettler, BoxedSolver, Budget, Stopped, TableError, Watch};
use crate::value::{Bounds, Outcome, Turn, Value};

/// A two-player game of perfect information.
///
/// A value of the implementing type is one set of rules on one board, shared by all positions. Three methods are
/// required; the others have correct defaults, and make a game faster to solve.
///
/// | methods | what they do |
/// |---|---|
/// | [`start`](Self::start), [`moves`](Self::moves), [`play`](Self::play) | state the rules: required |
/// | [`end`](Self::end), [`score`](Self::score), [`keeps_turn`](Self::keeps_turn), [`may_repeat`](Self::may_repeat) and those beside them | state the rest of them: by default whoever cannot move loses, turns alternate, and play ends |
/// | [`canonical`](Self::canonical), [`key`](Self::key), [`layer`](Self::layer) and those beside them | store positions in tables: symmetries, packed keys, a number that every move lowers |
/// | [`bounds`](Self::bounds), [`settle`](Self::settle), [`candidates`](Self::candidates) | promise something about values, so that fewer positions are searched; a wrong promise makes wrong answers |
/// | [`rank`](Self::rank), [`looks_ahead`](Self::looks_ahead), [`part_moves`](Self::part_moves) | order the search; they affect speed only |
/// | [`is_impartial`](Self::is_impartial), [`split`](Self::split), [`nimber`](Self::nimber) and those beside them | solve impartial games by independent parts |
/// | [`default_goal`](Self::default_goal), [`suits_proof_numbers`](Self::suits_proof_numbers) | help an [`Engine`](crate::Engine) to choose |
///
/// [`laws::check`](crate::laws::check) tests the laws stated below.
///
/// Turns alternate, unless a game with [`keeps_turn`](Self::keeps_turn) says otherwise. A pass is a move that changes only
/// whose turn it is; whatever limits passes, such as a count of them, is part of the position.
///
/// ```
/// use balpan::{Game, Outcome};
///
/// /// A heap from which one or two are taken; whoever takes the last wins.
/// struct Heap;
/// impl Game for Heap {
///     type Position = u32;
///     type Move = u32;
///     fn start(&self) -> u32 { 4 }
///     fn moves(&self, &heap: &u32) -> impl Iterator<Item = u32> { 1..=heap.min(2) }
///     fn play(&self, heap: &u32, taken: u32) -> u32 { heap - taken }
/// }
/// let answer = balpan::solve(Heap)?;
/// assert_eq!(answer.outcome(), Some(Outcome::Win));
/// assert_eq!(answer.line, [1, 1, 2]);
/// # Ok::<(), balpan::EngineError>(())
/// ```
pub trait Game: Sized + Send + Sync + 'static {
    /// Everything that the rest of the game depends on, the side to move included.
    /// Make it small and cheap to clone: solvers store millions of positions.
    type Position: Clone + Eq + Hash + Send + Sync + 'static;
    /// One action of the player to move.
    type Move: Copy + PartialEq + Send + Sync + 'static;

    /// Returns the position in which play begins.
    fn start(&self) -> Self::Position;

    /// Returns the moves of the player to move, each once, in a fixed order. A position without moves
    /// is an end. Law: every play ends within [`MAX_PLIES`](crate::MAX_PLIES) plies, unless it
    /// [may repeat](Self::may_repeat). A search that finds play to repeat or to last longer refuses the game.
    fn moves(&self, position: &Self::Position) -> impl Iterator<Item = Self::Move>;

    /// Returns the position after `mv`, which is one of the position's [`moves`](Self::moves).
    fn play(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// Returns whether play has ended. Law: it has if, and only if, there are no
    /// [`moves`](Self::moves). Override it if there is a quicker way than to generate the first move.
    fn is_over(&self, position: &Self::Position) -> bool {
        self.moves(position).next().is_none()
    }

    /// Returns the outcome for the player to move, in a position without moves.
    /// By default that player loses: normal play.
    fn end(&self, _position: &Self::Position) -> Outcome {
        Outcome::Loss
    }

    /// Returns the score of a position without moves, for the player to move; `None` if the game has no scores there: then
    /// [`end`](Self::end) says how it has ended. Each player maximises the own score, and scores of 0 are draws. Law: a score
    /// is at most [`max_score`](Self::max_score), and at least its negative.
    fn score(&self, _position: &Self::Position) -> Option<i32> {
        None
    }

    /// Returns the largest score, positive or negative; 0 if there are no scores. It is at most
    /// [`Value::MAX_SCORE`]. The table has room for scores up to this.
    fn max_score(&self) -> u32 {
        0
    }

    /// Whether turns always alternate. A game with `false` here says by [`keeps_turn`](Self::keeps_turn) which moves leave
    /// the turn with the player who makes them.
    const TURNS_ALTERNATE: bool = true;

    /// Returns whether turns always alternate in this game: [`TURNS_ALTERNATE`](Self::TURNS_ALTERNATE), unless the type stands for
    /// games of both kinds.
    fn turns_alternate(&self) -> bool {
        Self::TURNS_ALTERNATE
    }

    /// Returns whether the player who makes a move is to move again after it. Law: if one does,
    /// [`TURNS_ALTERNATE`](Self::TURNS_ALTERNATE) is `false`, without which nobody asks. Positions stay as the player to
    /// move sees them.
    fn keeps_turn(&self, _position: &Self::Position, _mv: Self::Move, _after: &Self::Position) -> bool {
        false
    }

    /// Whether play may repeat in some game of this type. With `false`, what solves such games is not compiled for it, and
    /// [`may_repeat`](Self::may_repeat), which has to be `false` too, is not asked.
    const MAY_REPEAT: bool = true;

    /// Returns whether play may come back to a position. Play without end is then a draw, and the game is solved by
    /// [`Retrograde`](crate::Retrograde) analysis of all positions that play can reach. By default play ends, and a search
    /// that finds it to repeat refuses the game.
    fn may_repeat(&self) -> bool {
        false
    }

    /// Returns the value of a position without moves, by [`score`](Self::score) or [`end`](Self::end). Not to be overridden.
    fn end_value(&self, position: &Self::Position) -> Value {
        match self.score(position) {
            Some(score) => Value::from_score(score.clamp(-Value::MAX_SCORE, Value::MAX_SCORE)),
            None => Value::terminal(self.end(position)),
        }
    }

    /// Returns whose turn it is after a move, by [`keeps_turn`](Self::keeps_turn). Not to be overridden.
    #[inline]
    fn turn(&self, position: &Self::Position, mv: Self::Move, after: &Self::Position) -> Turn {
        if !Self::TURNS_ALTERNATE && self.keeps_turn(position, mv, after) { Turn::Kept } else { Turn::Passes }
    }

    /// Returns whether the position keeps the invariants of its representation. Law: the start and the
    /// position after every move do. Only [`laws::check`](crate::laws::check) calls it.
    fn is_legal(&self, _position: &Self::Position) -> bool {
        true
    }

    /// Returns the representative of all positions that a symmetry turns into this one, the same for
    /// each of them. Law: it has the same value, and is its own canonical form.
    fn canonical(&self, position: &Self::Position) -> Self::Position {
        position.clone()
    }

    /// Returns the bytes on the heap that a position owns, such as the elements of a vector. Solvers
    /// that store whole positions count them as memory.
    fn heap_bytes(&self, _position: &Self::Position) -> usize {
        0
    }

    /// Returns the number of bits of the [`key`](Self::key)s; 0 if positions have none. Without keys,
    /// or with keys longer than [`MAX_KEY_BITS`], solvers store whole positions, which takes more
    /// memory and more time.
    fn key_bits(&self) -> u32 {
        0
    }

    /// Returns the position as a number of [`key_bits`](Self::key_bits) bits. Law: canonical positions
    /// and parts that differ have keys that differ, if they are [cacheable](Self::is_cacheable).
    fn key(&self, _position: &Self::Position) -> u128 {
        0
    }

    /// Returns whether solvers should look the position up and store it in their tables. Return `false`
    /// where positions seldom recur, where another search costs less than the look-up, or where the key
    /// does not identify the position. Law: if `true`, the key of the canonical form identifies it.
    fn is_cacheable(&self, _position: &Self::Position) -> bool {
        true
    }

    /// Returns the position that has this [`key`](Self::key), up to what [`canonical`](Self::canonical)
    /// leaves out; `None` if keys cannot be read back, or if no position has it. Law: the key of the
    /// returned position is `key`, and its value is that of every position with that key.
    fn position_from_key(&self, _key: u128) -> Option<Self::Position> {
        None
    }

    /// Returns a number that every move lowers: tiles left, free cells, tokens; `None` if there is none.
    /// Law: each move lowers it by at least 1, and a canonical position has the layer of every position
    /// that it stands for. So play from a position takes at most `layer` plies. Where play
    /// [may repeat](Self::may_repeat), such as by moves that capture nothing, a move may leave the layer as it is, and none
    /// raises it.
    fn layer(&self, _position: &Self::Position) -> Option<u32> {
        None
    }

    /// Returns the plies that play from the position takes at most, by its [`layer`](Self::layer). Not to be overridden.
    #[doc(hidden)]
    #[inline]
    fn max_plies(&self, position: &Self::Position) -> Option<u32> {
        if repeats(self) { None } else { self.layer(position) }
    }

    /// Returns the [`layer`](Self::layer) under which files store the position: where play may repeat and there are no
    /// layers, all positions are in layer 0. Not to be overridden.
    #[doc(hidden)]
    #[inline]
    fn stored_layer(&self, position: &Self::Position) -> Option<u32> {
        self.layer(position).or_else(|| repeats(self).then_some(0))
    }

    /// Calls `found` for every move of the position that has this [`key`](Self::key), with whose turn it is after the
    /// move, and the layer and the key of the canonical form of the position then; the layer is 0 where play
    /// [may repeat](Self::may_repeat) and there are none. Returns the number of moves, or the [value](Self::end_value) where
    /// there is none; `None` if the key cannot be [read back](Self::position_from_key), or a position has no
    /// [layer](Self::layer).
    ///
    /// By default it reads the position and makes the moves. An implementation that works on the key
    /// alone saves a walk over all positions most of its time. Law: it finds what the default would.
    fn successors(&self, key: u128, found: impl FnMut(Turn, u32, u128)) -> Option<Result<usize, Value>> {
        successors_by_moves(self, key, found)
    }

    /// Returns bounds on the value of a position that has a move, as far as they are cheap to compute.
    /// The search tests whether the value is better than `threshold`; bounds that do not decide that
    /// may be left out. Law: the value is within the bounds, for every `threshold`. By default
    /// [`Bounds::ANY`].
    fn bounds(&self, _position: &Self::Position, _threshold: Value) -> Bounds {
        Bounds::ANY
    }

    /// Decides whether the value of a position that has a move is better than `threshold`, if the game
    /// can do so faster than a search of its moves. Returns a lower bound that is better, or an upper
    /// bound that is not; `None` if it cannot decide. Law: the value is within the bound. Unlike
    /// [`bounds`](Self::bounds) it may be slow: solvers call it once for a position that they would
    /// search otherwise, and store the answer. By default `None`.
    fn settle(&self, _position: &Self::Position, _threshold: Value) -> Option<Value> {
        None
    }

    /// Returns the [`moves`](Game::moves) that a search has to try, in a fixed order. Law: one of them
    /// reaches the position's value, unless [`bounds`](Self::bounds) decide the test; the same holds
    /// for all positions with the same canonical form. By default, all moves.
    fn candidates(&self, position: &Self::Position) -> impl Iterator<Item = Self::Move> {
        self.moves(position)
    }

    /// Returns whether a search looks one move ahead: whether it asks of the position after each move if play has
    /// [ended](Game::is_over) there, if the [bounds](Self::bounds) decide it, and if it has a single candidate. That pays
    /// where all three take less time than a look-up in a table, as on bitboards. Speed only. By default the search
    /// generates the moves of a position once, when it searches that position.
    fn looks_ahead(&self) -> bool {
        false
    }

    /// Returns how promising the move that leads to `after` is: solvers try higher ranks first. A bad
    /// rank costs time, never correctness. By default [`UNRANKED`]: moves are tried in the order in which they are
    /// generated, and those after the first sufficient one are not generated at all.
    fn rank(&self, _position: &Self::Position, _mv: Self::Move, _after: &Self::Position) -> i32 {
        UNRANKED
    }

    /// Returns whether the game is impartial under normal play: both players have the same moves in
    /// every position, and whoever cannot move loses. Law: if so, [`end`](Game::end) is a loss. A search
    /// that comes to another end refuses the game.
    fn is_impartial(&self) -> bool {
        false
    }

    /// Returns whether the game is impartial under misère play: both players have the same moves in
    /// every position, and whoever cannot move wins. Law: if so, [`end`](Game::end) is a win. A search
    /// that comes to another end refuses the game.
    fn is_impartial_misere(&self) -> bool {
        false
    }

    /// Adds the position's independent parts to `parts`, where the game is
    /// [impartial](Self::is_impartial): positions of the same game of which each move changes one alone.
    /// Parts without a move may be left out, and parts of the same nimber may be represented by one
    /// position. Law: the nimber of the position is the XOR of those of the parts.
    ///
    /// Under [misère play](Self::is_impartial_misere) nimbers do not determine the value of a part, so
    /// two parts may be represented by one position only if play can go the same ways from both. Law: a
    /// move leads from the sum of the parts to the same sums as from the position.
    fn split(&self, position: &Self::Position, parts: &mut Vec<Self::Position>) {
        parts.push(self.canonical(position));
    }

    /// Returns the moves of a part that [`split`](Self::split) has returned, in the order in which a
    /// solver is to try them: best first those that are likely to leave parts of known nimbers. By
    /// default, in the order of [`moves`](Game::moves). Law: these are the same moves.
    fn part_moves(&self, part: &Self::Position) -> impl Iterator<Item = Self::Move> {
        self.moves(part)
    }

    /// Returns the number of moves. Solvers call it for every position that they visit.
    fn mobility(&self, position: &Self::Position) -> usize {
        self.moves(position).count()
    }

    /// Returns the nimber of a part that [`split`](Self::split) has returned, if the game knows it
    /// without a search.
    fn nimber(&self, _part: &Self::Position) -> Option<u32> {
        None
    }

    /// Whether parts have [keys](Self::part_key) that are the same on every board of the game's rules, so that results about parts serve
    /// other boards as well.
    fn has_part_keys(&self) -> bool {
        false
    }

    /// Returns a key of a part that [`split`](Self::split) has returned, of at most [`MAX_PART_KEY_BITS`] bits; `None` if it would be
    /// longer. Law: if two boards of the same rules have a part of the same key, its nimber is the same.
    fn part_key(&self, _part: &Self::Position) -> Option<u128> {
        None
    }

    /// Returns the part of this key, as [`split`](Self::split) returns it; `None` if this board has no room for it, or there is no such part.
    fn part_from_key(&self, _key: u128) -> Option<Self::Position> {
        None
    }

    /// Returns the tame value, in sums under misère play, of a part that [`split`](Self::split) has
    /// returned, if the game knows without a search that the part is [tame](Tame). Law: the part is, and
    /// so are all that follow from it.
    fn tame(&self, _part: &Self::Position) -> Option<Tame> {
        None
    }

    /// Returns the solvers of an [`Engine`](crate::Engine) for the game.
    ///
    /// By default each crate that makes an engine compiles all solvers for the game. A crate of games
    /// that others depend on overrides this method in the `impl` of each game, with the same body: the
    /// solvers are then compiled once, in that crate.
    #[doc(hidden)]
    fn core(self: Arc<Self>, budget: Budget) -> EngineCore<Self> {
        EngineCore::new(self, budget)
    }

    /// Returns whether [`build_table`](Self::build_table) for the position takes at most `bytes` bytes and
    /// less time than a search.
    #[doc(hidden)]
    fn has_quick_table(&self, _position: &Self::Position, _bytes: usize) -> bool {
        false
    }

    /// Builds a table that [covers](Solver::covers) the position and all that can follow it.
    ///
    /// # Errors
    /// [`TableError`] if there is no table within the budget, or `watch` stops the construction.
    #[doc(hidden)]
    fn build_table(
        &self,
        _position: &Self::Position,
        _budget: Budget,
        _watch: &Watch,
    ) -> Result<BoxedSolver<Self::Position>, TableError> {
        Err(TableError::NotOfThisGame)
    }

    /// Returns a solver for outcomes only that is faster than a search of the game itself, for instance
    /// by another game with the same outcomes.
    #[doc(hidden)]
    fn outcome_solver(self: &Arc<Self>, _budget: Budget, _watch: &Watch) -> Option<BoxedSolver<Self::Position>> {
        None
    }

    /// Returns a [`Settler`](crate::Settler), which may decide who wins before a search does.
    #[doc(hidden)]
    fn settler(self: &Arc<Self>, _budget: Budget, _watch: &Watch) -> Option<BoxedSettler<Self::Position>> {
        None
    }

    /// Returns the same game with more known [nimbers](Game::nimber) for the parts of the position;
    /// `None` if there are no more.
    ///
    /// # Errors
    /// [`Stopped`] if `watch` stops the computation.
    #[doc(hidden)]
    fn with_part_nimbers(
        &self,
        _position: &Self::Position,
        _budget: Budget,
        _watch: &Watch,
    ) -> Result<Option<Self>, Stopped> {
        Ok(None)
    }

    /// Returns whether proof-number search finds a first winning move sooner than alpha-beta.
    fn suits_proof_numbers(&self) -> bool {
        false
    }

    /// Returns how far an answer can go in reasonable time, for callers that do not choose a goal.
    fn default_goal(&self, _position: &Self::Position) -> Goal {
        Goal::MoveValues
    }
}

/// Returns whether play may repeat in the game. Where [`Game::MAY_REPEAT`] leaves code out, it stands in the condition itself.
pub(crate) fn repeats<G: Game>(game: &G) -> bool {
    G::MAY_REPEAT && game.may_repeat()
}

/// The longest [keys](Game::key) that transposition tables can hold, in bits.
pub const MAX_KEY_BITS: u32 = 103;

/// The longest [keys of parts](Game::part_key), in bits.
pub const MAX_PART_KEY_BITS: u32 = 121;

/// The [rank](Game::rank) of a move in a game that does not rank its moves.
pub const UNRANKED: i32 = i32::MIN;

/// The default of [`Game::successors`].
pub(crate) fn successors_by_moves<G: Game>(
    game: &G,
    key: u128,
    mut found: impl FnMut(Turn, u32, u128),
) -> Option<Result<usize, Value>> {
    let position = game.position_from_key(key)?;
    let mut count = 0;
    for mv in game.moves(&position) {
        let after = game.play(&position, mv);
        let turn = game.turn(&position, mv, &after);
        let after = game.canonical(&after);
        found(turn, game.stored_layer(&after)?, game.key(&after));
        count += 1;
    }
    Some(if count == 0 { Err(game.end_value(&position)) } else { Ok(count) })
}

/// Returns the number of bits of the keys that tables use; 0 if there are none, or they are too long.
#[inline]
pub(crate) fn usable_key_bits<G: Game>(game: &G) -> u32 {
    let bits = game.key_bits();
    // A table entry has two values, and room for keys of `MAX_KEY_BITS` beside values without scores.
    let of_scores = ValueCodec::new(MAX_PLIES, game.max_score()).bits() - ValueCodec::new(MAX_PLIES, 0).bits();
    if bits + 2 * of_scores <= MAX_KEY_BITS { bits } else { 0 }
}
