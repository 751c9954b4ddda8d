//! Placement: players in turn put polyominoes on free cells. A player who cannot place loses; in
//! misère play, wins.

use super::{Cell, NaiveGame, board_text, cell_text, rows_and_words};

/// The sorted cells of a shape, moved up and left as far as possible.
type Shape = Vec<Cell>;

#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) name: char,
    /// The drawing, rows of `#` and `.`.
    pub(crate) drawing: String,
    /// The supply; `None` if unlimited.
    pub(crate) supply: Option<usize>,
}

#[derive(Clone, Debug)]
pub(crate) struct Placement {
    /// One list for both players, or Left's and Right's.
    pub(crate) pieces: Vec<Vec<Piece>>,
    pub(crate) rotate: bool,
    pub(crate) reflect: bool,
    pub(crate) misere: bool,
    /// The orientations of each of `pieces`.
    shapes: Vec<Vec<Vec<Shape>>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct State {
    pub(crate) filled: Vec<Vec<bool>>,
    /// The side to move, as an index of a list of pieces: 0 where there is one list.
    pub(crate) mover: usize,
    /// The sorted names of the placed pieces that have a supply.
    pub(crate) used: Vec<char>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Placed {
    /// In reading order.
    cells: Vec<Cell>,
    /// The name of the piece, if it has a supply.
    used: Option<char>,
}

fn cornered(cells: &[Cell]) -> Shape {
    let top = cells.iter().map(|cell| cell.0).min().expect("a cell");
    let left = cells.iter().map(|cell| cell.1).min().expect("a cell");
    let mut shape: Shape = cells.iter().map(|(row, col)| (row - top, col - left)).collect();
    shape.sort_unstable();
    shape
}

/// The orientations of a drawn piece: reflected or not, then rotated by quarter turns. A
/// reflection exchanges left and right.
pub(crate) fn ways_to_lie(drawing: &str, rotate: bool, reflect: bool) -> Vec<Shape> {
    /// More rows and columns than any drawing has.
    const FAR: usize = 100;
    let mut cells = Vec::new();
    for (row, line) in drawing.split('/').enumerate() {
        cells.extend(line.char_indices().filter(|(_, glyph)| *glyph == '#').map(|(col, _)| (row, col)));
    }
    let mut shapes = Vec::new();
    for turned_over in [false, true] {
        if turned_over && !reflect {
            continue;
        }
        let mut turned: Vec<Cell> = cells.clone();
        if turned_over {
            turned = turned.into_iter().map(|(row, col)| (row, FAR - col)).collect();
        }
        for _ in 0..if rotate { 4 } else { 1 } {
            let shape = cornered(&turned);
            if !shapes.contains(&shape) {
                shapes.push(shape.clone());
            }
            turned = shape.into_iter().map(|(row, col)| (col, FAR - row)).collect();
        }
    }
    shapes
}

impl Placement {
    pub(crate) fn new(pieces: Vec<Vec<Piece>>, rotate: bool, reflect: bool, misere: bool) -> Self {
        let of_list = |list: &Vec<Piece>| list.iter().map(|p| ways_to_lie(&p.drawing, rotate, reflect)).collect();
        let shapes = pieces.iter().map(of_list).collect();
        Self { pieces, rotate, reflect, misere, shapes }
    }

    pub(crate) fn partizan(&self) -> bool {
        self.pieces.len() == 2
    }

    fn has_supplies(&self) -> bool {
        self.pieces.iter().flatten().any(|piece| piece.supply.is_some())
    }
}

/// The placements of a shape on free cells.
fn places(shape: &Shape, filled: &[Vec<bool>]) -> Vec<Vec<Cell>> {
    let mut places = Vec::new();
    for row in 0..filled.len() {
        for col in 0..filled[0].len() {
            let cells = shape.iter().map(|cell| (row + cell.0, col + cell.1));
            let free = |(row, col): Cell| row < filled.len() && col < filled[0].len() && !filled[row][col];
            if cells.clone().all(free) {
                places.push(cells.collect());
            }
        }
    }
    places
}

impl NaiveGame for Placement {
    type State = State;
    type Move = Placed;

    fn parse(&self, text: &str) -> State {
        let (rows, words) = rows_and_words(text);
        let filled = rows.iter().map(|row| row.iter().map(|glyph| *glyph == '#').collect()).collect();
        let mut state = State { filled, mover: 0, used: Vec::new() };
        for word in words {
            match word.strip_prefix('-') {
                Some(letters) => state.used = letters.chars().collect(),
                None => state.mover = usize::from(word == "r"),
            }
        }
        state.used.sort_unstable();
        state
    }

    fn text(&self, state: &State) -> String {
        let glyphs = |row: &Vec<bool>| row.iter().map(|filled| if *filled { '#' } else { '.' }).collect();
        let mut text = board_text(&state.filled.iter().map(glyphs).collect::<Vec<_>>());
        if self.partizan() {
            text += [" l", " r"][state.mover];
        }
        if self.has_supplies() {
            text += " -";
            text.extend(&state.used);
        }
        text
    }

    fn moves(&self, state: &State) -> Vec<Placed> {
        let mut moves = Vec::new();
        for (piece, shapes) in self.pieces[state.mover].iter().zip(&self.shapes[state.mover]) {
            let placed = state.used.iter().filter(|name| **name == piece.name).count();
            if piece.supply.is_some_and(|supply| placed >= supply) {
                continue;
            }
            let used = piece.supply.map(|_| piece.name);
            for shape in shapes {
                moves.extend(places(shape, &state.filled).into_iter().map(|cells| Placed { cells, used }));
            }
        }
        moves
    }

    fn move_text(&self, placed: &Placed) -> String {
        placed.cells.iter().map(|cell| cell_text(*cell)).collect::<Vec<_>>().join("+")
    }

    fn play(&self, state: &State, placed: &Placed) -> State {
        let mut after = state.clone();
        for (row, col) in &placed.cells {
            after.filled[*row][*col] = true;
        }
        after.used.extend(placed.used);
        after.used.sort_unstable();
        if self.partizan() {
            after.mover = 1 - state.mover;
        }
        after
    }

    fn ended(&self, state: &State) -> Option<i32> {
        self.moves(state).is_empty().then_some(if self.misere { 1 } else { -1 })
    }
}
