//! The tables of all boards of a placement game compared with the naive rules, for single
//! cells and for other pieces that fit several times into one word of the table.

use crate::naive;

use std::collections::HashMap;

use balpan::{Game, Solver, Watch};
use balpan_games::Notation;
use balpan_games::placement::{BoardNumbers, LosingBoards, Placement as Fast, TableBudget, TableError, TableSolver};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::naive::NaiveGame;
use crate::naive::compare::{cases, rules};
use crate::naive::placement::{Piece, Placement, State, ways_to_lie};

const MUCH: u64 = 1 << 20;
const BY_TWO: TableBudget = TableBudget { bytes: MUCH, threads: 2 };

/// The pieces: no drawing is another one rotated or reflected.
const DRAWINGS: &[&str] =
    &["#", "##", "#.#", "#./.#", "##/#.", "###", "#..#", "##/##", "#.#/.#.", "##.#", "####", "#../.../..#"];

fn games() -> impl Strategy<Value = Placement> {
    let drawings = prop::sample::subsequence(DRAWINGS, 1..=3);
    (drawings, any::<bool>(), any::<bool>(), any::<bool>()).prop_map(|(drawings, rotate, reflect, misere)| {
        let piece = |(name, drawing): (char, &str)| Piece { name, drawing: drawing.into(), supply: None };
        let pieces = ('A'..).zip(drawings).map(piece).collect();
        Placement::new(vec![pieces], rotate, reflect, misere)
    })
}

/// The game by the rules of the naive one, on an empty board.
fn fast(game: &Placement, rows: usize, cols: usize) -> Result<Fast, TestCaseError> {
    let Placement { rotate, reflect, misere, .. } = game;
    let mut toml = format!(
        "family = \"placement\"\nboard = \"8x8\"\nrotate = {rotate}\nreflect = {reflect}\nmisere = {misere}\n[pieces]\n"
    );
    for Piece { name, drawing, .. } in &game.pieces[0] {
        toml += &format!("{name} = \"{drawing}\"\n");
    }
    on_board(&toml, rows, cols)
}

fn on_board(toml: &str, rows: usize, cols: usize) -> Result<Fast, TestCaseError> {
    let empty = vec![".".repeat(cols); rows].join("/");
    let made = rules(toml)?.game_at(&empty).ok().and_then(|game| game.downcast());
    made.ok_or_else(|| TestCaseError::fail(empty))
}

/// The board whose filled cells are the bits set, in reading order.
fn state(rows: usize, cols: usize, filled: u64) -> State {
    let bit = |row: usize, col: usize| filled >> (row * cols + col) & 1 == 1;
    let filled = (0..rows).map(|row| (0..cols).map(|col| bit(row, col)).collect()).collect();
    State { filled, mover: 0, used: Vec::new() }
}

/// The naive values of a board.
#[derive(Clone, Copy)]
struct NaiveValues {
    loses: bool,
    remoteness: u32,
    /// The misère value, in misère games.
    nimber: u32,
}

/// Computes the naive values with a memo, since with single cells the whole tree is too large.
fn naive_values(game: &Placement, state: &State, met: &mut HashMap<Vec<Vec<bool>>, NaiveValues>) -> NaiveValues {
    if let Some(&known) = met.get(&state.filled) {
        return known;
    }
    let after: Vec<NaiveValues> =
        game.moves(state).iter().map(|mv| naive_values(game, &game.play(state, mv), met)).collect();
    let nimber = (0..).find(|n| after.iter().all(|after| after.nimber != *n)).unwrap_or(0);
    let nimber = if game.misere && after.is_empty() { 1 } else { nimber };
    let soonest_win = after.iter().filter(|after| after.loses).map(|after| after.remoteness + 1).min();
    let latest_loss = after.iter().map(|after| after.remoteness + 1).max();
    let result = match (game.ended(state), soonest_win, latest_loss) {
        (Some(outcome), ..) => NaiveValues { loses: outcome == -1, remoteness: 0, nimber },
        (None, Some(remoteness), _) => NaiveValues { loses: false, remoteness, nimber },
        (None, None, latest) => NaiveValues { loses: true, remoteness: latest.unwrap_or(0), nimber },
    };
    met.insert(state.filled.clone(), result);
    result
}

/// The sizes of all boards of 1 to 12 cells.
fn small_sizes() -> Vec<(usize, usize)> {
    (1..=12).flat_map(|rows| (1..=12 / rows).map(move |cols| (rows, cols))).collect()
}

