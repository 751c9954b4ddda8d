//! Named games in which play may repeat, each against rules that are stated a second time.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;
use std::hash::Hash;

use balpan::reach::{Count, values};
use balpan::{Bounds, Budget, Engine, Game, Goal, Outcome, Retrograde, Solver, SplitMix, Value, Watch, laws};

#[allow(dead_code, reason = "the example is a program of its own")]
#[path = "../examples/dobutsu.rs"]
mod dobutsu;

use dobutsu::{CHICK, Dobutsu, ELEPHANT, GIRAFFE, HEN, LION, count_positions};

/// Returns the value of the start and the number of positions of each value that play can reach. `successors` returns the
/// positions after the moves, or the outcome of an end for the player to move; `relative` a position as that player sees it.
fn naive_values<S: Clone + Eq + Hash, R: Eq + Hash>(
    start: S,
    relative: impl Fn(&S) -> R,
    successors: impl Fn(&S) -> Result<Vec<S>, Outcome>,
) -> (Value, BTreeMap<String, usize>) {
    let mut numbers = HashMap::from([(start.clone(), 0)]);
    let (mut states, mut after) = (vec![start], Vec::new());
    while after.len() < states.len() {
        let of_state = successors(&states[after.len()]);
        let number = |state: S| {
            let next = numbers.len();
            *numbers.entry(state.clone()).or_insert_with(|| {
                states.push(state);
                next
            })
        };
        after.push(of_state.map(|states| states.into_iter().map(number).collect::<Vec<_>>()));
    }
    let mut found: Vec<_> = after.iter().map(|after| after.as_ref().err().map(|end| Value::terminal(*end))).collect();
    for plies in 1.. {
        let mut new = Vec::new();
        for (n, after) in after.iter().enumerate().filter(|(n, _)| found[*n].is_none()) {
            let values = || after.iter().flatten().map(|after| found[*after].map(Value::outcome));
            if values().any(|value| value == Some(Outcome::Loss)) {
                new.push((n, Value::win(plies)));
            } else if values().all(|value| value == Some(Outcome::Win)) {
                new.push((n, Value::loss(plies)));
            }
        }
        if new.is_empty() {
            break;
        }
        new.into_iter().for_each(|(n, value)| found[n] = Some(value));
    }
    let found: Vec<_> = found.into_iter().map(|value| value.unwrap_or(Value::DRAW)).collect();
    let mut seen = HashMap::new();
    for (state, value) in states.iter().zip(&found) {
        assert_eq!(seen.insert(relative(state), *value).unwrap_or(*value), *value);
    }
    (found[0], histogram(seen.into_values()))
}

fn histogram(values: impl IntoIterator<Item = Value>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    values.into_iter().for_each(|value| *counts.entry(value.to_string()).or_default() += 1);
    counts
}

/// Checks the values of all positions of a game against the other rules, and the engine with little memory.
fn check<G: Game<Position: Debug> + Clone, S: Clone + Eq + Hash, R: Eq + Hash>(
    game: &G,
    other: S,
    relative: impl Fn(&S) -> R,
    successors: impl Fn(&S) -> Result<Vec<S>, Outcome>,
) -> Value {
    let (start, watch) = (game.start(), Watch::default());
    let (value, counts) = naive_values(other, relative, successors);
    let all = values(game, &start, Count::Positions, usize::MAX, &watch).unwrap();
    assert_eq!((all[&start], histogram(all.values().copied())), (value, counts));
    let budget = Budget { threads: 2, ..Budget::default() };
    let mut table = Retrograde::new(game, &start, budget, &watch).unwrap();
    assert!(all.iter().all(|(position, value)| table.value(position) == Ok(*value)));
    for (position, value) in all.iter().take(20) {
        let mut engine = Engine::new(game.clone(), Budget { memory: 1 << 12, threads: 1 });
        let answer = engine.solve(position, Goal::Value, &Watch::with_limit(50_000), |_| {}).unwrap();
        assert!(answer.bounds.contains(*value) && (!answer.complete || answer.bounds == Bounds::exact(*value)));
    }
    assert_eq!(laws::check(game, 20, 1), Ok(()));
    value
}

