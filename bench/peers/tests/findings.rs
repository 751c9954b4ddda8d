//! What README.md says is wrong in peers, so that it is taken back once it is mended:
//! each test passes while the fault is there.

use std::collections::HashSet;

use balpan::{Game, Outcome, Value, Verdict, minimax};
use balpan_peers::nim::Nim;
use balpan_peers::peers::Peer;
use balpan_peers::peers::game_solver::GameSolver;
use board_game::ai::solver::{SolverValue, solve_all_moves, solve_value};
use board_game::board::Board;
use board_game::games::ttt::TTTBoard;
use board_game::util::coord::Coord3;

/// The crate's tic-tac-toe with these cells played in turn, by index.
fn tic_tac_toe(played: &[u8]) -> TTTBoard {
    let mut board = TTTBoard::default();
    for &cell in played {
        board.play(at(cell)).expect("a free cell");
    }
    board
}

fn at(cell: u8) -> Coord3 {
    Coord3::from_xy(cell % 3, cell / 3)
}

/// Of the moves that `solve_all_moves` calls best, those whose outcome is another by
/// the crate's own `solve_value`.
fn falsely_best(board: &TTTBoard) -> Vec<Coord3> {
    let result = solve_all_moves(board, 9);
    let outcome = |mv| (-solve_value(&board.clone_and_play(mv).expect("a move"), 9)).to_outcome_wdl();
    let best = result.best_move.into_iter().flatten();
    best.filter(|&mv| outcome(mv) != result.value.to_outcome_wdl()).collect()
}

/// Here b threatens the middle column, and leaving it open is called as good as closing
/// it.
#[test]
fn board_game_calls_moves_best_that_are_not() {
    let board = tic_tac_toe(&[5, 2, 6, 4, 8, 7]);
    assert_eq!(solve_all_moves(&board, 9).value, SolverValue::Draw);
    assert_eq!(falsely_best(&board), [at(3)]);

    let (mut to_do, mut met, mut wrong) = (vec![TTTBoard::default()], HashSet::new(), 0);
    while let Some(board) = to_do.pop() {
        if !board.is_done() && met.insert(board.clone()) {
            wrong += usize::from(!falsely_best(&board).is_empty());
            to_do.extend((0..9).filter_map(|cell| board.clone_and_play(at(cell)).ok()));
        }
    }
    assert_eq!((wrong, met.len()), (498, 4520));
}

/// So many plies, and nobody wins.
struct Idle(u8);

impl Game for Idle {
    type Position = u8;
    type Move = ();

    fn start(&self) -> u8 {
        self.0
    }

    fn moves(&self, &left: &u8) -> impl Iterator<Item = ()> {
        (left > 0).then_some(()).into_iter()
    }

    fn play(&self, left: &u8, (): ()) -> u8 {
        left - 1
    }

    fn end(&self, _: &u8) -> Outcome {
        Outcome::Draw
    }
}

/// A position without moves counts as lost for the player to move, whatever it is.
#[test]
fn game_solver_knows_neither_draws_nor_misere_ends() {
    static IDLE: Idle = Idle(2);
    let verdict = |left: u8| GameSolver::verdict(&IDLE, &left, left.into()).outcome;
    assert_eq!([verdict(1), verdict(2)], [Outcome::Win, Outcome::Loss]);

    static NIM: Nim = Nim { heaps: [0, 0, 1], misere: true };
    assert_eq!(minimax(&NIM, &NIM.heaps), Ok(Value::loss(1)));
    assert_eq!(GameSolver::verdict(&NIM, &NIM.heaps, 1).outcome, Outcome::Win);
}

/// Misère Nim as normal play without the moves that lose at once.
struct NoLastOne(Nim);

impl Game for NoLastOne {
    type Position = [u8; 3];
    type Move = (usize, u8);

    fn start(&self) -> [u8; 3] {
        self.0.start()
    }

    fn moves(&self, heaps: &[u8; 3]) -> impl Iterator<Item = (usize, u8)> {
        self.0.moves(heaps).filter(|&mv| self.0.play(heaps, mv) != [0; 3])
    }

    fn play(&self, heaps: &[u8; 3], mv: (usize, u8)) -> [u8; 3] {
        self.0.play(heaps, mv)
    }
}

/// Nothing is wrong where a player without moves loses: that is a way round.
#[test]
fn game_solver_is_right_once_misere_is_rewritten() {
    static NIM: Nim = Nim { heaps: [3, 3, 3], misere: true };
    static REWRITTEN: NoLastOne = NoLastOne(NIM);
    for heaps in (0..64).map(|n| [n & 3, n >> 2 & 3, n >> 4]).filter(|heaps| heaps.iter().sum::<u8>() > 1) {
        let Verdict { outcome, .. } = GameSolver::verdict(&REWRITTEN, &heaps, 9);
        assert_eq!(Ok(outcome), minimax(&NIM, &heaps).map(Value::outcome), "{heaps:?}");
    }
}
