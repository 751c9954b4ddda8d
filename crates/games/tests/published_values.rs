//! Published values of Domineering, each with its source, against an independent plain computation.

use std::collections::HashMap;

use balpan::{Game, Watch};
use balpan_cgt::{CgtError, Expression, Form, FormStore, Term};
use balpan_games::placement::{Placement, PlacementThermographs, PlacementValues};
use balpan_games::presets::preset;

fn domineering(board: &str) -> Placement {
    preset("domineering").unwrap().unwrap().game_at(board).unwrap().downcast().unwrap()
}

fn free(rows: usize, cols: usize) -> String {
    vec![".".repeat(cols); rows].join("/")
}

/// A value as a tree: its left and right options.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Tree([Vec<Tree>; 2]);

fn tree(forms: &mut FormStore, form: Form) -> Tree {
    let (left, right) = (forms.left_options(form).unwrap(), forms.right_options(form).unwrap());
    Tree([left, right].map(|options| options.into_iter().map(|option| tree(forms, option)).collect()))
}

fn read(forms: &mut FormStore, text: &str) -> Form {
    let mut none = |term: &Term, _: &mut FormStore| -> Result<Form, CgtError> { panic!("{term:?}") };
    Expression::parse(text).unwrap().value.evaluate(forms, &mut none).unwrap()
}

/// A board's rows; `true` is a free cell.
type Rows = Vec<Vec<bool>>;

fn rows(board: &str) -> Rows {
    board.split('/').map(|row| row.chars().map(|cell| cell == '.').collect()).collect()
}

/// The difference of a board and a value, searched move by move. Left places dominoes upright, Right flat; in the
/// value, which is negated, they have each other's moves.
#[derive(Default)]
struct Plain(HashMap<(Rows, Tree, usize), bool>);

impl Plain {
    /// Returns whether the player to move (0 is Left) wins.
    fn wins(&mut self, board: &Rows, minus: &Tree, player: usize) -> bool {
        let key = (board.clone(), minus.clone(), player);
        if let Some(&known) = self.0.get(&key) {
            return known;
        }
        let (down, across) = if player == 0 { (1, 0) } else { (0, 1) };
        let mut wins = false;
        for row in 0..board.len() - down {
            for col in 0..board[row].len() - across {
                if !wins && board[row][col] && board[row + down][col + across] {
                    let mut after = board.clone();
                    after[row][col] = false;
                    after[row + down][col + across] = false;
                    wins = !self.wins(&after, minus, 1 - player);
                }
            }
        }
        wins = wins || minus.0[1 - player].iter().any(|option| !self.wins(board, option, 1 - player));
        self.0.insert(key, wins);
        wins
    }
}

/// Checks that the board's value has this text, and that the second player wins the difference of board and value.
fn check(board: &str, published: &str) {
    let watch = Watch::default();
    let mut forms = FormStore::new(1 << 28, &watch);
    let game = domineering(board);
    let found = PlacementValues::new(&game).unwrap().value(&game.start(), &mut forms).unwrap();
    let value = read(&mut forms, published);
    assert_eq!(found, value, "{board}: {}", forms.text(found).unwrap());
    if board.matches('.').count() <= 16 {
        let (tree, mut plain) = (tree(&mut forms, value), Plain::default());
        for player in [0, 1] {
            assert!(!plain.wins(&rows(board), &tree, player), "{board} is not {published}");
        }
    }
}

/// E. R. Berlekamp, J. H. Conway and R. K. Guy, "Winning ways", chapter 5, and J. H. Conway, "On numbers and games",
/// chapter 10; 2 by n: E. R. Berlekamp, "Blockbusting and Domineering" (1988). Left, who places upright, comes first.
#[test]
fn rectangles() {
    for ((rows, cols), value) in [
        ((1, 1), "0"),
        ((1, 2), "-1"),
        ((1, 5), "-2"),
        ((2, 1), "1"),
        ((5, 1), "2"),
        ((2, 2), "±1"),
        ((2, 3), "{2|-1/2}"),
        ((2, 4), "-_2"),
        ((4, 2), "+_2"),
        ((2, 5), "1/2"),
        ((2, 6), "{{{3|1}|1}|-1}"),
        ((3, 3), "±1"),
        ((3, 4), "-3/2"),
        ((4, 3), "3/2"),
        ((4, 4), "±(0,{{2|0},{2|{2|0}}|{2|0},-_2})"),
        ((4, 5), "1"),
        ((5, 5), "0"),
    ] {
        check(&free(rows, cols), value);
    }
}

