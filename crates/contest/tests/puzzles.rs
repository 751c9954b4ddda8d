//! Checks every claim about puzzles against plain minimax.

use std::collections::{BTreeSet, HashMap, HashSet};

use balpan::{Game, Outcome, Value, Verdict, Watch, minimax};
use balpan_contest::puzzle::{
    Label, PlyRange, Puzzle, PuzzleIn, PuzzleQuery, PuzzleSet, Puzzles, SearchScope, find_puzzles, puzzles,
};
use balpan_games::heaps::Heaps;
use balpan_games::lines::Lines;
use balpan_games::presets::preset;
use balpan_games::walkers::Walkers;
use balpan_games::{AnyGame, FamilyGame, Lang, Notation, RulesFile, Task, format_line};
use proptest::prelude::*;

const ALL: PuzzleQuery = PuzzleQuery {
    plies: PlyRange::at_least(1),
    limit: None,
    all: true,
    sample: false,
    seed: 1,
    tries: None,
    memory: 1 << 22,
    oracle: None,
};

fn sample(seed: u64, tries: u64) -> PuzzleQuery {
    PuzzleQuery { sample: true, seed, tries: Some(tries), ..ALL }
}

fn rules(name: &str, changes: &[&str]) -> RulesFile {
    let changes: Vec<_> = changes.iter().map(|change| (*change).to_owned()).collect();
    preset(name).unwrap().unwrap().with_changes(&changes).unwrap()
}

/// Returns the value by minimax with a memo, which is that of [`minimax`].
fn memo_minimax<G: Game>(game: &G, position: &G::Position, memo: &mut HashMap<G::Position, Value>) -> Value {
    if let Some(value) = memo.get(position) {
        return *value;
    }
    let values: Vec<_> =
        game.moves(position).map(|mv| memo_minimax(game, &game.play(position, mv), memo).to_parent()).collect();
    let value = values.into_iter().max().unwrap_or_else(|| Value::terminal(game.end(position)));
    memo.insert(position.clone(), value);
    value
}

/// Checks every claim about a puzzle.
fn check_puzzle<G: FamilyGame>(
    game: &G,
    puzzle: &Puzzle<G::Position, G::Move>,
    value: &mut impl FnMut(&G::Position) -> Value,
) {
    let Puzzle { position, solution, winning, wrong, rank, .. } = puzzle;
    let text = game.text(position);
    assert!(game.is_legal(position), "{text}");
    assert!(game.parse(&text).unwrap() == *position, "{text} parses back");
    assert!(game.canonical(position) == *position, "{text} is canonical");
    let exact = value(position);
    assert_eq!(exact.outcome(), Outcome::Win, "{text}");
    assert_eq!(solution.verdict, Verdict::from(exact), "{text}");
    assert_eq!(exact.remoteness(), Some(rank.plies));
    let moves: Vec<_> = game.moves(position).collect();
    assert!(moves.len() > 1 && moves.len() == solution.moves.len() && moves.len() == wrong.len() + 1, "{text}");
    for (&mv, (solved, verdict)) in moves.iter().zip(&solution.moves) {
        assert!(mv == *solved);
        let exact = value(&game.play(position, mv)).to_parent();
        assert_eq!(*verdict, Verdict::from(exact), "{text}");
        assert_eq!(exact.outcome() == Outcome::Win, mv == *winning, "{text} has one winning move");
    }
    check_line(game, puzzle, value);
    check_signs(game, puzzle, value);
    check_difficulty(game, puzzle, value);
}

