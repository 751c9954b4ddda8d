//! Programs of learners with one slip each, written as learners write them: each is caught, and its slip named or, where
//! nothing explains its answers, nothing is.

use std::collections::HashMap;
use std::time::Duration;

use balpan::Watch;
use balpan_contest::program::Program;
use balpan_contest::stress::{StressOptions, Verdict, stress};
use balpan_contest::{BlockGame, Judge, Platforms, TicTacToe};

use crate::naive;
use crate::programs::outputs;

const OPTIONS: StressOptions = StressOptions {
    seed: 1,
    cases: Some(6_000),
    time: Duration::from_secs(120),
    time_limit: Duration::from_secs(60),
    memory_limit: None,
    batch: None,
    threads: 1,
};

/// A slip of a program; not every program can make each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slip {
    None,
    /// The board is not restored after the recursion.
    Undo,
    /// Alpha and beta are negated and not exchanged.
    Window,
    /// Bounds of alpha-beta are stored as values.
    Bounds,
    /// The value at the end is that of the first player in a recursion by the player to move.
    End,
    /// The sign is not changed.
    Sign,
    /// The memo's key is the number of marks, tiles or free cells.
    Count,
    /// The memo's key does not tell the players apart.
    Roles,
    /// One more ply at the end.
    Leaf,
    /// Tokens may not share a tile.
    Share,
    /// The line of the player to move is tested, not that of the player who moved.
    OwnLine,
    /// x makes all moves.
    OnlyX,
    /// The answer is always the same.
    Constant,
    /// A recursion by the first move only.
    First,
}

/// Runs a solver of one case as a program: the input is cut into cases of so many lines, after a line with their number if
/// `counted`.
fn program(lines: usize, counted: bool, solve: impl Fn(&[&str]) -> String + Send + Sync + 'static) -> Program {
    Program::from_function("slip", move |input, _, _| {
        let text = std::str::from_utf8(input).unwrap();
        let rows: Vec<_> = text.lines().skip(usize::from(counted)).collect();
        outputs(rows.chunks(lines).map(|case| solve(case) + "\n").collect())
    })
}

/// Tests a program; returns the names of the mistakes that explain its answers best, or `right`.
fn diagnose<J: Judge>(judge: &J, program: &Program) -> Vec<String> {
    let report = stress(judge, program, &OPTIONS, &Watch::default()).unwrap();
    if report.verdict() == Verdict::Right {
        return vec!["right".to_owned()];
    }
    let difference = report.difference.unwrap();
    assert!(difference.minimality.all_tried, "{:?}", difference.case);
    let unexplained: Vec<_> = difference.suspects.iter().map(|suspect| suspect.compared - suspect.explains).collect();
    let best = difference.suspects.into_iter().zip(&unexplained).take_while(|(_, count)| **count == unexplained[0]);
    best.map(|(suspect, _)| suspect.mistake.name).collect()
}

/// Checks that a name begins as expected, or that there is none where nothing is expected. Programs may have other names, too,
/// where they give the same answers: those of a memo by a number alone are those of the first moves.
fn check<J: Judge>(judge: &J, expected: &[(Slip, &str)], program: impl Fn(Slip) -> Program) {
    let mut misnamed = Vec::new();
    for &(slip, expected) in expected {
        let names = diagnose(judge, &program(slip));
        let is_named = names.iter().any(|name| !expected.is_empty() && name.starts_with(expected));
        if is_named == expected.is_empty() || (expected.is_empty() && !names.is_empty()) {
            misnamed.push(format!("{slip:?}: taken for {names:?}"));
        }
    }
    assert!(misnamed.is_empty(), "{misnamed:#?}");
}

struct TicTacToeProgram {
    slip: Slip,
    memo: HashMap<String, i32>,
}

impl TicTacToeProgram {
    fn solve(slip: Slip, rows: &[&str]) -> String {
        if slip == Slip::Constant {
            return "TIE".to_owned();
        }
        let mut board: Vec<char> = rows.concat().chars().collect();
        let count = |mark| board.iter().filter(|other| **other == mark).count();
        let turn = if count('x') > count('o') { 'o' } else { 'x' };
        let value = Self { slip, memo: HashMap::new() }.value(&mut board, turn, -2, 2);
        let other = if turn == 'x' { 'o' } else { 'x' };
        match value {
            0 => "TIE".to_owned(),
            1.. => turn.to_string(),
            _ => other.to_string(),
        }
    }

    fn has_line(board: &[char], mark: char) -> bool {
        let lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
        lines.iter().any(|line| line.iter().all(|cell| board[*cell] == mark))
    }

