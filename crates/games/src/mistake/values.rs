//! Mistakes in values as they are written.

use balpan::cgt::ExpressionErrorKind;

/// A mistake in a value as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ValuesMistake {
    /// It is written wrong.
    Written {
        /// How.
        mistake: ExpressionErrorKind,
    },
    /// A name that no game has.
    NoGame {
        /// The name.
        name: String,
    },
    /// A game by the misère convention.
    Misere {
        /// Its name.
        name: String,
    },
    /// A game that is not won by the last move alone, or of which the players' moves are not told apart.
    NoValues {
        /// Its name.
        name: String,
    },
}

kinds!(Values(ValuesMistake) {
    Written => "no_expression",
    NoGame => "no_such_game",
    Misere => "misere_game",
    NoValues => "no_values",
});