/// Checks the label, and the points against the sum that the docs describe.
fn check_difficulty<G: FamilyGame>(
    game: &G,
    puzzle: &Puzzle<G::Position, G::Move>,
    value: &mut impl FnMut(&G::Position) -> Value,
) {
    let Puzzle { position, winning, wrong, rank, difficulty, .. } = puzzle;
    let text = game.text(position);
    let values: Vec<_> = wrong.iter().map(|wrong| (value(&game.play(position, wrong.mv)).to_parent(), wrong)).collect();
    let holds_out = |value: &Value| value.outcome() == Outcome::Draw || value.remoteness().unwrap() > 2;
    let alike: Vec<_> = values.iter().filter(|(value, _)| holds_out(value)).collect();
    assert_eq!(difficulty.alike as usize, alike.len(), "{text}");
    let ends = game.is_over(&game.play(position, *winning));
    let label = match (ends, alike.len()) {
        (true, _) => Some(Label::AtOnce),
        (false, 0) => Some(Label::Forced),
        (false, _) => None,
    };
    assert_eq!(difficulty.label, label, "{text}");
    let depths = alike.iter().filter(|(_, wrong)| wrong.natural).map(|(value, _)| value.remoteness());
    let deepest = depths.map(|plies| plies.unwrap_or(rank.plies)).max().unwrap_or(0);
    assert_eq!(difficulty.deepest, deepest, "{text}");
    let doublings = (0..).take_while(|n| 2 << n <= alike.len() + 1).count() as u32;
    let points = (rank.plies - 1) / 2 + doublings + deepest.div_ceil(2);
    assert_eq!(difficulty.points, if label.is_some() { 0 } else { points }, "{text}");
}

/// Checks that the line is optimal play to the end and begins with the winning move.
fn check_line<G: FamilyGame>(
    game: &G,
    puzzle: &Puzzle<G::Position, G::Move>,
    value: &mut impl FnMut(&G::Position) -> Value,
) {
    let mut at = puzzle.position.clone();
    assert!(puzzle.solution.line.first() == Some(&puzzle.winning));
    assert_eq!(puzzle.solution.line.len() as u32, puzzle.rank.plies);
    for &mv in &puzzle.solution.line {
        let before = value(&at);
        assert!(game.moves(&at).any(|other| other == mv));
        at = game.play(&at, mv);
        assert_eq!(value(&at).to_parent(), before);
    }
    assert!(game.moves(&at).next().is_none());
}

/// Checks the signs of wrong moves by their definitions.
fn check_signs<G: FamilyGame>(
    game: &G,
    puzzle: &Puzzle<G::Position, G::Move>,
    value: &mut impl FnMut(&G::Position) -> Value,
) {
    let Puzzle { position, winning, wrong, rank, .. } = puzzle;
    let mut signs = [0; 3];
    for wrong in wrong {
        let after = game.play(position, wrong.mv);
        let exact = value(&after).to_parent();
        let late = exact.remoteness().is_none_or(|plies| plies * 2 >= rank.plies);
        assert_eq!(wrong.late, late);
        let replies: Vec<_> = game.moves(&after).collect();
        let [replies_left, replies_left_by_winning] =
            [wrong.mv, *winning].map(|mv| game.moves(&game.play(position, mv)).count());
        assert!(replies_left >= replies_left_by_winning || wrong.natural);
        assert!(replies_left <= replies_left_by_winning || !wrong.natural);
        let refuting: Vec<_> =
            replies.iter().filter(|reply| value(&game.play(&after, **reply)).outcome() == exact.outcome()).collect();
        let only = refuting.len() == 1 && replies.len() > 1;
        assert!(wrong.only_reply == only.then(|| *refuting[0]));
        for (count, is_set) in signs.iter_mut().zip([wrong.late, wrong.natural, wrong.only_reply.is_some()]) {
            *count += u32::from(is_set);
        }
    }
    assert_eq!([rank.late, rank.natural, rank.narrow], signs);
    assert_eq!((rank.tempting, rank.wrong as usize), (signs.iter().sum(), wrong.len()));
}

/// Checks the order, the limits and the distinctness of puzzles.
fn check_set<G: FamilyGame>(game: &G, query: &PuzzleQuery, found: &PuzzleSet<G::Position, G::Move>) {
    assert!(found.puzzles.is_sorted_by_key(|puzzle| puzzle.rank.order()), "the best first");
    assert!(found.puzzles.iter().all(|puzzle| query.plies.contains(puzzle.rank.plies)));
    assert!(query.limit.is_none_or(|limit| found.puzzles.len() <= limit));
    let mut seen = HashSet::new();
    for puzzle in &found.puzzles {
        assert!(seen.insert(game.canonical(&puzzle.position)), "{} twice", game.text(&puzzle.position));
    }
}

