//! Placement compared with the naive implementation, on random boards with random pieces.

use crate::naive;

use balpan::{AlphaBeta, Solver, Watch};
use balpan_games::placement::Placement as Fast;
use balpan_games::presets::preset;
use balpan_games::{Notation, Task};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::naive::NaiveGame;
use crate::naive::compare::{cases, check_all, rules};
use crate::naive::midgame::{mostly_going_on, play_out, play_until_small};
use crate::naive::placement::{Piece, Placement, State, ways_to_lie};
use crate::naive::without::{Hook, Without};

/// The rules file of the naive game.
fn toml(game: &Placement) -> String {
    let Placement { rotate, reflect, misere, .. } = game;
    let mut toml = format!(
        "family = \"placement\"\nboard = \"8x8\"\nrotate = {rotate}\nreflect = {reflect}\nmisere = {misere}\n[supply]\n"
    );
    for piece in game.pieces.iter().flatten() {
        if let Some(supply) = piece.supply {
            toml += &format!("{} = {supply}\n", piece.name);
        }
    }
    let titles: &[_] = if game.partizan() { &["left", "right"] } else { &["pieces"] };
    for (title, list) in titles.iter().zip(&game.pieces) {
        toml += &format!("[{title}]\n");
        for Piece { name, drawing, .. } in list {
            toml += &format!("{name} = \"{drawing}\"\n");
        }
    }
    toml
}

/// Rows of `#` and `.`: polyominoes, single cells, and disconnected cells.
fn drawings() -> impl Strategy<Value = String> {
    let any_cells = (1..=3_usize, 1..=3_usize, vec(any::<bool>(), 9)).prop_map(|(rows, cols, cells)| {
        let glyph = |row: usize, col: usize| if cells[row * 3 + col] { '#' } else { '.' };
        let rows = (0..rows).map(|row| (0..cols).map(|col| glyph(row, col)).collect::<String>());
        rows.collect::<Vec<_>>().join("/")
    });
    let known = ["##", "#/#", "##/#.", "#", "###", "#.#", "#/./#", "#./.#", "##/.#/.#", ".##/##.", "##/##", "####"];
    prop_oneof![
        2 => any_cells.prop_filter("a cell", |drawing| drawing.contains('#')),
        3 => select(known.map(String::from).to_vec()),
    ]
}

/// Pieces named from `first` on, without those that are another orientation of an earlier one.
fn named(first: char, drawings: Vec<(String, Option<usize>)>, rotate: bool, reflect: bool) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for (name, (drawing, supply)) in (first..).zip(drawings) {
        let ways = ways_to_lie(&drawing, rotate, reflect);
        if pieces.iter().all(|known| !ways.contains(&ways_to_lie(&known.drawing, rotate, reflect)[0])) {
            pieces.push(Piece { name, drawing, supply });
        }
    }
    pieces
}

fn games() -> impl Strategy<Value = Placement> {
    let supply = || prop_oneof![3 => Just(None), 1 => (1..=3_usize).prop_map(Some), 1 => Just(Some(15))];
    let list = move || vec((drawings(), supply()), 1..=4);
    // Left's pieces, mirrored for Right: a reflection of the board then exchanges the players.
    let right = prop_oneof![list().prop_map(Some), Just(None)];
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    (list(), right, flags).prop_map(|(left, right, (partizan, no_supply, rotate, reflect, misere))| {
        let unlimited = |list: Vec<(String, Option<usize>)>| -> Vec<_> {
            list.into_iter().map(|(drawing, supply)| (drawing, supply.filter(|_| !no_supply))).collect()
        };
        let left = unlimited(left);
        let right = right.map_or_else(|| left.iter().map(|(d, s)| (transposed(d), *s)).collect(), unlimited);
        let mut lists = vec![named('A', left, rotate, reflect)];
        if partizan {
            lists.push(named('P', right, rotate, reflect));
        }
        Placement::new(lists, rotate, reflect, misere)
    })
}

/// The drawing with rows and columns exchanged.
fn transposed(drawing: &str) -> String {
    let rows: Vec<Vec<char>> = drawing.split('/').map(|row| row.chars().collect()).collect();
    let row = |col: usize| rows.iter().map(|row| row[col]).collect::<String>();
    (0..rows[0].len()).map(row).collect::<Vec<_>>().join("/")
}

