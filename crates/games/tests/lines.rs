//! Lines compared with the naive implementation, on random boards by random rules.

use crate::naive;

use balpan::Game;
use balpan_games::Notation;
use balpan_games::lines::Lines as Fast;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::naive::compare::{cases, check_all, rules};
use crate::naive::lines::{Lines, State};
use crate::naive::midgame::{mostly_going_on, play_out, play_until_small};
use crate::naive::{Cell, NaiveGame};

/// The rules file of the naive game, on a board of this size.
fn toml(game: &Lines, board: &str) -> String {
    let Lines { k, gravity, overlines, misere, .. } = game;
    let marks = if game.shared { "shared" } else { "own" };
    format!(
        "family = \"lines\"\nboard = \"{board}\"\nk = {k}\ngravity = {gravity}\nmarks = \"{marks}\"\n\
         overlines = {overlines}\nmisere = {misere}\n"
    )
}

fn games(k: impl Strategy<Value = usize>) -> impl Strategy<Value = Lines> {
    let often = || prop::bool::weighted(0.3);
    (k, any::<bool>(), often(), any::<bool>(), often()).prop_map(|(k, gravity, shared, overlines, misere)| Lines {
        k,
        gravity,
        shared,
        overlines,
        misere,
    })
}

/// Removes marks from the top until play can lead to the state.
fn make_reachable(game: &Lines, mut state: State) -> State {
    let cells = |state: &State| -> Vec<Cell> {
        let rows = 0..state.cells.len();
        rows.flat_map(|row| (0..state.cells[0].len()).map(move |col| (row, col))).collect()
    };
    while !game.can_arise(&state) {
        let marked = cells(&state).into_iter().find(|(row, col)| state.cells[*row][*col] != '.');
        let (row, col) = marked.expect("an empty board can arise");
        state.cells[row][col] = '.';
    }
    state
}

/// A game and a state: any marks on a small board, floating ones and lines included.
fn small_boards() -> impl Strategy<Value = (Lines, State)> {
    let board = (1..=5_usize, 1..=5_usize, vec(vec((0..10_u8, any::<bool>()), 5), 5), 0..8_u8);
    (games(select(&[1, 2, 3, 3, 3, 4, 4, 5][..])), board, any::<bool>()).prop_map(
        |(game, (rows, cols, marks, marked_of_ten), o_moves)| {
            let glyph = |row: usize, col: usize| match marks[row][col] {
                (chance, _) if chance >= marked_of_ten => '.',
                (_, o) if o && !game.shared => 'O',
                _ => 'X',
            };
            let cells = (0..rows).map(|row| (0..cols).map(|col| glyph(row, col)).collect()).collect();
            (game, State { cells, mover: if o_moves && !game.shared { 'O' } else { 'X' } })
        },
    )
}

const SIZES: &[(usize, usize)] = &[(8, 8), (7, 9), (5, 12), (4, 16), (2, 32), (1, 64), (64, 1), (3, 20), (9, 7)];

/// A game and a state: boards of up to 64 cells with a few free cells close together. The other
/// cells are marked so that no three in a row are alike, except for a few changed ones.
fn large_boards() -> impl Strategy<Value = (Lines, State)> {
    let free = vec((0..4_usize, 0..4_usize), 2..12);
    let place = prop_oneof![Just((0, 0)), (0..64_usize, 0..64_usize)];
    let changed = vec((0..64_usize, 0..64_usize), 0..4);
    (games(select(&[3, 3, 4, 4, 5, 7][..])), select(SIZES), free, place, changed, any::<bool>()).prop_map(
        |(game, (rows, cols), free, (top, left), changed, o_moves)| {
            let glyph =
                |row: usize, col: usize| if game.shared || (row + col / 2).is_multiple_of(2) { 'X' } else { 'O' };
            let mut cells: Vec<Vec<char>> =
                (0..rows).map(|row| (0..cols).map(|col| glyph(row, col)).collect()).collect();
            for (row, col) in changed {
                let glyph = &mut cells[row % rows][col % cols];
                *glyph = if *glyph == 'X' && !game.shared { 'O' } else { 'X' };
            }
            for (down, right) in free {
                let col = (left + right) % cols;
                if game.gravity {
                    // One more free cell at the top of the column.
                    if let Some(row) = (0..rows).find(|row| cells[*row][col] != '.') {
                        cells[row][col] = '.';
                    }
                } else {
                    cells[(top + down) % rows][col] = '.';
                }
            }
            (game, State { cells, mover: if o_moves && !game.shared { 'O' } else { 'X' } })
        },
    )
}

fn check((game, state): (Lines, State), plies: &[u16], max_nodes: u32, seed: u64) -> Result<(), TestCaseError> {
    let rules = rules(&toml(&game, "8x8"))?;
    // Marks that float, and lines that would have ended play before, are refused.
    prop_assert_eq!(rules.game_at(&game.text(&state)).is_ok(), game.can_arise(&state), "{}", game.text(&state));
    let state = play_out(&game, make_reachable(&game, state), plies);
    let (state, value) = play_until_small(&game, state, &[&[7], plies].concat(), max_nodes);
    let made = rules.game_at(&game.text(&state));
    let Some(fast) = made.as_ref().ok().and_then(|made| made.downcast_ref::<Fast>()) else {
        return Err(TestCaseError::fail(format!("{made:?}")));
    };
    check_all(fast, &game, &state, value, seed)
}

