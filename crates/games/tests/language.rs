//! Games in the rules language: against the native families, published results and the laws of the library.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use balpan::laws;
use balpan::{AlphaBeta, Budget, Engine, Game, Goal, Method, Outcome, Solver, SplitMix, Watch};
use balpan_check::language::{End, Rules};
use balpan_games::language::{BoardGame, Move, Position};
use balpan_games::presets::{self, preset};
use balpan_games::{AnyGame, CellSet, FamilyGame, Lang, Notation, PlayerName, RulesFile};

fn language(text: &str) -> BoardGame {
    match RulesFile::parse("test", text) {
        Ok(rules) => rules.game().unwrap().downcast().unwrap(),
        Err(error) => panic!("{}: {error}", &text[error.span.clone()]),
    }
}

fn of_preset(name: &str, changes: &[&str]) -> AnyGame {
    let changes: Vec<_> = changes.iter().map(|change| (*change).to_owned()).collect();
    preset(name).unwrap().unwrap().with_changes(&changes).unwrap().game().unwrap()
}

fn board_preset(name: &str, changes: &[&str]) -> BoardGame {
    of_preset(name, changes).downcast().unwrap()
}

fn solve(game: &BoardGame, goal: Goal) -> balpan::Answer<balpan_games::language::Move> {
    let mut engine = Engine::new(game.clone(), Budget { memory: 1 << 28, threads: 1 });
    engine.solve(&game.start(), goal, &Watch::default(), |_| {}).unwrap()
}

/// The winner of a preset on a board, and the number of plies if that is asked for.
fn result(name: &str, changes: &[&str], goal: Goal) -> (Option<PlayerName>, Option<u32>) {
    let game = board_preset(name, changes);
    let answer = solve(&game, goal);
    let [mover, other] = game.players(&game.start());
    let winner = match answer.outcome().unwrap() {
        Outcome::Win => Some(mover),
        Outcome::Loss => Some(other),
        Outcome::Draw => None,
    };
    (winner, answer.verdict().unwrap().remoteness)
}

const LANGUAGE_PRESETS: [&str; 37] = [
    "hexapawn",
    "breakthrough",
    "hex",
    "y",
    "havannah",
    "clobber",
    "cannibal",
    "konane",
    "nogo",
    "amazons",
    "col",
    "snort",
    "nodekayles",
    "toads",
    "chomp",
    "othello",
    "dots",
    "kalah",
    "morris3",
    "morris6",
    "achi",
    "teeko",
    "quixo",
    "ponghauki",
    "mutorere",
    "shisima",
    "foxgeese",
    "harehounds",
    "checkers",
    "dobutsu",
    "catmouse",
    "wild",
    "numerical",
    "orderchaos",
    "treblecross",
    "vanish",
    "slimetrail",
];

#[test]
fn the_laws_hold_and_texts_are_read_back() {
    for name in LANGUAGE_PRESETS {
        let game = board_preset(name, &[]);
        if let Err(broken) = laws::check(&game, 8, 1) {
            panic!("{name}: {broken}");
        }
        let mut random = SplitMix(7);
        for position in random_positions(&game, 200, &mut random) {
            let text = game.text(&position);
            assert_eq!(game.parse(&text).unwrap(), position, "{name}: {text}");
            let mut texts: Vec<_> = game.moves(&position).map(|mv| game.move_text(&position, mv)).collect();
            texts.sort_unstable();
            assert!(texts.windows(2).all(|pair| pair[0] != pair[1]), "{name}: {text}: {texts:?}");
        }
    }
}

/// Dobutsu shogi in Rust, which the tests of `balpan` hold to a naive program.
#[allow(dead_code, reason = "the example prints what it counts")]
#[path = "../../balpan/examples/dobutsu.rs"]
mod dobutsu;

/// The preset with the end of the example, where a lion on the last row wins only while the other player, who cannot capture it, is
/// to move: one that could be captured and was not does not.
fn dobutsu_of_the_example() -> BoardGame {
    let text = presets::all().into_iter().find(|(name, _)| *name == "dobutsu").unwrap().1;
    let rule = "attacked\", \"l on top row, white to move\"";
    assert!(text.contains(rule));
    language(&text.replace(rule, "attacked, black to move\""))
}

/// Returns the position as the example has it: the player to move sees it from below.
fn dobutsu_position(text: &str) -> u64 {
    use dobutsu::{CELLS, CHICK, ELEPHANT, GIRAFFE, HEN, LION, OTHER};
    let mut words = text.split(' ');
    let board: Vec<char> = words.next().unwrap().chars().filter(|c| *c != '/').collect();
    let (mut is_black, mut hands) = (false, "");
    for word in words {
        match word.strip_prefix(':') {
            Some(found) => hands = found,
            None => is_black = word.starts_with('b'),
        }
    }
    let kind = |piece: char| match piece.to_ascii_lowercase() {
        'l' => LION,
        'h' => HEN,
        'c' => CHICK,
        'g' => GIRAFFE,
        _ => ELEPHANT,
    };
    let is_own = |piece: char| piece.is_ascii_uppercase() == is_black;
    let mut position = 0;
    for (n, piece) in board.into_iter().enumerate().filter(|(_, piece)| *piece != '.') {
        let (row, column) = (n / 3, n % 3);
        let cell = if is_black { 3 * row + 2 - column } else { 3 * (3 - row) + column };
        position |= (kind(piece) + if is_own(piece) { 0 } else { OTHER }) << (4 * cell);
    }
    for piece in hands.chars() {
        let hand = kind(piece) - CHICK + if is_own(piece) { 0 } else { 3 };
        position += 1 << (4 * u32::from(CELLS) + 2 * hand as u32);
    }
    position
}

#[test]
fn dobutsu_is_as_in_rust() {
    let (game, rust) = (dobutsu_of_the_example(), dobutsu::Dobutsu);
    let packed = |position: &Position| dobutsu_position(&game.text(position));
    assert_eq!(packed(&game.start()), rust.start());
    let (mut random, mut ends) = (SplitMix(78), 0);
    for _ in 0..100 {
        let mut position = game.start();
        for _ in 0..40 {
            let here = packed(&position);
            let after: HashSet<u64> = game.moves(&position).map(|mv| packed(&game.play(&position, mv))).collect();
            let by_rust: HashSet<u64> = rust.moves(&here).map(|mv| rust.play(&here, mv)).collect();
            assert_eq!(after, by_rust, "{}", game.text(&position));
            let moves: Vec<_> = game.moves(&position).collect();
            if moves.is_empty() {
                assert_eq!(game.end(&position), rust.end(&here), "{}", game.text(&position));
                ends += 1;
                break;
            }
            position = game.play(&position, moves[random.below(moves.len())]);
        }
    }
    assert!(ends > 50, "{ends}");
    // The positions after each number of plies, up to the exchange of players and the mirror image.
    let (mut seen, mut last) = (HashSet::from([game.canonical(&game.start())]), vec![game.start()]);
    let mut counts = vec![1];
    for _ in 0..6 {
        let after = last.iter().flat_map(|position| game.moves(position).map(|mv| game.play(position, mv)));
        last = after.map(|position| game.canonical(&position)).filter(|position| seen.insert(*position)).collect();
        counts.push(last.len());
    }
    assert_eq!(counts, dobutsu::count_positions(rust.start(), 6, true));
}

/// Rules are compiled once for a board: boards in turn, with and without all their cells, are played as by a file that is read for each.
#[test]
fn boards_in_turn_are_as_if_read_anew() {
    let starts = [("hexapawn", ["3x3", "4x4"]), ("hex", ["3x3", "3x4"]), ("checkers", ["4x4", "6x6"])];
    for (name, boards) in starts {
        let text = presets::all().into_iter().find(|(preset, _)| *preset == name).unwrap().1;
        let rules = RulesFile::parse(name, text).unwrap();
        let mut positions: Vec<String> =
            boards.iter().map(|board| rules.with_board(board).unwrap().game().unwrap().start_text()).collect();
        // The first cell is missing.
        positions.extend(positions.clone().iter().map(|text| format!("_{}", &text[1..])));
        for _ in 0..2 {
            for position in &positions {
                let fresh = RulesFile::parse(name, text).unwrap();
                let (kept, fresh) = (rules.game_at(position), fresh.game_at(position));
                match (kept, fresh) {
                    (Ok(kept), Ok(fresh)) => {
                        assert_eq!(kept.start_text(), *position);
                        assert_eq!(kept.moves(), fresh.moves(), "{name} {position}");
                    }
                    (kept, fresh) => assert_eq!(kept.unwrap_err(), fresh.unwrap_err(), "{name} {position}"),
                }
            }
        }
        assert_eq!(
            rules.game().unwrap().start_text(),
            RulesFile::parse(name, text).unwrap().game().unwrap().start_text()
        );
    }
}

