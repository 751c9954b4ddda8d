//! A game of any family, and generic code that runs on it.

use std::any::Any;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use balpan::{Game, Watch};

use crate::board::Board;
use crate::family::{CellStyle, FamilyGame, PositionValues};
use crate::heaps::Code;
use crate::notation::{Notation, PlayerName};
use crate::placement::{Pieces, PlacementValueError, PositionValueReport};
use crate::settings::Setting;
use crate::words::Lang;

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

/// Defines the object-safe form of a game at its start: methods of the `game`, and of its start as a `position`. Each
/// calls the method of the same name of the trait in brackets.
macro_rules! dyn_game {
    (
        game { $($of_game:ident [$game_trait:ident]($($game_arg:ident: $game_type:ty),*) -> $game_output:ty;)* }
        position { $($name:ident [$trait:ident] -> $output:ty;)* }
    ) => {
        /// A game of any family from its start, with text as input and output. [`AnyGame`] dereferences to it. Most
        /// methods have the names of those of [`Notation`] and [`FamilyGame`] that they call.
        #[allow(missing_docs, reason = "the methods have the names of those that they call")]
        pub trait DynGame: Send + Sync {
            $(fn $of_game(&self $(, $game_arg: $game_type)*) -> $game_output;)*
            $(fn $name(&self) -> $output;)*
            fn as_any(&self) -> &dyn Any;
            /// Returns the rules, for positions other than the start.
            fn rules(&self) -> &dyn crate::erased::DynRules;
            fn start_text(&self) -> String;
            /// Whether some move near the start leaves the turn with the player who makes it.
            fn keeps_turns(&self) -> bool;
            /// Returns the character of each cell.
            fn glyphs(&self) -> Vec<char>;
            /// Returns the text of each move, and the cells that it goes to, covers or marks.
            fn moves(&self) -> Vec<(String, u128)>;
            /// Returns the rules and the start as the checker of certificates reads them, if it knows the family.
            fn checker_text(&self) -> Option<(String, String)>;
            fn position_value(
                &self,
                name: &str,
                memory: usize,
                watch: &Watch,
            ) -> Option<Result<PositionValueReport, PlacementValueError>>;
        }

        impl<G: FamilyGame> DynGame for G {
            $(fn $of_game(&self $(, $game_arg: $game_type)*) -> $game_output {
                $game_trait::$of_game(self $(, $game_arg)*)
            })*

            $(fn $name(&self) -> $output {
                $trait::$name(self, &self.start())
            })*

            fn as_any(&self) -> &dyn Any {
                self
            }

            fn rules(&self) -> &dyn crate::erased::DynRules {
                self
            }

            fn start_text(&self) -> String {
                self.text(&self.start())
            }

            fn keeps_turns(&self) -> bool {
                keeps_turns(self)
            }

            fn glyphs(&self) -> Vec<char> {
                let start = self.start();
                (0..Notation::board(self).map_or(0, Board::cells)).map(|cell| self.glyph(&start, cell)).collect()
            }

            fn moves(&self) -> Vec<(String, u128)> {
                let start = self.start();
                let shown = |mv| (self.move_text(&start, mv), self.move_cells(&start, mv));
                Game::moves(self, &start).map(shown).collect()
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
        }
    };
}

dyn_game! {
    game {
        board [Notation]() -> Option<Board>;
        size [Notation]() -> String;
        first_column [Notation]() -> usize;
        edges [Notation]() -> Vec<Vec<usize>>;
        owner [Notation](glyph: char) -> Option<usize>;
        describe [Notation](lang: Lang) -> Vec<String>;
        max_score [Game]() -> u32;
        may_repeat [Game]() -> bool;
        turns_alternate [Game]() -> bool;
        is_impartial [Game]() -> bool;
        is_impartial_misere [Game]() -> bool;
        has_part_keys [Game]() -> bool;
        family [FamilyGame]() -> &'static str;
        settings [FamilyGame]() -> Vec<Setting>;
        cell_style [FamilyGame]() -> CellStyle;
        cell_glyphs [FamilyGame]() -> &str;
        sides [FamilyGame]() -> &'static [(&'static str, Option<PlayerName>)];
        pieces [FamilyGame]() -> Option<&Pieces>;
        is_by_direction [FamilyGame]() -> bool;
        heap_code [FamilyGame]() -> Option<&Code>;
        has_stone_score [FamilyGame]() -> bool;
        is_misere_sum [FamilyGame]() -> bool;
        position_values [FamilyGame]() -> Option<Result<Box<dyn PositionValues>, PlacementValueError>>;
    }
    position {
        draw_lines [Notation] -> Vec<String>;
        heaps [Notation] -> Option<Vec<u16>>;
        picture [Notation] -> Option<String>;
        is_over [Game] -> bool;
        players [Notation] -> [PlayerName; 2];
        winning_cells [Notation] -> u128;
    }
}

/// Looks for a move that keeps the turn among those of the first positions.
fn keeps_turns<G: Game>(game: &G) -> bool {
    const MAX_POSITIONS: usize = 1_000;
    let (mut seen, mut next) = (vec![game.start()], 0);
    while let Some(position) = seen.get(next).filter(|_| !G::TURNS_ALTERNATE).cloned() {
        next += 1;
        for mv in game.moves(&position) {
            let after = game.play(&position, mv);
            if game.keeps_turn(&position, mv, &after) {
                return true;
            }
            if seen.len() < MAX_POSITIONS {
                seen.push(after);
            }
        }
    }
    false
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
}
