//! Walkers compared with the naive implementation, on random boards by random rules.

use crate::naive;

use balpan::{AlphaBeta, Game, Solver, Value, Watch};
use balpan_games::walkers::{Tuning, Walkers as Fast};
use balpan_games::{AnyGame, CellSet, Notation};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::naive::NaiveGame;
use crate::naive::compare::{cases, check_all, rules};
use crate::naive::midgame::{mostly_going_on, play_out, play_until_small};
use crate::naive::walkers::{State, Steps, Walkers};
use crate::naive::without::{HOOKS, Hook, Without};

/// The rules file of the naive game.
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

/// A board of `rows` by `cols` with tiles on the `cells` listed and under the tokens, the
/// tokens' cells by number, and the side to move.
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

/// Sizes of boards of up to 64 cells.
const LARGE: &[(usize, usize)] =
    &[(8, 8), (7, 9), (5, 12), (4, 16), (2, 32), (1, 64), (64, 1), (3, 20), (9, 7), (16, 4)];

/// Sizes of boards of up to 128 cells.
const WIDE: &[(usize, usize)] =
    &[(8, 16), (9, 9), (11, 11), (5, 13), (4, 32), (2, 64), (1, 128), (128, 1), (3, 40), (12, 9), (1, 65), (64, 2)];

