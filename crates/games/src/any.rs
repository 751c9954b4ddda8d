//! A game of any of the four families, and generic code that runs on it.

use std::any::Any;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use balpan::{Game, Impartial, Watch};

use crate::board::{Board, CellSet};
use crate::family::{CellStyle, FamilyGame, PositionValues};
use crate::heaps::{Code, Heaps};
use crate::lines::Lines;
use crate::notation::{Notation, PlayerName};
use crate::placement::{Pieces, Placement, PlacementValueError, PositionValueReport};
use crate::settings::Setting;
use crate::text::TextError;
use crate::walkers::Walkers;
use crate::words::Lang;
use crate::{lines, placement, walkers};

/// A game of any family, from its start.
#[derive(Clone)]
pub struct AnyGame(Arc<dyn DynGame>);

impl fmt::Debug for AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnyGame({} {} {:?})", self.family(), self.size(), self.start_text())
    }
}

impl<G: FamilyGame> From<G> for AnyGame {
    fn from(game: G) -> Self {
        Self(Arc::new(game))
    }
}

/// A generic computation on a game of any family, for [`AnyGame::run`].
pub trait Task {
    /// The result.
    type Output;

    /// Runs the computation on a game.
    fn run<G: FamilyGame>(self, game: &G) -> Self::Output;
}

/// A game of any family from its start, with text as input and output. [`AnyGame`] dereferences to it; each method
/// asks [`Notation`] or [`FamilyGame`] the question of the same name, about the start if it is about a position.
#[allow(missing_docs, reason = "the methods have the names of those that they call")]
pub trait DynGame: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn board(&self) -> Option<Board>;
    fn size(&self) -> String;
    fn first_column(&self) -> usize;
    fn is_impartial(&self) -> bool;
    fn is_impartial_misere(&self) -> bool;

    fn start_text(&self) -> String;
    fn draw_lines(&self) -> Vec<String>;
    fn players(&self) -> [PlayerName; 2];
    fn is_over(&self) -> bool;
    fn glyphs(&self) -> Vec<char>;
    fn heaps(&self) -> Vec<u16>;
    fn winning_cells(&self) -> u128;
    /// Returns the text of each move, and the cells that it goes to, covers or marks.
    fn moves(&self) -> Vec<(String, u128)>;

    fn family(&self) -> &'static str;
    fn describe(&self, lang: Lang) -> Vec<String>;
    fn settings(&self) -> Vec<Setting>;
    fn cell_style(&self) -> CellStyle;
    fn cell_glyphs(&self) -> &'static str;
    fn sides(&self) -> &'static [(&'static str, Option<PlayerName>)];
    fn pieces(&self) -> Option<&Pieces>;
    fn is_by_direction(&self) -> bool;
    fn heap_code(&self) -> Option<&Code>;
    fn has_stone_score(&self) -> bool;
    fn is_misere_sum(&self) -> bool;
    /// Returns the rules and the start as the checker of certificates reads them, if it knows the family.
    fn checker_text(&self) -> Option<(String, String)>;
    fn position_value(
        &self,
        name: &str,
        memory: usize,
        watch: &Watch,
    ) -> Option<Result<PositionValueReport, PlacementValueError>>;
    fn position_values(&self) -> Option<Result<Box<dyn PositionValues>, PlacementValueError>>;
}

impl<G: FamilyGame> DynGame for G {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn board(&self) -> Option<Board> {
        Notation::board(self)
    }

    fn size(&self) -> String {
        Notation::size(self)
    }

    fn first_column(&self) -> usize {
        Notation::first_column(self)
    }

    fn is_impartial(&self) -> bool {
        Impartial::is_impartial(self)
    }

    fn is_impartial_misere(&self) -> bool {
        Impartial::is_impartial_misere(self)
    }

    fn start_text(&self) -> String {
        self.text(&self.start())
    }

    fn draw_lines(&self) -> Vec<String> {
        Notation::draw_lines(self, &self.start())
    }

    fn players(&self) -> [PlayerName; 2] {
        Notation::players(self, &self.start())
    }

    fn is_over(&self) -> bool {
        Game::is_over(self, &self.start())
    }

    fn glyphs(&self) -> Vec<char> {
        let start = self.start();
        (0..Notation::board(self).map_or(0, Board::cells)).map(|cell| self.glyph(&start, cell)).collect()
    }

    fn heaps(&self) -> Vec<u16> {
        Notation::heaps(self, &self.start())
    }

    fn winning_cells(&self) -> u128 {
        Notation::winning_cells(self, &self.start())
    }

    fn moves(&self) -> Vec<(String, u128)> {
        let start = self.start();
        Game::moves(self, &start).map(|mv| (self.move_text(&start, mv), self.move_cells(&start, mv))).collect()
    }