    fn value(&mut self, board: &mut Vec<char>, turn: char, mut alpha: i32, beta: i32) -> i32 {
        let other = if turn == 'x' && self.slip != Slip::OnlyX { 'o' } else { 'x' };
        let tested = if self.slip == Slip::OwnLine { turn } else { other };
        if Self::has_line(board, tested) {
            return if self.slip == Slip::End && tested == 'x' { 1 } else { -1 };
        }
        if !board.contains(&'.') {
            return 0;
        }
        let filled = |cell: &char| if *cell == '.' { '.' } else { '#' };
        let key = match self.slip {
            Slip::Bounds => Some(board.iter().collect()),
            Slip::Count => Some(board.iter().filter(|cell| **cell == '.').count().to_string()),
            Slip::Roles => Some(board.iter().map(filled).collect()),
            _ => None,
        };
        if let Some(known) = key.as_ref().and_then(|key: &String| self.memo.get(key)) {
            return *known;
        }
        let mut best = -2;
        for cell in 0..9 {
            if board[cell] != '.' {
                continue;
            }
            board[cell] = turn;
            let [low, high] = if self.slip == Slip::Window { [-alpha, -beta] } else { [-beta, -alpha] };
            let after = self.value(board, other, low, high);
            if self.slip != Slip::Undo {
                board[cell] = '.';
            }
            best = best.max(if self.slip == Slip::Sign { after } else { -after });
            if matches!(self.slip, Slip::Window | Slip::Bounds) {
                alpha = alpha.max(best);
                if alpha >= beta {
                    break;
                }
            }
            if self.slip == Slip::First {
                break;
            }
        }
        self.memo.extend(key.map(|key| (key, best)));
        best
    }
}

#[test]
fn slips_in_tic_tac_toe_are_named() {
    check(
        &TicTacToe,
        &[
            (Slip::None, "right"),
            (Slip::Undo, "the board not restored after a move"),
            (Slip::Window, "alpha and beta not exchanged"),
            (Slip::Bounds, "bounds of alpha-beta stored as values"),
            (Slip::End, "the value at the end always that of the first player"),
            (Slip::Sign, "the value after a move taken for the player who moved"),
            (Slip::Count, "a memo by a number alone"),
            (Slip::Roles, "a memo that does not tell the players apart"),
            (Slip::First, "the board not restored after a move, or only the first free cell tried"),
            // Three kinds that answer TIE nearly always, of which nothing is said.
            (Slip::OwnLine, ""),
            (Slip::OnlyX, ""),
            (Slip::Constant, ""),
        ],
        |slip| program(3, true, move |rows| TicTacToeProgram::solve(slip, rows)),
    );
}

struct PlatformsProgram {
    slip: Slip,
    cols: usize,
    memo: HashMap<(Vec<usize>, [usize; 2], bool), i32>,
}

impl PlatformsProgram {
    fn solve(slip: Slip, line: &str) -> String {
        if slip == Slip::None {
            return naive::platforms(line);
        }
        let numbers: Vec<usize> = line.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect();
        let rows = line.split("\"aloc\"").next().unwrap().matches('[').count() - 1;
        let (tiles, tokens) = numbers.split_at(numbers.len() - 4);
        let cols = tiles.len() / rows;
        let [a, b] = [tokens[0] * cols + tokens[1], tokens[2] * cols + tokens[3]];
        let mut solver = Self { slip, cols, memo: HashMap::new() };
        let value = solver.value(&mut tiles.to_vec(), [a, b], 0, [-100, 100]);
        (100 - value.abs()).to_string()
    }

