//! Placement: players in turn put a piece on free cells. Who cannot loses, in misère wins.
//!
//! A position: the filled cells; and how many of each piece with a supply are used up, 4 bits a
//! piece, with bit 127 set if Right is to move. Where each player has dominoes that lie one way, the
//! second word has Left's lead instead, 16 bits: how many moves elsewhere Left has for nobody else, less
//! how many Right has.

use crate::family::{Board, Family, Move, Outcome, Position, cells_of, each, image, only};
use crate::outlasts::{outlasts_by, unite};
use crate::turn::{Turn, turned};

/// A piece, before it is turned.
#[derive(Debug)]
pub(crate) struct Piece {
    /// Rows and columns of its cells.
    pub(crate) cells: Vec<(i32, i32)>,
    /// How many there are; `None` for any number.
    pub(crate) supply: Option<u32>,
    /// Whether it is Left's, and Right's.
    pub(crate) of: [bool; 2],
}

#[derive(Debug)]
pub(crate) struct Placement {
    board: Board,
    /// Where the pieces can lie: the cells, which piece, and whose it is.
    places: Vec<Place>,
    /// The cells of each, once.
    connected: Vec<u128>,
    supplies: Vec<Option<u32>>,
    misere: bool,
    partizan: bool,
    /// Whether each player has pieces of two cells that lie one way, Left's otherwise than Right's.
    has_lead: bool,
    symmetries: Vec<Vec<u8>>,
    /// The ways to turn or reflect that turn each piece into one that there is, but for the one that moves
    /// nothing.
    turns: Vec<Turn>,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    cells: u128,
    piece: usize,
    of: [bool; 2],
}

/// Whether each player's places are of two cells, which lie alike, and otherwise than the other player's.
fn lie_one_way(places: &[Place]) -> bool {
    let way = |player: usize| {
        let span = |place: &Place| 127 - place.cells.leading_zeros() - place.cells.trailing_zeros();
        let mut all = places.iter().filter(|place| place.of[player]);
        let first = span(all.next()?);
        let alike = |place: &Place| place.cells.count_ones() == 2 && span(place) == first;
        places.iter().filter(|place| place.of[player]).all(alike).then_some(first)
    };
    matches!((way(0), way(1)), (Some(left), Some(right)) if left != right)
}

const RIGHT_TO_MOVE: u128 = 1 << 127;

/// The bits of Left's lead.
const LEAD: u128 = 0xffff;

/// A move elsewhere that only one player has.
const SPARE: u32 = u32::MAX;

/// Moves elsewhere that Left has more than Right.
fn lead(at: &Position) -> i32 {
    i32::from((at.1 & LEAD) as u16 as i16)
}

