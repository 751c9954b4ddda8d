//! Placement games: moves, ends and symmetries.

use std::time::Instant;

use crate::board::Board;
use crate::checker::{Checker, Words};
use crate::game::{Game, check_game, report};

/// Where one piece can lie, and who may place it.
pub(crate) struct Piece {
    pub(crate) placements: Vec<u32>,
    /// Whether it is Left's, and whether it is Right's.
    pub(crate) owners: [bool; 2],
    supply: Option<u32>,
}

/// A placement game on a board.
pub(crate) struct Placement {
    pub(crate) cells: usize,
    pub(crate) pieces: Vec<Piece>,
    is_partizan: bool,
    is_misere: bool,
    /// The largest lead of either player among the positions.
    max_lead: i32,
}

const RIGHT_TO_MOVE: u128 = 1 << 127;

/// Returns a position without supplies, in which Left has `lead` spare moves more than Right.
pub(crate) fn words(filled: u32, right_to_move: bool, lead: i32) -> Words {
    (filled.into(), u128::from(lead as i16 as u16) | if right_to_move { RIGHT_TO_MOVE } else { 0 })
}

/// Returns the spare moves that Left has more than Right.
pub(crate) fn lead(at: Words) -> i32 {
    i32::from(at.1 as u16 as i16)
}

/// Returns the checker's and the tests' reading of rules: the lines of a head separated by `; `, without the family.
pub(crate) fn load(board: Board, rules: &str, max_lead: i32) -> (Checker, Placement) {
    let lines: Vec<(&str, &str)> = rules.split("; ").map(|line| line.split_once(": ").unwrap()).collect();
    let is_set = |key| lines.contains(&(key, "yes"));
    let mut pieces = Vec::new();
    for (key, owners) in [("piece", [true, true]), ("left", [true, false]), ("right", [false, true])] {
        for (_, text) in lines.iter().filter(|line| line.0 == key) {
            let (shape, supply) = text.split_once(" x ").map_or((*text, None), |(shape, n)| (shape, n.parse().ok()));
            let placements = board.placements(shape, is_set("rotate"), is_set("reflect"));
            pieces.push(Piece { placements, owners, supply });
        }
    }
    let is_partizan = pieces.iter().any(|piece| piece.owners != [true, true]);
    let position = board.write_empty() + if is_partizan { " l" } else { "" };
    let checker = Checker::new(&format!("family: placement; {rules}"), &position);
    let max_lead = if checker.has_lead() { max_lead } else { 0 };
    (checker, Placement { cells: board.cells(), pieces, is_partizan, is_misere: is_set("misere"), max_lead })
}

impl Placement {
    /// Returns where a player's pieces can lie on the empty board.
    pub(crate) fn placements(&self, player: usize) -> Vec<u32> {
        let own = self.pieces.iter().filter(|piece| piece.owners[player]);
        own.flat_map(|piece| piece.placements.iter().copied()).collect()
    }

    fn used(&self, at: Words, piece: usize) -> u32 {
        (at.1 >> (4 * piece)) as u32 & 15
    }

    /// Returns the spare moves of the player to move, and of the other player if negative.
    fn spare(&self, at: Words) -> i32 {
        match (self.max_lead, at.1 & RIGHT_TO_MOVE) {
            (0, _) => 0,
            (_, 0) => lead(at),
            _ => -lead(at),
        }
    }
}

impl Game for Placement {
    fn for_each_position(&self, visit: &mut dyn FnMut(Words)) {
        let mut used = vec![0_u128];
        for (n, piece) in self.pieces.iter().enumerate() {
            let counts =
                |used: u128| (0..=piece.supply.unwrap_or(0)).map(move |count| used | u128::from(count) << (4 * n));
            used = used.into_iter().flat_map(counts).collect();
        }
        // A spare move fills no cell, and leaves a smaller lead.
        let leads: Vec<i32> = (0..=2 * self.max_lead).map(|n| if n % 2 == 0 { n / 2 } else { -(n + 1) / 2 }).collect();
        for filled in (0..1_u32 << self.cells).rev() {
            for lead in &leads {
                for used in &used {
                    for right_to_move in [false, true].into_iter().take(1 + usize::from(self.is_partizan)) {
                        let at = words(filled, right_to_move, *lead);
                        visit((at.0, at.1 | used));
                    }
                }
            }
        }
    }

