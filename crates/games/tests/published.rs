//! Figures published elsewhere, or counted by other programs.

use balpan::reach::{Count, count_games, values};
use balpan::{AlphaBeta, Budget, DfPn, Engine, Game, Goal, Outcome, Solver, Value, Watch, minimax, solve_with};
use balpan_games::lines::Lines;
use balpan_games::placement::Placement;
use balpan_games::placement::{BoardNumbers, LosingBoards, TableBudget};
use balpan_games::presets::preset;
use balpan_games::{AnyGame, Notation, RulesFile, Task};

const TABLE: usize = 256 << 20;
const NO_LIMIT: usize = usize::MAX;

/// The value of a game's start, by alpha-beta.
struct ValueOf;

impl Task for ValueOf {
    type Output = Value;

    fn run<G: Notation>(self, game: &G) -> Value {
        AlphaBeta::new(game, TABLE, &Watch::default()).value(&game.start()).unwrap()
    }
}

struct OutcomeOf;

impl Task for OutcomeOf {
    type Output = Outcome;

    fn run<G: Notation>(self, game: &G) -> Outcome {
        AlphaBeta::new(game, TABLE, &Watch::default()).outcome(&game.start()).unwrap()
    }
}

fn rules(name: &str, changes: &[&str]) -> RulesFile {
    let rules = preset(name).unwrap().unwrap();
    changes.iter().fold(rules, |rules, change| rules.with_change(change).unwrap())
}

fn on_board(name: &str, board: &str) -> AnyGame {
    rules(name, &[]).with_board(board).unwrap().game().unwrap()
}

fn at(name: &str, position: &str) -> AnyGame {
    rules(name, &[]).game_at(position).unwrap()
}

#[test]
fn disappearing_platforms_the_statements_four_cases() {
    let plies = |position| at("platforms", position).run(ValueOf).remoteness();
    assert_eq!(plies(".../A.B/..."), Some(5));
    assert_eq!(plies(".../A#B/..."), Some(4));
    assert_eq!(plies("A...B"), Some(4));
    assert_eq!(plies("*"), Some(0));
}

/// Checks the boards whose number of cells `cells` accepts. Up to 5x5 the plain recursion has the same values, as the
/// test of all starts shows; the others were found by this solver only.
fn platforms_from_opposite_corners(cells: impl Fn(usize) -> bool) {
    for line in include_str!("data/platforms-corners.csv").lines().skip(1) {
        let numbers: Vec<usize> = line.split(',').map(|number| number.parse().unwrap()).collect();
        if let [rows, cols, plies] = numbers[..]
            && cells(rows * cols)
        {
            let found = on_board("platforms", &format!("{rows}x{cols}")).run(ValueOf);
            assert_eq!(found.remoteness(), u32::try_from(plies).ok(), "{line}");
        }
    }
}

#[test]
fn disappearing_platforms_from_opposite_corners() {
    platforms_from_opposite_corners(|cells| cells <= 81);
}

#[test]
#[ignore = "takes minutes"]
fn disappearing_platforms_on_large_boards() {
    platforms_from_opposite_corners(|cells| cells > 81);
}

#[test]
fn tiles_that_are_not_shared_from_opposite_corners() {
    for (board, value) in [("5x5", Value::win(23)), ("5x6", Value::loss(28)), ("6x6", Value::loss(34))] {
        assert_eq!(on_board("kings", board).run(ValueOf), value, "kings {board}");
    }
    assert_eq!(on_board("joust", "6x6").run(ValueOf), Value::loss(34));
}

