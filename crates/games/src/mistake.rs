//! What can be wrong with a position or with rules: a kind, and its particulars.
//! [`Mistake::words`] says it in words.

/// Names the kinds of a family of mistakes, and makes them [`Mistake`]s.
macro_rules! kinds {
    ($family:ident($mistake:ident) { $($kind:ident => $name:literal,)+ }) => {
        impl $mistake {
            /// The name of every kind.
            pub const KINDS: &'static [&'static str] = &[$($name),+];

            /// The name of its kind, for programs: it never changes.
            #[must_use]
            pub const fn kind(&self) -> &'static str {
                match self {
                    $(Self::$kind { .. } => $name,)+
                }
            }
        }

        impl From<$mistake> for crate::mistake::Mistake {
            fn from(mistake: $mistake) -> Self {
                Self::$family(mistake)
            }
        }
    };
}

mod heaps;
mod lines;
mod own;
mod pieces;
mod placement;
mod record;
mod rows;
mod rules;
mod values;
mod walkers;

pub use heaps::HeapsMistake;
pub use lines::LinesMistake;
pub use own::OwnMistake;
pub use pieces::{NoSupply, PiecesMistake};
pub use placement::PlacementMistake;
pub use record::RecordMistake;
pub use rows::{AfterBoard, RowsMistake};
pub use rules::RulesMistake;
pub use values::ValuesMistake;
pub use walkers::WalkersMistake;

/// A mistake in a position or in a rules file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mistake {
    /// In the rows of a board, whatever the game.
    Rows(RowsMistake),
    /// In a position of walkers.
    Walkers(WalkersMistake),
    /// In a position of a placement game.
    Placement(PlacementMistake),
    /// In a position of a game of lines.
    Lines(LinesMistake),
    /// In a position of heaps.
    Heaps(HeapsMistake),
    /// In the moves of a game as it was played.
    Record(RecordMistake),
    /// In a rules file.
    Rules(RulesMistake),
    /// In the pieces of a rules file.
    Pieces(PiecesMistake),
    /// In a text of a game that is none of the families.
    Own(OwnMistake),
    /// In a value as it is written.
    Values(ValuesMistake),
}

impl Mistake {
    /// The name of its kind, for programs: it never changes.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Rows(mistake) => mistake.kind(),
            Self::Walkers(mistake) => mistake.kind(),
            Self::Placement(mistake) => mistake.kind(),
            Self::Lines(mistake) => mistake.kind(),
            Self::Heaps(mistake) => mistake.kind(),
            Self::Record(mistake) => mistake.kind(),
            Self::Rules(mistake) => mistake.kind(),
            Self::Pieces(mistake) => mistake.kind(),
            Self::Own(_) => "own",
            Self::Values(mistake) => mistake.kind(),
        }
    }

    /// The name of every kind in texts of the families.
    pub fn kinds() -> impl Iterator<Item = &'static str> {
        let of_families = [
            RowsMistake::KINDS,
            WalkersMistake::KINDS,
            PlacementMistake::KINDS,
            LinesMistake::KINDS,
            HeapsMistake::KINDS,
            RecordMistake::KINDS,
            RulesMistake::KINDS,
            PiecesMistake::KINDS,
            ValuesMistake::KINDS,
        ];
        of_families.into_iter().flatten().copied()
    }
}