/// Finds the puzzles of a game and checks them.
fn check_game<G: FamilyGame>(game: &G, query: &PuzzleQuery) -> PuzzleSet<G::Position, G::Move> {
    let found = find_puzzles(game, query, &Watch::default()).unwrap();
    check_set(game, query, &found);
    let mut values = HashMap::new();
    for puzzle in &found.puzzles {
        check_puzzle(game, puzzle, &mut |position: &G::Position| memo_minimax(game, position, &mut values));
    }
    found
}

/// Returns all reachable canonical positions with exactly one winning move, by exhaustive enumeration.
fn enumerate_puzzles<G: Notation>(game: &G, plies: u32) -> BTreeSet<String> {
    let mut values = HashMap::new();
    memo_minimax(game, &game.start(), &mut values);
    let wins = |position: &G::Position| {
        let after = game.moves(position).map(|mv| values[&game.play(position, mv)].to_parent().outcome());
        (game.moves(position).count() > 1).then(|| after.filter(|outcome| *outcome == Outcome::Win).count())
    };
    let is_puzzle = |position: &&G::Position| {
        wins(position) == Some(1) && values[*position].remoteness().is_some_and(|remoteness| remoteness >= plies)
    };
    values.keys().filter(is_puzzle).map(|position| game.text(&game.canonical(position))).collect()
}

/// Returns the canonical text of a position without dead cells, which are found in the text.
fn stripped_text<G: Notation>(game: &G, name: &str, position: &G::Position) -> String {
    strip_text(game, name, &game.text(position))
}

fn strip_text<G: Notation>(game: &G, name: &str, text: &str) -> String {
    let text = match name {
        "cram" | "domineering" | "blockgame" => without_isolated_cells(text),
        "platforms" => without_unreachable_tiles(text, &[(0, 1), (1, 0)], false),
        "torus" => without_unreachable_tiles(text, &[(0, 1), (1, 0)], true),
        "kings" => without_unreachable_tiles(text, &[(0, 1), (1, 0), (1, 1), (1, -1)], false),
        "joust" => without_unreachable_tiles(text, &[(1, 2), (2, 1), (1, -2), (2, -1)], false),
        _ => text.to_owned(),
    };
    game.text(&game.canonical(&game.parse(&text).unwrap()))
}

/// Fills the free cells without a free neighbor: no piece of two cells fits there.
fn without_isolated_cells(text: &str) -> String {
    let (rows, rest) = text.split_once(' ').unwrap_or((text, ""));
    let grid: Vec<Vec<char>> = rows.split('/').map(|row| row.chars().collect()).collect();
    let is_free = |row: usize, col: usize| grid.get(row).and_then(|row| row.get(col)) == Some(&'.');
    let is_live = |row: usize, col: usize| {
        is_free(row + 1, col)
            || is_free(row, col + 1)
            || is_free(row.wrapping_sub(1), col)
            || is_free(row, col.wrapping_sub(1))
    };
    let cell = |row, col| if is_free(row, col) && is_live(row, col) { '.' } else { '#' };
    let row = |row| (0..grid[0].len()).map(|col| cell(row, col)).collect::<String>();
    let rows: Vec<_> = (0..grid.len()).map(row).collect();
    format!("{} {rest}", rows.join("/")).trim_end().to_owned()
}

/// Removes the tiles that neither token can reach.
fn without_unreachable_tiles(text: &str, steps: &[(isize, isize)], is_torus: bool) -> String {
    let (rows, rest) = text.split_once(' ').unwrap_or((text, ""));
    let mut grid: Vec<Vec<char>> = rows.split('/').map(|row| row.chars().collect()).collect();
    let (height, width) = (grid.len() as isize, grid[0].len() as isize);
    let mut reached = vec![vec![false; width as usize]; height as usize];
    let mut fresh = Vec::new();
    for (row, line) in grid.iter().enumerate() {
        fresh.extend((0..line.len()).filter(|col| !".#".contains(line[*col])).map(|col| (row as isize, col as isize)));
    }
    while let Some((row, col)) = fresh.pop() {
        if std::mem::replace(&mut reached[row as usize][col as usize], true) {
            continue;
        }
        for (down, right) in steps.iter().flat_map(|&(down, right)| [(down, right), (-down, -right)]) {
            let (mut row, mut col) = (row + down, col + right);
            if is_torus {
                (row, col) = (row.rem_euclid(height), col.rem_euclid(width));
            }
            if (0..height).contains(&row) && (0..width).contains(&col) && grid[row as usize][col as usize] != '#' {
                fresh.push((row, col));
            }
        }
    }
    for (row, line) in grid.iter_mut().enumerate() {
        line.iter_mut().zip(&reached[row]).filter(|(_, reached)| !**reached).for_each(|(cell, _)| *cell = '#');
    }
    let rows: Vec<String> = grid.iter().map(|row| row.iter().collect()).collect();
    format!("{} {rest}", rows.join("/")).trim_end().to_owned()
}

