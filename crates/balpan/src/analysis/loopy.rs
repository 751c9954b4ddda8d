//! Nimbers of impartial games in which play may repeat.

use std::fmt;
use std::mem::size_of;
use std::ops::Add;

use rustc_hash::FxHashMap;

use super::reach::{ReachError, max_entries};
use crate::game::Game;
use crate::search::watch::{BrokenPromise, Counter, Stopped, Watch};
use crate::value::{Outcome, Value};

/// The value of a position in sums of impartial games in which play may repeat, by the normal convention: whoever cannot move
/// loses, and play without end is a draw.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LoopyNimber {
    /// The position is worth as much as a heap of this size in Nim.
    Finite(u32),
    /// The position is worth as much as one from which a player can go to heaps of these sizes, in order, or play on
    /// without end.
    Infinite(Vec<u32>),
}

impl LoopyNimber {
    /// Returns the outcome for the player to move.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        match self {
            Self::Finite(0) => Outcome::Loss,
            Self::Finite(_) => Outcome::Win,
            Self::Infinite(heaps) if heaps.contains(&0) => Outcome::Win,
            Self::Infinite(_) => Outcome::Draw,
        }
    }
}

/// The value of the sum of two positions. Whoever leaves one of two infinite parts for a heap is answered in the other, without
/// end, so their sum is infinite and leads to no heap.
impl Add for LoopyNimber {
    type Output = Self;

    #[allow(clippy::suspicious_arithmetic_impl, reason = "nimbers are added without carrying")]
    fn add(self, other: Self) -> Self {
        match (self, other) {
            (Self::Finite(one), Self::Finite(other)) => Self::Finite(one ^ other),
            (Self::Infinite(heaps), Self::Finite(nimber)) | (Self::Finite(nimber), Self::Infinite(heaps)) => {
                let mut heaps: Vec<_> = heaps.into_iter().map(|heap| heap ^ nimber).collect();
                heaps.sort_unstable();
                Self::Infinite(heaps)
            }
            (Self::Infinite(_), Self::Infinite(_)) => Self::Infinite(Vec::new()),
        }
    }
}

/// Writes `3`, or `∞(0, 2)`.
impl fmt::Display for LoopyNimber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finite(nimber) => write!(f, "{nimber}"),
            Self::Infinite(heaps) => {
                let heaps: Vec<_> = heaps.iter().map(u32::to_string).collect();
                write!(f, "∞({})", heaps.join(", "))
            }
        }
    }
}

/// Returns the value in sums of every position that play can reach from `start`, one of each symmetry class, in an impartial
/// game in which play may repeat. It need not declare so: where play always ends all values are finite.
///
/// For *m* = 0, 1, 2 and so on, a position gets the nimber *m* if it has moves to all smaller ones and none to *m*, and each of
/// its moves to a position without a nimber has an answer to *m*. What then has no move to *m* never gets a nimber.
///
/// The players must have the same moves; for other games the values mean nothing.
///
/// Cost: each move is generated once, and takes 8 bytes; two look-ups an edge and a pass over the positions for each nimber.
///
/// Source: C. A. B. Smith, "Graphs and composite games" (1966), and A. S. Fraenkel and Y. Yesha, "The generalized
/// Sprague–Grundy function and its invariance under certain mappings" (1986).
///
/// # Errors
/// [`ReachError::TooMany`] if the positions do not fit in `memory` bytes, and [`ReachError::Stopped`] if the watch stops it or
/// play ends in anything but a loss for the player to move.
pub fn loopy_nimbers<G: Game>(
    game: &G,
    start: &G::Position,
    memory: usize,
    watch: &Watch,
) -> Result<Vec<(G::Position, LoopyNimber)>, ReachError> {
    let graph = Graph::list(game, start, memory, watch)?;
    let nimbers = graph.nimbers(watch)?;
    let values = (0..nimbers.len()).map(|node| match nimbers[node] {
        Label::Nimber(nimber) => LoopyNimber::Finite(nimber),
        Label::Unknown | Label::Infinite => {
            let mut heaps: Vec<_> =
                graph.after(node).iter().filter_map(|&after| nimbers[after as usize].nimber()).collect();
            heaps.sort_unstable();
            heaps.dedup();
            LoopyNimber::Infinite(heaps)
        }
    });
    let values: Vec<_> = values.collect();
    Ok(graph.positions.into_iter().zip(values).collect())
}