/// Cat and Mouse II (LeetCode 1728): on a grid with walls the mouse moves first; either jumps up to so many cells in one
/// direction, or stays. Whoever comes to the food first wins, and the cat if it catches the mouse.
#[derive(Clone)]
struct Grid {
    rows: Vec<Vec<u8>>,
    jumps: [usize; 2],
}

impl Grid {
    fn find(&self, mark: u8) -> usize {
        let cells: Vec<u8> = self.rows.concat();
        cells.iter().position(|cell| *cell == mark).expect("the mark is on the grid")
    }

    fn jumps(&self, cell: usize, most: usize) -> Vec<usize> {
        let width = self.rows[0].len();
        let (row, column) = ((cell / width) as isize, (cell % width) as isize);
        let mut targets = vec![cell];
        for (down, right) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
            for n in 1..=most as isize {
                let at = (row + n * down, column + n * right);
                let there = self.rows.get(at.0 as usize).and_then(|row| row.get(at.1 as usize));
                if there.is_none_or(|cell| *cell == b'#') {
                    break;
                }
                targets.push(at.0 as usize * width + at.1 as usize);
            }
        }
        targets
    }
}

impl Game for Grid {
    /// The cells of the player to move and of the other, and whether the player is the mouse.
    type Position = (usize, usize, bool);
    type Move = usize;

    fn start(&self) -> Self::Position {
        (self.find(b'M'), self.find(b'C'), true)
    }

    fn moves(&self, &(own, other, is_mouse): &Self::Position) -> impl Iterator<Item = usize> {
        let food = self.find(b'F');
        let is_over = own == other || own == food || other == food;
        let jumps = if is_over { Vec::new() } else { self.jumps(own, self.jumps[usize::from(is_mouse)]) };
        jumps.into_iter()
    }

    fn play(&self, &(_, other, is_mouse): &Self::Position, cell: usize) -> Self::Position {
        (other, cell, !is_mouse)
    }

    fn end(&self, &(own, other, is_mouse): &Self::Position) -> Outcome {
        let wins = if own == other { !is_mouse } else { own == self.find(b'F') };
        if wins { Outcome::Win } else { Outcome::Loss }
    }

    fn may_repeat(&self) -> bool {
        true
    }
}

/// Whether the mouse wins, by the number of turns that are left, as the problem's limit of 1,000 turns.
fn mouse_wins(grid: &Grid) -> bool {
    let (cells, food) = (grid.rows.concat().len(), grid.find(b'F'));
    let mut wins = vec![vec![[false; 2]; cells]; cells];
    for _ in 0..2 * cells * cells {
        let before = wins.clone();
        for (mouse, cat) in (0..cells).flat_map(|mouse| (0..cells).map(move |cat| (mouse, cat))) {
            if mouse == cat || cat == food {
                continue;
            }
            if mouse == food {
                wins[mouse][cat] = [true; 2];
                continue;
            }
            wins[mouse][cat] = [
                grid.jumps(mouse, grid.jumps[1]).iter().any(|mouse| before[*mouse][cat][1]),
                grid.jumps(cat, grid.jumps[0]).iter().all(|cat| before[mouse][*cat][0]),
            ];
        }
        if wins == before {
            break;
        }
    }
    wins[grid.find(b'M')][grid.find(b'C')][0]
}