#[test]
fn disappearing_platforms_from_all_starts() {
    let data = include_str!("data/platforms-all-starts.csv");
    let mut cases = 0;
    for line in data.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |n: usize| fields[n].parse::<usize>().unwrap();
        let (cols, a, b) = (number(1), (number(3), number(4)), (number(5), number(6)));
        let rows: Vec<String> = (0..number(0))
            .map(|row| {
                let cell = |col| match ((row, col) == a, (row, col) == b) {
                    (true, true) => '*',
                    (true, false) => 'A',
                    (false, true) => 'B',
                    (false, false) if fields[2].as_bytes()[row * cols + col] == b'1' => '.',
                    (false, false) => '#',
                };
                (0..cols).map(cell).collect()
            })
            .collect();
        let plies = at("platforms", &rows.join("/")).run(ValueOf).remoteness();
        assert_eq!(plies, fields[7].parse().ok(), "{line}");
        cases += 1;
    }
    assert_eq!(cases, 3002);
}

#[test]
fn block_game_the_judges_sample() {
    let sample = [
        ("...../.##../##..#/#.###/..#..", Outcome::Win),
        ("...../...../...../...../.....", Outcome::Loss),
        ("#..##/##.##/##.##/#...#/##.##", Outcome::Win),
    ];
    for (board, outcome) in sample {
        assert_eq!(at("blockgame", board).run(OutcomeOf), outcome, "{board}");
    }
}

/// The number of positions that play reaches from an empty board, how many of them are lost, and the outcome.
fn reached_in_the_block_game(board: &str) -> (usize, usize, Outcome) {
    let game = on_board("blockgame", board).downcast::<Placement>().unwrap();
    let values = values(&game, &game.start(), Count::Positions, NO_LIMIT, &Watch::default()).unwrap();
    let losing = values.values().filter(|value| value.outcome() == Outcome::Loss).count();
    (values.len(), losing, values[&game.start()].outcome())
}

#[test]
fn block_game_has_as_many_placements_and_boards_as_published() {
    let game = on_board("blockgame", "5x5").downcast::<Placement>().unwrap();
    assert_eq!(game.moves(&game.start()).count(), 104);
    assert_eq!(reached_in_the_block_game("3x3").0, 195);
    assert_eq!(reached_in_the_block_game("4x4").0, 18_960);
}

#[test]
#[ignore = "takes a minute"]
fn block_game_has_as_many_boards_on_5x5_as_published() {
    assert_eq!(reached_in_the_block_game("5x5"), (6_134_619, 1_210_401, Outcome::Loss));
}

#[test]
fn all_boards_of_the_block_game_and_of_cram() {
    let watch = Watch::default();
    let boards = [
        ("blockgame", "5x5", 5_987_211),
        ("cram", "5x5", 9_129_683),
        ("blockgame", "5x6", 184_771_166),
        ("cram", "5x6", 269_164_094),
    ];
    for (name, board, losing) in boards {
        let game = on_board(name, board).downcast::<Placement>().unwrap();
        for threads in [1, 2] {
            let allowed = TableBudget { bytes: 1 << 27, threads };
            assert_eq!(LosingBoards::new(&game, allowed, &watch).unwrap().count(), losing, "{name} {board}");
        }
    }
    let misere = rules("blockgame", &["misere=true"]).game().unwrap().downcast::<Placement>().unwrap();
    assert_eq!(LosingBoards::new(&misere, 1 << 30, &watch).unwrap().count(), 6_988_091);
}

/// As found by this project's other programs.
#[test]
fn misere_values_of_all_boards() {
    let values = |board: &str| {
        let game = rules("blockgame", &["misere=true"])
            .with_board(board)
            .unwrap()
            .game()
            .unwrap()
            .downcast::<Placement>()
            .unwrap();
        BoardNumbers::nimbers(&game, 1 << 30, &Watch::default()).unwrap()
    };
    let of_free = |board| values(board).get(0);
    assert_eq!(["2x2", "2x3", "2x4", "2x5", "2x6"].map(of_free), [2, 3, 0, 1, 3]);
    assert_eq!(of_free("4x4"), 1);
    let five = values("5x5");
    assert_eq!(five.get(0), 0);
    assert_eq!(five.counts()[0], 6_988_091);
}

