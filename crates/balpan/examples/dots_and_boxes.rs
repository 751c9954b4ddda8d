//! Dots and Boxes: a game with scores, in which a move may keep the turn.

use balpan::{EngineError, Game};

/// A board of boxes. A player draws an edge between two neighbouring dots; whoever draws the last edge of a box owns it
/// and moves again. The most boxes win.
#[derive(Clone, Debug)]
pub struct DotsAndBoxes {
    /// The set of edges of each box, one bit an edge.
    boxes: Vec<u64>,
    edges: u32,
}

/// The edges that are drawn, and the lead in boxes of the player to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The set of drawn edges.
    pub drawn: u64,
    /// The boxes of the player to move, less those of the other.
    pub lead: i32,
}

impl DotsAndBoxes {
    /// A board of at most 64 edges. Level edges come first, row by row, then upright ones.
    pub fn new(rows: u32, cols: u32) -> Self {
        let level = |row, col| 1_u64 << (row * cols + col);
        let upright = |row, col| 1_u64 << ((rows + 1) * cols + row * (cols + 1) + col);
        let sides = |row, col| level(row, col) | level(row + 1, col) | upright(row, col) | upright(row, col + 1);
        let boxes = (0..rows).flat_map(|row| (0..cols).map(move |col| sides(row, col))).collect();
        Self { boxes, edges: (rows + 1) * cols + rows * (cols + 1) }
    }

    /// The number of boxes that `after` closes.
    fn closed(&self, drawn: u64, after: u64) -> usize {
        self.boxes.iter().filter(|sides| *sides & !after == 0 && *sides & !drawn != 0).count()
    }
}

impl Game for DotsAndBoxes {
    type Position = Position;
    type Move = u32; // an edge

    fn start(&self) -> Position {
        Position { drawn: 0, lead: 0 }
    }

    fn moves(&self, position: &Position) -> impl Iterator<Item = u32> {
        (0..self.edges).filter(|edge| position.drawn >> edge & 1 == 0)
    }

    fn play(&self, position: &Position, edge: u32) -> Position {
        let drawn = position.drawn | 1 << edge;
        match self.closed(position.drawn, drawn) as i32 {
            0 => Position { drawn, lead: -position.lead },
            closed => Position { drawn, lead: position.lead + closed },
        }
    }

    fn score(&self, position: &Position) -> Option<i32> {
        Some(position.lead)
    }

    fn max_score(&self) -> u32 {
        self.boxes.len() as u32
    }

    const TURNS_ALTERNATE: bool = false;

    fn keeps_turn(&self, position: &Position, _edge: u32, after: &Position) -> bool {
        self.closed(position.drawn, after.drawn) > 0
    }

    fn layer(&self, position: &Position) -> Option<u32> {
        Some(self.edges - position.drawn.count_ones())
    }

    /// The board cannot give the other player more boxes than are left.
    fn bounds(&self, position: &Position, _threshold: balpan::Value) -> balpan::Bounds {
        let left = self.boxes.iter().filter(|sides| *sides & !position.drawn != 0).count() as i32;
        let value = balpan::Value::from_score;
        balpan::Bounds { lower: value(position.lead - left), upper: value(position.lead + left) }
    }
}

fn main() -> Result<(), EngineError> {
    let answer = balpan::solve(DotsAndBoxes::new(2, 2))?;
    println!("{answer}");
    Ok(())
}
