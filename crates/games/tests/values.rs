//! Values of placement positions, against plain minimax, the laws of sums, and published values.

use balpan::{Game, Outcome, Watch, minimax};
use balpan_cgt::FormStore;
use balpan_games::RulesFile;
use balpan_games::placement::{Placement, PlacementValueError, PlacementValues, Position};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::naive::compare::cases;

fn game(pieces: &str, board: &str) -> Placement {
    let rules = format!("family = \"placement\"\nboard = \"9x7\"\nrotate = false\nreflect = false\n{pieces}");
    RulesFile::parse("test", &rules).unwrap().game_at(board).unwrap().downcast().unwrap()
}

const DOMINEERING: &str = "[left]\nV = \"#/#\"\n[right]\nH = \"##\"\n";

/// Pieces, shared or one set for each player.
fn pieces() -> impl Strategy<Value = String> {
    let drawings = ["#", "##", "#/#", "##/#.", "###", "#/#/#", "#.#", "##/##", "#./.#", ".#/#."];
    let list = || vec(select(drawings.to_vec()), 1..=3);
    let table = |title: &str, list: Vec<&str>| {
        let names = ('A'..).zip(list).map(|(name, drawing)| format!("{name} = \"{drawing}\"\n"));
        format!("[{title}]\n{}", names.collect::<String>())
    };
    let distinct = |mut list: Vec<&'static str>| {
        list.sort_unstable();
        list.dedup();
        list
    };
    prop_oneof![
        2 => Just(DOMINEERING.to_owned()),
        1 => list().prop_map(move |list| table("pieces", distinct(list))),
        3 => (list(), list()).prop_map(move |(left, right)| table("left", distinct(left)) + &table("right", distinct(right))),
    ]
}

/// Rows of a board with some filled cells.
fn rows(max: usize) -> impl Strategy<Value = Vec<String>> {
    (1..=max, 1..=max, vec(0..10_u8, max * max), 0..6_u8).prop_map(move |(rows, cols, cells, filled)| {
        let glyph = |row: usize, col: usize| if cells[row * max + col] < filled { '#' } else { '.' };
        (0..rows).map(|row| (0..cols).map(|col| glyph(row, col)).collect()).collect()
    })
}

/// Creates a value solver for the game, and a form store.
fn solver(game: &Placement, watch: &Watch) -> (PlacementValues, FormStore) {
    (PlacementValues::new(game).unwrap(), FormStore::new(1 << 28, watch))
}

proptest! {
    #![proptest_config(cases(1_500))]

    /// A value's outcomes agree with plain minimax, and its negative cancels it.
    #[test]
    fn outcomes_agree_with_minimax((pieces, rows) in (pieces(), rows(4))) {
        prop_assume!(rows.concat().matches('.').count() <= 11);
        let game = game(&pieces, &rows.join("/"));
        let watch = Watch::default();
        let (mut values, mut forms) = solver(&game, &watch);
        let start = game.start();
        let value = values.value(&start, &mut forms).unwrap();
        let outcomes = forms.outcomes(value).unwrap();
        prop_assert_eq!(outcomes[0], minimax(&game, &start).unwrap().outcome());
        let right_to_move = game.is_partizan();
        prop_assert_eq!(outcomes[1], minimax(&game, &Position { right_to_move, ..start }).unwrap().outcome());
        let negative = forms.negative(value).unwrap();
        prop_assert_eq!(forms.negative(negative).unwrap(), value);
        prop_assert_eq!(forms.sum(value, negative).unwrap(), forms.zero());
        // The options of a canonical form reduce to it.
        let (left, right) = (forms.left_options(value).unwrap(), forms.right_options(value).unwrap());
        prop_assert_eq!(forms.canonical_form(&left, &right).unwrap(), value);
        prop_assert!(!forms.text(value).unwrap().is_empty());
    }

    /// Two separate boards have the sum of their values, and the outcome of the difference decides which is greater.
    #[test]
    fn separate_boards_add_up((pieces, mut one, mut other) in (pieces(), rows(3), rows(3))) {
        prop_assume!((one.concat() + &other.concat()).matches('.').count() <= 12);
        let height = one.len().max(other.len());
        for rows in [&mut one, &mut other] {
            rows.resize(height, "#".repeat(rows[0].len()));
        }
        // Two filled columns between them: no piece is wide enough to reach across.
        let beside: Vec<_> = one.iter().zip(&other).map(|(one, other)| format!("{one}##{other}")).collect();
        let blank = |rows: &[String]| rows.iter().map(|row| "#".repeat(row.len())).collect::<Vec<_>>();
        let alone = |a: &[String], b: &[String]| {
            a.iter().zip(b).map(|(a, b)| format!("{a}##{b}")).collect::<Vec<_>>().join("/")
        };
        let game = game(&pieces, &beside.join("/"));
        let watch = Watch::default();
        let (mut values, mut forms) = solver(&game, &watch);
        let parse = |text: &str| balpan_games::Notation::parse(&game, text).unwrap();
        let whole = values.value(&game.start(), &mut forms).unwrap();
        let a = values.value(&parse(&alone(&one, &blank(&other))), &mut forms).unwrap();
        let b = values.value(&parse(&alone(&blank(&one), &other)), &mut forms).unwrap();
        prop_assert_eq!(forms.sum(a, b).unwrap(), whole);
        prop_assert_eq!(forms.sum(b, a).unwrap(), whole);
        let negative = forms.negative(b).unwrap();
        let difference = forms.sum(a, negative).unwrap();
        let left_second = forms.outcomes(difference).unwrap()[1] == Outcome::Loss;
        prop_assert_eq!(forms.is_at_most(b, a).unwrap(), left_second);
    }
}

