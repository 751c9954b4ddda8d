//! Nimbers of placement games by components, compared with published ones and with tables of
//! all boards.

use balpan::{Budget, Engine, Game, Nimbers, Watch};
use balpan_games::placement::{BoardNumbers, Placement, Position};
use balpan_games::presets::preset;
use balpan_games::{Answer, CellSet, Notation, Query, RulesFile, TextEngine};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use crate::naive::compare::cases;

fn rules(name: &str, board: &str) -> RulesFile {
    preset(name).unwrap().unwrap().with_board(board).unwrap()
}

/// The nimber of the empty board by searches with little and with enough memory, with and
/// without a table of small components, on one thread and on two.
fn nimber_by_all_searches<W: CellSet>(game: &Placement<W>) -> u32 {
    let watch = Watch::default();
    let informed = game.clone().with_component_table(1 << 26, &watch).unwrap();
    let start = game.start();
    let mut solver = Nimbers::new(&informed, 1 << 26, &watch).unwrap().with_threads(2);
    let nimber = solver.nimber(&start).unwrap();
    assert_eq!(solver.nimber(&start).unwrap(), nimber);
    let winning = solver.winning_moves(&start).unwrap();
    assert_eq!(winning.is_empty(), nimber == 0);
    for mv in winning {
        assert_eq!(Nimbers::new(game, 1 << 22, &watch).unwrap().nimber(&game.play(&start, mv)).unwrap(), 0);
    }
    assert_eq!(Nimbers::new(game, 1 << 22, &watch).unwrap().nimber(&start).unwrap(), nimber);
    nimber
}

fn nimber(name: &str, board: &str) -> u32 {
    let game = rules(name, board).game().unwrap();
    match game.downcast_ref::<Placement>() {
        Some(game) => nimber_by_all_searches(game),
        None => nimber_by_all_searches(game.downcast_ref::<Placement<u128>>().unwrap()),
    }
}

/// J. Lemoine and S. Viennot, "Nimbers are inevitable" (2012); P. Beling, igsolve.
#[test]
fn cram_has_the_published_nimbers() {
    for (rows, expected) in [(3, &[0, 1, 1, 4, 1, 3, 1, 2, 0, 1][..]), (4, &[1, 0, 2, 0, 3]), (5, &[1, 2, 0, 2])] {
        for (cols, &expected) in (3..).zip(expected) {
            assert_eq!(nimber("cram", &format!("{rows}x{cols}")), expected, "{rows}x{cols}");
        }
    }
    // A board too wide for one word; the second player wins by symmetry.
    assert_eq!(nimber("cram", "2x50"), 0);
    assert_eq!(nimber("cram", "10x12"), 0);
}

#[test]
fn block_game_has_the_expected_nimbers() {
    for (rows, from, expected) in [(2, 2, &[2, 3, 1, 4, 3, 2, 1, 4, 2][..]), (3, 3, &[0, 3, 0, 3]), (4, 4, &[5])] {
        for (cols, &expected) in (from..).zip(expected) {
            assert_eq!(nimber("blockgame", &format!("{rows}x{cols}")), expected, "{rows}x{cols}");
        }
    }
    assert_eq!(nimber("blockgame", "5x5"), 0);
    // A search that tested too few nimbers gave 5.
    assert_eq!(nimber("blockgame", "3x8"), 9);
}

/// A component beside others of known nimbers.
#[test]
fn a_stopped_search_gives_a_lower_bound() {
    let game = rules("cram", "3x13").game().unwrap();
    let game = game.downcast::<Placement>().unwrap();
    let start = game.start();
    let mut solver = Nimbers::new(&game, 1 << 24, &Watch::default()).unwrap();
    assert_eq!(solver.at_least(&start), 0);
    for asked in 0..2 {
        assert!(!solver.has(&start, asked).unwrap());
        assert_eq!(solver.at_least(&start), asked + 1);
    }
    assert_eq!(solver.nimber(&start).unwrap(), 2);
    assert_eq!(solver.at_least(&start), 2);

    let wider = rules("cram", "3x18").game().unwrap().downcast::<Placement>().unwrap();
    let position = wider.parse(&[".............#...."; 3].join("/")).unwrap();
    let mut parts = Vec::new();
    wider.split(&position, &mut parts);
    parts.sort_by_key(|part| wider.mobility(part));
    let [small, large] = &parts[..] else { unreachable!() };
    let mut solver = Nimbers::new(&wider, 1 << 24, &Watch::default()).unwrap();
    assert_eq!(solver.nimber(small).unwrap(), 1);
    // Beside 1, 0 is ruled out with the larger one's 1, and 1 with its 0.
    for (asked, least) in [(0, 0), (1, 2)] {
        assert!(!solver.has(large, asked).unwrap());
        assert_eq!(solver.at_least(&position), least);
    }
    assert_eq!(solver.nimber(&position).unwrap(), 3);

    let mut engine = Engine::new(game, Budget::default());
    let watch = Watch::default();
    for asked in 0..2 {
        assert!(!engine.nimber_solver(&start, &watch).unwrap().has(&start, asked).unwrap());
    }
    let question = Query { nim_value: true, ..Query::default() };
    let stop = &mut |answer: &Answer| {
        if answer.outcome.is_some() {
            watch.stop();
        }
    };
    let answer = TextEngine::ask(&mut engine, "cram", &["............."; 3].join("/"), question, &watch, stop).unwrap();
    assert_eq!((answer.nim_value, answer.nimber_at_least, answer.complete), (None, Some(2), false));
}