/// Nimbers of empty boards: Cram as Lemoine and Viennot (2012) give them; the block
/// game as found by this project's other programs.
#[test]
fn nimbers_of_all_boards() {
    let watch = Watch::default();
    let nimbers = |name, board: &str| {
        let game = at(name, board).downcast::<Placement>().unwrap();
        BoardNumbers::nimbers(&game, 1 << 30, &watch).unwrap()
    };
    let empty = |rows: usize, cols: usize| vec![".".repeat(cols); rows].join("/");
    let of_free = |name, rows, cols| nimbers(name, &empty(rows, cols)).get(0);
    assert_eq!([3, 4, 5, 6, 7].map(|cols| of_free("cram", 3, cols)), [0, 1, 1, 4, 1]);
    assert_eq!([4, 5].map(|cols| of_free("cram", 4, cols)), [0, 2]);
    assert_eq!([2, 3, 4, 5, 6, 7, 8, 9, 10].map(|cols| of_free("blockgame", 2, cols)), [2, 3, 1, 4, 3, 2, 1, 4, 2]);
    assert_eq!([3, 4, 5, 6].map(|cols| of_free("blockgame", 3, cols)), [0, 3, 0, 3]);
    assert_eq!(of_free("blockgame", 4, 4), 5);
    let five = nimbers("blockgame", &empty(5, 5));
    assert_eq!(five.get(0), 0);
    assert_eq!(five.counts()[0], 5_987_211);
    assert_eq!(five.counts().iter().sum::<u64>(), 1 << 25);
}

#[test]
fn remoteness_of_all_boards() {
    let watch = Watch::default();
    for (changes, losing, remoteness) in [(&[][..], 5_987_211, 12), (&["misere=true"], 6_988_091, 9)] {
        let game = rules("blockgame", changes).game().unwrap().downcast::<Placement>().unwrap();
        let table = BoardNumbers::remoteness(&game, 1 << 30, &watch).unwrap();
        // The player who cannot place loses, and wins in misère play: parity decides who loses.
        let lost = table.counts().into_iter().skip(changes.len()).step_by(2).sum::<u64>();
        assert_eq!(lost, losing);
        assert_eq!(table.get(0), remoteness);
        assert_eq!(game_value(&game).remoteness(), Some(remoteness));
    }
}

fn game_value(game: &impl Game) -> Value {
    AlphaBeta::new(game, TABLE, &Watch::default()).value(&game.start()).unwrap()
}

#[test]
fn tic_tac_toe_has_as_many_positions_and_games_as_published() {
    let game = on_board("tictactoe", "3x3").downcast::<Lines>().unwrap();
    let watch = Watch::default();
    let reached = |count| values(&game, &game.start(), count, NO_LIMIT, &watch).unwrap();
    assert_eq!(reached(Count::Positions).len(), 5_478);
    assert_eq!(reached(Count::Classes).len(), 765);
    assert_eq!(reached(Count::Positions)[&game.start()], Value::DRAW);
    let games = count_games(&game, &game.start(), NO_LIMIT, &watch).unwrap().unwrap();
    assert_eq!((games.wins, games.losses, games.draws), (131_184, 77_904, 46_080));
    assert_eq!(games.total(), 255_168);
}

#[test]
fn four_in_a_row_on_small_boards_is_a_draw() {
    for board in ["4x4", "4x5", "5x4"] {
        assert_eq!(on_board("connect4", board).run(ValueOf), Value::DRAW, "connect4 {board}");
    }
}

/// The value of the empty board, for k in a row without gravity.
fn in_a_row(k: u8, board: &str) -> Value {
    let game = rules("tictactoe", &[&format!("board={board}"), &format!("k={k}")]).game().unwrap();
    game.run(ValueOf)
}

