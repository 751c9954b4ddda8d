//! Sums of impartial games under normal play. The nimber of the sum is the XOR of the components' nimbers.

use std::time::Duration;

use balpan::{Engine, EngineError, Solver, Watch};
use serde::Serialize;

use crate::any::{AnyGame, Task};
use crate::engines::{EngineOptions, QueryError};
use crate::notation::Notation;
use crate::words::{Explanation, Lang};

/// The report on a sum. The JSON field names are part of the command's contract.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SumReport {
    /// The components.
    pub sum: Vec<SumComponent>,
    /// The nimber of the sum.
    pub nimber: u32,
    /// `win` or `loss`, for the player to move.
    pub outcome: &'static str,
    /// The winner: `first player` or `second player`.
    pub winner: &'static str,
    /// The winning moves, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<WinningMove>>,
    /// The number of positions searched.
    pub positions_searched: u64,
    /// The elapsed time in seconds.
    pub seconds: f64,
}

/// A component of a sum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SumComponent {
    /// The name of the game.
    pub game: String,
    /// Its position.
    pub position: String,
    /// Its nimber.
    pub nimber: u32,
}

/// A winning move: the nimber of the sum after it is 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WinningMove {
    /// The component it is in, from 1.
    pub component: usize,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The component's position after the move.
    pub position: String,
    /// The component's nimber after the move.
    pub nimber: u32,
}

/// A component of a sum, with its engine.
pub trait Summand: Send {
    /// Returns the text of the start.
    fn position(&self) -> String;

    /// Returns the nimber of the start.
    ///
    /// # Errors
    /// As of [`Engine::nimber`].
    fn nimber(&mut self, watch: &Watch) -> Result<u32, EngineError>;

    /// Returns the moves from the start to positions with this nimber. `component` is the number that the moves get.
    ///
    /// # Errors
    /// As of [`Engine::nimber`].
    fn moves_to(&mut self, nimber: u32, component: usize, watch: &Watch) -> Result<Vec<WinningMove>, EngineError>;

    /// Returns the nimber of a position.
    ///
    /// # Errors
    /// As of [`Engine::nimber`], or if the text is no position.
    fn nimber_at(&mut self, position: &str, watch: &Watch) -> Result<u32, QueryError>;

    /// Returns all moves of a position.
    ///
    /// # Errors
    /// As of [`Engine::nimber`], or if the text is no position.
    fn moves_at(&mut self, position: &str, watch: &Watch) -> Result<Vec<WinningMove>, QueryError>;

    /// Returns the number of positions searched.
    fn positions_searched(&self) -> u64;
}

impl<G: Notation> Summand for Engine<G> {
    fn position(&self) -> String {
        self.game().text(&self.game().start())
    }

    fn nimber(&mut self, watch: &Watch) -> Result<u32, EngineError> {
        let start = self.game().start();
        Self::nimber(self, &start, watch)
    }

    fn moves_to(&mut self, nimber: u32, component: usize, watch: &Watch) -> Result<Vec<WinningMove>, EngineError> {
        let game = std::sync::Arc::clone(self.game());
        let start = game.start();
        let mut moves = Vec::new();
        for mv in game.moves(&start) {
            let after = game.play(&start, mv);
            if Self::nimber(self, &after, watch)? == nimber {
                let (mv, position) = (game.move_text(&start, mv), game.text(&after));
                moves.push(WinningMove { component, mv, nimber, position });
            }
        }
        Ok(moves)
    }

    fn nimber_at(&mut self, position: &str, watch: &Watch) -> Result<u32, QueryError> {
        let position = self.game().parse(position)?;
        Ok(Self::nimber(self, &position, watch)?)
    }

    fn moves_at(&mut self, position: &str, watch: &Watch) -> Result<Vec<WinningMove>, QueryError> {
        let game = std::sync::Arc::clone(self.game());
        let position = game.parse(position)?;
        let mut moves = Vec::new();
        for mv in game.moves(&position) {
            let after = game.play(&position, mv);
            let nimber = Self::nimber(self, &after, watch)?;
            let (mv, position) = (game.move_text(&position, mv), game.text(&after));
            moves.push(WinningMove { component: 1, mv, nimber, position });
        }
        Ok(moves)
    }