#[test]
fn cat_and_mouse_on_grids() {
    let wins = |grid: &Grid| balpan::solve(grid.clone()).unwrap().outcome() == Some(Outcome::Win);
    let grid = |rows: &[&str], cat, mouse| Grid {
        rows: rows.iter().map(|row| row.as_bytes().to_vec()).collect(),
        jumps: [cat, mouse],
    };
    // The examples of the problem.
    assert!(wins(&grid(&["####F", "#C...", "M...."], 1, 2)));
    assert!(wins(&grid(&["M.C...F"], 1, 4)));
    assert!(!wins(&grid(&["M.C...F"], 1, 3)));
    let mut random = SplitMix(1728);
    let mut counts = [0; 2];
    for _ in 0..200 {
        let (height, width) = (1 + random.below(4), 3 + random.below(3));
        let mut rows = vec![vec![b'.'; width]; height];
        rows.iter_mut().flatten().for_each(|cell| *cell = if random.below(4) == 0 { b'#' } else { b'.' });
        for mark in *b"CMF" {
            loop {
                let cell = &mut rows[random.below(height)][random.below(width)];
                if matches!(cell, b'.' | b'#') {
                    *cell = mark;
                    break;
                }
            }
        }
        let grid = Grid { rows, jumps: [1 + random.below(3), 1 + random.below(4)] };
        let expected = mouse_wins(&grid);
        assert_eq!(wins(&grid), expected, "{:?}", grid.rows);
        counts[usize::from(expected)] += 1;
    }
    assert!(counts.into_iter().all(|count| count > 30), "{counts:?}");
}

/// Tic-tac-toe in which each player keeps three marks: with the fourth the oldest one vanishes.
#[derive(Clone)]
struct Vanishing;

const ROWS: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl Game for Vanishing {
    /// The marks of the player to move and of the other, the oldest first; 9 for none.
    type Position = [[u8; 3]; 2];
    type Move = u8;

    fn start(&self) -> Self::Position {
        [[9; 3]; 2]
    }

    fn moves(&self, &[own, other]: &Self::Position) -> impl Iterator<Item = u8> {
        let cells = |marks: [u8; 3]| marks.iter().fold(0, |cells, mark| cells | 1_u16 << mark);
        let is_over = ROWS.iter().any(|row| cells(other) & row == *row);
        (0..9).filter(move |cell| !is_over && (cells(own) | cells(other)) >> cell & 1 == 0)
    }

    fn play(&self, &[[_, a, b], other]: &Self::Position, cell: u8) -> Self::Position {
        [other, [a, b, cell]]
    }

    fn may_repeat(&self) -> bool {
        true
    }

    fn key_bits(&self) -> u32 {
        24
    }

    fn key(&self, position: &Self::Position) -> u128 {
        position.iter().flatten().fold(0, |key, mark| key << 4 | u128::from(*mark))
    }

    fn position_from_key(&self, key: u128) -> Option<Self::Position> {
        let mark = |n: u32| (key >> (20 - 4 * n)) as u8 & 15;
        Some([[mark(0), mark(1), mark(2)], [mark(3), mark(4), mark(5)]])
    }
}

#[test]
fn tic_tac_toe_with_three_marks() {
    // The marks in the order in which they were made, and who is to move.
    let relative = |(marks, player): &(Vec<(usize, char)>, char)| {
        [true, false].map(|is_own| {
            let marks = marks.iter().filter(|(_, mark)| (mark == player) == is_own);
            marks.map(|(cell, _)| *cell).collect::<Vec<_>>()
        })
    };
    let value = check(&Vanishing, (Vec::new(), 'x'), relative, |(marks, player)| {
        let mut board = [' '; 9];
        marks.iter().for_each(|(cell, mark)| board[*cell] = *mark);
        let other = if *player == 'x' { 'o' } else { 'x' };
        let has_row = |cells: [usize; 3]| cells.iter().all(|cell| board[*cell] == other);
        let rows = (0..3).flat_map(|n| [[3 * n, 3 * n + 1, 3 * n + 2], [n, n + 3, n + 6]]);
        if rows.chain([[0, 4, 8], [2, 4, 6]]).any(has_row) {
            return Err(Outcome::Loss);
        }
        let after = (0..9).filter(|cell| board[*cell] == ' ').map(|cell| {
            let mut marks = marks.clone();
            marks.push((cell, *player));
            if marks.iter().filter(|(_, mark)| mark == player).count() > 3 {
                let oldest = marks.iter().position(|(_, mark)| mark == player).expect("a mark");
                marks.remove(oldest);
            }
            (marks, other)
        });
        Ok(after.collect())
    });
    assert!(value > Value::DRAW, "{value}");
}

