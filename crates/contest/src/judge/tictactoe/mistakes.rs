//! Known misunderstandings of tic-tac-toe: whose turn it is, and what a full board is.

use super::{Answer, CELLS, Case, TicTacToe};
use crate::judge::Mistake;

const TURN: &str = "x moves first: x is to move where there are as many x as o, and o where there is one x more";

pub(super) fn mistakes() -> Vec<Mistake<TicTacToe>> {
    let wrong_way_round = |case: &Case| Some(best(marks(case), if case.o_to_move() { 'x' } else { 'o' }));
    let always_x = |case: &Case| Some(best(marks(case), 'x'));
    vec![
        Mistake::new(
            "a full board with a line called TIE",
            "a line wins on a full board, too: look for one before counting free cells",
            |case: &Case| {
                let to_move = if case.o_to_move() { 'o' } else { 'x' };
                Some(full_before_line(marks(case), to_move))
            },
        ),
        Mistake::new("the turn mistaken: counts read the wrong way round", TURN, wrong_way_round),
        Mistake::new("the turn mistaken: x always taken to move", TURN, always_x),
    ]
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
        None => choose(marks, to_move, best),
    }
}

/// A full board is a tie, whatever is on it.
fn full_before_line(marks: Marks, to_move: char) -> Answer {
    if !marks.contains(&'.') {
        return Answer::Tie;
    }
    match line(&marks) {
        Some(winner) => winner,
        None => choose(marks, to_move, full_before_line),
    }
}

/// What the player to move likes best of what comes `after` each move.
fn choose(mut marks: Marks, to_move: char, after: fn(Marks, char) -> Answer) -> Answer {
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

fn line(marks: &Marks) -> Option<Answer> {
    const LINES: [[usize; 3]; 8] =
        [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
    let has = |glyph| LINES.iter().any(|line| line.iter().all(|&cell| marks[cell] == glyph));
    match (has('x'), has('o')) {
        (true, _) => Some(Answer::X),
        (_, true) => Some(Answer::O),
        _ => None,
    }
}