fn texts<G: Notation>(game: &G, found: &PuzzleSet<G::Position, G::Move>) -> BTreeSet<String> {
    found.puzzles.iter().map(|puzzle| game.text(&puzzle.position)).collect()
}

/// Finds and checks the puzzles of a game of any family. Without sampling, also checks that none is missing. Returns
/// their number.
fn check_any(name: &str, game: &AnyGame, query: &PuzzleQuery) -> usize {
    struct Check<'q>(&'q str, &'q PuzzleQuery);

    impl Task for Check<'_> {
        type Output = usize;

        fn run<G: FamilyGame>(self, game: &G) -> usize {
            check(self.0, game, self.1)
        }
    }

    fn check<G: FamilyGame>(name: &str, game: &G, query: &PuzzleQuery) -> usize {
        let found = check_game(game, query);
        assert_eq!(found.search, if query.sample { SearchScope::Chance } else { SearchScope::Everywhere });
        let stripped: BTreeSet<_> =
            found.puzzles.iter().map(|puzzle| stripped_text(game, name, &puzzle.position)).collect();
        assert_eq!(stripped.len(), found.puzzles.len(), "{name}: some are the same puzzle");
        if !query.sample {
            let expected = enumerate_puzzles(game, query.plies.min);
            assert!(texts(game, &found).is_subset(&expected), "{name}");
            let all = expected.iter().map(|text| strip_text(game, name, text));
            assert_eq!(stripped, all.collect(), "{name}");
        }
        found.puzzles.len()
    }

    game.run(Check(name, query))
}

#[test]
fn tic_tac_toe_has_the_enumerated_puzzles() {
    let game = rules("tictactoe", &[]).game().unwrap().downcast::<Lines>().unwrap();
    for plies in [1, 3, 5, 7] {
        let query = PuzzleQuery { plies: PlyRange::at_least(plies), ..ALL };
        let found = find_puzzles(&game, &query, &Watch::default()).unwrap();
        assert_eq!(found.search, SearchScope::Everywhere);
        assert_eq!(found.tried, 765);
        assert_eq!(texts(&game, &found), enumerate_puzzles(&game, plies));
        check_set(&game, &query, &found);
        // There are few enough puzzles for minimax without a memo.
        for puzzle in &found.puzzles {
            check_puzzle(&game, puzzle, &mut |position| minimax(&game, position).unwrap());
        }
    }
    let count = |plies| {
        find_puzzles(&game, &PuzzleQuery { plies: PlyRange::at_least(plies), ..ALL }, &Watch::default())
            .unwrap()
            .puzzles
            .len()
    };
    assert_eq!([3, 5, 7].map(count), [51, 9, 0]);
}

#[test]
fn an_upper_bound_excludes_longer_puzzles() {
    let game = rules("platforms", &["board=4x4"]).game().unwrap().downcast::<Walkers>().unwrap();
    let find = |plies, query: &PuzzleQuery| {
        find_puzzles(&game, &PuzzleQuery { plies, ..query.clone() }, &Watch::default()).unwrap().puzzles
    };
    let all = find(PlyRange::at_least(3), &ALL);
    let between = find(PlyRange { min: 5, max: Some(7) }, &ALL);
    let expected = all.iter().filter(|puzzle| (5..=7).contains(&puzzle.rank.plies)).count();
    assert!(expected > 0 && expected < all.len());
    assert_eq!(between.len(), expected);
    let sampled = find(PlyRange { min: 5, max: Some(7) }, &sample(1, 2_000));
    assert!(!sampled.is_empty() && sampled.iter().all(|puzzle| (5..=7).contains(&puzzle.rank.plies)));
}