/// The used pieces: this share of each supply, in tenths, as far as the filled cells have room
/// for it.
fn used(game: &Placement, tenths: usize, filled: &[Vec<bool>]) -> Vec<char> {
    let mut room = filled.iter().flatten().filter(|&&filled| filled).count();
    let mut used = Vec::new();
    for piece in game.pieces.iter().flatten() {
        let cells = piece.drawing.matches('#').count();
        for _ in 0..piece.supply.unwrap_or(0) * tenths / 10 {
            if let Some(left) = room.checked_sub(cells) {
                room = left;
                used.push(piece.name);
            }
        }
    }
    used
}

/// A game and a state: small boards, more or less filled.
fn small_boards() -> impl Strategy<Value = (Placement, State)> {
    let board = (1..=5_usize, 1..=5_usize, vec(vec(0..10_u8, 5), 5), 0..6_u8);
    (games(), board, 0..2_usize, 0..=10_usize).prop_map(
        |(game, (rows, cols, cells, filled_of_ten), right_moves, used_tenths)| {
            let filled = |row: usize| (0..cols).map(|col| cells[row][col] < filled_of_ten).collect();
            let filled: Vec<_> = (0..rows).map(filled).collect();
            let used = used(&game, used_tenths, &filled);
            let state = State { filled, mover: if game.partizan() { right_moves } else { 0 }, used };
            (game, state)
        },
    )
}

const SIZES: &[(usize, usize)] = &[
    (8, 8),
    (7, 9),
    (5, 12),
    (4, 16),
    (2, 32),
    (1, 64),
    (64, 1),
    (3, 20),
    (9, 7),
    (5, 13),
    (3, 21),
    (11, 11),
    (8, 16),
    (1, 128),
];

/// A game and a state: boards of up to 128 cells that are free only in one corner or another
/// region.
fn large_boards() -> impl Strategy<Value = (Placement, State)> {
    let place = prop_oneof![Just((0, 0)), Just((127, 127)), (0..64_usize, 0..64_usize)];
    let free = (1..=4_usize, 2..=9_usize, vec(0..10_u8, 36));
    (games(), select(SIZES), place, free, 0..2_usize).prop_map(
        |(game, (rows, cols), place, (high, wide, cells), right_moves)| {
            // Tall boards have tall regions.
            let (high, wide) = if rows > cols { (wide, high) } else { (high, wide) };
            let (top, left) = (place.0.min(rows.saturating_sub(high)), place.1.min(cols.saturating_sub(wide)));
            let mut filled = vec![vec![true; cols]; rows];
            for row in top..rows.min(top + high) {
                for col in left..cols.min(left + wide) {
                    filled[row][col] = cells[(row - top) * wide.min(4) + (col - left) % 4] < 2;
                }
            }
            let mover = if game.partizan() { right_moves } else { 0 };
            (game, State { filled, mover, used: Vec::new() })
        },
    )
}

fn check((game, state): (Placement, State), plies: &[u16], max_nodes: u32, seed: u64) -> Result<(), TestCaseError> {
    let state = play_out(&game, state, plies);
    let (state, value) = play_until_small(&game, state, &[&[7], plies].concat(), max_nodes);
    // There are no draws: the player who cannot place has lost, or won in misère play.
    let odd_plies = value.1 % 2 == 1;
    prop_assert_eq!(value.0, if odd_plies != game.misere { 1 } else { -1 });
    let made = rules(&toml(&game))?.game_at(&game.text(&state));
    let made = made.map_err(|error| TestCaseError::fail(format!("{error:?}")))?;
    match (made.downcast_ref::<Fast>(), made.downcast_ref::<Fast<u128>>()) {
        (Some(fast), _) => check_all(fast, &game, &state, value, seed),
        (_, Some(fast)) => check_all(fast, &game, &state, value, seed),
        _ => Err(TestCaseError::fail(format!("{made:?}"))),
    }
}

/// Maximum number of nodes left in the games that are compared.
const MAX_NODES: &[u32] = &[300, 1_000, 4_000];