/// Positions of random play, at most `count`.
fn random_positions<G: Game>(game: &G, count: usize, random: &mut SplitMix) -> Vec<G::Position> {
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut position = game.start();
        for _ in 0..60 {
            positions.push(position.clone());
            let moves: Vec<_> = game.moves(&position).collect();
            if moves.is_empty() {
                break;
            }
            position = game.play(&position, moves[random.below(moves.len())]);
        }
    }
    positions.truncate(count);
    positions
}

/// Checks that a game in the rules language has as many moves, and the same values, as a native one in random positions.
fn assert_same<N: Notation>(text: &str, native: &N) {
    let game = language(text);
    let budget = Budget { memory: 1 << 26, threads: 1 };
    let mut engines = (Engine::new(game.clone(), budget), Engine::new(native.clone(), budget));
    let watch = Watch::default();
    for position in random_positions(&game, 2_000, &mut SplitMix(3)) {
        let text = game.text(&position);
        let theirs = native.parse(&text).unwrap();
        assert_eq!(game.moves(&position).count(), native.moves(&theirs).count(), "{text}");
        let value = engines.0.solve(&position, Goal::Value, &watch, |_| {}).unwrap().verdict();
        assert_eq!(value, engines.1.solve(&theirs, Goal::Value, &watch, |_| {}).unwrap().verdict(), "{text}");
    }
}

#[test]
fn native_games_said_in_the_language_are_the_same() {
    use balpan_games::lines::Lines;
    use balpan_games::placement::Placement;
    use balpan_games::walkers::Walkers;

    let lines = |name: &str, changes: &[&str]| of_preset(name, changes).downcast::<Lines>().unwrap();
    let placement = |name: &str, changes: &[&str]| of_preset(name, changes).downcast::<Placement<u64>>().unwrap();
    let walkers = |name: &str, changes: &[&str]| of_preset(name, changes).downcast::<Walkers<u64>>().unwrap();
    let marks = |board: &str, k: u8, on: &str| {
        format!(
            "board = \"{board}\"\nstuck = \"draws\"\n[x]\npieces = \"X\"\nmoves = [\"place X on {on}\"]\n\
             wins = [\"{k} X in a row\"]\n[o]\npieces = \"O\"\nmirror = \"x\"\n"
        )
    };
    assert_same(&marks("3x3", 3, "empty"), &lines("tictactoe", &[]));
    assert_same(
        &marks("4x4", 4, "empty and not n of empty")
            .replace("mirror = \"x\"", "moves = [\"place O on empty and not n of empty\"]\nwins = [\"4 O in a row\"]"),
        &lines("connect4", &["board=4x4"]),
    );
    assert_same(
        "board = \"3x3\"\nstuck = \"wins\"\n[both]\npieces = \"X\"\nmoves = [\"place X on empty\"]\nloses = [\"3 X in a row\"]",
        &lines("notakto", &[]),
    );
    let upright = "place # on empty and n of empty, then s of here becomes #";
    let flat = "place # on empty and w of empty, then e of here becomes #";
    let both = |board: &str, moves: &[&str]| format!("board = \"{board}\"\n[both]\nmoves = {moves:?}");
    assert_same(&both("3x4", &[upright, flat]), &placement("cram", &["board=3x4"]));
    let corner = |one: &str, other: &str, place: &str| {
        format!("place # on empty and {one} of empty and {other} of empty, then {place} of here becomes #")
    };
    let corners = [corner("n", "w", "s e"), corner("n", "e", "s w"), corner("s", "w", "n e"), corner("s", "e", "n w")];
    let shapes: Vec<&str> = [upright, flat].into_iter().chain(corners.iter().map(String::as_str)).collect();
    assert_same(&both("3x4", &shapes), &placement("blockgame", &["board=3x4"]));
    let dominoes = format!("board = \"4x4\"\n[left]\nmoves = [{upright:?}]\n[right]\nmoves = [{flat:?}]");
    assert_same(&dominoes, &placement("domineering", &["board=4x4"]));
    let tokens = |start: &str, step: &str| {
        let of = |token: char| format!("pieces = \"{token}\"\nmoves = [\"{token} {step} onto empty, then leave #\"]\n");
        format!("start = \"{start}\"\n[a]\n{}[b]\n{}", of('A'), of('B'))
    };
    assert_same(
        &tokens("A..././..../...B".replace("././", "./").as_str(), "step queen"),
        &walkers("kings", &["board=3x4"]),
    );
    assert_same(
        &tokens("A..././..../..../...B".replace("././", "./").as_str(), "leap knight"),
        &walkers("joust", &["board=4x4"]),
    );
    let platforms = |token: char, other: char| {
        format!(
            "pieces = \"{token}\"\nmoves = [\"{token} step adjacent onto empty, then leave #\", \
             \"{token} step adjacent onto {other}, then here becomes *, then leave #\", \
             \"* step adjacent onto empty, then here becomes {token}, then leave !\"]\n"
        )
    };
    let text = format!("start = \".../A.B/...\"\n[a]\n{}[b]\n{}", platforms('A', 'B'), platforms('B', 'A'));
    assert_same(&text, &walkers("platforms", &["start=.../A.B/..."]));
}

#[test]
fn nim_as_rows_of_cells() {
    let game = language("board = \"3x4\"\n[both]\nmoves = [\"place # on empty, then e from here becomes #\"]");
    let mut engine = Engine::new(game.clone(), Budget { memory: 1 << 24, threads: 1 });
    for (text, nimber) in [("..##/...#/....", 2 ^ 3 ^ 4), ("...#/..##/.###", 0), ("####/.###/....", 5)] {
        let position = game.parse(text).unwrap();
        assert_eq!(engine.nimber(&position, &Watch::default()).unwrap(), nimber, "{text}");
    }
}

/// Checks that a game's moves lead to the same positions as those of a naive program, which goes from text to texts.
fn assert_naive(game: &BoardGame, count: usize, naive: impl Fn(&str) -> Vec<String>) {
    for position in random_positions(game, count, &mut SplitMix(9)) {
        let text = game.text(&position);
        let mut ours: Vec<_> = game.moves(&position).map(|mv| game.text(&game.play(&position, mv))).collect();
        let mut theirs = naive(&text);
        ours.sort();
        theirs.sort();
        assert_eq!(ours, theirs, "{text}");
    }
}

/// Returns the rows of a position's text, as characters, and its words.
fn rows_of(text: &str) -> (Vec<Vec<char>>, Vec<&str>) {
    let mut words = text.split(' ');
    (words.next().unwrap().split('/').map(|row| row.chars().collect()).collect(), words.collect())
}

fn text_of(rows: &[Vec<char>]) -> String {
    rows.iter().map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join("/")
}