/// Each player places so many pieces on a square board, and then moves them; a row of all of them wins, and in Teeko a small
/// square. Whoever cannot move loses.
#[derive(Clone)]
struct Placing {
    size: i32,
    pieces: u32,
    /// Whether pieces move along all diagonals, and squares win: Teeko; otherwise three men's morris.
    teeko: bool,
}

impl Placing {
    fn are_neighbours(&self, a: i32, b: i32) -> bool {
        let (down, right) = ((a / self.size - b / self.size).abs(), (a % self.size - b % self.size).abs());
        down.max(right) == 1 && (self.teeko || down + right == 1 || a == 4 || b == 4)
    }

    fn has_won(&self, stones: u32) -> bool {
        let (size, pieces) = (self.size, self.pieces as i32);
        let is_set = |row: i32, column: i32| {
            (0..size).contains(&row) && (0..size).contains(&column) && stones >> (row * size + column) & 1 != 0
        };
        let rows = [(0, 1), (1, 0), (1, 1), (1, -1)];
        (0..size * size).any(|cell| {
            let (row, column) = (cell / size, cell % size);
            rows.iter().any(|(down, right)| (0..pieces).all(|n| is_set(row + n * down, column + n * right)))
                || self.teeko && pieces == 4 && (0..4).all(|n| is_set(row + n / 2, column + n % 2))
        })
    }
}

impl Game for Placing {
    /// The stones of the player to move, those of the other, and the stones to place.
    type Position = (u32, u32, u32);
    /// From a cell, or -1, to a cell.
    type Move = (i32, i32);

    fn start(&self) -> Self::Position {
        (0, 0, 2 * self.pieces)
    }

    fn moves(&self, &(own, other, left): &Self::Position) -> impl Iterator<Item = (i32, i32)> {
        let cells = self.size * self.size;
        let sources = if self.has_won(other) {
            0..0
        } else if left > 0 {
            -1..0
        } else {
            0..cells
        };
        let is_source = move |source: i32| source < 0 || own >> source & 1 != 0;
        let all = sources
            .filter(move |source| is_source(*source))
            .flat_map(move |source| (0..cells).map(move |cell| (source, cell)));
        all.filter(move |&(source, cell)| {
            (own | other) >> cell & 1 == 0 && (source < 0 || self.are_neighbours(source, cell))
        })
    }

    fn play(&self, &(own, other, left): &Self::Position, (source, cell): (i32, i32)) -> Self::Position {
        let own = own | 1 << cell;
        (other, if source < 0 { own } else { own ^ 1 << source }, left.saturating_sub(1))
    }

    fn may_repeat(&self) -> bool {
        true
    }

    fn layer(&self, &(_, _, left): &Self::Position) -> Option<u32> {
        Some(left)
    }

    fn key_bits(&self) -> u32 {
        80
    }

    fn key(&self, &(own, other, left): &Self::Position) -> u128 {
        u128::from(own) << 48 | u128::from(other) << 16 | u128::from(left)
    }

    fn position_from_key(&self, key: u128) -> Option<Self::Position> {
        Some(((key >> 48) as u32, (key >> 16) as u32, key as u32 & 0xffff))
    }
}

