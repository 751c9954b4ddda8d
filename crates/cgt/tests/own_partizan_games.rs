//! The example partizan games, against published values and plain search.

#![allow(clippy::unwrap_used, dead_code, reason = "a test that cannot go on fails; the examples have their own main")]

#[path = "../examples/col_and_snort.rs"]
mod col_and_snort;
#[path = "../examples/hackenbush.rs"]
mod hackenbush;
#[path = "../examples/toads_and_frogs.rs"]
mod toads_and_frogs;

use balpan::{Watch, with_stack_for};
use balpan_cgt::{
    CgtError, Expression, Form, FormStore, OutcomeClass, Partizan, PartizanSolver, Player, Term, ThermographSolver,
};

fn value_text<G: Partizan>(game: &G, position: &G::Position) -> String {
    let watch = Watch::default();
    let mut forms = FormStore::new(1 << 26, &watch);
    let value = PartizanSolver::new(game).value(position, &mut forms).unwrap();
    let wins = Player::BOTH.map(|player| PartizanSolver::wins_by_search(&game, position, player));
    assert_eq!(forms.outcome_class(value).map(OutcomeClass::wins), Ok(wins));
    forms.text(value).unwrap()
}

/// Small rows of Toads and Frogs. TT.FF is from Winning Ways, chapter 1; the others are checked by search alone.
#[test]
fn toads_and_frogs_rows() {
    for (row, value) in [("T.F", "*"), ("TT.F", "{1/2|0}"), ("TT.FF", "*"), ("T..F", "0"), (".", "0"), ("T..", "2")] {
        assert_eq!(value_text(&toads_and_frogs::ToadsAndFrogs, &row.into()), value, "{row}");
    }
}

/// J. Erickson, "New Toads and Frogs results" (1996), and T. Thanatipanonda, "Further hopping with Toads and Frogs"
/// (2011): a toads, two empty cells and b frogs have the value {{a-3|a-b}|{*|3-b}}; a toads, three empty cells and three
/// frogs have the value a - 7/2 for a ≥ 5.
#[test]
fn toads_and_frogs_families() {
    let watch = Watch::default();
    let mut forms = FormStore::new(1 << 26, &watch);
    let mut values = PartizanSolver::new(toads_and_frogs::ToadsAndFrogs);
    let mut check = |row: String, published: &str| {
        let found = values.value(&row.clone().into(), &mut forms).unwrap();
        let mut none = |_: &Term, forms: &mut FormStore| -> Result<Form, CgtError> { Ok(forms.zero()) };
        let value = Expression::parse(published).unwrap().value.evaluate(&mut forms, &mut none).unwrap();
        assert_eq!(found, value, "{row}: {}", forms.text(found).unwrap());
    };
    for (a, b) in [(3, 2), (4, 3), (5, 3), (5, 4), (6, 4)] {
        let row = format!("{}..{}", "T".repeat(a), "F".repeat(b));
        check(row, &format!("{{{{{}|{}}}|{{*|{}}}}}", a as i64 - 3, a - b, 3 - b as i64));
    }
    for a in 5..=6_i64 {
        check(format!("{}...FFF", "T".repeat(a as usize)), &format!("{}/2", 2 * a - 7));
    }
}

/// Winning Ways, chapters 1 and 2: red and blue paths are numbers by their signs, and green paths are nimbers.
#[test]
fn hackenbush_paths() {
    for (paths, value) in [
        ("b", "1"),
        ("br", "1/2"),
        ("brr", "1/4"),
        ("brb", "3/4"),
        ("bbr", "3/2"),
        ("rrb", "-3/2"),
        ("ggg+gg", "*"),
        ("gb", "↑*"),
    ] {
        let position = paths.split('+').map(str::to_owned).collect();
        assert_eq!(value_text(&hackenbush::Hackenbush, &position), value, "{paths}");
    }
}

/// Col's values are numbers, or numbers and a star (Winning Ways, chapter 2); Snort's are hot.
#[test]
fn col_and_snort_on_grids() {
    for (is_snort, cols, cells, value) in [
        (false, 1, 1, "*"),
        (false, 2, 2, "0"),
        (false, 3, 3, "0"),
        (true, 1, 1, "*"),
        (true, 2, 2, "±1"),
        (true, 3, 3, "±2"),
        (true, 2, 4, "0"),
    ] {
        let game = col_and_snort::Colouring { cols, is_snort };
        assert_eq!(value_text(&game, &vec![b'.'; cells]), value, "{is_snort} {cols} {cells}");
    }
}

/// A counter that both players count down. It starts again at 7 if `repeats` is set.
struct Counter {
    repeats: bool,
}

impl Partizan for Counter {
    type Position = u32;

    fn options(&self, &left: &u32, _player: Player) -> impl Iterator<Item = u32> {
        (self.repeats || left > 0).then(|| left.checked_sub(1).unwrap_or(7)).into_iter()
    }
}

#[test]
fn endless_play_is_refused() {
    let watch = Watch::default();
    for (start, repeats) in [(3, true), (200_000, false)] {
        let mut forms = FormStore::new(1 << 24, &watch);
        let mut values = PartizanSolver::new(Counter { repeats });
        assert!(matches!(values.value(&start, &mut forms), Err(CgtError::TooDeep(_))));
        let cooled = ThermographSolver::new(1 << 24).solve(&[(start, false)], forms.zero(), &mut values, &mut forms);
        assert!(matches!(cooled, Err(CgtError::TooDeep(_))));
    }
    let value = with_stack_for(None, || {
        let mut forms = FormStore::new(1 << 24, &watch);
        PartizanSolver::new(Counter { repeats: false }).value(&9_000, &mut forms).map(|value| forms.text(value))
    });
    assert_eq!(value, Ok(Ok("0".to_owned())));
}
