//! Known misunderstandings of tic-tac-toe, about whose turn it is and about full boards.

use std::collections::HashMap;

use super::{Answer, CELLS, Case, TicTacToe};
use crate::judge::{Mistake, count_mistakes};

const TURN_REMEDY: &str = "x moves first: x is to move where there are as many x as o, and o where there is one x more";

pub(super) fn mistakes() -> Vec<Mistake<TicTacToe>> {
    let wrong_way_round = |case: &Case| Some(solve(marks(case), if case.o_to_move() { 'x' } else { 'o' }, &[]));
    let always_x = |case: &Case| Some(solve(marks(case), 'x', &[]));
    vec![
        Mistake::new(
            "a full board with a line called TIE",
            "a line wins on a full board, too: look for one before counting free cells",
            |case: &Case| Some(solve_full_before_line(marks(case), to_move(case))),
        ),
        Mistake::new("the turn mistaken: counts read the wrong way round", TURN_REMEDY, wrong_way_round),
        Mistake::new("the turn mistaken: x always taken to move", TURN_REMEDY, always_x),
        without_lines("a diagonal forgotten: from the top left", &[FROM_TOP_LEFT]),
        without_lines("a diagonal forgotten: from the top right", &[FROM_TOP_RIGHT]),
        without_lines("both diagonals forgotten", &[FROM_TOP_LEFT, FROM_TOP_RIGHT]),
        Mistake::new("a memo by the free cells alone", MEMO_REMEDY, |case: &Case| {
            Some(solve_by_free_cells(marks(case), to_move(case), &mut HashMap::new()))
        }),
    ]
}

/// The same memo kept from case to case, and the mistakes in reading the number of cases.
pub(super) fn more_mistakes() -> Vec<Mistake<TicTacToe>> {
    let mut more = vec![Mistake::stateful(
        "a memo by the free cells alone, kept between cases",
        MEMO_REMEDY,
        |cases: &[Case]| {
            let mut memo = HashMap::new();
            cases.iter().map(|case| Some(solve_by_free_cells(marks(case), to_move(case), &mut memo))).collect()
        },
    )];
    more.extend(count_mistakes());
    more
}

const MEMO_REMEDY: &str =
    "what a board is worth depends on who holds which cell: the key of a memo has to distinguish x from o";

fn to_move(case: &Case) -> char {
    if case.o_to_move() { 'o' } else { 'x' }
}

fn without_lines(name: &'static str, forgotten: &'static [Line]) -> Mistake<TicTacToe> {
    Mistake::new(
        name,
        "three in a diagonal win, too: there are eight lines, three rows, three columns and two diagonals",
        move |case: &Case| Some(solve(marks(case), to_move(case), forgotten)),
    )
}

/// A correct solver except that it does not look for the `forgotten` lines.
fn solve(marks: Marks, to_move: char, forgotten: &'static [Line]) -> Answer {
    match winner(&marks, forgotten) {
        Some(winner) => winner,
        None if !marks.contains(&'.') => Answer::Tie,
        None => choose(marks, to_move, &mut |marks, to_move| solve(marks, to_move, forgotten)),
    }
}

/// A correct solver except that its memo confuses boards with the same free cells.
fn solve_by_free_cells(marks: Marks, to_move: char, memo: &mut HashMap<[bool; CELLS], Answer>) -> Answer {
    if let Some(winner) = winner(&marks, &[]) {
        return winner;
    }
    if !marks.contains(&'.') {
        return Answer::Tie;
    }
    let key = marks.map(|mark| mark == '.');
    if let Some(&answer) = memo.get(&key) {
        return answer;
    }
    let answer = choose(marks, to_move, &mut |marks, to_move| solve_by_free_cells(marks, to_move, memo));
    memo.insert(key, answer);
    answer
}

type Marks = [char; CELLS];

fn marks(case: &Case) -> Marks {
    std::array::from_fn(|cell| case.glyph(cell))
}

/// A solver that calls every full board a tie.
fn solve_full_before_line(marks: Marks, to_move: char) -> Answer {
    if !marks.contains(&'.') {
        return Answer::Tie;
    }
    match winner(&marks, &[]) {
        Some(winner) => winner,
        None => choose(marks, to_move, &mut solve_full_before_line),
    }
}

/// Returns the best answer for the player to move, where `solve` answers the board after each move.
fn choose(mut marks: Marks, to_move: char, solve: &mut dyn FnMut(Marks, char) -> Answer) -> Answer {
    let (own, others, other) = if to_move == 'x' { (Answer::X, Answer::O, 'o') } else { (Answer::O, Answer::X, 'x') };
    let mut best = others;
    for cell in 0..CELLS {
        if marks[cell] == '.' {
            marks[cell] = to_move;
            let answer = solve(marks, other);
            marks[cell] = '.';
            if answer == own {
                return own;
            }
            if answer == Answer::Tie {
                best = Answer::Tie;
            }
        }
    }
    best
}

type Line = [usize; 3];

const FROM_TOP_LEFT: Line = [0, 4, 8];
const FROM_TOP_RIGHT: Line = [2, 4, 6];

/// Returns who has a line, not looking for the `forgotten` ones.
fn winner(marks: &Marks, forgotten: &[Line]) -> Option<Answer> {
    const LINES: [Line; 8] =
        [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], FROM_TOP_LEFT, FROM_TOP_RIGHT];
    let lines = || LINES.iter().filter(|line| !forgotten.contains(line));
    let has = |glyph| lines().any(|line| line.iter().all(|&cell| marks[cell] == glyph));
    match (has('x'), has('o')) {
        (true, _) => Some(Answer::X),
        (_, true) => Some(Answer::O),
        _ => None,
    }
}