/// A game and a state: boards of these sizes with a few tiles around each token, anywhere on the
/// board and across its edges; the tokens are close to each other or far apart.
fn boards_of(sizes: &'static [(usize, usize)]) -> impl Strategy<Value = (Walkers, State)> {
    let around = || vec((0..3_usize, 0..5_usize), 1..16);
    let place = || prop_oneof![any::<usize>(), Just(0), Just(63), Just(127)];
    let places = prop_oneof![place().prop_map(|place| [place; 2]), [place(), place()]];
    (games(), select(sizes), (around(), around()), places, 0..2_usize).prop_filter_map(
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

/// Heuristics from the measured number of tiles on, which boards here seldom have; from the
/// first tile on; or from random numbers.
fn tunings() -> impl Strategy<Value = Option<Tuning>> {
    let any = (0..24_u32, 0..24_u32, 0..24_u32, 0..9_u32);
    let any = any.prop_map(|(min_separation_tiles, min_territory_tiles, min_table_tiles, max_holdout_steps)| Tuning {
        min_separation_tiles,
        min_territory_tiles,
        min_table_tiles,
        max_holdout_steps,
    });
    let always =
        Tuning { min_separation_tiles: 0, min_territory_tiles: 0, min_table_tiles: 0, max_holdout_steps: u32::MAX };
    prop_oneof![1 => Just(None), 2 => Just(Some(always)), 2 => any.prop_map(Some)]
}

fn tuned<W: CellSet>(game: Fast<W>, tuning: Option<Tuning>) -> Fast<W> {
    match tuning {
        Some(tuning) => game.with_tuning(tuning),
        None => game,
    }
}

/// The crate's game with the rules of the naive one, starting at the state.
fn fast(game: &Walkers, state: &State) -> Result<AnyGame, TestCaseError> {
    let made = rules(&toml(game))?.game_at(&game.text(state));
    made.map_err(|error| TestCaseError::fail(format!("{error:?}")))
}

/// The same on a board of at most 64 cells.
fn narrow(game: &Walkers, state: &State) -> Result<Fast, TestCaseError> {
    let made = fast(game, state)?;
    made.downcast().ok_or_else(|| TestCaseError::fail(format!("{made:?}")))
}

fn check(
    (game, state): (Walkers, State),
    plies: &[u16],
    max_nodes: u32,
    tuning: Option<Tuning>,
    seed: u64,
) -> Result<(), TestCaseError> {
    let state = play_out(&game, state, plies);
    let (state, value) = play_until_small(&game, state, &[&[7], plies].concat(), max_nodes);
    // There are no draws, and the player who cannot move loses: parity decides who wins.
    prop_assert_eq!(value.0, if value.1 % 2 == 1 { 1 } else { -1 });
    let made = fast(&game, &state)?;
    match (made.downcast::<Fast>(), made.downcast::<Fast<u128>>()) {
        (Some(fast), _) => check_one(&tuned(fast, tuning), &game, &state, value, seed),
        (_, Some(fast)) => check_one(&tuned(fast, tuning), &game, &state, value, seed),
        _ => Err(TestCaseError::fail(format!("{made:?}"))),
    }
}

fn check_one<W: CellSet>(
    fast: &Fast<W>,
    game: &Walkers,
    state: &State,
    value: (i32, u32),
    seed: u64,
) -> Result<(), TestCaseError> {
    check_bounds(fast, if value.0 > 0 { Value::win(value.1) } else { Value::loss(value.1) })?;
    check_all(fast, game, state, value, seed)
}

/// Compares the exact bounds with any thresholds, not only with those of a solver.
fn check_bounds<W: CellSet>(game: &Fast<W>, value: Value) -> Result<(), TestCaseError> {
    let start = game.start();
    if game.moves(&start).next().is_none() {
        prop_assert_eq!(game.candidates(&start).count(), 0);
        return Ok(());
    }
    let plies = (0..20).chain([63, 64, 65, 66, (1 << 29) - 1]);
    for threshold in plies.flat_map(|plies| [Value::win(plies), Value::loss(plies)]).chain([Value::DRAW]) {
        let bounds = game.bounds(&start, threshold);
        prop_assert!(bounds.contains(value), "{}: {value}, above {threshold}: {bounds:?}", game.text(&start));
    }
    Ok(())
}

/// Maximum number of nodes left in the games that are compared.
const MAX_NODES: &[u32] = &[300, 2_000, 8_000];

proptest! {
    #![proptest_config(cases(6000))]

    #[test]
    fn small_boards_agree(
        case in mostly_going_on(small_boards()),
        plies in vec(any::<u16>(), 0..6),
        max_nodes in select(MAX_NODES),
        tuning in tunings(),
        seed: u64,
    ) {
        check(case, &plies, max_nodes, tuning, seed)?;
    }

    #[test]
    fn large_boards_agree(
        case in mostly_going_on(prop_oneof![boards_of(LARGE), boards_of(WIDE)]),
        plies in vec(any::<u16>(), 0..4),
        max_nodes in select(MAX_NODES),
        tuning in tunings(),
        seed: u64,
    ) {
        check(case, &plies, max_nodes, tuning, seed)?;
    }
}

/// A game and a state: boards with more tiles than the naive game can search.
fn medium_boards() -> impl Strategy<Value = (Walkers, State)> {
    let sizes = select(&[(4_usize, 4_usize), (4, 5), (5, 5), (2, 9), (3, 6), (6, 6), (8, 8)][..]);
    let board = (sizes, vec(any::<u8>(), 64), 8..20_usize);
    (games(), board, any::<[u8; 2]>(), 0..2_usize).prop_filter_map(
        "two tokens on one tile",
        |(game, ((rows, cols), order, tiles), tokens, mover)| {
            // Close together, in as many rows from the top as needed, with holes.
            let mut cells: Vec<_> = (0..(rows * cols).min(tiles * 5 / 4)).collect();
            cells.sort_by_key(|&cell| order[cell]);
            // Queens and long lists of leaps have far larger trees than the others.
            let most = if matches!(game.steps, Steps::Orthogonal | Steps::Knight) { tiles } else { tiles.min(14) };
            cells.truncate(most);
            let tokens = tokens.map(|n| cells[usize::from(n) % cells.len()]);
            let state = state(rows, cols, &cells, tokens, mover, game.share)?;
            Some((game, state))
        },
    )
}

proptest! {
    #![proptest_config(cases(1500))]

        /// Boards have enough tiles for all heuristics.
    #[test]
    fn no_hook_changes_a_value(case in mostly_going_on(medium_boards()), tuning in tunings()) {
        let (game, state) = case;
        let watch = Watch::default();
        let game = narrow(&game, &state)?;
        let never = Tuning { min_separation_tiles: 99, min_territory_tiles: 99, min_table_tiles: 99, max_holdout_steps: 0 };
        let mut expected = None;
        for tuning in [Some(never), Some(Tuning { min_table_tiles: 0, ..never }), None, tuning] {
            let tuned = tuned(game.clone(), tuning);
            for hook in HOOKS {
                                // Without bounds or a table, such boards take too long.
                let remembers_all = tuning.is_some_and(|tuning| tuning.min_table_tiles == 0);
                let too_long = match hook {
                    Hook::Bounds | Hook::Canonical => !remembers_all,
                    Hook::All => true,
                    _ => false,
                };
                if too_long {
                    continue;
                }
                let without = Without(hook, tuned.clone());
                let value = AlphaBeta::new(&without, 1 << 20, &watch).value(&game.start()).expect("a value");
                let expected = *expected.get_or_insert(value);
                prop_assert_eq!(value, expected, "{}: without {:?}, {:?}", game.text(&game.start()), hook, tuning);
            }
        }
    }
}

/// A state in the judge's form, in which A is to move.
fn judged(State { tiles, tokens: [a, b], .. }: &State, gap: &str) -> String {
    let row = |row: &Vec<bool>| {
        let tiles: Vec<_> = row.iter().map(|tile| u8::from(*tile).to_string()).collect();
        format!("[{}]", tiles.join(&format!(",{gap}")))
    };
    let rows: Vec<_> = tiles.iter().map(row).collect();
    let place = |(row, col): naive::Cell| format!("[{row},{gap}{col}]");
    let board = rows.join(&format!(",{gap}"));
    format!("{gap}{{\"bloc\":{gap}{},{gap}\"board\": [{board}],\"aloc\": {}}}{gap}", place(*b), place(*a))
}

proptest! {
    #![proptest_config(cases(1000))]

        /// The judge's form is parsed as the usual one is.
    #[test]
    fn the_judge_s_form_is_a_position(
        (game, state) in prop_oneof![small_boards(), boards_of(LARGE)],
        gap in select(&["", " ", "\n"][..]),
    ) {
        let state = State { mover: 0, ..state };
        let text = judged(&state, gap);
        let usual = narrow(&game, &state)?;
        let made = rules(&toml(&game))?.game_at(&text);
        let Some(made) = made.as_ref().ok().and_then(|made| made.downcast_ref::<Fast>()) else {
            return Err(TestCaseError::fail(format!("{text}: {made:?}")));
        };
        prop_assert_eq!((made.board(), made.start()), (usual.board(), usual.start()), "{}", text);
        prop_assert_eq!(usual.parse(&text), Ok(usual.start()));
    }
}

/// The rules as plain examples, for the naive game itself.
#[test]
fn the_naive_game_follows_the_original_rules() {
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
