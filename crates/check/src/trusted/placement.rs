//! Placement: players in turn put a piece on free cells. A player who cannot move loses, or in misère play wins.
//!
//! A position: the filled cells; and how many of each piece with a supply are used up, 4 bits a piece, with bit 127
//! set if Right is to move. Where each player has dominoes that lie one way, the second word has Left's lead instead,
//! 16 bits: the moves elsewhere that only Left has, less those that only Right has.

use std::cmp::Reverse;

use super::board::{Board, Turn, each, turn_shape};
use super::game::{Game, LOST, Move, Outcome, Position, WON, flag};
use super::places::{outlasts_by, unite};
use crate::Result;
use crate::untrusted::meter::Meter;

/// A piece, before it is turned.
#[derive(Debug)]
pub(crate) struct Piece {
    /// Rows and columns of its cells.
    pub(crate) cells: Vec<(i32, i32)>,
    /// The supply; `None` for any number.
    pub(crate) supply: Option<u32>,
    /// Whether Left has it, and whether Right has it.
    pub(crate) of: [bool; 2],
}

/// The parameters of a game of placement.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) pieces: Vec<Piece>,
    /// Whether pieces may be turned by quarters, and whether they may be turned over.
    pub(crate) rotate: bool,
    pub(crate) reflect: bool,
    pub(crate) misere: bool,
}

#[derive(Debug)]
pub(crate) struct Placement {
    pub(crate) board: Board,
    pub(crate) rules: Rules,
    /// Where the pieces can lie, in the order of moves.
    pub(crate) places: Vec<Place>,
    /// The cells of the places, without repetitions.
    connected: Vec<u128>,
    pub(crate) partizan: bool,
    /// Whether normal play and pieces that never run out make a position the sum of its parts.
    is_plain: bool,
    /// Whether each player has pieces of two cells that lie one way, Left's otherwise than Right's.
    pub(crate) has_lead: bool,
    symmetries: Vec<Turn>,
    /// The turns and reflections under which each piece becomes one that there is, without the identity.
    pub(crate) turns: Vec<Turn>,
}

/// Where a piece can lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) cells: u128,
    piece: usize,
    of: [bool; 2],
}

/// Whether each player's places are of two cells, which lie alike, and otherwise than the other player's.
fn lie_one_way(places: &[Place]) -> bool {
    let way = |player: usize| {
        let span = |place: &Place| 127 - place.cells.leading_zeros() - place.cells.trailing_zeros();
        let first = span(places.iter().find(|place| place.of[player])?);
        let alike = |place: &Place| place.cells.count_ones() == 2 && span(place) == first;
        places.iter().filter(|place| place.of[player]).all(alike).then_some(first)
    };
    matches!((way(0), way(1)), (Some(left), Some(right)) if left != right)
}

pub(crate) const RIGHT_TO_MOVE: u128 = 1 << 127;

/// The bits of Left's lead.
const LEAD: u128 = 0xffff;

/// The number of a move elsewhere.
pub(crate) const ELSEWHERE: u32 = u32::MAX;

/// The number of pieces whose counts fit in a word.
pub(crate) const MAX_COUNTED: usize = 31;

/// Left's lead: the moves elsewhere that Left has more than Right.
pub(crate) fn lead(at: &Position) -> i32 {
    i32::from((at.1 & LEAD) as u16 as i16)
}

/// The player to move: 0 for Left, or where both have the same moves, 1 for Right.
fn mover(at: &Position) -> usize {
    (at.1 >> 127) as usize
}

/// The same position with another lead.
pub(crate) fn with_lead(at: Position, lead: i32) -> Position {
    Position::new(at.0, at.1 & !LEAD | u128::from(lead as i16 as u16))
}