/// The same games with a board of characters.
fn check_placing(game: &Placing) -> Value {
    let (size, pieces) = (game.size as usize, game.pieces as usize);
    let cells = size * size;
    let mut wins: Vec<Vec<usize>> = Vec::new();
    for (row, column) in (0..size).flat_map(|row| (0..size).map(move |column| (row, column))) {
        let cell = row * size + column;
        let (right, down) = (column + pieces <= size, row + pieces <= size);
        let mut add = |is_inside: bool, step: usize| {
            if is_inside {
                wins.push((0..pieces).map(|n| cell + n * step).collect());
            }
        };
        add(right, 1);
        add(down, size);
        add(right && down, size + 1);
        add(down && column + 1 >= pieces, size - 1);
        if game.teeko && pieces == 4 && row + 1 < size && column + 1 < size {
            wins.push(vec![cell, cell + 1, cell + size, cell + size + 1]);
        }
    }
    let relative = |(board, player): &(Vec<char>, char)| {
        board.iter().map(|mark| (*mark == ' ', mark == player)).collect::<Vec<_>>()
    };
    check(game, (vec![' '; cells], 'x'), relative, |(board, player)| {
        let other = if *player == 'x' { 'o' } else { 'x' };
        if wins.iter().any(|cells| cells.iter().all(|cell| board[*cell] == other)) {
            return Err(Outcome::Loss);
        }
        let mut after = Vec::new();
        let is_placing = board.iter().filter(|mark| *mark == player).count() < pieces;
        for target in (0..cells).filter(|cell| board[*cell] == ' ') {
            let mut placed = board.clone();
            placed[target] = *player;
            if is_placing {
                after.push((placed, other));
                continue;
            }
            for source in (0..cells).filter(|cell| board[*cell] == *player) {
                let distance = |a: usize, b: usize| a.abs_diff(b);
                let steps = [distance(source / size, target / size), distance(source % size, target % size)];
                let is_step = steps.iter().all(|step| *step < 2);
                let is_straight = steps.contains(&0);
                if is_step && (game.teeko || is_straight || [source, target].contains(&4)) {
                    let mut moved = placed.clone();
                    moved[source] = ' ';
                    after.push((moved, other));
                }
            }
        }
        if after.is_empty() { Err(Outcome::Loss) } else { Ok(after) }
    })
}

#[test]
fn three_mens_morris_and_small_teeko() {
    let morris = check_placing(&Placing { size: 3, pieces: 3, teeko: false });
    assert!(morris > Value::DRAW, "{morris}");
    check_placing(&Placing { size: 4, pieces: 3, teeko: true });
    check_placing(&Placing { size: 3, pieces: 4, teeko: true });
}

/// Fox and hounds: on the dark cells of a square board the hounds move diagonally ahead and the fox both ways; the fox wins on
/// the hounds' first row. Whoever cannot move loses.
#[derive(Clone)]
struct FoxAndHounds(i32);

impl Game for FoxAndHounds {
    /// The fox, the hounds in order, and whether the fox is to move; cells by row and column.
    type Position = (i32, Vec<i32>, bool);
    type Move = (i32, i32);

    fn start(&self) -> Self::Position {
        let size = self.0;
        (size * (size - 1) + size / 2 / 2 * 2, (0..size / 2).map(|n| 2 * n + 1).collect(), true)
    }

    fn moves(&self, (fox, hounds, fox_moves): &Self::Position) -> impl Iterator<Item = (i32, i32)> {
        let size = self.0;
        let steps = |cell: i32, rows: &'static [i32]| {
            let all = rows.iter().flat_map(move |row| [(*row, -1), (*row, 1)]);
            let inside = move |&(row, column): &(i32, i32)| {
                (0..size).contains(&(cell / size + row)) && (0..size).contains(&(cell % size + column))
            };
            all.filter(inside).map(move |(row, column)| (cell, cell + size * row + column))
        };
        let is_free = |cell: &i32| cell != fox && !hounds.contains(cell);
        let moves: Vec<_> = match fox_moves {
            _ if *fox < size => Vec::new(),
            true => steps(*fox, &[-1, 1]).filter(|(_, cell)| is_free(cell)).collect(),
            false => hounds.iter().flat_map(|hound| steps(*hound, &[1])).filter(|(_, cell)| is_free(cell)).collect(),
        };
        moves.into_iter()
    }

    fn play(&self, (fox, hounds, fox_moves): &Self::Position, (source, cell): (i32, i32)) -> Self::Position {
        let mut hounds = hounds.clone();
        hounds.iter_mut().filter(|hound| **hound == source && !fox_moves).for_each(|hound| *hound = cell);
        hounds.sort_unstable();
        (if *fox_moves { cell } else { *fox }, hounds, !fox_moves)
    }

    fn may_repeat(&self) -> bool {
        true
    }

    fn heap_bytes(&self, (_, hounds, _): &Self::Position) -> usize {
        size_of_val(&**hounds)
    }

    /// The rows ahead of the hounds: a move of the fox keeps them.
    fn layer(&self, (_, hounds, _): &Self::Position) -> Option<u32> {
        Some(hounds.iter().map(|hound| (self.0 - 1 - hound / self.0) as u32).sum())
    }
}