    fn positions_searched(&self) -> u64 {
        Solver::positions_searched(self)
    }
}

/// Why a game is no component of a sum, and its positions have no nimbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SumObstacle {
    /// Play ends with scores.
    Scores,
    /// Play may repeat.
    Repeats,
    /// Some moves keep the turn.
    KeepsTurn,
}

impl SumObstacle {
    /// Returns what the game has of these, unless it is impartial all the same.
    #[must_use]
    pub fn new(game: &AnyGame) -> Option<Self> {
        if game.may_repeat() {
            Some(Self::Repeats)
        } else if game.is_impartial() || game.is_impartial_misere() {
            None
        } else if game.max_score() > 0 {
            Some(Self::Scores)
        } else {
            game.keeps_turns().then_some(Self::KeepsTurn)
        }
    }

    /// Says why the game has no nimbers.
    #[must_use]
    pub fn explain(self, lang: Lang) -> Explanation {
        let message = match self {
            Self::Scores => lang.pick("play ends with a score", "점수로 끝나는 게임입니다"),
            Self::Repeats => lang.pick("play may go on for ever", "끝없이 이어질 수 있는 게임입니다"),
            Self::KeepsTurn => {
                lang.pick("a player may move twice in a row", "한 사람이 이어서 두 번 둘 수 있는 게임입니다")
            }
        };
        Explanation::new(
            message,
            lang.pick(
                "nimbers and sums are for games that end, in which turns alternate and whoever cannot move loses",
                "그런디 수와 합은 번갈아 두고 반드시 끝나며 둘 수 없으면 지는 게임에만 있습니다",
            ),
        )
    }
}

impl EngineOptions {
    /// Builds the component of a sum from a game of any family at its start.
    #[must_use]
    pub fn summand(self, game: &AnyGame) -> Box<dyn Summand> {
        game.run(MakeSummand(self))
    }
}

struct MakeSummand(EngineOptions);

impl Task for MakeSummand {
    type Output = Box<dyn Summand>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        Box::new(self.0.build(game))
    }
}

impl SumReport {
    /// Evaluates the sum of components with these names, and finds the winning moves if `moves` is set.
    ///
    /// # Errors
    /// [`EngineError`] if a component has no nimber, or `watch` stops the search.
    pub fn find(
        names: &[String],
        parts: &mut [Box<dyn Summand>],
        moves: bool,
        watch: &Watch,
    ) -> Result<Self, EngineError> {
        let nimbers = parts.iter_mut().map(|part| part.nimber(watch)).collect::<Result<Vec<_>, _>>()?;
        let nimber = nimbers.iter().fold(0, |sum, nimber| sum ^ nimber);
        let mut winning = Vec::new();
        if moves && nimber != 0 {
            for (component, (part, of)) in (1..).zip(parts.iter_mut().zip(&nimbers)) {
                winning.extend(part.moves_to(of ^ nimber, component, watch)?);
            }
        }
        let mut sum = Vec::with_capacity(parts.len());
        for ((game, part), &nimber) in names.iter().zip(parts.iter()).zip(&nimbers) {
            sum.push(SumComponent { game: game.clone(), position: part.position(), nimber });
        }
        Ok(Self {
            sum,
            nimber,
            outcome: if nimber == 0 { "loss" } else { "win" },
            winner: if nimber == 0 { "second player" } else { "first player" },
            moves: moves.then_some(winning),
            positions_searched: parts.iter().map(|part| part.positions_searched()).sum(),
            seconds: 0.0,
        })
    }

    /// Sets the elapsed time.
    #[must_use]
    pub fn with_elapsed(self, time: Duration) -> Self {
        Self { seconds: time.as_secs_f64(), ..self }
    }
}
