//! Misère values of placement games compared with the naive rules and with the tables of all
//! boards.

use std::collections::HashMap;

use balpan::{Game, Misere, Watch};
use balpan_games::Notation;
use balpan_games::placement::{LosingBoards, Placement as Fast};
use balpan_games::presets::preset;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::naive::NaiveGame;
use crate::naive::compare::{cases, rules};
use crate::naive::placement::{Piece, Placement, State};

/// The pieces: no drawing is another one rotated or reflected.
const DRAWINGS: &[&str] =
    &["#", "##", "#.#", "#./.#", "##/#.", "###", "#..#", "##/##", "#.#/.#.", "##.#", "####", "#../.../..#"];

fn games() -> impl Strategy<Value = Placement> {
    let any_pieces = prop::sample::subsequence(DRAWINGS, 1..=3);
    let dominoes = Just(vec!["##"]);
    let block_game = Just(vec!["##", "##/#."]);
    let drawings = prop_oneof![2 => any_pieces, 1 => dominoes, 1 => block_game];
    (drawings, any::<bool>(), any::<bool>()).prop_map(|(drawings, rotate, reflect)| {
        let piece = |(name, drawing): (char, &str)| Piece { name, drawing: drawing.into(), supply: None };
        let pieces = ('A'..).zip(drawings).map(piece).collect();
        Placement::new(vec![pieces], rotate, reflect, true)
    })
}

fn toml(game: &Placement) -> String {
    let Placement { rotate, reflect, .. } = game;
    let mut toml = format!(
        "family = \"placement\"\nboard = \"8x8\"\nrotate = {rotate}\nreflect = {reflect}\nmisere = true\n[pieces]\n"
    );
    for Piece { name, drawing, .. } in &game.pieces[0] {
        toml += &format!("{name} = \"{drawing}\"\n");
    }
    toml
}

/// The naive misère value: the minimum excludant, but 1 at the end.
fn naive_value(game: &Placement, state: &State, met: &mut HashMap<Vec<Vec<bool>>, u32>) -> u32 {
    if let Some(&known) = met.get(&state.filled) {
        return known;
    }
    let after: Vec<u32> = game.moves(state).iter().map(|mv| naive_value(game, &game.play(state, mv), met)).collect();
    let value = if after.is_empty() { 1 } else { (0..).find(|n| !after.contains(n)).unwrap_or(0) };
    met.insert(state.filled.clone(), value);
    value
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn misere_values_equal_the_naive_ones(
        game in games(),
        (rows, cols) in (1..=5_usize, 1..=6_usize),
        filled in vec(any::<u8>(), 30),
        free in 40..=255_u8,
        table_bytes in prop_oneof![Just(0), Just(1_usize << 20)],
        threads in 1..=2_usize,
    ) {
                // No more cells than the naive rules can search.
        let mut left = 14;
        let cell = |at: usize| filled[at] >= free;
        let mut cells: Vec<Vec<bool>> = (0..rows).map(|row| (0..cols).map(|col| cell(row * cols + col)).collect()).collect();
        for cell in cells.iter_mut().flatten().filter(|cell| !**cell) {
            *cell = left == 0;
            left -= usize::from(!*cell);
        }
        let state = State { filled: cells, mover: 0, used: Vec::new() };
        let text = game.text(&state);
        let fast = rules(&toml(&game))?.game_at(&text).unwrap().downcast::<Fast>().unwrap();
        let watch = Watch::default();
        let mut solver = Misere::new(&fast, table_bytes, &watch).unwrap().with_threads(threads).with_parallel_threshold(0);
        let value = solver.value(&fast.start()).map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert_eq!(value, naive_value(&game, &state, &mut HashMap::new()), "{}", text);
        let winning = solver.winning_move(&fast.start()).map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert_eq!(winning.is_none(), value == 0 || fast.is_over(&fast.start()), "{}", text);
        if let Some(mv) = winning {
            let after = game.parse(&fast.text(&fast.play(&fast.start(), mv)));
            prop_assert_eq!(naive_value(&game, &after, &mut HashMap::new()), 0, "{}", text);
        }
                // The tables after one question must not spoil the answer to the next.
        for mv in fast.moves(&fast.start()).take(3) {
            let after = fast.play(&fast.start(), mv);
            let value = solver.value(&after).map_err(|e| TestCaseError::fail(e.to_string()))?;
            let naive_after = game.parse(&fast.text(&after));
            prop_assert_eq!(value, naive_value(&game, &naive_after, &mut HashMap::new()), "{}", fast.text(&after));
        }
    }
}

fn game(name: &str, board: &str) -> Fast {
    let rules = preset(name).and_then(Result::ok);
    let rules = rules.and_then(|rules| rules.with_change("misere=true").ok()?.with_board(board).ok());
    rules.and_then(|rules| rules.game().ok()?.downcast()).unwrap_or_else(|| panic!("{name} {board}"))
}

/// Boards with large components, too, on two threads: every board after one move from some that
/// occur in play.
#[test]
fn lost_boards_equal_those_of_the_table() {
    let watch = Watch::default();
    for (name, board) in [("blockgame", "5x5"), ("cram", "4x6"), ("blockgame", "3x8")] {
        let game = game(name, board);
        let table = LosingBoards::new(&game, 1 << 30, &watch).unwrap();
        let mut solver = Misere::new(&game, 1 << 24, &watch).unwrap().with_threads(2).with_parallel_threshold(64);
        let mut position = game.start();
        for skipped in 0.. {
            let moves: Vec<_> = game.moves(&position).collect();
            for &mv in &moves {
                let after = game.play(&position, mv);
                assert_eq!(solver.is_lost(&after, 0).unwrap(), table.is_losing(after.filled), "{}", game.text(&after));
            }
            let Some(&mv) = moves.get(skipped * 7 % moves.len().max(1)) else { break };
            position = game.play(&position, mv);
        }
    }
}

#[test]
fn misere_values_of_the_block_game() {
    let values = [
        (["2x2", "2x3", "2x4", "2x5", "2x6", "2x7"].as_slice(), [2, 3, 0, 1, 3, 2].as_slice()),
        (&["3x3", "3x4", "3x5", "3x6", "3x7"], &[0, 3, 2, 0, 1]),
        (&["4x4", "4x5", "4x6", "4x7", "5x5", "5x6"], &[1, 2, 0, 3, 0, 0]),
    ];
    let value = |board: &&str| {
        let game = game("blockgame", board);
        Misere::new(&game, 1 << 24, &Watch::default()).unwrap().value(&game.start()).unwrap()
    };
    for (boards, values) in values {
        assert_eq!(boards.iter().map(value).collect::<Vec<_>>(), values);
    }
}
