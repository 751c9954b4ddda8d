//! Mistakes in texts of games that are none of the families.

/// A mistake in a text of somebody else's game, in the words of whoever wrote that game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnMistake {
    /// What was found: "a row of 2 squares after one of 1".
    pub found: String,
    /// What was expected: "each row is as long as the one above it, or shorter".
    pub expected: String,
}

impl From<OwnMistake> for super::Mistake {
    fn from(mistake: OwnMistake) -> Self {
        Self::Own(mistake)
    }
}
