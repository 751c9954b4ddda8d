//! Placement: players in turn put a piece on free cells. Who cannot loses, in misère wins.
//!
//! A position: the filled cells; and how many of each piece with a supply are used up, 4 bits a
//! piece, with bit 127 set if Right is to move.

use crate::family::{Board, Family, Move, Outcome, Position, cells_of, each, image, only};

/// A piece, before it is turned.
pub(crate) struct Piece {
    /// Rows and columns of its cells.
    pub(crate) cells: Vec<(i32, i32)>,
    /// How many there are; `None` for any number.
    pub(crate) supply: Option<u32>,
    /// Whether it is Left's, and Right's.
    pub(crate) of: [bool; 2],
}

pub(crate) struct Placement {
    board: Board,
    /// Where the pieces can lie: the cells, which piece, and whose it is.
    places: Vec<Place>,
    supplies: Vec<Option<u32>>,
    misere: bool,
    partizan: bool,
    symmetries: Vec<Vec<u8>>,
    /// The ways to turn and reflect that turn each piece into one that there is.
    ways: Vec<u8>,
}

/// Adds cells to the groups of those that are connected.
fn unite(groups: &mut Vec<u128>, mut cells: u128) {
    groups.retain(|group| {
        let apart = group & cells == 0;
        cells |= if apart { 0 } else { *group };
        apart
    });
    groups.push(cells);
}

/// A cell turned over and then by quarters, in one of eight ways.
fn turned((row, col): (i32, i32), way: u8) -> (i32, i32) {
    (0..way % 4).fold((row, if way >= 4 { -col } else { col }), |(row, col), _| (col, -row))
}

/// Cells turned in one of eight ways, and moved to the top left.
fn cornered(cells: &[(i32, i32)], way: u8) -> Vec<(i32, i32)> {
    let mut cells: Vec<_> = cells.iter().map(|cell| turned(*cell, way)).collect();
    let top = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
    let left = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
    cells.iter_mut().for_each(|cell| *cell = (cell.0 - top, cell.1 - left));
    cells.sort_unstable();
    cells
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    cells: u128,
    piece: usize,
    of: [bool; 2],
}

const RIGHT_TO_MOVE: u128 = 1 << 127;

/// Pieces that there is room for the counts of.
pub(crate) const MOST_COUNTED: usize = 31;

impl Placement {
    pub(crate) fn new(board: Board, pieces: &[Piece], rotate: bool, reflect: bool, misere: bool) -> Self {
        let mut places = Vec::new();
        let mut shapes = Vec::new();
        for (piece, Piece { cells, of, .. }) in pieces.iter().enumerate() {
            for way in (0..8).filter(|way| (rotate || way % 4 == 0) && (reflect || *way < 4)) {
                let shape = cornered(cells, way);
                for at in 0..board.cells() {
                    let on: Option<Vec<usize>> = shape.iter().map(|&by| board.step(at, by, false)).collect();
                    if let Some(on) = on {
                        let cells = on.iter().fold(0, |set, cell| set | 1 << cell);
                        places.push(Place { cells, piece, of: *of });
                    }
                }
                shapes.push(shape);
            }
        }
        let ways = (0..8).filter(|way| shapes.iter().all(|shape| shapes.contains(&cornered(shape, *way)))).collect();
        places.sort_unstable_by_key(|place| (std::cmp::Reverse(place.cells.reverse_bits()), place.piece));
        places.dedup();
        let kept = |symmetry: &Vec<u8>| {
            let mut seen: Vec<Place> =
                places.iter().map(|place| Place { cells: image(place.cells, symmetry), ..*place }).collect();
            let mut all = places.clone();
            seen.sort_unstable();
            all.sort_unstable();
            seen == all
        };
        let symmetries = board.symmetries().into_iter().filter(kept).collect();
        let supplies = pieces.iter().map(|piece| piece.supply).collect();
        let partizan = pieces.iter().any(|piece| piece.of != [true, true]);
        Self { board, places, supplies, misere, partizan, symmetries, ways }
    }

    fn places(&self, at: &Position) -> impl Iterator<Item = (usize, &Place)> {
        let side = usize::from(at.1 & RIGHT_TO_MOVE != 0);
        let (filled, used) = (at.0, at.1);
        let fits = move |(_, place): &(usize, &Place)| {
            let is_supplied = |supply| (used >> (4 * place.piece) & 15) < u128::from(supply);
            place.cells & filled == 0 && place.of[side] && self.supplies[place.piece].is_none_or(is_supplied)
        };
        self.places.iter().enumerate().filter(fits)
    }
}

impl Family for Placement {
    fn end(&self, at: &Position) -> Option<Outcome> {
        self.places(at).next().is_none().then_some(if self.misere { 1 } else { -1 })
    }

    fn moves(&self, at: &Position, moves: &mut Vec<Move>) {
        moves.clear();
        for (number, place) in self.places(at) {
            let used = if self.supplies[place.piece].is_some() { 1 << (4 * place.piece) } else { 0 };
            let turn = if self.partizan { RIGHT_TO_MOVE } else { 0 };
            let after = Position(at.0 | place.cells, (at.1 + used) ^ turn);
            moves.push(Move { number: number as u32, after, end: self.end(&after) });
        }
    }

    /// Each move looks at all places twice.
    fn work(&self) -> u64 {
        1 + self.places.len() as u64 / 64
    }

    /// The free cells.
    fn layer(&self, at: &Position) -> u32 {
        (self.board.all() & !at.0).count_ones()
    }

