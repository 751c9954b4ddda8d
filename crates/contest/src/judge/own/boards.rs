//! A game on one board, its positions as text, for every family.

use std::collections::HashSet;

use balpan::{Budget, SplitMix};
use balpan_games::{Board, MakeEngine, Notation, RulesFile, Task, TextEngine, TextError};

/// A position's text, and what is left there: tiles, free cells, tokens.
pub(super) type Text = (String, usize);

/// Makes an engine of a game.
pub(super) type Maker = Box<dyn Fn() -> Box<dyn TextEngine>>;

/// A game on one board. Texts are positions that it has written.
pub(super) trait OnBoard: Send + Sync {
    /// The board, if it is played on one.
    fn size(&self) -> Option<Board>;

    /// Where play begins.
    fn start(&self) -> Text;

    /// The position as the game writes it.
    fn read(&self, text: &str) -> Result<Text, TextError>;

    /// The positions after a move, each once.
    fn after(&self, text: &str) -> Vec<Text>;

    /// Every position that play can reach, those with the least left first, if there are at most
    /// `most`.
    fn every(&self, most: usize) -> Option<Vec<Text>>;

    /// A position after random play, which stops when at most `left` is left, or at the end of play.
    fn played(&self, left: usize, random: &mut SplitMix) -> Text;

    /// What makes an engine.
    fn maker(&self) -> Maker;
}

/// Bytes of an engine's table: it is asked about what is not hard.
const TABLE: usize = 16 << 20;

/// Cells of the largest board beside the rules' own.
const MOST_CELLS: usize = 36;

struct Own<G>(G);

impl<G: Notation> Own<G> {
    fn told(&self, position: &G::Position) -> Text {
        (self.0.text(position), self.0.layer(position).unwrap_or(0) as usize)
    }

    fn position(&self, text: &str) -> G::Position {
        self.0.parse(text).unwrap_or_else(|e| unreachable!("the game has written it: {e}"))
    }

    fn every_position(&self, most: usize) -> Option<Vec<G::Position>> {
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
            if seen.len() > most {
                return None;
            }
        }
        Some(seen.into_iter().collect())
    }
}

impl<G: Notation> OnBoard for Own<G> {
    fn size(&self) -> Option<Board> {
        Notation::board(&self.0)
    }

    fn start(&self) -> Text {
        self.told(&self.0.start())
    }

    fn read(&self, text: &str) -> Result<Text, TextError> {
        self.0.parse(text).map(|position| self.told(&position))
    }

    fn after(&self, text: &str) -> Vec<Text> {
        let position = self.position(text);
        let mut seen = HashSet::new();
        let after = self.0.moves(&position).map(|mv| self.0.play(&position, mv));
        after.filter(|after| seen.insert(after.clone())).map(|after| self.told(&after)).collect()
    }

    fn every(&self, most: usize) -> Option<Vec<Text>> {
        let mut every: Vec<_> = self.every_position(most)?.iter().map(|position| self.told(position)).collect();
        // Those with the least left first, and otherwise the same on every machine.
        every.sort_by(|(text, cells), (other, more)| (cells, text).cmp(&(more, other)));
        Some(every)
    }

    fn played(&self, left: usize, random: &mut SplitMix) -> Text {
        let mut position = self.0.start();
        loop {
            let told = self.told(&position);
            let moves: Vec<_> = self.0.moves(&position).collect();
            if told.1 <= left || moves.is_empty() {
                return told;
            }
            position = self.0.play(&position, moves[random.below(moves.len())]);
        }
    }

    fn maker(&self) -> Maker {
        let game = self.0.clone();
        Box::new(move || MakeEngine::within(Budget { memory: TABLE, threads: 1 }).run(&game))
    }
}

/// Makes one of any family.
struct Make;

impl Task for Make {
    type Output = Box<dyn OnBoard>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        Box::new(Own(game.clone()))
    }
}

/// The game on each board, the smallest first, and the rules' own last; the smaller ones only if
/// they are asked for, and the rules go with them.
pub(super) fn boards(rules: &RulesFile, smaller: bool) -> Result<Vec<Box<dyn OnBoard>>, TextError> {
    let own = rules.game()?.run(Make);
    let mut sizes = Vec::new();
    if let Some(board) = own.size().filter(|_| smaller) {
        let all = (1..=board.rows()).flat_map(|rows| (1..=board.cols()).map(move |cols| (rows * cols, rows, cols)));
        sizes.extend(all.filter(|(cells, ..)| *cells < board.cells() && *cells <= MOST_CELLS));
        sizes.sort_unstable();
    }
    let on = |(_, rows, cols): (usize, usize, usize)| {
        let game = rules.on_board(&format!("{rows}x{cols}")).ok()?.game().ok()?;
        Some(game.run(Make))
    };
    Ok(sizes.into_iter().filter_map(on).chain([own]).collect())
}