/// Returns the texts in which one cell has another of the signs `.` and `#`.
fn changed_cells(text: &str) -> Vec<String> {
    let (rows, _) = text.split_once(' ').unwrap_or((text, ""));
    let others = |(at, sign): (usize, char)| {
        let change = move |other: char| format!("{}{other}{}", &text[..at], &text[at + sign.len_utf8()..]);
        ".#".chars().filter(move |other| ".#".contains(sign) && *other != sign).map(change)
    };
    rows.char_indices().flat_map(others).collect()
}

struct CheckSelection<'n>(&'n str);

impl Task for CheckSelection<'_> {
    type Output = ();

    fn run<G: FamilyGame>(self, game: &G) {
        check_selection(self.0, game);
    }
}

/// Checks that puzzles that are left out need no thought or are near a better one, and that no selected puzzles are near
/// each other.
fn check_selection<G: FamilyGame>(name: &str, game: &G) {
    let all = find_puzzles(game, &ALL, &Watch::default()).unwrap();
    let selected = find_puzzles(game, &PuzzleQuery { all: false, ..ALL }, &Watch::default()).unwrap();
    assert_eq!(selected.left_out, Some(all.puzzles.len() - selected.puzzles.len()), "{name}");
    assert_eq!(all.left_out, Some(0));
    assert!(selected.puzzles.len() < all.puzzles.len() && !selected.puzzles.is_empty(), "{name}");
    let index =
        |text: &str| selected.puzzles.iter().position(|puzzle| stripped_text(game, name, &puzzle.position) == text);
    let lines =
        |position: &G::Position, line: &[G::Move]| (game.players(position)[0], format_line(game, position, line));
    let selected_lines: Vec<_> =
        selected.puzzles.iter().map(|puzzle| lines(&puzzle.position, &puzzle.solution.line)).collect();
    // The texts of the positions near each selected puzzle.
    let near = |puzzle: &PuzzleIn<G>| {
        let mut near: HashSet<String> = game
            .moves(&puzzle.position)
            .map(|mv| stripped_text(game, name, &game.play(&puzzle.position, mv)))
            .collect();
        let text = stripped_text(game, name, &puzzle.position);
        let cells = changed_cells(&text).into_iter().filter(|text| game.parse(text).is_ok());
        near.extend(cells.map(|text| strip_text(game, name, &text)));
        let mut at = puzzle.position.clone();
        for pair in puzzle.solution.line.chunks_exact(2) {
            at = pair.iter().fold(at, |at, &mv| game.play(&at, mv));
            near.insert(stripped_text(game, name, &at));
        }
        near
    };
    let nears: Vec<_> = selected.puzzles.iter().map(near).collect();
    for puzzle in &all.puzzles {
        let text = stripped_text(game, name, &puzzle.position);
        let line = lines(&puzzle.position, &puzzle.solution.line);
        let is_near = |n: usize| {
            nears[n].contains(&text)
                || selected_lines[n] == line
                || game.moves(&puzzle.position).any(|mv| {
                    stripped_text(game, name, &game.play(&puzzle.position, mv))
                        == stripped_text(game, name, &selected.puzzles[n].position)
                })
        };
        match index(&text) {
            Some(own) => {
                assert_eq!(puzzle.difficulty.label, None, "{name}: {text}");
                assert!(!(0..own).any(is_near), "{name}: {text} is near a better one");
            }
            None => {
                let better = (0..nears.len()).filter(|n| {
                    let mut rank = puzzle.rank;
                    rank.follows = false;
                    selected.puzzles[*n].rank.order() <= rank.order()
                });
                let near_a_better = better.into_iter().any(is_near);
                assert!(puzzle.difficulty.label.is_some() || near_a_better, "{name}: {text} is left out");
            }
        }
    }
}