fn text_of(pieces: &str, board: &str) -> String {
    let game = game(pieces, board);
    let watch = Watch::default();
    let (mut values, mut forms) = solver(&game, &watch);
    let value = values.value(&game.start(), &mut forms).unwrap();
    forms.text(value).unwrap()
}

fn free(rows: usize, cols: usize) -> String {
    vec![".".repeat(cols); rows].join("/")
}

/// Domineering rectangles of rows by columns, Left upright, as the Python package pycgt 0.2.0 evaluates them. The
/// second player wins 5×5, so it is zero.
#[test]
fn domineering_rectangles() {
    let known = [
        ((1, 2), "-1"),
        ((2, 1), "1"),
        ((2, 2), "±1"),
        ((2, 3), "{2|-1/2}"),
        ((3, 2), "{1/2|-2}"),
        ((3, 3), "±1"),
        ((2, 4), "miny(2)"),
        ((4, 2), "tiny(2)"),
        ((2, 5), "1/2"),
        ((2, 6), "{{{3|1}|1}|-1}"),
        ((3, 4), "-3/2"),
        ((4, 4), "±(0,{{2|0},{2|{2|0}}|{2|0},miny(2)})"),
        ((5, 5), "0"),
    ];
    for ((rows, cols), value) in known {
        assert_eq!(text_of(DOMINEERING, &free(rows, cols)), value, "{rows}x{cols}");
    }
}

/// Small shapes, evaluated by hand.
#[test]
fn domineering_shapes() {
    for (board, value) in [("..", "-1"), ("../.#", "*"), ("./.", "1"), ("./././.", "2"), (".#/../#.", "{1|0}")] {
        assert_eq!(text_of(DOMINEERING, board), value, "{board}");
    }
}

/// Cram's values are nimbers; they are zero where other tests find a second-player win.
#[test]
fn cram_has_nimbers() {
    let cram = "[pieces]\nH = \"##\"\nV = \"#/#\"\n";
    for ((rows, cols), value) in [((2, 3), "*"), ((3, 3), "0"), ((3, 5), "*"), ((4, 4), "0"), ((4, 5), "*2")] {
        assert_eq!(text_of(cram, &free(rows, cols)), value, "{rows}x{cols}");
    }
}

#[test]
fn errors_name_the_reason() {
    let watch = Watch::default();
    let misere = game(&format!("misere = true\n{DOMINEERING}"), "...");
    assert_eq!(PlacementValues::new(&misere).err(), Some(PlacementValueError::Misere));
    let small = game(DOMINEERING, &free(4, 4));
    let mut values = PlacementValues::new(&small).unwrap();
    let refused = values.value(&small.start(), &mut FormStore::new(1 << 10, &watch)).unwrap_err();
    assert!(refused.to_string().contains("1024 bytes"));
    let stopping = Watch::default();
    stopping.stop();
    let mut values = PlacementValues::new(&small).unwrap();
    let refused = values.value(&small.start(), &mut FormStore::new(1 << 28, &stopping)).unwrap_err();
    assert!(refused.to_string().contains("stopped"));
}

/// A player whose supply is used up cannot move, and parts share supplies.
#[test]
fn supplies_are_shared_by_all_parts() {
    let one = "[supply]\nV = 1\n[left]\nV = \"#/#\"\n[right]\nH = \"##\"\n";
    for (board, value) in [("./.", "1"), ("./././.", "1"), (".#./.#.", "1"), ("../..", "{0|-1}"), ("..#/..#", "{0|-1}")]
    {
        assert_eq!(text_of(one, board), value, "{board}");
    }
}