#[test]
fn checkers_is_as_a_naive_program_plays_it() {
    type Rows = Vec<Vec<char>>;
    /// The captures of a piece, or its steps, and the positions after them: where it is then, and whether it has become a king.
    fn moves(rows: &Rows, row: i32, col: i32, captures: bool) -> Vec<(Rows, i32, i32, bool)> {
        let at = |rows: &Rows, row: i32, col: i32| rows.get(row as usize).and_then(|r| r.get(col as usize)).copied();
        let piece = at(rows, row, col).unwrap();
        let last = rows.len() as i32 - 1;
        let mut found = Vec::new();
        for (down, right) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
            if piece == 'b' && down < 0 || piece == 'w' && down > 0 {
                continue;
            }
            let far = if captures { 2 } else { 1 };
            let (to_row, to_col) = (row + far * down, col + far * right);
            let is_enemy = |other: char| other != '.' && !other.eq_ignore_ascii_case(&piece);
            if at(rows, to_row, to_col) == Some('.')
                && (!captures || at(rows, row + down, col + right).is_some_and(is_enemy))
            {
                let mut after = rows.clone();
                after[row as usize][col as usize] = '.';
                if captures {
                    after[(row + down) as usize][(col + right) as usize] = '.';
                }
                let crowned = piece == 'b' && to_row == last || piece == 'w' && to_row == 0;
                after[to_row as usize][to_col as usize] = if crowned { piece.to_ascii_uppercase() } else { piece };
                found.push((after, to_row, to_col, crowned));
            }
        }
        found
    }
    let naive = |text: &str| {
        let (rows, words) = rows_of(text);
        let me = if words.contains(&"w") { 'w' } else { 'b' };
        let going = words.iter().find_map(|word| word.strip_prefix('>'));
        let cells = (0..rows.len()).flat_map(|row| (0..rows[0].len()).map(move |col| (row, col)));
        let mine: Vec<_> = cells
            .filter(|(row, col)| rows[*row][*col].eq_ignore_ascii_case(&me))
            .filter(|(row, col)| going.is_none_or(|going| going == format!("{row},{col}")))
            .collect();
        let all = |captures: bool| {
            let of = |(row, col): &(usize, usize)| moves(&rows, *row as i32, *col as i32, captures);
            mine.iter().flat_map(of).collect::<Vec<_>>()
        };
        let captures = all(true);
        let is_capture = !captures.is_empty();
        let found = if is_capture || going.is_some() { captures } else { all(false) };
        let after = |(after, row, col, crowned): (Rows, i32, i32, bool)| {
            if is_capture && !crowned && !moves(&after, row, col, true).is_empty() {
                return format!("{}{} >{row},{col}", text_of(&after), if me == 'w' { " w" } else { "" });
            }
            text_of(&after) + if me == 'w' { "" } else { " w" }
        };
        found.into_iter().map(after).collect()
    };
    assert_naive(&board_preset("checkers", &[]), 2_000, naive);
    let start = "start=.b.b.b/b.b.b./....../....../.w.w.w/w.w.w.";
    assert_naive(&board_preset("checkers", &[start]), 6_000, naive);
    // A capture goes on, also where another one could begin, and ends with a king.
    let game = board_preset("checkers", &["start=....../.b.b../..w.../....../..w.../......"]);
    let first: Vec<_> = game.moves(&game.start()).map(|mv| game.text(&game.play(&game.start(), mv))).collect();
    assert_eq!(
        first,
        ["....../...b../....../...b../..w.../...... >3,3", "....../.b..../....../.b..../..w.../...... >3,1"]
    );
}

#[test]
fn six_mens_morris_is_as_a_naive_program_plays_it() {
    let rings: Vec<Vec<(usize, usize)>> = [(0, 2), (1, 1)]
        .iter()
        .map(|&(at, by)| {
            let [a, b, c] = [at, at + by, at + 2 * by];
            vec![(a, a), (a, b), (a, c), (b, c), (c, c), (c, b), (c, a), (b, a)]
        })
        .collect();
    let mills: Vec<[(usize, usize); 3]> = rings
        .iter()
        .flat_map(|ring| (0..4).map(|side| [ring[2 * side], ring[2 * side + 1], ring[(2 * side + 2) % 8]]))
        .collect();
    let is_joined = |one: (usize, usize), other: (usize, usize)| {
        let at = |cell| rings.iter().enumerate().find_map(|(n, ring)| Some((n, ring.iter().position(|c| *c == cell)?)));
        let ((ring, n), (other_ring, m)) = (at(one).unwrap(), at(other).unwrap());
        if ring == other_ring { (n + 1) % 8 == m || (m + 1) % 8 == n } else { n == m && n % 2 == 1 }
    };
    let naive = |text: &str| {
        let (rows, words) = rows_of(text);
        let (me, other) = if words.contains(&"b") { ('b', 'w') } else { ('w', 'b') };
        let hand: Vec<char> = words.iter().find_map(|word| word.strip_prefix(':')).unwrap_or("").chars().collect();
        let in_hand = |who: char| hand.iter().filter(|piece| **piece == who).count();
        let with = |rows: &[Vec<char>], who| {
            let cells = (0..5).flat_map(|row| (0..5).map(move |col| (row, col)));
            cells.filter(|(row, col)| rows[*row][*col] == who).collect::<Vec<(usize, usize)>>()
        };
        let in_mill = |rows: &[Vec<char>], cell, who| {
            mills.iter().any(|mill| mill.contains(&cell) && mill.iter().all(|(row, col)| rows[*row][*col] == who))
        };
        if in_hand(me) == 0 && with(&rows, me).len() < 3 || in_hand(other) == 0 && with(&rows, other).len() < 3 {
            return Vec::new();
        }
        let mut moved = Vec::new();
        for to in with(&rows, '.') {
            let from = if in_hand(me) > 0 { vec![None] } else { with(&rows, me).into_iter().map(Some).collect() };
            for from in from.into_iter().filter(|from| from.is_none_or(|from| is_joined(from, to))) {
                let mut after = rows.clone();
                from.iter().for_each(|(row, col)| after[*row][*col] = '.');
                after[to.0][to.1] = me;
                moved.push((after, to));
            }
        }
        let left = |who| in_hand(who) - usize::from(who == me && in_hand(me) > 0);
        let hand = ["w".repeat(left('w')), "b".repeat(left('b'))].concat();
        let words = [if me == 'w' { " b" } else { "" }, if hand.is_empty() { "" } else { " :" }, &hand].concat();
        let mut found = Vec::new();
        for (after, to) in moved {
            if !in_mill(&after, to, me) {
                found.push(text_of(&after) + &words);
                continue;
            }
            let enemies = with(&after, other);
            let free: Vec<_> = enemies.iter().filter(|cell| !in_mill(&after, **cell, other)).copied().collect();
            for (row, col) in if free.is_empty() { enemies } else { free } {
                let mut taken = after.clone();
                taken[row][col] = '.';
                found.push(text_of(&taken) + &words);
            }
        }
        found
    };
    assert_naive(&board_preset("morris6", &[]), 6_000, naive);
}

/// The moves of Quixo, from a position to positions for the other player: X's cubes are 1, O's 2.
fn quixo_moves(cells: &[u8], n: usize, me: u8) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for line in 0..n {
        for by_row in [true, false] {
            let at = |k: usize| if by_row { line * n + k } else { k * n + line };
            for k in
                (0..n).filter(|k| (*k == 0 || *k == n - 1 || line == 0 || line == n - 1) && cells[at(*k)] != 3 - me)
            {
                for to in [0, n - 1].into_iter().filter(|to| *to != k) {
                    let mut of_line: Vec<u8> = (0..n).map(|k| cells[at(k)]).collect();
                    of_line.remove(k);
                    of_line.insert(to, me);
                    let mut after = cells.to_vec();
                    (0..n).for_each(|k| after[at(k)] = of_line[k]);
                    found.push(after);
                }
            }
        }
    }
    found
}