    /// Returns 100 less the plies from the start, negative if the player to move loses.
    fn value(&mut self, tiles: &mut Vec<usize>, [me, other]: [usize; 2], ply: i32, [mut alpha, beta]: [i32; 2]) -> i32 {
        let end = 100 - ply - i32::from(self.slip == Slip::Leaf);
        let lost = if self.slip == Slip::End && ply % 2 == 1 { end } else { -end };
        if tiles[me] == 0 {
            return lost;
        }
        let key = match self.slip {
            Slip::Count => Some((vec![tiles.iter().sum()], [0, 0], false)),
            Slip::Roles => Some((tiles.clone(), [me.min(other), me.max(other)], false)),
            Slip::Bounds => Some((tiles.clone(), [me, other], ply % 2 == 0)),
            _ => None,
        };
        if let Some(known) = key.as_ref().and_then(|key| self.memo.get(key)) {
            // Values are kept by the plies from the position on.
            return *known - known.signum() * ply;
        }
        let mut best = None;
        for (is_inside, cell) in [
            (me >= self.cols, me.wrapping_sub(self.cols)),
            (me + self.cols < tiles.len(), me + self.cols),
            (me % self.cols > 0, me.wrapping_sub(1)),
            ((me + 1) % self.cols > 0, me + 1),
        ] {
            if !is_inside || tiles[cell] == 0 || (self.slip == Slip::Share && cell == other) {
                continue;
            }
            tiles[me] = 0;
            let window = if self.slip == Slip::Window { [-alpha, -beta] } else { [-beta, -alpha] };
            let after = self.value(tiles, [other, cell], ply + 1, window);
            if self.slip != Slip::Undo {
                tiles[me] = 1;
            }
            let value = if self.slip == Slip::Sign { after } else { -after };
            best = best.max(Some(value));
            if matches!(self.slip, Slip::Window | Slip::Bounds) {
                alpha = alpha.max(value);
                if alpha >= beta {
                    break;
                }
            }
            if self.slip == Slip::First {
                break;
            }
        }
        let best = best.unwrap_or(lost);
        self.memo.extend(key.map(|key| (key, best + best.signum() * ply)));
        best
    }
}

#[test]
fn slips_in_platforms_are_named() {
    check(
        &Platforms,
        &[
            (Slip::None, "right"),
            (Slip::Undo, "the tile not put back"),
            // Which programs err where depends on the order of moves, of which there are too many.
            (Slip::Window, ""),
            (Slip::End, "the value at the end always that of the first player"),
            (Slip::Sign, "maximising for both sides, whoever wins"),
            (Slip::Count, "a memo by the number of tiles"),
            (Slip::Roles, "a memo that does not tell the tokens apart"),
            (Slip::Leaf, "counting the end as a ply"),
            (Slip::Share, "a tile with the other token on it taken for occupied"),
            (Slip::First, "the first move taken in place of the best"),
        ],
        |slip| program(1, false, move |rows| PlatformsProgram::solve(slip, rows[0])),
    );
}

/// Whether the player to move wins the block game on a board that is changed in place.
fn wins_block_game(slip: Slip, free: &mut [bool; 25], memo: &mut HashMap<usize, bool>) -> bool {
    const PIECES: [&[usize]; 6] = [&[0, 1], &[0, 5], &[0, 1, 5], &[0, 1, 6], &[0, 5, 6], &[1, 5, 6]];
    let key = free.iter().filter(|free| **free).count();
    if slip == Slip::Count
        && let Some(known) = memo.get(&key)
    {
        return *known;
    }
    let mut wins = false;
    for cell in 0..25 {
        for piece in PIECES {
            let fits = |part: &usize| {
                let (row, col) = (cell / 5 + part / 5, cell % 5 + part % 5);
                row < 5 && col < 5 && free[row * 5 + col]
            };
            if wins || !piece.iter().all(fits) {
                continue;
            }
            piece.iter().for_each(|part| free[cell + part] = false);
            let after = wins_block_game(slip, free, memo);
            wins = if slip == Slip::Sign { after } else { !after };
            if slip != Slip::Undo {
                piece.iter().for_each(|part| free[cell + part] = true);
            }
        }
    }
    memo.insert(key, wins);
    wins
}

#[test]
fn slips_in_the_block_game_are_named() {
    check(
        &BlockGame,
        &[
            (Slip::Undo, "the pieces left on the board, dominoes first at each cell"),
            (Slip::Sign, "the value after a move taken for the player who moved"),
            (Slip::Count, "a memo by the number of free cells"),
        ],
        |slip| {
            program(5, true, move |rows| {
                let text: Vec<_> = rows.concat().chars().collect();
                let wins = wins_block_game(slip, &mut std::array::from_fn(|n| text[n] == '.'), &mut HashMap::new());
                if wins { "WINNING" } else { "LOSING" }.to_owned()
            })
        },
    );
}

/// Mistakes that change plies alone change no winner.
#[test]
fn plies_do_not_matter_to_outcomes() {
    let watch = Watch::default();
    let mut reference = TicTacToe.reference(&watch);
    for mistake in TicTacToe.more_mistakes() {
        let of_plies = ["the loser hurrying", "the winner holding out", "counting the end", "taking the first winning"];
        if !of_plies.iter().any(|name| mistake.name.starts_with(name)) {
            continue;
        }
        for case in (0..=9).flat_map(|cells| TicTacToe.cases_of_size(cells)) {
            assert_eq!(
                mistake.answer(&TicTacToe, &case),
                Some(reference(&case).unwrap()),
                "{}: {case:?}",
                mistake.name
            );
        }
    }
}