/// The small shapes of "Winning ways", chapter 5, and of "On numbers and games", chapter 10.
#[test]
fn polyominoes() {
    for (board, value) in [
        (".", "0"),
        ("./.", "1"),
        ("..", "-1"),
        // Three cells.
        ("././.", "1"),
        ("...", "-1"),
        (".#/..", "*"),
        // Four cells.
        ("./././.", "2"),
        (".#/.#/..", "1/2"),
        (".../.##", "-1/2"),
        (".#/../.#", "*"),
        (".../#.#", "*"),
        (".#/../#.", "{1|0}"),
        ("#../..#", "{0|-1}"),
        // Five cells.
        (".#/../..", "±1"),
        ("#.#/.../#.#", "*"),
        (".../.##/.##", "0"),
        (".#./...", "0"),
        ("..../.###", "-1*"),
    ] {
        check(board, value);
    }
}

/// "Winning ways", chapter 5: the first player wins 4x4, the second player 5x5. Mean and temperature are found by
/// canonical forms, and without them.
#[test]
fn masts_of_squares() {
    for (size, class, heat) in [(2, "first", "0 1"), (3, "first", "0 1"), (4, "first", "0 0"), (5, "second", "0 none")]
    {
        let watch = Watch::default();
        let mut forms = FormStore::new(1 << 28, &watch);
        let game = domineering(&free(size, size));
        let value = PlacementValues::new(&game).unwrap().value(&game.start(), &mut forms).unwrap();
        let by_form = forms.thermograph(value).unwrap();
        let temperature = by_form.mast.temperature.map_or_else(|| "none".to_owned(), |of| of.to_string());
        assert_eq!(
            (forms.outcome_class(value).unwrap().name(), &*format!("{} {temperature}", by_form.mast.mean)),
            (class, heat)
        );
        let mut solver = PlacementThermographs::new(PlacementValues::new(&game).unwrap(), 1 << 28);
        let zero = forms.zero();
        let cooled = solver.solve(&[(game.board(), game.start(), false)], zero, &mut forms).unwrap();
        assert_eq!((cooled.class.name(), cooled.stops), (class, forms.stops(value)));
        assert_eq!(cooled.thermograph, by_form);
    }
}

/// M. Lachmann, C. Moore and I. Rapaport, "Who wins Domineering on rectangular boards?" (2002), for two rows.
#[test]
fn winners_of_two_rows() {
    for cols in 1..=15 {
        let winner = match cols {
            1 | 5 | 9 => "left",
            2 | 3 | 6 | 7 | 10 | 11 | 14 | 15 => "first",
            13 => "second",
            _ => "right",
        };
        let watch = Watch::default();
        let mut forms = FormStore::new(1 << 28, &watch);
        let game = domineering(&free(2, cols));
        let value = PlacementValues::new(&game).unwrap().value(&game.start(), &mut forms).unwrap();
        assert_eq!(forms.outcome_class(value).unwrap().name(), winner, "2x{cols}");
        let whole = game.integer_bounds(1 << 24, &watch);
        assert_eq!(
            whole.around_zero,
            [Some(matches!(winner, "left" | "second")), Some(matches!(winner, "right" | "second"))]
        );
        // Integer bounds by a search with spare moves, where both players have dominoes.
        if cols == 1 {
            continue;
        }
        let [least, most] = [whole.lower, whole.upper].map(|(number, is_nearest)| {
            assert!(is_nearest, "2x{cols} {whole:?}");
            number
        });
        for (number, is_at_least, is_at_most) in [
            (least, true, least >= most),
            (least + 1, false, least + 1 >= most),
            (most, most <= least, true),
            (most - 1, most - 1 <= least, false),
        ] {
            let form = forms.intern_number(balpan_cgt::Dyadic::integer(number)).unwrap();
            assert_eq!(forms.is_at_most(form, value).unwrap(), is_at_least, "2x{cols} {number}");
            assert_eq!(forms.is_at_most(value, form).unwrap(), is_at_most, "2x{cols} {number}");
        }
        let stops = forms.stops(value);
        for (stop, [low, high]) in stops.into_iter().zip(whole.stops()) {
            assert!(balpan_cgt::Dyadic::integer(low) <= stop && stop <= balpan_cgt::Dyadic::integer(high));
        }
    }
}