#[test]
fn quixo_is_as_a_naive_program_plays_and_solves_it() {
    fn has_line(cells: &[u8], n: usize, who: u8) -> bool {
        let all = |from: usize, by: usize| (0..n).all(|k| cells[from + k * by] == who);
        (0..n).any(|k| all(k * n, 1) || all(k, n)) || all(0, n + 1) || all(n - 1, n - 1)
    }
    let naive = |n: usize| {
        move |text: &str| {
            let (rows, words) = rows_of(text);
            let me = if words.contains(&"o") { 2 } else { 1 };
            let cells: Vec<u8> = rows
                .concat()
                .iter()
                .map(|glyph| ['.', 'x', 'o'].iter().position(|g| g == glyph).unwrap() as u8)
                .collect();
            if has_line(&cells, n, 1) || has_line(&cells, n, 2) {
                return Vec::new();
            }
            let write = |cells: Vec<u8>| {
                let rows: Vec<_> =
                    cells.chunks(n).map(|row| row.iter().map(|c| ['.', 'x', 'o'][usize::from(*c)]).collect()).collect();
                text_of(&rows) + if me == 1 { " o" } else { "" }
            };
            // Several ways to the same position are as many moves.
            quixo_moves(&cells, n, me).into_iter().map(write).collect()
        }
    };
    assert_naive(&board_preset("quixo", &[]), 2_000, naive(3));
    assert_naive(&language(include_str!("data/language/quixo4.toml")), 1_000, naive(4));
    // By value iteration from the ends, seen by the player to move, whose cubes are 1.
    let position = |mut code: usize| -> Vec<u8> {
        let digit = |_| {
            let digit = (code % 3) as u8;
            code /= 3;
            digit
        };
        (0..9).map(digit).collect()
    };
    let code = |cells: &[u8]| cells.iter().rev().fold(0, |code, cell| 3 * code + usize::from(*cell));
    let turned = |cells: Vec<u8>| -> Vec<u8> { cells.into_iter().map(|cell| [0, 2, 1][usize::from(cell)]).collect() };
    let all: Vec<Vec<u8>> = (0..19_683).map(position).collect();
    // The other player has just moved, and loses with a line of the enemy.
    let mut values: Vec<Option<bool>> = all
        .iter()
        .map(|cells| if has_line(cells, 3, 1) { Some(true) } else { has_line(cells, 3, 2).then_some(false) })
        .collect();
    let mut plies = Vec::new();
    loop {
        let before = values.clone();
        for (cells, value) in all.iter().zip(&mut values).filter(|(_, value)| value.is_none()) {
            let after: Vec<_> =
                quixo_moves(cells, 3, 1).into_iter().map(|after| before[code(&turned(after))]).collect();
            if after.contains(&Some(false)) {
                *value = Some(true);
            } else if after.iter().all(|value| *value == Some(true)) {
                *value = Some(false);
            }
        }
        if values == before {
            break;
        }
        plies.push(values[0].is_none());
    }
    let plies = plies.iter().filter(|is_open| **is_open).count() as u32 + 1;
    assert_eq!((result("quixo", &[], Goal::Value), values[0]), ((Some(PlayerName::X), Some(plies)), Some(true)));
    let game = board_preset("quixo", &[]);
    let mut engine = Engine::new(game.clone(), Budget { memory: 1 << 26, threads: 1 });
    for position in
        random_positions(&game, 300, &mut SplitMix(4)).into_iter().filter(|position| !game.is_over(position))
    {
        let text = game.text(&position);
        let (rows, words) = rows_of(&text);
        let glyphs = if words.contains(&"o") { ['.', 'o', 'x'] } else { ['.', 'x', 'o'] };
        let cells: Vec<u8> =
            rows.concat().iter().map(|g| glyphs.iter().position(|other| other == g).unwrap() as u8).collect();
        let outcome = engine.solve(&position, Goal::Winner, &Watch::default(), |_| {}).unwrap().outcome().unwrap();
        let expected = match values[code(&cells)] {
            Some(true) => Outcome::Win,
            Some(false) => Outcome::Loss,
            None => Outcome::Draw,
        };
        assert_eq!(outcome, expected, "{text}");
    }
}

/// Kalah: the pits of the player to move and the store, then the other player's, in the order in which they are sown.
type Kalah = Vec<u32>;

/// The moves of Kalah: the position after each, and whether the turn stays, seen by the same player.
fn kalah_moves(now: &Kalah) -> Vec<(Kalah, bool)> {
    let pits = now.len() / 2 - 1;
    let sow = |from: usize| {
        let (mut after, mut at) = (now.clone(), from);
        for _ in 0..std::mem::take(&mut after[from]) {
            at = (at + 1) % (2 * pits + 1);
            after[at] += 1;
        }
        if at < pits && after[at] == 1 {
            after[pits] += 1 + std::mem::take(&mut after[2 * pits - at]);
            after[at] = 0;
        }
        (after, at == pits)
    };
    (0..pits).filter(|from| now[*from] > 0).map(sow).collect()
}

/// The difference of the seeds that the player to move and the other player get in the end.
fn kalah_score(now: &Kalah) -> i32 {
    let half = now.len() / 2;
    let of = |(after, again): (Kalah, bool)| {
        if again { kalah_score(&after) } else { -kalah_score(&[&after[half..], &after[..half]].concat()) }
    };
    let total = |seeds: &[u32]| seeds.iter().sum::<u32>() as i32;
    kalah_moves(now).into_iter().map(of).max().unwrap_or(total(&now[..half]) - total(&now[half..]))
}

#[test]
fn kalah_is_as_a_naive_program_plays_and_solves_it() {
    let number = |glyph: char| glyph.to_digit(16).unwrap_or(0);
    let read = |text: &str| -> (Kalah, bool) {
        let (rows, words) = rows_of(text);
        let white = rows[1][1..].iter();
        let black = rows[0][..rows[0].len() - 1].iter().rev();
        let both = [white.map(|g| number(*g)).collect::<Vec<_>>(), black.map(|g| number(*g)).collect()];
        let second = words.contains(&"b");
        (if second { [&both[1][..], &both[0]] } else { [&both[0][..], &both[1]] }.concat(), second)
    };
    let write = |now: &Kalah, second: bool| {
        let half = now.len() / 2;
        let (white, black) = if second { (&now[half..], &now[..half]) } else { (&now[..half], &now[half..]) };
        let glyph = |n: &u32| if *n == 0 { '.' } else { char::from_digit(*n, 16).unwrap() };
        let row = |seeds: &[u32]| seeds.iter().map(glyph).collect::<String>();
        row(black).chars().rev().collect::<String>() + "_/_" + &row(white)
    };
    let naive = |text: &str| {
        let (now, second) = read(text);
        let after = |(after, again): (Kalah, bool)| write(&after, second) + if again == second { " b" } else { "" };
        kalah_moves(&now).into_iter().map(after).collect()
    };
    let text = preset("kalah").unwrap().unwrap().text;
    let three = text
        .replace("2x4", "2x5")
        .replace("0,3 or 1,0\"", "0,4 or 1,0\"")
        .replace("3 on 0,1 or 0,2 or 1,1 or 1,2", "2 on top row and not 0,0 or bottom row and not 1,4")
        .replace("\"1,1 1,2\"", "\"1,1 1,2 1,3\"")
        .replace("store = \"1,3\"", "store = \"1,4\"")
        .replace("1,1 1,2 1,3 0,2 0,1", "1,1 1,2 1,3 1,4 0,3 0,2 0,1");
    for (text, seeds) in
        [(text.replace("\"3 on", "\"1 on"), 1), (text.replace("\"3 on", "\"2 on"), 2), (text, 3), (three, 2)]
    {
        let game = language(&text);
        assert!(!game.may_repeat(), "seeds go on to the stores");
        assert_naive(&game, 2_000, naive);
        let score = solve(&game, Goal::Value).verdict().unwrap().score;
        let expected = kalah_score(&read(&game.text(&game.start())).0);
        assert_eq!(score.unwrap_or(0), expected, "{seeds} seeds\n{text}");
    }
}

/// Returns whether stones make a bridge, a fork or a ring on the board of Havannah whose cells have these three coordinates, which
/// add up to 0: each is at most 2 from the middle, and as far in a corner for two of them.
fn has_won_havannah(stones: &[[i32; 3]]) -> bool {
    let distance = |a: &[i32; 3], b: &[i32; 3]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).max().unwrap();
    // Two cells are connected if one follows the other in steps of distance 1.
    let mut groups: Vec<Vec<[i32; 3]>> = Vec::new();
    for stone in stones {
        let (joined, apart): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|group| group.iter().any(|other| distance(stone, other) == 1));
        groups = apart;
        groups.push(joined.concat().into_iter().chain([*stone]).collect());
    }
    let ends = |cell: &[i32; 3]| {
        (0..3).flat_map(|at| [-2, 2].map(|end| (at, end))).filter(|(at, end)| cell[*at] == *end).collect()
    };
    let links = |group: &Vec<[i32; 3]>| {
        let sides: Vec<Vec<_>> = group.iter().map(ends).collect();
        let corners = sides.iter().filter(|sides| sides.len() == 2).count();
        let forks: HashSet<_> = sides.iter().filter(|sides| sides.len() == 1).flatten().collect();
        corners >= 2 || forks.len() >= 3
    };
    let cells = |most: i32| {
        let all = (-most..=most).flat_map(move |a| (-most..=most).map(move |b| [a, b, -a - b]));
        all.filter(move |cell| cell[2].abs() <= most)
    };
    // A ring goes around a set of inner cells: all cells beside one of them belong to the set or have a stone.
    let inner: Vec<_> = cells(1).collect();
    let is_ring = |set: u32| {
        let around: Vec<_> = (0..inner.len()).filter(|n| set >> n & 1 == 1).map(|n| inner[n]).collect();
        let beside = |cell: &[i32; 3]| !around.contains(cell) && around.iter().any(|other| distance(cell, other) == 1);
        cells(2).filter(|cell| beside(cell)).all(|cell| stones.contains(&cell))
    };
    groups.iter().any(links) || (1..1 << inner.len()).any(is_ring)
}

