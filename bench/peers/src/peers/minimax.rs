//! `minimax`: plain negamax, and iterative deepening with a table.

use std::hash::BuildHasher;
use std::marker::PhantomData;

use ::minimax::{BEST_EVAL, Evaluation, Evaluator, IterativeOptions, IterativeSearch, Negamax, Strategy, WORST_EVAL};
use balpan::{Outcome, Verdict};
use rustc_hash::FxBuildHasher;

use super::{Game, Peer};

struct State<G: Game> {
    game: &'static G,
    position: G::Position,
}

impl<G: Game> Clone for State<G> {
    fn clone(&self) -> Self {
        Self { position: self.position.clone(), ..*self }
    }
}

/// A move that can be compared: the crate asks for `Eq`.
struct Move<M>(M);

impl<M: Copy> Clone for Move<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Copy> Copy for Move<M> {}

impl<M: PartialEq> PartialEq for Move<M> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<M: PartialEq> Eq for Move<M> {}

struct Rules<G>(PhantomData<G>);

impl<G: Game> ::minimax::Game for Rules<G> {
    type S = State<G>;
    type M = Move<G::Move>;

    fn generate_moves(state: &State<G>, moves: &mut Vec<Self::M>) -> Option<::minimax::Winner> {
        moves.extend(state.game.moves(&state.position).map(Move));
        if moves.is_empty() { Self::get_winner(state) } else { None }
    }

    fn apply(state: &mut State<G>, mv: Self::M) -> Option<State<G>> {
        Some(State { position: state.game.play(&state.position, mv.0), ..*state })
    }

    fn get_winner(state: &State<G>) -> Option<::minimax::Winner> {
        if state.game.moves(&state.position).next().is_some() {
            return None;
        }
        Some(match state.game.end(&state.position) {
            Outcome::Loss => ::minimax::Winner::PlayerJustMoved,
            Outcome::Draw => ::minimax::Winner::Draw,
            Outcome::Win => ::minimax::Winner::PlayerToMove,
        })
    }

    fn zobrist_hash(state: &State<G>) -> u64 {
        // The crate takes the low bits for the place and the high ones for the check.
        let hash = FxBuildHasher.hash_one(&state.position);
        (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// Knows nothing of positions where play goes on.
struct Nothing<G>(PhantomData<G>);

impl<G: Game> Evaluator for Nothing<G> {
    type G = Rules<G>;

    fn evaluate(&self, _: &State<G>) -> Evaluation {
        0
    }
}

/// The crate calls draw whatever it has not seen to its end; it is given all plies. It
/// shows no number of plies.
fn verdict(value: Evaluation) -> Verdict {
    match value {
        BEST_EVAL => Outcome::Win.into(),
        WORST_EVAL => Outcome::Loss.into(),
        _ => Outcome::Draw.into(),
    }
}

/// `Negamax`: alpha-beta without a table.
pub struct Plain;

impl Plain {
    fn run<G: Game>(game: &'static G, position: &G::Position, plies: u32) -> (Evaluation, Option<G::Move>) {
        let mut search = Negamax::new(Nothing(PhantomData), plies as u8);
        let best = search.choose_move(&State { game, position: position.clone() });
        (search.root_value(), best.map(|mv| mv.0))
    }
}

impl Peer for Plain {
    const NAME: &'static str = "minimax, Negamax";

    fn verdict<G: Game>(game: &'static G, position: &G::Position, plies: u32) -> Verdict {
        verdict(Self::run(game, position, plies).0)
    }

    fn best<G: Game>(game: &'static G, position: &G::Position, plies: u32) -> Vec<G::Move> {
        Self::run(game, position, plies).1.into_iter().collect()
    }
}

/// `IterativeSearch`: one ply deeper each time, with a table of `BYTES`.
pub struct Iterative<const BYTES: usize>;

impl<const BYTES: usize> Iterative<BYTES> {
    fn run<G: Game>(game: &'static G, position: &G::Position, plies: u32) -> (Evaluation, Option<G::Move>) {
        let options = IterativeOptions::new().with_table_byte_size(BYTES);
        let mut search = IterativeSearch::new(Nothing(PhantomData), options);
        search.set_max_depth(plies as u8);
        let best = search.choose_move(&State { game, position: position.clone() });
        (search.root_value(), best.map(|mv| mv.0))
    }
}

impl<const BYTES: usize> Peer for Iterative<BYTES> {
    const NAME: &'static str = "minimax, IterativeSearch";

    fn verdict<G: Game>(game: &'static G, position: &G::Position, plies: u32) -> Verdict {
        verdict(Self::run(game, position, plies).0)
    }

    fn best<G: Game>(game: &'static G, position: &G::Position, plies: u32) -> Vec<G::Move> {
        Self::run(game, position, plies).1.into_iter().collect()
    }
}
