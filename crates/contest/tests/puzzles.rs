//! What is claimed of puzzles, against plain minimax.

use std::collections::{BTreeSet, HashMap, HashSet};

use balpan::{Game, Keyed, Outcome, Value, Verdict, Watch, minimax};
use balpan_contest::puzzle::{
    Label, PlyRange, Puzzle, PuzzleGame, PuzzleIn, PuzzleQuery, PuzzleSet, Puzzles, SearchScope, find_puzzles, puzzles,
};
use balpan_games::presets::preset;
use balpan_games::{AnyGame, Lang, Notation, RulesFile, line_texts};
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

fn chance(seed: u64, tries: u64) -> PuzzleQuery {
    PuzzleQuery { sample: true, seed, tries: Some(tries), ..ALL }
}

fn rules(name: &str, changes: &[&str]) -> RulesFile {
    let changes: Vec<_> = changes.iter().map(|change| (*change).to_owned()).collect();
    preset(name).unwrap().unwrap().changed(&changes).unwrap()
}

/// The value by plain minimax, each position once: what [`minimax`] says, without its
/// cost.
fn plain<G: Game>(game: &G, position: &G::Position, known: &mut HashMap<G::Position, Value>) -> Value {
    if let Some(value) = known.get(position) {
        return *value;
    }
    let values: Vec<_> =
        game.moves(position).map(|mv| plain(game, &game.play(position, mv), known).to_parent()).collect();
    let value = values.into_iter().max().unwrap_or_else(|| Value::terminal(game.end(position)));
    known.insert(position.clone(), value);
    value
}

/// Every claim about a puzzle.
fn check<G: PuzzleGame>(
    game: &G,
    puzzle: &Puzzle<G::Position, G::Move>,
    value: &mut impl FnMut(&G::Position) -> Value,
) {
    let Puzzle { position, solution, winning, wrong, rank, .. } = puzzle;
    let text = game.text(position);
    assert!(game.is_legal(position), "{text}");
    assert!(game.parse(&text).unwrap() == *position, "{text} is read back");
    assert!(game.canonical(position) == *position, "{text} is canonical");
    let worth = value(position);
    assert_eq!(worth.outcome(), Outcome::Win, "{text}");
    assert_eq!(solution.verdict, Verdict::from(worth), "{text}");
    assert_eq!(worth.remoteness(), Some(rank.plies));
    let moves: Vec<_> = game.moves(position).collect();
    assert!(moves.len() > 1 && moves.len() == solution.moves.len() && moves.len() == wrong.len() + 1, "{text}");
    for (&mv, (of, verdict)) in moves.iter().zip(&solution.moves) {
        assert!(mv == *of);
        let worth = value(&game.play(position, mv)).to_parent();
        assert_eq!(*verdict, Verdict::from(worth), "{text}");
        assert_eq!(worth.outcome() == Outcome::Win, mv == *winning, "{text} has one winning move");
    }
    check_line(game, puzzle, value);
    check_signs(game, puzzle, value);
    check_difficulty(game, puzzle, value);
}

/// A label says what it means, and the points are the sum that the docs describe.
fn check_difficulty<G: PuzzleGame>(
    game: &G,
    puzzle: &Puzzle<G::Position, G::Move>,
    value: &mut impl FnMut(&G::Position) -> Value,
) {
    let Puzzle { position, winning, wrong, rank, difficulty, .. } = puzzle;
    let text = game.text(position);
    let worths: Vec<_> = wrong.iter().map(|wrong| (value(&game.play(position, wrong.mv)).to_parent(), wrong)).collect();
    let last = |worth: &Value| worth.outcome() == Outcome::Draw || worth.remoteness().unwrap() > 2;
    let alike: Vec<_> = worths.iter().filter(|(worth, _)| last(worth)).collect();
    assert_eq!(difficulty.alike as usize, alike.len(), "{text}");
    let ends = game.is_over(&game.play(position, *winning));
    let label = match (ends, alike.len()) {
        (true, _) => Some(Label::AtOnce),
        (false, 0) => Some(Label::Forced),
        (false, _) => None,
    };
    assert_eq!(difficulty.label, label, "{text}");
    let depths = alike.iter().filter(|(_, wrong)| wrong.natural).map(|(worth, _)| worth.remoteness());
    let deepest = depths.map(|plies| plies.unwrap_or(rank.plies)).max().unwrap_or(0);
    assert_eq!(difficulty.deepest, deepest, "{text}");
    let doublings = (0..).take_while(|n| 2 << n <= alike.len() + 1).count() as u32;
    let points = (rank.plies - 1) / 2 + doublings + deepest.div_ceil(2);
    assert_eq!(difficulty.points, if label.is_some() { 0 } else { points }, "{text}");
}

