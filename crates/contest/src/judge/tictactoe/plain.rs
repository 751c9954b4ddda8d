//! Plain solvers of tic-tac-toe: those with a known misunderstanding (whose turn it is, full boards, forgotten
//! lines, a memo that confuses boards), and the right ones whose visits are counted.

use rustc_hash::FxHashMap;

use super::{ALL_LINES, Answer, CELLS, Case, DIAGONALS, TicTacToe};
use crate::judge::mistake::{count_mistakes, evaluate};
use crate::judge::{Mistake, Recursion};

const TURN_REMEDY: &str = "x moves first: x is to move where there are as many x as o, and o where there is one x more";

const LINE_REMEDY: &str =
    "three in a diagonal win, too: there are eight lines, three rows, three columns and two diagonals";

const MEMO_REMEDY: &str =
    "what a board is worth depends on who holds which cell: the key of a memo has to distinguish x from o";

const UNDO_REMEDY: &str =
    "try each free cell, and take its mark back after the recursion: the next cell is tried on the same board";

/// A board, and whether o is to move.
type Turn = (Case, bool);

/// Answers by free cells.
type Memo = FxHashMap<u16, Answer>;

pub(super) fn mistakes() -> Vec<Mistake<TicTacToe>> {
    let forgetting = |name: &str, forgotten: &'static [u16]| {
        Mistake::new(name, LINE_REMEDY, move |case: &Case| {
            Some(solve(case, case.o_to_move(), |case| end(case, forgotten)))
        })
    };
    vec![
        Mistake::new(
            "a full board with a line called TIE",
            "a line wins on a full board, too: look for one before counting free cells",
            |case: &Case| {
                let end = |case: Case| if case.is_full() { Some(Answer::Tie) } else { winner(case, &[]) };
                Some(solve(case, case.o_to_move(), end))
            },
        ),
        Mistake::new("the turn mistaken: counts read the wrong way round", TURN_REMEDY, |case: &Case| {
            Some(solve(case, !case.o_to_move(), |case| end(case, &[])))
        }),
        Mistake::new("the turn mistaken: x always taken to move", TURN_REMEDY, |case: &Case| {
            Some(solve(case, false, |case| end(case, &[])))
        }),
        forgetting("a diagonal forgotten: from the top left", &DIAGONALS[..1]),
        forgetting("a diagonal forgotten: from the top right", &DIAGONALS[1..]),
        forgetting("both diagonals forgotten", DIAGONALS),
        Mistake::new("a memo by the free cells alone", MEMO_REMEDY, |case: &Case| {
            Some(solve_by_free_cells(case, &mut Memo::default()))
        }),
    ]
}

/// The same memo kept from case to case, boards that are not restored, and the mistakes in reading the number of cases.
pub(super) fn more_mistakes() -> Vec<Mistake<TicTacToe>> {
    let kept =
        Mistake::stateful("a memo by the free cells alone, kept between cases", MEMO_REMEDY, |cases: &[Case]| {
            let mut memo = Memo::default();
            cases.iter().map(|case| Some(solve_by_free_cells(case, &mut memo))).collect()
        });
    let undo = [
        without_undo("the board not restored after a move, or only the first free cell tried", true),
        without_undo("the board not restored after a move, moves tried up to a win", false),
    ];
    [kept].into_iter().chain(undo).chain(count_mistakes()).collect()
}

/// A correct solver, if `end` returns the answer where play ends.
fn solve(case: &Case, o_to_move: bool, end: impl Fn(Case) -> Option<Answer>) -> Answer {
    evaluate((*case, o_to_move), &mut Memo::default(), &|_| None, &|turn, after| {
        end(turn.0).unwrap_or_else(|| best_answer(turn, false, after))
    })
}

/// A correct solver except that its memo confuses boards with the same free cells.
fn solve_by_free_cells(case: &Case, memo: &mut Memo) -> Answer {
    let key = |(case, _): Turn| end(case, &[]).is_none().then_some(case.x | case.o);
    evaluate((*case, case.o_to_move()), memo, &key, &|turn, after| {
        end(turn.0, &[]).unwrap_or_else(|| best_answer(turn, false, after))
    })
}

fn without_undo(name: &str, tries_all: bool) -> Mistake<TicTacToe> {
    Mistake::new(name, UNDO_REMEDY, move |case: &Case| {
        Some(solve_without_undo(&mut { *case }, case.o_to_move(), tries_all))
    })
}

/// A correct solver but for the marks on the board, which stay.
fn solve_without_undo(case: &mut Case, o_to_move: bool, tries_all: bool) -> Answer {
    if let Some(answer) = end(*case, &[]) {
        return answer;
    }
    let [own, other] = if o_to_move { [Answer::O, Answer::X] } else { [Answer::X, Answer::O] };
    let mut best = other;
    for cell in 0..CELLS {
        if (case.x | case.o) >> cell & 1 == 1 {
            continue;
        }
        *(if o_to_move { &mut case.o } else { &mut case.x }) |= 1 << cell;
        let answer = solve_without_undo(case, !o_to_move, tries_all);
        if answer == own || best == other {
            best = answer;
        }
        if best == own && !tries_all {
            break;
        }
    }
    best
}

/// Returns the best answer for the player to move, where `after` answers the board after each move: of all moves, or
/// up to the first that wins.
fn best_answer((case, o_to_move): Turn, tries_all: bool, after: &mut dyn FnMut(Turn) -> Answer) -> Answer {
    let [own, other] = if o_to_move { [Answer::O, Answer::X] } else { [Answer::X, Answer::O] };
    let mut best = other;
    for cell in case.free() {
        let mut next = case;
        *(if o_to_move { &mut next.o } else { &mut next.x }) |= 1 << cell;
        let answer = after((next, !o_to_move));
        if answer == own || best == other {
            best = answer;
        }
        if best == own && !tries_all {
            break;
        }
    }
    best
}

/// Returns the answer at the end of play, without looking for the `forgotten` lines.
fn end(case: Case, forgotten: &[u16]) -> Option<Answer> {
    winner(case, forgotten).or(case.is_full().then_some(Answer::Tie))
}

/// Returns who has a line, without looking for the `forgotten` ones.
fn winner(case: Case, forgotten: &[u16]) -> Option<Answer> {
    let has_line = |marks: u16| {
        let mut lines = ALL_LINES.into_iter().flatten();
        lines.any(|line| marks & line == *line && !forgotten.contains(line))
    };
    has_line(case.x).then_some(Answer::X).or(has_line(case.o).then_some(Answer::O))
}

pub(super) fn recursions() -> Vec<Recursion<TicTacToe>> {
    let recursion = |name, tries_all| {
        Recursion::new(name, move |case: &Case| {
            let start = (*case, case.o_to_move());
            let (_, visits) = evaluate(start, &mut FxHashMap::default(), &|_| None::<()>, &|turn, after| {
                let mut visited = 1_u64;
                let mut answer_after = |next| {
                    let (answer, more) = after(next);
                    visited += more;
                    answer
                };
                let answer = end(turn.0, &[]).unwrap_or_else(|| best_answer(turn, tries_all, &mut answer_after));
                (answer, visited)
            });
            visits
        })
    };
    vec![recursion("every move", true), recursion("moves until one wins", false)]
}
