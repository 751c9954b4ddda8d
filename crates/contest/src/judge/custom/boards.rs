//! Games of every family on one board, with positions as text.

use std::collections::HashSet;

use balpan::{Budget, SplitMix};
use balpan_games::{AnyGame, Board, EngineOptions, Notation, RulesFile, Task, TextEngine, TextError};

/// A position's text, and the number of tiles, free cells or tokens left there.
pub(crate) type TextPosition = (String, usize);

/// A game on one board. The `text` arguments of its methods, except for
/// [`parse`](Self::parse), are positions that it has written.
pub(crate) trait TextGame: Send + Sync {
    /// Returns the board, if the game has one.
    fn size(&self) -> Option<Board>;

    /// Returns the starting position.
    fn start(&self) -> TextPosition;

    /// Parses a position and writes it as the game does.
    fn parse(&self, text: &str) -> Result<TextPosition, TextError>;

    /// Returns the positions after one move, each once.
    fn successors(&self, text: &str) -> Vec<TextPosition>;

    /// Returns all positions that play can reach, those with the least left first; `None` if there
    /// are more than `max`.
    fn all_positions(&self, max: usize) -> Option<Vec<TextPosition>>;

    /// Plays random moves until at most `left` cells are left, or to the end of play.
    fn random_play(&self, left: usize, random: &mut SplitMix) -> TextPosition;

    /// Creates an engine of the game.
    fn engine(&self) -> Box<dyn TextEngine>;
}

/// Memory for an engine's table: its positions are not hard.
const TABLE_BYTES: usize = 16 << 20;

/// The most cells of a board other than the rules' own.
const MAX_OTHER_BOARD_CELLS: usize = 36;

/// A game with its type, and without.
struct TypedGame<G>(G, AnyGame);

impl<G: Notation> TypedGame<G> {
    fn to_text(&self, position: &G::Position) -> TextPosition {
        (self.0.text(position), self.0.layer(position).unwrap_or(0) as usize)
    }

    fn position(&self, text: &str) -> G::Position {
        self.0.parse(text).unwrap_or_else(|e| unreachable!("the game has written it: {e}"))
    }

    fn reachable_positions(&self, max: usize) -> Option<Vec<G::Position>> {
        let mut seen = HashSet::from([self.0.start()]);
        let mut open = vec![self.0.start()];
        while let Some(position) = open.pop() {
            for mv in self.0.moves(&position) {
                let after = self.0.play(&position, mv);
                if !seen.contains(&after) {
                    seen.insert(after.clone());
                    open.push(after);
                }
            }
            if seen.len() > max {
                return None;
            }
        }
        Some(seen.into_iter().collect())
    }
}

impl<G: Notation> TextGame for TypedGame<G> {
    fn size(&self) -> Option<Board> {
        Notation::board(&self.0)
    }

    fn start(&self) -> TextPosition {
        self.to_text(&self.0.start())
    }

    fn parse(&self, text: &str) -> Result<TextPosition, TextError> {
        self.0.parse(text).map(|position| self.to_text(&position))
    }

    fn successors(&self, text: &str) -> Vec<TextPosition> {
        let position = self.position(text);
        let mut seen = HashSet::new();
        let after = self.0.moves(&position).map(|mv| self.0.play(&position, mv));
        after.filter(|after| seen.insert(after.clone())).map(|after| self.to_text(&after)).collect()
    }

    fn all_positions(&self, max: usize) -> Option<Vec<TextPosition>> {
        let mut positions: Vec<_> =
            self.reachable_positions(max)?.iter().map(|position| self.to_text(position)).collect();
        // The text makes the order the same on every machine.
        positions.sort_by(|(text, cells), (other_text, other_cells)| (cells, text).cmp(&(other_cells, other_text)));
        Some(positions)
    }

    fn random_play(&self, left: usize, random: &mut SplitMix) -> TextPosition {
        let mut position = self.0.start();
        loop {
            let text = self.to_text(&position);
            let moves: Vec<_> = self.0.moves(&position).collect();
            // Without layers nothing says how much is left, and play may go on for ever.
            let is_enough = self.0.layer(&position).map_or_else(|| random.below(12) == 0, |_| text.1 <= left);
            if is_enough || moves.is_empty() {
                return text;
            }
            position = self.0.play(&position, moves[random.below(moves.len())]);
        }
    }

    fn engine(&self) -> Box<dyn TextEngine> {
        EngineOptions::new(Budget { memory: TABLE_BYTES, threads: 1 }).text_engine(&self.1)
    }
}

/// Wraps a game of any family.
struct Wrap<'a>(&'a AnyGame);

impl Task for Wrap<'_> {
    type Output = Box<dyn TextGame>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        Box::new(TypedGame(game.clone(), self.0.clone()))
    }
}

fn wrap(game: &AnyGame) -> Box<dyn TextGame> {
    game.run(Wrap(game))
}

/// Returns the game on the rules' own board, which is the last; before it, if `smaller` is set, on the
/// smaller boards that the rules allow, the smallest first.
pub(crate) fn boards(rules: &RulesFile, smaller: bool) -> Result<Vec<Box<dyn TextGame>>, TextError> {
    let own = wrap(&rules.game()?);
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
        (read.board() == game.board()).then(|| wrap(&game))
    };
    Ok(sizes.into_iter().filter_map(on_board).chain([own]).collect())
}
