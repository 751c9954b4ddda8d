//! The ranking of puzzles, and their difficulty for people. Puzzles are ranked by length, then by how tempting the wrong moves are. Leaves out those that are nearly the
//! same as a better one.

use std::cmp::Reverse;
use std::collections::HashSet;

use balpan::{Game, Outcome, Solution, Verdict};
use balpan_games::{FamilyGame, format_line};
use balpan_pictures::puzzle::Level;
use serde::{Serialize, Serializer};

use super::{Puzzle, PuzzleIn};

/// A move that does not win, with the signs that make it tempting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongMove<M> {
    /// The move.
    pub mv: M,
    /// The value of the move.
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
    /// Whether the position is on the line of a better puzzle, with the same player to move. Such puzzles
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

/// Returns the plies to the win: where it has a score, those of the line.
pub(super) fn win_plies<M>(solution: &Solution<M>) -> u32 {
    solution.verdict.remoteness.unwrap_or(solution.line.len() as u32)
}

impl Rank {
    pub(super) fn new<M>(solution: &Solution<M>, wrong: &[WrongMove<M>]) -> Self {
        let count = |sign: fn(&WrongMove<M>) -> bool| wrong.iter().filter(|wrong| sign(wrong)).count() as u32;
        Self {
            follows: false,
            plies: win_plies(solution),
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

/// The reason why a puzzle needs no thought. The names in JSON are part of the command's contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Label {
    /// The winning move ends the game.
    #[serde(rename = "at once")]
    AtOnce,
    /// Every other move loses within two plies.
    #[serde(rename = "forced")]
    Forced,
}

/// The difficulty of a puzzle for people, who compare the moves that look good. The field names in JSON are part of the
/// command's contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Difficulty {
    /// The difficulty in points: 0 for a puzzle with a label; otherwise the winner's moves after the first,
    /// plus one for each doubling of the moves that look good, plus the opponent's moves in the deepest
    /// refutation.
    #[serde(rename = "difficulty")]
    pub points: u32,
    /// The level of the points.
    #[serde(serialize_with = "serialize_level")]
    pub level: Level,
    /// The number of wrong moves that look as good as the winning one: they do not lose within two plies.
    pub alike: u32,
    /// The plies of the deepest refutation among those of these moves that look better than the winning
    /// one ([`WrongMove::natural`]); a draw counts as the win's plies; 0 if there are none.
    pub deepest: u32,
    /// The reason why the puzzle needs no thought, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<Label>,
}

impl Difficulty {
    pub(super) fn new<M>(solution: &Solution<M>, wrong: &[WrongMove<M>]) -> Self {
        let win_plies = win_plies(solution);
        let is_alike = |wrong: &&WrongMove<M>| !loses_soon(wrong.verdict);
        let alike = wrong.iter().filter(is_alike).count() as u32;
        let depth = |wrong: &WrongMove<M>| wrong.verdict.remoteness.unwrap_or(win_plies);
        let deepest = wrong.iter().filter(is_alike).filter(|wrong| wrong.natural).map(depth).max().unwrap_or(0);
        let label = match (win_plies, alike) {
            (0..=1, _) => Some(Label::AtOnce),
            (_, 0) => Some(Label::Forced),
            _ => None,
        };
        // With the winning move there are two, four or eight moves to choose from: 1, 2 or 3.
        let doublings = (alike + 1).ilog2();
        let points =
            if label.is_some() { 0 } else { win_plies.saturating_sub(1) / 2 + doublings + deepest.div_ceil(2) };
        let level = match points {
            0..=3 => Level::Easy,
            4..=7 => Level::Medium,
            8..=12 => Level::Hard,
            _ => Level::VeryHard,
        };
        Self { points, level, alike, deepest, label }
    }
}

/// Whether a move loses within two plies.
fn loses_soon(verdict: Verdict) -> bool {
    verdict.outcome == Outcome::Loss && verdict.remoteness.is_some_and(|plies| plies <= 2)
}

/// Serializes a level as its name.
fn serialize_level<S: Serializer>(level: &Level, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(level.name())
}

/// Sorts puzzles, the best first, and keeps the first of those that differ only in cells that no move can
/// reach. Unless `all` is set, also leaves out those that need no thought or are near a better one, and returns their number.
pub(super) fn rank_puzzles<G: FamilyGame>(game: &G, puzzles: Vec<PuzzleIn<G>>, all: bool) -> (Vec<PuzzleIn<G>>, usize) {
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
    (named.into_iter().map(|(_, puzzle)| puzzle).collect(), left_out)
}

/// Returns the canonical position of all positions that are the same puzzle.
fn puzzle_key<G: FamilyGame>(game: &G, position: &G::Position) -> G::Position {
    game.canonical(&game.strip_dead_cells(position))
}

/// Returns the keys of the later positions on a puzzle's line in which the winner is to move.
fn line_keys<G: FamilyGame>(game: &G, puzzle: &PuzzleIn<G>) -> Vec<G::Position> {
    let (mut position, mut mover) = (puzzle.position.clone(), 0);
    let mut keys = Vec::new();
    for &mv in &puzzle.solution.line {
        let after = game.play(&position, mv);
        mover = game.turn(&position, mv, &after).next_player(mover);
        position = after;
        if mover == 0 {
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