/// Draws and wins as J. W. H. M. Uiterwijk and H. J. van den Herik give them, "The
/// advantage of the initiative", Information Sciences 122 (2000); the lengths of the wins are
/// this project's own finding.
#[test]
fn four_in_a_row_without_gravity() {
    for board in ["4x4", "5x4", "4x6", "7x4", "8x4", "5x5"] {
        assert_eq!(in_a_row(4, board), Value::DRAW, "{board}");
    }
    for board in ["6x5", "5x6", "6x6", "7x7"] {
        assert_eq!(in_a_row(4, board), Value::win(11), "{board}");
    }
}

/// Up to 6x6 published with four in a row; 7x7 by W.-Y. Hsu et al., "On solving the
/// 7,7,5-game and the 8,8,5-game", Theoretical Computer Science 815 (2020).
#[test]
fn five_in_a_row_without_gravity_is_a_draw() {
    for board in ["5x5", "6x6", "7x7"] {
        assert_eq!(in_a_row(5, board), Value::DRAW, "{board}");
    }
}

/// The winner of five or four in a row, by an engine, and the number of positions searched.
fn who_wins(k: u8, board: &str, threads: usize) -> (Outcome, u64) {
    let rules = rules("tictactoe", &[&format!("board={board}"), &format!("k={k}")]);
    let game: Lines = rules.game().unwrap().downcast().unwrap();
    let start = game.start();
    let mut engine = Engine::new(game, Budget { memory: 2 << 30, threads });
    (engine.outcome(&start).unwrap(), engine.positions_searched())
}

/// Published as above. A change of the positions is a change of speed.
#[test]
fn five_in_a_row_by_breakers_plans() {
    assert_eq!(who_wins(5, "6x6", 1), (Outcome::Draw, 48));
    assert_eq!(who_wins(5, "7x7", 1), (Outcome::Draw, 27_413));
}

/// Draws as above; 4x9 by V. Charatsidis (January 2017). A change of the positions is a change of speed.
#[test]
fn four_in_a_row_by_races() {
    assert_eq!(who_wins(4, "4x7", 1), (Outcome::Draw, 31_217));
    assert_eq!(who_wins(4, "4x8", 1), (Outcome::Draw, 529_238));
    assert_eq!(who_wins(4, "4x9", 2).0, Outcome::Win);
}

/// Published as 7x7 is. Takes ten CPU minutes.
#[test]
#[ignore = "takes minutes"]
fn five_in_a_row_on_8x8_is_a_draw() {
    assert_eq!(who_wins(5, "8x8", 2).0, Outcome::Draw);
}

/// Not published elsewhere: this project's other programs found the same.
#[test]
fn lines_without_gravity_on_larger_boards() {
    assert_eq!(in_a_row(4, "8x8"), Value::win(11));
    assert_eq!(in_a_row(3, "8x8"), Value::win(5));
    assert_eq!([1, 2].map(|k| in_a_row(k, "8x8")), [Value::win(1), Value::win(3)]);
    assert_eq!([8, 9].map(|k| in_a_row(k, "7x9")), [Value::DRAW; 2]);
}

#[test]
fn notakto_and_misere_tic_tac_toe() {
    assert_eq!(on_board("notakto", "3x3").run(ValueOf), Value::win(6));
    assert_eq!(rules("tictactoe", &["misere=true"]).game().unwrap().run(ValueOf), Value::DRAW);
}

/// Nimbers 2×2…2×7, 3×3…3×6 and 4×4, as Lemoine and Viennot give them (2012): zero is a loss.
#[test]
fn small_cram_by_brute_force() {
    let zero = [("2x2", true), ("2x3", false), ("2x4", true), ("2x5", false), ("2x6", true), ("2x7", false)];
    let more = [("3x3", true), ("3x4", false), ("3x5", false), ("4x4", true)];
    for (board, loses) in zero.into_iter().chain(more) {
        let game = on_board("cram", board);
        let outcome = if loses { Outcome::Loss } else { Outcome::Win };
        assert_eq!(game.run(OutcomeOf), outcome, "{board}");
        if game.board().is_some_and(|board| board.cells() <= 9) {
            assert_eq!(game.run(Brute).outcome(), outcome, "{board}");
        }
    }
}