#[test]
fn havannah_is_as_a_naive_program_plays_and_solves_it() {
    type Rows = Vec<Vec<char>>;

    fn winner(rows: &Rows) -> Option<char> {
        let of = |stone: char| -> Vec<[i32; 3]> {
            let cells = (0..25).map(|cell| (cell / 5, cell % 5)).filter(|(row, col)| rows[*row][*col] == stone);
            cells.map(|(row, col)| (row as i32 - 2, col as i32 - 2)).map(|(a, b)| [a, b, -a - b]).collect()
        };
        ['w', 'b'].into_iter().find(|stone| has_won_havannah(&of(*stone)))
    }

    fn after(rows: &Rows, mover: char) -> Vec<Rows> {
        if winner(rows).is_some() {
            return Vec::new();
        }
        let free = (0..25).filter(|cell| rows[cell / 5][cell % 5] == '.');
        let placed = |cell: usize| {
            let mut rows = rows.clone();
            rows[cell / 5][cell % 5] = mover;
            rows
        };
        free.map(placed).collect()
    }

    fn outcome(rows: &Rows, mover: char, memo: &mut HashMap<Rows, Outcome>) -> Outcome {
        if let Some(known) = memo.get(rows) {
            return *known;
        }
        let other = if mover == 'w' { 'b' } else { 'w' };
        let found = match winner(rows) {
            Some(winner) if winner == mover => Outcome::Win,
            Some(_) => Outcome::Loss,
            None => after(rows, mover)
                .iter()
                .map(|rows| outcome(rows, other, memo).reversed())
                .max()
                .unwrap_or(Outcome::Draw),
        };
        memo.insert(rows.clone(), found);
        found
    }

    let game = board_preset("havannah", &[]);
    let mover = |words: &[&str]| if words.contains(&"b") { 'b' } else { 'w' };
    assert_naive(&game, 2_000, |text| {
        let (rows, words) = rows_of(text);
        let mover = mover(&words);
        let words = if mover == 'w' { " b" } else { "" };
        after(&rows, mover).iter().map(|rows| text_of(rows) + words).collect()
    });
    let mut engine = Engine::new(game.clone(), Budget { memory: 1 << 24, threads: 1 });
    let (mut memo, mut seen) = ([HashMap::new(), HashMap::new()], [0; 3]);
    for position in random_positions(&game, 3_000, &mut SplitMix(5)) {
        let text = game.text(&position);
        let (rows, words) = rows_of(&text);
        if rows.iter().flatten().filter(|glyph| **glyph == '.').count() <= 8 {
            let mover = mover(&words);
            let expected = outcome(&rows, mover, &mut memo[usize::from(mover == 'b')]);
            assert_eq!(engine.outcome(&position).unwrap(), expected, "{text}");
            seen[expected as usize] += 1;
        }
    }
    assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
    assert_eq!(solve(&game, Goal::Winner).outcome(), Some(Outcome::Win));
}

