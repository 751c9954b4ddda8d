//! Games of every family on one board, with positions as text.

use std::collections::HashSet;

use balpan::{Budget, SplitMix};
use balpan_games::{AnyGame, Board, DynPosition, EngineOptions, RulesFile, TextEngine, TextError};

/// A position's text, and the number of tiles, free cells or tokens left there.
pub(crate) type TextPosition = (String, usize);

/// Memory for an engine's table: its positions are not hard.
const TABLE_BYTES: usize = 16 << 20;

/// The most cells of a board other than the rules' own.
const MAX_OTHER_BOARD_CELLS: usize = 36;

/// A game on one board. The `text` arguments of its methods, except for
/// [`parse`](Self::parse), are positions that it has written.
pub(crate) struct TextGame(AnyGame);

impl TextGame {
    fn to_text(&self, position: &DynPosition) -> TextPosition {
        (self.0.rules().text(position), self.0.rules().layer(position).unwrap_or(0) as usize)
    }

    /// Returns the board, if the game has one.
    pub(crate) fn size(&self) -> Option<Board> {
        self.0.board()
    }

    /// Returns the starting position.
    pub(crate) fn start(&self) -> TextPosition {
        self.to_text(&self.0.rules().start())
    }

    /// Parses a position and writes it as the game does.
    pub(crate) fn parse(&self, text: &str) -> Result<TextPosition, TextError> {
        self.0.rules().parse(text).map(|position| self.to_text(&position))
    }

    /// Returns the positions after one move, each once.
    pub(crate) fn successors(&self, text: &str) -> Vec<TextPosition> {
        let rules = self.0.rules();
        let position = rules.parse(text).unwrap_or_else(|e| unreachable!("the game has written it: {e}"));
        let mut seen = HashSet::new();
        let after = rules.play_all(&position).into_iter().filter(|after| seen.insert(after.clone()));
        after.map(|after| self.to_text(&after)).collect()
    }

    /// Returns all positions that play can reach, those with the least left first; `None` if there
    /// are more than `max`.
    pub(crate) fn all_positions(&self, max: usize) -> Option<Vec<TextPosition>> {
        let rules = self.0.rules();
        let mut open = vec![rules.start()];
        let mut seen: HashSet<_> = open.iter().cloned().collect();
        while let Some(position) = open.pop() {
            open.extend(rules.play_all(&position).into_iter().filter(|after| seen.insert(after.clone())));
            if seen.len() > max {
                return None;
            }
        }
        let mut positions: Vec<_> = seen.iter().map(|position| self.to_text(position)).collect();
        // The text makes the order the same on every machine.
        positions.sort_by(|(text, cells), (other_text, other_cells)| (cells, text).cmp(&(other_cells, other_text)));
        Some(positions)
    }

    /// Plays random moves until at most `left` cells are left, or to the end of play.
    pub(crate) fn random_play(&self, left: usize, random: &mut SplitMix) -> TextPosition {
        let rules = self.0.rules();
        let mut position = rules.start();
        loop {
            let text = self.to_text(&position);
            let moves = rules.count_moves(&position) as usize;
            // Without layers nothing says how much is left, and play may go on for ever.
            let is_enough = rules.layer(&position).map_or_else(|| random.below(12) == 0, |_| text.1 <= left);
            if is_enough || moves == 0 {
                return text;
            }
            position = rules.play(&position, random.below(moves) as u32);
        }
    }

    /// Creates an engine of the game.
    pub(crate) fn engine(&self) -> Box<dyn TextEngine> {
        EngineOptions::new(Budget { memory: TABLE_BYTES, threads: 1 }).text_engine(&self.0)
    }
}

/// Returns the game on the rules' own board, which is the last; before it, if `smaller` is set, on the
/// smaller boards that the rules allow, the smallest first.
pub(crate) fn boards(rules: &RulesFile, smaller: bool) -> Result<Vec<TextGame>, TextError> {
    let own = TextGame(rules.game()?);
    let mut sizes = Vec::new();
    if let Some(board) = own.size().filter(|_| smaller) {
        let all = (1..=board.rows()).flat_map(|rows| (1..=board.cols()).map(move |cols| (rows * cols, rows, cols)));
        sizes.extend(all.filter(|(cells, ..)| *cells < board.cells() && *cells <= MAX_OTHER_BOARD_CELLS));
        sizes.sort_unstable();
    }
    let on_board = |(_, rows, cols): (usize, usize, usize)| {
        let game = rules.with_board(&format!("{rows}x{cols}")).ok()?.game().ok()?;
        // Cases are texts, which have to show their board.
        let read = rules.game_at(&game.start_text()).ok()?;
        (read.board() == game.board()).then(|| TextGame(game))
    };
    Ok(sizes.into_iter().filter_map(on_board).chain([own]).collect())
}