impl Placement {
    pub(crate) fn new(board: Board, rules: Rules) -> Self {
        let Rules { pieces, rotate, reflect, misere } = &rules;
        let has_supplies = pieces.iter().any(|piece| piece.supply.is_some());
        assert!(board.is_valid() && pieces.iter().all(|piece| !piece.cells.is_empty()), "each move fills cells");
        let has_bits = |piece: &Piece| piece.supply.is_none_or(|supply| supply <= 15);
        assert!(!has_supplies || pieces.len() <= MAX_COUNTED && pieces.iter().all(has_bits), "each count has its bits");
        let (mut places, mut shapes) = (Vec::new(), Vec::new());
        for (piece, Piece { cells, of, .. }) in pieces.iter().enumerate() {
            let is_allowed =
                |way: &u8| (*rotate || matches!(way, 0 | 2)) && (*reflect || way.count_ones().is_multiple_of(2));
            for shape in (0..8).filter(is_allowed).map(|way| turn_shape(cells, way)) {
                for at in 0..board.cells() {
                    let on = shape.iter().map(|&by| board.step(at, by, false).map(|cell| 1_u128 << cell));
                    let cells = on.sum::<Option<u128>>();
                    places.extend(cells.map(|cells| Place { cells, piece, of: *of }));
                }
                shapes.push(shape);
            }
        }
        let ways = (1..8).filter(|way| shapes.iter().all(|shape| shapes.contains(&turn_shape(shape, *way))));
        let turns = ways.map(|way| Turn::new(board, way)).collect();
        let order = |place: &Place| (Reverse(place.cells.reverse_bits()), place.piece);
        places.sort_unstable_by_key(order);
        places.dedup();
        let symmetries = Turn::symmetries(board, |turn| {
            let images = places.iter().map(|place| Place { cells: turn.image(place.cells), ..*place });
            images.map(|image| order(&image)).all(|image| places.binary_search_by_key(&image, order).is_ok())
        });
        let mut connected: Vec<u128> = places.iter().map(|place| place.cells).collect();
        connected.dedup();
        if board.cols > board.rows {
            // In the order along the longer side, few groups are open at a time.
            connected.sort_by_key(|cells| each(*cells).map(|cell| (cell % board.cols, cell / board.cols)).min());
        }
        let partizan = pieces.iter().any(|piece| piece.of != [true, true]);
        let is_plain = !misere && !has_supplies;
        let has_lead = is_plain && lie_one_way(&places);
        Self { board, rules, places, connected, partizan, is_plain, has_lead, symmetries, turns }
    }

    /// The places where a player can put a piece, with their numbers.
    fn fitting(&self, at: &Position, player: usize) -> impl Iterator<Item = (usize, &Place)> {
        let (filled, used) = (at.0, at.1);
        let fits = move |(_, place): &(usize, &Place)| {
            let is_supplied = |supply| (used >> (4 * place.piece) & 15) < u128::from(supply);
            place.cells & filled == 0
                && place.of[player]
                && self.rules.pieces[place.piece].supply.is_none_or(is_supplied)
        };
        self.places.iter().enumerate().filter(fits)
    }

    /// The cells of each of those places.
    fn fitting_cells(&self, at: &Position, player: usize) -> Vec<u128> {
        let mut cells = Vec::with_capacity(self.places.len());
        cells.extend(self.fitting(at, player).map(|(_, place)| place.cells));
        cells
    }

    /// The lead of the player to move.
    fn ahead(&self, at: &Position) -> i32 {
        let lead = if self.has_lead { lead(at) } else { 0 };
        if mover(at) == 0 { lead } else { -lead }
    }
}

impl Game for Placement {
    fn end(&self, at: &Position, meter: &Meter) -> Result<Option<Outcome>> {
        let first = self.fitting(at, mover(at)).next().map(|(number, _)| number);
        meter.spend(4 + first.unwrap_or(self.places.len()) as u64)?;
        let is_over = self.ahead(at) <= 0 && first.is_none();
        Ok(is_over.then_some(if self.rules.misere { WON } else { LOST }))
    }

    fn moves(&self, at: &Position, meter: &Meter, moves: &mut Vec<Move>) -> Result<()> {
        meter.spend(self.places.len() as u64)?;
        let turn = if self.partizan { RIGHT_TO_MOVE } else { 0 };
        for (number, place) in self.fitting(at, mover(at)) {
            let used = if self.rules.pieces[place.piece].supply.is_some() { 1 << (4 * place.piece) } else { 0 };
            let after = Position::new(at.0 | place.cells, (at.1 + used) ^ turn);
            moves.push(Move { number: number as u32, after, end: self.end(&after, meter)?, keeps_turn: false });
        }
        if self.ahead(at) > 0 {
            let mut after = with_lead(*at, lead(at) - lead(at).signum());
            after.1 ^= RIGHT_TO_MOVE;
            moves.push(Move { number: ELSEWHERE, after, end: self.end(&after, meter)?, keeps_turn: false });
        }
        Ok(())
    }