/// A line is best play to the end, and begins with the winning move.
fn check_line<G: PuzzleGame>(
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

/// What speaks for wrong moves, by its definition.
fn check_signs<G: PuzzleGame>(
    game: &G,
    puzzle: &Puzzle<G::Position, G::Move>,
    value: &mut impl FnMut(&G::Position) -> Value,
) {
    let Puzzle { position, winning, wrong, rank, .. } = puzzle;
    let mut signs = [0; 3];
    for wrong in wrong {
        let after = game.play(position, wrong.mv);
        let worth = value(&after).to_parent();
        let late = worth.remoteness().is_none_or(|plies| plies * 2 >= rank.plies);
        assert_eq!(wrong.late, late);
        let replies: Vec<_> = game.moves(&after).collect();
        let [left, left_by_best] = [wrong.mv, *winning].map(|mv| game.moves(&game.play(position, mv)).count());
        assert!(left >= left_by_best || wrong.natural);
        assert!(left <= left_by_best || !wrong.natural);
        let refuting: Vec<_> =
            replies.iter().filter(|reply| value(&game.play(&after, **reply)).outcome() == worth.outcome()).collect();
        let only = refuting.len() == 1 && replies.len() > 1;
        assert!(wrong.only_reply == only.then(|| *refuting[0]));
        for (sign, is) in signs.iter_mut().zip([wrong.late, wrong.natural, wrong.only_reply.is_some()]) {
            *sign += u32::from(is);
        }
    }
    assert_eq!([rank.late, rank.natural, rank.narrow], signs);
    assert_eq!((rank.tempting, rank.wrong as usize), (signs.iter().sum(), wrong.len()));
}

/// What is promised of all puzzles together.
fn check_all<G: PuzzleGame>(game: &G, query: &PuzzleQuery, found: &PuzzleSet<G::Position, G::Move>) {
    assert!(found.puzzles.is_sorted_by_key(|puzzle| puzzle.rank.order()), "the best first");
    assert!(found.puzzles.iter().all(|puzzle| query.plies.contains(puzzle.rank.plies)));
    assert!(query.limit.is_none_or(|most| found.puzzles.len() <= most));
    let mut seen = HashSet::new();
    for puzzle in &found.puzzles {
        assert!(seen.insert(game.canonical(&puzzle.position)), "{} twice", game.text(&puzzle.position));
    }
}

/// Checks all that is found in a game, each position solved once.
fn check_game<G: PuzzleGame>(game: &G, query: &PuzzleQuery) -> PuzzleSet<G::Position, G::Move> {
    let found = find_puzzles(game, query, &Watch::default()).unwrap();
    check_all(game, query, &found);
    let mut known = HashMap::new();
    for puzzle in &found.puzzles {
        check(game, puzzle, &mut |position: &G::Position| plain(game, position, &mut known));
    }
    found
}

/// The canonical positions that play can reach and that have exactly one winning move,
/// by going through all.
fn recounted<G: Notation>(game: &G, plies: u32) -> BTreeSet<String> {
    let mut known = HashMap::new();
    plain(game, &game.start(), &mut known);
    let wins = |position: &G::Position| {
        let after = game.moves(position).map(|mv| known[&game.play(position, mv)].to_parent().outcome());
        (game.moves(position).count() > 1).then(|| after.filter(|outcome| *outcome == Outcome::Win).count())
    };
    let is_one = |position: &&G::Position| {
        wins(position) == Some(1) && known[*position].remoteness().is_some_and(|remoteness| remoteness >= plies)
    };
    known.keys().filter(is_one).map(|position| game.text(&game.canonical(position))).collect()
}

/// The text of a position, its dead cells taken away by what it looks like, in canonical
/// form.
fn bare<G: Notation>(game: &G, name: &str, position: &G::Position) -> String {
    bare_of(game, name, &game.text(position))
}

fn bare_of<G: Notation>(game: &G, name: &str, text: &str) -> String {
    let text = match name {
        "cram" | "domineering" | "blockgame" => without_lonely(text),
        "platforms" => without_unreached(text, &[(0, 1), (1, 0)], false),
        "torus" => without_unreached(text, &[(0, 1), (1, 0)], true),
        "kings" => without_unreached(text, &[(0, 1), (1, 0), (1, 1), (1, -1)], false),
        "joust" => without_unreached(text, &[(1, 2), (2, 1), (1, -2), (2, -1)], false),
        _ => text.to_owned(),
    };
    game.text(&game.canonical(&game.parse(&text).unwrap()))
}

/// Fills the free cells that have no free neighbour: no piece of two cells fits there.
fn without_lonely(text: &str) -> String {
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

/// Takes away the tiles that no way over tiles leads to from either token.
fn without_unreached(text: &str, steps: &[(isize, isize)], is_torus: bool) -> String {
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

/// Checks all that is found in a game of any family, and if all that play can reach was
/// looked at, that nothing is left out. How many there are.
fn check_any(name: &str, game: &AnyGame, query: &PuzzleQuery) -> usize {
    fn check<G: PuzzleGame>(name: &str, game: &G, query: &PuzzleQuery) -> usize {
        let found = check_game(game, query);
        assert_eq!(found.search, if query.sample { SearchScope::Chance } else { SearchScope::Everywhere });
        let bare: BTreeSet<_> = found.puzzles.iter().map(|puzzle| bare(game, name, &puzzle.position)).collect();
        assert_eq!(bare.len(), found.puzzles.len(), "{name}: some are the same puzzle");
        if !query.sample {
            let known = recounted(game, query.plies.min);
            assert!(texts(game, &found).is_subset(&known), "{name}");
            let all = known.iter().map(|text| bare_of(game, name, text));
            assert_eq!(bare, all.collect(), "{name}");
        }
        found.puzzles.len()
    }

    match game {
        AnyGame::Walkers(game) => check(name, game, query),
        AnyGame::WideWalkers(game) => check(name, game, query),
        AnyGame::Placement(game) => check(name, game, query),
        AnyGame::WidePlacement(game) => check(name, game, query),
        AnyGame::Lines(game) => check(name, game, query),
        AnyGame::Heaps(game) => check(name, game, query),
    }
}

#[test]
fn all_of_tic_tac_toe() {
    let AnyGame::Lines(game) = rules("tictactoe", &[]).game().unwrap() else { panic!("lines") };
    for plies in [1, 3, 5, 7] {
        let query = PuzzleQuery { plies: PlyRange::at_least(plies), ..ALL };
        let found = find_puzzles(&game, &query, &Watch::default()).unwrap();
        assert_eq!(found.search, SearchScope::Everywhere);
        assert_eq!(found.tried, 765);
        assert_eq!(texts(&game, &found), recounted(&game, plies));
        check_all(&game, &query, &found);
        // Few enough for minimax itself.
        for puzzle in &found.puzzles {
            check(&game, puzzle, &mut |position| minimax(&game, position).unwrap());
        }
    }
    let many = |plies| {
        find_puzzles(&game, &PuzzleQuery { plies: PlyRange::at_least(plies), ..ALL }, &Watch::default())
            .unwrap()
            .puzzles
            .len()
    };
    assert_eq!([3, 5, 7].map(many), [51, 9, 0]);
}

#[test]
fn an_upper_bound_leaves_out_the_longer_ones() {
    let AnyGame::Walkers(game) = rules("platforms", &["board=4x4"]).game().unwrap() else { panic!("walkers") };
    let of = |plies, query: &PuzzleQuery| {
        find_puzzles(&game, &PuzzleQuery { plies, ..query.clone() }, &Watch::default()).unwrap().puzzles
    };
    let all = of(PlyRange::at_least(3), &ALL);
    let between = of(PlyRange { min: 5, max: Some(7) }, &ALL);
    let expected = all.iter().filter(|puzzle| (5..=7).contains(&puzzle.rank.plies)).count();
    assert!(expected > 0 && expected < all.len());
    assert_eq!(between.len(), expected);
    let by_chance = of(PlyRange { min: 5, max: Some(7) }, &chance(1, 2_000));
    assert!(!by_chance.is_empty() && by_chance.iter().all(|puzzle| (5..=7).contains(&puzzle.rank.plies)));
}

/// The text with every other sign instead of one of its cells.
fn changed_cells(text: &str) -> Vec<String> {
    let (rows, _) = text.split_once(' ').unwrap_or((text, ""));
    let others = |(at, sign): (usize, char)| {
        let change = move |other: char| format!("{}{other}{}", &text[..at], &text[at + sign.len_utf8()..]);
        ".#".chars().filter(move |other| ".#".contains(sign) && *other != sign).map(change)
    };
    rows.char_indices().flat_map(others).collect()
}

/// What is left out needs no thought or is near a better one that is kept; and none that is
/// kept is near another one.
fn check_thinned<G: PuzzleGame>(name: &str, game: &G) {
    let all = find_puzzles(game, &ALL, &Watch::default()).unwrap();
    let thinned = find_puzzles(game, &PuzzleQuery { all: false, ..ALL }, &Watch::default()).unwrap();
    assert_eq!(thinned.left_out, Some(all.puzzles.len() - thinned.puzzles.len()), "{name}");
    assert_eq!(all.left_out, Some(0));
    assert!(thinned.puzzles.len() < all.puzzles.len() && !thinned.puzzles.is_empty(), "{name}");
    let place = |text: &str| thinned.puzzles.iter().position(|kept| bare(game, name, &kept.position) == text);
    let lines =
        |position: &G::Position, line: &[G::Move]| (game.players(position)[0], line_texts(game, position, line));
    let kept_lines: Vec<_> = thinned.puzzles.iter().map(|kept| lines(&kept.position, &kept.solution.line)).collect();
    // What is near each one that is kept, by what it looks like.
    let near = |kept: &PuzzleIn<G>| {
        let mut near: HashSet<String> =
            game.moves(&kept.position).map(|mv| bare(game, name, &game.play(&kept.position, mv))).collect();
        let text = bare(game, name, &kept.position);
        let cells = changed_cells(&text).into_iter().filter(|text| game.parse(text).is_ok());
        near.extend(cells.map(|text| bare_of(game, name, &text)));
        let mut at = kept.position.clone();
        for pair in kept.solution.line.chunks_exact(2) {
            at = pair.iter().fold(at, |at, &mv| game.play(&at, mv));
            near.insert(bare(game, name, &at));
        }
        near
    };
    let nears: Vec<_> = thinned.puzzles.iter().map(near).collect();
    for puzzle in &all.puzzles {
        let text = bare(game, name, &puzzle.position);
        let line = lines(&puzzle.position, &puzzle.solution.line);
        let is_near = |n: usize| {
            nears[n].contains(&text)
                || kept_lines[n] == line
                || game.moves(&puzzle.position).any(|mv| {
                    bare(game, name, &game.play(&puzzle.position, mv)) == bare(game, name, &thinned.puzzles[n].position)
                })
        };
        match place(&text) {
            Some(own) => {
                assert_eq!(puzzle.difficulty.label, None, "{name}: {text}");
                assert!(!(0..own).any(is_near), "{name}: {text} is near a better one");
            }
            None => {
                let better = (0..nears.len()).filter(|n| {
                    let mut rank = puzzle.rank;
                    rank.follows = false;
                    thinned.puzzles[*n].rank.order() <= rank.order()
                });
                let near_a_better = better.into_iter().any(is_near);
                assert!(puzzle.difficulty.label.is_some() || near_a_better, "{name}: {text} is left out");
            }
        }
    }
}

#[test]
fn what_is_left_out_is_forced_or_near_a_better_one() {
    for (name, changes) in [
        ("tictactoe", &[][..]),
        ("platforms", &["board=3x4"]),
        ("kings", &["board=3x3"]),
        ("cram", &["board=3x4"]),
        ("blockgame", &["board=3x4"]),
        ("domineering", &["board=4x4"]),
    ] {
        match rules(name, changes).game().unwrap() {
            AnyGame::Walkers(game) => check_thinned(name, &game),
            AnyGame::Placement(game) => check_thinned(name, &game),
            AnyGame::Lines(game) => check_thinned(name, &game),
            _ => panic!("{name} is of another family"),
        }
    }
}

#[test]
fn heaps_a_token_apart_are_one_puzzle() {
    let AnyGame::Heaps(game) = rules("nim", &[]).game_at("3 5 7").unwrap() else { panic!("heaps") };
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
fn blocks_are_told_from_thought() {
    let AnyGame::Lines(game) = rules("tictactoe", &[]).game().unwrap() else { panic!("lines") };
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
fn everywhere_is_everywhere() {
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
        let seen_as = if changes.contains(&"torus=true") { "torus" } else { name };
        assert!(check_any(seen_as, &rules(name, changes).game().unwrap(), &ALL) > 0, "{name} {changes:?}");
    }
    for (name, start) in [("nim", "2 3 4"), ("kayles", "7"), ("dawson", "4 5"), ("tictactoe", "X../.O./...")] {
        assert!(check_any(name, &rules(name, &[]).game_at(start).unwrap(), &ALL) > 0, "{name} {start}");
    }
}

/// The images of a position's cells by the turns and reflections of a square.
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
fn no_puzzle_is_another_seen_otherwise() {
    for (name, changes, query) in [
        ("tictactoe", &[][..], ALL),
        ("cram", &["board=4x4"], ALL),
        ("platforms", &["board=4x4"], ALL),
        ("platforms", &[], PuzzleQuery { limit: Some(200), ..chance(3, 5_000) }),
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
fn chance_is_the_same_for_the_same_seed() {
    for name in ["platforms", "kings", "cram", "blockgame", "domineering", "tictactoe", "notakto", "nim"] {
        let game = rules(name, &[]).game().unwrap();
        let run = |seed| puzzles(&game, name, &chance(seed, 300), &Watch::default()).unwrap();
        let first = run(7);
        assert!(
            first.search == SearchScope::Chance
                && first.tried == 300
                && first.puzzles.len() <= PuzzleQuery::DEFAULT_LIMIT
        );
        assert_eq!(first, run(7), "{name}");
    }
    let game = rules("platforms", &[]).game().unwrap();
    let run = |seed| puzzles(&game, "platforms", &chance(seed, 300), &Watch::default()).unwrap().puzzles;
    assert_ne!(run(1), run(2));
}

#[test]
fn more_tries_find_no_worse() {
    let AnyGame::Walkers(game) = rules("platforms", &[]).game().unwrap() else { panic!("walkers") };
    let best = |tries| find_puzzles(&game, &chance(1, tries), &Watch::default()).unwrap().puzzles[0].rank;
    let bests = [1_000, 4_000, 16_000].map(best);
    assert!(bests.is_sorted_by_key(|rank| std::cmp::Reverse(rank.order())));
    assert!(bests[2].plies >= 15);
}

#[test]
fn the_longest_of_platforms_are_long() {
    let game = rules("platforms", &[]).game().unwrap();
    assert_eq!(check_any("platforms", &game, &PuzzleQuery { plies: PlyRange::at_least(15), ..ALL }), 24);
    let AnyGame::Walkers(game) = game else { panic!("walkers") };
    let from_corners = find_puzzles(&game, &ALL, &Watch::default()).unwrap();
    assert_eq!((from_corners.tried, from_corners.puzzles[0].rank.plies), (52_916, 19));
    // From anywhere else on the board.
    let found = check_game(&game, &PuzzleQuery { plies: PlyRange::at_least(15), limit: Some(3), ..chance(1, 1_000) });
    assert_eq!(found.puzzles[0].rank.plies, 23);
}

#[test]
fn those_on_better_lines_come_last() {
    let AnyGame::Walkers(game) = rules("platforms", &["board=4x4"]).game().unwrap() else { panic!("walkers") };
    let found = find_puzzles(&game, &ALL, &Watch::default()).unwrap();
    let first_following = found.puzzles.iter().position(|puzzle| puzzle.rank.follows).unwrap();
    assert!(found.puzzles[first_following..].iter().all(|puzzle| puzzle.rank.follows));
    let mut later = HashSet::new();
    let mut by_length: Vec<_> = found.puzzles.iter().collect();
    by_length.sort_by_key(|puzzle| std::cmp::Reverse(puzzle.rank.plies));
    for puzzle in by_length {
        assert_eq!(puzzle.rank.follows, later.contains(&bare(&game, "platforms", &puzzle.position)));
        let mut at = puzzle.position;
        for pair in puzzle.solution.line.chunks_exact(2) {
            at = pair.iter().fold(at, |at, &mv| game.play(&at, mv));
            later.insert(bare(&game, "platforms", &at));
        }
    }
}

#[test]
fn a_stopped_search_gives_what_it_has() {
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
fn stopped_on_the_way_is_not_everywhere() {
    let game = rules("tictactoe", &[]).game().unwrap();
    // All 765 are found, and then looked at one by one.
    let found = puzzles(&game, "tictactoe", &ALL, &Watch::with_limit(1_000)).unwrap();
    assert_eq!((found.search, found.exhaustive, found.tried), (SearchScope::Stopped, false, 234));
    assert!(!found.puzzles.is_empty());
}

#[test]
fn games_of_many_moves_are_tried_by_chance() {
    for (name, start) in [("nim", "250 250"), ("kayles", "300")] {
        let game = rules(name, &[]).game_at(start).unwrap();
        let found = puzzles(&game, name, &PuzzleQuery { tries: Some(2), ..ALL }, &Watch::default()).unwrap();
        assert_eq!((found.search, found.tried), (SearchScope::Chance, 2), "{name}");
    }
}

#[test]
fn what_is_over_is_looked_at_all_the_same() {
    for (name, end) in [("tictactoe", "XXX/OO./..."), ("nim", "0"), ("connect4", "OOO..../XXXX...")] {
        let game = rules(name, &[]).game_at(end).unwrap();
        let found = puzzles(&game, name, &PuzzleQuery { sample: true, ..ALL }, &Watch::default()).unwrap();
        assert_eq!((found.search, found.tried, found.puzzles.len()), (SearchScope::Everywhere, 1, 0), "{name}");
    }
}

#[test]
fn cells_that_are_out_of_reach_make_no_other_puzzle() {
    let many = |name| {
        puzzles(
            &rules(name, &[]).game().unwrap(),
            name,
            &PuzzleQuery { plies: PlyRange::at_least(3), ..ALL },
            &Watch::default(),
        )
    };
    assert_eq!(["cram", "platforms"].map(|name| many(name).unwrap().puzzles.len()), [2_233, 2_801]);
}

#[test]
fn heaps_too_large_are_refused() {
    let game = rules("nim", &[]).game_at("20000").unwrap();
    assert!(puzzles(&game, "nim", &ALL, &Watch::default()).is_err());
}

#[test]
fn puzzles_speak() {
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
    fn what_chance_finds_is_true(seed: u64, game in 0_usize..10) {
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
        let seen_as = if changes.contains(&"torus=true") { "torus" } else { name };
        check_any(seen_as, &rules(name, changes).game().unwrap(), &chance(seed, 60));
    }
}
