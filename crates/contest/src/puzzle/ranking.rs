//! The ranking of puzzles: by length, then by how tempting the wrong moves are. Leaves out those that are nearly the
//! same as a better one.

use std::cmp::Reverse;
use std::collections::HashSet;

use balpan::{Game, Solution, Verdict};
use balpan_games::{FamilyGame, format_line};
use serde::Serialize;

use super::{Puzzle, PuzzleIn};

/// A move that does not win, with the signs that make it tempting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongMove<M> {
    /// The move.
    pub mv: M,
    /// The outcome and remoteness of the move.
    pub verdict: Verdict,
    /// Whether it draws, or loses only after at least half as many plies as the win takes.
    pub late: bool,
    /// Whether it looks better than the winning move: it leaves the opponent fewer replies; or as many,
    /// and the game's move ordering ([`balpan::Game::rank`]) has it first.
    pub natural: bool,
    /// The only one of several replies that refutes it; for a drawn move, the only one that does not lose.
    pub only_reply: Option<M>,
}

impl<M> WrongMove<M> {
    /// Counts the signs that it has, of three.
    #[must_use]
    pub fn signs(&self) -> u32 {
        signs(self.late, self.natural, self.only_reply.is_some())
    }
}

/// Counts the signs that are set.
pub(super) fn signs(late: bool, natural: bool, narrow: bool) -> u32 {
    [late, natural, narrow].map(u32::from).iter().sum()
}

/// The criteria of the ranking. The field names in JSON are part of the command's contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Rank {
    /// Whether the position is on the line of a better puzzle, after an even number of plies. Such puzzles
    /// come last.
    pub follows: bool,
    /// The plies to the win; more are better.
    pub plies: u32,
    /// The sum of the next three fields.
    pub tempting: u32,
    /// The number of wrong moves that draw or lose late.
    pub late: u32,
    /// The number of wrong moves that look better than the winning move.
    pub natural: u32,
    /// The number of wrong moves with only one refutation.
    pub narrow: u32,
    /// The number of wrong moves.
    pub wrong: u32,
}

impl Rank {
    pub(super) fn new<M>(solution: &Solution<M>, wrong: &[WrongMove<M>]) -> Self {
        let count = |sign: fn(&WrongMove<M>) -> bool| wrong.iter().filter(|wrong| sign(wrong)).count() as u32;
        Self {
            follows: false,
            plies: solution.verdict.remoteness.unwrap_or(0),
            tempting: wrong.iter().map(WrongMove::signs).sum(),
            late: count(|wrong| wrong.late),
            natural: count(|wrong| wrong.natural),
            narrow: count(|wrong| wrong.only_reply.is_some()),
            wrong: wrong.len() as u32,
        }
    }

    /// Returns a sort key that puts better puzzles first.
    #[must_use]
    pub fn order(&self) -> impl Ord + use<> {
        (self.follows, Reverse(self.plies), Reverse(self.tempting), Reverse(self.wrong))
    }
}

/// Sorted puzzles.
pub(super) struct Ranked<P, M> {
    /// The puzzles, the best first.
    pub(super) puzzles: Vec<Puzzle<P, M>>,
    /// The number of puzzles that are left out because `all` is not set.
    pub(super) left_out: usize,
}

/// Sorts puzzles, the best first, and keeps the first of those that differ only in cells that no move can
/// reach. Unless `all` is set, also leaves out those that need no thought or are near a better one.
pub(super) fn rank_puzzles<G: FamilyGame>(
    game: &G,
    puzzles: Vec<PuzzleIn<G>>,
    all: bool,
) -> Ranked<G::Position, G::Move> {
    // The text breaks ties, so that the order does not depend on the search.
    let mut named: Vec<_> = puzzles.into_iter().map(|puzzle| (game.text(&puzzle.position), puzzle)).collect();
    named.iter_mut().for_each(|(_, puzzle)| puzzle.rank.follows = false);
    let order = |named: &mut Vec<(String, Puzzle<_, _>)>| {
        named.sort_by_cached_key(|(text, puzzle)| (puzzle.rank.order(), text.clone()));
    };
    order(&mut named);
    let mut seen = HashSet::new();
    named.retain(|(_, puzzle)| seen.insert(puzzle_key(game, &puzzle.position)));
    let distinct = named.len();
    if all {
        let mut on_lines = HashSet::new();
        for (_, puzzle) in &mut named {
            puzzle.rank.follows = on_lines.contains(&puzzle_key(game, &puzzle.position));
            on_lines.extend(line_keys(game, puzzle));
        }
        order(&mut named);
    } else {
        let mut selection = Selection::new(game);
        named.retain(|(_, puzzle)| puzzle.difficulty.label.is_none() && selection.insert(puzzle));
    }
    let left_out = distinct - named.len();
    Ranked { puzzles: named.into_iter().map(|(_, puzzle)| puzzle).collect(), left_out }
}

/// Returns the canonical position of all positions that are the same puzzle.
fn puzzle_key<G: FamilyGame>(game: &G, position: &G::Position) -> G::Position {
    game.canonical(&game.strip_dead_cells(position))
}

/// Returns the keys of the later positions on a puzzle's line in which the winner is to move.
fn line_keys<G: FamilyGame>(game: &G, puzzle: &PuzzleIn<G>) -> Vec<G::Position> {
    let mut position = puzzle.position.clone();
    let mut keys = Vec::new();
    for (ply, &mv) in puzzle.solution.line.iter().enumerate() {
        position = game.play(&position, mv);
        if ply % 2 == 1 {
            keys.push(puzzle_key(game, &position));
        }
    }
    keys
}

/// The selected puzzles, and the positions near them.
struct Selection<'a, G: Game> {
    game: &'a G,
    selected: HashSet<G::Position>,
    /// Positions one move or one cell away from a selected one, or on its line.
    near: HashSet<G::Position>,
    /// The lines of the selected puzzles, with the player who makes the first move.
    lines: HashSet<(balpan_games::PlayerName, Vec<String>)>,
}

impl<'a, G: FamilyGame> Selection<'a, G> {
    fn new(game: &'a G) -> Self {
        Self { game, selected: HashSet::new(), near: HashSet::new(), lines: HashSet::new() }
    }

    /// Selects a puzzle unless it is near a selected one. Returns whether it does.
    fn insert(&mut self, puzzle: &PuzzleIn<G>) -> bool {
        let game = self.game;
        let position = puzzle_key(game, &puzzle.position);
        let line = (game.players(&position)[0], format_line(game, &puzzle.position, &puzzle.solution.line));
        let successors: Vec<_> = game.moves(&position).map(|mv| puzzle_key(game, &game.play(&position, mv))).collect();
        let is_near = self.near.contains(&position)
            || self.lines.contains(&line)
            || successors.iter().any(|after| self.selected.contains(after));
        if is_near {
            return false;
        }
        self.near.extend(successors);
        self.near.extend(game.one_cell_variants(&position).iter().map(|other| puzzle_key(game, other)));
        self.near.extend(line_keys(game, puzzle));
        self.lines.insert(line);
        self.selected.insert(position);
        true
    }
}
