//! Sums of impartial games: who is to move does so in one of them; who can move in none
//! loses. The nimber of the sum is the XOR of theirs.

use std::time::Duration;

use balpan::{Engine, EngineError, Solver, Watch};
use serde::Serialize;

use crate::any::{AnyGame, Task};
use crate::engines::{MakeEngine, NoTextAnswer};
use crate::notation::Notation;

/// What a sum is worth. As JSON, the field names are part of the command's contract.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SumReport {
    /// The games.
    pub sum: Vec<SumComponent>,
    /// That of the sum.
    pub nimber: u32,
    /// `win` or `loss`, for the player to move.
    pub outcome: &'static str,
    /// Who wins.
    pub winner: &'static str,
    /// The moves that win, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<WinningMove>>,
    /// What it cost.
    pub positions_searched: u64,
    /// And how long it took.
    pub seconds: f64,
}

/// A game of a sum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SumComponent {
    /// What it is called.
    pub game: String,
    /// Its position.
    pub position: String,
    /// Its nimber.
    pub nimber: u32,
}

/// A move after which the nimber of the sum is 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WinningMove {
    /// Which game it is in, from 1.
    pub component: usize,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// What it leaves of that game.
    pub position: String,
    /// And the nimber of that.
    pub nimber: u32,
}

/// One game of a sum, with its engine.
pub trait Summand: Send {
    /// The text of its start.
    fn position(&self) -> String;

    /// The nimber of its start.
    ///
    /// # Errors
    /// As of [`Engine::nimber`].
    fn nimber(&mut self, watch: &Watch) -> Result<u32, EngineError>;

    /// The moves to a nimber, of the game of this number.
    ///
    /// # Errors
    /// As of [`Engine::nimber`].
    fn moves_to(&mut self, nimber: u32, component: usize, watch: &Watch) -> Result<Vec<WinningMove>, EngineError>;

    /// The nimber of any position of the game.
    ///
    /// # Errors
    /// As of [`Engine::nimber`], or if the text is no position.
    fn nimber_at(&mut self, position: &str, watch: &Watch) -> Result<u32, NoTextAnswer>;

    /// All moves of a position, with what each leaves.
    ///
    /// # Errors
    /// As of [`Engine::nimber`], or if the text is no position.
    fn moves_at(&mut self, position: &str, watch: &Watch) -> Result<Vec<WinningMove>, NoTextAnswer>;

    /// The number of positions searched.
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

    fn nimber_at(&mut self, position: &str, watch: &Watch) -> Result<u32, NoTextAnswer> {
        let position = self.game().parse(position)?;
        Ok(Self::nimber(self, &position, watch)?)
    }

    fn moves_at(&mut self, position: &str, watch: &Watch) -> Result<Vec<WinningMove>, NoTextAnswer> {
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

/// Makes a game, from its start, a part of a sum.
#[derive(Clone, Debug)]
pub struct MakeSummand(pub MakeEngine);

impl Task for MakeSummand {
    type Output = Box<dyn Summand>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        Box::new(self.0.engine(game))
    }
}

/// Whether both players have the same moves, and who cannot move loses: such games have a
/// nimber.
#[must_use]
pub fn is_impartial(game: &AnyGame) -> bool {
    struct IsImpartial;

    impl Task for IsImpartial {
        type Output = bool;

        fn run<G: Notation>(self, game: &G) -> bool {
            game.is_impartial()
        }
    }

    game.run(IsImpartial)
}

impl SumReport {
    /// Adds up games of these names; and if they are asked for, finds the moves that win.
    ///
    /// # Errors
    /// If one of them has no nimber, or `watch` says to stop.
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

    /// The same, which took so long.
    #[must_use]
    pub fn with_elapsed(self, time: Duration) -> Self {
        Self { seconds: time.as_secs_f64(), ..self }
    }
}
