//! Known misunderstandings of tic-tac-toe: whose turn it is, and what a full board is.

use std::collections::HashMap;

use super::{Answer, CELLS, Case, TicTacToe};
use crate::judge::{Mistake, miscounted};

const TURN: &str = "x moves first: x is to move where there are as many x as o, and o where there is one x more";

pub(super) fn mistakes() -> Vec<Mistake<TicTacToe>> {
    let wrong_way_round = |case: &Case| Some(best(marks(case), if case.o_to_move() { 'x' } else { 'o' }));
    let always_x = |case: &Case| Some(best(marks(case), 'x'));
    vec![
        Mistake::new(
            "a full board with a line called TIE",
            "a line wins on a full board, too: look for one before counting free cells",
            |case: &Case| Some(full_before_line(marks(case), to_move(case))),
        ),
        Mistake::new("the turn mistaken: counts read the wrong way round", TURN, wrong_way_round),
        Mistake::new("the turn mistaken: x always taken to move", TURN, always_x),
        without("a diagonal forgotten: from the top left", &[DOWN]),
        without("a diagonal forgotten: from the top right", &[UP]),
        without("both diagonals forgotten", &[DOWN, UP]),
        Mistake::new("a memo by the free cells alone", MEMO, |case: &Case| {
            Some(by_free_cells(marks(case), to_move(case), &mut HashMap::new()))
        }),
    ]
}

/// The same memo kept from case to case, and a count of cases that is read wrongly.
pub(super) fn more() -> Vec<Mistake<TicTacToe>> {
    let mut more =
        vec![Mistake::in_turn("a memo by the free cells alone, kept between cases", MEMO, |cases: &[Case]| {
            let mut memo = HashMap::new();
            cases.iter().map(|case| Some(by_free_cells(marks(case), to_move(case), &mut memo))).collect()
        })];
    more.extend(miscounted());
    more
}

const MEMO: &str =
    "what a board is worth depends on who holds which cell: the key of a memo has to distinguish x from o";

fn to_move(case: &Case) -> char {
    if case.o_to_move() { 'o' } else { 'x' }
}

/// Right, but for lines that are not looked for.
fn without(name: &'static str, forgotten: &'static [Line]) -> Mistake<TicTacToe> {
    Mistake::new(
        name,
        "three in a diagonal win, too: there are eight lines, three rows, three columns and two diagonals",
        move |case: &Case| Some(with_lines(marks(case), to_move(case), forgotten)),
    )
}

fn with_lines(marks: Marks, to_move: char, forgotten: &'static [Line]) -> Answer {
    match line_of(&marks, forgotten) {
        Some(winner) => winner,
        None if !marks.contains(&'.') => Answer::Tie,
        None => choose(marks, to_move, &mut |marks, to_move| with_lines(marks, to_move, forgotten)),
    }
}

/// Right, but that boards with the same free cells are taken for the same.
fn by_free_cells(marks: Marks, to_move: char, memo: &mut HashMap<[bool; CELLS], Answer>) -> Answer {
    if let Some(winner) = line(&marks) {
        return winner;
    }
    if !marks.contains(&'.') {
        return Answer::Tie;
    }
    let key = marks.map(|mark| mark == '.');
    if let Some(&answer) = memo.get(&key) {
        return answer;
    }
    let answer = choose(marks, to_move, &mut |marks, to_move| by_free_cells(marks, to_move, memo));
    memo.insert(key, answer);
    answer
}

type Marks = [char; CELLS];

fn marks(case: &Case) -> Marks {
    std::array::from_fn(|cell| case.glyph(cell))
}

/// The right answer, if it is this player's turn.
fn best(marks: Marks, to_move: char) -> Answer {
    match line(&marks) {
        Some(winner) => winner,
        None if !marks.contains(&'.') => Answer::Tie,
        None => choose(marks, to_move, &mut best),
    }
}

/// A full board is a tie, whatever is on it.
fn full_before_line(marks: Marks, to_move: char) -> Answer {
    if !marks.contains(&'.') {
        return Answer::Tie;
    }
    match line(&marks) {
        Some(winner) => winner,
        None => choose(marks, to_move, &mut full_before_line),
    }
}

/// What the player to move likes best of what comes `after` each move.
fn choose(mut marks: Marks, to_move: char, after: &mut dyn FnMut(Marks, char) -> Answer) -> Answer {
    let (own, others, other) = if to_move == 'x' { (Answer::X, Answer::O, 'o') } else { (Answer::O, Answer::X, 'x') };
    let mut found = others;
    for cell in 0..CELLS {
        if marks[cell] == '.' {
            marks[cell] = to_move;
            let answer = after(marks, other);
            marks[cell] = '.';
            if answer == own {
                return own;
            }
            if answer == Answer::Tie {
                found = Answer::Tie;
            }
        }
    }
    found
}

type Line = [usize; 3];

/// The diagonals, from the top left and from the top right.
const DOWN: Line = [0, 4, 8];
const UP: Line = [2, 4, 6];

fn line(marks: &Marks) -> Option<Answer> {
    line_of(marks, &[])
}

/// Who has a line, but for those that are forgotten.
fn line_of(marks: &Marks, forgotten: &[Line]) -> Option<Answer> {
    const LINES: [Line; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], DOWN, UP];
    let lines = || LINES.iter().filter(|line| !forgotten.contains(line));
    let has = |glyph| lines().any(|line| line.iter().all(|&cell| marks[cell] == glyph));
    match (has('x'), has('o')) {
        (true, _) => Some(Answer::X),
        (_, true) => Some(Answer::O),
        _ => None,
    }
}