/// The same position with another lead.
fn with_lead(at: Position, lead: i32) -> Position {
    Position(at.0, at.1 & !LEAD | u128::from(lead as i16 as u16))
}

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
        let ways = (1..8).filter(|way| shapes.iter().all(|shape| shapes.contains(&cornered(shape, *way))));
        let turns = ways.map(|way| Turn::new(board, way)).collect();
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
        let mut connected: Vec<u128> = places.iter().map(|place| place.cells).collect();
        connected.dedup();
        if board.cols > board.rows {
            // Along the longer side, few groups are begun before they meet.
            connected.sort_by_key(|cells| each(*cells).map(|cell| (cell % board.cols, cell / board.cols)).min());
        }
        let supplies = pieces.iter().map(|piece| piece.supply).collect();
        let partizan = pieces.iter().any(|piece| piece.of != [true, true]);
        let has_lead = !misere && pieces.iter().all(|piece| piece.supply.is_none()) && lie_one_way(&places);
        Self { board, places, connected, supplies, misere, partizan, has_lead, symmetries, turns }
    }

    /// The cells of each place where a player's pieces fit.
    fn fitting(&self, at: &Position, player: usize) -> Vec<u128> {
        let fits = |place: &&Place| place.of[player] && place.cells & at.0 == 0;
        self.places.iter().filter(fits).map(|place| place.cells).collect()
    }

    /// The moves elsewhere that the player to move has more than the other one.
    fn ahead(&self, at: &Position) -> i32 {
        match (self.has_lead, at.1 & RIGHT_TO_MOVE == 0) {
            (false, _) => 0,
            (true, true) => lead(at),
            (true, false) => -lead(at),
        }
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
        let is_over = self.ahead(at) <= 0 && self.places(at).next().is_none();
        is_over.then_some(if self.misere { 1 } else { -1 })
    }

    fn moves(&self, at: &Position, moves: &mut Vec<Move>) {
        moves.clear();
        for (number, place) in self.places(at) {
            let used = if self.supplies[place.piece].is_some() { 1 << (4 * place.piece) } else { 0 };
            let turn = if self.partizan { RIGHT_TO_MOVE } else { 0 };
            let after = Position(at.0 | place.cells, (at.1 + used) ^ turn);
            moves.push(Move { number: number as u32, after, end: self.end(&after) });
        }
        if self.ahead(at) > 0 {
            let mut after = with_lead(*at, lead(at) - lead(at).signum());
            after.1 ^= RIGHT_TO_MOVE;
            moves.push(Move { number: SPARE, after, end: self.end(&after) });
        }
    }

    /// Cells that only one player can ever use become moves elsewhere, as many as there is room for.
    fn reduced(&self, at: &Position) -> Position {
        if !self.has_lead {
            return *at;
        }
        let fitting = [self.fitting(at, 0), self.fitting(at, 1)];
        let useful = [0, 1].map(|player: usize| fitting[player].iter().fold(0, |set, place| set | place));
        let (mut filled, mut ahead) = (at.0, lead(at));
        for player in [0, 1] {
            let mut groups = Vec::new();
            fitting[player].iter().for_each(|place| unite(&mut groups, *place));
            for group in groups.into_iter().filter(|group| group & useful[1 - player] == 0) {
                filled |= group;
                let moves = (group.count_ones() / 2) as i32;
                ahead += if player == 0 { moves } else { -moves };
            }
        }
        // And those that nobody can use are as good as filled.
        with_lead(Position(filled | self.board.all() & !useful[0] & !useful[1], at.1), ahead)
    }

    /// Each move looks at all places twice, and the lemma of places a few times more.
    fn work(&self) -> u64 {
        1 + self.places.len() as u64 / if self.partizan { 32 } else { 64 }
    }

    /// The free cells, and the moves elsewhere.
    fn layer(&self, at: &Position) -> u32 {
        (self.board.all() & !at.0).count_ones() + self.ahead(at).unsigned_abs()
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
        let (text, ahead) = text.split_once(" lead ").map_or((text, None), |(text, lead)| (text, Some(lead)));
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
        let at = Position(cells_of(&glyphs, &['#']), counts | right_to_move);
        match ahead.map(|lead| lead.trim().parse()) {
            None => Ok(at),
            Some(Ok(lead)) if self.has_lead && (-128..=128).contains(&lead) => Ok(with_lead(at, lead)),
            Some(_) => Err("no such lead: expected a number where each player has dominoes that lie one way".into()),
        }
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
        if self.has_lead {
            let lead = lead(at);
            return board + turn + &if lead == 0 { String::new() } else { format!(" lead {lead}") };
        }
        let used = at.1 & !RIGHT_TO_MOVE;
        let counts = (0..self.supplies.len()).map(|piece| format!(" {}", used >> (4 * piece) & 15));
        let counts = if used == 0 { String::new() } else { format!(" used{}", counts.collect::<String>()) };
        board + turn + &counts
    }

    fn write_move(&self, number: u32) -> String {
        if number == SPARE {
            return "elsewhere".into();
        }
        let cells = self.places.get(number as usize).map_or(0, |place| place.cells);
        let cell = |cell| format!("{},{}", cell / self.board.cols, cell % self.board.cols);
        each(cells).map(cell).collect::<Vec<_>>().join("+")
    }

    fn outlasts_by(&self, at: &Position) -> Option<i32> {
        if !self.partizan || self.misere || self.supplies.iter().any(Option::is_some) {
            return None;
        }
        let mover = usize::from(at.1 & RIGHT_TO_MOVE != 0);
        Some(outlasts_by(&self.fitting(at, 1 - mover), &self.fitting(at, mover), -self.ahead(at)))
    }

    /// Free cells that no piece connects, of those that a piece covers.
    fn parts(&self, at: &Position) -> Option<Vec<Position>> {
        if self.partizan || self.misere || self.supplies.iter().any(Option::is_some) {
            return None;
        }
        let mut parts = Vec::with_capacity(8);
        self.connected.iter().filter(|cells| *cells & at.0 == 0).for_each(|cells| unite(&mut parts, *cells));
        Some(parts.into_iter().map(|part| Position(self.board.all() & !part, 0)).collect())
    }

    /// The least of what the part becomes in the top left corner, turned in all ways that fit.
    fn canonical_part(&self, part: &Position) -> Position {
        let all = self.board.all();
        let cells = self.board.cornered(all & !part.0);
        let images = self.turns.iter().filter_map(|turn| turn.of_cornered(self.board, cells));
        // The larger the set of free cells as a number, the smaller that of the others.
        Position(all & !images.fold(cells, u128::max), 0)
    }
}