#[test]
fn puzzles_are_left_out_if_trivial_or_near_a_better_one() {
    for (name, changes) in [
        ("tictactoe", &[][..]),
        ("platforms", &["board=3x4"]),
        ("kings", &["board=3x3"]),
        ("cram", &["board=3x4"]),
        ("blockgame", &["board=3x4"]),
        ("domineering", &["board=4x4"]),
    ] {
        rules(name, changes).game().unwrap().run(CheckSelection(name));
    }
}

#[test]
fn heaps_one_token_apart_are_one_puzzle() {
    let game = rules("nim", &[]).game_at("3 5 7").unwrap().downcast::<Heaps>().unwrap();
    let found = find_puzzles(&game, &PuzzleQuery { all: false, ..ALL }, &Watch::default()).unwrap();
    assert!(found.puzzles.len() > 3 && found.left_out > Some(0));
    for (n, puzzle) in found.puzzles.iter().enumerate() {
        for other in &found.puzzles[..n] {
            let (one, two) = (puzzle.position.heaps(), other.position.heaps());
            let apart = one.iter().zip(two).map(|(one, two)| u32::from(one.abs_diff(*two))).sum::<u32>();
            assert!(one.len() != two.len() || apart > 1, "{one:?} {two:?}");
        }
    }
}

#[test]
fn forced_moves_are_labelled() {
    let game = rules("tictactoe", &[]).game().unwrap().downcast::<Lines>().unwrap();
    let found = find_puzzles(&game, &ALL, &Watch::default()).unwrap();
    let label = |text: &str| {
        let position = game.canonical(&game.parse(text).unwrap());
        let puzzle = found.puzzles.iter().find(|puzzle| puzzle.position == position);
        puzzle.map(|puzzle| (puzzle.difficulty.label, puzzle.difficulty.points))
    };
    // O threatens the lower row, and nothing else stops it.
    assert_eq!(label("..X/X../OO."), Some((Some(Label::Forced), 0)));
    assert_eq!(label("XX./OO./..."), Some((Some(Label::AtOnce), 0)));
    assert!(matches!(label(".X./.../O.."), Some((None, 1..))));
}

#[test]
fn exhaustive_searches_miss_nothing() {
    let games: [(&str, &[&str]); 12] = [
        ("tictactoe", &["misere=true"]),
        ("tictactoe", &["board=3x4"]),
        ("notakto", &[]),
        ("connect4", &["board=3x4", "k=3"]),
        ("platforms", &["board=3x4"]),
        ("platforms", &["board=3x3", "torus=true"]),
        ("kings", &["board=3x3"]),
        ("joust", &["board=3x4"]),
        ("cram", &["board=3x4"]),
        ("cram", &["board=3x4", "misere=true"]),
        ("blockgame", &["board=3x4"]),
        ("domineering", &["board=4x4"]),
    ];
    for (name, changes) in games {
        let name_of_steps = if changes.contains(&"torus=true") { "torus" } else { name };
        assert!(check_any(name_of_steps, &rules(name, changes).game().unwrap(), &ALL) > 0, "{name} {changes:?}");
    }
    for (name, start) in [("nim", "2 3 4"), ("kayles", "7"), ("dawson", "4 5"), ("tictactoe", "X../.O./...")] {
        assert!(check_any(name, &rules(name, &[]).game_at(start).unwrap(), &ALL) > 0, "{name} {start}");
    }
}

/// Returns the images of a position under the symmetries of a square.
fn images(text: &str) -> BTreeSet<String> {
    let (rows, rest) = text.split_once(' ').unwrap_or((text, ""));
    let mut grid: Vec<Vec<char>> = rows.split('/').map(|row| row.chars().collect()).collect();
    let mut images = BTreeSet::new();
    for _ in 0..2 {
        for _ in 0..4 {
            let size = grid.len();
            grid = (0..size).map(|row| (0..size).map(|col| grid[size - 1 - col][row]).collect()).collect();
            let rows: Vec<String> = grid.iter().map(|row| row.iter().collect()).collect();
            images.insert(format!("{} {rest}", rows.join("/")));
        }
        grid.reverse();
    }
    images
}