const LARGER: &[(usize, usize)] = &[(4, 4), (3, 5), (2, 8), (1, 17), (17, 1), (3, 6), (6, 3), (2, 9), (19, 1), (4, 5)];

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn all_boards_of_few_cells_agree(game in games(), (rows, cols) in select(small_sizes())) {
        let fast = fast(&game, rows, cols)?;
        let table = LosingBoards::new(&fast, MUCH, &Watch::default()).expect("a table");
        let remoteness = BoardNumbers::remoteness(&fast, MUCH, &Watch::default()).expect("a table");
        let nimbers = BoardNumbers::nimbers(&fast, BY_TWO, &Watch::default()).expect("a table");
        let mut met = HashMap::new();
        let mut lost = 0;
        for filled in 0..1 << (rows * cols) {
            let state = state(rows, cols, filled);
            let expected = naive_values(&game, &state, &mut met);
            lost += u64::from(expected.loses);
            prop_assert_eq!(table.is_losing(filled), expected.loses, "{}", game.text(&state));
            prop_assert_eq!(remoteness.get(filled), expected.remoteness, "{}", game.text(&state));
            prop_assert_eq!(nimbers.get(filled), expected.nimber, "{}", game.text(&state));
            prop_assert_eq!(nimbers.get(filled) == 0, expected.loses, "{}", game.text(&state));
        }
        prop_assert_eq!(remoteness.counts().iter().sum::<u64>(), 1 << (rows * cols));
        prop_assert_eq!(table.count(), lost);
    }

    #[test]
    fn boards_of_more_cells_agree_where_few_are_free(
        game in games(),
        (rows, cols) in select(LARGER),
        boards in vec(vec(0..20_usize, 0..8), 12),
    ) {
        let fast = fast(&game, rows, cols)?;
        let table = LosingBoards::new(&fast, BY_TWO, &Watch::default()).expect("a table");
        let remoteness = BoardNumbers::remoteness(&fast, MUCH, &Watch::default()).expect("a table");
        let all = (1 << (rows * cols)) - 1;
        for free in boards {
            let filled = free.iter().fold(all, |filled, cell| filled & !(1_u64 << (cell % (rows * cols))));
            let state = state(rows, cols, filled);
            let text = game.text(&state);
            let (outcome, plies) = naive::value(&game, &state);
            prop_assert_eq!(u64::from(remoteness.get(filled)), plies as u64, "{}", text);
            prop_assert_eq!(table.is_losing(filled), outcome == -1, "{}", text);
            let position = fast.parse(&text).expect("a board");
            prop_assert_eq!(position.filled, filled);
            let by_minimax = balpan::minimax(&fast, &position).unwrap();
            prop_assert_eq!(table.is_losing(filled), by_minimax.outcome() == balpan::Outcome::Loss, "{}", text);
            let mut solver = TableSolver::new(&fast, &position, MUCH, &Watch::default()).expect("a table");
            prop_assert_eq!(solver.value(&position), Ok(by_minimax), "{}", text);
            for mv in fast.moves(&position) {
                let after = fast.play(&position, mv);
                prop_assert_eq!(solver.value(&after), balpan::minimax(&fast, &after), "{}", text);
            }
        }
    }
}

#[test]
fn no_drawing_is_another_one_rotated() {
    for (n, drawing) in DRAWINGS.iter().enumerate() {
        let ways = ways_to_lie(drawing, true, true);
        assert!(DRAWINGS[..n].iter().all(|other| !ways.contains(&ways_to_lie(other, true, true)[0])), "{drawing}");
    }
}

#[test]
fn a_game_with_state_beyond_the_board_has_no_table() {
    let partizan = "family = \"placement\"\nboard = \"2x2\"\n[left]\nA = \"#/#\"\n[right]\nA = \"##\"\n";
    let supply = "family = \"placement\"\nboard = \"2x2\"\nsupply = { A = 2 }\n[pieces]\nA = \"##\"\nB = \"#\"\n";
    for toml in [partizan, supply] {
        let game = on_board(toml, 2, 2).unwrap();
        assert_eq!(LosingBoards::new(&game, MUCH, &Watch::default()).unwrap_err(), TableError::NotTheBoardAlone);
    }
}

#[test]
fn an_error_gives_the_size_of_too_large_a_table() {
    let toml = "family = \"placement\"\nboard = \"2x2\"\n[pieces]\nA = \"##\"\n";
    for (rows, cols, needed) in [(1, 1, 8), (2, 3, 8), (1, 7, 16), (4, 5, 1 << 17), (8, 8, 1 << 61)] {
        let game = on_board(toml, rows, cols).unwrap();
        let error = LosingBoards::new(&game, needed - 1, &Watch::default()).unwrap_err();
        assert_eq!(error, TableError::TooLarge { cells: rows * cols, needed, allowed: needed - 1 });
        if needed <= MUCH {
            assert!(LosingBoards::new(&game, needed, &Watch::default()).is_ok());
        }
    }
}