    fn family(&self) -> &'static str {
        FamilyGame::family(self)
    }

    fn describe(&self, lang: Lang) -> Vec<String> {
        FamilyGame::describe(self, lang)
    }

    fn settings(&self) -> Vec<Setting> {
        FamilyGame::settings(self)
    }

    fn cell_style(&self) -> CellStyle {
        FamilyGame::cell_style(self)
    }

    fn cell_glyphs(&self) -> &'static str {
        FamilyGame::cell_glyphs(self)
    }

    fn sides(&self) -> &'static [(&'static str, Option<PlayerName>)] {
        FamilyGame::sides(self)
    }

    fn pieces(&self) -> Option<&Pieces> {
        FamilyGame::pieces(self)
    }

    fn is_by_direction(&self) -> bool {
        FamilyGame::is_by_direction(self)
    }

    fn heap_code(&self) -> Option<&Code> {
        FamilyGame::heap_code(self)
    }

    fn has_stone_score(&self) -> bool {
        FamilyGame::has_stone_score(self)
    }

    fn is_misere_sum(&self) -> bool {
        FamilyGame::is_misere_sum(self)
    }

    fn checker_text(&self) -> Option<(String, String)> {
        self.checked().map(|checked| (checked.checker_rules(), checked.checker_text(&self.start())))
    }

    fn position_value(
        &self,
        name: &str,
        memory: usize,
        watch: &Watch,
    ) -> Option<Result<PositionValueReport, PlacementValueError>> {
        FamilyGame::position_value(self, name, &self.start(), memory, watch)
    }

    fn position_values(&self) -> Option<Result<Box<dyn PositionValues>, PlacementValueError>> {
        FamilyGame::position_values(self)
    }
}

impl Deref for AnyGame {
    type Target = dyn DynGame;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl AnyGame {
    /// Returns the game as a value of its own type; `None` if it is of another type.
    #[must_use]
    pub fn downcast_ref<G: FamilyGame>(&self) -> Option<&G> {
        self.0.as_any().downcast_ref()
    }

    /// Returns a copy of the game as a value of its own type; `None` if it is of another type.
    #[must_use]
    pub fn downcast<G: FamilyGame>(&self) -> Option<G> {
        self.downcast_ref().cloned()
    }

    /// Runs a task on the game, compiled for its type.
    pub fn run<T: Task>(&self, task: T) -> T::Output {
        if let Some(game) = self.downcast_ref::<Walkers>() {
            task.run(game)
        } else if let Some(game) = self.downcast_ref::<Walkers<u128>>() {
            task.run(game)
        } else if let Some(game) = self.downcast_ref::<Placement>() {
            task.run(game)
        } else if let Some(game) = self.downcast_ref::<Placement<u128>>() {
            task.run(game)
        } else if let Some(game) = self.downcast_ref::<Lines>() {
            task.run(game)
        } else if let Some(game) = self.downcast_ref::<Heaps>() {
            task.run(game)
        } else {
            unreachable!("the list of types is complete")
        }
    }
}

/// The rules of any family.
#[derive(Clone, Debug)]
pub(crate) enum AnyRules {
    Walkers(walkers::Rules),
    Placement(placement::Rules),
    Lines(lines::Rules),
    /// The game from the start that its file names.
    Heaps(Heaps),
}

impl AnyRules {
    /// The largest number of cells that a board may have.
    pub(crate) const fn most_cells(&self) -> usize {
        match self {
            Self::Walkers(_) | Self::Placement(_) => u128::CELLS,
            Self::Lines(_) | Self::Heaps(_) => Board::MAX_CELLS,
        }
    }

    /// Returns the game from the family's usual start on `board`. Heap games have no board and ignore it.
    pub(crate) fn game_on(&self, board: Board) -> AnyGame {
        match self {
            Self::Walkers(rules) if board.cells() <= Board::MAX_CELLS => {
                Walkers::<u64>::new_unchecked(rules.clone(), board).into()
            }
            Self::Walkers(rules) => Walkers::<u128>::new_unchecked(rules.clone(), board).into(),
            Self::Placement(rules) if board.cells() <= Board::MAX_CELLS => {
                Placement::<u64>::new_unchecked(rules.clone(), board).into()
            }
            Self::Placement(rules) => Placement::<u128>::new_unchecked(rules.clone(), board).into(),
            Self::Lines(rules) => Lines::new_unchecked(*rules, board).into(),
            Self::Heaps(game) => game.clone().into(),
        }
    }

    /// Returns the game from the position in `text`. `board` is the board of texts that show none, such as
    /// columns played.
    pub(crate) fn game_at(&self, board: Board, text: &str) -> Result<AnyGame, TextError> {
        match self {
            Self::Walkers(rules) => {
                let wide = Walkers::<u128>::from_text(rules.clone(), text)?;
                if wide.board().cells() > Board::MAX_CELLS {
                    return Ok(wide.into());
                }
                Walkers::<u64>::from_text(rules.clone(), text).map(AnyGame::from)
            }
            Self::Placement(rules) => {
                let wide = Placement::<u128>::from_text(rules.clone(), text)?;
                if wide.board().cells() > Board::MAX_CELLS {
                    return Ok(wide.into());
                }
                Placement::<u64>::from_text(rules.clone(), text).map(AnyGame::from)
            }
            Self::Lines(rules) => Lines::from_text(*rules, board, text).map(AnyGame::from),
            Self::Heaps(game) => Heaps::from_text(game.rules().clone(), text).map(AnyGame::from),
        }
    }
}