#[test]
fn no_puzzle_is_the_image_of_another() {
    for (name, changes, query) in [
        ("tictactoe", &[][..], ALL),
        ("cram", &["board=4x4"], ALL),
        ("platforms", &["board=4x4"], ALL),
        ("platforms", &[], PuzzleQuery { limit: Some(200), ..sample(3, 5_000) }),
    ] {
        let game = rules(name, changes).game().unwrap();
        let found = puzzles(&game, name, &query, &Watch::default()).unwrap();
        assert!(found.puzzles.len() > 20, "{name}");
        let mut seen = HashSet::new();
        for puzzle in &found.puzzles {
            for image in images(&puzzle.position) {
                assert!(seen.insert(image), "{} twice", puzzle.position);
            }
        }
    }
}

#[test]
fn a_sample_depends_on_the_seed_alone() {
    for name in ["platforms", "kings", "cram", "blockgame", "domineering", "tictactoe", "notakto", "nim"] {
        let game = rules(name, &[]).game().unwrap();
        let run = |seed| puzzles(&game, name, &sample(seed, 300), &Watch::default()).unwrap();
        let first = run(7);
        assert!(
            first.search == SearchScope::Chance
                && first.tried == 300
                && first.puzzles.len() <= PuzzleQuery::DEFAULT_LIMIT
        );
        assert_eq!(first, run(7), "{name}");
    }
    let game = rules("platforms", &[]).game().unwrap();
    let run = |seed| puzzles(&game, "platforms", &sample(seed, 300), &Watch::default()).unwrap().puzzles;
    assert_ne!(run(1), run(2));
}

#[test]
fn more_tries_find_no_worse_puzzles() {
    let game = rules("platforms", &[]).game().unwrap().downcast::<Walkers>().unwrap();
    let best = |tries| find_puzzles(&game, &sample(1, tries), &Watch::default()).unwrap().puzzles[0].rank;
    let bests = [1_000, 4_000, 16_000].map(best);
    assert!(bests.is_sorted_by_key(|rank| std::cmp::Reverse(rank.order())));
    assert!(bests[2].plies >= 15);
}

#[test]
fn platforms_has_long_puzzles() {
    let game = rules("platforms", &[]).game().unwrap();
    assert_eq!(check_any("platforms", &game, &PuzzleQuery { plies: PlyRange::at_least(15), ..ALL }), 24);
    let game = game.downcast::<Walkers>().unwrap();
    let from_corners = find_puzzles(&game, &ALL, &Watch::default()).unwrap();
    assert_eq!((from_corners.tried, from_corners.puzzles[0].rank.plies), (52_916, 19));
    // Sampled positions have the tokens anywhere on the board.
    let found = check_game(&game, &PuzzleQuery { plies: PlyRange::at_least(15), limit: Some(3), ..sample(1, 1_000) });
    assert_eq!(found.puzzles[0].rank.plies, 23);
}

#[test]
fn puzzles_on_better_lines_come_last() {
    let game = rules("platforms", &["board=4x4"]).game().unwrap().downcast::<Walkers>().unwrap();
    let found = find_puzzles(&game, &ALL, &Watch::default()).unwrap();
    let first_following = found.puzzles.iter().position(|puzzle| puzzle.rank.follows).unwrap();
    assert!(found.puzzles[first_following..].iter().all(|puzzle| puzzle.rank.follows));
    let mut later = HashSet::new();
    let mut by_length: Vec<_> = found.puzzles.iter().collect();
    by_length.sort_by_key(|puzzle| std::cmp::Reverse(puzzle.rank.plies));
    for puzzle in by_length {
        assert_eq!(puzzle.rank.follows, later.contains(&stripped_text(&game, "platforms", &puzzle.position)));
        let mut at = puzzle.position;
        for pair in puzzle.solution.line.chunks_exact(2) {
            at = pair.iter().fold(at, |at, &mv| game.play(&at, mv));
            later.insert(stripped_text(&game, "platforms", &at));
        }
    }
}