/// Positions by number, and the numbers of those after each one's moves.
struct Graph<P> {
    positions: Vec<P>,
    /// Where the moves of a position begin in `moves`, and where the last ones end.
    begins: Vec<usize>,
    moves: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Label {
    Unknown,
    Nimber(u32),
    Infinite,
}

impl Label {
    const fn nimber(self) -> Option<u32> {
        match self {
            Self::Nimber(nimber) => Some(nimber),
            Self::Unknown | Self::Infinite => None,
        }
    }
}

impl<P> Graph<P> {
    fn list<G: Game<Position = P>>(game: &G, start: &P, memory: usize, watch: &Watch) -> Result<Self, ReachError>
    where
        P: Clone + Eq + std::hash::Hash,
    {
        // A position is in the hash table and in the list, with its label and where its moves begin.
        let max_positions = max_entries(memory / 2, size_of::<(P, u32)>()).min(u32::MAX as usize);
        let max_moves = memory / 4 / size_of::<[u32; 2]>();
        let start = game.canonical(start);
        let mut numbers = FxHashMap::from_iter([(start.clone(), 0)]);
        let mut graph = Self { positions: vec![start], begins: vec![0], moves: Vec::new() };
        let mut counter = Counter::new(watch);
        let mut node = 0;
        while node < graph.positions.len() {
            counter.count()?;
            let position = graph.positions[node].clone();
            for mv in game.moves(&position) {
                let after = game.canonical(&game.play(&position, mv));
                let next = graph.positions.len();
                let number = *numbers.entry(after).or_insert_with_key(|after| {
                    graph.positions.push(after.clone());
                    next as u32
                });
                if graph.positions.len() > max_positions || graph.moves.len() == max_moves {
                    return Err(ReachError::TooMany(next));
                }
                graph.moves.push(number);
            }
            if graph.moves.len() == graph.begins[node] && game.end_value(&position) != Value::terminal(Outcome::Loss) {
                return Err(Stopped::Broken(BrokenPromise::ImpartialEnd).into());
            }
            graph.begins.push(graph.moves.len());
            node += 1;
        }
        Ok(graph)
    }

    fn after(&self, node: usize) -> &[u32] {
        &self.moves[self.begins[node]..self.begins[node + 1]]
    }

    /// Returns for each position those before it, as a graph without positions.
    fn reversed(&self) -> Graph<()> {
        let nodes = self.positions.len();
        let mut begins = vec![0; nodes + 2];
        // First the numbers of moves, two places on; then where they begin, one place on, which filling them in moves on.
        self.moves.iter().for_each(|&after| begins[after as usize + 2] += 1);
        (2..nodes + 2).for_each(|node| begins[node] += begins[node - 1]);
        let mut moves = vec![0; self.moves.len()];
        for node in 0..nodes {
            for &after in self.after(node) {
                let place = &mut begins[after as usize + 1];
                moves[*place] = node as u32;
                *place += 1;
            }
        }
        begins.pop();
        Graph { positions: Vec::new(), begins, moves }
    }

    fn nimbers(&self, watch: &Watch) -> Result<Vec<Label>, Stopped> {
        let before = self.reversed();
        let nodes = self.positions.len();
        let mut labels = vec![Label::Unknown; nodes];
        for nimber in 0.. {
            watch.count(nodes as u64)?;
            // Moves to positions without a nimber from which no move leads to one with this nimber.
            let mut unanswered: Vec<u32> = (0..nodes)
                .map(|node| {
                    self.after(node).iter().filter(|&&after| labels[after as usize].nimber().is_none()).count() as u32
                })
                .collect();
            let mut leads_there = vec![false; nodes];
            let is_next = |node: usize, labels: &[Label], unanswered: &[u32]| {
                labels[node] == Label::Unknown && unanswered[node] == 0
            };
            let mut queue: Vec<_> = (0..nodes).filter(|&node| is_next(node, &labels, &unanswered)).collect();
            while let Some(node) = queue.pop() {
                if leads_there[node] || labels[node] != Label::Unknown {
                    continue;
                }
                labels[node] = Label::Nimber(nimber);
                for &answered in before.after(node) {
                    let answered = answered as usize;
                    if std::mem::replace(&mut leads_there[answered], true) || labels[answered].nimber().is_some() {
                        continue;
                    }
                    for &node in before.after(answered) {
                        let node = node as usize;
                        unanswered[node] -= 1;
                        if is_next(node, &labels, &unanswered) {
                            queue.push(node);
                        }
                    }
                }
            }
            let mut is_done = true;
            for node in (0..nodes).filter(|&node| labels[node] == Label::Unknown).collect::<Vec<_>>() {
                if leads_there[node] {
                    is_done = false;
                } else {
                    labels[node] = Label::Infinite;
                }
            }
            if is_done {
                break;
            }
        }
        Ok(labels)
    }
}
