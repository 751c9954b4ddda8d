//! Trees of real games: alpha-beta over them finds what the fast solver does.

use balpan::tree::{Reason, deepest, grow, search};
use balpan::{AlphaBeta, Budget, Game, Minimax, Retrograde, Solver, Value, Watch, minimax};
use balpan_games::lines::Lines;
use balpan_games::presets::preset;
use balpan_games::{AnyGame, Notation, RulesFile, Task};

/// The game's value by a search of its whole tree, and by the fast solver; and how many of
/// how many positions the search visits.
struct Search(usize);

impl Task for Search {
    type Output = ([Value; 3], [usize; 2]);

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let (watch, root) = (Watch::default(), game.start());
        let fast = AlphaBeta::new(game, 1 << 20, &watch).value(&root).unwrap();
        let tree = grow(game, &root, self.0, usize::MAX, &mut Minimax::new(game, &watch)).unwrap();
        let found = search(&tree);
        ([fast, tree.nodes()[0].value, found.value()], [found.visits().count(), tree.nodes().len()])
    }
}

fn game(name: &str, position: &str) -> AnyGame {
    preset(name).unwrap().unwrap().game_at(position).unwrap()
}

#[test]
fn trees_of_all_families_have_the_game_s_value() {
    let positions = [
        ("tictactoe", "X../.O./..X"),
        ("tictactoe", "X../XOO/OX."),
        ("platforms", "A../..#/..B"),
        ("joust", "A..../...../....B"),
        ("blockgame", ".../.#./..."),
        ("domineering", "..../...."),
        ("notakto", "X../.../..."),
        ("nim", "1 2 3"),
        ("kayles", "5"),
    ];
    for (name, position) in positions {
        for depth in [1, 2, 3, 99] {
            let (values, [visited, all]) = game(name, position).run(Search(depth));
            assert!(values.iter().all(|value| *value == values[0]), "{name} {position} {depth}: {values:?}");
            assert!(visited <= all);
        }
    }
}

#[test]
fn alpha_beta_spares_most_of_tic_tac_toe() {
    let ([fast, plain, found], [visited, all]) = game("tictactoe", ".../.../...").run(Search(9));
    assert_eq!([fast, plain, found], [Value::DRAW; 3]);
    // All ways to play, the empty board among them.
    assert_eq!(all, 549_946);
    assert!(visited < all / 20, "{visited}");
}

/// The ending of docs/tree.md.
#[test]
fn what_is_cut_of_the_picture_is_cut_because_of_a_draw_elsewhere() {
    let game = game("tictactoe", "X../XOO/OX.").downcast::<Lines>().unwrap();
    let watch = Watch::default();
    let tree = grow(&game, &game.start(), 9, 99, &mut Minimax::new(&game, &watch)).unwrap();
    let found = search(&tree);
    let reasons: Vec<_> = found.cuts().map(|cut| cut.reason).collect();
    let [Reason::AtOnce, Reason::Elsewhere(bound)] = reasons[..] else { panic!("{reasons:?}") };
    assert_eq!((bound.value, bound.there, bound.at), (Value::DRAW, Value::DRAW, 0));
    assert_eq!(game.text(&tree.nodes()[bound.by].position), "X.X/XOO/OX.");
    assert_eq!((found.visits().count(), tree.nodes().len(), deepest(&game, &game.start(), 14)), (11, 14, 3));
}

/// The solver of positions of any type, compiled for their own, finds what a search by the table of functions finds.
#[test]
fn a_solver_of_positions_of_any_type_finds_their_values() {
    let own = "[left]\nL = \"#/##\"\n[right]\nI = \"##\"";
    let own = RulesFile::parse("own", &format!("family = \"placement\"\nboard = \"2x4\"\n{own}\n")).unwrap();
    let row = RulesFile::parse("row", "family = \"row\"\nstart = \"3 9 1 2\"\nfrom = \"ends\"\n").unwrap();
    let mut games = vec![own.game().unwrap(), row.game().unwrap()];
    let positions = [
        ("tictactoe", "X../.O./..X"),
        ("platforms", "A../..#/..B"),
        ("nim", "1 2 3"),
        ("hexapawn", "bbb/.../www w"),
        ("shisima", "www/_._/bbb w"),
    ];
    let presets = positions.iter().map(|(name, at)| preset(name).unwrap().unwrap().game_at(at).unwrap());
    games.extend(presets);
    let (mut searched, mut repeating) = (0, 0);
    for game in games {
        let (any, budget, watch) = (game.erased(), Budget { memory: 1 << 26, threads: 1 }, Watch::default());
        let mut solver = game.solver(budget, None, &watch).unwrap();
        let mut table = game.may_repeat().then(|| Retrograde::new(&any, &any.start(), budget, &watch).unwrap());
        repeating += usize::from(table.is_some());
        for mv in any.moves(&any.start()) {
            let after = any.play(&any.start(), mv);
            let expected = match &mut table {
                Some(table) => table.value(&after),
                None => minimax(&any, &after),
            };
            assert_eq!(solver.value(&after), expected, "{} {}", game.family(), any.text(&after));
            assert_eq!(any.find_move(&any.start(), &any.move_text(&any.start(), mv)), Some(mv));
            searched += 1;
        }
    }
    assert!(searched > 20 && repeating > 0, "{searched} positions, {repeating} games that may repeat");
}