#[test]
fn a_stopped_search_returns_its_results() {
    for name in ["tictactoe", "platforms", "blockgame", "connect4"] {
        let game = rules(name, &[]).game().unwrap();
        let watch = Watch::default();
        watch.stop();
        let found = puzzles(&game, name, &ALL, &watch).unwrap();
        assert_eq!((found.search, found.exhaustive, found.tried), (SearchScope::Stopped, false, 0), "{name}");
        let watch = Watch::with_limit(300_000);
        let found = puzzles(&game, name, &PuzzleQuery { sample: true, ..ALL }, &watch).unwrap();
        assert_eq!((found.search, found.exhaustive), (SearchScope::Chance, false));
    }
}

#[test]
fn a_stopped_search_is_not_exhaustive() {
    let game = rules("tictactoe", &[]).game().unwrap();
    // The walk over all 765 positions finishes; the examination of them is stopped.
    let found = puzzles(&game, "tictactoe", &ALL, &Watch::with_limit(1_000)).unwrap();
    assert_eq!((found.search, found.exhaustive, found.tried), (SearchScope::Stopped, false, 234));
    assert!(!found.puzzles.is_empty());
}

#[test]
fn games_with_many_moves_are_sampled() {
    for (name, start) in [("nim", "250 250"), ("kayles", "300")] {
        let game = rules(name, &[]).game_at(start).unwrap();
        let found = puzzles(&game, name, &PuzzleQuery { tries: Some(2), ..ALL }, &Watch::default()).unwrap();
        assert_eq!((found.search, found.tried), (SearchScope::Chance, 2), "{name}");
    }
}

#[test]
fn finished_games_have_no_puzzles() {
    for (name, end) in [("tictactoe", "XXX/OO./..."), ("nim", "0"), ("connect4", "OOO..../XXXX...")] {
        let game = rules(name, &[]).game_at(end).unwrap();
        let found = puzzles(&game, name, &PuzzleQuery { sample: true, ..ALL }, &Watch::default()).unwrap();
        assert_eq!((found.search, found.tried, found.puzzles.len()), (SearchScope::Everywhere, 1, 0), "{name}");
    }
}

#[test]
fn dead_cells_make_no_other_puzzle() {
    let find = |name| {
        puzzles(
            &rules(name, &[]).game().unwrap(),
            name,
            &PuzzleQuery { plies: PlyRange::at_least(3), ..ALL },
            &Watch::default(),
        )
    };
    assert_eq!(["cram", "platforms"].map(|name| find(name).unwrap().puzzles.len()), [2_233, 2_801]);
}

#[test]
fn too_large_heaps_are_refused() {
    let game = rules("nim", &[]).game_at("20000").unwrap();
    assert!(puzzles(&game, "nim", &ALL, &Watch::default()).is_err());
}

#[test]
fn puzzles_are_described() {
    let game = rules("tictactoe", &[]).game().unwrap();
    let Puzzles { puzzles, board, .. } = puzzles(&game, "tictactoe", &ALL, &Watch::default()).unwrap();
    assert_eq!(board.as_deref(), Some("3x3"));
    let best = &puzzles[0];
    assert_eq!((best.task(Lang::En).as_str(), best.winning.as_str()), ("X to move, win in 5", "0,0"));
    assert_eq!(best.failures(Lang::En, 2), ["1,1 draws (only 2,1 holds)", "2,2 draws (only 0,0 holds)", "4 more lose"]);
    assert_eq!(best.failures(Lang::En, 5)[5], "1 more loses");
    assert_eq!(best.failures(Lang::En, 100).len(), 6);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn sampled_puzzles_are_correct(seed: u64, game in 0_usize..10) {
        let (name, changes): (_, &[&str]) = [
            ("platforms", &["board=4x4"][..]),
            ("platforms", &["board=3x5", "share=false"]),
            ("platforms", &["board=3x4", "torus=true"]),
            ("kings", &["board=3x4"]),
            ("joust", &["board=4x4"]),
            ("cram", &["board=4x4"]),
            ("blockgame", &["board=3x4", "misere=true"]),
            ("domineering", &["board=4x4"]),
            ("tictactoe", &["board=3x4"]),
            ("connect4", &["board=4x4", "k=3"]),
        ][game];
        let name_of_steps = if changes.contains(&"torus=true") { "torus" } else { name };
        check_any(name_of_steps, &rules(name, changes).game().unwrap(), &sample(seed, 60));
    }
}
