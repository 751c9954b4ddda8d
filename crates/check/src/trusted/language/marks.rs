//! Games of marks: both players place pieces on empty cells, and a piece only ever keeps others from cells: from its own, and from
//! those one step away. Their positions fall apart (lemma of marks).

use super::super::board::{Board, Turn};
use super::board::{Set, Shape, each};
use super::parse::{Cells, Does, Sentence};
use super::view::View;
use super::{Language, Position, State};
use crate::Result;
use crate::untrusted::meter::Meter;

/// What makes a game one of marks.
#[derive(Debug)]
pub(super) struct Marks {
    /// The directions in which a piece can keep others from a cell, and those back.
    ways: u8,
    /// The turns and reflections that keep the rules wherever on the board a part is; `None` if moving one may change it.
    turns: Option<Vec<Turn>>,
}

/// The sets of which a place has to be in all.
fn factors(cells: &Cells) -> Vec<&Cells> {
    match cells {
        Cells::And(all) => all.iter().flat_map(factors).collect(),
        other => vec![other],
    }
}

/// Whether what is on a cell, and where it is, decides that it is in the set; and no empty or blocked cell is, unless by where it is.
fn is_content(cells: &Cells) -> bool {
    match cells {
        Cells::Piece(piece) => !b".#".contains(piece),
        Cells::Fixed(_) | Cells::Own => true,
        Cells::And(all) | Cells::Or(all) => all.iter().all(is_content),
        _ => false,
    }
}

/// The directions of a set that can only lose cells while empty cells get pieces; `None` if it may be another.
fn shrinking(factor: &Cells) -> Option<u8> {
    match factor {
        Cells::Empty | Cells::Fixed(_) => Some(0),
        Cells::Not(set) => match &**set {
            Cells::Step(ways, set) => is_content(set).then_some(*ways),
            set => is_content(set).then_some(0),
        },
        _ => None,
    }
}

/// Whether a set says the same wherever on the board.
fn is_everywhere(cells: &Cells) -> bool {
    match cells {
        Cells::Fixed(_) => false,
        Cells::Not(set) | Cells::Step(_, set) => is_everywhere(set),
        Cells::And(all) | Cells::Or(all) => all.iter().all(is_everywhere),
        _ => true,
    }
}

impl Marks {
    /// `None` if the game is no game of marks.
    pub(super) fn new(language: &Language) -> Option<Self> {
        if !language.is_impartial() || language.numbers > 0 {
            return None;
        }
        let mut ways = Vec::new();
        let mut is_everywhere_alike = true;
        for sentence in language.sentences(0) {
            let Sentence { otherwise, or, pieces, does, effects, when, then, .. } = sentence;
            let is_mark =
                *does == Does::Place && effects.is_empty() && !pieces.iter().any(|piece| b".#".contains(piece));
            let is_conditional = *otherwise || *or || !(when.is_empty() && then.is_empty());
            if !is_mark || is_conditional {
                return None;
            }
            let onto = sentence.onto.as_ref()?;
            let factors = factors(onto);
            if !factors.iter().any(|factor| matches!(factor, Cells::Empty)) {
                return None;
            }
            for factor in factors {
                ways.push(shrinking(factor)?);
            }
            is_everywhere_alike &= is_everywhere(onto);
        }
        let map = &language.map;
        let board = Board { rows: map.rows, cols: map.cols };
        let is_whole = map.shape == Shape::Grid && map.all == board.all();
        // Along rows and columns, along diagonals, or along both.
        let is_even = ways.iter().all(|ways| [0, 0x55, 0xaa, 0xff].contains(ways));
        let turns =
            (is_everywhere_alike && is_whole && is_even).then(|| (1..8).map(|way| Turn::new(board, way)).collect());
        let ways = ways.into_iter().fold(0, |all, ways| all | ways | ways.rotate_left(4));
        Some(Self { ways, turns })
    }

    /// The parts of a position: places, connected by steps.
    pub(super) fn parts(&self, language: &Language, at: &Position, meter: &Meter) -> Result<Vec<Position>> {
        let state = language.unpack(at);
        let places = places(language, &state, meter)?;
        let all = places.iter().fold(0, |all, places| all | places);
        let (mut parts, mut left) = (Vec::new(), all);
        while left != 0 {
            let mut part: Set = left & left.wrapping_neg();
            loop {
                meter.spend(64 + 64 * u64::from(part.count_ones()))?;
                let wider = (part | language.map.step(part, self.ways)) & all;
                if wider == part {
                    break;
                }
                part = wider;
            }
            left &= !part;
            // Pieces beside the part stay where it matters, and else all cells but its own are blocked.
            let blocked = |state: &mut State, cells: Set| each(cells).for_each(|cell| state.cells[cell] = b'#');
            let mut alone = state.clone();
            blocked(&mut alone, language.map.all & !part);
            let are_same = |alone: &State| {
                let alone = self::places(language, alone, meter)?;
                Ok::<_, crate::CheckError>(alone.iter().zip(&places).all(|(alone, places)| *alone == places & part))
            };
            if !are_same(&alone)? {
                alone = state.clone();
                blocked(&mut alone, all & !part);
            }
            parts.push(language.pack(&alone));
        }
        Ok(parts)
    }

    /// The least of the images of a part beside which nothing matters, moved to the top left corner.
    pub(super) fn canonical_part(&self, language: &Language, part: &Position) -> Position {
        let mut state = language.unpack(part);
        let cells = &mut state.cells[..language.map.rows * language.map.cols];
        let Some(turns) = self.turns.as_ref().filter(|_| cells.iter().all(|cell| b".#".contains(cell))) else {
            return *part;
        };
        let board = Board { rows: language.map.rows, cols: language.map.cols };
        let free = cells.iter().rev().fold(0_u128, |free, cell| free << 1 | u128::from(*cell == b'.'));
        let free = board.move_to_corner(free);
        let images = turns.iter().filter(|turn| turn.fits(free)).map(|turn| board.move_to_corner(turn.image(free)));
        let free = images.fold(free, u128::min);
        let glyph = |cell: usize| if free >> cell & 1 == 1 { b'.' } else { b'#' };
        cells.iter_mut().enumerate().for_each(|(cell, piece)| *piece = glyph(cell));
        language.pack(&state)
    }
}

/// The places of each sentence.
fn places(language: &Language, state: &State, meter: &Meter) -> Result<Vec<Set>> {
    let view = View::new(language, state, 0, meter);
    let onto = language.sentences(0).iter().filter_map(|sentence| sentence.onto.as_ref());
    onto.map(|onto| Ok(view.cells(onto)? & language.map.all)).collect()
}
