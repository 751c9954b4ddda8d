//! Sorts puzzles, best first, and leaves out those that are nearly the same as a better one.

use std::collections::HashSet;

use balpan::Game;
use balpan_games::line_texts;

use super::chance::Puzzling;
use super::{Puzzle, PuzzleIn};

/// Puzzles in order.
pub(super) struct Ranked<P, M> {
    /// The best first.
    pub(super) puzzles: Vec<Puzzle<P, M>>,
    /// How many were left out that `all` would have had.
    pub(super) left_out: usize,
}

/// The best first; of those that are the same but for cells that no move can come to, the
/// first. Unless `all` are asked for, each needs thought and none is near a better one.
pub(super) fn ranked<G: Puzzling>(game: &G, puzzles: Vec<PuzzleIn<G>>, all: bool) -> Ranked<G::Position, G::Move> {
    // The text decides between equals, so that chance of another kind does not.
    let mut named: Vec<_> = puzzles.into_iter().map(|puzzle| (game.text(&puzzle.position), puzzle)).collect();
    named.iter_mut().for_each(|(_, puzzle)| puzzle.rank.follows = false);
    let order = |named: &mut Vec<(String, Puzzle<_, _>)>| {
        named.sort_by_cached_key(|(text, puzzle)| (puzzle.rank.order(), text.clone()));
    };
    order(&mut named);
    let mut seen = HashSet::new();
    named.retain(|(_, puzzle)| seen.insert(same(game, &puzzle.position)));
    let distinct = named.len();
    if all {
        let mut on_lines = HashSet::new();
        for (_, puzzle) in &mut named {
            puzzle.rank.follows = on_lines.contains(&same(game, &puzzle.position));
            on_lines.extend(on_line(game, puzzle));
        }
        order(&mut named);
    } else {
        let mut kept = Kept::new(game);
        named.retain(|(_, puzzle)| puzzle.difficulty.label.is_none() && kept.takes(puzzle));
    }
    let left_out = distinct - named.len();
    Ranked { puzzles: named.into_iter().map(|(_, puzzle)| puzzle).collect(), left_out }
}

/// What all positions have in common that are the same puzzle.
fn same<G: Puzzling>(game: &G, position: &G::Position) -> G::Position {
    game.canonical(&game.bare(position))
}

/// The positions of a puzzle's line in which its winner is to move, two plies on and four
/// and so on.
fn on_line<G: Puzzling>(game: &G, puzzle: &PuzzleIn<G>) -> Vec<G::Position> {
    let mut position = puzzle.position.clone();
    let mut passed = Vec::new();
    for (ply, &mv) in puzzle.solution.line.iter().enumerate() {
        position = game.play(&position, mv);
        if ply % 2 == 1 {
            passed.push(same(game, &position));
        }
    }
    passed
}

/// The puzzles that are kept, and what is near them.
struct Kept<'a, G: Game> {
    game: &'a G,
    kept: HashSet<G::Position>,
    /// A move or a cell away from one of them, or on its line.
    near: HashSet<G::Position>,
    /// Their lines, with the player who makes the first move.
    lines: HashSet<(&'static str, Vec<String>)>,
}

impl<'a, G: Puzzling> Kept<'a, G> {
    fn new(game: &'a G) -> Self {
        Self { game, kept: HashSet::new(), near: HashSet::new(), lines: HashSet::new() }
    }

    /// Keeps a puzzle, unless it is near one that is kept.
    fn takes(&mut self, puzzle: &PuzzleIn<G>) -> bool {
        let game = self.game;
        let position = same(game, &puzzle.position);
        let line = (game.players(&position)[0], line_texts(game, &puzzle.position, &puzzle.solution.line));
        let one_move_on: Vec<_> = game.moves(&position).map(|mv| same(game, &game.play(&position, mv))).collect();
        let is_near = self.near.contains(&position)
            || self.lines.contains(&line)
            || one_move_on.iter().any(|after| self.kept.contains(after));
        if is_near {
            return false;
        }
        self.near.extend(one_move_on);
        self.near.extend(game.one_cell_away(&position).iter().map(|other| same(game, other)));
        self.near.extend(on_line(game, puzzle));
        self.lines.insert(line);
        self.kept.insert(position);
        true
    }
}