#[test]
fn numerical_tic_tac_toe_is_as_a_naive_program_plays_it() {
    const LINES: [[usize; 3]; 8] =
        [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
    let naive = |text: &str| {
        let (rows, words) = rows_of(text);
        let cells = rows.concat();
        let number = |cell: &usize| cells[*cell].to_digit(10);
        let total = |line: &[usize; 3]| line.iter().map(number).sum::<Option<u32>>();
        if LINES.iter().any(|line| total(line) == Some(15)) {
            return Vec::new();
        }
        let odd = !words.contains(&"b");
        let hand: Vec<char> = words.iter().find_map(|word| word.strip_prefix(':')).unwrap_or("").chars().collect();
        let mut found = Vec::new();
        for piece in hand.iter().filter(|piece| (piece.to_digit(10).unwrap() % 2 == 1) == odd) {
            for cell in (0..9).filter(|cell| cells[*cell] == '.') {
                let mut after = rows.clone();
                after[cell / 3][cell % 3] = *piece;
                let rest: String = hand.iter().filter(|other| *other != piece).collect();
                let words = [if odd { " b" } else { "" }, if rest.is_empty() { "" } else { " :" }, &rest].concat();
                found.push(text_of(&after) + &words);
            }
        }
        found
    };
    assert_naive(&board_preset("numerical", &[]), 2_000, naive);
}

#[test]
fn published_results() {
    use PlayerName::{Black, First, Second, White};

    let who = |name: &str, changes: &[&str]| result(name, changes, Goal::Winner).0;
    // Gardner, 1962.
    assert_eq!(who("hexapawn", &[]), Some(Black));
    // Hex and Y: the first player wins, by Nash's argument of strategy stealing.
    assert_eq!(who("hex", &["board=3x3"]), Some(White));
    assert_eq!(who("hex", &["board=2x2"]), Some(White));
    assert_eq!(who("y", &[]), Some(White));
    // Hex: the acute corner a1 and b1 beside it lose as first moves on every board (A. Beck, M. Bleicher, D. Crowe, Excursions into
    // Mathematics, 1969; hexwiki.net, Open problems); the middle of 3x3 wins.
    for (start, winner) in [("w../.../... b", Black), (".w./.../... b", Black), (".../.w./... b", White)] {
        assert_eq!(who("hex", &[&format!("start={start}")]), Some(winner), "{start}");
    }
    for start in ["w.../..../..../.... b", ".w../..../..../.... b"] {
        assert_eq!(who("hex", &[&format!("start={start}")]), Some(Black), "{start}");
    }
    // Chomp: so does the first player, on any board but 1x1.
    assert_eq!(who("chomp", &[]), Some(First));
    assert_eq!(who("chomp", &["board=1x1"]), Some(Second));
    // Winning Ways: octal 0.137 is Node Kayles on a path: nimbers of 1, 2, ...
    for (n, nimber) in [1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3, 3, 0].into_iter().enumerate() {
        let game = board_preset("nodekayles", &[&format!("board=1x{}", n + 1)]);
        let mut engine = Engine::new(game.clone(), Budget { memory: 1 << 24, threads: 1 });
        assert_eq!(engine.nimber(&game.start(), &Watch::default()).unwrap(), nimber, "{}", n + 1);
    }
    // Numerical tic-tac-toe: the first player wins with 1 in the middle of the top row (Markowsky, 1990).
    assert_eq!(who("numerical", &[]), Some(PlayerName::A));
    let game = board_preset("numerical", &["start=.1./.../... b :35792468"]);
    assert_eq!(solve(&game, Goal::Winner).outcome(), Some(Outcome::Loss));
    // Othello on 4x4: White, who moves second, wins by 8 (J. Feinstein).
    let othello = board_preset("othello", &[]);
    assert_eq!(solve(&othello, Goal::Value).verdict().unwrap().score, Some(-8));
}

/// Where play ends because a player cannot move, moves that leave the other player few are searched first.
#[test]
fn few_replies_come_first() {
    for (name, board, positions) in [("snort", "5x5", 8_920), ("clobber", "4x5", 55_220), ("col", "3x7", 49_641)] {
        let game = board_preset(name, &[&format!("board={board}")]);
        let engine = Engine::new(game.clone(), Budget { memory: 1 << 28, threads: 1 });
        let mut engine = engine.with_method(Method::AlphaBeta);
        let answer = engine.solve(&game.start(), Goal::Winner, &Watch::default(), |_| {}).unwrap();
        assert_eq!(answer.positions, positions, "{name} {board}");
    }
}

/// Who wins is searched by sums of parts.
#[test]
fn sums_take_fewer_positions() {
    for (name, board, positions) in [("snort", "5x5", 2_094), ("clobber", "4x5", 14_103), ("col", "3x7", 5_407)] {
        let game = board_preset(name, &[&format!("board={board}")]);
        assert_eq!(solve(&game, Goal::Winner).positions, positions, "{name} {board}");
    }
}

/// Amazons with four amazons each: published tables disagree about boards of 4x5 (`docs/results.md`).
#[test]
#[ignore = "takes a minute"]
fn amazons_of_which_published_tables_disagree() {
    for (rows, first_wins) in [(".b.b./b...b/w...w/.w.w.", true), (".bb./b..b/..../w..w/.ww.", false)] {
        let game = board_preset("amazons", &[&format!("start={rows}")]);
        assert_eq!(solve(&game, Goal::Winner).outcome() == Some(Outcome::Win), first_wins, "{rows}");
    }
}

/// Checks that the checker's interpreter finds the same moves, positions after them and ends.
fn assert_interpreted<W: CellSet>(name: &str, game: &BoardGame<W>, count: usize, random: &mut SplitMix) {
    let head = game.checked().unwrap().checker_rules();
    let (_, lines) = head.split_once('\n').unwrap();
    let rules = Rules::new(lines, &game.text(&game.start())).unwrap_or_else(|error| panic!("{name}: {error}\n{head}"));
    for position in random_positions(game, count, random) {
        let text = game.text(&position);
        let end_of = |position: &Position<W>| {
            game.is_over(position).then(|| match (game.score(position), game.end(position)) {
                (Some(score), _) => End::Score(score),
                (None, Outcome::Win) => End::Win,
                (None, Outcome::Loss) => End::Loss,
                (None, Outcome::Draw) => End::Score(0),
            })
        };
        let normalize = |text: &str| rules.normalize(text).unwrap_or_else(|error| panic!("{name}: {text}: {error}"));
        let ours = |mv: Move| {
            let after = game.play(&position, mv);
            let keeps_turn = game.keeps_turn(&position, mv, &after);
            // How play has ended is compared at that position.
            (game.move_text(&position, mv), normalize(&game.text(&after)), keeps_turn)
        };
        let mut ours: Vec<_> = game.moves(&position).map(ours).collect();
        let theirs = rules.moves(&text).unwrap().into_iter();
        let mut theirs: Vec<_> = theirs.map(|play| (play.text, play.after, play.keeps_turn)).collect();
        ours.sort();
        theirs.sort();
        // Two results of one text may change places.
        let plain = |moves: &[(String, String, bool)]| {
            let of = |(text, after, kept): &(String, String, bool)| {
                (text.trim_end_matches('\'').to_owned(), after.clone(), *kept)
            };
            let mut plain: Vec<_> = moves.iter().map(of).collect();
            plain.sort();
            plain
        };
        assert_eq!(plain(&ours), plain(&theirs), "{name}: {text}\n{head}");
        if game.parse(&text).unwrap() == position {
            assert_eq!(end_of(&position), rules.end(&text).unwrap(), "{name}: {text}\n{head}");
        }
    }
}

#[test]
fn the_checkers_interpreter_plays_the_same_games() {
    for name in LANGUAGE_PRESETS {
        assert_interpreted(name, &board_preset(name, &[]), 400, &mut SplitMix(11));
    }
}

/// Boards of more than 64 cells.
#[test]
fn the_checkers_interpreter_plays_the_same_games_on_large_boards() {
    let boards = [
        ("hex", "board=9x9"),
        ("breakthrough", "board=10x8"),
        ("clobber", "board=9x9"),
        ("konane", "board=8x10"),
        ("nogo", "board=9x9"),
        ("amazons", "start=..b...b../b.......b/........./........./........./........./........./w.......w/..w...w.."),
        ("othello", "board=10x10"),
        ("nodekayles", "board=11x11"),
        ("toads", "board=1x128"),
        ("checkers", "board=8x10"),
        ("orderchaos", "board=8x9"),
    ];
    let mut random = SplitMix(12);
    for (name, change) in boards {
        let game: BoardGame<u128> = of_preset(name, &[change]).downcast().unwrap();
        assert_interpreted(name, &game, 60, &mut random);
        if let Err(broken) = laws::check(&game, 2, 1) {
            panic!("{name} {change}: {broken}");
        }
    }
    // One move of 33 and of 63 hops.
    for stones in [33, 63] {
        let row = format!("w{}.", "b.".repeat(stones));
        let text = format!(
            "start = {row:?}\n[white]\npieces = \"w\"\nmoves = [\"w hop e over enemy onto empty, capturing, repeatedly, if no b\"]\n\
             [black]\npieces = \"b\"\nmoves = [\"b step n onto empty\"]\n"
        );
        let game: BoardGame<u128> = RulesFile::parse("hops", &text).unwrap().game().unwrap().downcast().unwrap();
        assert_eq!(game.moves(&game.start()).count(), 1);
        assert_interpreted("hops", &game, 2, &mut random);
    }
    // Misère sums sort by keys, which positions of so many cells do not have.
    let misere: BoardGame<u128> = of_preset("nodekayles", &["board=8x16", "stuck=wins"]).downcast().unwrap();
    let mut position = misere.start();
    while misere.moves(&position).count() > 12 {
        let mv = misere.moves(&position).next().unwrap();
        position = misere.play(&position, mv);
    }
    let mut engine = Engine::new(misere.clone(), Budget { memory: 1 << 26, threads: 1 });
    let value = engine.misere_value(&position, &Watch::default()).unwrap();
    let plain = AlphaBeta::new(&misere, 1 << 20, &Watch::default()).outcome(&position).unwrap();
    assert_eq!(value == 0, plain == Outcome::Loss);
    let (mut legal, sizes) = (0, [(9, 8), (1, 100), (11, 11), (16, 8), (2, 40)]);
    while legal < 60 {
        let (rows, cols) = sizes[random.below(sizes.len())];
        let text = Author(&mut random).file_on(rows, cols);
        let Ok(rules) = RulesFile::parse("random", &text) else { continue };
        let game: BoardGame<u128> = rules.game().unwrap().downcast().unwrap();
        // The checker has room for fewer kinds of pieces on such boards.
        let head = game.checked().unwrap().checker_rules();
        let read = Rules::new(head.split_once('\n').unwrap().1, &game.text(&game.start()));
        if read.as_ref().is_err_and(|error| error.to_string().contains("kinds of pieces")) {
            continue;
        }
        legal += 1;
        assert_interpreted(&text, &game, 8, &mut random);
        if let Err(broken) = laws::check(&game, 1, 1) {
            panic!("{broken}\n{text}");
        }
    }
}

/// Makes random files of the language. Many of them are refused.
struct Author<'r>(&'r mut SplitMix);