    fn end(&self, at: Words) -> Option<i32> {
        let mut has_move = self.spare(at) > 0;
        self.for_each_move(at, &mut |_| has_move = true);
        (!has_move).then_some(if self.is_misere { 1 } else { -1 })
    }

    fn for_each_move(&self, at: Words, visit: &mut dyn FnMut(Words)) {
        let player = usize::from(at.1 & RIGHT_TO_MOVE != 0);
        let turn = if self.is_partizan { RIGHT_TO_MOVE } else { 0 };
        for (n, piece) in self.pieces.iter().enumerate().filter(|(_, piece)| piece.owners[player]) {
            if piece.supply.is_none_or(|supply| self.used(at, n) < supply) {
                let used = u128::from(piece.supply.is_some()) << (4 * n);
                for placement in piece.placements.iter().map(|cells| u128::from(*cells)) {
                    if placement & at.0 == 0 {
                        visit((at.0 | placement, (at.1 + used) ^ turn));
                    }
                }
            }
        }
        if self.spare(at) > 0 {
            let after = words(at.0 as u32, at.1 & RIGHT_TO_MOVE != 0, lead(at) - lead(at).signum());
            visit((after.0, after.1 ^ RIGHT_TO_MOVE));
        }
    }

    fn size(&self) -> usize {
        let used: usize = self.pieces.iter().map(|piece| piece.supply.unwrap_or(0) as usize + 1).product();
        (used * 2 * (2 * self.max_lead as usize + 1)) << self.cells
    }

    fn index(&self, at: Words) -> Option<usize> {
        let mut index = usize::from(at.1 & RIGHT_TO_MOVE != 0);
        if self.max_lead > 0 {
            let lead = lead(at);
            index = index * (2 * self.max_lead as usize + 1) + usize::try_from(lead + self.max_lead).ok()?;
            if lead > self.max_lead {
                return None;
            }
        }
        for (n, piece) in self.pieces.iter().enumerate() {
            if let Some(supply) = piece.supply {
                index = index * (supply as usize + 1) + self.used(at, n) as usize;
            }
        }
        Some(index << self.cells | at.0 as usize)
    }
}

/// Rules with one stock of pieces for both players, or with supplies.
pub(crate) const SHARED: [&str; 11] = [
    "piece: ##; rotate: yes; reflect: no",
    "piece: ##; rotate: no; reflect: no",
    "piece: ##; piece: ##/#.; rotate: yes; reflect: yes",
    "piece: #.#; rotate: yes; reflect: no",
    "piece: ###; rotate: yes; reflect: no",
    "piece: ##/#.; rotate: no; reflect: no",
    "piece: ##/#.; rotate: no; reflect: yes",
    "piece: ##./.##; rotate: yes; reflect: no",
    "piece: ###/#..; piece: #.#/.#.; rotate: no; reflect: yes",
    "piece: #./.#; piece: ###; piece: #..#; rotate: no; reflect: no",
    "piece: #; piece: ##./.#.; rotate: yes; reflect: yes",
];

const SUPPLIED: [&str; 5] = [
    "piece: ## x 2; rotate: yes; reflect: no",
    "piece: ##/#. x 1; piece: ## x 3; rotate: yes; reflect: yes",
    "piece: #.# x 1; piece: ##; rotate: no; reflect: no",
    "left: ## x 2; right: #/# x 1; right: #; rotate: no; reflect: no",
    "piece: ##/#. x 1; left: # x 2; right: ##; rotate: yes; reflect: no",
];

fn check_rules(test: &str, max_cells: usize, rules: &[&str]) {
    let (start, mut count) = (Instant::now(), 0);
    for misere in ["no", "yes"] {
        for rules in rules {
            for board in Board::all(1..=max_cells) {
                let (checker, game) = load(board, &format!("{rules}; misere: {misere}"), 2);
                count += check_game(&checker, &game);
            }
        }
    }
    report(test, &format!("{count} positions"), start);
}

#[test]
fn placement_moves_and_symmetries() {
    check_rules("moves and symmetries, shared pieces", 9, &SHARED);
    check_rules("moves and symmetries, each player's pieces", 9, &crate::places::PARTIZAN);
    check_rules("moves and symmetries, supplies", 9, &SUPPLIED);
}

#[test]
#[ignore = "long"]
fn placement_moves_and_symmetries_long() {
    check_rules("moves and symmetries, shared pieces", 16, &SHARED);
    check_rules("moves and symmetries, each player's pieces", 13, &crate::places::PARTIZAN);
    check_rules("moves and symmetries, supplies", 12, &SUPPLIED);
}