proptest! {
    #![proptest_config(cases(2500))]

    #[test]
    fn small_boards_agree(
        case in mostly_going_on(small_boards()),
        plies in vec(any::<u16>(), 0..4),
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
}

/// Endgames too large for the naive game, compared with a search by moves.
#[test]
fn endgames_agree_with_a_search() {
    struct Agrees;

    impl Task for Agrees {
        type Output = ();

        fn run<G: Notation>(self, game: &G) {
            let (watch, searched) = (Watch::default(), Without(Hook::Settle, game.clone()));
            let mut solver = AlphaBeta::new(game, 1 << 24, &watch);
            let mut search = AlphaBeta::new(&searched, 1 << 24, &watch);
            for mv in game.moves(&game.start()).step_by(7) {
                let after = game.play(&game.start(), mv);
                assert_eq!(solver.value(&after).unwrap(), search.value(&after).unwrap(), "{}", game.text(&after));
            }
        }
    }

    let pentominoes = || preset("pentominoes").unwrap().unwrap();
    for changes in [&["board=5x5"][..], &["board=4x6"], &["board=3x9"], &["board=4x6", "misere=true"]] {
        let rules = changes.iter().fold(pentominoes(), |rules, change| rules.with_change(change).unwrap());
        rules.game().unwrap().run(Agrees);
    }
}

/// The rules as plain examples, for the naive game itself.
#[test]
fn the_naive_game_follows_the_rules() {
    let piece = |drawing: &str| Piece { name: 'A', drawing: drawing.into(), supply: None };
    let value = |pieces: Vec<Vec<Piece>>, rotate, misere, text: &str| {
        let game = Placement::new(pieces, rotate, true, misere);
        naive::value(&game, &game.parse(text))
    };
    let (lying, upright) = (|| vec![piece("##")], || vec![piece("#/#")]);
    // Cram: the second player wins on 2x2 and 2x4, the first on 2x3.
    assert_eq!(value(vec![lying()], true, false, "../.."), (-1, 2));
    assert_eq!(value(vec![lying()], true, false, "..../....").0, -1);
    assert_eq!(value(vec![lying()], true, false, ".../...").0, 1);
    assert_eq!(value(vec![lying()], true, true, "../.."), (1, 2));
    // Domineering: a column gives moves to Left only, a square to whoever begins.
    assert_eq!(value(vec![upright(), lying()], false, false, "./. r"), (-1, 0));
    assert_eq!(value(vec![upright(), lying()], false, false, "./. l"), (1, 1));
    assert_eq!(value(vec![upright(), lying()], false, false, "../.. r"), (1, 1));
}

/// Creating a game without a rules file checks its rules, too.
#[test]
fn invalid_rules_are_refused() {
    use balpan_games::lines::{Lines, Marks};
    use balpan_games::placement::{Piece, Pieces, Placement, Position, Rules, Shape};
    use balpan_games::walkers::{Steps, Walkers};
    use balpan_games::{Board, GameError};

    let [small, wide] = [64, 128].map(|most| Board::with_max_cells(most, 8, most / 8).unwrap());
    let piece = |name: &str, supply| Piece { name: name.into(), shape: Shape::parse("##").unwrap(), supply };
    let rules = |pieces| Rules { pieces: Pieces::Shared(pieces), rotate: true, reflect: true, misere: false };
    let many = |count: usize, supply| rules((0..count).map(|n| piece(&n.to_string(), supply)).collect());
    let refused = |rules, board| Placement::<u64>::new(rules, board).map(|_| ()).unwrap_err();
    assert_eq!(refused(many(1, None), wide), GameError::TooManyCells { board: wide, most: 64 });
    assert_eq!(refused(many(65, None), small), GameError::TooManyPieces { pieces: 65, most: 64 });
    assert_eq!(refused(many(17, Some(1)), small), GameError::TooManyPieces { pieces: 17, most: 16 });
    assert_eq!(refused(many(1, Some(0)), small), GameError::Supply { supply: 0, most: 15 });
    assert_eq!(refused(many(2, Some(16)), small), GameError::Supply { supply: 16, most: 15 });
    assert!(Placement::<u128>::new(many(1, None), wide).is_ok());
    let game = Placement::<u64>::new(many(1, None), Board::new(2, 2).unwrap()).unwrap();
    let start = Position { filled: 1 << 5, used: 0, right_to_move: false };
    assert_eq!(game.with_start(start).map(|_| ()).unwrap_err(), GameError::NoStart);
    let steps = balpan_games::walkers::Rules { steps: Steps::King, share: false, torus: false };
    assert_eq!(
        Walkers::<u64>::new(steps, wide).map(|_| ()).unwrap_err(),
        GameError::TooManyCells { board: wide, most: 64 }
    );
    let lines = |k| balpan_games::lines::Rules { k, gravity: false, marks: Marks::Own, overlines: true, misere: false };
    assert_eq!(Lines::new(lines(0), small).map(|_| ()).unwrap_err(), GameError::NoLine);
    assert!(Lines::new(lines(200), small).is_ok());
}
