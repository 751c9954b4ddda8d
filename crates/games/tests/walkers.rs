//! Walkers against their naive twin, on random boards by all sorts of rules.

mod naive;

use balpan_games::AnyGame;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use naive::NaiveGame;
use naive::compare::{cases, check_all, rules};
use naive::midgame::{mostly_going_on, play_out, play_until_small};
use naive::walkers::{State, Steps, Walkers};

/// The rules file that says what the naive game does.
fn toml(game: &Walkers) -> String {
    let steps = match &game.steps {
        Steps::Orthogonal => "\"orthogonal\"".into(),
        Steps::King => "\"king\"".into(),
        Steps::Knight => "\"knight\"".into(),
        Steps::Queen => "\"queen\"".into(),
        Steps::Offsets(offsets) => {
            format!("[{}]", offsets.iter().map(|(r, c)| format!("[{r}, {c}]")).collect::<Vec<_>>().join(", "))
        }
    };
    let Walkers { share, torus, .. } = game;
    format!("family = \"walkers\"\nboard = \"8x8\"\nsteps = {steps}\nshare = {share}\ntorus = {torus}\n")
}

fn steps() -> impl Strategy<Value = Steps> {
    let offset = |most: i32| (-most..=most, -most..=most).prop_filter("a step", |offset| *offset != (0, 0));
    prop_oneof![
        2 => Just(Steps::Orthogonal),
        2 => Just(Steps::King),
        1 => Just(Steps::Knight),
        2 => Just(Steps::Queen),
        3 => vec(offset(2), 0..8).prop_map(Steps::Offsets),
        1 => vec(offset(9), 1..12).prop_map(Steps::Offsets),
        1 => vec(offset(63), 1..20).prop_map(Steps::Offsets),
    ]
}

fn games() -> impl Strategy<Value = Walkers> {
    (steps(), any::<bool>(), any::<bool>()).prop_map(|(steps, share, torus)| Walkers { steps, share, torus })
}

/// A board of `rows` by `cols` of which the `cells` listed have a tile (the tokens'
/// have one anyhow), tokens on the cells of some numbers, and who is to move.
fn state(rows: usize, cols: usize, tiles: &[usize], tokens: [usize; 2], mover: usize, share: bool) -> Option<State> {
    let cell = |n: usize| (n % (rows * cols) / cols, n % cols);
    if rows * cols < 2 && !share {
        return None;
    }
    let tokens = if share || tokens[0] % (rows * cols) != tokens[1] % (rows * cols) {
        tokens.map(cell)
    } else {
        [tokens[0], tokens[0] + 1].map(|n| n % (rows * cols)).map(cell)
    };
    let mut state = State { tiles: vec![vec![false; cols]; rows], tokens, mover };
    for (row, col) in tiles.iter().map(|n| cell(*n)).chain(tokens) {
        state.tiles[row][col] = true;
    }
    Some(state)
}

/// A game and a state: small boards with few holes.
fn small_boards() -> impl Strategy<Value = (Walkers, State)> {
    let board = (1..=5_usize, 1..=5_usize, vec(0..10_u8, 25), 0..4_u8);
    (games(), board, any::<[u8; 2]>(), 0..2_usize).prop_filter_map(
        "two tokens on one tile",
        |(game, (rows, cols, cells, holes_of_ten), tokens, mover)| {
            let tiles: Vec<_> = (0..rows * cols).filter(|cell| cells[*cell] >= holes_of_ten).collect();
            let state = state(rows, cols, &tiles, tokens.map(usize::from), mover, game.share)?;
            Some((game, state))
        },
    )
}

const SIZES: &[(usize, usize)] =
    &[(8, 8), (7, 9), (5, 12), (4, 16), (2, 32), (1, 64), (64, 1), (3, 20), (9, 7), (16, 4)];

/// A game and a state: boards of up to 64 cells with a few tiles around each token,
/// wherever on the board, across its edges too; close to each other or far apart.
fn large_boards() -> impl Strategy<Value = (Walkers, State)> {
    let around = || vec((0..3_usize, 0..5_usize), 1..16);
    let place = || prop_oneof![any::<usize>(), Just(0), Just(63)];
    let places = prop_oneof![place().prop_map(|place| [place; 2]), [place(), place()]];
    (games(), select(SIZES), (around(), around()), places, 0..2_usize).prop_filter_map(
        "two tokens on one tile",
        |(game, (rows, cols), (around_a, around_b), [place_a, place_b], mover)| {
            let tiles = |place: usize, around: &[(usize, usize)]| -> Vec<usize> {
                let (top, left) = (place % (rows * cols) / cols, place % cols);
                around.iter().map(|(down, right)| (top + down) % rows * cols + (left + right) % cols).collect()
            };
            let tiles = [tiles(place_a, &around_a), tiles(place_b, &around_b)];
            let tokens = [tiles[0][0], tiles[1][0]];
            let state = state(rows, cols, &tiles.concat(), tokens, mover, game.share)?;
            Some((game, state))
        },
    )
}

fn check((game, state): (Walkers, State), plies: &[u16], most_nodes: u32, seed: u64) -> Result<(), TestCaseError> {
    let state = play_out(&game, state, plies);
    let (state, value) = play_until_small(&game, state, &[&[7], plies].concat(), most_nodes);
    // There are no draws, and the loser is who cannot move on: parity tells who wins.
    prop_assert_eq!(value.0, if value.1 % 2 == 1 { 1 } else { -1 });
    let made = rules(&toml(&game))?.game_at(&game.text(&state));
    let Ok(AnyGame::Walkers(fast)) = made else {
        return Err(TestCaseError::fail(format!("{made:?}")));
    };
    check_all(&fast, &game, &state, value, seed)
}

/// How much may be left to visit of the games that are compared.
const MOST_NODES: &[u32] = &[300, 2_000, 8_000];

proptest! {
    #![proptest_config(cases(6000))]

    #[test]
    fn small_boards_agree(
        case in mostly_going_on(small_boards()),
        plies in vec(any::<u16>(), 0..6),
        most_nodes in select(MOST_NODES),
        seed: u64,
    ) {
        check(case, &plies, most_nodes, seed)?;
    }

    #[test]
    fn large_boards_agree(
        case in mostly_going_on(large_boards()),
        plies in vec(any::<u16>(), 0..4),
        most_nodes in select(MOST_NODES),
        seed: u64,
    ) {
        check(case, &plies, most_nodes, seed)?;
    }
}

/// What the rules say, once in so many words, for the naive game itself.
#[test]
fn the_naive_game_keeps_the_rules_of_the_original() {
    let game = Walkers { steps: Steps::Orthogonal, share: true, torus: false };
    let value = |text: &str| naive::value(&game, &game.parse(text));
    // The four examples of Programmers 92345.
    assert_eq!(value(".../A.B/..."), (1, 5));
    assert_eq!(value(".../A#B/..."), (-1, 4));
    assert_eq!(value("A...B"), (-1, 4));
    assert_eq!(value("*"), (-1, 0));
    // Leaving a shared tile wins at once.
    assert_eq!(value("*."), (1, 1));
    assert_eq!(value("!A b"), (-1, 0));
}
