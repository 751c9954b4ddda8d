//! Placement games for the rest of the program: settings, drawing, values, the checker's text, random positions.

use std::fmt::Write;
use std::sync::Arc;

use balpan::{AlphaBeta, Bounds, Budget, Game, Outcome, Solver, SplitMix, Stopped, Value, Watch};
use balpan_cgt::{CgtError, Form, FormStore};

use super::{
    DominoPosition, Dominoes, Piece, Pieces, Placement, PlacementValueError, PlacementValues, Position,
    PositionValueReport, Rules,
};
use crate::board::{CellSet, Cells};
use crate::family::{Checked, FamilyGame, PositionValues, play_randomly, random_subset, rows_text, yes_no};
use crate::notation::{Notation, PlayerName};
use crate::settings::{Kind, Setting};
use crate::text::TextError;

impl<W: CellSet> FamilyGame for Placement<W> {
    fn family(&self) -> &'static str {
        "placement"
    }

    fn settings(&self) -> Vec<Setting> {
        let Rules { pieces, rotate, reflect, misere } = &self.rules;
        let mut settings = match pieces {
            Pieces::Shared(pieces) => vec![Setting::new("pieces", Kind::Pieces, pieces_text(pieces))],
            Pieces::Own { left, right } => vec![
                Setting::new("left", Kind::Pieces, pieces_text(left)),
                Setting::new("right", Kind::Pieces, pieces_text(right)),
            ],
        };
        let supplies: Vec<_> =
            pieces.all().filter_map(|piece| piece.supply.map(|n| format!("{:?} = {n}", piece.name))).collect();
        if !supplies.is_empty() {
            settings.push(Setting::new("supply", Kind::Pieces, format!("{{ {} }}", supplies.join(", "))));
        }
        settings.push(Setting::yes_no("rotate", *rotate));
        settings.push(Setting::yes_no("reflect", *reflect));
        settings.push(Setting::yes_no("misere", *misere));
        settings
    }

    fn cell_glyphs(&self) -> &str {
        ".#"
    }

    fn sides(&self) -> &'static [(&'static str, Option<PlayerName>)] {
        if self.is_partizan() { &[("l", Some(PlayerName::Left)), ("r", Some(PlayerName::Right))] } else { &[] }
    }

    /// Cells that moves of either player connect; those that no move changes are in no part.
    fn parts(&self, position: &Position<W>) -> Vec<(u128, String)> {
        let mut parts: Vec<u128> = Vec::new();
        for side in self.both_sides(position) {
            for cells in self.moves(&side).map(|mv| self.move_cells(&side, mv)) {
                let (touched, others): (Vec<_>, Vec<_>) = parts.into_iter().partition(|part| part & cells != 0);
                parts = others;
                parts.push(touched.into_iter().fold(cells, |all, part| all | part));
            }
        }
        if self.has_supplies() && !parts.is_empty() {
            return vec![(0, self.text(position))];
        }
        parts.sort_by_key(|part| part.trailing_zeros());
        let filled = |part| Cells(self.board.full::<W>()).filter(move |cell| part >> cell & 1 == 0);
        let alone =
            |part| Position { filled: filled(part).fold(W::default(), |all, cell| all | W::bit(cell)), ..*position };
        parts.into_iter().map(|part| (part, rows_text(self, &alone(part)))).collect()
    }

    fn pieces(&self) -> Option<&Pieces> {
        Some(&self.rules.pieces)
    }

    fn is_by_direction(&self) -> bool {
        let is_one = |pieces: &[Piece], drawn: &str| matches!(pieces, [piece] if piece.shape.to_string() == drawn);
        match &self.rules.pieces {
            Pieces::Own { left, right } => !self.rules.rotate && is_one(left, "#/#") && is_one(right, "##"),
            Pieces::Shared(_) => false,
        }
    }

    fn checked(&self) -> Option<&dyn Checked<Position = Position<W>>> {
        Some(self)
    }

    fn position_value(
        &self,
        name: &str,
        position: &Position<W>,
        memory: usize,
        watch: &Watch,
    ) -> Option<Result<PositionValueReport, PlacementValueError>> {
        Some(PositionValueReport::find(name, self, position, memory, watch))
    }

    fn position_values(&self) -> Option<Result<Box<dyn PositionValues>, PlacementValueError>> {
        Some(PlacementValues::new(self).map(|values| Box::new((self.clone(), values)) as Box<dyn PositionValues>))
    }

    /// Fills random free cells of the start, and the cells on which nothing fits. If pieces have a supply, plays random
    /// moves instead.
    fn random_position(&self, left: usize, random: &mut SplitMix) -> Option<Position<W>> {
        if self.has_supplies() {
            return play_randomly(self, random, |position, _| self.free(position).count_ones() as usize <= left);
        }
        let start = self.start();
        let free = random_subset(self.free(&start), left, random);
        let right_to_move = if self.is_partizan() { random.below(2) == 1 } else { start.right_to_move };
        Some(self.strip_dead_cells(&Position { filled: self.board.full::<W>() & !free, right_to_move, ..start }))
    }

    /// Fills the cells that no piece of either side covers.
    fn strip_dead_cells(&self, position: &Position<W>) -> Position<W> {
        let sides: Vec<_> = self.both_sides(position).collect();
        let fits = sides.iter().flat_map(|side| self.moves(side).map(|mv| self.move_cells(side, mv)));
        let live = fits.fold(0, |live, cells| live | cells);
        let dead = Cells(self.free(position)).filter(|cell| live >> cell & 1 == 0);
        Position { filled: dead.fold(position.filled, |filled, cell| filled | W::bit(cell)), ..*position }
    }

    fn one_cell_variants(&self, position: &Position<W>) -> Vec<Position<W>> {
        let cells = Cells(self.board.full::<W>());
        cells.map(|cell| Position { filled: position.filled ^ W::bit(cell), ..*position }).collect()
    }
}