impl Author<'_> {
    fn one(&mut self, of: &[&str]) -> String {
        of[self.0.below(of.len())].to_owned()
    }

    fn chance(&mut self, of: usize) -> bool {
        self.0.below(of) == 0
    }

    fn directions(&mut self) -> String {
        self.one(&["n", "ne nw", "adjacent", "queen", "diagonal", "e w", "s", "n sw"])
    }

    fn region(&mut self) -> String {
        self.one(&[
            "top row",
            "bottom row",
            "left column",
            "edge",
            "corner",
            "even cells",
            "odd rows",
            "0,0",
            "home",
            "right 2 columns",
        ])
    }

    fn set(&mut self, depth: usize) -> String {
        if depth == 0 || self.chance(2) {
            return match self.0.below(3) {
                0 => self.region(),
                _ => self.one(&["empty", "own", "enemy", "w", "b", "k", "s", "#", "all"]),
            };
        }
        let inner = self.set(depth - 1);
        match self.0.below(9) {
            0 => format!("not ({inner})"),
            7 => format!("({} {inner} in a row)", 2 + self.0.below(2)),
            8 => self.one(&["(4 own in a square)", "(exactly 2 enemy in a row)", "(2 all in a row sum to 3)"]),
            1 => format!("next to ({inner})"),
            2 => format!("{} of ({inner})", self.directions()),
            3 => format!("{} from ({inner})", self.directions()),
            4 => format!("{inner} or {}", self.set(depth - 1)),
            5 => format!("({inner}) and {}", self.set(depth - 1)),
            _ => "attacked".to_owned(),
        }
    }

    fn condition(&mut self) -> String {
        let set = self.set(1);
        match self.0.below(13) {
            11 => {
                format!("{set} connects {} of {} to top row to {}", 1 + self.0.below(3), self.region(), self.region())
            }
            12 => format!("{set} encloses {}", self.set(1)),
            8 => format!("at least {} value on {set}", self.one(&["-1", "0", "1", "3"])),
            9 => self.one(&["exactly 2 value on own", "at most 3 value on all", "at least 2 numbers on all"]),
            0 => format!("no {set}"),
            1 => format!("at least {} {set}", self.0.below(4)),
            2 => format!("exactly {} {set}", self.0.below(4)),
            3 => format!("{} {set} in a row", 2 + self.0.below(2)),
            4 => format!("exactly 2 {set} in a row"),
            5 => format!("{set} connects {} to {}", self.region(), self.region()),
            6 => format!("every group of {set} touches {}", self.set(1)),
            7 => self.one(&[
                "white to move",
                "black to move",
                "k in hand",
                "no k in hand",
                "4 w in a square",
                "2 own in a row sum to 1",
            ]),
            _ => set,
        }
    }

    fn sentence(&mut self) -> String {
        let (directions, onto, over) = (self.directions(), self.set(1), self.set(1));
        let (piece, most) = (self.one(&["w", "k", "w/k", "s"]), self.one(&["", "at most 1 ", "at most 2 "]));
        let mut sentence = match self.0.below(10) {
            0 => format!("place {} on {onto}", self.one(&["w", "k", "#", "s"])),
            1 => format!("drop k on {onto}"),
            2 | 3 => format!("{piece} step {directions} onto {onto}"),
            4 => format!("{piece} slide {most}{directions} over {over}"),
            5 => format!("{piece} slide {most}{directions} over {over} onto {onto}"),
            8 => {
                let along = self.one(&["0,0 0,1", "0,0 0,1 1,1 1,0", "1,1 0,0 1,0", "home 0,1"]);
                format!("sow from {onto} along {along}")
            }
            7 => format!("push {} {directions} from {onto}", self.one(&["w", "b", "#", "w/k", "1"])),
            6 => format!("{piece} leap {} onto {onto}", self.one(&["knight", "0,2", "1,1 0,1"])),
            _ => {
                let more = self.one(&["", ", capturing", ", repeatedly", ", capturing, repeatedly"]);
                format!("{piece} hop {directions} over {over} onto {onto}{more}")
            }
        };
        for _ in 0..self.0.below(3) {
            let clause = match self.0.below(13) {
                0 => "then leave #".to_owned(),
                1 => format!("then {} becomes {}", self.set(1), self.one(&["empty", "w", "b", "s"])),
                2 => format!("then flip {}", self.directions()),
                3 => format!("then shoot {} over empty leaving #", self.directions()),
                4 => "then again".to_owned(),
                5 => format!("then again if {}", self.condition()),
                6 => format!("when {}", self.condition()),
                7 => format!("if {}", self.condition()),
                8 => "then go on".to_owned(),
                9 => format!("then go on if {}", self.condition()),
                11 => format!("then collect {} into {}", self.set(1), self.one(&["0,0", "1,1", "home"])),
                10 => format!("then one of {} becomes {}", self.set(1), self.one(&["empty", "b", "1", "2"])),
                _ => format!("unless {}", self.condition()),
            };
            sentence = format!("{sentence}, {clause}");
        }
        match self.0.below(10) {
            0 | 1 => format!("otherwise {sentence}"),
            2 => format!("or {sentence}"),
            _ => sentence,
        }
    }

    fn file(&mut self) -> String {
        let (rows, cols) = (1 + self.0.below(4), 2 + self.0.below(3));
        self.file_on(rows, cols)
    }

    fn file_on(&mut self, rows: usize, cols: usize) -> String {
        let mut file = format!("board = \"{rows}x{cols}\"\n");
        match self.0.below(4) {
            0 => file += "shape = \"hex\"\n",
            1 => file += "shape = \"torus\"\n",
            2 => {
                let lines =
                    (0..rows).map(|row| (0..cols).map(|col| format!("{row},{col}")).collect::<Vec<_>>().join(" "));
                let columns =
                    (0..cols).map(|col| (0..rows).map(|row| format!("{row},{col}")).collect::<Vec<_>>().join(" "));
                let columns = columns.filter(|_| rows > 1);
                file += &format!("shape = \"graph\"\nedges = {:?}\n", lines.chain(columns).collect::<Vec<_>>());
            }
            _ => {}
        }
        let setup: Vec<_> = ["w", "b", "k", "q", "#", "s", "1", "2"].iter().filter(|_| self.0.below(2) == 0).collect();
        let setup: Vec<_> = setup.iter().map(|piece| format!("{piece} on {}", self.region())).collect();
        file += &format!("setup = {setup:?}\n");
        let has_score = self.chance(3);
        if has_score {
            let (set, value) = (self.set(1).replace("own", "w"), self.one(&["", "value on "]));
            file += &format!("score = \"{value}{set} - {}\"\n", self.one(&["b", "empty", "value on b"]));
        }
        if self.chance(3) {
            file += &format!("numbers = {}\n", 2 + self.0.below(5));
        }
        let mut stuck = vec!["loses", "wins", "draws", "passes"];
        stuck.extend(has_score.then_some("scores"));
        file += &format!("stuck = {:?}\nfirst = {:?}\n", self.one(&stuck), self.one(&["white", "black"]));
        if self.chance(4) {
            file += &format!(
                "draws = [{:?}]\n",
                self.condition().replace("own", "w").replace("enemy", "b").replace("attacked", "q")
            );
        }
        file += &format!("[regions]\nhome = \"0,0 0,{}\"\n", cols - 1);
        let weight = |_| self.0.below(6) as i32 - 2;
        let weights: Vec<_> = (0..rows * cols).map(weight).map(|weight| weight.to_string()).collect();
        let rows: Vec<_> = weights.chunks(cols).map(|row| row.join(" ")).collect();
        file += &format!("[weights]\nvalue = \"{}\"\n", rows.join("/"));
        let moves: Vec<_> = (0..1 + self.0.below(3)).map(|_| self.sentence()).collect();
        file += &format!("[white]\npieces = \"wk\"\nmoves = {moves:?}\nwins = [{:?}]\n", self.condition());
        if self.chance(2) {
            file += &format!("loses = [{:?}]\n", self.condition());
        }
        file += &format!("hand = {{ k = {} }}\n", self.0.below(3));
        if self.chance(3) {
            file += "captures = { b = \"w\", q = \"k\" }\n";
        }
        file + "[black]\npieces = \"bq\"\nmirror = \"white\"\n"
    }
}

#[test]
fn random_files_are_lawful_and_played_the_same_by_the_interpreter() {
    let mut random = SplitMix(5);
    let (mut legal, mut refused, mut failures) = (0, 0, 0);
    while legal < 1_000 {
        let text = Author(&mut random).file();
        let Ok(rules) = RulesFile::parse("random", &text) else {
            refused += 1;
            continue;
        };
        legal += 1;
        let game: BoardGame = rules.game().unwrap().downcast().unwrap();
        let mut check = || {
            assert_interpreted(&text, &game, 24, &mut random);
            assert_warnings(&text, &rules, &game, &mut random);
            if let Err(broken) = laws::check(&game, 2, 1) {
                panic!("{broken}\n{text}");
            }
        };
        failures += u32::from(catch_unwind(AssertUnwindSafe(&mut check)).is_err());
        assert!(failures < 6, "the files are above");
    }
    assert_eq!(failures, 0, "the files are above");
    assert!(refused < 4 * legal, "{refused} of {} files were refused", refused + legal);
}