    /// The free cells, and the moves elsewhere.
    fn layer(&self, at: &Position) -> u32 {
        (self.board.all() & !at.0).count_ones() + self.ahead(at).unsigned_abs()
    }

    fn sides(&self) -> Option<([&'static str; 2], u128)> {
        self.partizan.then_some((["Left", "Right"], RIGHT_TO_MOVE))
    }

    fn write(&self, at: &Position) -> String {
        let board = self.board.write(|cell| if at.0 >> cell & 1 == 1 { '#' } else { '.' });
        let used = at.1 & !RIGHT_TO_MOVE;
        let more = if used == 0 {
            String::new()
        } else if self.has_lead {
            format!(" lead {}", lead(at))
        } else {
            let counts = (0..self.rules.pieces.len().min(MAX_COUNTED)).map(|piece| used >> (4 * piece) & 15);
            format!(" used{}", counts.map(|count| format!(" {count}")).collect::<String>())
        };
        board + &self.turn(at) + &more
    }

    fn rules(&self) -> Vec<String> {
        let Rules { pieces, rotate, reflect, misere } = &self.rules;
        let piece = |Piece { cells, supply, of }: &Piece| {
            let key = ["piece", "left", "right"][if of[0] && of[1] { 0 } else { 1 + usize::from(of[1]) }];
            let side = |index: fn(&(i32, i32)) -> i32| cells.iter().map(index).max().map_or(0, |max| max as usize + 1);
            let board = Board { rows: side(|cell| cell.0), cols: side(|cell| cell.1) };
            let at = |cell: usize| ((cell / board.cols) as i32, (cell % board.cols) as i32);
            let shape = board.write(|cell| if cells.contains(&at(cell)) { '#' } else { '.' });
            format!("{key}: {shape}{}", supply.map_or(String::new(), |supply| format!(" x {supply}")))
        };
        let flags = [flag("rotate", *rotate), flag("reflect", *reflect), flag("misere", *misere)];
        pieces.iter().map(piece).chain(flags).collect()
    }

    fn symmetries(&self) -> &[Turn] {
        &self.symmetries
    }

    fn image(&self, at: &Position, symmetry: &Turn) -> Position {
        Position::new(symmetry.image(at.0), at.1)
    }

    /// Cells that only one player can ever use become moves elsewhere, as many as there is room for, and cells that
    /// nobody can use are filled.
    fn reduced(&self, at: &Position, meter: &Meter) -> Result<Position> {
        // A lead that is larger than any on a board could overflow.
        if !self.has_lead || lead(at).abs() > 1 << 10 {
            return Ok(*at);
        }
        meter.spend(4 * self.places.len() as u64)?;
        let fitting = [0, 1].map(|player| self.fitting_cells(at, player));
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
        Ok(with_lead(Position::new(filled | self.board.all() & !useful[0] & !useful[1], at.1), ahead))
    }

    fn outlasts_by(&self, at: &Position, meter: &Meter) -> Result<Option<i32>> {
        if !self.partizan || !self.is_plain {
            return Ok(None);
        }
        meter.spend(2 * self.places.len() as u64)?;
        let (own, others) = (self.fitting_cells(at, 1 - mover(at)), self.fitting_cells(at, mover(at)));
        outlasts_by(own, &others, -self.ahead(at), meter).map(Some)
    }

    /// Free cells that no piece connects, of those that a piece covers.
    fn parts(&self, at: &Position, meter: &Meter) -> Result<Option<Vec<Position>>> {
        if self.partizan || !self.is_plain {
            return Ok(None);
        }
        meter.spend(64 + 4 * self.connected.len() as u64)?;
        let mut parts = Vec::with_capacity(8);
        self.connected.iter().filter(|cells| *cells & at.0 == 0).for_each(|cells| unite(&mut parts, *cells));
        Ok(Some(parts.into_iter().map(|part| Position::new(self.board.all() & !part, 0)).collect()))
    }

    /// The least of the part's images, turned in all ways that fit and moved to the top left corner.
    fn canonical_part(&self, part: &Position) -> Position {
        let all = self.board.all();
        let cells = self.board.move_to_corner(all & !part.0);
        let turns = self.turns.iter().filter(|turn| turn.fits(cells));
        // The larger the set of free cells as a number, the smaller that of the others.
        Position::new(all & !turns.map(|turn| self.board.move_to_corner(turn.image(cells))).fold(cells, u128::max), 0)
    }
}