/// A game and a state as of [`small_boards`], by the rules with most heuristics: no gravity,
/// each player's own marks, and a line wins.
fn flat_boards() -> impl Strategy<Value = (Lines, State)> {
    (small_boards(), prop::bool::weighted(0.8)).prop_map(|((game, mut state), overlines)| {
        if game.shared {
            // Every other mark becomes an O.
            let marks = state.cells.iter_mut().flatten().filter(|glyph| **glyph == 'X');
            marks.step_by(2).for_each(|glyph| *glyph = 'O');
        }
        (Lines { gravity: false, shared: false, overlines, misere: false, ..game }, state)
    })
}

/// Maximum number of nodes left in the games that are compared.
const MAX_NODES: &[u32] = &[300, 1_000, 4_000];

proptest! {
    #![proptest_config(cases(4000))]

    #[test]
    fn small_boards_agree(
        case in mostly_going_on(small_boards()),
        plies in vec(any::<u16>(), 0..6),
        max_nodes in select(MAX_NODES),
        seed: u64,
    ) {
        check(case, &plies, max_nodes, seed)?;
    }

    #[test]
    fn flat_boards_agree(
        case in mostly_going_on(flat_boards()),
        plies in vec(any::<u16>(), 0..6),
        max_nodes in select(MAX_NODES),
        seed: u64,
    ) {
        check(case, &plies, max_nodes, seed)?;
    }

    #[test]
    fn large_boards_agree(
        case in mostly_going_on(large_boards()),
        plies in vec(any::<u16>(), 0..4),
        max_nodes in select(MAX_NODES),
        seed: u64,
    ) {
        check(case, &plies, max_nodes, seed)?;
    }

        /// Where marks fall, the columns played are a position's text, too.
    #[test]
    fn columns_played_are_a_position(
        game in games(2..=5_usize),
        (rows, cols) in (1..=7_usize, 5..=9_usize),
        plies in vec(any::<u16>(), 1..30),
    ) {
        let game = Lines { gravity: true, ..game };
        let mut state = State { cells: vec![vec!['.'; cols]; rows], mover: 'X' };
        let rules = rules(&toml(&game, &format!("{rows}x{cols}")))?;
        let mut columns = String::new();
        for ply in plies {
            let moves = game.moves(&state);
            if moves.is_empty() {
                break;
            }
            let mv = &moves[usize::from(ply) % moves.len()];
            columns += &game.move_text(mv);
            state = game.play(&state, mv);
        }
        let made = rules.game_at(&columns);
        let Some(fast) = made.as_ref().ok().and_then(|made| made.downcast_ref::<Fast>()) else {
            return Err(TestCaseError::fail(format!("{columns}: {made:?}")));
        };
        let position = fast.parse(&columns).expect("as before");
        prop_assert_eq!(game.parse(&fast.text(&position)), state);
    }
}

proptest! {
    #![proptest_config(cases(1000))]

        /// Where marks do not fall, the judge's form is parsed as the usual one is: to the same
        /// position, or to the same error in the same place.
    #[test]
    fn the_judge_s_form_is_a_position(
        (game, state) in small_boards().prop_filter("rows", |(_, state)| state.cells.len().min(state.cells[0].len()) > 1),
        between in select(&["/", "\n", " "][..]),
        is_side_told: bool,
    ) {
        let game = Lines { gravity: false, ..game };
        let usual = game.text(&state);
        let usual = if is_side_told { &usual } else { usual.trim_end_matches([' ', 'x', 'o']) };
        let judged = usual.to_lowercase().replace('/', between);
        let rules = rules(&toml(&game, "8x8"))?;
        match (rules.game_at(usual), rules.game_at(&judged)) {
            (Ok(usual), Ok(fast)) => {
                let [usual, fast] = [usual, fast].map(|game| game.downcast::<Fast>().expect("lines"));
                prop_assert_eq!((usual.board(), usual.start()), (fast.board(), fast.start()), "{}", judged);
                prop_assert_eq!(fast.parse(&judged), Ok(usual.start()));
            }
            (Err(usual), Err(error)) => {
                prop_assert_eq!((usual.cause, usual.span), (error.cause, error.span));
                prop_assert_eq!(error.text, judged);
            }
            made => return Err(TestCaseError::fail(format!("{judged}: {made:?}"))),
        }
    }
}

/// The rules as plain examples, for the naive game itself.
#[test]
fn the_naive_game_follows_the_rules() {
    let tic_tac_toe = Lines { k: 3, gravity: false, shared: false, overlines: true, misere: false };
    let value = |game: Lines, text: &str| naive::value(&game, &game.parse(text));
    assert_eq!(value(tic_tac_toe, "X../.O./..."), (0, 0));
    assert_eq!(value(tic_tac_toe, "X.X/OO./... x"), (1, 1));
    assert_eq!(value(tic_tac_toe, "XXX/OO./..."), (-1, 0));
    assert_eq!(value(Lines { misere: true, ..tic_tac_toe }, "XXX/OO./..."), (1, 0));
    let notakto = Lines { shared: true, misere: true, ..tic_tac_toe };
    // The first player wins Notakto on one board, by the middle cell only.
    assert_eq!(value(notakto, ".../.X./...").0, -1);
    assert_eq!(value(notakto, "X../.../...").0, 1);
    assert_eq!(value(notakto, ".X./.../...").0, 1);
    let exactly_two = Lines { k: 2, overlines: false, ..tic_tac_toe };
    assert_eq!(value(exactly_two, "XX. o"), (-1, 0));
    assert_eq!(value(exactly_two, "XXX o"), (0, 0));
}