    fn image(&self, at: &Position, symmetry: &[u8]) -> Position {
        Position(image(at.0, symmetry), at.1)
    }

    fn symmetries(&self) -> &[Vec<u8>] {
        &self.symmetries
    }

    fn players(&self, at: &Position) -> [&'static str; 2] {
        match (self.partizan, at.1 & RIGHT_TO_MOVE != 0) {
            (false, _) => ["the player to move", "the other player"],
            (true, false) => ["Left", "Right"],
            (true, true) => ["Right", "Left"],
        }
    }

    fn read(&self, text: &str) -> Result<Position, String> {
        let (text, used) = text.split_once(" used ").unwrap_or((text, ""));
        let (_, glyphs, turn) = Board::read(text)?;
        only(&glyphs, ".#")?;
        let right_to_move = match (turn, self.partizan) {
            (None, false) | (Some("l"), true) => 0,
            (Some("r"), true) => RIGHT_TO_MOVE,
            _ => return Err("the turn, `l` or `r`, is expected where each player has pieces, and only there".into()),
        };
        let mut counts = 0;
        for (piece, count) in used.split_whitespace().enumerate() {
            let supply =
                self.supplies.get(piece).filter(|_| piece < MOST_COUNTED).ok_or("too many counts")?.unwrap_or(0);
            let count = count.parse::<u32>().ok().filter(|count| *count <= supply);
            counts |= u128::from(count.ok_or("more pieces used than there are")?) << (4 * piece);
        }
        Ok(Position(cells_of(&glyphs, &['#']), counts | right_to_move))
    }

    fn write(&self, at: &Position) -> String {
        let board = self.board.write(|cell| if at.0 >> cell & 1 == 1 { '#' } else { '.' });
        let turn = if !self.partizan {
            ""
        } else if at.1 & RIGHT_TO_MOVE != 0 {
            " r"
        } else {
            " l"
        };
        let used = at.1 & !RIGHT_TO_MOVE;
        let counts = (0..self.supplies.len()).map(|piece| format!(" {}", used >> (4 * piece) & 15));
        let counts = if used == 0 { String::new() } else { format!(" used{}", counts.collect::<String>()) };
        board + turn + &counts
    }

    fn write_move(&self, number: u32) -> String {
        let cells = self.places.get(number as usize).map_or(0, |place| place.cells);
        let cell = |cell| format!("{},{}", cell / self.board.cols, cell % self.board.cols);
        each(cells).map(cell).collect::<Vec<_>>().join("+")
    }

    /// The other player has as many places apart that nobody else can touch as the player to move has
    /// moves left at the most: of cells that pieces connect, as many as there is room for.
    fn outlasts(&self, at: &Position) -> bool {
        if !self.partizan || self.misere || self.supplies.iter().any(Option::is_some) {
            return false;
        }
        let mover = usize::from(at.1 & RIGHT_TO_MOVE != 0);
        let fitting =
            |player: usize| self.places.iter().filter(move |place| place.of[player] && place.cells & at.0 == 0);
        let (mut groups, mut touched, mut least) = (Vec::new(), 0, u32::MAX);
        for place in fitting(mover) {
            unite(&mut groups, place.cells);
            touched |= place.cells;
            least = least.min(place.cells.count_ones());
        }
        let moves: u32 = groups.iter().map(|group: &u128| group.count_ones() / least).sum();
        let (mut safe, mut taken) = (0, touched);
        for place in fitting(1 - mover) {
            if place.cells & taken == 0 {
                taken |= place.cells;
                safe += 1;
            }
        }
        safe >= moves
    }

    /// Free cells that no piece connects, of those that a piece covers.
    fn parts(&self, at: &Position) -> Option<Vec<Position>> {
        if self.partizan || self.misere || self.supplies.iter().any(Option::is_some) {
            return None;
        }
        let mut parts: Vec<u128> = Vec::new();
        for (_, place) in self.places(at) {
            unite(&mut parts, place.cells);
        }
        Some(parts.into_iter().map(|part| Position(self.board.all() & !part, 0)).collect())
    }

    /// The least of what the part becomes in the top left corner, turned in all ways that fit.
    fn canonical_part(&self, part: &Position) -> Position {
        let Board { rows, cols } = self.board;
        let cells: Vec<(usize, usize)> =
            each(self.board.all() & !part.0).map(|cell| (cell / cols, cell % cols)).collect();
        let (Some(top), Some(left)) = (cells.iter().map(|cell| cell.0).min(), cells.iter().map(|cell| cell.1).min())
        else {
            return *part;
        };
        let down = cells.iter().map(|cell| cell.0).max().unwrap_or(top) - top;
        let right = cells.iter().map(|cell| cell.1).max().unwrap_or(left) - left;
        let image = |way: &u8| {
            let (high, wide) = if way.is_multiple_of(2) { (down, right) } else { (right, down) };
            if high >= rows || wide >= cols {
                return None;
            }
            let set = cells.iter().fold(0, |set, &(row, col)| {
                let (row, col) = (row - top, col - left);
                let col = if *way >= 4 { right - col } else { col };
                let (row, col) = match way % 4 {
                    0 => (row, col),
                    1 => (col, down - row),
                    2 => (down - row, right - col),
                    _ => (right - col, row),
                };
                set | 1 << (row * cols + col)
            });
            Some(Position(self.board.all() & !set, 0))
        };
        self.ways.iter().filter_map(image).min().unwrap_or(*part)
    }
}