impl<W: CellSet> Placement<W> {
    /// Returns the position, and that with the other player to move if the players have moves of their own.
    fn both_sides(&self, position: &Position<W>) -> impl Iterator<Item = Position<W>> {
        let other = Position { right_to_move: !position.right_to_move, ..*position };
        [*position].into_iter().chain(self.is_partizan().then_some(other))
    }
}

/// Writes a table of pieces on one line, as in a rules file.
fn pieces_text(pieces: &[Piece]) -> String {
    let named: Vec<_> = pieces.iter().map(|piece| format!("{:?} = \"{}\"", piece.name, piece.shape)).collect();
    format!("{{ {} }}", named.join(", "))
}

impl<W: CellSet> PositionValues for (Placement<W>, PlacementValues<W>) {
    fn players(&self) -> [PlayerName; 2] {
        [PlayerName::Left, PlayerName::Right]
    }

    fn value(&mut self, text: &str, forms: &mut FormStore) -> Result<Result<Form, CgtError>, TextError> {
        let (game, values) = self;
        Ok(values.value(&game.parse(text)?, forms))
    }
}

/// Set in the checker's second word if Right is to move.
const RIGHT_TO_MOVE: u128 = 1 << 127;

impl<W: CellSet> Checked for Placement<W> {
    type Position = Position<W>;

    fn checker_rules(&self) -> String {
        let Rules { pieces, rotate, reflect, misere } = &self.rules;
        let mut lines = String::from("family: placement\n");
        let mut add = |key: &str, pieces: &[Piece]| {
            for piece in pieces {
                let supply = piece.supply.map_or(String::new(), |supply| format!(" x {supply}"));
                // Writing to a string cannot fail.
                let _ = writeln!(lines, "{key}: {}{supply}", piece.shape);
            }
        };
        match pieces {
            Pieces::Shared(pieces) => add("piece", pieces),
            Pieces::Own { left, right } => {
                add("left", left);
                add("right", right);
            }
        }
        let (rotate, reflect, misere) = (yes_no(*rotate), yes_no(*reflect), yes_no(*misere));
        lines + &format!("rotate: {rotate}\nreflect: {reflect}\nmisere: {misere}\n")
    }

    fn checker_text(&self, position: &Position<W>) -> String {
        let rows = rows_text(self, position);
        let turn = match (self.is_partizan(), position.right_to_move) {
            (false, _) => "",
            (true, false) => " l",
            (true, true) => " r",
        };
        let used = |piece: usize| format!(" {}", position.used >> (4 * piece) & 15);
        let used: String = (0..self.rules.pieces.all().count().min(16)).map(used).collect();
        if position.used == 0 { rows + turn } else { format!("{rows}{turn} used{used}") }
    }

    fn position_from_words(&self, [filled, used]: [u128; 2]) -> Option<Position<W>> {
        let right_to_move = used & RIGHT_TO_MOVE != 0;
        Some(Position { filled: W::from_low_bits(filled), used: used as u64, right_to_move })
    }

    fn solver_with_moves_elsewhere(&self, budget: Budget, watch: &Watch) -> Option<Box<dyn Solver<[u128; 2]>>> {
        let dominoes = Arc::new(Dominoes::for_game(self)?);
        let solver = AlphaBeta::new(Arc::clone(&dominoes), budget.memory, watch).with_threads(budget.threads);
        Some(Box::new(CheckerDominoes { dominoes, solver, board: self.board.full() }))
    }
}

/// Alpha-beta over [`Dominoes`], for the checker's positions. It finds outcomes only.
struct CheckerDominoes<W: CellSet> {
    dominoes: Arc<Dominoes<W>>,
    solver: AlphaBeta<Arc<Dominoes<W>>>,
    /// All cells of the board.
    board: W,
}

impl<W: CellSet> CheckerDominoes<W> {
    fn position(&self, &[filled, rest]: &[u128; 2]) -> DominoPosition<W> {
        // The checker's lead is at most the number of cells.
        let lead = rest as u16 as i16 as i8;
        self.dominoes.position(self.board & !W::from_low_bits(filled), lead, rest & RIGHT_TO_MOVE != 0)
    }
}

impl<W: CellSet> Solver<[u128; 2]> for CheckerDominoes<W> {
    fn value(&mut self, at: &[u128; 2]) -> Result<Value, Stopped> {
        self.solver.value(&self.position(at))
    }

    fn test(&mut self, at: &[u128; 2], threshold: Value) -> Result<Value, Stopped> {
        self.solver.test(&self.position(at), threshold)
    }

    fn known_bounds(&mut self, at: &[u128; 2]) -> Bounds {
        self.solver.known_bounds(&self.position(at))
    }

    fn outcome(&mut self, at: &[u128; 2]) -> Result<Outcome, Stopped> {
        self.solver.outcome(&self.position(at))
    }

    fn bytes(&self) -> u64 {
        self.solver.bytes()
    }

    fn positions_searched(&self) -> u64 {
        self.solver.positions_searched()
    }

    fn set_watch(&mut self, watch: &Watch) {
        self.solver.set_watch(watch);
    }
}
