//! Naive solvers of the three problems, written from the statements alone. Each takes an input with one small case and
//! returns the answer, in the judge's formats.
#![allow(dead_code, reason = "each test uses a part")]

type Grid = Vec<Vec<char>>;

/// Solves a case of Programmers 92345.
pub(crate) fn platforms(input: &str) -> String {
    let numbers: Vec<usize> = input.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect();
    let rows = input.split("\"aloc\"").next().unwrap().matches('[').count() - 1;
    let (cells, tokens) = numbers.split_at(numbers.len() - 4);
    let mut board: Vec<Vec<usize>> = cells.chunks(cells.len() / rows).map(<[usize]>::to_vec).collect();
    let (_, plies) = walk(&mut board, (tokens[0], tokens[1]), (tokens[2], tokens[3]));
    plies.to_string()
}

/// Returns whether the player to move wins, and in how many plies.
fn walk(board: &mut Vec<Vec<usize>>, me: (usize, usize), other: (usize, usize)) -> (bool, u32) {
    if board[me.0][me.1] == 0 {
        return (false, 0);
    }
    let (mut wins, mut losses) = (Vec::new(), Vec::new());
    for (down, right) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
        let (row, col) = (me.0 as i32 + down, me.1 as i32 + right);
        let inside = (0..board.len() as i32).contains(&row) && (0..board[0].len() as i32).contains(&col);
        if inside && board[row as usize][col as usize] == 1 {
            board[me.0][me.1] = 0;
            let (other_wins, plies) = walk(board, other, (row as usize, col as usize));
            board[me.0][me.1] = 1;
            if other_wins { &mut losses } else { &mut wins }.push(plies + 1);
        }
    }
    match wins.iter().min() {
        Some(&plies) => (true, plies),
        None => (false, losses.into_iter().max().unwrap_or(0)),
    }
}

/// Solves a case of AlgoSpot BLOCKGAME.
pub(crate) fn block_game(input: &str) -> String {
    let mut board: Grid = input.lines().skip(1).map(|row| row.chars().collect()).collect();
    if mover_wins(&mut board) { "WINNING" } else { "LOSING" }.to_owned()
}

fn mover_wins(board: &mut Grid) -> bool {
    const BLOCKS: [&[(usize, usize)]; 6] = [
        &[(0, 0), (0, 1)],
        &[(0, 0), (1, 0)],
        &[(0, 0), (0, 1), (1, 0)],
        &[(0, 0), (0, 1), (1, 1)],
        &[(0, 0), (1, 0), (1, 1)],
        &[(0, 1), (1, 0), (1, 1)],
    ];
    for row in 0..5 {
        for col in 0..5 {
            for block in BLOCKS {
                let cells: Vec<_> = block.iter().map(|(r, c)| (row + r, col + c)).collect();
                if cells.iter().all(|&(r, c)| r < 5 && c < 5 && board[r][c] == '.') {
                    cells.iter().for_each(|&(r, c)| board[r][c] = '#');
                    let lost = !mover_wins(board);
                    cells.iter().for_each(|&(r, c)| board[r][c] = '.');
                    if lost {
                        return true;
                    }
                }
            }
        }
    }
    false
}

/// Solves a case of AlgoSpot TICTACTOE.
pub(crate) fn tic_tac_toe(input: &str) -> String {
    let mut board: Grid = input.lines().skip(1).map(|row| row.chars().collect()).collect();
    let count = |mark| board.iter().flatten().filter(|&&cell| cell == mark).count();
    let [me, other] = if count('x') == count('o') { ['x', 'o'] } else { ['o', 'x'] };
    match minimax(&mut board, me, other) {
        1 => me.to_string(),
        -1 => other.to_string(),
        _ => "TIE".to_owned(),
    }
}

/// Returns 1 if `me`, who is to move, wins, -1 if `other` wins, and 0 for a tie.
fn minimax(board: &mut Grid, me: char, other: char) -> i32 {
    let row = |n: usize| (0..3).all(|i| board[n][i] == other);
    let col = |n: usize| (0..3).all(|i| board[i][n] == other);
    let diagonals = [(0..3).all(|i| board[i][i] == other), (0..3).all(|i| board[i][2 - i] == other)];
    if (0..3).any(row) || (0..3).any(col) || diagonals.contains(&true) {
        return -1;
    }
    let mut best = None;
    for row in 0..3 {
        for col in 0..3 {
            if board[row][col] == '.' {
                board[row][col] = me;
                best = best.max(Some(-minimax(board, other, me)));
                board[row][col] = '.';
            }
        }
    }
    best.unwrap_or(0)
}
