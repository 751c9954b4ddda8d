//! Random play, to reach positions that occur in games.

use std::fmt::Debug;

use proptest::prelude::*;

use super::{NaiveGame, Value, value_within};

/// Plays by `choices` until the rest of the tree has at most `max_nodes` nodes. Returns the
/// position reached and its value.
pub(crate) fn play_until_small<N: NaiveGame>(
    game: &N,
    mut state: N::State,
    choices: &[u16],
    max_nodes: u32,
) -> (N::State, Value) {
    let mut choices = choices.iter().cycle();
    loop {
        if let Some(value) = value_within(game, &state, &mut max_nodes.clone()) {
            return (state, value);
        }
        state = random_move(game, &state, *choices.next().expect("a choice at least"));
    }
}

/// Plays one move for each of `choices`, but none that ends the game.
pub(crate) fn play_out<N: NaiveGame>(game: &N, mut state: N::State, choices: &[u16]) -> N::State {
    for &choice in choices {
        if game.ended(&state).is_some() {
            break;
        }
        let after = random_move(game, &state, choice);
        if game.ended(&after).is_some() {
            break;
        }
        state = after;
    }
    state
}

/// A move after which play goes on, or any move if there is none.
fn random_move<N: NaiveGame>(game: &N, state: &N::State, choice: u16) -> N::State {
    let mut after: Vec<_> = game.moves(state).iter().map(|mv| game.play(state, mv)).collect();
    if after.iter().any(|after| game.ended(after).is_none()) {
        after.retain(|after| game.ended(after).is_none());
    }
    after.swap_remove(usize::from(choice) % after.len())
}

/// Drops most states in which play has ended or may end with the next move: they test little.
pub(crate) fn mostly_going_on<N>(cases: impl Strategy<Value = (N, N::State)>) -> impl Strategy<Value = (N, N::State)>
where
    N: NaiveGame + Debug,
{
    (cases, prop::bool::weighted(0.15)).prop_filter_map("the end is near", |((game, state), near_too)| {
        let goes_on = |state: &N::State| game.ended(state).is_none();
        let far = goes_on(&state) && game.moves(&state).iter().all(|mv| goes_on(&game.play(&state, mv)));
        (near_too || far).then_some((game, state))
    })
}