struct Brute;

impl Task for Brute {
    type Output = Value;

    fn run<G: Notation>(self, game: &G) -> Value {
        minimax(game, &game.start()).unwrap()
    }
}

/// Outcome classes of Domineering on rows by columns from 2×2 to 5×5: 1 if the first player wins, 2 if
/// the second does, V and H if the player of vertical or of horizontal dominoes always does
/// (Berlekamp 1988, Breuker, Uiterwijk and van den Herik 2000).
#[test]
fn small_domineering_by_brute_force() {
    let published = ["11HV", "11HH", "VV1V", "HVH2"];
    for (rows, row) in (2..).zip(published) {
        for (cols, class) in (2..).zip(row.chars()) {
            let board = vec![".".repeat(cols); rows].join("/");
            let begun_by = |side| at("domineering", &format!("{board} {side}")).run(OutcomeOf) == Outcome::Win;
            let found = match (begun_by('l'), begun_by('r')) {
                (true, true) => '1',
                (false, false) => '2',
                (true, false) => 'V',
                (false, true) => 'H',
            };
            assert_eq!(found, class, "{rows}x{cols}");
        }
    }
}

/// The first player wins Golomb's game (H. K. Orman, "Pentominoes: a first player win",
/// Games of No Chance, 1996). Takes minutes: run with `--ignored`.
#[test]
#[ignore = "takes minutes"]
fn pentominoes_on_a_chessboard() {
    let game = on_board("pentominoes", "8x8").downcast::<Placement>().unwrap();
    let watch = Watch::default();
    let solution =
        solve_with(&game, &game.start(), Goal::Winner, &mut DfPn::new(&game, 1 << 30, &watch), &watch).unwrap();
    assert_eq!(solution.verdict.outcome, Outcome::Win);
    assert_eq!(solution.moves.len(), 1);
}

/// Positions that alpha-beta searches, as docs/performance.md quotes them. A change of these figures
/// is a change of speed, to be measured and intended.
#[test]
fn searched_positions_are_as_documented() {
    struct Searched;

    impl Task for Searched {
        type Output = u64;

        fn run<G: Notation>(self, game: &G) -> u64 {
            let watch = Watch::default();
            let mut solver = AlphaBeta::new(game, 1 << 30, &watch);
            solve_with(game, &game.start(), Goal::MoveValues, &mut solver, &watch).unwrap();
            solver.positions_searched()
        }
    }

    let searched = |name, board| on_board(name, board).run(Searched);
    let boards = [
        ("platforms", "6x6", 835),
        ("platforms", "7x7", 5_156),
        ("kings", "5x5", 36_771),
        ("joust", "6x6", 90_535),
        ("blockgame", "5x5", 335_016),
        ("connect4", "5x6", 707_145),
    ];
    let found = boards.map(|(name, board, _)| (name, board, searched(name, board)));
    assert_eq!(found, boards);
}

/// Every preset can be parsed, obeys the laws, and starts in a position that its text parses to.
#[test]
fn presets_obey_the_laws() {
    struct Check;

    impl Task for Check {
        type Output = ();

        fn run<G: Notation>(self, game: &G) {
            assert!(balpan::laws::check(game, 20, 1).is_ok());
            let start = game.start();
            assert!(game.parse(&game.text(&start)).is_ok_and(|read| read == start));
        }
    }

    for (name, _) in balpan_games::presets::PRESETS {
        rules(name, &[]).game().unwrap().run(Check);
    }
}

/// One row fills the whole board: neither player can mark all of it.
#[test]
fn a_row_as_long_as_the_largest_board_is_a_draw() {
    for board in ["board=1x64", "board=64x1"] {
        let game = rules("tictactoe", &[board, "k=64"]).game().unwrap();
        assert_eq!(game.run(ValueOf), Value::DRAW);
    }
}