#[test]
fn fox_and_hounds() {
    for size in [4, 6] {
        let n = size as usize;
        let mut board = vec![vec!['.'; n]; n];
        (0..n / 2).for_each(|hound| board[0][2 * hound + 1] = 'h');
        board[n - 1][n / 2 / 2 * 2] = 'f';
        check(&FoxAndHounds(size), (board, 'f'), Clone::clone, |(board, player)| {
            if board[0].contains(&'f') {
                return Err(if *player == 'f' { Outcome::Win } else { Outcome::Loss });
            }
            let mut after = Vec::new();
            for (row, column) in (0..n).flat_map(|row| (0..n).map(move |column| (row, column))) {
                if board[row][column] != *player {
                    continue;
                }
                let rows = if *player == 'f' { vec![row.wrapping_sub(1), row + 1] } else { vec![row + 1] };
                for (to, side) in rows.into_iter().flat_map(|to| [(to, column.wrapping_sub(1)), (to, column + 1)]) {
                    if board.get(to).and_then(|row| row.get(side)) == Some(&'.') {
                        let mut board = board.clone();
                        (board[row][column], board[to][side]) = ('.', *player);
                        after.push((board, if *player == 'f' { 'h' } else { 'f' }));
                    }
                }
            }
            if after.is_empty() { Err(Outcome::Loss) } else { Ok(after) }
        });
    }
}

/// A board of dobutsu shogi as both see it, from the first player's side: pieces with their owners, hands, and who moves.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Shogi {
    board: BTreeMap<(i32, i32), (char, usize)>,
    hands: [Vec<char>; 2],
    player: usize,
}

impl Shogi {
    fn steps(kind: char) -> &'static [(i32, i32)] {
        match kind {
            'l' => &[(1, -1), (1, 0), (1, 1), (0, -1), (0, 1), (-1, -1), (-1, 0), (-1, 1)],
            'h' => &[(1, -1), (1, 0), (1, 1), (0, -1), (0, 1), (-1, 0)],
            'g' => &[(1, 0), (0, -1), (0, 1), (-1, 0)],
            'e' => &[(1, -1), (1, 1), (-1, -1), (-1, 1)],
            _ => &[(1, 0)],
        }
    }

    fn targets(&self, (row, column): (i32, i32)) -> Vec<(i32, i32)> {
        let (kind, owner) = self.board[&(row, column)];
        let ahead = if owner == 0 { 1 } else { -1 };
        let all = Self::steps(kind).iter().map(|(up, right)| (row + ahead * up, column + right));
        let is_inside = |cell: &(i32, i32)| (0..4).contains(&cell.0) && (0..3).contains(&cell.1);
        all.filter(is_inside).filter(|cell| self.board.get(cell).is_none_or(|(_, other)| *other != owner)).collect()
    }

    fn successors(&self) -> Result<Vec<Self>, Outcome> {
        let player = self.player;
        let of = |owner| self.board.iter().filter(move |(_, piece)| piece.1 == owner).map(|(cell, _)| *cell);
        let lion = |owner| of(owner).find(|cell| self.board[cell].0 == 'l');
        let last = |owner| if owner == 0 { 3 } else { 0 };
        let is_safe = |cell| !of(player).any(|own| self.targets(own).contains(&cell));
        if lion(player).is_none() || lion(1 - player).is_some_and(|cell| cell.0 == last(1 - player) && is_safe(cell)) {
            return Err(Outcome::Loss);
        }
        let mut after = Vec::new();
        for source in of(player) {
            for target in self.targets(source) {
                let mut next = Self { player: 1 - player, ..self.clone() };
                let (mut kind, _) = next.board.remove(&source).expect("a piece");
                if kind == 'c' && target.0 == last(player) {
                    kind = 'h';
                }
                match next.board.insert(target, (kind, player)) {
                    Some(('l', _)) | None => {}
                    Some(('h', _)) => next.hands[player].push('c'),
                    Some((captured, _)) => next.hands[player].push(captured),
                }
                next.hands[player].sort_unstable();
                after.push(next);
            }
        }
        for (n, kind) in self.hands[player].iter().enumerate() {
            if n > 0 && self.hands[player][n - 1] == *kind {
                continue;
            }
            for target in (0..12).map(|cell| (cell / 3, cell % 3)).filter(|cell| !self.board.contains_key(cell)) {
                let mut next = Self { player: 1 - player, ..self.clone() };
                next.hands[player].remove(n);
                next.board.insert(target, (*kind, player));
                after.push(next);
            }
        }
        Ok(after)
    }

    /// The position as the example stores it.
    fn packed(&self) -> u64 {
        let number = |kind| match kind {
            'l' => LION,
            'h' => HEN,
            'c' => CHICK,
            'g' => GIRAFFE,
            _ => ELEPHANT,
        };
        let mut packed = 0;
        for (&(row, column), &(kind, owner)) in &self.board {
            let cell = 3 * row + column;
            let cell = if self.player == 0 { cell } else { 11 - cell };
            packed |= (number(kind) | if owner == self.player { 0 } else { dobutsu::OTHER }) << (4 * cell);
        }
        for (n, owner) in [self.player, 1 - self.player].into_iter().enumerate() {
            for kind in &self.hands[owner] {
                packed += 1 << (48 + 6 * n as u64 + 2 * (number(*kind) - CHICK));
            }
        }
        packed
    }
}