/// A component that is searched again, even one that was answered before, has its answer in its options.
#[test]
fn a_repeated_search_is_answered_by_options() {
    let game = rules("cram", "5x6").game().unwrap().downcast::<Placement>().unwrap();
    let (start, nimber) = (game.start(), 2);
    for asked in 0..4 {
        for is_answered in [false, true] {
            let mut solver = Nimbers::new(&game, 1 << 24, &Watch::default()).unwrap();
            if is_answered {
                assert_eq!(solver.nimber(&start).unwrap(), nimber);
            }
            solver.search_again(&start, asked).unwrap();
            let options = game.moves(&start).map(|mv| solver.known_nimber(&game.play(&start, mv)));
            let has_it = options.filter(|known| *known == Some(asked)).count() > 0;
            assert_eq!(has_it, asked < nimber, "{asked} {is_answered}");
            // A nimber larger than its own is refuted by its own.
            assert!(asked <= nimber || solver.known_nimber(&start) == Some(nimber), "{asked} {is_answered}");
        }
    }
}

/// A change of these figures is a change of speed, to be measured and intended.
#[test]
fn searched_positions_are_unchanged() {
    for (name, board, plain, informed) in
        [("cram", "5x6", CRAM[0], CRAM[1]), ("blockgame", "4x7", BLOCKS[0], BLOCKS[1])]
    {
        let game = rules(name, board).game().unwrap().downcast::<Placement>().unwrap();
        let watch = Watch::default();
        let knowing = game.clone().with_component_table(1 << 28, &watch).unwrap();
        for (game, expected) in [(&game, plain), (&knowing, informed)] {
            let mut solver = Nimbers::new(game, 1 << 26, &watch).unwrap();
            solver.nimber(&game.start()).unwrap();
            assert_eq!(solver.positions_searched(), expected, "{name} {board}");
        }
    }
}

const CRAM: [u64; 2] = [35_628, 22_433];
const BLOCKS: [u64; 2] = [14_491, 12_004];

const DRAWINGS: &[&str] = &["##", "##/#.", "###", "#.#", "##/##", "#", "#./.#", ".##/##.", "#..#"];
const BOARDS: &[(usize, usize)] = &[(4, 4), (3, 5), (2, 8), (1, 17), (16, 1), (3, 6), (6, 3), (2, 9), (4, 5)];

/// A game of random pieces on a board of up to 20 cells.
fn games() -> impl Strategy<Value = RulesFile> {
    let flags = (any::<bool>(), any::<bool>());
    (subsequence(DRAWINGS, 1..=3), select(BOARDS), flags).prop_filter_map(
        "pieces that fit",
        |(drawings, (rows, cols), (rotate, reflect))| {
            let mut toml = format!(
                "family = \"placement\"\nboard = \"{rows}x{cols}\"\nrotate = {rotate}\nreflect = {reflect}\n[pieces]\n"
            );
            for (name, drawing) in ('A'..).zip(drawings) {
                toml += &format!("{name} = \"{drawing}\"\n");
            }
            RulesFile::parse("test", &toml).ok()
        },
    )
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn boards_have_the_nimbers_of_the_table(
        rules in games(), boards in prop::collection::vec(any::<u64>(), 12), full: bool,
        memory in select(vec![0, 1 << 10, 1 << 20]), threads in 1..=2_usize,
    ) {
        let game = rules.game().unwrap().downcast::<Placement>().unwrap();
        let watch = Watch::default();
        let table = BoardNumbers::nimbers(&game, 1 << 24, &watch).unwrap();
        let informed = game.clone().with_component_table(1 << 20, &watch).unwrap();
        let mut plain = Nimbers::new(&game, memory, &watch).unwrap().with_threads(threads);
        let mut solver = Nimbers::new(&informed, memory, &watch).unwrap().with_threads(threads);
        for filled in boards {
                        // Half full boards have several components, others hardly.
            let fuller = filled | filled.rotate_left(13);
            let emptier = filled & filled.rotate_left(17);
                        // Without memory, only small components end in time.
            let filled = if memory < 1 << 12 { fuller } else if full { filled } else { emptier };
            let position = Position { filled: filled & game.board().all(), ..game.start() };
            let expected = table.get(position.filled);
            prop_assert!(plain.at_least(&position) <= expected);
            prop_assert_eq!(plain.nimber(&position).unwrap(), expected, "{}", game.text(&position));
            prop_assert_eq!(solver.nimber(&position).unwrap(), expected, "{}", game.text(&position));
            let winning = solver.winning_moves(&position).unwrap();
            prop_assert_eq!(winning.is_empty(), expected == 0);
            for mv in winning {
                prop_assert_eq!(table.get(game.play(&position, mv).filled), 0);
            }
        }
    }
}