#[test]
fn mutated_files_are_refused_in_words_or_lawful() {
    let mut random = SplitMix(6);
    let words = [
        "not", "(", ")", ",", "own", "w", "3", "onto", "then", "becomes", "n", "from", "\"", "[both]", "=", "mirror",
        "0,9", "é", "",
    ];
    // `.ci/long` sets the number.
    let files = std::env::var("BALPAN_FILES").map_or(6_000, |files| files.parse().unwrap());
    for n in 0..files {
        let name = LANGUAGE_PRESETS[n % LANGUAGE_PRESETS.len()];
        let mut text = preset(name).unwrap().unwrap().text;
        for _ in 0..1 + random.below(3) {
            let spaces: Vec<_> = text.match_indices([' ', '\n']).map(|(at, _)| at).collect();
            let [from, to] = [(); 2].map(|()| spaces[random.below(spaces.len())]);
            let word = words[random.below(words.len())];
            match random.below(3) {
                0 => text.replace_range(from..=from, &format!(" {word} ")),
                1 => text.replace_range(
                    from..spaces[(spaces.iter().position(|at| *at == from).unwrap() + 1).min(spaces.len() - 1)],
                    word,
                ),
                _ => text = [&text[..from], &text[to..]].concat(),
            }
        }
        match RulesFile::parse("mutated", &text) {
            Err(error) => {
                assert!(
                    error.span.start <= error.span.end && text.get(error.span.clone()).is_some(),
                    "{text}: {error}"
                );
                assert!(!error.explain(Lang::Ko).message.is_empty());
            }
            Ok(rules) => {
                let game = rules.game().unwrap();
                if let Some(game) = game.downcast_ref::<BoardGame>()
                    && let Err(broken) = laws::check(game, 1, 1)
                {
                    panic!("{broken}\n{text}");
                }
            }
        }
    }
}

#[test]
fn rules_that_never_apply_are_warned_of() {
    let file = "board = \"3x3\"\nsetup = [\"w on bottom row\", \"b on top row\"]\ndraws = [«\"exactly 1 w, no all\"»]\n[white]\npieces = \"wk\"\n\
        moves = [\"w step n onto empty\", \"«k step n onto empty»\", \"«w step n onto #»\", \"«w step n onto empty, if k»\", \"w step n onto empty, then leave #\"]\n\
        wins = [\"w on top row\", \"«4 w in a row»\", \"«k connects top row to bottom row»\"]\n[black]\npieces = \"bq\"\nmirror = \"white\"";
    let file = file.replace("«\"", "\"«").replace("\"»", "»\"");
    let parts: Vec<_> = file.split(['«', '»']).collect();
    let expected: Vec<_> = parts.iter().skip(1).step_by(2).map(|part| (*part).to_owned()).collect();
    let rules = RulesFile::parse("test", &parts.concat()).unwrap();
    let mut warnings = rules.warnings();
    warnings.sort_by_key(|warning| warning.span.start);
    let found: Vec<_> = warnings.iter().map(|warning| warning.text[warning.span.clone()].to_owned()).collect();
    assert_eq!(found, expected);
    for warning in warnings {
        assert_eq!(warning.cause.kind(), "language_never");
        assert!(!warning.explain(Lang::Ko).message.is_empty());
    }
    for name in LANGUAGE_PRESETS {
        let warnings = preset(name).unwrap().unwrap().warnings();
        let shown: Vec<_> = warnings.iter().map(|warning| &warning.text[warning.span.clone()]).collect();
        assert!(shown.is_empty(), "{name}: {shown:?}");
    }
}

/// A sentence that is warned of gives no move, and a condition never holds, in random play.
fn assert_warnings(text: &str, rules: &RulesFile, game: &BoardGame, random: &mut SplitMix) {
    let mut warned: Vec<_> = rules.warnings().into_iter().map(|warning| warning.span).collect();
    warned.sort_by_key(|span| span.start);
    let mut without = text.to_owned();
    // Without these sentences and conditions, the game is the same.
    for span in warned.into_iter().rev() {
        let (open, close) =
            (without[..span.start].rfind('"').unwrap(), span.end + without[span.end..].find('"').unwrap() + 1);
        let comma = without[close..].starts_with(", ");
        without.replace_range(open..close + if comma { 2 } else { 0 }, "");
    }
    let without = without.replace(", ]", "]").replace("moves = []", "moves = [\"pass, when no all\"]");
    // Those that speak of the sentence before them are about another one then.
    let Ok(other) = RulesFile::parse("without", &without) else { return };
    if text.contains("\"or ") || text.contains("\"otherwise ") {
        return;
    }
    let other: BoardGame = other.game().unwrap().downcast().unwrap();
    for position in random_positions(game, 12, random) {
        let at = game.text(&position);
        let Ok(theirs) = other.parse(&at) else { return };
        let after = |game: &BoardGame, position: &Position| {
            let mut all: Vec<_> = game.moves(position).map(|mv| game.text(&game.play(position, mv))).collect();
            all.sort();
            all
        };
        assert_eq!(after(game, &position), after(&other, &theirs), "{text}\n{without}\n{at}");
    }
}

/// Whether the player to move brings the sum of different numbers up to `max` to a total, by plain recursion.
fn can_win(max: u32, taken: u32, left: u32) -> bool {
    (1..=max).any(|n| taken >> n & 1 == 0 && (n >= left || !can_win(max, taken | 1 << n, left - n)))
}

#[test]
fn weights_add_up() {
    let file = |board: &str, weights: &str, total: u32| {
        let rules = format!("moves = [\"place x on empty\"]\nwins = [\"at least {total} number on x\"]");
        let text =
            format!("board = \"{board}\"\nstuck = \"draws\"\n[weights]\nnumber = \"{weights}\"\n[both]\n{rules}");
        RulesFile::parse("weights", &text)
    };
    for max in 1..=6 {
        for total in 1..=max * (max + 1) / 2 {
            let game: BoardGame =
                file(&format!("1x{max}"), "1 2 ..", total).unwrap().game().unwrap().downcast().unwrap();
            let wins = solve(&game, Goal::MoveValues).outcome() == Some(Outcome::Win);
            assert_eq!(wins, can_win(max, 0, total), "{total} by numbers up to {max}");
        }
    }
    for (board, weights, expected) in [
        ("1x3", "1 2", "weights for another size"),
        ("2x2", "1 2", "weights for another size"),
        ("1x3", "1 2 x", "`x`, where a whole number, or `..`"),
        ("1x3", "1 .. 3", "`..`, where a whole number, or `..`"),
        ("1x3", "1 2 3 4", "weights for another size"),
        ("1x4", "1 200000 ..", "add up to more than 400000"),
        ("1x4", "-200000 200000 ..", "add up to more than 400000"),
        ("1x1", "1 2 3 ..", "weights for another size"),
        ("1x3", "1 2 3000000000", "`3000000000`, where a whole number"),
    ] {
        let error = file(board, weights, 1).unwrap_err();
        let message = error.explain(Lang::En).message;
        assert!(message.contains(expected), "{weights}: {message}");
    }
    for name in ["own", "slide", "next", "numbers", "x", "Big", "top", "sum", "no", "_value"] {
        let text = format!("board = \"1x2\"\n[weights]\n{name} = \"1 2\"\n[both]\nmoves = [\"place x on empty\"]");
        let message = RulesFile::parse("names", &text).unwrap_err().explain(Lang::En).message;
        assert!(message.contains("cannot be a name of your own"), "{name}: {message}");
    }
}

/// Files that were written by docs/language.md alone, each in at most 30 lines, with nothing to no effect.
#[test]
fn files_by_the_documentation_are_read_as_meant() {
    for name in ["isolation", "hexbreak", "misere", "cube", "ferry"] {
        let path = format!("{}/tests/data/language/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        assert!(text.lines().count() <= 30, "{name}");
        assert!(RulesFile::parse(name, &text).unwrap().warnings().is_empty(), "{name}");
        let game = language(&text);
        assert_interpreted(name, &game, 200, &mut SplitMix(3));
        for position in random_positions(&game, 200, &mut SplitMix(3)) {
            assert_eq!(game.parse(&game.text(&position)).unwrap(), position, "{name}");
        }
    }
}