fn shogi(pieces: &[(i32, i32, char, usize)]) -> Shogi {
    let board = pieces.iter().map(|&(row, column, kind, owner)| ((row, column), (kind, owner))).collect();
    Shogi { board, hands: [Vec::new(), Vec::new()], player: 0 }
}

#[test]
fn dobutsu_has_the_positions_of_other_rules() {
    let own = [(0, 0, 'e', 0), (0, 1, 'l', 0), (0, 2, 'g', 0), (1, 1, 'c', 0)];
    let other = own.map(|(row, column, kind, _)| (3 - row, 2 - column, kind, 1));
    let start = shogi(&[own, other].concat());
    assert_eq!(start.packed(), Dobutsu.start());
    let mut seen = HashMap::from([(start.packed(), ())]);
    let (mut last, mut counts) = (vec![start], vec![1]);
    for _ in 0..5 {
        let after = last.iter().flat_map(|state| state.successors().unwrap_or_default());
        let new: Vec<_> = after.filter(|state| seen.insert(state.packed(), ()).is_none()).collect();
        counts.push(new.len());
        last = new;
    }
    assert_eq!(count_positions(Dobutsu.start(), 5, false), counts);
    // Captures, drops and promotions are among them.
    assert!(last.iter().any(|state| state.hands.iter().any(|hand| !hand.is_empty())));
    let folded = count_positions(Dobutsu.start(), 5, true);
    assert!(folded.iter().zip(&counts).all(|(folded, all)| folded <= all && all <= &(2 * folded)), "{folded:?}");
    assert_eq!(laws::check(&Dobutsu, 20, 3), Ok(()));
}

#[test]
fn dobutsu_endgames_have_the_values_of_other_rules() {
    /// Dobutsu shogi from another position.
    #[derive(Clone)]
    struct From(u64);
    impl Game for From {
        type Position = u64;
        type Move = (u8, u8);

        fn start(&self) -> u64 {
            self.0
        }

        fn moves(&self, position: &u64) -> impl Iterator<Item = (u8, u8)> {
            Dobutsu.moves(position)
        }

        fn play(&self, position: &u64, mv: (u8, u8)) -> u64 {
            Dobutsu.play(position, mv)
        }

        fn may_repeat(&self) -> bool {
            true
        }
    }
    for third in [(1, 1, 'c', 0), (2, 0, 'g', 0), (1, 1, 'e', 1)] {
        let start = shogi(&[(0, 1, 'l', 0), (3, 1, 'l', 1), third]);
        check(&From(start.packed()), start, Shogi::packed, Shogi::successors);
    }
}
