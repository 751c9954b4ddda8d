//! Bounds of Domineering and its kin, compared with plain minimax of the placement game.

use std::sync::Arc;

use balpan::{AlphaBeta, Budget, DfPn, Game, Outcome, Solver, Watch, laws, minimax};
use balpan_games::placement::Placement;
use balpan_games::placement::{Dominoes, DominoesSolver, Position};
use balpan_games::{AnyGame, RulesFile};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::naive::compare::cases;
use crate::naive::without::{HOOKS, Without};

/// One piece of two cells in one orientation for each player, on a board more or less filled.
fn games() -> impl Strategy<Value = (String, String)> {
    let pieces = ["##", "#/#", "#.#", "#/./#", "#./.#", ".#/#.", "#../..#"];
    let domineering = Just(("#/#", "##"));
    let mixed = (select(pieces.to_vec()), select(pieces.to_vec()));
    let pieces = prop_oneof![2 => domineering, 1 => mixed].prop_filter("two ways", |(left, right)| left != right);
    let board = (1..=6_usize, 1..=6_usize, vec(0..10_u8, 36), 0..6_u8, any::<bool>());
    (pieces, board).prop_map(|((left, right), (rows, cols, cells, filled, right_begins))| {
        let row = |row: usize| -> String {
            (0..cols).map(|col| if cells[row * 6 + col] < filled { '#' } else { '.' }).collect()
        };
        let board = (0..rows).map(row).collect::<Vec<_>>().join("/");
        let rules = format!(
            "family = \"placement\"\nboard = \"3x3\"\nrotate = false\nreflect = false\n[left]\nl = \"{left}\"\n[right]\nr = \"{right}\"\n"
        );
        (rules, board + if right_begins { " r" } else { " l" })
    })
}

/// Maximum number of free cells: on more plain minimax takes too long.
const LONGEST: usize = 20;

proptest! {
    #![proptest_config(cases(4_000))]

    #[test]
    fn outcomes_equal_those_of_the_placement_game((rules, start) in games()) {
        let rules = RulesFile::parse("test", &rules).unwrap();
        let game = rules.game_at(&start).unwrap().downcast::<Placement>().unwrap();
        let free = start.matches('.').count();
        if free > LONGEST {
            return Ok(());
        }
        let expected = minimax(&game, &game.start()).unwrap().outcome();
        let Some(dominoes) = Dominoes::for_game(&game) else {
                        // A piece does not fit at all.
            return Ok(());
        };
        let watch = Watch::default();
        for hook in HOOKS {
            let dominoes = Without(hook, dominoes.clone());
            let outcome = AlphaBeta::new(&dominoes, 1 << 12, &watch).outcome(&dominoes.start()).unwrap();
            prop_assert_eq!(outcome, expected, "without {:?}", hook);
        }
        prop_assert_eq!(DfPn::new(&dominoes, 1 << 12, &watch).outcome(&dominoes.start()).unwrap(), expected);
        for mv in game.moves(&game.start()) {
            let after = game.play(&game.start(), mv);
            let outcome = minimax(&game, &after).unwrap().outcome();
            let found = AlphaBeta::new(&dominoes, 1 << 12, &watch).outcome(&dominoes.reduce(&game, &after)).unwrap();
            prop_assert_eq!(found, outcome);
        }
        laws::check_at(&dominoes, &dominoes.start()).map_err(|e| TestCaseError::fail(e.to_string()))?;
        laws::check(&dominoes, 2, free as u64).map_err(|e| TestCaseError::fail(e.to_string()))?;
    }
}

fn domineering(board: &str) -> AnyGame {
    let rules = balpan_games::presets::preset("domineering").unwrap().unwrap();
    rules.with_change(&format!("board={board}")).unwrap().game().unwrap()
}

/// The outcome class: 1 if the first player wins, 2 if the second does, V and H if the player
/// of vertical or of horizontal dominoes always does.
fn class(board: &str) -> char {
    let game: Placement = domineering(board).downcast().unwrap();
    let dominoes = Dominoes::for_game(&game).unwrap();
    let watch = Watch::default();
    let mut solver =
        DominoesSolver::new(Arc::new(game.clone()), dominoes.clone(), Budget { memory: 1 << 26, threads: 1 }, &watch);
    let begun = [false, true].map(|right_to_move| {
        let start = Position { right_to_move, ..game.start() };
        solver.outcome(&start).unwrap() == Outcome::Win
    });
    match begun {
        [true, true] => '1',
        [false, false] => '2',
        [true, false] => 'V',
        [false, true] => 'H',
    }
}

/// D. M. Breuker, J. W. H. M. Uiterwijk and H. J. van den Herik, "Solving 8×8
/// Domineering", Theoretical Computer Science 230 (2000).
#[test]
fn rectangles_have_the_published_classes() {
    let published = ["11HV1", "11HHH", "VV1V1", "HVH2H", "1V1V1"];
    for (rows, row) in (2..).zip(published) {
        for (cols, expected) in (2..).zip(row.chars()) {
            assert_eq!(class(&format!("{rows}x{cols}")), expected, "{rows}x{cols}");
        }
    }
    assert_eq!(class("7x7"), '1');
}

/// A change of these figures is a change of speed, to be measured and intended.
#[test]
fn searched_positions_are_unchanged() {
    for (board, expected) in [("5x5", FIVE), ("7x7", SEVEN)] {
        let game: Placement = domineering(board).downcast().unwrap();
        let dominoes = Dominoes::for_game(&game).unwrap();
        let watch = Watch::default();
        let mut solver = DominoesSolver::new(
            Arc::new(game.clone()),
            dominoes.clone(),
            Budget { memory: 1 << 26, threads: 1 },
            &watch,
        );
        assert!(solver.outcome(&game.start()).is_ok());
        assert_eq!(solver.positions_searched(), expected, "{board}");
    }
}

const FIVE: u64 = 117;
const SEVEN: u64 = 1_142;

/// Keys have no room for all cells of so large a board.
#[test]
fn large_boards_obey_the_laws() {
    let rules = balpan_games::presets::preset("domineering").unwrap().unwrap();
    let (corner, full) = ("....##....", "##########");
    for rows in [[corner, corner, full, full, full], [full, full, corner, full, corner]] {
        let rows: Vec<_> = rows.iter().chain(rows.iter().rev()).copied().collect();
        for side in ["l", "r"] {
            let game =
                rules.game_at(&format!("{} {side}", rows.join("/"))).unwrap().downcast::<Placement<u128>>().unwrap();
            let dominoes = Dominoes::for_game(&game).unwrap();
            laws::check(&dominoes, 20, 1).unwrap();
            let watch = Watch::default();
            let plain = AlphaBeta::new(&game, 1 << 20, &watch).outcome(&game.start()).unwrap();
            let found = AlphaBeta::new(&dominoes, 1 << 20, &watch).outcome(&dominoes.start()).unwrap();
            assert_eq!(found, plain);
        }
    }
}
